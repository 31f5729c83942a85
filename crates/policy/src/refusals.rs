use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::{Evidence, Refusal, Rules, RungName};

/// How many names a reason lists before it counts the rest.
const SHOWN: usize = 5;

/// Every reason why `evidence` does not meet `rules`, in the order of the ladder; empty when it
/// meets them all. All of them are given, so that one reading mends everything.
pub(crate) fn refusals(rules: &Rules, evidence: &Evidence) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    compile(rules, evidence, &mut refusals);
    tests(rules, evidence, &mut refusals);
    preservation(rules, evidence, &mut refusals);
    files(rules, evidence, &mut refusals);
    size(rules, evidence, &mut refusals);
    public_api(rules, evidence, &mut refusals);
    refusals
}

fn refuse(refusals: &mut Vec<Refusal>, rule: &str, reason: String, hint: impl Into<String>) {
    refusals.push(Refusal { rule: rule.to_owned(), reason, hint: hint.into() });
}

fn compile(rules: &Rules, evidence: &Evidence, refusals: &mut Vec<Refusal>) {
    for name in rules.require.iter().copied().filter(|name| !name.runs_tests()) {
        match evidence.rung(name) {
            None => refuse(
                refusals,
                "compile",
                format!("`{}` was not run", name.as_str()),
                "prove the change up to this rung",
            ),
            Some(rung) if !rung.passed && name == RungName::Check && evidence.errors_after > 0 => {
                // The count of errors below says more than that the rung failed.
            }
            Some(rung) if !rung.passed => refuse(
                refusals,
                "compile",
                format!("`{}` failed: {}", name.as_str(), rung.detail),
                match name {
                    RungName::Clippy => "mend what clippy found, or do not ask for clippy",
                    RungName::Format => "format the changed files",
                    _ => "mend the change until it builds",
                },
            ),
            Some(_) => {}
        }
    }
    if evidence.errors_after > 0 {
        let before = match evidence.errors_before {
            Some(before) => format!(", {before} without the change"),
            None => String::new(),
        };
        refuse(
            refusals,
            "compile",
            format!("{} with the change{before}", count(evidence.errors_after, "compile error")),
            "mend the remaining errors; the diagnostics name their places",
        );
    }
}

fn tests(rules: &Rules, evidence: &Evidence, refusals: &mut Vec<Refusal>) {
    let newly_failing =
        evidence.tests.as_ref().map(|tests| tests.newly_failing()).unwrap_or_default();
    if let Some(tests) = evidence.tests.as_ref().filter(|_| !newly_failing.is_empty()) {
        let (reason, hint) = if tests.has_baseline {
            (
                format!(
                    "{} that passed before",
                    count(newly_failing.len(), "test fails|tests fail")
                ),
                "mend the change, or correct the test in a change of its own",
            )
        } else {
            (
                format!(
                    "{}, and there is no baseline to compare with",
                    count(newly_failing.len(), "test fails|tests fail")
                ),
                "mend the change; name the tests that are known to fail if they failed before",
            )
        };
        refuse(refusals, "tests", format!("{reason}: {}", list(&newly_failing)), hint);
    }
    for name in rules.require.iter().copied().filter(|name| name.runs_tests()) {
        // All tests include those of the touched packages.
        let rung = evidence.rung(name).or_else(|| {
            evidence.rung(RungName::AllTests).filter(|_| name == RungName::AffectedTests)
        });
        match rung {
            None => refuse(
                refusals,
                "tests",
                format!("`{}` was not run", name.as_str()),
                "prove the change with its tests, or do not ask for tests",
            ),
            Some(rung) if !rung.passed => {
                let explained =
                    evidence.tests.as_ref().is_some_and(|tests| !tests.failed.is_empty());
                if !explained {
                    refuse(
                        refusals,
                        "tests",
                        format!("`{}` failed: {}", name.as_str(), rung.detail),
                        "mend the change until its tests build and run to the end",
                    );
                }
            }
            Some(_) => {}
        }
    }
}

fn preservation(rules: &Rules, evidence: &Evidence, refusals: &mut Vec<Refusal>) {
    if rules.allow_violations {
        return;
    }
    for violation in &evidence.violations {
        refuse(
            refusals,
            "preservation",
            format!("{} at {}: {}", violation.rule, violation.place, violation.detail),
            "keep what is there; a person may take it as a draft",
        );
    }
}

fn files(rules: &Rules, evidence: &Evidence, refusals: &mut Vec<Refusal>) {
    if rules.allow_files.is_empty() {
        return;
    }
    let allowed = match glob_set(&rules.allow_files) {
        Ok(allowed) => allowed,
        Err((glob, error)) => {
            refuse(
                refusals,
                "files",
                format!("`{glob}` in the allow-list is no glob: {error}"),
                "write globs such as `src/**` or `*.rs`",
            );
            return;
        }
    };
    for file in evidence.files.iter().filter(|file| !allowed.is_match(file.path.as_str())) {
        refuse(
            refusals,
            "files",
            format!(
                "`{}` is not in the allow-list: {}",
                file.path.as_str(),
                list(&rules.allow_files)
            ),
            "leave the file alone, or add it to the allow-list",
        );
    }
}

/// `*` stops at a folder's border, `**` does not; a glob that ends in `/` means all below it.
fn glob_set(globs: &[String]) -> Result<GlobSet, (String, String)> {
    let mut builder = GlobSetBuilder::new();
    for glob in globs {
        let pattern = if glob.ends_with('/') { format!("{glob}**") } else { glob.clone() };
        let compiled = GlobBuilder::new(&pattern)
            .literal_separator(true)
            .build()
            .map_err(|error| (glob.clone(), error.kind().to_string()))?;
        builder.add(compiled);
    }
    builder.build().map_err(|error| (String::new(), error.kind().to_string()))
}

fn size(rules: &Rules, evidence: &Evidence, refusals: &mut Vec<Refusal>) {
    let files = evidence.files.len();
    if files > rules.max_files {
        refuse(
            refusals,
            "size",
            format!("{} changed, {} allowed", count(files, "file"), rules.max_files),
            "split the change, or raise `max_files`",
        );
    }
    let lines = evidence
        .files
        .iter()
        .fold(0usize, |sum, file| sum.saturating_add(file.added).saturating_add(file.removed));
    if lines > rules.max_lines {
        refuse(
            refusals,
            "size",
            format!("{} added and removed, {} allowed", count(lines, "line"), rules.max_lines),
            "split the change, or raise `max_lines`",
        );
    }
}

fn public_api(rules: &Rules, evidence: &Evidence, refusals: &mut Vec<Refusal>) {
    if rules.allow_public_changes || evidence.public_changes.is_empty() {
        return;
    }
    refuse(
        refusals,
        "public-api",
        format!(
            "{}: {}",
            count(
                evidence.public_changes.len(),
                "public signature changes|public signatures change"
            ),
            list(&evidence.public_changes)
        ),
        "keep the signatures, or allow public changes",
    );
}

/// `1 file`, `2 files`; both forms may be given, parted by `|`.
fn count(n: usize, noun: &str) -> String {
    match (n, noun.split_once('|')) {
        (1, Some((one, _))) => format!("1 {one}"),
        (_, Some((_, many))) => format!("{n} {many}"),
        (1, None) => format!("1 {noun}"),
        (_, None) => format!("{n} {noun}s"),
    }
}

fn list<S: AsRef<str>>(names: &[S]) -> String {
    let mut text: Vec<String> =
        names.iter().take(SHOWN).map(|name| format!("`{}`", name.as_ref())).collect();
    if names.len() > SHOWN {
        text.push(format!("{} more", names.len() - SHOWN));
    }
    text.join(", ")
}
