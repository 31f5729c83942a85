//! Resolution of paths, imports and scopes.

use expect_test::{Expect, expect};

use super::fixture::query_results;

fn check(fixture: &str, expect: Expect) {
    expect.assert_eq(&query_results(fixture));
}

#[test]
fn paths_lead_through_modules_imports_and_renames() {
    check(
        "
//- src/lib.rs crate:p/p
mod a {
    pub mod b { pub fn f() {} pub struct S; }
    pub use self::b::S as T;
    pub use super::c::*;
    //? b::f
    //? super::c::g
    //? T
}
mod c { pub fn g() {} fn hidden() {} pub(crate) fn shown() {} }
use a::T as U;
use a::b::{self, f};
//? a::T
//? U
//? a::g
//? a::hidden
//? a::shown
//? b::S
//? crate::a::b::f
//? self::f
//? absent
//? a::absent
",
        expect![[r#"
            b::f: value p/p::a::b::f
            super::c::g: value p/p::c::g
            T: type p/p::a::b::S, value p/p::a::b::S
            a::T: type p/p::a::b::S, value p/p::a::b::S
            U: type p/p::a::b::S, value p/p::a::b::S
            a::g: value p/p::c::g
            a::hidden: nothing
            a::shown: value p/p::c::shown
            b::S: type p/p::a::b::S, value p/p::a::b::S
            crate::a::b::f: value p/p::a::b::f
            self::f: value p/p::a::b::f
            absent: nothing
            a::absent: nothing
        "#]],
    );
}

#[test]
fn named_imports_shadow_globs_and_globs_shadow_the_prelude() {
    check(
        "
//- src/lib.rs crate:p/p
mod one { pub fn f() {} pub fn g() {} pub struct X; }
mod two { pub fn f() {} pub fn g() {} }
use one::*;
use two::*;
use two::f;
//? f
//? g
//? X
",
        expect![[r#"
            f: value p/p::two::f
            g: value one of p/p::one::g | p/p::two::g
            X: type p/p::one::X, value p/p::one::X
        "#]],
    );
}

#[test]
fn globs_may_be_cyclic() {
    check(
        "
//- src/lib.rs crate:p/p
mod a { pub use super::b::*; pub fn f() {} }
mod b { pub use super::a::*; pub fn g() {} }
//? a::g
//? b::f
//? a::h
",
        expect![[r#"
            a::g: value p/p::b::g
            b::f: value p/p::a::f
            a::h: nothing
        "#]],
    );
}

#[test]
fn files_are_found_by_the_rules_of_modules() {
    check(
        "
//- src/lib.rs crate:p/p
mod x;
mod y;
#[path = \"odd/place.rs\"]
mod z;
mod inline { pub mod deep; #[path = \"other.rs\"] pub mod named; }
mod missing;
//? x::inner::f
//? y::g
//? z::below::h
//? inline::deep::i
//? inline::named::j
//? missing::f
//- src/x.rs
pub mod inner;
//- src/x/inner.rs
pub fn f() {}
mod x2 { pub fn k() {} }
//? super::super::y::g
//? x2::k
//- src/y/mod.rs
pub fn g() {}
//- src/odd/place.rs
pub mod below;
//- src/odd/below.rs
pub fn h() {}
mod round;
//- src/odd/below/round.rs
#[path = \"../below.rs\"]
mod back;
//- src/inline/deep.rs
pub fn i() {}
//- src/inline/other.rs
pub fn j() {}
",
        expect![[r#"
            x::inner::f: value p/p::x::inner::f
            y::g: value p/p::y::g
            z::below::h: value p/p::z::below::h
            inline::deep::i: value p/p::inline::deep::i
            inline::named::j: value p/p::inline::named::j
            missing::f: nothing
            super::super::y::g: value p/p::y::g
            x2::k: value p/p::x::inner::x2::k
            problem src/lib.rs: module file missing: src/missing.rs or src/missing/mod.rs
            problem src/odd/below/round.rs: module contains itself
        "#]],
    );
}

#[test]
fn cfg_selects_between_alternatives() {
    check(
        "
//- src/lib.rs crate:p/p cfg:unix
#[cfg(unix)] #[path = \"unix.rs\"] mod imp;
#[cfg(windows)] #[path = \"windows.rs\"] mod imp;
#[cfg(unix)] fn f() {}
#[cfg(not(unix))] fn f() {}
#[cfg(windows)] fn only() {}
//? imp::open
//? imp::close
//? f
//? only
//- src/unix.rs
pub fn open() {}
//- src/windows.rs
pub fn open() {}
pub fn close() {}
",
        expect![[r#"
            imp::open: value p/p::imp::open [unix]
            imp::close: nothing
            f: value p/p::f [unix]
            only: value p/p::only off
        "#]],
    );
}

#[test]
fn crates_see_each_other_by_the_rules_of_their_editions() {
    check(
        "
//- a/src/lib.rs crate:a/a
pub mod m { pub struct S; }
pub use m::S as Renamed;
#[macro_export]
macro_rules! mac { () => {} }
//- b/src/lib.rs crate:b/b deps:a=a/a,serde
extern crate a as again;
use serde::Serialize;
use serde::de::{self, Visitor};
mod a_user {
    use a::m::S;
    //? S
    //? a::Renamed
    //? ::a::m
    //? crate::again::m::S
    //? again::m::S
    //? a::mac
    //? mac
}
//? Serialize
//? de::Error
//? Visitor::visit
//? serde::ser::Error
//? std::vec::Vec
//- c/src/lib.rs crate:c/c edition:2015 deps:a=a/a
#[macro_use]
extern crate a;
mod m { pub fn f() {} }
mod n {
    use m::f;
    use a::m::S;
    //? f
    //? S
    //? ::m::f
    //? mac
}
",
        expect![[r#"
            S: type a/a::m::S, value a/a::m::S
            a::Renamed: type a/a::m::S, value a/a::m::S
            ::a::m: type a/a::m
            crate::again::m::S: type a/a::m::S, value a/a::m::S
            again::m::S: type a/a::m::S, value a/a::m::S
            a::mac: macro a/a::mac!
            mac: nothing
            Serialize: type external serde::Serialize, value external serde::Serialize, macro external serde::Serialize
            de::Error: type external serde::de::Error, value external serde::de::Error, macro external serde::de::Error
            Visitor::visit: nothing
            serde::ser::Error: nothing
            std::vec::Vec: type std::vec::Vec, value std::vec::Vec, macro external std::vec::Vec
            f: value c/c::m::f
            S: type a/a::m::S, value a/a::m::S
            ::m::f: value c/c::m::f
            mac: macro a/a::mac!
        "#]],
    );
}

#[test]
fn functions_have_their_own_scopes() {
    check(
        "
//- src/lib.rs crate:p/p
mod m { pub fn f() {} pub struct S; }
fn f() {}
fn outer<T>() {
    use m::f;
    //? f
    //? T
    fn inner() {
        //? f
        //? T
    }
    {
        fn f() {}
        //? f
    }
    struct S;
    impl S { fn new() {
        //? Self
        //? S
    } }
}
impl<U> Tr for m::S {
    fn g<V>(self) {
        //? U
        //? V
        //? Self::x
        //? u8::MAX
        //? Option
    }
}
trait Tr { fn g(self); const K: u8; }
//? f
//? Tr::g
//? Tr::absent
//? m::S::new
",
        expect![[r#"
            f: value p/p::m::f
            T: type parameter T of p/p::outer
            f: value p/p::m::f
            T: nothing
            f: value p/p::outer::f
            Self: type Self of p/p::outer::<S>, value Self of p/p::outer::<S>
            S: type p/p::outer::S, value p/p::outer::S
            U: type parameter U of p/p::<m::S as Tr>
            V: type parameter V of p/p::<m::S as Tr>::g
            Self::x: nothing
            u8::MAX: type primitive u8, value primitive u8
            Option: type std::option::Option
            f: value p/p::f
            Tr::g: type p/p::Tr after 1, value p/p::Tr::g
            Tr::absent: nothing
            m::S::new: type p/p::m::S after 2, value p/p::m::S after 2
        "#]],
    );
}

#[test]
fn enums_are_scopes() {
    check(
        "
//- src/lib.rs crate:p/p
pub enum E { A, B(u8) }
mod m { pub use super::E::*; }
use E::A as First;
//? E::A
//? m::B
//? First
//? E::new
//? E::A::x
",
        expect![[r#"
            E::A: type p/p::E::A, value p/p::E::A
            m::B: type p/p::E::B, value p/p::E::B
            First: type p/p::E::A, value p/p::E::A
            E::new: type p/p::E after 1, value p/p::E after 1
            E::A::x: nothing
        "#]],
    );
}

#[test]
fn macros_are_found_in_the_order_of_the_text() {
    check(
        "
//- src/lib.rs crate:p/p
mod early {
    //? mac
    //? exported
    //? crate::exported
}
macro_rules! mac { () => {} }
mod late {
    //? mac
    pub fn f() {
        macro_rules! local { () => {} }
        //? local
    }
    macro_rules! mac { (2) => {} }
    pub(crate) use mac as by_path;
    //? mac
}
#[macro_use]
mod shared { macro_rules! handed { () => {} } }
mod kept { macro_rules! own { () => {} } #[macro_export] macro_rules! exported { () => {} } }
//? mac
//? handed
//? own
//? late::by_path
",
        expect![[r#"
            mac: nothing
            exported: nothing
            crate::exported: macro p/p::kept::exported!
            mac: macro p/p::mac!
            local: macro p/p::late::f::local!
            mac: macro p/p::late::mac!
            mac: macro p/p::mac!
            handed: macro p/p::shared::handed!
            own: nothing
            late::by_path: macro p/p::late::mac!
        "#]],
    );
}

#[test]
fn files_outside_of_all_module_trees_are_roots() {
    check(
        "
//- src/lib.rs crate:p/p deps:other
pub mod m { pub fn f() {} }
//- src/lost.rs
use crate::m::f;
fn own() {}
//? f
//? own
//- tests/t.rs crate:p/t deps:p=p/p
mod common;
//? common::help
//- tests/u.rs crate:p/u deps:p=p/p
mod common;
//? common::help
//- tests/common/mod.rs
pub fn help() { p::m::f() }
//? p::m::f
//- tests/ui/case.rs
fn main() {}
//? crate::main
//? p::m::f
",
        expect![[r#"
            f: value p/p::m::f
            own: value p/p::{src/lost.rs}::own
            common::help: value p/t::common::help
            common::help: value p/t::common::help
            p::m::f: value p/p::m::f
            crate::main: value p/t::{tests/ui/case.rs}::main
            p::m::f: value p/p::m::f
        "#]],
    );
}

#[test]
fn an_unresolved_import_hides_outer_names() {
    check(
        "
//- src/lib.rs crate:p/p
mod m { pub struct Gone2; }
use m::Option;
use unknown::Result;
use m::Gone2 as None;
//? Option
//? Result
//? None
",
        expect![[r#"
            Option: nothing
            Result: nothing
            None: type p/p::m::Gone2, value p/p::m::Gone2
        "#]],
    );
}

#[test]
fn items_in_calls_of_unknown_macros_may_not_exist() {
    check(
        "
//- src/lib.rs crate:p/p deps:out cfg:unix
macro_rules! cfg_unix { ($($item:item)*) => { $( #[cfg(unix)] $item )* } }
macro_rules! cfg_windows { ($($item:item)*) => { $( #[cfg(windows)] $item )* } }
macro_rules! eat { ($($t:tt)*) => {} }
macro_rules! make { ($name:ident) => { pub struct $name; impl $name { pub fn new() {} } } }
cfg_unix! { mod shown; pub fn f() {} }
cfg_windows! { mod hidden; pub fn f() {} }
eat! { fn eaten() {} }
make!(Made);
out::unknown! { fn perhaps() {} }
later::exported! { fn by_path() {} }
mod later { #[macro_export] macro_rules! exported { ($($item:item)*) => { $($item)* } } pub use exported; }
//? f
//? eaten
//? Made
//? perhaps
//? by_path
//? shown::g
//? hidden::h
//- src/shown.rs
pub fn g() {}
//- src/hidden/mod.rs
pub fn h() {}
mod below;
//? below::i
//- src/hidden/below.rs
pub fn i() {}
",
        expect![[r#"
            f: value p/p::f
            eaten: nothing
            Made: type p/p::Made, value p/p::Made
            perhaps: value p/p::perhaps maybe
            by_path: value p/p::by_path
            shown::g: value p/p::shown::g
            hidden::h: value p/p::hidden::h off
            below::i: value p/p::hidden::below::i off
        "#]],
    );
}

#[test]
fn items_in_the_branches_of_cfg_if_exist_under_their_conditions() {
    check(
        "
//- src/lib.rs crate:p/p cfg:unix
cfg_if::cfg_if! {
    if #[cfg(unix)] {
        pub fn a() {}
        mod m { pub fn in_m() {} }
    } else {
        pub fn b() {}
    }
}
other! { if x { pub fn c() {} } }
//? a
//? m::in_m
//? b
//? c
",
        expect![[r#"
            a: value p/p::a
            m::in_m: value p/p::m::in_m
            b: value p/p::b off
            c: nothing
        "#]],
    );
}

#[test]
fn a_file_that_is_a_module_of_several_crates_is_visible_in_all_of_them() {
    check(
        "
//- tests/a.rs crate:p/a
mod util;
use util::*;
//? shown
//? util::shown
//- tests/b.rs crate:p/b
mod util;
mod inner {
    use super::util::*;
    //? shown
    //? of_crate
    //? hidden
}
use crate::util::*;
//? shown
//? crate::util::of_crate
//? hidden
//- tests/util/mod.rs
pub(super) fn shown() {}
pub(crate) fn of_crate() {}
fn hidden() {}
//- tests/c.rs crate:p/c deps:a=p/a
use a::util::*;
//? shown
",
        expect![[r#"
            shown: value p/a::util::shown
            util::shown: value p/a::util::shown
            shown: value p/a::util::shown
            of_crate: value p/a::util::of_crate
            hidden: nothing
            shown: value p/a::util::shown
            crate::util::of_crate: value p/a::util::of_crate
            hidden: nothing
            shown: nothing
        "#]],
    );
}
