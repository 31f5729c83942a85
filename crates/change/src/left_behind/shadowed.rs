//! Calls that mean another method since theirs has another name: the type has it from a trait.

use syntax::places::{Definition, DefinitionKind, Use, UseKind};

use super::{LeftBehind, Tree};
use crate::{Intent, What};

/// Calls by the old name of a renamed method whose type has a method of that name by an impl of a trait.
pub(super) fn shadowed(tree: &Tree<'_>, intent: &Intent, found: &mut Vec<LeftBehind>) {
    let What::Renamed { of, from } = &intent.what else { return };
    if of.kind != DefinitionKind::Function || of.owner.is_empty() || of.of_trait.is_some() {
        return;
    }
    let is_other = |it: &&Definition| {
        it.kind == of.kind && it.name == *from && it.owner == of.owner && it.of_trait.is_some()
    };
    let mut definitions = tree.rust.iter().flat_map(|it| &it.places.definitions);
    let Some(other) = definitions.find(is_other) else { return };
    let of_trait = other.of_trait.as_deref().unwrap_or_default();
    let is_call = |it: &&Use| match it.kind {
        UseKind::MethodCall => it.name == *from,
        UseKind::Call => it.name == *from && it.qualifier == of.owner,
        _ => false,
    };
    for text in tree.rust.iter().filter(|it| it.text.contains(from)) {
        for call in text.places.uses.iter().filter(is_call) {
            if tree.is_old_code(text, call.span) {
                let remark = tree.remark(&text.path, &text.text, call.name_span.start, intent);
                let what =
                    format!("a call of `{from}`, which `{of_trait}` has for `{}` too", of.owner);
                let unproven = Some("it compiles and may mean the renamed method");
                found.push(LeftBehind { what, unproven, ..remark });
            }
        }
    }
}
