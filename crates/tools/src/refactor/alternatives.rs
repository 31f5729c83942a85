//! An item and an import of one name under conditions that exclude each other.

use preserve::outline::{Element, ElementKind, Outline};
use syntax::places::Definition;

use super::SourceText;

/// Why a definition cannot change: where its condition is off, an import adds another item of its name,
/// or of its type or trait, and code for both would have to follow. `None` if there is none.
pub(super) fn alternative(source: &SourceText, definition: &Definition) -> Option<String> {
    let text: &str = &source.text;
    let outline = Outline::of(text);
    let own = outline.gates(text, definition.name_span.start);
    if own.is_empty() {
        return None;
    }
    let owner = definition.owner.rsplit("::").next().filter(|it| !it.is_empty());
    let names = match (&definition.of_trait, owner) {
        (Some(of_trait), owner) => vec![of_trait.as_str(), owner.unwrap_or("")],
        (None, Some(owner)) => vec![owner],
        (None, None) => vec![definition.name.as_str()],
    };
    let scope = scope(&outline, definition.span.start);
    names.into_iter().find_map(|name| {
        let mut places = change::imports_of(text, &outline, name);
        places.retain(|at| self::scope(&outline, *at) == scope);
        let gates = places.into_iter().map(|at| (at, outline.gates(text, at)));
        let (at, gates) = gates.into_iter().find(|it| !it.1.is_empty() && it.1 != own)?;
        Some(format!(
            "{}:{} imports another `{name}` under `cfg({})`, and code that names one of them means \
             both",
            source.path,
            source.line(at),
            gates.join(", ")
        ))
    })
}

/// The module in braces around a position, by its place; `None` for that of the file.
fn scope(outline: &Outline<'_>, at: usize) -> Option<usize> {
    let start = |token: usize| outline.tokens.get(token).map_or(usize::MAX, |it| it.span.start);
    let contains = |it: &&Element| {
        it.kind == ElementKind::Item
            && outline.text(it.head) == "mod"
            && outline.text(it.head + 2) == "{"
            && start(it.head + 2) < at
            && at < start(it.end.saturating_sub(1))
    };
    outline.elements.iter().filter(contains).map(|it| it.head).max()
}
