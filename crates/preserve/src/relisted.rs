//! Changes that only give the lists of one name – its parameters, arguments, fields – one element
//! more, one less, or another order.

use base::is_word;
use edit::Overlay;
use serde::{Deserialize, Serialize};

use crate::imports::{imports, last_name};
use crate::outline::{ElementKind, Outline};

/// How deep lists of the name in lists of the name are compared.
const DEEPEST: usize = 8;

/// A declared change of all lists that follow a name or `Self`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relisting {
    /// The name, without `r#`.
    pub name: String,
    /// How its lists change.
    pub change: ListChange,
}

/// How a list changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ListChange {
    /// It has one more element, which is one of these texts; a visibility may precede it.
    Added(Vec<String>),
    /// It has one element less, the one at this index or after `self`.
    Removed(usize),
    /// Its elements, perhaps without the first, which is `self`, have this order: the old index of
    /// each.
    Ordered(Vec<usize>),
}

/// Whether `overlay` does nothing else: texts are compared, also those of comments, and what is not
/// understood is a difference. No element that is removed may contain a call.
pub fn is_relisting(overlay: &Overlay, declared: &Relisting) -> bool {
    overlay.changes().all(|(path, change)| match (&change.before, &change.after) {
        (Some(before), Some(after)) => {
            change.renamed_from.is_none()
                && before.executable == after.executable
                && declared.is_all(overlay.base_text(path), &after.text)
        }
        _ => false,
    })
}

impl Relisting {
    /// Whether a text differs by nothing else, and where an element went by private imports that only it
    /// has used.
    fn is_all(&self, before: &str, after: &str) -> bool {
        if self.is_same(before, after, DEEPEST) {
            return true;
        }
        if !matches!(self.change, ListChange::Removed(_)) {
            return false;
        }
        let (old, new) = (Outline::of(before), Outline::of(after));
        let (had, has) = (imports(&old), imports(&new));
        let is_unused = |path: &String| {
            has.contains_key(path) || !new.tokens.iter().any(|it| it.is(last_name(path)))
        };
        has.keys().all(|it| had.contains_key(it))
            && had.keys().all(is_unused)
            && self.is_same(&without_imports(&old, before), &without_imports(&new, after), DEEPEST)
    }

    fn is_same(&self, mut before: &str, mut after: &str, depth: usize) -> bool {
        let Some(deeper) = depth.checked_sub(1) else { return before == after };
        loop {
            let (Some(old), Some(new)) = (self.next_list(before), self.next_list(after)) else {
                return before == after;
            };
            if old.before != new.before || old.open != new.open {
                return false;
            }
            if old.list != new.list && !self.is_changed(&old.elements(), &new.elements(), deeper) {
                return false;
            }
            (before, after) = (old.after, new.after);
        }
    }

    /// Whether one list is the other after the change, or both are the same but for lists inside.
    fn is_changed(&self, old: &[&str], new: &[&str], depth: usize) -> bool {
        let same = |a: &[&str], b: &[&str]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.is_same(a, b, depth))
        };
        if same(old, new) {
            return true;
        }
        match &self.change {
            ListChange::Added(texts) => {
                let is_new = |it: &str| {
                    let it = without_visibility(it);
                    texts.iter().any(|text| text == it)
                };
                let mut at = (0..new.len()).filter(|it| is_new(new[*it]));
                old.len() + 1 == new.len() && at.any(|at| same(old, &without(new, at)))
            }
            ListChange::Removed(at) => {
                old.len() == new.len() + 1
                    && [*at, at + 1].into_iter().any(|at| {
                        old.get(at).is_some_and(|it| is_plain(it) || is_declaration(it))
                            && same(&without(old, at), new)
                    })
            }
            ListChange::Ordered(order) => [0, 1].into_iter().any(|offset| {
                let moved: Option<Vec<&str>> =
                    order.iter().map(|it| old.get(it + offset).copied()).collect();
                old.len() == order.len() + offset
                    && moved.is_some_and(|moved| {
                        let first = old.iter().take(offset).copied();
                        same(&first.chain(moved).collect::<Vec<_>>(), new)
                    })
            }),
        }
    }

    /// The first list that follows the name or `Self`, after generic arguments.
    fn next_list<'t>(&self, text: &'t str) -> Option<List<'t>> {
        let mut from = 0;
        while let Some((start, word)) = next_word(text, from) {
            from = start + word.len();
            if word != self.name && word != "Self" {
                continue;
            }
            let open = after_generics(text, from);
            let Some(close) = open.and_then(|open| closing(text, open)) else { continue };
            let open = open.unwrap_or(from);
            return Some(List {
                before: text.get(..open)?,
                open: text.as_bytes()[open],
                list: text.get(open + 1..close)?,
                after: text.get(close..)?,
            });
        }
        None
    }
}

/// A text without its private imports, and without the blank lines outside of literals. Imports with an
/// attribute or a visibility stay: they are more than names for the file.
fn without_imports(outline: &Outline<'_>, text: &str) -> String {
    let mut code = text.as_bytes().to_vec();
    for it in outline.elements.iter().filter(|it| it.kind == ElementKind::Import) {
        let (first, last) = (outline.tokens.get(it.start), outline.tokens.get(it.end - 1));
        if let (Some(first), Some(last)) = (first.filter(|it| it.is("use")), last)
            && let Some(import) = code.get_mut(first.span.start..last.span.end)
        {
            import.fill(b' ');
        }
    }
    let code = String::from_utf8_lossy(&code);
    let mut at = 0;
    let mut found = String::with_capacity(text.len());
    for line in code.split_inclusive('\n') {
        let next = outline.tokens.partition_point(|it| it.span.end <= at);
        let is_inside = outline.tokens.get(next).is_some_and(|it| it.span.start < at);
        if is_inside || !line.trim().is_empty() {
            found.push_str(line);
        }
        at += line.len();
    }
    found
}

fn without<'t>(list: &[&'t str], at: usize) -> Vec<&'t str> {
    let kept = list.iter().enumerate().filter(|(it, _)| *it != at);
    kept.map(|(_, it)| *it).collect()
}

/// Whether an element has no brackets and no operator with an effect, outside of strings.
fn is_plain(element: &str) -> bool {
    let mut skip = Skip::new(element);
    let mut bytes = std::iter::from_fn(|| skip.next());
    element == "()" || bytes.all(|(_, it)| !b"([{!?=".contains(&it))
}

/// Whether an element is a parameter or field: `name: Type`.
fn is_declaration(element: &str) -> bool {
    let name = element.strip_prefix("mut ").unwrap_or(element);
    let after = name.trim_start_matches(is_word);
    after.len() < name.len() && after.starts_with(':') && !after.starts_with("::")
}

/// A list in a text.
struct List<'t> {
    before: &'t str,
    /// Its opening bracket.
    open: u8,
    /// What is between its brackets.
    list: &'t str,
    /// What follows, its closing bracket included.
    after: &'t str,
}

impl<'t> List<'t> {
    /// The elements, without white space and the markers of comment lines around them.
    fn elements(&self) -> Vec<&'t str> {
        let mut found = Vec::new();
        let mut start = 0;
        let mut skip = Skip::new(self.list);
        let mut depth = 0_usize;
        while let Some((at, byte)) = skip.next() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b',' if depth == 0 => {
                    found.extend(self.list.get(start..at));
                    start = at + 1;
                }
                _ => {}
            }
        }
        found.extend(self.list.get(start..));
        let mut found: Vec<&str> = found.into_iter().map(trimmed).collect();
        if found.last() == Some(&"") {
            found.pop();
        }
        found
    }
}

/// An element without white space around it and the marker of a documentation line before it.
fn trimmed(text: &str) -> &str {
    let text = text.trim();
    let line = text.strip_prefix("///").or_else(|| text.strip_prefix("//!"));
    line.map_or(text, str::trim_start).trim_end_matches("///").trim_end_matches("//!").trim_end()
}

fn without_visibility(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("pub") else { return text };
    let rest = rest.trim_start();
    match rest.strip_prefix('(').and_then(|it| it.split_once(')')) {
        Some((of, rest)) if of.chars().all(|it| it.is_alphanumeric() || " :_".contains(it)) => {
            rest.trim_start()
        }
        _ => rest,
    }
}

/// The next word of a text from a place on.
fn next_word(text: &str, from: usize) -> Option<(usize, &str)> {
    let rest = text.get(from..)?;
    let start = from + rest.find(is_word)?;
    let word = text.get(start..)?;
    Some((start, &word[..word.find(|it| !is_word(it)).unwrap_or(word.len())]))
}

/// The bracket that opens the list after a name: `(`, `::<T>(`, `<T>(`, ` {`.
fn after_generics(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let mut at = from + (rest.len() - rest.trim_start().len());
    at += if text.get(at..)?.starts_with("::<") { 2 } else { 0 };
    if text.get(at..)?.starts_with('<') {
        let mut depth = 0_usize;
        let mut last = 0;
        for (idx, byte) in text.bytes().enumerate().skip(at) {
            match byte {
                b'<' => depth += 1,
                b'>' if last != b'-' && last != b'=' => depth = depth.checked_sub(1)?,
                b';' | b'{' | b'}' => return None,
                _ => {}
            }
            last = byte;
            if depth == 0 {
                at = idx + 1;
                break;
            }
        }
    }
    let rest = text.get(at..)?;
    at += rest.len() - rest.trim_start().len();
    matches!(text.as_bytes().get(at), Some(b'(' | b'{')).then_some(at)
}

/// The place of the bracket that closes the one at `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut skip = Skip::new(text.get(open..)?);
    while let Some((at, byte)) = skip.next() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(open + at);
        }
    }
    None
}

/// The bytes of a text outside of strings and characters.
struct Skip<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Skip<'t> {
    fn new(text: &'t str) -> Self {
        Self { bytes: text.as_bytes(), at: 0 }
    }

    fn next(&mut self) -> Option<(usize, u8)> {
        loop {
            let at = self.at;
            let byte = *self.bytes.get(at)?;
            self.at += 1;
            match byte {
                b'"' => {
                    while let Some(byte) = self.bytes.get(self.at) {
                        self.at += if *byte == b'\\' { 2 } else { 1 };
                        if *byte == b'"' {
                            break;
                        }
                    }
                }
                b'\'' => {
                    let len = if self.bytes.get(at + 1) == Some(&b'\\') { 3 } else { 2 };
                    if self.bytes.get(at + len) == Some(&b'\'') {
                        self.at = at + len + 1;
                    }
                }
                byte => return Some((at, byte)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use base::{ProjectPath, Timestamp};
    use edit::FileState;

    use super::*;

    fn is_it(change: ListChange, before: &str, after: &str) -> bool {
        let state = |text: &str| Some(FileState::from_text(text));
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let states = vec![(path, state(before), state(after))];
        let overlay = Overlay::from_states("", Timestamp(0), states);
        is_relisting(&overlay, &Relisting { name: "run".to_owned(), change })
    }

    fn added(before: &str, after: &str) -> bool {
        let texts = ["1", "b: u8", "_"].map(str::to_owned).to_vec();
        is_it(ListChange::Added(texts), before, after)
    }

    #[test]
    fn declared_elements_may_be_added_to_lists_of_the_name_only() {
        assert!(added(
            "fn run<T>(a: u8) {}\n/// run(2)\nassert!(run(run(2)) == run::<u8>(')'));",
            "fn run<T>(a: u8, b: u8) {}\n/// run(2, 1)\nassert!(run(run(2, 1), 1) == run::<u8>(')', 1));"
        ));
        assert!(added("Self(2); s.run()", "Self(2, 1); s.run(1)"));
        assert!(!added("assert_eq!(run(2), 3)", "assert_eq!(run(2, 1), 4)"));
        assert!(!added("walk(2)", "walk(2, 1)"));
        assert!(!added("run(2)", "run(3, 1)"));
        assert!(!added("run(2)", "run(2, 5)"));
        assert!(!added("assert!(run(2)); x();", "assert!(run(2, 1));"));
        assert!(!added("run(2, 1)", "run(2)"));
    }

    #[test]
    fn one_plain_element_may_be_removed_from_lists_of_the_name() {
        let removed = |before: &str, after: &str| is_it(ListChange::Removed(1), before, after);
        assert!(removed("run(a, b, c); S::run(&s, a, b)", "run(a, c); S::run(&s, a)"));
        assert!(removed("run(\n/// a,\n/// b)", "run(\n/// a)"));
        assert!(removed("fn run(a: u8, b: fn(u8)) { run(a, \"(\") }", "fn run(a: u8) { run(a) }"));
        assert!(!removed("run(a, b())", "run(a)"));
        assert!(!removed("run(a, B::b())", "run(a)"));
        assert!(!removed("run(a, b, c, d)", "run(a, d)"));
        assert!(!removed("run(a, b)", "run(b, a)"));
    }

    #[test]
    fn the_elements_of_the_lists_of_the_name_may_have_the_declared_order() {
        let ordered =
            |before: &str, after: &str| is_it(ListChange::Ordered(vec![1, 0]), before, after);
        assert!(ordered(
            "fn run(a: u8, b: u8)\nrun(1, run(2, 3))",
            "fn run(b: u8, a: u8)\nrun(run(3, 2), 1)"
        ));
        assert!(ordered("S::run(&s, 1, 2)", "S::run(&s, 2, 1)"));
        assert!(!ordered("run(1, 2)", "run(2, 2)"));
        assert!(!ordered("walk(1, 2)", "walk(2, 1)"));
    }

    #[test]
    fn an_import_goes_with_the_last_use_of_its_name() {
        let declared = Relisting { name: "f".to_owned(), change: ListChange::Removed(0) };
        let is_it = |before: &str, after: &str| declared.is_all(before, after);
        let before =
            "use a::Level;\nuse b::T;\n\nfn f(l: Level, t: T) {}\nfn g() { f(Level::A, T) }\n";
        let after = "use b::T;\n\nfn f(t: T) {}\nfn g() { f(T) }\n";
        assert!(is_it(before, after));
        assert!(is_it(before, &format!("use a::Level;\n{after}")));
        assert!(!is_it(before, &after.replace("use b::T;\n", "")));
        assert!(!is_it(before, &after.replace("use b::T;", "use c::T;")));
        assert!(!is_it(before, &after.replace("fn g() { f(T) }", "fn g() {}")));
        // A re-export, an import of another configuration, a line of a string are more than names.
        for head in ["pub use", "#[cfg(x)]\nuse"] {
            assert!(!is_it(&before.replacen("use a", &format!("{head} a"), 1), after), "{head}");
            assert!(!is_it(before, &after.replacen("use b", &format!("{head} b"), 1)), "{head}");
        }
        let with = |text: &str, end: &str| format!("{text}const S: &str = \"a{end}b\";\n");
        assert!(is_it(&with(before, "\n\n"), &with(after, "\n\n")));
        assert!(!is_it(&with(before, "\n\n"), &with(after, "\n")));
        let ordered = Relisting { name: "f".to_owned(), change: ListChange::Ordered(vec![1, 0]) };
        assert!(!ordered.is_all("use a::B;\nfn f(x: u8, y: u8) {}\n", "fn f(y: u8, x: u8) {}\n"));
    }

    #[test]
    fn lists_that_nest_without_end_are_compared_as_they_are() {
        let deep = format!("{}1{}", "run(".repeat(4_000), ")".repeat(4_000));
        assert!(added(&deep, &deep));
        assert!(!added(&deep, &deep.replace("(1)", "(2, 1)")));
    }
}
