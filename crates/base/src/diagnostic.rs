//! Compiler diagnostics as plain data: what rustc, clippy and rust-analyzer report, with spans in
//! the text that was compiled. `cargo` builds them from cargo's JSON, `check` maps their spans to
//! the user's text, `repair` turns their suggestions into edits. Start at [`Diagnostic`].
use serde::{Deserialize, Serialize};

use crate::{ByteSpan, LineCol, LineIndex, ProjectPath};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The code does not build.
    Error,
    /// The code builds; a lint or the compiler warns.
    Warning,
    /// Additional information.
    Note,
    /// Advice on how to change the code.
    Help,
}

/// The file that a span refers to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosticFile {
    /// A file of the project.
    Project(ProjectPath),
    /// A file of another crate or of the standard library: displayed, never edited.
    Foreign(String),
}

impl DiagnosticFile {
    /// The project path; `None` for a foreign file.
    pub fn project(&self) -> Option<&ProjectPath> {
        match self {
            DiagnosticFile::Project(path) => Some(path),
            DiagnosticFile::Foreign(_) => None,
        }
    }

    /// The path for display.
    pub fn as_str(&self) -> &str {
        match self {
            DiagnosticFile::Project(path) => path.as_str(),
            DiagnosticFile::Foreign(name) => name,
        }
    }
}

/// One span of a diagnostic, in the coordinates of the text that was compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DiagnosticSpan {
    /// File that contains the span.
    pub place: DiagnosticFile,
    /// Byte range.
    pub bytes: ByteSpan,
    /// Line and column of the first byte.
    pub start: LineCol,
    /// Line and column of the end.
    pub end: LineCol,
    /// Whether this is a primary span: the location of the problem itself.
    pub primary: bool,
    /// Label: the compiler's message for this span.
    pub label: Option<String>,
    /// Macro call that produced the code; `None` for code that was written out.
    pub expansion: Option<Box<Expansion>>,
}

impl DiagnosticSpan {
    /// An unlabelled primary span of a project file with this text.
    pub fn primary(path: &ProjectPath, text: &str, bytes: ByteSpan) -> Self {
        let lines = LineIndex::new(text);
        Self {
            place: DiagnosticFile::Project(path.clone()),
            bytes,
            start: lines.line_col(text, bytes.start),
            end: lines.line_col(text, bytes.end),
            primary: true,
            label: None,
            expansion: None,
        }
    }
}

/// The macro call that a span was expanded from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Expansion {
    /// Macro as called: `println!`, `#[derive(Debug)]`.
    pub macro_name: String,
    /// Span of the call.
    pub call_site: DiagnosticSpan,
}

/// How confident the compiler is in a replacement (rustc's `Applicability`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Applicability {
    /// The replacement is what was meant and compiles.
    MachineApplicable,
    /// The replacement may compile, but may not be what was meant.
    MaybeIncorrect,
    /// The replacement contains placeholders that the user has to fill in.
    HasPlaceholders,
    /// The compiler gives no confidence.
    Unspecified,
}

/// One replacement of a suggestion, as the compiler lists it: all alternatives are in one flat
/// list, which `repair` splits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Replacement {
    /// File to change.
    pub place: DiagnosticFile,
    /// Byte range to replace.
    pub bytes: ByteSpan,
    /// New text.
    pub text: String,
    /// Confidence of the compiler.
    pub applicability: Applicability,
    /// Whether a macro expanded to these bytes: then the user cannot edit them.
    pub from_expansion: bool,
}

/// A note or help below a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SubDiagnostic {
    /// Severity: usually `Note` or `Help`.
    pub severity: Severity,
    /// Message text.
    pub message: String,
    /// Spans of the message.
    pub spans: Vec<DiagnosticSpan>,
    /// Replacements that it suggests, in the compiler's order.
    pub replacements: Vec<Replacement>,
}

impl SubDiagnostic {
    /// A message without spans and replacements.
    pub fn new(severity: Severity, message: &str) -> Self {
        Self { severity, message: message.to_owned(), spans: Vec::new(), replacements: Vec::new() }
    }
}

/// One message of a compiler, linter or analyzer about the code.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Severity.
    pub severity: Severity,
    /// Code: `E0308`, `clippy::needless_return`, `unused_variables`; `None` where it has none.
    pub code: Option<String>,
    /// Message text, one line.
    pub message: String,
    /// Spans, primary ones first.
    pub spans: Vec<DiagnosticSpan>,
    /// Notes and helps below it.
    pub children: Vec<SubDiagnostic>,
    /// Text as the compiler prints it, without colours.
    pub rendered: Option<String>,
    /// Package that was compiled, where known.
    pub package: Option<String>,
    /// Target that was compiled (`lib`, `bin foo`, `test bar`), where known.
    pub target: Option<String>,
}

impl Diagnostic {
    /// A message without code, spans and children.
    pub fn new(severity: Severity, message: &str) -> Self {
        Self {
            severity,
            code: None,
            message: message.to_owned(),
            spans: Vec::new(),
            children: Vec::new(),
            rendered: None,
            package: None,
            target: None,
        }
    }

    /// Whether it is an error: the code does not build.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The first primary span, else the first span.
    pub fn primary(&self) -> Option<&DiagnosticSpan> {
        self.spans.iter().find(|span| span.primary).or_else(|| self.spans.first())
    }

    /// The first primary span in the user's own text: for code from a macro, its call site.
    pub fn user_span(&self) -> Option<&DiagnosticSpan> {
        let mut span = self.primary()?;
        while let (DiagnosticFile::Foreign(_), Some(expansion)) = (&span.place, &span.expansion) {
            span = &expansion.call_site;
        }
        Some(span)
    }
}
