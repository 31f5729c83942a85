//! Line diffs between two texts, computed by `imara-diff`.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::TextEdit;
use crate::text_edit::EditBuilder;

/// A run of changed lines: line numbers from 0, half-open, on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
}

/// The changed lines between two texts, by increasing position.
pub(crate) fn hunks(before: &str, after: &str) -> Vec<Hunk> {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let range = |it: Range<u32>| it.start as usize..it.end as usize;
    diff.hunks().map(|it| Hunk { before: range(it.before), after: range(it.after) }).collect()
}

/// The lines of a text with their terminators. Only `\n` ends a line, as in diffs and compilers;
/// a `\r` before it is part of the terminator, any other `\r` is part of the line.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

impl TextEdit {
    /// The edit from one text to the other, in whole lines.
    pub fn diff(before: &str, after: &str) -> TextEdit {
        let (old, new) = (lines(before), lines(after));
        let mut builder = EditBuilder::default();
        let mut at = 0;
        for hunk in hunks(before, after) {
            for line in old.get(at..hunk.before.start).unwrap_or_default() {
                builder.keep(line.len());
            }
            for line in old.get(hunk.before.clone()).unwrap_or_default() {
                builder.delete(line.len());
            }
            for line in new.get(hunk.after).unwrap_or_default() {
                builder.insert(line);
            }
            at = hunk.before.end;
        }
        builder.finish()
    }
}

/// The changed runs between two sequences, by increasing position: ranges of `before` and `after`.
pub fn diff_sequences(before: &[&str], after: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut input = InternedInput::default();
    input.update_before(before.iter().copied());
    input.update_after(after.iter().copied());
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let range = |it: Range<u32>| it.start as usize..it.end as usize;
    diff.hunks().map(|it| (range(it.before), range(it.after))).collect()
}
