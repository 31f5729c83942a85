//! The present tree as the rules see it: texts, places, errors.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

pub(crate) use base::has_word;
use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath, SortedMap, SortedSet, is_word};
use edit::Files;
use preserve::outline::tokens;
use syntax::places::{Definition, DefinitionKind, PartKind, Places, Use, places};

use crate::changed::Changed;
use crate::{Difference, Intent};

/// Most files of the project that are searched for a definition.
const MAX_SEARCHED: usize = 2_000;

/// One text of the present tree.
pub(crate) struct Text {
    pub(crate) path: ProjectPath,
    pub(crate) text: Arc<str>,
    pub(crate) places: Places,
}

impl Text {
    pub(crate) fn slice(&self, span: ByteSpan) -> &str {
        span.slice(&self.text).unwrap_or("")
    }

    /// The innermost function around a position.
    pub(crate) fn function_at(&self, at: usize) -> Option<&Definition> {
        self.places.function_at(at)
    }

    /// The lines that a span touches, without the end of the last.
    pub(crate) fn lines_around(&self, span: ByteSpan) -> ByteSpan {
        lines_around(&self.text, span)
    }

    /// The uses around a span, the innermost first.
    pub(crate) fn uses_around(&self, span: ByteSpan) -> Vec<&Use> {
        let mut found: Vec<&Use> =
            self.places.uses.iter().filter(|it| it.span.contains(span)).collect();
        found.sort_by_key(|it| it.span.len());
        found
    }
}

/// The present tree.
pub(crate) struct Project<'a> {
    pub(crate) difference: &'a Difference,
    files: &'a dyn Files,
    read: RefCell<SortedMap<ProjectPath, Option<Rc<Text>>>>,
    /// Files of the difference and of the errors.
    near: SortedSet<ProjectPath>,
    /// The other files of the project, once one of them is asked for.
    others: OnceCell<Vec<(ProjectPath, Arc<str>)>>,
    /// The changed files as tokens, once they are asked for.
    changed: OnceCell<Vec<Changed<'a>>>,
}

impl<'a> Project<'a> {
    pub(crate) fn new(
        difference: &'a Difference,
        errors: &[Diagnostic],
        files: &'a dyn Files,
    ) -> Self {
        let mut near: SortedSet<ProjectPath> =
            difference.files().map(|(path, _)| path.clone()).collect();
        for error in errors {
            let children = error.children.iter().flat_map(|it| &it.spans);
            let spans = error.spans.iter().chain(children);
            let paths = spans.filter_map(|it| it.place.project().cloned());
            near.extend(paths.filter(|it| it.extension() == Some("rs")));
        }
        Self {
            difference,
            files,
            read: RefCell::default(),
            near,
            others: OnceCell::new(),
            changed: OnceCell::new(),
        }
    }

    /// The changed files that still exist, as tokens.
    pub(crate) fn changed(&self) -> &[Changed<'a>] {
        self.changed.get_or_init(|| Changed::of(self.difference))
    }

    /// One file; `None` if it cannot be read.
    pub(crate) fn text(&self, path: &ProjectPath) -> Option<Rc<Text>> {
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let own = self.files.read(path).ok().flatten().map(|it| it.text);
        let text = own.or_else(|| self.difference.libraries().iter().find_map(|it| it.text(path)));
        let text = text.map(|text| {
            let places = places(&text);
            Rc::new(Text { path: path.clone(), text, places })
        });
        self.read.borrow_mut().insert(path.clone(), text.clone());
        text
    }

    /// The names of the parameters that the intent's definition has now.
    pub(crate) fn parameters(&self, intent: &Intent) -> Option<Vec<String>> {
        let (text, of) = (self.text(&intent.path)?, intent.what.of());
        let mut definitions = text.places.definitions.iter();
        let it = definitions
            .find(|it| it.kind == of.kind && it.name == of.name && it.owner == of.owner)?;
        let parts = it.parts.iter().filter(|it| it.kind == PartKind::Parameter);
        Some(parts.map(|it| it.name.clone()).collect())
    }

    /// Text of a file that is no Rust.
    pub(crate) fn plain(&self, path: &ProjectPath) -> Option<Arc<str>> {
        self.files.read(path).ok().flatten().map(|it| it.text)
    }

    /// Whether a name is that of a trait of a changed file or dependency.
    pub(crate) fn is_trait(&self, name: &str) -> bool {
        let is_it = |it: &Definition| it.kind == DefinitionKind::Trait && it.name == name;
        self.difference.libraries().iter().any(|it| it.new.members.is_trait(name))
            || self
                .difference
                .files()
                .filter_map(|(path, _)| self.text(path))
                .any(|text| text.places.definitions.iter().any(is_it))
    }

    /// The files of the difference and of the errors.
    pub(crate) fn near(&self) -> Vec<Rc<Text>> {
        self.near.iter().filter_map(|path| self.text(path)).collect()
    }

    /// All files that contain a word, those of the difference and of the errors first.
    pub(crate) fn with_word(&self, word: &str) -> Vec<Rc<Text>> {
        let mut found = self.near();
        found.retain(|it| it.text.contains(word));
        let others = self.others.get_or_init(|| self.read_others());
        let others = others.iter().filter(|(_, text)| text.contains(word));
        found.extend(others.filter_map(|(path, _)| self.text(path)));
        found
    }

    /// All files, by path.
    pub(crate) fn every_text(&self) -> Vec<(ProjectPath, Arc<str>)> {
        let near = self.near().into_iter().map(|it| (it.path.clone(), Arc::clone(&it.text)));
        let others = self.others.get_or_init(|| self.read_others());
        let mut all: Vec<(ProjectPath, Arc<str>)> = near.chain(others.iter().cloned()).collect();
        all.sort();
        all
    }

    fn read_others(&self) -> Vec<(ProjectPath, Arc<str>)> {
        let others = self.difference.sources().iter().filter(|it| !self.near.contains(*it));
        let read =
            |path: &ProjectPath| Some((path.clone(), self.files.read(path).ok().flatten()?.text));
        others.take(MAX_SEARCHED).filter_map(read).collect()
    }
}

/// The start of the line of a position; of the first line after the byte order mark.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    const MARK: &str = "\u{feff}";
    let before = text.get(..at).unwrap_or_default();
    let mark = if before.starts_with(MARK) { MARK.len() } else { 0 };
    before.rfind('\n').map_or(mark, |it| it + 1)
}

/// The lines of a text that a span touches, without the end of the last.
pub(crate) fn lines_around(text: &str, span: ByteSpan) -> ByteSpan {
    let start = line_start(text, span.start);
    let end = text.get(span.end..).and_then(|it| it.find('\n'));
    ByteSpan::new(start, end.map_or(text.len(), |it| span.end + it))
}

/// A span with the rest of its lines, if nothing else is on them.
pub(crate) fn whole_lines(text: &str, span: ByteSpan) -> ByteSpan {
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
pub(crate) fn needs_space(before: &str, after: &str) -> bool {
    before.ends_with(is_word) && after.starts_with(is_word)
}

/// A text in one spelling: its tokens, one space between two words.
pub(crate) fn spelled(text: &str) -> String {
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
pub(crate) fn type_head(written: &str) -> &str {
    let mut rest = written.trim_start_matches(['&', '*']).trim_start();
    if let Some(lifetime) = rest.strip_prefix('\'') {
        rest = lifetime.trim_start_matches(base::is_word).trim_start();
    }
    let rest = rest.strip_prefix("mut ").unwrap_or(rest).trim_start();
    let path = rest.split(['<', ' ', ',', '`']).next().unwrap_or("");
    path.rsplit("::").next().unwrap_or("")
}

/// Whether a definition is a member of a trait: its declaration, or in an impl.
pub(crate) fn is_of_trait(it: &Definition, of_trait: &str) -> bool {
    it.of_trait.as_deref().unwrap_or(&it.owner) == of_trait
}

/// The words in backticks of a message.
pub(crate) fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}

/// The place in a written text: of a span inside an expansion the call.
pub(crate) fn outermost(span: &DiagnosticSpan) -> &DiagnosticSpan {
    let mut span = span;
    // Declarative macros keep the spans of what they are passed.
    while let Some(expansion) = span.expansion.as_deref().filter(|_| span.place.project().is_none())
    {
        span = &expansion.call_site;
    }
    span
}
