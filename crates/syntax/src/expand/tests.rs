//! `macro_rules!` definitions and calls as text, and the expansion or `None`.

use expect_test::{Expect, expect};

use super::*;

fn check(definition: &str, call: &str, want: Expect) {
    let expansion = expand(definition, call);
    if let Some(expansion) = &expansion {
        for origin in &expansion.origins {
            let part = |text: &str, at: u32| {
                let at = at as usize;
                text.get(at..at + origin.len as usize).map(str::to_owned)
            };
            let source = match origin.source {
                TokenSource::Definition => definition,
                TokenSource::Call => call,
            };
            assert_eq!(part(&expansion.text, origin.start), part(source, origin.offset));
        }
    }
    want.assert_eq(&expansion.map_or_else(|| "none".to_owned(), |it| it.text));
}

#[test]
fn repetitions_nest_and_keep_their_separators() {
    check(
        "macro_rules! m { ($($name:ident { $($field:ident : $ty:ty),* $(,)? })+) => { $( struct $name { $($field: Option<$ty>,)* } impl $name { $(fn $field(&self) -> &$ty { self.$field.as_ref() })* } )+ } }",
        "{ A { x: u8, y: Vec<String>, } B {} }",
        expect![
            "struct A { x : Option< u8 >, y : Option< Vec<String> >, } impl A { fn x (&self) -> & u8 { self. x .as_ref() } fn y (&self) -> & Vec<String> { self. y .as_ref() } } struct B { } impl B { }"
        ],
    );
    check(
        "macro_rules! m { ($($a:expr),+ ; $($b:tt)=>*) => { f($($a),+ ; $($b)+*) } }",
        "(1 + 2, g(x); a => { b } => ..=)",
        expect!["f( (1 + 2) , g(x) ; a { b } ..= *)"],
    );
}

#[test]
fn docs_among_tokens_that_are_passed_on_stay_docs() {
    check(
        "macro_rules! m { ($($t:tt)*) => { mod a { $($t)* } } }",
        "{ //! Of a.\n/// One\n/// two.\nfn f() {} }",
        expect![[r#"
            mod a { //! Of a.
            /// One
            /// two.
            fn f () {} }"#]],
    );
}

#[test]
fn the_first_arm_that_matches_is_taken() {
    let definition = "macro_rules! m {
        () => { nothing };
        ($a:ident = $b:tt) => { one $a $b };
        ($a:ident == $b:tt) => { two $a $b };
        ($a:expr) => { three $a };
        ($a:expr, $($rest:tt)*) => { four $a $crate::m!($($rest)*) };
    }";
    check(definition, "()", expect!["nothing"]);
    check(definition, "(a = 1)", expect!["one a 1"]);
    check(definition, "(a == 1)", expect!["two a 1"]);
    check(definition, "(1 + a)", expect!["three (1 + a)"]);
    check(definition, "(a.b(), c, d)", expect!["four a.b() $crate::m!( c , d )"]);
}

#[test]
fn a_macro_that_is_defined_keeps_its_own_variables() {
    check(
        "macro_rules! m { ($n:ident, $t:ty) => { macro_rules! $n { ($e:expr) => { $e as $t } } } }",
        "(conv, u8)",
        expect!["macro_rules! conv { ($e:expr) => { $e as u8 } }"],
    );
}

#[test]
fn every_kind_of_fragment_is_read() {
    let one = |kind: &str, call: &str, want: Expect| {
        check(&format!("macro_rules! m {{ ($f:{kind}) => {{ <$f> }} }}"), call, want);
    };
    one("ident", "(r#type)", expect!["< r#type >"]);
    one("ty", "(&'a mut dyn Tr<A = B>)", expect!["< &'a mut dyn Tr<A = B> >"]);
    one("expr", "(-a.b(|x| x + 1)?)", expect!["< (-a.b(|x| x + 1)?) >"]);
    one("pat", "(Some(x) | None)", expect!["< Some(x) | None >"]);
    one("pat_param", "(Some(ref x))", expect!["< Some(ref x) >"]);
    one("stmt", "(let x: u8 = 1)", expect!["< let x: u8 = 1 >"]);
    one("stmt", "(a += 1)", expect!["< a += 1 >"]);
    one("block", "({ a; b })", expect!["< { a; b } >"]);
    one(
        "item",
        "(/// doc\n#[inline] pub fn f() { /* c */ })",
        expect![[r#"
        < /// doc
        #[inline] pub fn f() { /* c */ } >"#]],
    );
    one("vis", "(pub(crate))", expect!["< pub(crate) >"]);
    one("lifetime", "('a)", expect!["< 'a >"]);
    one("literal", "(-1u8)", expect!["< -1u8 >"]);
    one("path", "(a::b::<C>)", expect!["< a::b::<C> >"]);
    one("meta", "(cfg(all(a, b)))", expect!["< cfg(all(a, b)) >"]);
    one("tt", "(=>)", expect!["< => >"]);
    one("tt", "([a, b])", expect!["< [a, b] >"]);
}

#[test]
fn visibility_may_be_absent_and_docs_are_attributes() {
    let definition = "macro_rules! m { ($(#[$m:meta])* $v:vis struct $n:ident;) => { $(#[$m])* $v struct $n(u8); /// own\n impl $n {} } }";
    check(
        definition,
        "{ /// text\n #[derive(Debug)] pub struct S; }",
        expect![[r##"
        #[ doc = "" ] #[ derive(Debug) ] pub struct S (u8); /// own
        impl S {}"##]],
    );
    check(
        definition,
        "{ struct S; }",
        expect![[r#"
        struct S (u8); /// own
        impl S {}"#]],
    );
}

#[test]
fn what_is_not_certain_has_no_expansion() {
    let none = |definition: &str, call: &str| check(definition, call, expect!["none"]);
    none("macro_rules! m { ($a:ident) => {} }", "(a b)");
    // Two ways at once, one with a fragment: rustc refuses it.
    none("macro_rules! m { ($($a:ident)* $b:ident) => {} }", "(a b)");
    // An expression begins, but does not parse: rustc stops here.
    none("macro_rules! m { ($a:expr) => {}; ($($t:tt)*) => {} }", "(a +)");
    none("macro_rules! m { ($a:new_kind) => {} }", "(a)");
    none("macro_rules! m { ($($a:tt)*) => { $a } }", "(a)");
    none("macro_rules! m { ($a:tt) => { $b } }", "(a)");
    none("macro_rules! m { ($a:tt) => { n! { $b } } }", "(a)");
    none("macro_rules! m { ($($a:tt)* ; $($b:tt),*) => { $($a $b)* } }", "(a; b, c)");
    none("macro_rules! m { () => { ${count(a)} } }", "()");
    none("fn f() {}", "()");
    none("macro_rules! m {", "()");
    none("macro_rules! m { () => {} }", "a");
    let deep = format!("({})", "(".repeat(5_000) + &")".repeat(5_000));
    none("macro_rules! m { ($a:expr) => { $a } }", &deep);
    let long = "macro_rules! m { ($($a:tt)*) => { $($a $($a)* )* } }";
    none(long, "(a b)");
}

#[test]
fn macros_that_hand_items_on_are_known() {
    let check = |definition: &str, want: Option<(Option<&str>, bool)>| {
        let found = passthrough(definition);
        let found = found.as_ref().map(|it| (it.cfg.as_deref(), it.takes_cfg));
        assert_eq!(found, want, "{definition}");
    };
    check(
        "#[doc(hidden)]\nmacro_rules! cfg_rt { ($($item:item)*) => { $( #[cfg(feature=\"rt\")] #[cfg_attr(docsrs, doc(cfg(feature = \"rt\")))] $item )* } }",
        Some((Some("feature = \"rt\""), false)),
    );
    check("macro_rules! m { ($($t:tt)*) => { $($t)* } }", Some((None, false)));
    check("macro_rules! m { ($($t:tt)*) => { $(#[derive(X)] $t)* } }", None);
    check("macro_rules! m { ($($t:tt)*) => { } }", None);
    check("macro_rules! m { ($($i:item)*) => { mod x { $($i)* } } }", None);
    check("macro_rules! m { ($($i:item)*) => { $(#[test_case] fn x() {} $i)* } }", None);
    check(
        "macro_rules! feature { (#![$meta:meta] $($item:item)*) => { $( #[cfg($meta)] $item )* } }",
        Some((None, true)),
    );
    let feature = Passthrough { cfg: Some("a".to_owned()), takes_cfg: true };
    let call = "{ #![any(unix,feature = \"x]\")] fn f() {} }";
    assert!(feature.cfg_of(call).is_some());
    assert_eq!(
        feature.cfg_of("{ #![any(unix,b)] fn f() { [1] } }").as_deref(),
        Some("all(a, any(unix, b))")
    );
}
