//! How a program runs.

use std::sync::Arc;

use graftage_policy::program::{
    Gate, Limit, Offered, Program, ProgramError, Run, RunError, Steps, Thread, ThreadBody, Value,
};

use super::*;

const HOT: &str = "hot: request hot / request hot / request hot";
const COLD: &str = "cold: request cold / request cold / request cold";

#[test]
fn the_lowest_priority_number_is_selected_first() {
    assert_eq!(names(&mut start(&format!("{HOT}\n{COLD}")), &[]), "hot hot hot cold cold cold");
    let mixed = format!("{HOT}\n{COLD}\nmixer*: wait hot;block cold / wait cold;block hot");
    assert_eq!(names(&mut start(&mixed), &[]), "hot cold hot cold hot cold");
}

#[test]
fn an_interrupt_ends_a_thread_before_its_request_and_its_wait() {
    let text = "a: request x;block y;interrupt z\nb: request y\nc: block x";
    assert_eq!(names(&mut start(text), &["z"]), "z y");
    // The thread requests what also interrupts it: it ends instead of moving on.
    assert_eq!(names(&mut start("a: request x;interrupt x / request never"), &[]), "x");
    let steps = Steps {
        steps: vec![sync("wait never;interrupt stop")],
        repeat: false,
        cleanup: vec![sync("request closed")],
    };
    let thread = Thread {
        name: "a".to_owned(),
        priority: 1,
        because: String::new(),
        body: ThreadBody::Steps(steps),
    };
    let mut run = Run::new(Arc::new(Program::new(vec![thread]).unwrap()));
    assert_eq!(names(&mut run, &["stop"]), "stop closed");
}

#[test]
fn a_request_is_met_by_the_equal_event_only_and_a_wait_by_any_that_matches() {
    let mut run = start("a: wait x y / request done");
    assert_eq!(names(&mut run, &["z", "y"]), "z y done");
    let asked = event("x").number("n", 1);
    let steps =
        vec![Sync { request: vec![asked.clone()], ..Sync::default() }, sync("request done")];
    let body = ThreadBody::Steps(Steps { steps, ..Steps::default() });
    let blocking = ThreadBody::Steps(Steps {
        steps: vec![Sync {
            block: patterns(&["x n = 1"]),
            wait: patterns(&["go"]),
            ..Sync::default()
        }],
        ..Steps::default()
    });
    let thread = |name: &str, priority, body| Thread {
        name: name.to_owned(),
        priority,
        because: String::new(),
        body,
    };
    let program = Program::new(vec![thread("a", 1, body), thread("b", 2, blocking)]).unwrap();
    let mut run = Run::new(Arc::new(program));
    let mut seen = Vec::new();
    let mut see = |event: &Event| seen.push(event.to_string());
    run.offer(event("x").number("n", 2), 10, &mut see).unwrap();
    run.offer(event("go"), 10, &mut see).unwrap();
    assert_eq!(seen, ["x n = 2", "go", "x n = 1", "done"]);
}

#[test]
fn a_blocked_offer_names_who_blocks_and_why_and_is_forgotten() {
    let gate = Gate {
        blocks: patterns(&["apply"]),
        opens: patterns(&["checked errors = 0"]),
        closes: patterns(&["edited"]),
    };
    let gate = Thread {
        name: "compile".to_owned(),
        priority: 1,
        because: "the candidate was not built".to_owned(),
        body: ThreadBody::Gate(gate),
    };
    let mut run = Run::new(Arc::new(Program::new(vec![gate]).unwrap()));
    let mut seen = Vec::new();
    let mut offer =
        |event: Event| run.offer(event, 10, &mut |event| seen.push(event.to_string())).unwrap();
    let Offered::Blocked(by) = offer(event("apply")) else { panic!("open at the start") };
    assert_eq!(
        (by[0].thread.as_str(), by[0].because.as_str()),
        ("compile", "the candidate was not built")
    );
    assert!(matches!(offer(event("checked").number("errors", 1)), Offered::Selected));
    assert!(matches!(offer(event("apply")), Offered::Blocked(_)));
    offer(event("checked").number("errors", 0));
    assert_eq!(offer(event("apply")), Offered::Selected);
    offer(event("edited"));
    assert!(matches!(offer(event("apply")), Offered::Blocked(_)));
    assert_eq!(seen, ["checked errors = 1", "checked errors = 0", "apply", "edited"]);
}

#[test]
fn a_limit_blocks_what_would_exceed_it() {
    let limit = Limit {
        counts: "spend".parse().unwrap(),
        field: Some("cents".to_owned()),
        most: 100,
        resets: patterns(&["task"]),
    };
    let thread = Thread {
        name: "money".to_owned(),
        priority: 1,
        because: "the budget is spent".to_owned(),
        body: ThreadBody::Limit(limit),
    };
    let mut run = Run::new(Arc::new(Program::new(vec![thread]).unwrap()));
    let mut offer =
        |event: Event| matches!(run.offer(event, 10, &mut |_| {}).unwrap(), Offered::Selected);
    let spend = |cents: i64| event("spend").with("cents", Value::Number(cents));
    let got: Vec<bool> = [60, 41, 40, 0, 1].into_iter().map(|it| offer(spend(it))).collect();
    assert_eq!(got, [true, false, true, true, false]);
    // Without a readable amount it counts as too much.
    assert!(!offer(event("spend")));
    assert!(!offer(spend(-1)));
    assert!(offer(event("task")));
    assert!(offer(spend(100)));
}

#[test]
fn a_run_without_end_stops_at_its_budget() {
    let mut run = start("a*: request x");
    let error = run.run(50, &mut |_| {}).unwrap_err();
    assert_eq!(error, RunError::Budget { budget: 50, last: event("x") });
    assert_eq!(run.snapshot().events, 50);
}

#[test]
fn idle_and_deadlock_differ_and_snapshots_show_what_blocks() {
    let mut run = start("a: request x\nb: block x");
    assert_eq!(names(&mut run, &[]), "");
    assert!(is_deadlocked(&run));
    let requested = &run.snapshot().requested[0];
    assert_eq!((requested.thread.as_str(), requested.blocked_by[0].thread.as_str()), ("a", "b"));
    let mut run = start("a: wait x");
    assert_eq!(names(&mut run, &[]), "");
    assert!(!is_deadlocked(&run));
}

#[test]
fn names_and_priorities_are_unique() {
    let thread = |name: &str, priority| Thread {
        name: name.to_owned(),
        priority,
        because: String::new(),
        body: ThreadBody::Steps(Steps::default()),
    };
    let error = Program::new(vec![thread("a", 1), thread("b", 1)]).unwrap_err();
    assert_eq!(error, ProgramError::Priority("a".to_owned(), "b".to_owned()));
    let error = Program::new(vec![thread("a", 1), thread("a", 2)]).unwrap_err();
    assert_eq!(error, ProgramError::Name("a".to_owned()));
}

#[test]
fn programs_round_trip_as_text() {
    let program = program("a*: request x;block y z;hot / wait w;interrupt v;terminal");
    let text = serde_json::to_string(&program).unwrap();
    assert_eq!(serde_json::from_str::<Program>(&text).unwrap(), program);
}
