//! A live server that says what a test has it say.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use analyzer::AnalyzerError;
use analyzer::session::{Limits, Pipes, Session, Transport};
use graftage_ingest::{Live, Options, Reader, Report};
use testkit::{Act, LanguageServer, TempProject, TestHost};

use crate::hydrating::{edges, facts, hydrated};

const PATIENCE: Duration = Duration::from_secs(60);

struct Server(LanguageServer);

impl Transport for Server {
    fn connect(&self) -> Result<Pipes, AnalyzerError> {
        Ok(Pipes::over(self.0.connect()).unwrap())
    }
}

/// Watches the project with a live server; `save` and what follows get the reports.
fn watched(
    server: impl Fn(&str, &serde_json::Value, &str) -> Act + Send + Sync + 'static,
    label: &str,
    save: impl FnOnce(&TempProject, &Receiver<Report>, &Reader),
) {
    let (project, mut index) = hydrated();
    let host = TestHost::new();
    let root = project.root().to_owned();
    let prefix = format!("file://{}", root.display());
    let server = LanguageServer::new(move |_, method, params| server(method, params, &prefix));
    let limits = Limits { request: Duration::from_secs(5), ..Limits::default() };
    let settings = serde_json::Value::Null;
    let session = Session::new(Arc::new(Server(server)), root.clone(), settings, limits);
    let mut live = Live::new(&host.ctx(), &root, label.to_owned(), session);
    let (sender, reports) = channel();
    let reader = index.reader();
    let ctx = host.ctx();
    std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            index.watch_with(&ctx, &Options::default(), Some(&mut live), &mut |report| {
                // The test has ended when nobody listens.
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
    pumps.select_nth_unstable_by_key(0, |pump| pump.level()).1.start()\n}\n";

/// The map's edges once a report says that so many files are behind.
fn once_behind(reports: &Receiver<Report>, reader: &Reader, behind: u64) -> Vec<String> {
    loop {
        let report = reports.recv_timeout(PATIENCE).unwrap();
        let stale = report.analyzer.as_ref().map(|it| it.stale_files);
        if stale == Some(behind) && !reader.map().by_name("one_more").is_empty() {
            return edges(&reader.map().to_data().unwrap(), "one_more");
        }
    }
}

fn append(project: &TempProject) {
    let text = project.read("src/lib.rs");
    project.write("src/lib.rs", format!("{text}{MORE}"));
}

#[test]
fn a_saved_file_is_served_by_syntax_until_the_live_server_has_spoken() {
    let start = |method: &str, params: &serde_json::Value, prefix: &str| {
        // Whatever is asked about is the pump's `start`, but for the first lines.
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
        let before = once_behind(reports, reader, 1);
        assert!(before.contains(&"CALLS tank::Tank::start? syntax x1".to_owned()), "{before:?}");
        let after = once_behind(reports, reader, 0);
        assert!(after.contains(&"CALLS pump::Pump::start ra x3".to_owned()), "{after:?}");
        assert!(!after.iter().any(|edge| edge.contains("Tank")), "{after:?}");
    });
}

#[test]
fn a_server_that_ends_or_floods_leaves_the_map_to_syntax() {
    let floods = |_: &str, _: &serde_json::Value, _: &str| {
        Act::Flood(serde_json::json!({ "method": "window/logMessage", "params": {} }))
    };
    let leaves = |project: &TempProject, reports: &Receiver<Report>, reader: &Reader| {
        append(project);
        let edges = once_behind(reports, reader, 1);
        assert!(edges.contains(&"CALLS tank::Tank::start? syntax x1".to_owned()), "{edges:?}");
        project.write("src/tank.rs", format!("{}\n", project.read("src/tank.rs")));
        once_behind(reports, reader, 2);
    };
    watched(|_, _, _| Act::End, &facts().tool, leaves);
    watched(floods, &facts().tool, leaves);
}

#[test]
fn words_of_another_analyzer_are_not_mixed_with_those_that_are_there() {
    let never = |method: &str, _: &serde_json::Value, _: &str| -> Act {
        panic!("{method} was asked");
    };
    watched(never, "rust-analyzer of another day", |project, reports, reader| {
        append(project);
        once_behind(reports, reader, 1);
    });
}
