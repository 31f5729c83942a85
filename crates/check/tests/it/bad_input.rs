//! What a user gets for input that is broken in a way that no compiler error covers.

use std::fs;

use base::Hint;
use expect_test::{Expect, expect};
use graftage_check::{Checked, Ladder, Tests};

use crate::kit::{host, kit, over, rungs};

fn baseline(fixture: &str) -> (Checked, String) {
    let kit = over(testkit::project(fixture));
    let before = kit.project.digest();
    let checked = kit.baseline(&Ladder::default());
    assert_eq!(before, kit.project.digest(), "the tree was written");
    let root = kit.project.root().display().to_string();
    let beside = kit.project.root().parent().unwrap().display().to_string();
    let text = checked
        .failure
        .clone()
        .unwrap_or_default()
        .replace(&root, "ROOT")
        .replace(&beside, "BESIDE");
    (checked, text)
}

/// The failure's text; the tree is untouched.
fn check(fixture: &str, expect: Expect) {
    let (checked, text) = baseline(fixture);
    assert!(!checked.passed());
    assert_eq!(checked.errors(), 1);
    expect.assert_eq(&text);
}

#[test]
fn an_unresolvable_manifest_is_an_answer_with_cargos_words() {
    check(
        "
//- /Cargo.toml
[package]
name = \"x\"
version = \"0.1.0\"
[dependencies]
gone = { path = \"../gone\" }
//- /src/lib.rs
",
        expect![[r#"
            error: failed to get `gone` as a dependency of package `x v0.1.0 (ROOT)`

            Caused by:
              failed to load source for dependency `gone`

            Caused by:
              unable to update BESIDE/gone

            Caused by:
              failed to read `BESIDE/gone/Cargo.toml`

            Caused by:
              No such file or directory (os error 2)"#]],
    );
    check(
        "
//- /Cargo.toml
[package
//- /src/lib.rs
",
        expect![[r#"
            error: unclosed table, expected `]`
             --> Cargo.toml:1:9
              |
            1 | [package
              |         ^"#]],
    );
}

#[test]
fn a_manifest_without_any_target_is_an_answer() {
    check(
        "
//- /Cargo.toml
[package]
name = \"x\"
version = \"0.1.0\"
",
        expect![[r#"
            error: failed to parse manifest at `ROOT/Cargo.toml`

            Caused by:
              no targets specified in the manifest
              either src/lib.rs, src/main.rs, a [lib] section, or [[bin]] section must be present"#]],
    );
}

#[test]
fn a_missing_lock_file_is_made_in_the_view_alone() {
    let kit = over(testkit::project(
        "
//- /Cargo.toml
[package]
name = \"x\"
version = \"0.1.0\"
edition = \"2024\"
//- /src/lib.rs
",
    ));
    let checked = kit.baseline(&Ladder::default());
    assert!(checked.passed(), "{}", rungs(&checked));
    assert!(!kit.project.exists("Cargo.lock"));
}

#[test]
fn an_empty_crate_passes_and_has_no_tests() {
    let kit = kit("\n//- /src/lib.rs\n");
    let checked = kit.baseline(&Ladder { tests: Tests::All, ..Ladder::default() });
    assert!(checked.passed(), "{}", rungs(&checked));
    assert_eq!(checked.tests.unwrap().passed, Vec::<String>::new());
}

#[test]
fn a_source_that_is_no_text_is_an_error_of_the_compiler() {
    let kit = kit("\n//- /src/lib.rs\nmod m;\n");
    fs::write(kit.project.path("src/m.rs"), b"pub fn \xff() {}").unwrap();
    let checked = kit.baseline(&Ladder::default());
    let reported: Vec<_> = checked.diagnostics.iter().map(|it| it.message.as_str()).collect();
    expect![[r#"
        [
            "couldn't read `src/m.rs`: stream did not contain valid UTF-8",
        ]
    "#]]
    .assert_debug_eq(&reported);
}

#[test]
fn modules_in_a_circle_are_an_error_of_the_compiler() {
    let kit = kit(
        "\n//- /src/lib.rs\n#[path = \"a.rs\"]\nmod a;\n//- /src/a.rs\n#[path = \"a.rs\"]\nmod a;\n",
    );
    let checked = kit.baseline(&Ladder::default());
    let reported: Vec<_> = checked.diagnostics.iter().map(|it| it.message.as_str()).collect();
    expect![[r#"
        [
            "circular modules: src/a.rs -> src/a.rs",
        ]
    "#]]
    .assert_debug_eq(&reported);
}

#[test]
fn a_missing_toolchain_is_named_with_a_hint() {
    let project = testkit::crate_project(
        "\n//- /src/lib.rs\n//- /rust-toolchain.toml\n[toolchain]\nchannel = \"1.2.3\"\n",
    );
    let ctx = testkit::ctx();
    let (sandbox, require) = (testkit::inner::sandbox(), sandbox::Level::Standard);
    let trust = build::Trust::default();
    let error = build::locate_toolchain(&ctx, &sandbox, &host(), project.root(), &trust, require)
        .unwrap_err();
    expect!["toolchain `1.2.3` is not installed, but `rust-toolchain.toml` asks for it"]
        .assert_eq(&error.to_string());
    expect!["run `rustup toolchain install 1.2.3`; graftage never installs one. To use another: `RUSTUP_TOOLCHAIN=NAME graftage …` (the order is `RUSTUP_TOOLCHAIN`, directory overrides, toolchain files, rustup's default)"]
        .assert_eq(&error.hint().unwrap());
}

#[test]
fn a_dependency_that_is_not_there_offline_is_reported_and_nothing_is_fetched() {
    let (checked, text) = baseline(
        "
//- /Cargo.toml
[package]
name = \"x\"
version = \"0.1.0\"
edition = \"2024\"
[dependencies]
a-crate-that-was-never-published-for-graftage = \"1\"
//- /src/lib.rs
",
    );
    assert!(!checked.passed());
    assert!(text.contains("a-crate-that-was-never-published-for-graftage"), "{text}");
}
