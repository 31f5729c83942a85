//! The lexer of the tolerant reader: any text gives tokens, without an error. Start at [`tokens`].

use base::{ByteSpan, is_word};

/// The kind of a token; white space and comments are not tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A lifetime or a label.
    Lifetime,
    /// A number, a string, a character.
    Literal,
    /// A bracket, an operator, a separator.
    Punctuation,
}

/// One token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Kind of the token.
    pub kind: TokenKind,
    /// Text as written.
    pub text: &'a str,
    /// Byte range in the text.
    pub span: ByteSpan,
}

impl Token<'_> {
    /// Whether it has this text.
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// Whether it is a name or a value rather than punctuation.
    pub fn is_solid(&self) -> bool {
        self.kind != TokenKind::Punctuation
    }
}

/// Joined punctuation, longest first. `>>` is not joined, because it closes generics more often
/// than it shifts.
const JOINED: &[&str] = &[
    "..=", "...", "<<=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=",
    "/=", "%=", "^=", "&=", "|=", "..", "<<",
];

/// The tokens of any text, in order; an unterminated literal or comment extends to the end.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    tokens
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_blank();
        let start = self.at;
        let first = self.rest().chars().next()?;
        let kind = if let Some(len) = string_prefix(self.rest()) {
            self.at += len;
            self.string();
            TokenKind::Literal
        } else if first == '\'' {
            self.quote()
        } else if is_byte(self.rest()) {
            self.at += 1;
            self.quote()
        } else if first.is_ascii_digit() {
            self.number();
            TokenKind::Literal
        } else if is_word_start(first) {
            if self.rest().starts_with("r#") {
                self.at += 2;
            }
            self.take_while(is_word);
            TokenKind::Word
        } else {
            let joined = JOINED.iter().find(|it| self.rest().starts_with(**it));
            self.at += joined.map_or(first.len_utf8(), |it| it.len());
            TokenKind::Punctuation
        };
        let span = ByteSpan::new(start, self.at);
        Some(Token { kind, text: &self.text[start..self.at], span })
    }

    fn skip_blank(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            let rest = self.rest();
            if rest.starts_with("//") || (self.at == 0 && is_shebang(rest)) {
                self.take_while(|c| c != '\n');
            } else if rest.starts_with("/*") {
                self.block_comment();
            } else if rest.starts_with('\u{feff}') {
                self.at += '\u{feff}'.len_utf8();
            } else {
                return;
            }
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0usize;
        while self.at < self.text.len() {
            let rest = self.rest();
            if rest.starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else {
                self.at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    }

    /// Reads the rest of a string after its prefix, from its hashes or its quote.
    fn string(&mut self) {
        let hashes = self.rest().chars().take_while(|c| *c == '#').count();
        let raw = self.at > 0 && self.text[..self.at].ends_with('r');
        self.at += hashes + 1;
        if raw {
            let close = format!("\"{}", "#".repeat(hashes));
            self.at += self.rest().find(&close).map_or(self.rest().len(), |it| it + close.len());
        } else {
            self.escaped_until('"');
        }
    }

    fn escaped_until(&mut self, close: char) {
        let mut chars = self.rest().char_indices();
        while let Some((idx, c)) = chars.next() {
            if c == '\\' {
                chars.next();
            } else if c == close {
                self.at += idx + c.len_utf8();
                return;
            }
        }
        self.at = self.text.len();
    }

    /// A lifetime or a character.
    fn quote(&mut self) -> TokenKind {
        let mut chars = self.rest().chars().skip(1);
        let (first, second) = (chars.next(), chars.next());
        match (first, second) {
            (Some('\\'), _) => {
                self.at += 1;
                self.escaped_until('\'');
                TokenKind::Literal
            }
            (Some(c), Some('\'')) => {
                self.at += 2 + c.len_utf8();
                TokenKind::Literal
            }
            (Some(c), _) if is_word_start(c) => {
                self.at += 1;
                self.take_while(is_word);
                TokenKind::Lifetime
            }
            _ => {
                self.at += 1;
                TokenKind::Punctuation
            }
        }
    }

    fn number(&mut self) {
        self.take_while(is_word);
        let mut rest = self.rest().chars();
        let fraction = rest.next() == Some('.') && rest.next().is_some_and(|c| c.is_ascii_digit());
        if fraction {
            self.at += 1;
            self.take_while(is_word);
        }
        if self.text[..self.at].ends_with(['e', 'E']) && self.rest().starts_with(['+', '-']) {
            self.at += 1;
            self.take_while(is_word);
        }
    }
}

/// Length of `b`, `r`, `br`, `c`, `cr` or nothing before a string; `None` if no string begins here.
fn string_prefix(rest: &str) -> Option<usize> {
    for prefix in ["", "b", "c"] {
        let Some(behind) = rest.strip_prefix(prefix) else { continue };
        if behind.starts_with('"') {
            return Some(prefix.len());
        }
        let raw = behind.strip_prefix('r').map(|it| it.trim_start_matches('#'));
        if raw.is_some_and(|it| it.starts_with('"')) {
            return Some(prefix.len() + 1);
        }
    }
    None
}

/// Whether a byte character such as `b'x'` begins here.
fn is_byte(rest: &str) -> bool {
    let mut chars = rest.chars();
    chars.next() == Some('b')
        && chars.next() == Some('\'')
        && (chars.next() == Some('\\') || chars.next() == Some('\''))
}

fn is_shebang(rest: &str) -> bool {
    rest.starts_with("#!") && !rest[2..].trim_start().starts_with('[')
}

fn is_word_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        let found: Vec<&str> = tokens(text).iter().map(|it| it.text).collect();
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn marks_join_and_generics_stay_apart() {
        check("a::<Vec<Vec<u8>>>()?.b..=c", "a :: < Vec < Vec < u8 > > > ( ) ? . b ..= c");
    }

    #[test]
    fn comments_are_no_tokens() {
        check("a // b\n/* c /* d */ e */ f", "a f");
        check("a /* open", "a");
    }

    #[test]
    fn literals_are_one_token_each() {
        check(
            r###"x("a\"b", r#"c"d"#, b'x', 'y', '\'', 1.5e-3, 0x1F, 1..2)"###,
            r###"x ( "a\"b" , r#"c"d"# , b'x' , 'y' , '\'' , 1.5e-3 , 0x1F , 1 .. 2 )"###,
        );
    }

    #[test]
    fn lifetimes_are_no_characters() {
        check("&'a str, 'l: loop {}", "& 'a str , 'l : loop { }");
    }

    #[test]
    fn raw_words_are_words() {
        check("r#fn + r", "r#fn + r");
    }

    proptest! {
        #[test]
        fn any_text_gives_tokens_that_are_its_slices_in_order(text in "\\PC*") {
            let mut at = 0;
            for token in tokens(&text) {
                prop_assert!(token.span.start >= at && !token.span.is_empty());
                prop_assert_eq!(token.span.slice(&text), Some(token.text));
                at = token.span.end;
            }
        }

        #[test]
        fn marks_in_any_order_never_panic(text in "[\"'/*#!r\\\\{}a0.\n]{0,40}") {
            tokens(&text);
        }
    }
}
