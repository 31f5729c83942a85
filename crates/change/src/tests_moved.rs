//! Functions that have another owner, and impls for types that have got parameters, as text.

use crate::tests::{finished, guessed};

const STATIC: &str = "no associated function or constant named `f` found for struct `A`";
const METHOD: &str = "no method named `f` found for struct `A`";
const FREE: &str = "cannot find function `f` in this scope";

/// The last line of each text that a call leads to after `f` has moved.
fn calls(from: &str, to: &str, types: &str, call: &str, message: &str) -> Vec<String> {
    let code = if message == FREE { "E0425" } else { "E0599" };
    let plain = call.replace("$0", "").replace("$1", "");
    let texts = finished(
        &format!("{types}\n{from}\n{plain}"),
        &format!("{types}\n{to}\n{call}"),
        code,
        message,
    );
    texts.iter().map(|it| it.lines().last().unwrap_or("").to_owned()).collect()
}

#[test]
fn a_function_that_another_type_has_now_is_called_there() {
    let (from, to) = (
        "impl A { fn f(n: u8) -> u8 { n + one() } }",
        "impl B { fn f(n: u8) -> u8 { n + one() } }",
    );
    assert_eq!(calls(from, to, "", "fn g() { A::$0f$1(1) }", STATIC), ["fn g() { B::f(1) }"]);
    // Another function of the same name: what the old one did takes its place.
    let other = "impl B { fn f(all: &[Item], by: Order) -> Vec<Item> { sort(all, by) } }";
    assert_eq!(calls(from, other, "", "fn g() { A::$0f$1(1) }", STATIC), ["fn g() { 1 + one() }"]);
}

#[test]
fn a_function_goes_into_a_type_and_out_of_it() {
    let free = "fn f(n: u8) -> u8 { n + one() }";
    let of_type = "impl A { fn f(n: u8) -> u8 { n + one() } }";
    assert_eq!(calls(free, of_type, "", "fn g() { $0f$1(1) }", FREE), ["fn g() { A::f(1) }"]);
    assert_eq!(calls(of_type, free, "", "fn g() { A::$0f$1(1) }", STATIC), ["fn g() { f(1) }"]);
}

#[test]
fn a_method_becomes_a_function_and_the_reverse() {
    let free = "fn f(a: &A, n: u8) -> u8 { n + one() }";
    let method = "impl A { fn f(&self, n: u8) -> u8 { n + one() } }";
    assert_eq!(
        calls(method, free, "", "fn g(a: A) { a.$0f$1(1) }", METHOD),
        ["fn g(a: A) { f(&a, 1) }"]
    );
    assert_eq!(
        calls(free, method, "", "fn g(a: A) { $0f$1(&a, 1) }", FREE),
        ["fn g(a: A) { a.f(1) }"]
    );
}

#[test]
fn a_method_of_another_type_is_reached_through_what_has_that_type() {
    let (from, to) = (
        "impl A { fn f(&self) -> u8 { one() + two() } }",
        "impl B { fn f(&self) -> u8 { one() + two() } }",
    );
    let call = "fn g(a: A) { a.$0f$1() }";
    assert_eq!(
        calls(from, to, "struct A { inner: B }", call, METHOD),
        ["fn g(a: A) { a.inner.f() }"]
    );
    assert_eq!(
        calls(from, to, "impl A { fn b(&self) -> &B { x() } }", call, METHOD),
        ["fn g(a: A) { a.b().f() }"]
    );
    assert_eq!(
        calls(
            from,
            to,
            "impl A { fn new() -> A { x() } } impl B { fn new() -> B { x() } }",
            "fn g() -> A { let mut a = A::new(); a.$0f$1(); a }",
            METHOD
        ),
        ["fn g() -> A { let mut a = B::new(); a.f(); a }"]
    );
}

#[test]
fn a_call_that_needs_the_old_type_goes_to_the_function_that_returns_it() {
    let old = "impl A { fn value(&self, n: u8) -> Option<u8> { x() } }\n";
    let new = "impl A { fn value(&self, n: u8) -> u8 { y().unwrap() } fn opt_value(&self, n: u8) -> Option<u8> { x() } }\n";
    let other = "impl A { fn value(&self, n: u8) -> u8 { y() } fn opt_value(&self) -> Option<u8> { x() } }\n";
    let call = "fn f(a: A) { let v: Option<u8> = $0a.value(1)$1; }";
    let base = format!("{old}{}", call.replace("$0", "").replace("$1", ""));
    let finished = |new: &str| {
        let texts = finished(&base, &format!("{new}{call}"), "E0308", "mismatched types");
        texts.iter().map(|it| it.replace(new, "")).collect::<Vec<_>>()
    };
    assert_eq!(finished(new), ["fn f(a: A) { let v: Option<u8> = a.opt_value(1); }"]);
    assert_eq!(finished(other), [""; 0]);
}

#[test]
fn parts_of_a_variant_that_have_got_names_are_given_by_them() {
    let old = "enum T { Text(Span, Option<Span>), End }\n";
    let new = "enum T { Text { text: Span, name: Option<Span>, at: At }, End { at: At } }\n";
    let finished = |place: &str, code: &str| {
        let base = format!("{old}{}", place.replace("$0", "").replace("$1", ""));
        let message = "expected value, found struct variant `T::Text` or `T::End`";
        let texts = finished(&base, &format!("{new}{place}"), code, message);
        texts.iter().map(|it| it.replace(new, "")).collect::<Vec<_>>()
    };
    assert_eq!(
        finished("fn f(at: At, text: Span) -> T { $0T::Text$1(text, None) }", "E0533"),
        ["fn f(at: At, text: Span) -> T { T::Text { text, name: None, at } }"]
    );
    assert_eq!(
        finished("fn f(at: At) -> T { Ok($0T::End$1) }", "E0533"),
        ["fn f(at: At) -> T { Ok(T::End { at }) }"]
    );
    assert_eq!(
        finished("fn f(t: T) { match t { $0T::Text$1(a, _) => g(a) } }", "E0164"),
        ["fn f(t: T) { match t { T::Text { text: a, .. } => g(a) } }"]
    );
}

#[test]
fn an_impl_covers_the_parameters_that_its_type_has_got() {
    let model = "impl<K, V> Base for Place<K, V>\nwhere\n    K: Key,\n    V: List<K>,\n{ $0x$1 }\n";
    let plain = model.replace("$0", "").replace("$1", "");
    let finished = |old: &str| {
        let texts = finished(
            &format!("impl<K: Key> Base for Place<K> {{ x }}\n{old}"),
            &format!("{model}{old}"),
            "E0277",
            "the trait bound `Place<K, V>: Index<usize>` is not satisfied",
        );
        texts.iter().map(|it| it.replace(&plain, "")).collect::<Vec<_>>()
    };
    let new =
        "impl<K, V> Index<usize> for Place<K, V>\nwhere\n    K: Key,\n    V: List<K>,\n{\n}\n";
    assert_eq!(finished("impl<K> Index<usize> for Place<K>\n    where K: Key\n{\n}\n"), [new]);
    assert_eq!(finished("impl<K: Key> Index<usize> for Place<K> {\n}\n"), [new]);
    assert_eq!(finished("impl<K: Key> Other<usize> for Place<K> {\n}\n"), [""; 0]);
}

#[test]
fn a_variable_of_similar_name_comes_before_a_literal_of_other_places() {
    let calls = "fn a() { g(1, true); }\nfn b() { g(2, true); }\n";
    let values = guessed(
        &format!("fn g(n: u8) {{}}\n{calls}fn f(strict_mode: bool) {{ g(1) }}"),
        &format!(
            "fn g(n: u8, is_strict: bool) {{}}\n{calls}fn f(strict_mode: bool) {{ $0g$1(1) }}"
        ),
        "E0061",
        "this function takes 2 arguments but 1 argument was supplied",
    );
    assert_eq!(
        values[..2],
        ["strict_mode: Typed { other: Some(\"!(strict_mode)\") }", "true: Value"]
    );
}

#[test]
fn a_parameter_that_an_impl_uses_is_declared_as_in_another_one() {
    let model = "impl<L, S: Build> Map<L, S> { x }\n";
    let old = "impl<L> Clone for Map<L>\nwhere\n    L: Clone,\n    S: Build + Clone,\n{ x }";
    assert_eq!(
        finished(
            &format!("impl<L> Map<L> {{ x }}\n{}", old.replace("    S: Build + Clone,\n", "")),
            &format!("{model}{}", old.replace("    S:", "    $0S$1:")),
            "E0412",
            "cannot find type `S` in this scope",
        ),
        [format!("{model}{}", old.replace("<L> Clone for Map<L>", "<L, S> Clone for Map<L, S>"))]
    );
}

#[test]
fn the_arguments_of_parameters_in_another_order_are_swapped() {
    let base = "impl A { fn f(&mut self, index: usize, id: u32) {} }\n\
                fn g(a: A) { a.f(0, h(b)); A::f(a, index, id); }\n";
    let now = base.replace("index: usize, id: u32", "id: u32, index: usize");
    let marks = now.replace("a.f(0, h(b))", "a.$0f$1(0, h(b))").replace("A::f(", "$0A::f$1(");
    let found = finished(base, &marks, "E0308", "arguments to this function are incorrect");
    let wanted = now.replace("a.f(0, h(b))", "a.f(h(b), 0)").replace("index, id)", "id, index)");
    assert_eq!(found, [wanted]);
}
