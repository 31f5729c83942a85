//! Another definition of a function for other builds, which a change of its head leaves as it was.

use syntax::places::{Definition, DefinitionKind};

use super::{LeftBehind, Tree};
use crate::{Intent, What};

/// Whether a definition of a text is behind a `cfg` of its own.
pub fn is_gated(text: &str, it: &Definition) -> bool {
    text.get(it.span.start..it.name_span.start).is_some_and(|head| head.contains("#[cfg"))
}

/// The definitions of the name beside the changed one, all behind a `cfg`, that are as before.
pub(super) fn counterparts(tree: &Tree<'_>, intent: &Intent, found: &mut Vec<LeftBehind>) {
    let of = match &intent.what {
        What::ParameterAdded { of, .. }
        | What::ParameterRemoved { of, .. }
        | What::Retyped { of, .. }
        | What::Head { of, .. } => of,
        What::Renamed { .. } | What::Moved { .. } | What::Removed(_) | What::Added { .. } => return,
    };
    let text = tree.rust.iter().find(|it| it.path == intent.path);
    let Some(text) = text.filter(|_| of.kind == DefinitionKind::Function) else { return };
    let is_it = |it: &&Definition| {
        let is_same = it.kind == of.kind && it.name == of.name && it.owner == of.owner;
        is_same && is_gated(&text.text, it)
    };
    let all: Vec<&Definition> = text.places.definitions.iter().filter(is_it).collect();
    let is_old = |it: &Definition| tree.is_old(&text.path, &text.text, it.name_span.start);
    let (old, new): (Vec<&Definition>, Vec<&Definition>) =
        all.into_iter().partition(|it| is_old(it));
    if new.is_empty() {
        return;
    }
    for it in old {
        found.push(LeftBehind {
            what: format!("`{}` for other builds is as before", of.name),
            ..tree.remark(&text.path, &text.text, it.name_span.start, intent)
        });
    }
}
