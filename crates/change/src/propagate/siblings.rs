//! Fields that another struct has got in the difference, for a struct whose uses have them already.

use base::ByteSpan;
use edit::Splice;
use refactor::line_break;
use refactor::{PlacedText, quoted, spelled};
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::values::core;
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::Project;
use crate::{Intent, What};

pub(super) fn siblings(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    match &intent.what {
        What::Added { of, .. } if of.kind == DefinitionKind::Field => {
            let has_sibling = |text: &&PlacedText| {
                text.places.definitions.iter().any(|it| is_field(it, &of.owner))
            };
            let Some(text) = project.text(&intent.path) else { return };
            if has_sibling(&&*text) {
                new_fields(project, intent, &text, errors, found);
            }
        }
        What::Retyped { of, at: None, from, to } if of.kind == DefinitionKind::Field => {
            unwrapped(project, intent, (&of.name, from, to), errors, found);
        }
        _ => {}
    }
}

/// The field of the intent, for each struct of the project that has none of that name and is used as
/// if it had.
fn new_fields(
    project: &Project<'_>,
    intent: &Intent,
    sibling: &PlacedText,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let of = intent.what.of();
    let mut all = sibling.places.definitions.iter();
    let Some(field) = all.find(|it| is_field(it, &of.owner) && it.name == of.name) else { return };
    let mut owners: Vec<String> = Vec::new();
    for marked in errors.marked() {
        owners.extend(missing_in(&marked, &of.name).filter(|it| *it != of.owner));
    }
    owners.sort_unstable();
    owners.dedup();
    for owner in owners {
        let reason = format!("{owner} gets the field `{}` as `{}` did", of.name, of.owner);
        let mut change = propagation(reason, Confidence::Likely);
        let texts = project.with_word(&owner);
        // With another one of its name, the one that is meant is unknown.
        let mut declaring = texts.iter().filter(|text| fields(text, &owner).next().is_some());
        let (Some(text), None) = (declaring.next(), declaring.next()) else { continue };
        let Some(splice) = inserted(text, &owner, sibling, field) else { continue };
        let marked = errors.marked();
        let is_it = |it: &Marked<'_>| missing_in(it, &of.name).any(|it| it == owner);
        change.seeds.extend(marked.filter(is_it).map(|it| it.seed));
        change.splices.push((text.path.clone(), splice));
        found.push(change);
    }
}

/// The struct in which an error misses the field.
fn missing_in<'m>(marked: &'m Marked<'_>, field: &'m str) -> impl Iterator<Item = String> + 'm {
    let message = &marked.error.message;
    let is_missing = matches!(marked.error.code.as_deref(), Some("E0560" | "E0609" | "E0026"))
        && quoted(message).any(|it| it == field);
    let types = quoted(message).filter(move |it| is_missing && *it != field);
    types.map(|it| core(it).split('<').next().unwrap_or("").to_owned()).filter(|it| !it.is_empty())
}

fn is_field(it: &Definition, owner: &str) -> bool {
    it.kind == DefinitionKind::Field && it.owner == owner
}

fn fields<'t>(text: &'t PlacedText, owner: &str) -> impl Iterator<Item = &'t Definition> {
    text.places.definitions.iter().filter(move |it| is_field(it, owner))
}

/// The field at the place where the sibling has it: before the same field, else after it, else last.
fn inserted(
    text: &PlacedText,
    owner: &str,
    sibling: &PlacedText,
    field: &Definition,
) -> Option<Splice> {
    let own: Vec<&Definition> = fields(text, owner).collect();
    if own.iter().any(|it| it.name == field.name) {
        return None;
    }
    let others: Vec<&Definition> = fields(sibling, &field.owner).collect();
    let at = others.iter().position(|it| it.span == field.span)?;
    let same =
        |it: Option<&&Definition>| own.iter().find(|own| it.is_some_and(|it| it.name == own.name));
    // Without attributes and documentation of the sibling.
    let visibility = sibling.slice(ByteSpan::new(field.span.start, field.head.start));
    let visibility = visibility.rsplit('\n').next()?.trim_start();
    let line = format!("{visibility}{}", sibling.slice(field.head));
    if let Some(next) = same(others.get(at + 1)) {
        let start = next.span.start;
        let blank = line_break(text.text.get(..start)?).unwrap_or(" ");
        return Some(Splice {
            span: ByteSpan::new(start, start),
            insert: format!("{line},{blank}"),
        });
    }
    let before = same(at.checked_sub(1).and_then(|it| others.get(it))).or(own.last())?;
    let blank = line_break(text.text.get(..before.span.start)?).unwrap_or(" ");
    let end = before.head.end;
    Some(Splice { span: ByteSpan::new(end, end), insert: format!(",{blank}{line}") })
}

/// A type that contained the new one, where the same field of another struct still has it and the
/// error marks it.
fn unwrapped(
    project: &Project<'_>,
    intent: &Intent,
    (name, from, to): (&str, &str, &str),
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let Some(outer) = from.strip_suffix(&format!("<{to}>")) else { return };
    let reason = format!("`{outer}<…>` is gone from `{name}`, as in {}", intent.what.of());
    let mut change = propagation(reason, Confidence::Likely);
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path) else { continue };
        let is_around = |it: &&Definition| {
            it.kind == DefinitionKind::Field && it.name == name && it.span.contains(marked.span)
        };
        let Some(field) = text.places.definitions.iter().find(is_around) else { continue };
        let Some(ty) = field.parts.iter().find(|it| it.kind == PartKind::Type) else { continue };
        let written = text.slice(ty.span);
        let is_outer = written.split('<').next().is_some_and(|it| spelled(it) == outer);
        let inner = written.find('<').and_then(|at| written.get(at + 1..)?.strip_suffix('>'));
        if let Some(inner) = inner.filter(|_| is_outer) {
            let insert = inner.trim().to_owned();
            change.seeds.push(marked.seed);
            change.splices.push((text.path.clone(), Splice { span: ty.span, insert }));
        }
    }
    found.push(change);
}
