//! Tests of receivers: constructors, fields, patterns, autoderef, generics.

use expect_test::expect;

use super::check;

#[test]
fn self_parameters_fields_and_constructors_have_known_types() {
    check(
        r#"
        pub struct A { pub b: B }
        pub struct B;
        impl A {
            fn new() -> A { A { b: B } }
            fn go(&self) { self.stay(); self.b.go(); Self::new(); A::new().go(); }
            fn stay(&self) {}
        }
        impl B { fn go(&self) {} }
        fn typed(b: &mut B) { b.go(); }
        fn built() { let a = A::new(); a.go(); let b = B; b.go(); A { b: B }.b.go(); }
        fn given() -> A { A::new() }
        fn chained() { given().b.go(); }
        "#,
        expect![[r#"
            A::go -> A::stay (inherent_method)
            A::go -> B::go (inherent_method)
            A::go -> A::new (type_path)
            A::go -> A::new (type_path)
            A::go -> A::go (inherent_method)
            typed -> B::go (inherent_method)
            built -> A::new (type_path)
            built -> A::go (inherent_method)
            built -> B::go (inherent_method)
            built -> B::go (inherent_method)
            given -> A::new (type_path)
            chained -> given (path_call)
            chained -> B::go (inherent_method)
        "#]],
    );
}

#[test]
fn inherent_methods_have_precedence_over_trait_methods() {
    check(
        r#"
        struct S;
        trait T { fn f(&self); fn g(&self) {} }
        impl T for S { fn f(&self) {} }
        impl S { fn f(&self) {} }
        fn own(s: S) { s.f(); s.g(); T::f(&s); <S as T>::f(&s); S::f(&s); }
        "#,
        expect![[r#"
            own -> S::f (inherent_method)
            own -> T::g (trait_default)
            own -> <S as T>::f (trait_impl)
            own -> <S as T>::f (trait_impl)
            own -> S::f (type_path)
        "#]],
    );
}

#[test]
fn by_value_has_precedence_over_by_reference() {
    check(
        r#"
        struct S;
        trait Take { fn take(self); }
        impl Take for S { fn take(self) {} }
        impl Take for &S { fn take(self) {} }
        fn value(s: S) { s.take(); }
        fn reference(s: &S) { s.take(); }
        "#,
        expect![[r#"
            value -> <S as Take>::take (trait_impl)
            reference -> <&S as Take>::take (trait_impl)
        "#]],
    );
}

#[test]
fn receivers_are_dereferenced_through_local_and_std_pointers() {
    check(
        r#"
        use std::ops::Deref;
        use std::rc::Rc;
        use std::sync::{Arc, Mutex};
        struct S;
        impl S { fn f(&self) {} fn boxed(self: Box<Self>) {} }
        struct P { s: S }
        impl Deref for P { type Target = S; fn deref(&self) -> &S { &self.s } }
        fn all(a: Box<S>, b: Rc<Arc<S>>, c: &P, d: &Mutex<S>) {
            a.f();
            b.f();
            c.f();
            d.lock().unwrap().f();
            a.boxed();
            (**c).f();
        }
        "#,
        expect![[r#"
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::boxed (inherent_method)
            all -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn patterns_bind_parts() {
    check(
        r#"
        struct S; impl S { fn f(&self) -> u8 { 0 } }
        struct W { s: S, t: (u8, S) }
        enum E { One(S), Two { s: S }, Three }
        const LIMIT: u8 = 3;
        fn all(e: &E, w: W, o: Option<(u8, S)>, v: &[S]) {
            match e { E::One(s) => { s.f(); } E::Two { s: inner } => { inner.f(); } E::Three => {} }
            let W { s, t: (_, t) } = w;
            s.f();
            t.f();
            if let Some((LIMIT, ref s)) = o { s.f(); }
            let Some((_, s)) = o else { return };
            s.f();
            if let [first, .., last] = v { first.f(); last.f(); }
            if let [_, rest @ ..] = v { rest[0].f(); }
            while let E::One(s) | E::Two { s } = e { s.f(); }
            let x @ W { .. } = W { s: S, t: (1, S) };
            x.s.f();
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
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn an_unknown_receiver_has_candidates_but_no_proven_edge() {
    check(
        r#"
        struct A; impl A { fn rare(&self) {} fn len(&self) {} }
        struct B; impl B { fn rare(&self) {} }
        fn unknown(x: outside::Thing) { x.rare(); x.nothing(); }
        fn later() { let v: Vec<u8> = Vec::new(); v.len(); v.no_such_method(); }
        "#,
        expect![[r#"
            unknown -> A::rare (candidate, name_only)
            unknown -> B::rare (candidate, name_only)
            later -> no_such_method? (NotFound)
        "#]],
    );
}

#[test]
fn a_receiver_whose_type_is_inferred_later_is_resolved() {
    check(
        r#"
        struct S; impl S { fn f(&self) {} }
        fn later() {
            let mut v = Vec::new();
            let take = |s| { v.push(s); };
            let mut none = None;
            none = Some(S);
            none.unwrap().f();
            let mut all = Vec::new();
            all.push(S);
            all[0].f();
            for s in &all { s.f(); }
        }
        "#,
        expect![[r#"
            later -> S::f (inherent_method)
            later -> S::f (inherent_method)
            later -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn generics_are_substituted_in_fields_signatures_and_impls() {
    check(
        r#"
        struct S; impl S { fn f(&self) {} }
        struct Pair<A, B> { a: A, b: B }
        impl<A, B> Pair<A, B> {
            fn new(a: A, b: B) -> Self { Pair { a, b } }
            fn swap(self) -> Pair<B, A> { Pair { a: self.b, b: self.a } }
            fn map<C>(self, f: impl FnOnce(A) -> C) -> Pair<C, B> { Pair { a: f(self.a), b: self.b } }
        }
        impl Pair<S, u8> { fn special(&self) {} }
        impl Pair<u8, S> { fn special(&self) {} }
        type Half = Pair<S, u8>;
        fn all(h: Half) {
            h.a.f();
            h.special();
            h.swap().special();
            h.swap().b.f();
            Pair::new(1u8, S).map(|n| S).a.f();
            Pair::<S, u8>::new(S, 1).special();
        }
        "#,
        expect![[r#"
            all -> S::f (inherent_method)
            all -> Pair::special (inherent_method)
            all -> Pair::swap (inherent_method)
            all -> Pair::special (inherent_method)
            all -> Pair::swap (inherent_method)
            all -> S::f (inherent_method)
            all -> Pair::new (type_path)
            all -> Pair::map (inherent_method)
            all -> S::f (inherent_method)
            all -> Pair::new (type_path)
            all -> Pair::special (inherent_method)
        "#]],
    );
}
