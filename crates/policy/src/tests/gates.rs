//! The policy: threads in, what blocks `apply` out.

use super::{Decision, Evidence, GateRules, decide, sound};
use crate::program::Event;
use crate::{Approval, Policy, events, gates::RULES};

const CAREFUL: &str = "[[thread]]\nname = \"small\"\npriority = 100\nbecause = \"we write small changes\"\n\
    gate = { blocks = [\"apply lines > 1\"], opens = [] }\n";

#[test]
fn the_shipped_policy_is_verified() {
    let report = Policy::shipped().unwrap().verify();
    assert!(report.is_verified(), "{report:?}");
    assert_eq!((report.states, report.edges, report.properties.len()), (512, 10_754, 11));
}

#[test]
fn without_any_one_gate_there_is_a_counter_example_that_replays() {
    for rule in RULES {
        let policy = Policy::shipped().unwrap().without(rule);
        let report = policy.verify();
        let property = format!("`apply` happens only after `{rule} kept = true`");
        let found = report.violations.iter().find(|it| it.property == property);
        let trace = &found.unwrap_or_else(|| panic!("{rule}: {report:?}")).trace;
        assert_eq!(trace.last().map(|it| it.name.as_str()), Some("apply"), "{rule}");
        assert!(!trace.contains(&Event::new(rule).flag("kept", true)), "{rule}");
        let (last, before) = trace.split_last().unwrap();
        assert_eq!(policy.blockers(before, last.clone()), Ok(Vec::new()), "{rule}");
        assert_ne!(Policy::shipped().unwrap().blockers(before, last.clone()), Ok(Vec::new()));
    }
}

#[test]
fn threads_of_users_tighten_and_name_their_reason() {
    let rules = GateRules { threads: Policy::threads_of(CAREFUL).unwrap(), ..GateRules::default() };
    let Decision::Closed(refusals) = decide(&rules, Evidence::of(sound()), &Approval::default())
    else {
        panic!("open")
    };
    assert_eq!(refusals.len(), 1);
    assert_eq!(refusals[0].to_string(), "small: we write small changes");
    let mut smaller = sound();
    smaller.files[0].removed = 0;
    assert!(matches!(
        decide(&rules, Evidence::of(smaller), &Approval::default()),
        Decision::Open(_)
    ));
}

#[test]
fn what_loosens_is_refused() {
    let with = |text: &str| {
        let threads = Policy::threads_of(text).map_err(|error| error.to_string())?;
        let whole = Policy::shipped().unwrap().with(&threads);
        whole.map(|_| ()).map_err(|error| error.to_string())
    };
    let thread = |body: &str| format!("[[thread]]\nname = \"x\"\npriority = 99\n{body}\n");
    let only = "which only graftage may report; a policy may wait for any event and block `apply`";
    for (text, want) in [
        (
            thread(
                "steps = { steps = [{ request = [{ name = \"compile\", fields = { kept = true } }] }] }",
            ),
            format!("thread `x` requests `compile kept = true`, {only}"),
        ),
        (
            thread("steps = { steps = [{ block = [\"proposed\"] }] }"),
            format!("thread `x` blocks `proposed`, {only}"),
        ),
        (
            thread("gate = { blocks = [\"compile kept = false\"], opens = [] }"),
            format!("thread `x` blocks `compile kept = false`, {only}"),
        ),
        (
            thread("limit = { counts = \"applied\", most = 0 }"),
            format!("thread `x` blocks `applied`, {only}"),
        ),
        (
            "[[thread]]\nname = \"compile\"\npriority = 99\nsteps = {}\n".to_owned(),
            "two threads are named `compile`; a reason could not tell which one blocks".to_owned(),
        ),
        (
            "[[thread]]\nname = \"x\"\npriority = 10\nsteps = {}\n".to_owned(),
            "`compile` and `x` have the same priority; give each thread its own number".to_owned(),
        ),
    ] {
        assert_eq!(with(&text), Err(want), "{text}");
    }
    assert_eq!(with(CAREFUL), Ok(()));
}

#[test]
fn a_policy_that_never_opens_and_a_misspelt_event_are_found() {
    let closed = CAREFUL.replace("apply lines > 1", "apply");
    let policy =
        |text: &str| Policy::shipped().unwrap().with(&Policy::threads_of(text).unwrap()).unwrap();
    let report = policy(&closed).verify();
    assert_eq!(report.violations[0].property, "`apply` can happen");
    let misspelt = CAREFUL.replace("opens = []", "opens = [\"cheked errors = 0\"]");
    assert_eq!(policy(&misspelt).unknown_events(), ["cheked"]);
    assert_eq!(policy(CAREFUL).unknown_events(), [""; 0]);
}

#[test]
fn endless_threads_close_the_gate() {
    let text = "[[thread]]\nname = \"busy\"\npriority = 99\n\
                steps = { repeat = true, steps = [{ request = [{ name = \"x\" }] }] }\n";
    let rules = GateRules { threads: Policy::threads_of(text).unwrap(), ..GateRules::default() };
    let Decision::Closed(refusals) = decide(&rules, Evidence::of(sound()), &Approval::default())
    else {
        panic!("open")
    };
    assert_eq!(refusals[0].rule, "policy");
    let reported = events::of(&Evidence::of(sound()), &[]);
    assert_eq!(reported[0].to_string(), "proposed files = 1, lines = 2");
}
