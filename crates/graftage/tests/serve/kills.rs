//! The server ends when its client does, whenever that is, and leaves nothing running or half-written.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::TempProject;

use crate::support::{Piped, command};

fn project() -> TempProject {
    let project = testkit::crate_project("\n//- /src/lib.rs\npub fn one() -> u32 { 1 }\n");
    project.git();
    project
}

pub(crate) fn ends_within(child: &mut std::process::Child, limit: Duration) -> bool {
    let started = Instant::now();
    while started.elapsed() < limit {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Processes whose command line or working directory is about the project.
fn processes_of(project: &TempProject) -> Vec<String> {
    let beside = project.root().parent().unwrap().display().to_string();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.bytes().all(|byte| byte.is_ascii_digit()) || name == std::process::id().to_string()
        {
            continue;
        }
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let folder = std::fs::read_link(entry.path().join("cwd")).unwrap_or_default();
        if line.contains(&beside) || folder.starts_with(&beside) {
            found.push(format!("{name}: {line}"));
        }
    }
    found
}

pub(crate) fn none_is_left(project: &TempProject) {
    let started = Instant::now();
    let mut left = processes_of(project);
    while !left.is_empty() && started.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(50));
        left = processes_of(project);
    }
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn a_closed_input_ends_the_server_within_a_second() {
    let project = project();
    let mut server = Piped::start(&project);
    server.request("tools/list", json!({}));
    drop(server.input.take());
    assert!(ends_within(&mut server.child, Duration::from_secs(1)), "idle");
    assert_eq!(server.message(), None);

    // What was sent before is answered.
    let mut server = Piped::start(&project);
    let id = server.ask("tools/list", json!({}));
    drop(server.input.take());
    assert_eq!(server.message().unwrap()["id"], json!(id));
    assert!(ends_within(&mut server.child, Duration::from_secs(1)), "after an answer");

    let mut server = Piped::start(&project);
    server.ask("tools/call", json!({"name": "check", "arguments": {}}));
    std::thread::sleep(Duration::from_millis(300));
    drop(server.input.take());
    assert!(ends_within(&mut server.child, Duration::from_secs(1)), "during a build");
    none_is_left(&project);
}

#[test]
fn a_cancelled_call_ends_and_the_server_answers_others() {
    let project = project();
    let mut server = Piped::start(&project);
    let id = server.ask("tools/call", json!({"name": "check", "arguments": {}}));
    std::thread::sleep(Duration::from_millis(200));
    let params = json!({"requestId": id, "reason": "test"});
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    let answer =
        server.request("tools/call", json!({"name": "search", "arguments": {"query": "one"}}));
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}

#[test]
fn progress_is_reported_where_it_is_asked_for() {
    let project = project();
    let mut server = Piped::start(&project);
    let meta = json!({"progressToken": "p"});
    let id = server.ask("tools/call", json!({"name": "check", "arguments": {}, "_meta": meta}));
    let mut reports = Vec::new();
    loop {
        let message = server.message().unwrap();
        if message["id"] == json!(id) {
            break;
        }
        assert_eq!(message["method"], "notifications/progress", "{message}");
        assert_eq!(message["params"]["progressToken"], "p", "{message}");
        reports.push(message["params"]["progress"].as_f64().unwrap());
    }
    assert!(!reports.is_empty() && reports.is_sorted_by(|a, b| a < b), "{reports:?}");
}

#[test]
fn the_http_server_ends_on_a_signal() {
    let project = project();
    let mut server =
        command(&project, &["--http"]).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("serving http://127.0.0.1:"));
    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert!(ends_within(&mut server, Duration::from_secs(3)));
}
