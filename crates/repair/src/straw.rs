//! Diagnostics of straw for tests of reasoners: places are marked in quoted pieces of the text.

use base::{
    Applicability, ByteSpan, Diagnostic, DiagnosticFile, DiagnosticSpan, LineCol, ProjectPath,
    Replacement, Severity, SubDiagnostic,
};
use edit::{FileState, Files, Unreadable};

use crate::Reasoner;

/// A text under every path.
struct Everywhere(String);

impl Files for Everywhere {
    fn read(&self, _: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        Ok(Some(FileState { text: self.0.as_str().into(), executable: false }))
    }
}

/// An error in the making.
pub(crate) struct Straw {
    code: String,
    message: String,
    at: String,
    labelled: Option<String>,
    labels: Vec<(String, String)>,
    notes: Vec<(String, Vec<(String, bool)>)>,
    /// Message, the place, what is to be there.
    helps: Vec<(String, String, String)>,
}

impl Straw {
    pub(crate) fn new(code: &str, message: &str) -> Self {
        Self {
            code: code.to_owned(),
            message: message.to_owned(),
            at: String::new(),
            labelled: None,
            labels: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
        }
    }

    /// Its place: what stands between `«` and `»`, in these surroundings.
    pub(crate) fn at(mut self, place: &str) -> Self {
        place.clone_into(&mut self.at);
        self
    }

    /// The label of its place.
    pub(crate) fn labelled(mut self, label: &str) -> Self {
        self.labelled = Some(label.to_owned());
        self
    }

    /// Another place with a label.
    pub(crate) fn label(mut self, place: &str, label: &str) -> Self {
        self.labels.push((place.to_owned(), label.to_owned()));
        self
    }

    /// A note with places, and which of them is the main one.
    pub(crate) fn note(mut self, message: &str, places: &[(&str, bool)]) -> Self {
        let places = places.iter().map(|(place, main)| ((*place).to_owned(), *main)).collect();
        self.notes.push((message.to_owned(), places));
        self
    }

    /// A suggestion with placeholders.
    pub(crate) fn help(mut self, message: &str, place: &str, text: &str) -> Self {
        self.helps.push((message.to_owned(), place.to_owned(), text.to_owned()));
        self
    }

    fn made(&self, text: &str) -> Diagnostic {
        let child = |message: &str, spans, replacements| SubDiagnostic {
            severity: Severity::Help,
            message: message.to_owned(),
            spans,
            replacements,
        };
        let mut children: Vec<SubDiagnostic> = Vec::new();
        for (message, places) in &self.notes {
            let spans = places.iter().map(|(place, main)| span(text, place, *main, None)).collect();
            children.push(child(message, spans, Vec::new()));
        }
        for (message, place, insert) in &self.helps {
            let replacement = Replacement {
                place: DiagnosticFile::Project(path()),
                bytes: bytes(text, place),
                text: insert.clone(),
                applicability: Applicability::HasPlaceholders,
                from_expansion: false,
            };
            children.push(child(message, Vec::new(), vec![replacement]));
        }
        let mut spans = vec![span(text, &self.at, true, self.labelled.as_ref())];
        spans.extend(self.labels.iter().map(|(at, label)| span(text, at, false, Some(label))));
        Diagnostic {
            severity: Severity::Error,
            code: Some(self.code.clone()),
            message: self.message.clone(),
            spans,
            children,
            rendered: None,
            package: None,
            target: None,
        }
    }
}

fn path() -> ProjectPath {
    ProjectPath::new("src/lib.rs").unwrap()
}

/// The last such place of the text: declarations come first, uses behind them.
fn bytes(text: &str, place: &str) -> ByteSpan {
    let plain = place.replace(['«', '»'], "");
    let at = text.rfind(&plain).unwrap_or_else(|| panic!("`{plain}` is not in the text"));
    let start = place.find('«').unwrap();
    let end = place.find('»').unwrap() - '«'.len_utf8();
    ByteSpan::new(at + start, at + end)
}

fn span(text: &str, place: &str, primary: bool, label: Option<&String>) -> DiagnosticSpan {
    let at = LineCol { line: 1, col: 1 };
    DiagnosticSpan {
        place: DiagnosticFile::Project(path()),
        bytes: bytes(text, place),
        start: at,
        end: at,
        primary,
        label: label.cloned(),
        expansion: None,
    }
}

/// What the reasoner makes of the text, each distinct proposal once.
pub(crate) fn check(reasoner: &dyn Reasoner, text: &str, errors: &[Straw], expected: &[&str]) {
    let diagnostics: Vec<Diagnostic> = errors.iter().map(|it| it.made(text)).collect();
    let mut found: Vec<String> = Vec::new();
    for fix in reasoner.propose(&diagnostics, &Everywhere(text.to_owned())) {
        let mut mended = text.to_owned();
        for (_, splice) in fix.splices.iter().rev() {
            mended.replace_range(splice.span.start..splice.span.end, &splice.insert);
        }
        if !found.contains(&mended) {
            found.push(mended);
        }
    }
    assert_eq!(found, expected);
}
