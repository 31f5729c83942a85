use base::{ContentHash, Hasher};
use graph::Map;
use search::TOKENIZER_VERSION;

/// Grows with every change of what the same map would make another index of.
const VERSION: u32 = 1;

/// Which state of the map an index is of: by its files, its crates, how many items it has and
/// which they are. An index of another stamp is not used.
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
    // Sources give the same items, or the versions above differ; a sample holds it.
    for number in (0..map.item_count()).step_by(64) {
        let id = map.item(number).map(|item| item.id());
        hasher.field(id.map(|id| id.to_string()).unwrap_or_default().as_bytes());
    }
    hasher.finish()
}
