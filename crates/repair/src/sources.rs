//! [`Sources`]: the Rust files of the project as reasoners search them.

use std::cell::OnceCell;
use std::sync::Arc;

use base::ProjectPath;
use edit::Files;
use syntax::places::{Places, places};

use crate::fix::text_of;

/// Most files that are searched for what is only a proposal among others.
const MAX_SEARCHED: usize = 2_000;

/// The sources of the project, read when the first error asks for them; each is parsed at most once.
pub(crate) struct Sources<'a> {
    paths: &'a [ProjectPath],
    files: &'a dyn Files,
    list: OnceCell<Vec<Source<'a>>>,
}

/// One file.
pub(crate) struct Source<'a> {
    pub(crate) path: &'a ProjectPath,
    pub(crate) text: Arc<str>,
    places: OnceCell<Places>,
}

impl<'a> Sources<'a> {
    /// All of these files.
    pub(crate) fn all(paths: &'a [ProjectPath], files: &'a dyn Files) -> Self {
        Self { paths, files, list: OnceCell::new() }
    }

    /// The first of these files, at most 2,000.
    pub(crate) fn some(paths: &'a [ProjectPath], files: &'a dyn Files) -> Self {
        Self::all(&paths[..paths.len().min(MAX_SEARCHED)], files)
    }

    /// The files that can be read, in their order.
    pub(crate) fn read(&self) -> &[Source<'a>] {
        self.list.get_or_init(|| {
            let source = |path| {
                Some(Source { path, text: text_of(self.files, path)?, places: OnceCell::new() })
            };
            self.paths.iter().filter_map(source).collect()
        })
    }
}

impl Source<'_> {
    pub(crate) fn places(&self) -> &Places {
        self.places.get_or_init(|| places(&self.text))
    }
}
