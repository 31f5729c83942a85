//! Moves of one item, and the same with one thing changed that no move needs.

use base::Timestamp;
use edit::FileState;

use super::*;

const OLD: &str = "\
use std::fmt;
use super::Depth;

/// Shows [`Other`].
// Kept.
fn item(x: &Other) -> fmt::Result {
    // Why.
    assert!(check(x) == 1);
    super::run(\"a  b\", 2);
    helper(x)
}

struct Other;
fn helper(_: &Other) -> fmt::Result { Ok(()) }
fn uses(_: Depth) { item(&Other); }
";
const NEW: &str = "\
pub fn first() {}
";

/// The files after a right move.
fn right() -> [String; 2] {
    let item = "\
/// Shows [`Other`].
// Kept.
pub(super) fn item(x: &Other) -> std::fmt::Result {
    // Why.
    assert!(check(x) == 1);
    crate::run(\"a  b\", 2);
    crate::a::helper(x)
}
";
    let old = "\
use crate::b::c::item;
use std::fmt;
use super::Depth;

pub(crate) struct Other;
pub(crate) fn helper(_: &Other) -> fmt::Result { Ok(()) }
fn uses(_: Depth) { item(&Other); }
";
    [old.to_owned(), format!("use crate::a::Other;\n\npub fn first() {{}}\n\n{item}")]
}

/// The move of `item`, a piece of the crate's root, to its module `m`.
fn to_module_m(piece: std::ops::Range<usize>) -> MovedItem {
    MovedItem {
        name: "item".to_owned(),
        from: path("src/lib.rs"),
        to: path("src/m.rs"),
        pieces: vec![ByteSpan::new(piece.start, piece.end)],
        from_module: Vec::new(),
        to_module: vec!["m".to_owned()],
        library: "own".to_owned(),
    }
}

#[test]
fn a_relative_path_is_read_from_its_module() {
    let module = ["a".to_owned(), "b".to_owned()];
    assert_eq!(of_crate("super::item", &module), "crate::a::item");
    assert_eq!(of_crate("super::super::item", &module), "crate::item");
    assert_eq!(of_crate("self::item", &module), "crate::a::b::item");
    assert_eq!(of_crate("std::fmt", &module), "std::fmt");
}

fn path(it: &str) -> ProjectPath {
    ProjectPath::new(it).unwrap()
}

fn found(old: &str, new: &str, more: Option<(&str, &str)>) -> Vec<String> {
    let start = OLD.find("/// Shows").unwrap();
    let end = OLD.find("\n\nstruct").unwrap();
    let declared = MovedItem {
        name: "item".to_owned(),
        from: path("src/a.rs"),
        to: path("src/b/c.rs"),
        pieces: vec![ByteSpan::new(start, end)],
        from_module: vec!["a".to_owned()],
        to_module: vec!["b".to_owned(), "c".to_owned()],
        library: "own".to_owned(),
    };
    let state = |text: &str| Some(FileState::from_text(text));
    let mut states = vec![
        (path("src/a.rs"), state(OLD), state(old)),
        (path("src/b/c.rs"), state(NEW), state(new)),
    ];
    states.extend(more.map(|(before, after)| (path("tests/it.rs"), state(before), state(after))));
    let overlay = Overlay::from_states("", Timestamp(0), states);
    move_violations(&overlay, &declared).into_iter().map(|it| it.detail).collect()
}

/// Whether the right move with one text for another is refused.
fn is_refused(file: usize, from: &str, to: &str) -> bool {
    let mut files = right();
    assert!(files[file].contains(from), "{from}");
    files[file] = files[file].replacen(from, to, 1);
    !found(&files[0], &files[1], None).is_empty()
}

#[test]
fn an_item_may_move_with_paths_imports_and_visibilities() {
    let [old, new] = right();
    assert_eq!(found(&old, &new, None), [""; 0]);
    let test = Some((
        "use own::a::{item, Other};\nfn t() { own::a::item(&Other); }",
        "use own::b::c::item;\nuse own::a::Other;\nfn t() { own::b::c::item(&Other); }",
    ));
    assert_eq!(found(&old, &new, test), [""; 0]);
}

#[test]
fn a_statement_that_is_lost_or_changed_on_the_way_is_refused() {
    assert!(is_refused(1, "    assert!(check(x) == 1);\n", ""));
    assert!(is_refused(1, "check(x) == 1", "check(x) == 2"));
    assert!(is_refused(1, "    // Why.\n", ""));
    assert!(is_refused(1, "// Kept.\n", ""));
    assert!(is_refused(1, "Shows", "Show"));
    assert!(is_refused(1, "\"a  b\"", "\"a b\""));
    assert!(is_refused(1, "crate::run(", "crate::other::run("));
    assert!(is_refused(1, "crate::a::helper", "crate::b::helper"));
    assert!(is_refused(1, "-> std::fmt::Result", "-> other::fmt::Result"));
    assert!(is_refused(1, "/// Shows", "#[cfg(x)]\n/// Shows"));
    assert!(is_refused(1, "pub(super) fn item", "pub fn item"));
    assert!(is_refused(1, "pub fn first() {}", ""));
    assert!(is_refused(1, "pub fn first() {}", "pub fn first() { run() }"));
}

#[test]
fn nothing_else_of_the_files_may_change() {
    assert!(is_refused(0, "fn uses(_: Depth) { item(&Other); }\n", ""));
    assert!(is_refused(0, "item(&Other);", ""));
    assert!(is_refused(0, "Ok(())", "Err(fmt::Error)"));
    assert!(is_refused(0, "use super::Depth;\n", ""));
    assert!(is_refused(0, "use super::Depth;", "use super::other::Depth;"));
    assert!(is_refused(0, "use crate::b::c::item;", "use crate::b::c::other as item;"));
    assert!(is_refused(0, "use std::fmt;", "use std::fmt;\npub use other::fmt2;"));
    assert!(is_refused(0, "pub(crate) struct", "pub struct"));
    assert!(is_refused(1, "use crate::a::Other;", "use crate::a::Other;\nuse other::first;"));
}

#[test]
fn other_files_may_only_follow() {
    let [old, new] = right();
    let is_refused =
        |before: &str, after: &str| !found(&old, &new, Some((before, after))).is_empty();
    assert!(is_refused("fn t() { a::item(); b(); }", "fn t() { own::b::c::item(); }"));
    assert!(is_refused("fn t() { x::item(); }", "fn t() { own::b::c::item(); }"));
    assert!(is_refused("fn t() { a::item(); }", "fn t() { own::b::c::other(); }"));
    assert!(is_refused("use x::item;", "use own::b::c::item;"));
    assert!(is_refused("use own::a::item;\n#[test] fn t() {}", "use own::b::c::item;\nfn t() {}"));
    assert!(is_refused("// see https://a/x", "// see https://b/x"));
    assert!(!is_refused("/// [own::a::item]", "/// [own::b::c::item]"));
}

#[test]
fn the_item_must_move() {
    let [old, _] = right();
    assert!(!found(&old, NEW, None).is_empty());
    assert!(!found(OLD, NEW, None).is_empty());
    assert!(!found(OLD, &right()[1], None).is_empty());
}

#[test]
fn an_import_inside_of_the_item_moves_with_it() {
    let item = "fn item() -> Kind {\n    use self::Kind::*;\n    First\n}\n";
    let old = format!("enum Kind {{ First }}\n\n{item}");
    let found = |item_now: &str, imports: &str| {
        let at = old.find(item).unwrap();
        let declared = to_module_m(at..at + item.len() - 1);
        let state = |text: &str| Some(FileState::from_text(text));
        let moved = format!("use super::Kind;\n{imports}\n//! M.\n\n{item_now}");
        let states = vec![
            (path("src/lib.rs"), state(&old), state("enum Kind { First }\n")),
            (path("src/m.rs"), state("use super::Kind;\n\n//! M.\n"), state(&moved)),
        ];
        move_violations(&Overlay::from_states("t", Timestamp(0), states), &declared)
    };
    assert_eq!(found(item, ""), []);
    assert!(!found(&item.replace("Kind::*", "Other::*"), "").is_empty());
    assert!(!found(&item.replace("    use self::Kind::*;\n", ""), "").is_empty());
    assert!(!found(item, "pub use super::more;").is_empty());
}

#[test]
fn a_public_import_stays_where_tests_import_the_item() {
    let item = "pub fn item() {}\n";
    let old = format!("mod m;\n\n{item}\nmod tests {{\n    use super::item;\n}}\n");
    let found = |new: &str| {
        let at = old.find(item).unwrap();
        let declared = to_module_m(at..at + item.len() - 1);
        let state = |text: &str| Some(FileState::from_text(text));
        let states = vec![
            (path("src/lib.rs"), state(&old), state(new)),
            (path("src/m.rs"), state("//! M.\n"), state(&format!("//! M.\n\n{item}"))),
        ];
        move_violations(&Overlay::from_states("t", Timestamp(0), states), &declared)
    };
    let kept = "pub use m::item;\nmod m;\n\nmod tests {\n    use super::m::item;\n}\n";
    assert_eq!(found(kept), []);
    // The import of the tests is another one, or is public.
    assert!(!found(&kept.replace("super::m::item", "super::m::other as item")).is_empty());
    assert!(!found(&kept.replace("    use", "    pub use")).is_empty());
}

#[test]
fn a_link_follows_through_an_import_from_a_module_of_the_old_one() {
    let item = "/// See [`get`](Map::get).\npub struct item;";
    let old = format!("mod hash;\npub use hash::Map;\n\n{item}\n");
    let is_refused = |target: &str| {
        let after = "mod hash;\npub use hash::Map;\n\npub use crate::m::item;\n";
        let new = item.replace("Map::get", target);
        let declared = to_module_m(old.find("///").unwrap()..old.len() - 1);
        let state = |text: &str| Some(FileState::from_text(text));
        let states = vec![
            (path("src/lib.rs"), state(&old), state(after)),
            (path("src/m.rs"), state(""), state(&format!("{new}\n"))),
        ];
        let overlay = Overlay::from_states("", Timestamp(0), states);
        !move_violations(&overlay, &declared).is_empty()
    };
    assert!(!is_refused("crate::hash::Map::get"));
    assert!(is_refused("crate::other::Map::get"));
    assert!(is_refused("crate::hash::Map::set"));
}
