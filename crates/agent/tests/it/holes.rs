//! Holes for values that no rule knows, and the questions about them.

use graftage_agent::{FixOptions, FixOutcome, ReasonerChoice};
use testkit::TempProject;

use crate::questions::{added, fix, shown, with_answer};

/// A project whose last commit has one text and whose tree has another one.
fn changed(before: &str, after: &str) -> TempProject {
    let project = testkit::crate_project(before);
    project.git().commit_all("base");
    project.write("src/lib.rs", after);
    project
}

#[test]
fn values_of_another_type_are_one_question_about_its_parts() {
    let uses = "pub fn total(a: &str, b: &str) -> usize {\n    size(a) + size(b)\n}\n\n\
                pub fn is_long(a: &str) -> bool {\n    size(a) > 10\n}\n";
    let project = changed(
        &format!("pub fn size(text: &str) -> usize {{\n    text.len()\n}}\n\n{uses}"),
        &format!(
            "pub struct Size {{\n    pub width: usize,\n    pub lines: usize,\n}}\n\n\
             pub fn size(text: &str) -> Size {{\n    Size {{ width: text.len(), lines: 1 }}\n}}\n\n{uses}"
        ),
    );
    let options = FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    assert_eq!(
        report.questions.iter().map(shown).collect::<Vec<_>>(),
        ["which part of `Size` is meant at src/lib.rs:11, src/lib.rs:15: \
          .width (`Size` has it, a `usize`); .lines (`Size` has it, a `usize`)"]
    );
    let id = &report.questions[0].id;
    let report = with_answer(&project, id, "2");
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), ["size(a).lines + size(b).lines", "size(a).lines > 10"]);
    let report = with_answer(&project, id, "a.len()");
    assert_eq!(report.notes, [format!("the answer to {id}: only one of the options is an answer")]);
}

#[test]
fn what_no_rule_knows_is_a_hole_and_the_rest_is_made() {
    let uses = "pub fn late(config: &Config) -> bool {\n    config.wait > 10\n}\n\n\
                pub fn make() -> Config {\n    Config { wait: 30 }\n}\n";
    let project = changed(
        &format!("pub struct Config {{\n    pub wait: u64,\n}}\n\n{uses}"),
        &format!(
            "pub struct Config {{\n    pub wait: Wait,\n}}\n\n\
             pub struct Wait(pub u64, pub bool);\n\n{uses}"
        ),
    );
    let options = FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    assert_eq!(added(&report), ["config.wait.0 > 10", "Config { wait: todo!() }"]);
    let [question] = report.questions.as_slice() else { panic!("{report:#?}") };
    assert_eq!(question.text, "which value of the type `Wait` is meant in place of `30`");
    let report = with_answer(&project, &question.id, "Wait(30, false)");
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert!(added(&report).contains(&"wait: Wait(30, false),"), "{report:#?}");
    assert!(report.notes.is_empty() && report.questions.is_empty(), "{report:#?}");
}

#[test]
fn a_hole_that_does_not_build_by_itself_is_a_question_too() {
    let text = |last: &str| {
        format!(
            "pub struct Log {{\n    lines: Vec<String>,\n}}\n\nimpl Log {{\n{last}    pub fn lines(&self) -> \
             &[String] {{\n        &self.lines\n    }}\n}}\n\npub fn show(log: &Log) -> usize {{\n    \
             let last = log.last().unwrap_or(\"none\");\n    last.len()\n}}\n"
        )
    };
    let last = "    pub fn last(&self) -> Option<&str> {\n        self.lines.last().map(|it| it.as_str())\n    }\n\n";
    let project = changed(&text(last), &text(""));
    let options = FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::None, "{report:#?}");
    let [question] = report.questions.as_slice() else { panic!("{report:#?}") };
    assert_eq!(question.text, "which code is meant in place of `log.last().unwrap_or(\"none\")`");
    let answer = "log.lines().last().map(|it| it.as_str()).unwrap_or(\"none\")";
    let report = with_answer(&project, &question.id, answer);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), [format!("let last = {answer};")]);
    let report = with_answer(&project, &question.id, "log.nothing()");
    assert_eq!(report.outcome, FixOutcome::None, "{report:#?}");
    assert!(report.notes[0].starts_with("the tree does not build with the answer to "));
    assert_eq!(report.questions[0].id, question.id);
}

#[test]
fn variants_and_functions_that_make_one_are_options() {
    let text = |level: &str| {
        format!(
            "#[derive(Clone, Copy)]\npub enum Level {{\n    Low,\n    High(u8),\n}}\n\n\
             impl Level {{\n    pub fn middle() -> Self {{\n        Level::High(5)\n    }}\n}}\n\n\
             pub fn open(door: u32{level}) -> u32 {{\n    door\n}}\n\n\
             pub fn enter() -> u32 {{\n    open(1)\n}}\n"
        )
    };
    let project = changed(&text(""), &text(", _level: Level"));
    let options = FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() };
    let report = fix(&project, &options);
    assert_eq!(
        report.questions.iter().map(shown).collect::<Vec<_>>(),
        ["which value has `_level: Level` at src/lib.rs:18: Level::Low (a variant of the type); \
          Level::middle() (it makes one)"]
    );
    let report = with_answer(&project, &report.questions[0].id, "2");
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), ["open(1, Level::middle())"]);

    // A file that does not import the type gets its path.
    let text = |level: &str| format!("mod far;\n{}", text(level).replace("open(1)", "7"));
    let project = testkit::crate_project(&text(""));
    project.write("src/far.rs", "pub fn far() -> u32 {\n    crate::open(2)\n}\n");
    project.git().commit_all("base");
    project.write("src/lib.rs", text(", _level: Level"));
    let report = fix(&project, &options);
    let report = with_answer(&project, &report.questions[0].id, "2");
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), ["crate::open(2, crate::Level::middle())"]);
}

#[test]
fn an_arm_is_asked_for_with_the_bodies_of_the_others() {
    let text = |variant: &str| {
        format!(
            "pub enum Door {{\n    Shut,\n    Open(u8),\n    Wide(u8),\n{variant}}}\n\n\
             pub fn width(door: &Door) -> u8 {{\n    match door {{\n        Door::Shut => 0,\n        \
             Door::Open(width) => *width,\n        Door::Wide(width) => width + 1,\n    }}\n}}\n"
        )
    };
    let project = changed(&text(""), &text("    Gone,\n"));
    let options = FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() };
    let report = fix(&project, &options);
    assert_eq!(
        report.questions.iter().map(shown).collect::<Vec<_>>(),
        ["which code has the arm `Door::Gone` at src/lib.rs:13: 0 (the arm `Door::Shut` has it)"]
    );
}
