//! Fake diagnostics for tests of reasoners; spans are marked in quoted parts of the text.

use base::{
    Applicability, ByteSpan, Diagnostic, DiagnosticFile, DiagnosticSpan, ProjectPath, Replacement,
    Severity, SortedMap, SubDiagnostic,
};
use edit::{FileState, Files, Unreadable};

use crate::Reasoner;

/// A tree with `src/lib.rs` only.
pub(crate) struct OneFile(pub(crate) String);

impl Files for OneFile {
    fn read(&self, at: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        Ok((*at == path()).then(|| FileState::from_text(self.0.as_str())))
    }
}

/// A tree of these paths and texts.
pub(crate) struct Tree<'a>(pub(crate) SortedMap<&'a str, &'a str>);

impl Files for Tree<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        Ok(self.0.get(path.as_str()).map(|text| FileState::from_text(*text)))
    }
}

/// Builder of a fake error.
pub(crate) struct FakeError {
    code: String,
    message: String,
    at: String,
    labelled: Option<String>,
    labels: Vec<(String, String)>,
    notes: Vec<(String, Vec<(String, bool)>)>,
    /// Message, marked spans with their labels.
    labelled_notes: Vec<(String, Vec<(String, String)>)>,
    /// Message, marked span, inserted text.
    helps: Vec<(String, String, String, Applicability)>,
}

impl FakeError {
    pub(crate) fn new(code: &str, message: &str) -> Self {
        Self {
            code: code.to_owned(),
            message: message.to_owned(),
            at: String::new(),
            labelled: None,
            labels: Vec::new(),
            notes: Vec::new(),
            labelled_notes: Vec::new(),
            helps: Vec::new(),
        }
    }

    /// Primary span: the text between `«` and `»` in this context.
    pub(crate) fn at(mut self, place: &str) -> Self {
        place.clone_into(&mut self.at);
        self
    }

    /// Label of the primary span.
    pub(crate) fn labelled(mut self, label: &str) -> Self {
        self.labelled = Some(label.to_owned());
        self
    }

    /// A secondary span with a label.
    pub(crate) fn label(mut self, place: &str, label: &str) -> Self {
        self.labels.push((place.to_owned(), label.to_owned()));
        self
    }

    /// A note with spans, each with whether it is primary.
    pub(crate) fn note(mut self, message: &str, places: &[(&str, bool)]) -> Self {
        let places = places.iter().map(|(place, main)| ((*place).to_owned(), *main)).collect();
        self.notes.push((message.to_owned(), places));
        self
    }

    /// A note with labelled spans.
    pub(crate) fn labelled_note(mut self, message: &str, places: &[(&str, &str)]) -> Self {
        let places = places.iter().map(|(at, label)| ((*at).to_owned(), (*label).to_owned()));
        self.labelled_notes.push((message.to_owned(), places.collect()));
        self
    }

    /// A suggestion with placeholders.
    pub(crate) fn help(mut self, message: &str, place: &str, text: &str) -> Self {
        let applicability = Applicability::HasPlaceholders;
        self.helps.push((message.to_owned(), place.to_owned(), text.to_owned(), applicability));
        self
    }

    /// A suggestion that may be incorrect.
    pub(crate) fn suggestion(mut self, message: &str, place: &str, text: &str) -> Self {
        let applicability = Applicability::MaybeIncorrect;
        self.helps.push((message.to_owned(), place.to_owned(), text.to_owned(), applicability));
        self
    }

    pub(crate) fn build(&self, text: &str) -> Diagnostic {
        let mut children: Vec<SubDiagnostic> = Vec::new();
        for (message, spans) in &self.notes {
            let spans = spans.iter().map(|(at, primary)| span(text, at, *primary, None)).collect();
            children.push(SubDiagnostic { spans, ..SubDiagnostic::new(Severity::Help, message) });
        }
        for (message, spans) in &self.labelled_notes {
            let spans = spans.iter().map(|(at, label)| span(text, at, false, Some(label)));
            let spans = spans.collect();
            children.push(SubDiagnostic { spans, ..SubDiagnostic::new(Severity::Help, message) });
        }
        for (message, at, insert, applicability) in &self.helps {
            let replacement = Replacement {
                place: DiagnosticFile::Project(path()),
                bytes: bytes(text, at),
                text: insert.clone(),
                applicability: *applicability,
                from_expansion: false,
            };
            children.push(SubDiagnostic {
                replacements: vec![replacement],
                ..SubDiagnostic::new(Severity::Help, message)
            });
        }
        let mut spans = vec![span(text, &self.at, true, self.labelled.as_ref())];
        spans.extend(self.labels.iter().map(|(at, label)| span(text, at, false, Some(label))));
        Diagnostic {
            code: Some(self.code.clone()).filter(|it| !it.is_empty()),
            spans,
            children,
            ..Diagnostic::new(Severity::Error, &self.message)
        }
    }
}

pub(crate) fn path() -> ProjectPath {
    ProjectPath::new("src/lib.rs").unwrap()
}

/// The last occurrence in the text, since uses follow declarations.
fn bytes(text: &str, place: &str) -> ByteSpan {
    let plain = place.replace(['«', '»'], "");
    let at = text.rfind(&plain).unwrap_or_else(|| panic!("`{plain}` is not in the text"));
    let start = place.find('«').unwrap();
    let end = place.find('»').unwrap() - '«'.len_utf8();
    ByteSpan::new(at + start, at + end)
}

fn span(text: &str, place: &str, primary: bool, label: Option<&String>) -> DiagnosticSpan {
    DiagnosticSpan {
        primary,
        label: label.cloned(),
        ..DiagnosticSpan::primary(&path(), text, bytes(text, place))
    }
}

/// Compares the texts that the reasoner proposes, without repetition and without those with holes.
pub(crate) fn check(reasoner: &dyn Reasoner, text: &str, errors: &[FakeError], expected: &[&str]) {
    let diagnostics: Vec<Diagnostic> = errors.iter().map(|it| it.build(text)).collect();
    let mut found: Vec<String> = Vec::new();
    for fix in reasoner.propose(&diagnostics, &OneFile(text.to_owned())) {
        let mut fixed = text.to_owned();
        for (_, splice) in fix.splices.iter().rev() {
            fixed.replace_range(splice.span.start..splice.span.end, &splice.insert);
        }
        let has_hole = fixed.contains("todo!()") && !text.contains("todo!()");
        if !has_hole && !found.contains(&fixed) {
            found.push(fixed);
        }
    }
    assert_eq!(found, expected);
}
