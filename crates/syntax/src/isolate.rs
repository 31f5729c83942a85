//! Error recovery, pass 3: a text that does not parse is split where items begin, at the indentation
//! that items of one list share, and what is broken is kept apart from its neighbours.
//!
//! Brackets and quotes that do not close end with the piece around them. A piece that would still
//! change its neighbours loses its body, prose among items goes altogether: white space replaces it,
//! with one byte that is never Rust. As in [`crate::delimiters`] every
//! offset holds for the text as it was written, and each such place stays an error.

use std::ops::Range;

use crate::delimiters::{self, NEVER, PART};
use crate::tree::{Kind, Tree, is_item_list};

/// How deep modules in modules are cut.
const DEEPEST: usize = 6;

/// What a broken piece may keep of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// All, where what is wrong stays inside the piece as far as that is known without its
    /// neighbours.
    Local,
    /// Nothing: only lists of items in which each item is clean by itself.
    Clean,
}

/// The text with what is broken kept apart, and how many of its bytes are others; `None` where
/// nothing is.
pub(crate) fn isolated(text: &str, keep: Keep) -> Option<(String, usize)> {
    let mut cutter = Cutter { text, bytes: text.as_bytes().to_vec(), changes: 0, keep };
    cutter.level(0..text.len(), List::File, 0);
    let changes = cutter.changes;
    (changes > 0).then(|| String::from_utf8(cutter.bytes).ok().map(|text| (text, changes)))?
}

/// Whether items begin at the indentation of the first line, though that is none.
pub(crate) fn holds_items(lines: &str) -> bool {
    let Some(indent) = first_indent(lines).filter(|indent| *indent > 0) else { return false };
    let same = |line: &&str| line.len() - line.trim_start().len() == indent;
    lines.lines().skip(1).filter(same).any(delimiters::is_head_line)
}

/// Where a list of items is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    File,
    Members,
}

struct Cutter<'t> {
    text: &'t str,
    /// The text as it becomes.
    bytes: Vec<u8>,
    changes: usize,
    keep: Keep,
}

impl Cutter<'_> {
    /// Looks at the items of one list, which are whole lines.
    fn level(&mut self, lines: Range<usize>, list: List, depth: usize) {
        let Some(indent) = first_indent(self.slice(&lines)) else { return };
        for piece in pieces(self.text, lines, indent) {
            self.piece(piece, list, indent, depth);
        }
    }

    fn slice(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or("")
    }

    fn piece(&mut self, piece: Range<usize>, list: List, indent: usize, depth: usize) {
        let code = self.slice(&piece).to_owned();
        if code.trim().is_empty() || error_scope(&code, list) == ErrorScope::Clean {
            return;
        }
        let first = code.trim_start().lines().next().unwrap_or("");
        let is_item = begins_item(first);
        let mut now = code.clone();
        let mut is_list = false;
        if is_item
            && depth < DEEPEST
            && let Some(body) = list_body(&code, indent)
        {
            let body = piece.start + body.start..piece.start + body.end;
            is_list = true;
            self.level(body, List::Members, depth + 1);
            now = self.now(&piece);
            if is_ended(&now) && error_scope(&now, list) != ErrorScope::Leaks {
                return;
            }
        }
        let closed =
            delimiters::close_delimiters(&now).map_or_else(|| now.clone(), |(closed, _)| closed);
        let may_hold_item = is_item || has_head(first) && !ends_as_prose(first);
        let is_ended = piece.end == self.text.len() || is_ended(&closed);
        let may_keep = is_list || self.keep == Keep::Local;
        if may_hold_item && is_ended && may_keep && error_scope(&closed, list) != ErrorScope::Leaks
        {
            return self.put(&piece, &closed);
        }
        if may_hold_item
            && let Some(bodiless) = bodiless(&code)
            && error_scope(&bodiless, list) != ErrorScope::Leaks
        {
            return self.put(&piece, &bodiless);
        }
        if let Some(blank) = blank(&code, 0) {
            self.put(&piece, &blank);
        }
    }

    /// What a piece has become so far.
    fn now(&self, piece: &Range<usize>) -> String {
        let bytes = self.bytes.get(piece.clone()).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn put(&mut self, piece: &Range<usize>, code: &str) {
        let Some(bytes) = self.bytes.get_mut(piece.clone()) else { return };
        if bytes.len() == code.len() {
            self.changes += bytes.iter().zip(code.bytes()).filter(|(a, b)| **a != *b).count();
            bytes.copy_from_slice(code.as_bytes());
        }
    }
}

/// Cuts lines where something begins at this indentation. What begins with a closing bracket, or
/// continues what is before, begins nothing.
fn pieces(text: &str, lines: Range<usize>, indent: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut at) = (lines.start, lines.start);
    // How far the line before is indented that has something on it.
    let mut last = 0;
    // The token that runs over the next line, where one does.
    let mut inside = 0;
    for line in text.get(lines.clone()).unwrap_or("").split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let code = line.trim_start();
        let own = line.len() - code.len();
        // Prose that slipped out of an item stays in it: what is before it is not at its end.
        let is_begin = !code.is_empty()
            && own <= indent
            && begin >= inside
            && !continues_item(code)
            && (last <= indent || begins_item(code));
        if is_begin && begin > start {
            found.push(start..begin);
            start = begin;
        }
        if !code.is_empty() {
            last = own;
        }
        if begin >= inside {
            inside = delimiters::runs_over(text, begin, at, lines.end).unwrap_or(0);
        }
    }
    found.push(start..lines.end);
    found
}

/// Whether a line continues the item of the line before.
fn continues_item(code: &str) -> bool {
    code.starts_with(['}', ')', ']', '{', '+', '=', '|', '&', '.', '>'])
        || code.starts_with("where")
        || code.starts_with("->")
}

/// The indentation of the first line that has something on it.
pub(crate) fn first_indent(lines: &str) -> Option<usize> {
    let line = lines.lines().find(|line| !line.trim_start().is_empty())?;
    Some(line.len() - line.trim_start().len())
}

/// Whether a line begins an item, or docs and attributes before one: by a keyword, `#`, a comment, or the
/// name of a macro.
fn begins_item(line: &str) -> bool {
    let word = line.find(|ch: char| !ch.is_alphanumeric() && ch != '_' && ch != ':');
    let (word, rest) = line.split_at(word.unwrap_or(line.len()));
    delimiters::is_head_line(line)
        || line.starts_with("//")
        || line.starts_with("#![")
        || matches!(word, "const" | "default" | "pub" | "fn")
        || !word.is_empty() && rest.starts_with('!') && !rest.starts_with("!=")
}

/// Whether a line contains a keyword of items.
fn has_head(line: &str) -> bool {
    let mut words = line.split(|ch: char| !ch.is_alphanumeric() && ch != '_');
    words.any(|word| {
        matches!(
            word,
            "fn" | "struct" | "enum" | "union" | "trait" | "impl" | "mod" | "type" | "static"
        )
    })
}

/// Whether a line ends as no line of code does that begins an item.
fn ends_as_prose(line: &str) -> bool {
    !line.trim_end().ends_with(['{', '}', '(', ')', '[', ']', ';', ',', '>'])
}

/// Whether code ends as items, docs and attributes do: what comes next might else continue it.
fn is_ended(code: &str) -> bool {
    let code = code.trim_end();
    let last = code.lines().next_back().unwrap_or("").trim_start();
    code.ends_with(['}', ';', ']']) || last.starts_with("//")
}

/// The whole lines between the brackets of an item that holds a list of items; relative.
fn list_body(code: &str, indent: usize) -> Option<Range<usize>> {
    let mut at = 0;
    let mut start = None;
    let mut is_list = false;
    let mut end = code.len();
    for line in code.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let trimmed = line.trim();
        match start {
            None => {
                is_list |= holds_list(trimmed);
                if is_list && trimmed.ends_with('{') {
                    start = Some(at);
                }
            }
            Some(_) => {
                let own = line.len() - line.trim_start().len();
                // The last one: one before may have slipped in.
                if trimmed.starts_with('}') && own <= indent {
                    end = begin;
                }
            }
        }
    }
    let start = start.filter(|start| *start < end)?;
    let inner = first_indent(code.get(start..end)?)?;
    (inner > indent).then_some(start..end)
}

/// Whether a line begins an item with a list of items in it.
fn holds_list(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_before =
        |word: &str| word.starts_with("pub") || matches!(word, "unsafe" | "default" | "crate)");
    let Some(word) = words.find(|word| !is_before(word)) else { return false };
    word.starts_with("impl")
        || matches!(word, "mod" | "trait" | "extern")
        || word.ends_with('!') && line.ends_with('{')
}

/// How far the errors in a piece of code reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ErrorScope {
    /// Nothing is wrong with it.
    Clean,
    /// What is wrong stays inside.
    Local,
    /// What is before or after it changes.
    Leaks,
}

/// Parses a piece of code between two items that are whole.
fn error_scope(code: &str, list: List) -> ErrorScope {
    let (before, after) = match list {
        List::File => ("fn a(){}\n", "\nfn z(){}\n"),
        List::Members => ("mod m{fn a(){}\n", "\nfn z(){}\n}\n"),
    };
    let text = format!("{before}{code}{after}");
    let Some(tree) = Tree::of(&text) else { return ErrorScope::Leaks };
    match is_whole(&tree, list, before, code) {
        false => ErrorScope::Leaks,
        true if tree.node(0).has_error() => ErrorScope::Local,
        true => ErrorScope::Clean,
    }
}

/// Whether the neighbours are what they are without the code between them.
fn is_whole(tree: &Tree, list: List, before: &str, code: &str) -> bool {
    let holder = match list {
        List::File => Some(0),
        List::Members => {
            let only = tree.children(0).next().filter(|_| tree.children(0).count() == 1);
            only.and_then(|it| tree.children(it).find(|it| is_item_list(tree.kind(*it))))
        }
    };
    let Some(holder) = holder else { return false };
    let is_neighbour = |idx: Option<u32>, start: usize| {
        idx.map(|it| tree.node(it))
            .is_some_and(|it| it.kind == Kind::FN && !it.has_error() && it.start as usize == start)
    };
    let mut items = tree.children(holder).filter(|it| is_list_entry(tree.kind(*it)));
    is_neighbour(items.next(), before.len() - "fn a(){}\n".len())
        && is_neighbour(items.last(), before.len() + code.len() + 1)
}

/// Whether a child of a list is more than its brackets.
fn is_list_entry(kind: Kind) -> bool {
    !matches!(kind, Kind::L_CURLY | Kind::R_CURLY)
}

/// The head of an item with an empty body, where it has one.
fn bodiless(code: &str) -> Option<String> {
    let mut at = 0;
    let open = code.split_inclusive('\n').find_map(|line| {
        at += line.len();
        let len = line.trim_end().len();
        line.trim_end().ends_with('{').then(|| at - line.len() + len)
    })?;
    let mut blank = blank(code, open)?.into_bytes();
    // The sign behind the bracket, then the other bracket.
    let sign = blank.iter().rposition(|byte| *byte == NEVER)?;
    let end = (sign + 1..blank.len()).find(|at| blank[*at] == b' ')?;
    blank[end] = b'}';
    String::from_utf8(blank).ok()
}

/// The code with white space instead of what follows a place, and a sign that is an error:
/// in the place of one whole character. [`PART`] is the white space in the place of a longer one.
fn blank(code: &str, from: usize) -> Option<String> {
    let mut bytes = code.as_bytes().to_vec();
    let mut is_marked = false;
    for byte in bytes.get_mut(from..)?.iter_mut().filter(|it| !matches!(it, b'\n' | b'\r')) {
        let is_sign = !is_marked && byte.is_ascii();
        *byte = match byte.is_ascii() {
            _ if is_sign => NEVER,
            true => b' ',
            false => PART,
        };
        is_marked |= is_sign;
    }
    is_marked.then(|| String::from_utf8(bytes).ok())?
}

#[cfg(test)]
mod tests {
    const SOURCE: &str = "\
//! Of the file.

/// One, which isn't
/// two.
pub fn one(a: u8) -> u8 {
    let text = r#\"
fn no_item() {}
\"#;
    a
}

impl S {
    /// Two.
    fn two(&self) {
        one(2);
    }

    /// Three \"quoted.
    fn three() {}
}

cfg_rt! {
    /// Four's.
    fn four() {
        one(4);
    }

    fn five() {}
    struct Six;
}

#[test]
fn seven() {}
";

    const WHOLE: [&str; 9] =
        ["one", "<S>", "S::two", "S::three", "cfg_rt!()", "four", "five", "Six", "seven"];

    /// Canons of what is found after `from` gave way to `to`.
    fn found(from: &str, to: &str) -> Vec<String> {
        assert_eq!(SOURCE.matches(from).count(), 1, "{from}");
        let facts = crate::read(&SOURCE.replace(from, to));
        facts.file.items.iter().map(|item| item.canon.clone()).collect()
    }

    #[test]
    fn what_is_broken_leaves_its_neighbours_alone() {
        assert_eq!(found("one(2);", "one(3);"), WHOLE);
        for (from, to) in [
            ("/// One, which isn't", "One, which isn't"),
            ("/// two.", "two."),
            ("    /// Two.\n", "    Two \"is.\n"),
            ("/// Three \"quoted", "Three \"quoted"),
            ("one(2);", "one(\"2);"),
            ("one(2);\n    }", "one(2);\n    "),
            ("/// Four's", "Four's"),
            ("#[test]", "/*"),
            ("    /// Three \"quoted.", "   ;quoted."),
            ("    /// Three \"quoted.", "}/ Three \"quoted."),
            ("    /// Three \"quoted.", "    /// Three\nquoted."),
            ("    /// Four's", "    /// Four\nlike's"),
        ] {
            assert_eq!(found(from, to), WHOLE, "{from:?} -> {to:?}");
        }
    }

    #[test]
    fn what_is_broken_in_a_macro_call_leaves_its_neighbours_alone() {
        for to in ["/*", "\"", "'", "(", ")", "{", "}", "fn ", "=> ", "x", ";", ""] {
            for from in ["struct Six", "ruct Six;\n", "Six;"] {
                let found = found(from, to);
                let lost = WHOLE
                    .iter()
                    .find(|it| **it != "Six" && !found.iter().any(|canon| canon == *it));
                assert_eq!(lost, None, "{from:?} -> {to:?}: {found:?}");
            }
        }
    }

    #[test]
    fn a_head_that_is_gone_takes_no_other_item_with_it() {
        for (from, to) in [
            ("    a\n}", "    a\n}\nuse std/*"),
            ("impl S {", "}"),
            ("impl S {", "impl S "),
            ("impl S {", "\""),
        ] {
            let found = found(from, to);
            for canon in ["one", "four", "five", "Six", "seven"] {
                assert!(
                    found.iter().any(|it| it == canon),
                    "{canon}: {from:?} -> {to:?}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn a_language_of_its_own_gives_no_items() {
        let text = "flags! {\n    pub struct Flags: u32 {\n        const A = 1;\n    }\n}\n";
        let facts = crate::read(text);
        assert_eq!(facts.file.items.len(), 1);
        assert!(facts.file.parse_errors.is_empty());
    }
}
