//! An item and an import of one name under conditions that exclude each other.

use base::ByteSpan;
use preserve::outline::Outline;
use syntax::places::Definition;

use super::SourceText;
use super::fault::RefactorFault;

/// Why a definition cannot change: where its condition is off, an import adds another item of its name,
/// or of its type or trait, and code for both would have to follow. `None` if there is none.
pub(super) fn alternative(source: &SourceText, definition: &Definition) -> Option<RefactorFault> {
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
    // Each module has one place for its imports.
    let module_of = |at: usize| refactor::import_place(&outline, text, ByteSpan::new(at, at));
    let module = module_of(definition.span.start);
    names.into_iter().find_map(|name| {
        let mut places = refactor::imports_of(text, &outline, name);
        places.retain(|at| module_of(*at) == module);
        let gates = places.into_iter().map(|at| (at, outline.gates(text, at)));
        let (at, gates) = gates.into_iter().find(|it| !it.1.is_empty() && it.1 != own)?;
        Some(RefactorFault::Alternative {
            path: source.path.clone(),
            line: source.line(at),
            name: name.to_owned(),
            gates: gates.join(", "),
        })
    })
}
