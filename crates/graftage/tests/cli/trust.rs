//! Directories outside the project are refused until `--trust-path` allows and stores them.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

use crate::support::{RunResult, graftage};
use testkit::TempProject;

/// A project with a path dependency on its sibling directory `lib`.
fn with_path_dependency() -> TempProject {
    let project = testkit::crate_project("pub fn f() -> u8 {\n    lib::one()\n}\n");
    project.write(
        "Cargo.toml",
        "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nlib = { \
         path = \"../lib\" }\n",
    );
    let lib = project.beside("lib");
    std::fs::create_dir_all(lib.join("src")).unwrap();
    let manifest = "[package]\nname = \"lib\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    std::fs::write(lib.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(lib.join("src/lib.rs"), "pub fn one() -> u8 {\n    1\n}\n").unwrap();
    project
}

/// The path of a sibling of the project; not created.
fn sibling(project: &TempProject, name: &str) -> std::path::PathBuf {
    project.root().with_file_name(name)
}

const REFUSED: &str = "error: the project reads folders outside of it that are not trusted: \
                       `BESIDE/lib` (named by `DIR/Cargo.toml`)\n  hint: check what they contain, \
                       then allow each once with `--trust-path BESIDE/lib`; builds can read all of \
                       a trusted folder\n";

fn refused(result: &RunResult) -> bool {
    result.status == 3 && result.stderr == REFUSED
}

#[test]
fn a_path_dependency_outside_is_refused_by_name_until_it_is_trusted_once() {
    let project = with_path_dependency();
    let result = graftage(&project, &["check"]);
    assert!(refused(&result), "{result:#?}");
    assert!(!sibling(&project, "graftage/config/config.toml").exists());
    let result = graftage(&project, &["check", "--trust-path", "../lib"]);
    assert_eq!(result.status, 0, "{result:#?}");
    let result = graftage(&project, &["check"]);
    assert_eq!(result.status, 0, "remembered: {result:#?}");
    let config = std::fs::read_to_string(sibling(&project, "graftage/config/config.toml")).unwrap();
    let lib = sibling(&project, "lib").canonicalize().unwrap();
    assert_eq!(config, format!("[trust]\npaths = [\"{}\"]\n", lib.display()));
}

#[test]
fn a_project_cannot_trust_its_own_dependencies() {
    let project = with_path_dependency();
    let lib = sibling(&project, "lib").canonicalize().unwrap();
    project.write("graftage.toml", format!("trust.paths = [\"{}\"]\n", lib.display()));
    let result = graftage(&project, &["check"]);
    assert_eq!(result.status, 2);
    assert!(result.stderr.contains("may not loosen `trust.paths`"), "{result:#?}");
}

#[test]
fn an_index_covers_the_project_and_reports_omitted_directories() {
    let project = with_path_dependency();
    let result = graftage(&project, &["index", "--json"]);
    assert_eq!(result.status, 0, "{result:#?}");
    let text = "`BESIDE/lib` is outside the project and not trusted, so it was left out \
                (`DIR/Cargo.toml` names it); `--trust-path BESIDE/lib` allows it";
    assert!(result.stdout.contains(text), "{result:#?}");
}

#[test]
fn a_toolchain_of_the_project_never_runs() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = testkit::crate_project("pub fn f() {}\n");
    project.write("rust-toolchain.toml", "[toolchain]\npath = \"tc\"\n");
    let ran = sibling(&project, "ran");
    for program in ["cargo", "rustc"] {
        let script = format!(
            "#!/bin/sh\necho ran > {}\necho 'rustc 1.95.0'\necho 'error: failed to download' >&2\n\
             exit 101\n",
            ran.display()
        );
        project.write(&format!("tc/bin/{program}"), &script);
        let path = project.root().join("tc/bin").join(program);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for args in [&["check"][..], &["check", "--allow-unsandboxed"], &["doctor"], &["index"]] {
        let mut command = super::support::command(&project, args);
        // The user's own choice would come before that of the project.
        let output = command.env_remove("RUSTUP_TOOLCHAIN").output().unwrap();
        let result = super::support::shown(&project, &output);
        let text = "chooses the toolchain `DIR/tc`, which is inside the project";
        let shown = result.stdout.contains(text) || result.stderr.contains(text);
        assert!(shown || args == ["index"], "{args:?}: {result:#?}");
        assert!(!ran.exists(), "{args:?} ran a program of the project");
    }
    // The control: the program leaves its trace when it runs.
    let control = std::process::Command::new(project.root().join("tc/bin/cargo")).output().unwrap();
    assert_eq!(control.status.code(), Some(101));
    assert!(ran.exists());
}
