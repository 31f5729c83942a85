//! Workspace rule about ordered collections: crates use `base::SortedMap` and `base::SortedSet`. The copies of
//! the standard library's trees, and of the sort that fills them, were a third of the code that the compiler
//! made for the workspace (`docs/decisions/0015-sorted-blocks.md`).

use super::source::Source;

/// Where the trees of the standard library may be named, each with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("crates/sandbox/src/inner/seccomp.rs", "what `seccompiler` takes"),
    ("crates/serve/src/mcp/ask.rs", "what `rmcp` takes"),
    ("crates/store/", "what `mnestic` takes"),
    ("crates/testkit/", "is in no program"),
    ("xtask/", "is in no program"),
];

/// The problems of one file: each line outside of tests that names a tree.
pub(super) fn problems(path: &str, source: &Source, tests_only: bool) -> Vec<String> {
    if tests_only || EXCEPTIONS.iter().any(|(exception, _)| path.starts_with(exception)) {
        return Vec::new();
    }
    let lines = source.code.iter().zip(&source.test).enumerate();
    let names_a_tree = |code: &str| code.contains("BTreeMap") || code.contains("BTreeSet");
    lines
        .filter(|(_, (code, is_test))| !**is_test && names_a_tree(code))
        .map(|(line, _)| {
            format!(
                "{path}:{}: use `base::SortedMap` or `base::SortedSet`, or give a reason in \
                 `tidy::collections`",
                line + 1
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        problems(path, &Source::parse(text), false).len()
    }

    #[test]
    fn a_tree_of_the_standard_library_is_reported() {
        assert_eq!(found("crates/edit/src/a.rs", "use std::collections::BTreeMap;\n"), 1);
        assert_eq!(found("crates/edit/src/a.rs", "let a = \"BTreeMap\"; // BTreeSet\n"), 0);
        assert_eq!(found("crates/store/src/a.rs", "use std::collections::BTreeMap;\n"), 0);
        let test = "#[cfg(test)]\nmod tests {\n    use std::collections::BTreeSet;\n}\n";
        assert_eq!(found("crates/edit/src/a.rs", test), 0);
    }
}
