//! Tests of bounds, associated types, operators and futures.

use expect_test::expect;

use super::check;

#[test]
fn bounds_trait_objects_and_impl_trait_resolve_to_the_trait() {
    check(
        r#"
        trait Base { fn base(&self) {} }
        trait Run: Base { fn run(&self); }
        struct S;
        impl Base for S {}
        impl Run for S { fn run(&self) {} }
        fn parameter<T: Run>(t: &T) { t.run(); t.base(); T::run(t); }
        fn clause<T>(t: T) where T: Run { t.run(); }
        fn object(t: &dyn Run) { t.run(); t.base(); }
        fn boxed(t: Box<dyn Run>) { t.run(); }
        fn argument(t: impl Run) { t.run(); }
        fn made() -> impl Run { S }
        fn given() { made().run(); }
        fn known(s: S) { s.run(); s.base(); }
        "#,
        expect![[r#"
            parameter -> Run::run (bounded_parameter)
            parameter -> Base::base (bounded_parameter)
            parameter -> Run::run (bounded_parameter)
            clause -> Run::run (bounded_parameter)
            object -> Run::run (trait_object)
            object -> Base::base (trait_object)
            boxed -> Run::run (trait_object)
            argument -> Run::run (impl_trait)
            given -> made (path_call)
            given -> Run::run (impl_trait)
            known -> <S as Run>::run (trait_impl)
            known -> Base::base (trait_default)
        "#]],
    );
}

#[test]
fn associated_types_are_normalized() {
    check(
        r#"
        struct S; impl S { fn f(&self) {} }
        trait Make { type Out: Shown; fn make(&self) -> Self::Out; }
        trait Shown { fn shown(&self); }
        impl Shown for S { fn shown(&self) {} }
        impl Make for u8 { type Out = S; fn make(&self) -> S { S } }
        fn known(n: u8) { n.make().f(); }
        fn bounded<M: Make>(m: M) { m.make().shown(); }
        fn bound<M: Make<Out = S>>(m: M) { m.make().f(); }
        fn projected<M>(m: M, out: M::Out) where M: Make { out.shown(); }
        struct It; impl Iterator for It { type Item = S; fn next(&mut self) -> Option<S> { None } }
        fn items(it: It) { for s in it { s.f(); } It.next().unwrap().f(); It.map(|s| s.f()).count(); }
        "#,
        expect![[r#"
            known -> <u8 as Make>::make (trait_impl)
            known -> S::f (inherent_method)
            bounded -> Make::make (bounded_parameter)
            bounded -> Shown::shown (bounded_parameter)
            bound -> Make::make (bounded_parameter)
            bound -> S::f (inherent_method)
            projected -> Shown::shown (bounded_parameter)
            items -> S::f (inherent_method)
            items -> <It as Iterator>::next (trait_impl)
            items -> S::f (inherent_method)
            items -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn blanket_impls_and_extension_traits_apply_if_the_trait_is_in_scope() {
    check(
        r#"
        mod ext {
            pub trait Ext { fn ext(&self) {} }
            impl<T: Clone> Ext for T {}
            pub trait Hidden { fn hidden(&self) {} }
            impl Hidden for u8 {}
        }
        use ext::Ext;
        #[derive(Clone)] struct Yes;
        struct No;
        fn all(y: Yes, n: No) { y.ext(); n.ext(); 1u8.ext(); 1u8.hidden(); "a".ext(); }
        "#,
        expect![[r#"
            all -> ext::Ext::ext (trait_default)
            all -> ext::Ext::ext (candidate, name_only)
            all -> ext::Ext::ext (trait_default)
            all -> hidden? (NotFound)
            all -> ext::Ext::ext (trait_default)
        "#]],
    );
}

#[test]
fn a_derive_macro_of_another_crate_is_assumed_to_implement_the_trait_of_its_name() {
    check(
        r#"
        extern crate outside;
        mod ext {
            pub trait Shown {}
            pub trait Ext { fn ext(&self) {} }
            impl<T: Shown> Ext for T {}
        }
        use ext::{Ext, Shown};
        #[derive(outside::Shown)] struct Derived;
        struct Written; impl Shown for Written {}
        fn all(d: Derived, w: Written) { d.ext(); w.ext(); }
        "#,
        expect![[r#"
            all -> ext::Ext::ext (candidate, assumed_derive)
            all -> ext::Ext::ext (trait_default)
        "#]],
    );
}

#[test]
fn the_impl_is_selected_by_the_arguments() {
    check(
        r#"
        struct A; struct B; struct C;
        impl From<A> for C { fn from(_: A) -> C { C } }
        impl From<B> for C { fn from(_: B) -> C { C } }
        trait Get<K> { fn get(&self, k: K) -> K; }
        impl Get<A> for C { fn get(&self, k: A) -> A { k } }
        impl Get<B> for C { fn get(&self, k: B) -> B { k } }
        impl A { fn is_a(&self) {} }
        fn all(c: C) { C::from(A); let c2: C = From::from(B); c.get(A).is_a(); c.get(B); }
        "#,
        expect![[r#"
            all -> <C as From<A>>::from (trait_impl)
            all -> <C as From<B>>::from (trait_impl)
            all -> <C as Get<A>>::get (trait_impl)
            all -> A::is_a (inherent_method)
            all -> <C as Get<B>>::get (trait_impl)
        "#]],
    );
}

#[test]
fn operators_call_the_impls_of_the_workspace() {
    check(
        r#"
        use std::ops::{Add, AddAssign, Index, Neg};
        #[derive(Clone, Copy)] struct V;
        impl Add for V { type Output = V; fn add(self, _: V) -> V { V } }
        impl Add<u8> for V { type Output = u8; fn add(self, _: u8) -> u8 { 0 } }
        impl AddAssign for V { fn add_assign(&mut self, _: V) {} }
        impl Neg for V { type Output = V; fn neg(self) -> V { V } }
        impl PartialEq for V { fn eq(&self, _: &V) -> bool { true } }
        impl V { fn f(self) {} }
        fn all(a: V, mut b: V) { (a + b).f(); a + 1u8; b += a; (-a).f(); a == b; 1 + 2; }
        "#,
        expect![[r#"
            all -> <V as Add>::add (operator)
            all -> V::f (inherent_method)
            all -> <V as Add<u8>>::add (operator)
            all -> <V as AddAssign>::add_assign (operator)
            all -> <V as Neg>::neg (operator)
            all -> V::f (inherent_method)
            all -> <V as PartialEq>::eq (operator)
        "#]],
    );
}

#[test]
fn futures_are_awaited() {
    check(
        r#"
        use std::future::Future;
        struct S; impl S { fn f(&self) {} async fn next(&self) -> S { S } }
        async fn make() -> Result<S, ()> { Ok(S) }
        fn later() -> impl Future<Output = S> { async { S } }
        trait Work { async fn work(&self) -> S; }
        async fn all(w: impl Work) -> Result<(), ()> {
            make().await?.f();
            later().await.f();
            S.next().await.next().await.f();
            let block = async { S };
            block.await.f();
            w.work().await.f();
            Ok(())
        }
        "#,
        expect![[r#"
            all -> make (path_call)
            all -> S::f (inherent_method)
            all -> later (path_call)
            all -> S::f (inherent_method)
            all -> S::next (inherent_method)
            all -> S::next (inherent_method)
            all -> S::f (inherent_method)
            all -> S::f (inherent_method)
            all -> Work::work (impl_trait)
            all -> S::f (inherent_method)
        "#]],
    );
}

#[test]
fn a_path_through_a_trait_is_proven_if_no_impl_overrides_it() {
    check(
        r#"
        trait Ext { fn f(&mut self) {} fn g(&self) {} }
        impl<T> Ext for T { fn g(&self) {} }
        fn all() { Ext::f(&mut unknown()); Ext::g(&unknown()); }
        "#,
        expect![[r#"
            all -> Ext::f (path_call)
            all -> unknown? (NotFound)
            all -> <T as Ext>::g (candidate, unknown_self)
            all -> Ext::g (candidate, unknown_self)
            all -> unknown? (NotFound)
        "#]],
    );
}

#[test]
fn an_impl_of_an_external_trait_applies_if_the_trait_is_in_scope() {
    check(
        r#"
        extern crate outside;
        struct S;
        mod a {
            use outside::Buf;
            impl Buf for super::S { fn put(&mut self) -> super::S { super::S } }
            fn f(s: super::S) { s.put().put(); }
        }
        mod b { fn f(s: super::S) { s.put(); } }
        "#,
        expect![[r#"
            a::f -> a::<super::S as Buf>::put (trait_impl)
            a::f -> a::<super::S as Buf>::put (trait_impl)
            b::f -> a::<super::S as Buf>::put (candidate, name_only)
        "#]],
    );
}

#[test]
fn the_trait_of_the_enclosing_impl_is_in_scope() {
    check(
        r#"
        extern crate outside;
        mod t {
            pub trait Connect { fn connect(&self); fn kind() -> u8; }
            pub struct Inner;
            impl Connect for Inner { fn connect(&self) {} fn kind() -> u8 { 1 } }
            impl outside::Buf for Inner { fn put(&mut self) {} }
            pub struct Other;
            impl Other { pub fn connect(&self) {} }
        }
        struct Outer<T: outside::Tls> { inner: t::Inner, tls: T }
        impl<T: outside::Tls> t::Connect for Outer<T> {
            fn connect(&self) {
                fn nested(inner: &t::Inner) { inner.connect(); }
                self.inner.connect();
                self.inner.put();
            }
            fn kind() -> u8 { t::Inner::kind() }
        }
        impl<T: outside::Tls> outside::Buf for Outer<T> {
            fn put(&mut self) { self.inner.put(); self.inner.connect(); }
        }
        "#,
        expect![[r#"
            <Outer<T> as t::Connect>::connect::nested -> t::<Inner as Connect>::connect (trait_impl)
            <Outer<T> as t::Connect>::connect -> t::<Inner as Connect>::connect (trait_impl)
            <Outer<T> as t::Connect>::connect -> <Outer<T> as outside::Buf>::put (candidate, name_only)
            <Outer<T> as t::Connect>::connect -> t::<Inner as outside::Buf>::put (candidate, name_only)
            <Outer<T> as t::Connect>::kind -> t::<Inner as Connect>::kind (trait_impl)
            <Outer<T> as outside::Buf>::put -> t::<Inner as outside::Buf>::put (trait_impl)
            <Outer<T> as outside::Buf>::put -> <Outer<T> as t::Connect>::connect (candidate, name_only)
            <Outer<T> as outside::Buf>::put -> t::<Inner as Connect>::connect (candidate, name_only)
            <Outer<T> as outside::Buf>::put -> t::Connect::connect (candidate, name_only)
            <Outer<T> as outside::Buf>::put -> t::Other::connect (candidate, name_only)
        "#]],
    );
}

#[test]
fn external_types_named_result_are_assumed_to_contain_their_first_argument() {
    check(
        r#"
        extern crate anyhow;
        struct S; impl S { fn f(&self) {} fn new() -> S { S } }
        fn make() -> anyhow::Result<S> { Ok(S) }
        fn all() -> anyhow::Result<()> { make()?.f(); S::new().f(); Ok(()) }
        "#,
        expect![[r#"
            all -> make (path_call)
            all -> S::f (candidate, assumed_result)
            all -> S::new (type_path)
            all -> S::f (inherent_method)
        "#]],
    );
}
