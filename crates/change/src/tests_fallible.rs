//! Functions that turned from `Option` to `Result` or back, as text.

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath};

use crate::tests::{Tree, finished, finished_for, marked, since};
use crate::{intents, propagate, unsettled};

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
    let found = propagate(&difference, &intents(&difference), &errors, &now);
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

/// The proposals for `now`, whose marked errors have this label.
fn turned(base: &str, now: &str, code: &str, label: &str) -> Vec<String> {
    let (plain, errors) = labelled(now, code, label);
    finished_for(base, &plain, &errors)
}

fn labelled(now: &str, code: &str, label: &str) -> (String, Vec<Diagnostic>) {
    let (plain, mut errors) = marked(now, code, "mismatched types");
    for error in &mut errors {
        error.spans[0].label = Some(label.to_owned());
    }
    (plain, errors)
}

const PLAIN: &str = "fn f(a: u8) -> u8 { match a { 0 => 1, 1 => return 2, _ => { h(); g(a) } } }\n\
                     fn g(a: u8) -> u8 { a }\n";

#[test]
fn every_value_of_a_body_becomes_a_success() {
    let now = PLAIN.replacen("-> u8", "-> Option<u8>", 1).replacen("=> 1,", "=> $01$1,", 1);
    let label = "expected `Option<u8>`, found integer";
    let wanted = "fn f(a: u8) -> Option<u8> { match a { 0 => Some(1), 1 => return 2, _ => { h(); Some(g(a)) } } }";
    let found = turned(PLAIN, &now, "E0308", label);
    assert!(found.iter().any(|it| it.starts_with(wanted)), "{found:#?}");
    // What is a success, a failure or fallible itself stays.
    let half = now.replace("=> $01$1,", "=> None, 3 => $01$1,").replacen(
        "g(a: u8) -> u8",
        "g(a: u8) -> Option<u8>",
        1,
    );
    let wanted = "=> None, 3 => Some(1), 1 => return 2, _ => { h(); g(a) } } }";
    let found = turned(PLAIN, &half, "E0308", label);
    assert!(found.iter().any(|it| it.contains(wanted)), "{found:#?}");
}

#[test]
fn an_option_that_a_result_is_put_around_is_the_value_inside() {
    let base = "fn f(a: u8) -> Option<u8> { match a { 0 => None, 1 => return None, _ => Some(g(a)) } }\n\
                fn k(a: u8) -> Result<u8, E> { if let Some(b) = f(a) { g(b) } Ok(h(f(a))) }\n";
    let fallible = base.replacen("-> Option<u8>", "-> Result<Option<u8>, E>", 1);
    let label = "expected `Result<Option<u8>, E>`, found `Option<_>`";
    let now = fallible.replacen("0 => None,", "0 => $0None$1,", 1);
    let now = now.replacen("return None,", "return $0None$1,", 1);
    let found = turned(base, &now, "E0308", label);
    let wanted = "match a { 0 => Ok(None), 1 => return Ok(None), _ => Ok(Some(g(a))) } }";
    assert!(found.iter().any(|it| it.contains(wanted)), "{found:#?}");
    let now = fallible.replacen("h(f(a))", "h($0f(a)$1)", 1);
    let label = "expected `Option<u8>`, found `Result<Option<u8>, E>`";
    let found = turned(base, &now, "E0308", label);
    assert!(found.iter().any(|it| it.contains("Ok(h(f(a)?))")), "{found:#?}");
}

#[test]
fn a_closure_that_returns_the_wrapper_passes_on() {
    let fallible = "fn f(a: u8) -> Option<u8> { Some(a) }\n";
    let plain = "fn f(a: u8) -> u8 { a }\n";
    let label = "expected `u8`, found `Option<u8>`";
    let check = |caller: &str, code: &str, wanted: &str| {
        let old = caller.replace("$0", "").replace("$1", "");
        let found = turned(&format!("{plain}{old}"), &format!("{fallible}{caller}"), code, label);
        assert!(found.iter().any(|it| it.ends_with(wanted)), "{wanted}: {found:#?}");
    };
    let ends = |text: &str| {
        format!("fn k(v: &[u8]) -> Vec<u8> {{ v.iter().filter_map(|a| {text}).collect() }}\n")
    };
    check(&ends("Some(h($0f(*a)$1))"), "E0308", &ends("Some(h(f(*a)?))"));
    check(
        &ends("{ if a { return None } Some(h($0f(*a)$1)) }"),
        "E0308",
        &ends("{ if a { return None } Some(h(f(*a)?)) }"),
    );
    // A closure whose value has become more is marked as a whole.
    let item = |call: &str| {
        format!(
            "fn k(v: &[u8]) {{ v.iter().filter_map(|a| $0match a {{ 0 => None, _ => Some({call}) }}$1) }}\n"
        )
    };
    let wanted = item("f(*a)?").replace("$0", "").replace("$1", "");
    check(&item("f(*a)"), "E0271", &wanted);
    let all = |text: &str| {
        format!(
            "fn k(v: &[u8]) -> Option<u8> {{ let w: Vec<u8> = v.iter().map(|a| f(*a)).{text}; w.pop() }}\n"
        )
    };
    check(&all("$0collect$1()"), "E0277", &all("collect::<Option<_>>()?"));
    check(&all("$0collect$1::<Vec<_>>()"), "E0277", &all("collect::<Option<Vec<_>>>()?"));
}

#[test]
fn what_a_closure_gathers_into_an_inferred_type_passes_on() {
    let plain = "fn f(a: u8) -> u8 { a }\n";
    let fallible = "fn f(a: u8) -> Result<u8, E> { Ok(a) }\n";
    let label = "expected `Vec<u8>`, found `Vec<Result<u8, E>>`";
    let check = |caller: &str, code: &str, label: &str, wanted: &str| {
        let old = caller.replace("$0", "").replace("$1", "");
        let found = turned(&format!("{plain}{old}"), &format!("{fallible}{caller}"), code, label);
        assert!(found.iter().any(|it| it.ends_with(wanted)), "{wanted}: {found:#?}");
    };
    let of = |gather: &str, rest: &str| {
        format!(
            "fn k(v: &[u8]) -> Result<Vec<u8>, E> {{ let w = v.iter().map(|a| f(*a)).{gather}; {rest} }}\n"
        )
    };
    let (before, after) = ("collect::<Vec<_>>()", "collect::<Result<Vec<_>, _>>()?");
    check(&of(before, "Ok($0w$1)"), "E0308", label, &of(after, "Ok(w)"));
    check(
        &of(before, "for it in &w { t $0+=$1 it; } h(t)"),
        "E0277",
        "cannot add-assign `&Result<u8, E>` to `u8`",
        &of(after, "for it in &w { t += it; } h(t)"),
    );
}

#[test]
fn a_closure_whose_value_nothing_can_pass_on_is_listed() {
    let rows = |caller: &str| {
        let plain = "fn f(a: u8) -> u8 { a }\n";
        let fallible = "fn f(a: u8) -> Option<u8> { Some(a) }\n";
        let old = caller.replace("$0", "").replace("$1", "");
        let label = "expected `u8`, found `Option<u8>`";
        let (now, errors) = labelled(&format!("{fallible}{caller}"), "E0308", label);
        let base = format!("{plain}{old}");
        let (base, now) = (Tree::of(&[("src/lib.rs", &base)]), Tree::of(&[("src/lib.rs", &now)]));
        let difference = since(&base, &now);
        let found = unsettled(&difference, &intents(&difference), &errors, &now);
        found.iter().map(|it| format!("{}: {}", it.line, it.what)).collect::<Vec<_>>()
    };
    assert_eq!(
        rows("fn k(v: &[u8]) -> Vec<u8> { $0v.iter().map(|a| f(*a)).collect::<Vec<_>>()$1 }\n"),
        ["2: `k` returns `Vec<u8>` and cannot pass `Option<u8>` on"]
    );
    assert_eq!(
        rows("fn k(v: &[u8]) -> u8 { v.iter().map(|a| f(*a)).max().unwrap_or($00$1) }\n"),
        ["2: the closure around the call of `f` returns its value"]
    );
}

#[test]
fn what_cannot_pass_a_failure_on_is_listed() {
    let plain = "fn f(a: u8) -> u8 { a }\nfn k(a: u8) -> u8 { f(a) }\n";
    let now = "fn f(a: u8) -> Option<u8> { Some(a) }\nfn k(a: u8) -> u8 { $0f(a)$1 }\n";
    let (now, errors) = labelled(now, "E0308", "expected `u8`, found `Option<u8>`");
    let (base, now) = (Tree::of(&[("src/lib.rs", plain)]), Tree::of(&[("src/lib.rs", &now)]));
    let difference = since(&base, &now);
    let found = unsettled(&difference, &intents(&difference), &errors, &now);
    let rows: Vec<String> = found.iter().map(|it| format!("{}: {}", it.line, it.what)).collect();
    assert_eq!(rows, ["2: `k` returns `u8` and cannot pass `Option<u8>` on"]);
}

#[test]
fn the_operand_of_an_operator_is_the_value_of_the_call() {
    let plain = "fn f(a: u8) -> bool { true }\nfn k(a: u8) { while !f(a) {} }\n";
    let now = "fn f(a: u8) -> Option<bool> { Some(true) }\nfn k(a: u8) { while $0!f(a)$1 {} }\n";
    let label = "cannot apply unary operator `!` to type `Option<bool>`";
    let (now, errors) = labelled(now, "E0600", label);
    let (base, now) = (Tree::of(&[("src/lib.rs", plain)]), Tree::of(&[("src/lib.rs", &now)]));
    let difference = since(&base, &now);
    let found = unsettled(&difference, &intents(&difference), &errors, &now);
    let rows: Vec<String> = found.iter().map(|it| format!("{}: {}", it.line, it.what)).collect();
    assert_eq!(rows, ["2: `k` returns `()` and cannot pass `Option<bool>` on"]);
}

#[test]
fn what_a_body_collects_becomes_a_success() {
    let plain = "fn f(a: &[u8]) -> String { a.iter().map(|b| *b as char).collect() }\n";
    let now =
        "fn f(a: &[u8]) -> Result<String, E> { a.iter().map(|b| *b as char).$0collect$1() }\n";
    let (plain_now, mut errors) = labelled(now, "E0277", "");
    errors[0].message =
        "a value of type `Result<String, E>` cannot be built from an iterator over \
                         elements of type `char`"
            .to_owned();
    let (base, tree) =
        (Tree::of(&[("src/lib.rs", plain)]), Tree::of(&[("src/lib.rs", &plain_now)]));
    let difference = since(&base, &tree);
    let found = propagate(&difference, &intents(&difference), &errors, &tree);
    let [one] = found.as_slice() else { panic!("{found:?}") };
    let mut text = plain_now;
    for (_, splice) in one.splices.iter().rev() {
        text.replace_range(splice.span.start..splice.span.end, &splice.insert);
    }
    assert_eq!(
        text,
        "fn f(a: &[u8]) -> Result<String, E> { Ok(a.iter().map(|b| *b as char).collect()) }\n"
    );
}

#[test]
fn every_arm_of_a_match_passes_on() {
    let before = "struct S;\nimpl S { fn new(a: u8) -> Self { S } }\n";
    let after = "struct S;\nimpl S { fn new(a: u8) -> Result<Self, fmt::Error> { Ok(S) } }\n";
    let caller = |call: &str, first: &str| {
        format!(
            "fn f(a: u8) -> Result<u8, std::fmt::Error> {{\n    let b = match a {{\n        0 => Some({call}),\n        1 => {{ g(); Some({call}) }}\n        2 => Some(Other::new(2)),\n        3 => Some(S::new(4).unwrap()),\n        _ => {first},\n    }};\n    h(b)\n}}\n"
        )
    };
    let now = format!("{after}{}", caller("S::new(a)", "$0h()$1"));
    let (plain, mut errors) =
        labelled(&now, "E0308", "expected `Option<Result<S, Error>>`, found `Option<S>`");
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let of = plain.find("match a").unwrap() + "match ".len();
    let label = DiagnosticSpan::primary(&path, &plain, ByteSpan::new(of, of + 1));
    let label = DiagnosticSpan {
        primary: false,
        label: Some("`match` arms have incompatible types".to_owned()),
        ..label
    };
    errors[0].spans.push(label);
    let base = format!("{before}{}", caller("S::new(a)", "h()"));
    let (base, now) = (Tree::of(&[("src/lib.rs", &base)]), Tree::of(&[("src/lib.rs", &plain)]));
    let difference = since(&base, &now);
    let found = propagate(&difference, &intents(&difference), &errors, &now);
    let [one] = found.as_slice() else { panic!("{found:?}") };
    let mut text = plain;
    for (_, splice) in one.splices.iter().rev() {
        text.replace_range(splice.span.start..splice.span.end, &splice.insert);
    }
    assert_eq!(text, format!("{after}{}", caller("S::new(a)?", "h()")));
}

#[test]
fn a_function_that_returns_fmt_result_passes_on() {
    let plain = "fn f(a: u8) -> u8 { a }\nfn k(a: u8) -> fmt::Result { g(f(a)) }\n";
    let now = "fn f(a: u8) -> Result<u8, fmt::Error> { Ok(a) }\nfn k(a: u8) -> fmt::Result { g($0f(a)$1) }\n";
    let found = turned(plain, now, "E0308", "expected `u8`, found `Result<u8, Error>`");
    assert_eq!(
        found,
        [
            "fn f(a: u8) -> Result<u8, fmt::Error> { Ok(a) }\nfn k(a: u8) -> fmt::Result { g(f(a)?) }\n"
        ]
    );
}

/// Result for a function without a value that returns a `Result` now; `$0…$1` marks what the compiler
/// found to be `()`.
fn unit(body: &str) -> Vec<String> {
    let plain = body.replace("$0", "").replace("$1", "");
    let head = |ty: &str| format!("fn f(g: u8){ty} ");
    let now = format!("{}{body}\n", head(" -> Result<(), E>"));
    let found = turned(
        &format!("{}{plain}\n", head("")),
        &now,
        "E0308",
        "expected `Result<(), E>`, found `()`",
    );
    let strip =
        |it: &String| it.strip_prefix(&head(" -> Result<(), E>")).unwrap().trim_end().to_owned();
    found.iter().map(strip).collect()
}

#[test]
fn a_body_without_a_value_ends_with_a_success() {
    // The body of an `async fn` is marked as a whole.
    assert_eq!(unit("$0{\n    a();\n}$1"), ["{\n    a();\n    Ok(())\n}"]);
    assert_eq!(unit("$0{ a(); }$1"), ["{ a(); Ok(()) }"]);
    assert_eq!(unit("$0{\n}$1"), ["{\n    Ok(())\n}"]);
    // Of a branch its block is.
    assert_eq!(
        unit("{\n    if g $0{\n        a();\n    }$1 else $0{\n        b();\n    }$1\n}"),
        ["{\n    if g {\n        a();\n    } else {\n        b();\n    }\n    Ok(())\n}"]
    );
    assert_eq!(unit("{ if g $0{ a(); }$1 }"), ["{ if g { a(); } Ok(()) }"]);
    assert_eq!(
        unit("{ if g $0{ a(); }$1 else { return Ok(()); } }"),
        ["{ if g { a(); } else { return Ok(()); } Ok(()) }"]
    );
    assert_eq!(
        unit("{ if g $0{ a(); }$1 else { $0b()$1 } }"),
        ["{ if g { a(); } else { b() } Ok(()) }"]
    );
    assert_eq!(
        unit("{ match g { 0 => $0a()$1, 1 => $0{ b(); }$1 _ => $0{}$1 } }"),
        ["{ match g { 0 => a(), 1 => { b(); } _ => {} } Ok(()) }"]
    );
    assert_eq!(
        unit("{ if g { $0unsafe { a(); }$1 } else { panic!() } }"),
        ["{ if g { unsafe { a(); } } else { panic!() } Ok(()) }"]
    );
    assert_eq!(unit("{ loop { if g { $0break$1 } } }"), ["{ loop { if g { break } } Ok(()) }"]);
    // Another branch has its success already.
    assert_eq!(
        unit("{ if g { Ok(()) } else $0{ a(); }$1 }"),
        ["{ if g { Ok(()) } else { a(); Ok(()) } }"]
    );
}

#[test]
fn an_end_of_a_range_passes_on() {
    let plain = "fn f(a: u8) -> usize { 1 }\n";
    let fallible = "fn f(a: u8) -> Result<usize, E> { Ok(1) }\n";
    let check = |uses: &str, wanted: &str| {
        let caller = |uses: &str| format!("fn k(s: &str) -> Result<&str, E> {{ {uses} }}\n");
        let old = caller(uses).replace("$0", "").replace("$1", "");
        let now = format!("{fallible}{}", caller(uses));
        let (now, mut errors) = labelled(&now, "E0277", "string indices are ranges of `usize`");
        errors[0].message =
            "the type `str` cannot be indexed by `RangeTo<Result<usize, E>>`".to_owned();
        let found = finished_for(&format!("{plain}{old}"), &now, &errors);
        assert_eq!(found, [format!("{fallible}{}", caller(wanted))], "{uses}");
    };
    check("let n = f(1); Ok(&s[$0..n$1])", "let n = f(1)?; Ok(&s[..n])");
    check("let n = f(1); Ok(&s[$01..=n$1])", "let n = f(1)?; Ok(&s[1..=n])");
    check("let n = f(1); Ok(&s[$0n..$1])", "let n = f(1)?; Ok(&s[n..])");
    check("Ok(&s[$0..f(1)$1])", "Ok(&s[..f(1)?])");
    check("Ok(&s[$0f(1)..$1])", "Ok(&s[f(1)?..])");
}

#[test]
fn a_loop_over_a_value_that_has_become_fallible_is_passed_on_or_listed() {
    let plain = "fn f() -> Vec<S> { v() }\n";
    let turned = "fn f() -> Option<Vec<S>> { Some(v()) }\n";
    let both_with = |caller: &str, code: &str, message: &str| {
        let (now, errors) = marked(&format!("{turned}{caller}"), code, message);
        let base = format!("{plain}{}", caller.replace("$0", "").replace("$1", ""));
        let (base, tree) = (Tree::of(&[("src/lib.rs", &base)]), Tree::of(&[("src/lib.rs", &now)]));
        let difference = since(&base, &tree);
        let intents = intents(&difference);
        let changes = propagate(&difference, &intents, &errors, &tree);
        let edits = changes.iter().flat_map(|it| &it.splices).map(|it| it.1.insert.clone());
        let left = unsettled(&difference, &intents, &errors, &tree);
        let rows = left.iter().map(|it| format!("{}: {}", it.line, it.what));
        (edits.collect::<Vec<_>>(), rows.collect::<Vec<_>>())
    };
    let both = |caller: &str| both_with(caller, "E0609", "no field `a` on type `&Vec<S>`");
    let none = Vec::<String>::new();
    let loops = "    for s in &f() {\n        g($0s.a$1);\n    }\n";
    let left = "3: `k` returns `()` and cannot pass `Option<Vec<S>>` on".to_owned();
    assert_eq!(both(&format!("fn k() {{\n{loops}}}\n")), (none.clone(), vec![left]));
    let passes = format!("fn k() -> Option<u8> {{\n{loops}    None\n}}\n");
    assert_eq!(both(&passes), (vec!["?".to_owned()], none.clone()));
    // A function of any type takes the value.
    let taken = "fn k() {\n    let n = least(f(), f());\n    g($0n$1)\n}\n";
    let rows = both_with(taken, "E0308", "expected `Vec<S>`, found `Option<Vec<S>>`").1;
    assert_eq!(rows, ["3: `k` returns `()` and cannot pass `Option<Vec<S>>` on"; 1]);
    let taken = "fn k() -> Option<()> {\n    all.extend(&$0f()$1);\n    None\n}\n";
    let edits = both_with(taken, "E0271", "expected `Iter<'_, Vec<S>>` to yield `&S`").0;
    assert_eq!(edits, ["?"]);
    // An error after the loop is about something else.
    let after = "fn k() {\n    for s in f() {}\n    $0s.a$1;\n}\n";
    assert_eq!(both(after), (none.clone(), none));
}
