//! Recognises a candidate that undoes or contradicts the user's in-progress change. It is a
//! draft, although it may compile. Start at [`reverts`].

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use base::{ByteSpan, Diagnostic, ProjectPath, SortedMap, SortedSet};
use edit::{Overlay, diff_sequences};
use preserve::outline::{Outline, Token, TokenKind, tokens};
use refactor::spelled;
use refactor::{before_attributes, before_visibility};
use syntax::places::{Definition, DefinitionKind, PartKind, Places, places};

use crate::Difference;
use crate::changed::{Run, texts};

/// Whether the overlay (of the present tree) reverts a part of the in-progress change: a place that
/// the person changed has its old tokens again. Brackets, commas and semicolons do not count: to leave
/// one out is a slip.
///
/// `merge_bases` are the texts that both sides of a merge began with, of files with conflicts.
pub fn reverts(
    difference: &Difference,
    overlay: &Overlay,
    merge_bases: &SortedMap<ProjectPath, Arc<str>>,
) -> bool {
    overlay.changes().any(|(path, change)| {
        let Some(sides) = difference.get(path) else { return false };
        let (Some(base), Some(now)) = (&sides.base, &sides.now) else { return false };
        let after = change.after.as_ref().map_or("", |it| &*it.text);
        // Another text than the one that was compared: an overlay of an older tree.
        if change.before_text() != &**now {
            return false;
        }
        let now = written(now, after, merge_bases.get(path).map(|it| &**it));
        restores(base, &now, after) || restores_import(base, &now, after)
    })
}

/// What the person has written of a text that became `after`: a merge wrote the sides of a conflict, so
/// that the side which is kept reverts nothing.
fn written<'t>(now: &'t str, after: &str, merge_base: Option<&str>) -> Cow<'t, str> {
    preserve::conflicts::resolved_as(now, after, merge_base).map_or(Cow::Borrowed(now), Cow::Owned)
}

/// Whether an import that the person has removed, with some of the uses of its name, is there again.
fn restores_import(base: &str, now: &str, after: &str) -> bool {
    let imports = |text: &str| preserve::imports(&Outline::of(text));
    let (had, has) = (imports(base), imports(now));
    let gone = |path: &String| had.contains_key(path) && !has.contains_key(path);
    imports(after).into_keys().filter(gone).any(|path| {
        let name = preserve::last_name(&path).to_owned();
        let uses = |text: &str| tokens(text).iter().filter(|it| it.is(&name)).count();
        // One of them is the import.
        uses(base) > uses(now) + 1
    })
}

/// Whether the overlay (of the present tree) gives a function another return type than the one that
/// the person has just written, without one of `errors` in that type.
pub fn overrules(difference: &Difference, overlay: &Overlay, errors: &[Diagnostic]) -> bool {
    overlay.changes().any(|(path, change)| {
        let Some(sides) = difference.get(path) else { return false };
        let Some(now) = sides.now.as_deref().filter(|it| *it == change.before_text()) else {
            return false;
        };
        let base = sides.base.as_deref().unwrap_or("");
        let after = change.after.as_ref().map_or("", |it| &*it.text);
        if preserve::conflicts::has_conflicts(now) {
            return false;
        }
        let (was, is, later) = (places(base), places(now), places(after));
        functions(&is).any(|it| {
            let Some(span) = result(it) else { return false };
            let written = spelled(span.slice(now).unwrap_or(""));
            let is_reported = errors.iter().filter(|it| it.is_error()).flat_map(|it| &it.spans);
            let mut inside = is_reported.filter(|mark| {
                mark.primary && mark.place.project() == Some(path) && span.contains(mark.bytes)
            });
            types(&was, it, base).all(|it| it != written)
                && types(&later, it, after).next().is_some()
                && types(&later, it, after).all(|it| it != written)
                && inside.next().is_none()
        })
    })
}

/// Whether the overlay (of the tree with the difference) changes the head of a definition that the
/// difference has changed: for a change requested on the command line, where the head is the request.
pub fn rewords(difference: &Difference, overlay: &Overlay) -> bool {
    overlay.changes().any(|(path, change)| {
        let Some(sides) = difference.get(path) else { return false };
        let (Some(base), Some(now)) = (&sides.base, &sides.now) else { return false };
        let after = change.after.as_ref().map_or("", |it| &*it.text);
        let (before, now_heads) = (heads(base), heads(now));
        let asked: SortedSet<_> = now_heads.difference(&before).cloned().collect();
        change.before_text() == &**now && !asked.is_subset(&heads(after))
    })
}

/// The heads of the definitions of a text, in one spelling, with the kinds and owners.
fn heads(text: &str) -> SortedSet<(DefinitionKind, String, String)> {
    let head = |it: &Definition| {
        let head = spelled(it.head.slice(text).unwrap_or(""));
        (it.kind, it.owner.clone(), head)
    };
    places(text).definitions.iter().map(head).collect()
}

fn functions(places: &Places) -> impl Iterator<Item = &Definition> {
    places.definitions.iter().filter(|it| it.kind == DefinitionKind::Function)
}

fn result(of: &Definition) -> Option<ByteSpan> {
    of.parts.iter().find(|it| it.kind == PartKind::Type).map(|it| it.ty.unwrap_or(it.span))
}

/// The return types of the functions with the name of this one.
fn types<'a>(
    places: &'a Places,
    of: &'a Definition,
    text: &'a str,
) -> impl Iterator<Item = String> + 'a {
    let same = functions(places)
        .filter(|it| it.name == of.name && it.owner == of.owner && it.of_trait == of.of_trait);
    same.map(|it| result(it).map_or_else(String::new, |it| spelled(it.slice(text).unwrap_or(""))))
}

/// Whether one of the places in which `now` differs from `base`, and which the change touches, is as
/// in `base` in `after`. The diffs of `base` to both may align other places differently, so the
/// change itself has to be at the place.
fn restores(base: &str, now: &str, after: &str) -> bool {
    let (a, b, c) = (tokens(base), tokens(now), tokens(after));
    let (x, y, z) = (texts(&a), texts(&b), texts(&c));
    let touched = diff_sequences(&y, &z);
    let left = diff_sequences(&x, &z);
    let bodies: Vec<ByteSpan> = functions(&places(base)).filter_map(|it| it.body).collect();
    let has_words = |list: Option<&[Token<'_>]>| list.is_some_and(|it| it.iter().any(is_word));
    diff_sequences(&x, &y).into_iter().any(|(gone, come)| {
        (has_words(a.get(gone.clone())) || has_words(b.get(come.clone())))
            && !is_slip(&a, &b, &gone, &come)
            && !(come.is_empty() && is_borrow(a.get(gone.clone()), &bodies))
            && !(come.is_empty() && declares_module(&a, &gone))
            && !(come.is_empty() && lets_change(&a, &gone))
            && touched.iter().any(|(it, _)| meet(it, &come))
            && is_replaced(&b, &come, &touched)
            && !left.iter().any(|(it, _)| meet(it, &gone))
    })
}

/// Whether a change replaces at least half of the words that were written in a place: what follows a
/// long insertion may align with other tokens as soon as one word is added to it.
fn is_replaced(list: &[Token<'_>], come: &Range<usize>, touched: &[Run]) -> bool {
    let words: Vec<usize> = come.clone().filter(|at| list.get(*at).is_some_and(is_word)).collect();
    let is_gone = |at: &&usize| touched.iter().any(|(it, _)| it.contains(*at));
    2 * words.iter().filter(is_gone).count() >= words.len()
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

/// Whether tokens of a body only borrow, dereference or let change: to leave one out is a slip.
fn is_borrow(gone: Option<&[Token<'_>]>, bodies: &[ByteSpan]) -> bool {
    let is_one = |it: &Token<'_>| {
        matches!(it.text, "&" | "&&" | "mut" | "*")
            && bodies.iter().any(|body| body.contains(it.span))
    };
    gone.is_some_and(|it| it.iter().all(is_one))
}

/// Whether the token that is gone is the `mut` of a parameter's name, which is no part of what a caller sees.
fn lets_change(list: &[Token<'_>], gone: &Range<usize>) -> bool {
    let text = |at: usize| list.get(at).map_or("", |it| it.text);
    let before = gone.start.checked_sub(1).map_or("", text);
    gone.len() == 1
        && text(gone.start) == "mut"
        && matches!(before, "(" | ",")
        && (text(gone.end) == "self" || text(gone.end + 1) == ":")
}

/// Whether the tokens that are gone are `mod name;` with its attributes: of a module whose file is still
/// there, only that is missing, and without its file it cannot be declared again.
fn declares_module(list: &[Token<'_>], gone: &Range<usize>) -> bool {
    // What follows may begin with the same tokens: then the end of the item is later or earlier.
    let (mut from, mut to) = (gone.start, gone.end);
    let text = |at: usize| list.get(at).map_or("", |it| it.text);
    while text(to - 1) != ";" && to < list.len() && text(from) == text(to) {
        (from, to) = (from + 1, to + 1);
    }
    while text(to - 1) != ";" && from > 0 && text(from - 1) == text(to - 1) {
        (from, to) = (from - 1, to - 1);
    }
    while let Some(keyword) = to.checked_sub(3).filter(|it| text(*it) == "mod") {
        let start = before_attributes(list, before_visibility(list, keyword));
        match start.cmp(&from) {
            _ if text(to - 1) != ";" => return false,
            Ordering::Less => return false,
            Ordering::Equal => return true,
            Ordering::Greater => to = start,
        }
    }
    false
}

fn is_word(it: &Token<'_>) -> bool {
    it.kind != TokenKind::Punctuation
        || !matches!(it.text, "(" | ")" | "[" | "]" | "{" | "}" | "," | ";")
}
