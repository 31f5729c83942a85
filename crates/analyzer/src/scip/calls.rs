use std::collections::{BTreeMap, BTreeSet};

use base::{LineIndex, ProjectPath};

use crate::scip::{Facts, Pos, SymbolKind};

/// A place where a function or method of the workspace is called by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Index in [`Facts::files`].
    pub file: u32,
    /// The token that names the callee.
    pub pos: Pos,
    /// The same as a byte of the file.
    pub offset: u32,
    /// The function around it: index in [`Facts::definitions`]; `None` outside of functions.
    pub caller: Option<u32>,
    /// What is called: indices in [`Facts::symbols`], more than one where a macro expands the
    /// token to several calls.
    pub callees: Vec<u32>,
    /// It stands behind a dot.
    pub is_method: bool,
}

/// The calls of a workspace in files whose text is to be had, by file and place.
///
/// A call is a reference to a function or method whose package has definitions in the index, at an
/// identifier which is directly followed, but for a turbofish, white space and comments, by `(`,
/// outside of `macro_rules!` definitions. Functions that are mentioned without being called,
/// calls through locals (closures, function pointers) and operators are none.
pub fn calls(facts: &Facts, text_of: &mut dyn FnMut(&ProjectPath) -> Option<String>) -> Vec<Call> {
    let own: BTreeSet<&str> = facts
        .definitions
        .iter()
        .filter_map(|it| facts.symbol(it.symbol))
        .map(|symbol| &*symbol.package)
        .filter(|package| !package.is_empty())
        .collect();
    let callable = |symbol: u32| {
        facts.symbol(symbol).is_some_and(|symbol| {
            symbol.kind == SymbolKind::Function && own.contains(&*symbol.package)
        })
    };
    let mut places: BTreeMap<u32, BTreeMap<Pos, Vec<u32>>> = BTreeMap::new();
    for reference in facts.references.iter().filter(|it| callable(it.symbol)) {
        let at = places.entry(reference.file).or_default().entry(reference.range.start);
        at.or_default().push(reference.symbol);
    }
    let functions = functions(facts);
    let mut calls = Vec::new();
    for (file, places) in places {
        let Some(text) = facts.file(file).and_then(&mut *text_of) else { continue };
        let lines = LineIndex::new(&text);
        let macros = macro_definitions(&text);
        for (pos, mut callees) in places {
            let Some(line) = lines.line_span(pos.line) else { continue };
            let offset = line.start + pos.col as usize;
            if !is_called(&text, offset)
                || macros.iter().any(|(from, to)| (*from..*to).contains(&offset))
            {
                continue;
            }
            callees.sort_unstable();
            callees.dedup();
            calls.push(Call {
                file,
                pos,
                offset: offset as u32,
                caller: functions.get(&file).and_then(|all| innermost(facts, all, pos)),
                callees,
                is_method: is_behind_dot(&text, offset),
            });
        }
    }
    calls
}

/// The functions of each file that say how far they reach.
fn functions(facts: &Facts) -> BTreeMap<u32, Vec<u32>> {
    let mut functions: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (idx, definition) in facts.definitions.iter().enumerate() {
        let is_function =
            facts.symbol(definition.symbol).is_some_and(|it| it.kind == SymbolKind::Function);
        if is_function && definition.enclosing.is_some() {
            functions.entry(definition.file).or_default().push(idx as u32);
        }
    }
    functions
}

fn innermost(facts: &Facts, functions: &[u32], pos: Pos) -> Option<u32> {
    let reach = |idx: u32| facts.definitions.get(idx as usize)?.enclosing;
    functions
        .iter()
        .copied()
        .filter(|idx| reach(*idx).is_some_and(|range| range.holds(pos)))
        .max_by_key(|idx| reach(*idx).map(|range| (range.start, std::cmp::Reverse(range.end))))
}

/// Whether the identifier at `offset` is followed by arguments.
pub fn is_called(text: &str, offset: usize) -> bool {
    let Some(rest) = text.get(offset..) else { return false };
    let rest = rest.strip_prefix("r#").unwrap_or(rest);
    let end = rest.find(|ch: char| ch != '_' && !ch.is_alphanumeric()).unwrap_or(rest.len());
    let (name, mut rest) = rest.split_at(end);
    if name.is_empty() {
        return false;
    }
    rest = skip_blank(rest);
    if let Some(generics) = rest.strip_prefix("::").map(skip_blank) {
        let Some(after) = skip_angles(generics) else { return false };
        rest = skip_blank(after);
    }
    rest.starts_with('(')
}

/// Behind white space and comments.
fn skip_blank(mut rest: &str) -> &str {
    loop {
        rest = rest.trim_start();
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            let mut depth = 0usize;
            let mut at = 0;
            loop {
                let here = &rest[at..];
                if here.starts_with("/*") {
                    depth += 1;
                    at += 2;
                } else if here.starts_with("*/") {
                    depth -= 1;
                    at += 2;
                } else {
                    at += here.chars().next().map_or(0, char::len_utf8);
                }
                if depth == 0 || at >= rest.len() {
                    break;
                }
            }
            rest = &rest[at..];
        } else {
            return rest;
        }
    }
}

/// Behind `<…>`; `None` where there is none. Arrows are no brackets.
fn skip_angles(rest: &str) -> Option<&str> {
    let mut depth = 0usize;
    let mut before = ' ';
    for (at, ch) in rest.char_indices() {
        match ch {
            '<' => depth += 1,
            '>' if before != '-' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return rest.get(at + 1..);
                }
            }
            // A comparison, not a bracket.
            ';' if depth == 1 => return None,
            _ if depth == 0 => return None,
            _ => {}
        }
        before = ch;
    }
    None
}

fn is_behind_dot(text: &str, offset: usize) -> bool {
    let before = text.get(..offset).unwrap_or_default().trim_end();
    before.ends_with('.') && !before.ends_with("..")
}

/// Where `macro_rules!` definitions stand, bodies included.
pub fn macro_definitions(text: &str) -> Vec<(usize, usize)> {
    text.match_indices("macro_rules!")
        .filter_map(|(start, word)| {
            let open = start + word.len() + text[start + word.len()..].find(['{', '(', '['])?;
            Some((start, open + balanced(&text[open..])))
        })
        .collect()
}

/// How many bytes the bracketed text at the start has; strings and comments hold no brackets.
fn balanced(text: &str) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(ch) = text[at..].chars().next() {
        let here = &text[at..];
        if here.starts_with("//") || here.starts_with("/*") {
            at = text.len() - skip_blank(here).len();
            continue;
        }
        match ch {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            '"' => {
                at += string_len(here);
                continue;
            }
            '\'' if here.len() > 2
                && here[1..].starts_with(['{', '}', '(', ')', '[', ']', '"']) =>
            {
                at += 2;
            }
            _ => {}
        }
        at += text[at..].chars().next().map_or(1, char::len_utf8);
        if depth == 0 {
            return at.min(text.len());
        }
    }
    text.len()
}

/// Of a string that begins here, its quotes included.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    for (at, ch) in text.char_indices().skip(1) {
        match ch {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(text: &str) -> bool {
        let (offset, text) = (text.find('$').unwrap(), text.replace('$', ""));
        is_called(&text, offset)
    }

    #[test]
    fn a_call_is_a_name_before_arguments() {
        for text in [
            "$f(1)",
            "x.$get ()",
            "$parse::<Vec<u8>>(x)",
            "$parse::< fn(u8) -> u8 >(x)",
            "$r#move()",
            "$f /* (why) */ // so\n (1)",
        ] {
            assert!(called(text), "{text}");
        }
        for text in ["map($f)", "$+ (1)", "$f::<u8>", "$S { a: 1 }", "$f", "$a < b > (c)"] {
            assert!(!called(text), "{text}");
        }
    }

    #[test]
    fn macro_definitions_reach_to_their_last_bracket() {
        let text = "macro_rules! a { ($x:expr) => { \"}\" ; '}' // }\n } }\nfn b() {}";
        let ends: Vec<&str> =
            macro_definitions(text).iter().map(|(_, to)| text[*to..].trim()).collect();
        assert_eq!(ends, ["fn b() {}"]);
        assert_eq!(macro_definitions("macro_rules! a {").len(), 1);
        assert_eq!(macro_definitions("macro_rules!"), []);
    }

    #[test]
    fn what_stands_behind_a_dot_is_a_method() {
        assert!(is_behind_dot("x\n    .get()", 7));
        assert!(!is_behind_dot("0..get()", 3));
        assert!(!is_behind_dot("get()", 0));
    }
}
