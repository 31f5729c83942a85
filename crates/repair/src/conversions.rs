use base::{Applicability, ByteSpan, Diagnostic, ProjectPath};
use edit::{Files, Splice};

use crate::outline::{TokenKind, tokens};
use crate::{Fix, Reasoner};

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
        for (seed, diagnostic) in diagnostics.iter().enumerate().filter(|(_, it)| it.is_error()) {
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
    let made = suffixes.into_iter().map(|suffix| {
        let splices = if is_one_operand(value) {
            vec![at(span.bytes.end, suffix)]
        } else {
            vec![at(span.bytes.start, "("), at(span.bytes.end, &format!("){suffix}"))]
        };
        (path.clone(), splices, format!("convert the value with `{suffix}`"))
    });
    Some(made.collect())
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
    if expected == "&str" && found.starts_with('&') {
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

    fn check(expected: &str, found: &str, conversions: &[&str]) {
        assert_eq!(suffixes(expected, found), conversions);
    }

    #[test]
    fn the_types_choose_the_conversion() {
        check("Vec<char>", "Map<Chars<'_>, {closure@src/lib.rs:1:2}>", &[".collect()"]);
        check("u8", "Option<u8>", &["?"]);
        check("S", "&S", &[".clone()"]);
        check("&str", "&Name", &[".as_str()"]);
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
    fn operators_need_brackets_and_calls_do_not() {
        assert!(is_one_operand("a.b(c + d)?[1]"));
        assert!(is_one_operand("*iter.next()"));
        assert!(is_one_operand("Foo::new(&x)"));
        assert!(!is_one_operand("a + b"));
        assert!(!is_one_operand("&a"));
        assert!(!is_one_operand("a * b"));
    }
}
