//! Servers and clients that are killed at random moments of calls, on pipes and over HTTP: no process is
//! left, no file is half-written, and the next call works.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{Chance, TempProject};

use crate::kills::{ends_within, none_is_left};
use crate::support::{Piped, Served};

/// The tree before and after the change that is proposed.
const TEXTS: [&str; 2] = [
    "pub fn one() -> u32 { let n = 1; n }\n#[test]\nfn is_one() { assert_eq!(one(), 1); }\n",
    "pub fn one() -> u32 { let n = 2 - 1; n }\n#[test]\nfn is_one() { assert_eq!(one(), 1); }\n",
];
/// A tree with an error that `fix` repairs.
const BROKEN: &str =
    "pub fn one() -> u32 { let n = 1; m }\n#[test]\nfn is_one() { assert_eq!(one(), 1); }\n";
/// The number of kills, and the time after which no more follow; longer with `GRAFTAGE_TEST_KILLS`.
const KILLS: usize = 25;
const TIME: Duration = Duration::from_secs(45);
/// The longest time from a call to the kill, in milliseconds.
const LATEST: u64 = 1_500;

/// What is called when the kill comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Propose,
    Preflight,
    Apply,
    Undo,
    Fix,
}

const MOMENTS: [Moment; 7] = [
    Moment::Apply,
    Moment::Preflight,
    Moment::Apply,
    Moment::Fix,
    Moment::Propose,
    Moment::Undo,
    Moment::Apply,
];

/// A server with a client, in one of the two forms.
enum Pair {
    Pipes(Piped),
    Http(Served, String),
}

impl Pair {
    fn start(project: &TempProject, on_pipes: bool) -> Self {
        if on_pipes {
            return Self::Pipes(Piped::start(project));
        }
        let served = Served::start(project);
        let session = served.connect();
        Self::Http(served, session)
    }

    /// The structured answer of a call.
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result = match self {
            Self::Pipes(piped) => {
                let params = json!({"name": tool, "arguments": arguments});
                piped.request("tools/call", params)["result"].clone()
            }
            Self::Http(served, session) => served.call(session, tool, &arguments),
        };
        assert_eq!(result["isError"], false, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// Calls, and kills the server, or the client, after `time`. A server on pipes ends with its client.
    fn kill_during(mut self, tool: &str, arguments: Value, time: Duration, kills_server: bool) {
        match &mut self {
            Self::Pipes(piped) => {
                piped.ask("tools/call", json!({"name": tool, "arguments": arguments}));
                std::thread::sleep(time);
                if kills_server {
                    piped.child.kill().unwrap();
                } else {
                    // As a killed client leaves it.
                    drop(piped.input.take());
                }
                assert!(ends_within(&mut piped.child, Duration::from_secs(5)), "{tool} {time:?}");
            }
            Self::Http(served, session) => {
                let stream = served.ask(session, tool, &arguments);
                std::thread::sleep(time);
                if !kills_server {
                    drop(stream);
                    // The server answers others, also in the middle of that call.
                    let other = served.connect();
                    let found = served.call(&other, "search", &json!({"query": "one"}));
                    assert_eq!(found["isError"], false, "{found}");
                }
                served.child.kill().unwrap();
                served.child.wait().unwrap();
            }
        }
    }
}

/// Stages the other text of the two; the id of the proposal.
fn stage(pair: &mut Pair, project: &TempProject) -> Value {
    let other = usize::from(project.read("src/lib.rs") == TEXTS[0]);
    let edit = json!({"mode": "file", "file_path": "src/lib.rs", "text": TEXTS[other]});
    pair.call("propose_edit", json!({"edits": [edit]}))["proposal_id"].clone()
}

/// The call that is killed, and the texts that the tree may have afterwards.
fn prepared(pair: &mut Pair, project: &TempProject, moment: Moment) -> (&'static str, Value) {
    match moment {
        Moment::Propose => {
            let edit = json!({"mode": "file", "file_path": "src/lib.rs", "text": "pub mod x;\n"});
            ("propose_edit", json!({"edits": [edit]}))
        }
        Moment::Preflight => {
            ("preflight", json!({"ids": [stage(pair, project)], "tests": "affected"}))
        }
        Moment::Apply => ("apply", json!({"ids": [stage(pair, project)], "tests": "none"})),
        Moment::Undo => {
            let ids = json!({"ids": [stage(pair, project)], "tests": "none"});
            assert_eq!(pair.call("apply", ids)["applied"], true);
            ("undo", json!({}))
        }
        Moment::Fix => {
            project.write("src/lib.rs", BROKEN);
            ("fix", json!({"max_seconds": 30}))
        }
    }
}

/// Neither a half-written file nor one that a write left behind.
fn is_whole(project: &TempProject, moment: Moment) {
    let text = project.read("src/lib.rs");
    match moment {
        Moment::Fix => assert_eq!(text, BROKEN, "a call that only stages has written"),
        _ => assert!(TEXTS.contains(&text.as_str()), "{moment:?}: half-written: {text}"),
    }
    let names = std::fs::read_dir(project.path("src")).unwrap();
    let names: Vec<_> = names.map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, ["lib.rs"], "{moment:?}");
}

#[test]
fn a_kill_at_any_moment_leaves_no_process_and_a_whole_tree() {
    let project = testkit::crate_project("\n//- /src/lib.rs\n");
    project.write("src/lib.rs", TEXTS[0]);
    project.git();
    let asked = std::env::var("GRAFTAGE_TEST_KILLS").ok().and_then(|it| it.parse().ok());
    let (mut chance, began, mut kills) = (Chance::new(19), Instant::now(), 0);
    while kills < asked.unwrap_or(KILLS) && (asked.is_some() || began.elapsed() < TIME) {
        let moment = MOMENTS[kills % MOMENTS.len()];
        // All four pairs of form and victim, at each moment.
        let (on_pipes, kills_server) = (kills % 3 != 2, chance.below(2) == 0);
        let mut pair = Pair::start(&project, on_pipes);
        let (tool, arguments) = prepared(&mut pair, &project, moment);
        let latest = if moment == Moment::Propose { LATEST / 10 } else { LATEST };
        let time = Duration::from_millis(chance.below(latest));
        pair.kill_during(tool, arguments, time, kills_server);
        none_is_left(&project);
        // What was interrupted is completed or rolled back by the next opening.
        Pair::start(&project, true).call("proposals", json!({}));
        is_whole(&project, moment);
        if moment == Moment::Fix {
            project.write("src/lib.rs", TEXTS[0]);
        }
        kills += 1;
    }
    println!("{kills} kills in {:.0} s", began.elapsed().as_secs_f64());
    assert!(asked.is_some() || kills >= 8, "too few: {kills}");
    // No lock is left: a change is written as ever.
    let mut last = Pair::start(&project, true);
    let ids = json!({"ids": [stage(&mut last, &project)], "tests": "none"});
    assert_eq!(last.call("apply", ids)["applied"], true);
}
