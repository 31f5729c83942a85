//! Parts of a change: the hunks of an [`Overlay`], some of them as a change of its own, and what is left
//! once that was written.

use std::ops::Range;

use base::{ProjectPath, SortedMap, SortedSet};

use crate::diff::lines;
use crate::text_edit::EditBuilder;
use crate::{FileChange, FileState, Overlay};

/// Position of a hunk in its change: the path, and its number in the file from 0.
pub type HunkPlace = (ProjectPath, usize);

/// The hunks of each file of a change: lines before and after, from 0. They cost a comparison of texts, so a
/// caller that takes parts again and again keeps them.
pub type OverlayHunks = SortedMap<ProjectPath, Vec<(Range<usize>, Range<usize>)>>;

impl Overlay {
    /// The hunks of each file, without the old paths of renames.
    pub fn hunks(&self) -> OverlayHunks {
        let sources = self.rename_sources();
        let own = self.changes().map(|it| it.0).filter(|path| !sources.contains(path));
        own.map(|path| (path.clone(), self.file_hunks(path))).collect()
    }

    /// The parts of the change that can be taken alone, in order. A file that is created, removed,
    /// renamed or gets another mode is one part; the old path of a rename is none.
    pub fn hunk_places(&self, hunks: &OverlayHunks) -> Vec<HunkPlace> {
        let mut all = Vec::new();
        for (path, own) in hunks.iter() {
            let is_one = self.get(path).is_some_and(is_whole);
            let count = if is_one { 1 } else { own.len() };
            all.extend((0..count).map(|number| (path.clone(), number)));
        }
        all
    }

    /// The change without these parts: the files keep the old lines there. Empty if all are left out.
    #[must_use]
    pub fn without(&self, hunks: &OverlayHunks, left_out: &SortedSet<HunkPlace>) -> Overlay {
        if left_out.is_empty() {
            return self.clone();
        }
        let mut changes = SortedMap::new();
        for (path, own) in hunks.iter() {
            let Some(change) = self.get(path) else { continue };
            if !is_whole(change) {
                let is_out = |number| left_out.contains(&(path.clone(), number));
                changes.insert(path.clone(), part_of(change, own, &is_out));
            } else if !left_out.contains(&(path.clone(), 0)) {
                let source = change.renamed_from.as_ref();
                if let Some((source, old)) = source.and_then(|it| Some((it, self.get(it)?))) {
                    changes.insert(source.clone(), old.clone());
                }
                changes.insert(path.clone(), change.clone());
            }
        }
        Self::with_changes(&self.author, self.created_at, changes)
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
}

/// A change of lines with the old lines where a hunk is left out.
fn part_of(
    change: &FileChange,
    hunks: &[(Range<usize>, Range<usize>)],
    is_out: &dyn Fn(usize) -> bool,
) -> FileChange {
    let (old, new) = (lines(change.before_text()), lines(change.after_text()));
    let (mut text, mut edit, mut at) = (String::new(), EditBuilder::default(), 0);
    let keep = |range: Range<usize>, text: &mut String, edit: &mut EditBuilder| {
        for line in old.get(range).unwrap_or_default() {
            text.push_str(line);
            edit.keep(line.len());
        }
    };
    for (number, (before, after)) in hunks.iter().enumerate() {
        if is_out(number) {
            continue;
        }
        keep(at..before.start, &mut text, &mut edit);
        for line in old.get(before.clone()).unwrap_or_default() {
            edit.delete(line.len());
        }
        for line in new.get(after.clone()).unwrap_or_default() {
            text.push_str(line);
            edit.insert(line);
        }
        at = before.end;
    }
    keep(at..old.len(), &mut text, &mut edit);
    let after = change.after.as_ref().map(|it| FileState { text: text.into(), ..it.clone() });
    FileChange { before: change.before.clone(), after, renamed_from: None, edit: edit.finish() }
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
        let all = change.hunk_places(&change.hunks());
        assert_eq!(all.len(), 3);
        let mut left_out: SortedSet<HunkPlace> = SortedSet::new();
        left_out.extend([all[0].clone(), all[2].clone()]);
        let part = change.without(&change.hunks(), &left_out);
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
        let names: Vec<String> = change
            .hunk_places(&change.hunks())
            .iter()
            .map(|(path, number)| format!("{path}#{number}"))
            .collect();
        assert_eq!(names, ["gone.rs#0", "named.rs#0", "new.rs#0"]);
        let mut left_out: SortedSet<HunkPlace> = SortedSet::new();
        left_out.insert((path("named.rs"), 0));
        let part = change.without(&change.hunks(), &left_out);
        assert!(part.get(&path("old.rs")).is_none() && part.get(&path("gone.rs")).is_some());
        let rest = change.after_part(&part);
        assert_eq!(rest.hunk_places(&rest.hunks()), [(path("named.rs"), 0)]);
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
        let all = change.hunk_places(&change.hunks());
        for mask in 0..1_u32 << all.len() {
            let mut left_out: SortedSet<HunkPlace> = SortedSet::new();
            left_out
                .extend((0..all.len()).filter(|it| mask >> it & 1 == 1).map(|it| all[it].clone()));
            let part = change.without(&change.hunks(), &left_out);
            let both = part.compose(&change.after_part(&part)).expect("composes");
            assert_eq!(both.patch_set(), change.patch_set(), "{mask:b}");
            assert_eq!(part.is_empty(), left_out.len() == all.len());
        }
    }

    #[test]
    fn another_text_keeps_the_other_files() {
        let change = three();
        let edited = change.with_text(&path("a.rs"), "1\n2\n3\n4\n5\nsix\n").expect("the file");
        assert_eq!(edited.hunk_places(&edited.hunks()).len(), 1);
        assert_eq!(change.with_text(&path("b.rs"), "x"), None);
        assert!(change.with_text(&path("a.rs"), "1\n2\n3\n4\n5\n").expect("the file").is_empty());
    }
}
