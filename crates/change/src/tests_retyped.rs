//! Tuples that became structs, literals of another type, functions that became constants, and types
//! with other generic parameters, as text.

use edit::Overlay;

use base::Timestamp;

use crate::tests::{Tree, finished, finished_for, marked, since};
use crate::{intents, propagate};

/// What becomes of `now`, whose marked errors have this code and label.
fn labelled(base: &str, now: &str, code: &str, label: &str) -> Vec<String> {
    let (plain, mut errors) = marked(now, code, "mismatched types");
    for error in &mut errors {
        error.spans[0].label = Some(label.to_owned());
    }
    finished_for(base, &plain, &errors)
}

const PAIR: &str = "struct Pair { left: u8, right: u16 }\n";

/// What becomes of a caller of `f`, which returned a tuple.
fn of_tuple(caller: &str, code: &str, label: &str) -> Vec<String> {
    let plain = caller.replace("$0", "").replace("$1", "");
    let base = format!("fn f() -> (u8, u16) {{ g() }}\n{plain}");
    let now = format!("{PAIR}fn f() -> Pair {{ g() }}\n");
    let found = labelled(&base, &format!("{now}{caller}"), code, label);
    found.iter().map(|it| it.strip_prefix(&now).unwrap().to_owned()).collect()
}

const EXPECTED: &str = "expected `Pair`, found `(_, _)`";

#[test]
fn patterns_of_a_tuple_take_the_fields() {
    let cases = [
        ("fn h() { let $0(left, b)$1 = f(); }", "fn h() { let Pair { left, right: b } = f(); }"),
        ("fn h() { let $0(mut left, _)$1 = f(); }", "fn h() { let Pair { mut left, .. } = f(); }"),
        (
            "fn h() { match f() { $0(1, b)$1 => b, _ => 2 } }",
            "fn h() { match f() { Pair { left: 1, right: b } => b, _ => 2 } }",
        ),
    ];
    for (caller, wanted) in cases {
        assert_eq!(of_tuple(caller, "E0308", EXPECTED), [wanted]);
    }
    // The parts that `..` leaves out are not counted.
    assert_eq!(of_tuple("fn h() { let $0(a, ..)$1 = f(); }", "E0308", EXPECTED), [""; 0]);
}

#[test]
fn tuples_become_literals_of_the_struct() {
    let label = "expected `Pair`, found `(u8, u16)`";
    let cases = [
        ("fn h() -> Pair { $0(1, x(2))$1 }", "fn h() -> Pair { Pair { left: 1, right: x(2) } }"),
        (
            "fn h() -> Pair { return $0(left, b)$1; }",
            "fn h() -> Pair { return Pair { left, right: b }; }",
        ),
        (
            "fn h() -> Pair {\n    $0(\n        1,\n        2,\n    )$1\n}",
            "fn h() -> Pair {\n    Pair {\n        left: 1,\n        right: 2,\n    }\n}",
        ),
        (
            "fn h() -> Option<Pair> { $0Some((1, 2))$1 }",
            "fn h() -> Option<Pair> { Some(Pair { left: 1, right: 2 }) }",
        ),
    ];
    for (caller, wanted) in cases {
        assert_eq!(of_tuple(caller, "E0308", label), [wanted]);
    }
    assert_eq!(of_tuple("fn h() { $0(1, 2, 3)$1 }", "E0308", label), [""; 0]);
    assert_eq!(of_tuple("fn h() { $0k(1, 2)$1 }", "E0308", label), [""; 0]);
}

#[test]
fn a_call_where_the_tuple_is_wanted_is_taken_apart() {
    let label = "expected `(u8, u16)`, found `Pair`";
    assert_eq!(
        of_tuple("fn h() -> (u8, u16) {\n    $0f()$1\n}", "E0308", label),
        ["fn h() -> (u8, u16) {\n    let Pair { left, right } = f();\n    (left, right)\n}"]
    );
    assert_eq!(
        of_tuple("fn h() { k($0f()$1) }", "E0308", label),
        ["fn h() { k({ let Pair { left, right } = f(); (left, right) }) }"]
    );
}

#[test]
fn an_index_becomes_the_field() {
    let base = "fn f() -> (u8, u16) { g() }\nfn h() { f().1 }";
    let now = format!("{PAIR}fn f() -> Pair {{ g() }}\nfn h() {{ f().$01$1 }}");
    assert_eq!(
        finished(base, &now, "E0609", "no field `1` on type `Pair`"),
        [format!("{PAIR}fn f() -> Pair {{ g() }}\nfn h() {{ f().right }}")]
    );
}

#[test]
fn parts_follow_their_types_and_names() {
    let of = |fields: &str, tuple: &str, caller: &str| {
        let ty = format!("struct P {{ {fields} }}\n");
        let plain = caller.replace("$0", "").replace("$1", "");
        let base = format!("{ty}fn f() -> Result<{tuple}, E> {{ g() }}\n{plain}");
        let now = format!("{ty}fn f() -> Result<P, E> {{ g() }}\n{caller}");
        let found = labelled(&base, &now, "E0308", "expected `P`, found `(_, _)`");
        found.iter().map(|it| it.lines().last().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // Other order: each type is there once.
    assert_eq!(
        of("a: u8, b: u16", "(u16, u8)", "fn h() { let $0(x, y)$1 = f()?; }"),
        ["fn h() { let P { b: x, a: y } = f()?; }"]
    );
    // The names say which one is which.
    assert_eq!(
        of("a: u8, b: u8", "(u8, u8)", "fn h() { let $0(b, a)$1 = f()?; }"),
        ["fn h() { let P { b, a } = f()?; }"]
    );
    assert_eq!(
        of("a: u8, b: u8", "(u8, u8)", "fn h() { let $0(x, y)$1 = f()?; }"),
        ["fn h() { let P { a: x, b: y } = f()?; }"]
    );
    // Two fields of a type that no part has.
    assert_eq!(of("a: u8, b: u32", "(u8, u16)", "fn h() { let $0(x, y)$1 = f()?; }"), [""; 0]);
    assert_eq!(of("a: u8, b: u8, c: u8", "(u8, u8)", "fn h() { let $0(x, y)$1 = f()?; }"), [""; 0]);
}

#[test]
fn literals_follow_a_type_that_became_another() {
    let of = |from: &str, to: &str, caller: &str, label: &str| {
        let plain = caller.replace("$0", "").replace("$1", "");
        let base = format!("fn f(c: {from}) {{}}\n{plain}");
        let now = format!("fn f(c: {to}) {{}}\n{caller}");
        let found = labelled(&base, &now, "E0308", label);
        found.iter().map(|it| it.lines().last().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let label = "expected `char`, found `u8`";
    assert_eq!(of("u8", "char", "fn g() { f($0b'x'$1) }", label), ["fn g() { f('x') }"]);
    assert_eq!(
        of("u8", "char", "fn g() { match c { $0b'a'$1 | $0b'\\n'$1 => {} _ => {} } }", label),
        ["fn g() { match c { 'a' | '\\n' => {} _ => {} } }"]
    );
    assert_eq!(
        of("u8", "char", "fn g() { match c { $0b'a'..=b'z'$1 => {} _ => {} } }", label),
        ["fn g() { match c { 'a'..='z' => {} _ => {} } }"]
    );
    assert_eq!(of("u8", "char", "fn g() { f($0b$1) }", label), ["fn g() { f(char::from(b)) }"]);
    assert_eq!(of("u8", "char", "fn g() { f($0a + b$1) }", label), [""; 0]);
    assert_eq!(
        of(
            "&[&str]",
            "&[char]",
            "fn g() { f(&[$0\"#\"$1, \"!\"]) }",
            "expected `char`, found `&str`"
        ),
        ["fn g() { f(&['#', '!']) }"]
    );
    assert_eq!(
        of(
            "String",
            "&str",
            "fn g() { f($0String::from(\"a\")$1) }",
            "expected `&str`, found `String`"
        )[0],
        "fn g() { f(\"a\") }"
    );
    // Nothing became a character.
    assert_eq!(of("u8", "u16", "fn g() { h($0b'x'$1) }", label), [""; 0]);
}

#[test]
fn a_function_of_a_trait_that_became_a_constant_does_so_in_the_impls() {
    let base = "trait T { fn min() -> u8; }\nimpl T for A {\n    #[inline]\n    fn min() -> u8 {\n        1\n    }\n}\nfn f() { A::min() + 1 }";
    let of_trait = "trait T { const MIN: u8; }\n";
    let now = format!(
        "{of_trait}impl T for A {{\n    $0#[inline]\n    fn min() -> u8 {{\n        1\n    }}$1\n}}\nfn f() {{ A::min() + 1 }}"
    );
    let wanted = "impl T for A {\n    const MIN: u8 = 1;\n}\n";
    assert_eq!(
        finished(base, &now, "E0407", "method `min` is not a member of trait `T`"),
        [format!("{of_trait}{wanted}fn f() {{ A::min() + 1 }}")]
    );
    let now = format!("{of_trait}{wanted}fn f() {{ A::$0min$1() + 1 }}");
    let message =
        "no function or associated item named `min` found for struct `A` in the current scope";
    assert_eq!(
        finished(base, &now, "E0599", message),
        [format!("{of_trait}{wanted}fn f() {{ A::MIN + 1 }}")]
    );
}

#[test]
fn a_constant_that_became_a_function_is_called() {
    let base = "trait T { const MIN: u8; }\nimpl T for A {\n    const MIN: u8 = 1;\n}\n";
    assert_eq!(
        finished(
            base,
            "trait T { fn min() -> u8; }\nimpl T for A {\n    $0const MIN: u8 = 1;$1\n}\n",
            "E0438",
            "const `MIN` is not a member of trait `T`"
        ),
        [
            "trait T { fn min() -> u8; }\nimpl T for A {\n    fn min() -> u8 {\n        1\n    }\n}\n"
        ]
    );
    assert_eq!(
        finished(
            "impl A { const MIN: u8 = 1; }\nfn f() { A::MIN }",
            "impl A { fn min() -> u8 { 1 } }\nfn f() { A::$0MIN$1 }",
            "E0599",
            "no associated item named `MIN` found for struct `A` in the current scope"
        ),
        ["impl A { fn min() -> u8 { 1 } }\nfn f() { A::min() }"]
    );
}

#[test]
fn the_arguments_of_removed_parameters_go() {
    let of = |caller: &str, what: &str| {
        let plain = caller.replace("$0", "").replace("$1", "");
        let base = format!("struct S<'a, T> {{ a: &'a T }}\n{plain}");
        let now = format!("struct S<T> {{ a: T }}\n{caller}");
        let message = format!("struct takes 0 {what} arguments but 1 {what} argument was supplied");
        let found = finished(&base, &now, "E0107", &message);
        found.iter().map(|it| it.lines().last().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of("impl<T> X for $0S$1<'_, T> {}", "lifetime"), ["impl<T> X for S<T> {}"]);
    assert_eq!(of("impl<'a, T> $0S$1<'a, T> {}", "lifetime"), ["impl<T> S<T> {}"]);
    assert_eq!(
        of("impl<'a, T> $0S$1<'a, T> { fn f(a: &'a u8) {} }", "lifetime"),
        ["impl<'a, T> S<T> { fn f(a: &'a u8) {} }"]
    );
    assert_eq!(of("fn f(a: $0S$1<u8>) {}", "lifetime"), [""; 0]);
    let only = |caller: &str| {
        let plain = caller.replace("$0", "").replace("$1", "");
        let base = format!("struct S<T> {{ a: T }}\n{plain}");
        let now = format!("struct S {{ a: u8 }}\n{caller}");
        let message = "struct takes 0 generic arguments but 1 generic argument was supplied";
        let found = finished(&base, &now, "E0107", message);
        found.iter().map(|it| it.lines().last().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(only("impl<T> X for $0S$1<T> {}"), ["impl X for S {}"]);
    assert_eq!(only("fn f() { $0S$1::<u8>::new() }"), ["fn f() { S::new() }"]);
}

#[test]
fn uses_of_a_type_with_a_new_lifetime_get_it() {
    let of = |caller: &str, code: &str, message: &str| {
        let plain = caller.replace("$0", "").replace("$1", "");
        let base = format!("struct S {{ a: u8 }}\n{plain}");
        let now = format!("struct S<'a> {{ a: &'a u8 }}\n{caller}");
        let found = finished(&base, &now, code, message);
        found.iter().map(|it| it.lines().last().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let elided = "implicit elided lifetime not allowed here";
    assert_eq!(of("impl X<$0S$1> for Y {}", "E0726", elided), ["impl X<S<'_>> for Y {}"]);
    let missing = "missing lifetime specifier";
    assert_eq!(
        of("enum E { A($0S$1, $0S$1), B }", "E0106", missing),
        ["enum E<'a> { A(S<'a>, S<'a>), B }"]
    );
    assert_eq!(
        of("struct R<T> { a: Vec<$0S$1>, b: T }", "E0106", missing),
        ["struct R<'a, T> { a: Vec<S<'a>>, b: T }"]
    );
    assert_eq!(
        of("fn f(i: &mut &str) -> Option<$0S$1> { g(i) }", "E0106", missing),
        ["fn f<'a>(i: &mut &'a str) -> Option<S<'a>> { g(i) }"]
    );
    // Which of the two is borrowed is unknown.
    assert_eq!(of("fn f(a: &str, b: &str) -> $0S$1 { g(a) }", "E0106", missing), [""; 0]);
    assert_eq!(of("fn f() -> &$0Other$1 { g() }", "E0106", missing), [""; 0]);
}

#[test]
fn a_file_that_names_the_struct_imports_it() {
    let caller = "fn h() { let $0(a, b)$1 = crate::a::f(); }";
    let (plain, mut errors) = marked(caller, "E0308", "mismatched types");
    errors[0].spans[0].label = Some(EXPECTED.to_owned());
    let definition = format!("{PAIR}pub fn f() -> Pair {{ g() }}");
    let tree = |text: &str| Tree::of(&[("src/a.rs", text), ("src/lib.rs", &plain)]);
    let now = tree(&definition);
    let difference = since(&tree(&definition.replace("-> Pair", "-> (u8, u16)")), &now);
    let found = propagate(&difference, &intents(&difference), &errors, &now);
    let text = |at: usize| {
        let splices = &found[at].splices;
        let overlay = Overlay::from_splices("t", Timestamp(0), &now, splices).unwrap();
        overlay.changes().next().unwrap().1.after_text().to_owned()
    };
    let wanted = "fn h() { let Pair { left: a, right: b } = crate::a::f(); }";
    assert_eq!(text(0), format!("use crate::a::Pair;\n{wanted}"));
    assert_eq!(text(1), wanted);
}
