use super::support::graftage;

#[test]
fn demo_repairs_its_crate_and_lists_its_steps() {
    let project = testkit::TempProject::empty();
    let result = graftage(&project, &["demo", "--json"]);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{result:#?}");
    let json = result.json();
    assert_eq!(json["outcome"], "applied");
    assert!(json["diff"].as_str().unwrap().contains("+use std::collections::BTreeMap;"), "{json}");
    assert!(!json["steps"].as_array().unwrap().is_empty());
}

#[test]
fn a_clean_tree_is_reported_as_clean() {
    let project = testkit::copy_crate("clean");
    let before = project.digest();
    let result = graftage(&project, &["fix"]);
    assert_eq!(
        (result.status, result.stdout.as_str(), result.stderr.as_str()),
        (
            0,
            "clean: nothing to fix, cargo check finds no error\n",
            "  checking the tree as it is\n"
        )
    );
    assert_eq!(project.digest(), before);
}

#[test]
fn unchecked_parts_of_a_clean_tree_are_listed_and_flags_check_them() {
    let project = testkit::crate_project(
        "
//- /Cargo.toml
[package]
name = \"fixture\"
version = \"0.1.0\"
edition = \"2021\"
[features]
extra = []
//- /src/lib.rs
#[cfg(feature = \"extra\")]
pub fn broken() -> u8 {
    nowhere()
}
#[cfg(windows)]
pub fn elsewhere() {}
//- /examples/demo.rs
fn main() {}
",
    );
    let result = graftage(&project, &["fix"]);
    assert_eq!(
        (result.status, result.stdout.as_str()),
        (
            0,
            "clean: nothing to fix, cargo check finds no error\n\
             not checked: feature `extra` of `fixture`; cfg(windows): src/lib.rs:5\n"
        ),
        "{result:#?}"
    );
    let result = graftage(&project, &["check", "--all-features", "--json"]);
    assert_eq!(
        (result.status, result.json()["diagnostics"][0]["code"].as_str()),
        (1, Some("E0425"))
    );
    assert_eq!(result.json()["coverage"]["configurations"][0], "--workspace --all-features");
    project.write("graftage.toml", "[check]\nconfigurations = [\"--all-features\"]\n");
    let result = graftage(&project, &["check", "--json"]);
    assert_eq!(result.status, 1, "the project asks for it: {result:#?}");
    project.write("graftage.toml", "[check]\nscope = \"-p fixture --lib\"\n");
    let result = graftage(&project, &["check"]);
    assert_eq!(result.status, 2, "a project may not narrow the scope of checks: {result:#?}");
}

#[test]
fn a_preservation_rule_is_allowed_by_its_exact_name() {
    let project = testkit::copy_crate("clean");
    let result = graftage(&project, &["edit", "apply", "-", "--allow", "preservation:tests"]);
    assert_eq!(result.status, 2);
    assert!(result.stderr.contains("test-removed"), "{result:#?}");
    let result = graftage(&project, &["edit", "apply", "-", "--allow", "everything"]);
    assert!(result.stderr.contains("use `preservation:NAME`"), "{result:#?}");
    let result = graftage(&project, &["edit", "apply", "-", "--allow", "protected-file:../x"]);
    assert!(result.stderr.contains("`..` part"), "{result:#?}");
}

#[test]
fn a_repair_is_shown_first_and_written_only_with_apply() {
    let project = testkit::copy_crate("demo");
    let before = project.digest();
    let result = graftage(&project, &["fix", "--json"]);
    assert_eq!(
        (result.status, result.json()["outcome"].as_str()),
        (0, Some("proven")),
        "{result:#?}"
    );
    assert_eq!(project.digest(), before);
    let result = graftage(&project, &["fix", "--apply", "--json"]);
    assert_eq!(
        (result.status, result.json()["outcome"].as_str()),
        (0, Some("applied")),
        "{result:#?}"
    );
    assert!(project.read("src/lib.rs").contains("is_empty()"));
    assert_eq!(result.json()["evidence"]["errors_after"], 0);
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    assert_eq!(project.digest(), before);
}

#[test]
fn a_committed_repair_is_exactly_one_commit_of_its_files() {
    let project = testkit::copy_crate("demo");
    let git = project.git();
    project.write("untracked.txt", "mine\n");
    let head = git.run(&["rev-parse", "HEAD"]);
    let result = graftage(&project, &["fix", "--apply", "--commit", "--json"]);
    assert_eq!(
        (result.status, result.json()["outcome"].as_str()),
        (0, Some("applied")),
        "{result:#?}"
    );
    assert_eq!(git.run(&["rev-parse", "HEAD~1"]), head);
    assert_eq!(git.run(&["diff", "--name-only", "HEAD~1", "HEAD"]).trim(), "src/lib.rs");
    assert_eq!(git.run(&["status", "--porcelain"]).trim(), "?? untracked.txt");
    let subject = git.run(&["log", "-1", "--format=%s"]);
    assert!(subject.starts_with("fix(lib): repair "), "{subject}");
    assert!(subject.trim().chars().count() <= 72, "{subject}");
}

#[test]
fn a_failed_repair_has_a_reason_and_status_one() {
    let project =
        testkit::crate_project("pub fn f() -> Undefined {\n    nowhere::to_be_found()\n}\n");
    let before = project.digest();
    let result = graftage(&project, &["fix", "--json"]);
    assert_eq!(result.status, 1, "{result:#?}");
    assert_eq!(result.json()["outcome"], "none");
    assert!(result.json()["reason"].is_string());
    assert_eq!(project.digest(), before);
}

#[test]
fn errors_of_a_program_that_appear_once_its_library_builds_are_repaired_too() {
    let project = testkit::project(
        "\
//- /Cargo.toml
[package]
name = \"fixture\"
version = \"0.1.0\"
edition = \"2021\"
[workspace]
//- /src/lib.rs
pub struct Mode {
    pub speed: u8,
}
pub struct Canvas(pub u8);
pub fn speed(mode: &Mode) -> u8 {
    mode.sped
}
//- /src/main.rs
use fixture::{Mode, speed};

fn main() {
    let canvas = Canvas(1);
    let mode = Mode { speed: 2 };
    println!(\"{} {}\", canvas.0, sped(&mode));
}
",
    );
    project.git().commit_all("base");
    let json = graftage(&project, &["fix", "--apply", "--json"]).json();
    assert_eq!(json["outcome"], "applied", "{json:#}");
    let main = project.read("src/main.rs");
    assert!(main.contains("Canvas") && main.contains("speed(&mode)"), "{main}");
}
