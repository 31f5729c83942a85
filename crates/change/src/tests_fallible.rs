//! Functions that turned from `Option` to `Result` or back, as text.

use base::{ByteSpan, DiagnosticSpan, ProjectPath};

use crate::tests::{Tree, finished, marked, since};
use crate::{carry, intents};

const OPTION: &str = "fn find(a: u8) -> Option<u8> { None }\n";
const RESULT: &str = "struct E;\nfn find(a: u8) -> Result<u8, E> { Err(E) }\n";

/// What becomes of a caller whose errors, with this code, are marked; the call is labelled as the value
/// of each pattern.
fn of_caller(before: &str, after: &str, caller: &str, code: &str) -> Vec<String> {
    let now = format!("{after}{caller}");
    let (plain, mut errors) = marked(&now, code, "mismatched types");
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let call = plain.rfind("find(1)").unwrap();
    for error in &mut errors {
        let span = ByteSpan::new(call, call + "find(1)".len());
        let label = DiagnosticSpan::primary(&path, &plain, span);
        error.spans.push(DiagnosticSpan { primary: false, ..label });
    }
    let base = format!("{before}{}", caller.replace("$0", "").replace("$1", ""));
    let (base, now) = (Tree::of(&[("src/lib.rs", &base)]), Tree::of(&[("src/lib.rs", &plain)]));
    let difference = since(&base, &now);
    let found = carry(&difference, &intents(&difference), &errors, &now);
    let mut texts: Vec<String> = Vec::new();
    for it in found.iter().filter(|it| it.reason.starts_with("`find` returns")) {
        let mut text = plain.clone();
        for (_, splice) in it.splices.iter().rev() {
            text.replace_range(splice.span.start..splice.span.end, &splice.insert);
        }
        let text = text.strip_prefix(after).unwrap().to_owned();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

#[test]
fn patterns_take_the_new_type() {
    let cases = [
        (
            "fn f() { if let $0Some(x)$1 = find(1) { g(x) } }",
            "fn f() { if let Ok(x) = find(1) { g(x) } }",
        ),
        (
            "fn f() { let $0Some(x)$1 = find(1) else { return }; }",
            "fn f() { let Ok(x) = find(1) else { return }; }",
        ),
        (
            "fn f() { match find(1) { $0Some(x)$1 => g(x), $0None$1 => h() } }",
            "fn f() { match find(1) { Ok(x) => g(x), Err(_) => h() } }",
        ),
    ];
    for (caller, wanted) in cases {
        assert_eq!(of_caller(OPTION, RESULT, caller, "E0308"), [wanted]);
    }
    assert_eq!(
        of_caller(
            RESULT,
            OPTION,
            "fn f() { match find(1) { $0Ok(x)$1 => g(x), $0Err(_)$1 => h() } }",
            "E0308"
        ),
        ["fn f() { match find(1) { Some(x) => g(x), None => h() } }"]
    );
    // The error is named: there is none in an `Option`.
    assert_eq!(
        of_caller(
            RESULT,
            OPTION,
            "fn f() { match find(1) { Ok(x) => g(x), $0Err(e)$1 => h(e) } }",
            "E0308"
        ),
        [""; 0]
    );
    // Another value is held against the pattern.
    assert_eq!(
        of_caller(OPTION, RESULT, "fn f() { if let $0Some(x)$1 = find(1).map(g) { } }", "E0599"),
        [""; 0]
    );
}

#[test]
fn values_are_made_options_where_one_is_wanted() {
    let cases = [
        (
            "E0277",
            "fn f() -> Option<u8> { let x = find(1)$0?$1; x }",
            "fn f() -> Option<u8> { let x = find(1).ok()?; x }",
        ),
        (
            "E0308",
            "fn f() -> Option<u8> { $0find(1).map(|it| it + 1)$1 }",
            "fn f() -> Option<u8> { find(1).ok().map(|it| it + 1) }",
        ),
        ("E0599", "fn f() { find(1).$0is_some$1() }", "fn f() { find(1).is_ok() }"),
        ("E0599", "fn f() { find(1).$0ok_or$1(3) }", "fn f() { find(1).ok().ok_or(3) }"),
        (
            "E0593",
            "fn f() { find(1).unwrap_or_else($0|| 3$1) }",
            "fn f() { find(1).unwrap_or_else(|_| 3) }",
        ),
    ];
    for (code, caller, wanted) in cases {
        assert_eq!(of_caller(OPTION, RESULT, caller, code), [wanted]);
    }
    assert_eq!(
        of_caller(RESULT, OPTION, "fn f() { find(1).$0is_err$1() }", "E0599"),
        ["fn f() { find(1).is_none() }"]
    );
}

#[test]
fn another_value_inside_or_another_function_is_left() {
    let other = "struct E;\nfn find(a: u8) -> Result<u16, E> { Err(E) }\n";
    let caller = "fn f() { find(1).$0is_some$1() }";
    assert_eq!(of_caller(OPTION, other, caller, "E0599"), [""; 0]);
    let now = format!("{RESULT}fn f() {{ search(1).$0is_some$1() }}");
    let base = format!("{OPTION}fn f() {{ search(1).is_some() }}");
    assert_eq!(finished(&base, &now, "E0599", "no method named `is_some`"), [""; 0]);
}
