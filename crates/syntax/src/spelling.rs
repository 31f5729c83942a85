//! Signatures in one spelling, as rustfmt would write them on one line.

use crate::lexer::{Lexer, Token};

/// An open bracket.
struct Open {
    /// Whether it follows a name: parameters or arguments, not a tuple.
    is_list: bool,
    commas: usize,
}

/// The tokens of a signature with white space where rustfmt puts it, comments left out, no comma
/// before a closing bracket or at the end.
pub(crate) fn spelled(text: &str) -> String {
    let tokens: Vec<&str> = Lexer::new(text)
        .filter(|(token, ..)| !matches!(token, Token::Comment | Token::Doc))
        .filter_map(|(_, start, len)| text.get(start..start + len))
        .collect();
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<Open> = Vec::new();
    let mut before = "";
    for (idx, &token) in tokens.iter().enumerate() {
        let next = tokens.get(idx + 1).copied().unwrap_or("");
        match token {
            "(" | "[" | "{" => {
                open.push(Open { is_list: is_word(before) || before.ends_with('>'), commas: 0 });
            }
            "," => {
                let is_last = next.is_empty() || closes(next);
                let commas = open.last_mut().map_or(0, |it| {
                    it.commas += 1;
                    it.commas
                });
                // `(T,)` is a tuple.
                let is_tuple =
                    next == ")" && commas == 1 && open.last().is_some_and(|it| !it.is_list);
                if is_last && !is_tuple {
                    continue;
                }
            }
            _ if closes(token) && !token.starts_with('>') => drop(open.pop()),
            _ => {}
        }
        let is_definition = before == "!" && out == "macro_rules!";
        if (is_apart(before, token) || is_definition) && !out.is_empty() {
            out.push(' ');
        }
        match token {
            // `<T: A<B>= C>`.
            ">=" => out.push_str("> ="),
            ">>=" => out.push_str(">> ="),
            token => out.push_str(token),
        }
        before = token;
    }
    out
}

/// Whether white space is written between two tokens.
fn is_apart(before: &str, token: &str) -> bool {
    let is_infix = |it: &str| matches!(it, "->" | "=" | "+" | "==" | "=>" | ">=" | ">>=");
    if before.is_empty() || token == "," || token == ":" || token == ";" || closes(token) {
        return false;
    }
    if is_infix(before) || is_infix(token) || matches!(before, "," | ":" | ";") {
        return true;
    }
    if token == "!" && (before == "impl" || before == ">" || before == ">>") {
        return true;
    }
    if is_word(token) {
        return is_word(before) || matches!(before, ")" | "]" | "}" | ">" | ">>");
    }
    // Keywords before a type keep their distance from its first sign, but for `fn(`, `for<`.
    matches!(before, "as" | "mut" | "dyn" | "where" | "in" | "type" | "unsafe" | "extern")
        || matches!(before, "impl" | "for" | "const") && token != "<"
}

fn closes(token: &str) -> bool {
    matches!(token, ")" | "]" | "}" | ">" | ">>")
}

fn is_word(token: &str) -> bool {
    token.starts_with(|ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '\'' | '"'))
}
