//! The gate, text in and text out: rules in TOML-like lines of evidence, refusals as lines.

use base::{ContentHash, ProjectPath};

use crate::{
    Decision, Evidence, FileSummary, PatchKind, Rules, Rung, RungName, TestOutcome, Violation,
    decide,
};

fn rung(name: RungName, passed: bool, detail: &str) -> Rung {
    Rung { name, passed, ms: 1, detail: detail.to_owned() }
}

fn file(path: &str, added: usize, removed: usize) -> FileSummary {
    let path = ProjectPath::new(path).unwrap();
    FileSummary { path, kind: PatchKind::Edit, added, removed }
}

fn sound() -> Evidence {
    Evidence {
        patch_set: ContentHash::of(b"patch"),
        rungs: vec![rung(RungName::Parse, true, ""), rung(RungName::Check, true, "")],
        errors_before: Some(1),
        errors_after: 0,
        tests: None,
        files: vec![file("src/lib.rs", 1, 1)],
        violations: Vec::new(),
        public_changes: Vec::new(),
        notes: Vec::new(),
        protections: vec!["landlock".to_owned()],
    }
}

fn tested(failed: &[&str], before: &[&str], has_baseline: bool) -> Evidence {
    let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let mut evidence = sound();
    evidence.rungs.push(rung(RungName::AffectedTests, failed.is_empty(), "tests"));
    evidence.tests = Some(TestOutcome {
        passed: 3,
        failed: own(failed),
        failed_before: own(before),
        has_baseline,
    });
    evidence
}

fn check(rules: &Rules, evidence: Evidence, expected: &str) {
    let text = match decide(rules, evidence, None) {
        Decision::Open(permit) => format!("open {}", permit.patch_set().short()),
        Decision::Closed(refusals) => {
            refusals.iter().map(|it| format!("{it} ({})", it.hint)).collect::<Vec<_>>().join("\n")
        }
    };
    assert_eq!(text, expected);
}

fn open() -> String {
    format!("open {}", ContentHash::of(b"patch").short())
}

#[test]
fn sound_evidence_opens_the_gate_for_its_own_patch_set() {
    check(&Rules::default(), sound(), &open());
}

#[test]
fn a_rung_that_was_not_climbed_closes_the_gate() {
    let mut evidence = sound();
    evidence.rungs.pop();
    check(
        &Rules::default(),
        evidence,
        "compile: `check` was not run (prove the change up to this rung)",
    );
}

#[test]
fn a_failed_rung_gives_its_detail() {
    let mut evidence = sound();
    evidence.rungs = vec![rung(RungName::Parse, false, "src/lib.rs: 2 syntax errors, 1 before")];
    check(
        &Rules::default(),
        evidence,
        "compile: `parse` failed: src/lib.rs: 2 syntax errors, 1 before (mend the change until it builds)\n\
         compile: `check` was not run (prove the change up to this rung)",
    );
}

#[test]
fn remaining_errors_are_counted_once_against_those_before() {
    let mut evidence = sound();
    evidence.rungs[1].passed = false;
    evidence.errors_after = 2;
    check(
        &Rules::default(),
        evidence,
        "compile: 2 compile errors with the change, 1 without the change (mend the remaining errors; the diagnostics name their places)",
    );
}

#[test]
fn errors_close_the_gate_even_when_every_rung_says_passed() {
    let mut evidence = sound();
    evidence.errors_before = None;
    evidence.errors_after = 1;
    check(
        &Rules::for_edit(),
        evidence,
        "compile: 1 compile error with the change (mend the remaining errors; the diagnostics name their places)",
    );
}

#[test]
fn clippy_counts_only_where_it_is_asked_for() {
    let mut evidence = sound();
    evidence.rungs.push(rung(RungName::Clippy, false, "1 new warning"));
    check(&Rules::default(), evidence.clone(), &open());
    check(
        &Rules::default().requiring(RungName::Clippy),
        evidence,
        "compile: `clippy` failed: 1 new warning (mend what clippy found, or do not ask for clippy)",
    );
}

#[test]
fn tests_that_failed_before_may_fail_again() {
    check(&Rules::for_fix(), tested(&["a"], &["a", "b"], true), &open());
}

#[test]
fn newly_failing_tests_close_the_gate_by_name() {
    check(
        &Rules::for_fix(),
        tested(&["c", "a", "b"], &["b"], true),
        "tests: 2 tests fail that passed before: `a`, `c` (mend the change, or correct the test in a change of its own)",
    );
}

#[test]
fn without_a_baseline_every_unknown_failure_counts() {
    check(
        &Rules::for_fix(),
        tested(&["a"], &[], false),
        "tests: 1 test fails, and there is no baseline to compare with: `a` (mend the change; name the tests that are known to fail if they failed before)",
    );
}

#[test]
fn failing_tests_close_the_gate_even_where_tests_were_not_required() {
    let Decision::Closed(refusals) = decide(&Rules::for_edit(), tested(&["a"], &[], true), None)
    else {
        panic!("opened")
    };
    assert_eq!(refusals.len(), 1);
}

#[test]
fn a_fix_without_tests_run_is_refused_unless_tests_are_not_asked_for() {
    check(
        &Rules::for_fix(),
        sound(),
        "tests: `affected_tests` was not run (prove the change with its tests, or do not ask for tests)",
    );
    check(&Rules::for_fix().without_tests(), sound(), &open());
}

#[test]
fn all_tests_stand_for_the_affected_ones() {
    let mut evidence = tested(&[], &[], true);
    evidence.rungs[2].name = RungName::AllTests;
    check(&Rules::for_fix(), evidence, &open());
}

#[test]
fn a_test_run_that_did_not_finish_closes_the_gate() {
    let mut evidence = tested(&[], &[], true);
    evidence.rungs[2] = rung(RungName::AffectedTests, false, "timed out after 60 s");
    check(
        &Rules::for_fix(),
        evidence,
        "tests: `affected_tests` failed: timed out after 60 s (mend the change until its tests build and run to the end)",
    );
}

#[test]
fn a_violation_closes_the_gate_for_a_repair_and_not_for_an_edit() {
    let mut evidence = sound();
    evidence.violations.push(Violation {
        rule: "statement-removed".to_owned(),
        place: "src/lib.rs:3".to_owned(),
        detail: "`let x = 1;`".to_owned(),
    });
    check(&Rules::for_edit(), evidence.clone(), &open());
    check(
        &Rules::default(),
        evidence,
        "preservation: statement-removed at src/lib.rs:3: `let x = 1;` (keep what is there; a person may take it as a draft)",
    );
}

#[test]
fn globs_bind_the_files_that_may_change() {
    let rules = |globs: &[&str]| Rules {
        allow_files: globs.iter().map(|glob| (*glob).to_owned()).collect(),
        ..Rules::default()
    };
    let mut evidence = sound();
    evidence.files = vec![file("src/a/b.rs", 1, 0)];
    check(&rules(&["src/**"]), evidence.clone(), &open());
    check(&rules(&["src/"]), evidence.clone(), &open());
    check(&rules(&["tests/*", "**/*.rs"]), evidence.clone(), &open());
    check(
        &rules(&["src/*.rs"]),
        evidence,
        "files: `src/a/b.rs` is not in the allow-list: `src/*.rs` (leave the file alone, or add it to the allow-list)",
    );
}

#[test]
fn a_bad_glob_closes_the_gate_instead_of_opening_it() {
    let rules = Rules { allow_files: vec!["src/[".to_owned()], ..Rules::default() };
    let Decision::Closed(refusals) = decide(&rules, sound(), None) else { panic!("opened") };
    assert!(refusals[0].reason.starts_with("`src/[` in the allow-list is no glob"));
}

#[test]
fn caps_on_files_and_lines_hold() {
    let rules = Rules { max_files: 1, max_lines: 3, ..Rules::default() };
    let mut evidence = sound();
    evidence.files = vec![file("a.rs", 2, 1), file("b.rs", 1, 0)];
    check(
        &rules,
        evidence,
        "size: 2 files changed, 1 allowed (split the change, or raise `max_files`)\n\
         size: 4 lines added and removed, 3 allowed (split the change, or raise `max_lines`)",
    );
}

#[test]
fn absurd_line_counts_do_not_overflow() {
    let mut evidence = sound();
    evidence.files = vec![file("a.rs", usize::MAX, usize::MAX)];
    let Decision::Closed(refusals) = decide(&Rules::default(), evidence, None) else {
        panic!("opened")
    };
    assert_eq!(refusals[0].rule, "size");
}

#[test]
fn public_changes_are_listed_where_they_are_not_allowed() {
    let rules = Rules { allow_public_changes: false, ..Rules::default() };
    let mut evidence = sound();
    evidence.public_changes = vec!["k::f: fn f() -> fn f(u8)".to_owned()];
    check(
        &rules,
        evidence,
        "public-api: 1 public signature changes: `k::f: fn f() -> fn f(u8)` (keep the signatures, or allow public changes)",
    );
}

#[test]
fn a_persons_word_opens_a_closed_gate_and_is_kept() {
    let mut evidence = sound();
    evidence.errors_after = 1;
    let Decision::Open(permit) =
        decide(&Rules::default(), evidence.clone(), Some(("ann", "hotfix, tests follow")))
    else {
        panic!("closed")
    };
    assert_eq!(permit.overridden_by(), Some(("ann", "hotfix, tests follow")));
    assert_eq!(permit.evidence().map(|it| it.errors_after), Some(1));
    let closed = decide(&Rules::default(), evidence, Some(("ann", "  ")));
    assert!(matches!(closed, Decision::Closed(_)), "a word without a reason opens nothing");
}

#[test]
fn a_word_on_an_open_gate_is_no_override() {
    let Decision::Open(permit) = decide(&Rules::default(), sound(), Some(("ann", "why"))) else {
        panic!("closed")
    };
    assert_eq!(permit.overridden_by(), None);
}
