//! The tokens of a text by lines: where each begins, how far its line is indented.

use std::ops::Range;

use preserve::outline::{Token, TokenKind, tokens};

/// The tokens of a text with their lines.
pub(super) struct Lines<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token<'a>>,
    /// For each token, the line on which it begins.
    pub(super) line_of: Vec<usize>,
    /// The lines with a token, in order.
    pub(super) lines: Vec<Line>,
}

/// One line with a token that begins on it.
pub(super) struct Line {
    /// Indentation in bytes. An odd number of blanks counts one less: `} else` without its brace.
    pub(super) indent: usize,
    /// Bytes of white space before the first token.
    pub(super) blank: usize,
    /// The tokens that begin on it.
    pub(super) tokens: Range<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let tokens = tokens(text);
        let mut line_of = Vec::with_capacity(tokens.len());
        let mut lines: Vec<Line> = Vec::new();
        let mut from = 0;
        for (idx, token) in tokens.iter().enumerate() {
            let start = token.span.start;
            let gap = text.get(from..start).unwrap_or("");
            if lines.is_empty() || gap.contains('\n') {
                let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
                let head = &text[begin..start];
                let blank = head.len() - head.trim_start().len();
                let is_odd = blank % 2 == 1 && !head.starts_with('\t');
                let indent = blank - usize::from(is_odd);
                lines.push(Line { indent, blank, tokens: idx..idx });
            }
            if let Some(line) = lines.last_mut() {
                line.tokens.end = idx + 1;
            }
            line_of.push(lines.len() - 1);
            // A literal over several lines: what follows it is on its last line.
            from = start;
        }
        Self { text, tokens, line_of, lines }
    }

    /// Indentation of the token's line.
    pub(super) fn indent(&self, token: usize) -> usize {
        self.lines[self.line_of[token]].indent
    }

    /// Bytes of white space at the beginning of the token's line.
    pub(super) fn blank(&self, token: usize) -> usize {
        self.lines[self.line_of[token]].blank
    }

    /// Whether a line is an attribute and nothing else.
    pub(super) fn is_attribute(&self, line: usize) -> bool {
        let tokens = &self.lines[line].tokens;
        self.text_of(tokens.start) == "#" && self.text_of(tokens.end - 1) == "]"
    }

    /// Whether the file has a call of this name.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let pairs = self.tokens.iter().zip(self.tokens.iter().skip(1));
        pairs.into_iter().any(|(word, next)| word.is(name) && next.is("("))
    }

    pub(super) fn is_first(&self, token: usize) -> bool {
        self.lines[self.line_of[token]].tokens.start == token
    }

    pub(super) fn is_last(&self, token: usize) -> bool {
        self.lines[self.line_of[token]].tokens.end == token + 1
    }

    pub(super) fn text_of(&self, token: usize) -> &'a str {
        self.tokens.get(token).map_or("", |it| it.text)
    }

    /// The tokens that begin on these lines.
    pub(super) fn tokens_of(&self, lines: &Range<usize>) -> Range<usize> {
        match (self.lines.get(lines.start), self.lines.get(lines.end.wrapping_sub(1))) {
            (Some(first), Some(last)) if !lines.is_empty() => first.tokens.start..last.tokens.end,
            _ => 0..0,
        }
    }

    /// Whether a line continues the statement or item of the lines before.
    pub(super) fn is_continuation(&self, line: usize) -> bool {
        let first = self.lines[line].tokens.start;
        let text = self.text_of(first);
        matches!(text, "else" | "where" | "as")
            || self.tokens[first].kind == TokenKind::Punctuation
                && !matches!(
                    text,
                    "#" | "*" | "(" | "[" | "<" | "!" | "-" | "|" | "||" | "::" | "$"
                )
    }
}

/// The closing bracket of an opening one.
pub(super) fn closing_of(open: &str) -> Option<&'static str> {
    match open {
        "(" => Some(")"),
        "[" => Some("]"),
        "{" => Some("}"),
        _ => None,
    }
}

pub(super) fn is_closing(text: &str) -> bool {
    matches!(text, ")" | "]" | "}")
}
