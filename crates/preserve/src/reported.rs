//! The facts that the compiler's errors contain: codes, names and spans. A build can forge errors,
//! so they permit only what is checked again and disables no check. Start at [`Reported`].

use base::{ByteSpan, Diagnostic, ProjectPath, SortedMap, SortedSet, is_one_word};
use edit::Overlay;

/// Maximum number of errors that are read, since a build may print any number.
const MAX_ERRORS: usize = 2_000;

/// The compiler's errors for the tree before the change.
///
/// Macros and build scripts can print errors in the compiler's format, so each fact is only a
/// claim. Rules use it to permit what the compiler checks again on the changed tree and what
/// disables no check.
#[derive(Default)]
pub(crate) struct Reported {
    errors: Vec<Error>,
}

struct Error {
    code: String,
    /// Quoted names, and marked ones if the span is one word.
    names: SortedSet<String>,
    /// Marked spans.
    marks: SortedMap<ProjectPath, Vec<ByteSpan>>,
}

impl Reported {
    pub(crate) fn of(errors: &[Diagnostic], overlay: &Overlay) -> Self {
        let errors = errors.iter().filter(|it| it.is_error()).take(MAX_ERRORS);
        Self { errors: errors.map(|it| Error::of(it, overlay)).collect() }
    }

    /// Whether an error with one of these codes names `name`.
    pub(crate) fn of_code_names(&self, codes: &[&str], name: &str) -> bool {
        self.of_codes(codes).any(|it| it.names.contains(name))
    }

    /// Whether any error names `name`.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.errors.iter().any(|it| it.names.contains(name))
    }

    /// Whether an error with one of these codes marks something within the span.
    pub(crate) fn is_within(&self, codes: &[&str], path: &ProjectPath, span: ByteSpan) -> bool {
        self.of_codes(codes)
            .flat_map(|it| it.marks.get(path))
            .flatten()
            .any(|mark| span.start <= mark.start && mark.end <= span.end && mark.start < mark.end)
    }

    /// Whether any error marks something within the span.
    pub(crate) fn marks(&self, path: &ProjectPath, span: ByteSpan) -> bool {
        let marks = self.errors.iter().filter_map(|it| it.marks.get(path)).flatten();
        marks.into_iter().any(|mark| span.contains(*mark))
    }

    /// Whether an error with one of these codes marks code that the span is part of.
    pub(crate) fn is_around(&self, codes: &[&str], path: &ProjectPath, span: ByteSpan) -> bool {
        let marks = self.of_codes(codes).flat_map(|it| it.marks.get(path)).flatten();
        marks.into_iter().any(|mark| mark.contains(span))
    }

    fn of_codes<'c>(&'c self, codes: &'c [&str]) -> impl Iterator<Item = &'c Error> {
        self.errors.iter().filter(|it| codes.contains(&it.code.as_str()))
    }
}

impl Error {
    fn of(diagnostic: &Diagnostic, overlay: &Overlay) -> Self {
        let mut names = SortedSet::new();
        let mut marks: SortedMap<ProjectPath, Vec<ByteSpan>> = SortedMap::new();
        quoted(&diagnostic.message, &mut names);
        for span in diagnostic.spans.iter().filter(|it| it.primary) {
            let Some(path) = span.place.project() else { continue };
            marks.entry(path.clone()).or_default().push(span.bytes);
            let text = overlay.get(path).and_then(|it| it.before.as_ref()).map(|it| &*it.text);
            let marked = text.and_then(|it| span.bytes.slice(it)).map(str::trim);
            names.extend(marked.filter(|it| is_one_word(it)).map(str::to_owned));
        }
        Self { code: diagnostic.code.clone().unwrap_or_default(), names, marks }
    }
}

/// The words in backticks; both words of `a::b`.
fn quoted(message: &str, names: &mut SortedSet<String>) {
    for quote in message.split('`').skip(1).step_by(2) {
        let words = quote.split(|c: char| c != '_' && !c.is_alphanumeric());
        names.extend(words.filter(|it| !it.is_empty()).map(str::to_owned));
    }
}
