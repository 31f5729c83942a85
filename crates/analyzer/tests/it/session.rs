use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use graftage_analyzer::AnalyzerError;
use graftage_analyzer::session::{Health, LspPosition, LspRange, Session, SessionLimits};
use serde_json::{Value, json};

use crate::scripted::{Act, Scripted};

/// Short limits, because tests wait until they expire.
fn limits() -> SessionLimits {
    SessionLimits {
        start: Duration::from_secs(20),
        request: Duration::from_millis(300),
        first: Duration::from_millis(300),
        pauses: [Duration::ZERO; 3],
        ..SessionLimits::default()
    }
}

fn session(server: &Scripted, limits: SessionLimits) -> Session {
    Session::new(Arc::new(server.clone()), PathBuf::from("/w"), json!({ "a": 1 }), limits)
}

fn patient() -> SessionLimits {
    let long = Duration::from_secs(60);
    SessionLimits { request: long, first: long, ..limits() }
}

fn place(line: u32, column: u32) -> Value {
    json!({ "line": line, "character": column })
}

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({ "start": place(line, from), "end": place(line, to) })
}

#[test]
fn diagnostics_are_those_of_the_overlay_sorted_without_duplicates() {
    let server = Scripted::new(|_, method, _| match method {
        "textDocument/diagnostic" => Act::Answer(json!({ "kind": "full", "items": [
            { "range": range(3, 4, 5), "severity": 2, "code": "unused", "message": "b" },
            { "range": range(1, 0, 2), "severity": 1, "code": "E0308", "message": "a" },
            { "range": range(1, 0, 2), "severity": 1, "code": "E0308", "message": "a" },
        ]})),
        _ => Act::Nothing,
    });
    let (ctx, session) = (testkit::ctx(), session(&server, patient()));
    let path = Path::new("/w/src/lib.rs");
    assert_eq!(session.health(), None, "no server is started before the first request");
    assert_eq!(session.ready(&ctx, Duration::from_secs(20)).unwrap(), Health::Ready);
    let first = session.open(&ctx, path, "fn f() {}").unwrap();
    let second = session.open(&ctx, path, "fn g() {}").unwrap();
    assert!(first < second);
    let found = session.diagnostics(&ctx, path).unwrap();
    let codes: Vec<_> = found.iter().map(|it| (it.code.as_str(), it.range.start.line)).collect();
    assert_eq!(codes, [("E0308", 1), ("unused", 3)], "sorted, each once");
    session.close(path);
    session.diagnostics(&ctx, path).unwrap();
    let methods = server.methods();
    let methods: Vec<_> = methods.iter().map(String::as_str).collect();
    assert_eq!(
        methods,
        [
            "initialize",
            "initialized",
            "textDocument/didOpen",
            "textDocument/didChange",
            "textDocument/diagnostic",
            "textDocument/didClose",
            "textDocument/diagnostic",
        ]
    );
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = Scripted::new(|_, method, params| match method {
        // The last line of all is refused, and with it that one answer.
        "textDocument/definition" if params["position"]["line"] == 199 => Act::Refuse(-32603),
        "textDocument/definition" => {
            let line = params["position"]["line"].as_u64().unwrap() as u32;
            Act::Answer(json!([{ "uri": "file:///w/a%20b.rs", "range": range(line, 1, 2) }]))
        }
        _ => Act::Nothing,
    });
    let (ctx, session) = (testkit::ctx(), session(&server, patient()));
    let places: Vec<_> = (0..200)
        .map(|line| (PathBuf::from("/w/src/lib.rs"), LspPosition { line, column: 0 }))
        .collect();
    let answers = session.definitions(&ctx, &places).unwrap();
    for (line, answer) in answers.iter().enumerate().take(199) {
        let targets = answer.as_ref().unwrap();
        assert_eq!(targets[0].range.start.line as usize, line);
        assert_eq!(targets[0].path, Path::new("/w/a b.rs"));
    }
    assert!(matches!(answers[199], Err(AnalyzerError::Refused { code: -32603, .. })));
}

#[test]
fn a_request_is_retried_after_content_modified() {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let server = Scripted::new(move |_, method, _| match method {
        "textDocument/hover" => match asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0 => Act::Refuse(-32801),
            1 => Act::Refuse(-32802),
            _ => Act::Answer(json!({ "contents": { "kind": "markdown", "value": "fn f()" } })),
        },
        _ => Act::Nothing,
    });
    let (ctx, session) = (testkit::ctx(), session(&server, patient()));
    let hover = session.hover(&ctx, Path::new("/w/a.rs"), LspPosition::default()).unwrap();
    assert_eq!(hover.as_deref(), Some("fn f()"));
}

#[test]
fn requests_of_the_server_are_answered_and_its_edits_are_rejected() {
    let ask = |id: u64, method: &str, params: Value| {
        json!({
            "id": id, "method": method, "params": params,
        })
    };
    let server = Scripted::new(move |_, method, params| match method {
        "textDocument/hover" => {
            let own = match params["position"]["line"].as_u64() {
                Some(0) => ask(71, "workspace/applyEdit", json!({ "edit": {} })),
                Some(1) => ask(72, "workspace/configuration", json!({ "items": [{}, {}] })),
                _ => ask(73, "window/showMessageRequest", json!({})),
            };
            Act::SendThenAnswer(own, Value::Null)
        }
        _ => Act::Nothing,
    });
    let (ctx, session) = (testkit::ctx(), session(&server, patient()));
    for line in 0..4 {
        let at = LspPosition { line, column: 0 };
        assert_eq!(session.hover(&ctx, Path::new("/w/a.rs"), at).unwrap(), None);
    }
    // The fourth question came after the three answers were sent.
    let received = server.received.lock().unwrap();
    let reply =
        |id: u64| received.iter().find(|it| it["id"] == id && it["method"].is_null()).unwrap();
    assert_eq!(reply(71)["result"]["applied"], false);
    assert_eq!(reply(72)["result"], json!([{ "a": 1 }, { "a": 1 }]));
    assert_eq!(reply(73)["error"]["code"], -32601);
}

#[test]
fn a_server_that_dies_is_restarted_with_the_same_overlays() {
    let server = Scripted::new(|number, method, _| match (number, method) {
        (1, "textDocument/diagnostic") => Act::End,
        (_, "textDocument/diagnostic") => Act::Answer(json!({ "items": [] })),
        _ => Act::Nothing,
    });
    let (ctx, session) = (testkit::ctx(), session(&server, patient()));
    let path = Path::new("/w/a.rs");
    session.open(&ctx, path, "fn f() {}").unwrap();
    assert!(matches!(session.diagnostics(&ctx, path), Err(AnalyzerError::Down { .. })));
    assert_eq!(session.diagnostics(&ctx, path).unwrap(), []);
    assert_eq!(server.starts(), 2);
    let opened = server.methods().iter().filter(|it| *it == "textDocument/didOpen").count();
    assert_eq!(opened, 2, "the overlay is opened again");
}

#[test]
fn a_server_that_keeps_dying_is_not_restarted() {
    let server = Scripted::new(|_, _, _| Act::End);
    let (ctx, session) = (testkit::ctx(), session(&server, patient()));
    for _ in 0..10 {
        let error = session.ready(&ctx, Duration::from_secs(20)).unwrap_err();
        assert!(matches!(error, AnalyzerError::Down { .. }), "{error}");
    }
    assert_eq!(server.starts(), 3);
}

#[test]
fn after_an_end_no_server_is_started_during_the_pause() {
    let server = Scripted::new(|_, _, _| Act::End);
    let pauses = [Duration::from_secs(3600); 3];
    let (ctx, session) = (testkit::ctx(), session(&server, SessionLimits { pauses, ..patient() }));
    for _ in 0..5 {
        assert!(session.ready(&ctx, Duration::from_secs(20)).is_err());
    }
    assert_eq!(server.starts(), 1);
}

#[test]
fn requests_to_a_hung_server_time_out_and_it_is_replaced() {
    let server = Scripted::new(|number, method, _| match (number, method) {
        (2.., "textDocument/hover") => Act::Answer(Value::Null),
        _ => Act::Nothing,
    });
    let (ctx, session) = (testkit::ctx(), session(&server, limits()));
    let path = Path::new("/w/a.rs");
    for _ in 0..3 {
        let began = Instant::now();
        let error = session.hover(&ctx, path, LspPosition::default()).unwrap_err();
        assert!(matches!(error, AnalyzerError::TimedOut { .. }), "{error}");
        // A generous bound: the test is that it does not wait forever.
        assert!(began.elapsed() < Duration::from_secs(20));
    }
    let methods = server.methods();
    assert!(methods.iter().any(|it| it == "$/cancelRequest"), "{methods:?}");
    assert_eq!(session.hover(&ctx, path, LspPosition::default()).unwrap(), None);
    assert_eq!(server.starts(), 2);
}

#[test]
fn while_one_thread_starts_the_server_others_wait_at_most_their_own_limit() {
    let (release, gate) = std::sync::mpsc::channel::<()>();
    let gate = std::sync::Mutex::new(gate);
    let server = Scripted::new(move |_, method, _| {
        if method == "initialize" {
            gate.lock().unwrap().recv().unwrap();
        }
        Act::Answer(Value::Null)
    });
    let (ctx, session) = (testkit::ctx(), session(&server, limits()));
    std::thread::scope(|scope| {
        let first = scope.spawn(|| session.ready(&testkit::ctx(), Duration::from_secs(60)));
        while server.methods().is_empty() {
            std::thread::yield_now();
        }
        let second = session.hover(&ctx, Path::new("/w/a.rs"), LspPosition::default());
        let error = second.unwrap_err();
        assert!(matches!(error, AnalyzerError::TimedOut { method: "initialize", .. }), "{error}");
        assert_eq!(session.health(), None);
        session.close(Path::new("/w/a.rs"));
        release.send(()).unwrap();
        assert_eq!(first.join().unwrap().unwrap(), Health::Ready);
    });
    assert_eq!(server.starts(), 1);
}

#[test]
fn invalid_output_ends_the_server_and_not_the_session() {
    let server = Scripted::new(|number, method, _| match (number, method) {
        (1, "textDocument/hover") => Act::Raw(b"Content-Length: 5\r\n\r\n{{{{{"),
        (_, "textDocument/hover") => Act::Answer(Value::Null),
        _ => Act::Nothing,
    });
    let (ctx, session) = (testkit::ctx(), session(&server, patient()));
    let path = Path::new("/w/a.rs");
    let error = session.hover(&ctx, path, LspPosition::default()).unwrap_err();
    assert!(error.to_string().contains("not the language server protocol"), "{error}");
    assert_eq!(session.hover(&ctx, path, LspPosition::default()).unwrap(), None);
}

#[test]
fn a_flooding_server_is_replaced() {
    // Notifications; requests whose answers the server does not read.
    let notice = json!({ "method": "window/logMessage", "params": { "message": "again" } });
    let question = json!({ "id": 7, "method": "workspace/configuration", "params": {} });
    for (message, reason) in [(notice, "unsolicited messages"), (question, "")] {
        let server = Scripted::new(move |number, method, _| match (number, method) {
            (1, "textDocument/hover") => Act::Flood(message.clone()),
            (_, "textDocument/hover") => Act::Answer(Value::Null),
            _ => Act::Nothing,
        });
        let limits = SessionLimits { request: Duration::from_secs(10), ..limits() };
        let (ctx, session) = (testkit::ctx(), session(&server, limits));
        let path = Path::new("/w/a.rs");
        let began = Instant::now();
        let mut errors = Vec::new();
        while let Err(error) = session.hover(&ctx, path, LspPosition::default()) {
            errors.push(error.to_string());
            // A generous bound: the test is that no request waits forever.
            assert!(errors.len() <= 3 && began.elapsed() < Duration::from_secs(60), "{errors:?}");
        }
        assert!(errors.iter().any(|it| it.contains(reason)), "{errors:?}");
        assert_eq!(server.starts(), 2);
    }
}

#[test]
fn a_message_above_the_limit_ends_the_server_and_an_unfinished_one_times_out() {
    let server = Scripted::new(|number, method, _| match (number, method) {
        (1, "textDocument/hover") => Act::Raw(b"Content-Length: 67108865\r\n\r\n{"),
        (2, "textDocument/hover") => Act::Raw(b"Content-Length: 67108864\r\n\r\n{"),
        _ => Act::Answer(Value::Null),
    });
    let (ctx, session) = (testkit::ctx(), session(&server, limits()));
    let path = Path::new("/w/a.rs");
    let error = session.hover(&ctx, path, LspPosition::default()).unwrap_err();
    assert!(matches!(error, AnalyzerError::Down { .. }), "{error}");
    for _ in 0..3 {
        let error = session.hover(&ctx, path, LspPosition::default()).unwrap_err();
        assert!(matches!(error, AnalyzerError::TimedOut { .. }), "{error}");
    }
    assert_eq!(session.hover(&ctx, path, LspPosition::default()).unwrap(), None);
    assert_eq!(server.starts(), 3);
}

#[test]
fn cancellation_ends_a_request_and_not_the_server() {
    let server = Scripted::new(|_, method, params| match method {
        "textDocument/hover" if params["position"]["line"] == 7 => Act::Answer(Value::Null),
        _ => Act::Nothing,
    });
    let session = session(&server, patient());
    session.ready(&testkit::ctx(), Duration::from_secs(20)).unwrap();
    let host = testkit::FakeHost::new();
    host.cancel_after(3);
    let at = |line| LspPosition { line, column: 0 };
    let error = session.hover(&host.ctx(), Path::new("/w/a.rs"), at(0)).unwrap_err();
    assert!(matches!(error, AnalyzerError::Cancelled(_)), "{error}");
    assert_eq!(session.hover(&testkit::ctx(), Path::new("/w/a.rs"), at(7)).unwrap(), None);
    assert_eq!(server.starts(), 1);
}

#[test]
fn actions_are_resolved_and_those_that_rename_files_are_dropped() {
    let edit = |text: &str| {
        json!({ "changes": { "file:///w/a.rs": [
            { "range": range(0, 0, 0), "newText": text },
        ]}})
    };
    let server = Scripted::new(move |_, method, params| match method {
        "textDocument/codeAction" => Act::Answer(json!([
            { "title": "whole", "kind": "quickfix", "edit": edit("a") },
            { "title": "named", "kind": "quickfix", "data": { "id": 1 } },
            { "title": "moves", "kind": "refactor", "data": { "id": 2 } },
            { "title": "overlaps", "edit": { "changes": { "file:///w/a.rs": [
                { "range": range(0, 0, 5), "newText": "" },
                { "range": range(0, 3, 9), "newText": "" },
            ]}}},
        ])),
        "codeAction/resolve" if params["data"]["id"] == 1 => {
            Act::Answer(json!({ "title": "named", "kind": "quickfix", "edit": edit("b") }))
        }
        "codeAction/resolve" => Act::Answer(json!({ "title": "moves", "edit": {
            "documentChanges": [{ "kind": "rename", "oldUri": "file:///w/a", "newUri": "b" }],
        }})),
        _ => Act::Nothing,
    });
    let (ctx, session) = (testkit::ctx(), session(&server, patient()));
    let actions = session.actions(&ctx, Path::new("/w/a.rs"), LspRange::default(), &[]).unwrap();
    let edits: Vec<_> =
        actions.iter().map(|it| (it.title.as_str(), it.edits[0].edits[0].text.as_str())).collect();
    assert_eq!(edits, [("whole", "a"), ("named", "b")]);
}

#[test]
fn a_server_with_another_position_encoding_is_rejected() {
    let server = Scripted::new(|_, method, _| match method {
        "initialize" => Act::Raw(GREETING),
        _ => Act::Nothing,
    });
    let (ctx, session) = (testkit::ctx(), session(&server, patient()));
    let error = session.ready(&ctx, Duration::from_secs(20)).unwrap_err();
    assert!(error.to_string().contains("utf-16"), "{error}");
}

/// An `initialize` answer without a position encoding, which means UTF-16.
const GREETING: &[u8] =
    b"Content-Length: 44\r\n\r\n{\"id\":1,\"result\":{\"capabilities\":{}},\"x\":12}";
