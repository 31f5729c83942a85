//! What verification finds.

use graftage_policy::program::{Choice, ExplorationLimits, Property, verify};

use super::*;

/// Philosophers that take the left fork first; the last takes the right one first if `is_ordered`.
fn philosophers(count: usize, is_ordered: bool) -> Program {
    let mut text = String::new();
    for at in 0..count {
        let (mut left, mut right) = (at, (at + 1) % count);
        if is_ordered && left > right {
            std::mem::swap(&mut left, &mut right);
        }
        text += &format!(
            "phil{at}*: request take{left}-{at} / request take{right}-{at} / request put{left}-{at} / request put{right}-{at}\n"
        );
    }
    for fork in 0..count {
        let users = [fork, (fork + count - 1) % count];
        let of = |verb: &str| -> String {
            users.iter().map(|it| format!(" {verb}{fork}-{it}")).collect()
        };
        text += &format!(
            "fork{fork}*: wait{};block{} / wait{};block{}\n",
            of("take"),
            of("put"),
            of("put"),
            of("take")
        );
    }
    program(&text)
}

#[test]
fn philosophers_starve_in_as_many_events_as_they_are() {
    let limits = ExplorationLimits { choice: Choice::Any, ..ExplorationLimits::default() };
    for (count, states) in [(3, 26), (5, 242), (7, 2186)] {
        let program = philosophers(count, false);
        let report = verify(&program, &[], &[Property::NoDeadlock], limits);
        assert!(report.complete);
        assert_eq!((report.states, report.violations[0].trace.len()), (states, count));
        let mut run = Run::new(Arc::new(program));
        run.replay(&report.violations[0].trace).unwrap();
        assert!(is_deadlocked(&run));
        let fixed = verify(&philosophers(count, true), &[], &[Property::NoDeadlock], limits);
        assert!(fixed.is_verified());
    }
}

#[test]
fn an_event_needs_what_must_come_before() {
    let gate = "gate*: wait checked;block apply / wait edited";
    let property = Property::OnlyAfter {
        event: "apply".parse().unwrap(),
        after: "checked".parse().unwrap(),
        until: patterns(&["edited"]),
    };
    let external = events(&["checked", "edited", "apply"]);
    let verified = verify(
        &program(gate),
        &external,
        &[property.clone(), Property::Possible("apply".parse().unwrap())],
        ExplorationLimits::default(),
    );
    assert!(verified.is_verified(), "{verified:?}");
    let open =
        verify(&program("other: wait x"), &external, &[property], ExplorationLimits::default());
    assert_eq!(open.violations[0].trace, events(&["apply"]));
    assert_eq!(open.violations[0].property, "`apply` happens only after `checked`");
}

#[test]
fn what_is_blocked_for_ever_is_not_possible() {
    let report = verify(
        &program("no: block apply"),
        &events(&["apply"]),
        &[Property::Possible("apply".parse().unwrap())],
        ExplorationLimits::default(),
    );
    assert_eq!(report.violations.len(), 1);
}

#[test]
fn a_hot_step_must_be_left() {
    let hot = [Property::NoHotEnd];
    let ends =
        verify(&program("a: request x / wait y;hot"), &[], &hot, ExplorationLimits::default());
    assert_eq!(
        (ends.violations[0].trace.clone(), ends.violations[0].repeats_from),
        (events(&["x"]), None)
    );
    let stays =
        verify(&program("a: wait y;hot\nb*: request x"), &[], &hot, ExplorationLimits::default());
    assert_eq!(
        (stays.violations[0].trace.clone(), stays.violations[0].repeats_from),
        (events(&["x"]), Some(0))
    );
    assert!(
        verify(&program("a: request y;hot"), &[], &hot, ExplorationLimits::default()).is_verified()
    );
}

#[test]
fn what_must_follow_does_in_every_run() {
    let property =
        [Property::LeadsTo { event: "ask".parse().unwrap(), to: "answer".parse().unwrap() }];
    let answers = "a*: wait ask;block answer / request answer;block ask";
    assert!(
        verify(&program(answers), &events(&["ask"]), &property, ExplorationLimits::default())
            .is_verified()
    );
    let busy = "a*: wait ask / request work / request work";
    let report = verify(&program(busy), &events(&["ask"]), &property, ExplorationLimits::default());
    let found = &report.violations[0];
    assert_eq!(found.trace[0], event("ask"));
    assert!(found.repeats_from.is_some());
}

#[test]
fn an_incomplete_exploration_verifies_nothing() {
    for (states, edges) in [(10, usize::MAX), (usize::MAX, 10)] {
        let limits = ExplorationLimits { states, edges, choice: Choice::Any };
        let never = [Property::Never("x".parse().unwrap()), Property::NoDeadlock];
        let report = verify(&philosophers(5, true), &[], &never, limits);
        assert!(report.violations.is_empty() && !report.complete && !report.is_verified());
        assert!(report.states <= 20 && report.edges <= 20, "{report:?}");
    }
}
