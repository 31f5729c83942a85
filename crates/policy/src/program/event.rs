//! [`Event`]: what happens, with its fields. [`Pattern`]: which events are meant.

use std::fmt;
use std::str::FromStr;

use base::SortedMap;
use serde::{Deserialize, Serialize};

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "{text:?}"),
        }
    }
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Event {
    /// Name: `apply`, `checked`.
    pub name: String,
    /// Fields by name: `errors = 0`.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub fields: SortedMap<String, Value>,
}

impl Event {
    /// An event without fields.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), fields: SortedMap::new() }
    }

    /// The event with one more field.
    #[must_use]
    pub fn with(mut self, field: &str, value: Value) -> Self {
        self.fields.insert(field.to_owned(), value);
        self
    }

    /// The event with one more field that is a number.
    #[must_use]
    pub fn number(self, field: &str, number: usize) -> Self {
        self.with(field, Value::Number(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    /// The event with one more field that is a flag.
    #[must_use]
    pub(crate) fn flag(self, field: &str, flag: bool) -> Self {
        self.with(field, Value::Flag(flag))
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (at, (field, value)) in self.fields.iter().enumerate() {
            write!(f, "{} {field} = {value}", if at == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// Which events are meant: a name, and conditions that all hold. Text form: `checked errors = 0`,
/// `spend tokens > 100, model = "x"`. An event without the field of a condition is not meant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern {
    name: String,
    conditions: Vec<Condition>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Condition {
    field: String,
    test: Test,
    value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Test {
    Equal,
    Other,
    Less,
    Greater,
}

/// The tests with their signs; no sign begins with an earlier one.
const TESTS: [(&str, Test); 4] =
    [("!=", Test::Other), ("=", Test::Equal), ("<", Test::Less), (">", Test::Greater)];

impl Pattern {
    /// All events of this name.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), conditions: Vec::new() }
    }

    /// The same with the condition that a field has this value.
    #[must_use]
    pub(crate) fn equal(self, field: &str, value: Value) -> Self {
        self.and(field, Test::Equal, value)
    }

    /// The same with the condition that a field has another value.
    #[must_use]
    pub(crate) fn except(self, field: &str, value: Value) -> Self {
        self.and(field, Test::Other, value)
    }

    /// The same with the condition that a field is less than a number.
    #[must_use]
    pub(crate) fn below(self, field: &str, number: i64) -> Self {
        self.and(field, Test::Less, Value::Number(number))
    }

    /// The same with the condition that a field is greater than a number.
    #[must_use]
    pub(crate) fn above(self, field: &str, number: i64) -> Self {
        self.and(field, Test::Greater, Value::Number(number))
    }

    fn and(mut self, field: &str, test: Test, value: Value) -> Self {
        self.conditions.push(Condition { field: field.to_owned(), test, value });
        self
    }

    /// The fields that it compares with numbers, with the numbers.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (&str, i64)> {
        self.conditions.iter().filter_map(|condition| match condition.value {
            Value::Number(number) => Some((condition.field.as_str(), number)),
            _ => None,
        })
    }

    /// The fields of its conditions with the values that they are compared with.
    pub(super) fn values(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.conditions.iter().map(|it| (it.field.as_str(), &it.value))
    }

    /// The fields of its conditions, in their order.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &str> {
        self.conditions.iter().map(|it| it.field.as_str())
    }

    /// The fields whose conditions do not hold of an event of this name, in their order.
    pub(crate) fn unmet(&self, event: &Event) -> impl Iterator<Item = &str> {
        self.conditions.iter().filter(|it| !it.holds(event)).map(|it| it.field.as_str())
    }

    /// The name of the events.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether an event is meant.
    pub(crate) fn matches(&self, event: &Event) -> bool {
        self.name == event.name && self.conditions.iter().all(|it| it.holds(event))
    }
}

impl Condition {
    fn holds(&self, event: &Event) -> bool {
        let Some(value) = event.fields.get(&self.field) else { return false };
        // Values of two types are unequal, and neither is the greater one.
        let is_same_type = std::mem::discriminant(value) == std::mem::discriminant(&self.value);
        match self.test {
            Test::Equal => *value == self.value,
            Test::Other => *value != self.value,
            Test::Less => is_same_type && *value < self.value,
            Test::Greater => is_same_type && *value > self.value,
        }
    }
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no pattern of events: {reason}; write `checked errors = 0, complete = true`")]
pub struct PatternError {
    text: String,
    reason: &'static str,
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let fail = |reason| PatternError { text: text.to_owned(), reason };
        let (name, rest) = match text.trim().split_once(char::is_whitespace) {
            Some((name, rest)) => (name, rest.trim()),
            None => (text.trim(), ""),
        };
        if !is_name(name) {
            return Err(fail("it does not begin with a name"));
        }
        let parts = rest.split(',').filter(|_| !rest.is_empty());
        let conditions = parts.map(|part| condition(part).map_err(fail));
        Ok(Self { name: name.to_owned(), conditions: conditions.collect::<Result<_, _>>()? })
    }
}

fn condition(text: &str) -> Result<Condition, &'static str> {
    let sign = |(sign, test): &(&'static str, Test)| Some((text.split_once(sign)?, *test));
    let Some(((field, value), test)) = TESTS.iter().find_map(sign) else {
        return Err("a condition has no `=`, `!=`, `<` or `>`");
    };
    let (field, value) = (field.trim(), value.trim());
    if !is_name(field) {
        return Err("a condition does not begin with the name of a field");
    }
    let value = match value {
        "true" => Value::Flag(true),
        "false" => Value::Flag(false),
        _ => match (
            value.parse::<i64>(),
            value.strip_prefix('"').and_then(|it| it.strip_suffix('"')),
        ) {
            (Ok(number), _) => Value::Number(number),
            (_, Some(text)) if !text.contains('"') => Value::Text(text.to_owned()),
            _ => return Err("a value is no number, `true`, `false` or quoted text"),
        },
    };
    Ok(Condition { field: field.to_owned(), test, value })
}

/// Whether a text is a name of an event or field.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Self, PatternError> {
        text.parse()
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.to_string()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (at, condition) in self.conditions.iter().enumerate() {
            let sign = TESTS.iter().find(|(_, test)| *test == condition.test);
            let sign = sign.map_or("=", |(sign, _)| sign);
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma} {} {sign} {}", condition.field, condition.value)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_written_and_compared() {
        let checked = Event::new("checked").number("errors", 0).flag("complete", true);
        for (text, want) in [
            ("checked", true),
            ("tested", false),
            ("checked errors = 0", true),
            ("checked errors > 0", false),
            ("checked errors < 1, complete = true", true),
            ("checked errors != 0", false),
            ("checked missing != 0", false),
            ("checked errors = \"0\"", false),
        ] {
            let pattern: Pattern = text.parse().unwrap();
            assert_eq!(pattern.matches(&checked), want, "{text}");
            assert_eq!(pattern.to_string(), text);
        }
        for text in ["", "= 3", "checked errors", "checked errors = x", "checked = 1,", "a b = \"c"]
        {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
        assert_eq!(checked.to_string(), "checked complete = true, errors = 0");
    }
}
