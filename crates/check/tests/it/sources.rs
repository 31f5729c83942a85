//! Builds, macros and tests that write what is compiled. What they write is never the evidence of a
//! change; a build that generates files is no attack, and its evidence names them.

use build::warm::{BuildSources, Isolation, WarmKey, WarmTarget};
use build::{CargoReport, Command, Verb};
use graftage_check::{Checked, Ladder, Tests};
use policy::{GateRules, RungName};
use repo::ViewOptions;

use crate::kit::{Kit, over, over_with, rungs};

const MANIFEST: &str = "
//- /Cargo.toml
[package]
name = \"a\"
version = \"0.1.0\"
edition = \"2024\"
//- /Cargo.lock
version = 4

[[package]]
name = \"a\"
version = \"0.1.0\"
";
const GOOD: &str = "pub fn one() -> u32 {\n    1\n}\n";
/// Does not compile.
const BAD: &str = "pub fn one() -> u32 {\n    missing()\n}\n";

/// A package with this build script.
fn built_by(script: &str) -> Kit {
    let script = format!("fn main() {{\n    {script}\n}}\n");
    over(testkit::project(&format!(
        "{MANIFEST}//- /src/lib.rs\n{GOOD}//- /build.rs\n{script}//- /.gitignore\n/target\n"
    )))
}

/// The control of an attack: what cargo reports where the same files are writable, and nothing compares
/// them afterwards.
fn where_files_are_writable(
    kit: &Kit,
    changes: &[(&str, Option<&str>)],
    command: &Command,
) -> CargoReport {
    let (ctx, project, env) = (&kit.ctx, kit.prover.project(), kit.prover.env());
    let overlay = kit.overlay(changes);
    let shown = project.materialise(ctx, &env.sandbox, &overlay, &ViewOptions::default()).unwrap();
    let view = shown.writable().unwrap();
    let (root, toolchain) = (project.root(), &env.toolchain);
    let key = WarmKey {
        root,
        cargo_home: std::path::Path::new("/none"),
        lock: None,
        toolchain,
        selection: "control",
        stage: None,
    };
    let warm = WarmTarget::open(&project.cache_dir(), &key).unwrap();
    let (files, none) = (Default::default(), Default::default());
    let sources = BuildSources { root, files: &files, closed: &none, workspace: None };
    let isolation = match shown.strategy {
        repo::Strategy::OverlayMount => Isolation::Mount,
        _ => Isolation::Copy { mounts: env.sandbox.capabilities().namespaces.works },
    };
    let target = warm.candidate(ctx, sources, isolation).unwrap();
    build::run(ctx, env, &view, &shown.root, target.target(), command, &mut |_| {}).unwrap()
}

/// Whether `cargo test` alone passes on a package with this library.
#[allow(clippy::disallowed_methods, reason = "the control runs without the product")]
fn passes_with_plain_cargo(kit: &Kit, library: &str) -> bool {
    let copy = testkit::project(&format!("{MANIFEST}//- /src/lib.rs\n{library}"));
    let toolchain = &kit.prover.env().toolchain;
    let output = std::process::Command::new(&toolchain.cargo)
        .args(["test", "--offline"])
        .current_dir(copy.root())
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", toolchain.sysroot.join("bin").display()))
        .env("HOME", copy.beside("home"))
        .env("CARGO_TARGET_DIR", copy.beside("target"))
        .output();
    output.unwrap().status.success()
}

fn check() -> Command {
    Command::new(Verb::Check, std::time::Duration::from_secs(300))
}

/// The names of the gate's rules that evidence breaks.
fn refused(checked: &Checked) -> Vec<String> {
    let refusals = policy::explain(&GateRules::default(), &checked.evidence, &[]);
    refusals.into_iter().map(|it| it.rule).collect()
}

#[test]
fn a_build_script_that_rewrites_a_source_is_refused_by_its_name() {
    let script = format!("std::fs::write(\"src/lib.rs\", {GOOD:?}).unwrap();");
    let kit = built_by(&script);
    let change = [("src/lib.rs", Some(BAD))];
    let control = where_files_are_writable(&kit, &change, &check());
    assert!(control.built, "{control:?}");
    let detail = "no error; what was compiled is not the change: the build writes `src/lib.rs`";
    let note = "the build writes into the source tree: `src/lib.rs`";
    for checked in [kit.prove(&change, &Ladder::default()), kit.baseline(&Ladder::default())] {
        assert!(!checked.passed(), "{}", rungs(&checked));
        let check = checked.evidence.rung(RungName::Check).unwrap();
        assert_eq!(check.detail, detail);
        assert_eq!(checked.evidence.notes, [note]);
        assert_eq!(checked.evidence.compiled, None);
        assert!(refused(&checked).contains(&"compiled".to_owned()));
    }
    // Nor is a later candidate, of another text, compiled with what was written before.
    let checked = kit.prove(&[("build.rs", Some("fn main() {}\n")), change[0]], &Ladder::default());
    assert_eq!(checked.errors(), 1, "{}", rungs(&checked));
    assert_eq!(checked.evidence.compiled, Some(checked.evidence.patch_set));
}

#[test]
fn a_build_script_that_tries_to_rewrite_a_source_changes_nothing() {
    let script = format!("let _ = std::fs::write(\"src/lib.rs\", {GOOD:?});");
    let kit = built_by(&script);
    let change = [("src/lib.rs", Some(BAD))];
    let control = where_files_are_writable(&kit, &change, &check());
    assert!(control.built, "{control:?}");
    let checked = kit.prove(&change, &Ladder::default());
    assert_eq!(checked.errors(), 1, "{}", rungs(&checked));
    assert_eq!(checked.evidence.compiled, Some(checked.evidence.patch_set));
    assert_eq!(checked.evidence.notes, [""; 0]);
    let good = kit.prove(&[("src/lib.rs", Some(&GOOD.replace('1', "2")))], &Ladder::default());
    assert!(good.passed(), "{}", rungs(&good));
    assert_eq!(refused(&good), [""; 0]);
}

#[test]
fn a_macro_that_rewrites_a_source_is_refused() {
    // A compiler may write the output of its own unit only, also where the view is writable.
    for unwrap in [".unwrap()", ".ok()"] {
        let fixture = "
//- /Cargo.toml
[workspace]
members = [\"a\", \"m\"]
resolver = \"3\"
//- /a/Cargo.toml
[package]
name = \"a\"
version = \"0.1.0\"
edition = \"2024\"
[dependencies]
m = { path = \"../m\" }
//- /a/src/lib.rs
m::go!();
//- /a/src/other.rs
TEXT
//- /m/Cargo.toml
[package]
name = \"m\"
version = \"0.1.0\"
edition = \"2024\"
[lib]
proc-macro = true
//- /m/src/lib.rs
#[proc_macro]
pub fn go(_: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let file = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../a/src/other.rs\");
    std::fs::write(file, QUOTED)UNWRAP;
    \"include!(\\\"other.rs\\\");\".parse().unwrap()
}
";
        let fixture = fixture
            .replace("TEXT", GOOD.trim_end())
            .replace("QUOTED", &format!("{GOOD:?}"))
            .replace("UNWRAP", unwrap);
        let kit = over(testkit::project(&fixture));
        let change = [("a/src/other.rs", Some(BAD))];
        let control = where_files_are_writable(&kit, &change, &check());
        assert!(control.built, "{control:?}");
        let checked = kit.prove(&change, &Ladder::default());
        assert!(rungs(&checked).contains("failed: 1 error"), "{}", rungs(&checked));
        assert!(refused(&checked).contains(&"compile".to_owned()));
    }
}

#[test]
fn a_test_that_rewrites_a_source_changes_no_documentation_test() {
    let text = |documented: &str, test: &str| {
        format!(
            "//! ```\n//! assert_eq!(a::one(), {documented});\n//! ```\n{GOOD}\n#[test]\nfn writes() \
             {{\n    let _ = std::fs::write(\"src/lib.rs\", {test});\n}}\n"
        )
    };
    let restored =
        format!("{:?}", format!("//! ```\n//! assert_eq!(a::one(), 1);\n//! ```\n{GOOD}"));
    let kit =
        over(testkit::project(&format!("{MANIFEST}//- /src/lib.rs\n{}", text("1", &restored))));
    let change = text("2", &restored);
    let change = [("src/lib.rs", Some(change.as_str()))];
    assert!(passes_with_plain_cargo(&kit, &text("2", &restored)), "the control");
    let ladder = Ladder { tests: Tests::All, ..Ladder::default() };
    let checked = kit.prove(&change, &ladder);
    assert!(!checked.passed(), "{}", rungs(&checked));
    let failed = &checked.evidence.tests.as_ref().unwrap().failed;
    assert!(failed.iter().all(|name| name.contains("::doc::")) && failed.len() == 1, "{failed:?}");
}

#[test]
fn a_build_that_generates_a_source_works_and_its_evidence_names_the_file() {
    let script = "std::fs::write(\"src/made.rs\", \"pub fn two() -> u32 { 2 }\\n\").unwrap();";
    let kit = built_by(script);
    if !kit.prover.env().sandbox.capabilities().overlay.works {
        return testkit::skip(
            testkit::Need::OverlayMounts,
            "a copy does not show what was replaced",
        );
    }
    kit.project.write("src/lib.rs", "mod made;\npub use made::two;\n");
    let note = "the build writes into the source tree: `src/made.rs`";
    let ladder = Ladder { tests: Tests::All, ..Ladder::default() };
    let change = [("src/lib.rs", Some("mod made;\npub use made::two as deux;\n"))];
    for checked in [kit.baseline(&ladder), kit.prove(&change, &ladder)] {
        assert!(checked.passed(), "{}", rungs(&checked));
        assert_eq!(checked.evidence.notes, [note]);
        assert_eq!(checked.evidence.compiled, Some(checked.evidence.patch_set));
        assert!(!refused(&checked).contains(&"compiled".to_owned()));
    }
    assert!(!kit.project.exists("src/made.rs"));
}

#[test]
fn a_build_that_configures_cargo_is_refused() {
    let script = "std::fs::create_dir_all(\".cargo\").unwrap();\n    \
                  std::fs::write(\".cargo/config.toml\", \"[build]\\nrustflags = []\\n\").unwrap();";
    let kit = built_by(script);
    let checked = kit.prove(&[("src/lib.rs", Some("pub fn x() {}\n"))], &Ladder::default());
    assert!(!checked.passed());
    assert!(rungs(&checked).contains("`.cargo/config.toml`"), "{}", rungs(&checked));
}

#[test]
fn a_lock_file_that_does_not_fit_is_fitted_before_anything_is_built() {
    let fixture = format!("{MANIFEST}//- /src/lib.rs\n{GOOD}");
    for strategy in [None, Some(repo::Strategy::Copy)] {
        let kit = over_with(testkit::project(&fixture), strategy);
        let raised = kit.project.read("Cargo.toml").replace("0.1.0", "0.2.0");
        let checked = kit.prove(&[("Cargo.toml", Some(&raised))], &Ladder::default());
        assert!(checked.passed(), "{}", rungs(&checked));
        assert_eq!(checked.evidence.compiled, Some(checked.evidence.patch_set));
        assert!(kit.project.read("Cargo.lock").contains("0.1.0"));
    }
}
