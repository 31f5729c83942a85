//! Modules, imports and macros that macro calls at item level produce.

use expect_test::{Expect, expect};

use super::fixture::query_results;

fn check(fixture: &str, expect: Expect) {
    expect.assert_eq(&query_results(fixture));
}

#[test]
fn modules_that_a_macro_declares_find_their_files_and_its_macros() {
    check(
        r#"
//- src/lib.rs crate:p/p cfg:unix
#[macro_use]
mod root;
crate_root!();
//? de::read
//? crate::de::one::f
//? inline::kept::g
//? renamed::h
//? off::k
//? read
//- src/root.rs
macro_rules! more {
    ($name:ident) => { pub mod $name; };
}
macro_rules! crate_root {
    () => {
        macro_rules! tri { ($e:expr) => { match $e { Ok(it) => it, Err(it) => return Err(it) } }; }
        pub mod de;
        pub use crate::de::read;
        mod inline { pub mod kept; }
        #[path = "elsewhere.rs"] mod renamed;
        #[cfg(windows)] mod off;
        more!(extra);
        include!(concat!(env!("OUT_DIR"), "/made.rs"));
    };
}
//- src/de/mod.rs
pub fn read() {}
pub mod one;
//? tri
//? crate::extra::l
//- src/de/one.rs
pub fn f() {}
//- src/inline/kept.rs
pub fn g() {}
//- src/elsewhere.rs
pub fn h() {}
//- src/off.rs
pub fn k() {}
//- src/extra.rs
pub fn l() {}
"#,
        expect![[r#"
            de::read: value p/p::de::read
            crate::de::one::f: value p/p::de::one::f
            inline::kept::g: value p/p::inline::kept::g
            renamed::h: value p/p::renamed::h
            off::k: value p/p::off::k off
            read: value p/p::de::read
            tri: macro p/p::tri!
            crate::extra::l: value p/p::extra::l
        "#]],
    );
}

#[test]
fn a_macro_called_inside_of_a_module_looks_in_the_folder_of_the_module() {
    check(
        "
//- src/lib.rs crate:p/p
macro_rules! declare { ($($name:ident)*) => { $(pub mod $name;)* } }
mod a { pub mod b { declare! { c d } } }
//? a::b::c::f
//? a::b::d::f
//- src/a/b/c.rs
pub fn f() {}
//- src/a/b/d/mod.rs
pub fn f() {}
//- src/c.rs
pub fn f() {}
",
        expect![[r#"
            a::b::c::f: value p/p::a::b::c::f
            a::b::d::f: value p/p::a::b::d::f
        "#]],
    );
}

#[test]
fn exported_macros_of_an_expansion_resolve_in_one_round_at_any_recursion_depth() {
    check(
        "
//- src/lib.rs crate:p/p
#[macro_export]
macro_rules! each {
    () => {};
    ($name:ident $($rest:ident)*) => { pub fn $name() {} $crate::each!($($rest)*); };
}
each!(a b c d e f g h);
//? a
//? h
//- tests/t.rs crate:p/t deps:p=p/p
p::each!(a b c d e f g h i);
//? i
",
        expect![[r#"
            a: value p/p::a
            h: value p/p::h
            i: value p/t::i
        "#]],
    );
}

#[test]
fn an_uncertain_expansion_declares_no_module() {
    check(
        "
//- src/lib.rs crate:p/p
outside::declare! { mod x; }
macro_rules! broken { ($($a:ident)* $b:ident) => { pub mod y; } }
broken!(a b);
//? x::f
//? y::f
//- src/y.rs
pub fn f() {}
",
        expect![[r#"
            x::f: nothing
            y::f: nothing
            problem src/lib.rs: module file missing: src/x.rs or src/x/mod.rs
        "#]],
    );
}
