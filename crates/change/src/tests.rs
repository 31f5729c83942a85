//! In-progress changes as text, and what follows from them as text.

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath, Severity, SortedMap, Timestamp};
use edit::{FileState, Files, Overlay, Unreadable};

use crate::{Difference, intents, overrules, propagate, reverts, rewords};

pub(crate) struct Tree(SortedMap<ProjectPath, String>);

impl Tree {
    /// Files from `path: text` pairs.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        Self(
            files
                .iter()
                .map(|(path, text)| (ProjectPath::new(path).unwrap(), (*text).into()))
                .collect(),
        )
    }
}

impl Files for Tree {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        Ok(self.0.get(path).map(|text| FileState::from_text(text.as_str())))
    }
}

pub(crate) fn since(base: &Tree, now: &Tree) -> Difference {
    let state = |tree: &Tree, path: &ProjectPath| {
        tree.0.get(path).map(|text| FileState::from_text(text.as_str()))
    };
    let paths: base::SortedSet<&ProjectPath> = base.0.keys().chain(now.0.keys()).collect();
    let states = paths.into_iter().map(|path| (path.clone(), state(now, path), state(base, path)));
    Difference::since(&Overlay::from_states("HEAD", Timestamp(0), states.collect()))
}

fn shown(base: &str, now: &str) -> Vec<String> {
    let tree = |text| Tree::of(&[("src/lib.rs", text)]);
    intents(&since(&tree(base), &tree(now))).iter().map(ToString::to_string).collect()
}

/// The text without `$0…$1`, and an error with this code and message at each mark.
pub(crate) fn marked(text: &str, code: &str, message: &str) -> (String, Vec<Diagnostic>) {
    let mut plain = String::new();
    let mut spans = Vec::new();
    for (idx, part) in text.split("$0").enumerate() {
        if idx == 0 {
            plain.push_str(part);
            continue;
        }
        let (marked, rest) = part.split_once("$1").unwrap();
        spans.push(ByteSpan::new(plain.len(), plain.len() + marked.len()));
        plain.push_str(marked);
        plain.push_str(rest);
    }
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let error = |span: &ByteSpan| Diagnostic {
        code: (!code.is_empty()).then(|| code.to_owned()),
        spans: vec![DiagnosticSpan::primary(&path, &plain, *span)],
        ..Diagnostic::new(Severity::Error, message)
    };
    let errors = spans.iter().map(error).collect();
    (plain, errors)
}

/// The inserted arguments of each proposal, with what of them is guessed.
pub(crate) fn guessed(base: &str, now: &str, code: &str, message: &str) -> Vec<String> {
    let (plain, errors) = marked(now, code, message);
    let (base, now) = (Tree::of(&[("src/lib.rs", base)]), Tree::of(&[("src/lib.rs", &plain)]));
    let difference = since(&base, &now);
    let found = propagate(&difference, &intents(&difference), &errors, &now);
    let shown = |it: &crate::Propagation| {
        let insert = it.splices[0].1.insert.trim_start_matches(", ").to_owned();
        match it.guesses.first() {
            Some(guess) => format!("{insert}: {:?}", guess.kind),
            None => insert,
        }
    };
    let mut distinct: Vec<String> = Vec::new();
    for it in found.iter().map(shown) {
        if !distinct.contains(&it) {
            distinct.push(it);
        }
    }
    distinct
}

/// Finishes the change between `base` and `now`. `$0…$1` in `now` marks each error; all
/// have the same code and message. Returns the texts that the proposals lead to.
pub(crate) fn finished(base: &str, now: &str, code: &str, message: &str) -> Vec<String> {
    let (plain, errors) = marked(now, code, message);
    finished_for(base, &plain, &errors)
}

/// As [`finished`], for these errors of `now`.
pub(crate) fn finished_for(base: &str, now: &str, errors: &[Diagnostic]) -> Vec<String> {
    let (base, now) = (Tree::of(&[("src/lib.rs", base)]), Tree::of(&[("src/lib.rs", now)]));
    let difference = since(&base, &now);
    let found = propagate(&difference, &intents(&difference), errors, &now);
    let mut texts: Vec<String> = Vec::new();
    for it in found {
        let overlay = Overlay::from_splices("t", Timestamp(0), &now, &it.splices).unwrap();
        assert!(!reverts(&difference, &overlay, &SortedMap::new()), "{}", it.reason);
        let (_, change) = overlay.changes().next().unwrap();
        let text = change.after_text().to_owned();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

#[test]
fn intents_are_read_from_the_difference() {
    assert_eq!(
        shown(
            "struct S { len: u8, kept: u8 }\nimpl S { fn get(&self, a: u8, b: u16) -> u8 { self.len + a } }\nfn old() { one(); two(); }\nenum E { A, B }\n",
            "struct S { size: u8, kept: u16 }\nimpl S { fn get(&self, b: u16, c: Vec<u8>) -> Option<u8> { self.len + a } }\nfn new() { one(); two(); }\nenum E { A, C(u8), D }\n",
        ),
        [
            "field `S::size` was `len`",
            "function `new` was `old`",
            "method `S::get` has the new parameter `c: Vec<u8>`",
            "method `S::get` has lost the parameter `a`",
            "field `S::kept` is `u16`, was `u8`",
            "method `S::get` returns `Option<u8>`, was `u8`",
            "method `S::get` has another signature",
            "function `new` has another signature",
            "variant `E::B` is removed",
            "variant `E::C` is new",
            "variant `E::D` is new",
        ]
    );
}

#[test]
fn equal_texts_have_no_intents() {
    assert_eq!(shown("fn a() {}", "fn a() {}"), [""; 0]);
    assert_eq!(shown("fn a() { 1 }", "// A comment.\nfn a() {\n    2\n}"), [""; 0]);
    assert_eq!(shown("fn f((a, b): T,) {}", "fn f((a, b): T) {}"), [""; 0]);
}

#[test]
fn a_rename_reaches_the_places_that_miss_the_name() {
    assert_eq!(
        finished(
            "impl S { fn old(&self) { work(1) } }\nfn f(s: S) { s.old(); s.old() }",
            "impl S { fn new(&self) { work(1) } }\nfn f(s: S) { s.$0old$1(); s.$0old$1() }",
            "E0599",
            "no method named `old` found for struct `S` in the current scope",
        ),
        ["impl S { fn new(&self) { work(1) } }\nfn f(s: S) { s.new(); s.new() }"]
    );
    assert_eq!(
        finished(
            "struct S { old: u8 }\nfn f(old: u8) -> S { S { old } }",
            "struct S { new: u8 }\nfn f(old: u8) -> S { S { $0old$1 } }",
            "E0560",
            "struct `S` has no field named `old`",
        ),
        ["struct S { new: u8 }\nfn f(old: u8) -> S { S { new: old } }"]
    );
}

#[test]
fn a_method_renamed_in_an_impl_is_renamed_in_the_trait_and_the_other_impls() {
    assert_eq!(
        finished(
            "trait T { fn old(&self); }\nimpl T for A { fn old(&self) { a() } }\nimpl T for B { fn old(&self) { b() } }",
            "trait T { fn old(&self); }\nimpl T for A { $0fn new(&self) { a() }$1 }\nimpl T for B { fn old(&self) { b() } }",
            "E0407",
            "method `new` is not a member of trait `T`",
        ),
        [
            "trait T { fn new(&self); }\nimpl T for A { fn new(&self) { a() } }\nimpl T for B { fn new(&self) { b() } }"
        ]
    );
}

#[test]
fn a_signature_of_a_trait_reaches_its_impls() {
    assert_eq!(
        finished(
            "trait T { fn f(&self, x: &u8) -> Vec<u8>; }\nimpl T for A { fn f(&self, value: &u8) -> Vec<u8> { a() } }",
            "trait T { fn f(&self, x: &u16) -> Vec<u16>; }\nimpl T for A { fn f(&self, value: $0&u8$1) -> Vec<u8> { a() } }",
            "E0053",
            "method `f` has an incompatible type for trait",
        ),
        [
            "trait T { fn f(&self, x: &u16) -> Vec<u16>; }\nimpl T for A { fn f(&self, value: &u16) -> Vec<u16> { a() } }"
        ]
    );
}

#[test]
fn a_new_argument_is_the_value_of_its_name_and_type() {
    let finished = |caller: &str, types: &str| {
        finished(
            &format!("fn g(a: u8) {{}}\n{types}{}", caller.replace("$0", "").replace("$1", "")),
            &format!("fn g(a: u8, limit: Limit) {{}}\n{types}{caller}"),
            "E0061",
            "this function takes 2 arguments but 1 argument was supplied",
        )
        .into_iter()
        .map(|it| it.lines().last().unwrap_or("").to_owned())
        .collect::<Vec<_>>()
    };
    assert_eq!(
        finished("fn f(limit: Limit) { $0g$1(1) }", ""),
        ["fn f(limit: Limit) { g(1, limit) }"]
    );
    assert_eq!(finished("fn f(limit: u8) { $0g$1(1) }", ""), ["fn f(limit: u8) { g(1, todo!()) }"]);
    assert_eq!(
        finished("impl S { fn f(&self) { $0g$1(1) } }", "struct S { most: Limit }\n"),
        ["impl S { fn f(&self) { g(1, self.most) } }"]
    );
    assert_eq!(
        finished("fn f(all: &All) { $0g$1(1) }", "struct All { limit: Limit, other: Limit }\n"),
        ["fn f(all: &All) { g(1, all.limit) }", "fn f(all: &All) { g(1, all.other) }"]
    );
    assert_eq!(
        finished("fn f(d: D) { $0g$1(d.all.a) }", "struct All { a: u8, limit: Limit }\n"),
        ["fn f(d: D) { g(d.all.a, d.all.limit) }"]
    );
}

#[test]
fn a_removed_parameter_takes_its_arguments_along() {
    assert_eq!(
        finished(
            "fn g(a: u8, b: u8, c: u8) {}\nfn f() { g(1, h(2), 3); x::g(4, 5, 6) }",
            "fn g(a: u8, c: u8) {}\nfn f() { $0g$1(1, h(2), 3); $0x::g$1(4, 5, 6) }",
            "E0061",
            "this function takes 2 arguments but 3 arguments were supplied",
        ),
        ["fn g(a: u8, c: u8) {}\nfn f() { g(1, 3); x::g(4, 6) }"]
    );
}

#[test]
fn a_new_field_is_filled_and_a_removed_one_goes() {
    assert_eq!(
        finished(
            "struct S { a: u8 }\nfn f(old: S) -> S { S { a: old.a } }",
            "struct S { a: u8, on: bool }\nfn f(old: S) -> S { $0S$1 { a: old.a } }",
            "E0063",
            "missing field `on` in initializer of `S`",
        ),
        [
            "struct S { a: u8, on: bool }\nfn f(old: S) -> S { S { a: old.a, on: old.on } }",
            "struct S { a: u8, on: bool }\nfn f(old: S) -> S { S { a: old.a, on: false } }",
        ]
    );
    assert_eq!(
        finished(
            "struct S { a: u8, b: u8 }\nfn f() -> S { S { a: 1, b: 2 } }",
            "struct S { a: u8 }\nfn f() -> S { S { a: 1, $0b$1: 2 } }",
            "E0560",
            "struct `S` has no field named `b`",
        ),
        ["struct S { a: u8 }\nfn f() -> S { S { a: 1 } }"]
    );
}

#[test]
fn a_tuple_that_lost_an_element_is_taken_apart_without_it() {
    assert_eq!(
        finished(
            "fn g() -> R<(A, bool, B)> { x() }\nfn f() { let (a, flag, b) = g()?; }",
            "fn g() -> R<(A, B)> { x() }\nfn f() { let $0(a, flag, b)$1 = g()?; }",
            "E0308",
            "mismatched types",
        ),
        ["fn g() -> R<(A, B)> { x() }\nfn f() { let (a, b) = g()?; }"]
    );
}

#[test]
fn a_rewrite_is_learned_from_the_places_that_have_it() {
    assert_eq!(
        finished(
            "fn a() { x.load(Old::Kind) }\nfn b() { y.load(Old::Kind) }\nfn c() { z.load(Old::Kind) }",
            "fn a() { x.fetch(New::Kind) }\nfn b() { y.fetch(New::Kind) }\nfn c() { z.$0load$1(Old::Kind) }",
            "E0599",
            "no method named `load` found for struct `Z` in the current scope",
        ),
        [
            "fn a() { x.fetch(New::Kind) }\nfn b() { y.fetch(New::Kind) }\nfn c() { z.fetch(New::Kind) }"
        ]
    );
}

/// Whether the third text reverts the change of the second one.
pub(crate) fn back(base: &str, now: &str, after: &str) -> bool {
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let (base, now) = (Tree::of(&[("src/lib.rs", base)]), Tree::of(&[("src/lib.rs", now)]));
    let before = now.read(&path).unwrap();
    let states = vec![(path, before, Some(FileState::from_text(after)))];
    let overlay = Overlay::from_states("t", Timestamp(0), states);
    reverts(&since(&base, &now), &overlay, &SortedMap::new())
}

#[test]
fn what_takes_the_change_back_is_recognised() {
    let (base, now) = ("fn f(a: u8) {}\nfn g() { f(1) }", "fn f(a: u8, b: u8) {}\nfn g() { f(1) }");
    assert!(back(base, now, base));
    assert!(!back(base, now, "fn f(a: u8, b: u8) {}\nfn g() { f(1, 2) }"));
    // Another place changes, the changed one stays.
    assert!(!back(base, now, "fn f(a: u8, b: u8) {}\nfn g() {}"));
    // An import that went with a use, at another place; without a use it was a slip.
    let (base, now) =
        ("use b::c;\nuse a;\nfn f() { c::d(); c::e() }", "use a;\nfn f() { d!(); c::e() }");
    assert!(back(base, now, "use a;\nuse b::c;\nfn f() { d!(); c::e() }"));
    let now = "use a;\nfn f() { c::d(); c::e() }";
    assert!(!back(base, now, "use a;\nuse b::c;\nfn f() { c::d(); c::e() }"));
    // A slip: a bracket is no change of meaning.
    assert!(!back("fn f() { g(1) }", "fn f() { g(1 }", "fn f() { g(1) }"));
    assert!(back("fn f() { g(1) }", "fn f() { h(1) }", "fn f() { g(1) }"));
    // So is a lost borrow in a body; in a head it is a decision.
    let (base, now) = ("fn f() { let mut r = new(); g(&r) }", "fn f() { let r = new(); g(r) }");
    assert!(!back(base, now, base));
    assert!(!back(base, now, "fn f() { let mut r = new(); g(r) }"));
    assert!(back("fn f(a: &A) { g(a) }", "fn f(a: A) { g(a) }", "fn f(a: &A) { g(a) }"));
    // The `mut` of a parameter's name is nothing that a caller sees.
    let (base, now) = ("fn f(mut a: u8) { a += 1 }", "fn f(a: u8) { a += 1 }");
    assert!(!back(base, now, base));
    let (base, now) = ("fn f(a: &mut u8) { *a += 1 }", "fn f(a: &u8) { *a += 1 }");
    assert!(back(base, now, base));
    let (base, now) = ("fn f() { g(&a) }", "fn f() { g(b) }");
    assert!(back(base, now, base));
}

#[test]
fn another_name_at_the_same_place_is_a_rename() {
    let sure = |base: &str, now: &str| {
        let (base, now) = (Tree::of(&[("src/lib.rs", base)]), Tree::of(&[("src/lib.rs", now)]));
        let found = intents(&since(&base, &now));
        found.iter().map(|it| (it.to_string(), it.confidence >= 75)).collect::<Vec<_>>()
    };
    let base = "struct E { requested: usize, available: usize }\nconst A: &str = \"a\";\nconst B: u8 = 1;\n";
    let renamed = |from: &str, to: &str| sure(base, &base.replace(from, to));
    let wanted = |text: &str, is_sure: bool| vec![(text.to_owned(), is_sure)];
    assert_eq!(renamed("requested", "needed"), wanted("field `E::needed` was `requested`", true));
    assert_eq!(renamed("A:", "FIRST:"), wanted("constant `FIRST` was `A`", true));
    // Another value with another name: it may be another constant.
    let other = renamed("A: &str = \"a\"", "FIRST: &str = \"b\"");
    assert!(other.iter().all(|it| !it.1 || !it.0.contains("was")), "{other:?}");
}

#[test]
fn another_return_type_than_the_written_one_contradicts_the_change() {
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let contradicts = |base: &str, now: &str, after: &str| {
        let (now, errors) = marked(now, "E0308", "mismatched types");
        let (base, now) = (Tree::of(&[("src/lib.rs", base)]), Tree::of(&[("src/lib.rs", &now)]));
        let before = now.read(&path).unwrap();
        let states = vec![(path.clone(), before, Some(FileState::from_text(after)))];
        let overlay = Overlay::from_states("t", Timestamp(0), states);
        overrules(&since(&base, &now), &overlay, &errors)
    };
    let base = "fn f() -> u8 { g() }\nfn h() -> u8 { 1 }";
    let now = "fn f() -> u16 { $0g()$1 }\nfn h() -> u8 { 1 }";
    assert!(contradicts(base, now, "fn f() -> u32 { g() }\nfn h() -> u8 { 1 }"));
    assert!(!contradicts(base, now, "fn f() -> u16 { g().into() }\nfn h() -> u8 { 1 }"));
    // That of another function, and one with an error in it.
    assert!(!contradicts(base, now, "fn f() -> u16 { h() }\nfn h() -> u16 { 1 }"));
    let now = "fn f() -> $0V$1 { g() }\nfn h() -> u8 { 1 }";
    assert!(!contradicts(base, now, "fn f() -> Vec<u8> { g() }\nfn h() -> u8 { 1 }"));
}

#[test]
fn what_was_requested_keeps_its_head() {
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let rewords_to = |after: &str| {
        let tree = |text| Tree::of(&[("src/lib.rs", text)]);
        let (base, now) = (
            tree("fn f(s: &str) {}\nfn g() { f(a) }"),
            tree("fn f(s: String) {}\nfn g() { f(a) }"),
        );
        let before = now.read(&path).unwrap();
        let states = vec![(path.clone(), before, Some(FileState::from_text(after)))];
        rewords(&since(&base, &now), &Overlay::from_states("t", Timestamp(0), states))
    };
    assert!(rewords_to("fn f(s: &String) {}\nfn g() { f(a) }"));
    assert!(!rewords_to("fn f(s: String) { s }\nfn g(a: String) { f(a.into()) }"));
}

#[test]
fn a_module_is_renamed_if_its_definitions_went_to_another_file() {
    let base = Tree::of(&[
        ("src/lib.rs", "mod old;\n"),
        ("src/old.rs", "pub fn work() { one(); two() }\n"),
    ]);
    let now = Tree::of(&[
        ("src/lib.rs", "mod first;\nmod new;\n"),
        ("src/first.rs", "pub struct S;\n"),
        ("src/new.rs", "pub fn work() { one(); two() }\n"),
    ]);
    let found: Vec<String> = intents(&since(&base, &now)).iter().map(ToString::to_string).collect();
    assert_eq!(found, ["module `new` was `old`", "struct `S` is new", "module `first` is new"]);
}
