//! [`TomlText`]: the one reader of manifests and configuration files, for the gate, for what a model may
//! edit and for repairs. It decodes as cargo does (the `toml` crate), so no spelling of a key – quoted,
//! escaped, dotted, inline – hides it. It never follows a path and never guesses: text that does not
//! parse is an error with its line. Start at [`TomlText::parse`].

use std::fmt;

use base::{LineIndex, SortedMap};
use toml::de::{DeTable, DeValue};

/// Most parts of one key. Cargo uses six; more are an error, not a value.
const MAX_PARTS: usize = 24;
/// Most tables that are in each other.
const MAX_DEPTH: usize = 64;
/// Keys that cargo also reads with `_`.
const ALIASES: [&str; 5] =
    ["build-dependencies", "crate-type", "default-features", "dev-dependencies", "proc-macro"];

/// The values of a TOML text by their keys, whatever spelling the text has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TomlText {
    values: SortedMap<TomlKey, TomlValue>,
}

/// A key with the tables that it is in. A table in a list is `name[VALUE]` by its own `name`, else
/// by its index from 1; the next one of the same name is `name[VALUE#2]`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TomlKey(Vec<String>);

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlValue {
    /// The decoded value.
    pub data: TomlData,
    /// Line of the value, from 1.
    pub line: u32,
}

/// A decoded value; tables are keys of their own, unless they are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TomlData {
    /// A string, decoded.
    Text(String),
    /// `true` or `false`.
    Flag(bool),
    /// A number or a date, as it is written.
    Other(String),
    /// A list that is not one of tables.
    List(Vec<TomlData>),
    /// A table without keys, or one in a list of other values.
    Table(String),
}

/// Why a text is not TOML that cargo reads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct TomlFault {
    /// Line of the fault, from 1.
    pub line: u32,
    /// Reason in one line.
    pub reason: String,
}

impl TomlText {
    /// Reads a text.
    ///
    /// # Errors
    /// A text that does not parse, that has a key both with `-` and with `_`, or whose keys are
    /// deeper than any that cargo knows.
    pub fn parse(text: &str) -> Result<Self, TomlFault> {
        let (found, faults) = Self::recovered(text);
        faults.into_iter().next().map_or(Ok(found), Err)
    }

    /// Reads what can be read of a text that may be broken: for the state before a change, which may be
    /// what the change repairs.
    pub fn of_broken(text: &str) -> Self {
        Self::recovered(text).0
    }

    fn recovered(text: &str) -> (Self, Vec<TomlFault>) {
        let lines = LineIndex::new(text);
        let mut reading = Reading { lines, found: Self::default(), faults: Vec::new() };
        if let Some(line) = too_deep(text) {
            let reason = format!("a key has more than {MAX_PARTS} parts");
            return (Self::default(), vec![TomlFault { line, reason }]);
        }
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let at = error.span().map_or(0, |it| it.start);
            let reason = error.message().lines().next().unwrap_or("invalid").to_owned();
            let fault = reading.fault(at, reason);
            reading.faults.push(fault);
        }
        reading.table(&mut Vec::new(), table.get_ref());
        (reading.found, reading.faults)
    }

    /// All values, ordered by key.
    pub fn iter(&self) -> impl Iterator<Item = (&TomlKey, &TomlValue)> {
        self.values.iter()
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &TomlKey) -> Option<&TomlValue> {
        self.values.get(key)
    }

    /// The string of a key, given as its parts.
    pub fn text(&self, parts: &[&str]) -> Option<&str> {
        self.value(parts)?.data.as_text()
    }

    /// The strings in the list of a key, given as its parts.
    pub fn texts(&self, parts: &[&str]) -> Vec<&str> {
        match self.value(parts).map(|it| &it.data) {
            Some(TomlData::List(list)) => list.iter().filter_map(TomlData::as_text).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the key is `true`.
    pub(crate) fn is_true(&self, parts: &[&str]) -> bool {
        self.value(parts).is_some_and(|it| it.data == TomlData::Flag(true))
    }

    /// The value of a key, given as its parts.
    pub(crate) fn value(&self, parts: &[&str]) -> Option<&TomlValue> {
        self.values.get(&TomlKey(parts.iter().map(|it| (*it).to_owned()).collect()))
    }

    /// Whether a key is this one or below it.
    pub(crate) fn has(&self, key: &[String]) -> bool {
        self.values.keys().any(|it| it.0.starts_with(key))
    }
}

impl TomlKey {
    /// The parts, decoded.
    pub fn parts(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for TomlKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

impl TomlData {
    /// The string, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The members of a list; any other value is its only member.
    pub(crate) fn members(&self) -> &[TomlData] {
        match self {
            Self::List(members) => members,
            one => std::slice::from_ref(one),
        }
    }
}

impl fmt::Display for TomlData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Other(text) | Self::Table(text) => f.write_str(text),
            Self::List(members) => {
                let members: Vec<String> = members.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", members.join(", "))
            }
        }
    }
}

/// The first line with a key of too many parts, found before the parser builds a table for each of
/// them. A string without a comma or bracket may look like one; it has fewer full stops.
fn too_deep(text: &str) -> Option<u32> {
    let is_deep = |line: &str| {
        line.split(['=', ',', '[', ']', '{', '}', '#']).any(|key| {
            let parts = key.split('.').filter(|part| !part.trim().is_empty());
            parts.count() > MAX_PARTS
        })
    };
    (1..).zip(text.lines()).find(|(_, line)| is_deep(line)).map(|(line, _)| line)
}

struct Reading {
    lines: LineIndex,
    found: TomlText,
    faults: Vec<TomlFault>,
}

impl Reading {
    fn fault(&self, at: usize, reason: String) -> TomlFault {
        TomlFault { line: self.lines.line_of(at), reason }
    }

    fn table(&mut self, path: &mut Vec<String>, table: &DeTable<'_>) {
        for (key, value) in table {
            let name = match (path.is_empty(), key.get_ref().as_ref()) {
                // The former name of the table, which cargo still reads.
                (true, "project") => "package".to_owned(),
                (_, key) => canonical(key),
            };
            if name != **key.get_ref() && table.contains_key(name.as_str()) {
                let reason = format!("`{name}` is also written `{}`", key.get_ref());
                let fault = self.fault(key.span().start, reason);
                self.faults.push(fault);
            }
            path.push(name);
            self.value(path, value.get_ref(), value.span().start);
            path.pop();
        }
    }

    fn value(&mut self, path: &mut Vec<String>, value: &DeValue<'_>, at: usize) {
        if path.len() > MAX_DEPTH {
            let fault = self.fault(at, format!("more than {MAX_DEPTH} tables are in each other"));
            return self.faults.push(fault);
        }
        match value {
            DeValue::Table(table) if !table.is_empty() => self.table(path, table),
            DeValue::Array(list) if !list.is_empty() && list.iter().all(is_table) => {
                let last = path.pop().unwrap_or_default();
                let mut names: SortedMap<String, usize> = SortedMap::new();
                for (idx, it) in list.iter().enumerate() {
                    let own = it.get_ref().get("name").and_then(|it| it.get_ref().as_str());
                    let name = own.map_or_else(|| (idx + 1).to_string(), str::to_owned);
                    let count = names.entry(name.clone()).or_insert(0);
                    *count += 1;
                    let more = if *count > 1 { format!("#{count}") } else { String::new() };
                    path.push(format!("{last}[{name}{more}]"));
                    self.value(path, it.get_ref(), it.span().start);
                    path.pop();
                }
                path.push(last);
            }
            value => {
                let value = TomlValue { data: data_of(value), line: self.lines.line_of(at) };
                self.found.values.insert(TomlKey(path.clone()), value);
            }
        }
    }
}

fn is_table(value: &toml::Spanned<DeValue<'_>>) -> bool {
    matches!(value.get_ref(), DeValue::Table(_))
}

/// The name that cargo uses for a key.
fn canonical(key: &str) -> String {
    let dashed = key.replace('_', "-");
    if ALIASES.contains(&dashed.as_str()) { dashed } else { key.to_owned() }
}

fn data_of(value: &DeValue<'_>) -> TomlData {
    match value {
        DeValue::String(text) => TomlData::Text(text.clone().into_owned()),
        DeValue::Boolean(flag) => TomlData::Flag(*flag),
        DeValue::Integer(number) => TomlData::Other(number.to_string()),
        DeValue::Float(number) => TomlData::Other(number.to_string()),
        DeValue::Datetime(date) => TomlData::Other(date.to_string()),
        DeValue::Array(list) => {
            TomlData::List(list.iter().map(|it| data_of(it.get_ref())).collect())
        }
        DeValue::Table(table) => {
            let member = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
                let key: &std::borrow::Cow<'_, str> = key.get_ref();
                format!("{key:?} = {}", data_of(value.get_ref()))
            };
            let members: Vec<String> = table.iter().map(member).collect();
            TomlData::Table(format!("{{{}}}", members.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let values = TomlText::parse(text).map_err(|it| it.to_string());
        let line = |(key, value): (&TomlKey, &TomlValue)| format!("{key}={}", value.data);
        match values {
            Ok(values) => values.iter().map(line).collect::<Vec<_>>().join("; "),
            Err(error) => error,
        }
    }

    #[test]
    fn tables_lists_and_inline_tables_become_dotted_keys() {
        assert_eq!(
            shown(
                "a = 1 # b\n[lib]\ntest = false\n[[test]]\nname = \"it\"\nharness = false\n[d]\nx = { v = \"1\", \
                 f = [\"a\",\n \"b\"] }\n"
            ),
            "a=1; d.x.f=[\"a\", \"b\"]; d.x.v=\"1\"; lib.test=false; test[it].harness=false; \
             test[it].name=\"it\""
        );
    }

    #[test]
    fn each_spelling_of_a_key_is_the_same_key() {
        for text in [
            "[lib]\nproc-macro = true",
            "lib.proc-macro = true",
            "lib = { proc-macro = true }",
            "\"l\\u0069b\".\"proc-macro\" = true",
            "'lib' . \"proc\\u005fmacro\" = true",
            "\u{feff}[ lib ]\r\nproc_macro = true # \"\r\n",
            "x = \"\"\"\n[other]\nlib = 1\"\"\"\nlib.proc-macro = true",
            "[lib]\nname = \"a\\\"[\"\nproc-macro = true",
        ] {
            let found = TomlText::parse(text).unwrap_or_else(|it| panic!("{text}: {it}"));
            assert!(found.is_true(&["lib", "proc-macro"]), "{text}: {found:?}");
        }
    }

    #[test]
    fn text_that_does_not_parse_has_a_line_and_gives_what_can_be_read() {
        assert_eq!(TomlText::parse("a = 1\nb = = 2\n").unwrap_err().line, 2);
        assert!(TomlText::parse("[lib]\ntest = true\n[lib]\ntest = false\n").is_err());
        let broken = TomlText::of_broken("[lib]\ntest = true\n[package\nname = \"a\"\n");
        assert!(broken.is_true(&["lib", "test"]));
    }

    #[test]
    fn a_key_in_two_spellings_is_a_fault() {
        assert!(shown("[lib]\nproc-macro = false\nproc_macro = true\n").contains("also written"));
        assert_eq!(shown("[features]\na-b = []\na_b = []\n"), "features.a-b=[]; features.a_b=[]");
    }

    #[test]
    fn keys_of_endless_depth_are_a_fault() {
        for parts in [100, 200_000] {
            let key = vec!["a"; parts].join(".");
            for text in [format!("{key} = 1"), format!("[{key}]\n"), format!("a = {{ {key} = 1 }}")]
            {
                assert!(TomlText::parse(&text).is_err(), "{parts}");
            }
        }
        assert!(
            TomlText::parse(&format!("a = {}1{}", "[".repeat(9_000), "]".repeat(9_000))).is_err()
        );
    }

    #[test]
    fn tables_of_the_same_name_stay_apart() {
        assert_eq!(
            shown("[[test]]\nname = \"a\"\n[[test]]\nname = \"a\"\nharness = false\n"),
            "test[a#2].harness=false; test[a#2].name=\"a\"; test[a].name=\"a\""
        );
    }
}
