use serde::{Deserialize, Serialize};

use crate::{ByteSpan, LineCol, ProjectPath};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It does not build.
    Error,
    /// It builds, but.
    Warning,
    /// A remark.
    Note,
    /// Advice.
    Help,
}

/// The file that a span is in, as the compiler names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A file of the project.
    Project(ProjectPath),
    /// A file of another crate or of the standard library: shown, never edited.
    Foreign(String),
}

impl Place {
    /// The project's file, if it is one.
    pub fn project(&self) -> Option<&ProjectPath> {
        match self {
            Place::Project(path) => Some(path),
            Place::Foreign(_) => None,
        }
    }

    /// The name to show.
    pub fn as_str(&self) -> &str {
        match self {
            Place::Project(path) => path.as_str(),
            Place::Foreign(name) => name,
        }
    }
}

/// One marked place of a diagnostic, in the coordinates of the text that was compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticSpan {
    /// The file.
    pub place: Place,
    /// The bytes.
    pub bytes: ByteSpan,
    /// Where they begin.
    pub start: LineCol,
    /// Where they end.
    pub end: LineCol,
    /// Whether this is what the message speaks of.
    pub primary: bool,
    /// What is said of this place.
    pub label: Option<String>,
    /// The macro call that made the code, if one did.
    pub expansion: Option<Box<Expansion>>,
}

/// The macro call behind a span.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expansion {
    /// The macro as called: `println!`, `#[derive(Debug)]`.
    pub macro_name: String,
    /// The call site.
    pub call_site: DiagnosticSpan,
}

/// How sure the compiler is of a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Applicability {
    /// Certain.
    MachineApplicable,
    /// Compiles perhaps, may not be what was meant.
    MaybeIncorrect,
    /// Holds text to be filled in.
    HasPlaceholders,
    /// Nothing is said.
    Unspecified,
}

/// One replacement of a suggestion, as the compiler lists it: alternatives stand flattened in
/// one list and are told apart by `repair`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    /// The file.
    pub place: Place,
    /// What goes.
    pub bytes: ByteSpan,
    /// What comes.
    pub text: String,
    /// How sure.
    pub applicability: Applicability,
    /// Whether the bytes were made by a macro and so are not the user's to edit.
    pub from_expansion: bool,
}

/// A note or help below a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubDiagnostic {
    /// How it is headed.
    pub severity: Severity,
    /// What it says.
    pub message: String,
    /// The places it marks.
    pub spans: Vec<DiagnosticSpan>,
    /// The replacements it proposes, in the compiler's order.
    pub replacements: Vec<Replacement>,
}

/// What a compiler, a linter or an analyzer says of the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// `E0308`, `clippy::needless_return`, `unused_variables`; `None` where it has none.
    pub code: Option<String>,
    /// The headline.
    pub message: String,
    /// The marked places; primary ones first.
    pub spans: Vec<DiagnosticSpan>,
    /// Notes and helps.
    pub children: Vec<SubDiagnostic>,
    /// The text as the compiler would print it, without colours.
    pub rendered: Option<String>,
    /// The package it arose in, where known.
    pub package: Option<String>,
    /// The target it arose in (`lib`, `bin foo`, `test bar`), where known.
    pub target: Option<String>,
}

impl Diagnostic {
    /// Whether it keeps the code from building.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The first primary span.
    pub fn primary(&self) -> Option<&DiagnosticSpan> {
        self.spans.iter().find(|span| span.primary).or_else(|| self.spans.first())
    }

    /// The first primary span in the user's own text: where a macro made the code, its call site.
    pub fn user_span(&self) -> Option<&DiagnosticSpan> {
        let mut span = self.primary()?;
        while let (Place::Foreign(_), Some(expansion)) = (&span.place, &span.expansion) {
            span = &expansion.call_site;
        }
        Some(span)
    }
}
