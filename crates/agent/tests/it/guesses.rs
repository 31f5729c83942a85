//! Repairs that guess: applied if a test covers the guess, else drafts.

use graftage_agent::{FixOptions, FixOutcome, FixReport};
use testkit::TempProject;

use crate::support::workspace;

fn fix(project: &TempProject, options: &FixOptions) -> FixReport {
    let (ctx, workspace) = workspace(project);
    graftage_agent::fix(&ctx, &workspace, options, &mut |_| {}).expect("no fault").report
}

/// A crate in which `open` has got the parameter `level: u32`, which only its type suggests a value
/// for; `body` is what `open` does with it, `test` what the test calls.
fn level(body: &str, test: &str) -> TempProject {
    let text = |level: &str, body: &str| {
        format!(
            "pub fn open(door: u32{level}) -> u32 {{\n    {body}\n}}\n\n\
             pub fn enter() -> u32 {{\n    open(1)\n}}\n\n\
             #[cfg(test)]\nmod tests {{\n    #[test]\n    fn t() {{\n        {test}\n    }}\n}}\n"
        )
    };
    let project = testkit::crate_project(&text("", "door"));
    project.git().commit_all("base");
    project.write("src/lib.rs", text(", level: u32", body));
    project
}

fn guesses(report: &FixReport) -> Vec<String> {
    report.guesses.iter().map(ToString::to_string).collect()
}

#[test]
fn a_value_without_which_a_test_fails_is_applied() {
    let project = level("door + level", "assert_eq!(crate::enter(), 1);");
    let report = fix(&project, &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(
        guesses(&report),
        ["src/lib.rs:6: `0` is a guess, and a test fails with another value"]
    );
}

#[test]
fn a_value_that_no_test_depends_on_is_a_draft() {
    // A test executes the line, and nothing reads the value.
    let project = level("let _ = level;\n    door", "assert_eq!(crate::enter(), 1);");
    let report = fix(&project, &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    assert!(report.diff.contains("+    open(1, 0)"), "{report:#?}");
    let why = "src/lib.rs:7: `0` is a guess, and all tests pass with another value";
    assert_eq!(guesses(&report), [why]);
    let refused = format!("{why} (`--allow guess` allows it)");
    assert!(report.refused.iter().any(|it| it.reason == refused), "{report:#?}");

    // Without tests, every guess is a draft.
    let options = FixOptions { tests: Some(check::Tests::None), ..FixOptions::default() };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    assert_eq!(guesses(&report), ["src/lib.rs:7: `0` is a guess, and no test was run"]);
}

/// A crate in which two of the literals of `S` miss the field `b`; `test` is what the test calls.
fn copied(test: &str) -> TempProject {
    testkit::crate_project(&format!(
        "pub struct S {{\n    pub a: u32,\n    pub b: u32,\n}}\n\n\
         pub fn one() -> S {{\n    S {{ a: 1, b: 7 }}\n}}\n\n\
         pub fn two() -> S {{\n    S {{ a: 2 }}\n}}\n\n\
         pub fn three() -> S {{\n    S {{ a: 3 }}\n}}\n\n\
         #[cfg(test)]\nmod tests {{\n    #[test]\n    fn t() {{\n        {test}\n    }}\n}}\n"
    ))
}

#[test]
fn copied_values_are_applied_if_tests_execute_all_of_them() {
    let project = copied("crate::two();\n        crate::three();");
    let report = fix(&project, &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(
        guesses(&report),
        [
            "src/lib.rs:11: `7` is a guess, and a test executes it",
            "src/lib.rs:15: `7` is a guess, and a test executes it",
        ]
    );

    let report = fix(&copied("crate::two();"), &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    assert_eq!(
        guesses(&report),
        [
            "src/lib.rs:11: `7` is a guess, and a test executes it",
            "src/lib.rs:15: `7` is a guess, and no test executes it",
        ]
    );
}

#[test]
fn a_probe_in_a_constant_leaves_a_draft() {
    let project = testkit::crate_project(
        "pub struct S {\n    pub a: u32,\n    pub b: u32,\n}\n\n\
         pub const ONE: S = S { a: 1, b: 7 };\npub const TWO: S = S { a: 2 };\n\n\
         #[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {\n        assert_eq!(crate::TWO.a, 2);\n    }\n}\n",
    );
    let report = fix(&project, &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    let why = "src/lib.rs:7: `7` is a guess, and whether a test depends on it is not known";
    assert_eq!(guesses(&report), [why]);
}

#[test]
fn a_guess_is_applied_where_the_user_allows_it() {
    let project = level("let _ = level;\n    door", "assert_eq!(crate::enter(), 1);");
    let approval = policy::Approval {
        who: "ann".to_owned(),
        allow: vec![graftage_agent::ALLOW_GUESS.to_owned()],
        ..policy::Approval::default()
    };
    let report = fix(&project, &FixOptions { approval, ..FixOptions::default() });
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    let why = "src/lib.rs:7: `0` is a guess, and all tests pass with another value";
    assert_eq!(guesses(&report), [why]);
}

#[test]
fn a_failure_that_a_repair_throws_away_is_a_guess() {
    // Without `?` the semicolon alone builds.
    let project = testkit::crate_project(
        "pub fn valid(it: u8) -> Result<(), u8> {\n    if it > 9 { Err(it) } else { Ok(()) }\n}\n\n\
         pub fn all(it: u8) -> (u8, u8) {\n    valid(it)\n    (it, it)\n}\n",
    );
    let options = FixOptions { tests: Some(check::Tests::None), ..FixOptions::default() };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    let why = "src/lib.rs:6: `valid(it);` is a guess, it throws away a value that must be used";
    assert_eq!(guesses(&report), [why]);

    let project = testkit::crate_project(
        "pub fn valid(it: u8) -> Result<(), u8> {\n    if it > 9 { Err(it) } else { Ok(()) }\n}\n\n\
         pub fn all(it: u8) -> Result<(u8, u8), u8> {\n    valid(it)?;\n    valid(it + 1)\n    \
         (Ok)((it, it))\n}\n",
    );
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert!(report.diff.contains("+    valid(it + 1)?;"), "{report:#?}");
}
