//! Finds the statement or item around a position from brackets and separators, for the
//! deletion-only baseline, and removes white space and comments from texts that are compared.

use std::ops::Range;

use super::lex::{Token, TokenKind, tokens};

/// The byte range of the statement or item around `byte`: from after the previous `;`, `{` or `}`
/// to the `;` or closing brace after it. Each `level` takes the block around the one before.
pub(crate) fn enclosing(text: &str, byte: usize, level: usize) -> Option<Range<usize>> {
    let tokens = tokens(text);
    let start_of = |token: &Token<'_>| token.text.as_ptr() as usize - text.as_ptr() as usize;
    let end_of = |token: &Token<'_>| start_of(token) + token.text.len();
    let mut at = tokens.iter().position(|token| end_of(token) > byte)?;
    let mut found = None;
    for _ in 0..=level {
        // Backwards to the start of the statement, past closed brackets.
        let mut first = at;
        let mut depth = 0_usize;
        while let Some(before) = first.checked_sub(1).map(|idx| &tokens[idx]) {
            match (before.kind, before.text) {
                (TokenKind::Close, "}") if depth == 0 => break,
                (TokenKind::Close, _) => depth += 1,
                (TokenKind::Open, "{") if depth == 0 => break,
                (TokenKind::Open, _) => depth = depth.saturating_sub(1),
                (_, ";") if depth == 0 => break,
                _ => {}
            }
            first -= 1;
        }
        // Forwards to its end.
        let mut last = at;
        let mut depth = 0_usize;
        while let Some(token) = tokens.get(last) {
            match (token.kind, token.text) {
                (TokenKind::Open, _) => depth += 1,
                (TokenKind::Close, "}") if depth == 0 => {
                    last = last.saturating_sub(1);
                    break;
                }
                (TokenKind::Close, "}") if depth == 1 => break,
                (TokenKind::Close, _) => depth = depth.saturating_sub(1),
                (_, ";") if depth == 0 => break,
                _ => {}
            }
            last += 1;
        }
        let last = last.min(tokens.len() - 1);
        found = (first <= last).then(|| start_of(&tokens[first])..end_of(&tokens[last]));
        // The next level begins at the brace around this one.
        match first.checked_sub(1).and_then(|from| open_before(&tokens, from)) {
            Some(open) => at = open,
            None => break,
        }
    }
    found
}

/// The `{` around `from`, `from` itself included.
fn open_before(tokens: &[Token<'_>], from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for idx in (0..=from).rev() {
        match (tokens[idx].kind, tokens[idx].text) {
            (TokenKind::Close, _) => depth += 1,
            (TokenKind::Open, "{") if depth == 0 => return idx.checked_sub(1).or(Some(idx)),
            (TokenKind::Open, _) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The text without comments and white space, and without commas before closing brackets, for the
/// comparison with documented corrections.
pub(crate) fn bare(text: &str) -> String {
    let tokens = tokens(text);
    let mut out = String::new();
    for (idx, token) in tokens.iter().enumerate() {
        let closes = tokens.get(idx + 1).is_some_and(|next| next.kind == TokenKind::Close);
        if !(token.is(",") && closes) {
            out.extend(token.text.chars().filter(|c| !c.is_whitespace()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_and_then_what_is_around_them_are_found() {
        let text = "fn a() {}\nfn b() { one(); two(x, y); three() }\nfn c() {}";
        let at = text.find("x").unwrap();
        let cut = |level| &text[enclosing(text, at, level).unwrap()];
        assert_eq!(cut(0), "two(x, y);");
        assert_eq!(cut(1), "fn b() { one(); two(x, y); three() }");
        let last = text.find("three").unwrap();
        assert_eq!(&text[enclosing(text, last, 0).unwrap()], "three()");
    }

    #[test]
    fn no_place_is_out_of_reach() {
        for text in ["", "}", "{", "fn f( {", "a ; } b"] {
            for byte in 0..text.len() + 2 {
                for level in 0..4 {
                    let range = enclosing(text, byte, level);
                    assert!(range.is_none_or(|range| text.get(range).is_some()));
                }
            }
        }
    }

    #[test]
    fn bare_text_has_no_comments_blanks_and_last_commas() {
        assert_eq!(bare("f( a, // x\n b,\n ) /* y */ { \"a b\" }"), "f(a,b){\"ab\"}");
    }
}
