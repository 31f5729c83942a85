//! Structs and variants whose parts have got names, or lost them: `self.0` and `self.name`.

use edit::Splice;
use refactor::{quoted, spelled};
use syntax::places::{Definition, DefinitionKind, PartKind, Places, places};

use super::{Confidence, Errors, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{Intent, What};

pub(super) fn positions(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let (owner, old) = match &intent.what {
        What::ParameterRemoved { of, at, .. } if of.kind == DefinitionKind::Struct => {
            (&of.name, at.to_string())
        }
        What::Removed(of) if of.kind == DefinitionKind::Field => (&of.owner, of.name.clone()),
        _ => return,
    };
    let Some(new) = successor(project, intent, owner, &old) else { return };
    let reason = format!("`{owner}::{old}` is `{owner}::{new}` now");
    let mut change = propagation(reason, Confidence::Certain);
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path) else { continue };
        let is_it = matches!(marked.error.code.as_deref(), Some("E0609" | "E0610" | "E0615"))
            && text.slice(marked.span) == old
            && quoted(&marked.error.message).any(|it| has_word(it, owner));
        if is_it {
            change.seeds.push(marked.seed);
            let splice = Splice { span: marked.span, insert: new.clone() };
            change.splices.push((text.path.clone(), splice));
        }
    }
    found.push(change);
}

/// The name or index that a part of the base has now, if its struct has parts of the other kind: that
/// of the only part with the same type, else that at the same position.
fn successor(project: &Project<'_>, intent: &Intent, owner: &str, old: &str) -> Option<String> {
    let now = project.text(&intent.path)?;
    let base = project.difference.get(&intent.path)?.base.as_deref()?;
    let before = members(&places(base), base, owner);
    let after = members(&now.places, &now.text, owner);
    let is_named = |list: &[(String, String)]| {
        list.first().is_some_and(|(name, _)| name.starts_with(|it: char| !it.is_ascii_digit()))
    };
    if before.is_empty() || after.is_empty() || is_named(&before) == is_named(&after) {
        return None;
    }
    let at = before.iter().position(|(name, _)| name == old)?;
    let mut same = after.iter().filter(|(_, ty)| *ty == before[at].1);
    match (same.next(), same.next()) {
        (Some((name, _)), None) => Some(name.clone()),
        _ if before.len() == after.len() => Some(after[at].0.clone()),
        _ => None,
    }
}

/// The parts of a struct or variant by name or index, each with its type in one spelling.
pub(super) fn members(places: &Places, text: &str, owner: &str) -> Vec<(String, String)> {
    let slice = |span: base::ByteSpan| spelled(span.slice(text).unwrap_or(""));
    let ty = |it: &Definition| {
        let part = it.parts.iter().find(|it| it.kind == PartKind::Type);
        part.map_or_else(String::new, |it| slice(it.span))
    };
    let all = &places.definitions;
    let named = all.iter().filter(|it| it.kind == DefinitionKind::Field && it.owner == owner);
    let named: Vec<_> = named.map(|it| (it.name.clone(), ty(it))).collect();
    if !named.is_empty() {
        return named;
    }
    let of = all.iter().find(|it| match it.kind {
        DefinitionKind::Struct => it.name == owner,
        DefinitionKind::Variant => owner.split_once("::") == Some((&it.owner, &it.name)),
        _ => false,
    });
    let parts = of.into_iter().flat_map(|it| &it.parts);
    parts
        .filter(|it| it.kind == PartKind::Parameter)
        .enumerate()
        .map(|(at, it)| (at.to_string(), it.ty.map_or_else(String::new, slice)))
        .collect()
}
