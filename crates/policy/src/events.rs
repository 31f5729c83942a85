//! The events of the gate: what graftage reports of a change, as threads see it.

use std::fmt;

use crate::gates::RULES;
use crate::program::{Event, Program, Thread, Value};
use crate::{Findings, PROTECTED_FILE, Refusal};
use base::SortedMap;

/// The event that a change is applied.
pub(crate) const APPLY: &str = "apply";

/// An event that only graftage reports.
pub(crate) struct Word {
    /// Name.
    pub(crate) name: &'static str,
    /// Fields that are numbers.
    numbers: &'static [&'static str],
    /// Fields that are flags.
    flags: &'static [&'static str],
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

/// All events that graftage reports.
pub(crate) const VOCABULARY: [Word; 13] = [
    word("proposed", &["files", "lines"], &[]),
    word("checked", &["errors"], &[]),
    word("tested", &["passed", "failed", "ignored", "lost"], &["complete"]),
    word("compile", &[], &["kept"]),
    word("compiled", &[], &["kept"]),
    word("tests", &[], &["kept"]),
    word("preservation", &[], &["kept"]),
    word("files", &[], &["kept"]),
    word(PROTECTED_FILE, &[], &["kept"]),
    word("size", &[], &["kept"]),
    word("public-api", &[], &["kept"]),
    word(APPLY, &["files", "lines", "public_changes"], &[]),
    word("applied", &[], &[]),
];

/// What evidence reports, in order, with the rules that it breaks.
pub(crate) fn of(evidence: &Findings, refused: &[Refusal]) -> Vec<Event> {
    let mut events = vec![sized("proposed", evidence)];
    events.push(Event::new("checked").number("errors", evidence.errors_after));
    if let Some(tests) = &evidence.tests {
        let tested = Event::new("tested")
            .number("passed", tests.passed)
            .number("failed", tests.newly_failing().len())
            .number("ignored", tests.ignored)
            .number("lost", tests.lost.len())
            .flag("complete", tests.complete);
        events.push(tested);
    }
    let kept = |rule: &str| !refused.iter().any(|refusal| refusal.rule == rule);
    events.extend(RULES.map(|rule| Event::new(rule).flag("kept", kept(rule))));
    events
}

/// The event that asks for the change to be applied.
pub(crate) fn apply(evidence: &Findings) -> Event {
    sized(APPLY, evidence).number("public_changes", evidence.public_changes.len())
}

fn sized(name: &str, evidence: &Findings) -> Event {
    let lines = evidence.files.iter().map(|file| file.added.saturating_add(file.removed));
    let lines = lines.fold(0usize, usize::saturating_add);
    Event::new(name).number("files", evidence.files.len()).number("lines", lines)
}

/// Most samples of one event.
const MOST: usize = 256;

/// Events that stand for all that graftage can report to a program: each combination of values that
/// its patterns distinguish; and whether these are all of them.
pub(crate) fn samples(program: &Program) -> (Vec<Event>, bool) {
    let mut values: SortedMap<(&str, &str), Vec<i64>> = SortedMap::new();
    for pattern in program.threads().iter().flat_map(Thread::patterns) {
        for (field, number) in pattern.numbers() {
            let near = [number.saturating_sub(1), number, number.saturating_add(1)];
            values.entry((pattern.name(), field)).or_default().extend(near);
        }
    }
    let (mut all, mut is_complete) = (Vec::new(), true);
    for word in &VOCABULARY {
        let mut events = vec![Event::new(word.name)];
        for flag in word.flags {
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
        is_complete &= events.len() <= MOST;
        all.extend(events);
    }
    (all, is_complete)
}

/// One more than the most that are used, so that a set which is cut off can be recognised.
fn product(events: &[Event], each: impl Fn(&Event) -> Vec<Event>) -> Vec<Event> {
    events.iter().flat_map(each).take(MOST + 1).collect()
}
