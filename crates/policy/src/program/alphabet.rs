//! [`alphabet`]: the events that an environment of which only the patterns are known can offer.

use base::{SortedMap, SortedSet};

use super::{Event, Program, Thread, Value};

/// Most events of one name.
pub(crate) const MOST_SAMPLES: usize = 256;

/// The values that patterns distinguish, by event and field.
type Distinguished<'p> = SortedMap<&'p str, SortedMap<&'p str, SortedSet<Value>>>;

/// Events that stand for all that the threads of a program can tell apart: for each event each combination of the
/// values of its fields, of other values and of none; and whether these are all of them.
pub fn alphabet(program: &Program) -> (Vec<Event>, bool) {
    let mut names: Distinguished<'_> = SortedMap::new();
    for pattern in program.threads().iter().flat_map(Thread::patterns) {
        let fields = names.entry(pattern.name()).or_default();
        for (field, value) in pattern.values() {
            fields.entry(field).or_default().extend(neighbours(value));
        }
    }
    for thread in program.threads() {
        if let Some((counts, field)) = thread.sum() {
            // A step of one: larger ones are sums of it.
            let values = names.entry(counts.name()).or_default().entry(field).or_default();
            values.insert(Value::Number(1));
        }
    }
    let (mut all, mut is_complete) = (Vec::new(), true);
    for (name, fields) in names {
        let mut events = vec![Event::new(name)];
        for (field, values) in fields {
            events = product(&events, |event| {
                let with = |value: &Value| event.clone().with(field, value.clone());
                std::iter::once(event.clone()).chain(values.iter().map(with)).collect()
            });
        }
        is_complete &= events.len() <= MOST_SAMPLES;
        all.extend(events.into_iter().take(MOST_SAMPLES));
    }
    (all, is_complete)
}

/// A value with others of its type that a condition on it can tell apart.
fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Flag(_) => vec![Value::Flag(false), Value::Flag(true)],
        Value::Number(number) => near(*number).map(Value::Number).to_vec(),
        // One before it in the order of texts, and one after it.
        Value::Text(text) => {
            vec![Value::Text(String::new()), value.clone(), Value::Text(format!("{text}~"))]
        }
    }
}

/// A number with those beside it.
pub(crate) fn near(number: i64) -> [i64; 3] {
    [number.saturating_sub(1), number, number.saturating_add(1)]
}

/// One more than the most that are used, so that a set which is cut off can be recognised.
pub(crate) fn product(events: &[Event], each: impl Fn(&Event) -> Vec<Event>) -> Vec<Event> {
    events.iter().flat_map(each).take(MOST_SAMPLES + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Gate, Pattern, ThreadBody};

    #[test]
    fn an_alphabet_has_each_value_that_a_pattern_distinguishes() {
        let pattern = |text: &str| text.parse::<Pattern>().unwrap();
        let gate = Gate {
            blocks: vec![pattern("add count > 3"), pattern("show what = \"open\"")],
            opens: vec![pattern("ready")],
            closes: Vec::new(),
        };
        let thread = Thread::gate(("a", 1, ""), gate);
        assert!(matches!(thread.body, ThreadBody::Gate(_)));
        let (events, is_complete) = alphabet(&Program::new(vec![thread]).unwrap());
        let events: Vec<String> = events.iter().map(ToString::to_string).collect();
        assert_eq!(
            events,
            [
                "add",
                "add count = 2",
                "add count = 3",
                "add count = 4",
                "ready",
                "show",
                "show what = \"\"",
                "show what = \"open\"",
                "show what = \"open~\"",
            ]
        );
        assert!(is_complete);
    }
}
