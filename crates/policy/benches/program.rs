//! Benchmark of behavioural programs: events per CPU second on one core, with ten threads.
//!
//! ```text
//! cargo bench -p graftage-policy --bench program
//! ```
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::sync::Arc;

use graftage_policy::program::{
    Event, Gate, Limit, Pattern, Program, Run, Steps, Sync, Thread, ThreadBody,
};

#[allow(dead_code, reason = "the fixed loop is for the bench of searches")]
#[path = "../../search/benches/search/cost.rs"]
mod cost;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.iter().any(|arg| arg == "--list") {
        return;
    }
    let events: u64 = if args.iter().any(|arg| arg == "--bench") { 2_000_000 } else { 1_000 };
    let mut run = Run::new(Arc::new(program()));
    let before = cost::cpu();
    let mut seen = 0u64;
    // Two threads request without end: the budget ends the run.
    let _ = run.run(events, &mut |_| seen += 1);
    let requested = cost::cpu() - before;
    let mut run = Run::new(Arc::new(program().without("ping").without("pong")));
    let before = cost::cpu();
    let offered = Event::new("checked").number("errors", 0);
    for _ in 0..events {
        let _ = run.offer(offered.clone(), 10, &mut |_| seen += 1);
    }
    let took = cost::cpu() - before;
    let rate = |took: std::time::Duration| events as f64 / took.as_secs_f64().max(1e-9) / 1e6;
    println!(
        "{events} events, 10 threads: {:.2} million a CPU second requested, {:.2} offered",
        rate(requested),
        rate(took)
    );
    assert_eq!(seen, 2 * events);
}

/// Two threads that alternate, four gates, two limits, two that wait.
fn program() -> Program {
    let pattern = |text: &str| -> Vec<Pattern> { text.parse().into_iter().collect() };
    let steps = |request: &str, wait: &str, block: &str| {
        let first =
            Sync { request: vec![Event::new(request)], block: pattern(block), ..Sync::default() };
        let second = Sync { wait: pattern(wait), ..Sync::default() };
        ThreadBody::Steps(Steps { steps: vec![first, second], repeat: true, cleanup: Vec::new() })
    };
    let mut bodies =
        vec![("ping", steps("ping", "pong", "apply")), ("pong", steps("pong", "ping", "edit"))];
    for name in ["compile", "tests", "files", "size"] {
        let gate = Gate {
            blocks: pattern("apply"),
            opens: pattern("checked errors = 0"),
            closes: pattern("edited"),
        };
        bodies.push((name, ThreadBody::Gate(gate)));
    }
    for name in ["tokens", "money"] {
        let limit = Limit {
            counts: Pattern::named("spend"),
            field: Some("amount".to_owned()),
            most: 1_000,
            resets: pattern("task"),
        };
        bodies.push((name, ThreadBody::Limit(limit)));
    }
    for name in ["record", "report"] {
        let sync = Sync { wait: pattern("applied"), ..Sync::default() };
        bodies.push((
            name,
            ThreadBody::Steps(Steps { steps: vec![sync], repeat: true, cleanup: Vec::new() }),
        ));
    }
    let thread = |(at, (name, body)): (usize, (&str, ThreadBody))| Thread {
        name: name.to_owned(),
        priority: at as u32,
        because: String::new(),
        body,
    };
    Program::new(bodies.into_iter().enumerate().map(thread).collect()).unwrap_or_default()
}
