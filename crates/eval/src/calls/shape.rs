//! The shape before the name of a callee, read from the text alone: no parser of the product
//! influences the groups of its own results.

use base::is_word;

/// The shape of the receiver or path of the call whose callee is named at `offset`.
pub(super) fn shape(text: &str, offset: usize) -> &'static str {
    let before = text.get(..offset).unwrap_or_default().trim_end();
    if let Some(before) = before.strip_suffix("::") {
        return path(before.trim_end());
    }
    match before.strip_suffix('.') {
        Some(before) if !before.ends_with('.') => receiver(before.trim_end()),
        _ => "plain name",
    }
}

fn path(before: &str) -> &'static str {
    if before.ends_with('>') {
        return "path behind <…>";
    }
    match word_at_end(before) {
        "Self" => "Self::",
        "self" | "super" | "crate" => "module::",
        word if word.starts_with(char::is_uppercase) => "Type::",
        _ => "module::",
    }
}

fn receiver(before: &str) -> &'static str {
    let Some(last) = before.chars().next_back() else { return "other" };
    match last {
        '?' => "…?",
        ')' => match before_bracket(before) {
            Some(head) if head.ends_with('!') => "macro!(…)",
            Some(head) if head.ends_with('>') => "call(…)",
            Some(head) if is_keyword(word_at_end(head)) => "(…)",
            Some(head) if head.ends_with(is_word) => "call(…)",
            Some(head) if head.ends_with([')', ']']) => "call(…)",
            _ => "(…)",
        },
        ']' => match before_bracket(before) {
            Some(head) if head.ends_with('!') => "macro!(…)",
            Some(head) if head.ends_with(is_word) || head.ends_with([')', ']', '?']) => {
                "element[…]"
            }
            _ => "literal",
        },
        '}' => "{…}",
        '"' | '\'' => "literal",
        _ if is_word(last) => {
            let word = word_at_end(before);
            let head = before[..before.len() - word.len()].trim_end();
            let is_field = head.ends_with('.') && !head.ends_with("..");
            match word {
                "await" if is_field => "….await",
                "self" => "self",
                _ if is_field && root(head) == "self" => "self.field",
                _ if is_field => "field",
                _ if head.ends_with("::") => "constant",
                _ if word.starts_with(|ch: char| ch.is_ascii_digit()) => "literal",
                _ if word.len() > 1 && !word.contains(char::is_lowercase) => "constant",
                _ => "variable",
            }
        }
        _ => "other",
    }
}

/// The first word of a chain of fields `a.b.c.`; empty if it begins otherwise.
fn root(mut head: &str) -> &str {
    while let Some(before) = head.strip_suffix('.') {
        let before = before.trim_end();
        let word = word_at_end(before);
        if word.is_empty() {
            return "";
        }
        head = before[..before.len() - word.len()].trim_end();
        if !head.ends_with('.') {
            return word;
        }
    }
    ""
}

/// The text before the bracket that the last one closes.
fn before_bracket(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (at, ch) in text.char_indices().rev() {
        match ch {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(text[..at].trim_end());
                }
            }
            _ => {}
        }
    }
    None
}

fn word_at_end(text: &str) -> &str {
    let start = text
        .rfind(|ch| !is_word(ch))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    &text[start..]
}

fn is_keyword(word: &str) -> bool {
    matches!(word, "return" | "if" | "match" | "while" | "in" | "else" | "break" | "let" | "move")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receivers_are_classified_by_their_text() {
        for (text, want) in [
            ("x.$f()", "variable"),
            ("self.$f()", "self"),
            ("self.a.b\n  .$f()", "self.field"),
            ("x.0.$f()", "field"),
            ("g()?.$f()", "…?"),
            ("g::<u8>().$f()", "call(…)"),
            ("a.g(1, (2)).$f()", "call(…)"),
            ("(a + b).$f()", "(…)"),
            ("return (a).$f()", "(…)"),
            ("vec![1].$f()", "macro!(…)"),
            ("m!(1).$f()", "macro!(…)"),
            ("a[0].$f()", "element[…]"),
            ("[a].$f()", "literal"),
            ("\"x\".$f()", "literal"),
            ("x.await.$f()", "….await"),
            ("MAIN.$f()", "constant"),
            ("Pump::SMALL.$f()", "constant"),
            ("S { a: 1 }.$f()", "{…}"),
            ("0..$f()", "plain name"),
            ("$f()", "plain name"),
            ("Self::$f()", "Self::"),
            ("a::B::$f()", "Type::"),
            ("super::$f()", "module::"),
            ("<A as B>::$f()", "path behind <…>"),
        ] {
            let offset = text.find('$').unwrap();
            assert_eq!(shape(&text.replace('$', ""), offset), want, "{text}");
        }
    }
}
