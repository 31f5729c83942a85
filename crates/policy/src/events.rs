//! The events of the gate: what graftage reports of a change, as threads see it.

use std::fmt;

use crate::facts::Facts;
use crate::program::{Event, MOST_SAMPLES, Program, Thread, Value, near, product};
use crate::{PROTECTED_FILE, RungName};
use base::{SortedMap, SortedSet};

/// The event that a change is applied.
pub(crate) const APPLY: &str = "apply";
/// The event that a change was taken up the proof ladder: what became of each rung, and the errors.
pub(crate) const CHECKED: &str = "checked";

/// The event that a change leaves errors of the tree, or none.
pub(crate) const PARTIAL: &str = "partial";

/// An event that only graftage reports.
pub(crate) struct Word {
    /// Name.
    pub(crate) name: &'static str,
    /// Fields that are numbers.
    numbers: &'static [&'static str],
    /// Fields that are flags.
    flags: &'static [&'static str],
}

impl Word {
    /// Whether the event has a field of this name.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.numbers.iter().chain(self.flags).any(|it| *it == field)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        let numbers = self.numbers.iter().map(|field| (field, "number"));
        for (field, kind) in numbers.chain(self.flags.iter().map(|field| (field, "true or false")))
        {
            write!(f, "  {field} ({kind})")?;
        }
        Ok(())
    }
}

const fn word(
    name: &'static str,
    numbers: &'static [&'static str],
    flags: &'static [&'static str],
) -> Word {
    Word { name, numbers, flags }
}

/// The flags of [`CHECKED`] and of the event `tests`: the rungs.
const BUILDS: &[&str] = &["parse", "format", "analyzer", "check", "clippy", "stories"];
const TEST_RUNS: &[&str] = &["affected_tests", "all_tests"];

/// All events that graftage reports.
pub(crate) const VOCABULARY: [Word; 13] = [
    word("proposed", &["files", "lines"], &[]),
    word(CHECKED, &["errors"], BUILDS),
    word("tested", &["passed", "failed", "ignored", "lost"], &["complete"]),
    word("compiled", &[], &["same"]),
    word("tests", &["failed", "lost"], TEST_RUNS),
    word("preservation", &["violations", "of_tests"], &[]),
    word("files", &["outside"], &[]),
    word(PROTECTED_FILE, &["changed"], &[]),
    word("size", &["files", "lines"], &[]),
    word("public-api", &["changed"], &[]),
    word(PARTIAL, &["left", "new"], &["nearer", "permitted"]),
    word(APPLY, &["files", "lines", "public_changes"], &[]),
    word("applied", &[], &[]),
];

/// Events that evidence reports, in order. An event is reported where nothing was looked at, too, with the fields
/// that say so; only `tested` is missing where no test was run.
pub(crate) fn of(facts: &Facts<'_>) -> Vec<Event> {
    let findings = facts.findings;
    let mut events = vec![sized("proposed", facts), checked(facts)];
    if let Some(tests) = &findings.tests {
        let tested = Event::new("tested")
            .number("passed", tests.passed)
            .number("failed", tests.newly_failing().len())
            .number("ignored", tests.ignored)
            .number("lost", tests.lost.len())
            .flag("complete", tests.complete);
        events.push(tested);
    }
    let violations = || facts.violations();
    let of_tests = violations().filter(|it| it.protects_tests).count();
    // A list that cannot be read allows nothing.
    let outside = facts.outside().map_or(findings.files.len().max(1), |files| files.len());
    events.extend([
        Event::new("compiled").flag("same", facts.is_what_was_compiled()),
        with_rungs(Event::new("tests"), TEST_RUNS, facts)
            .number("failed", facts.new_failures().len())
            .number("lost", facts.lost().len()),
        Event::new("preservation")
            .number("violations", violations().count())
            .number("of_tests", of_tests),
        Event::new("files").number("outside", outside),
        Event::new(PROTECTED_FILE).number("changed", facts.protected().count()),
        sized("size", facts),
        Event::new("public-api").number("changed", findings.public_changes.len()),
        Event::new(PARTIAL)
            .number("left", findings.errors_after)
            .number("new", findings.new_errors.len())
            .flag("nearer", facts.is_nearer())
            .flag("permitted", facts.rules.allow_partial),
    ]);
    events
}

fn checked(facts: &Facts<'_>) -> Event {
    with_rungs(Event::new(CHECKED), BUILDS, facts).number("errors", facts.findings.errors_after)
}

fn with_rungs(event: Event, rungs: &[&str], facts: &Facts<'_>) -> Event {
    rungs.iter().fold(event, |event, name| {
        event.flag(name, RungName::named(name).is_some_and(|rung| facts.is_done(rung)))
    })
}

/// The event that asks for the change to be applied.
pub(crate) fn apply(facts: &Facts<'_>) -> Event {
    sized(APPLY, facts).number("public_changes", facts.findings.public_changes.len())
}

fn sized(name: &str, facts: &Facts<'_>) -> Event {
    Event::new(name).number("files", facts.findings.files.len()).number("lines", facts.lines())
}

/// Events that stand for all that graftage can report to a program: each combination of values that
/// its patterns distinguish; and whether these are all of them.
pub(crate) fn samples(program: &Program) -> (Vec<Event>, bool) {
    let mut values: SortedMap<(&str, &str), Vec<i64>> = SortedMap::new();
    let patterns = || program.threads().iter().flat_map(Thread::patterns);
    let compared: SortedSet<(&str, &str)> =
        patterns().flat_map(|it| it.fields().map(move |field| (it.name(), field))).collect();
    for pattern in patterns() {
        for (field, number) in pattern.numbers() {
            values.entry((pattern.name(), field)).or_default().extend(near(number));
        }
    }
    let (mut all, mut is_complete) = (Vec::new(), true);
    for word in &VOCABULARY {
        let mut events = vec![Event::new(word.name)];
        for flag in word.flags.iter().filter(|flag| compared.contains(&(word.name, **flag))) {
            events = product(&events, |event| {
                [false, true].map(|value| event.clone().flag(flag, value)).to_vec()
            });
        }
        for field in word.numbers {
            let mut own = values.get(&(word.name, *field)).cloned().unwrap_or_default();
            own.push(0);
            own.sort_unstable();
            own.dedup();
            own.retain(|number| *number >= 0);
            let set = |event: &Event, number: i64| event.clone().with(field, Value::Number(number));
            events = product(&events, |event| own.iter().map(|it| set(event, *it)).collect());
        }
        is_complete &= events.len() <= MOST_SAMPLES;
        all.extend(events);
    }
    (all, is_complete)
}
