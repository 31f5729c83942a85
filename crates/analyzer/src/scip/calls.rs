//! Derives call sites from the references of an index and the source texts. Start at [`calls`].

use base::{LineIndex, ProjectPath, SortedMap, SortedSet};

use crate::scip::{Facts, Pos, SymbolKind};

/// A call of a workspace function or method by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Index in [`Facts::files`].
    pub file: u32,
    /// The token that names the callee.
    pub pos: Pos,
    /// The byte offset of that token.
    pub offset: u32,
    /// The enclosing function: index in [`Facts::definitions`]; `None` outside of functions.
    pub caller: Option<u32>,
    /// The callees: indices in [`Facts::symbols`]; several if a macro expands the token to several
    /// calls.
    pub callees: Vec<u32>,
    /// Whether the callee follows a dot.
    pub is_method: bool,
}

/// The calls in all files for which `text_of` returns a text, sorted by file and position.
///
/// A call is a reference to a function or method whose package has definitions in the index, at an
/// identifier which is directly followed, but for a turbofish, white space and comments, by `(`,
/// outside of `macro_rules!` definitions. Functions used as values,
/// calls through locals (closures, function pointers) and operators do not count.
pub fn calls(facts: &Facts, text_of: &mut dyn FnMut(&ProjectPath) -> Option<String>) -> Vec<Call> {
    let workspace_packages: SortedSet<&str> = facts
        .definitions
        .iter()
        .filter_map(|it| facts.symbol(it.symbol))
        .map(|symbol| &*symbol.package)
        .filter(|package| !package.is_empty())
        .collect();
    let callable = |symbol: u32| {
        facts.symbol(symbol).is_some_and(|symbol| {
            symbol.kind == SymbolKind::Function && workspace_packages.contains(&*symbol.package)
        })
    };
    let mut places: SortedMap<u32, SortedMap<Pos, Vec<u32>>> = SortedMap::new();
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
                is_method: follows_dot(&text, offset),
            });
        }
    }
    calls
}

/// The functions with a known range, by file: indices in [`Facts::definitions`].
fn functions(facts: &Facts) -> SortedMap<u32, Vec<u32>> {
    let mut functions: SortedMap<u32, Vec<u32>> = SortedMap::new();
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
    let range_of = |idx: u32| facts.definitions.get(idx as usize)?.enclosing;
    functions
        .iter()
        .copied()
        .filter(|idx| range_of(*idx).is_some_and(|range| range.holds(pos)))
        .max_by_key(|idx| range_of(*idx).map(|range| (range.start, std::cmp::Reverse(range.end))))
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

/// Skips white space and comments.
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

/// Skips `<…>`; `None` if the text does not begin with one. The `>` of `->` does not count.
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

fn follows_dot(text: &str, offset: usize) -> bool {
    let before = text.get(..offset).unwrap_or_default().trim_end();
    before.ends_with('.') && !before.ends_with("..")
}

/// The byte ranges of `macro_rules!` definitions, bodies included.
pub fn macro_definitions(text: &str) -> Vec<(usize, usize)> {
    text.match_indices("macro_rules!")
        .filter_map(|(start, word)| {
            let open = start + word.len() + text[start + word.len()..].find(['{', '(', '['])?;
            Some((start, open + balanced(&text[open..])))
        })
        .collect()
}

/// The length of the bracketed text at the start; brackets in strings and comments do not count.
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

/// The length of the string literal at the start, with its quotes.
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
    fn a_name_after_a_dot_is_a_method() {
        assert!(follows_dot("x\n    .get()", 7));
        assert!(!follows_dot("0..get()", 3));
        assert!(!follows_dot("get()", 0));
    }
}
