//! Conditions of the shipped threads: for each rule of the gate the event that opens it, and the sentences
//! that say which condition of that event does not hold.
use crate::facts::{Facts, TEST_REMOVED};
use crate::program::{Event, Gate, Pattern, Thread, Value};
use crate::{
    GateRules, Keep, NamedPermission, PROTECTED_FILE, Refusal, ReportedViolation, RungName, events,
};

/// Maximum number of names that a reason lists; the rest is counted.
const SHOWN: usize = 5;

/// The words of a hint before the rule that a person may permit, as a flag of the command line.
const BY_NAME: &str = "allow it by name: `--allow";

/// A rule of the gate: a thread that blocks `apply` until its event reports that nothing breaks the rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requirement {
    /// Name of the rule and of its thread.
    pub(crate) rule: &'static str,
    /// Name of the event that opens it; what it reports is in [`events`].
    pub(crate) event: &'static str,
    priority: u32,
    because: &'static str,
    /// Conditions of the event, in the order of their sentences.
    conditions: fn(&GateRules) -> Vec<Condition>,
    /// Sentences about one condition that does not hold.
    sentences: fn(&Facts<'_>, field: &str) -> Vec<Sentence>,
}

/// A field of the event and what it must be.
enum Condition {
    True(&'static str),
    /// At most this number.
    Most(&'static str, usize),
}

/// A reason and what satisfies the rule.
struct Sentence {
    reason: String,
    hint: String,
    permission: Option<NamedPermission>,
}

impl Sentence {
    fn new(reason: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { reason: reason.into(), hint: hint.into(), permission: None }
    }

    /// A sentence about what a person may permit by name.
    fn unless_permitted(reason: String, instead: &str, name: String) -> Self {
        let permission = NamedPermission { instead: instead.to_owned(), name };
        Self { reason, hint: permission.hint(BY_NAME), permission: Some(permission) }
    }
}

/// The rule of a change that leaves errors, in place of the one that it builds.
pub(crate) const PARTIAL: Requirement = Requirement {
    rule: "partial",
    event: events::PARTIAL,
    priority: 10,
    because: "it was not verified to leave fewer errors than the tree has",
    conditions: |_| {
        vec![Condition::True("permitted"), Condition::True("nearer"), Condition::Most("new", 0)]
    },
    sentences: not_partial,
};

/// The rules of the gate under these rules, in the order of their threads.
pub(crate) fn requirements(rules: &GateRules) -> impl Iterator<Item = &'static Requirement> {
    let is_partial = rules.is_partial;
    REQUIREMENTS.iter().map(move |it| if is_partial && it.rule == COMPILE { &PARTIAL } else { it })
}

/// Name of the rule that a change builds.
const COMPILE: &str = "compile";

/// The rules of the gate for a change that builds, in the order of their threads.
pub(crate) const REQUIREMENTS: [Requirement; 8] = [
    Requirement {
        rule: COMPILE,
        event: events::CHECKED,
        priority: 10,
        because: "it was not verified to build",
        conditions: |rules| {
            let rungs = rules.require.iter().filter(|it| !it.runs_tests());
            let rungs = rungs.map(|it| Condition::True(it.as_str()));
            rungs.chain([Condition::Most("errors", 0)]).collect()
        },
        sentences: not_built,
    },
    Requirement {
        rule: "compiled",
        event: "compiled",
        priority: 15,
        because: "what was compiled was not compared with the change",
        conditions: |_| vec![Condition::True("same")],
        sentences: |_, _| {
            let hint = "let the build write to `OUT_DIR`, and to no file of the project";
            one("what was compiled is not the change", hint)
        },
    },
    Requirement {
        rule: "tests",
        event: "tests",
        priority: 20,
        because: "tests not verified to pass as before",
        conditions: |rules| {
            let rungs = rules.require.iter().filter(|it| it.runs_tests());
            let rungs = rungs.map(|it| Condition::True(it.as_str()));
            [Condition::Most("failed", 0), Condition::Most("lost", 0)]
                .into_iter()
                .chain(rungs)
                .collect()
        },
        sentences: worse_tests,
    },
    Requirement {
        rule: "preservation",
        event: "preservation",
        priority: 30,
        because: "it was not verified to keep what it must not remove",
        conditions: |rules| match rules.keep {
            Keep::Everything => vec![Condition::Most("violations", 0)],
            Keep::Tests => vec![Condition::Most("of_tests", 0)],
        },
        sentences: not_preserved,
    },
    Requirement {
        rule: "files",
        event: "files",
        priority: 40,
        because: "its files were not compared with the allow-list",
        conditions: |_| vec![Condition::Most("outside", 0)],
        sentences: files_outside,
    },
    Requirement {
        rule: PROTECTED_FILE,
        event: PROTECTED_FILE,
        priority: 45,
        because: "its files were not compared with those that only a person may change",
        conditions: |_| vec![Condition::Most("changed", 0)],
        sentences: protected_files,
    },
    Requirement {
        rule: "size",
        event: "size",
        priority: 50,
        because: "its size was not compared with the limits",
        conditions: |rules| {
            vec![
                Condition::Most("files", rules.max_files),
                Condition::Most("lines", rules.max_lines),
            ]
        },
        sentences: too_large,
    },
    Requirement {
        rule: "public-api",
        event: "public-api",
        priority: 60,
        because: "its public signatures were not compared",
        conditions: |rules| match rules.allow_public_changes {
            true => Vec::new(),
            false => vec![Condition::Most("changed", 0)],
        },
        sentences: public_changes,
    },
];

impl Requirement {
    /// The rule of this name.
    pub(crate) fn named(rule: &str) -> Option<&'static Self> {
        REQUIREMENTS.iter().chain([&PARTIAL]).find(|it| it.rule == rule)
    }

    /// The event that opens its thread, under these rules.
    pub(crate) fn opened_by(&self, rules: &GateRules) -> Pattern {
        let pattern = Pattern::named(self.event);
        (self.conditions)(rules).iter().fold(pattern, |pattern, condition| match condition {
            Condition::True(field) => pattern.equal(field, Value::Flag(true)),
            Condition::Most(field, 0) => pattern.equal(field, Value::Number(0)),
            Condition::Most(field, most) => pattern
                .below(field, i64::try_from(*most).map_or(i64::MAX, |it| it.saturating_add(1))),
        })
    }

    /// The events that close its thread, unless they open it.
    pub(crate) fn closed_by(&self) -> Vec<Pattern> {
        ["proposed", "applied", self.event].map(Pattern::named).to_vec()
    }

    /// Its thread.
    pub(crate) fn thread(&self, rules: &GateRules) -> Thread {
        Thread::gate(
            (self.rule, self.priority, self.because),
            Gate {
                blocks: vec![Pattern::named(events::APPLY)],
                opens: vec![self.opened_by(rules)],
                closes: self.closed_by(),
            },
        )
    }

    /// Why its thread was not opened by an event: a sentence for each condition that does not hold.
    pub(crate) fn refusals(&self, facts: &Facts<'_>, event: &Event) -> Vec<Refusal> {
        let opened_by = self.opened_by(facts.rules);
        let sentences = opened_by.unmet(event).flat_map(|field| (self.sentences)(facts, field));
        let refusal = |it: Sentence| Refusal {
            rule: self.rule.to_owned(),
            reason: it.reason,
            hint: it.hint,
            permission: it.permission,
        };
        sentences.map(refusal).collect()
    }
}

fn one(reason: impl Into<String>, hint: impl Into<String>) -> Vec<Sentence> {
    vec![Sentence::new(reason, hint)]
}

fn not_built(facts: &Facts<'_>, field: &str) -> Vec<Sentence> {
    let findings = facts.findings;
    let Some(name) = RungName::named(field) else {
        let before = match findings.errors_before {
            Some(before) => format!(", {before} without the change"),
            None => String::new(),
        };
        let errors = count(findings.errors_after, "compile error");
        let first = match &findings.first_error {
            Some(error) if findings.errors_after == 1 => format!(": {error}"),
            Some(error) => format!("; first: {error}"),
            None => String::new(),
        };
        return one(
            format!("{errors} with the change{before}{first}"),
            "fix the remaining errors; the diagnostics contain their locations",
        );
    };
    let Some(rung) = facts.rung(name) else {
        return one(format!("`{field}` was not run"), "run the proof ladder up to this rung");
    };
    if name == RungName::Check && findings.errors_after > 0 {
        // The count of errors is more precise than a failed rung.
        return Vec::new();
    }
    let hint = match name {
        RungName::Clippy => "fix what clippy found, or do not require clippy",
        RungName::Format => "format the changed files",
        RungName::Stories => "fix what the story names; its line has the step",
        _ => "fix the remaining build errors",
    };
    one(format!("`{field}` failed: {}", rung.detail), hint)
}

fn not_partial(facts: &Facts<'_>, field: &str) -> Vec<Sentence> {
    let findings = facts.findings;
    let left = count(findings.errors_after, "error is left|errors are left");
    match field {
        "permitted" => one(
            format!("{left}, and the policy permits no partial change"),
            "repair the other errors too, or allow it by `gate.allow_partial` in your configuration",
        ),
        "nearer" => one(
            format!("{left}, which is not fewer than without the change"),
            "write nothing: the tree is as near to a build without it",
        ),
        _ => one(
            format!(
                "it adds {}: {}",
                count(findings.new_errors.len(), "error"),
                list(&findings.new_errors)
            ),
            "write nothing: the tree does not have these errors",
        ),
    }
}

fn worse_tests(facts: &Facts<'_>, field: &str) -> Vec<Sentence> {
    let Some(name) = RungName::named(field) else {
        return if field == "failed" { new_failures(facts) } else { lost_tests(facts) };
    };
    match facts.rung(name) {
        None => one(
            format!("`{field}` was not run"),
            "verify the change with its tests, or do not require tests",
        ),
        Some(rung) => one(
            format!("`{field}` failed: {}", rung.detail),
            "fix the change until its tests build and run to the end",
        ),
    }
}

fn new_failures(facts: &Facts<'_>) -> Vec<Sentence> {
    let names = facts.new_failures();
    let fail = count(names.len(), "test fails|tests fail");
    let has_baseline = facts.findings.tests.as_ref().is_some_and(|it| it.compared_with.is_some());
    let (reason, hint) = if has_baseline {
        (
            format!("{fail} that passed before"),
            "fix the change, or correct the test in a separate change",
        )
    } else {
        (
            format!("{fail}, and there is no baseline to compare with"),
            "fix the change; commit a state that builds if these tests failed before",
        )
    };
    one(format!("{reason}: {}", list(&names)), hint)
}

fn lost_tests(facts: &Facts<'_>) -> Vec<Sentence> {
    let lost = facts.lost();
    let what = count(lost.len(), "test|tests");
    vec![Sentence::unless_permitted(
        format!("{what} that passed before did not run: {}", list(lost)),
        "keep every test running",
        format!("preservation:{TEST_REMOVED}"),
    )]
}

fn not_preserved(facts: &Facts<'_>, field: &str) -> Vec<Sentence> {
    let sentence = |violation: &ReportedViolation| {
        let ReportedViolation { rule, place, detail, .. } = violation;
        let reason = format!("{rule} at {place}: {detail}");
        let name = format!("preservation:{rule}");
        Sentence::unless_permitted(reason, "keep what is there", name)
    };
    let is_meant = |it: &&ReportedViolation| field == "violations" || it.protects_tests;
    facts.violations().filter(is_meant).map(sentence).collect()
}

fn files_outside(facts: &Facts<'_>, _: &str) -> Vec<Sentence> {
    let allowed = &facts.rules.allow_files;
    match facts.outside() {
        Err((glob, error)) => one(
            format!("`{glob}` in the allow-list is not a valid glob: {error}"),
            "write globs such as `src/**` or `*.rs`",
        ),
        Ok(files) => {
            let hint = "leave the file alone, or add it to the allow-list";
            let sentence = |path: &str| {
                let reason = format!("`{path}` is not in the allow-list: {}", list(allowed));
                Sentence::new(reason, hint)
            };
            files.iter().map(|file| sentence(file.path.as_str())).collect()
        }
    }
}

fn protected_files(facts: &Facts<'_>, _: &str) -> Vec<Sentence> {
    let sentences = facts.protected().map(|file| {
        let reason = format!("{}: only a person may change it", file.reason);
        let name = format!("{PROTECTED_FILE}:{}", file.path);
        Sentence::unless_permitted(reason, "leave it as it is", name)
    });
    sentences.collect()
}

fn too_large(facts: &Facts<'_>, field: &str) -> Vec<Sentence> {
    let (rules, files) = (facts.rules, facts.findings.files.len());
    match field {
        "files" => one(
            format!("{} changed, {} allowed", count(files, "file"), rules.max_files),
            "split the change, or raise `max_files`",
        ),
        _ => one(
            format!(
                "{} added and removed, {} allowed",
                count(facts.lines(), "line"),
                rules.max_lines
            ),
            "split the change, or raise `max_lines`",
        ),
    }
}

fn public_changes(facts: &Facts<'_>, _: &str) -> Vec<Sentence> {
    let changes = &facts.findings.public_changes;
    let what = count(changes.len(), "public signature changes|public signatures change");
    one(format!("{what}: {}", list(changes)), "keep the signatures, or allow public changes")
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
