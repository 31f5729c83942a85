//! Maps diagnostics of a candidate through its overlay to the user's own text: file, line and
//! enclosing item.

use std::sync::Arc;

use base::{Diagnostic, DiagnosticFile, DiagnosticSpan, LineIndex, ProjectPath, SortedMap};
use edit::{Files, Overlay};
use serde::{Deserialize, Serialize};
use syntax::SourceFile;

/// A diagnostic with its position in the user's own text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MappedDiagnostic {
    /// The compiler's diagnostic, in coordinates of the overlay's text.
    pub diagnostic: Diagnostic,
    /// The file before the change; `None` if the text exists only in the overlay or is not the
    /// user's.
    pub file: Option<String>,
    /// The line (from 1) before the change; `None` if it exists only in the overlay.
    pub line: Option<u32>,
    /// The enclosing item, by its path in the file.
    pub item: Option<String>,
    /// The user's macro call that generated the code: ``println!` at src/lib.rs:3``.
    pub macro_call: Option<String>,
}

impl MappedDiagnostic {
    /// Its place and message in one line; the line is that of the changed text where there is none before.
    pub fn one_line(&self) -> String {
        let message = &self.diagnostic.message;
        let span = self.diagnostic.user_span();
        let changed = span.and_then(|it| Some((it.place.project()?.as_str(), it.start.line)));
        match (&self.file, self.line, changed) {
            (Some(file), Some(line), _) => format!("{file}:{line}: {message}"),
            (file, None, Some((path, line))) => {
                let file = file.as_deref().unwrap_or(path);
                format!("{file}:{line}: {message}")
            }
            (Some(file), None, None) => format!("{file}: {message}"),
            (None, _, _) => message.clone(),
        }
    }
}

/// Maps diagnostics of one overlay; reads and parses each file once.
pub(crate) struct Mapper<'a> {
    files: &'a dyn Files,
    overlay: &'a Overlay,
    texts: SortedMap<ProjectPath, Option<(Arc<str>, SourceFile)>>,
}

impl<'a> Mapper<'a> {
    pub(crate) fn new(files: &'a dyn Files, overlay: &'a Overlay) -> Self {
        Self { files, overlay, texts: SortedMap::new() }
    }

    pub(crate) fn map(&mut self, diagnostic: &Diagnostic) -> MappedDiagnostic {
        let span = diagnostic.user_span();
        let place = span.and_then(|span| Some((span, span.place.project()?)));
        let (file, line) = place.map_or((None, None), |(span, path)| self.in_base(path, span));
        MappedDiagnostic {
            file,
            line,
            item: place.and_then(|(span, path)| self.item(path, span)),
            macro_call: diagnostic.primary().and_then(macro_call),
            diagnostic: diagnostic.clone(),
        }
    }

    fn in_base(&self, path: &ProjectPath, span: &DiagnosticSpan) -> (Option<String>, Option<u32>) {
        let Some(change) = self.overlay.get(path) else {
            return (Some(path.to_string()), Some(span.start.line));
        };
        let base_path = change.renamed_from.as_ref().unwrap_or(path);
        if change.before.is_none() && change.renamed_from.is_none() {
            return (None, None);
        }
        let line = self.overlay.span_map(path).and_then(|map| {
            // Bytes are more precise than the line, which may be edited elsewhere.
            let by_bytes = map
                .span_to_base(span.bytes)
                .exact()
                .map(|bytes| LineIndex::new(self.overlay.base_text(path)).line_of(bytes.start));
            by_bytes.or_else(|| map.line_to_base(span.start.line).exact())
        });
        (Some(base_path.to_string()), line)
    }

    fn item(&mut self, path: &ProjectPath, span: &DiagnosticSpan) -> Option<String> {
        let (files, overlay) = (self.files, self.overlay);
        let (_, parsed) = self
            .texts
            .entry(path.clone())
            .or_insert_with(|| {
                let text = match overlay.get(path) {
                    Some(change) => change.after.as_ref().map(|state| state.text.clone()),
                    // An unreadable file has no items.
                    None => files.read(path).ok().flatten().map(|state| state.text),
                }?;
                let parsed = syntax::parse(&text);
                Some((text, parsed))
            })
            .as_ref()?;
        let idx = syntax::item_at(parsed, span.bytes)?;
        parsed.items.get(idx).map(|item| item.canon.clone())
    }
}

/// The outermost call in the user's own text.
fn macro_call(span: &DiagnosticSpan) -> Option<String> {
    let mut found = None;
    let mut expansion = span.expansion.as_deref();
    while let Some(call) = expansion {
        if let DiagnosticFile::Project(path) = &call.call_site.place {
            found = Some(format!("`{}` at {path}:{}", call.macro_name, call.call_site.start.line));
        }
        expansion = call.call_site.expansion.as_deref();
    }
    found
}
