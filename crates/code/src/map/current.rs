//! The map, updated to the present files: the input of all map commands.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use base::{ContentHash, Ctx, EdgeKind, ItemKind, ProjectPath, SortedMap};
use graph::{ItemView, Map};
use ingest::{Description, Index, IndexReport, Options, Signatures};
use project::closed_to_agents;
use project::{FileAccess, Workspace};

use super::docs::{doc_text, inner_doc_text};
use crate::CodeError;
use crate::live::LiveMap;

/// The map, updated to the present files, with the file texts that results quote.
pub struct CurrentMap<'a> {
    workspace: &'a Workspace,
    shared: Arc<MapSnapshot>,
}

/// A map and what was read for it; it stays valid while newer ones are published.
pub(crate) struct MapSnapshot {
    index: Arc<Mutex<Index>>,
    map: Arc<Map>,
    report: IndexReport,
    /// Texts by file, as far as they are known.
    texts: Mutex<SortedMap<u32, Option<Arc<str>>>>,
    signatures: OnceLock<Signatures>,
}

impl MapSnapshot {
    /// A snapshot of the map of `index`, which `report` describes.
    pub(crate) fn new(index: Index, report: IndexReport) -> Self {
        let map = index.map();
        let index = Arc::new(Mutex::new(index));
        Self { index, map, report, texts: Mutex::default(), signatures: OnceLock::new() }
    }

    /// As [`MapSnapshot::new`], of an index that continues: with all texts that it has in memory, so that
    /// no answer mixes the map with later texts.
    pub(crate) fn of_kept(shared: Arc<Mutex<Index>>, index: &Index, report: IndexReport) -> Self {
        let map = index.map();
        let texts = (0..map.file_count()).filter_map(|file| {
            let view = map.file(file)?;
            let path = ProjectPath::new(view.path).ok()?;
            Some((file, Some(index.known_text(&path, view.hash)?)))
        });
        let texts = Mutex::new(texts.collect());
        Self { index: shared, map, report, texts, signatures: OnceLock::new() }
    }

    /// The signatures by rust-analyzer. The first call waits while the index is updated.
    pub(crate) fn signatures(&self) -> &Signatures {
        self.signatures.get_or_init(|| base::lock(&self.index).signatures())
    }

    pub(crate) fn map(&self) -> &Arc<Map> {
        &self.map
    }
}

impl<'a> CurrentMap<'a> {
    /// Updates the map and opens it. In a workspace that is kept current this is cheap.
    ///
    /// # Errors
    /// A tree that cannot be read, or an index that cannot be written.
    pub fn open(ctx: &Ctx, workspace: &'a Workspace) -> Result<Self, CodeError> {
        match LiveMap::of(workspace) {
            Some(live) => Ok(Self { workspace, shared: live.snapshot(ctx)? }),
            None => Self::with_options(ctx, workspace, &Options::default()),
        }
    }

    /// The map of a snapshot, which may be older than the files.
    pub(crate) fn of_snapshot(workspace: &'a Workspace, shared: Arc<MapSnapshot>) -> Self {
        Self { workspace, shared }
    }

    /// As [`CurrentMap::open`], with options, and always from the files.
    ///
    /// # Errors
    /// As [`CurrentMap::open`].
    pub(crate) fn with_options(
        ctx: &Ctx,
        workspace: &'a Workspace,
        options: &Options,
    ) -> Result<Self, CodeError> {
        let mut index = workspace.index(ctx)?;
        let report = index.refresh(ctx, options)?;
        Ok(Self { workspace, shared: Arc::new(MapSnapshot::new(index, report)) })
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.shared.map
    }

    /// Statistics and cost of the update.
    pub fn report(&self) -> &IndexReport {
        &self.shared.report
    }

    /// The index that stores the map.
    pub(crate) fn index(&self) -> MutexGuard<'_, Index> {
        base::lock(&self.shared.index)
    }

    /// The project of the map.
    pub fn workspace(&self) -> &'a Workspace {
        self.workspace
    }

    /// The item that `query` names.
    ///
    /// # Errors
    /// [`CodeError::NoItem`] or [`CodeError::Ambiguous`].
    pub fn one(&self, query: &str) -> Result<ItemView<'_>, CodeError> {
        let found = self.named(query);
        // A member of a trait and those of its impls are asked about together.
        let implements = |it: u32, of: u32| {
            let mut edges = self.map().edges_out(it).filter(|it| it.kind == EdgeKind::Implements);
            it == of || edges.any(|edge| edge.dst == of)
        };
        let lead = found.iter().find(|of| found.iter().all(|it| implements(*it, **of)));
        match lead.map_or(&found[..], std::slice::from_ref) {
            [] => Err(self.no_item(query)),
            [number] => self
                .map()
                .item(*number)
                .ok_or_else(|| CodeError::NoItem { query: query.to_owned(), nearest: Vec::new() }),
            several => {
                let items = several.iter().filter_map(|number| self.map().item(*number));
                Err(CodeError::Ambiguous {
                    query: query.to_owned(),
                    candidates: items.map(|item| describe(&item)).collect(),
                })
            }
        }
    }

    /// The items that a query means. A place (`file.rs:7`) is relative to the directory of the command or
    /// to the project; where both have the file, both are meant.
    fn named(&self, query: &str) -> Vec<u32> {
        let mut found = Vec::new();
        if let Some(place) = self.workspace.place_from_here(query) {
            found.extend(self.map().find(&place));
        }
        found.extend(self.map().find(query));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The error for a query without an item.
    pub fn no_item(&self, query: &str) -> CodeError {
        let first = query.trim_start_matches("::").split("::").next().unwrap_or(query);
        let is_first = |name: &str| name == first || name.replace('-', "_") == first;
        let outside = self.map().items().find(|item| {
            item.kind == ItemKind::External && query.contains("::") && is_first(&item.name())
        });
        let files = self.left_out();
        match outside {
            None if !files.is_empty() => CodeError::NotMapped { query: query.to_owned(), files },
            Some(item) => CodeError::OutsideItem {
                query: query.to_owned(),
                package: item.name().into_owned(),
            },
            None => {
                CodeError::NoItem { query: query.to_owned(), nearest: self.map().nearest(query, 5) }
            }
        }
    }

    /// Files whose code is not in the map since a link leads out of the project, with the reason.
    pub(crate) fn left_out(&self) -> Vec<String> {
        let links = self.map().problems().filter(|it| it.kind == ingest::LINK);
        links.map(|it| format!("`{}`: {}", it.path, it.message)).collect()
    }

    /// The text of a file; `None` if it changed since the update.
    pub(crate) fn text(&self, file: u32) -> Option<Arc<str>> {
        if let Some(known) = base::lock(&self.shared.texts).get(&file) {
            return known.clone();
        }
        let text = self.read(file);
        base::lock(&self.shared.texts).insert(file, text.clone());
        text
    }

    /// The same, not kept for later: for a look at all files.
    pub(crate) fn read(&self, file: u32) -> Option<Arc<str>> {
        let view = self.map().file(file)?;
        let path = ProjectPath::new(view.path).ok()?;
        if self.workspace.is_for_agents() && policy::is_hidden(&path) {
            return None;
        }
        let bytes = untrusted_fs::read_source(self.workspace.project().root(), path.as_str())?;
        if ContentHash::of(&bytes) != view.hash {
            return None;
        }
        String::from_utf8(bytes).ok().map(Arc::from)
    }

    /// Calls `f` with the description of an item, which borrows the text of its file.
    pub(crate) fn describe<R>(
        &self,
        item: &ItemView<'_>,
        f: impl FnOnce(&Description<'_>) -> R,
    ) -> R {
        let text = self.text(item.file);
        let description = Description::of(self.map(), *item, text.as_deref());
        f(&description.with_ra(self.shared.signatures()))
    }

    /// The source text of an item with doc comments and attributes; for an item from a macro, the
    /// macro call.
    pub(crate) fn code(&self, item: &ItemView<'_>) -> String {
        self.slice(item, item.span.0, item.span.1)
    }

    /// Part of the text of an item's file; empty if the file changed since the update.
    pub(crate) fn slice(&self, item: &ItemView<'_>, from: u32, to: u32) -> String {
        self.describe(item, |it| it.slice(from, to).to_owned())
    }

    /// The documentation of an item, with the files that it includes as far as the caller may read them.
    pub(crate) fn docs(&self, item: &ItemView<'_>, access: FileAccess) -> String {
        let included = |path: &str| self.read_relative(item.file, path, access);
        self.describe(item, |it| doc_text(it.before(), &included))
    }

    /// The inner documentation of a file, for a person.
    pub(crate) fn inner_docs(&self, file: u32) -> String {
        let included = |path: &str| self.read_relative(file, path, FileAccess::Person);
        self.text(file).map(|text| inner_doc_text(&text, &included)).unwrap_or_default()
    }

    /// The text of the file at `path`, relative to the directory of `file`; `None` if it is outside
    /// the project. In place of a file that is closed to the caller, a note.
    fn read_relative(&self, file: u32, path: &str, access: FileAccess) -> Option<String> {
        const MAX_BYTES: u64 = 1 << 20;
        let root = self.workspace.project().root();
        let folder = root.join(self.map().file(file)?.path).parent()?.to_owned();
        let found = folder.join(path).canonicalize().ok()?;
        let below = found.strip_prefix(root).ok()?;
        if access == FileAccess::Agent {
            let below = ProjectPath::new(below.to_str()?).ok()?;
            if let Some(reason) = closed_to_agents(self.workspace.ctx(), self.workspace, &below) {
                return Some(format!("(`{}` is left out: {reason})", base::visible_line(path)));
            }
        }
        let bytes = untrusted_fs::Dir::open(root).ok()?.read(below, MAX_BYTES).ok()??.bytes;
        String::from_utf8(bytes).ok()
    }

    /// The best known signature of an item, one line.
    pub(crate) fn signature(&self, item: &ItemView<'_>) -> String {
        self.describe(item, |it| it.best_signature())
    }
}

impl search::Texts for CurrentMap<'_> {
    fn text(&self, file: u32) -> Option<Cow<'_, str>> {
        self.text(file).map(|text| Cow::Owned(text.to_string()))
    }
}

/// `method demo/demo::io::Reader::read (src/io.rs:7), key src-io.rs-Reader::read`.
fn describe(item: &ItemView<'_>) -> String {
    let location = item.path().map(|path| format!(" ({path}:{})", item.line)).unwrap_or_default();
    format!("{} {}{location}, key `{}`", item.kind.as_str(), item.canon(), item.key())
}

/// The description of a resolver rule; `None` for edges that follow from the syntax tree.
pub(crate) fn rule(number: u8) -> Option<&'static str> {
    if number == ingest::ANALYZER_RULE {
        return Some("resolved by rust-analyzer");
    }
    resolve::Rule::of_number(number).map(resolve::Rule::sentence)
}
