//! Tests of macro calls in bodies and of edges between items.

use base::EdgeKind;
use expect_test::expect;

use super::{check, shown};
use crate::defs::tests::fixture;

#[test]
fn arguments_of_macros_are_calls_and_known_macros_have_types() {
    check(
        r#"
        struct S; impl S { fn f(&self) -> u8 { 0 } }
        macro_rules! own { ($e:expr) => { $e }; }
        fn all(s: S) {
            println!("{} {}", s.f(), own!(s.f()));
            vec![S, S][0].f();
            assert_eq!(s.f(), 1);
            let v = vec![S; 3];
            v.first().unwrap().f();
            matches!(s.f(), 1);
        }
        "#,
        expect![[r#"
            all -> S::f (inherent_method)
            all -> own! (macro_call)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn arms_of_macros_are_calls_and_bind_names() {
    check(
        r#"
        struct S; impl S { fn next(&self) -> Option<S> { None } fn f(&self) -> u8 { 0 } }
        fn on(s: S) -> u8 { 0 }
        fn is_open() -> bool { true }
        fn all(s: S) -> u8 {
            select! {
                biased;
                Some(it) = s.next(), if is_open() => {
                    on(it);
                }
                0..=9 = s.f() => on(s),
                else => s.f(),
            }
        }
        fn table(s: S) { map! { "a" => s.f(), "b" => on(s) }; map! { on => s.f() }; }
        fn text(s: S) { show! { s.f() >= 1 => { on(s) } }; }
        "#,
        expect![[r#"
            all -> S::next (inherent_method)
            all -> is_open (path_call)
            all -> on (path_call)
            all -> S::f (inherent_method)
            all -> on (path_call)
            all -> S::f (inherent_method)
            table -> S::f (inherent_method)
            table -> on (path_call)
            table -> map? (InMacro)
            text -> show? (InMacro)
        "#]],
    );
}

#[test]
fn items_have_edges_to_names_traits_and_imports() {
    let workspace = fixture::workspace(
        "//- src/lib.rs crate:p/p\n\
         pub mod a;\n\
         use a::{Tr, S};\n\
         pub struct W { s: S }\n\
         impl Tr for W { fn f(&self) {} }\n\
         pub fn g(w: &W) -> Option<S> { let x: S = a::LIMIT; None }\n\
         //- src/a.rs\n\
         pub trait Tr { fn f(&self); }\n\
         #[derive(Clone)] pub struct S;\n\
         pub const LIMIT: S = S;\n",
    );
    let kinds = [EdgeKind::Uses, EdgeKind::Implements, EdgeKind::Depends];
    expect![[r#"
        Depends p/p -> a (module_import)
        Uses use a::{Tr, S} -> a::Tr (import)
        Depends p/p -> a (module_import)
        Uses use a::{Tr, S} -> a::S (import)
        Uses W -> a::S (named)
        Implements W -> a::Tr (impl_header)
        Uses <W as Tr> -> a::Tr (named)
        Uses <W as Tr> -> W (named)
        Implements <W as Tr>::f -> a::Tr::f (impl_member)
        Uses g -> W (named)
        Uses g -> a::S (named)
        Uses g -> a::S (named)
        Uses g -> a::LIMIT (named)
        Uses a::LIMIT -> a::S (named)
        Uses a::LIMIT -> a::S (named)
    "#]]
    .assert_eq(&shown(&workspace, &kinds));
}

#[test]
fn variants_and_constants_in_patterns_are_used() {
    let workspace = fixture::workspace(
        "//- src/lib.rs crate:p/p\n\
         pub enum E { A, B(u8) }\n\
         use E::A as First;\n\
         pub const K: u8 = 3;\n\
         pub struct U; impl U { const C: u8 = 1; }\n\
         pub fn arm(e: &E) -> u8 { match e { E::A => 1, E::B(_) => 2 } }\n\
         pub fn either(e: &E) -> u8 { match e { E::A | E::B(_) => 1 } }\n\
         pub fn inner(e: Option<E>) -> bool { if let Some(E::A) = e { true } else { false } }\n\
         pub fn input(e: &E) -> bool { matches!(e, E::A) }\n\
         pub fn bare(x: u8, y: u8) -> bool { match x { K => true, y => false } }\n\
         pub fn path(x: u8) -> bool { match x { crate::K => true, U::C => false, _ => false } }\n\
         pub fn renamed(e: &E) -> bool { match e { First => true, _ => false } }\n",
    );
    let shown = shown(&workspace, &[EdgeKind::Uses]);
    for expected in [
        "arm -> E::A",
        "either -> E::A",
        "either -> E::B",
        "inner -> E::A",
        "input -> E::A",
        "bare -> K",
        "path -> K",
        "path -> U::C",
        "renamed -> E::A",
    ] {
        assert!(shown.contains(&format!("{expected} (")), "{expected}: {shown}");
    }
}

#[test]
fn constants_in_declarations_are_used() {
    let workspace = fixture::workspace(
        "//- src/lib.rs crate:p/p\n\
         pub const A: usize = 3;\n\
         pub const fn n() -> usize { 3 }\n\
         pub static ST: [u8; A] = [0; A];\n\
         pub fn arg(x: [u8; A], y: [u8; n()]) -> u8 { 0 }\n\
         pub struct Field { f: [u8; A], g: [u8; n()] }\n\
         pub enum Tag { X = A as isize, Y = n() as isize }\n\
         pub fn repeat() -> u8 { let x = [0u8; A]; let y = [n(); n()]; 0 }\n\
         pub fn g<const N: usize>() -> u8 { 0 }\n\
         pub fn generic() -> u8 { g::<A>() + g::<{ A + 1 }>() }\n\
         pub struct Holder<const N: usize>;\n\
         pub struct Held { h: Holder<A>, i: Holder<{ n() }> }\n\
         pub fn range(x: usize) -> bool { match x { A..=9 => true, _ => false } }\n",
    );
    let shown = shown(&workspace, &[EdgeKind::Uses, EdgeKind::Calls]);
    for expected in [
        "Uses ST -> A",
        "Uses arg -> A",
        "Calls arg -> n",
        "Uses Field -> A",
        "Calls Field -> n",
        "Uses Tag -> A",
        "Calls Tag -> n",
        "Uses repeat -> A",
        "Calls repeat -> n",
        "Uses generic -> A",
        "Uses Held -> A",
        "Calls Held -> n",
        "Uses range -> A",
    ] {
        assert!(shown.contains(&format!("{expected} (")), "{expected}: {shown}");
    }
    assert_eq!(shown.matches("Calls repeat -> n (").count(), 2, "{shown}");
}

#[test]
fn an_unwrapping_macro_has_the_type_of_the_payload() {
    check(
        r#"
        struct S; impl S { fn f(&self) {} }
        fn make() -> Result<S, u8> { Ok(S) }
        macro_rules! tri { ($e:expr) => { match $e { Ok(it) => it, Err(err) => return Err(err) } }; }
        macro_rules! odd { ($e:expr) => { match $e { Ok(it) => Some(it), Err(_) => None } }; }
        fn all() -> Result<(), u8> {
            let s = tri!(make());
            s.f();
            let t = odd!(make());
            t.f();
            Ok(())
        }
        "#,
        expect![[r#"
            all -> tri! (macro_call)
            all -> make (path_call)
            all -> S::f (inherent_method)
            all -> odd! (macro_call)
            all -> make (path_call)
            all -> f? (NotFound)
        "#]],
    );
}

#[test]
fn an_unresolved_macro_has_no_type() {
    check(
        r#"
        extern crate outside;
        use outside::*;
        struct S; impl S { fn f(&self) {} }
        fn make() -> std::task::Poll<S> { loop {} }
        fn all() { ready!(make()).f(); std::task::ready!(make()).f(); }
        "#,
        expect![[r#"
            all -> make (path_call)
            all -> S::f (candidate, name_only)
            all -> make (path_call)
            all -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn a_pinning_macro_changes_the_type_of_its_variable() {
    check(
        r#"
        use std::pin::Pin;
        struct S; impl S { fn f(self: Pin<&mut Self>) {} }
        macro_rules! hold { ($($x:ident),*) => { $( let mut $x = $x; let mut $x = unsafe { Pin::new_unchecked(&mut $x) }; )* } }
        fn all() {
            let s = S;
            hold!(s);
            s.as_mut().f();
        }
        "#,
        expect![[r#"
            all -> hold! (macro_call)
            all -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn thread_local_statics_are_local_keys_of_their_type() {
    check(
        r#"
        struct S; impl S { fn new() -> S { S } fn f(&self) {} }
        thread_local! {
            static ONE: S = S::new();
            static TWO: S = const { S }
        }
        fn all() { ONE.with(|it| it.f()); TWO.with(|it| it.f()); }
        "#,
        expect![[r#"
            ONE -> S::new (type_path)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn pin_projections_are_assumed_to_have_the_fields_as_references() {
    check(
        r#"
        extern crate pin_project_lite;
        use std::pin::Pin;
        use pin_project_lite::pin_project;
        struct A; impl A { fn f(self: Pin<&mut Self>) {} }
        struct B; impl B { fn g(&self) {} }
        pin_project! { struct S<T> { #[pin] a: A, b: B, #[pin] t: T } }
        trait Tr { fn h(self: Pin<&mut Self>); }
        impl<T: Tr> S<T> {
            fn all(self: Pin<&mut Self>) {
                let it = self.project();
                it.a.f();
                it.b.g();
                it.t.h();
            }
        }
        struct Own; impl Own { fn project(&self) -> B { B } }
        fn other(own: Own) { own.project().g(); }
        "#,
        expect![[r#"
            S::all -> A::f (candidate, assumed_pin_project)
            S::all -> B::g (candidate, assumed_pin_project)
            S::all -> Tr::h (candidate, assumed_pin_project)
            other -> Own::project (inherent_method)
            other -> B::g (inherent_method)
        "#]],
    );
}

#[test]
fn calls_in_the_bodies_of_macros_are_edges_of_the_macro_and_of_its_callers() {
    check(
        r#"
        fn log(v: u8) -> u8 { v }
        struct A; impl A { fn end(&self) {} }
        struct B; impl B { fn end(&self) {} }
        macro_rules! check { ($v:expr) => { $crate::log($v) }; }
        macro_rules! twice { ($v:expr) => { check!($v) + check!($v) }; }
        macro_rules! end { ($($c:expr),*) => {{ $($c.end();)* }}; }
        fn one() -> u8 { check!(1) }
        fn two() -> u8 { twice!(1) }
        fn both(a: &A, b: &B) { end!(a, b) }
        fn shadowed() -> u8 { let log = |v: u8| v; log(check!(1)) }
        "#,
        expect![[r#"
            check! -> log (macro_body)
            twice! -> check! (candidate, macro_body)
            twice! -> check! (candidate, macro_body)
            end! -> A::end (candidate, name_only)
            end! -> B::end (candidate, name_only)
            one -> check! (macro_call)
            one -> log (macro_expansion)
            two -> check! (macro_call)
            two -> log (macro_expansion)
            two -> twice! (macro_call)
            both -> A::end (macro_expansion)
            both -> B::end (macro_expansion)
            both -> end! (macro_call)
            shadowed -> check! (macro_call)
            shadowed -> log (macro_expansion)
        "#]],
    );
}

#[test]
fn an_expansion_whose_names_depend_on_hygiene_is_not_walked() {
    check(
        r#"
        struct A; impl A { fn f(&self) {} }
        struct B; impl B { fn f(&self) {} }
        macro_rules! with { ($e:expr) => {{ let x = B; $e; x.f() }}; }
        fn caller(x: A) { with!(x.f()) }
        "#,
        expect![[r#"
            with! -> A::f (candidate, name_only)
            with! -> B::f (candidate, name_only)
            caller -> with! (macro_call)
            caller -> A::f (inherent_method)
        "#]],
    );
}
