//! Failing tests of a tree that builds.

use graftage_agent::{FixOptions, FixOutcome, FixReport, read_trace, replay};
use testkit::TempProject;

use crate::support::workspace;

fn fix_with(project: &TempProject, options: &FixOptions) -> FixReport {
    let (ctx, workspace) = workspace(project);
    let fixed = graftage_agent::fix(&ctx, &workspace, options, &mut |_| {}).expect("no fault");
    let outcome = fixed.report.outcome;
    assert_eq!(fixed.accepted.is_some(), outcome == FixOutcome::Proven);
    fixed.report
}

fn fix(project: &TempProject) -> FixReport {
    fix_with(project, &FixOptions { failing: true, ..FixOptions::default() })
}

/// A crate whose function `f` has this body; the tests compare its results.
fn function(body: &str, results: &[(u32, u32)]) -> TempProject {
    let test = |(input, output): &(u32, u32)| {
        format!(
            "    #[test]\n    fn of_{input}() {{\n        assert_eq!(super::f({input}), {output});\n    }}\n"
        )
    };
    let tests: String = results.iter().map(test).collect();
    testkit::crate_project(&format!(
        "pub fn f(n: u32) -> u32 {{\n    {body}\n}}\n\n#[cfg(test)]\nmod tests {{\n{tests}}}\n"
    ))
}

/// The added lines of a diff.
fn added(diff: &str) -> Vec<&str> {
    let lines = diff.lines().filter(|it| it.starts_with('+') && !it.starts_with("+++"));
    lines.map(|it| it[1..].trim()).collect()
}

const SUM: &[(u32, u32)] = &[(0, 0), (1, 0), (2, 1), (4, 6), (5, 10)];

#[test]
fn the_only_change_that_passes_is_verified_and_called_plausible() {
    let project = function("(0..n).fold(0, |a, b| a - b)", SUM);
    let before = project.digest();
    let report = fix(&project);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report.diff), ["(0..n).fold(0, |a, b| a + b)"]);
    assert_eq!(report.rationale[1], "plausible: 5 tests cover it");
    assert_eq!(project.digest(), before);
    let trace = read_trace(report.trace.as_ref().expect("a trace").as_ref()).expect("reads");
    let replayed = replay(&testkit::ctx(), &trace).expect("replays");
    assert!(replayed.identical, "{replayed:#?}");
}

#[test]
fn several_changes_that_pass_are_choices_and_none_is_applied() {
    let project = function("if n > 3 { 1 } else { 0 }", &[(1, 0), (5, 1), (3, 1)]);
    let report = fix(&project);
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    let lines: Vec<_> = report.choices.iter().flat_map(|it| added(&it.diff)).collect();
    assert!(lines.contains(&"if n >= 3 { 1 } else { 0 }"), "{lines:?}");
    assert!(lines.contains(&"if n > 2 { 1 } else { 0 }"), "{lines:?}");

    let options = FixOptions { failing: true, choose: Some(1), ..FixOptions::default() };
    let report = fix_with(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
}

#[test]
fn a_change_that_only_the_failing_test_executes_is_a_choice() {
    let text = "pub fn f() -> &'static str {\n    \"axb\"\n}\n\n#[cfg(test)]\nmod tests {\n    \
                #[test]\n    fn t() {\n        assert_eq!(super::f(), \"a-b\");\n    }\n}\n";
    let report = fix(&testkit::crate_project(text));
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    let [choice] = report.choices.as_slice() else { panic!("{report:#?}") };
    assert_eq!(added(&choice.diff), ["\"a-b\""]);
    let reason = "the change adds a statement, settles a decision for all inputs, hides a failure, or is \
                  executed by the failing tests only: choose it with `--choose N`";
    assert_eq!(report.reason.as_deref(), Some(reason));
}

#[test]
fn a_change_that_settles_a_decision_is_a_choice() {
    let text = "pub fn is_vowel(c: char) -> bool {\n    match c {\n        'a' | 'e' | 'i' | 'q' | 'u' => true,\n        \
                _ => false,\n    }\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {\n        \
                assert!(super::is_vowel('a'));\n    }\n    #[test]\n    fn o() {\n        \
                assert!(super::is_vowel('o'));\n    }\n}\n";
    let report = fix(&testkit::crate_project(text));
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    assert!(!report.choices.is_empty());
}

#[test]
fn a_value_where_the_code_panicked_is_a_choice() {
    let text = "pub fn f(text: &str) -> u32 {\n    text.parse::<u32>().unwrap()\n}\n\n#[cfg(test)]\nmod \
                tests {\n    #[test]\n    fn one() {\n        assert_eq!(super::f(\"1\"), 1);\n    }\n    \
                #[test]\n    fn none() {\n        assert_eq!(super::f(\"\"), 0);\n    }\n}\n";
    let report = fix(&testkit::crate_project(text));
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    let [choice] = report.choices.as_slice() else { panic!("{report:#?}") };
    assert_eq!(added(&choice.diff), ["text.parse::<u32>().unwrap_or_default()"]);
}

#[test]
fn what_the_user_has_changed_is_never_reverted_unasked() {
    let project = function("let m = n + 1;\n    m * n / 2", &[(1, 1), (2, 3), (3, 6)]);
    project.git().commit_all("base");
    let text = std::fs::read_to_string(project.root().join("src/lib.rs")).expect("reads");
    project.write("src/lib.rs", text.replace("m * n / 2", "m * n % 7"));
    let report = fix(&project);
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    let first = &report.choices[0];
    assert_eq!(first.rationale[0], "reverts your change at src/lib.rs:3");
    assert_eq!(added(&first.diff), ["m * n / 2"]);
    assert!(report.reason.is_some_and(|it| it.starts_with("a change reverts")));
}

#[test]
fn a_wrong_test_is_not_edited_and_a_fault_without_a_change_is_reported() {
    let project = function("n + 1", &[(1, 2), (2, 3), (3, 40)]);
    let report = fix(&project);
    assert_eq!(report.outcome, FixOutcome::None, "{report:#?}");
    assert!(report.choices.is_empty() && report.diff.is_empty());
    let reason = report.reason.expect("a reason");
    assert!(reason.starts_with("1 failing test: none of "), "{reason}");
    // Nothing is asked for: a plain `fix` looks at errors alone.
    assert_eq!(fix_with(&project, &FixOptions::default()).outcome, FixOutcome::Clean);
}

#[test]
fn a_candidate_that_does_not_end_or_does_not_compile_harms_no_other() {
    let body = "let mut i = n;\n    let mut sum = 0;\n    while i > 0 {\n        sum += i;\n        \
                i -= 1;\n    }\n    sum + 1";
    let report = fix(&function(body, &[(0, 0), (1, 1), (3, 6)]));
    assert_ne!(report.outcome, FixOutcome::None, "{report:#?}");
}

#[test]
fn only_the_named_test_is_repaired() {
    let text = "pub fn f(n: i32) -> bool {\n    n > 0\n}\npub fn g(n: i32) -> i32 {\n    n * 3\n}\n\n\
                #[cfg(test)]\nmod tests {\n    #[test]\n    fn f_of_zero() {\n        \
                assert!(super::f(0));\n    }\n    #[test]\n    fn f_of_less() {\n        \
                assert!(!super::f(-1));\n    }\n    #[test]\n    fn other() {\n        \
                assert_eq!(super::g(2), 77);\n    }\n}\n";
    let options = FixOptions { test: Some("f_of_zero".to_owned()), ..FixOptions::default() };
    let report = fix_with(&testkit::crate_project(text), &options);
    let diffs = report.choices.iter().map(|it| it.diff.as_str()).chain([report.diff.as_str()]);
    let lines: Vec<&str> = diffs.flat_map(added).collect();
    assert!(lines.contains(&"n >= 0"), "{report:#?}");
    assert!(!lines.iter().any(|it| it.contains("* 3")), "{lines:?}");
}
