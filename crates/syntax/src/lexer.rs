//! Tokens without a tree: what hashes and signatures are made of. Total: any text has tokens.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name, keyword or number; with a string's prefix, the whole string.
    Word,
    /// A string, byte string or character, with its quotes.
    Text,
    /// An operator as long as it gets, or a bracket.
    Sign,
    /// A doc comment, outer or inner, without the white space at its end.
    Doc,
    /// Another comment.
    Comment,
}

/// The tokens of a text, each with its first byte and its length.
#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0 }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    fn line(&mut self) {
        let rest = self.rest();
        self.at += rest.iter().position(|&it| it == b'\n').unwrap_or(rest.len());
    }

    fn block(&mut self) {
        self.at = block_end(self.bytes, self.at).unwrap_or(self.bytes.len());
    }

    /// A string from its opening quote on.
    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\\' => self.at += 2,
                it => {
                    self.at += 1;
                    if it == quote {
                        break;
                    }
                }
            }
        }
        self.at = self.at.min(self.bytes.len());
    }

    /// `#"…"#` behind an `r`; false where it is none.
    fn raw(&mut self) -> bool {
        let hashes = self.rest().iter().take_while(|&&it| it == b'#').count();
        if self.peek(hashes) != b'"' {
            return false;
        }
        let end = raw_end(self.bytes, self.at + hashes + 1, hashes);
        self.at = end.unwrap_or(self.bytes.len());
        true
    }

    fn word(&mut self) {
        let rest = self.rest();
        self.at += rest.iter().position(|&it| !is_word(it)).unwrap_or(rest.len());
    }
}

/// Behind the block comment that begins at a byte, and those in it; `None`: it has no end.
pub(crate) fn block_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => {
                depth += 1;
                at += 2;
            }
            Some(b"*/") => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// Behind a raw string of which the inside begins at a byte; `None`: it has no end.
pub(crate) fn raw_end(bytes: &[u8], mut at: usize, hashes: usize) -> Option<usize> {
    while at < bytes.len() {
        let is_quote = bytes[at] == b'"';
        at += 1;
        let behind = bytes.get(at..at + hashes);
        if is_quote && behind.is_some_and(|it| it.iter().all(|&it| it == b'#')) {
            return Some(at + hashes);
        }
    }
    None
}

/// How long the operator is that begins with these bytes.
pub(crate) fn sign_len(bytes: [u8; 3]) -> usize {
    match bytes {
        [b'<', b'<', b'='] | [b'>', b'>', b'='] | [b'.', b'.', b'.' | b'='] => 3,
        [b'&', b'&', _] | [b'|', b'|', _] | [b'<', b'<', _] | [b'>', b'>', _] => 2,
        [b'.', b'.', _] | [b'-' | b'=', b'>', _] | [b':', b':', _] => 2,
        [b'+' | b'-' | b'*' | b'/' | b'^' | b'%' | b'&' | b'|', b'=', _] => 2,
        [b'=' | b'!' | b'>' | b'<', b'=', _] => 2,
        _ => 1,
    }
}

/// Bytes of names and numbers; all that is not ASCII counts as such.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

impl Iterator for Lexer<'_> {
    type Item = (Token, usize, usize);

    fn next(&mut self) -> Option<Self::Item> {
        while self.peek(0).is_ascii_whitespace() || self.peek(0) == 0x0b {
            self.at += 1;
        }
        if self.at >= self.bytes.len() {
            return None;
        }
        let start = self.at;
        let token = match self.peek(0) {
            b'/' if self.peek(1) == b'/' => {
                let is_doc = (self.peek(2) == b'/' && self.peek(3) != b'/') || self.peek(2) == b'!';
                self.line();
                let end = self.at;
                let line = self.bytes.get(start..end).unwrap_or(&[]);
                return Some(match is_doc {
                    true => (Token::Doc, start, line.trim_ascii_end().len()),
                    false => (Token::Comment, start, end - start),
                });
            }
            b'/' if self.peek(1) == b'*' => {
                let is_doc = (self.peek(2) == b'*' && !matches!(self.peek(3), b'*' | b'/'))
                    || self.peek(2) == b'!';
                self.block();
                if is_doc { Token::Doc } else { Token::Comment }
            }
            b'"' => {
                self.quoted(b'"');
                Token::Text
            }
            b'\'' => {
                // A lifetime is a word behind a quote with no quote behind it.
                let len = self.rest().iter().skip(1).take_while(|&&it| is_word(it)).count();
                let is_char = self.peek(1) == b'\\'
                    || self.peek(len + 1) == b'\'' && (len == 1 || self.peek(1) >= 0x80)
                    || len == 0 && self.peek(2) == b'\'';
                if is_char {
                    self.quoted(b'\'');
                    Token::Text
                } else {
                    self.at += len + 1;
                    Token::Word
                }
            }
            it if is_word(it) => {
                self.word();
                let word = self.bytes.get(start..self.at).unwrap_or(&[]);
                match (word, self.peek(0)) {
                    // `r#name` is a raw name.
                    (b"r" | b"br" | b"cr", b'"' | b'#') if !self.raw() => {
                        self.at += 1;
                        self.word();
                    }
                    (b"b" | b"c", b'"') => self.quoted(b'"'),
                    (b"b", b'\'') => self.quoted(b'\''),
                    _ => {}
                }
                Token::Word
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' | b'#' | b'?' | b'$' | b'@' => {
                self.at += 1;
                Token::Sign
            }
            _ => {
                self.at += sign_len([self.peek(0), self.peek(1), self.peek(2)]);
                Token::Sign
            }
        };
        Some((token, start, self.at - start))
    }
}
