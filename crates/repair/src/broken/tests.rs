//! Texts that do not parse, and the first repair that is proposed for them.

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath, Severity};

use super::BrokenSyntax;
use crate::Reasoner;
use crate::fake::OneFile;

/// The texts that are proposed for `text` with this error at `at`.
fn proposed(text: &str, message: &str, at: &str) -> Vec<String> {
    let path = ProjectPath::new("src/lib.rs").unwrap();
    let start = text.rfind(at).unwrap();
    let bytes = ByteSpan::new(start, start + at.len());
    let error = Diagnostic {
        spans: vec![DiagnosticSpan::primary(&path, text, bytes)],
        ..Diagnostic::new(Severity::Error, message)
    };
    let fixes = BrokenSyntax.propose(&[error], &OneFile(text.to_owned()));
    let apply = |splices: &[(ProjectPath, edit::Splice)]| {
        let mut fixed = text.to_owned();
        for (_, splice) in splices.iter().rev() {
            fixed.replace_range(splice.span.start..splice.span.end, &splice.insert);
        }
        fixed
    };
    fixes.iter().map(|fix| apply(&fix.splices)).collect()
}

/// Checks that the first change proposed for `whole` without `«…»` restores it.
fn restored(whole: &str) {
    let (head, rest) = whole.split_once('«').unwrap();
    let (gone, tail) = rest.split_once('»').unwrap();
    let broken = format!("{head}{tail}");
    let whole = format!("{head}{gone}{tail}");
    let found = proposed(&broken, "this file contains an unclosed delimiter", "}");
    assert_eq!(found.first(), Some(&whole), "{found:#?}");
}

/// Checks that the first change proposed for the text removes what is in `«…»`.
fn removed(text: &str) {
    let whole = format!("{}{}", text.split_once('«').unwrap().0, text.split_once('»').unwrap().1);
    let broken = text.replace(['«', '»'], "");
    let found = proposed(&broken, "unexpected closing delimiter: `}`", "}");
    assert_eq!(found.first(), Some(&whole), "{found:#?}");
}

/// Checks that the first change proposed for `wrong` is `right`.
fn corrected(wrong: &str, message: &str, at: &str, right: &str) {
    let found = proposed(wrong, message, at);
    assert_eq!(found.first().map(String::as_str), Some(right), "{found:#?}");
}

#[test]
fn a_missing_closing_brace_goes_where_the_indentation_ends() {
    for whole in [
        "fn f() {\n    if a {\n        b();\n«    }\n»    c();\n}\n\nfn g() {}\n",
        "fn f() {\n    if a {\n        b();\n    «}»\n    c();\n}\n\nfn g() {}\n",
        "impl S {\n    fn f() {\n        a();\n«    }\n»\n    fn g() {}\n}\n",
        "impl S {\n    fn f() {\n        a();\n    }\n«}\n»\nfn g() {}\n",
        "fn f() {\n    for a in b {\n        c();\n«    }\n»}\n",
        "fn f() {\n    if a {\n        b();\n    «}» else {\n        c();\n    }\n}\n",
        "fn f() {\n    let a = S { b: 1« }»;\n}\n",
    ] {
        restored(whole);
    }
}

#[test]
fn a_missing_opening_brace_goes_to_the_head_of_its_block() {
    restored("fn f() {\n    if a« {»\n        b();\n    }\n}\n");
    restored("fn f()« {»\n    b();\n}\n\nfn g() {}\n");
    restored("impl S« {»\n    fn f() {}\n}\n\nfn g() {}\n");
}

#[test]
fn missing_parentheses_and_square_brackets_are_closed_and_opened() {
    for whole in [
        "fn f() {\n    a(b, c(d)«)»;\n    e();\n}\n",
        "fn f() {\n    a(\n        b,\n        c,\n    «)»;\n    e();\n}\n",
        "fn f() {\n    a«(»&b);\n}\n",
        "fn f(a: [u8; 2«]») -> u8 {\n    a[0]\n}\n",
        "fn f() {\n    a.iter().map(|b| {\n        c(b)\n    }«)»;\n}\n",
    ] {
        restored(whole);
    }
}

#[test]
fn an_extra_bracket_is_removed() {
    removed("fn f() {\n    if a {\n        b();\n    }\n«    }\n»    c();\n}\n\nfn g() {}\n");
    removed("fn f() {\n    a(b)«)»;\n}\n");
    removed("fn f() {\n    a(«(»b);\n}\n");
}

#[test]
fn two_faults_in_two_functions_are_repaired_together() {
    corrected(
        "fn f() {\n    a(b;\n}\n\nfn g() {\n    if c {\n        d();\n}\n",
        "mismatched closing delimiter: `}`",
        "}",
        "fn f() {\n    a(b);\n}\n\nfn g() {\n    if c {\n        d();\n    }\n}\n",
    );
}

#[test]
fn separators_operators_and_keywords_are_corrected() {
    let expected = "expected one of `,`, `:`, or `}`, found `b`";
    corrected(
        "fn f() -> S {\n    S { a: 1 b: 2 }\n}\n",
        expected,
        "b",
        "fn f() -> S {\n    S { a: 1, b: 2 }\n}\n",
    );
    corrected(
        "fn f() {\n    a()\n    b();\n}\n",
        "expected `;`, found `b`",
        "b",
        "fn f() {\n    a();\n    b();\n}\n",
    );
    corrected(
        "struct S {\n    a: u8\n    b: u8,\n}\n",
        "expected `,`, found `b`",
        "b",
        "struct S {\n    a: u8,\n    b: u8,\n}\n",
    );
    corrected("function f() {}\n", "expected one of `!` or `::`, found `f`", "f", "fn f() {}\n");
    corrected(
        "fn f() {\n    lte a = 1;\n}\n",
        "expected one of `!`, found `a`",
        "a",
        "fn f() {\n    let a = 1;\n}\n",
    );
    corrected(
        "fn f() = u8 {\n    1\n}\n",
        "expected `{`, found `=`",
        "=",
        "fn f() -> u8 {\n    1\n}\n",
    );
    corrected(
        "fn f() {\n    match a {\n        1 -> 2,\n    }\n}\n",
        "expected `=>`, found `->`",
        "->",
        "fn f() {\n    match a {\n        1 => 2,\n    }\n}\n",
    );
    corrected(
        "#[derive(Clone Copy)]\nstruct S;\n",
        "expected one of `(`, `,`, `::`, or `=`, found `Copy`",
        "Copy",
        "#[derive(Clone, Copy)]\nstruct S;\n",
    );
}
