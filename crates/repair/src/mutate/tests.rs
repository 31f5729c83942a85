//! Mutations of small texts: each operator, hints, schemata, ranks.

use super::*;

fn path() -> ProjectPath {
    ProjectPath::new("src/lib.rs").unwrap()
}

fn all(text: &str, hints: &MutationHints) -> Vec<Mutation> {
    mutations(&path(), text, hints, &|_| true)
}

/// The whole texts that an operator makes of a function body, one each.
fn made(body: &str, operator: Operator) -> Vec<String> {
    let text = format!("fn f() {{ {body} }}");
    let found = all(&text, &MutationHints::default());
    let found = found.into_iter().filter(|it| it.operator == operator);
    let texts = found.map(|it| {
        let edit = edit::TextEdit::new(&text, &it.splices).unwrap();
        let text = edit.apply(&text).unwrap();
        text["fn f() { ".len()..text.len() - 2].to_owned()
    });
    texts.collect()
}

#[track_caller]
fn makes(body: &str, operator: Operator, wanted: &[&str]) {
    let made = made(body, operator);
    for wanted in wanted {
        assert!(made.iter().any(|it| it == wanted), "{body}: no {wanted} in {made:#?}");
    }
}

#[track_caller]
fn makes_none(body: &str, operator: Operator) {
    assert_eq!(made(body, operator), Vec::<String>::new());
}

#[test]
fn operators_are_replaced_where_they_are_binary() {
    makes("a + b", Operator::Arithmetic, &["a - b", "a * b", "a", "b"]);
    makes("a < b", Operator::Boundary, &["a <= b"]);
    makes("a < b", Operator::Comparison, &["a > b", "a >= b"]);
    makes("a && b", Operator::Boolean, &["a || b"]);
    makes("a >> 2", Operator::Bit, &["a << 2"]);
    makes("x += 1;", Operator::Assignment, &["x -= 1;", "x = 1;"]);
    makes("for i in 0..n {}", Operator::Boundary, &["for i in 0..=n {}"]);
    makes("-a", Operator::Arithmetic, &["a"]);
    makes_none("Vec::<u8>::new()", Operator::Comparison);
    makes_none("let x = 1;", Operator::Assignment);
    makes_none("f(&a, *b)", Operator::Bit);
}

#[test]
fn values_are_one_off() {
    makes("v[i]", Operator::OffByOne, &["v[i + 1]", "v[i - 1]"]);
    makes("v[i + 1]", Operator::OffByOne, &["v[i]"]);
    makes("v[..n]", Operator::OffByOne, &["v[..n + 1]", "v[..n - 1]"]);
    makes("if a.len() < n { g() }", Operator::OffByOne, &["if a.len() < n - 1 { g() }"]);
    makes("g(7, 0x0f)", Operator::Literal, &["g(8, 0x0f)", "g(6, 0x0f)", "g(7, 0x10)"]);
    makes("g(true)", Operator::Literal, &["g(false)"]);
}

#[test]
fn conditions_are_negated_and_shortened() {
    makes("if a { g() }", Operator::Negation, &["if !(a) { g() }"]);
    makes("if !a { g() }", Operator::Negation, &["if a { g() }"]);
    makes("if a && b(c) { g() }", Operator::Condition, &["if a { g() }", "if b(c) { g() }"]);
    makes("g(x.is_empty())", Operator::Negation, &["g(!x.is_empty())"]);
    makes(
        "match x { y if y > 1 => {} _ => {} }",
        Operator::Condition,
        &["match x { y if true => {} _ => {} }"],
    );
}

#[test]
fn lists_and_operands_change_their_order() {
    makes("g(a, b.c(d), e)", Operator::Swap, &["g(b.c(d), a, e)", "g(e, b.c(d), a)"]);
    makes("a - b", Operator::Swap, &["b - a"]);
    makes("S { x: a, y: b }", Operator::Swap, &["S { x: b, y: a }"]);
    makes("match a { 1 => b, _ => { c } }", Operator::Arms, &["match a { 1 => { c }, _ => b }"]);
    makes("if a { b } else { c }", Operator::Arms, &["if a { c } else { b }"]);
    makes("a(); b();", Operator::Statement, &["b(); a();"]);
    makes("a(); if x { b(); }", Operator::Insertion, &["a(); if x { b(); a();  }"]);
}

#[test]
fn names_are_replaced_by_those_of_their_role() {
    makes("let a = 1; let b = 2; a", Operator::Variable, &["let a = 1; let b = 2; b"]);
    makes("s.x + s.y", Operator::Field, &["s.y + s.y", "s.x + s.x"]);
    makes("g(E::A, E::B)", Operator::Path, &["g(E::B, E::B)"]);
    makes("x.min(y)", Operator::Method, &["x.max(y)"]);
    makes("x.iter().rev().sum()", Operator::Call, &["x.iter().sum()"]);
    makes("Ordering::Less", Operator::Path, &["Ordering::Greater"]);
}

#[test]
fn the_failing_assertion_suggests_values() {
    let output = "assertion `left == right` failed: m\n  left: 12\n right: 10\n\
                  assertion\n  left: \"a-b\"\n right: \"a_b\"\n";
    let hints = MutationHints { expectations: expectations(output) };
    assert_eq!(hints.expectations.len(), 2);
    let found = all("fn f() { g(5, \"x-y\") }", &hints);
    let texts: Vec<&str> = found
        .iter()
        .filter(|it| it.operator == Operator::Expected)
        .flat_map(|it| it.splices.iter().map(|it| it.insert.as_str()))
        .collect();
    assert_eq!(texts, ["3", "7", "\"x_y\""]);
}

#[test]
fn tests_are_never_mutated_and_constants_are_where_they_are_used() {
    let text = "const N: u8 = 4;\nfn f() -> u8 { N }\nconst M: u8 = 4;\n#[cfg(test)]\nmod tests { \
                #[test]\nfn t() { assert_eq!(1 + 1, 2); }\nfn help() -> u8 { 3 + 3 } }\n";
    let found = mutations(&path(), text, &MutationHints::default(), &|line| line == 2);
    assert!(found.iter().all(|it| it.line <= 2), "{found:#?}");
    assert!(found.iter().any(|it| it.operator == Operator::Constant && it.body.is_none()));
}

#[test]
fn any_text_gives_splices_that_fit() {
    let texts = [
        "fn f() { a < ; ) b && } fn g( { x..= } match {",
        "fn f() { \"é\" + 'ü'; if é.is_é() && { } }",
        "fn f() { fn g() { a + b } c + d }",
        "fn f() { x.0.1 + 1.max(2)..3 }",
        "fn f() { |a, b| a + b; for (i, c) in s.chars() { v[i - 1]?; } }",
    ];
    for text in texts {
        for mutation in all(text, &MutationHints::default()) {
            assert!(edit::TextEdit::new(text, &mutation.splices).is_ok(), "{text} {mutation:?}");
        }
    }
}

#[test]
fn a_schema_has_one_arm_for_each_mutation() {
    let text = "fn f(a: u8) -> u8 { fn g(b: u8) -> u8 { b + 1 } g(a) + 2 }\n";
    let found = all(text, &MutationHints::default());
    let numbered: Vec<(usize, &Mutation)> =
        found.iter().enumerate().map(|(nth, it)| (nth + 1, it)).collect();
    assert!(numbered.iter().all(|(_, it)| Schema::takes(text, it)));
    let schema = Schema::of(&path(), text, &numbered, "X");
    assert_eq!(schema.arms.len(), found.len());
    assert_eq!(schema.functions.len(), 2);
    assert!(syntax::is_paired(&schema.text));
    assert!(syntax::parse(&schema.text).parse_errors.is_empty(), "{}", schema.text);
    let arm = schema.arms[0];
    let inside = ByteSpan::new(arm.span.start + 4, arm.span.start + 5);
    assert_eq!(schema.at(&[inside]).into_iter().collect::<Vec<_>>(), [arm.candidate]);
    for text in ["const fn f() -> u8 { 1 + 1 }", "pub fn f() -> impl Fn() { move || g(1 + 1) }"] {
        let found = all(text, &MutationHints::default());
        assert!(!found.is_empty() && !found.iter().any(|it| Schema::takes(text, it)), "{text}");
    }
}

#[test]
fn lines_that_only_failing_tests_execute_come_first() {
    let text = "fn f(a: u8) -> u8 {\n    let b = a + 1;\n    b + 1\n}\n";
    let counts = [(2, (1, 3)), (3, (1, 0))].into_iter().collect();
    let suspicion = Suspicion {
        counts: [(path(), counts)].into_iter().collect(),
        failing: 1,
        ..Suspicion::default()
    };
    let wanted = |line| suspicion.is_wanted(&path(), line);
    let ranked = rank(mutations(&path(), text, &MutationHints::default(), &wanted), &suspicion);
    assert_eq!(ranked.first().map(|it| it.line), Some(3));
    assert!(ranked.iter().all(|it| matches!(it.line, 2 | 3)));
}

#[test]
fn a_change_that_settles_a_decision_is_known() {
    let settled = |body: &str| -> Vec<String> {
        let text = format!("fn f() {{ {body} }}");
        let found = all(&text, &MutationHints::default());
        let found = found.into_iter().filter(|it| it.settles).map(|it| it.rationale);
        found.collect()
    };
    assert_eq!(
        settled("match c { 'a' => true, _ => false }"),
        ["`false` instead of `true`", "`true` instead of `false`"]
    );
    assert_eq!(settled("if a { true } else if b { true } else { g() }").len(), 4);
    assert_eq!(
        settled("if a < b { g() }"),
        ["`true` instead of `a < b`", "`false` instead of `a < b`"]
    );
    assert!(settled("match c { 'a' => true, 'b' => false, 'c' => true, _ => false }").is_empty());
    assert!(settled("set(true); g(1)").is_empty());
    assert_eq!(
        settled("let a = g().unwrap(); h().expect(\"h\"); i().unwrap_or(\"i\")"),
        [
            "`unwrap_or_default` instead of `unwrap`",
            "`unwrap_or` instead of `unwrap`",
            "`unwrap_or` instead of `expect`"
        ]
    );
    assert!(settled("g().unwrap_or_default(); h().checked_add(1)").is_empty());
}
