//! Texts that agents and other tools obey and that are no files of the tree: what they name is protected.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

use std::os::unix::fs::symlink;

use testkit::TempProject;

use crate::support::graftage;

const OLD: &str = "Be careful.\n";
const OLD_CODE: &str = "// Nothing.\n";

fn with_text(folder: &str) -> TempProject {
    let manifest = "[package]\nname = \"fixture\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let source = format!("{folder}src/lib.rs\npub fn add() {{}}\n");
    let project = testkit::project(&format!("//- /{folder}Cargo.toml\n{manifest}\n//- /{source}"));
    let project = if folder.is_empty() { project } else { project.rooted_at(folder) };
    project.write("docs/rules.md", OLD);
    project
}

/// Whether the gate refuses an edit of `docs/rules.md`; `by` is in its reason.
fn is_refused(project: &TempProject, by: &str) {
    is_refused_in(project, ("docs/rules.md", OLD), by);
}

fn is_refused_in(project: &TempProject, (file, old): (&str, &str), why: &str) {
    let result =
        graftage(project, &["edit", "apply", &edit(project, file, old), "--tests", "none"]);
    assert!(result.status == 1 && result.stdout.contains(why), "{why}: {result:#?}");
    assert_eq!(project.read(file), old);
}

/// The path of an edit that replaces the text of a file.
fn edit(project: &TempProject, file: &str, old: &str) -> String {
    let text = format!("{file}\n<<<<<<< SEARCH\n{old}=======\n// Do it.\n>>>>>>> REPLACE\n");
    let request = project.beside("requests").join("edit");
    std::fs::write(&request, text).unwrap();
    request.display().to_string()
}

#[test]
fn rules_that_git_ignores() {
    let project = with_text("");
    project.write(".gitignore", "CLAUDE.local.md\n.claude\n");
    project.git().commit_all("base");
    project.write("CLAUDE.local.md", "See @docs/rules.md\n");
    is_refused(&project, "`CLAUDE.local.md`");
    project.remove("CLAUDE.local.md");
    std::fs::create_dir_all(project.path(".claude/commands")).unwrap();
    symlink("../../docs/rules.md", project.path(".claude/commands/x.md")).unwrap();
    is_refused(&project, "`.claude/commands/x.md`");
}

#[test]
fn checkouts_among_the_rules_are_not_walked() {
    let project = with_text("");
    project.write(".gitignore", ".claude\n");
    project.git();
    project.write(".claude/worktrees/w/.git", "gitdir: elsewhere\n");
    for nth in 0..5_100 {
        project.write(&format!(".claude/worktrees/w/notes/{nth}.md"), "");
    }
    let result = graftage(&project, &["edit", "apply", &edit(&project, "docs/rules.md", OLD)]);
    assert_eq!(result.status, 0, "{result:#?}");
}

#[test]
fn rules_above_the_project_in_its_repository() {
    let project = with_text("p/");
    let above = project.path("..");
    let git = testkit::TestGit::init(&above);
    let write = |path: &str, text: &str| {
        let path = above.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        git.commit_all("more");
    };
    write("AGENTS.md", "Rules: [here](p/docs/rules.md)\n");
    is_refused(&project, "`../AGENTS.md`");
    std::fs::remove_file(above.join("AGENTS.md")).unwrap();
    write(
        ".github/workflows/x.yml",
        "jobs:\n  a:\n    steps:\n      - run: bash p/docs/rules.md\n",
    );
    is_refused(&project, "`../.github/workflows/x.yml`");
    std::fs::remove_dir_all(above.join(".github")).unwrap();
    symlink("p/docs/rules.md", above.join("AGENTS.md")).unwrap();
    is_refused(&project, "AGENTS.md`");
    // What no rule names is free.
    std::fs::remove_file(above.join("AGENTS.md")).unwrap();
    let result = graftage(&project, &["edit", "apply", &edit(&project, "docs/rules.md", OLD)]);
    assert_eq!(result.status, 0, "{result:#?}");
}

#[test]
fn what_cargo_runs_and_obeys_outside_the_tree() {
    let project = with_text("p/");
    let above = project.path("..");
    project.write("src/steps.rs", OLD_CODE);
    let is_refused = |why: &str| is_refused_in(&project, ("src/steps.rs", OLD_CODE), why);
    project.write(".gitignore", "build.rs\n.cargo\n");
    project.git();
    project.write("build.rs", "include!(\"src/steps.rs\");\nfn main() {}\n");
    is_refused("part of a build script");
    project.remove("build.rs");
    project.write(".cargo/config.toml", "include = [\"../src/steps.rs\"]\n");
    is_refused("included by a configuration");
    project.remove(".cargo/config.toml");
    std::fs::create_dir_all(above.join(".cargo")).unwrap();
    let include = "include = [\"../p/src/steps.rs\"]\n";
    std::fs::write(above.join(".cargo/config.toml"), include).unwrap();
    is_refused("included by a configuration");
}

#[test]
fn manual_pages_are_written_through_no_link() {
    let project = with_text("");
    let victim = project.beside("requests").join("keys");
    std::fs::write(&victim, "mine").unwrap();
    std::fs::create_dir_all(project.path("man")).unwrap();
    symlink(&victim, project.path("man/graftage.1")).unwrap();
    assert_eq!(graftage(&project, &["man", "--out", "man"]).status, 0);
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine");
    assert!(
        project.read("man/graftage.1").starts_with(".TH"),
        "{}",
        project.read("man/graftage.1")
    );
    symlink(victim.parent().unwrap(), project.path("out")).unwrap();
    let result = graftage(&project, &["man", "--out", "out"]);
    assert!(result.status == 2 && result.stderr.contains("hint"), "{result:#?}");
}
