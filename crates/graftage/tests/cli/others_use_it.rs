//! Packages that use a file of another one: their tests run for a change of it, whatever way the use takes.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

use std::os::unix::fs::symlink;

use testkit::TempProject;

use crate::support::{RunResult, graftage};

/// A workspace of `a` and `b`, whose test needs that `value` is 1.
fn workspace(manifest: &str, manifest_of_b: &str, files: &[(&str, &str)]) -> TempProject {
    let project = testkit::project(&format!("//- /Cargo.toml\n{manifest}\n"));
    let package = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
    };
    project.write("a/Cargo.toml", package("a"));
    project.write("a/src/lib.rs", "pub fn own() {}\n");
    project.write("b/Cargo.toml", format!("{}{manifest_of_b}", package("b")));
    for (path, text) in files {
        project.write(path, *text);
    }
    project
}

/// Applies a change of one word in one file.
fn applied(project: &TempProject, file: &str, old: &str, new: &str) -> RunResult {
    let text = format!("{file}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n");
    let request = project.beside("requests").join("edit");
    std::fs::write(&request, text).unwrap();
    graftage(
        project,
        &[
            "edit",
            "apply",
            &request.display().to_string(),
            "--allow",
            &format!("protected-file:{file}"),
        ],
    )
}

fn is_refused_for_b(result: &RunResult) {
    let text = format!("{}{}", result.stdout, result.stderr);
    assert!(result.status == 1 && text.contains("`b::t`"), "{result:#?}");
}

const MEMBERS: &str = "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"2\"";
const TESTED: &str =
    "pub fn value() -> u32 {\n    1\n}\n#[test]\nfn t() {\n    assert_eq!(value(), 1);\n}\n";

#[test]
fn a_target_that_a_manifest_puts_elsewhere() {
    let root =
        format!("{MEMBERS}\n[package]\nname = \"root\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let outer = "[lib]\npath = \"../common/b.rs\"\n";
    let project = workspace(&root, outer, &[("src/lib.rs", ""), ("common/b.rs", TESTED)]);
    is_refused_for_b(&applied(&project, "common/b.rs", "    1", "    2"));
}

#[test]
fn a_source_that_is_a_link() {
    let project = workspace(MEMBERS, "", &[("a/src/shared.rs", TESTED)]);
    std::fs::create_dir_all(project.path("b/src")).unwrap();
    symlink("../../a/src/shared.rs", project.path("b/src/lib.rs")).unwrap();
    is_refused_for_b(&applied(&project, "a/src/shared.rs", "    1", "    2"));
}

#[test]
fn a_path_that_only_the_build_computes() {
    // The words of the source lead nowhere: the check compiles `b` anew, and so its tests run.
    let source = "pub const TEXT: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/.\", \"./a/v.txt\"));\n\
                  #[test]\nfn t() {\n    assert_eq!(TEXT, \"1\\n\");\n}\n";
    let project = workspace(MEMBERS, "", &[("a/v.txt", "1\n"), ("b/src/lib.rs", source)]);
    is_refused_for_b(&applied(&project, "a/v.txt", "1", "2"));
}

#[test]
fn the_manifest_of_the_workspace() {
    let root = format!(
        "{MEMBERS}\n[package]\nname = \"root\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
         [workspace.dependencies]\na = {{ path = \"a\", features = [] }}\n"
    );
    let own = "pub fn value() -> u32 {\n    if cfg!(feature = \"f\") { 2 } else { 1 }\n}\n";
    let tested = "#[test]\nfn t() {\n    assert_eq!(a::value(), 1);\n}\n";
    let files = [("src/lib.rs", ""), ("a/src/lib.rs", own), ("b/src/lib.rs", tested)];
    let project = workspace(&root, "[dependencies]\na.workspace = true\n", &files);
    let manifest = std::fs::read_to_string(project.path("a/Cargo.toml")).unwrap();
    project.write("a/Cargo.toml", format!("{manifest}[features]\nf = []\n"));
    let (old, new) = ("features = []", "features = [\"f\"]");
    let line = |it: &str| format!("a = {{ path = \"a\", {it} }}");
    is_refused_for_b(&applied(&project, "Cargo.toml", &line(old), &line(new)));
}

#[test]
fn an_example_that_has_the_line_of_another_one() {
    let example = |of: &str, value: u32, wanted: u32| {
        format!(
            "impl {of} for S {{\n    /// ```\n    /// use fixture::*;\n    /// assert_eq!({of}::f(&S), {wanted});\n    \
             /// ```\n    fn f(&self) -> u32 {{\n        {value}\n    }}\n}}\n"
        )
    };
    let text = |blank: &str, first: u32, second: u32| {
        format!(
            "pub struct S;\npub trait A {{\n    fn f(&self) -> u32;\n}}\npub trait B {{\n    fn f(&self) -> u32;\n}}\n{blank}{}{}",
            example("A", first, 1),
            example("B", second, 1)
        )
    };
    // The example of `A` fails before the change, that of `B` after it, on the line that the first one had.
    let length = example("A", 1, 1).lines().count();
    let project = testkit::crate_project(&text(&"\n".repeat(length), 2, 1));
    let git = project.git();
    let before = project.read("src/lib.rs");
    project.write("src/lib.rs", text("", 1, 2));
    let request = project.beside("requests").join("diff");
    std::fs::write(&request, git.run(&["diff"]) + "\n").unwrap();
    project.write("src/lib.rs", &before);
    let request = request.display().to_string();
    let result = graftage(&project, &["edit", "apply", &request, "--tests", "all"]);
    assert!(result.status == 1 && result.stdout.contains("passed before"), "{result:#?}");
    assert_eq!(project.read("src/lib.rs"), before);
}
