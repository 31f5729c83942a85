use base::{ContentHash, EdgeKind, ItemId, ItemKind, ProjectPath, Provenance, Tier};
use graftage_graph::{
    CrateRow, CrateView, EdgeRow, FileFlags, FileRow, ItemFlags, ItemRow, Map, MapData, Traversal,
    UnresolvedReason, UnresolvedRow,
};

use super::maps::open;

/// A map of `kind canon` lines, all in `src/lib.rs`, and of `src -kind-> dst` edges by canon.
fn map(items: &[&str], edges: &[(&str, EdgeKind, &str)]) -> Map {
    let rows: Vec<ItemRow> =
        items.iter().enumerate().map(|(n, line)| item(n as u32, line)).collect();
    let number = |canon: &str| {
        rows.iter().position(|row| row.canon == canon).unwrap_or_else(|| panic!("{canon}")) as u32
    };
    let edges = edges
        .iter()
        .map(|(src, kind, dst)| EdgeRow {
            src: number(src),
            kind: *kind,
            dst: number(dst),
            tier: Tier::Proven,
            provenance: Provenance::Syntax,
            rule: 1,
            weight: 1,
        })
        .collect();
    let unresolved = vec![UnresolvedRow {
        src: 0,
        file: 0,
        offset: 1,
        line: 1,
        name: "read".to_owned(),
        reason: UnresolvedReason::UnknownReceiver,
    }];
    open(&MapData {
        epoch: 1,
        crates: vec![CrateRow {
            name: "p/p-x".to_owned(),
            version: "1.0.0".to_owned(),
            kind: "lib".to_owned(),
            root: 0,
        }],
        files: vec![FileRow {
            path: ProjectPath::new("src/lib.rs").expect("well formed"),
            hash: ContentHash::of(b""),
            len: 100,
            lines: 10,
            parse_errors: 0,
            flags: FileFlags::default(),
        }],
        items: rows,
        edges,
        unresolved,
        ..MapData::default()
    })
}

fn item(n: u32, line: &str) -> ItemRow {
    let (kind, canon) = line.split_once(' ').expect("well formed");
    let (kind, is_test) = match kind.strip_suffix('!') {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    let kind = *ItemKind::ALL.iter().find(|k| k.as_str() == kind).expect("well formed");
    let inside = canon.split_once("::").map_or(canon, |(_, rest)| rest);
    ItemRow {
        id: ItemId::of(canon, kind.as_str(), ""),
        key: format!("src-lib.rs-{inside}"),
        canon: canon.to_owned(),
        disambiguator: String::new(),
        kind,
        name: name(canon),
        krate: 0,
        file: 0,
        parent: None,
        span: (n * 10, n * 10 + 10),
        code_start: n * 10,
        signature_end: n * 10 + 5,
        name_span: (n * 10 + 3, n * 10 + 5),
        line: n + 1,
        end_line: n + 1,
        visibility: String::new(),
        token_hash: ContentHash::of(canon.as_bytes()),
        parse_errors: 0,
        cfg: String::new(),
        flags: ItemFlags { is_test, ..ItemFlags::default() },
    }
}

/// The name of an item; for an impl its header without the keyword.
fn name(canon: &str) -> String {
    let last = canon.rsplit("::").next().unwrap_or(canon);
    match last.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')) {
        Some(inner) => match inner.split_once(" as ") {
            Some((of, name)) => format!("{name} for {of}"),
            None => inner.to_owned(),
        },
        None => last.to_owned(),
    }
}

const ITEMS: &[&str] = &[
    "module p/p-x::io",
    "struct p/p-x::io::Reader",
    "impl p/p-x::io::<Reader>",
    "method p/p-x::io::Reader::read",
    "impl p/p-x::io::<Reader as Read>",
    "method p/p-x::io::<Reader as Read>::read",
    "trait p/p-x::io::Read",
    "method p/p-x::io::Read::read",
    "import p/p-x::net::Reader",
    "function p/p-x::open",
    "function p/p-x::net::open",
    "function! p/p-x::tests::reads",
];

fn check(query: &str, expected: &[&str]) {
    let map = map(ITEMS, &[]);
    let found: Vec<String> =
        map.find(query).into_iter().map(|n| map.item(n).expect("well formed").canon()).collect();
    assert_eq!(found, expected, "{query}");
}

#[test]
fn the_path_of_a_re_export_finds_the_exported_item() {
    let import = ("p/p-x::net::Reader", EdgeKind::Uses, "p/p-x::io::Reader");
    let found = |map: &Map, query: &str| {
        let found = map.find(query).into_iter();
        found.map(|n| map.item(n).expect("well formed").canon()).collect::<Vec<_>>()
    };
    let with = map(ITEMS, &[import]);
    assert_eq!(found(&with, "net::Reader"), ["p/p-x::io::Reader"]);
    assert_eq!(found(&with, "p_x::net::Reader"), ["p/p-x::io::Reader"]);
    // The import's own name belongs to the import.
    assert_eq!(found(&with, "p/p-x::net::Reader"), ["p/p-x::net::Reader"]);
    let without = map(ITEMS, &[]);
    assert_eq!(found(&without, "net::Reader"), ["p/p-x::net::Reader"]);
}

#[test]
fn an_item_is_found_by_every_name_it_has() {
    check("p/p-x::io::Reader", &["p/p-x::io::Reader"]);
    check("src-lib.rs-io::Reader", &["p/p-x::io::Reader"]);
    check(&ItemId::of("p/p-x::open", "function", "").to_string(), &["p/p-x::open"]);
    check("p_x::io::Reader", &["p/p-x::io::Reader"]);
    check("crate::open", &["p/p-x::open"]);
    check("io::Reader", &["p/p-x::io::Reader"]);
    check("net::open", &["p/p-x::net::open"]);
    check("Read for Reader", &["p/p-x::io::<Reader as Read>"]);
}

#[test]
fn a_definition_wins_over_its_imports() {
    check("Reader", &["p/p-x::io::Reader"]);
    check("net::Reader", &["p/p-x::net::Reader"]);
}

#[test]
fn a_types_own_member_wins_over_a_traits() {
    check("Reader::read", &["p/p-x::io::Reader::read"]);
    check("<Reader as Read>::read", &["p/p-x::io::<Reader as Read>::read"]);
}

#[test]
fn an_ambiguous_query_returns_all_matches() {
    check("open", &["p/p-x::open", "p/p-x::net::open"]);
}

#[test]
fn case_is_ignored_where_nothing_else_matches() {
    check("reader", &["p/p-x::io::Reader"]);
    check("nothing_like_it", &[]);
}

#[test]
fn no_other_case_is_exact() {
    let map = map(ITEMS, &[]);
    let exact = |query: &str| map.find_exact(query).len();
    assert_eq!((exact("reader"), exact("IO::Reader"), exact("P_X::open")), (0, 0, 0));
    assert_eq!((exact("Reader"), exact("io::Reader"), exact("p_x::open")), (1, 1, 1));
}

#[test]
fn a_type_wins_over_a_module_of_another_case() {
    let items = &["struct p/bits::Bits", "module p/bits::repr"];
    let map = map(items, &[]);
    assert_eq!(map.find("Bits::repr"), [0; 0]);
    assert_eq!(map.find("BITS::repr"), [1]);
}

#[test]
fn a_dependency_hides_no_module_from_an_edit() {
    let map = map(&["external json", "module p/p-x::json"], &[]);
    assert_eq!((map.find("json"), map.find_exact("json")), (vec![0], vec![1]));
}

#[test]
fn the_nearest_names_are_suggested_for_a_typo() {
    let map = map(ITEMS, &[]);
    assert_eq!(map.nearest("Raeder", 3), ["p/p-x::io::Reader"]);
    assert_eq!(map.nearest("xyzzy", 3), [""; 0]);
}

#[test]
fn a_crate_knows_its_package_and_the_target_of_the_manifest() {
    let named = |name| {
        let krate = CrateView { number: 0, name, version: "1.0.0", kind: "bin", root: 0 };
        format!("{} {}", krate.package(), krate.target())
    };
    assert_eq!(named("p/p-x"), "p p-x");
    for name in ["p/p@bin", "p/p@1.0.0", "p/p@1.0.0-bin", "p/p@2"] {
        assert_eq!(named(name), "p p", "{name}");
    }
}

#[test]
fn unresolved_sites_with_the_name_are_counted_with_the_callers() {
    let map = map(ITEMS, &[("p/p-x::open", EdgeKind::Calls, "p/p-x::io::Reader::read")]);
    let answer = map.callers(3, &Traversal::CALLS);
    assert_eq!((answer.counts.proven, answer.counts.unresolved), (1, 1));
    assert_eq!(map.callers(9, &Traversal::CALLS).counts.unresolved, 0);
    assert_eq!(map.callees(0, &Traversal::CALLS).counts.unresolved, 1);
}

#[test]
fn a_change_reaches_callers_through_the_trait() {
    let map = map(
        ITEMS,
        &[
            ("p/p-x::io::<Reader as Read>::read", EdgeKind::Implements, "p/p-x::io::Read::read"),
            ("p/p-x::tests::reads", EdgeKind::Calls, "p/p-x::io::Read::read"),
        ],
    );
    let impact = map.impact(&[5], &Traversal::IMPACT);
    let reached: Vec<u32> = impact.answer.items.iter().map(|reached| reached.item).collect();
    assert_eq!(reached, [7, 11]);
    assert_eq!(impact.tests, [11]);
}

#[test]
fn a_change_that_reaches_an_impl_continues_through_its_trait_but_not_to_other_impls() {
    let items = &[
        "function p/p-x::helper",
        "method p/p-x::<A as T>::run",
        "method p/p-x::<B as T>::run",
        "method p/p-x::T::run",
        "function p/p-x::all",
    ];
    let edges = &[
        ("p/p-x::<A as T>::run", EdgeKind::Calls, "p/p-x::helper"),
        ("p/p-x::<A as T>::run", EdgeKind::Implements, "p/p-x::T::run"),
        ("p/p-x::<B as T>::run", EdgeKind::Implements, "p/p-x::T::run"),
        ("p/p-x::all", EdgeKind::Calls, "p/p-x::T::run"),
    ];
    let map = map(items, edges);
    let reached = |changed: u32| {
        let found = map.impact(&[changed], &Traversal::IMPACT).answer.items;
        found.iter().map(|it| (it.depth, it.item)).collect::<Vec<_>>()
    };
    assert_eq!(reached(0), [(1, 1), (2, 3), (3, 4)]);
    assert_eq!(reached(1), [(1, 3), (2, 4)]);
    assert_eq!(reached(3), [(1, 1), (1, 2), (1, 4)]);
}

#[test]
fn a_change_of_an_impl_with_its_members_reaches_their_callers() {
    let map = map(
        ITEMS,
        &[
            ("p/p-x::io::<Reader>", EdgeKind::Contains, "p/p-x::io::Reader::read"),
            ("p/p-x::open", EdgeKind::Calls, "p/p-x::io::Reader::read"),
        ],
    );
    let changed = map.with_members(&[2]);
    assert_eq!(changed, [2, 3]);
    let impact = map.impact(&changed, &Traversal::IMPACT);
    assert_eq!(impact.answer.items.iter().map(|r| r.item).collect::<Vec<_>>(), [9]);
}

#[test]
fn item_at_returns_the_innermost_item() {
    let map = map(ITEMS, &[]);
    assert_eq!(map.item_at(0, 35), Some(3));
    assert_eq!(map.item_at(0, 5000), None);
    assert_eq!(map.item_at(9, 35), None);
}
