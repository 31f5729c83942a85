//! File texts for ranking and packing.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base::{ContentHash, ProjectPath};
use graph::Map;
use search::Texts;

/// Texts of files with the hashes of the map, read on demand and cached.
pub(super) struct FileTexts<'a> {
    map: &'a Map,
    root: PathBuf,
    known: Mutex<BTreeMap<u32, Option<Arc<str>>>>,
}

impl<'a> FileTexts<'a> {
    pub(super) fn new(map: &'a Map, root: &Path) -> Self {
        Self { map, root: root.to_owned(), known: Mutex::default() }
    }

    fn read(&self, file: u32) -> Option<Arc<str>> {
        let view = self.map.file(file)?;
        let path = ProjectPath::new(view.path).ok()?;
        let bytes = beneath::read_source(&self.root, path.as_str())?;
        if ContentHash::of(&bytes) != view.hash {
            return None;
        }
        String::from_utf8(bytes).ok().map(Arc::from)
    }
}

impl Texts for FileTexts<'_> {
    fn text(&self, file: u32) -> Option<Cow<'_, str>> {
        let mut known = base::lock(&self.known);
        let text = known.entry(file).or_insert_with(|| self.read(file));
        text.as_ref().map(|text| Cow::Owned(text.to_string()))
    }
}
