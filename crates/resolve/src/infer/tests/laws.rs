//! Properties of resolution: independence of file order, termination.

use base::EdgeKind;
use proptest::prelude::*;

use super::shown;
use crate::defs::tests::fixture;

const FILES: [(&str, &str); 4] = [
    (
        "src/lib.rs crate:p/p",
        "mod a; mod b; mod c; pub fn top(x: a::A) { x.go(); b::make().go(); }",
    ),
    ("src/a.rs", "pub struct A; impl A { pub fn go(&self) {} } impl crate::b::T for A {}"),
    ("src/b.rs", "use crate::a::A; pub trait T { fn t(&self) {} } pub fn make() -> A { A.t(); A }"),
    (
        "src/c.rs",
        "use crate::{a::*, b::T}; fn f<X: T>(x: X, y: unknown::Y) { x.t(); y.go(); A.t(); }",
    ),
];

fn edges_in_order(order: &[usize]) -> Vec<String> {
    let text: String =
        order.iter().map(|at| format!("//- {}\n{}\n", FILES[*at].0, FILES[*at].1)).collect();
    let kinds = EdgeKind::ALL;
    let shown = shown(&fixture::workspace(&text), &kinds);
    let mut lines: Vec<String> = shown.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_files_does_not_matter(order in Just(vec![0_usize, 1, 2, 3]).prop_shuffle()) {
        prop_assert_eq!(edges_in_order(&order), edges_in_order(&[0, 1, 2, 3]));
    }
}

#[test]
fn resolving_deep_and_long_expressions_terminates() {
    let mut deep = String::from("struct S; impl S { fn f(self) -> S { S } } fn g(s: S) { s");
    for _ in 0..3000 {
        deep.push_str(".f()");
    }
    deep.push_str("; let x = ");
    for _ in 0..3000 {
        deep.push_str("Some(");
    }
    deep.push('1');
    for _ in 0..3000 {
        deep.push(')');
    }
    deep.push_str("; 1");
    for _ in 0..40_000 {
        deep.push_str(" + 1");
    }
    deep.push_str("; }");
    let found = super::calls(&deep);
    assert_eq!(found.lines().filter(|line| line.contains("inherent_method)")).count(), 3000);
}

#[test]
fn resolving_cyclic_types_terminates() {
    super::calls(
        "trait A<T> { type X: A<Self::X>; fn f(&self) -> Self::X; } type L = L; \
         struct S<T: A<T::X>>(T) where T: A<T>; impl<T> A<S<T>> for S<S<T>> where S<T>: A<T> { type X = S<S<S<T>>>; } \
         impl<T> std::ops::Deref for S<T> { type Target = S<S<T>>; } \
         fn f<T: A<T>>(t: T, s: S<T>) { t.f().f().f(); s.g(); let x = |y| y; x(x); let mut v = None; v = Some(v); v.g(); } \
         impl Self::X for L {} fn g(x: impl A<impl A<L>>) { x.f(); }",
    );
}
