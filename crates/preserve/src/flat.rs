//! Reads TOML as flat keys and values, line by line, so that invalid files can be compared too.

use std::collections::BTreeMap;

/// The keys and values of a TOML configuration, read line by line so that invalid text can be
/// compared too. Keys are dotted with their tables; tables in lists have their `name`, else their
/// number.
pub(crate) fn flat(text: &str) -> BTreeMap<String, FlatValue> {
    let mut reader = FlatParser::default();
    let mut lines = (1u32..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        let mut line = without_comment(line).trim().to_owned();
        if line.starts_with('[') && !line.contains('=') {
            reader.table(&line);
            continue;
        }
        if !line.contains('=') {
            continue;
        }
        while depth(&line) > 0 {
            let Some((_, more)) = lines.next() else { break };
            line.push(' ');
            line.push_str(without_comment(more).trim());
        }
        reader.pair(&line, number);
    }
    reader.finish()
}

/// A value as text, with its line from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FlatValue {
    pub(crate) text: String,
    pub(crate) line: u32,
}

type ListEntry = (String, usize, Vec<(String, FlatValue)>);

#[derive(Default)]
struct FlatParser {
    table: String,
    /// The open table of a list: its path, its number, and its keys until its name is known.
    entry: Option<ListEntry>,
    entries: usize,
    found: BTreeMap<String, FlatValue>,
}

impl FlatParser {
    fn table(&mut self, line: &str) {
        self.close_entry();
        let is_list = line.starts_with("[[");
        let name = path_of(line.trim_matches(['[', ']', ' ']));
        if is_list {
            self.entries += 1;
            self.entry = Some((name.clone(), self.entries, Vec::new()));
        }
        self.table = name;
    }

    fn pair(&mut self, line: &str, number: u32) {
        let Some((key, value)) = split_pair(line) else { return };
        let mut pairs = Vec::new();
        spread(&path_of(key), value.trim(), number, 0, &mut pairs);
        for (key, value) in pairs {
            match &mut self.entry {
                Some((_, _, keys)) => keys.push((key, value)),
                None if self.table.is_empty() => {
                    self.found.insert(key, value);
                }
                None => {
                    self.found.insert(format!("{}.{key}", self.table), value);
                }
            }
        }
    }

    fn close_entry(&mut self) {
        let Some((table, number, keys)) = self.entry.take() else { return };
        let name = keys.iter().find(|(key, _)| key == "name").map_or_else(
            || number.to_string(),
            |(_, value)| value.text.trim_matches(['"', '\'']).to_owned(),
        );
        for (key, value) in keys {
            self.found.insert(format!("{table}[{name}].{key}"), value);
        }
    }

    fn finish(mut self) -> BTreeMap<String, FlatValue> {
        self.close_entry();
        self.found
    }
}

/// Inline tables as separate keys; nesting deeper than usual stays text.
fn spread(key: &str, value: &str, line: u32, depth: usize, pairs: &mut Vec<(String, FlatValue)>) {
    let inner = value.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    match inner.filter(|_| depth < 8) {
        Some(inner) => {
            for member in members(inner) {
                if let Some((name, value)) = split_pair(member) {
                    spread(
                        &format!("{key}.{}", path_of(name)),
                        value.trim(),
                        line,
                        depth + 1,
                        pairs,
                    );
                }
            }
        }
        None => pairs.push((key.to_owned(), FlatValue { text: value.to_owned(), line })),
    }
}

/// The characters outside of strings.
fn unquoted(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    text.char_indices().filter(move |(_, c)| match (quote, c) {
        (Some(open), _) => {
            quote = quote.filter(|_| open != *c);
            false
        }
        (None, '"' | '\'') => {
            quote = Some(*c);
            false
        }
        _ => true,
    })
}

/// The members of a list or an inline table, separated by commas outside of brackets and strings.
pub(crate) fn members(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in unquoted(text) {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found.retain(|it| !it.is_empty());
    found
}

fn split_pair(line: &str) -> Option<(&str, &str)> {
    let (at, _) = unquoted(line).find(|(_, c)| *c == '=')?;
    Some((line[..at].trim(), line[at + 1..].trim()))
}

/// A key without quotes and blanks; `_` and `-` are equal, as in cargo's old keys.
fn path_of(key: &str) -> String {
    key.chars()
        .filter(|c| !matches!(c, '"' | '\'' | ' '))
        .map(|c| if c == '_' { '-' } else { c })
        .collect()
}

fn without_comment(line: &str) -> &str {
    unquoted(line).find(|(_, c)| *c == '#').map_or(line, |(at, _)| &line[..at])
}

/// Number of open brackets.
fn depth(line: &str) -> usize {
    let Some((_, value)) = split_pair(line) else { return 0 };
    unquoted(value).fold(0, |depth: usize, (_, c)| match c {
        '[' | '{' => depth + 1,
        ']' | '}' => depth.saturating_sub(1),
        _ => depth,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found: Vec<String> =
            flat(text).into_iter().map(|(key, value)| format!("{key}={}", value.text)).collect();
        assert_eq!(found.join("; "), expected);
    }

    #[test]
    fn tables_lists_and_inline_tables_become_dotted_keys() {
        check(
            "a = 1 # b\n[lib]\ntest = false\n[[test]]\nname = \"it\"\nharness = false\n[d]\nx = { v = \"1\", f = [\"a\",\n \"b\"] }\n",
            "a=1; d.x.f=[\"a\", \"b\"]; d.x.v=\"1\"; lib.test=false; test[it].harness=false; test[it].name=\"it\"",
        );
    }

    #[test]
    fn broken_text_gives_what_it_has() {
        check("[a\nb = [1,\nc = 2", "a.b=[1, c = 2");
        check("= \n[[\n]]x", "=");
    }
}
