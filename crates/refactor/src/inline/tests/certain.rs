//! Values of which the compiler has answered that they need no variable.

use base::DiagnosticSpan;

use super::super::call::Value;
use super::*;

#[test]
fn an_argument_of_the_certain_type_takes_its_place_if_it_is_evaluated_as_before() {
    let values = [Value::Receiver, Value::Argument(0), Value::Argument(1), Value::Result];
    let certain = Certain { values: values.into(), is_referent: false };
    let call = |function: &str, call: &str| {
        let text = format!("//- src/lib.rs\n{function}\nfn g() {{\n    {call}\n}}\n");
        let found = inlined_as(&text, "f", Some(&certain)).unwrap();
        found.trim_start_matches("fn g() {\n    ").trim_end_matches("\n}\n").to_owned()
    };
    let minus = "fn f(a: u32, b: u32) -> u32 { a - b }";
    assert_eq!(call(minus, "h(f(next(), next()));"), "h(next() - next());");
    let named = "fn f(s: String, n: u32) -> Name { Name::new(s, n) }";
    assert_eq!(call(named, "h(f(make(), next()? + 1));"), "h(Name::new(make(), next()? + 1));");
    let set = "fn f(n: &mut Name, s: String) { n.text = s; }";
    assert_eq!(call(set, "f(name, make());").matches("let").count(), 2);
    // What would be evaluated in another order, twice, never or later, or dropped later.
    for (function, value) in [
        ("fn f(a: u32, b: u32) -> u32 { b - a }", "f(next(), next())"),
        ("fn f(a: u32, b: u32) -> u32 { own(a) - b }", "f(next(), next())"),
        ("fn f(a: u32) -> u32 { first() - a }", "f(next())"),
        ("fn f(a: u32) -> u32 { a * a }", "f(next())"),
        ("fn f(a: u32) -> bool { ok() && a > 1 }", "f(next())"),
        ("fn f(a: u32) -> Task { run(|| a) }", "f(next())"),
        ("fn f(a: u32) -> u32 { own!(a) }", "f(next())"),
        ("fn f(s: String) -> usize { s.len() }", "f(make())"),
    ] {
        let found = call(function, &format!("h({value});"));
        assert!(found.contains("= next()") || found.contains("= make()"), "{function}: {found}");
    }
}

#[test]
fn a_place_is_self_where_fields_are_read_from_it() {
    let referent = Certain { is_referent: true, ..Certain::default() };
    let text = |body: &str, call: &str| {
        format!(
            "//- src/lib.rs\nstruct S {{ n: Cell }}\nimpl S {{ fn f(&self) -> u8 {{ {body} }} }}\n\
             fn g(s: S, n: u8) {{ let x: u8 = {call}; }}\n"
        )
    };
    let call = |body: &str, call: &str, answer: &Certain| {
        let found = inlined_as(&text(body, call), "f", Some(answer)).unwrap();
        found.split_once("let x: u8 = ").unwrap().1.trim_end_matches("; }\n").to_owned()
    };
    assert_eq!(call("self.n.get() + 1", "s.f()", &referent), "s.n.get() + 1");
    // A method of the value may be another one than that of the reference.
    assert!(call("self.own() + 1", "s.f()", &referent).contains("let this"));
    let reference = Certain { values: [Value::Receiver].into(), is_referent: true };
    assert_eq!(call("self.own() + 1", "s.f()", &reference), "s.own() + 1");
    // What a call returns is evaluated once.
    assert!(call("self.n.get() + self.n.get()", "made().f()", &reference).contains("let this"));
    assert!(call("run(move || self.n.get())", "s.f()", &reference).contains("let this"));
}

#[test]
fn answers_are_read_from_the_lines_of_their_questions() {
    let text = "fn f(v: f32) -> Angle<f32> { Angle::radians(v) }\nfn g() { h(f(*PI)); }\n";
    let files = [("src/lib.rs", text)];
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let key = (path.clone(), text.find("f(*PI)").unwrap());
    let all: Vec<(ProjectPath, Arc<str>)> = vec![(path.clone(), Arc::from(text))];
    let target = RenameTarget {
        kind: RenameKind::Function,
        from: "f".to_owned(),
        to: "f".to_owned(),
        owners: [String::new()].into(),
        definitions: [(path.clone(), 3)].into(),
        within: None,
    };
    let known = KnownSites { item: [(path.clone(), 3), key.clone()].into(), ..Default::default() };
    let uses = Renaming::new(target, &known, &all);
    let root = CrateRoot { name: "own".to_owned(), is_library: true, root: path.clone() };
    let mut inlining = Inlining::new(uses, &(path.clone(), 3), false, &all, &[root]).unwrap();
    let questions = inlining.questions().unwrap();
    let overlay =
        Overlay::from_splices("", Timestamp(0), &Tree(&files), &questions.splices).unwrap();
    let asking = overlay.get(&path).unwrap().after_text();
    let mismatch = |mark: &str, label: &str| {
        let at = asking.find(mark).unwrap() + mark.len();
        let mut span = DiagnosticSpan::primary(&path, asking, base::ByteSpan::new(at, at + 1));
        span.label = Some(label.to_owned());
        let mut diagnostic = Diagnostic::new(base::Severity::Error, "mismatched types");
        diagnostic.code = Some("E0308".to_owned());
        diagnostic.spans = vec![span];
        diagnostic
    };
    let answers = [
        mismatch("/*0:0:alone*/", "this expression has type `f32`"),
        mismatch("/*0:0:declared*/", "this expression has type `f32`"),
        mismatch("/*0:result:alone*/", "this expression has type `Angle<_>`"),
        mismatch("/*0:result:declared*/", "this expression has type `Angle<f32>`"),
        mismatch("/*0:result:around*/", "expected `Angle<f32>`, found `()`"),
    ];
    inlining.answer(&questions, &answers, &overlay);
    let expected =
        Certain { values: [Value::Argument(0), Value::Result].into(), is_referent: false };
    assert_eq!(inlining.certain.get(&key), Some(&expected), "{asking}");
    // Without the place, the value alone has to have the type.
    inlining.answer(&questions, &answers[..4], &overlay);
    assert!(!inlining.certain[&key].values.contains(&Value::Result));
}

#[test]
fn a_method_that_takes_self_gets_what_a_reference_leads_to() {
    let text = |call: &str| {
        format!(
            "//- src/lib.rs\n#[derive(Clone, Copy)]\nenum C {{ A }}\nimpl C {{\n    fn low(self) -> u8 {{ self as u8 | 32 }}\n    fn f(&self, other: &C, own: C) -> u8 {{ {call} }}\n}}\n"
        )
    };
    let bound = |call: &str| {
        let found = inlined(&text(call), "low").unwrap();
        found.lines().find(|it| it.contains("let this")).unwrap().trim().to_owned()
    };
    assert_eq!(bound("other.low()"), "let this: Self = *other;");
    assert_eq!(bound("self.low()"), "let this: Self = *self;");
    assert_eq!(bound("own.low()"), "let this: Self = own;");
    let values = [Value::Receiver, Value::Result];
    let copied = Certain { values: values.into(), is_referent: false };
    let found = inlined_as(&text("other.low()"), "low", Some(&copied)).unwrap();
    assert!(found.contains("let this = *other;"), "{found}");
}
