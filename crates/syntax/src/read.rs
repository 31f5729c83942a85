//! One reading for all: items, declarations, bodies.

use crate::compact::Compact;
use crate::delimiters::recovered;
use crate::facts::FileFacts;
use crate::parse::{items, unreadable};
use crate::piece::read_pieces;
use crate::tree::Tree;

/// Reads all that a text says: one parse, one walk. Items are those of [`crate::parse`], and
/// besides them those in macro calls.
pub fn read(text: &str) -> FileFacts {
    read_by(text, Writer::Person)
}

/// Reads what a macro made. Its lines were never typed: where they do not parse they are another
/// macro's words, and what looks for slips in them finds nothing and takes as long as reading does.
pub fn read_made(text: &str) -> FileFacts {
    read_by(text, Writer::Macro)
}

/// Who wrote a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    /// Who may just be typing: what is broken is kept from its neighbours.
    Person,
    /// Nobody's slip breaks it.
    Macro,
}

fn read_by(text: &str, writer: Writer) -> FileFacts {
    match compact_tree(text) {
        Some(tree) => read_tree(text, tree, true, writer),
        None => match whole_tree(text, writer) {
            Some(tree) => read_tree(text, tree, false, writer),
            None => FileFacts { file: unreadable(text), ..FileFacts::default() },
        },
    }
}

fn read_tree(text: &str, mut tree: Tree, is_compact: bool, writer: Writer) -> FileFacts {
    let pieces = read_pieces(text, &mut tree, is_compact, writer);
    let items = items(text, &tree, &pieces);
    crate::lower::lower(text, &tree, &pieces, items)
}

/// The nodes of a text; `None` where the parser cannot take it at all.
pub(crate) fn tree(text: &str) -> Option<Tree> {
    compact_tree(text).or_else(|| whole_tree(text, Writer::Person))
}

/// The nodes of a text in which nothing is wrong.
fn compact_tree(text: &str) -> Option<Tree> {
    crate::descent::tree(text).or_else(|| grammar_tree(text))
}

/// The same by the tables of the grammar.
pub(crate) fn grammar_tree(text: &str) -> Option<Tree> {
    // The bounds of the parser hold for the text as it is.
    u32::try_from(text.len()).ok()?;
    let compact = Compact::of(text);
    let parsed = crate::walk::clean_tree(&compact.text)?;
    let mut tree = Tree::default();
    tree.add(&parsed, &compact).is_faithful.then_some(tree)
}

/// The nodes of a text as it is written.
fn whole_tree(text: &str, writer: Writer) -> Option<Tree> {
    let parsed = recovered(text, crate::walk::tree(text)?, writer);
    let mut tree = Tree::default();
    tree.add(&parsed, &Compact::default());
    Some(tree)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is left out changes nothing.
    fn is_as_whole(text: &str) {
        if let Some(tree) = compact_tree(text) {
            let by = Writer::Person;
            let whole = whole_tree(text, by).map(|it| read_tree(text, it, false, by));
            assert_eq!(Some(read_tree(text, tree, true, by)), whole, "{text}");
        }
    }

    const REAL: [&str; 5] = [
        include_str!("tree.rs"),
        include_str!("lower/expr.rs"),
        include_str!("expand/matching.rs"),
        include_str!("../tests/facts/macros.rs"),
        SAMPLE,
    ];

    const SAMPLE: &str = r##"//! Of the file.
/// First
/// second.
#[cfg(all(unix, // why
    feature = "a"))] // behind
#[doc = "text"]
pub struct S { /** block */ a: u8,// at once
    b: &'static str }
impl S {
    /// Of f.
    // plain
    #[inline(always)] /* in between */ fn f(&self) -> bool {
        let x = "a \" b {c}\n" /* c */;let y = r#"raw " text"#; let z = br"b"; // end
        if !(x == y) { return ![true, false][0] } /// of nothing
        println!("{x} {}", self.g(|a| a + 1)? /* c */, /* d */ y = z.h());
        matches!(x, Some(1) | None if x.y(b'"') && c == '"' || d == '\'');
        vec![a.b(); 3]; vec![]; m!( ); m!(/* c */); m!(a, 1.5, "b"); Token![:]; Token![fn];
        m! { let z = 1; /// doc
            fn inner() { n!(o.p(), [q]) } inner() }
        a // c
            .b()
    }
}
cfg_rt! { /// Doc of a.
    #[derive(Debug)] pub struct A(u8); // c
    mod n { cfg_deep! { use a::{b, c as d}; } }
    macro_rules! k { ($a:expr $(, $b:ident)*) => { $a.c($($b),*) }; } }
macro_rules! l [ () => { "(" } ];
#[macro_export] macro_rules! p ( ($($i:item)*) => { $(#[cfg(a)] $i)* } );
fn g<'a>(x: &'a u8) -> char { 'l: loop { break 'l } 'é' }
"##;

    #[test]
    fn what_people_wrote_reads_as_the_whole_text_does() {
        for text in REAL {
            assert!(compact_tree(text).is_some());
            is_as_whole(text);
            is_as_whole(&text.replace('\n', "\r\n"));
            is_as_whole(&text.replace('\n', " \t \n"));
        }
    }

    #[test]
    fn an_operator_before_brackets_is_no_macro_call() {
        for text in ["fn f() { yield !(a.b(), c) }", "fn f() { x = do !{ a.b(); c } }"] {
            is_as_whole(text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

        #[test]
        fn pieces_of_code_read_as_the_whole_text_does(parts in prop::collection::vec(prop::sample::select(vec![
            "fn f() { a.b(c); }", "struct S;", "/// doc\n", "// c\n", "/* c */", " ", "\n    ", "#[cfg(a(b))]",
            "#[doc = \"x\"]", "#[d]", "use a::{b, c};", "m! { a.b(), \"c\" }", "m!(x; y.z());", "mod m { fn g() {} }",
            "macro_rules! n { ($a:ident) => { $a() }; }", "cfg! { fn h() { o![p.q()] } }", "const A: &str = r#\"b\"#;",
            "static B: [u8; 2] = [b'\"', b'\\''];", "impl T for U { type V = &'static W<'static>; }", "const _: () = { if !(a) { m!(b!(c.d())) } };",
        ]), 0..12)) {
            is_as_whole(&parts.concat());
        }
    }
}
