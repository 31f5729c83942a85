use std::fmt::Write as _;

use expect_test::{Expect, expect};
use graftage_syntax::{parse, signature_of, token_hash, token_hashes, tree_signature};

/// The exact signature of each item, or the tree's behind a question mark.
fn check(text: &str, expect: Expect) {
    let file = parse(text);
    let mut out = String::new();
    for item in &file.items {
        let tree = tree_signature(text, item);
        match signature_of(text, item) {
            Some(exact) if exact == tree => writeln!(out, "{exact}").unwrap(),
            Some(exact) => writeln!(out, "{exact} | {tree}").unwrap(),
            None => writeln!(out, "? {tree}").unwrap(),
        }
    }
    expect.assert_eq(&out);
}

#[test]
fn signatures_have_one_spelling() {
    check(
        r#"
/// doc
#[inline]
pub(crate) async  unsafe fn f<'a, T: Clone+Copy>( a : &'a  mut T, // why
    b: [u8;3],
) -> Option< T >
where T: 'a,
{ body() }
fn broken(a: ) {}
struct S<T>  { a: T }
pub struct Tuple(pub u8, Vec<u8>);
struct Unit;
enum E<T> where T: Copy { A(T) }
union U { a: u8 }
trait Tr: A + B { fn need(&self)->u8; type Out: Clone; const C: u8; fn have(self: Box<Self>) {} }
impl<T> Tr for S<T> where T: Copy { type Out = u8; const C: u8 = 1; default fn x() {} pub fn y(&self) {} }
unsafe impl !Send for Unit {}
const K : u8 = { 1 };
static mut Z: &str = "x { y";
type A<T> = Vec<T>;
mod m { }
mod decl;
use a::{b, c};
macro_rules! mac { () => {} }
extern "C" { pub fn ext(a: u8, ...); static ENV: u8; }
call!{ x }
"#,
        expect![[r#"
            pub(crate) async unsafe fn f<'a, T: Clone + Copy>(a: &'a mut T, b: [u8; 3]) -> Option<T> where T: 'a
            ? fn broken(a:)
            struct S<T>
            pub struct Tuple(pub u8, Vec<u8>)
            struct Unit
            enum E<T> where T: Copy
            union U
            trait Tr: A + B
            fn need(&self) -> u8
            type Out: Clone
            const C: u8
            fn have(self: Box<Self>)
            impl<T> Tr for S<T> where T: Copy
            type Out = u8
            const C: u8
            default fn x()
            pub fn y(&self)
            unsafe impl !Send for Unit
            const K: u8
            static mut Z: &str
            type A<T> = Vec<T>
            mod m
            mod decl
            use a::{b, c}
            macro_rules! mac
            pub fn ext(a: u8, ...)
            static ENV: u8
            call!
        "#]],
    );
    let first = |text: &str| signature_of(text, parse(text).items.first()?);
    assert_eq!(first("fn  f ( ) { x }").as_deref(), Some("fn f()"));
    assert_eq!(first("fn f("), None);
}

#[test]
fn a_token_hash_sees_tokens_alone() {
    let hash = |text: &str| token_hash(text, &parse(text).items[0]);
    let one = hash("/// doc\n#[a] fn f() { x + 1; 'a'; \"s\" }");
    for same in [
        "/// doc  \r\n  #[ a ]\n// c\nfn f( ){/* c */x+1 ;'a';\"s\"}",
        "\n\n/// doc\n#[a]fn f() { x + 1; 'a'; \"s\" }\n// behind",
    ] {
        assert_eq!(hash(same), one, "{same}");
    }
    for other in [
        "/// doc2\n#[a] fn f() { x + 1; 'a'; \"s\" }",
        "#[a] fn f() { x + 1; 'a'; \"s\" }",
        "/// doc\nfn f() { x + 1; 'a'; \"s\" }",
        "/// doc\n#[a] fn f() { x + 1; 'a'; \" s\" }",
        "/// doc\n#[a] fn f() { x + 11; 'a'; \"s\" }",
        "/// doc\n#[a] fn f() { x += 1; 'a'; \"s\" }",
    ] {
        assert_ne!(hash(other), one, "{other}");
    }
}

#[test]
fn hashes_of_a_file_are_those_of_its_items() {
    let text = "mod m { // c\n /// d\n fn a() { r#\"x // \"#; '\\''; b'\"'; 'x: loop {} } }\nimpl<'a> S<'a> { fn b(&'a self) {} }\ncall!{ a };";
    let file = parse(text);
    let each: Vec<_> = file.items.iter().map(|it| token_hash(text, it)).collect();
    assert_eq!(token_hashes(text, &file), each);
    let changed = text.replace("loop {}", "loop { }").replace("// c", "//");
    assert_eq!(token_hashes(&changed, &parse(&changed)), each);
    let changed = text.replace("loop {}", "loop { x }");
    let hashes = token_hashes(&changed, &parse(&changed));
    let same: Vec<bool> = hashes.iter().zip(&each).map(|(a, b)| a == b).collect();
    assert_eq!(same, [false, false, true, true, true]);
}
