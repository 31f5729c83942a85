//! Methods that a change gives another meaning: a new method of a trait that is called in place of the one
//! that a test calls. The text of the test stays, and it tests something else.

use base::{SortedMap, SortedSet};

use crate::compare::Comparison;
use crate::test_names::TestNames;
use crate::trait_methods::Traits;
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
        let known: SortedSet<(&str, &str)> =
            old.iter().flat_map(|it| &it.methods).map(|it| (it.0, it.1)).collect();
        // Impls of a trait that was there may be in any file.
        let is_open = |of_trait: &str, name: &str| {
            known.iter().any(|it| it.0 == of_trait) && !known.contains(&(of_trait, name))
        };
        let shadowing = |all: &[Traits<'_>]| {
            let foreign: SortedSet<&str> =
                all.iter().flat_map(|it| it.implemented.iter().copied()).collect();
            let mut names: SortedMap<String, (usize, usize)> = SortedMap::new();
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
