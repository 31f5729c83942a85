use graftage_check::{Checked, Ladder, SkipRule, Tests};

use crate::kit::{kit, over, over_with, rungs, without_mounts};

const TINY: &str = "
//- /src/lib.rs
pub fn double(n: u32) -> u32 {
    n * 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        assert_eq!(super::double(2), 4);
    }
}
";

#[test]
fn a_good_candidate_passes_and_a_bad_one_fails_in_any_order() {
    let kit = kit(TINY);
    let before = kit.project.digest();
    let ladder = Ladder { tests: Tests::All, ..Ladder::default() };
    let base = kit.baseline(&ladder);
    assert!(base.passed(), "{}", rungs(&base));
    let good = "pub fn double(n: u32) -> u32 {\n    n + n\n}\n";
    let bad = "pub fn double(n: u32) -> u32 {\n    n + m\n}\n";
    let plain = Ladder::default();
    for (text, passes) in [(good, true), (bad, false), (good, true), (bad, false)] {
        let checked = kit.prove(&[("src/lib.rs", Some(text))], &plain);
        assert_eq!(checked.passed(), passes, "{}", rungs(&checked));
    }
    let checked = kit.prove(&[], &ladder);
    println!("{}", rungs(&checked));
    println!("{:?}", checked.evidence);
    assert!(checked.passed());
    assert_eq!(before, kit.project.digest());
}

const TWO: &str = "
//- /Cargo.toml
[workspace]
members = [\"a\", \"b\", \"c\"]
resolver = \"3\"
//- /a/Cargo.toml
[package]
name = \"a\"
version = \"0.1.0\"
edition = \"2024\"
//- /a/src/lib.rs
pub fn one() -> u32 {
    1
}

#[test]
fn is_one() {
    assert_eq!(one(), 1);
}
//- /b/Cargo.toml
[package]
name = \"b\"
version = \"0.1.0\"
edition = \"2024\"
[dependencies]
a = { path = \"../a\" }
//- /b/src/lib.rs
//! Twice.
//!
//! ```
//! assert_eq!(b::two(), 2);
//! ```
pub fn two() -> u32 {
    a::one() * 2
}

#[test]
fn always_red() {
    panic!(\"red\");
}
//- /b/tests/it.rs
#[test]
fn is_two() {
    assert_eq!(b::two(), 2);
}
//- /c/Cargo.toml
[package]
name = \"c\"
version = \"0.1.0\"
edition = \"2024\"
//- /c/src/lib.rs
#[test]
fn c_runs() {}
";

#[test]
fn affected_tests_are_those_of_the_package_and_of_its_dependents_and_old_failures_are_forgiven() {
    let kit = over(testkit::project(TWO));
    let ladder = Ladder { tests: Tests::Affected, ..Ladder::default() };
    let same = "pub fn one() -> u32 {\n    0 + 1\n}\n\n#[test]\nfn is_one() {\n    assert_eq!(one(), 1);\n}\n";
    let checked = kit.prove(&[("a/src/lib.rs", Some(same))], &ladder);
    let tests = checked.tests.as_ref().unwrap();
    assert_eq!(tests.passed, ["a::is_one", "it::is_two"]);
    assert_eq!(tests.failed[0].name, "b::always_red");
    assert!(tests.failed[0].output.contains("red"), "{:?}", tests.failed);
    assert!(checked.passed(), "{}", rungs(&checked));
    let other = same.replace("0 + 1", "2");
    let checked = kit.prove(&[("a/src/lib.rs", Some(&other))], &ladder);
    assert!(!checked.passed());
    let outcome = checked.evidence.tests.as_ref().unwrap();
    assert_eq!(outcome.failed, ["a::is_one", "b::always_red", "it::is_two"]);
    assert_eq!(outcome.failed_before, ["b::always_red"]);
    let checked = kit.prove(&[("c/src/lib.rs", Some("#[test]\nfn c_runs() {}\n\n"))], &ladder);
    assert_eq!(checked.tests.unwrap().passed, ["c::c_runs"]);
}

#[test]
fn all_tests_hold_the_documentations_and_a_filter_picks_by_name() {
    let kit = over(testkit::project(TWO));
    let ladder = Ladder { tests: Tests::All, ..Ladder::default() };
    let checked = kit.baseline(&ladder);
    let tests = checked.tests.unwrap();
    assert!(tests.complete);
    assert_eq!(tests.passed.len(), 4, "{tests:?}");
    assert!(tests.passed.iter().any(|name| name.starts_with("b::doc::")), "{tests:?}");
    let ladder = Ladder { filter: Some("a::is_one".to_owned()), ..ladder };
    let checked = kit.prove(&[], &ladder);
    assert_eq!(checked.tests.unwrap().passed, ["a::is_one"]);
    assert!(checked.evidence.rungs.iter().all(|rung| rung.passed));
}

#[test]
fn a_diagnostic_is_led_back_to_the_users_line_item_and_macro_call() {
    let kit = kit(TINY);
    let text = "// one\n// two\npub fn double(n: u32) -> u32 {\n    assert!(m);\n    n * 2\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn doubles() {\n        assert_eq!(super::double(2), \"\");\n    }\n}\n";
    let mut streamed = Vec::new();
    let overlay = kit.overlay(&[("src/lib.rs", Some(text))]);
    let checked = kit
        .prover
        .prove(&kit.ctx, overlay, &Ladder::default(), &mut |mapped| {
            streamed.push(mapped.diagnostic.message.clone());
        })
        .unwrap();
    let found: Vec<_> = checked
        .mapped
        .iter()
        .map(|it| (it.diagnostic.code.as_deref(), it.file.as_deref(), it.line, it.item.as_deref()))
        .collect();
    assert_eq!(found, [(Some("E0425"), Some("src/lib.rs"), None, Some("double"))]);
    assert_eq!(streamed.len(), 1, "{streamed:?}");
    let text = "macro_rules! word {\n    () => {\n        let _: u32 = \"\";\n    };\n}\n\npub fn double(n: u32) -> u32 {\n    word!();\n    n * 2\n}\n";
    let checked = kit.prove(&[("src/lib.rs", Some(text))], &Ladder::default());
    assert_eq!(checked.mapped[0].macro_call.as_deref(), Some("`word!` at src/lib.rs:8"));
}

#[test]
fn a_syntax_error_stops_at_the_first_rung() {
    let kit = kit(TINY);
    let checked = kit.prove(&[("src/lib.rs", Some("pub fn f( {\n"))], &Ladder::default());
    assert_eq!(checked.evidence.rungs.len(), 1);
    assert!(!checked.passed());
    assert_eq!(checked.mapped[0].diagnostic.message, "syntax error");
}

#[test]
fn text_that_is_no_longer_formatted_is_reported_and_passes() {
    let kit = kit(TINY);
    let checked =
        kit.prove(&[("src/lib.rs", Some("pub fn double( n:u32)->u32{n}\n"))], &Ladder::default());
    assert!(checked.passed(), "{}", rungs(&checked));
    assert_eq!(
        rungs(&checked),
        "parse ok: no new syntax error | format failed: no longer formatted: src/lib.rs | check ok: no error"
    );
}

#[test]
fn clippy_refuses_new_findings_and_forgives_old_ones() {
    let kit = kit("\n//- /src/lib.rs\npub fn f(v: &Vec<u8>) -> bool {\n    v.len() == 0\n}\n");
    let ladder = Ladder { clippy: true, ..Ladder::default() };
    let old = "// a line before\npub fn f(v: &Vec<u8>) -> bool {\n    v.len() == 0\n}\n";
    let checked = kit.prove(&[("src/lib.rs", Some(old))], &ladder);
    assert!(checked.passed(), "{}", rungs(&checked));
    let new = format!("{old}\npub fn g() -> u8 {{\n    return 1;\n}}\n");
    let checked = kit.prove(&[("src/lib.rs", Some(&new))], &ladder);
    assert!(!checked.passed(), "{}", rungs(&checked));
}

/// The tree does not build and no commit does: no finding is known to be old.
#[test]
fn clippy_refuses_every_finding_where_there_is_nothing_to_compare_with() {
    let kit = kit("\n//- /src/lib.rs\npub fn f() -> u8 {\n    return one;\n}\n");
    let ladder = Ladder { clippy: true, ..Ladder::default() };
    let found = "pub fn f() -> u8 {\n    return 1;\n}\n";
    let checked = kit.prove(&[("src/lib.rs", Some(found))], &ladder);
    assert!(!checked.passed(), "{}", rungs(&checked));
    let expected = "clippy failed: 1 finding, nothing to compare with";
    assert!(rungs(&checked).ends_with(expected), "{}", rungs(&checked));
    let clean = found.replace("return 1;", "1");
    let checked = kit.prove(&[("src/lib.rs", Some(&clean))], &ladder);
    assert!(checked.passed(), "{}", rungs(&checked));
}

#[test]
fn evidence_has_the_state_of_the_tree_before() {
    let kit = kit("\n//- /src/lib.rs\npub fn f() -> u32 {\n    x + y\n}\n");
    let checked =
        kit.prove(&[("src/lib.rs", Some("pub fn f() -> u64 {\n    1\n}\n"))], &Ladder::default());
    let evidence = &checked.evidence;
    assert_eq!((evidence.errors_before, evidence.errors_after), (Some(2), 0));
    assert_eq!(evidence.public_changes, ["src/lib.rs::f: pub fn f() -> u32 -> pub fn f() -> u64"]);
    assert!(!evidence.protections.is_empty());
    assert_eq!((evidence.files[0].added, evidence.files[0].removed), (2, 2));
}

#[test]
fn the_copy_way_gives_the_same_answers() {
    let project = testkit::project(TWO);
    let kit = over_with(project, Some(repo::Strategy::Copy));
    let before = kit.project.digest();
    let ladder = Ladder { tests: Tests::Affected, ..Ladder::default() };
    let good = "pub fn one() -> u32 {\n    2 - 1\n}\n\n#[test]\nfn is_one() {\n    assert_eq!(one(), 1);\n}\n";
    let checked = kit.prove(&[("a/src/lib.rs", Some(good))], &ladder);
    assert!(checked.passed(), "{} {:?}", rungs(&checked), checked.failure);
    let bad = "pub fn one() -> u32 {\n    2 - x\n}\n";
    let checked = kit.prove(&[("a/src/lib.rs", Some(bad))], &ladder);
    assert_eq!(checked.mapped[0].file.as_deref(), Some("a/src/lib.rs"));
    assert!(!checked.passed());
    assert!(kit.prove(&[], &ladder).passed());
    assert_eq!(before, kit.project.digest());
}

#[test]
fn parallel_candidates_do_not_see_each_other() {
    let kit = kit(TINY);
    kit.baseline(&Ladder::default());
    let texts: Vec<String> = (0..6)
        .map(|n| {
            format!(
                "pub fn double(n: u32) -> u32 {{\n    n * {}\n}}\n",
                if n % 2 == 0 { "2" } else { "m" }
            )
        })
        .collect();
    let passed: Vec<bool> = std::thread::scope(|scope| {
        let handles: Vec<_> = texts
            .iter()
            .map(|text| {
                scope
                    .spawn(|| kit.prove(&[("src/lib.rs", Some(text))], &Ladder::default()).passed())
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    assert_eq!(passed, [true, false, true, false, true, false]);
}

#[test]
fn cancelled_proofs_leave_nothing_behind() {
    let kit = kit(TINY);
    kit.baseline(&Ladder::default());
    let world = testkit::TestHost::new();
    world.cancel();
    let result = kit.prover.prove(&world.ctx(), kit.overlay(&[]), &Ladder::default(), &mut |_| {});
    assert!(
        matches!(
            result,
            Err(graftage_check::CheckError::Cancelled(_))
                | Err(graftage_check::CheckError::Repo(_))
        ),
        "{result:?}"
    );
    assert!(kit.prove(&[], &Ladder::default()).passed());
}

#[test]
fn without_namespaces_the_answers_are_the_same() {
    let kit = without_mounts(testkit::project(TWO));
    let before = kit.project.digest();
    let ladder = Ladder { tests: Tests::Affected, ..Ladder::default() };
    let good = "pub fn one() -> u32 {\n    2 - 1\n}\n\n#[test]\nfn is_one() {\n    assert_eq!(one(), 1);\n}\n";
    let bad = "pub fn one() -> u32 {\n    2 - x\n}\n";
    for (text, passes) in [(good, true), (bad, false), (good, true)] {
        let checked = kit.prove(&[("a/src/lib.rs", Some(text))], &ladder);
        assert_eq!(checked.passed(), passes, "{} {:?}", rungs(&checked), checked.failure);
        if !passes {
            assert_eq!(checked.mapped[0].file.as_deref(), Some("a/src/lib.rs"));
        }
    }
    assert_eq!(before, kit.project.digest());
}

#[test]
fn a_tree_that_keeps_changing_gets_no_verdict() {
    let kit = kit(TINY);
    kit.baseline(&Ladder::default());
    let done = std::sync::atomic::AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut n = 0;
            while !done.load(std::sync::atomic::Ordering::SeqCst) {
                n += 1;
                kit.project.write("src/moving.rs", format!("// {n}"));
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        let result = kit.prover.prove(&kit.ctx, kit.overlay(&[]), &Ladder::default(), &mut |_| {});
        done.store(true, std::sync::atomic::Ordering::SeqCst);
        result
    });
    match result {
        Err(graftage_check::CheckError::TreeMoves { example, .. }) => {
            assert_eq!(example, "src/moving.rs");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_test_that_takes_its_process_down_fails_the_proof() {
    let kit = kit(TINY);
    let text = "pub fn double(n: u32) -> u32 {\n    n * 2\n}\n\n#[test]\nfn aborts() {\n    std::process::abort();\n}\n\n#[test]\nfn holds() {}\n";
    let ladder = Ladder { tests: Tests::Affected, ..Ladder::default() };
    let checked = kit.prove(&[("src/lib.rs", Some(text))], &ladder);
    assert!(!checked.passed(), "{}", rungs(&checked));
    let failed = &checked.evidence.tests.as_ref().unwrap().failed;
    match kit.prover.env().toolchain.nextest {
        Some(_) => assert_eq!(failed, &["fixture::(did not end)", "fixture::aborts"]),
        None => assert_eq!(failed, &["fixture::(did not end)"]),
    }
}

#[test]
fn a_test_that_ends_its_process_with_status_0_fails_the_proof_and_the_evidence_has_the_reason() {
    let kit = kit(TINY);
    let text = "pub fn double(n: u32) -> u32 {\n    n * 2\n}\n\n#[test]\nfn exits() {\n    std::process::exit(0);\n}\n\n#[test]\nfn fails() {\n    std::thread::sleep(std::time::Duration::from_secs(1));\n    panic!();\n}\n";
    let ladder = Ladder { tests: Tests::Affected, ..Ladder::default() };
    let checked = kit.prove(&[("src/lib.rs", Some(text))], &ladder);
    assert!(!checked.passed(), "{}", rungs(&checked));
    let how =
        "test binary fixture ended after 0 of 2 tests (exit status 0); not reported: exits, fails";
    assert!(rungs(&checked).contains(how), "{}", rungs(&checked));
}

#[test]
fn a_run_that_is_out_of_time_is_no_failure_known_before() {
    let text = "pub fn one() -> u8 {\n    1\n}\n\n#[test]\nfn hangs() {\n    loop {\n        \
                std::thread::park();\n    }\n}\n";
    let kit = kit(&format!("\n//- /src/lib.rs\n{text}"));
    let timeout = Some(std::time::Duration::from_secs(8));
    let ladder = Ladder { tests: Tests::Affected, timeout, ..Ladder::default() };
    let changed = text.replace("    1\n", "    1 + 0\n");
    let checked = kit.prove(&[("src/lib.rs", Some(&changed))], &ladder);
    assert!(checked.timed_out && !checked.passed(), "{}", rungs(&checked));
}

#[test]
fn a_patched_package_inside_the_project_is_as_local_as_any() {
    let kit = over(testkit::project(
        "
//- /Cargo.toml
[package]
name = \"user\"
version = \"0.1.0\"
edition = \"2024\"
[dependencies]
graftage-nowhere-else = \"1\"
[patch.crates-io]
graftage-nowhere-else = { path = \"vendor/it\" }
//- /Cargo.lock
version = 4

[[package]]
name = \"graftage-nowhere-else\"
version = \"1.0.0\"

[[package]]
name = \"user\"
version = \"0.1.0\"
dependencies = [
 \"graftage-nowhere-else\",
]
//- /src/lib.rs
pub fn f() -> u32 { graftage_nowhere_else::f() }
//- /vendor/it/Cargo.toml
[package]
name = \"graftage-nowhere-else\"
version = \"1.0.0\"
edition = \"2024\"
//- /vendor/it/src/lib.rs
pub fn f() -> u32 { 1 }
",
    ));
    let base = kit.baseline(&Ladder::default());
    assert!(base.passed(), "{:?}", base.failure);
    let workspace = kit.prover.workspace(&kit.ctx).unwrap().unwrap();
    let names: Vec<_> = workspace.packages.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(names, ["user", "graftage-nowhere-else"]);
    assert_eq!(workspace.packages[0].depends_on, ["graftage-nowhere-else"]);
    // An edit behind the compiler's back: the old time is put back.
    let path = kit.project.path("vendor/it/src/lib.rs");
    let time = path.metadata().unwrap().modified().unwrap();
    kit.project.write("vendor/it/src/lib.rs", "pub fn f() -> u64 { 1 }\n");
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    assert!(!kit.baseline(&Ladder::default()).passed());
    assert!(!kit.prove(&[], &Ladder::default()).passed());
}

const WANTING: &str = "
//- /src/lib.rs
pub fn double(n: u32) -> u32 {
    n * 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        assert_eq!(super::double(2), 4);
    }
}
//- /tests/good.rs
#[test]
fn doubles() {
    assert_eq!(fixture::double(3), 6);
}
//- /tests/wanting.rs
#[test]
fn wants() {
    nowhere_else::check!(fixture::double(3));
}
";

#[test]
fn a_test_that_wants_a_crate_that_no_manifest_declares_is_left_out_and_noted() {
    let kit = kit(WANTING);
    let ladder = Ladder { tests: Tests::Affected, skip: SkipRule::LastCommit, ..Ladder::default() };
    let before = testkit::Fixture::parse(WANTING).files["src/lib.rs"].text.clone();
    let good = before.replace("n * 2", "n + n");
    let checked = kit.prove(&[("src/lib.rs", Some(&good))], &ladder);
    assert!(checked.passed(), "{}", rungs(&checked));
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    assert_eq!(
        checked.tests.as_ref().unwrap().passed,
        ["fixture::tests::doubles", "good::doubles"]
    );
    assert_eq!(
        checked.evidence.notes,
        [
            "not built, with the change or without it: test wanting of fixture names the crate `nowhere_else`, which no manifest declares"
        ]
    );
    let detail = &checked.evidence.rungs.last().unwrap().detail;
    assert_eq!(detail, "2 passed, 0 failed; not built: test wanting");
    // The others still count, also for callers that skip nothing.
    let bad = before.replace("n * 2", "n + 1");
    assert!(!kit.prove(&[("src/lib.rs", Some(&bad))], &ladder).passed());
    let other = before.replace("double(", "twice(");
    let checked = kit.prove(&[("src/lib.rs", Some(&other))], &ladder);
    assert!(!checked.passed(), "{}", rungs(&checked));
    let messages: Vec<_> = checked.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(messages, ["cannot find function `double` in crate `fixture`"]);
    let strict = Ladder { skip: SkipRule::Nothing, ..ladder };
    assert!(!kit.prove(&[("src/lib.rs", Some(&good))], &strict).passed());
}

#[test]
fn an_error_in_test_code_that_the_change_could_have_made_is_never_skipped() {
    let kit = kit(WANTING);
    let ladder = Ladder { tests: Tests::Affected, skip: SkipRule::LastCommit, ..Ladder::default() };
    let before = testkit::Fixture::parse(WANTING).files["src/lib.rs"].text.clone();
    let lib = |line: &str| format!("{line}\n{before}");
    let refused = [
        (
            "tests/wanting.rs",
            "#[test]\nfn wants() {\n    nowhere_else::verify!(1);\n}\n".to_owned(),
        ),
        ("tests/good.rs", "#[test]\nfn doubles() {\n    elsewhere::check();\n}\n".to_owned()),
        ("src/lib.rs", lib("pub mod nowhere_else {}")),
        ("src/lib.rs", lib("macro_rules! nowhere_else { () => {} }")),
        ("src/lib.rs", lib("// nowhere_else")),
    ];
    for (path, text) in &refused {
        let checked = kit.prove(&[(path, Some(text))], &ladder);
        assert!(!checked.passed(), "{path}: {text}\n{}", rungs(&checked));
    }
}

#[test]
fn unit_tests_that_want_a_crate_are_left_out_with_what_its_globs_would_import() {
    let text = "
//- /src/lib.rs
pub fn double(n: u32) -> u32 {
    n * 2
}

#[cfg(test)]
mod tests {
    use nowhere_else::prelude::*;

    fn any() -> impl Plan<u32> {
        plan!(0..9)
    }
}
";
    let kit = kit(text);
    let ladder = Ladder { tests: Tests::Affected, skip: SkipRule::LastCommit, ..Ladder::default() };
    let before = testkit::Fixture::parse(text).files["src/lib.rs"].text.clone();
    let good = before.replace("n * 2", "n + n");
    let checked = kit.prove(&[("src/lib.rs", Some(&good))], &ladder);
    assert!(checked.passed(), "{} {:?}", rungs(&checked), checked.diagnostics);
    assert_eq!(checked.evidence.notes.len(), 1, "{:?}", checked.evidence.notes);
    let renamed = before.replace("Plan", "Plans");
    assert!(!kit.prove(&[("src/lib.rs", Some(&renamed))], &ladder).passed());
    // With the tests' code in the check rung too, as a search looks once tests are in its way.
    let ladder = Ladder { test_code: true, skip: SkipRule::LastCommit, ..Ladder::default() };
    assert!(kit.prove(&[("src/lib.rs", Some(&good))], &ladder).passed());
    assert!(!kit.baseline(&ladder).passed());
}

#[test]
fn a_proof_that_continues_with_tests_reuses_the_check_and_still_compiles_it() {
    let kit = kit(TINY);
    let good = TINY.trim_start().trim_start_matches("//- /src/lib.rs\n").replace("n * 2", "n + n");
    let good = good.as_str();
    let first = kit.prove(&[("src/lib.rs", Some(good))], &Ladder::default());
    let ladder = Ladder { tests: Tests::Affected, ..Ladder::default() };
    let second = kit.prove(&[("src/lib.rs", Some(good))], &ladder);
    assert_eq!(
        first.evidence.rung(policy::RungName::Check),
        second.evidence.rung(policy::RungName::Check),
        "the same rung, its time included"
    );
    assert!(second.passed(), "{}", rungs(&second));
}

#[test]
fn tests_run_where_a_dependency_has_the_name_of_the_package() {
    for workspace in ["", MEMBERS] {
        let checked = tests_of_a_namesake(workspace, "");
        assert!(checked.evidence.notes.is_empty(), "{:?}", checked.evidence.notes);
    }
}

#[test]
fn the_other_tests_run_where_a_dependency_has_the_name_of_the_package() {
    let wanting = "//- /tests/wanting.rs\n#[test]\nfn wants() {\n    nowhere_else::check();\n}\n";
    for workspace in ["", MEMBERS] {
        let checked = tests_of_a_namesake(workspace, wanting);
        assert_eq!(checked.evidence.notes.len(), 1, "{:?}", checked.evidence.notes);
    }
}

const MEMBERS: &str = "[workspace]\nmembers = [\"side\"]\nexclude = [\"old\", \"other\"]\n";

/// Proves a change of the package `a` 0.2.0, which depends on `a` 0.1.0 for its tests; `more` are
/// further files.
fn tests_of_a_namesake(workspace: &str, more: &str) -> Checked {
    let manifest = |name: &str, version: &str, rest: &str| {
        format!("[package]\nname = {name:?}\nversion = {version:?}\nedition = \"2024\"\n{rest}")
    };
    let project = format!(
        "\n//- /Cargo.toml\n{}{workspace}//- /side/Cargo.toml\n{}//- /side/src/lib.rs\n\
         //- /src/lib.rs\n{}//- /other/Cargo.toml\n{}//- /other/src/lib.rs\n\
         pub use old::one;\n//- /old/Cargo.toml\n{}//- /old/src/lib.rs\npub fn one() -> u32 {{\n    1\n}}\n{more}",
        manifest("a", "0.2.0", "[dev-dependencies]\nother = { path = \"other\" }\n"),
        manifest("side", "0.1.0", ""),
        "pub fn two() -> u32 {\n    2\n}\n\n#[test]\nfn is_two() {\n    assert_eq!(two(), 1 + other::one());\n}\n",
        manifest(
            "other",
            "0.1.0",
            "[dependencies]\nold = { package = \"a\", path = \"../old\" }\n"
        ),
        manifest("a", "0.1.0", ""),
    );
    let kit = kit(&project);
    let ladder = Ladder { tests: Tests::Affected, skip: SkipRule::LastCommit, ..Ladder::default() };
    let text = kit.project.read("src/lib.rs").replace("    2\n", "    1 + 1\n");
    let checked = kit.prove(&[("src/lib.rs", Some(&text))], &ladder);
    assert!(checked.passed(), "{}", rungs(&checked));
    assert_eq!(checked.evidence.tests.as_ref().map(|it| it.passed), Some(1));
    checked
}

#[test]
fn evidence_names_the_first_error_and_the_first_of_the_tree() {
    let kit = kit("\n//- /src/lib.rs\npub fn f() -> u32 {\n    old\n}\n");
    let text = "pub fn g() -> u32 {\n    new\n}\npub fn f() -> u32 {\n    old\n}\n";
    let checked = kit.prove(&[("src/lib.rs", Some(text))], &Ladder::default());
    let evidence = &checked.evidence;
    let named = (evidence.first_error.as_deref(), evidence.first_error_before.as_deref());
    let of = |line: u32, name: &str| {
        format!("src/lib.rs:{line}: cannot find value `{name}` in this scope")
    };
    let (new, old) = (of(2, "new"), of(2, "old"));
    assert_eq!(named, (Some(new.as_str()), Some(old.as_str())));
}

#[test]
fn evidence_lists_the_warnings_that_the_tree_does_not_have() {
    let kit = kit("\n//- /src/lib.rs\nfn unused() {}\npub fn f() {\n    let a = 1;\n}\n");
    let text = "pub fn f(of: u8) {\n    let a = 1;\n}\nfn also_unused() {}\n";
    for ladder in [Ladder::default(), Ladder { tests: Tests::All, ..Ladder::default() }] {
        let checked = kit.prove(&[("src/lib.rs", Some(text))], &ladder);
        assert_eq!(checked.evidence.new_warnings, ["src/lib.rs:1: unused variable: `of`"]);
    }
}
