//! Decides which names in tests may change: those that the overlay declares anew, and misspelled
//! ones. Never a name that determines what is asserted. Start at [`Names`].

use base::{SortedMap, SortedSet};

use crate::Allowed;
use crate::compare::Comparison;
use crate::outline::{ElementKind, Outline, TokenKind, is_keyword};

/// Names of the standard library that determine what is asserted; no repair renames them.
const MEANINGFUL: &[&str] = &[
    "Equal",
    "Err",
    "Greater",
    "Less",
    "None",
    "Ok",
    "Some",
    "abs",
    "all",
    "any",
    "cmp",
    "contains",
    "contains_key",
    "count",
    "ends_with",
    "eq",
    "expect",
    "expect_err",
    "false",
    "first",
    "ge",
    "get",
    "gt",
    "is_empty",
    "is_err",
    "is_finite",
    "is_nan",
    "is_none",
    "is_ok",
    "is_some",
    "last",
    "le",
    "len",
    "lt",
    "matches",
    "max",
    "min",
    "ne",
    "nth",
    "partial_cmp",
    "product",
    "starts_with",
    "sum",
    "true",
    "unwrap",
    "unwrap_err",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
];

/// Words that invert the meaning of a name, or make it hold more often.
const INVERTING: &[&str] =
    &["any", "dont", "maybe", "never", "no", "non", "not", "opt", "optional", "or", "try", "un"];

/// The names that an overlay declares, before and after, and its renames.
#[derive(Default)]
pub(crate) struct Names<'a> {
    before: SortedSet<&'a str>,
    after: SortedSet<&'a str>,
    renamed: SortedSet<(&'a str, &'a str)>,
    /// The renames of the user's in-progress change.
    in_progress: SortedSet<(String, String)>,
    /// The items that the user has moved to another file, each with its module.
    moved: SortedMap<String, String>,
}

impl<'a> Names<'a> {
    pub(crate) fn of(comparisons: &[Comparison<'a>], allowed: &Allowed) -> Self {
        let (in_progress, moved) = (allowed.renamed.clone(), allowed.moved.clone());
        let mut names = Self { in_progress, moved, ..Self::default() };
        for it in comparisons {
            let old: SortedSet<usize> = declarations(&it.old).into_iter().collect();
            names.before.extend(old.iter().map(|at| it.old.text(*at)));
            for at in declarations(&it.new) {
                names.after.insert(it.new.text(at));
                if let Some(origin) = it.alignment.origins[at].filter(|at| old.contains(at)) {
                    names.renamed.insert((it.old.text(origin), it.new.text(at)));
                }
            }
        }
        names
    }

    /// Whether the overlay adds the declaration of the name.
    pub(crate) fn is_fresh(&self, name: &str) -> bool {
        self.after.contains(name)
            && !self.before.contains(name)
            && !self.renamed.iter().any(|(_, new)| *new == name)
    }

    /// Whether the overlay's files declared the name before.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        self.before.contains(name) && !MEANINGFUL.contains(&name)
    }

    /// Whether the name of a value or function in a test may change: because its declaration is
    /// renamed likewise, or because the overlay declares only the new name and the old one is a
    /// misspelling.
    pub(crate) fn may_become(&self, old: &str, new: &str, is_called: bool) -> bool {
        if self.renamed.contains(&(old, new)) {
            return true;
        }
        let is_in_progress = || self.in_progress.iter().any(|(from, to)| from == old && to == new);
        if !MEANINGFUL.contains(&old) && !MEANINGFUL.contains(&new) && is_in_progress() {
            return true;
        }
        if MEANINGFUL.contains(&old) || self.before.contains(old) || self.is_fresh(new) {
            return false;
        }
        let is_value = !is_called || old.starts_with(char::is_uppercase);
        !is_value || self.before.contains(new) || similar(old, new)
    }

    /// Whether the user has moved an item.
    pub(crate) fn has_moved(&self) -> bool {
        !self.moved.is_empty()
    }

    /// Whether an imported path ends with a moved item's module and name.
    pub(crate) fn is_path_of_moved(&self, path: &str) -> bool {
        let Some((before, name)) = path.rsplit_once("::") else { return false };
        let module = before.rsplit("::").next();
        self.moved.get(name).map(String::as_str) == module
    }

    /// Whether two segments begin paths to the same moved item, the new one through its module, with the
    /// same segments after its name.
    pub(crate) fn lead_to_moved(&self, old: &[&str], new: &[&str]) -> bool {
        let item = |path: &[&str]| path.iter().skip(1).position(|it| self.moved.contains_key(*it));
        let (Some(was), Some(is)) = (item(old), item(new)) else { return false };
        let module = self.moved.get(new[is + 1]).map(String::as_str);
        old[was + 1..] == new[is + 1..] && module == Some(new[is])
    }

    /// Whether a function of the standard library that an assertion calls may become another one,
    /// given that the compiler finds no such function: `is_empty` became `is_empty_list`. The new
    /// name contains the words of the old one and decides nothing itself, so that a forged error
    /// cannot invert an assertion.
    pub(crate) fn may_follow(&self, old: &str, new: &str) -> bool {
        let (was, is) = (words(old), words(new));
        MEANINGFUL.contains(&old)
            && !matches!(old, "true" | "false")
            && !MEANINGFUL.contains(&new)
            && !self.before.contains(old)
            && !self.is_fresh(new)
            && was.is_subset(&is)
            && !is.difference(&was).any(|it| INVERTING.contains(&it.as_str()))
    }
}

/// Old names in tests with their new names; several new names are no rename.
pub(crate) fn renames<'a>(comparison: &Comparison<'a>) -> SortedMap<&'a str, SortedSet<&'a str>> {
    let mut renames: SortedMap<&str, SortedSet<&str>> = SortedMap::new();
    for (at, token) in comparison.old.tokens.iter().enumerate() {
        if let crate::align::Fate::Renamed(new) = comparison.fate(at)
            && token.kind == TokenKind::Word
            && comparison.old_layout.in_tests(at)
        {
            renames.entry(token.text).or_default().insert(comparison.new.text(new));
        }
    }
    renames
}

/// The tokens that declare a name: items, variants, fields, bindings, parameters.
pub(crate) fn declarations(outline: &Outline<'_>) -> Vec<usize> {
    let declares = |at: usize| {
        let token = &outline.tokens[at];
        let is_word = token.kind == TokenKind::Word && !is_keyword(token.text);
        is_word
            && (matches!(
                outline.before(at, 1),
                "fn" | "struct"
                    | "enum"
                    | "union"
                    | "trait"
                    | "const"
                    | "static"
                    | "type"
                    | "mod"
                    | "let"
                    | "mut"
                    | "ref"
                    | "as"
                    | "for"
            ) || (outline.before(at, 1) == "!" && outline.before(at, 2) == "macro_rules")
                || outline.text(at + 1) == ":"
                || (outline.before(at, 1) == "|" && matches!(outline.text(at + 1), "|" | ",")))
    };
    let variants = outline
        .elements
        .iter()
        .filter(|it| it.kind == ElementKind::Variant)
        .map(|it| it.head)
        .filter(|at| *at < outline.tokens.len());
    let mut found: Vec<usize> =
        (0..outline.tokens.len()).filter(|at| declares(*at)).chain(variants).collect();
    found.extend(let_patterns(outline));
    found.sort_unstable();
    found.dedup();
    found
}

/// The names that `let` patterns bind: `let (a, Some(b)) = …` binds `a` and `b`.
fn let_patterns(outline: &Outline<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    for at in (0..outline.tokens.len()).filter(|at| outline.text(*at) == "let") {
        let mut it = at + 1;
        while it < outline.tokens.len() && !matches!(outline.text(it), "=" | ";" | ":" | "{") {
            let binds = outline.tokens[it].kind == TokenKind::Word
                && !is_keyword(outline.text(it))
                && outline.text(it).starts_with(|c: char| c == '_' || c.is_lowercase())
                && !matches!(outline.text(it + 1), "::" | "(");
            if binds {
                found.push(it);
            }
            it += 1;
        }
    }
    found
}

/// Whether one name may be a misspelling of the other: few characters differ, or one contains the
/// other's words.
fn similar(a: &str, b: &str) -> bool {
    let (first, second) = (words(a), words(b));
    let shared = first.is_subset(&second) || second.is_subset(&first);
    let longest = a.chars().count().max(b.chars().count());
    (shared && !first.is_empty() && !second.is_empty())
        || (longest >= 3 && distance(a, b) <= (longest / 4).max(1))
}

/// The words of a name in snake case.
fn words(name: &str) -> SortedSet<String> {
    name.split('_').filter(|it| !it.is_empty()).map(str::to_lowercase).collect()
}

/// Number of insertions, deletions, replacements and swaps of neighbours between two names.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    // Overlong names are compared by their starts.
    let start = |name: &str| name.chars().take(80).collect::<String>();
    strsim::osa_distance(&start(a), &start(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_similar_and_opposites_are_meaningful() {
        assert!(similar("reslut", "result"));
        assert!(similar("value", "inner_value"));
        assert!(!similar("Word", "Number"));
        assert!(!Names::default().may_become("is_some", "is_none", true));
        assert!(Names::default().may_become("prnt", "print", true));
    }
}
