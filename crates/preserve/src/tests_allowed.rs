//! What finishing a removal may remove.

use super::tests::overlay;
use super::{Allowed, Violation, preservation};

#[test]
fn what_belonged_to_something_removed_may_go_and_nothing_else() {
    let names = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect();
    let allowed = Allowed {
        fields: names(&["gone"]),
        patterns: names(&["Gone"]),
        members: names(&["gone"]),
        imports: names(&["gone"]),
        ..Allowed::default()
    };
    let rules = |before: &str, after: &str| {
        let found =
            preservation(&overlay(&[("src/lib.rs", Some(before), Some(after))]), &[], &allowed);
        let rules =
            |list: &[Violation]| -> Vec<&str> { list.iter().map(|it| it.rule.as_str()).collect() };
        (rules(&found.violations).join(" "), rules(&found.allowed).join(" "))
    };
    let goes = |before: &str, after: &str, rule: &str| {
        assert_eq!(rules(before, after), (String::new(), rule.to_owned()), "{before}");
    };
    let stays = |before: &str, after: &str| {
        let (violations, allowed) = rules(before, after);
        assert!(!violations.is_empty() && allowed.is_empty(), "{before}");
    };
    goes("fn f() { S { a: 1, gone: g(2) } }", "fn f() { S { a: 1 } }", "field-removed");
    stays("fn f() { S { a: 1, kept: g(2) } }", "fn f() { S { a: 1 } }");
    goes(
        "fn f() { match x { E::A => a(), E::Gone => b() } }",
        "fn f() { match x { E::A => a() } }",
        "arm-removed",
    );
    // The name in the value of an arm is not in its pattern.
    stays(
        "fn f() { match x { E::A => a(), E::B => Gone::b() } }",
        "fn f() { match x { E::A => a() } }",
    );
    goes(
        "impl T for A { fn a() { x() } fn gone() { y() } }",
        "impl T for A { fn a() { x() } }",
        "item-removed",
    );
    goes(
        "impl T for A { fn a() { x() } #[inline] fn gone() { y() } }",
        "impl T for A { fn a() { x() } }",
        "item-removed",
    );
    let before = "impl T for A { #[inline] fn a() { x() } #[inline] fn gone() { y() } }";
    let (lost, _) = rules(before, "impl T for A { fn a() { x() } }");
    assert!(lost.contains("attribute-removed"), "{lost}");
    stays("fn gone() { y() }\nfn a() { x() }", "fn a() { x() }");
    goes("use a::gone::b;\nfn f() {}", "fn f() {}", "import-removed");
    // Tests, assertions and statements are never permitted.
    stays("fn f() { gone(); x() }", "fn f() { x() }");
    stays("#[test] fn gone() { y() }\nfn f() {}", "fn f() {}");
    stays("fn f() { assert!(gone()); }", "fn f() { }");
    stays(
        "mod tests { impl T for A { #[test] fn gone() { y() } } }",
        "mod tests { impl T for A { } }",
    );
}

#[test]
fn tests_use_the_new_name_of_what_the_user_has_renamed() {
    let renamed = |from: &str, to: &str| Allowed {
        renamed: [(from.to_owned(), to.to_owned())].into(),
        ..Allowed::default()
    };
    let breaks = |before: &str, after: &str, allowed: &Allowed| {
        let change = overlay(&[("tests/a.rs", Some(before), Some(after))]);
        !preservation(&change, &[], allowed).violations.is_empty()
    };
    // The file has a field of the old name, so that it is not just unknown.
    let test = |name: &str| {
        format!(
            "struct S {{ source: u8 }}\n#[test] fn t() {{ v.push(e.{name}()); assert!(v.ok()); }}"
        )
    };
    let (before, after) = (test("source"), test("origin"));
    assert!(breaks(&before, &after, &Allowed::default()));
    assert!(!breaks(&before, &after, &renamed("source", "origin")));
    assert!(breaks(&before, &test("target"), &renamed("source", "origin")));
    // What a name of the standard library asserts is not the user's to rename.
    let (before, after) = (test("is_ok"), test("is_err"));
    assert!(breaks(&before, &after, &renamed("is_ok", "is_err")));
}

#[test]
fn the_arguments_of_a_removed_parameter_may_go() {
    let allowed = Allowed { arguments: [("area".to_owned(), 1, 2)].into(), ..Allowed::default() };
    let found = |before: &str, after: &str| {
        let change = overlay(&[("src/lib.rs", Some(before), Some(after))]);
        let found = preservation(&change, &[], &allowed);
        (found.violations.len(), found.allowed.len())
    };
    assert_eq!(found("fn f() { area(a, x.low()); }", "fn f() { area(a); }"), (0, 1));
    assert_eq!(found("fn f() { area(a, g(x.low(), 2),); }", "fn f() { area(a); }"), (0, 2));
    assert_eq!(found("fn f() { m.area(a, b(c)) }", "fn f() { m.area(a) }"), (0, 1));
    assert_eq!(found("fn f() { M::area(m, a, b(c)) }", "fn f() { M::area(m, a) }"), (0, 1));
    // Another argument, another number of arguments, another function, the call itself.
    assert_eq!(found("fn f() { area(b(c), a) }", "fn f() { area(a) }").0, 1);
    assert_eq!(found("fn f() { area(a, b(c), d, e) }", "fn f() { area(a, d, e) }").0, 1);
    assert_eq!(found("fn f() { size(a, b(c)) }", "fn f() { size(a) }").0, 1);
    assert_ne!(found("fn f() { area(a, b(c)) }", "fn f() { a }").0, 0);
    // Not in tests.
    let test = |call: &str| format!("#[test] fn t() {{ assert!({call} == 1); }}");
    assert_ne!(found(&test("area(a, b(c))"), &test("area(a)")).0, 0);
}

#[test]
fn a_derive_goes_only_where_an_impl_replaces_it() {
    let derives = [("S".to_owned(), "Default".to_owned())].into();
    let allowed = Allowed { derives, ..Allowed::default() };
    let found = |before: &str, after: &str| {
        let change = overlay(&[("src/lib.rs", Some(before), Some(after))]);
        let found = preservation(&change, &[], &allowed);
        (found.violations.len(), found.allowed.len())
    };
    assert_eq!(found("#[derive(Clone, Default)] struct S;", "#[derive(Clone)] struct S;"), (0, 1));
    assert_eq!(found("#[derive(Default)] struct S;", "struct S;"), (0, 1));
    assert_eq!(found("#[derive(Clone, Default)] struct S;", "#[derive(Default)] struct S;").1, 0);
    assert_eq!(found("#[derive(Clone, Default)] struct T;", "#[derive(Clone)] struct T;").1, 0);
}

#[test]
fn a_constant_takes_the_place_of_a_call() {
    let allowed =
        Allowed { constants: [("min".to_owned(), "MIN".to_owned())].into(), ..Allowed::default() };
    let violations = |before: &str, after: &str| {
        let overlay = overlay(&[("src/lib.rs", Some(before), Some(after))]);
        preservation(&overlay, &[], &allowed).violations.len()
    };
    let before = "fn f() { g(A::min(), B::min()) }";
    assert_eq!(violations(before, "fn f() { g(A::MIN, B::MIN) }"), 0);
    assert_ne!(violations(before, "fn f() { g(A::MIN, 1) }"), 0);
    assert_ne!(violations("fn f() { g(A::min(1)) }", "fn f() { g(A::MIN) }"), 0);
    assert_ne!(violations("fn f() { g(A::max()) }", "fn f() { g(A::MIN) }"), 0);
    let allowed = Allowed { members: ["min".to_owned()].into(), ..allowed.clone() };
    let before =
        "impl T for A {\n    fn min() -> u8 {\n        1\n    }\n}\nfn f() { A::min() + g(1) }";
    let after = "impl T for A {\n    const MIN: u8 = 1;\n}\nfn f() { A::MIN + g(1) }";
    let overlay = overlay(&[("src/lib.rs", Some(before), Some(after))]);
    assert_eq!(preservation(&overlay, &[], &allowed).violations, []);
}

#[test]
fn a_text_made_of_a_literal_may_become_the_literal() {
    let rules = |before: &str, after: &str| {
        let overlay = overlay(&[("src/lib.rs", Some(before), Some(after))]);
        preservation(&overlay, &[], &Allowed::default()).violations.len()
    };
    assert_eq!(rules("fn f() { g(String::from(\"a\")) }", "fn f() { g(\"a\") }"), 0);
    assert_eq!(rules("fn f() { Cow::from(\"a\") }", "fn f() { \"a\" }"), 0);
    assert_ne!(rules("fn f() { g(Key::from(\"a\")) }", "fn f() { g(\"a\") }"), 0);
    assert_ne!(rules("fn f() { g(String::from(\"a\")) }", "fn f() { g(\"b\") }"), 0);
}

#[test]
fn a_test_names_a_moved_item_by_its_new_path() {
    let moved = [("f".to_owned(), "b".to_owned())].into();
    let left = [(base::ProjectPath::new("src/lib.rs").unwrap(), ["Map".to_owned()].into())].into();
    let allowed = Allowed { moved, left, ..Allowed::default() };
    let rules = |before: &str, after: &str| -> String {
        let change = overlay(&[("src/lib.rs", Some(before), Some(after))]);
        let found = preservation(&change, &[], &allowed).violations;
        found.iter().map(|it| it.rule.as_str()).collect::<Vec<_>>().join(" ")
    };
    let mods = "mod a; mod b; mod c;";
    let test = |path: &str| format!("{mods}\n#[test] fn t() {{ assert_eq!({path}(1), 2); }}");
    assert_eq!(rules(&test("crate::a::f"), &test("crate::b::f")), "");
    assert_eq!(rules(&test("crate::a::x::f"), &test("crate::b::f")), "");
    assert_eq!(rules(&test("crate::a::f"), &test("crate::c::f")), "test-weakened");
    assert_eq!(rules(&test("crate::a::g"), &test("crate::b::g")), "test-weakened");
    let imported = |first: &str, rest: &str, mods: &str| {
        format!(
            "mod a;\n{mods}#[cfg(test)]\nmod tests {{\n    {first}use crate::a::{{{rest}}};\n    #[test]\n    fn t() {{ f() }}\n}}\n"
        )
    };
    let before = imported("", "f, g, h", "");
    let after = |module: &str| {
        imported(&format!("use crate::{module}::f;\n    "), "g, h", "mod b;\nmod c;\n")
    };
    assert_eq!(rules(&before, &after("b")), "");
    assert_eq!(rules(&before, &after("c")), "test-edited");
    // Imports of what only the moved item used.
    assert_eq!(rules("use c::Map;\nfn g() {}", "fn g() {}"), "");
    assert_eq!(rules("use c::Set;\nfn g() {}", "fn g() {}"), "import-removed");
}

#[test]
fn what_a_moved_item_needs_may_be_visible_in_its_crate() {
    let path = base::ProjectPath::new("src/lib.rs").unwrap();
    let allowed =
        Allowed { reached: [(path, ["f".to_owned()].into())].into(), ..Allowed::default() };
    let rules = |after: &str| -> String {
        let change = overlay(&[("src/lib.rs", Some("fn f() {}\nfn g() {}"), Some(after))]);
        let found = preservation(&change, &[], &allowed).violations;
        found.iter().map(|it| it.rule.as_str()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(rules("pub(crate) fn f() {}\nfn g() {}"), "");
    assert_eq!(rules("pub fn f() {}\nfn g() {}"), "visibility-widened");
    assert_eq!(rules("fn f() {}\npub(crate) fn g() {}"), "visibility-widened");
}

#[test]
fn an_import_may_have_a_condition_that_its_file_has() {
    let rules = |before: &str, after: &str| -> String {
        let change = overlay(&[("src/lib.rs", Some(before), Some(after))]);
        let found = preservation(&change, &[], &Allowed::default()).violations;
        found.iter().map(|it| it.rule.as_str()).collect::<Vec<_>>().join(" ")
    };
    let before = "#[cfg(a)]\nuse b::c;\nfn f() {}\n";
    assert_eq!(rules(before, "#[cfg(a)]\nuse b::c;\n#[cfg(a)]\nuse b::d;\nfn f() {}\n"), "");
    let other = "#[cfg(a)]\nuse b::c;\n#[cfg(e)]\nuse b::d;\nfn f() {}\n";
    assert_eq!(rules(before, other), "hidden-code-added");
    let code = "#[cfg(a)]\nuse b::c;\n#[cfg(a)]\nfn g() {}\nfn f() {}\n";
    assert_eq!(rules(before, code), "hidden-code-added");
}

#[test]
fn a_change_of_the_edition_may_put_one_call_of_what_that_makes_unsafe_in_a_block() {
    let manifest = |edition: &str| format!("[package]\nname = \"p\"\nedition = \"{edition}\"\n");
    let (old, new) = (manifest("2021"), manifest("2024"));
    let count = |before: &str, after: &str, to: &str| {
        let change = overlay(&[
            ("src/lib.rs", Some(before), Some(after)),
            ("Cargo.toml", Some(&old), Some(to)),
        ]);
        preservation(&change, &[], &Allowed::default()).violations.len()
    };
    let before = "fn f() { std::env::set_var(\"A\", a(1)); g(); }";
    let after = "fn f() { unsafe { std::env::set_var(\"A\", a(1)) }; g(); }";
    assert_eq!(count(before, after, &new), 0);
    assert_eq!(count(before, after, &old), 1);
    let more = "fn f() { unsafe { std::env::set_var(\"A\", a(1)); g(); } }";
    assert_eq!(count(before, more, &new), 1);
    let other = "fn f() { unsafe { g(); std::env::set_var(\"A\", a(1)) } }";
    assert_eq!(count("fn f() { g(); std::env::set_var(\"A\", a(1)) }", other, &new), 1);
    assert_eq!(count("fn f() { g(); }", "fn f() { unsafe { g() }; }", &new), 1);
}
