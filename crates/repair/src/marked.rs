//! Places that a diagnostic marks, and small edits around them: what the rules for single errors
//! share.

use std::sync::Arc;

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath};
use edit::{Files, Splice};
use preserve::outline::{Element, ElementKind, Outline};

use crate::fix::{Proposal, text_of};
use crate::signature::{separated, skip_generics, span_of};

/// A marked place in a file of the project.
pub(crate) struct Marked<'d> {
    pub(crate) path: &'d ProjectPath,
    pub(crate) text: Arc<str>,
    pub(crate) span: ByteSpan,
}

impl<'d> Marked<'d> {
    /// The primary place of a diagnostic; `None` in code that a macro made.
    pub(crate) fn primary(diagnostic: &'d Diagnostic, files: &dyn Files) -> Option<Self> {
        Self::of(diagnostic.primary()?, files)
    }

    /// The place of a span; `None` in code that a macro made.
    pub(crate) fn of(span: &'d DiagnosticSpan, files: &dyn Files) -> Option<Self> {
        let path = span.place.project().filter(|_| is_written(span))?;
        let text = text_of(files, path)?;
        span.bytes.slice(&text)?;
        Some(Self { path, text, span: span.bytes })
    }

    /// The marked text.
    pub(crate) fn slice(&self) -> &str {
        self.span.slice(&self.text).unwrap_or("")
    }

    /// A proposal that makes these replacements, in any order.
    pub(crate) fn proposal(&self, mut splices: Vec<Splice>, rationale: String) -> Proposal {
        splices.sort_by_key(|it| it.span);
        Proposal { path: self.path.clone(), splices, rationale, guesses: Vec::new() }
    }
}

/// Whether the user wrote the text of a span: it is not from a macro, but at most a part of an
/// expression that the compiler rewrites, such as an argument of `println!` or `.await`.
pub(crate) fn is_written(span: &DiagnosticSpan) -> bool {
    span.expansion.as_ref().is_none_or(|it| it.macro_name.starts_with("desugaring of "))
}

/// The bytes that a statement leaves when it moves, and its text, with the comment on its last line.
pub(crate) fn statement_text(text: &str, own: ByteSpan) -> Option<(ByteSpan, &str)> {
    let line_start = text.get(..own.start)?.rfind('\n').map_or(0, |at| at + 1);
    let line_end = text.get(own.end..)?.find('\n').map(|at| own.end + at);
    let before = text.get(line_start..own.start)?;
    let behind = text.get(own.end..line_end.unwrap_or(own.end))?.trim();
    let is_alone = before.trim().is_empty() && (behind.is_empty() || behind.starts_with("//"));
    match line_end.filter(|_| is_alone) {
        Some(end) => {
            Some((ByteSpan::new(line_start, end + 1), text.get(own.start..end)?.trim_end()))
        }
        None => {
            let next = text.get(own.end..)?;
            let space = next.len() - next.trim_start_matches(' ').len();
            Some((ByteSpan::new(own.start, own.end + space), own.slice(text)?))
        }
    }
}

/// The first span of the diagnostic, then of its notes, whose label contains `words`.
pub(crate) fn labelled<'d>(diagnostic: &'d Diagnostic, words: &str) -> Option<&'d DiagnosticSpan> {
    let notes = diagnostic.children.iter().flat_map(|it| &it.spans);
    let mut all = diagnostic.spans.iter().chain(notes);
    all.find(|it| it.label.as_ref().is_some_and(|label| label.contains(words)))
}

/// A replacement of a span.
pub(crate) fn replace(span: ByteSpan, insert: &str) -> Splice {
    Splice { span, insert: insert.to_owned() }
}

/// An insertion before this byte.
pub(crate) fn insert(at: usize, insert: &str) -> Splice {
    replace(ByteSpan::new(at, at), insert)
}

/// Index of the first token that begins at this byte or after it.
pub(crate) fn token_at(outline: &Outline<'_>, byte: usize) -> usize {
    outline.tokens.partition_point(|it| it.span.start < byte)
}

/// The innermost element of this kind around a token.
pub(crate) fn element_around<'o>(
    outline: &'o Outline<'_>,
    kind: ElementKind,
    token: usize,
) -> Option<&'o Element> {
    let around = |it: &&Element| it.kind == kind && it.start <= token && token < it.end;
    outline.elements.iter().filter(around).min_by_key(|it| it.end - it.start)
}

/// The first token of an element after its attributes: its visibility, if it has one.
pub(crate) fn after_attributes(outline: &Outline<'_>, element: &Element) -> usize {
    let mut at = element.start;
    while outline.text(at) == "#" && at + 1 < element.end {
        at = outline.close.get(at + 1).map_or(element.end, |close| close + 1);
    }
    at
}

/// The indentation of the line of this byte.
pub(crate) fn indent_at(text: &str, byte: usize) -> &str {
    let line = text.get(..byte).and_then(|it| it.rfind('\n')).map_or(0, |at| at + 1);
    let rest = text.get(line..).unwrap_or("");
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

/// The opening brace of the innermost block around a token.
pub(crate) fn block_around(outline: &Outline<'_>, token: usize) -> Option<usize> {
    (0..token).rev().find(|at| {
        outline.text(*at) == "{" && outline.close.get(*at).is_some_and(|close| *close > token)
    })
}

/// The member `nth` of a list in brackets with the comma that goes with it, as bytes to remove;
/// with the brackets if it is the only one and `is_last_optional`.
pub(crate) fn without_member(
    outline: &Outline<'_>,
    list: (usize, usize),
    nth: usize,
    is_last_optional: bool,
) -> Option<ByteSpan> {
    let (open, close) = list;
    let parts = separated(outline, open + 1, close);
    let (start, end) = *parts.get(nth)?;
    if parts.len() == 1 {
        return match is_last_optional {
            true => span_of(outline, open, close + 1),
            false => span_of(outline, start, end),
        };
    }
    match parts.get(nth + 1) {
        // With the space before the next one.
        Some((next, _)) => {
            Some(ByteSpan::new(outline.tokens[start].span.start, outline.tokens[*next].span.start))
        }
        None => {
            let before = parts[nth - 1].1;
            Some(ByteSpan::new(
                outline.tokens[before - 1].span.end,
                outline.tokens[end - 1].span.end,
            ))
        }
    }
}

/// The generic parameters of an item or method whose name is the token before `open`: the tokens `<`
/// and `>`.
pub(crate) fn generics(outline: &Outline<'_>, open: usize) -> Option<(usize, usize)> {
    if outline.text(open) != "<" {
        return None;
    }
    let end = skip_generics(outline, open)?;
    Some((open, end - 1))
}

/// The name that a generic parameter declares: `T` of `const T: u8`.
pub(crate) fn parameter_name<'a>(outline: &Outline<'a>, start: usize) -> &'a str {
    let is_const = outline.text(start) == "const";
    outline.text(start + usize::from(is_const))
}
