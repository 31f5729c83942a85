use proptest::prelude::*;

use super::{Refusal, Shape};
use crate::read::grammar_tree;
use crate::tree::{Field, Kind, Tree};

/// The nodes that anybody may ask for, each with its place in the tree.
fn nodes(tree: &Tree) -> Vec<String> {
    let mut open: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    for (number, node) in (0..).zip(&tree.nodes) {
        while open.last().is_some_and(|after| number >= *after) {
            open.pop();
        }
        if node.is_named() || node.kind != Kind::Other || node.field != Field::Other {
            found.push(format!(
                "{}{:?} {:?} {}..{} {} {}",
                " ".repeat(open.len()),
                node.kind,
                node.field,
                node.start,
                node.end,
                node.is_named(),
                node.has_item()
            ));
        }
        open.push(node.after);
    }
    found
}

/// The tree is that of the grammar. Whether there is one.
fn is_that_of_the_grammar(text: &str) -> bool {
    let Some(tree) = super::tree(text) else { return false };
    let grammar = grammar_tree(text);
    assert_eq!(Some(nodes(&tree)), grammar.map(|it| nodes(&it)), "{text}");
    true
}

const PLAIN: [&str; 6] = [
    include_str!("mod.rs"),
    include_str!("operators.rs"),
    include_str!("tokens.rs"),
    include_str!("../tree.rs"),
    include_str!("../lower/expr.rs"),
    SAMPLE,
];

const SAMPLE: &str = r##"//! Of the file.
#![allow(unused)]
use a::{self, b::*, c as _, d::{e, super::f}};
pub(crate) use ::x::y;
extern crate alloc as core;
/// Doc. /* none */
#[derive(Debug)] /* one */
pub struct S<'a, T: ?Sized + 'a = u8, const N: usize = 3>(pub(in a::b) &'a mut T, #[x] [u8; N]) where T: for<'b> Fn(&'b u8) -> u8;
union U { a: u8, b: *const str }
enum E { A = 1, #[x] B(u8), C { d: fn(u8, ..., _: !) -> () }, }
unsafe impl<T> !Send for &'static dyn A<B = T, 3, { N }> {}
impl a::B<T>::C { default async unsafe extern "C" fn f<'a>(&'a mut self, mut x: u8, (a, b): (u8, u8)) -> impl A + 'a; }
pub trait A: B + 'static where Self: Sized { type C<'a>: D; type E = <F as G>::H; const I: u8; fn j(self: Box<Self>) {} }
extern "C" { static mut A: u8; fn f(x: u8, ...); }
macro_rules! m { ($($a:expr),*) => { $($a)* } }
macro_rules! n (() => {});
m!(a, 1.5, "b"); m! { fn f() {} } m![0x80..=0xbf, union];
static A: u8 = { 1 };
async fn f() -> ! {
    let mut a: Vec<<A as B>::C> = b.c::<D>(e)?.f.0.1[g].await as u8 < h, i;
}
fn g() {
    let A { a, ref mut b, c: d @ (1 | 2), .. } = x else { return };
    if let Some(_) = a && b == c && let d = e {} else if f {} else { g }
    'a: loop { break 'a 1; } while x < y { continue 'a } for _ in 0..n {}
    match x { A::B(..) | C { .. } if let D = e => 1, -1..=2 | 'a'.. => {} &mut _ => {}.a(), [a, .., b] => return, }
    a.b = c = d; e += -*f & !g << 1 == &raw const h; i = ..=j; k(..*l, 1..);
    let a = |b, mut c: u8, &d| -> u8 { e }; move || async move { f };
    A::<B> { c, d: 1, ..e }; f::g::<H>::i(|_| 1..2, (), (a,), (b), [c; 2], [d, e,]);
    unsafe { a } const { b }; m!(a).b(); m! {} /* two */ m!(c) + 1;
    /// Doc of a statement.
    #[cfg(x)] struct L;
    matches!(x, 1 /* c */ | 2 /* d */)
}
"##;

#[test]
fn what_people_write_is_plain_and_has_the_tree_of_the_grammar() {
    for text in PLAIN {
        let lines = text.replace("as u8 < h, i;", "as u8 < h;");
        let lines = lines.replace("impl a::B<T>::C", "impl a::B<T>").replace("super::f", "f");
        assert!(is_that_of_the_grammar(&lines));
        is_that_of_the_grammar(text);
        is_that_of_the_grammar(&text.replace('\n', "\r\n"));
    }
}

#[test]
fn what_is_rarer_has_the_tree_of_the_grammar_too() {
    for text in [
        "fn f() { write!(f, \"{}\", self.0); m!(a.1, b.22, c) }",
        "fn f<'a, T>(a: &'a T) -> impl A<B = C> + use<'a, T> { a }",
        "fn f() -> Result<impl A + D + use<F, >, E> { g }",
        "fn f(a: impl 'static + A, b: impl '_ + B<C = D> + Send + Sync) {}",
        "fn f(a: Vec<impl 'a + b::C>) -> impl 'a + Fn(u8) -> u8 { a }",
        "trait A { type B: C<D<'a> = E, F<G, 'h> = &'h u8, I = J>; }",
        "fn f(a: Box<dyn A<B<'a> = C> + 'a>) where D: for<'b> E<F<'b> = G> {}",
        "fn f() { match a { B::C::<D>(e) => 1, F::<G>(h, ..) | I::<J, K>(_) => 2 } }",
        "fn f() { if let Some::<u8>(a) = b {} }",
        "type A = Token![=]; struct B(Token![::], Token![=>], Token![&], Token![..], Token![->]);",
        "fn f() { a::<Token![!]>(); b(Token![&&]); Token![<<=](c); syn::Token![,]; d![+ - * / %] }",
        "fn f() { u8!(a); str![[r#\"b\"#]]; a::bool! { c }; char ! (d); a != b } str! { e }",
        "fn f() { a![!=]; b![<]; c![>>]; d![|]; e![||]; g![^=]; h![@]; i![?]; j![#]; k![;]; l![:] }",
        "fn f() { a![= =]; b![..=]; c![...]; d![.]; e![fn = &]; g![== !]; h![+=]; i![& mut] }",
    ] {
        assert!(is_that_of_the_grammar(text), "{text}");
    }
    for text in [
        "m!(a.0.1)",
        "fn f() -> impl A + use<> {}",
        "m!(a, b.0..)",
        "m![= 'a]",
        "type A = B<C::D<'a> = E>;",
    ] {
        is_that_of_the_grammar(text);
    }
}

#[test]
fn what_the_grammar_reads_otherwise_is_left_to_it() {
    for text in [
        "#!/bin/sh\nfn f() {}",
        "fn f() { break (a, b) }",
        "fn f() { a = b..(c + 1); }",
        "fn f() { |a| a..(b) }",
        "fn f() { if a {} <<A as B>::C>::d() }",
        "type A = Vec::<u8>;",
        "type A = fn(&_);",
        "fn f() { x as T < y }",
        "fn é() {}",
        "m!($ a ~ b);",
        "fn f() {",
        "fn f() { a b }",
    ] {
        assert!(super::tree(text).is_none(), "{text}");
    }
}

#[test]
fn what_is_nested_too_deep_is_left_to_who_needs_no_stack() {
    let deep = format!("fn f() {{ {}1{} }}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(super::tree(&deep).is_none());
    let deep = format!("type A = {}u8;", "&".repeat(100_000));
    assert!(super::tree(&deep).is_none());
    let long = format!("fn f() {{ 1{} }}", " + a.b()".repeat(10_000));
    assert!(is_that_of_the_grammar(&long));
}

/// Why the tokens are refused as what they may stand for; that the grammar takes them for no such
/// thing, or for nothing, is looked at.
fn refused(tokens: &str) -> Vec<Refusal> {
    let ways = [
        (Shape::Items, "mod m{", "\n}\n"),
        (Shape::Arguments, "fn f(){f(", "\n)}\n"),
        (Shape::Array, "fn f(){[", "\n]}\n"),
        (Shape::Block, "fn f(){", "\n}\n"),
    ];
    let is_read = ways.each_ref().map(|(_, before, after)| {
        crate::walk::clean_tree(&format!("{before}{tokens}{after}")).is_some()
    });
    let mut found = Vec::new();
    for ((shape, ..), is_read_so) in ways.iter().zip(is_read) {
        let mut tree = Tree::default();
        let refusal = super::piece(tokens, 0..tokens.len() as u32, shape, &mut tree).err();
        match refusal {
            Some(Refusal::NotSo) => assert!(!is_read_so, "{shape:?}: {tokens}"),
            Some(Refusal::Nothing) => assert_eq!(is_read, [false; 4], "{shape:?}: {tokens}"),
            Some(Refusal::Unsure) | None => {}
        }
        found.extend(refusal);
    }
    found
}

#[test]
fn what_is_no_rust_to_the_grammar_either_is_known_as_such() {
    for text in ["impl #name { fn f() {} }", "a(b, #(#c),*)", "fn f() { m!(x) } #x"] {
        assert!(refused(text).contains(&Refusal::Nothing), "{text}");
    }
    for text in ["#[test] fn [<test_ $t>]() { a }", "mod m { async fn [<f>]() {} }"] {
        assert!(refused(text).contains(&Refusal::NotSo), "{text}");
    }
    for text in [
        "m!(#a); x y",
        "m! { fn [<a>]() {} } x y",
        "#[a(#b)] x y",
        "macro_rules! m { (#a) => {} } x y",
        "#![a] x y",
        "x y",
    ] {
        assert!(refused(text).iter().all(|it| *it == Refusal::Unsure), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// A word taken out, doubled or put elsewhere: either refused or read as the grammar does.
    #[test]
    fn a_changed_text_is_refused_or_has_the_tree_of_the_grammar(
        which in 0..PLAIN.len(), from in 0.0..1.0_f64, to in 0.0..1.0_f64, what in 0..3_usize,
    ) {
        let text = PLAIN[which];
        // Of the longer texts a part, so that what is changed counts.
        let items: Vec<&str> = text.split("\n}\n").collect();
        let item = format!("{}\n}}\n", items[(from * items.len() as f64) as usize]);
        let mut words: Vec<&str> = item.split_inclusive([' ', '(', ')', ';', ',', '.']).collect();
        let place = |at: f64| (at * words.len() as f64) as usize;
        let (one, two) = (place((from * 37.0).fract()), place(to));
        match what {
            0 => drop(words.remove(one)),
            1 => words.insert(one, words[two]),
            _ => words.swap(one, two),
        }
        is_that_of_the_grammar(&words.concat());
    }

    /// What is refused for good no way through the grammar leads to.
    #[test]
    fn what_is_refused_for_good_the_grammar_does_not_read(parts in prop::collection::vec(
        prop::sample::select(vec![
            "#", "#a", "#[a]", "#(", ")", "fn", "fn [", "]", "fn f() {", "}", "m!(", "m! {", "a", ", ", ";", "$x", "::",
            "impl T for U {", "let x = ", "a.fn", "| b |", "=> ", "mod m {", "macro_rules! m {", "#![a(", "\"c\"", "<", ">", "!", "&",
        ]), 0..14))
    {
        refused(&parts.join(" "));
        refused(&parts.concat());
    }
}
