//! Behavioural programs: how they run, and what verification finds.
#![allow(clippy::unwrap_used, reason = "a panic is the failure report of a test")]

mod games;
mod laws;
mod running;
mod structure;
mod verifying;

use std::sync::Arc;

use graftage_policy::program::{
    Event, Offered, Pattern, Program, Run, Steps, Sync, Thread, ThreadBody,
};

/// `on hot`, `x=3`: an event without fields.
fn event(name: &str) -> Event {
    Event::new(name)
}

fn events(names: &[&str]) -> Vec<Event> {
    names.iter().map(|name| event(name)).collect()
}

fn patterns(names: &[&str]) -> Vec<Pattern> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// A synchronisation from lines of `request|wait|block|interrupt NAME NAME …`, `hot` and `terminal`.
fn sync(text: &str) -> Sync {
    let mut sync = Sync::default();
    for part in text.split(';') {
        let mut words = part.split_whitespace();
        let verb = words.next().unwrap();
        let names: Vec<&str> = words.collect();
        match verb {
            "request" => sync.request = events(&names),
            "wait" => sync.wait = patterns(&names),
            "block" => sync.block = patterns(&names),
            "interrupt" => sync.interrupt = patterns(&names),
            "hot" => sync.hot = true,
            "terminal" => sync.terminal = true,
            other => panic!("{other}"),
        }
    }
    sync
}

/// Threads from lines `NAME[*]: SYNC / SYNC …`; `*` repeats; priorities in order of the lines.
fn program(text: &str) -> Program {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let threads = lines.enumerate().map(|(at, line)| {
        let (name, steps) = line.split_once(':').unwrap();
        let repeat = name.ends_with('*');
        let steps = steps.split('/').map(str::trim).map(sync).collect();
        Thread {
            name: name.trim_end_matches('*').to_owned(),
            priority: at as u32,
            because: String::new(),
            body: ThreadBody::Steps(Steps { steps, repeat, cleanup: Vec::new() }),
        }
    });
    Program::new(threads.collect()).unwrap()
}

fn start(text: &str) -> Run {
    Run::new(Arc::new(program(text)))
}

/// Whether there are requests and all are blocked.
fn is_deadlocked(run: &Run) -> bool {
    let requested = run.snapshot().requested;
    !requested.is_empty() && requested.iter().all(|it| !it.blocked_by.is_empty())
}

/// The names of the events of a run, with those of `offers` in between; `!` marks a blocked offer.
fn names(run: &mut Run, offers: &[&str]) -> String {
    let mut seen = Vec::new();
    run.run(100, &mut |event| seen.push(event.to_string())).unwrap();
    for offer in offers {
        match run.offer(event(offer), 100, &mut |event| seen.push(event.to_string())).unwrap() {
            Offered::Selected => {}
            Offered::Blocked(by) => {
                let by: Vec<&str> = by.iter().map(|it| it.thread.as_str()).collect();
                seen.push(format!("!{offer}({})", by.join(",")));
            }
        }
    }
    seen.join(" ")
}
