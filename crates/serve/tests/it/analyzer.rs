//! The live rust-analyzer of a server outlives the call that started it.

use std::time::{Duration, Instant};

use project::Settings;
use serde_json::{Value, json};

use crate::support::{Client, Era, serve_as};

/// The processes of rust-analyzer for this project.
fn analyzers(root: &str) -> Vec<u32> {
    let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse::<u32>().ok();
    let pids = std::fs::read_dir("/proc").unwrap().flatten().filter_map(number);
    let is_it = |pid: &u32| {
        let command = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let folder = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
        command.contains("rust-analyzer") && folder.starts_with(root)
    };
    let mut found: Vec<u32> = pids.filter(is_it).collect();
    found.sort_unstable();
    found
}

#[test]
fn the_live_rust_analyzer_outlives_the_call_that_started_it() {
    let project = testkit::crate_project("\n//- /src/lib.rs\npub fn one() -> u32 { 1 }\n");
    let root = project.root().parent().unwrap().canonicalize().unwrap();
    let root = root.to_str().unwrap();
    let mut settings = Settings::default();
    settings.analyzer.live = true;
    let server = serve_as(&project, &settings);
    let check = |value: &str| -> Value {
        let mut client = Client::connect(&server, Era::Handshake, json!({}));
        let edit = format!(
            "src/lib.rs\n<<<<<<< SEARCH\npub fn one() -> u32 {{ 1 }}\n=======\npub fn one() -> u32 {{ {value} }}\n\
             >>>>>>> REPLACE\n"
        );
        client.call("check", json!({"edit": edit, "tests": "none"})).unwrap()
    };
    let first = check("2");
    let started = analyzers(root);
    let notes = first["notes"].to_string();
    if started.is_empty() && notes.contains("rust-analyzer") {
        return testkit::skip(testkit::Need::RustAnalyzer, &notes);
    }
    assert!(!started.is_empty(), "{first}");
    // The same process answers the second call, or it is in trouble still.
    let second = check("\"two\"");
    assert_eq!(second["passed"], false, "{second}");
    let has_rung = |it: &Value| it["rungs"].to_string().contains("analyzer");
    assert_eq!(has_rung(&first), has_rung(&second), "{first} {second}");
    assert_eq!(analyzers(root), started);
    drop(server);
    let began = Instant::now();
    while !analyzers(root).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(20), "it ends with the server");
        std::thread::sleep(Duration::from_millis(50));
    }
}
