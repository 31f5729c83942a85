//! A change is mined, and the pattern is applied to another error.

use base::{Diagnostic, Timestamp};
use edit::{Overlay, Splice};

use super::{Learned, LearnedEdit, mine};
use crate::Reasoner;
use crate::fake::{FakeError, OneFile, path};

fn learned(before: &str, after: &str, error: &Diagnostic) -> Vec<LearnedEdit> {
    let whole = Splice { span: base::ByteSpan::new(0, before.len()), insert: after.to_owned() };
    let files = OneFile(before.to_owned());
    let change = Overlay::from_splices("test", Timestamp(0), &files, &[(path(), whole)]).unwrap();
    let found = mine(&change, std::slice::from_ref(error)).into_iter();
    found
        .map(|(pattern, places)| LearnedEdit { pattern, places, change: "c1".to_owned() })
        .collect()
}

/// The text after the only proposal.
fn applied(edits: Vec<LearnedEdit>, text: &str, error: &Diagnostic) -> Option<String> {
    let fixes = Learned::new(edits).propose(std::slice::from_ref(error), &OneFile(text.to_owned()));
    let [fix] = &fixes[..] else { return None };
    let mut out = text.to_owned();
    for (_, splice) in fix.splices.iter().rev() {
        out.replace_range(splice.span.start..splice.span.end, &splice.insert);
    }
    Some(out)
}

#[test]
fn a_field_is_initialised_as_before_in_another_literal() {
    let error = |at: &str| {
        FakeError::new("E0063", "missing field `tag` in initializer of `Version`").at(at)
    };
    let before = "fn a() -> Version {\n    Version { major: 1 }\n}\n";
    let after = "fn a() -> Version {\n    Version { major: 1, tag: Tag::EMPTY }\n}\n";
    let edits = learned(before, after, &error("«Version» { major: 1").build(before));
    let [edit] = &edits[..] else { panic!("{edits:#?}") };
    assert_eq!(edit.pattern.message, "missing field `_` in initializer of `_`");
    let proven = vec![LearnedEdit { places: 2, ..edit.clone() }];
    let other =
        "fn b(n: u64) -> Version {\n    Version {\n        major: n,\n        ..old\n    }\n}\n";
    assert_eq!(applied(edits, other, &error("«Version» {\n").build(other)), None, "seen once");
    let text = applied(proven, other, &error("«Version» {\n").build(other)).unwrap();
    assert!(text.contains("major: n,\n        tag: Tag::EMPTY,\n        ..old\n"), "{text}");
}

#[test]
fn names_of_the_message_are_holes() {
    let error = |name: &str, at: &str| {
        let message = format!("cannot assign twice to immutable variable `{name}`");
        FakeError::new("E0384", &message).at(at)
    };
    let before = "fn a() {\n    let n = 1;\n    n = 2;\n}\n";
    let first = error("n", "«n = 2»").label("let «n» = 1", "first assignment to `n`").build(before);
    let edits = learned(before, &before.replace("let n", "let mut n"), &first);
    assert_eq!(edits.len(), 1);
    let other = "fn b() {\n    let total = f();\n    total = 3;\n}\n";
    let second = error("total", "«total = 3»");
    let second = second.label("let «total» = f", "first assignment to `total`").build(other);
    let text = applied(edits, other, &second).unwrap();
    assert!(text.contains("let mut total = f();"), "{text}");
}

#[test]
fn a_value_is_wrapped_by_the_same_call() {
    let error = |at: &str| {
        FakeError::new("E0308", "mismatched types")
            .at(at)
            .labelled("expected `Meters`, found `f64`")
    };
    let before = "fn a(x: f64) {\n    go(x);\n}\n";
    let edits = learned(
        before,
        &before.replace("go(x)", "go(Meters::of(x))"),
        &error("go(«x»)").build(before),
    );
    let other = "fn b(p: P) {\n    go(p.x + 1.0);\n}\n";
    let feet = FakeError::new("E0308", "mismatched types").at("go(«p.x + 1.0»)");
    let feet = feet.labelled("expected `Feet`, found `f64`").build(other);
    assert_eq!(applied(edits.clone(), other, &feet), None, "of another type");
    let text = applied(edits, other, &error("go(«p.x + 1.0»)").build(other)).unwrap();
    assert!(text.contains("go(Meters::of(p.x + 1.0));"), "{text}");
}

#[test]
fn what_does_not_follow_from_the_error_teaches_nothing() {
    let before = "fn a(x: f64) {\n    go(x);\n}\n\nfn far() {}\n";
    let error = FakeError::new("E0308", "mismatched types").at("go(«x»)").build(before);
    assert_eq!(learned(before, &before.replace("fn far", "pub fn far"), &error), []);
    let more = before.replace("go(x)", "go(x.into())").replace("far() {}", "far() { go(1.0) }");
    assert_eq!(learned(before, &more, &error), []);
}

#[test]
fn any_text_is_mined_without_a_panic() {
    let texts =
        ["", "{", "}}}{{", "fn a( {", "\"", "é«", "Version {", "..", "#[", "use", "let let"];
    for before in texts {
        for after in texts {
            let error = FakeError::new("E0063", "missing `a` `b");
            let error = error.at("«»").build(before);
            let edits = learned(before, after, &error);
            for other in texts {
                applied(edits.clone(), other, &error);
            }
        }
    }
}
