//! The extent of the variants of an enum, with docs and attributes.

use base::ByteSpan;

use crate::lexer::{Lexer, Token};

/// The place of one variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantPlace {
    /// All of it: doc comments and attributes, fields and discriminant; not the comma behind it.
    pub span: ByteSpan,
    /// It has doc comments.
    pub has_docs: bool,
}

/// The places of the variants in the body of an enum (`{` to `}`), in their order; a comma inside
/// of the generic arguments of a discriminant is taken for one behind it.
pub fn variant_places(text: &str, body: ByteSpan) -> Vec<VariantPlace> {
    let mut places = Vec::new();
    let mut open: Option<VariantPlace> = None;
    let mut depth = 0_usize;
    for (token, start, len) in Lexer::new(body.slice(text).unwrap_or_default()) {
        let span = ByteSpan::new(body.start + start, body.start + start + len);
        let sign = match token {
            Token::Comment => continue,
            Token::Sign => span.slice(text).unwrap_or_default(),
            Token::Word | Token::Text | Token::Doc => "",
        };
        match sign {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 || (depth == 1 && matches!(sign, "{" | ",")) {
            places.extend(open.take());
            continue;
        }
        let place = open.get_or_insert(VariantPlace { span, has_docs: false });
        place.span.end = span.end;
        place.has_docs |= token == Token::Doc;
    }
    places.extend(open);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<(&str, bool)> {
        let body = ByteSpan::new(text.find('{').unwrap(), text.len());
        let found = variant_places(text, body).into_iter();
        found.map(|it| (it.span.slice(text).unwrap(), it.has_docs)).collect()
    }

    #[test]
    fn a_variant_is_its_docs_attributes_and_fields() {
        let text = "enum E {\n    // no\n    /// One.\n    #[x(a, b)] A { a: [u8; 2], b: M<K, V> },\n    B(u8, (u8, u8)), C = 1 /* no */,\n    D\n}";
        let want = [
            ("/// One.\n    #[x(a, b)] A { a: [u8; 2], b: M<K, V> }", true),
            ("B(u8, (u8, u8))", false),
            ("C = 1", false),
            ("D", false),
        ];
        assert_eq!(places(text), want);
    }

    #[test]
    fn an_empty_body_and_a_torn_one_are_read_as_far_as_they_go() {
        assert_eq!(places("enum E {}"), []);
        assert_eq!(places("enum E { , }"), []);
        assert_eq!(places("enum E { A, B(u8"), [("A", false), ("B(u8", false)]);
        assert_eq!(places("enum E { A }) }"), [("A", false)]);
    }
}
