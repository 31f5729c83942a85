//! Ids and keys of the items of a change, by the map of the last index; of a new item those that it
//! will have. Nothing is indexed for this: where the map lacks a file, or is older, the id is made of
//! the key, and a query finds the item by its key (`relations.rs`).

use std::sync::Arc;

use base::{ContentHash, Ctx, ItemId, ItemKind};
use edit::Overlay;
use graph::{ItemView, Map};
use project::Workspace;

use super::code_graph::ItemHead;

/// The ids of the items of a change.
pub(super) struct ItemIds<'a> {
    map: Option<Arc<Map>>,
    overlay: &'a Overlay,
}

impl<'a> ItemIds<'a> {
    pub(super) fn open(ctx: &Ctx, workspace: &Workspace, overlay: &'a Overlay) -> Self {
        Self { map: workspace.index(ctx).ok().map(|index| index.map()), overlay }
    }

    /// The id and the key of an item of a file, as it is now or after the change.
    pub(super) fn of(&self, path: &str, item: &ItemHead, is_current: bool) -> (String, String) {
        let found = self.map.as_deref().and_then(|map| {
            let file = self.file(map, path)?;
            let now = || map_items(map, file).find(|it| is_same(it, item));
            if is_current && let Some(now) = now() {
                return Some((now.id().to_string(), now.key()));
            }
            future(map, file, path, item)
        });
        found.unwrap_or_else(|| {
            let key = key(path, &item.canon);
            (ItemId::of(&key, item.kind.as_str(), "").to_string(), key)
        })
    }

    /// The file, if the map has the text that the change was made for.
    fn file(&self, map: &Map, path: &str) -> Option<u32> {
        let file = map.file_by_path(path)?;
        let path = base::ProjectPath::new(path).ok()?;
        let text = self.overlay.get(&path)?.before_text();
        (map.file(file)?.hash == ContentHash::of(text.as_bytes())).then_some(file)
    }
}

/// `crates/io/src/lib.rs` and `Reader` as `crates/io/src-lib.rs-Reader`.
fn key(path: &str, canon: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, name)) => format!("{folder}-{name}-{canon}"),
        None => format!("{path}-{canon}"),
    }
}

fn map_items(map: &Map, file: u32) -> impl Iterator<Item = ItemView<'_>> {
    let is_item = |item: &ItemView<'_>| {
        let other = [ItemKind::File, ItemKind::Crate, ItemKind::Variant];
        !other.contains(&item.kind) && !item.flags.from_macro
    };
    map.items_of_file(file).filter_map(|number| map.item(number)).filter(is_item)
}

fn is_same(found: &ItemView<'_>, item: &ItemHead) -> bool {
    found.span.0 as usize == item.start
        && (found.kind.as_str() == item.kind.as_str() || found.kind == ItemKind::MacroCall)
}

/// The id and the key that a new item of a file will have, by those of another item of the file.
fn future(map: &Map, file: u32, path: &str, item: &ItemHead) -> Option<(String, String)> {
    let head = key(path, "");
    let module = map_items(map, file).find_map(|other| {
        let (key, canon) = (other.key(), other.canon());
        canon.strip_suffix(key.strip_prefix(&head)?).map(str::to_owned)
    })?;
    let canon = format!("{module}{}", item.canon);
    let id = ItemId::of(&canon, item.kind.as_str(), "");
    Some((id.to_string(), key(path, &item.canon)))
}
