//! Tests of the gate: rules and findings in, the refusals as lines of text out.

mod explain;
mod gates;
mod protected;

use std::sync::Arc;

use base::{ContentHash, ProjectPath, SortedMap, SortedSet};

use crate::{
    Approval, Decision, Evidence, FileSummary, Findings, GateRules, Keep, PatchKind, ProofCoverage,
    ReportedViolation, Rung, RungName, TestOutcome, TestReference, Tree, TreeInputs, decide,
};

fn rung(name: RungName, passed: bool, detail: &str) -> Rung {
    Rung { name, passed, ms: 1, detail: detail.to_owned() }
}

fn file(path: &str, added: usize, removed: usize) -> FileSummary {
    let path = ProjectPath::new(path).unwrap();
    FileSummary { path, kind: PatchKind::Edit, added, removed }
}

fn tree(files: &[(&str, &str)]) -> Tree {
    let files = files
        .iter()
        .map(|(path, text)| (ProjectPath::new(path).unwrap(), ContentHash::of(text.as_bytes())));
    Tree::new(files.collect(), SortedMap::new(), Arc::new(TreeInputs::default()))
}

fn for_fix() -> GateRules {
    GateRules::default().requiring(RungName::AffectedTests)
}

fn for_edit() -> GateRules {
    GateRules { keep: Keep::Tests, ..GateRules::default() }
}

fn override_by(reason: &str) -> Approval {
    let override_reason = Some(reason.to_owned());
    Approval { who: "ann".to_owned(), override_reason, ..Approval::default() }
}

fn allowing(rule: &str) -> Approval {
    Approval { who: "ann".to_owned(), allow: vec![rule.to_owned()], ..Approval::default() }
}

fn sound() -> Findings {
    Findings {
        patch_set: ContentHash::of(b"patch"),
        compiled: Some(ContentHash::of(b"patch")),
        tree: Some(tree(&[("src/lib.rs", "")])),
        coverage: ProofCoverage::default(),
        rungs: vec![rung(RungName::Parse, true, ""), rung(RungName::Check, true, "")],
        errors_before: Some(1),
        errors_after: 0,
        first_error: None,
        first_error_before: None,
        new_errors: Vec::new(),
        new_warnings: Vec::new(),
        tests: None,
        files: vec![file("src/lib.rs", 1, 1)],
        violations: Vec::new(),
        protected: Vec::new(),
        public_changes: Vec::new(),
        notes: Vec::new(),
        protections: vec!["landlock".to_owned()],
    }
}

fn tested(failed: &[&str], before: &[&str], has_baseline: bool) -> Findings {
    let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let mut evidence = sound();
    let held = failed.iter().all(|name| before.contains(name));
    evidence.rungs.push(rung(RungName::AffectedTests, held, "tests"));
    evidence.tests = Some(TestOutcome {
        passed: 3,
        failed: own(failed),
        failed_before: own(before),
        complete: true,
        compared_with: has_baseline.then_some(TestReference::Tree),
        ..TestOutcome::default()
    });
    evidence
}

fn check(rules: &GateRules, findings: Findings, expected: &str) {
    check_with(rules, findings, &Approval::default(), expected);
}

fn check_with(rules: &GateRules, findings: Findings, approval: &Approval, expected: &str) {
    let text = match decide(rules, Evidence::of(findings), approval) {
        Decision::Open(permit) => format!("open {}", permit.patch_set().short()),
        Decision::OnRecord => "on record".to_owned(),
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
    check(&GateRules::default(), sound(), &open());
}

#[test]
fn a_change_is_not_applied_unless_it_is_what_was_compiled() {
    let refusal = "compiled: what was compiled is not the change \
                   (let the build write to `OUT_DIR`, and to no file of the project)";
    for compiled in [None, Some(ContentHash::of(b"another patch"))] {
        check(&GateRules::default(), Findings { compiled, ..sound() }, refusal);
    }
    let Decision::Open(permit) =
        decide(&GateRules::default(), Evidence::of(sound()), &Approval::default())
    else {
        panic!("closed")
    };
    assert_eq!(permit.evidence().compiled, Some(permit.patch_set()));
    // Where no rung that compiles was required and run, nothing was compiled.
    let rungs = vec![rung(RungName::Parse, true, "")];
    let uncompiled = Findings { compiled: None, rungs, ..sound() };
    let rules = GateRules { require: vec![RungName::Parse], ..GateRules::default() };
    check(&rules, uncompiled, &open());
}

#[test]
fn a_required_rung_that_did_not_run_closes_the_gate() {
    let mut evidence = sound();
    evidence.rungs.pop();
    check(
        &GateRules::default(),
        evidence,
        "compile: `check` was not run (run the proof ladder up to this rung)",
    );
}

#[test]
fn a_failed_rung_gives_its_detail() {
    let mut evidence = sound();
    evidence.rungs = vec![rung(RungName::Parse, false, "src/lib.rs: 2 syntax errors, 1 before")];
    check(
        &GateRules::default(),
        evidence,
        "compile: `parse` failed: src/lib.rs: 2 syntax errors, 1 before (fix the remaining build errors)\n\
         compile: `check` was not run (run the proof ladder up to this rung)",
    );
}

#[test]
fn remaining_errors_are_counted_once_against_those_before() {
    let mut evidence = sound();
    evidence.rungs[1].passed = false;
    evidence.errors_after = 2;
    check(
        &GateRules::default(),
        evidence,
        "compile: 2 compile errors with the change, 1 without the change (fix the remaining errors; the diagnostics contain their locations)",
    );
}

#[test]
fn the_first_error_is_named_with_its_place() {
    let mut evidence = sound();
    evidence.errors_before = None;
    evidence.errors_after = 1;
    evidence.first_error = Some("src/lib.rs:3: mismatched types".to_owned());
    let text = |number: &str, sign: &str| {
        format!(
            "compile: {number} with the change{sign} src/lib.rs:3: mismatched types (fix the remaining errors; the diagnostics contain their locations)"
        )
    };
    check(&for_edit(), evidence.clone(), &text("1 compile error", ":"));
    evidence.errors_after = 2;
    check(&for_edit(), evidence, &text("2 compile errors", "; first:"));
}

#[test]
fn errors_close_the_gate_even_if_every_rung_passed() {
    let mut evidence = sound();
    evidence.errors_before = None;
    evidence.errors_after = 1;
    check(
        &for_edit(),
        evidence,
        "compile: 1 compile error with the change (fix the remaining errors; the diagnostics contain their locations)",
    );
}

#[test]
fn clippy_counts_only_where_it_is_required() {
    let mut evidence = sound();
    evidence.rungs.push(rung(RungName::Clippy, false, "1 new warning"));
    check(&GateRules::default(), evidence.clone(), &open());
    check(
        &GateRules::default().requiring(RungName::Clippy),
        evidence,
        "compile: `clippy` failed: 1 new warning (fix what clippy found, or do not require clippy)",
    );
}

#[test]
fn tests_that_failed_before_may_fail_again() {
    check(&for_fix(), tested(&["a"], &["a", "b"], true), &open());
}

#[test]
fn newly_failing_tests_close_the_gate_by_name() {
    check(
        &for_fix(),
        tested(&["c", "a", "b"], &["b"], true),
        "tests: 2 tests fail that passed before: `a`, `c` (fix the change, or correct the test in a separate change)",
    );
}

#[test]
fn without_a_baseline_every_unknown_failure_counts() {
    check(
        &for_fix(),
        tested(&["a"], &[], false),
        "tests: 1 test fails, and there is no baseline to compare with: `a` (fix the change; commit a state that builds if these tests failed before)",
    );
}

#[test]
fn failing_tests_close_the_gate_even_where_tests_were_not_required() {
    let Decision::Closed(refusals) =
        decide(&for_edit(), Evidence::of(tested(&["a"], &[], true)), &Approval::default())
    else {
        panic!("opened")
    };
    assert_eq!(refusals.len(), 1);
}

#[test]
fn a_fix_without_tests_run_is_refused_unless_tests_are_not_required() {
    check(
        &for_fix(),
        sound(),
        "tests: `affected_tests` was not run (verify the change with its tests, or do not require tests)",
    );
    check(&GateRules::default(), sound(), &open());
}

#[test]
fn all_tests_include_the_affected_ones() {
    let mut evidence = tested(&[], &[], true);
    evidence.rungs[2].name = RungName::AllTests;
    check(&for_fix(), evidence, &open());
}

#[test]
fn a_test_run_that_did_not_finish_closes_the_gate() {
    let mut evidence = tested(&[], &[], true);
    evidence.rungs[2] = rung(RungName::AffectedTests, false, "timed out after 60 s");
    check(
        &for_fix(),
        evidence,
        "tests: `affected_tests` failed: timed out after 60 s (fix the change until its tests build and run to the end)",
    );
}

fn violating(rule: &str, protects_tests: bool) -> Findings {
    let mut findings = sound();
    findings.violations.push(ReportedViolation {
        rule: rule.to_owned(),
        place: "src/lib.rs:3".to_owned(),
        detail: "`let x = 1;`".to_owned(),
        protects_tests,
    });
    findings
}

#[test]
fn a_removed_statement_closes_the_gate_for_a_repair_and_not_for_an_edit() {
    let findings = violating("statement-removed", false);
    check(&for_edit(), findings.clone(), &open());
    check(
        &GateRules::default(),
        findings,
        "preservation: statement-removed at src/lib.rs:3: `let x = 1;` (keep what is there, or allow it by name: `--allow preservation:statement-removed`)",
    );
}

#[test]
fn a_weakened_test_closes_the_gate_for_both_until_a_user_allows_it_by_name() {
    let findings = violating("test-weakened", true);
    for rules in [GateRules::default(), for_edit()] {
        let refused = "preservation: test-weakened at src/lib.rs:3: `let x = 1;` (keep what is there, or allow it by name: `--allow preservation:test-weakened`)";
        check(&rules, findings.clone(), refused);
        check_with(&rules, findings.clone(), &allowing("statement-removed"), refused);
        check_with(&rules, findings.clone(), &allowing("test-weakened"), &open());
    }
}

#[test]
fn tests_that_passed_before_and_no_longer_run_close_the_gate() {
    let mut findings = tested(&[], &[], true);
    findings.tests.as_mut().unwrap().lost = vec!["k::a".to_owned()];
    findings.rungs[2].passed = false;
    for rules in [for_edit(), for_fix()] {
        check(
            &rules,
            findings.clone(),
            "tests: 1 test that passed before did not run: `k::a` (keep every test running, or allow it by name: `--allow preservation:test-removed`)",
        );
    }
    check_with(&for_edit(), findings, &allowing("test-removed"), &open());
}

#[test]
fn a_cut_off_run_with_known_failures_closes_the_gate() {
    let mut findings = tested(&["a"], &["a"], true);
    findings.rungs[2] = rung(RungName::AffectedTests, false, "timed out after 60 s");
    findings.tests.as_mut().unwrap().complete = false;
    check(
        &for_fix(),
        findings,
        "tests: `affected_tests` failed: timed out after 60 s (fix the change until its tests build and run to the end)",
    );
}

#[test]
fn evidence_without_a_tree_opens_nothing_even_with_an_override() {
    let findings = Findings { tree: None, ..sound() };
    check_with(
        &GateRules::default(),
        findings,
        &override_by("why"),
        "compile: the evidence names no tree (verify the change on the current tree)",
    );
}

#[test]
fn an_approval_is_kept_in_the_permit_only_where_it_was_needed() {
    let allowed = |findings: Findings| {
        let decision =
            decide(&GateRules::default(), Evidence::of(findings), &allowing("test-weakened"));
        let Decision::Open(permit) = decision else { panic!("closed") };
        serde_json::to_value(&permit).unwrap()["approval"]["allow"].clone()
    };
    assert_eq!(allowed(violating("test-weakened", true)), serde_json::json!(["test-weakened"]));
    assert_eq!(allowed(sound()), serde_json::Value::Null);
}

#[test]
fn a_tree_differs_by_any_file_and_names_it() {
    let one = tree(&[("a.rs", "1"), ("b.rs", "2")]);
    let two = tree(&[("a.rs", "3"), ("c.rs", "4")]);
    assert_ne!(one.hash(), two.hash());
    assert_eq!(two.changed_since(&one), ["a.rs", "b.rs", "c.rs"]);
    let rest = one.without(&SortedSet::from([ProjectPath::new("b.rs").unwrap()]));
    assert_eq!(rest, tree(&[("a.rs", "1")]));
    assert_eq!(one, tree(&[("b.rs", "2"), ("a.rs", "1")]));
}

#[test]
fn globs_restrict_the_files_that_may_change() {
    let rules = |globs: &[&str]| GateRules {
        allow_files: globs.iter().map(|glob| (*glob).to_owned()).collect(),
        ..GateRules::default()
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
    let rules = GateRules { allow_files: vec!["src/[".to_owned()], ..GateRules::default() };
    let Decision::Closed(refusals) = decide(&rules, Evidence::of(sound()), &Approval::default())
    else {
        panic!("opened")
    };
    assert!(refusals[0].reason.starts_with("`src/[` in the allow-list is not a valid glob"));
}

#[test]
fn caps_on_files_and_lines_hold() {
    let rules = GateRules { max_files: 1, max_lines: 3, ..GateRules::default() };
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
    let Decision::Closed(refusals) =
        decide(&GateRules::default(), Evidence::of(evidence), &Approval::default())
    else {
        panic!("opened")
    };
    assert_eq!(refusals[0].rule, "size");
}

#[test]
fn public_changes_are_listed_where_they_are_not_allowed() {
    let rules = GateRules { allow_public_changes: false, ..GateRules::default() };
    let mut evidence = sound();
    evidence.public_changes = vec!["k::f: fn f() -> fn f(u8)".to_owned()];
    check(
        &rules,
        evidence,
        "public-api: 1 public signature changes: `k::f: fn f() -> fn f(u8)` (keep the signatures, or allow public changes)",
    );
}

#[test]
fn an_override_with_a_reason_opens_a_closed_gate_and_is_kept() {
    let mut evidence = sound();
    evidence.errors_after = 1;
    let Decision::Open(permit) = decide(
        &GateRules::default(),
        Evidence::of(evidence.clone()),
        &override_by("hotfix, tests follow"),
    ) else {
        panic!("closed")
    };
    assert_eq!(permit.evidence().errors_after, 1);
    let closed = decide(&GateRules::default(), Evidence::of(evidence), &override_by("  "));
    assert!(matches!(closed, Decision::Closed(_)), "an override without a reason opens nothing");
}

#[test]
fn no_permit_follows_from_recorded_evidence() {
    let sealed = Evidence::of(sound());
    let stored = serde_json::to_string(&sealed).unwrap();
    let record: Evidence = serde_json::from_str(&stored).unwrap();
    assert_eq!(
        serde_json::to_string(&record).unwrap(),
        stored,
        "the record reads as it was written"
    );
    for approval in [Approval::default(), override_by("a reason")] {
        let decision = decide(&GateRules::default(), record.clone(), &approval);
        assert!(matches!(decision, Decision::OnRecord), "{decision:?}");
        assert!(decision.permit().is_err());
    }
    let rules = GateRules { max_lines: 1, ..GateRules::default() };
    let closed = decide(&rules, record, &Approval::default());
    assert!(matches!(closed, Decision::Closed(_)), "a record is refused for the same reasons");
}
