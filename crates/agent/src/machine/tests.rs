//! All states that a task can reach, with its guard beside it.

use base::{SortedMap, SortedSet};

use policy::program::{Event, ExplorationLimits, Pattern, Property, verify};

use super::guard::{Guard, program};
use super::{MAX_RETRIES, Machine, TaskCommand, TaskEnd, TaskEvent};
use crate::TaskStep;

/// Every state that can be reached, with the events that are possible in it.
fn reachable() -> SortedMap<Machine, Vec<(TaskEvent, Machine)>> {
    let mut found = SortedMap::new();
    let mut open = vec![Machine::default()];
    while let Some(state) = open.pop() {
        if found.contains_key(&state) {
            continue;
        }
        let next: Vec<_> = TaskEvent::ALL
            .into_iter()
            .filter_map(|event| Some((event, state.after(event).ok()?)))
            .collect();
        open.extend(next.iter().map(|(_, to)| *to));
        found.insert(state, next);
    }
    found
}

#[test]
fn every_state_has_a_command_and_a_way_to_the_end() {
    let states = reachable();
    assert_eq!(states.len(), 224, "update the figure in ARCHITECTURE.md");
    let mut can_end: SortedSet<Machine> =
        states.keys().filter(|state| state.end.is_some()).copied().collect();
    loop {
        let more = states.iter().filter(|(state, next)| {
            !can_end.contains(state) && next.iter().any(|(_, to)| can_end.contains(to))
        });
        let more: Vec<Machine> = more.map(|(state, _)| *state).collect();
        if more.is_empty() {
            break;
        }
        can_end.extend(more);
    }
    for (state, next) in &states {
        assert!(can_end.contains(state), "{state:?} never ends");
        let is_idle = state.command() == TaskCommand::Stop;
        assert_eq!(is_idle, state.end.is_some() || state.step == TaskStep::Ready, "{state:?}");
        let cancels = next.iter().any(|(event, _)| *event == TaskEvent::Cancelled);
        assert_eq!(cancels, !is_idle, "{state:?} can be cancelled");
    }
}

#[test]
fn a_transient_failure_is_repeated_so_often_and_no_more() {
    let mut machine = Machine::default().after(TaskEvent::Started).unwrap();
    let mut waits = Vec::new();
    for _ in 0..MAX_RETRIES {
        machine = machine.after(TaskEvent::Failed { transient: true }).unwrap();
        let TaskCommand::Wait { ms } = machine.command() else { panic!("{machine:?}") };
        waits.push(ms);
        machine = machine.after(TaskEvent::Waited).unwrap();
        assert_eq!(machine.command(), TaskCommand::CheckTree);
    }
    assert_eq!(waits, [250, 500, 1000]);
    let failed = machine.after(TaskEvent::Failed { transient: true }).unwrap();
    assert_eq!(failed.end, Some(TaskEnd::Failed));
    let other = machine.after(TaskEvent::TreeBroken).unwrap();
    assert_eq!(other.retries, 0, "the next command has repetitions of its own");
}

#[test]
fn the_guard_agrees_with_the_machine_wherever_a_task_can_get() {
    let mut seen = SortedSet::new();
    let mut open = vec![(Machine::default(), Guard::new().unwrap(), Vec::new())];
    while let Some((machine, guard, path)) = open.pop() {
        if !seen.insert((machine, guard.positions())) {
            continue;
        }
        for event in TaskEvent::ALL {
            // The driver alone makes it, when the guard has blocked another one.
            if event == TaskEvent::Blocked {
                continue;
            }
            let Ok(next) = machine.after(event) else { continue };
            let mut guard = guard.clone();
            let mut path: Vec<TaskEvent> = path.clone();
            path.push(event);
            guard.offer(event).unwrap_or_else(|why| panic!("{why} after {path:?}"));
            open.push((next, guard, path));
        }
    }
    assert!(seen.len() >= reachable().len());
}

#[test]
fn no_order_of_events_writes_a_change_that_no_gate_opened_for() {
    let external: Vec<Event> =
        TaskEvent::ALL.into_iter().map(|event| Event::new(event.name())).collect();
    let named = Pattern::named;
    let properties = [
        Property::OnlyAfter {
            event: named("applied"),
            after: named("apply_asked"),
            until: vec![named("applied")],
        },
        Property::OnlyAfter {
            event: named("gate_opened"),
            after: named("tests_passed"),
            until: vec![named("scored"), named("materialized")],
        },
        Property::OnlyAfter {
            event: named("tests_passed"),
            after: named("checked"),
            until: vec![],
        },
        Property::Possible(named("applied")),
    ];
    let report = verify(&program().unwrap(), &external, &properties, ExplorationLimits::default());
    let violated: Vec<&str> = report.violations.iter().map(|it| it.property.as_str()).collect();
    assert!(report.complete);
    // Tests of the in-progress change need no candidate that was checked.
    assert_eq!(violated, [report.properties[2].as_str()]);
    assert!(report.violations[0].trace.contains(&Event::new("in_progress")));
}

#[test]
fn without_any_thread_of_the_guard_something_is_written_or_decided_too_early() {
    let whole = program().unwrap();
    let early: [(&str, &[TaskEvent]); 6] = [
        ("checked-before-tests", &[TaskEvent::Started, TaskEvent::Scored]),
        ("tested-before-decision", &[TaskEvent::Started, TaskEvent::GateOpened]),
        ("decided-before-write", &[TaskEvent::Started, TaskEvent::ApplyAsked]),
        ("asked-before-write", &[TaskEvent::Started, TaskEvent::Applied]),
        ("choice-before-taken", &[TaskEvent::Started, TaskEvent::Chosen]),
        (
            "nothing-after-cancellation",
            &[
                TaskEvent::Started,
                TaskEvent::InProgress,
                TaskEvent::TestsPassed,
                TaskEvent::Cancelled,
                TaskEvent::GateOpened,
            ],
        ),
    ];
    assert_eq!(whole.threads().len(), early.len(), "one case for each thread");
    for (thread, events) in early {
        let last = |mut guard: Guard| events.iter().map(|it| guard.offer(*it)).last().unwrap();
        assert!(
            last(Guard::new().unwrap()).is_err_and(|why| why.to_string().contains(thread)),
            "{thread}"
        );
        let others = whole.threads().iter().filter(|it| it.name != thread).cloned();
        let without = policy::program::Program::new(others.collect()).unwrap();
        assert!(last(Guard::of(without)).is_ok(), "{thread} alone blocks it");
    }
}
