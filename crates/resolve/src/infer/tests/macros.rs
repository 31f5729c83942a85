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
fn items_name_implement_and_import() {
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
