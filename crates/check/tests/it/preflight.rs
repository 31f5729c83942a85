//! The analyzer rung on a scripted language server: what it refuses, and that it never keeps a
//! proof from going on.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use analyzer::AnalyzerError;
use analyzer::session::{Pipes, Session, SessionLimits, Transport};
use graftage_check::{Checked, Ladder, Preflight, PreflightLimits};
use policy::RungName;
use serde_json::{Value, json};
use testkit::{Act, LanguageServer};

use crate::kit::{Kit, over};
use crate::kit_analyzer;

struct Scripted(LanguageServer);

impl Transport for Scripted {
    fn connect(&self) -> Result<Pipes, AnalyzerError> {
        Ok(Pipes::over(self.0.connect()).unwrap())
    }
}

/// A prover whose server reports for a text what `verdict` returns: (line from 0, code, severity).
fn with_server(
    verdict: impl Fn(&str) -> Vec<(u32, &'static str, u32)> + Send + Sync + 'static,
) -> (Kit, LanguageServer) {
    let shown = std::sync::Mutex::new(String::new());
    let server = LanguageServer::new(move |_, method, params| {
        let mut shown = shown.lock().unwrap();
        match method {
            "textDocument/didOpen" => {
                *shown = params["textDocument"]["text"].as_str().unwrap().to_owned();
                Act::Nothing
            }
            "textDocument/didChange" => {
                *shown = params["contentChanges"][0]["text"].as_str().unwrap().to_owned();
                Act::Nothing
            }
            "textDocument/diagnostic" => {
                let items = verdict(&shown).into_iter().map(|(line, code, severity)| {
                    let at = |column: u32| json!({ "line": line, "character": column });
                    json!({
                        "range": { "start": at(0), "end": at(1) },
                        "severity": severity, "code": code, "message": format!("reports {code}"),
                    })
                });
                Act::Answer(json!({ "items": items.collect::<Vec<Value>>() }))
            }
            _ => Act::Nothing,
        }
    });
    let kit = asking(&server, PreflightLimits::default());
    (kit, server)
}

fn asking(server: &LanguageServer, patience: PreflightLimits) -> Kit {
    let mut kit = over(testkit::copy_crate("clean"));
    let transport = Arc::new(Scripted(server.clone()));
    let root = kit.project.root().to_owned();
    let limits = SessionLimits { start: Duration::from_secs(20), ..SessionLimits::default() };
    let session = Session::new(transport, root, json!({}), limits);
    kit.prover = kit.prover.with_preflight(Preflight::new(Arc::new(session)).with_limits(patience));
    kit
}

fn ladder() -> Ladder {
    Ladder { analyzer: true, format: false, ..Ladder::default() }
}

fn changed(kit: &Kit, with: &str) -> Checked {
    let text = kit.project.read("src/lib.rs") + with;
    kit.prove(&[("src/lib.rs", Some(&text))], &ladder())
}

fn lines_with(text: &str, part: &str) -> Vec<u32> {
    let lines = text.lines().enumerate().filter(|(_, line)| line.contains(part));
    lines.map(|(at, _)| at as u32).collect()
}

#[test]
fn a_new_error_refuses_and_cargo_is_not_asked() {
    let (kit, server) = with_server(|text| {
        lines_with(text, "wrong").into_iter().map(|line| (line, "E0308", 1)).collect()
    });
    let before = kit.project.digest();
    let checked = changed(&kit, "\npub fn wrong() {}\n");
    assert!(!checked.passed());
    let rung = checked.evidence.rung(RungName::Analyzer).unwrap();
    assert_eq!((rung.passed, rung.detail.as_str()), (false, "rust-analyzer: 1 new error"));
    assert_eq!(checked.evidence.rung(RungName::Check), None);
    assert_eq!(checked.evidence.errors_after, 1);
    let reported = &checked.diagnostics[0];
    assert_eq!(reported.code.as_deref(), Some("E0308"));
    assert!(reported.children[0].message.contains("rust-analyzer"));
    let line = kit.project.read("src/lib.rs").lines().count() as u32 + 2;
    assert_eq!(reported.spans[0].start.line, line);
    assert_eq!(kit.project.digest(), before);
    // The server has the user's own text again.
    let sent = server.received_until("textDocument/didClose");
    let last = sent.iter().rfind(|it| it["method"] == "textDocument/didChange").unwrap();
    assert_eq!(last["params"]["contentChanges"][0]["text"], kit.project.read("src/lib.rs"));
}

#[test]
fn what_is_no_error_or_cannot_be_trusted_or_was_there_refuses_nothing() {
    let (kit, server) = with_server(|text| {
        let mut reported = vec![(lines_with(text, "pub fn gcd")[0], "E0599", 1)];
        reported.extend(lines_with(text, "untyped").into_iter().map(|line| (line, "E0282", 1)));
        reported.extend(lines_with(text, "untyped").into_iter().map(|line| (line, "unused", 2)));
        reported
    });
    for _ in 0..2 {
        // The old error is four lines further down now.
        let text = format!("//! a\n//! b\n//! c\n//! d\n{}", kit.project.read("src/lib.rs"));
        let text = text + "\npub fn untyped() {}\n";
        let checked = kit.prove(&[("src/lib.rs", Some(&text))], &ladder());
        assert!(checked.passed(), "{:?}", checked.diagnostics);
        assert!(checked.evidence.rung(RungName::Analyzer).unwrap().passed);
        assert!(checked.evidence.rung(RungName::Check).unwrap().passed, "cargo decides");
        assert!(checked.evidence.notes.is_empty());
    }
    let pulls = server.methods().iter().filter(|it| *it == "textDocument/diagnostic").count();
    assert_eq!(pulls, 3, "the tree itself is requested once");
}

#[test]
fn an_error_in_the_code_of_tests_counts_where_the_proof_looks_at_it() {
    let (kit, _) = with_server(|text| {
        lines_with(text, "in_a_test").into_iter().map(|line| (line, "E0308", 1)).collect()
    });
    let text =
        kit.project.read("src/lib.rs") + "\n#[cfg(test)]\nmod more {\n    fn in_a_test() {}\n}\n";
    let mut ladder = ladder();
    assert!(kit.prove(&[("src/lib.rs", Some(&text))], &ladder).passed());
    ladder.test_code = true;
    let checked = kit.prove(&[("src/lib.rs", Some(&text))], &ladder);
    assert!(!checked.evidence.rung(RungName::Analyzer).unwrap().passed);
}

#[test]
fn where_an_error_goes_new_ones_are_left_to_cargo() {
    let (kit, _) = with_server(|text| {
        let mut reported: Vec<_> =
            lines_with(text, "newly").into_iter().map(|line| (line, "E0308", 1)).collect();
        if reported.is_empty() {
            reported.push((0, "E0432", 1));
        }
        reported
    });
    let checked = changed(&kit, "\npub fn newly() {}\n");
    let rung = checked.evidence.rung(RungName::Analyzer).unwrap();
    assert_eq!(rung.detail, "rust-analyzer: 1 new error where 1 error went, left to cargo");
    assert!(checked.passed());
}

#[test]
fn a_server_in_trouble_is_skipped_and_the_evidence_notes_it() {
    let status = json!({ "method": "experimental/serverStatus", "params": {
        "health": "warning", "quiescent": true, "message": "no sources",
    }});
    let server = LanguageServer::new(move |_, method, _| match method {
        "textDocument/diagnostic" => {
            let items = json!({ "items": [{
                "range": { "start": { "line": 0, "character": 0 },
                    "end": { "line": 0, "character": 1 } },
                "severity": 1, "code": "E0308", "message": "wrong",
            }]});
            Act::SendThenAnswer(status.clone(), items)
        }
        _ => Act::Nothing,
    });
    let kit = asking(&server, PreflightLimits::default());
    let checked = changed(&kit, "\npub fn more() {}\n");
    assert!(checked.passed());
    assert_eq!(checked.evidence.rung(RungName::Analyzer), None);
    assert_eq!(
        checked.evidence.notes,
        ["rust-analyzer check skipped: it is in trouble: no sources"]
    );
}

#[test]
fn a_macro_crate_that_changed_is_no_trouble_for_what_changes_in_it_alone() {
    let stale = "Proc-macros and/or build scripts have changed and need to be rebuilt.\n";
    let server = LanguageServer::new(move |_, method, _| match method {
        "textDocument/diagnostic" => Act::SendThenAnswer(
            json!({
                "method": "experimental/serverStatus",
                "params": { "health": "warning", "quiescent": true, "message": stale },
            }),
            json!({ "items": [] }),
        ),
        _ => Act::Nothing,
    });
    let kit = asking(&server, PreflightLimits::default());
    for with in ["\npub fn more() {}\n", "\npub fn still_more() {}\n"] {
        let checked = changed(&kit, with);
        assert!(checked.passed());
        assert_eq!(checked.evidence.notes, [] as [&str; 0]);
    }
}

#[test]
fn results_during_a_reload_do_not_count() {
    let status = json!({ "method": "experimental/serverStatus", "params": {
        "health": "ok", "quiescent": false,
    }});
    let server = LanguageServer::new(move |_, method, params| match method {
        "textDocument/diagnostic" => {
            let items = json!({ "items": [{
                "range": { "start": { "line": 0, "character": 0 },
                    "end": { "line": 0, "character": 1 } },
                "severity": 1, "code": "E0308", "message": params.to_string(),
            }]});
            Act::SendThenAnswer(status.clone(), items)
        }
        _ => Act::Nothing,
    });
    let short = Duration::from_millis(300);
    let limits = PreflightLimits { first: short, later: short, ..PreflightLimits::default() };
    let kit = asking(&server, limits);
    let checked = changed(&kit, "\npub fn more() {}\n");
    assert!(checked.passed());
    assert_eq!(checked.evidence.rung(RungName::Analyzer), None);
    let notes = ["rust-analyzer check skipped: it still loads the workspace"];
    assert_eq!(checked.evidence.notes, notes);
}

#[test]
fn a_server_that_hangs_or_is_missing_keeps_no_proof_waiting() {
    let server = LanguageServer::new(|_, _, _| Act::Nothing);
    let short = Duration::from_millis(300);
    let limits = PreflightLimits { first: short, later: short, ..PreflightLimits::default() };
    let kit = asking(&server, limits);
    kit.baseline(&ladder());
    let began = Instant::now();
    let checked = changed(&kit, "\npub fn more() {}\n");
    // Generous: what is held is that it does not wait for ever.
    assert!(began.elapsed() < Duration::from_secs(60));
    assert!(checked.passed());
    assert!(checked.evidence.notes[0].contains("timed out"), "{:?}", checked.evidence);

    let mut none = over(testkit::copy_crate("clean"));
    none.prover = none.prover.with_preflight(Preflight::unavailable("it is nowhere".to_owned()));
    let checked = changed(&none, "\npub fn more() {}\n");
    assert!(checked.passed());
    assert_eq!(checked.evidence.notes, ["rust-analyzer check skipped: it is nowhere"]);
}

#[test]
fn what_cannot_be_shown_in_memory_is_left_to_cargo() {
    let (kit, server) = with_server(|_| Vec::new());
    let manifest = kit.project.read("Cargo.toml") + "\n# more\n";
    let checked = kit.prove(&[("Cargo.toml", Some(&manifest))], &ladder());
    assert!(checked.evidence.notes[0].contains("no Rust source"), "{:?}", checked.evidence.notes);
    assert_eq!(server.starts(), 0);
}

#[test]
fn a_server_that_floods_is_passed_over() {
    let notice = json!({ "method": "window/logMessage", "params": { "message": "again" } });
    let server = LanguageServer::new(move |_, method, _| match method {
        "textDocument/diagnostic" => Act::Flood(notice.clone()),
        _ => Act::Nothing,
    });
    let kit = asking(&server, PreflightLimits::default());
    let checked = changed(&kit, "\npub fn more() {}\n");
    assert!(checked.passed(), "{:?}", checked.failure);
    assert!(checked.evidence.notes.iter().any(|it| it.contains("unsolicited messages")));
}

#[test]
fn a_server_that_dies_while_it_is_asked_is_passed_over() {
    let server = LanguageServer::new(|_, method, _| match method {
        "textDocument/diagnostic" => Act::End,
        _ => Act::Nothing,
    });
    let kit = asking(&server, PreflightLimits::default());
    let checked = changed(&kit, "\npub fn more() {}\n");
    assert!(checked.passed());
    assert!(checked.evidence.notes[0].starts_with("rust-analyzer check skipped: "));
    assert!(Path::new(kit.project.root()).exists());
}

#[test]
fn the_real_rust_analyzer_refuses_what_does_not_fit_and_lets_the_rest_through() {
    let mut kit = over(testkit::copy_crate("clean"));
    let (root, work) = (kit.project.root().to_owned(), kit.project.beside("analyzer"));
    let session = match kit_analyzer::session(&kit.ctx, kit.prover.env(), &root, &work) {
        Ok(session) => session,
        Err(error) => return testkit::skip(testkit::Need::RustAnalyzer, &error.to_string()),
    };
    let ample = Duration::from_secs(300);
    let limits = PreflightLimits { first: ample, later: ample, ..PreflightLimits::default() };
    let preflight = Preflight::new(Arc::new(session)).with_limits(limits);
    kit.prover = kit.prover.with_preflight(preflight);
    let before = kit.project.digest();
    let text = kit.project.read("src/lib.rs");
    let verdict = |text: &str| {
        let overlay = kit.overlay(&[("src/lib.rs", Some(text))]);
        let checked = kit.prover.preflight(&kit.ctx, overlay, &ladder(), &mut |_| {}).unwrap();
        assert!(checked.evidence.notes.is_empty(), "{:?}", checked.evidence.notes);
        let reported = checked.diagnostics.iter().filter_map(|it| it.code.clone());
        (checked.evidence.rung(RungName::Analyzer).unwrap().passed, reported.collect::<Vec<_>>())
    };
    let wrong = text.replace("gcd(b, a % b)", "gcd(b, \"a\")");
    assert_eq!(verdict(&wrong), (false, vec!["E0308".to_owned()]));
    let unnamed = format!("{text}\npub fn more() -> u64 {{ nowhere(1) }}\n");
    assert_eq!(verdict(&unnamed), (false, vec!["E0425".to_owned()]));
    let right =
        format!("//! More.\n{text}\npub fn lcm(a: u64, b: u64) -> u64 {{ a / gcd(a, b) * b }}\n");
    assert_eq!(verdict(&right), (true, vec![]));
    // A file that is not there yet.
    let overlay = kit.overlay(&[
        ("src/lib.rs", Some(&format!("{text}\nmod more;\npub use more::less;\n"))),
        (
            "src/more.rs",
            Some("/// One less.\npub fn less(n: u64) -> u64 {\n    n - crate::gcd(1, 1)\n}\n"),
        ),
    ]);
    let checked = kit.prover.prove(&kit.ctx, overlay, &ladder(), &mut |_| {}).unwrap();
    assert!(checked.passed(), "{:?}", checked.diagnostics);
    let detail = checked.evidence.rung(RungName::Analyzer).map(|it| it.detail.as_str());
    let want = "rust-analyzer finds nothing new in 2 files";
    assert_eq!(detail, Some(want), "{:?}", checked.evidence.notes);
    assert_eq!(kit.project.digest(), before, "nothing of the project may change");
}
