//! The independent checker, text in and rules out: right repairs break none, deletions and
//! additions do.

use super::*;

fn mentioned(codes: &[&str], names: &[&str]) -> MentionedNames {
    MentionedNames {
        codes: codes.iter().map(|code| (*code).to_owned()).collect(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        lines: SortedSet::new(),
    }
}

fn one(text: &str) -> SortedMap<String, String> {
    SortedMap::from([("src/lib.rs".to_owned(), text.to_owned())])
}

fn rules_with(before: &str, after: &str, mentioned: &MentionedNames) -> Vec<String> {
    let mut rules: Vec<String> = broken_promises(&one(before), &one(after), mentioned, true)
        .into_iter()
        .map(|broken| broken.rule)
        .collect();
    rules.dedup();
    rules
}

fn rules(before: &str, after: &str) -> Vec<String> {
    rules_with(before, after, &MentionedNames::default())
}

const NONE: [&str; 0] = [];

#[test]
fn honest_repairs_break_no_promise() {
    for (before, after) in [
        ("fn f() { let x = 1; x = 2; }", "fn f() { let mut x = 1; x = 2; }"),
        ("fn f(a: &str) -> String { a }", "fn f(a: &str) -> String { a.to_string() }"),
        ("fn f() -> u8 { g(); 1; }", "fn f() -> u8 { g(); 1 }"),
        ("fn f() { g() h() }", "fn f() { g(); h() }"),
        ("struct A<'a>(&str);", "struct A<'a>(&'a str);"),
        ("struct A { x: &str }", "struct A<'a> { x: &'a str }"),
        ("impl Foo for Bar {}", "impl<'a> Foo for Bar<'a> {}"),
        ("fn f(x: Vec<u8>) { g(x.clone()); }", "fn f(x: &Vec<u8>) { g(x); }"),
        ("#[derive(Clone)] struct A;", "#[derive(Clone, Copy)] struct A;"),
        ("fn f() { match x { A => 1 } }", "fn f() { match x { A => 1, B => 2 } }"),
        ("fn f() { if x = 1 {} }", "fn f() { if x == 1 {} }"),
        ("fn f() { g::<u8, u8>(1); }", "fn f() { g::<u8>(1); }"),
        (
            "trait T { fn a(); } impl T for A { fn b() {} }",
            "trait T { fn a(); fn b(); } impl T for A { fn b() {} fn a() {} }",
        ),
        ("fn f(x: impl Fn()) {}", "fn f<F: Fn()>(x: F) {}"),
        ("use a::b; use a::b;", "use a::b;"),
        ("#[inline(always)] #[derive()] fn f() {}", "#[inline(never)] #[derive()] fn f() {}"),
        ("fn f() { println(1); }", "fn f() { println!(1); }"),
        ("// gone\nfn f() {}", "fn f() {}"),
    ] {
        assert_eq!(rules(before, after), NONE, "{before} → {after}");
    }
}

#[test]
fn what_goes_is_seen() {
    for (before, after, rule) in [
        ("fn f() {} fn g() {}", "fn f() {}", "item-removed"),
        ("struct A { x: u8, y: u8 }", "struct A { x: u8 }", "item-removed"),
        ("enum A { X(u8), Y = 3 }", "enum A { X(u8) }", "item-removed"),
        ("impl Copy for A {}", "", "item-removed"),
        ("impl A { fn a(&self) {} fn b(&self) {} }", "impl A { fn b(&self) {} }", "item-removed"),
        ("use a::{b, c as d};", "use a::b;", "item-removed"),
        ("fn f() { fn g() {} }", "fn f() {}", "item-removed"),
        ("fn f() { let x = 1; g(x); }", "fn f() { let x = 1; }", "expression-removed"),
        ("fn f() { x = 1; y = 2; }", "fn f() { x = 1; }", "expression-removed"),
        ("fn f() { let x = 1; x }", "fn f() { 1 }", "expression-removed"),
        ("fn f() { a.push(1); }", "fn f() { a; }", "expression-removed"),
        ("fn f() { g()?; }", "fn f() { g(); }", "expression-removed"),
        ("fn f() { g(); }", "fn f() { // g();\n }", "expression-removed"),
        ("fn f() { match x { A => 1, B => 2 } }", "fn f() { match x { A => 1 } }", "arm-removed"),
        ("fn f() { println!(\"\"); }", "fn f() { }", "macro-removed"),
        ("#[test] fn f() { assert!(x); }", "#[test] fn f() { }", "assertion-removed"),
        ("fn f() { assert_eq!(x, 1); }", "fn f() { assert!(true); }", "assertion-removed"),
        ("#[test] fn f() {}", "fn f() {}", "test-edited"),
        (
            "#[cfg(test)] mod t { #[test] fn f() { a(1); } }",
            "#[cfg(test)] mod t { #[test] fn f() { a(2); } }",
            "test-edited",
        ),
        ("pub fn f() {}", "fn f() {}", "visibility-reduced"),
        ("#[repr(C)] struct A;", "struct A;", "attribute-removed"),
        (
            "struct A<F> where F: Fn(u8) -> u8 { f: F } fn g() { a(); b() }",
            "struct A<F> where F: Fn(u8) -> u8 { f: F } fn g() { b() }",
            "statement-removed",
        ),
        ("#[derive(Clone, Copy)] struct A;", "#[derive(Clone)] struct A;", "attribute-removed"),
    ] {
        let found = rules(before, after);
        assert!(found.contains(&rule.to_owned()), "{before} → {after}: {found:?}");
    }
}

#[test]
fn what_is_smuggled_in_is_seen() {
    for (before, after, rule) in [
        ("fn f() -> u8 {}", "fn f() -> u8 { todo!() }", "placeholder"),
        ("fn f() -> u8 {}", "fn f() -> u8 { unimplemented!(\"x\") }", "placeholder"),
        ("fn f() -> u8 {}", "fn f() -> u8 { unreachable!() }", "panic-added"),
        ("fn f() { g() }", "fn f() { unsafe { g() } }", "unsafe-added"),
        ("unsafe fn f() { fn k() {} }", "unsafe fn f() { fn k() { unsafe {} } }", "unsafe-added"),
        ("fn f() {}", "unsafe fn f() {}", "unsafe-added"),
        ("fn f() {}", "#[allow(dead_code)] fn f() {}", "allow-added"),
        ("#![deny(warnings)] fn f() {}", "fn f() {}", "lint-weakened"),
        ("fn f() {}", "#[cfg(any())] fn f() {}", "cfg-changed"),
        ("#[cfg(unix)] fn f() {}", "#[cfg(windows)] fn f() {}", "cfg-changed"),
        ("#[test] fn f() {}", "#[test] #[ignore] fn f() {}", "test-weakened"),
        ("fn f() {}", "pub fn f() {}", "visibility-widened"),
    ] {
        let found = rules(before, after);
        assert!(found.contains(&rule.to_owned()), "{before} → {after}: {found:?}");
    }
}

#[test]
fn unsafe_that_the_2024_edition_requires_is_not_counted() {
    for (before, after) in [
        ("extern \"C\" { fn f(); }", "unsafe extern \"C\" { fn f(); }"),
        ("#[no_mangle] fn f() {}", "#[unsafe(no_mangle)] fn f() {}"),
        ("unsafe fn f() { g() }", "unsafe fn f() { unsafe { g() } }"),
    ] {
        let found = rules(before, after);
        assert!(!found.contains(&"unsafe-added".to_owned()), "{before} → {after}: {found:?}");
    }
}

#[test]
fn a_rename_in_place_needs_the_compilers_word() {
    let (before, after) = ("fn one() {} fn two() { a() }", "fn one() {} fn three() { a() }");
    assert_eq!(rules(before, after), ["item-removed"]);
    assert_eq!(rules_with(before, after, &mentioned(&["E0425"], &["three"])), NONE);
    assert_eq!(rules_with(before, after, &mentioned(&["E0428"], &["two"])), NONE);
    let (before, after) = ("struct A { inner_value: u8 }", "struct A { inner: u8 }");
    assert_eq!(rules_with(before, after, &mentioned(&["E0609"], &["inner"])), NONE);
    let (before, after) = ("impl Dispaly for A { fn f() {} }", "impl Display for A { fn f() {} }");
    assert_eq!(rules_with(before, after, &mentioned(&["E0405"], &["Dispaly"])), NONE);
}

#[test]
fn a_rename_does_not_hide_an_emptied_body() {
    let found =
        rules_with("fn two() { a(); b() }", "fn three() { }", &mentioned(&["E0425"], &["three"]));
    assert!(found.contains(&"statement-removed".to_owned()), "{found:?}");
}

#[test]
fn a_method_that_moves_to_another_impl_is_kept() {
    let before = "trait T {} impl T for A { fn b(&self) { c() } }";
    let after = "trait T {} impl T for A { } impl A { fn b(&self) { c() } }";
    assert_eq!(rules(before, after), NONE);
}

#[test]
fn visibility_may_widen_where_the_compiler_complained_of_it() {
    let (before, after) = ("mod a { fn f() {} }", "mod a { pub(crate) fn f() {} }");
    assert_eq!(rules_with(before, after, &mentioned(&["E0603"], &["f"])), NONE);
    assert_eq!(rules_with(before, after, &mentioned(&["E0603"], &["g"])), ["visibility-widened"]);
}

#[test]
fn a_condition_that_the_compiler_marked_may_change() {
    let mut mentioned = mentioned(&["E0536"], &[]);
    let (before, after) = ("#[cfg(not())] fn f() {}", "#[cfg(not(unix))] fn f() {}");
    assert_eq!(rules_with(before, after, &mentioned), ["cfg-changed"]);
    mentioned.lines.insert(("src/lib.rs".to_owned(), 1));
    assert_eq!(rules_with(before, after, &mentioned), NONE);
}

#[test]
fn broken_text_has_an_outline_too() {
    for text in [
        "fn f( { let x = ",
        "impl",
        "struct A<",
        "use a::{",
        "#[",
        "}}}",
        "fn f() { \"",
        "mod a { fn",
    ] {
        assert_eq!(rules(text, text), NONE, "{text}");
    }
}
