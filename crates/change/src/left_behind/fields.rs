//! A new field: impls and literals that name all other fields, and those that the compiler would refuse.

use base::SortedMap;

use syntax::places::{DefinitionKind, UseKind};

use super::{LeftBehind, Tree, UNBUILT};
use crate::project::has_word;
use crate::{Intent, What};

/// Traits whose impls name every field if they are not derived.
const EVERY_FIELD: &[&str] =
    &["Clone", "Debug", "Default", "Hash", "Ord", "PartialEq", "PartialOrd", "Serialize"];

pub(super) fn fields(tree: &Tree<'_>, intent: &Intent, found: &mut Vec<LeftBehind>) {
    let What::Added { of, .. } = &intent.what else { return };
    if of.kind != DefinitionKind::Field || of.owner.contains("::") || tree.is_new_type(&of.owner) {
        return;
    }
    // One that only fills the layout or has a marker type is not for them.
    if of.name.starts_with('_') {
        return;
    }
    let new = tree.new_members(DefinitionKind::Field, &of.owner);
    let all = tree.members(intent, DefinitionKind::Field);
    let others: Vec<&str> = all.into_iter().filter(|it| !new.contains(it)).collect();
    if others.len() < 2 {
        return;
    }
    for text in tree.rust.iter().filter(|it| it.text.contains(&of.owner)) {
        let mut impls: SortedMap<&str, Vec<_>> = SortedMap::new();
        for it in text.places.definitions.iter().filter(|it| it.owner == of.owner) {
            if let Some(of_trait) = it.of_trait.as_deref().filter(|it| EVERY_FIELD.contains(it)) {
                impls.entry(of_trait).or_default().push(it);
            }
        }
        for (of_trait, members) in impls {
            let has = |name: &str| members.iter().any(|it| has_word(text.slice(it.span), name));
            let is_partial = has("finish_non_exhaustive");
            let is_left = others.iter().all(|it| has(it))
                && !has(&of.name)
                && !is_partial
                && members.iter().all(|it| tree.is_old_code(text, it.span));
            if is_left {
                let at = members[0].name_span.start;
                let what = format!(
                    "`impl {of_trait} for {}` names all fields but `{}`",
                    of.owner, of.name
                );
                let remark = tree.remark(&text.path, &text.text, at, intent);
                found.push(LeftBehind { what, ..remark });
            }
        }
        for it in text.places.uses.iter().filter(|it| it.kind == UseKind::Literal && it.has_rest) {
            let names = |name: &str| it.args.iter().any(|arg| arg.name == name);
            let is_left = it.name == of.owner
                && others.iter().all(|it| names(it))
                && !names(&of.name)
                && tree.is_old_code(text, it.span);
            if is_left {
                let what = format!("literal of `{}` names all fields but `{}`", of.owner, of.name);
                let remark = tree.remark(&text.path, &text.text, it.span.start, intent);
                found.push(LeftBehind { what, ..remark });
            }
        }
    }
}

/// Literals and patterns without a new field and without `..`: the compiler refuses them, so that in a tree which
/// compiles they are in code that no check builds.
pub(super) fn unbuilt(tree: &Tree<'_>, intent: &Intent, found: &mut Vec<LeftBehind>) {
    let What::Added { of, .. } = &intent.what else { return };
    if of.kind != DefinitionKind::Field || tree.is_new_type(&of.owner) {
        return;
    }
    let (qualifier, owner) = of.owner.rsplit_once("::").unwrap_or(("", &of.owner));
    let members = tree.members(intent, DefinitionKind::Field);
    for text in tree.rust.iter().filter(|it| it.text.contains(owner)) {
        for it in &text.places.uses {
            let kind = match it.kind {
                UseKind::Literal => "literal",
                UseKind::RecordPattern => "pattern",
                _ => continue,
            };
            let is_of_type =
                it.name == owner && (qualifier.is_empty() || it.qualifier == qualifier);
            let is_it = is_of_type
                && !it.has_rest
                && !it.args.is_empty()
                && it.args.iter().all(|arg| arg.name != of.name && members.contains(&&*arg.name));
            if is_it {
                let what = format!("{kind} of `{}` without `{}`", of.owner, of.name);
                let remark = tree.remark(&text.path, &text.text, it.span.start, intent);
                found.push(LeftBehind { what, unproven: Some(UNBUILT), ..remark });
            }
        }
    }
}
