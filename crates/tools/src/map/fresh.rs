use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use base::{ContentHash, Ctx, ProjectPath};
use graph::{ItemView, Map};
use ingest::{Description, Index, Options, Report, Signatures};

use super::docs::{doc_text, inner_doc_text};
use crate::{Error, Workspace};

/// The map, true to the files as they stand, with the texts that answers quote.
pub struct Fresh<'a> {
    workspace: &'a Workspace,
    index: Index,
    map: Arc<Map>,
    report: Report,
    texts: RefCell<BTreeMap<u32, Option<Arc<str>>>>,
    signatures: OnceCell<Signatures>,
}

impl<'a> Fresh<'a> {
    /// Brings the map up to date and opens it.
    pub fn open(ctx: &Ctx, workspace: &'a Workspace) -> Result<Self, Error> {
        Self::with_options(ctx, workspace, &Options::default())
    }

    /// As [`Fresh::open`], told how.
    pub fn with_options(
        ctx: &Ctx,
        workspace: &'a Workspace,
        options: &Options,
    ) -> Result<Self, Error> {
        let mut index = workspace.index(ctx)?;
        let report = index.refresh(ctx, options)?;
        let map = index.map();
        let (texts, signatures) = (RefCell::default(), OnceCell::new());
        Ok(Self { workspace, index, map, report, texts, signatures })
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// What bringing it up to date found and cost.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Where the map lies and is kept.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// The project it is of.
    pub fn workspace(&self) -> &'a Workspace {
        self.workspace
    }

    /// The one item that `query` means.
    pub fn one(&self, query: &str) -> Result<ItemView<'_>, Error> {
        match self.map.find(query)[..] {
            [] => {
                Err(Error::NoItem { query: query.to_owned(), nearest: self.map.nearest(query, 5) })
            }
            [number] => self
                .map
                .item(number)
                .ok_or_else(|| Error::NoItem { query: query.to_owned(), nearest: Vec::new() }),
            ref several => {
                let items = several.iter().filter_map(|number| self.map.item(*number));
                Err(Error::Ambiguous {
                    query: query.to_owned(),
                    candidates: items.map(|item| describe(&item)).collect(),
                })
            }
        }
    }

    /// The text of a file, where it still is what was indexed.
    pub fn text(&self, file: u32) -> Option<Arc<str>> {
        if let Some(known) = self.texts.borrow().get(&file) {
            return known.clone();
        }
        let text = self.read(file);
        self.texts.borrow_mut().insert(file, text.clone());
        text
    }

    fn read(&self, file: u32) -> Option<Arc<str>> {
        let view = self.map.file(file)?;
        let path = ProjectPath::new(view.path).ok()?;
        let bytes = beneath::read_source(self.workspace.project().root(), path.as_str())?;
        if ContentHash::of(&bytes) != view.hash {
            return None;
        }
        String::from_utf8(bytes).ok().map(Arc::from)
    }

    /// What is said of an item. The closure's part in it lives no longer than the file's text.
    pub(crate) fn describe<R>(
        &self,
        item: &ItemView<'_>,
        say: impl FnOnce(&Description<'_>) -> R,
    ) -> R {
        let text = self.text(item.file);
        let signatures = self.signatures.get_or_init(|| self.index.signatures());
        say(&Description::of(&self.map, *item, text.as_deref()).with_ra(signatures))
    }

    /// What stands where an item is, doc comments and attributes included: of what a macro made
    /// the call.
    pub(crate) fn code(&self, item: &ItemView<'_>) -> String {
        self.slice(item, item.span.0, item.span.1)
    }

    /// A part of an item's file; empty where it is not at hand.
    pub(crate) fn slice(&self, item: &ItemView<'_>, from: u32, to: u32) -> String {
        self.describe(item, |it| it.slice(from, to).to_owned())
    }

    /// What its documentation says.
    pub(crate) fn docs(&self, item: &ItemView<'_>) -> String {
        self.describe(item, |it| doc_text(it.before(), &|path| self.beside(item.file, path)))
    }

    /// What a file says of itself.
    pub(crate) fn inner_docs(&self, file: u32) -> String {
        let text = self.text(file);
        text.map(|text| inner_doc_text(&text, &|path| self.beside(file, path))).unwrap_or_default()
    }

    /// The text of the file that `path` leads to from the folder of another, where that is a file
    /// of the project.
    fn beside(&self, file: u32, path: &str) -> Option<String> {
        const LONGEST: u64 = 1 << 20;
        let root = self.workspace.project().root();
        let folder = root.join(self.map.file(file)?.path).parent()?.to_owned();
        let found = folder.join(path).canonicalize().ok()?;
        let below = found.strip_prefix(root).ok()?;
        let bytes = beneath::Dir::open(root).ok()?.read(below, LONGEST).ok()??.bytes;
        String::from_utf8(bytes).ok()
    }

    /// The best signature of an item, in one line.
    pub(crate) fn signature(&self, item: &ItemView<'_>) -> String {
        self.describe(item, |it| it.best_signature())
    }
}

/// `method demo/demo::io::Reader::read (src/io.rs:7), key src-io.rs-Reader::read`.
fn describe(item: &ItemView<'_>) -> String {
    let place = item.path().map(|path| format!(" ({path}:{})", item.line)).unwrap_or_default();
    format!("{} {}{place}, key `{}`", item.kind.as_str(), item.canon(), item.key())
}

/// A rule of the resolver, in words; `None` for what follows from the structure.
pub(crate) fn rule(number: u8) -> Option<&'static str> {
    if number == ingest::ANALYZER_RULE {
        return Some("the compiler's own rules, as rust-analyzer applies them");
    }
    resolve::Rule::of_number(number).map(resolve::Rule::sentence)
}
