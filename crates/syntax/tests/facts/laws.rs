//! What holds of any text.

use base::SortedSet;

use graftage_syntax::facts::{Expr, FileFacts, Name, Pat, Shape, UseWhat};
use graftage_syntax::{Item, expand, parse, passthrough, read, signature_of, token_hashes};
use proptest::prelude::*;

use crate::printer::print;

/// Texts that people wrote.
const REAL: [&str; 5] = [
    include_str!("../../src/lower/expr.rs"),
    include_str!("../../src/expand/matching.rs"),
    include_str!("../../src/tree.rs"),
    include_str!("macros.rs"),
    SAMPLE,
];

const SAMPLE: &str = r#"
cfg_rt! { pub fn spawn(a: u8) -> u8 { g!(a.b(), "{c}") } mod m { cfg_deep! { use a::b; } } }
impl<T: Clone> Tr<T> for S<T> where Vec<T>: Send { fn go(&mut self, (a, b): (u8, u8)) -> impl Fn(u8) -> T { assert!(matches!(a, 1 | 2 if b > 1), "{a} {b}"); self.x.y(|z| z?)[1].await } }
fn f() { let Some(x) = m!{ let y = 1; y } else { return }; match x { S { a, .. } => vec![a; 3], _ => {} } cfg_rt! { use c::d; fn inner() {} } }
macro_rules! m { ($($i:item)*) => { $(#[cfg(a)] $i)* } }
"#;

/// Every number leads somewhere (printing follows them), every offset is where its name is, items
/// are those of `parse`.
fn is_sound(text: &str) -> Result<(), TestCaseError> {
    let facts = read(text);
    print(&facts);
    items_are_those_of_parse(text, &facts)?;
    let has = |offset: u32, name: Name| -> Result<(), TestCaseError> {
        let at = text.get(offset as usize..).unwrap_or("");
        let name = &*facts.names[name.idx()];
        let is_raw = at.strip_prefix("r#").is_some_and(|it| it.starts_with(name));
        prop_assert!(is_raw || at.starts_with(name), "{name:?} is not at {offset}");
        Ok(())
    };
    for segment in facts.paths.iter().flat_map(|it| &it.segments) {
        has(segment.offset, segment.name)?;
    }
    for it in &facts.uses {
        prop_assert!(text.is_char_boundary(it.offset as usize));
        if it.what == UseWhat::Glob {
            continue;
        }
        prop_assert!(!it.path.is_empty());
    }
    for decl in &facts.decls {
        if let Shape::Enum(variants) = &decl.shape {
            for variant in variants {
                has(variant.offset, variant.name)?;
            }
        }
    }
    for body in &facts.bodies {
        prop_assert!((body.item as usize) < facts.file.items.len());
        for expr in &body.exprs {
            match expr {
                Expr::MethodCall { offset, name, .. } | Expr::Field(_, name, offset) => {
                    has(*offset, *name)?;
                }
                Expr::Macro { tokens, .. } => {
                    let tokens = tokens.0 as usize..tokens.1 as usize;
                    prop_assert!(text.get(tokens).is_some());
                }
                _ => {}
            }
        }
        for pat in &body.pats {
            if let Pat::Bind { name, offset, .. } = pat {
                has(*offset, *name)?;
            }
        }
    }
    prop_assert_eq!(token_hashes(text, &facts.file).len(), facts.file.items.len());
    Ok(())
}

fn items_are_those_of_parse(text: &str, facts: &FileFacts) -> Result<(), TestCaseError> {
    let items = &facts.file.items;
    prop_assert_eq!(facts.decls.len(), items.len());
    let plain = parse(text);
    prop_assert_eq!(&facts.file.parse_errors, &plain.parse_errors);
    // Where the items that `parse` knows stand among those of `read`.
    let known: Vec<usize> = (0..items.len()).filter(|&it| !facts.decls[it].in_macro_call).collect();
    let renumbered: Vec<Item> = known
        .iter()
        .map(|&idx| {
            let parent = items[idx].parent.map(|it| known.binary_search(&it).unwrap());
            Item { parent, ..items[idx].clone() }
        })
        .collect();
    prop_assert_eq!(renumbered, plain.items);
    let mut names = SortedSet::new();
    let mut start = 0;
    for (idx, item) in items.iter().enumerate() {
        prop_assert!(names.insert((item.kind, &item.canon)), "{} twice", item.canon);
        prop_assert!(item.span.slice(text).is_some() && item.span.contains(item.code_span));
        prop_assert!(start <= item.span.start, "items come by increasing start");
        start = item.span.start;
        if let Some(parent) = item.parent {
            prop_assert!(parent < idx && items[parent].span.contains(item.span));
        }
        for span in [item.name_span, item.body].into_iter().flatten() {
            prop_assert!(span.slice(text).is_some() && item.span.contains(span));
        }
    }
    Ok(())
}

/// A real text with a few pieces of it overwritten.
fn mutated() -> impl Strategy<Value = String> {
    let words = vec![
        "", "", "{", "}", "(", ")", "[", "]", "\"", "'", "/*", "//", ";", ",", "!", "fn ",
        "mod x {", "m!{", "é", "$", "#[", "=>", "r#\"", "\n",
    ];
    let edit = (any::<prop::sample::Index>(), 0..40_usize, prop::sample::select(words));
    let edits = prop::collection::vec(edit, 0..4);
    (prop::sample::select(REAL.to_vec()), edits).prop_map(|(text, edits)| {
        let mut text = text.to_owned();
        for (at, len, word) in edits {
            let boundary = |mut at: usize| {
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let start = boundary(at.index(text.len() + 1));
            let end = boundary((start + len).min(text.len())).max(start);
            text.replace_range(start..end, word);
        }
        text
    })
}

#[test]
fn real_texts_are_read_whole() {
    for text in REAL {
        is_sound(text).unwrap();
    }
}

/// Found by the law of any pieces, once in some 100,000 texts.
#[test]
fn rare_texts_are_read_soundly() {
    for text in ["use ::if as T", "fn f() { \r\n \"é🦀f }\nm! { \r\n \"é🦀f }"] {
        is_sound(text).unwrap();
    }
}

#[test]
fn ten_thousand_deep_nesting_is_read() {
    for (open, close, count) in [
        ("mod a{", "}", 10_000),
        ("fn a(){", "}", 10_000),
        ("(", ")", 10_000),
        ("m!{", "}", 10_000),
        ("x.y(|a|", ")", 10_000),
        ("if a {} else ", "", 10_000),
        ("a::", "", 10_000),
        ("&", "", 10_000),
        ("use {a::", "};", 2_500),
        // The parser itself is slow at these.
        ("fn a(){m!(", ")}", 2_500),
        ("static A: T<", ">=1;", 1_000),
    ] {
        let code = open.repeat(count) + &close.repeat(count);
        let text = format!("fn f() {{ {code} }}");
        let facts = read(&text);
        assert_eq!(facts.decls.len(), facts.file.items.len());
        assert_ne!(signature_of(&text, &facts.file.items[0]).as_deref(), Some(""));
        assert_eq!(expand("macro_rules! m { ($e:expr) => { $e } }", &format!("({code})")), None);
    }
}

#[test]
fn long_chains_are_read_whole() {
    let text = format!("fn f() {{ a{} }}", ".b(c)?".repeat(3_000));
    let facts = read(&text);
    let calls = |it: &&Expr| matches!(it, Expr::MethodCall { .. });
    assert_eq!(facts.bodies[0].exprs.iter().filter(calls).count(), 3_000);
    let text = format!("fn f() {{ a{} }}", " + b".repeat(10_000));
    let facts = read(&text);
    let sums = |it: &&Expr| matches!(it, Expr::Binary(..));
    assert_eq!(facts.bodies[0].exprs.iter().filter(sums).count(), 10_000);
}

#[test]
fn empty_texts_say_nothing() {
    for text in ["", "\n", "\u{feff}", "// only\n"] {
        assert_eq!(read(text), FileFacts::default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn mutations_of_real_text_are_read_soundly(text in mutated()) {
        is_sound(&text)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(250) })]

    #[test]
    fn any_pieces_are_read_soundly(parts in prop::collection::vec(prop::sample::select(vec![
        "fn ", "f", "g", "(", ")", "{", "}", "[", "]", "struct ", "enum ", "impl ", "trait ", "mod ", "use ", "for ", "T", "<", ">", ";", ",",
        "pub ", "const ", "static ", "type ", "= ", "1", ": u8 ", "/// doc\n", "// c\n", "#[cfg(a)]", "#![x]", "macro_rules! ", "m!", "cfg_x! { ", "println!(\"{x}\"",
        "let ", "if ", "else ", "match ", "=> ", "|", ".", "..", "?", "&", "self", "Self", "crate", "::", "\"", "'a", "é🦀", "\r\n", " ", "\0", "->", "await", "async ", "as ", "_", "@", "$",
    ]), 0..40)) {
        let text = parts.concat();
        is_sound(&text)?;
        let wrapped = format!("fn wrapped() {{ {text} }}\nm! {{ {text} }}");
        is_sound(&wrapped)?;
        // Total: no panic, whatever comes out.
        drop(expand(&text, "(a, b)"));
        drop(expand("macro_rules! m { ($($e:expr),*) => { $($e)* }; ($($i:item)*) => { $($i)* } }", &format!("({text})")));
        drop(passthrough(&text));
    }
}
