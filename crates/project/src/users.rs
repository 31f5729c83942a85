//! The files that use the items a change touches, for the analyzer rung.

use base::{ByteSpan, ItemKind, ProjectPath, SortedMap};
use edit::Overlay;
use graph::{ItemView, Map};

/// The files that use an interface which `overlay` changes, most uses first. Changed files are
/// skipped if the map has another version of them.
pub(crate) fn users(map: &Map, overlay: &Overlay) -> Vec<ProjectPath> {
    let mut uses: SortedMap<u32, u32> = SortedMap::new();
    for (path, change) in overlay.changes() {
        let Some(number) = map.file_by_path(path.as_str()) else { continue };
        let Some(before) = &change.before else { continue };
        if map.file(number).is_none_or(|file| file.hash != before.hash()) {
            continue;
        }
        let items = map.items_of_file(number).filter_map(|number| map.item(number));
        let touched = items.filter(|item| {
            interface(item).is_some_and(|interface| {
                let mut spans = change.edit.splices.iter().map(|splice| splice.span);
                spans.any(|span| interface.overlaps(span) || interface.contains(span))
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

/// The span that users of an item depend on: its signature, or the whole item if it has no body.
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

#[cfg(test)]
mod tests {
    use base::SortedMap as Texts;
    use std::sync::Arc;

    use base::{ContentHash, EdgeKind, ItemId, Provenance, Tier, Timestamp};
    use edit::{FileState, Files, Splice, Unreadable};
    use graph::{EdgeRow, FileFlags, FileRow, ItemFlags, ItemRow, MapData};

    use super::*;

    const CHANGED: &str = "pub fn f() { old() }\npub struct S { a: u8 }\n";

    struct Tree(Texts<ProjectPath, String>);

    impl Files for Tree {
        fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
            let state = |text: &String| FileState { text: text.as_str().into(), executable: false };
            Ok(self.0.get(path).map(state))
        }
    }

    fn path(name: &str) -> ProjectPath {
        ProjectPath::new(name).unwrap()
    }

    fn item(
        file: u32,
        name: &str,
        kind: ItemKind,
        span: (u32, u32),
        signature_end: u32,
    ) -> ItemRow {
        ItemRow {
            id: ItemId::of(name, kind.as_str(), ""),
            key: name.to_owned(),
            canon: name.to_owned(),
            disambiguator: String::new(),
            kind,
            name: name.to_owned(),
            krate: u32::MAX,
            file,
            parent: None,
            span,
            code_start: span.0,
            signature_end,
            name_span: span,
            line: 1,
            end_line: 1,
            visibility: "pub".to_owned(),
            token_hash: ContentHash::of(name.as_bytes()),
            parse_errors: 0,
            cfg: String::new(),
            flags: ItemFlags::default(),
        }
    }

    /// `src/a.rs` has `f` and `S`; `src/b.rs` uses `f` twice, `src/c.rs` uses `f` once and `S`
    /// five times.
    fn map(text: &str) -> Map {
        let file = |name: &str, text: &str| FileRow {
            path: path(name),
            hash: ContentHash::of(text.as_bytes()),
            len: text.len() as u32,
            lines: 1,
            parse_errors: 0,
            flags: FileFlags::default(),
        };
        let edge = |src, dst, weight| EdgeRow {
            src,
            kind: EdgeKind::Calls,
            dst,
            tier: Tier::Proven,
            provenance: Provenance::Syntax,
            rule: 0,
            weight,
        };
        let data = MapData {
            files: vec![file("src/a.rs", text), file("src/b.rs", "b"), file("src/c.rs", "c")],
            items: vec![
                item(0, "f", ItemKind::Function, (0, 20), 11),
                item(0, "S", ItemKind::Struct, (21, 43), 30),
                item(1, "b", ItemKind::Function, (0, 1), 1),
                item(2, "c", ItemKind::Function, (0, 1), 1),
            ],
            edges: vec![edge(2, 0, 2), edge(3, 0, 1), edge(3, 1, 5)],
            ..MapData::default()
        };
        Map::open(Arc::new(data.to_bytes())).unwrap()
    }

    fn check(known: &str, from: &str, to: &str, expected: &[&str]) {
        let tree = Tree([(path("src/a.rs"), CHANGED.to_owned())].into());
        let start = CHANGED.find(from).unwrap();
        let splice =
            Splice { span: ByteSpan::new(start, start + from.len()), insert: to.to_owned() };
        let splices = [(path("src/a.rs"), splice)];
        let overlay = Overlay::from_splices("test", Timestamp(0), &tree, &splices).unwrap();
        let users = users(&map(known), &overlay);
        assert_eq!(users.iter().map(ProjectPath::as_str).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn files_with_most_uses_come_first() {
        check(CHANGED, "fn f()", "fn f(a: u8)", &["src/b.rs", "src/c.rs"]);
        check(CHANGED, "a: u8", "a: u16", &["src/c.rs"]);
    }

    #[test]
    fn a_body_is_not_part_of_the_interface() {
        check(CHANGED, "old()", "new()", &[]);
    }

    #[test]
    fn a_map_of_another_version_is_ignored() {
        check("fn f() {}", "fn f()", "fn f(a: u8)", &[]);
    }
}
