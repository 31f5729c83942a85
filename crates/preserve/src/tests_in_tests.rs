//! What may be done to a test, what is rejected outside of tests too, and the forms that the 2024
//! edition requires.

use super::tests::{found, overlay};

fn in_test(body: &str) -> String {
    format!(
        "#[cfg(test)]\nmod tests {{\n    use super::*;\n    fn make() -> S {{ S {{ a: 1 }} }}\n    #[test]\n    \
         fn t() {{\n        {body}\n    }}\n}}\n"
    )
}

#[test]
fn ordinary_repairs_of_a_test_are_accepted() {
    let pairs = [
        ("let x = f(1); assert_eq!(x, 2);", "let x = f(1, None); assert_eq!(x, 2);"),
        ("let x = f(1, 7); assert_eq!(x, 2);", "let x = f(1); assert_eq!(x, 2);"),
        ("let x = f(a); assert_eq!(x, 2);", "let x = f(&a); assert_eq!(x, 2);"),
        ("let x = f(a); assert_eq!(x, 2);", "let mut x = f(a.clone()); assert_eq!(x, 2);"),
        ("let x = f(); assert_eq!(x, 2);", "let x: u64 = f(); assert_eq!(x, 2);"),
        ("let x = f(); assert_eq!(x, 2);", "let x = f().unwrap(); assert_eq!(x, 2);"),
        ("assert_eq!(f(), 2);", "assert_eq!(f().unwrap(), 2);"),
        ("assert_eq!(f(), 2);", "assert_eq!(super::f(), 2);"),
        ("assert_eq!(f(), 2);", "assert_eq!(f(), Some(2));"),
        ("assert_eq!(f(), 2);", "assert_eq!(f(), 2_u64);"),
        ("assert_eq!(f(), 2);", "assert_eq!(f(), 2.0);"),
        ("assert_eq!(x.lenght_of(), 2);", "assert_eq!(x.length_of(), 2);"),
        ("let v = [1].iter().collect();", "let v = [1].iter().collect::<Vec<_>>();"),
        ("let s = S { a: 1 }; s.go();", "let s = S { a: 1, b: 2 }; s.go();"),
        ("let s = S { a: 1 }; s.go();", "let s = S { a: 1, ..Default::default() }; s.go();"),
        ("let (a, b) = f(); g(a, b);", "let (a, b, _) = f(); g(a, b);"),
        (
            "let x = f(1); assert_eq!(x, 2);",
            "let ctx = C::new(); let x = f(1, ctx); assert_eq!(x, 2);",
        ),
        (
            "match f() { A::X => g(), A::Y => h() }",
            "match f() { A::X => g(), A::Y => h(), A::Z => k() }",
        ),
        ("assert_eq!(f(), 2);", "assert_eq!(f(), 2); assert_eq!(f(), 3);"),
        ("let g = lock(); f();", "let g = lock(); drop(g); f();"),
    ];
    let refused: Vec<String> = pairs
        .iter()
        .map(|(old, new)| (new, found(&in_test(old), &in_test(new))))
        .filter(|(_, found)| !found.is_empty())
        .map(|(new, found)| format!("{new}: {found}"))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn imports_and_tests_may_be_added() {
    let old = in_test("assert_eq!(f(), 2);");
    let import = old.replace("use super::*;", "use super::*;\n    use std::collections::HashMap;");
    assert_eq!(found(&old, &import), "");
    let more =
        old.replace("    #[test]", "    #[test]\n    fn u() { assert!(true); }\n    #[test]");
    assert_eq!(found(&old, &more), "");
}

#[test]
fn a_rename_of_a_declaration_goes_through_its_tests() {
    let with = |name: &str| {
        format!("fn {name}() -> u8 {{ 2 }}\n{}", in_test(&format!("assert_eq!({name}(), 2);")))
    };
    // Other code may use the old name: a repair must not rename the item unasked, a user may.
    assert_eq!(
        found(&with("compute"), &with("evaluate")),
        "item-removed:1 `fn compute() -> u8 { 2 }`"
    );
}

#[test]
fn forms_of_the_2024_edition_do_not_count_as_new_unsafe() {
    for (old, new) in [
        ("extern \"C\" { fn f(); }", "unsafe extern \"C\" { fn f(); }"),
        ("#[no_mangle]\npub fn f() {}", "#[unsafe(no_mangle)]\npub fn f() {}"),
        ("#[export_name = \"x\"]\nfn f() {}", "#[unsafe(export_name = \"x\")]\nfn f() {}"),
        ("unsafe fn f() { g(); }", "unsafe fn f() { unsafe { g(); } }"),
    ] {
        assert_eq!(found(old, new), "", "{old} → {new}");
    }
    for (old, new) in [
        ("fn f() {}", "unsafe extern \"C\" { fn g(); }\nfn f() {}"),
        ("fn f() { g(); }", "unsafe fn f() { unsafe { g(); } }"),
        ("fn f() { g(); }", "fn f() { unsafe { g(); } }"),
        ("fn f() { unsafe { g() } h() }", "fn f() { g() } unsafe fn k() { unsafe { h() } }"),
        ("unsafe fn f() { fn k() { g() } }", "unsafe fn f() { fn k() { unsafe { g() } } }"),
    ] {
        assert!(found(old, new).contains("unsafe-added"), "{old} → {new}");
    }
}

#[test]
fn code_that_becomes_text_or_a_dead_branch_is_rejected_outside_of_tests_too() {
    for new in [
        "fn f() { let _ = stringify!(g(1);); h(); }",
        "fn f() { if false { g(1); } h(); }",
        "fn f() { while false { g(1); } h(); }",
        "fn f() { macro_rules! m { () => { g(1); } } h(); }",
        "fn f() { fn never() { g(1); } h(); }",
        "fn f() { let _never = || { g(1); }; h(); }",
    ] {
        assert!(found("fn f() { g(1); h(); }", new).contains("code-disabled"), "{new}");
    }
}

#[test]
fn a_new_module_of_tests_may_import_what_it_tests() {
    let old = "pub fn f() -> u8 {\n    1\n}\n";
    let new = format!(
        "{old}\n#[cfg(test)]\nmod checks {{\n    use super::f;\n    #[test]\n    fn t() {{\n        \
         assert_eq!(f(), 1);\n    }}\n}}\n"
    );
    // That the code is for tests alone is reported by a rule of its own.
    let rules = found(old, &new);
    assert!(!rules.contains("test-weakened"), "{rules}");
}

#[test]
fn a_module_of_a_file_that_gets_a_body_loses_the_tests_of_the_file() {
    let rules = |before: &str, after: &str, more: &[(&str, Option<&str>, Option<&str>)]| {
        let mut files = vec![("src/lib.rs", Some(before), Some(after))];
        files.extend(more);
        let found = crate::violations(&overlay(&files), &[]);
        found.iter().map(|it| it.rule.as_str()).collect::<Vec<_>>().join(" ")
    };
    let before = "#[cfg(test)]\nmod tests;\nmod m;\n";
    let inline = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n}\nmod m;\n";
    assert!(rules(before, inline, &[]).contains("test-removed"));
    let other = "#[cfg(test)]\nmod tests;\nmod m { fn f() {} }\n";
    assert!(rules(before, other, &[]).contains("test-removed"));
    // The file goes with its code.
    let file = [("src/m.rs", Some("fn f() {}\n"), None)];
    assert!(!rules(before, other, &file).contains("test-removed"));
}
