//! Brackets that a text leaves open.

use crate::outline::Token;

/// The brackets that tokens leave open, the outermost first; `None` if one closes that they did not open.
pub(crate) fn left_open<'t>(tokens: &[Token<'t>]) -> Option<Vec<&'t str>> {
    let mut open: Vec<&str> = Vec::new();
    for token in tokens {
        let closed = match token.text {
            "(" | "[" | "{" => {
                open.push(token.text);
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        if open.pop() != Some(closed) {
            return None;
        }
    }
    Some(open)
}

/// Whether every bracket has its other one.
pub(crate) fn is_balanced(tokens: &[Token<'_>]) -> bool {
    left_open(tokens).is_some_and(|it| it.is_empty())
}
