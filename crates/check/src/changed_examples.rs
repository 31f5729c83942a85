//! The examples of the documentation that a change makes other ones. A documentation test has the line of
//! its example as its name: by the name alone, one that fails may be taken for another that failed there
//! before.

use std::collections::{BTreeMap, BTreeSet};

use edit::Overlay;

/// The lines, from 1, of the changed files at which an example begins that did not begin there before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChangedExamples(BTreeMap<String, BTreeSet<u32>>);

impl ChangedExamples {
    pub(crate) fn of(overlay: &Overlay) -> Self {
        let mut found = BTreeMap::new();
        for (path, change) in overlay.changes() {
            let (before, after) = (blocks(change.before_text()), blocks(change.after_text()));
            let is_new = |it: &(&u32, &String)| before.get(it.0) != Some(it.1);
            let lines: BTreeSet<u32> = after.iter().filter(is_new).map(|it| *it.0).collect();
            if !lines.is_empty() {
                found.insert(path.as_str().to_owned(), lines);
            }
        }
        Self(found)
    }

    /// Whether a test is that of such an example: `k::doc::src/lib.rs - a::f (line 4)`.
    pub(crate) fn has(&self, test: &str) -> bool {
        let Some((_, rest)) = test.split_once("::doc::") else { return false };
        let Some((file, _)) = rest.split_once(" - ") else { return false };
        let line =
            rest.rsplit_once("(line ").and_then(|it| it.1.trim_end_matches(')').parse().ok());
        // Rustdoc names files from the folder of the workspace, or of the package.
        let is_file = |path: &str| {
            path == file || path.strip_suffix(file).is_some_and(|it| it.ends_with('/'))
        };
        let mut all = self.0.iter().filter(|it| is_file(it.0));
        all.any(|(_, lines)| line.is_none_or(|line: u32| lines.contains(&line)))
    }
}

/// The texts between fences of code, by the line of the first fence, from 1.
fn blocks(text: &str) -> BTreeMap<u32, String> {
    let mut found = BTreeMap::new();
    let mut open: Option<(u32, String)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let is_fence = line.contains("```") || line.contains("~~~");
        match &mut open {
            Some((_, block)) => {
                block.push_str(line);
                block.push('\n');
                if is_fence {
                    found.extend(open.take());
                }
            }
            None if is_fence => open = Some((number, format!("{line}\n"))),
            None => {}
        }
    }
    found.extend(open);
    found
}

#[cfg(test)]
mod tests {
    use base::{ProjectPath, Timestamp};
    use edit::FileState;

    use super::*;

    #[test]
    fn an_example_that_changed_is_known_by_its_line() {
        let before =
            "//! A.\n/// ```\n/// one();\n/// ```\n/// ```\n/// two();\n/// ```\nfn f() {}\n";
        let after = before.replace("one()", "three()");
        let path = ProjectPath::new("k/src/lib.rs").unwrap();
        let state = |text: &str| Some(FileState::from_text(text));
        let overlay =
            Overlay::from_states("t", Timestamp(0), [(path, state(before), state(&after))].into());
        let found = ChangedExamples::of(&overlay);
        for (test, expected) in [
            ("k::doc::k/src/lib.rs - f (line 2)", true),
            ("k::doc::src/lib.rs - f (line 2)", true),
            ("k::doc::src/lib.rs - f (line 5)", false),
            ("k::doc::b.rs - f (line 2)", false),
            ("k::tests::f", false),
        ] {
            assert_eq!(found.has(test), expected, "{test}");
        }
    }
}
