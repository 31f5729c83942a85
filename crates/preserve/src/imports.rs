//! Imported paths, and those that are lost without replacement.

use base::{SortedMap, SortedSet};

use crate::outline::{Element, ElementKind, Outline};

/// Every imported path with the first token of its declaration: `a::b`, `a::b as c`, `a::*`.
pub fn imports(outline: &Outline<'_>) -> SortedMap<String, usize> {
    let mut found = SortedMap::new();
    for element in outline.elements.iter().filter(|it| it.kind == ElementKind::Import) {
        for path in imported_by(outline, element) {
            found.entry(path).or_insert(element.start);
        }
    }
    found
}

/// The paths that one declaration imports.
pub(crate) fn imported_by(outline: &Outline<'_>, element: &Element) -> Vec<String> {
    let mut at = element.head;
    while at < element.end && !outline.tokens[at].is("use") {
        at += 1;
    }
    let tree = outline.tokens.get(at + 1..element.end).unwrap_or(&[]);
    paths(&tree.iter().map(|it| it.text).collect::<Vec<_>>())
}

/// Flattens the tokens after `use`, with a stack of prefixes.
fn paths(tokens: &[&str]) -> Vec<String> {
    let mut paths = Vec::new();
    let mut prefixes: Vec<String> = Vec::new();
    let mut path = String::new();
    for token in tokens {
        match *token {
            "{" => {
                prefixes.push(path.clone());
            }
            "," | "}" | ";" => {
                let prefix = prefixes.last().map_or("", String::as_str);
                if path != prefix && !path.is_empty() {
                    paths.push(path.trim_end_matches("::self").to_owned());
                }
                if *token == "}" {
                    // Only a separator follows: the group is complete.
                    path = prefixes.pop().unwrap_or_default();
                    path.clone_from(prefixes.last().unwrap_or(&String::new()));
                } else {
                    path = prefix.to_owned();
                }
            }
            "as" => path.push_str(" as "),
            token => path.push_str(token),
        }
    }
    if !path.is_empty() && prefixes.is_empty() {
        paths.push(path);
    }
    paths
}

/// The paths that are no longer imported, with the token of their declaration. A path that was
/// replaced by another one, with the same last name or just new, is not lost; neither is one whose
/// name another import has, before and after: rustc rejects two.
pub(crate) fn lost_imports(old: &Outline<'_>, new: &Outline<'_>) -> Vec<(String, usize)> {
    let (before, after) = (imports(old), imports(new));
    let mut fresh: SortedSet<&String> =
        after.keys().filter(|it| !before.contains_key(*it)).collect();
    let gone: Vec<(&String, &usize)> =
        before.iter().filter(|(path, _)| !after.contains_key(*path)).collect();
    let mut lost = Vec::new();
    let mut unmatched = Vec::new();
    let is_name = |name: &str| !matches!(name, "_" | "*");
    let kept = |path: &str| {
        let same = |it: &&String| before.contains_key(*it) && last_name(it) == last_name(path);
        is_name(last_name(path))
            && (after.keys().any(|it| same(&it)) || defines(new, last_name(path)))
    };
    for (path, at) in gone.into_iter().filter(|(path, _)| !kept(path)) {
        let replacement = fresh.iter().find(|it| last_name(it) == last_name(path)).copied();
        match replacement {
            Some(replacement) => {
                fresh.remove(replacement);
            }
            None => unmatched.push((path, at)),
        }
    }
    for (path, at) in unmatched {
        if fresh.pop_first().is_none() {
            lost.push((path.clone(), *at));
        }
    }
    lost
}

/// Whether a text has an item of this name in its outermost module.
pub(crate) fn defines(outline: &Outline<'_>, name: &str) -> bool {
    let is_item = |it: &&Element| it.kind == ElementKind::Item;
    let is_inner = |it: &Element| {
        let mut all = outline.elements.iter().filter(is_item);
        all.any(|other| other.start < it.start && it.end <= other.end)
    };
    outline.elements.iter().filter(is_item).any(|it| {
        let at = outline.item_name(it);
        let keyword = at.checked_sub(1).map_or("", |it| outline.text(it));
        outline.text(at) == name && keyword != "impl" && !is_inner(it)
    })
}

/// The name that an imported path introduces: `c` of `a::c` and of `a::b as c`.
pub fn last_name(path: &str) -> &str {
    path.rsplit([':', ' ']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let outline = Outline::of(text);
        let found: Vec<String> = imports(&outline).into_keys().collect();
        assert_eq!(found.join(", "), expected);
    }

    #[test]
    fn trees_are_flattened() {
        check(
            "use a::{b, c::{self, d as e}, f::*}; pub use g; use ::h::i;",
            "::h::i, a::b, a::c, a::c::d as e, a::f::*, g",
        );
    }

    #[test]
    fn a_broken_import_gives_what_it_has() {
        check("use a::{b, c", "a::b");
        check("use ;", "");
    }
}
