//! The present tree as the rules see it: texts, places, errors.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

pub(crate) use base::has_word;
use base::{Diagnostic, ProjectPath, SortedMap, SortedSet};
use edit::Files;
use refactor::PlacedText;
use syntax::places::{Definition, DefinitionKind, PartKind, places};

use crate::changed::Changed;
use crate::{Difference, Intent};

/// Most files of the project that are searched for a definition.
const MAX_SEARCHED: usize = 2_000;

/// The present tree.
pub(crate) struct Project<'a> {
    pub(crate) difference: &'a Difference,
    files: &'a dyn Files,
    read: RefCell<SortedMap<ProjectPath, Option<Rc<PlacedText>>>>,
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
    pub(crate) fn text(&self, path: &ProjectPath) -> Option<Rc<PlacedText>> {
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let own = self.files.read(path).ok().flatten().map(|it| it.text);
        let text = own.or_else(|| self.difference.libraries().iter().find_map(|it| it.text(path)));
        let text = text.map(|text| {
            let places = places(&text);
            Rc::new(PlacedText { path: path.clone(), text, places })
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
    pub(crate) fn near(&self) -> Vec<Rc<PlacedText>> {
        self.near.iter().filter_map(|path| self.text(path)).collect()
    }

    /// All files that contain a word, those of the difference and of the errors first.
    pub(crate) fn with_word(&self, word: &str) -> Vec<Rc<PlacedText>> {
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

/// Whether a definition is a member of a trait: its declaration, or in an impl.
pub(crate) fn is_of_trait(it: &Definition, of_trait: &str) -> bool {
    it.of_trait.as_deref().unwrap_or(&it.owner) == of_trait
}
