//! The scope of a subject line: `cli: …`, `fix(rt): …`, `[tokio-util] …`.

use crate::tokenize::fold;

/// Types of conventional commits; they do not name a scope.
const KINDS: &[&str] = &[
    "fix", "feat", "feature", "chore", "docs", "doc", "refactor", "perf", "test", "tests", "build",
    "ci", "style", "add", "bug", "bugfix", "revert", "note", "breaking", "minor", "misc", "error",
    "warning", "deps",
];

/// The folded words of the scope, sorted; `-` and `_` are ignored.
pub(super) fn scope(text: &str) -> Vec<String> {
    let Some(subject) = text.lines().find(|line| !line.trim().is_empty()) else {
        return Vec::new();
    };
    let subject = subject.trim();
    let scope = match subject.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((scope, _)) => scope,
        None => match subject.split_once(':') {
            // `std::io` is a path, not a scope.
            Some((scope, rest)) if !rest.starts_with(':') => scope,
            _ => return Vec::new(),
        },
    };
    if scope.len() > 40 || scope.split_whitespace().count() > 3 {
        return Vec::new();
    }
    let words = scope.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
    let mut words: Vec<String> = words
        .map(|word| fold(&word.replace('-', "")))
        .filter(|word| word.len() > 1 && !KINDS.contains(&word.as_str()))
        .collect();
    words.sort();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_name_their_scope() {
        assert_eq!(scope("cli: print less"), ["cli"]);
        assert_eq!(scope("fix(rt/park): do not wait"), ["park", "rt"]);
        assert_eq!(scope("[tokio-util] add x"), ["tokioutil"]);
        assert!(scope("fix: nothing").is_empty());
        assert!(scope("std::io is slow").is_empty());
        assert!(scope("when one does this then that: it fails").is_empty());
    }
}
