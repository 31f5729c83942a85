//! What errors of the tree permit, and what a forged error does not.

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath, Severity};

use super::tests::overlay;
use super::violations;

/// An error that marks the first `marked` in the text.
fn error(code: &str, message: &str, text: &str, marked: &str) -> Diagnostic {
    let start = text.find(marked).unwrap();
    let span = ByteSpan::new(start, start + marked.len());
    Diagnostic {
        code: Some(code.to_owned()),
        spans: vec![DiagnosticSpan::primary(&ProjectPath::new("a.rs").unwrap(), text, span)],
        ..Diagnostic::new(Severity::Error, message)
    }
}

fn found(old: &str, new: &str, error: Diagnostic) -> String {
    violations(&overlay(&[("a.rs", Some(old), Some(new))]), &[error])
        .iter()
        .map(|it| format!("{}:{} {}", it.rule, it.line, it.detail))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_visibility_grows_where_a_privacy_error_names_the_item() {
    let (old, new) = ("mod m { fn f() {} }", "mod m { pub(crate) fn f() {} }");
    let private = |name: &str| error("E0603", &format!("function `{name}` is private"), old, "f()");
    assert_eq!(found(old, new, private("f")), "");
    assert!(found(old, new, private("g")).starts_with("visibility-widened"));
    let other = error("E0308", "mismatched types in `f`", old, "f()");
    assert!(found(old, new, other).starts_with("visibility-widened"));
    let field = ("struct S { a: u8, b: u8 }", "struct S { a: u8, pub b: u8 }");
    let private = error("E0616", "field `b` of struct `S` is private", field.0, "struct");
    assert_eq!(found(field.0, field.1, private), "");
    let private = error("E0616", "field `a` of struct `S` is private", field.0, "struct");
    assert_eq!(
        found(field.0, field.1, private),
        "visibility-widened:1 `b` was private and is public"
    );
}

#[test]
fn a_question_mark_that_is_not_allowed_becomes_a_match_that_returns() {
    let old = "const fn f() -> O { let a = g(1)?; h(a) }";
    let message = "`?` is not allowed on `Option<u8>` in constant functions";
    let reported = || error("E0658", message, old, "g(1)?");
    let returns = old.replace("g(1)?", "match g(1) { Some(a) => a, None => return None }");
    assert_eq!(found(old, &returns, reported()), "");
    let panics = old.replace("g(1)?", "match g(1) { Some(a) => a, None => h(0) }");
    assert!(found(old, &panics, reported()).contains("effect-removed"));
    let other = error("E0658", message, old, "h(a)");
    assert!(found(old, &returns, other).contains("effect-removed"));
}

#[test]
fn a_visibility_shrinks_where_an_error_is_about_it() {
    let (old, new) = ("enum E { pub A, B }", "enum E { A, B }");
    let about = error("E0449", "visibility qualifiers are not permitted here", old, "pub");
    assert_eq!(found(old, new, about), "");
    let (old, new) = ("pub fn f() {}\npub fn g() {}", "fn f() {}\npub fn g() {}");
    let elsewhere = error("E0449", "visibility qualifiers are not permitted here", old, "pub fn g");
    assert!(found(old, new, elsewhere).starts_with("visibility-reduced"));
}

#[test]
fn a_declaration_takes_another_name_where_an_error_names_one_of_both() {
    let (old, new) = ("fn compute() -> u8 { 2 }", "fn evaluate() -> u8 { 2 }");
    let unknown = |name: &str| {
        error("E0425", &format!("cannot find function `{name}` in this scope"), old, "2")
    };
    assert_eq!(found(old, new, unknown("evaluate")), "");
    assert!(found(old, new, unknown("count")).starts_with("item-removed"));
}

/// A test whose assertion calls `is_empty`, which the tree no longer has.
fn asserting(assertion: &str) -> String {
    format!(
        "#[cfg(test)]\nmod tests {{\n    #[test]\n    fn t() {{\n        {assertion}\n    }}\n}}\n"
    )
}

#[test]
fn an_assertion_follows_a_rename_that_the_compiler_reports() {
    let old = asserting("assert!(list.is_empty());");
    let new = asserting("assert!(list.is_empty_list());");
    let unknown = error("E0599", "no method named `is_empty` found", &old, "is_empty");
    assert_eq!(found(&old, &new, unknown), "");
    let elsewhere = error("E0599", "no method named `is_empty` found", &old, "list");
    assert!(found(&old, &new, elsewhere).starts_with("test-weakened"));
}

#[test]
fn a_forged_error_turns_no_assertion_into_another() {
    let assertions = [
        (
            "assert!(is_valid(x));",
            "is_valid",
            &[
                "assert!(true);",
                "assert!(!is_valid(x));",
                "assert!(is_valid(x) || true);",
                "assert!(x == x);",
                "debug_assert!(is_valid(x));",
                "let _ = is_valid(x);",
                "if is_valid(x) { assert!(is_valid(x)); }",
                "",
            ][..],
        ),
        (
            "assert!(list.is_empty());",
            "is_empty",
            &[
                "assert!(list.is_some());",
                "assert!(list.not_is_empty());",
                "assert!(list.is_empty_or_any());",
                "assert!(list.is_any());",
                "assert!(list.len() > 0);",
                "assert!(true);",
                "assert!(!list.is_empty());",
            ][..],
        ),
        (
            "assert_eq!(sum(1, 2), 3);",
            "sum",
            &[
                "assert_eq!(sum(1, 2), 4);",
                "assert_eq!(sum(2, 2), 3);",
                "assert_eq!(3, 3);",
                "assert_eq!(sum(1, 2), sum(1, 2));",
                "assert_ne!(sum(1, 2), 3);",
                "assert_eq!(3, sum(1, 2) + 0);",
                "assert!(sum(1, 2) != 3);",
                "assert_eq!(sum(1, 2));",
            ][..],
        ),
        (
            "assert!(result.is_ok());",
            "is_ok",
            &[
                "assert!(result.is_err());",
                "assert!(result.is_ok_or_err());",
                "assert!(result.ok().is_none());",
            ][..],
        ),
    ];
    for (assertion, name, attacks) in assertions {
        let old = asserting(assertion);
        for attack in attacks {
            let new = asserting(attack);
            for (code, marked) in
                [("E0425", name), ("E0599", name), ("E0308", assertion), ("E0425", assertion)]
            {
                let message = format!("cannot find `{name}`, `true`, `x`, `t`, `3` in this scope");
                let forged = error(code, &message, &old, marked);
                let violations = found(&old, &new, forged);
                let protects = ["test-", "assertion-"].iter().any(|it| violations.contains(it));
                assert!(protects, "{assertion} → {attack} with {code}: {violations}");
            }
        }
    }
}

#[test]
fn a_forged_error_takes_no_test_assertion_or_statement_away() {
    let old =
        "fn f() { a(); b(); }\n#[cfg(test)]\nmod tests {\n #[test]\n fn t() { assert!(f()); }\n}\n";
    for new in [
        old.replace("a(); ", ""),
        old.replace("a(); ", "todo!(); a(); "),
        old.replace("a(); ", "unsafe { a(); } "),
        old.replace("assert!(f()); ", ""),
        old.replace("#[test]", "#[test] #[ignore]"),
        old.replace("#[cfg(test)]", "#[cfg(any())]"),
        old.replace("#[test]\n", ""),
    ] {
        for code in ["E0603", "E0133", "E0425", "E0599", "E0449"] {
            let message = "`f`, `a`, `t`, `tests`, `unsafe`, `test`, `assert` are wrong";
            let violations = found(old, &new, error(code, message, old, old));
            assert!(!violations.is_empty(), "{new} with {code}");
        }
    }
}
