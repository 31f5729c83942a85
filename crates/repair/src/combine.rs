//! Merges several fixes into one change without conflicts, and reads files below an overlay. Start
//! at [`combine`]; `plan.rs` decides which fixes are combined.

use base::ProjectPath;
use edit::{FileState, Files, Overlay, Splice, Unreadable};

use crate::Fix;

/// Files with an overlay on top.
pub struct Overlaid<'a> {
    /// The files below the overlay.
    pub base: &'a dyn Files,
    /// The overlay on top.
    pub overlay: &'a Overlay,
}

impl Overlaid<'_> {
    /// Whether the overlay has inserted a part of this span of its text.
    pub(crate) fn has_inserted(&self, path: &ProjectPath, span: base::ByteSpan) -> bool {
        let Some(change) = self.overlay.get(path) else { return false };
        let (mut inserted, mut removed) = (0, 0);
        change.edit.splices.iter().any(|it| {
            let start = (it.span.start + inserted).saturating_sub(removed);
            inserted += it.insert.len();
            removed += it.span.len();
            start < span.end && span.start < start + it.insert.len()
        })
    }
}

impl Files for Overlaid<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        if let Some(change) = self.overlay.get(path) {
            return Ok(change.after.clone());
        }
        let moved_away =
            self.overlay.changes().any(|(_, change)| change.renamed_from.as_ref() == Some(path));
        if moved_away { Ok(None) } else { self.base.read(path) }
    }
}

/// Merges several fixes into one set of splices; returns the indices of the included fixes. Fixes
/// go in one by one, whole or not at all: one that contradicts an earlier one is left out, one
/// whose splices are all present counts as included.
pub(crate) fn combine(fixes: &[&Fix]) -> (Vec<(ProjectPath, Splice)>, Vec<usize>) {
    let (taken, used) = taken(fixes);
    (merge_touching(taken), used)
}

/// The same, without merging splices that touch.
pub(crate) fn taken(fixes: &[&Fix]) -> (Vec<(ProjectPath, Splice)>, Vec<usize>) {
    let mut taken: Vec<(ProjectPath, Splice)> = Vec::new();
    let mut used = Vec::new();
    for (idx, fix) in fixes.iter().enumerate() {
        let mut fresh = Vec::new();
        let fits = fix.splices.iter().all(|(path, new)| {
            for (_, old) in taken.iter().filter(|(it, _)| it == path) {
                match relation(old, new) {
                    Relation::Apart => {}
                    Relation::Same => return true,
                    Relation::Contradicts => return false,
                }
            }
            fresh.push((path.clone(), new.clone()));
            true
        });
        // A fix whose splices are all present adds nothing, but is included.
        if fits {
            taken.extend(fresh);
            used.push(idx);
        }
    }
    taken.sort_by(|(a, x), (b, y)| a.cmp(b).then(x.span.cmp(&y.span)));
    (taken, used)
}

enum Relation {
    Apart,
    Same,
    Contradicts,
}

fn relation(old: &Splice, new: &Splice) -> Relation {
    if old == new {
        return Relation::Same;
    }
    if old.span == new.span {
        // Two imports may share a line start; other insertions at one position are alternatives.
        let lines = |splice: &Splice| splice.span.is_empty() && splice.insert.ends_with('\n');
        return if lines(old) && lines(new) { Relation::Apart } else { Relation::Contradicts };
    }
    let inside = |point: &Splice, range: &Splice| {
        point.span.is_empty()
            && range.span.start < point.span.start
            && point.span.start < range.span.end
    };
    if old.span.overlaps(new.span) || inside(old, new) || inside(new, old) {
        Relation::Contradicts
    } else {
        Relation::Apart
    }
}

/// Merges adjacent splices: a text edit must not have splices that touch.
fn merge_touching(sorted: Vec<(ProjectPath, Splice)>) -> Vec<(ProjectPath, Splice)> {
    let mut merged: Vec<(ProjectPath, Splice)> = Vec::with_capacity(sorted.len());
    for (path, splice) in sorted {
        match merged.last_mut() {
            Some((last_path, last)) if *last_path == path && last.span.end == splice.span.start => {
                last.span.end = splice.span.end;
                last.insert.push_str(&splice.insert);
            }
            _ => merged.push((path, splice)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use base::{Applicability, ByteSpan};

    use super::*;

    fn fix(parts: &[(usize, usize, &str)]) -> Fix {
        let path = ProjectPath::new("a.rs").unwrap();
        Fix {
            splices: parts
                .iter()
                .map(|(start, end, text)| {
                    let span = ByteSpan::new(*start, *end);
                    (path.clone(), Splice { span, insert: (*text).to_owned() })
                })
                .collect(),
            rationale: String::new(),
            applicability: Applicability::MaybeIncorrect,
            reasoner: "test",
            seed: 0,
            guesses: Vec::new(),
        }
    }

    fn check(fixes: &[Fix], expected: &str) {
        let (splices, used) = combine(&fixes.iter().collect::<Vec<_>>());
        let splices: Vec<String> = splices
            .iter()
            .map(|(_, it)| format!("{}..{} {:?}", it.span.start, it.span.end, it.insert))
            .collect();
        assert_eq!(format!("{used:?} {}", splices.join(", ")), expected);
    }

    #[test]
    fn fixes_that_do_not_touch_are_both_included() {
        check(&[fix(&[(4, 5, "x")]), fix(&[(1, 2, "y")])], r#"[0, 1] 1..2 "y", 4..5 "x""#);
    }

    #[test]
    fn a_contradicting_fix_is_left_out_as_a_whole() {
        check(&[fix(&[(1, 3, "x")]), fix(&[(0, 1, "a"), (2, 4, "y")])], r#"[0] 1..3 "x""#);
    }

    #[test]
    fn a_repeated_fix_counts_as_included() {
        check(&[fix(&[(1, 1, "&")]), fix(&[(1, 1, "&")])], r#"[0, 1] 1..1 "&""#);
    }

    #[test]
    fn two_imports_at_one_position_are_both_included() {
        check(
            &[fix(&[(0, 0, "use a;\n")]), fix(&[(0, 0, "use b;\n")])],
            r#"[0, 1] 0..0 "use a;\nuse b;\n""#,
        );
    }

    #[test]
    fn other_insertions_at_one_position_are_alternatives() {
        check(&[fix(&[(3, 3, "&")]), fix(&[(3, 3, "*")])], r#"[0] 3..3 "&""#);
    }

    #[test]
    fn an_insertion_inside_a_replaced_range_contradicts() {
        check(&[fix(&[(1, 5, "x")]), fix(&[(3, 3, "*")])], r#"[0] 1..5 "x""#);
    }

    #[test]
    fn splices_that_touch_become_one() {
        check(&[fix(&[(1, 3, "x")]), fix(&[(3, 3, "*")])], r#"[0, 1] 1..3 "x*""#);
    }
}
