//! The methods of traits in a text that may be taken before those of a type itself.

use std::ops::Range;

use crate::outline::{Element, ElementKind, Outline, TokenKind};
use base::SortedSet;

/// Traits of the standard library, which types of others may implement for each other.
const STD_TRAITS: &[&str] = &[
    "Add",
    "AddAssign",
    "AsMut",
    "AsRef",
    "Borrow",
    "Debug",
    "Deref",
    "Display",
    "Error",
    "Extend",
    "From",
    "FromIterator",
    "FromStr",
    "Hash",
    "Index",
    "Into",
    "Mul",
    "PartialEq",
    "PartialOrd",
    "Read",
    "Sub",
    "Sum",
    "TryFrom",
    "Write",
];

/// The methods of a text that may be taken before those of a type itself.
pub(crate) struct Traits<'a> {
    /// Trait, name, whether it takes `self` as a value, and place. Those in an impl of a trait for a type that
    /// this text does not define have no trait.
    pub(crate) methods: Vec<(&'a str, &'a str, bool, usize)>,
    /// The traits with such an impl.
    pub(crate) implemented: SortedSet<&'a str>,
}

impl<'a> Traits<'a> {
    pub(crate) fn of(outline: &Outline<'a>) -> Self {
        let items = || outline.elements.iter().filter(|it| it.kind == ElementKind::Item);
        let head = |it: &Element, words: &[&str]| {
            (it.head..it.head + 3).any(|at| words.contains(&outline.text(at)))
        };
        let types = items().filter(|it| head(it, &["struct", "enum", "union", "type"]));
        let defined: SortedSet<&str> =
            types.map(|it| outline.text(outline.item_name(it))).collect();
        let mut found = Self { methods: Vec::new(), implemented: SortedSet::new() };
        for it in items().filter(|it| head(it, &["trait"])) {
            found.add(outline, outline.text(outline.item_name(it)), it.head..it.end);
        }
        for it in items().filter(|it| head(it, &["impl"])) {
            let Some((of_trait, ty)) = implemented(outline, it) else { continue };
            // Those of the standard library add no method that a test does not know.
            if !defined.contains(ty) && !STD_TRAITS.contains(&of_trait) {
                found.implemented.insert(of_trait);
                found.add(outline, "", it.head..it.end);
            }
        }
        found
    }

    fn add(&mut self, outline: &Outline<'a>, of_trait: &'a str, range: Range<usize>) {
        for at in range.clone().filter(|at| outline.before(*at, 1) == "fn") {
            let open = (at..range.end.min(at + 60)).find(|it| outline.text(*it) == "(");
            let Some(open) = open else { continue };
            let first = |ahead: usize| outline.text(open + ahead);
            let at_self =
                (1..6).find(|it| first(*it) == "self").filter(|it| first(1) != ")" || *it == 1);
            let Some(at_self) = at_self else { continue };
            let is_reference = (1..at_self).any(|it| first(it) == "&")
                || first(at_self + 1) == ":" && first(at_self + 2) == "&";
            let Some(token) = outline.tokens.get(at) else { continue };
            self.methods.push((of_trait, token.text, !is_reference, at));
        }
    }
}

/// The last names of the trait and of the type of an impl.
fn implemented<'a>(outline: &Outline<'a>, of: &Element) -> Option<(&'a str, &'a str)> {
    // The body ends with the item; braces in the head are constants.
    let body = (of.head..of.end).find(|at| outline.close.get(*at) == Some(&(of.end - 1)))?;
    let with =
        (of.head..body).rfind(|at| outline.text(*at) == "for" && outline.text(at + 1) != "<")?;
    let last = |range: Range<usize>| {
        let mut depth = 0_i32;
        let mut name = "";
        for at in range {
            match outline.text(at) {
                "<" | "(" | "[" | "{" => depth += 1,
                ">" | ")" | "]" | "}" => depth -= 1,
                "where" if depth == 0 => break,
                text if depth == 0 && outline.tokens[at].kind == TokenKind::Word => name = text,
                _ => {}
            }
        }
        name
    };
    Some((last(of.head + 1..with), last(with + 1..body)))
}
