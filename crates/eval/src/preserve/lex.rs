//! The checker's own lexer: tolerant, without comments, independent of the crates that propose
//! changes.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Ident,
    Lifetime,
    Literal,
    Open,
    Close,
    Punct,
}

/// One token of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind,
    pub(super) text: &'a str,
    /// Line, from 1.
    pub(super) line: u32,
}

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != TokenKind::Literal
    }
}

/// Operators that must stay joined, longest first.
const JOINED: [&str; 16] = [
    "..=", "...", "=>", "->", "::", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "&&", "||",
    "..",
];

/// The tokens of `text`; an unterminated literal or comment extends to the end.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let start = at;
        let kind = if first.is_whitespace() {
            at += first.len_utf8();
            None
        } else if text[at..].starts_with("//") {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
            None
        } else if text[at..].starts_with("/*") {
            at = block_comment_end(bytes, at);
            None
        } else if let Some(end) = literal_end(text, at) {
            at = end;
            Some(TokenKind::Literal)
        } else if first == '\'' {
            at += 1 + word_len(&text[at + 1..]);
            Some(TokenKind::Lifetime)
        } else if first == '_' || first.is_alphabetic() {
            let raw = if text[at..].starts_with("r#") { 2 } else { 0 };
            at += raw + word_len(&text[at + raw..]).max(usize::from(raw == 0));
            Some(TokenKind::Ident)
        } else if first.is_ascii_digit() {
            at = number_end(text, at);
            Some(TokenKind::Literal)
        } else {
            at += JOINED
                .iter()
                .find(|joined| text[at..].starts_with(**joined))
                .map_or(first.len_utf8(), |joined| joined.len());
            Some(match first {
                '(' | '[' | '{' => TokenKind::Open,
                ')' | ']' | '}' => TokenKind::Close,
                _ => TokenKind::Punct,
            })
        };
        if let Some(kind) = kind {
            out.push(Token { kind, text: &text[start..at], line });
        }
        line += bytes[start..at].iter().filter(|byte| **byte == b'\n').count() as u32;
    }
    out
}

/// Number of bytes of identifier characters at the start of `rest`.
fn word_len(rest: &str) -> usize {
    rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
}

fn number_end(text: &str, at: usize) -> usize {
    let mut end = at + word_len(&text[at..]);
    // `1.5` is one number; `1..2` and `1.max(2)` are not.
    let rest = &text[end..];
    if rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
        end += 1 + word_len(&rest[1..]);
    }
    end
}

fn block_comment_end(bytes: &[u8], at: usize) -> usize {
    let mut depth = 0;
    let mut i = at;
    while i < bytes.len() {
        if bytes[i..].starts_with(b"/*") {
            depth += 1;
            i += 2;
        } else if bytes[i..].starts_with(b"*/") {
            depth -= 1;
            i += 2;
            if depth == 0 {
                return i;
            }
        } else {
            i += 1;
        }
    }
    bytes.len()
}

/// The end of a string, byte string, C string or character that begins at `at`.
fn literal_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        rest.strip_prefix(prefix).is_some_and(|tail| {
            let tail = if prefix.ends_with('r') { tail.trim_start_matches('#') } else { tail };
            tail.starts_with('"') || (matches!(*prefix, "b" | "") && tail.starts_with('\''))
        })
    })?;
    let body = at + prefix.len();
    if prefix.ends_with('r') {
        let hashes = text[body..].bytes().take_while(|byte| *byte == b'#').count();
        let close = format!("\"{}", "#".repeat(hashes));
        let inner = body + hashes + 1;
        return Some(
            text[inner..].find(&close).map_or(text.len(), |found| inner + found + close.len()),
        );
    }
    let quote = text[body..].chars().next()?;
    let mut chars = text[body + 1..].char_indices();
    if quote == '\'' {
        // A lifetime is a quote and a word without a closing quote after one character.
        let (_, first) = chars.next()?;
        if first == '\\' {
            chars.next();
            let (end, _) = chars.find(|(_, c)| *c == '\'')?;
            return Some(body + 1 + end + 1);
        }
        return match chars.next() {
            Some((end, '\'')) if first != '\'' => Some(body + 1 + end + 1),
            _ => None,
        };
    }
    while let Some((offset, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '"' => return Some(body + 1 + offset + 1),
            _ => {}
        }
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_go_and_literals_stay_whole() {
        assert_eq!(
            words("a/* x /* y */ */b // c\n\"d // e\" 'f' '\\'' 'g r#\"h\"i\"# b'j'"),
            ["a", "b", "\"d // e\"", "'f'", "'\\''", "'g", "r#\"h\"i\"#", "b'j'"]
        );
    }

    #[test]
    fn numbers_and_operators_are_cut_where_rust_cuts_them() {
        assert_eq!(
            words("1.5..2.max(x)=>a::b r#type"),
            ["1.5", "..", "2", ".", "max", "(", "x", ")", "=>", "a", "::", "b", "r#type"]
        );
    }

    #[test]
    fn unterminated_things_reach_to_the_end() {
        assert_eq!(words("a \"b"), ["a", "\"b"]);
        assert_eq!(words("a /* b"), ["a"]);
        assert_eq!(words("a '"), ["a", "'"]);
        assert_eq!(words("r#\"x"), ["r#\"x"]);
    }

    #[test]
    fn lines_are_counted_through_comments_and_strings() {
        let lines: Vec<u32> = tokens("a /*\n\n*/ b \"\n\" c").iter().map(|t| t.line).collect();
        assert_eq!(lines, [1, 3, 3, 4]);
    }
}
