use std::collections::{BTreeMap, BTreeSet};

use base::{ByteSpan, Diagnostic, ProjectPath};
use edit::Overlay;

/// So many errors are read: a build may print any number of them.
const MOST_ERRORS: usize = 2_000;

/// What the compiler reported of the tree before the change.
///
/// Macros and build scripts can print errors of the compiler's form, so each of these facts is a
/// claim. Rules use it only to permit what the compiler checks again on the changed tree and what
/// takes no check away.
#[derive(Default)]
pub(crate) struct Reported {
    errors: Vec<Error>,
}

struct Error {
    code: String,
    /// What it quotes and what it marks, where that is one word.
    names: BTreeSet<String>,
    /// What it is about.
    marks: BTreeMap<ProjectPath, Vec<ByteSpan>>,
}

impl Reported {
    pub(crate) fn of(errors: &[Diagnostic], overlay: &Overlay) -> Self {
        let errors = errors.iter().filter(|it| it.is_error()).take(MOST_ERRORS);
        Self { errors: errors.map(|it| Error::of(it, overlay)).collect() }
    }

    /// Whether an error of one of these codes names `name`.
    pub(crate) fn of_code_names(&self, codes: &[&str], name: &str) -> bool {
        self.of_codes(codes).any(|it| it.names.contains(name))
    }

    /// Whether any error names it.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.errors.iter().any(|it| it.names.contains(name))
    }

    /// Whether an error of one of these codes is about something within the span.
    pub(crate) fn is_within(&self, codes: &[&str], path: &ProjectPath, span: ByteSpan) -> bool {
        self.of_codes(codes)
            .flat_map(|it| it.marks.get(path))
            .flatten()
            .any(|mark| span.start <= mark.start && mark.end <= span.end && mark.start < mark.end)
    }

    fn of_codes<'c>(&'c self, codes: &'c [&str]) -> impl Iterator<Item = &'c Error> {
        self.errors.iter().filter(|it| codes.contains(&it.code.as_str()))
    }
}

impl Error {
    fn of(diagnostic: &Diagnostic, overlay: &Overlay) -> Self {
        let mut names = BTreeSet::new();
        let mut marks: BTreeMap<ProjectPath, Vec<ByteSpan>> = BTreeMap::new();
        quoted(&diagnostic.message, &mut names);
        for span in diagnostic.spans.iter().filter(|it| it.primary) {
            let Some(path) = span.place.project() else { continue };
            marks.entry(path.clone()).or_default().push(span.bytes);
            let text = overlay.get(path).and_then(|it| it.before.as_ref()).map(|it| &*it.text);
            let marked = text.and_then(|it| span.bytes.slice(it)).map(str::trim);
            names.extend(marked.filter(|it| is_word(it)).map(str::to_owned));
        }
        Self { code: diagnostic.code.clone().unwrap_or_default(), names, marks }
    }
}

/// The words between backticks: `a::b` gives both.
fn quoted(message: &str, names: &mut BTreeSet<String>) {
    for quote in message.split('`').skip(1).step_by(2) {
        let words = quote.split(|c: char| c != '_' && !c.is_alphanumeric());
        names.extend(words.filter(|it| !it.is_empty()).map(str::to_owned));
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c == '_' || c.is_alphanumeric())
}
