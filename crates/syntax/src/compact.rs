//! What a text is to the parser: its tokens, without what tells it nothing.
//!
//! Half of a text is comments, indentation, strings, arguments of attributes and tokens of macro
//! calls, which the parser would turn into nodes that nobody looks at, or that are parsed once
//! more as what they stand for. A [`Compact`] leaves them out and knows where the rest stands.
//! Where it parses without an error the whole text would too, to the same tree; where it does not
//! the whole text is parsed, so that recovery sees what was written.

use std::ops::Range;

use crate::lexer::{Lexer, Token, is_macro_bang, is_primitive};

/// A text, or parts of one, without what the parser need not see.
#[derive(Default)]
pub(crate) struct Compact {
    pub(crate) text: String,
    /// From which byte of the compact text on, by how much places are moved.
    moves: Vec<(u32, i64)>,
    /// Outer doc comments that were left out, one a line: where they would be, where they are.
    docs: Vec<(u32, Range<u32>)>,
    /// How many calls and definitions of macros have no tokens here.
    pub(crate) emptied: u32,
}

impl Compact {
    /// Of a whole text.
    pub(crate) fn of(text: &str) -> Self {
        let mut compact = Self { text: String::with_capacity(text.len() / 2), ..Self::default() };
        compact.push(text, 0..text.len() as u32);
        compact
    }

    /// Adds a part of a text.
    pub(crate) fn push(&mut self, text: &str, part: Range<u32>) {
        let Some(code) = text.get(part.start as usize..part.end as usize) else { return };
        let writer = Writer { out: self, code, base: part.start, from: 0, to: 0, open: Vec::new() };
        writer.run();
        self.go_on(part.end);
    }

    /// Adds a part of a text as it is.
    pub(crate) fn push_whole(&mut self, text: &str, part: Range<u32>) {
        self.go_on(part.start);
        self.text.push_str(text.get(part.start as usize..part.end as usize).unwrap_or(""));
        self.go_on(part.end);
    }

    /// Adds words of ours that stand before, or behind, this place.
    pub(crate) fn wrap(&mut self, words: &str, before: u32) {
        let at = self.text.len();
        self.text.push_str(words);
        self.moves.push((at as u32, i64::from(before) - self.text.len() as i64));
    }

    /// What comes next stands here.
    fn go_on(&mut self, place: u32) {
        let at = self.text.len();
        self.moves.push((at as u32, i64::from(place) - at as i64));
    }

    /// For who goes through the text from its begin to its end.
    pub(crate) fn places(&self) -> Places<'_> {
        Places { compact: self, at: 0, doc: 0 }
    }
}

/// Where the bytes of a compact text stand.
pub(crate) struct Places<'a> {
    compact: &'a Compact,
    at: usize,
    doc: usize,
}

impl Places<'_> {
    /// Where a node stands that has these bytes. Nodes come by increasing start.
    pub(crate) fn of(&mut self, start: u32, end: u32) -> (u32, u32) {
        let moves = &self.compact.moves;
        let next = |at: usize| moves.get(at + 1).map_or(u32::MAX, |it| it.0);
        while next(self.at) <= start {
            self.at += 1;
        }
        let place = |at: usize, byte: u32| {
            (i64::from(byte) + moves.get(at).map_or(0, |it| it.1)).max(0) as u32
        };
        let from = place(self.at, start);
        if start == end {
            return (from, from);
        }
        // Behind its last byte, which need not be where the next one stands.
        let mut last = self.at;
        if next(last) < end {
            last = moves.partition_point(|it| it.0 < end).saturating_sub(1);
        }
        (from, place(last, end))
    }

    /// The next doc comment, where it stands before this byte.
    pub(crate) fn doc_before(&mut self, at: u32) -> Option<Range<u32>> {
        let (_, doc) = self.compact.docs.get(self.doc).filter(|it| it.0 <= at)?;
        self.doc += 1;
        Some(doc.clone())
    }

    /// Passes over the doc comments that stand before the end of a token.
    pub(crate) fn pass(&mut self, end: u32) {
        while self.compact.docs.get(self.doc).is_some_and(|it| it.0 < end) {
            self.doc += 1;
        }
    }
}

/// What the token before the next one was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Other,
    /// A name that is no keyword.
    Name,
    /// `name!`, and `macro_rules! name`.
    Call,
    MacroRules,
    /// `macro_rules!`
    Definition,
    /// `#` and `#!`
    Hash,
    /// `#[`
    Attribute,
    /// `::`
    Path,
}

/// Copies what the parser is to see, in runs as long as they get.
struct Writer<'a, 't> {
    out: &'a mut Compact,
    code: &'t str,
    /// Where the code begins in its text.
    base: u32,
    /// The run that is not copied yet.
    from: usize,
    to: usize,
    /// The brackets that are open while tokens are looked over.
    open: Vec<u8>,
}

impl<'t> Writer<'_, 't> {
    fn run(mut self) {
        let code = self.code;
        let bytes = code.as_bytes();
        let mut lexer = Lexer::new(code);
        self.begin(0);
        let mut before = Before::Other;
        while let Some((token, start, len)) = lexer.next() {
            let end = start + len;
            if matches!(token, Token::Doc | Token::Comment) {
                if bytes.get(start + 1) == Some(&b'*') {
                    self.keep(start, end);
                } else if token == Token::Doc && bytes.get(start + 2) == Some(&b'/') {
                    let at = self.out.text.len() + self.to - self.from;
                    // White space at its end is part of it.
                    let line = code.get(start..).unwrap_or("").split('\n').next().unwrap_or("");
                    let end = start + line.trim_end_matches('\r').len();
                    let doc = self.base + start as u32..self.base + end as u32;
                    self.out.docs.push((at as u32, doc));
                }
                continue;
            }
            if let Some(end) = self.empty_generics(&lexer, start, before) {
                self.skip_to(end);
                lexer.go_to(end);
                continue;
            }
            self.keep(start, end);
            before = match token {
                Token::Text => {
                    self.empty_string(start, end);
                    Before::Other
                }
                Token::Word => {
                    let word = bytes.get(start..end).unwrap_or(b"");
                    match before {
                        Before::Attribute => {
                            self.empty_attribute(&mut lexer, word);
                            Before::Other
                        }
                        Before::Definition => Before::Call,
                        _ if word == b"macro_rules" => Before::MacroRules,
                        _ if is_keyword(word) => Before::Other,
                        _ if is_primitive(word)
                            && is_macro_bang(bytes.get(end..).unwrap_or(b"")) =>
                        {
                            self.rename(start, end);
                            Before::Name
                        }
                        _ => Before::Name,
                    }
                }
                _ => match (bytes.get(start..end).unwrap_or(b""), before) {
                    (b"!", Before::Name) => Before::Call,
                    (b"!", Before::MacroRules) => Before::Definition,
                    (b"!", Before::Hash) | (b"#", _) => Before::Hash,
                    (b"[", Before::Hash) => Before::Attribute,
                    (b"::", _) => Before::Path,
                    (b"(" | b"[" | b"{", Before::Call) => {
                        self.empty_call(&mut lexer, start);
                        Before::Other
                    }
                    _ => Before::Other,
                },
            };
        }
        self.flush();
    }

    /// Keeps a token, and one byte of the white space before it.
    fn keep(&mut self, start: usize, end: usize) {
        if start > self.to + 1 || start == self.to + 1 && !self.is_white(self.to) {
            // Behind a comment that follows a token at once stands the end of the line.
            let is_white = self.is_white(self.to);
            self.to += usize::from(is_white);
            self.skip_to(if is_white { start } else { start - 1 });
        }
        self.to = end;
    }

    fn is_white(&self, at: usize) -> bool {
        self.code.as_bytes().get(at).is_some_and(|it| it.is_ascii_whitespace() || *it == 0x0b)
    }

    /// Leaves out what stands before here, and the run goes on.
    fn skip_to(&mut self, start: usize) {
        if start > self.to {
            self.flush();
            self.begin(start);
        }
    }

    fn begin(&mut self, start: usize) {
        self.out.go_on(self.base + start as u32);
        (self.from, self.to) = (start, start);
    }

    fn flush(&mut self) {
        self.out.text.push_str(self.code.get(self.from..self.to).unwrap_or(""));
    }

    /// Leaves out what stands between the quotes of the string just kept.
    fn empty_string(&mut self, start: usize, end: usize) {
        let bytes = self.code.as_bytes();
        if end - start > 2 && bytes.get(start) == Some(&b'"') && bytes.get(end - 1) == Some(&b'"') {
            self.to = start + 1;
            self.skip_to(end - 1);
            self.to = end;
        }
    }

    /// Replaces the word just kept by a name of the same length: the grammar takes `str!` for a type
    /// and an error, where it is a macro of that name.
    fn rename(&mut self, start: usize, end: usize) {
        self.to = start;
        self.flush();
        self.begin(start);
        self.out.text.extend(std::iter::repeat_n('x', end - start));
        self.begin(end);
    }

    /// Where `< >` ends that begins here: generics without any, which the grammar does not know.
    fn empty_generics(&self, lexer: &Lexer<'t>, start: usize, before: Before) -> Option<usize> {
        let bytes = self.code.as_bytes();
        if bytes.get(start) != Some(&b'<') || before == Before::Path {
            return None;
        }
        let (_, at, len) = lexer.clone().next()?;
        (len == 1 && bytes.get(at) == Some(&b'>')).then_some(at + 1)
    }

    /// Of `#[name(…)]` and `#[name = …]`, leaves out what stands behind the name just kept.
    fn empty_attribute(&mut self, lexer: &mut Lexer<'t>, name: &[u8]) {
        if is_keyword(name) {
            return;
        }
        let mut ahead = lexer.clone();
        let bytes = self.code.as_bytes();
        let is = |it: Option<(Token, usize, usize)>, sign: u8| {
            it.is_some_and(|(token, at, len)| {
                token == Token::Sign && len == 1 && bytes.get(at) == Some(&sign)
            })
        };
        let next = ahead.next();
        if is(next, b'(') {
            let at = next.map_or(0, |it| it.1);
            let Some((end, _)) = self.closing(ahead.clone(), at) else { return };
            ahead.go_to(end + 1);
        } else if is(next, b'=') {
            match ahead.next() {
                Some((Token::Text, ..)) => {}
                _ => return,
            }
        } else {
            return;
        }
        if let Some((_, at, _)) = ahead.next().filter(|it| is(Some(*it), b']')) {
            self.skip_to(at);
            self.to = at + 1;
            lexer.go_to(at + 1);
        }
    }

    /// Leaves out the tokens between the delimiters of a call or definition, the first of which
    /// was just kept. Single words stay: they are read as they stand.
    fn empty_call(&mut self, lexer: &mut Lexer<'t>, start: usize) {
        if let Some((end, is_plain)) = self.closing(lexer.clone(), start)
            && !is_plain
        {
            self.out.emptied += 1;
            self.skip_to(end);
            self.to = end + 1;
            lexer.go_to(end + 1);
        }
    }

    /// Where the bracket at `start` is closed, and whether nothing but words, literals and commas
    /// stands between, or nothing but signs and keywords. `None` where the parser would not take what stands there as tokens.
    fn closing(&mut self, lexer: Lexer<'t>, start: usize) -> Option<(usize, bool)> {
        let bytes = self.code.as_bytes();
        let close = |at: usize| match bytes.get(at) {
            Some(b'(') => b')',
            Some(b'[') => b']',
            _ => b'}',
        };
        self.open.clear();
        self.open.push(close(start));
        let (mut is_plain, mut is_bare) = (true, true);
        let mut is_behind_dollar = false;
        for (token, at, len) in lexer {
            if matches!(token, Token::Doc | Token::Comment) {
                continue;
            }
            let sign = bytes.get(at).copied().filter(|_| token == Token::Sign);
            if std::mem::take(&mut is_behind_dollar)
                && !(token == Token::Word || sign == Some(b'('))
            {
                return None;
            }
            match sign {
                None => {
                    let word = bytes.get(at..at + len).unwrap_or(b"");
                    is_bare &= token == Token::Word && is_keyword(word);
                }
                Some(b',' | b'.' | b'-') => {}
                Some(b'(' | b'[' | b'{') => {
                    (is_plain, is_bare) = (false, false);
                    self.open.push(close(at));
                }
                Some(sign @ (b')' | b']' | b'}')) => {
                    if self.open.pop() != Some(sign) {
                        return None;
                    }
                    if self.open.is_empty() {
                        return Some((at, is_plain || is_bare));
                    }
                }
                Some(b'~' | b'\\' | b'`' | 0..b' ' | 0x7f..) => return None,
                Some(sign) => {
                    is_plain = false;
                    is_behind_dollar = sign == b'$';
                }
            }
        }
        None
    }
}

/// Words behind which `!` is an operator, and which begin no attribute.
fn is_keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"as"
            | b"async"
            | b"await"
            | b"box"
            | b"break"
            | b"const"
            | b"continue"
            | b"do"
            | b"dyn"
            | b"else"
            | b"enum"
            | b"extern"
            | b"fn"
            | b"for"
            | b"gen"
            | b"if"
            | b"impl"
            | b"in"
            | b"let"
            | b"loop"
            | b"match"
            | b"mod"
            | b"move"
            | b"mut"
            | b"pub"
            | b"raw"
            | b"ref"
            | b"return"
            | b"static"
            | b"struct"
            | b"trait"
            | b"type"
            | b"unsafe"
            | b"use"
            | b"where"
            | b"while"
            | b"yield"
    )
}
