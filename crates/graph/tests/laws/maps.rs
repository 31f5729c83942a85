use std::sync::Arc;

use base::{ContentHash, EdgeKind, ItemId, ItemKind, ProjectPath, Provenance, Tier};
use graftage_graph::{
    CrateRow, EdgeRow, FileFlags, FileRow, ItemFlags, ItemRow, Map, MapData, ProblemRow, SiteRow,
    UnresolvedReason, UnresolvedRow,
};
use proptest::prelude::*;
use proptest::sample::select;

/// A map of up to 40 items; texts share prefixes, some are not ASCII.
pub(crate) fn any_map() -> impl Strategy<Value = MapData> {
    (1usize..40, 0usize..6).prop_flat_map(|(items, files)| {
        let count = items as u32;
        (
            any::<u64>(),
            prop::collection::vec(any_item(count, files as u32), items),
            prop::collection::vec(any_edge(count), 0..120),
            prop::collection::vec((0u32..120, any::<u32>(), any::<u32>(), any::<u32>()), 0..60),
            prop::collection::vec(any_unresolved(count), 0..20),
            Just(files),
            any::<[u32; 4]>(),
        )
            .prop_map(|(epoch, items, edges, sites, unresolved, files, numbers)| {
                let sites = sites
                    .into_iter()
                    .map(|(edge, file, offset, line)| SiteRow {
                        edge: edge % edges.len().max(1) as u32,
                        file: file % (files as u32 + 1),
                        offset,
                        line,
                    })
                    .filter(|_| !edges.is_empty())
                    .collect();
                let mut data = MapData {
                    epoch,
                    crates: vec![CrateRow {
                        name: "p/p".to_owned(),
                        version: "1.0.0".to_owned(),
                        kind: "lib".to_owned(),
                        root: numbers[0],
                    }],
                    files: (0..files).map(|n| file(n, numbers)).collect(),
                    items,
                    edges,
                    sites,
                    unresolved,
                    problems: vec![ProblemRow {
                        path: ProjectPath::new("Cargo.toml").expect("well formed"),
                        line: numbers[1],
                        kind: "syntax".to_owned(),
                        message: "expected `;`".to_owned(),
                    }],
                };
                data.normalise();
                data
            })
    })
}

/// A map of items and edges only, for traversals.
pub(crate) fn any_graph() -> impl Strategy<Value = MapData> {
    any_map()
}

pub(crate) fn open(data: &MapData) -> Map {
    Map::open(Arc::new(data.to_bytes())).expect("well formed")
}

fn file(n: usize, numbers: [u32; 4]) -> FileRow {
    FileRow {
        path: ProjectPath::new(&format!("src/file{n}.rs")).expect("well formed"),
        hash: ContentHash::of(&n.to_le_bytes()),
        len: numbers[2],
        lines: numbers[3],
        parse_errors: n as u32,
        flags: FileFlags {
            is_generated: n.is_multiple_of(2),
            is_vendored: n.is_multiple_of(3),
            is_orphan: n == 4,
            is_inactive: n == 5,
        },
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(select(vec!["p/p", "m", "Type", "<Type as Tr>", "f", "ü", "übel"]), 1..5)
            .prop_map(|parts| parts.join("::")),
        1 => ".{0,6}",
        1 => Just(String::new()),
    ]
}

fn any_item(count: u32, files: u32) -> impl Strategy<Value = ItemRow> {
    (
        (any_text(), any_text(), any_text(), any_text(), select(ItemKind::ALL.to_vec())),
        (any::<[u32; 10]>(), any::<bool>(), 0..=files, 0..count, prop::option::of(0..count)),
        (select(vec!["", "pub", "pub(crate)"]), any::<u8>(), any::<bool>(), 0u32..3),
    )
        .prop_map(
            move |(
                (canon, key, name, disambiguator, kind),
                (numbers, is_near, file, krate, parent),
                (visibility, flags, has_ends, parse_errors),
            )| {
                let near = |n: u32| if is_near { n % 5000 } else { n };
                let tail = canon.rsplit("::").next().unwrap_or_default().to_owned();
                let file = if file == files { u32::MAX } else { file };
                ItemRow {
                    id: ItemId::of(
                        &canon,
                        kind.as_str(),
                        &format!("{disambiguator}{}", numbers[0]),
                    ),
                    key: if has_ends { format!("src-file{file}.rs-{tail}") } else { key },
                    name: if has_ends { tail } else { name },
                    cfg: if parse_errors == 1 { disambiguator.clone() } else { String::new() },
                    disambiguator,
                    kind,
                    krate: if krate == 0 { u32::MAX } else { 0 },
                    file,
                    parent,
                    span: (near(numbers[1]), near(numbers[2])),
                    code_start: near(numbers[3]),
                    signature_end: near(numbers[4]),
                    name_span: (near(numbers[5]), near(numbers[6])),
                    line: near(numbers[7]),
                    end_line: near(numbers[8]),
                    visibility: visibility.to_owned(),
                    token_hash: ContentHash::of(canon.as_bytes()),
                    parse_errors,
                    canon,
                    flags: ItemFlags {
                        is_test: flags & 1 != 0,
                        is_local: flags & 2 != 0,
                        is_recovered: flags & 4 != 0,
                        from_macro: flags & 8 != 0,
                        is_inactive: flags & 16 != 0,
                        has_docs: flags & 32 != 0,
                    },
                }
            },
        )
}

fn any_edge(count: u32) -> impl Strategy<Value = EdgeRow> {
    (
        0..count,
        0..count,
        select(EdgeKind::ALL.to_vec()),
        any::<bool>(),
        any::<bool>(),
        any::<u8>(),
        1u32..5,
    )
        .prop_map(|(src, dst, kind, is_proven, is_ra, rule, weight)| EdgeRow {
            src,
            kind,
            dst,
            tier: if is_proven { Tier::Proven } else { Tier::Candidate },
            provenance: if is_ra { Provenance::Ra } else { Provenance::Syntax },
            rule,
            weight,
        })
}

fn any_unresolved(count: u32) -> impl Strategy<Value = UnresolvedRow> {
    (0..count, any::<[u32; 3]>(), any_text(), select(UnresolvedReason::ALL.to_vec())).prop_map(
        |(src, [file, offset, line], name, reason)| UnresolvedRow {
            src,
            file,
            offset,
            line,
            name,
            reason,
        },
    )
}
