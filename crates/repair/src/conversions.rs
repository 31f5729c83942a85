use base::{Applicability, ByteSpan, Diagnostic, ProjectPath};
use edit::{Files, Splice};

use crate::phase::errors;
use crate::{Fix, Reasoner};
use preserve::outline::{TokenKind, tokens};

/// For a value of one type where another is expected, the conversion that the two types call
/// for: `.collect()` of an iterator, `?` of an option, `.clone()` of a reference. The compiler
/// offers most of them; these are the ones that it leaves to the reader.
pub struct Conversions;

impl Reasoner for Conversions {
    fn name(&self) -> &'static str {
        "conversions"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut fixes = Vec::new();
        for (seed, diagnostic) in errors(diagnostics) {
            for (path, splices, rationale) in conversions(diagnostic, files).unwrap_or_default() {
                fixes.push(Fix {
                    splices: splices.into_iter().map(|it| (path.clone(), it)).collect(),
                    rationale,
                    applicability: Applicability::Unspecified,
                    reasoner: self.name(),
                    seed,
                });
            }
        }
        fixes
    }
}

/// Where, what, and why in one line.
type Conversion = (ProjectPath, Vec<Splice>, String);

fn conversions(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Vec<Conversion>> {
    let span = diagnostic.primary().filter(|it| it.expansion.is_none())?;
    let suffixes = match diagnostic.code.as_deref()? {
        "E0308" => {
            let label = span.label.as_deref()?;
            match (quoted_after(label, "expected"), quoted_after(label, "found")) {
                (Some(expected), Some(found)) => suffixes(expected, found),
                _ => Vec::new(),
            }
        }
        // `*iter.next()` where `next` gives an option.
        "E0614" => suffixes("", quoted_after(&diagnostic.message, "type")?),
        // `list.get("0")`.
        "E0277" if diagnostic.message.contains("cannot be indexed by `&str`") => Vec::new(),
        _ => return None,
    };
    let path = span.place.project()?;
    let text = files.read(path).ok().flatten()?.text;
    let value = span.bytes.slice(&text)?;
    let at = |byte: usize, insert: &str| Splice {
        span: ByteSpan::new(byte, byte),
        insert: insert.to_owned(),
    };
    if let Some(number) = quoted_number(value).filter(|_| is_number(diagnostic)) {
        let unquoted = Splice { span: span.bytes, insert: number.to_owned() };
        let why = "write the number without quotes".to_owned();
        return Some(vec![(path.clone(), vec![unquoted], why)]);
    }
    if let Some(tried) = tried_first(diagnostic, files) {
        return Some(vec![tried]);
    }
    let convert = |bytes: ByteSpan, suffix: &str| {
        if is_one_operand(bytes.slice(&text).unwrap_or("")) {
            vec![at(bytes.end, suffix)]
        } else {
            vec![at(bytes.start, "("), at(bytes.end, &format!("){suffix}"))]
        }
    };
    let made = made(&text, span.bytes);
    let mut conversions = Vec::new();
    for suffix in suffixes {
        let why = format!("convert the value with `{suffix}`");
        conversions.push((path.clone(), convert(span.bytes, suffix), why));
        if let Some(made) = made {
            let why = format!("convert the value with `{suffix}`, where it is made");
            conversions.push((path.clone(), convert(made, suffix), why));
        }
    }
    Some(conversions)
}

/// What the last `let` before gives the name that stands here alone.
fn made(text: &str, name: ByteSpan) -> Option<ByteSpan> {
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

/// For a pattern of what a match's value holds, not of the value: `?` behind the value.
fn tried_first(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Conversion> {
    let value = diagnostic.spans.iter().find(|it| {
        let label = it.label.as_deref().unwrap_or("");
        let wraps = ["Result", "Option", "std::result::Result", "std::option::Option"];
        it.expansion.is_none()
            && !it.primary
            && quoted_after(label, "this expression has type")
                .is_some_and(|of| wraps.contains(&of.split('<').next().unwrap_or("")))
    })?;
    let path = value.place.project()?;
    let text = files.read(path).ok().flatten()?.text;
    let pattern = diagnostic.primary()?.bytes.slice(&text)?;
    // Of the wrapper itself it is a pattern already.
    let is_wrapper = ["Ok", "Err", "Some", "None"].iter().any(|it| pattern.starts_with(it));
    if is_wrapper || !is_one_operand(value.bytes.slice(&text)?) {
        return None;
    }
    let end = ByteSpan::new(value.bytes.end, value.bytes.end);
    let splice = Splice { span: end, insert: "?".to_owned() };
    Some((path.clone(), vec![splice], "match what the value holds, with `?`".to_owned()))
}

/// The number that a string literal holds.
fn quoted_number(value: &str) -> Option<&str> {
    let inside = value.strip_prefix('"')?.strip_suffix('"')?;
    let digits = inside.strip_prefix('-').unwrap_or(inside);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '_' | '.'));
    is_number.then_some(inside)
}

fn is_number(diagnostic: &Diagnostic) -> bool {
    const NUMBERS: &[&str] = &[
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64", "integer",
    ];
    let label = diagnostic.primary().and_then(|it| it.label.as_deref()).unwrap_or("");
    label.contains("expected integer")
        || label.contains("slice indices are of type `usize`")
        || quoted_after(label, "expected").is_some_and(|it| NUMBERS.contains(&it))
}

/// What may lead from the type that was found to the one that was expected, likeliest first.
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
    let head = |name: &str| -> String {
        let path = name.split('<').next().unwrap_or("");
        path.rsplit("::").next().unwrap_or("").trim().to_owned()
    };
    let wraps = |name: &str| matches!(head(name).as_str(), "Option" | "Result");
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
    let named = expected.starts_with(char::is_uppercase) && !wraps(expected);
    if suffixes.is_empty() && named {
        suffixes.push(".into()");
    }
    suffixes
}

/// The first text in backticks behind `word`.
pub(crate) fn quoted_after<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let behind = &text[text.find(word)? + word.len()..];
    behind.split('`').nth(1)
}

/// Whether a suffix binds to the whole expression: no operator stands outside its brackets.
fn is_one_operand(value: &str) -> bool {
    let mut depth = 0usize;
    let mut word_before = false;
    for token in tokens(value) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            "." | "::" | "?" | "!" | "<" | ">" | "*" if token.text != "*" || !word_before => {}
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
    use crate::straw::{Straw, check as check_reasoner};

    fn check(expected: &str, found: &str, conversions: &[&str]) {
        assert_eq!(suffixes(expected, found), conversions);
    }

    #[test]
    fn the_types_choose_the_conversion() {
        check("Vec<char>", "Map<Chars<'_>, {closure@src/lib.rs:1:2}>", &[".collect()"]);
        check("u8", "Option<u8>", &["?"]);
        check("S", "&S", &[".clone()"]);
        check("&str", "&Name", &[".as_str()"]);
        check("&str", "Name", &[".as_str()"]);
        check("&str", "u8", &[]);
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
    fn a_number_in_quotes_is_seen() {
        assert_eq!(quoted_number("\"1_0.5\""), Some("1_0.5"));
        assert_eq!(quoted_number("\"-1\""), Some("-1"));
        assert_eq!(quoted_number("\"a1\""), None);
        assert_eq!(quoted_number("\"\""), None);
        assert_eq!(quoted_number("1"), None);
    }

    #[test]
    fn what_a_matched_value_holds_is_reached_by_asking_for_it() {
        let error = |pattern: &str| {
            Straw::new("E0308", "mismatched types")
                .labelled("expected `Result<Cow<'_, [u8]>, E>`, found `Cow<'_, _>`")
                .at(pattern)
                .label("«s.f(1)» {", "this expression has type `Result<Cow<'_, [u8]>, E>`")
        };
        let text = "match s.f(1) { Cow::Borrowed(a) => a, Ok(b) => b }";
        let mended = "match s.f(1)? { Cow::Borrowed(a) => a, Ok(b) => b }";
        check_reasoner(&Conversions, text, &[error("«Cow::Borrowed(a)»")], &[mended]);
        check_reasoner(&Conversions, text, &[error("«Ok(b)»")], &[]);
    }

    #[test]
    fn a_name_is_converted_where_it_stands_and_where_its_value_is_made() {
        let error = Straw::new("E0308", "mismatched types")
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
    fn an_index_in_quotes_is_a_number() {
        let error = Straw::new("E0277", "the type `[Token]` cannot be indexed by `&str`")
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
