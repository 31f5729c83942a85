//! Names in the input of `quote!`: text in, what is changed and what is left out.

use super::tests::{plan, renamed};
use super::*;

/// The lines of one file that the rename changes, and those that it leaves in quoted code, after the compiler has
/// listed no use.
fn quoted(kind: RenameKind, owner: &str, definition: &str, text: &str) -> (Vec<u32>, Vec<u32>) {
    let mut plan = plan(kind, owner, definition, &[("src/lib.rs", text)]);
    plan.leave_unseen(SortedMap::new());
    plan.confirm(&ListedUses::default());
    let lines = |edited: bool| {
        let rows = plan.unproven(false).into_iter();
        rows.filter(|it| it.edited == edited).map(|it| it.line).collect()
    };
    let left = plan.left_in_quotes().into_iter().map(|it| it.line).collect();
    assert_eq!(lines(false), left, "{text}");
    (lines(true), left)
}

#[test]
fn a_path_from_a_variable_follows_where_nothing_else_has_the_name() {
    let text = "pub trait Old { fn f(); }\nfn f() { quote! { impl #internal::Old for #t {} } }\n\
                fn g() { quote! { <#t as ::own::__private::Old>::f } }\n";
    let text = &text.replace("Old", "old");
    assert_eq!(quoted(RenameKind::Type, "own", "trait old", text), (vec![2], vec![3]));
    let text = &format!("{text}mod other {{ struct old; }}\n");
    assert_eq!(quoted(RenameKind::Type, "own", "trait old", text), (vec![], vec![2]));
}

#[test]
fn a_member_that_another_part_of_a_quoted_impl_defines_follows() {
    let text = "trait A { fn old(self); }\nfn f() { quote! { impl #p::A for #t { #body } } }\n\
                fn g() { quote! { fn old(self) {} } }\nfn h() { quote! { #t::old(self.old()) } }\n";
    assert_eq!(quoted(RenameKind::Method, "A", "fn old(self);", text), (vec![3, 4], vec![]));
    let other = text.replace("::A for", "::B for");
    let (changed, left) = quoted(RenameKind::Method, "A", "fn old(self);", &other);
    assert_eq!((changed, left), (vec![4], vec![3]));
    let inherent = text.replace("fn old(self) {} } }", "impl S { fn old(self) {} } } }");
    assert_eq!(quoted(RenameKind::Method, "A", "fn old(self);", &inherent).0, [4]);
    let text = &format!("{text}trait B {{ fn old(); }}\n");
    assert_eq!(quoted(RenameKind::Method, "A", "fn old(self);", text), (vec![], vec![3]));
}

#[test]
fn a_constructor_that_is_quoted_by_its_type_follows_beside_others() {
    let text = "struct S; impl S { fn old() {} }\nstruct T; impl T { fn old() {} }\n\
                fn f() { quote! { S::old() } }\nfn g() { quote! { T::old() } }\n";
    assert_eq!(quoted(RenameKind::Method, "S", "fn old", text), (vec![3], vec![]));
}

#[test]
fn a_macro_that_a_variable_leads_to_follows() {
    let text = "#[macro_export] macro_rules! old { () => {} }\nfn f() { quote! { #p::old! {} } }\n";
    assert_eq!(
        renamed(RenameKind::Macro, "own", "old { ()", text),
        "#[macro_export] macro_rules! new { () => {} }\nfn f() { quote! { #p::new! {} } }\n"
    );
}

#[test]
fn text_that_a_macro_quotes_breaks_nothing() {
    let text = "fn old() {}\nfn f() { stringify!(crate::old()); }\n";
    let plan = plan(RenameKind::Function, "", "fn old", &[("src/lib.rs", text)]);
    assert_eq!(plan.left_in_quotes(), []);
}
