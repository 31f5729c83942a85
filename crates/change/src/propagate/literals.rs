//! Types that became another one whose literals differ: `b'x'` and `'x'`, `b"x"` and `"x"`,
//! `String::from("x")` and `"x"`.

use base::{ByteSpan, SortedMap};
use edit::Splice;
use preserve::outline::{Token, TokenKind, tokens};
use refactor::{PlacedText, quoted};

use super::named_tuples::expectation;
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{Intent, What};

/// A type with literals of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Literal {
    Byte,
    Char,
    Str,
    Bytes,
    /// A text that is made of a literal: `String`, `Cow<str>`.
    Made,
    Integer,
}

/// For each pair of types of which one became the other: the literals that are of the old type where
/// the new one is wanted.
pub(super) fn literals(
    project: &Project<'_>,
    intents: &[Intent],
    errors: &Errors<'_>,
) -> Vec<Propagation> {
    let mut found: SortedMap<(Literal, Literal), Propagation> = SortedMap::new();
    for marked in errors.marked() {
        let Some((from, to)) = Literal::pair(&marked) else { continue };
        let Some(intent) = intents.iter().find(|it| is_about(it, from, to)) else { continue };
        let Some(text) = project.text(marked.path) else { continue };
        let splices = at_mark(&text, marked.span, from, to);
        if !splices.is_empty() {
            let change = found
                .entry((from, to))
                .or_insert_with(|| propagation(intent.to_string(), Confidence::Certain));
            change.seeds.push(marked.seed);
            change.splices.extend(splices.into_iter().map(|it| (text.path.clone(), it)));
        }
    }
    found.into_values().collect()
}

/// Whether an intent turned one type into the other.
fn is_about(intent: &Intent, from: Literal, to: Literal) -> bool {
    let What::Retyped { from: old, to: new, .. } = &intent.what else { return false };
    let has = |ty: &str, of: Literal| of.names().iter().any(|it| has_word(ty, it));
    has(old, from) && has(new, to) && !(has(old, to) && has(new, from))
}

impl Literal {
    /// Words of which a type has one.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Byte | Self::Bytes | Self::Integer => &["u8"],
            Self::Char => &["char"],
            Self::Str => &["str"],
            Self::Made => &["String", "Cow"],
        }
    }

    /// The type of a label.
    fn of(label: &str) -> Option<Self> {
        let ty = quoted(label).next().unwrap_or(label);
        let ty = ty.trim_start_matches("found ").trim_start_matches("expected ");
        let is_ref = ty.starts_with('&');
        let name = ty.trim_start_matches('&').trim_start_matches("'static ").trim();
        match (name.split('<').next()?, is_ref) {
            ("u8", _) => Some(Self::Byte),
            ("char", _) => Some(Self::Char),
            ("str", _) => Some(Self::Str),
            ("String" | "Cow", false) => Some(Self::Made),
            ("integer", false) => Some(Self::Integer),
            (it, _) if it.starts_with("[u8") => Some(Self::Bytes),
            _ => None,
        }
    }

    /// The type that an error finds and the one that it wants.
    fn pair(marked: &Marked<'_>) -> Option<(Self, Self)> {
        let message = &marked.error.message;
        let (from, to) = match marked.error.code.as_deref()? {
            "E0308" => {
                let (expected, found) = expectation(marked.error);
                (Self::of(found)?, Self::of(expected)?)
            }
            // can't compare `char` with `u8`
            "E0277" if message.starts_with("can't compare ") => {
                let mut types = quoted(message);
                let left = Self::of(types.next()?)?;
                (Self::of(types.next()?)?, left)
            }
            _ => return None,
        };
        (from != to).then_some((from, to))
    }
}

/// What the mark asks for: the literals that it consists of, or the one after an operator.
fn at_mark(text: &PlacedText, span: ByteSpan, from: Literal, to: Literal) -> Vec<Splice> {
    let slice = text.slice(span);
    if let Some(insert) = made_of(slice, from, to) {
        return vec![Splice { span, insert }];
    }
    let list = tokens(slice);
    if matches!(slice, "==" | "!=") {
        let after = text.text.get(span.end..).unwrap_or("");
        let lead = after.len() - after.trim_start_matches([' ', '*', '&']).len();
        let next = after.get(lead..).and_then(|it| tokens(it).into_iter().next());
        return next.and_then(|it| spliced(span.end + lead, &it, from, to)).into_iter().collect();
    }
    let is_part = |it: &Token<'_>| {
        it.kind == TokenKind::Literal
            || matches!(it.text, "&" | "[" | "]" | "," | "|" | ".." | "..=")
    };
    let is_literal = list.iter().any(|it| it.kind == TokenKind::Literal);
    if is_literal && list.iter().all(is_part) {
        let start = array_around(text, span).unwrap_or(span);
        let all = tokens(text.slice(start));
        let literals = all.iter().filter(|it| it.kind == TokenKind::Literal);
        return literals.filter_map(|it| spliced(start.start, it, from, to)).collect();
    }
    if (from, to) == (Literal::Byte, Literal::Char) && is_value(&list) {
        return vec![Splice { span, insert: format!("char::from({slice})") }];
    }
    Vec::new()
}

/// The array around a literal, if it has literals only: the compiler marks the first one.
fn array_around(text: &PlacedText, span: ByteSpan) -> Option<ByteSpan> {
    let open = text.text.get(..span.start)?.strip_suffix('[')?.len();
    let rest = text.text.get(open..)?;
    let end = rest.find(']')? + 1;
    let list = tokens(rest.get(..end)?);
    let is_part =
        |it: &Token<'_>| it.kind == TokenKind::Literal || matches!(it.text, "[" | "]" | ",");
    list.iter().all(is_part).then(|| ByteSpan::new(open, open + end))
}

/// Whether the code is a variable, field or call, with nothing that binds less.
fn is_value(list: &[Token<'_>]) -> bool {
    let first = list.first().is_some_and(|it| it.kind == TokenKind::Word);
    let is_plain = |it: &Token<'_>| {
        it.kind == TokenKind::Word && !it.is("as") || matches!(it.text, "." | "::" | "(" | ")")
    };
    first && list.iter().all(is_plain)
}

fn spliced(start: usize, token: &Token<'_>, from: Literal, to: Literal) -> Option<Splice> {
    let insert = converted(token.text, from, to)?;
    let span = ByteSpan::new(start + token.span.start, start + token.span.end);
    Some(Splice { span, insert })
}

/// The literal of which a text is made: `"x"` of `String::from("x")`.
fn made_of(code: &str, from: Literal, to: Literal) -> Option<String> {
    if (from, to) != (Literal::Made, Literal::Str) {
        return None;
    }
    const BEFORE: &[&str] = &["String::from(", "Cow::from(", "Cow::Borrowed("];
    const AFTER: &[&str] = &[".to_string()", ".to_owned()", ".into()"];
    let code = code.strip_prefix("std::borrow::").unwrap_or(code);
    let inner = BEFORE.iter().find_map(|it| code.strip_prefix(it)?.strip_suffix(')'));
    let inner = inner.or_else(|| AFTER.iter().find_map(|it| code.strip_suffix(it)));
    if code == "String::new()" {
        return Some("\"\"".to_owned());
    }
    let inner = inner?;
    let list = tokens(inner);
    let is_text = matches!(list.as_slice(), [it] if it.kind == TokenKind::Literal)
        && inner.ends_with(['"', '#']);
    is_text.then(|| inner.to_owned())
}

/// A literal as one of the other type with the same meaning.
fn converted(literal: &str, from: Literal, to: Literal) -> Option<String> {
    use Literal as L;
    let is_ascii = literal.is_ascii() && !has_high_escape(literal);
    Some(match (from, to) {
        (L::Byte, L::Char) if literal.starts_with("b'") && is_ascii => literal[1..].to_owned(),
        (L::Byte | L::Integer, L::Char) => character(literal.parse().ok()?)?,
        (L::Char, L::Byte) if literal.starts_with('\'') && is_ascii && !literal.contains("\\u") => {
            format!("b{literal}")
        }
        (L::Bytes, L::Str) if literal.starts_with("b\"") || literal.starts_with("br") => {
            is_ascii.then(|| literal[1..].to_owned())?
        }
        (L::Str, L::Bytes) if is_text(literal) && is_ascii && !literal.contains("\\u") => {
            format!("b{literal}")
        }
        (L::Str, L::Char) => quotes(literal, '"', '\'', "\\\"", "\"")?,
        (L::Char, L::Str) => quotes(literal, '\'', '"', "\\'", "'")?,
        (L::Byte, L::Str) if is_ascii => quotes(literal.strip_prefix('b')?, '\'', '"', "\\'", "'")?,
        _ => return None,
    })
}

fn is_text(literal: &str) -> bool {
    literal.starts_with('"') || literal.starts_with("r\"") || literal.starts_with("r#")
}

/// Whether it has an escape of a byte that is no character of ASCII.
fn has_high_escape(literal: &str) -> bool {
    let mut all = literal.match_indices("\\x");
    all.any(|(at, _)| literal.get(at + 2..).is_none_or(|it| !it.starts_with(|it| it < '8')))
}

/// The literal of an ASCII character.
fn character(code: u8) -> Option<String> {
    code.is_ascii().then(|| format!("{:?}", char::from(code)))
}

/// A literal of one character in other quotes; `escaped` is the old quote in it, and `plain` the same
/// in the new quotes.
fn quotes(literal: &str, old: char, new: char, escaped: &str, plain: &str) -> Option<String> {
    let inner = literal.strip_prefix(old)?.strip_suffix(old)?;
    let mut chars = inner.chars();
    let is_one = match chars.next()? {
        '\\' => match chars.next()? {
            'x' => inner.len() == 4,
            'u' => inner.ends_with('}') && inner.matches('{').count() == 1,
            _ => chars.next().is_none(),
        },
        _ => chars.next().is_none(),
    };
    let inner = match inner {
        it if it == escaped => plain.to_owned(),
        it if it.starts_with(new) => format!("\\{it}"),
        it => it.to_owned(),
    };
    is_one.then(|| format!("{new}{inner}{new}"))
}

#[cfg(test)]
mod tests {
    use super::Literal as L;
    use super::*;

    #[test]
    fn literals_keep_their_meaning() {
        let cases = [
            ("b'x'", L::Byte, L::Char, Some("'x'")),
            ("b'\\''", L::Byte, L::Char, Some("'\\''")),
            ("b'\\x7F'", L::Byte, L::Char, Some("'\\x7F'")),
            ("b'\\xFF'", L::Byte, L::Char, None),
            ("9", L::Byte, L::Char, Some("'\\t'")),
            ("200", L::Integer, L::Char, None),
            ("'x'", L::Char, L::Byte, Some("b'x'")),
            ("'\u{e4}'", L::Char, L::Byte, None),
            ("b\"a\\n\"", L::Bytes, L::Str, Some("\"a\\n\"")),
            ("br#\"a\"#", L::Bytes, L::Str, Some("r#\"a\"#")),
            ("\"a\"", L::Str, L::Bytes, Some("b\"a\"")),
            ("\"\u{e4}\"", L::Str, L::Bytes, None),
            ("\"'\"", L::Str, L::Char, Some("'\\''")),
            ("\"\\\"\"", L::Str, L::Char, Some("'\"'")),
            ("\"ab\"", L::Str, L::Char, None),
            ("\"\"", L::Str, L::Char, None),
            ("'\"'", L::Char, L::Str, Some("\"\\\"\"")),
            ("'\\''", L::Char, L::Str, Some("\"'\"")),
            ("'\\u{e4}'", L::Char, L::Str, Some("\"\\u{e4}\"")),
        ];
        for (literal, from, to, wanted) in cases {
            assert_eq!(converted(literal, from, to).as_deref(), wanted, "{literal}");
        }
    }

    #[test]
    fn a_text_made_of_a_literal_becomes_the_literal() {
        let made = |code: &str| made_of(code, L::Made, L::Str);
        assert_eq!(made("String::from(\"a\")").as_deref(), Some("\"a\""));
        assert_eq!(made("\"a\".to_owned()").as_deref(), Some("\"a\""));
        assert_eq!(made("String::new()").as_deref(), Some("\"\""));
        assert_eq!(made("String::from(a)"), None);
        assert_eq!(made("a.into()"), None);
    }
}
