//! Attacks at the seams between graftage, a repository and an agent.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

use std::fs;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use testkit::TempProject;

use crate::support::graftage;

/// The time within which a pipe is refused; without the defence a command waits for its time limit.
const SOON: Duration = Duration::from_secs(60);

fn library() -> TempProject {
    testkit::crate_project("pub fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\n")
}

/// Writes a search and replace to a file beside the project.
fn request(project: &TempProject, old: &str, new: &str) -> String {
    let text = format!("src/lib.rs\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n");
    let file = project.beside("requests").join("edit");
    fs::write(&file, text).unwrap();
    file.display().to_string()
}

#[test]
fn a_pipe_that_cargo_or_git_would_read_is_refused() {
    let pipe = |project: &TempProject, name: &str| {
        let path = project.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&path);
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    };
    let began = Instant::now();
    let project = library();
    pipe(&project, ".cargo/config.toml");
    let result = graftage(&project, &["check"]);
    assert_eq!(result.status, 3, "{result:#?}");
    assert!(result.stderr.contains("config.toml`: it is not a regular file"), "{result:#?}");
    let project = library();
    project.git();
    pipe(&project, ".git/info/attributes");
    let result = graftage(&project, &["finish"]);
    assert_eq!(result.status, 3, "{result:#?}");
    assert!(result.stderr.contains("attributes`: it is not a regular file"), "{result:#?}");
    assert!(began.elapsed() < SOON);
}

#[test]
fn an_agent_reverts_no_change_of_a_person_and_reapplies_none() {
    let project = library();
    let file = request(&project, "    a + b", "    b + a");
    let applied = graftage(&project, &["edit", "apply", &file, "--tests", "none"]);
    assert_eq!(applied.status, 0, "{applied:#?}");
    let after = project.digest();
    let undone = graftage(&project, &["tools", "call", "undo", "{}"]);
    assert!(undone.status != 0 && undone.stderr.contains("a change of a person"), "{undone:#?}");
    assert_eq!(after.differences(&project.digest()), "");
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    let before = project.digest();
    let redone = graftage(&project, &["tools", "call", "undo", "{\"redo\": true}"]);
    assert!(redone.status != 0 && redone.stderr.contains("graftage redo"), "{redone:#?}");
    assert_eq!(before.differences(&project.digest()), "");
}

#[test]
fn a_time_of_a_project_is_limited() {
    let project = library();
    project.write("graftage.toml", "[check]\ntimeout_seconds = 9223372036854775807\n");
    let result = graftage(&project, &["check"]);
    assert_eq!(result.status, 2, "{result:#?}");
    assert!(result.stderr.contains("`check.timeout_seconds`"), "{result:#?}");
}
