//! The checks of the gate, one function per rule. Each adds a [`Refusal`] with reason and hint for
//! everything that violates its rule; none of them stops at the first.
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::{
    ChangeSource, Exception, Findings, Keep, NamedPermission, PROTECTED_FILE, Refusal, Rules,
    RungName, Violation, protected,
};

/// Maximum number of names that a reason lists; the rest is counted.
const SHOWN: usize = 5;

/// The words of a hint before the rule that a person may permit, as a flag of the command line.
const BY_NAME: &str = "allow it by name: `--allow";

/// The preservation rule that allows a missing test.
const TEST_REMOVED: &str = "test-removed";
/// The preservation rule about settings of dependencies, which rules of graftage choose by what the code asks
/// for.
const DEPENDENCY_CHANGED: &str = "dependency-changed";

/// Every reason why `evidence` violates `rules`, in the order of the ladder; empty when there is
/// none. `allow` names rules of preservation that may be violated.
pub(crate) fn refusals(rules: &Rules, evidence: &Findings, allow: &[String]) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    compile(rules, evidence, &mut refusals);
    compiled(evidence, &mut refusals);
    new_failures(evidence, &mut refusals);
    lost_tests(evidence, allow, &mut refusals);
    required_tests(rules, evidence, &mut refusals);
    preservation(rules, evidence, allow, &mut refusals);
    files(rules, evidence, &mut refusals);
    protected_files(rules, evidence, allow, &mut refusals);
    size(rules, evidence, &mut refusals);
    public_api(rules, evidence, &mut refusals);
    refusals
}

fn refuse(refusals: &mut Vec<Refusal>, rule: &str, reason: String, hint: impl Into<String>) {
    let hint = hint.into();
    refusals.push(Refusal { rule: rule.to_owned(), reason, hint, permission: None });
}

/// Adds a refusal that a person may lift by the name of a permission.
fn refuse_unless_permitted(
    refusals: &mut Vec<Refusal>,
    rule: &str,
    reason: String,
    permission: NamedPermission,
) {
    let hint = permission.hint(BY_NAME);
    refusals.push(Refusal { rule: rule.to_owned(), reason, hint, permission: Some(permission) });
}

fn compile(rules: &Rules, evidence: &Findings, refusals: &mut Vec<Refusal>) {
    for name in rules.require.iter().copied().filter(|name| !name.runs_tests()) {
        match evidence.rung(name) {
            None => refuse(
                refusals,
                "compile",
                format!("`{}` was not run", name.as_str()),
                "run the proof ladder up to this rung",
            ),
            Some(rung) if !rung.passed && name == RungName::Check && evidence.errors_after > 0 => {
                // The count of errors below is more precise than a failed rung.
            }
            Some(rung) if !rung.passed => refuse(
                refusals,
                "compile",
                format!("`{}` failed: {}", name.as_str(), rung.detail),
                match name {
                    RungName::Clippy => "fix what clippy found, or do not require clippy",
                    RungName::Format => "format the changed files",
                    _ => "fix the remaining build errors",
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
            "fix the remaining errors; the diagnostics contain their locations",
        );
    }
}

fn compiled(evidence: &Findings, refusals: &mut Vec<Refusal>) {
    let is_compiled = evidence.rungs.iter().any(|rung| rung.name.compiles());
    if !is_compiled || evidence.compiled == Some(evidence.patch_set) {
        return;
    }
    refuse(
        refusals,
        "compiled",
        "what was compiled is not the change".to_owned(),
        "let the build write to `OUT_DIR`, and to no file of the project",
    );
}

fn new_failures(evidence: &Findings, refusals: &mut Vec<Refusal>) {
    let Some(tests) = &evidence.tests else { return };
    let names = tests.newly_failing();
    if names.is_empty() {
        return;
    }
    let (reason, hint) = match tests.compared_with {
        Some(_) => (
            format!("{} that passed before", count(names.len(), "test fails|tests fail")),
            "fix the change, or correct the test in a separate change",
        ),
        None => (
            format!(
                "{}, and there is no baseline to compare with",
                count(names.len(), "test fails|tests fail")
            ),
            "fix the change; commit a state that builds if these tests failed before",
        ),
    };
    refuse(refusals, "tests", format!("{reason}: {}", list(&names)), hint);
}

fn lost_tests(evidence: &Findings, allow: &[String], refusals: &mut Vec<Refusal>) {
    let Some(tests) = evidence.tests.as_ref().filter(|tests| !tests.lost.is_empty()) else {
        return;
    };
    if allow.iter().any(|name| name == TEST_REMOVED) {
        return;
    }
    let what = count(tests.lost.len(), "test|tests");
    refuse_unless_permitted(
        refusals,
        "tests",
        format!("{what} that passed before did not run: {}", list(&tests.lost)),
        NamedPermission {
            instead: "keep every test running".to_owned(),
            name: format!("preservation:{TEST_REMOVED}"),
        },
    );
}

fn required_tests(rules: &Rules, evidence: &Findings, refusals: &mut Vec<Refusal>) {
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
                "verify the change with its tests, or do not require tests",
            ),
            Some(rung) if !rung.passed && !is_explained(evidence) => refuse(
                refusals,
                "tests",
                format!("`{}` failed: {}", name.as_str(), rung.detail),
                "fix the change until its tests build and run to the end",
            ),
            Some(_) => {}
        }
    }
}

/// Whether another refusal explains why the test rung failed: the run completed, with tests that
/// fail or are missing.
fn is_explained(evidence: &Findings) -> bool {
    evidence.tests.as_ref().is_some_and(|tests| {
        tests.complete && !(tests.newly_failing().is_empty() && tests.lost.is_empty())
    })
}

fn preservation(rules: &Rules, evidence: &Findings, allow: &[String], refusals: &mut Vec<Refusal>) {
    let is_own = rules.source == ChangeSource::OwnRules;
    let counts = |violation: &&Violation| match rules.keep {
        _ if is_own && violation.rule == DEPENDENCY_CHANGED => false,
        Keep::Everything => true,
        Keep::Tests => violation.protects_tests,
    };
    for violation in evidence.violations.iter().filter(counts) {
        if allow.contains(&violation.rule) {
            continue;
        }
        refuse_unless_permitted(
            refusals,
            "preservation",
            format!("{} at {}: {}", violation.rule, violation.place, violation.detail),
            NamedPermission {
                instead: "keep what is there".to_owned(),
                name: format!("preservation:{}", violation.rule),
            },
        );
    }
}

fn files(rules: &Rules, evidence: &Findings, refusals: &mut Vec<Refusal>) {
    if rules.allow_files.is_empty() {
        return;
    }
    let allowed = match glob_set(&rules.allow_files) {
        Ok(allowed) => allowed,
        Err((glob, error)) => {
            refuse(
                refusals,
                "files",
                format!("`{glob}` in the allow-list is not a valid glob: {error}"),
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

/// What only a person may change, each file once: by its path, and where its text decides.
fn protected_files(
    rules: &Rules,
    evidence: &Findings,
    allow: &[String],
    refusals: &mut Vec<Refusal>,
) {
    let is_own = rules.source == ChangeSource::OwnRules;
    let by_path = evidence.files.iter().filter_map(|file| {
        let row = protected(&file.path)?;
        let may = is_own && row.except == Exception::OwnRules;
        (!may).then(|| (&file.path, format!("`{}` is {}", file.path, row.reason)))
    });
    let by_text = evidence.protected.iter().filter(|it| !(is_own && it.by_rules)).map(|it| {
        let what = match &it.key {
            Some(key) => format!("`{key}` in `{}`", it.path),
            None => format!("`{}`", it.path),
        };
        (&it.path, format!("{what} is {}", it.reason))
    });
    for (path, reason) in by_path.chain(by_text) {
        let name = format!("{PROTECTED_FILE}:{path}");
        if !allow.contains(&name) {
            refuse_unless_permitted(
                refusals,
                PROTECTED_FILE,
                format!("{reason}: only a person may change it"),
                NamedPermission { instead: "leave it as it is".to_owned(), name },
            );
        }
    }
}

/// `*` does not match `/`, `**` does; a glob that ends in `/` matches everything below it.
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

fn size(rules: &Rules, evidence: &Findings, refusals: &mut Vec<Refusal>) {
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

fn public_api(rules: &Rules, evidence: &Findings, refusals: &mut Vec<Refusal>) {
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

/// `1 file`, `2 files`; an irregular plural is given after `|`.
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
