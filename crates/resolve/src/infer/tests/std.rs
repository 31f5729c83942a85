//! Tests of closures and conversions of the standard library.

use expect_test::expect;

use super::check;
use crate::defs::tests::fixture;
use crate::{DefMap, FileIdx, resolve_file};

#[test]
fn closure_parameters_are_inferred_from_the_callee() {
    check(
        r#"
        use std::collections::{BTreeMap, HashMap};
        struct S { n: u8 } impl S { fn f(&self) -> bool { true } fn next(self) -> Option<S> { None } }
        fn all(v: Vec<S>, m: HashMap<u8, Vec<S>>, o: Option<S>, b: &mut BTreeMap<u8, S>) {
            v.iter().filter(|s| s.f()).map(|s| (s.n, s)).for_each(|(_, s)| { s.f(); });
            v.iter().enumerate().rev().find(|(_, s)| s.f());
            m.get(&1).and_then(|all| all.first()).map(|s| s.f());
            for (_, all) in &m { all.iter().any(S::f); }
            m.values().flatten().zip(v.iter()).for_each(|(a, b)| { a.f(); b.f(); });
            m.values().flat_map(|all| all.iter()).next().unwrap().f();
            o.and_then(S::next).and_then(|s| s.next()).unwrap().f();
            b.entry(1).or_insert_with(|| S { n: 1 }).f();
            v.iter().max_by_key(|s| s.n).unwrap().f();
            v.iter().fold(None, |last: Option<&S>, s| { last.map(|l| l.f()); Some(s) });
            let sorted: Vec<&S> = v.iter().collect();
            sorted[0].f();
            let all = v.iter().map(|s| s).collect::<Vec<_>>();
            all.last().unwrap().f();
        }
        "#,
        expect![[r#"
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::next (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn integer_types_do_not_have_each_other_s_methods() {
    check(
        r#"
        trait Abs { fn abs(self) -> Self; }
        impl Abs for u8 { fn abs(self) -> u8 { self } }
        impl Abs for i8 { fn abs(self) -> i8 { self } }
        fn all(u: u8, i: i8) { u.abs(); i.abs(); }
        "#,
        expect![[r#"
            all -> <u8 as Abs>::abs (trait_impl)
        "#]],
    );
}

#[test]
fn results_of_io_have_their_value() {
    check(
        r#"
        use std::io;
        struct S; impl S { fn f(&self) {} fn make() -> io::Result<S> { Ok(S) } }
        async fn bind() -> std::io::Result<S> { S::make() }
        async fn all() -> io::Result<()> { S::make().unwrap().f(); bind().await?.f(); Ok(()) }
        "#,
        expect![[r#"
            bind -> S::make (type_path)
            all -> S::make (type_path)
            all -> S::f (inherent_method)
            all -> bind (path_call)
            all -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn conversions_and_the_try_operator_have_known_types() {
    check(
        r#"
        use std::str::FromStr;
        struct S; impl S { fn f(&self) {} }
        impl FromStr for S { type Err = (); fn from_str(s: &str) -> Result<S, ()> { Ok(S) } }
        impl From<u8> for S { fn from(n: u8) -> S { S } }
        impl Default for S { fn default() -> S { S } }
        fn takes(s: S) {}
        fn all() -> Option<()> {
            "x".parse::<S>().ok()?.f();
            let s: S = 1u8.into();
            s.f();
            takes(Default::default());
            std::mem::take(&mut S).f();
            let r: Result<S, ()> = "x".parse();
            r.as_ref().map(|s| s.f()).unwrap_or_default();
            Some(S).as_ref().cloned();
            Box::new(S).f();
            Some(())
        }
        "#,
        expect![[r#"
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> takes (path_call)
            all -> <S as Default>::default (trait_impl)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn calling_a_callback_has_no_edge_but_its_result_has_a_type() {
    check(
        r#"
        struct S { run: Box<dyn Fn(u8) -> S>, ptr: fn() -> S }
        impl S { fn f(&self) {} }
        fn make() -> S { loop {} }
        fn apply<R>(f: impl FnOnce() -> R) -> R { f() }
        fn all(s: S) { (s.run)(1).f(); (s.ptr)().f(); apply(make).f(); apply(|| make()).f(); let g = make; g().f(); }
        "#,
        expect![[r#"
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> apply (path_call)
            all -> S::f (inherent_method)
            all -> apply (path_call)
            all -> make (path_call)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn calls_of_external_code_are_counted() {
    let workspace = fixture::workspace(
        "//- src/lib.rs crate:p/p\n\
         fn f(v: Vec<u8>) { v.len(); g(); String::new(); println!(); }\n\
         fn g() {}\n",
    );
    let map = DefMap::build(&workspace);
    let found = resolve_file(&map, FileIdx(0));
    let calls = found.edges.iter().filter(|edge| edge.kind == base::EdgeKind::Calls).count();
    assert_eq!((found.external, calls, found.unresolved.len()), (3, 1, 0));
}
