//! [`EditPattern`], an edit in terms of the error that it fixes.

use base::{Diagnostic, DiagnosticSpan, ProjectPath};
use serde::{Deserialize, Serialize};

/// An edit in terms of the error that it fixes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditPattern {
    /// Code of the error.
    pub code: String,
    /// Message of the error, with `` `_` `` for each part in backticks.
    pub message: String,
    /// The edits, in the order of the text.
    pub edits: Vec<PatternEdit>,
}

/// One edit of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternEdit {
    /// The span that it is placed by.
    pub span: SpanRole,
    /// Where it is relative to that span.
    pub place: EditPlace,
    /// The inserted tokens.
    pub insert: Vec<InsertPart>,
}

/// Which span of an error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpanRole {
    /// Whether it is a primary one.
    pub primary: bool,
    /// Its label, with `` `_` `` for each part in backticks that is a name of the message too.
    pub label: String,
}

/// Where an edit is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditPlace {
    /// Before the span.
    Before,
    /// After the span.
    After,
    /// These tokens within the span are replaced; they occur there once.
    Within(Vec<PatternToken>),
    /// These tokens on the lines of the span are replaced; they occur there once.
    Lines(Vec<PatternToken>),
    /// An element of the braces after the beginning of the span.
    Element,
    /// Before the item that contains the span, or is its beginning.
    BeforeItem,
    /// The imports of the file.
    Import,
}

/// A token of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatternToken {
    /// As written.
    Text(String),
    /// The nth part of the message in backticks.
    Name(usize),
    /// The text of the span.
    Span,
}

/// A token that is inserted, and the space before it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InsertPart {
    /// The token.
    pub token: PatternToken,
    /// Whether there is white space before it.
    pub spaced: bool,
}

impl EditPattern {
    /// The edits as text, one line each, with `_` for each hole.
    pub fn describe(&self) -> Vec<String> {
        let line = |edit: &PatternEdit| {
            let text = written(edit.insert.iter().map(|it| (&it.token, it.spaced)));
            let old = |tokens: &[PatternToken]| written(tokens.iter().map(|it| (it, true)));
            match &edit.place {
                EditPlace::Before => format!("`{text}` before the place of the error"),
                EditPlace::After => format!("`{text}` after the place of the error"),
                EditPlace::Within(tokens) | EditPlace::Lines(tokens) => {
                    format!("`{text}` for `{}`", old(tokens))
                }
                EditPlace::Element => format!("`{text}` in the braces"),
                EditPlace::BeforeItem => format!("`{text}` before the item"),
                EditPlace::Import => format!("the import `{text}`"),
            }
        };
        self.edits.iter().map(line).collect()
    }

    /// Whether it inserts an element of braces that has nothing of the place of the error.
    pub(super) fn is_constant(&self) -> bool {
        let is_own = |it: &InsertPart| it.token == PatternToken::Span;
        let of = |edit: &PatternEdit| {
            edit.place == EditPlace::Element && !edit.insert.iter().any(is_own)
        };
        self.edits.iter().any(of)
    }

    /// The shape and the names of an error, if the pattern is one for such errors.
    pub(super) fn names_of(&self, error: &Diagnostic) -> Option<Vec<String>> {
        let is_same = error.code.as_deref() == Some(&self.code);
        let (shape, names) = shape(&error.message);
        (is_same && shape == self.message).then_some(names)
    }
}

impl SpanRole {
    /// The role of a span of an error whose message has these names. Other names stay: the types of a
    /// mismatch are in labels alone.
    pub(super) fn of(span: &DiagnosticSpan, names: &[String]) -> Self {
        let parts = span.label.as_deref().unwrap_or_default().split('`').enumerate();
        let part = |(nth, part): (usize, &str)| match names.iter().any(|it| it == part) {
            true if nth % 2 == 1 => "_".to_owned(),
            _ => part.to_owned(),
        };
        let label = parts.map(part).collect::<Vec<_>>().join("`");
        Self { primary: span.primary, label }
    }

    /// The first span of this role in the file; one that comes from a macro is none.
    pub(super) fn find<'a>(
        &self,
        error: &'a Diagnostic,
        path: &ProjectPath,
        names: &[String],
    ) -> Option<&'a DiagnosticSpan> {
        spans(error, path).find(|span| Self::of(span, names) == *self)
    }
}

fn written<'a>(tokens: impl Iterator<Item = (&'a PatternToken, bool)>) -> String {
    let mut text = String::new();
    for (token, spaced) in tokens {
        if spaced && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(match token {
            PatternToken::Text(text) => text,
            PatternToken::Name(_) | PatternToken::Span => "_",
        });
    }
    text
}

/// The spans of an error in a file, without those of expanded macros.
pub(super) fn spans<'a>(
    error: &'a Diagnostic,
    path: &ProjectPath,
) -> impl Iterator<Item = &'a DiagnosticSpan> {
    let is_own = |it: &&DiagnosticSpan| it.place.project() == Some(path) && it.expansion.is_none();
    error.spans.iter().filter(is_own)
}

/// A message with `` `_` `` for each part in backticks, and these parts.
pub(super) fn shape(message: &str) -> (String, Vec<String>) {
    let (mut shape, mut names) = (String::new(), Vec::new());
    for (nth, part) in message.split('`').enumerate() {
        if nth % 2 == 0 {
            shape.push_str(part);
        } else {
            shape.push_str("`_`");
            names.push(part.to_owned());
        }
    }
    (shape, names)
}
