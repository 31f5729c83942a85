//! Fields in literals and patterns that are arguments of a macro call, where no syntax tree has them:
//! `Path { name: … }` and `Path { …, name }`. Reads tokens only; start at [`written_field`].

use base::ByteSpan;
use preserve::outline::{Token, TokenKind};

use super::SiteShape;

/// Keywords before the name of a block that is no literal and no pattern.
const NO_LITERAL: &[&str] = &[
    "as", "dyn", "enum", "fn", "for", "if", "impl", "in", "match", "mod", "struct", "trait",
    "union", "where", "while",
];

/// The shape of the token at `at` if it names a field of a literal or pattern by its tokens.
pub(super) fn written_field(tokens: &[Token<'_>], at: usize) -> Option<SiteShape> {
    let text = |at: usize| tokens.get(at).map_or("", |it| it.text);
    // Capital names are variants, types and constants that the macro takes.
    if tokens.get(at)?.text.starts_with(char::is_uppercase) {
        return None;
    }
    let prefix = at.checked_sub(1)?;
    // A pattern may bind the shorthand by `ref` and `mut`.
    let first = (0..=2)
        .map(|it| at.saturating_sub(it))
        .find(|it| it.checked_sub(1).is_some_and(|before| matches!(text(before), "{" | ",")))?;
    let is_bound = first < at;
    if is_bound && !tokens[first..=prefix].iter().all(|it| matches!(it.text, "ref" | "mut")) {
        return None;
    }
    let is_shorthand = match text(at + 1) {
        ":" if !is_bound => false,
        "," | "}" => true,
        _ => return None,
    };
    let open = enclosing_brace(tokens, first)?;
    let of = open.checked_sub(1)?;
    let is_type = tokens[of].kind == TokenKind::Word
        && tokens[of].text.starts_with(char::is_uppercase)
        && !of.checked_sub(1).is_some_and(|it| {
            NO_LITERAL.contains(&text(it)) || matches!(text(it), "#" | "$" | "->" | ":" | "<" | "+")
        });
    if !is_type {
        return None;
    }
    let close = value_end(tokens, at + 2);
    let value = match is_shorthand {
        true => ByteSpan::new(tokens[first].span.start, tokens[at].span.end),
        false => ByteSpan::new(tokens.get(at + 2)?.span.start, tokens.get(close)?.span.end),
    };
    // Nothing shows which of both it is; only of a literal the name is the value too.
    let is_pattern = true;
    Some(SiteShape::FieldInit { of: tokens[of].text.to_owned(), value, is_shorthand, is_pattern })
}

/// The brace around the token if only such fields can be before it.
fn enclosing_brace(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for index in (0..at).rev() {
        match tokens[index].text {
            "}" | ")" | "]" => depth += 1,
            "{" if depth == 0 => return Some(index),
            "(" | "[" | ";" if depth == 0 => return None,
            "{" | "(" | "[" => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The last token of the value that begins at `first`.
fn value_end(tokens: &[Token<'_>], first: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(first) {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "," | "}" | ")" | "]" if depth == 0 => return index.saturating_sub(1).max(first),
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use preserve::outline::tokens;

    use super::*;

    /// The owner and the value.
    fn of(text: &str) -> Option<(String, String)> {
        let tokens = tokens(text);
        let at = tokens.iter().position(|it| it.text == "name").unwrap();
        match written_field(&tokens, at)? {
            SiteShape::FieldInit { of, value, .. } => {
                Some((of, value.slice(text).unwrap().to_owned()))
            }
            _ => None,
        }
    }

    #[test]
    fn a_field_in_the_arguments_of_a_macro_has_the_type_before_its_brace() {
        for (text, value) in [
            ("m!(x, a::T { name: Some(name), .. } => name)", "Some(name)"),
            ("m! { T { b: [1, 2], name: 1 + f(2, 3) } }", "1 + f(2, 3)"),
            ("m!(T { b: C { d }, name, .. })", "name"),
            ("m!(T { ref mut name })", "ref mut name"),
        ] {
            assert_eq!(of(text), Some(("T".to_owned(), value.to_owned())), "{text}");
        }
    }

    #[test]
    fn declarations_blocks_and_calls_are_none() {
        for text in [
            "m! { struct T { name: u8 } }",
            "m! { impl A for T { name } }",
            "m!(if x { name } else { y })",
            "m!(f(a, name))",
            "m!(T { a: 1; name, b })",
            "m! { fn f() -> T { name } }",
            "m!(#T { name })",
            "m!(if T { name } else { y })",
            "name",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
