//! Modules, imports and moved items over several files, as text.

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath, Severity, SortedMap, Timestamp};
use edit::Overlay;

use crate::tests::{Tree, back, finished, since};
use crate::{allowances, intents, propagate, reverts};

/// An error: its code, its message, and the text that it marks in a file.
type Fault<'a> = (&'a str, &'a str, &'a str, &'a str);

/// What follows from the difference of two trees for these errors: for each proposal the reason, and the
/// changed files.
fn follow(
    base: &[(&str, &str)],
    now: &[(&str, &str)],
    faults: &[Fault<'_>],
) -> Vec<(String, Vec<String>)> {
    let error = |(code, message, file, mark): &Fault<'_>| {
        let text = now.iter().find(|it| it.0 == *file).unwrap().1;
        let at = text.find(&mark.replace('|', "")).unwrap();
        let at = at + mark.find('|').unwrap_or(0);
        let len = mark.split('|').nth(1).unwrap_or(mark).len();
        let path = ProjectPath::new(file).unwrap();
        Diagnostic {
            code: Some((*code).to_owned()),
            spans: vec![DiagnosticSpan::primary(&path, text, ByteSpan::new(at, at + len))],
            ..Diagnostic::new(Severity::Error, message)
        }
    };
    let errors: Vec<Diagnostic> = faults.iter().map(error).collect();
    let (base, tree) = (Tree::of(base), Tree::of(now));
    let sources = now.iter().filter(|it| it.0.ends_with(".rs"));
    let sources = sources.map(|it| ProjectPath::new(it.0).unwrap()).collect();
    let difference = since(&base, &tree).with_sources(sources);
    let mut found = Vec::new();
    for it in propagate(&difference, &intents(&difference), &errors, &tree) {
        let overlay = Overlay::from_splices("t", Timestamp(0), &tree, &it.splices).unwrap();
        assert!(!reverts(&difference, &overlay, &SortedMap::new()), "{}", it.reason);
        let texts = overlay.changes().map(|(path, it)| format!("{path}:\n{}", it.after_text()));
        found.push((it.reason, texts.collect()));
    }
    found
}

/// The changed files of the only proposal.
fn only(base: &[(&str, &str)], now: &[(&str, &str)], faults: &[Fault<'_>]) -> Vec<String> {
    let mut found = follow(base, now, faults);
    assert_eq!(found.len(), 1, "{found:#?}");
    found.remove(0).1
}

const MANIFEST: (&str, &str) = ("Cargo.toml", "[package]\nname = \"p\"\n");

#[test]
fn an_impl_of_a_trait_of_another_crate_does_not_follow() {
    let other = "mod m { use other::T; impl T for C { fn old(&self) { c() } } }";
    let own = "mod n { use crate::T; impl T for D { fn old(&self) { d() } } }";
    let now = |name: &str| {
        let own = own.replace("old", name);
        format!("trait T {{ fn {name}(&self); }}\n{own}\n{other}\n")
    };
    let in_progress = "impl T for A { fn old(&self) { a() } }";
    let base = format!("{}{in_progress}", now("old"));
    let text = format!("{}impl T for A {{ $0fn new(&self) {{ a() }}$1 }}", now("old"));
    assert_eq!(
        finished(&base, &text, "E0407", "method `new` is not a member of trait `T`"),
        [format!("{}impl T for A {{ fn new(&self) {{ a() }} }}", now("new"))]
    );
}

#[test]
fn imports_of_removed_items_go_together() {
    let base = [("src/a.rs", "pub fn f() {}\npub fn g() {}\npub fn h() {}\n")];
    let user = ("src/b.rs", "use crate::a::{f, g, h};\n");
    let now = [("src/a.rs", "pub fn h() {}\n"), user];
    let faults = [
        ("E0432", "unresolved imports `crate::a::f`, `crate::a::g`", "src/b.rs", "{|f|, g"),
        ("E0432", "unresolved imports `crate::a::f`, `crate::a::g`", "src/b.rs", "f, |g|, h"),
    ];
    assert_eq!(only(&[base[0], user], &now, &faults), ["src/b.rs:\nuse crate::a::h;\n"]);
}

#[test]
fn an_import_of_what_has_a_successor_may_not_go() {
    let allowed = |base: &str, now: &str| {
        let tree = |text| Tree::of(&[("src/a.rs", text)]);
        let difference = since(&tree(base), &tree(now));
        allowances(&difference, &intents(&difference)).imports
    };
    assert!(allowed("struct A { a: u8 }\nfn f() { g() }", "struct A { a: u8 }").contains("f"));
    let base = "pub struct Name { a: u8, b: u16 }";
    assert!(!allowed(base, "pub enum Name { Other(Vec<u8>), More }").contains("Name"));
}

#[test]
fn a_lost_module_whose_file_is_there_is_declared_as_before() {
    let lib = "#![doc(html)]\n\nmod a;\n\n/// Inputs.\n#[cfg(feature = \"io\")]\npub mod io;\n\nmod z;\nuse io::In;\n";
    let now = lib.replace("/// Inputs.\n#[cfg(feature = \"io\")]\npub mod io;\n\n", "");
    let user = ("src/z.rs", "use crate::io::In;\n");
    let others = [("src/a.rs", ""), ("src/io.rs", "pub struct In;\n"), user];
    let tree =
        |lib| -> Vec<(&str, &str)> { [("src/lib.rs", lib)].into_iter().chain(others).collect() };
    let faults = [
        ("E0432", "unresolved import `crate::io`", "src/z.rs", "crate::|io|"),
        ("E0432", "unresolved import `io`", "src/lib.rs", "use |io|"),
    ];
    assert_eq!(only(&tree(lib), &tree(&now), &faults), [format!("src/lib.rs:\n{lib}")]);
    // Without its file the imports of it go.
    let without = |lib| -> Vec<(&str, &str)> { vec![("src/lib.rs", lib), user] };
    let found = follow(&tree(lib), &without(&now), &faults);
    let texts = found.iter().flat_map(|it| &it.1).map(String::as_str);
    assert!(texts.clone().any(|it| it == "src/z.rs:\n"), "{found:#?}");
}

#[test]
fn an_import_does_not_follow_another_word() {
    let base = "fn f(size: u8) { g(size); h(size) }\nuse dep::size;\n";
    let now = "fn f(len: u8) { g(len); h(len) }\nuse dep::$0size$1;\n";
    assert_eq!(finished(base, now, "E0432", "unresolved import `dep::size`"), [""; 0]);
    let base = "use dep::size;\nuse dep::a::size as s;\n";
    let now = "use dep::len;\nuse dep::a::$0size$1 as s;\n";
    assert_eq!(
        finished(base, now, "E0432", "unresolved import `dep::a::size`"),
        ["use dep::len;\nuse dep::a::len as s;\n"]
    );
}

#[test]
fn a_moved_function_takes_paths_imports_and_visibility_with_it() {
    let body = "fn count(all: &Map<u8>) -> usize {\n    all.len() + one()\n}\n";
    let old = format!(
        "use std::fmt;\nuse std::collections::BTreeMap as Map;\n\n{body}\nfn one() -> usize {{\n    1\n}}\n\npub fn show(f: &fmt::Formatter) {{\n    count(f)\n}}\n"
    );
    let old_now = old.replace(&format!("{body}\n"), "");
    let new = "pub struct Item;\n";
    let new_now = format!("{new}\n{body}");
    let lib = ("src/lib.rs", "mod a;\nmod b;\nmod c;\n");
    let user = ("src/c.rs", "use crate::a::{count, show};\n");
    let base = [MANIFEST, lib, ("src/a.rs", &old), ("src/b.rs", new), user];
    let now = [MANIFEST, lib, ("src/a.rs", &old_now), ("src/b.rs", &new_now), user];
    let faults = [
        ("E0432", "unresolved import `crate::a::count`", "src/c.rs", "{|count|"),
        ("E0425", "cannot find function `count` in this scope", "src/a.rs", "|count|(f)"),
        ("E0412", "cannot find type `Map` in this scope", "src/b.rs", "&|Map|<"),
        ("E0425", "cannot find function `one` in this scope", "src/b.rs", "|one|("),
    ];
    let found = follow(&base, &now, &faults);
    assert_eq!(found[0].0, "function `count` is in `src/b.rs` now, was in `src/a.rs`");
    let moved = body.replace("fn count", "pub(crate) fn count");
    assert_eq!(
        found[0].1,
        [
            format!(
                "src/a.rs:\nuse crate::b::count;\n{}",
                old_now
                    .replace("use std::collections::BTreeMap as Map;\n", "")
                    .replace("fn one", "pub(crate) fn one")
            ),
            format!(
                "src/b.rs:\nuse crate::a::one;\nuse std::collections::BTreeMap as Map;\n\n{new}\n{moved}"
            ),
            "src/c.rs:\nuse crate::b::count;\nuse crate::a::show;\n".to_owned(),
        ]
    );
    let difference = since(&Tree::of(&base), &Tree::of(&now));
    let allowed = allowances(&difference, &intents(&difference));
    let left = allowed.left.values().flatten().cloned().collect::<Vec<_>>();
    assert_eq!(left, ["Map"]);
}

#[test]
fn a_type_moves_with_its_impls_and_a_glob_is_enough() {
    let item = "struct Part {\n    at: u8,\n}\n\nimpl Part {\n    pub(crate) fn new(at: u8) -> Self {\n        Part { at }\n    }\n}\n";
    let old = format!("use crate::b::*;\n\n{item}\nfn f() {{\n    Part::new(1);\n}}\n");
    let old_now = old.replace(&format!("{item}\n"), "");
    let new_now = format!("pub struct Item;\n\n{item}");
    let lib = ("src/lib.rs", "mod a;\nmod b;\n");
    let base = [MANIFEST, lib, ("src/a.rs", &old), ("src/b.rs", "pub struct Item;\n")];
    let now = [MANIFEST, lib, ("src/a.rs", &old_now), ("src/b.rs", &new_now)];
    let faults = [("E0433", "cannot find type `Part` in this scope", "src/a.rs", "|Part|::new")];
    let moved = new_now.replace("struct Part", "pub(crate) struct Part");
    assert_eq!(only(&base, &now, &faults), [format!("src/b.rs:\n{moved}")]);
}

#[test]
fn a_visibility_reverts_no_moved_function() {
    let one = |name: &str| {
        format!(
            "fn {name}(a: A) -> B {{\n    match a {{\n        A => B,\n        a => a,\n    }}\n}}\n"
        )
    };
    let base = format!("{}\n{}", one("a"), one("c"));
    let now = format!("{}\n{}\n{}", one("a"), one("b"), one("c"));
    assert!(!back(&base, &now, &now.replace("fn b", "pub fn b")));
    assert!(back(&base, &now, &base));
}

#[test]
fn a_side_of_a_conflict_takes_nothing_back() {
    let base = "fn f() -> u8 {\n    one()\n}\n";
    let now = "fn f() -> u8 {\n<<<<<<< HEAD\n    one()\n=======\n    two()\n>>>>>>> topic\n}\n";
    assert!(!back(base, now, base));
    assert!(!back(base, now, &base.replace("one", "two")));
}

#[test]
fn a_lost_module_that_is_declared_again_was_a_slip() {
    let base = "mod a;\n#[cfg(f)]\npub mod b;\nmod c;\nfn f() {}\n";
    assert!(!back(base, "mod a;\nmod c;\nfn f() {}\n", base));
    assert!(!back(base, "mod a;\nfn f() {}\n", base));
    assert!(back(base, "mod a;\n#[cfg(f)]\npub mod b;\nmod c;\n", base));
}

#[test]
fn functions_that_are_moved_together_share_their_imports() {
    let (one, two) = ("pub fn one() -> S {\n    s(1)\n}\n", "pub fn two() -> S {\n    t(2)\n}\n");
    let old =
        format!("use dep::{{s, t, S}};\n\n{one}\n{two}\nfn f() -> S {{\n    one() + two()\n}}\n");
    let old_now = old.replace(&format!("{one}\n{two}\n"), "");
    let new_now = format!("{one}\n{two}");
    let lib = ("src/lib.rs", "mod a;\n");
    let user = ("src/c.rs", "use crate::a::{one, two};\n");
    let base = [MANIFEST, ("src/lib.rs", "mod a;\nmod c;\n"), ("src/a.rs", &old), user];
    let lib = (lib.0, "mod a;\nmod b;\nmod c;\n");
    let now = [MANIFEST, lib, ("src/a.rs", &old_now), ("src/b.rs", &new_now), user];
    let faults = [
        ("E0432", "unresolved imports `crate::a::one`, `crate::a::two`", "src/c.rs", "{|one|"),
        ("E0425", "cannot find function `one` in this scope", "src/a.rs", "|one|()"),
        ("E0425", "cannot find function `two` in this scope", "src/a.rs", "|two|()"),
        ("E0425", "cannot find function `s` in this scope", "src/b.rs", "|s|("),
    ];
    let found = follow(&base, &now, &faults);
    assert_eq!(
        found[0].1,
        [
            "src/a.rs:\nuse crate::b::{one, two};\nuse dep::S;\n\nfn f() -> S {\n    one() + two()\n}\n".to_owned(),
            format!("src/b.rs:\nuse dep::{{S, s, t}};\n\n{new_now}"),
            "src/c.rs:\nuse crate::b::{one, two};\n".to_owned(),
        ]
    );
}

#[test]
fn a_new_file_is_declared_and_a_public_item_stays_public() {
    let item = "pub struct Part(pub u8);\n";
    let old = format!("{item}\npub fn f() -> Part {{\n    Part(1)\n}}\n");
    let old_now = old.replace(&format!("{item}\n"), "");
    let lib = ("src/lib.rs", "pub mod a;\n\npub use a::f;\n");
    let base = [MANIFEST, lib, ("src/a.rs", &old)];
    let now = [MANIFEST, lib, ("src/a.rs", &old_now), ("src/part.rs", item)];
    let faults = [("E0412", "cannot find type `Part` in this scope", "src/a.rs", "|Part| {")];
    assert_eq!(
        follow(&base, &now, &faults)[0].1,
        [
            "src/a.rs:\npub fn f() -> Part {\n    Part(1)\n}\n"
                .replace("pub fn", "pub use crate::part::Part;\n\npub fn"),
            "src/lib.rs:\npub mod a;\npub mod part;\n\npub use a::f;\n".to_owned(),
        ]
    );
}

#[test]
fn a_re_export_in_the_new_module_is_the_same_item() {
    let item = "fn f() -> Kind {\n    own()\n}\n";
    let old = format!("pub enum Kind {{}}\n\n{item}\nfn own() -> Kind {{}}\n");
    let old_now = old.replace(&format!("{item}\n"), "");
    let new_now = format!("use crate::Kind;\n\nfn g() -> Kind {{\n    f()\n}}\n\n{item}");
    let lib = ("src/lib.rs", "mod a;\nmod b;\npub use a::Kind;\n");
    let new = new_now.replace(&format!("\n{item}"), "");
    let base = [MANIFEST, lib, ("src/a.rs", &old), ("src/b.rs", &new)];
    let now = [MANIFEST, lib, ("src/a.rs", &old_now), ("src/b.rs", &new_now)];
    let faults = [("E0425", "cannot find function `own` in this scope", "src/b.rs", "|own|()")];
    assert_eq!(
        follow(&base, &now, &faults)[0].1,
        [
            format!("src/a.rs:\n{}", old_now.replace("fn own", "pub(crate) fn own")),
            format!("src/b.rs:\nuse crate::a::own;\n{new_now}"),
        ]
    );
    let difference = since(&Tree::of(&base), &Tree::of(&now));
    let reached = allowances(&difference, &intents(&difference)).reached;
    let reached: Vec<String> = reached.into_values().flatten().collect();
    assert_eq!(reached, ["Kind", "own"]);
}

#[test]
fn paths_through_a_module_whose_file_was_moved_follow_it() {
    let util = "use super::Error;\npub fn trim(a: &str) -> Result<&str, Error> { Ok(a.trim()) }\n\
                pub fn pad(a: &str) -> String { format!(\"{a} \") }\nmod inner { use super::pad; }\n";
    let lib =
        "mod util;\nmod parser;\nmod graph;\npub struct Error;\npub fn f() { util::pad(\"a\"); }\n";
    let parser = "use super::util;\npub fn g() { util::pad(\"b\"); }\n";
    let graph = "use crate::{Error, util::{trim, pad}};\nuse crate::util::pad as p;\nfn h() { utility(crate::util::pad(\"c\")); }\n";
    let base = [
        MANIFEST,
        ("src/lib.rs", lib),
        ("src/util.rs", util),
        ("src/parser/mod.rs", parser),
        ("src/graph.rs", graph),
    ];
    let moved_lib = lib.replace("mod util;\n", "");
    let moved_parser = format!("pub mod util;\n{parser}");
    let now = [
        MANIFEST,
        ("src/lib.rs", moved_lib.as_str()),
        ("src/parser/util.rs", util),
        ("src/parser/mod.rs", moved_parser.as_str()),
        ("src/graph.rs", graph),
    ];
    let missing = "unresolved import `crate::util`";
    let found = only(
        &base,
        &now,
        &[
            (
                "E0433",
                "cannot find module or crate `util` in this scope",
                "src/lib.rs",
                "|util|::pad",
            ),
            ("E0432", "unresolved import `super::util`", "src/parser/mod.rs", "super::|util|;"),
            ("E0432", missing, "src/graph.rs", "crate::|util|::pad as"),
            ("E0432", "unresolved import `super::Error`", "src/parser/util.rs", "|super::Error|"),
        ],
    );
    let text = |path: &str| {
        let head = format!("{path}:\n");
        found.iter().find_map(|it| it.strip_prefix(head.as_str())).unwrap_or_default().to_owned()
    };
    assert_eq!(text("src/lib.rs"), moved_lib.replace("util::pad", "crate::parser::util::pad"));
    assert_eq!(
        text("src/parser/mod.rs"),
        moved_parser.replace("super::util", "crate::parser::util")
    );
    assert_eq!(
        text("src/graph.rs"),
        graph
            .replace("Error, util::", "Error, parser::util::")
            .replace("crate::util::", "crate::parser::util::")
    );
    assert_eq!(text("src/parser/util.rs"), util.replace("use super::Error", "use crate::Error"));
}
