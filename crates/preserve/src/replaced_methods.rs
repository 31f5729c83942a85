//! Methods that a change gives another meaning: a new method of a trait that is called in place of the one
//! that a test calls. What the test says stays, and it tests something else.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::compare::Comparison;
use crate::outline::{Element, ElementKind, Outline, TokenKind};
use crate::test_names::TestNames;
use crate::{Rule, Violation};

/// Methods of the standard library that tests assert with, wherever they are.
const ASSERTED: &[&str] = &[
    "all",
    "any",
    "clone",
    "cmp",
    "contains",
    "contains_key",
    "count",
    "ends_with",
    "eq",
    "first",
    "get",
    "into_iter",
    "is_empty",
    "is_err",
    "is_none",
    "is_ok",
    "is_some",
    "iter",
    "last",
    "len",
    "max",
    "min",
    "ne",
    "next",
    "nth",
    "position",
    "starts_with",
    "sum",
    "to_owned",
    "to_string",
    "to_vec",
    "unwrap",
];
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

impl Comparison<'_> {
    /// New methods of traits that are called in place of those that tests call.
    pub(crate) fn replaced_methods(
        comparisons: &[Self],
        names: &TestNames,
        found: &mut Vec<Violation>,
    ) {
        let (old, new) = (
            comparisons.iter().map(|it| Traits::of(&it.old)).collect::<Vec<_>>(),
            comparisons.iter().map(|it| Traits::of(&it.new)).collect::<Vec<_>>(),
        );
        let known: BTreeSet<(&str, &str)> =
            old.iter().flat_map(|it| &it.methods).map(|it| (it.0, it.1)).collect();
        // Impls of a trait that was there may be in any file.
        let is_open = |of_trait: &str, name: &str| {
            known.iter().any(|it| it.0 == of_trait) && !known.contains(&(of_trait, name))
        };
        let shadowing = |all: &[Traits<'_>]| {
            let foreign: BTreeSet<&str> =
                all.iter().flat_map(|it| it.implemented.iter().copied()).collect();
            let mut names: BTreeMap<String, (usize, usize)> = BTreeMap::new();
            for (nth, of) in all.iter().enumerate() {
                for (of_trait, name, by_value, at) in &of.methods {
                    if of_trait.is_empty()
                        || foreign.contains(of_trait)
                        || *by_value && is_open(of_trait, name)
                    {
                        names.entry((*name).to_owned()).or_insert((nth, *at));
                    }
                }
            }
            names
        };
        let (before, after) = (shadowing(&old), shadowing(&new));
        for (name, (nth, at)) in after.into_iter().filter(|it| !before.contains_key(&it.0)) {
            let is_asserted = ASSERTED.contains(&name.as_str()) || names.methods.contains(&name);
            if is_asserted || comparisons.iter().any(|it| it.is_called_by_tests(&name)) {
                let detail = format!("a test may call another method `{name}`");
                found.push(comparisons[nth].violation_in_new(Rule::TestWeakened, at, detail));
            }
        }
    }

    /// Whether a test has a call of a method of that name, before the change.
    fn is_called_by_tests(&self, name: &str) -> bool {
        self.old.tokens.iter().enumerate().any(|(at, token)| {
            token.is(name)
                && self.old.before(at, 1) == "."
                && matches!(self.old.text(at + 1), "(" | "::")
                && self.old_layout.in_tests(at)
        })
    }
}

/// The methods of a text that may be taken before those of a type itself.
pub(crate) struct Traits<'a> {
    /// Trait, name, whether it takes `self` as a value, and place. Those in an impl of a trait for a type that
    /// this text does not define have no trait.
    pub(crate) methods: Vec<(&'a str, &'a str, bool, usize)>,
    /// The traits with such an impl.
    implemented: BTreeSet<&'a str>,
}

impl<'a> Traits<'a> {
    pub(crate) fn of(outline: &Outline<'a>) -> Self {
        let items = || outline.elements.iter().filter(|it| it.kind == ElementKind::Item);
        let head = |it: &Element, words: &[&str]| {
            (it.head..it.head + 3).any(|at| words.contains(&outline.text(at)))
        };
        let types = items().filter(|it| head(it, &["struct", "enum", "union", "type"]));
        let defined: BTreeSet<&str> = types.map(|it| outline.text(outline.item_name(it))).collect();
        let mut found = Self { methods: Vec::new(), implemented: BTreeSet::new() };
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

#[cfg(test)]
mod tests {
    use crate::tests::found;

    const TESTS: &str = "struct Own;\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn t() {\n        assert_eq!(f(1).to_string().len(), 1);\n        assert!(matches!(f(1), 1));\n    }\n}\n";

    fn refused(added: &str) -> bool {
        found(TESTS, &format!("{added}{TESTS}")).contains("test-weakened")
    }

    #[test]
    fn a_method_of_a_new_trait_replaces_none_that_tests_call() {
        for added in [
            "pub trait Long { fn len(self) -> usize; }\nimpl Long for String { fn len(self) -> usize { 1 } }\n",
            "pub trait Text { fn to_string(self: Self) -> String; }\nimpl Text for u8 { fn to_string(self: Self) -> String { f() } }\n",
            "trait L<const N: usize> { fn len(&self) -> usize; }\nimpl L<{ 0 + 1 }> for String { fn len(&self) -> usize { 1 } }\n",
            "impl Known for Vec<u8> { fn len(&self) -> usize { 1 } }\n",
            "trait Text { fn len(&self) -> usize; }\nimpl Text for String { fn len(&self) -> usize { 1 } }\n",
        ] {
            assert!(refused(added), "{added}");
        }
        for added in [
            "trait Text { fn len(&self) -> usize; }\nimpl Text for Own { fn len(&self) -> usize { 1 } }\n",
            "trait Other { fn width(self) -> usize; }\n",
            "trait Long { fn len(self) -> usize; }\nimpl Long for Own { fn len(self) -> usize { 1 } }\n",
            "impl std::fmt::Display for Own { fn fmt(&self) {} }\nimpl From<Own> for String { fn from(of: Own) -> Self { of.0 } }\n",
            "impl Known for Own { fn len(&self) -> usize { 1 } }\n",
            "impl Own { fn len(&self) -> usize { 1 } }\n",
        ] {
            assert!(!refused(added), "{added}: {}", found(TESTS, &format!("{added}{TESTS}")));
        }
    }

    #[test]
    fn an_impl_of_a_trait_that_was_there_gives_a_method_another_meaning() {
        let before = format!("trait Long {{ fn len(self) -> usize; }}\n{TESTS}");
        let with = |added: &str| found(&before, &format!("{added}{before}"));
        let foreign = "impl Long for String { fn len(self) -> usize { 1 } }\n";
        assert!(with(foreign).contains("test-weakened"), "{}", with(foreign));
        let own = "impl Long for Own { fn len(self) -> usize { 1 } }\n";
        assert_eq!(with(own), "");
        let more = before.replacen("fn len", "fn to_string(self) -> String { f() }\n fn len", 1);
        assert!(found(&before, &more).contains("test-weakened"));
        let equal = "impl PartialEq<Own> for String { fn eq(&self, of: &Own) -> bool { f(of) } }\n";
        assert_eq!(with(equal), "");
    }
}
