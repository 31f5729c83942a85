//! Tests of the map of a small workspace.

use base::{EdgeKind, ItemKind, Tier};
use graph::Map;

use crate::kit::{index, refresh, shapes};

fn one(map: &Map, canon: &str) -> u32 {
    let found = map.by_canon(canon);
    assert_eq!(found.len(), 1, "{canon}");
    found[0]
}

fn edges(map: &Map, src: &str, kind: EdgeKind) -> Vec<(String, Tier)> {
    let found = map.edges_out(one(map, src)).filter(|edge| edge.kind == kind);
    let mut all: Vec<_> =
        found.map(|edge| (map.item(edge.dst).unwrap().canon(), edge.tier)).collect();
    all.sort();
    all
}

#[test]
fn items_have_keys_paths_and_spans() {
    let project = shapes();
    let mut index = index(&project);
    refresh(&mut index);
    let map = index.map();
    let number = one(&map, "shapes/shapes::shape::Square::side");
    let item = map.item(number).unwrap();
    assert_eq!(item.key(), "src-shape.rs-Square::side");
    assert_eq!(item.kind, ItemKind::Method);
    assert_eq!(item.name(), "side");
    assert_eq!(item.line, 10);
    let text = project.read("src/shape.rs");
    let span = item.span.0 as usize..item.span.1 as usize;
    assert_eq!(&text[span], "pub(crate) fn side(&self) -> f64 { self.side }");
    assert_eq!(map.find("src-shape.rs-Square::side"), [number]);
    assert_eq!(map.by_id(item.id()), Some(number));
    let variant = map.item(one(&map, "shapes/shapes::shape::Kind::Flat")).unwrap();
    assert_eq!((variant.kind, variant.line), (ItemKind::Variant, 15));
    let part = |from: u32, to: u32| text[from as usize..to as usize].to_owned();
    assert_eq!(part(variant.span.0, variant.span.1), "Flat(Square)");
}

#[test]
fn crates_modules_and_types_contain() {
    let project = shapes();
    let mut index = index(&project);
    refresh(&mut index);
    let map = index.map();
    let contents = |src: &str| -> Vec<String> {
        edges(&map, src, EdgeKind::Contains).into_iter().map(|(canon, _)| canon).collect()
    };
    assert!(contents("shapes/shapes").contains(&"shapes/shapes::shape".to_owned()));
    assert!(contents("shapes/shapes::shape").contains(&"shapes/shapes::shape::Square".to_owned()));
    assert_eq!(
        contents("shapes/shapes::shape::Kind"),
        ["shapes/shapes::shape::Kind::Flat", "shapes/shapes::shape::Kind::Round"]
    );
    assert!(contents("shapes/shapes").contains(&"src/shape.rs".to_owned()));
    assert!(contents("src/shape.rs").contains(&"shapes/shapes::shape::Square".to_owned()));
}

#[test]
fn a_binary_named_like_its_library_is_a_crate_that_depends_on_it() {
    let project = shapes();
    let mut index = index(&project);
    refresh(&mut index);
    let map = index.map();
    let names: Vec<&str> = map.crates().map(|krate| krate.name).collect();
    assert_eq!(names, ["shapes/all", "shapes/shapes", "shapes/shapes@bin"]);
    let depends = edges(&map, "shapes/shapes@bin", EdgeKind::Depends);
    assert!(depends.contains(&("shapes/shapes".to_owned(), Tier::Proven)));
}

#[test]
fn calls_lead_across_files_and_crates() {
    let project = shapes();
    let mut index = index(&project);
    refresh(&mut index);
    let map = index.map();
    let calls = edges(&map, "shapes/shapes@bin::main", EdgeKind::Calls);
    for target in ["shapes/shapes::shape::Square::new", "shapes/shapes::squares"] {
        assert!(calls.contains(&(target.to_owned(), Tier::Proven)), "{target}: {calls:?}");
    }
}

#[test]
fn items_with_a_feature_in_their_cfg_have_an_edge_to_it() {
    let project = shapes();
    project.write("src/net.rs", "#[cfg(feature = \"extra\")]\npub fn more() {}\n");
    let mut index = index(&project);
    refresh(&mut index);
    let map = index.map();
    let gates = edges(&map, "shapes/shapes::net::more", EdgeKind::FeatureGatedBy);
    assert_eq!(gates, [("shapes/feature=extra".to_owned(), Tier::Proven)]);
    let item = map.item(one(&map, "shapes/shapes::net::more")).unwrap();
    assert!(item.flags.is_inactive, "`extra` is not a default feature");
}

#[test]
fn a_doc_comment_changes_the_token_hash_and_another_comment_does_not() {
    let project = testkit::project("//- /src/lib.rs\nfn f() { g() }\nfn g() {}\n");
    let mut index = index(&project);
    let hash = |index: &graftage_ingest::Index| {
        let map = index.map();
        let found = map.by_name("f");
        map.item(found[0]).unwrap().token_hash()
    };
    refresh(&mut index);
    let first = hash(&index);
    project.write("src/lib.rs", "// plain\nfn f() {\n    g() // here\n}\nfn g() {}\n");
    refresh(&mut index);
    assert_eq!(hash(&index), first);
    project.write("src/lib.rs", "/// doc\nfn f() { g() }\nfn g() {}\n");
    refresh(&mut index);
    assert_ne!(hash(&index), first);
}
