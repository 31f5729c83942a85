//! Migrations to another edition.

use super::support::graftage;

fn project(edition: &str, source: &str) -> testkit::TempProject {
    let project = testkit::crate_project(&format!("\n//- /src/lib.rs\n{source}"));
    let manifest = project.read("Cargo.toml").replace("2024", edition);
    project.write("Cargo.toml", manifest);
    project
}

/// `r#gen` and `unsafe extern` come from lints of 2024, `dyn` from one of 2021.
const CERTAIN: &str = r#"#![deny(warnings)]

extern "C" {
    fn abs(n: i32) -> i32;
}

pub fn gen(n: i32) -> i32 {
    // SAFETY: `abs` takes each number but the least.
    unsafe { abs(n.max(-9)) }
}

#[test]
fn a_sign_is_dropped() {
    assert_eq!(gen(-3), 3);
}
"#;

/// The temporary of the last expression is dropped before the local with the next edition.
const UNCERTAIN: &str = r#"use std::cell::Cell;

pub struct Guard<'a>(&'a Cell<u32>, u32);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

impl Guard<'_> {
    fn value(&self) -> u32 {
        self.1
    }
}

pub fn last_dropped(cell: &Cell<u32>) -> u32 {
    let _local = Guard(cell, 1);
    Guard(cell, 2).value()
}

#[test]
fn a_value_is_read() {
    assert_eq!(last_dropped(&Cell::new(0)), 2);
}
"#;

/// An attribute with a new form.
const REWRITTEN: &str = r#"#[no_mangle]
pub extern "C" fn twice(n: i32) -> i32 {
    n * 2
}

#[test]
fn one_is_two() {
    assert_eq!(twice(1), 2);
}
"#;

#[test]
fn edits_of_the_lints_and_the_manifest_are_applied_as_one_change() {
    let project = project("2021", CERTAIN);
    let before = (project.read("src/lib.rs"), project.read("Cargo.toml"));
    let dry = graftage(&project, &["upgrade", "--edition", "2024"]);
    assert_eq!((project.read("src/lib.rs"), project.read("Cargo.toml")), before, "{dry:#?}");
    let applied = graftage(&project, &["upgrade", "--edition", "2024", "--apply"]);
    assert_eq!(applied.status, 0, "{applied:#?}");
    let after = project.read("src/lib.rs");
    assert!(after.contains("unsafe extern \"C\" {"), "{after}");
    assert!(
        after.contains("pub fn r#gen(n: i32)") && after.contains("assert_eq!(r#gen("),
        "{after}"
    );
    assert!(after.starts_with("#![deny(warnings)]\n"), "{after}");
    assert!(project.read("Cargo.toml").contains("edition = \"2024\""));
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    assert_eq!((project.read("src/lib.rs"), project.read("Cargo.toml")), before);
}

#[test]
fn edits_of_the_compiler_pass_the_preservation_rule() {
    let project = project("2021", REWRITTEN);
    let applied = graftage(&project, &["upgrade", "--edition", "2024", "--apply", "--json"]);
    assert_eq!(applied.status, 0, "{applied:#?}");
    let after = project.read("src/lib.rs");
    assert!(after.contains("#[unsafe(no_mangle)]"), "{after}");
}

#[test]
fn what_a_lint_only_warns_about_is_a_draft_until_accepted() {
    let project = project("2021", UNCERTAIN);
    let before = project.read("Cargo.toml");
    let draft = graftage(&project, &["upgrade", "--edition", "2024", "--apply", "--json"]);
    assert_eq!(draft.json()["outcome"], "draft", "{draft:#?}");
    let notes = draft.json()["notes"].to_string();
    assert!(notes.contains("src/lib.rs:") && notes.contains("tail_expr_drop_order"), "{notes}");
    assert_eq!(project.read("Cargo.toml"), before);
    let accepted =
        graftage(&project, &["upgrade", "--edition", "2024", "--accept-warnings", "--apply"]);
    assert_eq!(accepted.status, 0, "{accepted:#?}");
    assert!(project.read("Cargo.toml").contains("edition = \"2024\""));
}

#[test]
fn an_edition_that_is_unknown_or_there_is_refused() {
    let project = project("2021", "pub fn one() -> u32 {\n    1\n}\n");
    let unknown = graftage(&project, &["upgrade", "--edition", "2022"]);
    assert_ne!(unknown.status, 0, "{unknown:#?}");
    assert!(unknown.stderr.contains("no lints that prepare for it"), "{unknown:#?}");
    let there = graftage(&project, &["upgrade", "--edition", "2021"]);
    assert_ne!(there.status, 0, "{there:#?}");
    assert!(there.stderr.contains("every package has it"), "{there:#?}");
}

#[test]
fn a_package_that_supports_an_older_rust_is_refused() {
    let project = project("2021", "pub fn one() -> u32 {\n    1\n}\n");
    let manifest = project.read("Cargo.toml");
    project.write("Cargo.toml", format!("{manifest}rust-version = \"1.63\"\n"));
    let result = graftage(&project, &["upgrade", "--edition", "2024"]);
    assert_ne!(result.status, 0, "{result:#?}");
    assert!(result.stderr.contains("needs 1.85: raise that first"), "{result:#?}");
}
