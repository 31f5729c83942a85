//! Laws of every run, on random programs.

use graftage_policy::program::{ExplorationLimits, Property, verify};
use proptest::prelude::*;

use super::*;

/// A random program over five events.
fn any_program() -> impl Strategy<Value = String> {
    let names = prop::collection::vec("[a-e]", 1..3);
    let part = (prop::sample::select(vec!["request", "wait", "block", "interrupt"]), names)
        .prop_map(|(verb, names)| format!("{verb} {}", names.join(" ")));
    let sync = prop::collection::vec(part, 1..4).prop_map(|parts| parts.join(";"));
    let thread = (prop::collection::vec(sync, 1..4), any::<bool>());
    prop::collection::vec(thread, 1..6).prop_map(|threads| {
        let line = |(at, (syncs, repeats)): (usize, &(Vec<String>, bool))| {
            format!("t{at}{}: {}\n", if *repeats { "*" } else { "" }, syncs.join(" / "))
        };
        threads.iter().enumerate().map(line).collect()
    })
}

proptest! {
    #[test]
    fn what_happens_is_not_blocked_and_replays(text in any_program(), offers in prop::collection::vec("[a-e]", 0..6)) {
        let mut run = start(&text);
        let mut trace = Vec::new();
        let _ = run.run(20, &mut |event| trace.push(event.clone()));
        for offer in &offers {
            let before = run.clone();
            let mut happened = Vec::new();
            let offered = run.offer(event(offer), 20, &mut |event| happened.push(event.clone()));
            match offered {
                Ok(Offered::Blocked(by)) => {
                    prop_assert!(!by.is_empty() && happened.is_empty());
                    prop_assert_eq!(run.snapshot(), before.snapshot());
                }
                _ => prop_assert!(happened[0] == event(offer)),
            }
            trace.extend(happened);
        }
        // `replay` refuses an event that a thread blocks.
        let mut again = start(&text);
        prop_assert!(again.replay(&trace).is_ok());
        prop_assert_eq!(again.snapshot(), run.snapshot());
    }

    #[test]
    fn counter_examples_replay(text in any_program()) {
        let properties = [Property::NoDeadlock, Property::Never("e".parse().unwrap()), Property::NoHotEnd];
        let report = verify(&program(&text), &events(&["a", "b"]), &properties, ExplorationLimits::default());
        prop_assert!(report.complete);
        for violation in &report.violations {
            prop_assert!(start(&text).replay(&violation.trace).is_ok());
        }
    }
}
