use super::support::graftage;

#[test]
fn demo_repairs_its_crate_and_tells_how() {
    let project = testkit::TempProject::empty();
    let said = graftage(&project, &["demo", "--json"]);
    assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{said:#?}");
    let json = said.json();
    assert_eq!(json["outcome"], "applied");
    assert!(json["diff"].as_str().unwrap().contains("+use std::collections::BTreeMap;"), "{json}");
    assert!(!json["steps"].as_array().unwrap().is_empty());
}

#[test]
fn a_clean_tree_is_called_clean() {
    let project = testkit::copy_crate("clean");
    let before = project.digest();
    let said = graftage(&project, &["fix"]);
    assert_eq!(
        (said.status, said.stdout.as_str(), said.stderr.as_str()),
        (0, "clean: nothing to fix, cargo check finds no error\n", "")
    );
    assert_eq!(project.digest(), before);
}

#[test]
fn what_a_clean_tree_was_not_looked_at_for_is_named_and_a_flag_looks_there() {
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
    let said = graftage(&project, &["fix"]);
    assert_eq!(
        (said.status, said.stdout.as_str()),
        (
            0,
            "clean: nothing to fix, cargo check finds no error\n\
             not looked at: example `demo` of `fixture`; feature `extra` of `fixture`; \
             cfg(windows): src/lib.rs:5\n"
        ),
        "{said:#?}"
    );
    let said = graftage(&project, &["check", "--all-features", "--json"]);
    assert_eq!((said.status, said.json()["diagnostics"][0]["code"].as_str()), (1, Some("E0425")));
    assert_eq!(said.json()["coverage"]["configurations"][0], "--workspace --all-features");
    project.write("graftage.toml", "[check]\nconfigurations = [\"--all-features\"]\n");
    let said = graftage(&project, &["check", "--json"]);
    assert_eq!(said.status, 1, "the project asks for it: {said:#?}");
    project.write("graftage.toml", "[check]\nscope = \"-p fixture --lib\"\n");
    let said = graftage(&project, &["check"]);
    assert_eq!(said.status, 2, "a project may not narrow what is proven: {said:#?}");
}

#[test]
fn a_rule_of_preservation_is_allowed_by_its_exact_name() {
    let project = testkit::copy_crate("clean");
    let said = graftage(&project, &["edit", "apply", "-", "--allow", "preservation:tests"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("test-removed"), "{said:#?}");
    let said = graftage(&project, &["edit", "apply", "-", "--allow", "everything"]);
    assert!(said.stderr.contains("write it as `preservation:NAME`"), "{said:#?}");
}

#[test]
fn a_repair_is_shown_first_and_written_only_with_apply() {
    let project = testkit::copy_crate("demo");
    let before = project.digest();
    let said = graftage(&project, &["fix", "--json"]);
    assert_eq!((said.status, said.json()["outcome"].as_str()), (0, Some("proven")), "{said:#?}");
    assert_eq!(project.digest(), before);
    let said = graftage(&project, &["fix", "--apply", "--json"]);
    assert_eq!((said.status, said.json()["outcome"].as_str()), (0, Some("applied")), "{said:#?}");
    assert!(project.read("src/lib.rs").contains("is_empty()"));
    assert_eq!(said.json()["evidence"]["errors_after"], 0);
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    assert_eq!(project.digest(), before);
}

#[test]
fn a_committed_repair_is_exactly_one_commit_of_its_files() {
    let project = testkit::copy_crate("demo");
    let git = project.git();
    project.write("untracked.txt", "mine\n");
    let head = git.run(&["rev-parse", "HEAD"]);
    let said = graftage(&project, &["fix", "--apply", "--commit", "--json"]);
    assert_eq!((said.status, said.json()["outcome"].as_str()), (0, Some("applied")), "{said:#?}");
    assert_eq!(git.run(&["rev-parse", "HEAD~1"]), head);
    assert_eq!(git.run(&["diff", "--name-only", "HEAD~1", "HEAD"]).trim(), "src/lib.rs");
    assert_eq!(git.run(&["status", "--porcelain"]).trim(), "?? untracked.txt");
    let subject = git.run(&["log", "-1", "--format=%s"]);
    assert!(subject.starts_with("fix(lib): repair "), "{subject}");
    assert!(subject.trim().chars().count() <= 72, "{subject}");
}

#[test]
fn what_cannot_be_repaired_says_so_with_status_one() {
    let project =
        testkit::crate_project("pub fn f() -> Undefined {\n    nowhere::to_be_found()\n}\n");
    let before = project.digest();
    let said = graftage(&project, &["fix", "--json"]);
    assert_eq!(said.status, 1, "{said:#?}");
    assert_eq!(said.json()["outcome"], "none");
    assert!(said.json()["reason"].is_string());
    assert_eq!(project.digest(), before);
}
