//! Text in, items out.

use std::fmt::Write as _;

use base::ByteSpan;
use expect_test::{Expect, expect};
use graftage_syntax::{Descend, item_at, parse, walk};

/// One line an item: kind, canon, flags, attributes, what its name token says, and the edges of
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
        for (flag, on) in [("test", item.is_test), ("local", item.is_local)] {
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
mod inline { pub mod deeper { pub fn leaf() {} } fn twin() {} #[cfg(unix)] fn twin() {} }
macro_rules! shout { ($x:expr) => { $x }; }
thread_local! { static T: u8 = 1; }
lazy::make!(a, b);
extern "C" { #[link_name = "x"] pub fn foreign(a: u8); static ENV: u8; }
async unsafe fn both() {}
"#,
        expect![[r#""#]],
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
        expect![[r#""#]],
    );
}

#[test]
fn local_items_hang_under_their_function() {
    check(
        "fn outer() { struct Local; impl Local { fn m(&self) {} } fn inner() {} println!(\"x\"); }\nconst _: () = { fn f() {} };\nconst _: () = ();\n",
        expect![[r#""#]],
    );
}

#[test]
fn broken_code_keeps_its_neighbours() {
    check(
        "fn good() {}\nfn bad( { let x = ; }\n/// doc\nfn after() { 1 + }\nstruct S { a: }\nfn last() {}\n",
        expect![[r#""#]],
    );
}

#[test]
fn crlf_and_byte_order_mark_are_bytes_like_others() {
    check(
        "\u{feff}/// doc\r\n#[inline]\r\nfn f() {\r\n}\r\n/** block */ fn g() {}\r\n",
        expect![[r#""#]],
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
        let mut nodes = 0_usize;
        walk(&text, &mut |_| {
            nodes += 1;
            Descend::Into
        });
        assert!(nodes > 10_000);
        // Nothing but the openings: all is error, nothing falls over.
        parse(&open.repeat(10_000));
    }
}

#[test]
fn a_walk_can_pass_over_and_stop() {
    let mut seen = Vec::new();
    walk("fn f() { g(); }\nfn h() {}\nfn i() {}", &mut |node| {
        if node.kind == "identifier" {
            seen.push(node.span.start);
        }
        match node.kind {
            "block" => Descend::Over,
            "function_item" if node.span.start > 16 => Descend::Stop,
            _ => Descend::Into,
        }
    });
    assert_eq!(seen, [3, 19]);
}

#[test]
fn empty_and_blank_texts_have_no_items() {
    for text in ["", "\n", "\u{feff}", " \t\r\n", "// only\n"] {
        assert_eq!(parse(text), graftage_syntax::SourceFile::default(), "{text:?}");
    }
}
