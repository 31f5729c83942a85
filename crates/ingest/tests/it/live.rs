//! Tests with a fake live server.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use analyzer::AnalyzerError;
use analyzer::session::{Pipes, Session, SessionLimits, Transport};
use graftage_ingest::{IndexReport, Live, MapReader, Options};
use testkit::{Act, LanguageServer, TempProject, TestHost};

use crate::hydrating::{edges, facts, hydrated};

const PATIENCE: Duration = Duration::from_secs(60);

struct Server(LanguageServer);

impl Transport for Server {
    fn connect(&self) -> Result<Pipes, AnalyzerError> {
        Ok(Pipes::over(self.0.connect()).unwrap())
    }
}

/// Watches the project with a live server; `save` gets the project, the reports and the reader.
fn watched(
    server: impl Fn(&str, &serde_json::Value, &str) -> Act + Send + Sync + 'static,
    label: &str,
    save: impl FnOnce(&TempProject, &Receiver<IndexReport>, &MapReader),
) {
    let (project, mut index) = hydrated();
    let host = TestHost::new();
    let root = project.root().to_owned();
    let prefix = format!("file://{}", root.display());
    let server = LanguageServer::new(move |_, method, params| server(method, params, &prefix));
    let limits = SessionLimits { request: Duration::from_secs(5), ..SessionLimits::default() };
    let settings = serde_json::Value::Null;
    let session = Session::new(Arc::new(Server(server)), root.clone(), settings, limits);
    let mut live = Live::new(&host.ctx(), &root, label.to_owned(), session);
    let (sender, reports) = channel();
    let reader = index.reader();
    let ctx = host.ctx();
    std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            index.watch_with(&ctx, &Options::default(), Some(&mut live), &mut |report| {
                // The receiver is dropped when the test has ended.
                let _ = sender.send(report.clone());
            })
        });
        reports.recv_timeout(PATIENCE).unwrap();
        save(&project, &reports, &reader);
        host.cancel();
        assert!(watch.join().unwrap().is_ok());
    });
}

const MORE: &str = "\npub fn one_more(pumps: &mut [Pump]) -> bool {\n    \
    pumps.choose_nth_unstably_by_key(0, |pump| pump.level()).1.start()\n}\n";

/// The map's edges once a report has this many stale files.
fn edges_when_stale(
    reports: &Receiver<IndexReport>,
    reader: &MapReader,
    stale_files: u64,
) -> Vec<String> {
    loop {
        let report = reports.recv_timeout(PATIENCE).unwrap();
        let stale = report.analyzer.as_ref().map(|it| it.stale_files);
        if stale == Some(stale_files) && !reader.map().by_name("one_more").is_empty() {
            return edges(&reader.map().to_data().unwrap(), "one_more");
        }
    }
}

fn append(project: &TempProject) {
    let text = project.read("src/lib.rs");
    project.write("src/lib.rs", format!("{text}{MORE}"));
}

#[test]
fn a_saved_file_has_syntax_edges_until_the_live_server_answers() {
    let start = |method: &str, params: &serde_json::Value, prefix: &str| {
        // Every definition is the pump's `start`, except in the first lines.
        let line = params["position"]["line"].as_u64().unwrap_or_default();
        match method {
            "textDocument/definition" if line > 40 => Act::Answer(serde_json::json!({
                "uri": format!("{prefix}/src/pump.rs"),
                "range": {
                    "start": { "line": 16, "character": 11 },
                    "end": { "line": 16, "character": 16 },
                },
            })),
            _ => Act::Answer(serde_json::Value::Null),
        }
    };
    watched(start, &facts().tool, |project, reports, reader| {
        let pump = project.read("src/pump.rs");
        let line = pump.lines().nth(16).unwrap();
        assert_eq!(line.find("start"), Some(11), "{line}");
        append(project);
        let before = edges_when_stale(reports, reader, 1);
        assert!(before.contains(&"CALLS tank::Tank::start? syntax x1".to_owned()), "{before:?}");
        let after = edges_when_stale(reports, reader, 0);
        assert!(after.contains(&"CALLS pump::Pump::start ra x3".to_owned()), "{after:?}");
        assert!(!after.iter().any(|edge| edge.contains("Tank")), "{after:?}");
    });
}

#[test]
fn a_server_that_exits_or_floods_leaves_the_syntax_edges() {
    let floods = |_: &str, _: &serde_json::Value, _: &str| {
        Act::Flood(serde_json::json!({ "method": "window/logMessage", "params": {} }))
    };
    let leaves = |project: &TempProject, reports: &Receiver<IndexReport>, reader: &MapReader| {
        append(project);
        let edges = edges_when_stale(reports, reader, 1);
        assert!(edges.contains(&"CALLS tank::Tank::start? syntax x1".to_owned()), "{edges:?}");
        project.write("src/tank.rs", format!("{}\n", project.read("src/tank.rs")));
        edges_when_stale(reports, reader, 2);
    };
    watched(|_, _, _| Act::End, &facts().tool, leaves);
    watched(floods, &facts().tool, leaves);
}

#[test]
fn results_of_another_analyzer_are_not_mixed_with_the_stored_ones() {
    let never = |method: &str, _: &serde_json::Value, _: &str| -> Act {
        panic!("{method} was requested");
    };
    watched(never, "another rust-analyzer", |project, reports, reader| {
        append(project);
        edges_when_stale(reports, reader, 1);
    });
}
