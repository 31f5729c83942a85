//! Whether a change may make examples of the documentation other ones. A documentation test has the line of
//! its example as its name: by the name alone, one that fails may be taken for another that failed there
//! before, where the change makes examples other ones or moves them.

use base::ProjectPath;
use edit::Overlay;

use crate::doc_test::DocTestName;

/// Words and marks of a line of Rust that is, or makes, documentation.
const MARKS: [&str; 6] = ["//", "/*", "`", "\\x60", "doc", "include_str"];

/// Words of a text that may make the documentation of another file.
const OF_OTHERS: [&str; 4] = ["include_str", "macro", "macro_rules", "quote"];

/// The files in which a change touches documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChangedExamples {
    files: Vec<ProjectPath>,
    /// The files in which it moves documentation to other lines.
    moved: Vec<ProjectPath>,
    /// Whether it may be the documentation of any file: that of macros, and included texts.
    is_any: bool,
}

impl ChangedExamples {
    pub(crate) fn of(overlay: &Overlay) -> Self {
        let mut found = Self::default();
        for (path, change) in overlay.changes() {
            let (before, after) = (change.before_text(), change.after_text());
            match path.extension() {
                Some("rs") if texts(before).eq(texts(after)) => {
                    let is_moved = !marked(before).eq(marked(after));
                    found.moved.extend(is_moved.then(|| path.clone()));
                }
                Some("rs") => {
                    let makes = |it: &str| OF_OTHERS.iter().any(|mark| base::has_word(it, mark));
                    found.is_any |= makes(before) || makes(after);
                    found.files.push(path.clone());
                }
                Some("toml" | "lock") => {}
                // A text may be included.
                _ => found.is_any |= before != after,
            }
        }
        found
    }

    /// Whether a test may be that of such an example: `k::doc::src/lib.rs - a::f (line 4)`.
    pub(crate) fn has(&self, test: &str) -> bool {
        DocTestName::of(test).is_some_and(|it| self.is_any || is_in(&it, &self.files))
    }

    /// Whether a test may have the name of another one that was on its line.
    pub(crate) fn may_move(&self, test: &str) -> bool {
        DocTestName::of(test).is_some_and(|it| is_in(&it, &self.moved))
    }
}

/// Whether the example of a test is in one of these files.
fn is_in(test: &DocTestName<'_>, files: &[ProjectPath]) -> bool {
    let file = test.path();
    // The file may be relative to its package.
    let is_it = |it: &ProjectPath| {
        let head = file.as_ref().and_then(|file| it.as_str().strip_suffix(file.as_str()));
        head.is_some_and(|it| it.is_empty() || it.ends_with('/'))
    };
    files.iter().any(is_it)
}

/// The lines that are, or make, documentation, with their numbers.
fn marked(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter(|(_, line)| MARKS.iter().any(|it| line.contains(it)))
}

/// The same without their numbers.
fn texts(text: &str) -> impl Iterator<Item = &str> {
    marked(text).map(|it| it.1)
}

#[cfg(test)]
mod tests {
    use base::Timestamp;
    use edit::FileState;

    use super::*;

    #[test]
    fn a_change_of_documentation_makes_its_tests_other_ones() {
        let before = "//! A.\n/// ```\n/// one();\n/// ```\n#[doc = \"\\x60\"]\nfn f() { 1 }\n";
        let has_in = |name: &str, before: &str, after: &str, test: &str| {
            let path = ProjectPath::new(name).unwrap();
            let state = |text: &str| Some(FileState::from_text(text));
            let states = vec![(path, state(before), state(after))];
            ChangedExamples::of(&Overlay::from_states("t", Timestamp(0), states)).has(test)
        };
        let has = |name: &str, after: &str, test: &str| has_in(name, before, after, test);
        let documented = "k::doc::src/lib.rs - f (line 2)";
        assert!(has("src/lib.rs", &before.replace("one", "two"), documented));
        assert!(has("src/lib.rs", &before.replace("x60", "x61"), documented));
        assert!(has("README.md", &before.replace("one", "two"), documented));
        assert!(has("k/src/lib.rs", &before.replace("one", "two"), documented));
        assert!(!has("src/other.rs", &before.replace("one", "two"), documented));
        let moved = |after: &str| {
            let state = |text: &str| Some(FileState::from_text(text));
            let path = ProjectPath::new("src/lib.rs").unwrap();
            let states = vec![(path, state(before), state(after))];
            ChangedExamples::of(&Overlay::from_states("t", Timestamp(0), states))
                .may_move(documented)
        };
        assert!(moved(&format!("\n{before}")));
        assert!(
            !moved(&before.replace("{ 1 }", "{ 2 }"))
                && !moved(&format!("{before}\nfn g() {{}}\n"))
        );
        let from_below = "k::doc::src/b/../lib.rs - f (line 2)";
        assert!(has("k/src/lib.rs", &before.replace("one", "two"), from_below));
        let made = format!("{before}macro_rules! m {{ () => {{}} }}\n");
        assert!(has_in("src/other.rs", &made, &made.replace("one", "two"), documented));
        assert!(!has("src/lib.rs", &before.replace("one", "two"), "k::tests::f"));
        assert!(!has("src/lib.rs", &before.replace("{ 1 }", "{ 2 }"), documented));
    }
}
