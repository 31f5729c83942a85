//! Derives that an impl of the person has replaced.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::{Token, TokenKind, tokens};
use refactor::ElementList;
use refactor::{PlacedText, quoted, whole_lines};
use syntax::places::DefinitionKind;

use super::{Confidence, Errors, Propagation, propagation};
use crate::project::Project;
use crate::{Intent, What};

/// A derive that conflicts with the impl to which a new method belongs: the derive goes.
pub(super) fn derives(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let What::Added { of, .. } = &intent.what else { return };
    let Some(of_trait) = of.of_trait.as_deref().filter(|_| of.kind == DefinitionKind::Function)
    else {
        return;
    };
    let reason = format!("`{of_trait}` has an impl for `{}` now", of.owner);
    let mut change = propagation(reason, Confidence::Certain);
    for (seed, error) in errors.iter() {
        let mut named = quoted(&error.message).map(name_of);
        let is_it = error.code.as_deref() == Some("E0119")
            && named.next() == Some(of_trait)
            && named.next() == Some(of.owner.as_str());
        let spans = error.spans.iter().filter(|_| is_it).map(refactor::outermost);
        for span in spans {
            let Some(text) = span.place.project().and_then(|it| project.text(it)) else { continue };
            if let Some(splice) = without_derive(&text, span.bytes, of_trait) {
                change.seeds.push(seed);
                change.splices.push((text.path.clone(), splice));
                break;
            }
        }
    }
    found.push(change);
}

/// The last name of a path, without arguments.
fn name_of(path: &str) -> &str {
    let head = path.split('<').next().unwrap_or(path);
    head.rsplit("::").next().unwrap_or(head)
}

/// The list of derives at a position without one trait; all of the attribute if it has no other.
fn without_derive(text: &PlacedText, at: ByteSpan, of_trait: &str) -> Option<Splice> {
    let list = tokens(&text.text);
    let start = (0..list.len().saturating_sub(3)).find(|it| {
        let is_attribute = list[*it].is("#") && list[it + 1].is("[") && list[it + 2].is("derive");
        let end = if is_attribute { closing(&list, it + 1) } else { None };
        end.is_some_and(|end| list[*it].span.start <= at.start && at.end <= list[end].span.end)
    })?;
    let end = closing(&list, start + 1)?;
    let inner = list.get(start + 4..end.checked_sub(1)?)?;
    let parts: Vec<&[Token<'_>]> =
        inner.split(|it| it.is(",")).filter(|it| !it.is_empty()).collect();
    let is_it = |it: &&[Token<'_>]| {
        it.last().is_some_and(|it| it.kind == TokenKind::Word && it.is(of_trait))
    };
    let gone = parts.iter().position(is_it)?;
    if parts.len() == 1 {
        let span = ByteSpan::new(list[start].span.start, list[end].span.end);
        let span = whole_lines(&text.text, span);
        return Some(Splice { span, insert: String::new() });
    }
    let span = |it: &[Token<'_>]| {
        let (first, last) = (it.first(), it.last());
        first.zip(last).map(|(a, b)| ByteSpan::new(a.span.start, b.span.end))
    };
    let items = parts.into_iter().filter_map(span).collect();
    let around = ByteSpan::new(list[start + 3].span.start, list[end - 1].span.end);
    ElementList::new(&text.text, around, items).remove(gone)
}

/// The bracket that closes the one at `open`.
fn closing(list: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    list.get(open..)?
        .iter()
        .position(|it| {
            match it.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
        .map(|it| open + it)
}
