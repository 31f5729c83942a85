//! Tokens as the parser sees them: every sign is one character, and those of an operator stand side
//! by side. What is not plain Rust has no tokens.

use crate::lexer::{block_end, is_macro_bang, is_primitive, raw_end};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum T {
    End,
    Name,
    Under,
    Prim,
    Metavariable,
    Lifetime,
    Int,
    Float,
    Str,
    RawStr,
    Char,
    As,
    Async,
    Await,
    Break,
    Const,
    Continue,
    Crate,
    Dyn,
    Else,
    Enum,
    Extern,
    False,
    Fn,
    For,
    If,
    Impl,
    In,
    Let,
    Loop,
    Match,
    Mod,
    Move,
    Mut,
    Pub,
    Ref,
    Return,
    SelfWord,
    Static,
    Struct,
    Super,
    Trait,
    True,
    Try,
    Type,
    Unsafe,
    Use,
    Where,
    While,
    Yield,
    Bang,
    Hash,
    Dollar,
    Percent,
    And,
    OpenParen,
    CloseParen,
    Star,
    Plus,
    Comma,
    Minus,
    Dot,
    Slash,
    Colon,
    Semicolon,
    Less,
    Equal,
    Greater,
    Question,
    At,
    OpenBracket,
    CloseBracket,
    Caret,
    OpenBrace,
    Or,
    CloseBrace,
}

impl T {
    fn of_word(word: &[u8]) -> Self {
        match word {
            b"_" => Self::Under,
            b"as" => Self::As,
            b"async" => Self::Async,
            b"await" => Self::Await,
            b"break" => Self::Break,
            b"const" => Self::Const,
            b"continue" => Self::Continue,
            b"crate" => Self::Crate,
            b"dyn" => Self::Dyn,
            b"else" => Self::Else,
            b"enum" => Self::Enum,
            b"extern" => Self::Extern,
            b"false" => Self::False,
            b"fn" => Self::Fn,
            b"for" => Self::For,
            b"if" => Self::If,
            b"impl" => Self::Impl,
            b"in" => Self::In,
            b"let" => Self::Let,
            b"loop" => Self::Loop,
            b"match" => Self::Match,
            b"mod" => Self::Mod,
            b"move" => Self::Move,
            b"mut" => Self::Mut,
            b"pub" => Self::Pub,
            b"ref" => Self::Ref,
            b"return" => Self::Return,
            b"self" => Self::SelfWord,
            b"static" => Self::Static,
            b"struct" => Self::Struct,
            b"super" => Self::Super,
            b"trait" => Self::Trait,
            b"true" => Self::True,
            b"try" => Self::Try,
            b"type" => Self::Type,
            b"unsafe" => Self::Unsafe,
            b"use" => Self::Use,
            b"where" => Self::Where,
            b"while" => Self::While,
            b"yield" => Self::Yield,
            _ if is_primitive(word) => Self::Prim,
            _ => Self::Name,
        }
    }

    fn of_sign(sign: u8) -> Option<Self> {
        Some(match sign {
            b'!' => Self::Bang,
            b'#' => Self::Hash,
            b'%' => Self::Percent,
            b'&' => Self::And,
            b'(' => Self::OpenParen,
            b')' => Self::CloseParen,
            b'*' => Self::Star,
            b'+' => Self::Plus,
            b',' => Self::Comma,
            b'-' => Self::Minus,
            b'.' => Self::Dot,
            b'/' => Self::Slash,
            b':' => Self::Colon,
            b';' => Self::Semicolon,
            b'<' => Self::Less,
            b'=' => Self::Equal,
            b'>' => Self::Greater,
            b'?' => Self::Question,
            b'@' => Self::At,
            b'[' => Self::OpenBracket,
            b']' => Self::CloseBracket,
            b'^' => Self::Caret,
            b'{' => Self::OpenBrace,
            b'|' => Self::Or,
            b'}' => Self::CloseBrace,
            _ => return None,
        })
    }

    /// A sign that is neither a bracket nor the `$` of a macro's rules.
    pub(super) fn is_plain_sign(self) -> bool {
        let is_bracket = self.is_open() || self.is_close();
        !is_bracket && !self.is_word() && !matches!(self, Self::End | Self::Dollar)
    }

    pub(super) fn is_open(self) -> bool {
        matches!(self, Self::OpenParen | Self::OpenBracket | Self::OpenBrace)
    }

    pub(super) fn is_close(self) -> bool {
        matches!(self, Self::CloseParen | Self::CloseBracket | Self::CloseBrace)
    }

    /// A word, keyword or literal: no sign.
    pub(super) fn is_word(self) -> bool {
        !matches!(self, Self::End) && (self as u8) < Self::Bang as u8
    }

    /// A literal.
    pub(super) fn is_literal(self) -> bool {
        matches!(
            self,
            Self::Int
                | Self::Float
                | Self::Str
                | Self::RawStr
                | Self::Char
                | Self::True
                | Self::False
        )
    }
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: T,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Of an opening bracket, the number of the one that closes it.
    pub(super) mate: u32,
}

/// A comment that becomes a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extra {
    /// The number of the token behind it.
    pub(super) before: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) is_block: bool,
}

/// The tokens of a text, or of a part of it.
#[derive(Default)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<Token>,
    pub(super) extras: Vec<Extra>,
}

/// Makes tokens; `None` as soon as something is not plain.
pub(super) struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
    found: Tokens,
    open: Vec<u32>,
}

impl<'t> Scanner<'t> {
    pub(super) fn tokens(text: &'t str, from: usize, to: usize) -> Option<Tokens> {
        let bytes = text.as_bytes().get(..to)?;
        let found = Tokens { tokens: Vec::with_capacity((to - from) / 5 + 8), extras: Vec::new() };
        let mut scanner = Self { text: bytes, at: from, end: to, found, open: Vec::new() };
        scanner.run()?;
        scanner.open.is_empty().then_some(scanner.found)
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) -> Option<()> {
        loop {
            while matches!(self.peek(0), b' ' | b'\n' | b'\t' | b'\r' | 0x0b | 0x0c) {
                self.at += 1;
            }
            if self.at >= self.end {
                return Some(());
            }
            let start = self.at;
            let kind = match self.peek(0) {
                b'/' if self.peek(1) == b'/' => {
                    self.line();
                    continue;
                }
                b'/' if self.peek(1) == b'*' => {
                    self.block()?;
                    continue;
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word()?,
                b'0'..=b'9' => self.number()?,
                b'"' => {
                    self.quoted(false)?;
                    T::Str
                }
                b'\'' => self.quote()?,
                b'$' => {
                    self.at += 1;
                    self.skip_word();
                    if self.at == start + 1 { T::Dollar } else { T::Metavariable }
                }
                sign => {
                    self.at += 1;
                    T::of_sign(sign)?
                }
            };
            self.push(kind, start)?;
        }
    }

    fn push(&mut self, kind: T, start: usize) -> Option<()> {
        // `$(` of a macro's rules, but no `$` alone.
        let is_behind_dollar = self.found.tokens.last().is_some_and(|it| it.kind == T::Dollar);
        if is_behind_dollar && kind != T::OpenParen {
            return None;
        }
        let number = self.found.tokens.len() as u32;
        if kind.is_open() {
            self.open.push(number);
        } else if kind.is_close() {
            let open = self.found.tokens.get_mut(self.open.pop()? as usize)?;
            let is_pair = matches!(
                (open.kind, kind),
                (T::OpenParen, T::CloseParen)
                    | (T::OpenBracket, T::CloseBracket)
                    | (T::OpenBrace, T::CloseBrace)
            );
            if !is_pair {
                return None;
            }
            open.mate = number;
        }
        self.found.tokens.push(Token { kind, start: start as u32, end: self.at as u32, mate: 0 });
        Some(())
    }

    /// Passes a comment; outer doc comments become nodes.
    fn line(&mut self) {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or(&[]);
        let len = rest.iter().position(|&it| it == b'\n').unwrap_or(rest.len());
        self.at += len;
        if rest.get(2) == Some(&b'/') && rest.get(3) != Some(&b'/') {
            let line = rest.get(..len).unwrap_or(&[]);
            let returns = line.iter().rev().take_while(|&&it| it == b'\r').count();
            self.extra(start, self.at - returns, false);
        }
    }

    fn extra(&mut self, start: usize, end: usize, is_block: bool) {
        let before = self.found.tokens.len() as u32;
        let (start, end) = (start as u32, end as u32);
        self.found.extras.push(Extra { before, start, end, is_block });
    }

    fn block(&mut self) -> Option<()> {
        let start = self.at;
        self.at = block_end(self.text, start)?;
        self.extra(start, self.at, true);
        Some(())
    }

    fn skip_word(&mut self) {
        while is_word(self.peek(0)) {
            self.at += 1;
        }
    }

    fn word(&mut self) -> Option<T> {
        let start = self.at;
        self.skip_word();
        if self.peek(0) >= 0x80 {
            return None;
        }
        let word = self.text.get(start..self.at).unwrap_or(&[]);
        match (word, self.peek(0)) {
            (b"r" | b"br" | b"cr", b'"' | b'#') => {
                let hashes = self.text.get(self.at..).unwrap_or(&[]);
                let hashes = hashes.iter().take_while(|&&it| it == b'#').count();
                if self.peek(hashes) == b'"' {
                    return self.raw(hashes);
                }
                // `r#name` is a raw name.
                if word != b"r" || hashes != 1 || !is_word(self.peek(1)) {
                    return None;
                }
                self.at += 1;
                self.skip_word();
                (self.peek(0) < 0x80).then_some(T::Name)
            }
            (b"b" | b"c", b'"') => {
                self.quoted(true)?;
                Some(T::Str)
            }
            (b"b", b'\'') => {
                self.char()?;
                Some(T::Char)
            }
            // `str![…]` is a call of a macro: the name is no type there.
            _ if is_primitive(word) && is_macro_bang(self.text.get(self.at..).unwrap_or(&[])) => {
                Some(T::Name)
            }
            _ => Some(T::of_word(word)),
        }
    }

    fn raw(&mut self, hashes: usize) -> Option<T> {
        self.at = raw_end(self.text, self.at + hashes + 1, hashes)?;
        Some(T::RawStr)
    }

    /// A string from its opening quote on. What stands in one without a prefix no parser has seen
    /// so far, so that no escape in it is wrong.
    fn quoted(&mut self, is_strict: bool) -> Option<()> {
        self.at += 1;
        while self.at < self.end {
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' if is_strict => self.escape()?,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        None
    }

    /// `\n`, `\x1b`, `\u{e9}`.
    fn escape(&mut self) -> Option<()> {
        let hex = |it: u8| it.is_ascii_hexdigit();
        match self.peek(1) {
            b'x' => {
                if !hex(self.peek(2)) || !hex(self.peek(3)) {
                    return None;
                }
                self.at += 4;
            }
            b'u' => {
                if self.peek(2) != b'{' || !hex(self.peek(3)) {
                    return None;
                }
                self.at += 3;
                while hex(self.peek(0)) {
                    self.at += 1;
                }
                if self.peek(0) != b'}' {
                    return None;
                }
                self.at += 1;
            }
            0 | 0x80.. => return None,
            _ => self.at += 2,
        }
        Some(())
    }

    /// A lifetime is a word behind a quote with no quote behind it.
    fn quote(&mut self) -> Option<T> {
        let rest = self.text.get(self.at + 1..).unwrap_or(&[]);
        let len = rest.iter().take_while(|&&it| is_word(it) || it >= 0x80).count();
        let is_char = self.peek(1) == b'\\'
            || self.peek(len + 1) == b'\'' && (len == 1 || self.peek(1) >= 0x80)
            || len == 0 && self.peek(2) == b'\'';
        if is_char {
            self.char()?;
            return Some(T::Char);
        }
        let word = rest.get(..len).unwrap_or(&[]);
        let is_name = word.is_ascii() && word.first().is_some_and(|it| !it.is_ascii_digit());
        self.at += len + 1;
        // The quote behind it would end a literal of several characters.
        (is_name && self.peek(0) != b'\'').then_some(T::Lifetime)
    }

    /// A character from its quote on.
    fn char(&mut self) -> Option<()> {
        self.at += 1;
        match self.peek(0) {
            b'\\' => self.escape()?,
            b'\'' | 0 => return None,
            _ => {
                self.at += 1;
                while matches!(self.peek(0), 0x80..=0xbf) {
                    self.at += 1;
                }
            }
        }
        if self.peek(0) != b'\'' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    fn digits(&mut self, is_digit: impl Fn(u8) -> bool) {
        while is_digit(self.peek(0)) || self.peek(0) == b'_' {
            self.at += 1;
        }
    }

    fn number(&mut self) -> Option<T> {
        let decimal = |it: u8| it.is_ascii_digit();
        // `x.0.1` has two fields and no number with a point.
        let is_field = match self.found.tokens.as_slice() {
            [.., two, one] => one.kind == T::Dot && !(two.kind == T::Dot && two.end == one.start),
            [one] => one.kind == T::Dot,
            [] => false,
        };
        if is_field {
            self.digits(decimal);
            return (!is_word(self.peek(0)) && self.peek(0) < 0x80).then_some(T::Int);
        }
        let is_radix = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'b' | b'o');
        if is_radix {
            let radix = self.peek(1);
            self.at += 2;
            let start = self.at;
            self.digits(|it| match radix {
                b'x' => it.is_ascii_hexdigit(),
                b'b' => matches!(it, b'0' | b'1'),
                _ => matches!(it, b'0'..=b'7'),
            });
            return if self.at == start { None } else { self.suffix() };
        }
        self.digits(decimal);
        let (mut has_point, mut has_exponent) = (false, false);
        if self.peek(0) == b'.' {
            match self.peek(1) {
                b'a'..=b'z' | b'A'..=b'Z' | b'.' => {}
                b'_' | 0x80.. => return None,
                _ => {
                    has_point = true;
                    self.at += 1;
                    self.digits(decimal);
                }
            }
        }
        if matches!(self.peek(0), b'e' | b'E') {
            has_exponent = true;
            self.at += 1;
            self.at += usize::from(matches!(self.peek(0), b'+' | b'-'));
            if !decimal(self.peek(0)) {
                return None;
            }
            self.digits(decimal);
        }
        if !has_point && !has_exponent {
            return self.suffix();
        }
        if self.peek(0) == b'f' {
            self.at += 1;
            while decimal(self.peek(0)) {
                self.at += 1;
            }
        }
        (!is_word(self.peek(0)) && self.peek(0) < 0x80).then_some(T::Float)
    }

    fn suffix(&mut self) -> Option<T> {
        let start = self.at;
        self.skip_word();
        let suffix = self.text.get(start..self.at).unwrap_or(&[]);
        let is_number = !matches!(suffix, b"bool" | b"str" | b"char");
        let is_right = suffix.is_empty() || is_number && T::of_word(suffix) == T::Prim;
        (is_right && self.peek(0) < 0x80).then_some(T::Int)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
