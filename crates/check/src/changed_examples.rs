//! Whether a change may make examples of the documentation other ones. A documentation test has the line of
//! its example as its name: by the name alone, one that fails may be taken for another that failed there
//! before.

use edit::Overlay;

/// Words and marks of a line of Rust that is, or makes, documentation.
const MARKS: [&str; 6] = ["//", "/*", "`", "\\x60", "doc", "include_str"];

/// Whether a change touches documentation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChangedExamples(bool);

impl ChangedExamples {
    pub(crate) fn of(overlay: &Overlay) -> Self {
        Self(overlay.changes().any(|(path, change)| {
            let (before, after) = (change.before_text(), change.after_text());
            match path.extension() {
                Some("rs") => !marked(before).eq(marked(after)),
                // A text may be included.
                Some("toml" | "lock") => false,
                _ => before != after,
            }
        }))
    }

    /// Whether a test may be that of such an example: `k::doc::src/lib.rs - a::f (line 4)`.
    pub(crate) fn has(self, test: &str) -> bool {
        self.0 && test.contains("::doc::")
    }
}

/// The lines that are, or make, documentation, in their order.
fn marked(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| MARKS.iter().any(|it| line.contains(it)))
}

#[cfg(test)]
mod tests {
    use base::{ProjectPath, Timestamp};
    use edit::FileState;

    use super::*;

    #[test]
    fn a_change_of_documentation_makes_its_tests_other_ones() {
        let before = "//! A.\n/// ```\n/// one();\n/// ```\n#[doc = \"\\x60\"]\nfn f() { 1 }\n";
        let has = |name: &str, after: &str, test: &str| {
            let path = ProjectPath::new(name).unwrap();
            let state = |text: &str| Some(FileState::from_text(text));
            let states = vec![(path, state(before), state(after))];
            ChangedExamples::of(&Overlay::from_states("t", Timestamp(0), states)).has(test)
        };
        let documented = "k::doc::src/lib.rs - f (line 2)";
        assert!(has("src/lib.rs", &before.replace("one", "two"), documented));
        assert!(has("src/lib.rs", &before.replace("x60", "x61"), documented));
        assert!(has("README.md", &before.replace("one", "two"), documented));
        assert!(!has("src/lib.rs", &before.replace("one", "two"), "k::tests::f"));
        assert!(!has("src/lib.rs", &before.replace("{ 1 }", "{ 2 }"), documented));
    }
}
