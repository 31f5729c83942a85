//! Parts of a change: the hunks of an [`Overlay`], some of them as a change of its own, and what is left
//! once that was written.

use base::{ProjectPath, SortedSet};

use crate::diff::lines;
use crate::{FileChange, FileState, Overlay};

/// Position of a hunk in its change: the path, and its number in the file from 0.
pub type HunkPlace = (ProjectPath, usize);

impl Overlay {
    /// The parts of the change that can be taken alone, in order. A file that is created, removed,
    /// renamed or gets another mode is one part; the old path of a rename is none.
    pub fn hunk_places(&self) -> Vec<HunkPlace> {
        let mut all = Vec::new();
        for (path, change) in self.changes() {
            if self.is_rename_source(path) {
                continue;
            }
            let count = if is_whole(change) { 1 } else { self.file_hunks(path).len() };
            all.extend((0..count).map(|number| (path.clone(), number)));
        }
        all
    }

    /// The change without these hunks: the files keep the old lines there. Empty if all are left out.
    #[must_use]
    pub fn without(&self, left_out: &SortedSet<HunkPlace>) -> Overlay {
        if left_out.is_empty() {
            return self.clone();
        }
        let mut states = Vec::new();
        let mut renames = Vec::new();
        for (path, change) in self.changes() {
            if self.is_rename_source(path) {
                continue;
            }
            let first_is_out = left_out.contains(&(path.clone(), 0));
            if is_whole(change) {
                if first_is_out {
                    continue;
                }
                if let Some((source, old)) =
                    change.renamed_from.as_ref().and_then(|it| Some((it, self.get(it)?)))
                {
                    states.push((source.clone(), old.before.clone(), old.after.clone()));
                    renames.push((source.clone(), path.clone()));
                }
                states.push((path.clone(), change.before.clone(), change.after.clone()));
                continue;
            }
            let text = self.text_without(path, change, left_out);
            let after =
                change.after.as_ref().map(|it| FileState { text: text.into(), ..it.clone() });
            states.push((path.clone(), change.before.clone(), after));
        }
        let mut part = Overlay::from_states(&self.author, self.created_at, states);
        for (from, to) in renames {
            part.mark_renamed(&from, &to);
        }
        part
    }

    /// The change that is left once `part`, made by [`Overlay::without`] from this one, was written.
    #[must_use]
    pub fn after_part(&self, part: &Overlay) -> Overlay {
        let states = self.changes().map(|(path, change)| {
            let before = part.get(path).map_or(&change.before, |it| &it.after);
            (path.clone(), before.clone(), change.after.clone())
        });
        let mut rest = Overlay::from_states(&self.author, self.created_at, states.collect());
        for (path, change) in self.changes() {
            if let Some(source) = &change.renamed_from {
                rest.mark_renamed(source, path);
            }
        }
        rest
    }

    /// The same change with another new text of one file; `None` if the change has no new text of it.
    #[must_use]
    pub fn with_text(&self, path: &ProjectPath, text: &str) -> Option<Overlay> {
        let after = self.get(path)?.after.as_ref()?;
        let edited = FileState { text: text.into(), ..after.clone() };
        let states = self.changes().map(|(at, change)| {
            let after = if at == path { Some(edited.clone()) } else { change.after.clone() };
            (at.clone(), change.before.clone(), after)
        });
        let mut edited = Overlay::from_states(&self.author, self.created_at, states.collect());
        for (to, change) in self.changes() {
            if let Some(source) = &change.renamed_from {
                edited.mark_renamed(source, to);
            }
        }
        Some(edited)
    }

    fn text_without(
        &self,
        path: &ProjectPath,
        change: &FileChange,
        left_out: &SortedSet<HunkPlace>,
    ) -> String {
        let (old, new) = (lines(change.before_text()), lines(change.after_text()));
        let (mut text, mut at) = (String::new(), 0);
        for (number, (before, after)) in self.file_hunks(path).into_iter().enumerate() {
            let is_out = left_out.contains(&(path.clone(), number));
            let changed =
                if is_out { old.get(before.clone()) } else { new.get(after) }.unwrap_or_default();
            text.extend(old.get(at..before.start).unwrap_or_default().iter().copied());
            text.extend(changed.iter().copied());
            at = before.end;
        }
        text.extend(old.get(at..).unwrap_or_default().iter().copied());
        text
    }

    fn is_rename_source(&self, path: &ProjectPath) -> bool {
        self.changes().any(|(_, it)| it.renamed_from.as_ref() == Some(path))
    }
}

/// Whether a change can only be taken as a whole.
fn is_whole(change: &FileChange) -> bool {
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => before.executable != after.executable,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use base::Timestamp;

    use super::*;

    fn path(text: &str) -> ProjectPath {
        ProjectPath::new(text).expect("a path")
    }

    fn overlay(files: &[(&str, Option<&str>, Option<&str>)]) -> Overlay {
        let state = |text: &Option<&str>| text.map(FileState::from_text);
        let states = files.iter().map(|(at, old, new)| (path(at), state(old), state(new)));
        Overlay::from_states("test", Timestamp(0), states.collect())
    }

    fn three() -> Overlay {
        overlay(&[("a.rs", Some("1\n2\n3\n4\n5\n"), Some("one\n2\nthree\n4\nfive"))])
    }

    #[test]
    fn each_hunk_is_taken_alone() {
        let change = three();
        let all = change.hunk_places();
        assert_eq!(all.len(), 3);
        let mut left_out: SortedSet<HunkPlace> = SortedSet::new();
        left_out.extend([all[0].clone(), all[2].clone()]);
        let part = change.without(&left_out);
        let text = part.get(&path("a.rs")).expect("the file").after_text();
        assert_eq!(text, "1\n2\nthree\n4\n5\n");
        let rest = change.after_part(&part);
        assert_eq!(rest.get(&path("a.rs")).expect("the file").before_text(), text);
        assert_eq!(part.compose(&rest).expect("composes").patch_set(), change.patch_set());
    }

    #[test]
    fn files_that_come_and_go_are_whole() {
        let mut change = overlay(&[
            ("gone.rs", Some("a\nb\nc\nd\n"), None),
            ("new.rs", None, Some("a\nb\nc\nd\n")),
            ("old.rs", Some("x\ny\nz\n"), None),
            ("named.rs", None, Some("x\ny\nZ\n")),
        ]);
        assert!(change.mark_renamed(&path("old.rs"), &path("named.rs")));
        let names: Vec<String> =
            change.hunk_places().iter().map(|(path, number)| format!("{path}#{number}")).collect();
        assert_eq!(names, ["gone.rs#0", "named.rs#0", "new.rs#0"]);
        let mut left_out: SortedSet<HunkPlace> = SortedSet::new();
        left_out.insert((path("named.rs"), 0));
        let part = change.without(&left_out);
        assert!(part.get(&path("old.rs")).is_none() && part.get(&path("gone.rs")).is_some());
        let rest = change.after_part(&part);
        assert_eq!(rest.hunk_places(), [(path("named.rs"), 0)]);
        assert_eq!(
            rest.get(&path("named.rs")).and_then(|it| it.renamed_from.clone()),
            Some(path("old.rs"))
        );
    }

    #[test]
    fn every_selection_and_its_rest_make_the_whole() {
        let change = overlay(&[
            ("a.rs", Some("1\n2\n3\n4\n5\n"), Some("one\n2\n4\n4.5\n5")),
            ("b.rs", Some("x\r\ny\r\n"), Some("x\r\nY\r\nz\r\n")),
            ("c.rs", None, Some("new\n")),
        ]);
        let all = change.hunk_places();
        for mask in 0..1_u32 << all.len() {
            let mut left_out: SortedSet<HunkPlace> = SortedSet::new();
            left_out
                .extend((0..all.len()).filter(|it| mask >> it & 1 == 1).map(|it| all[it].clone()));
            let part = change.without(&left_out);
            let both = part.compose(&change.after_part(&part)).expect("composes");
            assert_eq!(both.patch_set(), change.patch_set(), "{mask:b}");
            assert_eq!(part.is_empty(), left_out.len() == all.len());
        }
    }

    #[test]
    fn another_text_keeps_the_other_files() {
        let change = three();
        let edited = change.with_text(&path("a.rs"), "1\n2\n3\n4\n5\nsix\n").expect("the file");
        assert_eq!(edited.hunk_places().len(), 1);
        assert_eq!(change.with_text(&path("b.rs"), "x"), None);
        assert!(change.with_text(&path("a.rs"), "1\n2\n3\n4\n5\n").expect("the file").is_empty());
    }
}
