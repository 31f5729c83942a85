//! Changed parameters, fields and types: text in, text and obstacles out.

use std::sync::Arc;

use base::{ProjectPath, SortedSet, Timestamp};
use edit::{FileState, Files, Overlay, Unreadable};
use syntax::places::{Definition, places};

use super::*;
use crate::{DocPage, KnownSites, RenameKind, RenameTarget};

struct Tree<'a>(&'a [(&'a str, &'a str)]);

impl Files for Tree<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        let file = self.0.iter().find(|(it, _)| *it == path.as_str());
        Ok(file.map(|(_, text)| FileState::from_text(*text)))
    }
}

/// The change of the first definition of `name` and of all others with its owner or trait; of a
/// function all other tokens of its name are uses. Markdown files are pages of the documentation.
fn reshaping(
    name: &str,
    change: &Reshape,
    files: &[(&str, &str)],
) -> Result<Reshaping, BadRequest> {
    let path = |it: &str| ProjectPath::new(it).unwrap();
    let (pages, code): (Vec<_>, Vec<_>) = files.iter().partition(|it| it.0.ends_with(".md"));
    let all: Vec<(ProjectPath, Definition)> = code
        .iter()
        .flat_map(|(file, text)| {
            places(text).definitions.into_iter().map(move |it| (path(file), it))
        })
        .filter(|(_, it)| it.name == name)
        .collect();
    let (file, first) = all.first().unwrap().clone();
    let owner = first.of_trait.as_ref().unwrap_or(&first.owner).clone();
    let own = all.iter().filter(|(_, it)| *it.of_trait.as_ref().unwrap_or(&it.owner) == owner);
    let definitions: SortedSet<SiteKey> =
        own.map(|(path, it)| (path.clone(), it.name_span.start)).collect();
    let target = RenameTarget {
        kind: RenameKind::of(&first),
        from: name.to_owned(),
        to: name.to_owned(),
        owners: SortedSet::from([owner]),
        definitions: definitions.clone(),
        within: None,
    };
    let mut known = KnownSites::default();
    for (file, text) in files {
        let starts = text.match_indices(name).map(|(at, _)| (path(file), at));
        known.item.extend(starts.filter(|it| !definitions.contains(it)));
    }
    let texts: Vec<(ProjectPath, Arc<str>)> =
        code.iter().map(|(file, text)| (path(file), Arc::from(*text))).collect();
    let page = |it: &(&str, &str)| {
        let by = (path("src/lib.rs"), 1);
        DocPage { path: path(it.0), text: Arc::from(it.1), by }
    };
    let pages = pages.iter().map(page).collect();
    let uses = Renaming::with_pages(target, &known, &texts, pages);
    Reshaping::new(change, uses, &(file, first.name_span.start))
}

fn after(plan: &ReshapePlan, files: &[(&str, &str)]) -> Vec<String> {
    let overlay = Overlay::from_splices("", Timestamp(0), &Tree(files), &plan.splices).unwrap();
    let text = |(path, text): &(&str, &str)| {
        let change = overlay.get(&ProjectPath::new(path).unwrap());
        change.map_or(*text, |it| it.after_text()).to_owned()
    };
    files.iter().map(text).collect()
}

/// The text of one file after the change.
fn changed(name: &str, change: &Reshape, text: &str) -> String {
    let files = [("src/lib.rs", text)];
    let plan = reshaping(name, change, &files).unwrap().plan();
    assert_eq!(plan.obstacles, []);
    after(&plan, &files).remove(0)
}

/// The obstacles: line and reason.
fn obstacles(name: &str, change: &Reshape, text: &str) -> Vec<String> {
    let plan = reshaping(name, change, &[("src/lib.rs", text)]).unwrap().plan();
    plan.obstacles.iter().map(|it| format!("{}: {}", it.line, it.reason)).collect()
}

fn refused(name: &str, change: &Reshape, text: &str) -> String {
    let found = reshaping(name, change, &[("src/lib.rs", text)]);
    found.err().map(|it| it.to_string()).unwrap_or_default()
}

fn new(declaration: &str, value: &str) -> NewPart {
    NewPart { declaration: declaration.to_owned(), value: Some(value.to_owned()) }
}

fn add(declaration: &str, value: &str) -> Reshape {
    Reshape::AddParameter { new: new(declaration, value), place: None }
}

fn add_first(declaration: &str, value: &str) -> Reshape {
    let place = Some(PartPlace::At(1));
    Reshape::AddParameter { new: new(declaration, value), place }
}

fn remove(name: &str) -> Reshape {
    Reshape::RemoveParameter { name: name.to_owned() }
}

fn reorder(names: &[&str]) -> Reshape {
    Reshape::Reorder { names: names.iter().map(|it| (*it).to_owned()).collect() }
}

fn retype(part: Option<&str>, ty: &str) -> Reshape {
    Reshape::ChangeType { part: part.map(str::to_owned), ty: ty.to_owned() }
}

#[test]
fn an_added_parameter_has_an_argument_at_every_call() {
    let text = "/// ```\n/// run(1);\n/// ```\nfn run(a: u8) {}\n\
                macro_rules! m { ($x:expr) => { run($x) }; }\n\
                fn g() { run(run(2)); println!(\"{}\", run( 3 )); }\n";
    assert_eq!(
        changed("run", &add("b: bool", "true"), text),
        "/// ```\n/// run(1, true);\n/// ```\nfn run(a: u8, b: bool) {}\n\
         macro_rules! m { ($x:expr) => { run($x, true) }; }\n\
         fn g() { run(run(2, true), true); println!(\"{}\", run( 3, true )); }\n"
    );
}

#[test]
fn the_examples_of_a_page_follow() {
    let files = [
        ("src/lib.rs", "pub fn run(a: u8) {}\n"),
        ("README.md", "The `run(1)`.\n```rust\nk::run(1);\n```\n```text\nrun(1)\n```\n"),
    ];
    let plan = reshaping("run", &add("b: bool", "true"), &files).unwrap().plan();
    assert_eq!(plan.obstacles, []);
    assert!(plan.has_examples);
    let page = after(&plan, &files).remove(1);
    assert_eq!(page, files[1].1.replace("k::run(1)", "k::run(1, true)"));
    let files = [
        ("src/lib.rs", "use m::A;\npub fn run(a: A, b: u8) {}\n"),
        ("README.md", "use m::A;\n```\nk::run(m::A, 1);\n```\n"),
    ];
    let plan = reshaping("run", &remove("a"), &files).unwrap().plan();
    assert_eq!(after(&plan, &files)[1], "use m::A;\n```\nk::run(1);\n```\n");
}

#[test]
fn a_method_is_called_with_and_without_its_type() {
    let text = "impl S { fn run<T>(&self) {} }\nfn g(s: S) { s.run(); S::run::<u8>(&s); s.run::<u8>(); }\n";
    assert_eq!(
        changed("run", &add_first("a: u8", "1"), text),
        "impl S { fn run<T>(&self, a: u8) {} }\n\
         fn g(s: S) { s.run(1); S::run::<u8>(&s, 1); s.run::<u8>(1); }\n"
    );
}

#[test]
fn a_method_of_a_trait_changes_in_all_impls() {
    let files = [
        ("src/a.rs", "trait T { fn run(&self, a: u8) -> u8; }\n"),
        ("src/b.rs", "impl T for X { fn run(&self, _: u8) -> u8 { 1 } }\n"),
        (
            "src/c.rs",
            "impl T for Y { fn run(&self, x: u8) -> u8 { x } }\nfn g() { Y.run(1); T::run(&Y, 1); }\n",
        ),
    ];
    let plan = reshaping("run", &add_first("b: bool", "true"), &files).unwrap().plan();
    assert_eq!(
        after(&plan, &files),
        [
            "trait T { fn run(&self, b: bool, a: u8) -> u8; }\n",
            "impl T for X { fn run(&self, b: bool, _: u8) -> u8 { 1 } }\n",
            "impl T for Y { fn run(&self, b: bool, x: u8) -> u8 { x } }\n\
             fn g() { Y.run(true, 1); T::run(&Y, true, 1); }\n",
        ]
    );
    let plan = reshaping("run", &remove("a"), &files).unwrap().plan();
    let reasons: Vec<&str> = plan.obstacles.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(reasons, ["the body uses `x` in line 1"]);
}

#[test]
fn patterns_and_constructors_of_tuples_follow() {
    let text =
        "enum E { V(u8) }\nfn g(e: E) { E::V(1); match e { E::V(a) => {} E::V(..) => {} } }\n";
    assert_eq!(
        changed("V", &add("b: bool", "false"), text),
        "enum E { V(u8, bool) }\n\
         fn g(e: E) { E::V(1, false); match e { E::V(a, _) => {} E::V(..) => {} } }\n"
    );
    let text = "pub struct P(pub u8);\nimpl P { fn n() -> Self { Self(1) } }\nfn g() { P(2); }\n";
    assert_eq!(
        changed("P", &add("b: bool", "false"), text),
        "pub struct P(pub u8, pub bool);\nimpl P { fn n() -> Self { Self(1, false) } }\n\
         fn g() { P(2, false); }\n"
    );
}

#[test]
fn what_a_removed_parameter_was_passed_must_be_a_value() {
    let text =
        "fn run(a: u8, b: u8) -> u8 { a }\nfn g(s: S) { run(1, s.x.0); run(run(1, 2), -2); }\n";
    assert_eq!(
        changed("run", &remove("b"), text),
        "fn run(a: u8) -> u8 { a }\nfn g(s: S) { run(1); run(run(1)); }\n"
    );
    let text = "fn run(a: u8) {}\nfn g() {\n  run(next());\n  map(run);\n}\nuse run as walk;\n";
    assert_eq!(
        obstacles("run", &remove("a"), text),
        [
            "3: the argument `next()` may do more than name a value",
            "4: it is used as a value: calls of the value would pass the old arguments",
            "6: it is imported under another name",
        ]
    );
    let used = "fn run(a: u8) { println!(\"{a}\") }\n";
    assert_eq!(obstacles("run", &remove("a"), used), ["1: the body uses `a` in line 1"]);
}

#[test]
fn the_arguments_of_every_call_follow_their_parameters() {
    let text = "fn run(a: u8, b: u8, c: u8) -> u8 { a }\nfn g() { run(1, 2, run(3, 4, f())); }\n";
    assert_eq!(
        changed("run", &reorder(&["c", "a", "b"]), text),
        "fn run(c: u8, a: u8, b: u8) -> u8 { a }\nfn g() { run(run(f(), 3, 4), 1, 2); }\n"
    );
    let counted = reshaping("run", &reorder(&["b", "a", "c"]), &[("src/lib.rs", text)]).unwrap();
    assert_eq!(
        after(&counted.counted(), &[("src/lib.rs", text)]),
        ["fn run(b: u8, a: u8, c: u8, _: ()) -> u8 { a }\n\
          fn g() { run(2, 1, run(4, 3, f(), ()), ()); }\n"]
    );
    let text = "fn run(a: u8, b: u8) {}\nfn g() { run(f(), g()); }\n";
    assert_eq!(
        obstacles("run", &reorder(&["b", "a"]), text),
        ["2: the order in which the arguments are evaluated matters"]
    );
}

#[test]
fn types_change_where_they_are_written_so() {
    assert_eq!(
        changed("run", &retype(Some("a"), "u16"), "fn run(a: u8, b: u8) {}\n"),
        "fn run(a: u16, b: u8) {}\n"
    );
    assert_eq!(
        changed("run", &retype(None, "Option<u8>"), "fn run<T>(a: fn(T)) where T: Copy {}\n"),
        "fn run<T>(a: fn(T)) -> Option<u8> where T: Copy {}\n"
    );
    assert_eq!(changed("N", &retype(None, "u16"), "const N: u8 = 1;\n"), "const N: u16 = 1;\n");
}

#[test]
fn an_added_field_has_a_value_in_every_literal_and_a_place_in_every_pattern() {
    let text = "pub struct S {\n    /// A.\n    pub(crate) a: u8,\n}\n\
                impl S { fn n(a: u8) -> Self { Self { a } } fn m(s: S) -> S { S { ..s } } }\n\
                fn g(s: S) { S { a: 1, ..s }; let S { a } = s; let S { .. } = s; }\n";
    assert_eq!(
        changed("S", &Reshape::AddField { new: new("b: bool", "true") }, text),
        "pub struct S {\n    /// A.\n    pub(crate) a: u8,\n    pub(crate) b: bool,\n}\n\
         impl S { fn n(a: u8) -> Self { Self { a, b: true } } fn m(s: S) -> S { S { ..s } } }\n\
         fn g(s: S) { S { a: 1, ..s }; let S { a, b: _ } = s; let S { .. } = s; }\n"
    );
}

#[test]
fn a_request_that_is_no_rust_or_does_not_fit_is_refused() {
    let text = "fn run(a: u8, b: u8) {}\n";
    let cases = [
        (
            add("c: u8", "1); evil("),
            "`1); evil(` is not one expression on one line, without comments",
        ),
        (
            add("c: u8) { evil() } fn g(x: u8", "1"),
            "`u8) { evil() } fn g(x: u8` is not one type on one line, without comments",
        ),
        (add("c", "1"), "`c` is not `NAME: TYPE` on one line, without comments"),
        (add("1c: u8", "1"), "`1c` cannot be a name: it is not a Rust identifier"),
        (add("a: u8", "1"), "it has a parameter `a` already"),
        (remove("c"), "it has no parameter `c`: it has a, b"),
        (reorder(&["a"]), "name all parameters in their new order: `b` is missing"),
        (reorder(&["a", "b"]), "its parameters have this order already"),
        (reorder(&["a", "a"]), "`a` is named twice"),
        (retype(Some("a"), "u8"), "it has this type already"),
        (retype(None, "}"), "`}` is not one type on one line, without comments"),
        (
            Reshape::AddParameter { new: new("c: u8", "1"), place: Some(PartPlace::At(4)) },
            "`--at 4`: the positions are 1 to 3",
        ),
    ];
    for (change, reason) in cases {
        assert_eq!(refused("run", &change, text), reason);
    }
}

#[test]
fn a_definition_that_a_macro_writes_is_no_call() {
    let text = "trait T { fn run(self) -> u8; }\n\
                macro_rules! m { ($t:ty) => { impl T for $t { fn run(self) -> u8 { 1 } } }; }\n\
                m!(u8);\n";
    let of = reshaping("run", &add("b: bool", "true"), &[("src/lib.rs", text)]).unwrap();
    let reasons: Vec<String> =
        of.plan().obstacles.iter().map(|it| format!("{}: {}", it.line, it.reason)).collect();
    assert_eq!(reasons, ["2: a macro generates a definition of it"]);
}

#[test]
fn quoted_definitions_and_calls_that_cannot_follow_are_obstacles() {
    let text = "trait A { fn old(self); }\nfn f() { quote! { impl #p::A for #t { fn old(self) {} } } }\n\
                fn g() { quote! { #t::old(#x) } }\nfn h() { quote! { a::old(b) } }\n";
    let found = obstacles("old", &add("c: u8", "1"), text);
    let lines: Vec<&str> = found.iter().filter_map(|it| it.split(':').next()).collect();
    assert_eq!(lines, ["2", "3"], "{found:?}");
    assert!(found[0].contains("`graftage finish`"), "{found:?}");
}
