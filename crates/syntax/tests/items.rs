//! Text in, items out.
#![expect(clippy::unwrap_used, reason = "a test may")]

use std::fmt::Write as _;

use base::ByteSpan;
use expect_test::{Expect, expect};
use graftage_syntax::{SourceFile, item_at, parse, read};
use proptest::prelude::*;

/// One line an item: kind, canon, flags, attributes, the text of its name token, and the edges of
/// its text.
fn check(text: &str, expect: Expect) {
    let file = parse(text);
    let mut out = String::new();
    for item in &file.items {
        let code = item.span.slice(text).unwrap();
        let first = code.lines().next().unwrap_or("");
        let last = code.lines().last().unwrap_or("");
        write!(out, "{} {}", item.kind, item.canon).unwrap();
        if !item.visibility.is_empty() {
            write!(out, " [{}]", item.visibility).unwrap();
        }
        for (flag, on) in
            [("test", item.is_test), ("local", item.is_local), ("recovered", item.is_recovered)]
        {
            if on {
                write!(out, " {flag}").unwrap();
            }
        }
        if item.parse_errors > 0 {
            write!(out, " errors={}", item.parse_errors).unwrap();
        }
        if let Some(parent) = item.parent {
            write!(out, " in {}", file.items[parent].canon).unwrap();
        }
        if !item.attributes.is_empty() {
            write!(out, " {:?}", item.attributes).unwrap();
        }
        if let Some(name) = item.name_span {
            assert_eq!(name.slice(text), Some(item.name.as_str()));
        }
        writeln!(out, " | {first} … {last}").unwrap();
    }
    for error in &file.parse_errors {
        writeln!(out, "error {}..{}", error.start, error.end).unwrap();
    }
    expect.assert_eq(&out);
}

#[test]
fn every_kind_of_item_is_found() {
    check(
        r#"#![allow(dead_code)]
//! about
use std::{ fmt, io };
pub use a::b as c;
extern crate alloc as al;
/// doc
// plain
#[derive(Debug)]
pub(crate) struct S<T> { field: T }
pub struct Unit;
enum E { A, B(u8) }
union U { a: u8, b: i8 }
const ONE: u8 = 1;
static mut TWO: u8 = 2;
type Alias<T> = Vec<T>;
trait Tr: Sized { const C: u8; type Out; fn need(&self); fn have(&self) -> u8 { 1 } }
impl<T> S<T> { pub fn new() -> Self { loop {} } const K: u8 = 3; }
impl<T: Copy> Tr for S<T> { const C: u8 = 1; type Out = (); fn need(&self) {} }
unsafe impl !Send for Unit {}
impl Iterator for &mut Unit { type Item = u8; }
mod decl;
mod inline { pub mod deeper { pub fn leaf() {} } fn same() {} #[cfg(unix)] fn same() {} }
macro_rules! shout { ($x:expr) => { $x }; }
thread_local! { static T: u8 = 1; }
lazy::make!(a, b);
extern "C" { #[link_name = "x"] pub fn foreign(a: u8); static ENV: u8; }
async unsafe fn both() {}
"#,
        expect![[r##"
            import use std::{fmt, io} | use std::{ fmt, io }; … use std::{ fmt, io };
            import use a::b as c [pub] | pub use a::b as c; … pub use a::b as c;
            import extern crate alloc | extern crate alloc as al; … extern crate alloc as al;
            struct S [pub(crate)] ["#[derive(Debug)]"] | /// doc … pub(crate) struct S<T> { field: T }
            struct Unit [pub] | pub struct Unit; … pub struct Unit;
            enum E | enum E { A, B(u8) } … enum E { A, B(u8) }
            union U | union U { a: u8, b: i8 } … union U { a: u8, b: i8 }
            const ONE | const ONE: u8 = 1; … const ONE: u8 = 1;
            static TWO | static mut TWO: u8 = 2; … static mut TWO: u8 = 2;
            type_alias Alias | type Alias<T> = Vec<T>; … type Alias<T> = Vec<T>;
            trait Tr | trait Tr: Sized { const C: u8; type Out; fn need(&self); fn have(&self) -> u8 { 1 } } … trait Tr: Sized { const C: u8; type Out; fn need(&self); fn have(&self) -> u8 { 1 } }
            const Tr::C in Tr | const C: u8; … const C: u8;
            type_alias Tr::Out in Tr | type Out; … type Out;
            method Tr::need in Tr | fn need(&self); … fn need(&self);
            method Tr::have in Tr | fn have(&self) -> u8 { 1 } … fn have(&self) -> u8 { 1 }
            impl <S<T>> | impl<T> S<T> { pub fn new() -> Self { loop {} } const K: u8 = 3; } … impl<T> S<T> { pub fn new() -> Self { loop {} } const K: u8 = 3; }
            method S::new [pub] in <S<T>> | pub fn new() -> Self { loop {} } … pub fn new() -> Self { loop {} }
            const S::K in <S<T>> | const K: u8 = 3; … const K: u8 = 3;
            impl <S<T> as Tr> | impl<T: Copy> Tr for S<T> { const C: u8 = 1; type Out = (); fn need(&self) {} } … impl<T: Copy> Tr for S<T> { const C: u8 = 1; type Out = (); fn need(&self) {} }
            const <S<T> as Tr>::C in <S<T> as Tr> | const C: u8 = 1; … const C: u8 = 1;
            type_alias <S<T> as Tr>::Out in <S<T> as Tr> | type Out = (); … type Out = ();
            method <S<T> as Tr>::need in <S<T> as Tr> | fn need(&self) {} … fn need(&self) {}
            impl <Unit as !Send> | unsafe impl !Send for Unit {} … unsafe impl !Send for Unit {}
            impl <&mut Unit as Iterator> | impl Iterator for &mut Unit { type Item = u8; } … impl Iterator for &mut Unit { type Item = u8; }
            type_alias <&mut Unit as Iterator>::Item in <&mut Unit as Iterator> | type Item = u8; … type Item = u8;
            module decl | mod decl; … mod decl;
            module inline | mod inline { pub mod deeper { pub fn leaf() {} } fn same() {} #[cfg(unix)] fn same() {} } … mod inline { pub mod deeper { pub fn leaf() {} } fn same() {} #[cfg(unix)] fn same() {} }
            module inline::deeper [pub] in inline | pub mod deeper { pub fn leaf() {} } … pub mod deeper { pub fn leaf() {} }
            function inline::deeper::leaf [pub] in inline::deeper | pub fn leaf() {} … pub fn leaf() {}
            function inline::same in inline | fn same() {} … fn same() {}
            function inline::same-2 in inline ["#[cfg(unix)]"] | #[cfg(unix)] fn same() {} … #[cfg(unix)] fn same() {}
            macro shout! | macro_rules! shout { ($x:expr) => { $x }; } … macro_rules! shout { ($x:expr) => { $x }; }
            macro thread_local!() | thread_local! { static T: u8 = 1; } … thread_local! { static T: u8 = 1; }
            macro lazy::make!() | lazy::make!(a, b); … lazy::make!(a, b);
            function foreign [pub] ["#[link_name = \"x\"]"] | #[link_name = "x"] pub fn foreign(a: u8); … #[link_name = "x"] pub fn foreign(a: u8);
            static ENV | static ENV: u8; … static ENV: u8;
            function both | async unsafe fn both() {} … async unsafe fn both() {}
        "##]],
    );
}

#[test]
fn tests_are_known_by_attribute_and_by_cfg() {
    check(
        r#"
#[test] fn direct() {}
#[tokio::test] async fn by_harness() {}
#[cfg(test)]
mod tests { use super::*; fn helper() {} #[test] fn inner() { fn deep() {} } }
#[cfg(not(test))] mod real { fn f() {} }
mod other { #![cfg(test)] fn g() {} }
"#,
        expect![[r##"
            function direct test ["#[test]"] | #[test] fn direct() {} … #[test] fn direct() {}
            function by_harness test ["#[tokio::test]"] | #[tokio::test] async fn by_harness() {} … #[tokio::test] async fn by_harness() {}
            module tests test ["#[cfg(test)]"] | #[cfg(test)] … mod tests { use super::*; fn helper() {} #[test] fn inner() { fn deep() {} } }
            import tests::use super::* test in tests | use super::*; … use super::*;
            function tests::helper test in tests | fn helper() {} … fn helper() {}
            function tests::inner test in tests ["#[test]"] | #[test] fn inner() { fn deep() {} } … #[test] fn inner() { fn deep() {} }
            function tests::inner::deep test local in tests::inner | fn deep() {} … fn deep() {}
            module real ["#[cfg(not(test))]"] | #[cfg(not(test))] mod real { fn f() {} } … #[cfg(not(test))] mod real { fn f() {} }
            function real::f in real | fn f() {} … fn f() {}
            module other test | mod other { #![cfg(test)] fn g() {} } … mod other { #![cfg(test)] fn g() {} }
            function other::g test in other | fn g() {} … fn g() {}
        "##]],
    );
}

#[test]
fn local_items_hang_under_their_function() {
    check(
        "fn outer() { struct Local; impl Local { fn m(&self) {} } fn inner() {} println!(\"x\"); }\nconst _: () = { fn f() {} };\nconst _: () = ();\n",
        expect![[r#"
            function outer | fn outer() { struct Local; impl Local { fn m(&self) {} } fn inner() {} println!("x"); } … fn outer() { struct Local; impl Local { fn m(&self) {} } fn inner() {} println!("x"); }
            struct outer::Local local in outer | struct Local; … struct Local;
            impl outer::<Local> local in outer | impl Local { fn m(&self) {} } … impl Local { fn m(&self) {} }
            method outer::Local::m local in outer::<Local> | fn m(&self) {} … fn m(&self) {}
            function outer::inner local in outer | fn inner() {} … fn inner() {}
            const _ | const _: () = { fn f() {} }; … const _: () = { fn f() {} };
            function _::f local in _ | fn f() {} … fn f() {}
            const _-2 | const _: () = (); … const _: () = ();
        "#]],
    );
}

#[test]
fn broken_code_keeps_its_neighbours() {
    check(
        "fn good() {}\nfn bad( { let x = ; }\n/// doc\nfn after() { 1 + }\nstruct S { a: }\nfn last() {}\n",
        expect![[r#"
            function good | fn good() {} … fn good() {}
            function bad errors=2 | fn bad( { let x = ; } … fn bad( { let x = ; }
            function after errors=1 | /// doc … fn after() { 1 + }
            struct S errors=1 | struct S { a: } … struct S { a: }
            function last | fn last() {} … fn last() {}
            error 20..20
            error 31..32
            error 59..59
            error 75..75
        "#]],
    );
}

#[test]
fn heads_of_items_that_do_not_parse_are_recovered() {
    check(
        "fn a() { if x {\n}\n/// doc\nfn b() {}\nstruct S;\n",
        expect![[r#"
            function a recovered errors=2 | fn a() { if x { … }
            function b | /// doc … fn b() {}
            struct S | struct S; … struct S;
            error 6..6
            error 7..17
        "#]],
    );
    check(
        "/// doc\n#[inline]\npub async fn a() { let s = \"abc; }\nfn hidden() {}\nfn c() { \"x\" }\n",
        expect![[r##"
            function a [pub] errors=1 ["#[inline]"] | /// doc … pub async fn a() { let s = "abc; }
            function hidden | fn hidden() {} … fn hidden() {}
            function c | fn c() { "x" } … fn c() { "x" }
            error 45..46
        "##]],
    );
    check(
        "struct S {\n    a: [u8\n}\nfn f() { println!(\"{}\", 1 }\nenum E { A(\n",
        expect![[r#"
            struct S errors=1 | struct S { … }
            function f errors=1 | fn f() { println!("{}", 1 } … fn f() { println!("{}", 1 }
            enum E errors=1 | enum E { A( … enum E { A(
            error 21..21
            error 49..49
            error 63..63
        "#]],
    );
}

#[test]
fn what_the_parser_does_not_know_or_end_is_counted() {
    check(
        "/* open\nfn hidden() {}\n",
        expect![[r#"
            function hidden | fn hidden() {} … fn hidden() {}
            error 0..1
        "#]],
    );
    check(
        "unsafe extern \"C\" {\n    /// doc\n    pub safe fn q();\n    safe fn r();\n}\n",
        expect![[r#"
            function q [pub] | /// doc …     pub safe fn q();
            function r | safe fn r(); … safe fn r();
        "#]],
    );
}

#[test]
fn crlf_and_byte_order_mark_are_bytes_like_others() {
    check(
        "\u{feff}/// doc\r\n#[inline]\r\nfn f() {\r\n}\r\n/** block */ fn g() {}\r\n",
        expect![[r##"
            function f ["#[inline]"] | /// doc … }
            function g | /** block */ fn g() {} … /** block */ fn g() {}
        "##]],
    );
}

#[test]
fn the_innermost_item_holds_its_docs_too() {
    let text = "mod m {\n    /// doc\n    fn f() { body() }\n    // gap\n}\nfn g() {}\n";
    let file = parse(text);
    let at = |what: &str| {
        let start = text.find(what).unwrap();
        item_at(&file, ByteSpan::new(start, start + what.len()))
            .map(|idx| file.items[idx].canon.as_str())
    };
    assert_eq!(at("doc"), Some("m::f"));
    assert_eq!(at("body"), Some("m::f"));
    assert_eq!(at("gap"), Some("m"));
    assert_eq!(at("g() {}"), Some("g"));
    assert_eq!(at("}\nfn"), None);
}

#[test]
fn ten_thousand_deep_nesting_is_read() {
    for (open, close) in [("mod a{", "}"), ("fn a(){", "}"), ("(", ")"), ("impl A{fn f(){", "}}")] {
        let text = open.repeat(10_000) + &close.repeat(10_000);
        let file = parse(&text);
        assert!(file.items.len() <= 20_000);
        assert!(file.items.iter().all(|item| item.canon.len() < 1_024));
        read(&text);
        // Nothing but the openings: all is error, nothing falls over.
        parse(&open.repeat(10_000));
    }
}

#[test]
fn empty_and_blank_texts_have_no_items() {
    for text in ["", "\n", "\u{feff}", " \t\r\n", "// only\n"] {
        assert_eq!(parse(text), SourceFile::default(), "{text:?}");
    }
}

/// What callers rely on, whatever the text.
fn is_sound(text: &str, file: &SourceFile) -> Result<(), TestCaseError> {
    let mut names = base::SortedSet::new();
    let mut start = 0;
    for (idx, item) in file.items.iter().enumerate() {
        prop_assert!(item.span.slice(text).is_some() && item.span.contains(item.code_span));
        prop_assert!(start <= item.span.start, "items come by increasing start");
        start = item.span.start;
        prop_assert!(names.insert((item.kind, &item.canon)), "{} twice", item.canon);
        if let Some(parent) = item.parent {
            prop_assert!(parent < idx && file.items[parent].span.contains(item.span));
        }
        for span in [item.name_span, item.body].into_iter().flatten() {
            prop_assert!(span.slice(text).is_some() && item.span.contains(span));
        }
        for span in &item.docs {
            prop_assert!(span.slice(text).is_some_and(|doc| !doc.ends_with('\n')));
        }
        // The innermost item at an item's name is the item.
        if let Some(name) = item.name_span.filter(|name| !name.is_empty()) {
            prop_assert_eq!(item_at(file, name), Some(idx), "{:?} {:#?}", text, file);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3_000) })]

    #[test]
    fn any_text_is_read_soundly(parts in prop::collection::vec(prop::sample::select(vec![
        "fn ", "f", "g", "(", ")", "{", "}", "struct ", "enum ", "impl ", "trait ", "mod ", "use ", "for ", "T", "<", ">", ";", ",",
        "pub ", "pub(crate) ", "const ", "static ", "type ", "= ", "1", ": u8 ", "/// doc\n", "// c\n", "/* ", "*/", "#[test]\n", "#[cfg(test)]", "#![x]",
        "macro_rules! ", "m!", "extern \"C\" ", "safe ", "unsafe ", "async ", "union ", "where ", "::", "\"", "'a", "é🦀", "\r\n", "\n", " ", "\u{feff}", "\0", "->", "!", "&", "let ",
    ]), 0..40)) {
        let text = parts.concat();
        is_sound(&text, &parse(&text))?;
    }
}

#[test]
fn heads_inside_modifiers_that_did_not_parse_stay_in_order() {
    let text = "const struct }enum f}unsafe fn struct ";
    is_sound(text, &parse(text)).unwrap();
}
