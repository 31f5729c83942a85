use std::ops::Range;

use edit::{Overlay, diff_sequences};
use preserve::outline::{Token, TokenKind, tokens};

use crate::Difference;
use crate::project::texts;

/// Whether the overlay (of the present tree) takes back something that was begun: a place that the
/// person changed has its old tokens again. Brackets, commas and semicolons do not count: to leave
/// one out is a slip.
pub fn takes_back(difference: &Difference, overlay: &Overlay) -> bool {
    overlay.changes().any(|(path, change)| {
        let Some(sides) = difference.get(path) else { return false };
        let (Some(base), Some(now)) = (&sides.base, &sides.now) else { return false };
        let after = change.after.as_ref().map_or("", |it| &*it.text);
        // Another text than the one that was compared: an overlay of an older tree.
        change.before_text() == &**now && restores(base, now, after)
    })
}

/// Whether one of the places in which `now` differs from `base`, and which the change touches, is as
/// in `base` in `after`. The diffs of `base` to both may align other places differently, so the
/// change itself has to be at the place.
fn restores(base: &str, now: &str, after: &str) -> bool {
    let (a, b, c) = (tokens(base), tokens(now), tokens(after));
    let (x, y, z) = (texts(&a), texts(&b), texts(&c));
    let touched = diff_sequences(&y, &z);
    let left = diff_sequences(&x, &z);
    let has_words = |list: Option<&[Token<'_>]>| list.is_some_and(|it| it.iter().any(is_word));
    diff_sequences(&x, &y).into_iter().any(|(gone, come)| {
        (has_words(a.get(gone.clone())) || has_words(b.get(come.clone())))
            && !is_slip(&a, &b, &gone, &come)
            && touched.iter().any(|(it, _)| meet(it, &come))
            && !left.iter().any(|(it, _)| meet(it, &gone))
    })
}

/// Whether two ranges overlap or touch.
fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// Most edits between a name and a slip of it.
const NEAR: usize = 2;

/// Whether one name became a similar one that is nowhere else and defines nothing: a typing error.
fn is_slip(a: &[Token<'_>], b: &[Token<'_>], gone: &Range<usize>, come: &Range<usize>) -> bool {
    const DEFINES: &[&str] =
        &["const", "enum", "fn", "let", "mod", "mut", "static", "struct", "trait", "type", "union"];
    let ([old], [new]) = (&a[gone.clone()], &b[come.clone()]) else { return false };
    let before = come.start.checked_sub(1).and_then(|it| b.get(it));
    let is_field = b.get(come.end).is_some_and(|it| it.is(":"));
    old.kind == TokenKind::Word
        && new.kind == TokenKind::Word
        && !is_field
        && !before.is_some_and(|it| DEFINES.contains(&it.text))
        && b.iter().filter(|it| it.text == new.text).count() == 1
        && strsim::osa_distance(old.text, new.text) <= NEAR.min(old.text.len() / 2)
}

fn is_word(it: &Token<'_>) -> bool {
    it.kind != TokenKind::Punctuation
        || !matches!(it.text, "(" | ")" | "[" | "]" | "{" | "}" | "," | ";")
}
