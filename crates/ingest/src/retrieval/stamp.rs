//! The stamp that ties a search index to one state of the map.

use base::{ContentHash, Hasher};
use graph::Map;
use search::TOKENIZER_VERSION;

/// Must grow with every change of the index that the same map produces.
const VERSION: u32 = 1;

/// The state of the map that an index belongs to: its files, its crates, and the number and ids of
/// its items. An index with another stamp is not used.
pub(super) fn stamp(map: &Map, encoder: &str) -> ContentHash {
    let mut hasher = Hasher::new();
    hasher
        .field(&VERSION.to_le_bytes())
        .field(&TOKENIZER_VERSION.to_le_bytes())
        .field(env!("CARGO_PKG_VERSION").as_bytes())
        .field(encoder.as_bytes())
        .field(&map.epoch().to_le_bytes())
        .field(&map.item_count().to_le_bytes())
        .field(&map.edge_count().to_le_bytes());
    for krate in map.crates() {
        hasher.field(krate.name.as_bytes()).field(krate.kind.as_bytes());
    }
    for file in map.files() {
        hasher.field(file.path.as_bytes()).field(file.hash.as_bytes());
    }
    // Equal sources give equal items, or the versions above differ; a sample checks it.
    for number in (0..map.item_count()).step_by(64) {
        let id = map.item(number).map(|item| item.id());
        hasher.field(id.map(|id| id.to_string()).unwrap_or_default().as_bytes());
    }
    hasher.finish()
}
