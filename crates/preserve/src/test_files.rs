//! [`TestFiles`]: the files of a change that only tests use, although their paths do not show it. They
//! are found in the tree by the caller; here is what is open ([`TestFiles::undecided`]), and the readers
//! of the names that a text has in its literals ([`text_literals`], [`TestFiles::included_pages`]).

use base::{ProjectPath, SortedSet};
use edit::Overlay;

use crate::config::is_configuration;
use crate::doctests::{edits_examples, has_examples};
use crate::files::is_expected_output;
use crate::layout::{Layout, is_test_path};
use crate::literal_text;
use crate::outline::{Outline, TokenKind};
use crate::test_names::TestNames;

/// Files that only tests use, beside those whose paths show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestFiles {
    /// Rust files that are compiled for tests only: helpers in a module under `cfg(test)`; and pages with
    /// examples that documentation includes.
    pub code: SortedSet<ProjectPath>,
    /// Other files that only tests name: the expected output.
    pub data: SortedSet<ProjectPath>,
    /// Names of the change that tests of the tree use for something else.
    pub names: TestNames,
}

impl TestFiles {
    /// The files of a change of which the path does not show whether only tests use them, and that
    /// existed before.
    pub fn undecided(overlay: &Overlay) -> Self {
        let mut open = Self { names: TestNames::of(overlay), ..Self::default() };
        for (path, change) in overlay.changes() {
            let from = change.renamed_from.as_ref();
            if path.as_str().ends_with(".rs") {
                let existed = change.before.is_some() || from.is_some();
                let both = from.into_iter().chain([path]).filter(|_| existed);
                open.code.extend(both.filter(|it| !is_test_path(it.as_str())).cloned());
            } else {
                if change.before.is_some() && from.is_none() && may_be_data(path) {
                    open.data.insert(path.clone());
                }
                let before = from.and_then(|it| overlay.get(it)).unwrap_or(change).before_text();
                if change.after.is_some() && edits_examples(before, change.after_text()) {
                    open.code.extend(from.into_iter().chain([path]).cloned());
                }
            }
        }
        open
    }

    /// Whether there is no such file.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty() && self.data.is_empty() && self.names.is_empty()
    }

    /// Whether a text has a test or a tested example, or declares modules that may have some.
    pub fn may_have_tests(path: &ProjectPath, text: &str) -> bool {
        TestNames::has_test_code(path, text) || has_examples(text)
    }

    /// Names of the files that a Rust text has in its documentation, each with its place: literals in `doc`
    /// attributes that are not the documentation itself, and in macros that make such.
    pub fn included_pages(text: &str) -> Vec<(usize, String)> {
        if !text.contains("doc") || !(text.contains("include_str") || text.contains("doctest!")) {
            return Vec::new();
        }
        let outline = Outline::of(text);
        let name = |at: usize, back: usize| outline.before(at, back);
        let mut documents = SortedSet::new();
        for attribute in &outline.attributes {
            let range = attribute.name..attribute.end.min(outline.tokens.len());
            if range.clone().any(|at| outline.text(at) == "doc") {
                documents.extend(range.filter(|at| name(*at, 1) != "="));
            }
        }
        let is_included = |at: usize| {
            let is_argument = name(at, 2) == "!";
            let is_nested = is_argument && name(at, 5) == "!" && name(at, 6).contains("doc");
            documents.contains(&at) || (is_argument && name(at, 3) == "doctest") || is_nested
        };
        let literals =
            outline.tokens.iter().enumerate().filter(|it| it.1.kind == TokenKind::Literal);
        let included = literals.filter(|it| is_included(it.0));
        included.map(|it| (it.1.span.start, literal_text(it.1.text))).collect()
    }

    /// Whether a file, before or after it was moved, has only code for tests.
    pub(crate) fn has_code(&self, path: &ProjectPath, from: &ProjectPath) -> bool {
        [path, from].iter().any(|it| self.code.contains(it))
    }
}

/// Whether a file other than a Rust source has no rule of its own: pages, manifests, configuration and
/// what has the name of expected output have one. Hidden files and lock files are written by tools.
fn may_be_data(path: &ProjectPath) -> bool {
    let name = path.file_name();
    let is_tools = name.starts_with('.') || name.ends_with(".lock");
    let has_rule = name.ends_with(".md")
        || name.eq_ignore_ascii_case("Cargo.toml")
        || is_configuration(path)
        || is_expected_output(path.as_str());
    !(is_tools || has_rule)
}

/// Text of each string literal of a Rust text, its escapes read, with whether it is in
/// code that is compiled for tests only, by the path of the file or within the text.
pub fn text_literals(path: &ProjectPath, text: &str) -> Vec<(String, bool)> {
    let outline = Outline::of(text);
    let layout = Layout::of(is_test_path(path.as_str()), &outline);
    let literals = outline.tokens.iter().enumerate().filter(|it| it.1.kind == TokenKind::Literal);
    let contents = literals.filter_map(|(at, token)| {
        let is_text = token.text.contains('"');
        is_text.then(|| (literal_text(token.text), layout.in_tests(at)))
    });
    contents.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::overlay;
    use crate::{Allowed, preservation_with, violations};

    const HELPERS: &str = "\
pub fn check(got: i32, want: i32) {
    assert!(got == want);
}
pub fn two() -> i32 {
    2
}
";

    fn path(text: &str) -> ProjectPath {
        ProjectPath::new(text).unwrap()
    }

    /// The rules that a change of `file` breaks if only tests use `only_tests`.
    fn broken(only_tests: &str, file: (&str, Option<&str>, Option<&str>)) -> String {
        let files = [path(only_tests)];
        let tests = match only_tests.ends_with(".rs") {
            true => TestFiles { code: files.into(), ..TestFiles::default() },
            false => TestFiles { data: files.into(), ..TestFiles::default() },
        };
        let found = preservation_with(&overlay(&[file]), &[], &Allowed::default(), &tests);
        let mut rules: Vec<&str> = found.violations.iter().map(|it| it.rule.as_str()).collect();
        rules.dedup();
        rules.join(" ")
    }

    /// The same edit in a file of `tests/`.
    fn broken_in_tests(after: &str) -> String {
        broken("src/other.rs", ("tests/common.rs", Some(HELPERS), Some(after)))
    }

    #[test]
    fn a_helper_of_tests_must_not_assert_less() {
        for (old, new, rule) in [
            ("got == want", "got == want || got != want", "test-weakened"),
            ("want: i32) {", "want: i32) {\n    let want = got;", "test-weakened"),
            ("want: i32) {", "want: i32) {\n    return;", "test-weakened"),
            ("assert!(got == want);", "", "assertion-removed"),
            ("    2\n", "    3\n", "test-edited"),
        ] {
            let after = HELPERS.replace(old, new);
            let change = ("src/testutil.rs", Some(HELPERS), Some(after.as_str()));
            let found = broken("src/testutil.rs", change);
            assert!(found.contains(rule), "{after}: {found}");
            assert_eq!(found, broken_in_tests(&after), "{after}");
        }
        // In ordinary code a value is free.
        let after = HELPERS.replace("    2\n", "    3\n");
        assert_eq!(broken("src/x.rs", ("src/y.rs", Some(HELPERS), Some(&after))), "");
    }

    #[test]
    fn a_helper_of_tests_may_be_added_and_adapted() {
        let change = |after: &str| {
            let found = broken("src/testutil.rs", ("src/testutil.rs", Some(HELPERS), Some(after)));
            assert_eq!(found, broken_in_tests(after), "{after}");
            found
        };
        assert_eq!(change(&format!("{HELPERS}pub fn three() -> i32 {{\n    3\n}}\n")), "");
        assert_eq!(change(&HELPERS.replace("want", "wanted")), "");
        assert_eq!(change(&HELPERS.replace("    2\n", "    i32::from(2)\n")), "");
        assert_eq!(change(&HELPERS.replace("i32) {", "i64) {")), "");
        let new = ("src/testutil.rs", None, Some(HELPERS));
        assert_eq!(broken("src/testutil.rs", new), "");
    }

    #[test]
    fn a_removed_file_of_helpers_is_a_removed_test() {
        let removed = ("src/testutil.rs", Some(HELPERS), None);
        assert!(broken("src/testutil.rs", removed).contains("test-removed"));
        assert!(!broken("src/other.rs", removed).contains("test-removed"));
    }

    #[test]
    fn a_moved_file_of_helpers_stays_one() {
        let (old, new) = ("src/testutil.rs", "src/testkit.rs");
        let after = HELPERS.replace("    2\n", "    3\n");
        let mut change = overlay(&[(old, Some(HELPERS), None), (new, None, Some(&after))]);
        assert!(change.mark_renamed(&path(old), &path(new)));
        for name in [old, new] {
            let tests = TestFiles { code: [path(name)].into(), ..TestFiles::default() };
            let found = preservation_with(&change, &[], &Allowed::default(), &tests).violations;
            assert!(found.iter().any(|it| it.rule.as_str() == "test-edited"), "{name}: {found:?}");
        }
        assert_eq!(violations(&change, &[]), []);
    }

    #[test]
    fn data_that_only_tests_name_is_expected_output() {
        let edited = ("specs/want.txt", Some("3\n"), Some("-1\n"));
        let removed = ("specs/want.txt", Some("3\n"), None);
        assert_eq!(broken("specs/want.txt", edited), "expected-output-edited");
        assert!(broken("specs/want.txt", removed).contains("expected-output-edited"));
        assert_eq!(broken("specs/want.txt", ("specs/want.txt", None, Some("3\n"))), "");
        assert_eq!(broken("specs/other.txt", edited), "");
    }

    #[test]
    fn only_files_without_a_rule_of_their_own_are_open() {
        let all: Vec<(&str, Option<&str>, Option<&str>)> = [
            "Cargo.toml",
            "Cargo.lock",
            ".gitignore",
            "README.md",
            "clippy.toml",
            "src/a.rs",
            "src/a.stderr",
            "src/tests.rs",
            "specs/want.txt",
            "tests/it.rs",
            "tests/want.txt",
        ]
        .into_iter()
        .map(|it| (it, Some("a"), Some("b")))
        .chain([("src/new.rs", None, Some("")), ("specs/new.txt", None, Some(""))])
        .collect();
        let open = TestFiles::undecided(&overlay(&all));
        assert_eq!(open.code, [path("src/a.rs")].into());
        assert_eq!(open.data, [path("specs/want.txt")].into());
        assert!(TestFiles::undecided(&Overlay::empty()).is_empty());
    }

    #[test]
    fn literals_are_those_of_tests_or_of_other_code() {
        let text = "const A: &str = \"a\";\n/// \"b\"\nfn f(c: char) { g(r#\"c\"#, 'd', 1, b\"e\\\"\") }\n\
            #[cfg(test)]\nmod t { const F: &str = \"f\"; }\n#[test]\nfn t() { include_str!(\"g\") }\n\"";
        let found = text_literals(&path("src/a.rs"), text);
        let expected =
            [("a", false), ("c", false), ("e\"", false), ("f", true), ("g", true), ("", false)];
        assert_eq!(found, expected.map(|(text, in_tests)| (text.to_owned(), in_tests)));
        assert!(text_literals(&path("tests/a.rs"), text).iter().all(|it| it.1));
    }
}
