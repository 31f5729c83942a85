use std::collections::BTreeMap;

use base::{ByteSpan, ProjectPath};
use edit::Overlay;
use graph::{ItemKind, ItemView, Map};

/// The files that use what `overlay` changes of interfaces, those that use it most first, as far
/// as the map speaks of the files as they are below the overlay.
pub(crate) fn users(map: &Map, overlay: &Overlay) -> Vec<ProjectPath> {
    let mut uses: BTreeMap<u32, u32> = BTreeMap::new();
    for (path, change) in overlay.changes() {
        let Some(number) = map.file_by_path(path.as_str()) else { continue };
        let Some(before) = &change.before else { continue };
        if map.file(number).is_none_or(|file| file.hash != before.hash()) {
            continue;
        }
        let items = map.items_of_file(number).filter_map(|number| map.item(number));
        let touched = items.filter(|item| {
            interface(item).is_some_and(|shown| {
                let mut spans = change.edit.splices.iter().map(|splice| splice.span);
                spans.any(|span| shown.overlaps(span) || shown.contains(span))
            })
        });
        for item in touched {
            for edge in map.edges_in(item.number) {
                if let Some(user) = map.item(edge.src).filter(|user| user.file != number) {
                    *uses.entry(user.file).or_default() += edge.weight;
                }
            }
        }
    }
    let mut files: Vec<(u32, u32)> = uses.into_iter().collect();
    files.sort_by_key(|(file, weight)| (std::cmp::Reverse(*weight), *file));
    let paths = files.into_iter().filter_map(|(file, _)| map.file(file));
    paths.filter_map(|file| ProjectPath::new(file.path).ok()).collect()
}

/// What of an item others rely on: its head, or all of it where it has no body to hide.
fn interface(item: &ItemView<'_>) -> Option<ByteSpan> {
    let end = match item.kind {
        ItemKind::File | ItemKind::Crate => return None,
        ItemKind::Function | ItemKind::Method | ItemKind::Module | ItemKind::Impl => {
            item.signature_end
        }
        _ => item.span.1,
    };
    Some(ByteSpan::new(item.code_start as usize, (end as usize).max(item.code_start as usize)))
}
