//! Imports, members, positions and variables that follow from an in-progress change, as text.

use crate::tests::{Tree, finished, marked, since};
use crate::{intents, propagate};

#[test]
fn the_import_of_a_removed_item_goes() {
    let removed = |import: &str, mark: &str| {
        let (base, now) =
            (format!("trait Old {{}}\n{import}\nfn f() {{}}"), format!("{mark}\nfn f() {{}}"));
        finished(&base, &now, "E0432", "unresolved import `crate::a::Old`")
    };
    assert_eq!(
        removed("use a::{Old, b::C};", "use a::{$0Old$1, b::C};"),
        ["use a::b::C;\nfn f() {}"]
    );
    assert_eq!(
        removed("use a::{\n    b::C,\n    Old,\n};", "use a::{\n    b::C,\n    $0Old$1,\n};"),
        ["use a::b::C;\nfn f() {}"]
    );
    assert_eq!(
        removed("use a::{c::{Old,}, d};", "use a::{c::{$0Old$1,}, d};"),
        ["use a::d;\nfn f() {}"]
    );
    assert_eq!(removed("pub use a::Old;", "pub use $0a::Old$1;"), ["fn f() {}"]);
    assert_eq!(
        removed("#![no_std]\n#[cfg(x)]\nuse a::Old;", "#![no_std]\n#[cfg(x)]\nuse a::$0Old$1;"),
        ["#![no_std]\nfn f() {}"]
    );
    assert_eq!(
        removed("use a::{self, Old};", "use a::{self, $0Old$1};"),
        ["use a::{self};\nfn f() {}"]
    );
    assert_eq!(
        removed("use a::{c::{d, e}, Old, f};", "use a::{c::{d, e}, $0Old$1, f};"),
        ["use a::{c::{d, e}, f};\nfn f() {}"]
    );
    assert_eq!(
        removed("use a::{c::{d, e}, Old};", "use a::{c::{d, e}, $0Old$1};"),
        ["use a::c::{d, e};\nfn f() {}"]
    );
    assert_eq!(removed("use a::{b, Old};", "use a::{b, $0Old$1}"), [""; 0]);
}

#[test]
fn of_a_name_imported_twice_the_old_import_goes() {
    assert_eq!(
        finished(
            "use super::{Key, Other};\nfn f() {}",
            "use super::{$0Key$1, Other};\nuse crate::$0Key$1;\nfn f() {}",
            "E0252",
            "the name `Key` is defined multiple times",
        ),
        ["use super::Other;\nuse crate::Key;\nfn f() {}"]
    );
    assert_eq!(
        finished(
            "fn f() {}",
            "use super::$0Key$1;\nuse crate::$0Key$1;\nfn f() {}",
            "E0252",
            "the name `Key` is defined multiple times",
        ),
        [""; 0]
    );
}

#[test]
fn an_import_of_a_name_that_the_module_defines_now_goes() {
    assert_eq!(
        finished(
            "use super::{Key, Other};\nfn f() {}",
            "use super::{$0Key$1, Other};\n$0pub struct Key$1;\nfn f() {}",
            "E0255",
            "the name `Key` is defined multiple times",
        ),
        ["use super::Other;\npub struct Key;\nfn f() {}"]
    );
}

#[test]
fn several_names_of_one_import_go_together() {
    assert_eq!(
        finished(
            "use super::{key, other, third};\nfn f() {}",
            "use super::{$0key$1, $0other$1, third};\nuse crate::util::{key, other};\nfn f() {}",
            "E0432",
            "unresolved imports",
        ),
        ["use super::third;\nuse crate::util::{key, other};\nfn f() {}"]
    );
}

#[test]
fn an_unresolved_import_of_a_name_with_a_newer_import_goes() {
    assert_eq!(
        finished(
            "use super::{key, other};\nfn f() {}",
            "use super::{$0key$1, other};\nuse crate::util::key;\nfn f() {}",
            "E0432",
            "unresolved import `super::key`",
        ),
        ["use super::other;\nuse crate::util::key;\nfn f() {}"]
    );
}

#[test]
fn a_member_that_a_trait_has_lost_goes_from_its_impls() {
    assert_eq!(
        finished(
            "trait T { type X; fn g(&self); }\nimpl T for A {\n    type X = u8;\n    fn g(&self) {}\n}\n",
            "trait T { fn g(&self); }\nimpl T for A {\n    $0type X = u8;$1\n    fn g(&self) {}\n}\n",
            "E0437",
            "type `X` is not a member of trait `T`",
        ),
        ["trait T { fn g(&self); }\nimpl T for A {\n    fn g(&self) {}\n}\n"]
    );
    // The trait is another crate's: one impl without the member shows it.
    assert_eq!(
        finished(
            "impl T for A {\n    type X = u8;\n}\nimpl T for B {\n    type X = u8;\n}\n",
            "impl T for A {\n}\nimpl T for B {\n    $0type X = u8;$1\n}\n",
            "E0437",
            "type `X` is not a member of trait `T`",
        ),
        ["impl T for A {\n}\nimpl T for B {\n}\n"]
    );
}

#[test]
fn a_derive_that_a_new_impl_replaces_goes() {
    let replaced = |derives: &str, mark: &str| {
        let rest = "struct S;\nimpl Default for S { fn default() -> Self { S } }";
        let (base, now) = (format!("{derives}struct S;"), format!("{mark}{rest}"));
        let message = "conflicting implementations of trait `Default` for type `S`";
        let texts = finished(&base, &now, "E0119", message);
        texts.iter().map(|it| it.replace(rest, "")).collect::<Vec<_>>()
    };
    assert_eq!(
        replaced("#[derive(Clone, Default)]\n", "#[derive(Clone, $0Default$1)]\n"),
        ["#[derive(Clone)]\n"]
    );
    assert_eq!(
        replaced("#[derive(Default, Clone,)]\n", "#[derive($0Default$1, Clone,)]\n"),
        ["#[derive(Clone,)]\n"]
    );
    assert_eq!(replaced("#[derive(Default)]\n", "#[derive($0Default$1)]\n"), [""]);
}

#[test]
fn parts_that_have_got_names_are_used_by_them() {
    assert_eq!(
        finished(
            "struct S(Vec<u8>);\nfn f(s: &S) -> usize { s.0.len() }",
            "struct S { items: Vec<u8>, dim: Dim }\nfn f(s: &S) -> usize { s.$00$1.len() }",
            "E0609",
            "no field `0` on type `&S`",
        ),
        ["struct S { items: Vec<u8>, dim: Dim }\nfn f(s: &S) -> usize { s.items.len() }"]
    );
    assert_eq!(
        finished(
            "struct S { x: u8, y: u8 }\nfn f(s: &S) -> u8 { s.y }",
            "struct S(u8, u8);\nfn f(s: &S) -> u8 { s.$0y$1 }",
            "E0609",
            "no field `y` on type `&S`",
        ),
        ["struct S(u8, u8);\nfn f(s: &S) -> u8 { s.1 }"]
    );
}

#[test]
fn a_variable_that_was_renamed_in_the_function_is_used_by_its_new_name() {
    assert_eq!(
        finished(
            "fn f() { let n = len(); let m = 1; g(n); h(n, m) }",
            "fn f() { let count = len(); let m = 1; g(count); h($0n$1, m) }",
            "E0425",
            "cannot find value `n` in this scope",
        ),
        ["fn f() { let count = len(); let m = 1; g(count); h(count, m) }"]
    );
    assert_eq!(
        finished(
            "fn f() { let n = len(); g(n); S { n } }",
            "fn f() { let count = len(); g(count); S { $0n$1 } }",
            "E0425",
            "cannot find value `n` in this scope",
        ),
        ["fn f() { let count = len(); g(count); S { n: count } }"]
    );
    // Another function's variable.
    assert_eq!(
        finished(
            "fn f() { let n = len(); g(n) }\nfn e() { n }",
            "fn f() { let count = len(); g(count) }\nfn e() { $0n$1 }",
            "E0425",
            "cannot find value `n` in this scope",
        ),
        [""; 0]
    );
}

#[test]
fn a_parameter_that_a_new_parameter_has_as_a_field_is_used_through_it() {
    assert_eq!(
        finished(
            "struct Context { doc: Doc }\nfn f(doc: &Doc, n: u8) { g(doc, n) }",
            "struct Context { doc: Doc }\nfn f(n: u8, ctx: &mut Context) { g($0doc$1, n) }",
            "E0425",
            "cannot find value `doc` in this scope",
        ),
        ["struct Context { doc: Doc }\nfn f(n: u8, ctx: &mut Context) { g(ctx.doc, n) }"]
    );
}

#[test]
fn a_missed_name_is_replaced_as_it_was_in_other_places() {
    assert_eq!(
        finished(
            "use m::Old;\nfn f<G: Old>(g: G) {}\nfn h<G: Old>(g: G) {}\nfn k<G: Old>(g: G) {}",
            "use m::New;\nfn f<G: New>(g: G) {}\nfn h<G: Other>(g: G) {}\nfn k<G: $0Old$1>(g: G) {}",
            "E0405",
            "cannot find trait `Old` in this scope",
        ),
        [
            "use m::New;\nfn f<G: New>(g: G) {}\nfn h<G: Other>(g: G) {}\nfn k<G: New>(g: G) {}",
            "use m::New;\nfn f<G: New>(g: G) {}\nfn h<G: Other>(g: G) {}\nfn k<G: Other>(g: G) {}",
        ]
    );
}

#[test]
fn a_word_that_is_a_keyword_now_is_replaced_by_its_role() {
    let base = "fn f(gen: G) { a.gen(1); h(gen) }\nfn k(gen: G) { b.gen(2); m(gen) }";
    let now = "fn f(source: G) { a.eval(1); h(source) }\nfn k($0gen$1: G) { b.gen(2); m(gen) }";
    assert_eq!(
        finished(base, now, "", "expected identifier, found reserved keyword `gen`"),
        ["fn f(source: G) { a.eval(1); h(source) }\nfn k(source: G) { b.eval(2); m(source) }"]
    );
}

#[test]
fn a_rewrite_is_generalised_from_the_places_that_have_it() {
    // What differs between two examples is a hole.
    assert_eq!(
        finished(
            "fn a() { unsafe { mem::cast::<u32, f32>(x + 1) } }\nfn b() { unsafe { mem::cast::<u64, f64>(y) } }\nfn c() { unsafe { mem::cast::<u16, f16>(f(z, 2)) } }",
            "fn a() { cast!(x + 1) }\nfn b() { cast!(y) }\nfn c() { unsafe { $0mem$1::cast::<u16, f16>(f(z, 2)) } }",
            "E0433",
            "cannot find module or crate `mem` in this scope",
        ),
        ["fn a() { cast!(x + 1) }\nfn b() { cast!(y) }\nfn c() { cast!(f(z, 2)) }"]
    );
    // A value that differs in the new code and that the old code does not have cannot be known.
    assert_eq!(
        finished(
            "fn a() { open(p, 1) }\nfn b() { open(q, 2) }\nfn c() { open(r, 3) }",
            "fn a() { start(p, 10) }\nfn b() { start(q, 20) }\nfn c() { $0open$1(r, 3) }",
            "E0599",
            "no method named `other` found for struct `S` in the current scope",
        ),
        [""; 0]
    );
}

#[test]
fn an_argument_that_other_calls_have_got_is_added() {
    assert_eq!(
        finished(
            "fn a() { io.write(x) }\nfn b() { io.write(y.z()) }\nfn c() { io.write(w) }",
            "fn a() { io.write(x, Mode::Raw) }\nfn b() { io.write(y.z(), Mode::Raw) }\nfn c() { $0io.write(w)$1 }",
            "E0061",
            "this method takes 2 arguments but 1 argument was supplied",
        ),
        [
            "fn a() { io.write(x, Mode::Raw) }\nfn b() { io.write(y.z(), Mode::Raw) }\nfn c() { io.write(w, Mode::Raw) }"
        ]
    );
}

#[test]
fn a_missing_variable_gets_the_let_that_other_functions_have_got() {
    let base = "impl S {\n    fn a(&self) { f(self.min, self.max) }\n    fn b(&self, n: u8) {\n        g();\n        f(self.min, self.max)\n    }\n    fn c() { f(1, 2) }\n}";
    let in_progress = "impl S {\n    fn a(&self) { let (min, max) = self.range(); f(min, max) }\n    fn b(&self, n: u8) {\n        g();\n        f($0min$1, max)\n    }\n    fn c() { f(1, 2) }\n}";
    let done = "impl S {\n    fn a(&self) { let (min, max) = self.range(); f(min, max) }\n    fn b(&self, n: u8) {\n        g();\n        let (min, max) = self.range();\n        f(min, max)\n    }\n    fn c() { f(1, 2) }\n}";
    let message = "cannot find value `min` in this scope";
    assert_eq!(finished(base, in_progress, "E0425", message), [done]);
    // Without `self` there is no such value.
    let in_progress = in_progress.replace("fn b(&self, ", "fn b(");
    assert_eq!(finished(base, &in_progress, "E0425", message), [""; 0]);
}

#[test]
fn a_variable_that_is_used_by_its_new_name_is_bound_by_it() {
    assert_eq!(
        finished(
            "fn a() { let [gen_start, end] = gen(); f(gen_start) }\nfn b() { let gen_start = 1; g(gen_start) }",
            "fn a() { let [gen_start, end] = gen(); f($0source_start$1) }\nfn b() { let source_start = 1; g(source_start) }",
            "E0425",
            "cannot find value `source_start` in this scope",
        )
        .first()
        .map(String::as_str),
        Some(
            "fn a() { let [source_start, end] = gen(); f(source_start) }\nfn b() { let source_start = 1; g(source_start) }"
        )
    );
}

#[test]
fn a_value_that_only_its_type_suggests_is_a_guess() {
    use crate::tests::guessed;
    let check = |caller: &str, new: &str, expected: &[&str]| {
        let base = format!("struct Key;\nfn open(door: u32) {{}}\n{caller} {{ open(1) }}");
        let now =
            format!("struct Key;\nfn open(door: u32, {new}) {{}}\n{caller} {{ $0open(1)$1 }}");
        let message = "this function takes 2 arguments but 1 argument was supplied";
        assert_eq!(guessed(&base, &now, "E0061", message), expected, "{caller}, {new}");
    };
    // Its name is in scope.
    check("fn enter(level: u32)", "level: u32", &["level", "0: Typed { other: Some(\"1\") }"]);
    // The only one of a rare type.
    check("fn enter(it: Key)", "key: Key", &["it"]);
    // One of two.
    check("fn enter(a: Key, b: Key)", "key: Key", &["a: Value", "b: Value"]);
    // A common type.
    check(
        "fn enter(n: u32)",
        "level: u32",
        &["n: Typed { other: Some(\"(n) ^ 1\") }", "0: Typed { other: Some(\"1\") }"],
    );
    check("fn enter()", "set: [bool; 2]", &["[false; 2]: Typed { other: Some(\"[true; 2]\") }"]);
    check("fn enter()", "list: Vec<u8>", &["Vec::new(): Typed { other: None }"]);
}

#[test]
fn parameters_that_came_and_went_are_propagated_at_once() {
    assert_eq!(
        finished(
            "fn area(a: u8, low: u8, high: u8, b: &[u8]) {}\nfn m(x: X) { area(1, x.low, x.high, &x.b); }",
            "fn area(a: u8, b: &[u8]) {}\nfn m(x: X) { $0area$1(1, x.low, x.high, &x.b); }",
            "E0061",
            "this function takes 2 arguments but 4 arguments were supplied",
        ),
        ["fn area(a: u8, b: &[u8]) {}\nfn m(x: X) { area(1, &x.b); }"]
    );
    assert_eq!(
        finished(
            "fn area(a: u8) {}\nfn m(low: L, high: H) { area(1); }",
            "fn area(a: u8, low: L, high: H) {}\nfn m(low: L, high: H) { $0area$1(1); }",
            "E0061",
            "this function takes 3 arguments but 1 argument was supplied",
        )[0],
        "fn area(a: u8, low: L, high: H) {}\nfn m(low: L, high: H) { area(1, low, high); }"
    );
    assert_eq!(
        finished(
            "fn area(old: A, b: u8) {}\nfn m(low: L, high: H) { area(o, 1); }",
            "fn area(low: L, high: H, b: u8) {}\nfn m(low: L, high: H) { $0area$1(o, 1); }",
            "E0061",
            "this function takes 3 arguments but 2 arguments were supplied",
        )[0],
        "fn area(low: L, high: H, b: u8) {}\nfn m(low: L, high: H) { area(low, high, 1); }"
    );
}

#[test]
fn a_call_whose_old_name_is_another_method_gets_the_new_one() {
    assert_eq!(
        finished(
            "impl A { fn into(self, n: u8) {} }\nfn f(a: A) { a.into(1); }\nfn g(a: A) { a.into(2); }",
            "impl A { fn onto(self, n: u8) {} }\nfn f(a: A) { a.onto(1); }\nfn g(a: A) { a.$0into$1(2); }",
            "E0061",
            "this method takes 0 arguments but 1 argument was supplied",
        ),
        [
            "impl A { fn onto(self, n: u8) {} }\nfn f(a: A) { a.onto(1); }\nfn g(a: A) { a.onto(2); }"
        ]
    );
}

#[test]
fn a_module_is_no_value() {
    assert_eq!(
        finished(
            "mod fat { fn a() { one(); two(); } }\nfn f() {}",
            "mod wide { fn a() { one(); two(); } }\nfn f() { $0fat$1; }",
            "E0425",
            "cannot find value `fat` in this scope",
        ),
        [""; 0]
    );
}

#[test]
fn heads_of_impls_follow_those_of_the_same_type() {
    let old = "impl A for Text {}\nimpl B for Text {}\nimpl<'s> Same<Text> for Text { fn f() {} }";
    let new = "impl<K: Kind> A for Base<K> {}\nimpl<K: Kind> B for Base<K> {}\n";
    assert_eq!(
        finished(
            old,
            &format!("{new}$0impl<'s> Same<Text> for Text$1 {{ fn f() {{}} }}"),
            "E0277",
            "can't compare `m::Base<K>` with `m::Base<K>`",
        ),
        [format!("{new}impl<'s, K: Kind> Same<Base<K>> for Base<K> {{ fn f() {{}} }}")]
    );
    assert_eq!(
        finished(
            "impl A for Text {}\nimpl B for Text {}\nimpl C<Vec<Text>> for Text {}",
            "impl<'t> A for Text<'t> {}\nimpl<'t> B for Text<'t> {}\nimpl C<Vec<$0Text$1>> for Text {}",
            "E0106",
            "missing lifetime specifier",
        ),
        [
            "impl<'t> A for Text<'t> {}\nimpl<'t> B for Text<'t> {}\nimpl<'t> C<Vec<Text<'t>>> for Text<'t> {}"
        ]
    );
    assert_eq!(
        finished(
            "impl A for Text {}\nimpl C for Text {}",
            "impl<'t> A for Text<'t> {}\nimpl C for $0Text$1 {}",
            "E0106",
            "missing lifetime specifier",
        ),
        [""; 0]
    );
}

#[test]
fn a_parameter_that_was_a_field_of_the_old_one_is_used_itself() {
    assert_eq!(
        finished(
            "fn f(info: &Info) { g(&info.levels); h(info.levels[0]); }",
            "fn f(levels: &[u8]) { g(&$0info$1.levels); h($0info$1.levels[0]); }",
            "E0425",
            "cannot find value `info` in this scope",
        )[0],
        "fn f(levels: &[u8]) { g(levels); h(levels[0]); }"
    );
    assert_eq!(
        finished(
            "fn f(info: &Info) { g(&info.levels, info.levels()); }",
            "fn f(levels: Vec<u8>) { g(&$0info$1.levels, 1); }",
            "E0425",
            "cannot find value `info` in this scope",
        )[0],
        "fn f(levels: Vec<u8>) { g(&levels, 1); }"
    );
}

#[test]
fn a_struct_gets_the_field_that_another_one_got() {
    let other = "struct Rows { pub(crate) slot: u32, pub(crate) inner: Row }\n";
    assert_eq!(
        finished(
            "struct Rows { pub(crate) inner: Row }\nstruct Cells {\n    pub len: u8,\n    pub inner: Cell,\n}\n",
            &format!(
                "{other}struct Cells {{\n    pub len: u8,\n    pub inner: Cell,\n}}\nimpl Cells {{ fn f(&self) {{ self.$0slot$1; }} }}"
            ),
            "E0609",
            "no field `slot` on type `&m::Cells`",
        ),
        [format!(
            "{other}struct Cells {{\n    pub len: u8,\n    pub(crate) slot: u32,\n    pub inner: Cell,\n}}\nimpl Cells {{ fn f(&self) {{ self.slot; }} }}"
        )]
    );
    assert_eq!(
        finished(
            "struct Rows { pub(crate) inner: Row }\nstruct Cells {}",
            &format!("{other}struct Cells {{}}\nfn f() {{ x.$0slot$1; }}"),
            "E0609",
            "no field `slot` on type `m::Others`",
        ),
        [""; 0]
    );
}

#[test]
fn a_type_around_a_field_goes_as_in_the_other_struct() {
    assert_eq!(
        finished(
            "struct A { inner: Counted<Row<u8>> }\nstruct B { inner: Counted<Cell> }",
            "struct A { inner: Row<u8> }\nstruct B { inner: $0Counted$1<Cell> }",
            "E0425",
            "cannot find type `Counted` in this scope",
        ),
        ["struct A { inner: Row<u8> }\nstruct B { inner: Cell }"]
    );
}

#[test]
fn a_name_that_the_function_had_before_is_a_guess() {
    let (base, now) = (
        "fn f() { let a = one(); let b = two(); g(a); h(a); }",
        "fn f() { let b = one(); let c = two(); g(b); h($0a$1); }",
    );
    let (plain, errors) = marked(now, "E0425", "cannot find value `a` in this scope");
    let tree = |text: &str| Tree::of(&[("src/lib.rs", text)]);
    let difference = since(&tree(base), &tree(&plain));
    let found = propagate(&difference, &intents(&difference), &errors, &tree(&plain));
    assert!(!found.is_empty() && found.iter().all(|it| it.guesses.len() == 1));
}

#[test]
fn of_two_new_fields_the_one_that_the_old_value_names_takes_its_place() {
    assert_eq!(
        finished(
            "struct S { length: usize }\nfn f(&self) -> S { let length = self.undo_log.len(); S { length: length } }\nfn g(s: S) { s.length; }",
            "struct S { value_count: usize, undo_len: usize }\nfn f(&self) -> S { let length = self.undo_log.len(); S { length: length } }\nfn g(s: S) { s.$0length$1; }",
            "E0609",
            "no field `length` on type `S`",
        ),
        [
            "struct S { value_count: usize, undo_len: usize }\nfn f(&self) -> S { let length = self.undo_log.len(); S { length: length } }\nfn g(s: S) { s.undo_len; }"
        ]
    );
}

#[test]
fn a_new_field_that_counts_a_collection_is_its_length() {
    let guessed = |name: &str| {
        let types = "struct All { values: Vec<u8>, log: Log }\n";
        let body = "impl All { fn f(&self) -> S { $0S$1 { a: 1 } } }";
        let plain = body.replace("$0", "").replace("$1", "");
        crate::tests::guessed(
            &format!("struct S {{ a: u8 }}\n{types}{plain}"),
            &format!("struct S {{ a: u8, {name}: usize }}\n{types}{body}"),
            "E0063",
            &format!("missing field `{name}` in initializer of `S`"),
        )
    };
    assert_eq!(guessed("value_count")[0], "value_count: self.values.len(): Value");
    assert_ne!(guessed("log_len")[0], "log_len: self.log.len(): Value");
}

#[test]
fn a_new_member_of_a_trait_is_a_hole_in_every_impl() {
    let base = "pub trait T {\n    fn a(&self) -> u8;\n}\n\nstruct S;\n\nimpl T for S {\n    fn a(&self) -> u8 { 1 }\n}\n\nmod m {\n    impl crate::T for u8 {\n        fn a(&self) -> u8 { 2 }\n    }\n}\n";
    let declared = base.replace(
        "-> u8;\n",
        "-> u8;\n\n    /// The name.\n    #[must_use]\n    fn name(&self) -> &'static str;\n",
    );
    let now = declared.replace("impl T for S", "$0impl T for S$1");
    let message = "not all trait items implemented, missing: `name`";
    let hole = |indent: &str| {
        format!("\n\n{indent}fn name(&self) -> &'static str {{\n{indent}    todo!()\n{indent}}}\n")
    };
    let wanted = declared
        .replace("{ 1 }\n", &format!("{{ 1 }}{}", hole("    ")))
        .replace("{ 2 }\n", &format!("{{ 2 }}{}", hole("        ")));
    assert_eq!(finished(base, &now, "E0046", message), [wanted]);
    // With a body, no impl misses it.
    let now = now.replace("&'static str;", "&'static str { \"\" }");
    assert_eq!(finished(base, &now, "E0046", message), [""; 0]);
}

#[test]
fn a_new_member_of_a_generic_trait_has_the_arguments_of_the_impl() {
    let base = "pub trait Pick<'a, T: Clone, const N: usize> {\n    fn a(&self) -> T;\n}\n\nimpl<'a, K: Clone> Pick<'a, Vec<K>, 2> for [K; 2] {\n    fn a(&self) -> Vec<K> { self.to_vec() }\n}\n";
    let declared =
        base.replacen("-> T;\n", "-> T;\n    fn b(&self, of: [T; N]) -> Option<T>;\n", 1);
    let now = declared.replace("impl<'a, K: Clone> Pick", "$0impl<'a, K: Clone> Pick$1");
    let wanted = declared.replace(
        "{ self.to_vec() }\n",
        "{ self.to_vec() }\n\n    fn b(&self, of: [Vec<K>; 2]) -> Option<Vec<K>> {\n        todo!()\n    }\n",
    );
    let message = "not all trait items implemented, missing: `b`";
    assert_eq!(finished(base, &now, "E0046", message), [wanted]);
}
