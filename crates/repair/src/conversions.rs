//! Reasoner: for a mismatch of types, a conversion between the two where the compiler suggests
//! none.

use base::{ByteSpan, Diagnostic};
use edit::{Files, Splice};

use crate::fix::{Proposal, guesses, text_of};
use crate::{Fix, Reasoner};
use preserve::outline::{TokenKind, tokens};

/// For a type mismatch: the conversion between the two types, such as `.collect()` of an iterator,
/// `?` of an option, `.clone()` of a reference, where the compiler has no suggestion.
pub(crate) struct Conversions;

impl Reasoner for Conversions {
    fn name(&self) -> &'static str {
        "conversions"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| proposals(it, files))
    }
}

fn proposals(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Vec<Proposal>> {
    let span = diagnostic.user_span()?;
    let label = diagnostic.primary()?.label.as_deref();
    let suffixes = match diagnostic.code.as_deref()? {
        "E0308" => {
            let label = label?;
            match (quoted_after(label, "expected"), quoted_after(label, "found")) {
                (Some(expected), Some(found)) => suffixes(expected, found),
                _ => Vec::new(),
            }
        }
        // `*iter.next()` where `next` returns an option.
        "E0614" => suffixes("", quoted_after(&diagnostic.message, "type")?),
        // `list.get("0")`.
        "E0277" if diagnostic.message.contains("cannot be indexed by `&str`") => Vec::new(),
        _ => return None,
    };
    let path = span.place.project()?;
    let text = text_of(files, path)?;
    let value = span.bytes.slice(&text)?;
    let at = |byte: usize, insert: &str| Splice {
        span: ByteSpan::new(byte, byte),
        insert: insert.to_owned(),
    };
    if let Some(number) = quoted_number(value).filter(|_| expects_number(diagnostic)) {
        let unquoted = Splice { span: span.bytes, insert: number.to_owned() };
        let why = "write the number without quotes".to_owned();
        return Some(vec![Proposal::new(path, unquoted, why)]);
    }
    if let Some(fix) = question_mark_on_value(diagnostic, files) {
        return Some(vec![fix]);
    }
    let convert = |bytes: ByteSpan, suffix: &str, rationale: String| {
        let value = bytes.slice(&text).unwrap_or("");
        let borrowed = value.strip_prefix('&').filter(|it| is_one_operand(it));
        let splices = if suffix.starts_with(".as_str()") && borrowed.is_some() {
            // The method borrows by itself.
            let sign = ByteSpan::new(bytes.start, bytes.start + 1);
            vec![Splice { span: sign, insert: String::new() }, at(bytes.end, suffix)]
        } else if is_one_operand(bytes.slice(&text).unwrap_or("")) {
            vec![at(bytes.end, suffix)]
        } else {
            vec![at(bytes.start, "("), at(bytes.end, &format!("){suffix}"))]
        };
        Proposal { path: path.clone(), splices, rationale, guesses: Vec::new() }
    };
    let initializer = initializer(&text, span.bytes);
    let mut proposals: Vec<Proposal> = label
        .and_then(|it| borrowed_failure(it, &text, span.bytes))
        .map(|it| {
            convert(it, "?", "pass the failure on with `?`, where the value is created".into())
        })
        .into_iter()
        .collect();
    for suffix in suffixes {
        let why = format!("convert the value with `{suffix}`");
        proposals.push(convert(span.bytes, suffix, why));
        if let Some(initializer) = initializer {
            let why = format!("convert the value with `{suffix}`, where it is created");
            proposals.push(convert(initializer, suffix, why));
        }
    }
    Some(proposals)
}

/// The initializer of the variable that is borrowed here, if its value may be a failure and what is inside
/// is wanted: `f(&a)` after `let a = g();`.
fn borrowed_failure(label: &str, text: &str, value: ByteSpan) -> Option<ByteSpan> {
    let inside = |word: &str| {
        let ty = quoted_after(label, word)?.strip_prefix('&')?;
        Some(ty.trim_start_matches("mut "))
    };
    if !wraps(inside("found")?) || wraps(inside("expected")?) {
        return None;
    }
    let name = value.slice(text)?.strip_prefix('&')?.trim_start_matches("mut ");
    initializer(text, ByteSpan::new(value.end - name.len(), value.end))
}

/// Whether a type is an `Option` or `Result`.
pub(crate) fn wraps(ty: &str) -> bool {
    matches!(head(ty).as_str(), "Option" | "Result")
}

/// The last name of a type's path.
fn head(ty: &str) -> String {
    let path = ty.split('<').next().unwrap_or("");
    path.rsplit("::").next().unwrap_or("").trim().to_owned()
}

/// The initializer in the last `let` before, if the value is a variable.
pub(crate) fn initializer(text: &str, name: ByteSpan) -> Option<ByteSpan> {
    let tokens = tokens(text);
    let here = tokens.iter().position(|it| it.span == name)?;
    let wanted = tokens[here].text;
    if tokens[here].kind != TokenKind::Word {
        return None;
    }
    let is_bound = |at: usize| {
        let before = |back: usize| at.checked_sub(back).map_or("", |it| tokens[it].text);
        let is_let = before(1) == "let" || (before(1) == "mut" && before(2) == "let");
        is_let && tokens[at].is(wanted) && tokens.get(at + 1).is_some_and(|it| it.is("="))
    };
    let bound = (0..here).rev().take_while(|at| !tokens[*at].is("fn")).find(|at| is_bound(*at))?;
    let mut depth = 0_usize;
    let mut end = bound + 2;
    while let Some(token) = tokens.get(end).filter(|_| end < here) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            ";" if depth == 0 => break,
            _ => {}
        }
        end += 1;
    }
    let (first, last) = (tokens.get(bound + 2)?, tokens.get(end - 1)?);
    (end < here && bound + 2 < end).then(|| ByteSpan::new(first.span.start, last.span.end))
}

/// For a pattern that fits the payload of the matched value: adds `?` to the value.
fn question_mark_on_value(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let value = diagnostic.spans.iter().find(|it| {
        let label = it.label.as_deref().unwrap_or("");
        let wraps = ["Result", "Option", "std::result::Result", "std::option::Option"];
        it.expansion.is_none()
            && !it.primary
            && quoted_after(label, "this expression has type")
                .is_some_and(|of| wraps.contains(&of.split('<').next().unwrap_or("")))
    })?;
    let path = value.place.project()?;
    let text = text_of(files, path)?;
    let pattern = diagnostic.primary()?.bytes.slice(&text)?;
    // A pattern of the wrapper fits already.
    let is_wrapper = ["Ok", "Err", "Some", "None"].iter().any(|it| pattern.starts_with(it));
    if is_wrapper || !is_one_operand(value.bytes.slice(&text)?) {
        return None;
    }
    let end = ByteSpan::new(value.bytes.end, value.bytes.end);
    let splice = Splice { span: end, insert: "?".to_owned() };
    Some(Proposal::new(path, splice, "match the payload of the value, with `?`".to_owned()))
}

/// The number in a string literal.
fn quoted_number(value: &str) -> Option<&str> {
    let inside = value.strip_prefix('"')?.strip_suffix('"')?;
    let digits = inside.strip_prefix('-').unwrap_or(inside);
    let expects_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '_' | '.'));
    expects_number.then_some(inside)
}

fn expects_number(diagnostic: &Diagnostic) -> bool {
    const NUMBERS: &[&str] = &[
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64", "integer",
    ];
    let label = diagnostic.primary().and_then(|it| it.label.as_deref()).unwrap_or("");
    label.contains("expected integer")
        || label.contains("slice indices are of type `usize`")
        || quoted_after(label, "expected").is_some_and(|it| NUMBERS.contains(&it))
}

/// Conversions that may lead from the found to the expected type, likeliest first.
fn suffixes(expected: &str, found: &str) -> Vec<&'static str> {
    const ITERATORS: &[&str] = &[
        "Map",
        "Filter",
        "FilterMap",
        "FlatMap",
        "Flatten",
        "Rev",
        "Chars",
        "Bytes",
        "Split",
        "SplitWhitespace",
        "Lines",
        "Peekable",
        "Enumerate",
        "Zip",
        "Take",
        "TakeWhile",
        "Skip",
        "SkipWhile",
        "Cloned",
        "Copied",
        "Chain",
        "Iter",
        "IterMut",
        "IntoIter",
        "StepBy",
        "MapWhile",
        "Inspect",
        "Drain",
    ];
    const COLLECTIONS: &[&str] =
        &["Vec", "String", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "Box"];
    let mut suffixes = Vec::new();
    let borrowed = found.starts_with("&mut ") && COLLECTIONS.contains(&head(expected).as_str());
    if ITERATORS.contains(&head(found).as_str()) || borrowed {
        suffixes.push(".collect()");
    }
    if wraps(found) && !wraps(expected) {
        suffixes.push("?");
    }
    if found.strip_prefix('&').is_some_and(|it| it.trim_start_matches("mut ") == expected) {
        suffixes.push(".clone()");
    }
    let is_named = found.trim_start_matches('&').starts_with(char::is_uppercase);
    if expected == "&str" && (found.starts_with('&') || is_named && !wraps(found)) {
        suffixes.push(".as_str()");
    }
    // A type over `str` of this crate or another one.
    let over = expected.strip_prefix('&').is_some_and(|it| it.starts_with(char::is_uppercase));
    match found.trim_start_matches('&') {
        "str" if over => suffixes.push(".into()"),
        "String" if over => suffixes.push(".as_str().into()"),
        _ => {}
    }
    let named = expected.starts_with(char::is_uppercase) && !wraps(expected);
    if suffixes.is_empty() && named {
        suffixes.push(".into()");
    }
    suffixes
}

/// The first text in backticks after `word`.
pub(crate) fn quoted_after<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let behind = &text[text.find(word)? + word.len()..];
    behind.split('`').nth(1)
}

/// Whether a suffix applies to the whole expression: there is no operator outside of brackets.
pub(crate) fn is_one_operand(value: &str) -> bool {
    let mut depth = 0usize;
    let mut word_before = false;
    for token in tokens(value) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            "." | "::" | "?" | "!" | "<" | ">" | "$" | "*" if token.text != "*" || !word_before => {
            }
            _ if token.kind == TokenKind::Punctuation => return false,
            _ if word_before => return false,
            _ => {}
        }
        word_before = token.kind != TokenKind::Punctuation;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, check as check_reasoner};

    fn check(expected: &str, found: &str, proposals: &[&str]) {
        assert_eq!(suffixes(expected, found), proposals);
    }

    #[test]
    fn the_types_choose_the_conversion() {
        check("Vec<char>", "Map<Chars<'_>, {closure@src/lib.rs:1:2}>", &[".collect()"]);
        check("u8", "Option<u8>", &["?"]);
        check("S", "&S", &[".clone()"]);
        check("&str", "&Name", &[".as_str()"]);
        check("&str", "Name", &[".as_str()"]);
        check("&str", "u8", &[]);
        check("&Name", "&String", &[".as_str().into()"]);
        check("&Name", "&str", &[".into()"]);
        check("&str", "Option<Name>", &["?"]);
        check("Cow<'_, str>", "&str", &[".into()"]);
        check("Vec<u8>", "&mut Words<'_>", &[".collect()"]);
        check("u8", "u16", &[]);
        check("Option<u8>", "Option<u16>", &[]);
    }

    #[test]
    fn the_quoted_types_are_read_from_the_label() {
        let label = "expected `Vec<u8>`, found `Rev<Iter<'_, u8>>`";
        assert_eq!(quoted_after(label, "expected"), Some("Vec<u8>"));
        assert_eq!(quoted_after(label, "found"), Some("Rev<Iter<'_, u8>>"));
        assert_eq!(quoted_after("expected struct", "found"), None);
    }

    #[test]
    fn a_number_in_quotes_is_recognized() {
        assert_eq!(quoted_number("\"1_0.5\""), Some("1_0.5"));
        assert_eq!(quoted_number("\"-1\""), Some("-1"));
        assert_eq!(quoted_number("\"a1\""), None);
        assert_eq!(quoted_number("\"\""), None);
        assert_eq!(quoted_number("1"), None);
    }

    #[test]
    fn a_question_mark_is_added_to_a_matched_wrapper() {
        let error = |pattern: &str| {
            FakeError::new("E0308", "mismatched types")
                .labelled("expected `Result<Cow<'_, [u8]>, E>`, found `Cow<'_, _>`")
                .at(pattern)
                .label("«s.f(1)» {", "this expression has type `Result<Cow<'_, [u8]>, E>`")
        };
        let text = "match s.f(1) { Cow::Borrowed(a) => a, Ok(b) => b }";
        let fixed = "match s.f(1)? { Cow::Borrowed(a) => a, Ok(b) => b }";
        check_reasoner(&Conversions, text, &[error("«Cow::Borrowed(a)»")], &[fixed]);
        check_reasoner(&Conversions, text, &[error("«Ok(b)»")], &[]);
    }

    #[test]
    fn a_variable_is_converted_at_its_use_and_at_its_initializer() {
        let error = FakeError::new("E0308", "mismatched types")
            .labelled("expected `Vec<u8>`, found `&mut Words<'_>`")
            .at("Some(«r»)");
        check_reasoner(
            &Conversions,
            "fn f() { let r = 1; } fn g() { let mut r = s.by_ref(|| { ; }); if a { Some(r) } }",
            &[error],
            &[
                "fn f() { let r = 1; } fn g() { let mut r = s.by_ref(|| { ; }); if a { Some(r.collect()) } }",
                "fn f() { let r = 1; } fn g() { let mut r = s.by_ref(|| { ; }).collect(); if a { Some(r) } }",
            ],
        );
    }

    #[test]
    fn a_borrowed_failure_is_passed_on_where_it_is_created() {
        let error = |found: &str| {
            FakeError::new("E0308", "mismatched types")
                .labelled(&format!("expected `&S`, found `&{found}`"))
                .at("g(«&s»)")
        };
        let text = "fn f() -> Result<(), E> { let s = S::new(a,\n b); g(&s) }";
        let fixed = text.replace("b);", "b)?;");
        check_reasoner(&Conversions, text, &[error("Result<S, E>")], &[&fixed]);
        check_reasoner(&Conversions, text, &[error("T")], &[]);
    }

    #[test]
    fn a_borrowed_text_is_converted_without_its_sign() {
        let error = FakeError::new("E0308", "mismatched types")
            .labelled("expected `&Name`, found `&String`")
            .at("(«&s»)");
        check_reasoner(&Conversions, "map.get(&s)", &[error], &["map.get(s.as_str().into())"]);
    }

    #[test]
    fn an_index_in_quotes_is_a_number() {
        let error = FakeError::new("E0277", "the type `[Token]` cannot be indexed by `&str`")
            .labelled("slice indices are of type `usize` or ranges of `usize`")
            .at("«\"0\"»");
        check_reasoner(&Conversions, "t.get(\"0\")?", &[error], &["t.get(0)?"]);
    }

    #[test]
    fn operators_need_brackets_and_calls_do_not() {
        assert!(is_one_operand("a.b(c + d)?[1]"));
        assert!(is_one_operand("*iter.next()"));
        assert!(is_one_operand("Foo::new(&x)"));
        assert!(!is_one_operand("a + b"));
        assert!(!is_one_operand("&a"));
        assert!(!is_one_operand("a * b"));
    }
}
