//! Renames of what no check builds: text in, what is changed and what is left out.

use std::sync::Arc;

use base::{ProjectPath, SortedMap, SortedSet};

use super::*;

/// A rename of `old`, whose definition `at` begins, with nothing seen by the compiler. The lines that are
/// changed, and those that are listed as left, as `file:line`.
fn unseen(
    kind: RenameKind,
    owners: &[&str],
    at: (&str, &str),
    files: &[(&str, &str)],
) -> (Vec<String>, Vec<String>) {
    let path = |file: &str| ProjectPath::new(file).unwrap();
    let text = files.iter().find(|it| it.0 == at.0).unwrap().1;
    let start = text.find(at.1).unwrap() + at.1.rfind("old").unwrap();
    let target = RenameTarget {
        kind,
        from: "old".to_owned(),
        to: "new".to_owned(),
        owners: owners.iter().map(|it| (*it).to_owned()).collect(),
        definitions: SortedSet::from([(path(at.0), start)]),
        within: None,
    };
    let all: Vec<(ProjectPath, Arc<str>)> =
        files.iter().map(|(file, text)| (path(file), Arc::from(*text))).collect();
    let known = KnownSites { item: target.definitions.clone(), ..KnownSites::default() };
    let mut plan = Renaming::new(target, &known, &all);
    let keys = plan.sites().iter().map(RenameSite::key).collect::<Vec<_>>();
    let own = plan.target().definitions.clone();
    let keys = keys.into_iter().filter(|it| !own.contains(it));
    plan.leave_unseen(keys.map(|it| (it, "off".to_owned())).collect::<SortedMap<_, _>>());
    let rows = plan.unproven(false);
    let lines = |edited: bool| {
        let rows = rows.iter().filter(|it| it.edited == edited);
        let mut lines: Vec<_> = rows.map(|it| format!("{}:{}", it.path, it.line)).collect();
        lines.sort();
        lines
    };
    (lines(true), lines(false))
}

#[test]
fn a_type_of_another_crate_is_left_and_listed() {
    let files = [
        ("src/lib.rs", "pub struct old;\nfn f(_: crate::old) {}\nfn g(_: old) {}\n"),
        ("src/b.rs", "use other::old;\nfn f(_: old) {}\nfn g(_: third::old) {}\n"),
        ("src/c.rs", "use own::old;\nfn f(_: old) {}\n"),
    ];
    let (changed, left) =
        unseen(RenameKind::Type, &["crate", "own"], ("src/lib.rs", "struct old"), &files);
    assert_eq!(changed, ["src/c.rs:1", "src/c.rs:2", "src/lib.rs:2", "src/lib.rs:3"]);
    assert_eq!(left, ["src/b.rs:1", "src/b.rs:2", "src/b.rs:3"]);
}

#[test]
fn a_member_of_one_of_two_traits_of_a_name_is_left_and_listed() {
    let one = ("a/src/lib.rs", "pub trait Tr { const old: u8; }\nfn f() { Tr::old }\n");
    let two = ("b/src/lib.rs", "pub trait Tr { const old: u8; }\nfn f() { Tr::old }\n");
    let at = ("a/src/lib.rs", "const old");
    let (changed, left) = unseen(RenameKind::Member, &["Tr"], at, &[one, two]);
    assert_eq!((changed.len(), left), (0, vec!["a/src/lib.rs:2".into(), "b/src/lib.rs:2".into()]));
    let (changed, left) = unseen(RenameKind::Member, &["Tr"], at, &[one]);
    assert_eq!((changed, left.len()), (vec!["a/src/lib.rs:2".to_owned()], 0));
}

#[test]
fn an_example_of_another_crate_with_an_item_of_the_name_is_left() {
    let files = [
        ("a/src/lib.rs", "/// ```\n/// use shown::old;\n/// old();\n/// ```\npub fn old() {}\n"),
        ("b/src/lib.rs", "/// ```\n/// use b::old;\n/// old();\n/// ```\npub fn old() {}\n"),
    ];
    let (changed, left) =
        unseen(RenameKind::Function, &["crate", "a"], ("a/src/lib.rs", "fn old"), &files);
    assert_eq!(changed, ["a/src/lib.rs:2", "a/src/lib.rs:3"]);
    assert_eq!(left, ["b/src/lib.rs:2", "b/src/lib.rs:3"]);
}

#[test]
fn a_name_that_a_file_imports_is_the_item_beside_others_of_the_name() {
    let files = [
        ("src/lib.rs", "pub enum E { old }\npub enum F { old }\n"),
        ("tests/a.rs", "use own::E::old;\nfn f() { g(old); }\n"),
        ("tests/b.rs", "use own::F::old;\nfn f() { g(old); }\n"),
    ];
    let (changed, _) = unseen(RenameKind::Variant, &["E"], ("src/lib.rs", "E { old"), &files);
    assert_eq!(changed, ["tests/a.rs:1", "tests/a.rs:2"]);
}

#[test]
fn a_member_access_that_no_build_sees_is_listed_beside_a_rival() {
    let files = [
        ("src/lib.rs", "pub struct S { old: u8 }\nstruct Cli { old: u8 }\n"),
        ("src/wasm.rs", "fn f(b: &mut B) { b.config.old = 1; }\nfn g(c: Foreign) { c.old; }\n"),
    ];
    let at = ("src/lib.rs", "S { old");
    let (changed, left) = unseen(RenameKind::Field, &["S"], at, &files);
    assert_eq!((changed.len(), left), (0, vec!["src/wasm.rs:1".to_owned()]));
}
