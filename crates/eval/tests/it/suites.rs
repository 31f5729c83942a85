//! Runs small suites with fakes of the product, and a few real cases if the evaluation data is
//! beside the repository.

use std::path::Path;

use base::Ctx;
use graftage_eval::{RunOptions, Summary, run_with};

use crate::fakes::{Scripted, machine};

fn options(suite: &Path, out: &Path) -> RunOptions {
    RunOptions {
        suite: suite.to_path_buf(),
        out: out.to_path_buf(),
        jobs: 2,
        cases: Vec::new(),
        limit: None,
        analyzer: false,
        deletion: true,
        product: "test".to_owned(),
    }
}

fn write(dir: &Path, name: &str, text: &str) -> std::path::PathBuf {
    let path = dir.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

fn run(ctx: &Ctx, options: &RunOptions, fixer: &Scripted) -> Summary {
    let machine = machine(options.out.parent().unwrap());
    run_with(ctx, &machine, options, fixer).unwrap()
}

const EXAMPLES: &str = concat!(
    r#"{"id":"E0384_1","code":"E0384","edition":"2021","src":"fn main() {\n    let x = 3;\n    x = 5;\n    println!(\"{x}\");\n}\n","fixed_norm":["fnmain(){letmutx=3;x=5;println!(\"{x}\");}"]}"#,
    "\n",
    r#"{"id":"E0425_1","code":"E0425","edition":"2021","src":"fn main() {\n    nothing();\n}\n","fixed_norm":[]}"#,
    "\n",
    r#"{"id":"E0308_1","code":"E0308","edition":"2021","src":"fn f() -> u8 { 'a' }\nfn main() { f(); }\n","fixed_norm":[]}"#,
    "\n",
);

/// The answers to the three examples: a correct repair, a deletion presented as one, and a draft.
fn answers() -> Scripted {
    Scripted::new()
        .applies("x = 5", "let x", "let mut x")
        .applies("nothing();", "    nothing();\n", "")
        .drafts(
            "'a'",
            "--- a/src/main.rs\n+++ b/src/main.rs\n@@ -1,2 +1,2 @@\n-fn f() -> u8 { 'a' }\n+fn f() -> u8 { todo!() }\n fn main() { f(); }\n",
        )
}

#[test]
fn examples_are_graded_by_the_compiler_and_by_the_checker() {
    let dir = tempfile::tempdir().unwrap();
    let suite = write(dir.path(), "cases.jsonl", EXAMPLES);
    let summary = run(&testkit::ctx(), &options(&suite, &dir.path().join("out")), &answers());
    assert_eq!((summary.suite.as_str(), summary.cases), ("E_error_index", 3));
    assert_eq!(summary.score["preserving"], 0.3333);
    assert_eq!(summary.score["documented"], 0.3333);
    assert_eq!(summary.score["draft"], 0.3333);
    assert_eq!(summary.score["compiles"], 1.0);
    assert_eq!(summary.score["violations"], 1.0);
    assert_eq!(summary.by["E0425"]["preserving"], 0.0);
    assert_eq!(summary.deletion["compiles"], 1.0);
    assert_eq!(summary.deletion["preserving"], 0.0);
    let page = std::fs::read_to_string(summary.report).unwrap();
    assert!(
        page.contains("checker: expression-removed: fn main has 0 calls where it had 1"),
        "{page}"
    );
}

#[test]
fn a_second_run_takes_over_what_is_finished_and_another_product_does_not() {
    let dir = tempfile::tempdir().unwrap();
    let suite = write(dir.path(), "cases.jsonl", EXAMPLES);
    let mut options = options(&suite, &dir.path().join("out"));
    options.deletion = false;
    options.limit = Some(2);
    let fixer = answers();
    let first = run(&testkit::ctx(), &options, &fixer);
    assert_eq!((first.cases, first.resumed, fixer.calls()), (2, 0, 2));
    options.limit = None;
    let second = run(&testkit::ctx(), &options, &fixer);
    assert_eq!((second.cases, second.resumed, fixer.calls()), (3, 2, 3));
    options.product = "other".to_owned();
    let third = run(&testkit::ctx(), &options, &fixer);
    assert_eq!((third.resumed, fixer.calls()), (0, 6));
}

#[test]
fn an_interrupted_run_keeps_what_is_finished() {
    let dir = tempfile::tempdir().unwrap();
    let suite = write(dir.path(), "cases.jsonl", EXAMPLES);
    let out = dir.path().join("out");
    let mut options = options(&suite, &out);
    options.deletion = false;
    options.jobs = 1;
    let host = testkit::TestHost::new();
    let fixer = answers().cancelling_at(2, host.clone());
    let error = run_with(&host.ctx(), &machine(dir.path()), &options, &fixer).unwrap_err();
    assert_eq!(error.to_string(), "interrupted");
    assert!(graftage_eval::report(&out).unwrap().contains("E0384_1"));
    let summary = run(&testkit::ctx(), &options, &answers());
    assert_eq!((summary.cases, summary.resumed), (3, 1));
}

const PATCH: &str = "--- a/src/lib.rs\\n+++ b/src/lib.rs\\n@@ -1,3 +1,3 @@\\n pub fn double(n: u32) -> u32 {\\n-    n * 2\\n+    n * 2u64\\n }\\n";
const TEST_PATCH: &str = "--- a/src/lib.rs\\n+++ b/src/lib.rs\\n@@ -1,3 +1,3 @@\\n pub fn double(n: u32) -> u32 {\\n-    n * 2\\n+    n * 3\\n }\\n";

/// A suite of one small crate, and a registry folder that has its sources.
fn break_fix(dir: &Path) -> std::path::PathBuf {
    let sources = dir.join("cargo/registry/src/index/tiny-1.0.0");
    write(
        &sources,
        "Cargo.toml",
        "[package]\nname = \"tiny\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
    );
    write(
        &sources,
        "src/lib.rs",
        "pub fn double(n: u32) -> u32 {\n    n * 2\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn doubles() {\n        assert_eq!(super::double(2), 4);\n    }\n}\n",
    );
    let lock = "version = 4\n\n[[package]]\nname = \"tiny\"\nversion = \"1.0.0\"\n";
    write(dir, "set/locks/tiny-1.0.0.lock", lock);
    let case = |id: &str, class: &str, breaks: &str, patch: &str| {
        format!(
            "{{\"id\":\"{id}\",\"crate\":\"tiny\",\"version\":\"1.0.0\",\"class\":\"{class}\",\"has_tests\":true,\"breaks\":\"{breaks}\",\"patch\":\"{patch}\"}}\n"
        )
    };
    let cases = [
        case("tiny-1", "literal", "compile", PATCH),
        case("tiny-2", "operator", "test", TEST_PATCH),
    ];
    write(dir, "set/cases.jsonl", &cases.concat());
    dir.join("set")
}

#[test]
fn broken_crates_are_graded_by_build_tests_and_text() {
    let dir = tempfile::tempdir().unwrap();
    let suite = break_fix(dir.path());
    let fixer = Scripted::new().applies("2u64", "2u64", "2").nothing("n * 3");
    let summary = run(&testkit::ctx(), &options(&suite, &dir.path().join("out")), &fixer);
    assert_eq!((summary.suite.as_str(), summary.cases), ("C_breakfix", 2));
    assert_eq!(summary.by["literal"]["pass"], 1.0);
    assert_eq!(summary.by["literal"]["exact"], 1.0);
    assert_eq!(summary.by["literal"]["diff_ratio"], 1.0);
    assert_eq!(summary.by["breaks=test"]["pass"], 0.0);
    assert_eq!(summary.by["breaks=test"].get("build"), None);
    assert_eq!(summary.score["violations"], 0.0);
    assert_eq!(summary.deletion["pass"], 0.0);
}

#[test]
fn an_answer_that_builds_and_fails_tests_or_edits_them_does_not_pass() {
    let dir = tempfile::tempdir().unwrap();
    let suite = break_fix(dir.path());
    let mut options = options(&suite, &dir.path().join("out"));
    options.deletion = false;
    let fixer =
        Scripted::new().applies("2u64", "n * 2u64", "n * 5").applies("n * 3", "2), 4", "2), 6");
    let summary = run(&testkit::ctx(), &options, &fixer);
    assert_eq!(summary.by["literal"]["build"], 1.0);
    assert_eq!(summary.by["literal"]["pass"], 0.0);
    assert_eq!(summary.by["operator"]["green"], 1.0);
    assert_eq!(summary.by["operator"]["pass"], 0.0);
    let page = std::fs::read_to_string(summary.report).unwrap();
    assert!(page.contains("checker: test-edited"), "{page}");
}

#[test]
fn changes_for_failing_tests_are_compared_with_the_original_in_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let suite = break_fix(dir.path());
    let patch = |to: &str| {
        let from = "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,3 +1,3 @@\n pub fn double(n: u32) -> u32 {\n";
        format!("{from}-    n * 3\n+    {to}\n }}\n")
    };
    let line = |id: &str, origin: &str, patch: &str| {
        format!(
            "{{\"id\":\"{id}\",\"crate\":\"tiny\",\"version\":\"1.0.0\",\"class\":\"constant\",\
             \"has_tests\":true,\"breaks\":\"test\",\"patch\":\"{patch}\",\"origin\":\"{origin}\"}}\n"
        )
    };
    let other = TEST_PATCH.replace("n * 3", "n * 7");
    let cases = [line("tiny-1", "seeded", TEST_PATCH), line("tiny-2", "real", &other)];
    write(&suite, "cases.jsonl", &cases.concat());
    let fixer = Scripted::new()
        .offers("n * 3", &[&patch("n + 2"), &patch("n * 2")])
        .applies("n * 7", "7", "2");
    let mut options = options(&suite, &dir.path().join("out"));
    options.deletion = false;
    let summary = run(&testkit::ctx(), &options, &fixer);
    assert_eq!((summary.suite.as_str(), summary.cases), ("failing_tests", 2));
    let of = |group: &str, metric: &str| summary.by[group].get(metric).copied();
    assert_eq!(of("origin=seeded", "exact_first"), Some(0.0));
    assert_eq!(of("origin=seeded", "exact_shown"), Some(1.0));
    assert_eq!(of("origin=seeded", "applied"), Some(0.0));
    assert_eq!(of("origin=real", "applied_exact"), Some(1.0));
    assert_eq!(of("origin=real", "applied_green"), Some(1.0));
}

#[test]
fn missing_sources_are_named_with_what_fetches_them() {
    let dir = tempfile::tempdir().unwrap();
    let suite = break_fix(dir.path());
    std::fs::remove_dir_all(dir.path().join("cargo/registry/src/index")).unwrap();
    let error = run_with(
        &testkit::ctx(),
        &machine(dir.path()),
        &options(&suite, &dir.path().join("out")),
        &Scripted::new(),
    )
    .unwrap_err();
    assert!(error.to_string().starts_with("the sources of tiny-1.0.0 are not in"), "{error}");
    assert!(base::Hint::hint(&error).unwrap().contains("eval fetch"));
}

#[test]
fn pairs_are_compared_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let recorded = r#"{\"message\":\"m\",\"code\":null,\"level\":\"error\",\"spans\":[],\"children\":[{\"message\":\"h\",\"code\":null,\"level\":\"help\",\"children\":[],\"rendered\":null,\"spans\":[{\"file_name\":\"x.rs\",\"byte_start\":0,\"byte_end\":1,\"line_start\":1,\"line_end\":1,\"column_start\":1,\"column_end\":2,\"is_primary\":true,\"label\":null,\"text\":[],\"suggested_replacement\":\"b\",\"suggestion_applicability\":\"MaybeIncorrect\",\"expansion\":null}]}],\"rendered\":null}"#;
    let line = |id: &str, graded: bool, expected: &str| {
        format!(
            "{{\"id\":\"{id}\",\"graded\":{graded},\"edition\":\"2021\",\"input\":\"a\\n\",\"expected\":\"{expected}\",\"diagnostics_json\":\"{recorded}\"}}\n"
        )
    };
    let text = [line("s/1", true, "b\\n"), line("s/2", false, "c\\n")].concat();
    let suite = write(dir.path(), "pairs.jsonl", &text);
    let summary = run(&testkit::ctx(), &options(&suite, &dir.path().join("out")), &Scripted::new());
    assert_eq!(summary.score["graded"], 1.0);
    assert_eq!(summary.score["ungraded"], 0.0);
}

/// A few cases of the shared data through the product itself: quick enough for every run of the
/// tests, and enough to cover the whole path.
mod smoke {
    use super::*;
    use graftage_eval::run;

    fn smoke(set: &str, cases: &[&str]) -> Option<Summary> {
        let suite = testkit::shared_eval_dir()?.join(set);
        let dir = tempfile::tempdir().unwrap();
        let mut options = options(&suite, &dir.path().join("out"));
        options.cases = cases.iter().map(|id| (*id).to_owned()).collect();
        options.deletion = false;
        Some(run(&testkit::ctx(), &machine(dir.path()), &options).unwrap())
    }

    #[test]
    fn suggestions_are_applied_byte_for_byte() {
        let cases = [
            "clippy-1.95.0/as_underscore",
            "rustfix/E0178",
            "rustfix/closure-immutable-outer-variable",
            "rustfix/dedup-suggestions",
            "rustfix/handle-insert-only",
            "rustfix/replace-only-one-char",
            "rustfix/str-lit-type-mismatch",
            "rustfix/use-insert",
        ];
        let Some(summary) = smoke("D_rustfix", &cases) else { return };
        assert_eq!(summary.score["graded"], 1.0, "{:?}", summary.by);
    }

    #[test]
    fn examples_are_fixed_by_the_product_without_a_broken_promise() {
        // Fixed with certain, likely and no suggestions; E0004 only as a draft, since no test runs.
        let cases = ["E0384_1", "E0373_1", "E0023_1", "E0594_1", "E0004_1", "E0015_1"];
        let Some(summary) = smoke("E_error_index", &cases) else { return };
        assert_eq!(summary.score["violations"], 0.0);
        assert!(summary.score["preserving"] >= 0.5, "{:?}", summary.by);
        assert_eq!(summary.by["E0015"]["preserving"], 1.0);
        assert_eq!((summary.by["E0004"]["preserving"], summary.by["E0004"]["draft"]), (0.0, 1.0));
    }
}
