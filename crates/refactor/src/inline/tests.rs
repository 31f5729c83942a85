//! Items that are inlined, or refused with a reason: files in, files out.

use base::Timestamp;
use edit::{FileState, Files, Overlay, Unreadable};
use syntax::places::places;

use super::*;
use crate::{KnownSites, RenameKind, RenameTarget};

mod certain;

/// Files by their paths.
struct Tree<'a>(&'a [(&'a str, &'a str)]);

impl Files for Tree<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        let own = self.0.iter().find(|(it, _)| *it == path.as_str());
        Ok(own.map(|(_, text)| FileState::from_text(*text)))
    }
}

/// The files of a fixture, `//- path` before each text, with the item inlined; its name is the first
/// one of its spelling.
fn inlined(fixture: &str, name: &str) -> Result<String, String> {
    inlined_as(fixture, name, None)
}

/// The same with the answers of the compiler that every value has its declared type.
fn inlined_as(fixture: &str, name: &str, answer: Option<&Certain>) -> Result<String, String> {
    let parts = fixture.trim_start().split("//- ").filter(|it| !it.is_empty());
    let files: Vec<(&str, &str)> = parts.filter_map(|it| it.split_once('\n')).collect();
    let path = |it: &str| ProjectPath::new(it).unwrap();
    let all: Vec<(ProjectPath, Arc<str>)> =
        files.iter().map(|(file, text)| (path(file), Arc::from(*text))).collect();
    let found = all.iter().find_map(|(path, text)| {
        let definitions = places(text).definitions.into_iter();
        definitions.filter(|it| it.name == name).map(|it| (path.clone(), it)).next()
    });
    let (file, definition) = found.unwrap();
    let key = (file, definition.name_span.start);
    let target = RenameTarget {
        kind: RenameKind::of(&definition),
        from: name.to_owned(),
        to: name.to_owned(),
        owners: [definition.owner.clone()].into(),
        definitions: [key.clone()].into(),
        within: None,
    };
    let mut known = KnownSites::default();
    for (path, text) in &all {
        for (at, _) in text.match_indices(name) {
            known.item.insert((path.clone(), at));
        }
    }
    let uses = Renaming::new(target, &known, &all);
    let root = CrateRoot { name: "own".to_owned(), is_library: true, root: path("src/lib.rs") };
    let inlining = Inlining::new(uses, &key, false, &all, &[root]);
    let mut inlining = inlining.map_err(|it| it.to_string())?;
    let sites = inlining.uses.sites().iter().map(crate::RenameSite::key);
    inlining.certain = sites.filter_map(|it| Some((it, answer?.clone()))).collect();
    let plan = inlining.plan();
    if !plan.obstacles.is_empty() {
        let lines = plan.obstacles.iter().map(|it| format!("{}: {}", it.line, it.reason));
        return Err(lines.collect::<Vec<_>>().join("\n"));
    }
    let overlay = Overlay::from_splices("", Timestamp(0), &Tree(&files), &plan.splices)
        .map_err(|it| it.to_string())?;
    let text = |(file, text): &(&str, &str)| match overlay.get(&path(file)) {
        Some(change) => change.after_text().to_owned(),
        None => (*text).to_owned(),
    };
    Ok(files.iter().map(text).collect())
}

fn one(text: &str, name: &str) -> Result<String, String> {
    inlined(&format!("//- src/lib.rs\n{text}"), name)
}

#[test]
fn a_method_of_one_expression_takes_the_place_of_its_call() {
    let text = "struct S { w: u32, h: u32 }
impl S {
    fn area(&self) -> u32 {
        self.w * self.h
    }

    fn twice(&self) -> u32 {
        2 * self.area()
    }
}
";
    assert_eq!(
        one(text, "area").unwrap(),
        "struct S { w: u32, h: u32 }
impl S {
    fn twice(&self) -> u32 {
        2 * (self.w * self.h)
    }
}
"
    );
}

#[test]
fn arguments_are_bound_with_their_types_in_their_order() {
    let text = "fn join(a: &str, b: String) -> String {
    let mut all = a.to_owned();
    all.push_str(&b);
    all
}

fn f(x: &String) {
    let all = join(x, name());
}
";
    assert_eq!(
        one(text, "join").unwrap(),
        "fn f(x: &String) {
    let all: String = {
        let a: &str = x;
        let b: String = name();
        let mut all = a.to_owned();
        all.push_str(&b);
        all
    };
}
"
    );
}

#[test]
fn temporary_values_of_arguments_live_as_long_as_before() {
    let text = "fn show(n: usize) {
    print(n);
}

fn f() {
    show(lock().get().len());
}
";
    assert_eq!(
        one(text, "show").unwrap(),
        "fn f() {
    match lock().get().len() {
        n => {
            let n: usize = n;
            print(n);
        }
    }
}
"
    );
}

#[test]
fn a_return_leaves_the_block() {
    let text = "fn sign(n: i32) -> i32 {
    if n < 0 {
        return -1;
    }
    1
}

fn f(m: i32) -> i32 {
    sign(m) + 1
}
";
    assert_eq!(
        one(text, "sign").unwrap(),
        "fn f(m: i32) -> i32 {
    ({
        let result: i32 = 'inlined: {
            if m < 0 {
                break 'inlined -1;
            }
            1
        };
        result
    }) + 1
}
"
    );
}

#[test]
fn a_receiver_becomes_a_variable() {
    let text = "struct S { n: u8 }
impl S {
    fn set(&mut self, n: u8) {
        self.n = n;
    }
}

fn f(s: &mut S) {
    s.set(1);
}
";
    assert_eq!(
        one(text, "set").unwrap(),
        "struct S { n: u8 }

fn f(s: &mut S) {
    {
        let this: &mut S = &mut *s;
        this.n = 1;
    }
}
"
    );
}

#[test]
fn a_question_mark_leaves_a_function_of_the_same_type() {
    let text = "// Twice.
fn g(n: u8) -> Option<u8> {
    h(n)?;
    h(n)
}
fn f(m: u8) -> Option<u8> {
    let n = g(m)?;
    Some(n)
}
";
    assert_eq!(
        one(text, "g").unwrap(),
        "fn f(m: u8) -> Option<u8> {
    let n = {
        let result: Option<u8> = {
            h(m)?;
            h(m)
        };
        result
    }?;
    Some(n)
}
"
    );
}

#[test]
fn a_call_becomes_an_expression_where_that_means_the_same() {
    let call = |function: &str, call: &str| {
        let text = format!("{function}\nfn g(a: u32, x: bool, v: &String) {{\n    {call}\n}}\n");
        let found = one(&text, "f").unwrap();
        found.trim_start_matches("fn g(a: u32, x: bool, v: &String) {\n    ").to_owned()
    };
    let smaller = "fn f(a: u32, b: u32) -> bool { a < b }";
    assert_eq!(call(smaller, "h(!f(a, 9))"), "h(!(a < 9))\n}\n");
    assert_eq!(call(smaller, "h(f(1, 9))"), "h(1 < 9u32)\n}\n");
    let not = "fn f(x: bool) -> bool { !x }";
    assert_eq!(call(not, "h(f(x) && f(!x))"), "h(!x && !(!x))\n}\n");
    let same = "fn f(s: &String) -> &String { s }";
    assert_eq!(
        call(same, "let s = String::new();\n    h(f(&s).clone())"),
        "let s = String::new();\n    h((&s).clone())\n}\n"
    );
    // A literal alone would be an `i32`.
    let shifted = "fn f(n: u64) -> u64 { 1 << n }";
    assert_eq!(call(shifted, "let y = f(40);"), "let y: u64 = 1 << 40u64;\n}\n");
    assert!(call(shifted, "h(f(40))").contains("let result: u64"));
    // A guard ends before the rest of the statement.
    let guarded = "fn f(c: &Cell) -> usize { c.borrow().len() }";
    assert!(call(guarded, "h(f(&c), c.borrow_mut())").contains("let result: usize"));
    // The value of a call that is passed on by value is no temporary one.
    let called =
        "fn f(s: &str, i: usize) -> usize { g(s.as_bytes()[i]) }\nfn g(b: u8) -> usize { 1 }";
    let found = one(&format!("{called}\nfn h(s: &str, i: usize) {{ n += f(s, i); }}\n"), "f");
    assert!(found.unwrap().ends_with("fn h(s: &str, i: usize) { n += g(s.as_bytes()[i]); }\n"));
    // The value of a block is not dropped later.
    let taken = "fn f(s: String) -> usize { s.len() }";
    assert!(call(taken, "h(f(a))").contains("let s: String = a;"));
    // The deref of an argument is that of the parameter.
    let deref = "fn f(s: &str) -> String { s.to_string() }";
    assert!(call(deref, "let y = f(v);").contains("let s: &str = v;"));
}

#[test]
fn a_literal_needs_no_type_where_the_called_function_gives_it_one() {
    let text = "struct Color(u8, u8);
impl Color {
    fn of(r: u8, g: u8) -> Color { Color(r, g) }
}

fn rgb(r: u8, g: u8) -> Color {
    Color::of(r, g)
}

fn f() {
    g(rgb(255, 0), rgb(0, 0));
}
";
    let found = one(text, "rgb").unwrap();
    assert!(found.contains("    g(Color::of(255, 0), Color::of(0, 0));\n"), "{found}");
    // One that takes any number does not.
    let text = text.replace("fn of(r: u8, g: u8)", "fn of<T: Into<u8>>(r: T, g: u8)");
    let found = one(&text, "rgb").unwrap();
    assert!(found.contains("Color::of(255u8, 0u8)"), "{found}");
}

#[test]
fn what_cannot_keep_its_meaning_is_refused() {
    let refused = |text: &str, name: &str| one(text, name).unwrap_err();
    let early = "fn g() -> Option<u8> { Some(h()?) }\nfn f() -> Option<u16> { g()?; None }";
    assert!(refused(early, "g").contains("`?`"));
    assert!(refused("fn g(n: u8) { g(n) }", "g").contains("calls itself"));
    assert!(refused("async fn g() {}", "g").contains("async"));
    assert!(refused("fn g() { static X: u8 = 1; }", "g").contains("static"));
    assert!(refused("pub fn g() {}", "g").contains("public"));
    assert!(refused("#[no_mangle] fn g() {}", "g").contains("no_mangle"));
    assert!(refused("fn g() {}\nfn f() { h(g) }", "g").contains("as a value"));
    assert!(refused("trait T { fn g(&self) {} }", "g").contains("trait"));
    assert!(
        refused("fn g<T: Len>(t: &T) -> usize { t.len() }\nfn f() { g(&1); }", "g")
            .contains("generic")
    );
    assert!(
        refused("fn h() {}\nfn g() { h() }\nfn f() { let h = 1; g(); }", "g").contains("`h` means")
    );
}

#[test]
fn names_are_written_so_that_another_module_has_them() {
    let fixture = "//- src/lib.rs
mod a;
fn f() -> usize {
    a::count(\"x\")
}
//- src/a.rs
use std::cmp::max;
pub fn size(text: &str) -> usize { text.len() }
pub(crate) fn count(text: &str) -> usize {
    max(size(text), text.len())
}
";
    assert_eq!(
        inlined(fixture, "count").unwrap(),
        "mod a;
fn f() -> usize {
    {
        let text: &str = \"x\";
        std::cmp::max(crate::a::size(text), text.len())
    }
}
pub fn size(text: &str) -> usize { text.len() }
"
    );
}

#[test]
fn a_constant_keeps_its_type() {
    let text = "const N: u64 = 4;\nconst M: i8 = -1;\nfn f() { let x = N; g(M.abs(), N) }\n";
    assert_eq!(
        one(text, "N").unwrap(),
        "const M: i8 = -1;\nfn f() { let x = 4u64; g(M.abs(), 4u64) }\n"
    );
    assert_eq!(
        one(text, "M").unwrap(),
        "const N: u64 = 4;\nfn f() { let x = N; g((-1i8).abs(), N) }\n"
    );
    assert!(one("const N: u8 = g();\nfn f() -> u8 { N }\n", "N").is_err());
}

#[test]
fn a_type_alias_gives_way_to_its_type() {
    let text = "type Map = HashMap<String, u8>;\nfn f(m: &Map) -> Map { Map::new() }\n";
    assert_eq!(
        one(text, "Map").unwrap(),
        "fn f(m: &HashMap<String, u8>) -> HashMap<String, u8> { <HashMap<String, u8>>::new() }\n"
    );
}

#[test]
fn a_variable_for_the_result_does_not_come_along() {
    let text = "fn scaled(x: u32, by: u32) -> u32 {
    let result = x * by;
    result
}

fn f(a: u32) -> u32 {
    let s = scaled(a, 3);
    s + scaled(a, 4)
}
";
    assert_eq!(
        one(text, "scaled").unwrap(),
        "fn f(a: u32) -> u32 {
    let s = a * 3;
    s + (a * 4)
}
"
    );
}
