//! One text with its places, and helpers for lines, spellings and messages.

use std::sync::Arc;

use base::{ByteSpan, DiagnosticSpan, ProjectPath, is_word};
use preserve::outline::tokens;
use syntax::places::{Definition, Places, Use};

/// A text with its definitions and uses.
pub struct PlacedText {
    /// Path of the file.
    pub path: ProjectPath,
    /// Text of the file.
    pub text: Arc<str>,
    /// Definitions and uses.
    pub places: Places,
}

impl PlacedText {
    /// The text at a span; empty if there is none.
    pub fn slice(&self, span: ByteSpan) -> &str {
        span.slice(&self.text).unwrap_or("")
    }

    /// The innermost function around a position.
    pub fn function_at(&self, at: usize) -> Option<&Definition> {
        self.places.function_at(at)
    }

    /// The lines that a span touches, without the end of the last.
    pub fn lines_around(&self, span: ByteSpan) -> ByteSpan {
        lines_around(&self.text, span)
    }

    /// The uses around a span, the innermost first.
    pub fn uses_around(&self, span: ByteSpan) -> Vec<&Use> {
        let mut found: Vec<&Use> =
            self.places.uses.iter().filter(|it| it.span.contains(span)).collect();
        found.sort_by_key(|it| it.span.len());
        found
    }
}

/// The start of the line of a position; of the first line after the byte order mark.
pub fn line_start(text: &str, at: usize) -> usize {
    const MARK: &str = "\u{feff}";
    let before = text.get(..at).unwrap_or_default();
    let mark = if before.starts_with(MARK) { MARK.len() } else { 0 };
    before.rfind('\n').map_or(mark, |it| it + 1)
}

/// The lines of a text that a span touches, without the end of the last.
pub fn lines_around(text: &str, span: ByteSpan) -> ByteSpan {
    let start = line_start(text, span.start);
    let end = text.get(span.end..).and_then(|it| it.find('\n'));
    ByteSpan::new(start, end.map_or(text.len(), |it| span.end + it))
}

/// A span with the rest of its lines, if nothing else is on them.
pub fn whole_lines(text: &str, span: ByteSpan) -> ByteSpan {
    let ByteSpan { start, end } = lines_around(text, span);
    let end = text.len().min(end + 1);
    let before = text.get(start..span.start).unwrap_or("");
    let after = text.get(span.end..end).unwrap_or("").trim_start_matches(',');
    match before.trim().is_empty() && after.trim().is_empty() {
        true => ByteSpan::new(start, end),
        false => span,
    }
}

/// Whether two texts need a space between them, since each has a word there.
pub fn needs_space(before: &str, after: &str) -> bool {
    before.ends_with(is_word) && after.starts_with(is_word)
}

/// A text in one spelling: its tokens, one space between two words.
pub fn spelled(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for token in tokens(text) {
        if needs_space(&line, token.text) {
            line.push(' ');
        }
        line.push_str(token.text);
    }
    // A comma before a closing bracket means nothing.
    line.replace(",)", ")").replace(",>", ">").replace(",]", "]").replace(",}", "}")
}

/// The last name of a type's path, without references and arguments.
pub fn type_head(written: &str) -> &str {
    let mut rest = written.trim_start_matches(['&', '*']).trim_start();
    if let Some(lifetime) = rest.strip_prefix('\'') {
        rest = lifetime.trim_start_matches(base::is_word).trim_start();
    }
    let rest = rest.strip_prefix("mut ").unwrap_or(rest).trim_start();
    let path = rest.split(['<', ' ', ',', '`']).next().unwrap_or("");
    path.rsplit("::").next().unwrap_or("")
}

/// The words in backticks of a message.
pub fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}

/// The place in a written text: of a span inside an expansion the call.
pub fn outermost(span: &DiagnosticSpan) -> &DiagnosticSpan {
    let mut span = span;
    // Declarative macros keep the spans of what they are passed.
    while let Some(expansion) = span.expansion.as_deref().filter(|_| span.place.project().is_none())
    {
        span = &expansion.call_site;
    }
    span
}
