//! What takes the place of something removed, and what impls have got elsewhere, as text.

use std::sync::Arc;

use base::{DiagnosticFile, ProjectPath, Severity, SubDiagnostic};

use crate::tests::{Tree, finished, marked, since};
use crate::{intents, propagate, unbuilt, unsettled};

#[test]
fn a_call_of_a_removed_function_becomes_what_it_did() {
    let gone = |function: &str, mark: &str| {
        let base = format!("{function}\n{}", mark.replace("$0", "").replace("$1", ""));
        finished(&base, mark, "E0425", "cannot find function `half` in this scope")
    };
    let half = "fn half(n: u32) -> u32 { n / 2 }";
    assert_eq!(gone(half, "fn f() -> u32 { g($0half$1(6)) }"), ["fn f() -> u32 { g(6 / 2) }"]);
    assert_eq!(
        gone(half, "fn f(a: u32) -> u32 { $0half$1(a + 1) * 3 }"),
        ["fn f(a: u32) -> u32 { ((a + 1) / 2) * 3 }"]
    );
    // Evaluated twice, or not at all.
    let twice = "fn half(n: u32) -> u32 { n * n }";
    assert_eq!(gone(twice, "fn f() -> u32 { $0half$1(g()) }"), [""; 0]);
    assert_eq!(gone(twice, "fn f() -> u32 { $0half$1(2) }"), ["fn f() -> u32 { 2 * 2 }"]);
    let never = "fn half(_n: u32) -> u32 { 1 }";
    assert_eq!(gone(never, "fn f() -> u32 { $0half$1(g()) }"), [""; 0]);
    let other = "fn half(a: u32, b: u32) -> u32 { b / a }";
    assert_eq!(gone(other, "fn f() -> u32 { $0half$1(g(), h()) }"), [""; 0]);
    assert_eq!(gone(other, "fn f() -> u32 { $0half$1(g(), 2) }"), ["fn f() -> u32 { 2 / g() }"]);
    // More than an expression.
    let returns = "fn half(n: u32) -> u32 { if n > 1 { return 0; } n }";
    assert_eq!(gone(returns, "fn f() -> u32 { $0half$1(2) }"), [""; 0]);
}

#[test]
fn a_removed_function_as_a_value_becomes_the_one_it_called() {
    let gone = |function: &str, mark: &str| {
        let base = format!("{function}\n{}", mark.replace("$0", "").replace("$1", ""));
        finished(&base, mark, "E0425", "cannot find value `blank` in this scope")
    };
    assert_eq!(
        gone("fn blank(c: char) -> bool { c.is_whitespace() }", "fn f() { s.trim($0blank$1); }"),
        ["fn f() { s.trim(char::is_whitespace); }"]
    );
    assert_eq!(
        gone("fn blank(a: u8, b: u8) -> bool { eq(a, b) }", "fn f() { s.by($0blank$1); }"),
        ["fn f() { s.by(eq); }"]
    );
    assert_eq!(
        gone("fn blank(a: u8, b: u8) -> bool { eq(b, a) }", "fn f() { s.by($0blank$1); }"),
        [""; 0]
    );
}

#[test]
fn a_call_of_a_removed_method_becomes_what_it_did() {
    let gone = |method: &str, mark: &str| {
        let base = format!("struct S {{ a: A }}\nimpl S {{ {method} }}\n");
        let now = format!("struct S {{ a: A }}\nimpl S {{ }}\n{mark}");
        let found = finished(
            &base,
            &now,
            "E0599",
            "no method named `order` found for reference `&S` in the current scope",
        );
        found.iter().map(|it| it.lines().last().unwrap_or("").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        gone("fn order(&self) -> u8 { self.a.order }", "fn f(s: &S) { match s.$0order$1() {} }"),
        ["fn f(s: &S) { match s.a.order {} }"]
    );
    assert_eq!(
        gone("fn order(&self) -> u8 { order_of(self) }", "fn f(s: S) { g(s.$0order$1()); }"),
        ["fn f(s: S) { g(order_of(&s)); }"]
    );
    assert_eq!(
        gone("fn order(&self) -> u8 { Self::of(self.a) }", "fn f(s: &S) { s.$0order$1(); }"),
        ["fn f(s: &S) { S::of(s.a); }"]
    );
}

#[test]
fn an_item_that_other_impls_have_got_is_added() {
    let done = |items: &[&str], of: [&str; 2]| {
        let start = "trait T { fn n() -> u8; }\nstruct A;\nstruct B;\nstruct C;\n";
        let bodies = [("A", "const K: u8 = 1;"), ("B", "const K: u8 = 2;"), ("C", of[0])];
        let code = |with: &[&str]| {
            let one = |(at, (name, rest)): (usize, &(&str, &str))| {
                let item = with.get(at).map_or(String::new(), |it| format!("\n    {it}"));
                let name = if at == 2 && !with.is_empty() { "$0C$1" } else { name };
                format!("impl T for {name} {{\n    {rest}{item}\n}}\n")
            };
            format!("{start}{}", bodies.iter().enumerate().map(one).collect::<String>())
        };
        let message = "not all trait items implemented, missing: `n`";
        let found = finished(&code(&[]), &code(items), "E0046", message);
        found.iter().map(|it| it.contains(of[1])).collect::<Vec<_>>()
    };
    let last =
        "impl T for C {\n    const K: u8 = 3;\n    fn n() -> u8 {\n        Self::K\n    }\n}";
    let item = "fn n() -> u8 {\n        Self::K\n    }";
    assert_eq!(done(&[item, item], ["const K: u8 = 3;", last]), [true]);
    assert_eq!(done(&["k!();", "k!();"], ["const K: u8 = 3;", "3;\n    k!();\n}"]), [true]);
    // One use of a macro may be about that type only, and another item is none.
    assert_eq!(done(&["k!();"], ["const K: u8 = 3;", "k!"]), [false; 0]);
    assert_eq!(done(&["fn m() {}", "fn m() {}"], ["const K: u8 = 3;", "fn m"]), [false; 0]);
    // The type of the impl is that of the other one, and of two forms the nearer one is meant.
    let (a, b) = ("fn n() -> u8 { A::K }", "fn n() -> u8 { 2 }");
    assert_eq!(done(&[a, b], ["const K: u8 = 1;", "fn n() -> u8 { C::K }"]), [true]);
    assert_eq!(done(&[a, b], ["const K: u8 = 2;", "fn n() -> u8 { 2 }\n}\n"]), [true]);
}

#[test]
fn a_variable_that_is_gone_becomes_its_value() {
    let gone = |of: &str, now: &str| {
        let base = format!("fn f(s: &str) {{ {of} g(x); h(x) }}");
        finished(&base, &format!("fn f(s: &str) {{ {now} }}"), "E0425", "cannot find value `x`")
    };
    assert_eq!(
        gone("let x = char::is_alphabetic;", "g($0x$1); h($0x$1)"),
        ["fn f(s: &str) { g(char::is_alphabetic); h(char::is_alphabetic) }"]
    );
    assert_eq!(gone("let x: usize = s.len();", "g($0x$1)"), ["fn f(s: &str) { g(s.len()) }"]);
    assert_eq!(gone("let x = 1 + A;", "g($0x$1 * 2)"), ["fn f(s: &str) { g((1 + A) * 2) }"]);
    // Evaluated twice, for an effect, or one of two.
    assert_eq!(gone("let x = s.next();", "g($0x$1); h($0x$1)"), [""; 0]);
    assert_eq!(gone("let x = s.next()?;", "g($0x$1)"), [""; 0]);
    assert_eq!(gone("let x = 1; let x = 2;", "g($0x$1)"), [""; 0]);
}

#[test]
fn a_call_of_a_trait_that_was_passed_on_to_a_field_goes_to_the_field() {
    let gone = |bodies: [&str; 2], mark: &str| {
        let has = format!(
            "impl Read for S {{ fn read(&mut self, b: B) {{ {} }} fn end(&self) {{ {} }} }}\n",
            bodies[0], bodies[1]
        );
        let start = "struct S { inner: I }\n";
        let base = format!("{start}{has}{}", mark.replace("$0", "").replace("$1", ""));
        let message = "the method `read_all` exists for mutable reference `&mut S`, but its trait \
                       bounds were not satisfied";
        let found = finished(&base, &format!("{start}{mark}"), "E0599", message);
        found.iter().map(|it| it.lines().last().unwrap_or("").to_owned()).collect::<Vec<_>>()
    };
    let call = "fn f(s: &mut S) { s.$0read_all$1(b) }";
    assert_eq!(
        gone(["self.inner.read(b)", "self.inner.end()"], call),
        ["fn f(s: &mut S) { s.inner.read_all(b) }"]
    );
    assert_eq!(gone(["self.inner.read(b)", "self.other.end()"], call), [""; 0]);
    assert_eq!(gone(["self.inner.read(b)", "()"], call), [""; 0]);
}

#[test]
fn an_old_name_that_means_another_method_now_is_replaced() {
    let base = "struct S;\nimpl S { fn into(self, a: A) { a } }\nfn f(s: S, a: A) { s.into(a) }";
    let now = "struct S;\nimpl S { fn onto(self, a: A) { a } }\nfn f(s: S, a: A) { s.$0into$1(a) }";
    let message = "this method takes 0 arguments but 1 argument was supplied";
    let is_replaced = {
        let (plain, mut errors) = marked(now, "E0061", message);
        let mut spans = errors[0].spans.clone();
        spans[0].place = DiagnosticFile::Foreign("core/src/convert/mod.rs".to_owned());
        let message = "method defined here".to_owned();
        let (severity, replacements) = (Severity::Note, Vec::new());
        errors[0].children.push(SubDiagnostic { severity, message, spans, replacements });
        let (base, now) = (Tree::of(&[("src/lib.rs", base)]), Tree::of(&[("src/lib.rs", &plain)]));
        let difference = since(&base, &now);
        let found = propagate(&difference, &intents(&difference), &errors, &now);
        found.iter().any(|it| it.splices.iter().any(|it| it.1.insert == "onto"))
    };
    assert!(is_replaced);
}

#[test]
fn patterns_of_a_removed_variant_go_and_other_uses_are_listed() {
    let base = "enum E { A, B(u8), C }\nfn f(e: E) -> u8 {\n    match e {\n        E::A => 1,\n        E::B(x) => x,\n        E::C => 2,\n    }\n}\nfn g(e: &E) -> bool { match e { E::A | E::B(_) => true, E::C => false } }\nfn h() -> E { E::B(1) }\n";
    let now = base.replace(", B(u8)", "").replace("E::B", "E::$0B$1");
    let message = "no variant or associated item named `B` found for enum `E` in the current scope";
    let wanted = base
        .replace(", B(u8)", "")
        .replace("        E::B(x) => x,\n", "")
        .replace("E::A | E::B(_)", "E::A");
    assert_eq!(finished(base, &now, "E0599", message), [wanted]);
    let (now, errors) = marked(&now, "E0599", message);
    let (base, now) = (Tree::of(&[("src/lib.rs", base)]), Tree::of(&[("src/lib.rs", &now)]));
    let difference = since(&base, &now);
    let found = unsettled(&difference, &intents(&difference), &errors, &now);
    let rows: Vec<String> = found.iter().map(|it| format!("{}: {}", it.line, it.what)).collect();
    assert_eq!(rows, ["10: `E::B` is used here and is gone"]);
    // A new variant may be the old one.
    let base = "enum E { A, B }\nfn f(e: E) { match e { E::A => a(), E::B => b() } }\n";
    let now = "enum E { A, D, F }\nfn f(e: E) { match e { E::A => a(), E::$0B$1 => b() } }\n";
    assert!(finished(base, now, "E0599", message).iter().all(|it| it.contains("b()")));
}

#[test]
fn a_required_method_with_another_name_in_its_place_is_renamed() {
    let sure = |base: &str, now: &str| {
        let (base, now) = (Tree::of(&[("src/lib.rs", base)]), Tree::of(&[("src/lib.rs", now)]));
        let found = intents(&since(&base, &now));
        found.iter().map(|it| (it.to_string(), it.confidence >= 75)).collect::<Vec<_>>()
    };
    let base = "trait E { const N: u8; fn from_usize(value: usize) -> Self; fn n(&self) -> u8; }\n";
    let now = base.replace("from_usize", "at");
    let renamed = ("method `E::at` was `from_usize`".to_owned(), true);
    assert!(sure(base, &now).contains(&renamed));
    // Another signature or another place: it may be another method.
    let other = now.replace("-> Self", "-> Option<Self>");
    assert!(sure(base, &other).iter().all(|it| !it.1 || !it.0.contains("was")));
    let last = base.replace("fn from_usize(value: usize) -> Self; ", "");
    let last = last.replace("u8; }", "u8; fn at(value: usize) -> Self; }");
    assert!(sure(base, &last).iter().all(|it| !it.1 || !it.0.contains("was")));
}

#[test]
fn a_match_on_another_enum_of_the_name_is_not_left() {
    let text = |new: &str| format!("pub enum E {{ A, B{new} }}\n");
    let own = "src/table.rs";
    let (base, now) = (Tree::of(&[(own, &text(""))]), Tree::of(&[(own, &text(", C"))]));
    let difference = since(&base, &now);
    let left = |path: &str, code: &str| {
        let file = |it: &str, text: &str| (ProjectPath::new(it).unwrap(), Arc::from(text));
        let mut files = vec![file(own, &text(", C")), file("src/line.rs", &text(""))];
        files.retain(|it| it.0.as_str() != path);
        files.push(file(path, code));
        !unbuilt(&difference, &intents(&difference), &files).is_empty()
    };
    let code = |from: &str| {
        format!("fn f(e: {from}E) {{ match e {{ {from}E::A => 1, {from}E::B => 2 }} }}\n")
    };
    assert!(!left("src/a.rs", &code("line::")));
    assert!(left("src/a.rs", &code("table::")));
    assert!(left("src/a.rs", &code("")));
    assert!(!left("src/line.rs", &(text("") + &code(""))));
    assert!(left(own, &(text(", C") + &code(""))));
    assert!(!left(own, &(text(", C") + &code("line::"))));
}
