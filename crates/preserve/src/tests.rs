//! The preservation rule, text in and text out: permitted and rejected changes.

use base::{ProjectPath, Timestamp};
use edit::{FileState, Overlay};
use proptest::prelude::*;

use super::{Rule, violations};

fn state(text: &str) -> FileState {
    FileState { text: text.into(), executable: false }
}

pub(crate) fn overlay(files: &[(&str, Option<&str>, Option<&str>)]) -> Overlay {
    let states = files
        .iter()
        .map(|(path, before, after)| {
            (ProjectPath::new(path).unwrap(), before.map(state), after.map(state))
        })
        .collect();
    Overlay::from_states("test", Timestamp(0), states)
}

pub(crate) fn found(old: &str, new: &str) -> String {
    violations(&overlay(&[("a.rs", Some(old), Some(new))]), &[])
        .iter()
        .map(|it| format!("{}:{} {}", it.rule, it.line, it.detail))
        .collect::<Vec<_>>()
        .join("\n")
}

/// One test per line: `name: old => new => violations` (none if the change preserves the code).
macro_rules! facts {
    ($($name:ident: $old:expr => $new:expr => $expected:expr;)*) => {
        $(#[test] fn $name() { assert_eq!(found($old, $new), $expected); })*
    };
}

facts! {
    // Ordinary repairs.
    a_callee_may_be_renamed:
        "fn f() { prnt(x); }" => "fn f() { print(x); }" => "";
    a_method_may_be_renamed:
        "fn f() { v.lenght().max(1); }" => "fn f() { v.len().max(1); }" => "";
    a_variable_may_be_renamed:
        "fn f() { let a = coutn + 1; g(a); }" => "fn f() { let a = count + 1; g(a); }" => "";
    a_macro_may_be_renamed:
        "fn f() { printn!(\"a\"); }" => "fn f() { println!(\"a\"); }" => "";
    a_type_may_be_renamed:
        "struct S { a: Strin }" => "struct S { a: String }" => "";
    the_generic_arguments_of_an_impl_may_change:
        "impl A<[u8; 4]> for W { fn f(&self) {} }" => "impl A<u8, 4> for W { fn f(&self) {} }" => "";
    a_reference_in_the_pattern_of_an_arm_may_go:
        "fn f() { match e { E::A { ref x, ref mut y } => g(x, y), } }"
        => "fn f() { match e { E::A { x, y } => g(x, y), } }" => "";
    a_declaration_may_be_renamed:
        "fn f() { let s = 1; let s = 2; }" => "fn f() { let _s = 1; let s = 2; }" => "";
    a_reference_may_be_added:
        "fn f() { g(x); }" => "fn f() { g(&x); }" => "";
    a_reference_may_be_removed:
        "fn f() { g(&mut x, *y); }" => "fn f() { g(x, y); }" => "";
    mut_may_be_added:
        "fn f() { let x = 1; x += 1; }" => "fn f() { let mut x = 1; x += 1; }" => "";
    mut_may_be_removed:
        "fn f() { let mut x = 1; g(x); }" => "fn f() { let x = 1; g(x); }" => "";
    a_clone_may_be_added:
        "fn f() { g(x); h(x) }" => "fn f() { g(x.clone()); h(x) }" => "";
    an_expression_may_be_wrapped:
        "fn f() -> Option<u8> { g() }" => "fn f() -> Option<u8> { Some(g()) }" => "";
    a_constructor_may_be_unwrapped:
        "fn f() -> u8 { Some(g()) }" => "fn f() -> u8 { g() }" => "";
    a_block_may_be_wrapped_around:
        "fn f() { a(); b(); }" => "fn f() { { a(); b(); } }" => "";
    an_operator_may_change:
        "fn f() { if x = 5 { g(); } }" => "fn f() { if x == 5 { g(); } }" => "";
    a_comparison_may_be_split:
        "fn f() { if a < b < c { g(); } }" => "fn f() { if a < b && b < c { g(); } }" => "";
    a_stray_semicolon_may_be_removed:
        "fn f() -> u8 { g(1); }" => "fn f() -> u8 { g(1) }" => "";
    a_missing_semicolon_may_be_added:
        "fn f() { let a = 1 g(a) }" => "fn f() { let a = 1; g(a) }" => "";
    a_semicolon_behind_an_item_may_be_removed:
        "struct S { a: u8 };\nfn f() {}" => "struct S { a: u8 }\nfn f() {}" => "";
    a_needless_pub_may_be_removed:
        "impl T for S { pub fn f() { g(); } }" => "impl T for S { fn f() { g(); } }" => "";
    a_wrong_item_keyword_may_be_replaced:
        "fn f() { const x = g(); }" => "fn f() { let x = g(); }" => "";
    a_wrong_control_word_may_be_replaced:
        "fn f() { while x in y { g(); } }" => "fn f() { for x in y { g(); } }" => "";
    return_may_become_a_tail:
        "fn f() -> u8 { return g(1); }" => "fn f() -> u8 { g(1) }" => "";
    a_statement_may_move:
        "fn f() { g(&x); let x = h(1); k(); }" => "fn f() { let x = h(1); g(&x); k(); }" => "";
    an_item_may_move_to_another_place:
        "impl S { struct T { a: u8 } fn f() { g(); } }" => "struct T { a: u8 } impl S { fn f() { g(); } }" => "";
    an_argument_without_effect_may_be_removed:
        "fn f() { g(1, 2); }" => "fn f() { g(1); }" => "";
    arguments_may_be_swapped:
        "fn f() { g(a(), b()); }" => "fn f() { g(b(), a()); }" => "";
    a_call_may_become_a_method_call:
        "fn f() { len(x); }" => "fn f() { x.len(); }" => "";
    a_conversion_may_be_removed:
        "fn f() { g(x.iter()); h(y.clone()); }" => "fn f() { g(x); h(y); }" => "";
    a_macro_mark_may_be_added:
        "fn f() { println(\"a\"); }" => "fn f() { println!(\"a\"); }" => "";
    a_turbofish_may_be_added:
        "fn f() { g(x.collect()); }" => "fn f() { g(x.collect::<Vec<_>>()); }" => "";
    generic_arguments_may_be_removed:
        "struct S { a: Foo<u8, u16>, b: u8 }" => "struct S { a: Foo<u8>, b: u8 }" => "";
    a_bound_may_be_added:
        "fn f<T>(t: T) { g(t); }" => "fn f<T: Copy>(t: T) { g(t); }" => "";
    a_derive_may_be_added:
        "struct S;" => "#[derive(Clone)]\nstruct S;" => "";
    a_lifetime_may_be_added:
        "fn f(a: &str) -> &str { a }" => "fn f<'a>(a: &'a str) -> &'a str { a }" => "";
    an_import_may_be_added:
        "fn f() { HashMap::new(); }" => "use std::collections::HashMap;\n\nfn f() { HashMap::new(); }" => "";
    an_import_may_be_replaced:
        "use a::Foo;\nfn f() { Foo::g(); }" => "use crate::b::Foo;\nfn f() { Foo::g(); }" => "";
    an_import_given_twice_may_be_removed_once:
        "use a::Foo;\nuse a::Foo;\nfn f() {}" => "use a::Foo;\nfn f() {}" => "";
    an_import_may_get_another_name:
        "use a::X;\nuse b::X;" => "use a::X;\nuse b::X as OtherX;" => "";
    a_missing_arm_may_be_added:
        "fn f() { match x { A => g() } }" => "fn f() { match x { A => g(), B => h() } }" => "";
    a_brace_may_be_added_before_a_method_with_arms:
        "impl S { fn a(self) { g();\n fn b(self) { match x { A => 1, B => 2 } } fn c() { match y { A => h(), B => i() } } }" => "impl S { fn a(self) { g(); }\n fn b(self) { match x { A => 1, B => 2 } } fn c() { match y { A => h(), B => i() } } }" => "";
    an_arm_of_an_unclosed_file_must_stay:
        "impl S { fn a(self) { g();\n fn b(self) { match x { A => 1, B => 2 } } }" => "impl S { fn a(self) { g(); }\n fn b(self) { match x { B => 2 } } }" => "arm-removed:2 `A => 1,`";
    a_brace_may_be_added:
        "fn f() { if x { g(); \nfn h() { k(); }" => "fn f() { if x { g(); } }\nfn h() { k(); }" => "";
    a_brace_too_many_may_be_removed:
        "fn f() { g(); } }\nfn h() { k(); }" => "fn f() { g(); }\nfn h() { k(); }" => "";
    a_quote_may_be_closed:
        "fn f() { g(\"a); h(); }" => "fn f() { g(\"a\"); h(); }" => "";
    a_literal_may_change_its_kind:
        "fn f() { g('ab'); h(1); }" => "fn f() { g(\"ab\"); h(1.0); }" => "";
    an_unsafe_block_may_stay:
        "fn f() { unsafe { g(x) } }" => "fn f() { unsafe { g(&x) } }" => "";
    qualifiers_may_change_places:
        "unsafe pub fn f() { g(); }" => "pub unsafe fn f() { g(); }" => "";
    an_existing_todo_may_stay:
        "fn f() { todo!(); g(x) }" => "fn f() { todo!(); g(&x) }" => "";
    an_attributes_argument_may_be_removed:
        "#[inline(unknown)]\nfn f() {}" => "#[inline]\nfn f() {}" => "";
    line_endings_and_layout_may_change:
        "fn f() { a(); b() }" => "fn f() {\r\n    a();\r\n    b()\r\n}" => "";
    a_field_shorthand_may_be_spelled_out:
        "fn f() { S { a, b: g() } }" => "fn f() { S { a: c, b: g() } }" => "";

    // Rejected changes.
    a_statement_must_stay:
        "fn f() {\n    let x = 1;\n    g();\n}" => "fn f() {\n    g();\n}" => "statement-removed:2 `let x = 1;`";
    a_call_statement_must_stay:
        "fn f() { a(); b(); }" => "fn f() { b(); }" => "statement-removed:1 `a();`";
    a_statement_must_not_be_commented_out:
        "fn f() { a(); b(); }" => "fn f() { /* a(); */ b(); }" => "placeholder:1 `/* a(); */`\nstatement-removed:1 `a();`";
    a_line_must_not_be_commented_out:
        "fn f() {\n    a();\n    b();\n}" => "fn f() {\n    // a();\n    b();\n}" => "statement-removed:2 `a();`";
    a_body_must_not_become_todo:
        "fn f() { a(b) }" => "fn f() { todo!() }" => "placeholder:1 `todo!`";
    a_longer_body_must_not_become_todo:
        "fn f() -> u8 { let x = a(); x + b() }" => "fn f() -> u8 { todo!() }" => "effect-removed:1 `a(`\nplaceholder:1 `todo!`\nstatement-removed:1 `x + b()`";
    unimplemented_must_not_be_added:
        "fn f() { match x { A => g() } }" => "fn f() { match x { A => g(), _ => unimplemented!() } }" => "placeholder:1 `unimplemented!`";
    panic_must_not_be_added:
        "fn f() -> u8 { g(); }" => "fn f() -> u8 { g(); panic!() }" => "placeholder:1 `panic!`";
    a_comment_must_not_stand_for_a_value:
        "fn f() { g(1); }" => "fn f() { g(1, /* u8 */); }" => "placeholder:1 `/* u8 */`";
    an_item_must_stay:
        "fn f() { g(); }\nfn h() {}" => "fn h() {}" => "item-removed:1 `fn f() { g(); }`";
    a_struct_must_stay:
        "struct S { a: u8 }\nstruct T;" => "struct T;" => "item-removed:1 `struct S { a: u8 }`";
    an_impl_must_stay:
        "struct S;\nimpl D for S { fn d() {} }" => "struct S;" => "item-removed:2 `impl D for S { fn d() {} }`";
    a_method_must_stay:
        "impl S { fn a() {} fn b() {} }" => "impl S { fn b() {} }" => "item-removed:1 `fn a() {}`";
    a_constant_must_stay:
        "const A: u8 = 1;\nconst B: u8 = 2;" => "const B: u8 = 2;" => "item-removed:1 `const A: u8 = 1;`";
    a_module_must_stay:
        "mod a;\nmod b;" => "mod b;" => "item-removed:1 `mod a;`";
    a_body_must_not_be_emptied:
        "fn f() { a(); b(1); }" => "fn f() {}" => "statement-removed:1 `a();`\nstatement-removed:1 `b(1);`";
    an_arm_must_stay:
        "fn f() { match x { A => 1, B => 2 } }" => "fn f() { match x { B => 2 } }" => "arm-removed:1 `A => 1,`";
    an_arm_with_a_block_must_stay:
        "fn f() { match x { A => { g() } B => {} } }" => "fn f() { match x { B => {} } }" => "arm-removed:1 `A => { g() }`";
    a_field_must_stay:
        "struct S { a: u8, b: u16 }" => "struct S { b: u16 }" => "field-removed:1 `a: u8,`";
    a_tuple_field_must_stay:
        "struct S(u8, String);" => "struct S(u8);" => "field-removed:1 `String`";
    a_field_of_a_value_must_stay:
        "fn f() { S { a: 1, b: 2 } }" => "fn f() { S { a: 1 } }" => "field-removed:1 `b: 2`";
    a_variant_must_stay:
        "enum E { A, B(u8) }" => "enum E { A }" => "variant-removed:1 `B(u8)`";
    an_import_must_stay:
        "use a::{b, c};\nfn f() {}" => "use a::b;\nfn f() {}" => "import-removed:1 `use a::c`";
    a_whole_import_must_stay:
        "use a::b;\nfn f() {}" => "fn f() {}" => "import-removed:1 `use a::b`";
    a_name_imported_twice_may_be_imported_once:
        "use a::b;\nuse c::b;\nfn f() {}" => "use c::b;\nfn f() {}" => "";
    an_import_of_a_name_that_the_module_defines_may_go:
        "use a::{b, c};\nstruct b;\nimpl b { fn c() {} }" => "use a::c;\nstruct b;\nimpl b { fn c() {} }" => "";
    an_import_of_a_name_that_a_member_has_must_stay:
        "use a::{b, c};\nstruct b;\nimpl b { fn c() {} }" => "use a::b;\nstruct b;\nimpl b { fn c() {} }" => "import-removed:1 `use a::c`";
    a_glob_must_stay_beside_another:
        "use a::*;\nuse c::*;\nfn f() {}" => "use c::*;\nfn f() {}" => "import-removed:1 `use a::*`";
    a_range_may_have_the_form_of_an_edition:
        "#[test] fn t() { assert!(matches!(x, b'0'...b'9')); }"
        => "#[test] fn t() { assert!(matches!(x, b'0'..=b'9')); }" => "";
    an_if_let_may_become_a_match:
        "fn f() { if let Some(n) = g() { h(n) } else { i() } }"
        => "fn f() { match g() { Some(n) => { h(n) } _ => { i() }} }" => "";
    an_else_must_stay:
        "fn f() { if let Some(n) = g() { h(n) } else { i() } }"
        => "fn f() { match g() { Some(n) => { h(n) } _ => {} } }" => "statement-removed:1 `i()`";
    a_reason_is_for_the_reader:
        "fn f() { g(x) }" => "fn f() { g(x.expect(\"REASON\")) }" => "placeholder:1 `expect(\"REASON\")`";
    a_name_may_become_raw_for_an_edition:
        "fn gen() { x() }\n#[test] fn t() { assert!(gen()); }"
        => "fn r#gen() { x() }\n#[test] fn t() { assert!(r#gen()); }" => "";
    a_derive_must_stay:
        "#[derive(Clone, Debug)]\nstruct S;" => "#[derive(Debug)]\nstruct S;" => "derive-removed:1 `derive(Clone)`";
    an_attribute_must_stay:
        "#[repr(u8)]\nenum E { A }" => "enum E { A }" => "attribute-removed:1 `#[repr]` is removed";
    an_inner_attribute_must_stay:
        "#![forbid(unsafe_code)]\nfn f() {}" => "fn f() {}" => "lint-weakened:1 `#![forbid(unsafe_code)]`";
    a_statement_of_marks_must_stay:
        "fn f() { static || {}; g(); }" => "fn f() { g(); }" => "item-removed:1 `static || {};`";
    an_argument_with_a_call_must_stay:
        "fn f() { g(1, h()); }" => "fn f() { g(1); }" => "effect-removed:1 `h(`";
    a_call_must_not_become_a_name:
        "fn f() { let x = g(); }" => "fn f() { let x = g; }" => "effect-removed:1 `g(`";
    a_call_around_a_value_must_stay:
        "fn f() { let x = g(a); }" => "fn f() { let x = a; }" => "effect-removed:1 `g(`";
    a_method_call_must_stay:
        "fn f() { v.push(1); w.iter().rev(); }" => "fn f() { v.push(1); w.iter(); }" => "effect-removed:1 `rev(`";
    await_must_stay:
        "async fn f() { g().await; }" => "async fn f() { g(); }" => "effect-removed:1 `await`";
    a_question_mark_must_stay:
        "fn f() { let x = g()?; }" => "fn f() { let x = g(); }" => "effect-removed:1 `?`";
    an_assignment_must_stay:
        "fn f() { let mut x = 1; x = g(x); }" => "fn f() { let mut x = 1; g(x); }" => "effect-removed:1 `=`";
    a_condition_must_stay:
        "fn f() { if x { g(); } }" => "fn f() { g(); }" => "effect-removed:1 `if`";
    a_branch_must_stay:
        "fn f() { if x { g(); } else { h(); } }" => "fn f() { if x { g(); } }" => "effect-removed:1 `else`\nstatement-removed:1 `h();`";
    a_loop_must_stay:
        "fn f() { loop { g(); } }" => "fn f() { g(); }" => "effect-removed:1 `loop`";
    an_early_return_must_stay:
        "fn f() { a(); return; }" => "fn f() { a(); }" => "statement-removed:1 `return;`";
    a_macro_call_must_stay:
        "fn f() { println!(\"a\"); g(); }" => "fn f() { g(); }" => "statement-removed:1 `println!(\"a\");`";
    an_item_macro_must_stay:
        "thread_local! { static A: u8 = 1; }\nfn f() {}" => "fn f() {}" => "item-removed:1 `thread_local! { static A: u8 = 1; }`";
    an_assertion_must_stay:
        "fn f() { assert!(x); g(); }" => "fn f() { g(); }" => "assertion-removed:1 `assert!(x);`";
    an_assertion_must_not_become_another_macro:
        "fn f() { assert_eq!(a, b); }" => "fn f() { println!(a, b); }" => "assertion-removed:1 `assert_eq!(`";
    an_assertion_must_not_become_a_weaker_one:
        "fn f() { assert_eq!(a, b); }" => "fn f() { assert_ne!(a, b); }" => "assertion-removed:1 `assert_eq!(`";
    a_test_must_stay:
        "#[test]\nfn t() { g(); }\nfn h() {}" => "fn h() {}" => "test-removed:2 `fn t() { g(); }`\ntest-removed:2 test `t` is no longer found";
    a_test_must_stay_a_test:
        "#[test]\nfn t() { g(); }" => "fn t() { g(); }" => "test-removed:1 `#[test]` is removed\ntest-removed:2 test `t` is no longer found";
    a_test_must_not_be_ignored:
        "#[test]\nfn t() { g(); }" => "#[test]\n#[ignore]\nfn t() { g(); }" => "test-weakened:2 `#[ignore]`";
    a_test_must_not_be_made_to_panic:
        "#[test]\nfn t() { g(); }" => "#[test]\n#[should_panic]\nfn t() { g(); }" => "test-weakened:2 `#[should_panic]`";
    an_expected_value_must_stay:
        "#[test]\nfn t() { assert_eq!(g(), 2); }" => "#[test]\nfn t() { assert_eq!(g(), 3); }" => "test-weakened:2 `assert_eq!(g(), 2);`";
    an_asserted_value_must_not_be_inverted:
        "#[test]\nfn t() { assert!(g()); }" => "#[test]\nfn t() { assert!(!g()); }" => "test-weakened:2 `assert!(!g());`";
    an_asserted_value_may_be_borrowed:
        "#[test]\nfn t() { assert_eq!(g(), x); }" => "#[test]\nfn t() { assert_eq!(super::g(), *x); }" => "";
    a_test_module_is_guarded_like_its_tests:
        "#[cfg(test)]\nmod t { fn h() { assert!(a == 1); } }" => "#[cfg(test)]\nmod t { fn h() { assert!(a == 2); } }" => "test-weakened:2 `assert!(a == 1);`";
    a_misspelled_conversion_may_be_corrected:
        "fn f(x: u8) { g(x.to_strin()); }" => "fn f(x: u8) { g(x.to_string()); }" => "";
    a_call_must_not_become_a_conversion:
        "fn f(x: u8) { g(x.store()); }" => "fn f(x: u8) { g(x.clone()); }" => "effect-removed:1 1 calls, 2 before";
    a_call_must_not_lose_its_parentheses:
        "fn f() { g(x.len()); }" => "fn f() { g(x.len); }" => "effect-removed:1 1 calls, 2 before";
    a_duplicate_keyword_must_stay:
        "fn f() { let let x = g(); if if x { h(); } }" => "fn f() { let x = g(); if x { h(); } }" => "effect-removed:1 1 branches and loops, 2 before\nstatement-removed:1 1 `let`s, 2 before";
    a_wrong_attribute_name_must_not_become_allow:
        "#[alow(unused)]\nfn f() {}" => "#[allow(unused)]\nfn f() {}" => "allow-added:1 `#[allow(unused)]`";
    a_duplicate_attribute_must_stay:
        "#[inline]\n#[inline]\nfn f() {}" => "#[inline]\nfn f() {}" => "attribute-removed:1 1 attributes and derived traits, 2 before";
    an_item_must_not_be_seen_farther:
        "mod m { fn f() {} }" => "mod m { pub(crate) fn f() {} }" => "visibility-widened:1 `f` was private and is visible in its crate";
    an_item_must_not_be_hidden:
        "pub fn f() {}" => "fn f() {}" => "visibility-reduced:1 `f` was public and is private";
    a_field_must_not_be_hidden:
        "struct S { pub a: u8 }" => "struct S { a: u8 }" => "visibility-reduced:1 `a` was public and is private";
    a_constant_function_must_keep_its_name:
        "const fn f() {}" => "const fn g() {}" => "item-removed:1 `const fn f() {}`";
    a_tuple_field_must_not_be_seen_farther:
        "struct S(u8, u8);" => "struct S(pub u8, u8);" => "visibility-widened:1 `0` was private and is public";
    a_declaration_must_keep_its_name:
        "fn f() {}" => "fn g() {}" => "item-removed:1 `fn f() {}`";
    a_comparison_must_not_be_inverted:
        "fn f() { if a == b { g(); } }" => "fn f() { if a != b { g(); } }" => "effect-removed:1 0 assignments, 1 before";
    unsafe_must_not_be_added:
        "fn f() { g(); }" => "fn f() { unsafe { g(); } }" => "unsafe-added:1 `unsafe`";
    an_unsafe_impl_must_not_be_added:
        "impl Send for S {}" => "unsafe impl Send for S {}" => "unsafe-added:1 `unsafe`";
    allow_must_not_be_added:
        "fn f() {}" => "#[allow(dead_code)]\nfn f() {}" => "allow-added:1 `#[allow(dead_code)]`";
    an_inner_allow_must_not_be_added:
        "fn f() {}" => "#![allow(warnings)]\nfn f() {}" => "allow-added:1 `#![allow(warnings)]`";
    deny_must_not_become_allow:
        "#![deny(unused)]\nfn f() {}" => "#![allow(unused)]\nfn f() {}" => "allow-added:1 `#![allow(unused)]`\nlint-weakened:1 `#![deny(unused)]`";
    code_must_not_be_hidden_by_cfg:
        "fn f() { g(); }" => "#[cfg(any())]\nfn f() { g(); }" => "cfg-changed:1 `#[cfg(any())]`";
    nothing_must_be_hidden_in_a_string:
        "fn f() { a(); b(); }" => "fn f() { \"a();\"; b(); }" => "effect-removed:1 `a(`";
    broken_code_must_not_be_cut_away:
        "fn f() { let x = ; g(1) }\nfn h() { k() " => "fn f() { }\nfn h() { k() }" => "statement-removed:1 `g(1)`\nstatement-removed:1 `let x = ;`";
    what_follows_an_open_brace_must_stay:
        "fn f() { if x { g(); \nfn h() { k(); }" => "fn f() { if x { g(); } }" => "item-removed:2 `fn h() { k(); }`";
}

#[test]
fn a_statement_may_move_to_another_file() {
    let moved = overlay(&[
        ("a.rs", Some("fn f() { a(); }\nfn g() { b(1); }"), Some("fn f() { a(); }")),
        ("b.rs", Some("fn h() {}"), Some("fn h() {}\nfn g() { b(1); }")),
    ]);
    assert_eq!(violations(&moved, &[]), []);
}

#[test]
fn a_file_must_stay() {
    let gone = overlay(&[("a.rs", Some("fn f() {}"), None)]);
    assert_eq!(violations(&gone, &[])[0].rule, Rule::ItemRemoved);
}

#[test]
fn a_new_file_may_be_added_without_placeholders() {
    let with = |text| violations(&overlay(&[("a.rs", None, Some(text))]), &[]).len();
    assert_eq!(with("pub fn f() -> u8 { 1 }"), 0);
    assert_eq!(with("pub fn f() -> u8 { todo!() }"), 1);
}

#[test]
fn keys_of_a_manifest_that_check_nothing_may_be_removed() {
    let manifest = overlay(&[("Cargo.toml", Some("a = 1\nb = 2\n"), Some("a = 1\n"))]);
    assert_eq!(violations(&manifest, &[]), []);
}

#[test]
fn deep_nesting_is_compared() {
    let deep = format!("fn f() {{ {}1{} }}", "(".repeat(4_000), ")".repeat(4_000));
    let other = deep.replace('1', "x");
    assert_eq!(found(&deep, &other), "");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_change_breaks_nothing(text in "[a-z(){};=!?.,#\\[\\]\"'/* \n]{0,80}") {
        prop_assert_eq!(found(&text, &text), "");
    }

    #[test]
    fn any_two_texts_can_be_compared(
        old in "[a-z(){};=!?.,#\\[\\]\"'/<>:| \n]{0,60}",
        new in "[a-z(){};=!?.,#\\[\\]\"'/<>:| \n]{0,60}",
    ) {
        found(&old, &new);
    }

    #[test]
    fn a_statement_that_is_cut_out_is_always_found(at in 0usize..6) {
        let statements =
            ["let a = 1;", "b(a);", "c.d()?;", "if a { e(); }", "f = 2;", "g!(a);"];
        let body = |skip: usize| {
            let kept: Vec<&str> = (0..6).filter(|it| *it != skip).map(|it| statements[it]).collect();
            format!("fn m() {{\n{}\n}}\n", kept.join("\n"))
        };
        prop_assert!(!found(&body(6), &body(at)).is_empty());
    }
}
