//! An item and an import of one name under conditions that exclude each other.

use preserve::outline::Outline;
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
    names.into_iter().find_map(|name| {
        let places = change::imports_of(text, &outline, name);
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
