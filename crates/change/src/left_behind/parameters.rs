//! A removed parameter that the documentation of its function still describes, calls that pass their
//! arguments in the order before, and calls on pages.

use base::{ByteSpan, SortedSet};
use refactor::PlacedText;
use refactor::{KnownSites, RenameKind, RenameTarget, Renaming};
use syntax::places::{Definition, UseKind};

use super::{LeftBehind, Tree};
use crate::project::has_word;
use crate::{Intent, What};

/// Reason for which a call with its arguments in the order before may be wrong.
const ANY_ORDER: &str = "arguments of one type compile in any order";

/// Whether the reason for which a place is unproven is the order of its arguments.
pub fn is_argument_order(unproven: &str) -> bool {
    unproven == ANY_ORDER
}

/// Calls of a function whose parameter has moved to another place: where the types are the same, they
/// compile with the arguments in either order.
pub(super) fn moved(tree: &Tree<'_>, intent: &Intent, found: &mut Vec<LeftBehind>) {
    let What::ParameterRemoved { of, name, count, .. } = &intent.what else { return };
    let is_back = tree.intents.iter().any(|it| match &it.what {
        What::ParameterAdded { of: other, name: back, .. } => other == of && back == name,
        _ => false,
    });
    let definitions = tree.rust.iter().flat_map(|it| &it.places.definitions);
    let same = definitions.filter(|it| it.kind == of.kind && it.name == of.name).count();
    if !is_back || name.is_empty() {
        return;
    }
    for text in tree.rust.iter().filter(|it| it.text.contains(&of.name)) {
        for it in &text.places.uses {
            let offset = match it.kind {
                UseKind::Call => it.args.len().checked_sub(*count).filter(|it| *it <= 1),
                UseKind::MethodCall => it.args.len().checked_sub(*count).filter(|it| *it == 0),
                _ => None,
            };
            let is_named = it.name == of.name && (same == 1 || it.qualifier == of.owner);
            if offset.is_some() && is_named && tree.is_old_code(text, it.span) {
                let remark = tree.remark(&text.path, &text.text, it.span.start, intent);
                let what =
                    format!("a call of `{}` with the arguments in the order before", of.name);
                let unproven = Some(ANY_ORDER);
                found.push(LeftBehind { what, unproven, ..remark });
            }
        }
    }
}

/// Calls on pages of a function whose parameters have changed: no check builds them.
pub(super) fn on_pages(tree: &Tree<'_>, intent: &Intent, found: &mut Vec<LeftBehind>) {
    let of = match &intent.what {
        What::ParameterRemoved { of, .. } | What::ParameterAdded { of, .. } => of,
        _ => return,
    };
    let owner = Some(of.owner.clone()).filter(|it| !it.is_empty());
    let target = RenameTarget {
        kind: RenameKind::of_kind(of.kind, owner.is_some()),
        from: of.name.clone(),
        to: of.name.clone(),
        owners: owner.into_iter().collect(),
        definitions: SortedSet::new(),
        within: None,
    };
    let pages: Vec<_> = tree.markdown.iter().map(|it| (*it).clone()).collect();
    if !pages.iter().any(|it| has_word(&it.1, &of.name)) {
        return;
    }
    let plan = Renaming::new(target, &KnownSites::default(), &tree.sources);
    for call in plan.calls_in_texts(&pages) {
        let text = pages.iter().find(|it| it.0 == call.path).map_or("", |it| &it.1);
        if tree.is_old(&call.path, text, call.at) {
            let what = format!("a call of `{}` in the text", of.name);
            found.push(LeftBehind { what, ..tree.remark(&call.path, text, call.at, intent) });
        }
    }
}

pub(super) fn parameters(tree: &Tree<'_>, intent: &Intent, found: &mut Vec<LeftBehind>) {
    let What::ParameterRemoved { of, name, .. } = &intent.what else { return };
    let name = name.trim_start_matches('_');
    let Some(text) = tree.rust.iter().find(|it| it.path == intent.path) else { return };
    let is_it = |it: &&Definition| {
        it.kind == of.kind
            && it.name == of.name
            && it.owner == of.owner
            && it.of_trait == of.of_trait
    };
    let Some(function) = text.places.definitions.iter().find(is_it) else { return };
    // A field or variable of the name may be meant.
    if name.is_empty() || has_word(text.slice(function.span), name) {
        return;
    }
    for (at, line) in doc_lines(text, function.span.start) {
        let is_described = line.match_indices(&format!("`{name}`")).next().is_some();
        if is_described && tree.is_old(&text.path, &text.text, at) {
            let what = format!("the documentation of `{}` describes `{name}`", of.name);
            let remark = tree.remark(&text.path, &text.text, at, intent);
            found.push(LeftBehind { what, ..remark });
        }
    }
}

/// The lines of documentation above a definition, with their positions.
fn doc_lines(text: &PlacedText, at: usize) -> Vec<(usize, &str)> {
    let before = text.slice(ByteSpan::new(0, at));
    let mut end = before.rfind('\n').map_or(0, |it| it + 1);
    let mut found = Vec::new();
    while end > 0 {
        let start = before.get(..end - 1).and_then(|it| it.rfind('\n')).map_or(0, |it| it + 1);
        let line = before.get(start..end).unwrap_or("").trim();
        if !line.starts_with("///") && !line.starts_with("#[") {
            break;
        }
        found.push((start, line));
        end = start;
    }
    found
}
