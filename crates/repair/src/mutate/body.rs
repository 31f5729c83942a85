//! The tokens of one function body, with brackets paired and operands found.

use base::ByteSpan;
use preserve::outline::{Token, TokenKind, is_keyword};

/// A body, braces included.
pub(super) struct Body<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token<'t>>,
    /// Of each bracket its partner.
    partner: Vec<Option<usize>>,
    /// Tokens that belong to items inside the body.
    pub(super) is_nested: Vec<bool>,
}

impl<'t> Body<'t> {
    /// The body at `span` of a text with the tokens `all`; `nested` are the items in it.
    pub(super) fn new(
        text: &'t str,
        all: &[Token<'t>],
        span: ByteSpan,
        nested: &[ByteSpan],
    ) -> Self {
        let first = all.partition_point(|it| it.span.start < span.start);
        let last = all.partition_point(|it| it.span.start < span.end);
        let tokens: Vec<Token<'t>> = all.get(first..last).unwrap_or_default().to_vec();
        let mut partner = vec![None; tokens.len()];
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token.text {
                "(" | "[" | "{" if !token.is_solid() => open.push(at),
                ")" | "]" | "}" if !token.is_solid() => {
                    if let Some(start) = open.pop() {
                        partner[start] = Some(at);
                        partner[at] = Some(start);
                    }
                }
                _ => {}
            }
        }
        let is_nested =
            tokens.iter().map(|token| nested.iter().any(|it| it.contains(token.span))).collect();
        Self { text, tokens, partner, is_nested }
    }

    /// The text of a token; empty outside.
    pub(super) fn at(&self, idx: usize) -> &'t str {
        self.tokens.get(idx).map_or("", |it| it.text)
    }

    pub(super) fn before(&self, idx: usize, back: usize) -> &'t str {
        idx.checked_sub(back).map_or("", |idx| self.at(idx))
    }

    pub(super) fn partner(&self, idx: usize) -> Option<usize> {
        self.partner.get(idx).copied().flatten()
    }

    /// The span of tokens `start..end`.
    pub(super) fn span(&self, start: usize, end: usize) -> ByteSpan {
        let first = self.tokens.get(start).map_or(0, |it| it.span.start);
        let last = end.checked_sub(1).and_then(|it| self.tokens.get(it));
        ByteSpan::new(first, last.map_or(first, |it| it.span.end).max(first))
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.span(start, end).slice(self.text).unwrap_or_default()
    }

    /// The tokens of the body itself, by index.
    pub(super) fn own(&self) -> impl Iterator<Item = (usize, &Token<'t>)> {
        self.tokens.iter().enumerate().filter(|(idx, _)| !self.is_nested[*idx])
    }

    pub(super) fn is_name(&self, idx: usize) -> bool {
        self.tokens.get(idx).is_some_and(|it| {
            it.kind == TokenKind::Word && (!is_keyword(it.text) || is_value_word(it.text))
        })
    }

    pub(super) fn is_literal(&self, idx: usize) -> bool {
        self.tokens.get(idx).is_some_and(|it| it.kind == TokenKind::Literal)
    }

    /// Whether white space is on both sides of a token.
    pub(super) fn is_spaced(&self, idx: usize) -> bool {
        let Some(span) = self.tokens.get(idx).map(|it| it.span) else { return false };
        let before = self.text.get(..span.start).and_then(|it| it.chars().next_back());
        let after = self.text.get(span.end..).and_then(|it| it.chars().next());
        before.is_some_and(char::is_whitespace) && after.is_some_and(char::is_whitespace)
    }

    /// Whether a value ends before token `idx`.
    pub(super) fn ends_value(&self, idx: usize) -> bool {
        let Some(last) = idx.checked_sub(1) else { return false };
        self.is_name(last) || self.is_literal(last) || matches!(self.at(last), ")" | "]" | "?")
    }

    /// The first token of the operand that ends before `idx`: a path, a literal, a group, with calls,
    /// fields and indices.
    pub(super) fn operand_before(&self, idx: usize) -> Option<usize> {
        let mut at = idx.checked_sub(1)?;
        loop {
            match self.at(at) {
                "?" => {
                    at = at.checked_sub(1)?;
                    continue;
                }
                ")" | "]" => {
                    at = self.partner(at)?;
                    if self.ends_value(at) && !matches!(self.before(at, 1), "in" | "return") {
                        at = at.checked_sub(1)?;
                        continue;
                    }
                }
                "!" => {
                    at = at.checked_sub(1)?;
                    continue;
                }
                _ if self.is_name(at) || self.is_literal(at) => {}
                _ => return None,
            }
            match self.before(at, 1) {
                "." | "::" => at = at.checked_sub(2)?,
                "!" if self.is_name(at.checked_sub(2)?) => at = at.checked_sub(2)?,
                _ => return Some(at),
            }
        }
    }

    /// The end of the operand that starts at `idx`, prefix operators included.
    pub(super) fn operand_after(&self, idx: usize) -> Option<usize> {
        let mut at = idx;
        while matches!(self.at(at), "!" | "-" | "*" | "&" | "mut") {
            at += 1;
        }
        match self.at(at) {
            "(" | "[" => at = self.partner(at)? + 1,
            _ if self.is_name(at) || self.is_literal(at) => at += 1,
            _ => return None,
        }
        loop {
            match self.at(at) {
                "(" | "[" => at = self.partner(at)? + 1,
                "?" => at += 1,
                "!" if matches!(self.at(at + 1), "(" | "[") => at += 1,
                "." | "::" if self.tokens.get(at + 1).is_some_and(|it| it.is_solid()) => at += 2,
                _ => return Some(at),
            }
        }
    }

    /// The elements of the list in the brackets that open at `open`: token ranges between commas.
    pub(super) fn elements(&self, open: usize) -> Vec<(usize, usize)> {
        let Some(close) = self.partner(open) else { return Vec::new() };
        let mut elements = Vec::new();
        let (mut at, mut start) = (open + 1, open + 1);
        // `|a, b| …` is one element.
        let mut in_closure = false;
        while at < close {
            match self.at(at) {
                "(" | "[" | "{" => at = self.partner(at).unwrap_or(at),
                "|" if in_closure || !self.ends_value(at) => in_closure = !in_closure,
                "," if !in_closure => {
                    elements.push((start, at));
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        if start < close {
            elements.push((start, close));
        }
        elements
    }
}

/// A keyword that is a value.
fn is_value_word(text: &str) -> bool {
    matches!(text, "self" | "Self" | "true" | "false" | "crate" | "super")
}
