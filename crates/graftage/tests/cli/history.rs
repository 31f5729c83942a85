//! Repairs that a past commit has made elsewhere.

use super::support::graftage;

/// `width` took one argument before.
const BEFORE: &str = "
//- /src/lib.rs
pub mod a;
pub mod b;
pub mod c;

pub struct Unit(pub usize);

impl Unit {
    pub fn columns(&self) -> usize {
        self.0
    }
}

pub fn width(text: &str) -> usize {
    text.len()
}
//- /src/a.rs
pub fn first(unit: &crate::Unit, text: &str) -> usize {
    unit.columns() + crate::width(text)
}
//- /src/b.rs
pub fn second(unit: &crate::Unit, text: &str) -> usize {
    crate::width(text) + 1 + unit.columns()
}
//- /src/c.rs
pub fn third() -> usize {
    3
}
";

/// What the last commit made of the calls.
fn renamed(project: &testkit::TempProject, name: &str) {
    for file in ["src/a.rs", "src/b.rs", "src/lib.rs"] {
        let text = project.read(file).replace("crate::width(", &format!("crate::{name}("));
        project.write(file, text.replace("fn width(", &format!("fn {name}(")));
    }
}

#[test]
fn a_name_that_the_last_commit_replaced_is_replaced_in_old_code() {
    let project = testkit::crate_project(BEFORE);
    project.write(".gitignore", "target\n");
    let git = testkit::TestGit::init(project.root());
    git.commit_all("start");
    renamed(&project, "measured_columns_of");
    git.commit_all("measure columns");
    // Code from before the commit, as of another branch.
    project
        .write("src/c.rs", "pub fn third(text: &str) -> usize {\n    crate::width(text) * 3\n}\n");
    let result = graftage(&project, &["fix", "--json"]);
    let report = result.json();
    assert_eq!(report["outcome"], "proven", "{result:#?}");
    let diff = report["diff"].as_str().unwrap_or_default();
    assert!(diff.contains("+    crate::measured_columns_of(text) * 3"), "{diff}");
    let why = report["rationale"].to_string();
    assert!(why.contains("by commit") && why.contains("measure columns"), "{why}");
}

#[test]
fn a_history_that_contradicts_itself_teaches_nothing() {
    let project = testkit::crate_project(BEFORE);
    project.write(".gitignore", "target\n");
    let git = testkit::TestGit::init(project.root());
    git.commit_all("start");
    renamed(&project, "measured_columns_of");
    git.commit_all("measure columns");
    renamed(&project, "width");
    for file in ["src/a.rs", "src/b.rs", "src/lib.rs"] {
        let text = project.read(file).replace("measured_columns_of", "width");
        project.write(file, text);
    }
    git.commit_all("call it width again");
    project.write(
        "src/c.rs",
        "pub fn third(text: &str) -> usize {\n    crate::measured_columns_of(text) * 3\n}\n",
    );
    let result = graftage(&project, &["fix", "--json"]);
    let why = result.json()["rationale"].to_string();
    assert!(!why.contains("measure columns"), "{result:#?}");
}
