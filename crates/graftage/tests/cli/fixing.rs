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
        (0, "clean: nothing to mend, cargo check finds no error\n", "")
    );
    assert_eq!(project.digest(), before);
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
