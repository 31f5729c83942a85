//! A changed signature of a trait's function: the same in the trait and in its other impls.

use std::ops::Range;

use edit::{Splice, diff_sequences};
use preserve::outline::tokens;
use refactor::{PlacedText, needs_space, quoted, spelled};
use syntax::places::DefinitionKind;

use super::own_traits::is_foreign;
use super::{Confidence, Errors, Propagation, propagation};
use crate::changed::texts;
use crate::project::{Project, has_word, is_of_trait};
use crate::{Intent, What};

pub(super) fn family(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let What::Head { of, from, to } = &intent.what else { return };
    // The trait: of an impl's function its trait, of a trait's own the owner.
    let of_trait = of.of_trait.as_deref().unwrap_or(&of.owner);
    if of_trait.is_empty() {
        return;
    }
    let mut change =
        propagation(format!("{of} has another signature, the others follow"), Confidence::Certain);
    let mut seeds = Vec::new();
    for text in project.with_word(of_trait) {
        for it in &text.places.definitions {
            if !is_of_trait(it, of_trait)
                || it.kind != DefinitionKind::Function
                || it.name != of.name
                || is_foreign(project, &text, it)
            {
                continue;
            }
            let head = text.slice(it.head);
            seeds.extend(seeds_in(errors, &text, it.span));
            if spelled(head) == spelled(to) {
                continue;
            }
            let Some(new) = transferred(from, to, head) else { continue };
            change.splices.push((text.path.clone(), Splice { span: it.head, insert: new }));
        }
    }
    seeds.extend(errors.iter().filter(|(_, it)| names(it, &of.name)).map(|(seed, _)| seed));
    change.seeds = seeds;
    found.push(change);
}

/// Whether the error is one of a trait's function and names it.
fn names(error: &base::Diagnostic, name: &str) -> bool {
    matches!(error.code.as_deref(), Some("E0046" | "E0050" | "E0053" | "E0186" | "E0195" | "E0276"))
        && quoted(&error.message).any(|it| has_word(it, name))
}

/// The errors that mark something in a span.
fn seeds_in(errors: &Errors<'_>, text: &PlacedText, span: base::ByteSpan) -> Vec<usize> {
    let inside = errors.marked().filter(|it| *it.path == text.path && span.contains(it.span));
    inside.map(|it| it.seed).collect()
}

/// The text `like` with the changes that lead from `from` to `to`; `None` if one of them does not
/// fit, or nothing changes.
pub(super) fn transferred(from: &str, to: &str, like: &str) -> Option<String> {
    if spelled(from) == spelled(like) {
        return Some(to.to_owned());
    }
    let (a, b, c) = (tokens(from), tokens(to), tokens(like));
    let (refs_a, refs_b, refs_c) = (texts(&a), texts(&b), texts(&c));
    let mut splices: Vec<(Range<usize>, String)> = Vec::new();
    let mut at = 0;
    for (gone, come) in diff_sequences(&refs_a, &refs_b) {
        let place = place_of(&refs_a, &gone, &refs_c, at)?;
        at = place.end;
        let first = b.get(come.start);
        let last = come.end.checked_sub(1).and_then(|it| b.get(it));
        let insert = match (first, last) {
            (Some(first), Some(last)) if !come.is_empty() => {
                to.get(first.span.start..last.span.end)?.to_owned()
            }
            _ => String::new(),
        };
        splices.push((place, insert));
    }
    if splices.is_empty() {
        return None;
    }
    let mut text = String::new();
    let mut end = 0;
    for (place, insert) in splices {
        let start = match place.is_empty() {
            true => place.start.checked_sub(1).map_or(0, |it| c[it].span.end),
            false => c[place.start].span.start,
        };
        text.push_str(like.get(end..start)?);
        if needs_space(&text, &insert) {
            text.push(' ');
        }
        text.push_str(&insert);
        end = match place.is_empty() {
            true => start,
            false => c[place.end - 1].span.end,
        };
        if needs_space(&text, like.get(end..).unwrap_or("")) {
            text.push(' ');
        }
    }
    text.push_str(like.get(end..)?);
    (spelled(&text) != spelled(like)).then_some(text)
}

/// Position in `c`, from `at` on, of the tokens `gone` of `a`: with the tokens around them if those
/// are there too, else by themselves if there is one such position.
fn place_of(a: &[&str], gone: &Range<usize>, c: &[&str], at: usize) -> Option<Range<usize>> {
    let find = |from: usize, to: usize| -> Vec<usize> {
        let wanted = a.get(from..to).unwrap_or_default();
        if wanted.is_empty() || c.len() < wanted.len() {
            return Vec::new();
        }
        let starts = at.saturating_sub(1)..=c.len() - wanted.len();
        starts.filter(|it| c[*it..].starts_with(wanted)).collect()
    };
    let left = gone.start.saturating_sub(1);
    let right = (gone.end + 1).min(a.len());
    let tries: [(usize, usize); 4] = [
        (gone.start.saturating_sub(2), (gone.end + 2).min(a.len())),
        (left, right),
        (left, gone.end),
        (gone.start, right),
    ];
    for (from, to) in tries {
        if let [only] = find(from, to).as_slice() {
            let start = only + (gone.start - from);
            return Some(start..start + gone.len());
        }
    }
    match find(gone.start, gone.end).as_slice() {
        [only] => Some(*only..only + gone.len()),
        _ => None,
    }
}
