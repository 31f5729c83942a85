//! Sides of a conflict that only add: git reports what both have added at one place as a conflict, though
//! nothing that one side has is lost beside the other.

use base::SortedMap;

use crate::brackets::left_open;
use crate::outline::{Element, ElementKind, Outline, TokenKind, is_item_keyword, tokens};

/// A text before a merge and on both sides.
pub(crate) struct Sides<'t> {
    pub(crate) base: &'t str,
    pub(crate) ours: &'t str,
    pub(crate) theirs: &'t str,
}

impl Sides<'_> {
    /// Whether joined lines have every item that one of the sides has added.
    pub(crate) fn keep_added(&self, sides: [&str; 2], joined: &str) -> bool {
        let (base, joined) = (all_names(self.base), all_names(joined));
        let mut added = sides.into_iter().flat_map(all_names).filter(|it| !base.contains(it));
        added.all(|it| joined.contains(&it))
    }

    /// The lines of both sides of a conflict, ours first, where each consists of whole items and imports
    /// of other names than the other's, and neither side has lost an item of the base. The lines that both
    /// end with are the first of `after`, once.
    pub(crate) fn both(&self, ours: &str, theirs: &str, after: &str) -> Option<String> {
        let end = shared_end(ours, theirs, after)?;
        let (ours, whole) = (&format!("{ours}{end}"), &format!("{theirs}{end}"));
        let (own, other) = (whole_items(ours)?, whole_items(whole)?);
        let base = all_names(self.base);
        let has_all = |side: &str| {
            let mut left = all_names(side);
            base.iter().all(|name| {
                let at = left.iter().position(|it| it == name);
                at.map(|at| left.swap_remove(at)).is_some()
            })
        };
        let is_new = |name: &String| !base.contains(name);
        let is_apart = own.iter().all(|it| !other.contains(it));
        let is_both = !own.is_empty() && !other.is_empty();
        let is_addition = own.iter().chain(&other).all(is_new);
        if !is_both || !is_apart || !is_addition || !has_all(self.ours) || !has_all(self.theirs) {
            return None;
        }
        // A blank line between functions, as around any other.
        let is_import = own.last().is_some_and(|it| it.starts_with("use "));
        let is_open =
            ours.trim_end_matches([' ', '\t']).ends_with("\n\n") || theirs.starts_with('\n');
        let gap = if is_import || is_open { "" } else { "\n" };
        Some(format!("{ours}{gap}{theirs}"))
    }

    /// The lines of both sides of a conflict in braces, ours first, where each consists of fields of other
    /// names than the other's and than those of the base; `before` is our text up to the conflict.
    pub(crate) fn both_fields(&self, ours: &str, theirs: &str, before: &str) -> Option<String> {
        let (own, other) = (fields(ours)?, fields(theirs)?);
        let is_known = |name: &&str| {
            let mut places = base::word_places(self.base, name);
            places.any(|at| self.base[at + name.len()..].trim_start().starts_with(':'))
        };
        let is_apart = own.iter().all(|it| !other.contains(it));
        let is_new = !own.iter().chain(&other).any(is_known);
        (is_apart && is_new && is_in_braces(before)).then(|| format!("{ours}{theirs}"))
    }

    /// The lines of both sides of a conflict, ours first, where neither has lost a line of the base and each
    /// is whole statements, arms or elements only with the first lines of `after`, which are in both. Another
    /// order may mean something else.
    pub(crate) fn in_order(&self, ours: &str, theirs: &str, after: &str) -> Option<String> {
        let end = shared_end(ours, theirs, after).filter(|it| !it.is_empty())?;
        let is_whole = |side: &str| {
            let last = tokens(side).last().is_some_and(|it| matches!(it.text, ";" | "}" | ","));
            last && !matches!(tokens(side).first().map(|it| it.text), Some("else") | None)
        };
        let (first, second) = (format!("{ours}{end}"), format!("{theirs}{end}"));
        let has_all = |side: &str| lines_left(self.base, side);
        let is_addition = has_all(self.ours) && has_all(self.theirs);
        let is_whole = is_whole(&first) && is_whole(&second);
        // Items of one name replace each other.
        let are_items = whole_items(&first).is_some() && whole_items(&second).is_some();
        (is_addition && is_whole && !are_items).then(|| format!("{first}{theirs}"))
    }
}

/// Whether a text has each line of another one, as often.
fn lines_left(of: &str, text: &str) -> bool {
    let mut counts = SortedMap::<&str, usize>::new();
    for line in text.lines() {
        *counts.entry(line.trim()).or_default() += 1;
    }
    of.lines().all(|line| {
        let left = counts.get_mut(line.trim()).filter(|it| **it > 0);
        left.map(|it| *it -= 1).is_some()
    })
}

/// The names of the fields that a text consists of, each with a comma; `None` if it has something else.
fn fields(text: &str) -> Option<Vec<&str>> {
    let outline = Outline::of(text);
    let (count, at) = (outline.tokens.len(), |at: usize| outline.text(at));
    let is_name = |at: usize| {
        outline.tokens.get(at).is_some_and(|it| it.kind == TokenKind::Word)
            && outline.text(at + 1) == ":"
    };
    // A comma between the arguments of a type ends nothing.
    let begins = |it: usize| it == count || matches!(at(it), "#" | "pub") || is_name(it);
    let mut names = Vec::new();
    let mut next = 0;
    while next < count {
        while at(next) == "#" && at(next + 1) == "[" {
            next = outline.close[next + 1] + 1;
        }
        if at(next) == "pub" {
            next += 1;
            if at(next) == "(" {
                next = outline.close[next] + 1;
            }
        }
        if !is_name(next) {
            return None;
        }
        names.push(at(next));
        while at(next) != "," || !begins(next + 1) {
            // Of other tokens it is the token itself.
            next = outline.close[next] + 1;
            if next >= count {
                return None;
            }
        }
        next += 1;
    }
    (!names.is_empty()).then_some(names)
}

/// Whether the innermost bracket that a text leaves open is a brace.
fn is_in_braces(text: &str) -> bool {
    left_open(&tokens(text)).is_some_and(|it| it.last() == Some(&"{"))
}

/// Most lines that end an item of both sides.
const MAX_END: usize = 24;

/// The lines of `after` with which what both texts leave open ends, since git takes the lines that both
/// sides end with as one; `None` if they leave other things open, or the end is too far.
fn shared_end<'t>(ours: &str, theirs: &str, after: &'t str) -> Option<&'t str> {
    let count = open_braces(ours)?;
    if open_braces(theirs)? != count {
        return None;
    }
    let (mut depth, mut end) = (count, 0);
    for line in after.split_inclusive('\n').take(MAX_END) {
        if depth == 0 {
            break;
        }
        end += line.len();
        for token in tokens(line) {
            match token.text {
                "{" => depth += 1,
                "}" => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
    }
    let end = after.get(..end)?;
    (depth == 0 && (count == 0 || end.ends_with('\n'))).then_some(end)
}

/// The number of braces that a text leaves open; `None` if it closes one that it does not open, or leaves
/// other brackets open.
fn open_braces(text: &str) -> Option<usize> {
    left_open(&tokens(text)).filter(|it| it.iter().all(|it| *it == "{")).map(|it| it.len())
}

/// The names of the items and imports that a text consists of; `None` if it has something else, or a macro,
/// whose place has a meaning.
pub fn whole_items(text: &str) -> Option<Vec<String>> {
    let outline = Outline::of(text);
    let mut names = Vec::new();
    let mut at = 0;
    while at < outline.tokens.len() {
        let from_here = outline.elements.iter().filter(|it| is_item(it) && it.start == at);
        let item = from_here.max_by_key(|it| it.end).filter(|it| it.end > at)?;
        let head = outline.text(item.head);
        if item.kind == ElementKind::Item && (head == "macro_rules" || !is_item_keyword(head)) {
            return None;
        }
        names.push(name(&outline, item));
        at = item.end;
    }
    Some(names)
}

/// The names of all items and imports of a text.
fn all_names(text: &str) -> Vec<String> {
    let outline = Outline::of(text);
    // A line of a body, read alone, begins with no keyword of an item.
    let is_named =
        |it: &&Element| it.kind == ElementKind::Import || is_item_keyword(outline.text(it.head));
    let items = outline.elements.iter().filter(is_item).filter(is_named);
    items.map(|it| name(&outline, it)).collect()
}

fn is_item(it: &&Element) -> bool {
    matches!(it.kind, ElementKind::Import | ElementKind::Item)
}

/// The head of an item up to its name, of an impl up to its body, all of an import.
fn name(outline: &Outline<'_>, item: &Element) -> String {
    let words = item.head..item.end;
    let ends = |at: &usize| match outline.text(item.head) {
        "use" => false,
        "impl" => outline.text(*at) == "{",
        _ => matches!(outline.text(*at), "(" | "{" | "<" | ":" | ";" | "="),
    };
    let words: Vec<&str> = words.take_while(|at| !ends(at)).map(|at| outline.text(at)).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(base: &str, ours: &str, theirs: &str) -> Option<String> {
        let with = |lines: &str| format!("{base}{lines}");
        let (left, right) = (with(ours), with(theirs));
        Sides { base, ours: &left, theirs: &right }.both(ours, theirs, "")
    }

    #[test]
    fn items_of_other_names_are_kept() {
        let base = "fn f() {}\nmod m { fn g() {} }\n";
        assert_eq!(
            both(base, "fn a() {\n}\n", "#[test]\nfn b() {}\n").as_deref(),
            Some("fn a() {\n}\n\n#[test]\nfn b() {}\n")
        );
        assert_eq!(
            both(base, "use a::B;\n", "use a::{C, D};\n").as_deref(),
            Some("use a::B;\nuse a::{C, D};\n")
        );
        assert!(
            both(base, "impl A for B { fn x() {} }\n", "impl A for C { fn x() {} }\n").is_some()
        );
    }

    #[test]
    fn what_may_replace_something_is_a_choice() {
        let base = "fn f() {}\n";
        // One name, an item of the base, statements, macros, nothing.
        assert_eq!(both(base, "fn a() {}\n", "fn a(b: u8) {}\n"), None);
        assert_eq!(both(base, "fn f(a: u8) {}\n", "fn b() {}\n"), None);
        assert_eq!(both(base, "a();\n", "b();\n"), None);
        assert_eq!(both(base, "m! {}\n", "fn b() {}\n"), None);
        assert_eq!(both(base, "", "fn b() {}\n"), None);
        // A side that has lost an item has replaced it.
        let sides = Sides { base, ours: "fn a() {}\n", theirs: "fn f() {}\nfn b() {}\n" };
        assert_eq!(sides.both("fn a() {}\n", "fn b() {}\n", ""), None);
    }

    #[test]
    fn the_lines_that_both_end_with_are_in_both() {
        let (ours, theirs) =
            ("fn a(mut self) -> S {\n    self.a = 1;\n", "fn b(mut self) -> S {\n");
        let after = "    self\n}\n\nfn c() {}\n";
        let base = "fn c() {}\n";
        let with = |lines: &str| format!("{lines}    self\n}}\n{base}");
        let (left, right) = (with(ours), with(theirs));
        let joined = Sides { base, ours: &left, theirs: &right }.both(ours, theirs, after);
        let wanted = format!("{ours}    self\n}}\n\n{theirs}");
        assert_eq!(joined, Some(wanted));
    }
}
