//! Evidence is whole when it is made: compared with the tests before, with what it did not look at,
//! and with the tree that it is about.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use graftage_check::{Ladder, Scope, SkipRule, Tests};
use policy::TestReference;

use crate::kit::{Kit, kit, over, rungs};

const TESTED: &str = "
//- /src/lib.rs
pub fn double(n: u32) -> u32 {
    n * 2
}

#[test]
fn doubles() {
    assert_eq!(double(2), 4);
}

#[test]
fn doubles_nothing() {
    assert_eq!(double(0), 0);
}
";

fn with_tests() -> Ladder {
    Ladder { tests: Tests::Affected, ..Ladder::default() }
}

fn text(kit: &Kit) -> String {
    kit.project.read("src/lib.rs")
}

fn lost(kit: &Kit, changed: &str) -> Vec<String> {
    let checked = kit.prove(&[("src/lib.rs", Some(changed))], &with_tests());
    let tests = checked.evidence.tests.clone().unwrap();
    assert_eq!(checked.passed(), tests.lost.is_empty(), "{}", rungs(&checked));
    tests.lost
}

#[test]
fn a_test_that_is_gone_ignored_or_switched_off_fails_the_proof() {
    let kit = kit(TESTED);
    let text = text(&kit);
    let at = text.find("#[test]\nfn doubles_nothing").unwrap();
    let gone = text[..at].to_owned();
    let ignored = text.replace("fn doubles()", "#[ignore]\nfn doubles()");
    let off = text.replace("#[test]\nfn doubles()", "#[cfg(any())]\n#[test]\nfn doubles()");
    assert_eq!(lost(&kit, &gone), ["fixture::doubles_nothing"]);
    assert_eq!(lost(&kit, &ignored), ["fixture::doubles"]);
    assert_eq!(lost(&kit, &off), ["fixture::doubles"]);
    assert_eq!(lost(&kit, &text.replace("n * 2", "n + n")), Vec::<String>::new());
}

#[test]
fn what_a_change_removes_is_part_of_the_evidence_of_every_author() {
    let kit = kit(TESTED);
    let changed = text(&kit).replace("    assert_eq!(double(2), 4);\n", "");
    let checked = kit.prove(&[("src/lib.rs", Some(&changed))], &Ladder::default());
    let rules: Vec<_> = checked
        .evidence
        .violations
        .iter()
        .map(|it| (it.rule.as_str(), it.protects_tests))
        .collect();
    assert!(rules.contains(&("assertion-removed", true)), "{rules:?}");
}

#[test]
fn a_tree_that_does_not_build_is_compared_with_the_last_commit() {
    let project = testkit::crate_project(&format!(
        "{TESTED}
#[test]
fn fails_always() {{
    panic!(\"red\");
}}
"
    ));
    let git = project.git();
    git.commit_all("a state that builds");
    let good = project.read("src/lib.rs");
    project.write("src/lib.rs", good.replace("n * 2", "n * m"));
    let kit = over(project);
    let prove = |changed: &str| {
        let checked = kit.prove(&[("src/lib.rs", Some(changed))], &with_tests());
        let tests = checked.evidence.tests.clone().unwrap();
        assert_eq!(tests.compared_with, Some(TestReference::LastCommit));
        (checked.passed(), tests.failed_before, tests.lost)
    };
    let red = || vec!["fixture::fails_always".to_owned()];
    assert_eq!(prove(&good), (true, red(), vec![]));
    let without = good.replace("#[test]\nfn doubles()", "#[allow(dead_code)]\nfn doubles()");
    assert_eq!(prove(&without), (false, red(), vec!["fixture::doubles".to_owned()]));
    let wrong = good.replace("n * 2", "n * 3");
    assert_eq!(prove(&wrong), (false, red(), vec![]));
}

const UNBUILT: &str = "
//- /src/lib.rs
pub fn double(n: u32) -> u32 {
    n * 2
}

#[cfg(feature = \"more\")]
pub fn triple(n: u32) -> u32 {
    n * 3
}
//- /tests/good.rs
#[test]
fn doubles() {
    assert_eq!(fixture::double(3), 6);
}
//- /tests/more.rs
#[test]
fn triples() {
    assert_eq!(fixture::triple(fixture::double(1)), 6);
}
";

#[test]
fn a_test_target_that_the_last_commit_does_not_build_either_is_left_out_and_noted() {
    let project = testkit::crate_project(UNBUILT);
    project.git().commit_all("a state that builds");
    let good = project.read("src/lib.rs");
    project.write("src/lib.rs", good.replace("n * 2", "n * m"));
    let kit = over(project);
    for test_code in [false, true] {
        let ladder = Ladder { skip: SkipRule::LastCommit, test_code, ..with_tests() };
        let checked = kit.prove(&[("src/lib.rs", Some(&good))], &ladder);
        assert!(checked.passed(), "{} {:?}", rungs(&checked), checked.diagnostics);
        assert_eq!(checked.tests.as_ref().unwrap().passed, ["good::doubles"]);
        let note = "not built, with the change or without it: test more of fixture does not build at the last commit either";
        assert_eq!(checked.evidence.notes, [note]);
        // A test that fails, one more error in that target, and one in another.
        let wrong = good.replace("n * 2", "n * 3");
        assert!(!kit.prove(&[("src/lib.rs", Some(&wrong))], &ladder).passed());
        let other = good.replace("double(", "twice(");
        let checked = kit.prove(&[("src/lib.rs", Some(&other))], &ladder);
        assert!(!checked.passed(), "{}", rungs(&checked));
        assert!(checked.diagnostics.iter().any(|it| it.message.contains("`double`")));
    }
    let strict = with_tests();
    assert!(!kit.prove(&[("src/lib.rs", Some(&good))], &strict).passed());
}

#[test]
fn a_test_that_the_author_removed_since_the_last_commit_is_not_missing() {
    let project = testkit::crate_project(TESTED);
    project.git().commit_all("a state that builds");
    let good = project.read("src/lib.rs");
    let at = good.find("#[test]\nfn doubles_nothing").unwrap();
    project.write("src/lib.rs", good[..at].replace("n * 2", "n * m"));
    let kit = over(project);
    let checked = kit.prove(&[("src/lib.rs", Some(&good[..at]))], &with_tests());
    assert!(checked.passed(), "{}", rungs(&checked));
}

/// The review's case: the last commit has a test that hangs, so its run is cut off and so is that
/// of the repair; the tests behind the hang never ran.
#[test]
fn a_run_that_is_cut_off_like_that_of_the_last_commit_proves_nothing() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
pub fn one() -> u32 {
    1
}

#[test]
fn hangs() {
    loop {
        std::thread::park();
    }
}
",
    );
    project.git().commit_all("a test that hangs");
    let good = project.read("src/lib.rs");
    project.write("src/lib.rs", good.replace("    1\n", "    one\n"));
    let kit = over(project);
    let ladder = Ladder { timeout: Some(Duration::from_secs(6)), ..with_tests() };
    let checked = kit.prove(&[("src/lib.rs", Some(&good))], &ladder);
    assert!(!checked.passed(), "{}", rungs(&checked));
    let tests = checked.evidence.tests.clone().unwrap();
    assert_eq!((tests.complete, tests.compared_with), (false, None));
}

#[test]
fn evidence_names_the_tree_and_another_tree_has_another_name() {
    let kit = kit(TESTED);
    let tree = |kit: &Kit| kit.prove(&[], &Ladder::default()).evidence.tree.clone().unwrap();
    let first = tree(&kit);
    assert_eq!(first.hash(), tree(&kit).hash());
    kit.project.write("README.md", "changed");
    assert_eq!(tree(&kit).changed_since(&first), ["README.md"]);
    // Git ignores it, and the build depends on it all the same.
    kit.project.write(".gitignore", "Cargo.lock\n.cargo\n");
    let ignoring = tree(&kit);
    kit.project.write(".cargo/config.toml", "[build]\nrustflags = [\"--cfg=x\"]\n");
    let changed = tree(&kit).changed_since(&ignoring);
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(changed[0].ends_with(".cargo/config.toml"), "{changed:?}");
}

#[test]
fn links_to_a_file_outside_the_project_do_not_move_the_tree() {
    let project = testkit::crate_project(TESTED);
    let config = project.beside(".cargo").join("config.toml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::write(&config, "[build]\nincremental = false\n").unwrap();
    let kit = crate::kit::over(project);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // As a backup or a second toolchain folder of hard links does.
        scope.spawn(|| {
            let link = config.with_extension("link");
            while !done.load(Ordering::Relaxed) {
                std::fs::hard_link(&config, &link).unwrap();
                std::fs::remove_file(&link).unwrap();
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let _end = End(&done);
        let base = kit.baseline(&Ladder::default());
        assert!(base.passed(), "{}", rungs(&base));
    });
}

/// Ends the other thread, also when the test fails.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

const PARTS: &str = "
//- /Cargo.toml
[workspace]
members = [\"a\", \"b\"]
resolver = \"2\"
//- /a/Cargo.toml
[package]
name = \"a\"
version = \"0.1.0\"
edition = \"2021\"
[features]
extra = []
[[bin]]
name = \"tool\"
required-features = [\"extra\"]
path = \"src/tool.rs\"
//- /a/src/lib.rs
pub fn one() -> u32 {
    1
}
#[cfg(feature = \"extra\")]
pub fn extra() -> u32 {
    1
}
#[cfg(windows)]
mod win;
//- /a/src/win.rs
pub fn win() -> u32 {
    1
}
//- /a/src/tool.rs
fn main() {
    println!(\"{}\", 1u32);
}
//- /a/examples/demo.rs
fn main() {
    println!(\"{}\", 1u32);
}
//- /a/benches/speed.rs
fn main() {
    println!(\"{}\", 1u32);
}
//- /a/tests/it.rs
#[test]
fn works() {
    assert_eq!(a::one(), 1u32);
}
//- /b/Cargo.toml
[package]
name = \"b\"
version = \"0.1.0\"
edition = \"2021\"
//- /b/src/lib.rs
pub fn two() -> u32 {
    2
}
#[test]
fn is_two() {
    assert_eq!(two(), 2u32);
}
";

/// Breaks one place; what a proof of the tree with these configurations comes to: `found`, or what
/// it names as not looked at.
fn seen(breaks: (&str, &str, &str), scopes: &[&str], ladder: &Ladder) -> String {
    let project = testkit::project(PARTS);
    let (file, from, to) = breaks;
    let text = project.read(file);
    assert!(text.contains(from), "{file} has {from}");
    project.write(file, text.replace(from, to));
    let mut kit = over(project);
    let scopes = scopes.iter().map(|it| Scope::parse(it).unwrap()).collect();
    kit.prover = kit.prover.with_scopes(scopes);
    let checked = kit.baseline(ladder);
    if checked.passed() {
        let parts = checked.evidence.coverage.not_looked_at.iter().map(|it| it.text.as_str());
        parts.collect::<Vec<_>>().join("; ")
    } else {
        assert!(checked.errors() > 0, "{}", rungs(&checked));
        "found".to_owned()
    }
}

/// Ten trees that are broken in one part alone: each is found, or the part is named as not looked
/// at.
#[test]
fn what_is_broken_in_one_part_alone_is_found_or_named_as_not_looked_at() {
    let plain = Ladder::default();
    let feature =
        ("a/src/lib.rs", "pub fn extra() -> u32 {\n    1", "pub fn extra() -> u32 {\n    x");
    let example = ("a/examples/demo.rs", "1u32", "x");
    let bench = ("a/benches/speed.rs", "1u32", "x");
    let binary = ("a/src/tool.rs", "1u32", "x");
    let windows = ("a/src/win.rs", "    1", "    x");
    let package = ("b/src/lib.rs", "    2\n", "    x\n");
    let test = ("a/tests/it.rs", "1u32", "x");
    let unit = ("b/src/lib.rs", "2u32", "x");
    let named = |breaks, scopes: &[&str], part: &str| {
        let seen = seen(breaks, scopes, &plain);
        assert!(seen.contains(part), "{part}: {seen}");
    };
    named(feature, &[], "feature `extra` of `a`");
    named(feature, &["", "--features a/extra"], "found");
    named(example, &[], "example `demo` of `a`");
    named(bench, &[], "bench `speed` of `a`");
    named(bench, &["--all-targets"], "found");
    named(binary, &[], "bin `tool` of `a`: needs `extra`");
    named(windows, &["--all-targets --all-features"], "cfg(windows): a/src/lib.rs:");
    named(package, &["-p a"], "package `b`");
    named(test, &[], "test `it` of `a`");
    named(unit, &[], "code of tests (`cfg(test)`)");
}

#[test]
fn every_configuration_is_built_and_a_failure_in_one_refuses() {
    let project = testkit::project(PARTS);
    let mut kit = over(project);
    let scopes = ["", "--all-features"].map(|it| Scope::parse(it).unwrap());
    kit.prover = kit.prover.with_scopes(scopes.to_vec());
    let good = kit.project.read("a/src/lib.rs");
    let checked = kit.prove(&[("a/src/lib.rs", Some(&format!("{good}\n")))], &with_tests());
    assert!(checked.passed(), "{}", rungs(&checked));
    assert_eq!(
        checked.evidence.coverage.configurations,
        ["--workspace", "--workspace --all-features"]
    );
    let bad = good.replace("pub fn extra() -> u32 {\n    1", "pub fn extra() -> u32 {\n    x");
    let checked = kit.prove(&[("a/src/lib.rs", Some(&bad))], &with_tests());
    assert_eq!(
        checked.evidence.rung(policy::RungName::Check).unwrap().detail,
        "--workspace: no error; --workspace --all-features: 1 error"
    );
    assert!(!checked.passed());
}
