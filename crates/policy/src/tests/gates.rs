//! The policy: threads in, what blocks `apply` out.

use super::{Decision, Evidence, GateRules, Keep, RungName, decide, sound};
use crate::facts::Facts;
use crate::requirements::REQUIREMENTS;
use crate::{Approval, Policy, PolicyError, events};

const CAREFUL: &str = "[[thread]]\nname = \"small\"\npriority = 100\nbecause = \"we write small changes\"\n\
    gate = { blocks = [\"apply lines > 1\"], opens = [] }\n";

fn shipped() -> Policy {
    Policy::of(&GateRules::default()).unwrap()
}

fn with(text: &str) -> Result<Policy, PolicyError> {
    Policy::of(&GateRules { threads: Policy::threads_of(text)?, ..GateRules::default() })
}

/// GateRules that ask for everything.
fn strictest() -> GateRules {
    GateRules {
        require: RungName::ALL.to_vec(),
        allow_files: vec!["src/**".to_owned()],
        allow_public_changes: false,
        keep: Keep::Tests,
        ..GateRules::default()
    }
}

#[test]
fn the_shipped_policy_is_verified() {
    let report = shipped().verify();
    assert!(report.is_verified(), "{report:?}");
    assert_eq!((report.states, report.edges, report.properties.len()), (512, 20_994, 11));
    let strictest = Policy::of(&strictest()).unwrap().verify();
    assert!(strictest.is_verified(), "{strictest:?}");
}

#[test]
fn each_rung_of_the_ladder_is_reported() {
    let events =
        events::of(&Facts { rules: &GateRules::default(), findings: &sound(), allow: &[] });
    for rung in RungName::ALL {
        let name = if rung.runs_tests() { "tests" } else { events::CHECKED };
        let event = events.iter().find(|it| it.name == name).unwrap();
        assert!(event.fields.contains_key(rung.as_str()), "{event}");
    }
}

#[test]
fn without_any_one_gate_there_is_a_counter_example_that_replays() {
    for requirement in REQUIREMENTS {
        let rule = requirement.rule;
        let policy = shipped().without(rule);
        let report = policy.verify();
        assert!(
            shipped().holds(rule, &shipped().verify()) && !policy.holds(rule, &report),
            "{rule}"
        );
        let opened_by = requirement.opened_by(&GateRules::default());
        let property = format!("`apply` happens only after `{opened_by}`");
        let found = report.violations.iter().find(|it| it.property == property);
        let trace = &found.unwrap_or_else(|| panic!("{rule}: {report:?}")).trace;
        assert_eq!(trace.last().map(|it| it.name.as_str()), Some("apply"), "{rule}");
        assert!(!trace.iter().any(|it| opened_by.matches(it)), "{rule}");
        let (last, before) = trace.split_last().unwrap();
        assert_eq!(policy.blockers(before, last.clone()), Ok(Vec::new()), "{rule}");
        assert_ne!(shipped().blockers(before, last.clone()), Ok(Vec::new()));
    }
}

#[test]
fn the_numbers_and_rungs_of_the_settings_are_those_of_the_threads() {
    let opened_by = |rules: &GateRules| {
        let lines = REQUIREMENTS.iter().map(|it| format!("{}: {}", it.rule, it.opened_by(rules)));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        opened_by(&GateRules::default()),
        "compile: checked parse = true, check = true, errors = 0\n\
         compiled: compiled same = true\n\
         tests: tests failed = 0, lost = 0\n\
         preservation: preservation violations = 0\n\
         files: files outside = 0\n\
         protected-file: protected-file changed = 0\n\
         size: size files < 51, lines < 2001\n\
         public-api: public-api"
    );
    let strictest = opened_by(&strictest());
    for line in [
        "tests: tests failed = 0, lost = 0, affected_tests = true, all_tests = true\n",
        "preservation: preservation of_tests = 0\n",
        "public-api: public-api changed = 0",
    ] {
        assert!(strictest.contains(line), "{strictest}");
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
    let with = |text: &str| with(text).map(|_| ()).map_err(|error| error.to_string());
    let thread = |body: &str| format!("[[thread]]\nname = \"x\"\npriority = 99\n{body}\n");
    let only = "which only graftage may report; a policy may wait for any event and block `apply`";
    for (text, want) in [
        (
            thread(
                "steps = { steps = [{ request = [{ name = \"checked\", fields = { errors = 0 } }] }] }",
            ),
            format!("thread `x` requests `checked errors = 0`, {only}"),
        ),
        (
            thread("steps = { steps = [{ block = [\"proposed\"] }] }"),
            format!("thread `x` blocks `proposed`, {only}"),
        ),
        (
            thread("gate = { blocks = [\"checked errors > 0\"], opens = [] }"),
            format!("thread `x` blocks `checked errors > 0`, {only}"),
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
    let policy = |text: &str| with(text).unwrap();
    let report = policy(&closed).verify();
    assert_eq!(report.violations[0].property, "`apply` can happen");
    let misspelt = CAREFUL.replace("opens = []", "opens = [\"cheked errors = 0\"]");
    let unknown = |text: &str| {
        let unknown = policy(text).unknown_events().into_iter();
        let names = unknown.map(|it| [vec![it.event], it.field.into_iter().collect()].concat());
        names.map(|it| it.join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(unknown(&misspelt), ["cheked"]);
    let misspelt = CAREFUL.replace("opens = []", "opens = [\"checked erors = 0\"]");
    assert_eq!(unknown(&misspelt), ["checked erors"]);
    assert_eq!(unknown(CAREFUL), [""; 0]);
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
    let reported =
        events::of(&Facts { rules: &GateRules::default(), findings: &sound(), allow: &[] });
    assert_eq!(reported[0].to_string(), "proposed files = 1, lines = 2");
}

#[test]
fn a_partial_change_is_nearer_adds_no_error_and_needs_no_build() {
    let rules = GateRules { is_partial: true, require: Vec::new(), ..GateRules::default() };
    assert!(Policy::of(&rules).unwrap().verify().is_verified());
    let mut partial = sound();
    (partial.errors_before, partial.errors_after) = (Some(3), 1);
    partial.rungs.retain(|it| !it.name.runs_tests());
    partial
        .rungs
        .iter_mut()
        .filter(|it| it.name == RungName::Check)
        .for_each(|it| it.passed = false);
    let reasons = |rules: &GateRules, findings: &crate::Findings| {
        let decision = decide(rules, Evidence::of(findings.clone()), &Approval::default());
        match decision {
            Decision::Closed(refusals) => {
                refusals.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
            }
            _ => String::new(),
        }
    };
    assert_eq!(reasons(&rules, &partial), "");
    // No other request opens the gate for it.
    assert!(reasons(&GateRules::default(), &partial).starts_with("compile: "));
    let more = crate::Findings { new_errors: vec!["src/a.rs:1: x".to_owned()], ..partial.clone() };
    assert_eq!(reasons(&rules, &more), "partial: it adds 1 error: `src/a.rs:1: x`");
    let same = "partial: 3 errors are left, which is not fewer than without the change";
    assert_eq!(reasons(&rules, &crate::Findings { errors_after: 3, ..partial.clone() }), same);
    let forbidden = GateRules { allow_partial: false, ..rules.clone() };
    let refused = "partial: 1 error is left, and the policy permits no partial change";
    assert_eq!(reasons(&forbidden, &partial), refused);
    // A thread of the user, too; and all other rules hold.
    let text = "[[thread]]\nname = \"whole\"\npriority = 100\nbecause = \"we write whole changes\"\n\
                gate = { blocks = [\"apply\"], opens = [\"partial left = 0\"] }\n";
    let whole = GateRules { threads: Policy::threads_of(text).unwrap(), ..rules.clone() };
    assert_eq!(reasons(&whole, &partial), "whole: we write whole changes");
    let small = GateRules { max_files: 0, ..rules };
    assert!(reasons(&small, &partial).starts_with("size: "));
}
