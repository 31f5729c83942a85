//! Queries a live rust-analyzer server about changed files, in a background thread, while the map
//! is already updated from syntax.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use analyzer::session::{
    LspPosition, Sandboxed, Session, SessionLimits, SessionSettings, Transport,
};
use base::{
    ByteSpan, ContentHash, Ctx, EdgeKind, Host, ItemId, ItemKind, LineIndex, ProjectPath,
    SortedMap, SortedSet,
};
use graph::ItemRow;
use syntax::facts::{FileFacts, Shape, TypeRef};

use super::collect::{call_offsets, collect};
use super::interfaces::of_expansion;
use super::resolved_names::{AnalyzerFacts, DefinitionIndex, ResolvedName};
use super::run::{Hydrate, asked, label};
use super::signatures::{FileSignatures, of_hover};
use crate::state::{FileState, State};
use crate::{Hydrated, Index, IngestError, Options};

/// The time a server may take to load a workspace before it is queried anyway.
const PATIENCE: Duration = Duration::from_secs(120);
/// With more changed files than this the whole workspace should be analyzed instead.
const MAX_FILES: usize = 100;

/// A live rust-analyzer in its own thread, which is queried about saved files: the caller never
/// waits for it. Dropping it stops the server.
pub struct Live {
    jobs: Sender<Job>,
    answers: Receiver<LiveAnswer>,
    /// The label of the analyzer.
    label: String,
    /// The epoch that was queried last.
    asked: Option<u64>,
}

/// A request to query files.
struct Job {
    epoch: u64,
    files: Vec<FileJob>,
}

struct FileJob {
    path: ProjectPath,
    hash: ContentHash,
    text: Arc<str>,
    places: Vec<(u32, LspPosition)>,
    /// Items with the positions of their names.
    items: Vec<(ItemId, LspPosition)>,
    /// Macro calls without generated items in the map, with the positions of their names.
    calls: Vec<(ItemId, LspPosition)>,
}

/// The result of a job.
pub(crate) struct LiveAnswer {
    epoch: u64,
    files: Vec<FileAnswer>,
    /// Why results are missing.
    pub(crate) trouble: Option<String>,
}

struct FileAnswer {
    path: ProjectPath,
    hash: ContentHash,
    /// The definitions of the name at each offset.
    targets: SortedMap<u32, Vec<(PathBuf, LspPosition)>>,
    named: FileSignatures,
}

impl Live {
    /// Starts the thread. `label` must be the label that [`Index::hydrate`] uses for the same
    /// analyzer; the server is started with the first query.
    pub fn new(ctx: &Ctx, root: &Path, label: String, session: Session) -> Self {
        let (jobs, to_do) = channel::<Job>();
        let (done, answers) = channel();
        let (ctx, root) = (ctx.clone(), root.to_owned());
        std::thread::spawn(move || {
            while let Ok(mut job) = to_do.recv() {
                // A newer job replaces this one.
                while let Ok(newer) = to_do.try_recv() {
                    job = newer;
                }
                if done.send(answer(&ctx, &root, &session, job)).is_err() {
                    return;
                }
            }
        });
        Self { jobs, answers, label, asked: None }
    }

    /// The latest result since the last call.
    pub(crate) fn answer(&self) -> Option<LiveAnswer> {
        self.answers.try_iter().last()
    }

    /// Queries the files that changed since they were last analyzed, once for each epoch.
    pub(crate) fn ask(&mut self, state: &State) {
        if state.map.is_none() || self.asked == Some(state.epoch) {
            return;
        }
        self.asked = Some(state.epoch);
        let Some(hydration) = &state.hydration else { return };
        if hydration.analyzer != self.label {
            return;
        }
        let stale =
            |(file, _): &(&FileState, usize)| hydration.file(&file.path, file.hash).is_none();
        let files: Vec<_> = state.files.iter().zip(0..).filter(stale).collect();
        if files.is_empty() || files.len() > MAX_FILES {
            return;
        }
        let job = |(file, number): (&FileState, usize)| FileJob {
            path: file.path.clone(),
            hash: file.hash,
            text: file.text.clone(),
            places: places(file),
            items: items(state, number),
            calls: calls(state, number),
        };
        let files = files.into_iter().map(job).collect();
        // Without the thread the map keeps its syntax-based edges.
        let _ = self.jobs.send(Job { epoch: state.epoch, files });
    }
}

impl Index {
    /// A live server for the project, configured like [`Index::hydrate`]; `host` must outlive it.
    ///
    /// # Errors
    ///
    /// If there is no working rust-analyzer.
    pub fn live(
        &mut self,
        ctx: &Ctx,
        host: Arc<dyn Host>,
        options: &Options,
        how: &Hydrate,
    ) -> Result<Live, IngestError> {
        let found = self.read_tree(ctx, options)?;
        let (env, analyzer) = self.locate(ctx, how)?;
        let root = self.project().root().to_owned();
        let work = self.project().cache_dir().join("analyzer");
        let made = untrusted_fs::make_own(&work);
        made.map_err(|err| IngestError::io("create", &work)(err.into()))?;
        let view = build::view_of(&root, &env.trust);
        let project = analyzer::IndexedProject { root: &root, view: &view };
        let memory = how.memory_bytes.unwrap_or_else(analyzer::memory_by_default);
        let server = Sandboxed::new(host, &env, &analyzer, &project, &work, memory);
        let settings = SessionSettings {
            features: asked(&found.inputs.manifests),
            runs_project_code: how.runs_project_code,
            is_primed: false,
        };
        // Results of another version or other settings must not be mixed with these.
        let label = label(&analyzer, how);
        let transport: Arc<dyn Transport> = Arc::new(server);
        let limits =
            SessionLimits { request: SessionLimits::default().first, ..SessionLimits::default() };
        let session = Session::new(transport, root.clone(), settings.to_json(), limits);
        Ok(Live::new(ctx, &root, label, session))
    }

    /// Merges a result into the map; `None` if the map changed since the query, which must then be
    /// repeated.
    pub(crate) fn take_answer(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        answer: &LiveAnswer,
    ) -> Result<Option<Hydrated>, IngestError> {
        let state = self.state();
        let Some(former) = state.hydration.clone() else { return Ok(None) };
        if state.epoch != answer.epoch || state.map.is_none() || answer.files.is_empty() {
            return Ok(None);
        }
        let definitions = DefinitionIndex::new(state);
        let root = self.project().root();
        let mut analyzer_facts = AnalyzerFacts { at: ctx.now(), ..AnalyzerFacts::default() };
        for file in &answer.files {
            let number = state.files.binary_search_by(|known| known.path.cmp(&file.path));
            let Ok(number) = number else { continue };
            if state.files[number].hash != file.hash {
                continue;
            }
            let resolver = LiveResolver { state, root, definitions: &definitions };
            let places = file.targets.iter();
            let of_file = places.map(|(offset, targets)| (*offset, resolver.meanings(targets)));
            analyzer_facts.names.insert(number, of_file.collect());
            analyzer_facts.named.insert(number, file.named.clone());
        }
        let hydration =
            collect(state, &analyzer_facts, &former.analyzer, former.key.clone(), Some(&former));
        Ok(Some(self.keep(ctx, options, hydration)?.0))
    }
}

struct LiveResolver<'a> {
    state: &'a State,
    root: &'a Path,
    definitions: &'a DefinitionIndex<'a>,
}

impl LiveResolver<'_> {
    fn meanings(&self, targets: &[(PathBuf, LspPosition)]) -> Vec<ResolvedName> {
        let mut names: Vec<ResolvedName> =
            targets.iter().map(|(path, position)| self.meaning(path, *position)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn meaning(&self, path: &Path, position: LspPosition) -> ResolvedName {
        let Ok(path) = ProjectPath::within(self.root, path) else { return ResolvedName::Elsewhere };
        let number = self.state.files.binary_search_by(|file| file.path.cmp(&path));
        // In the tree but not in the map: vendored, or generated by a build script.
        let Ok(number) = number else { return ResolvedName::Elsewhere };
        let file = &self.state.files[number];
        let line = LineIndex::new(&file.text).line_span(position.line + 1);
        let Some(offset) = line.map(|line| line.start as u32 + position.column) else {
            return ResolvedName::UnresolvedFile;
        };
        if let Some(row) = self.definitions.named(number as u32, offset) {
            return ResolvedName::Ours(row);
        }
        // A local variable or a field is not an item. A generated item has the position of its
        // call, so the name could mean anything.
        let around =
            file.nodes.rows.iter().filter(|row| row.span.0 <= offset && offset < row.span.1);
        let is_known = |kind: ItemKind| {
            use ItemKind::{Function, Method, Struct, Union, Variant};
            matches!(kind, Function | Method | Struct | Union | Variant)
        };
        let innermost = around.min_by_key(|row| row.span.1 - row.span.0);
        match innermost {
            Some(row) if is_known(row.kind) && !row.flags.from_macro => ResolvedName::Elsewhere,
            _ => ResolvedName::UnresolvedFile,
        }
    }
}

/// Queries all positions of all files, with the texts that the map was built from.
fn answer(ctx: &Ctx, root: &Path, session: &Session, job: Job) -> LiveAnswer {
    let mut answer = LiveAnswer { epoch: job.epoch, files: Vec::new(), trouble: None };
    if let Err(error) = ask_all(ctx, root, session, &job, &mut answer.files) {
        answer.trouble = Some(error.to_string());
    }
    answer
}

fn ask_all(
    ctx: &Ctx,
    root: &Path,
    session: &Session,
    job: &Job,
    answers: &mut Vec<FileAnswer>,
) -> Result<(), analyzer::AnalyzerError> {
    session.ready(ctx, PATIENCE)?;
    let paths: Vec<PathBuf> = job.files.iter().map(|file| file.path.join_to(root)).collect();
    // Files that are not queried may refer to changed ones.
    session.files_changed(&paths);
    for (file, path) in job.files.iter().zip(&paths) {
        session.open(ctx, path, &file.text)?;
    }
    let result = job.files.iter().zip(&paths).try_for_each(|(file, path)| {
        let places: Vec<(PathBuf, LspPosition)> =
            file.places.iter().map(|(_, position)| (path.clone(), *position)).collect();
        let mut targets = SortedMap::new();
        for ((offset, _), found) in file.places.iter().zip(session.definitions(ctx, &places)?) {
            // A missing answer means unknown; the syntax-based edges stay.
            let Ok(found) = found else { continue };
            if !found.is_empty() {
                let found = found.into_iter().map(|target| (target.path, target.range.start));
                targets.insert(*offset, found.collect());
            }
        }
        let names: Vec<(PathBuf, LspPosition)> =
            file.items.iter().map(|(_, position)| (path.clone(), *position)).collect();
        let shown = session.hovers(ctx, &names)?.into_iter();
        let signatures = (file.items.iter().zip(shown))
            .filter_map(|((id, _), shown)| Some((*id, of_hover(&shown?)?)))
            .collect();
        let mut generated = Vec::new();
        for (id, position) in &file.calls {
            // A call that does not expand generates nothing.
            if let Ok(Some(expansion)) = session.expand_macro(ctx, path, *position) {
                generated.push((*id, of_expansion(&expansion.text)));
            }
        }
        generated.retain(|(_, generated)| !generated.is_empty());
        let named = FileSignatures { signatures, generated };
        answers.push(FileAnswer { path: file.path.clone(), hash: file.hash, targets, named });
        Ok(())
    });
    paths.iter().for_each(|path| session.close(path));
    result
}

/// The names worth querying: those with syntax links or unresolved sites, all callees, and impl
/// headers.
fn places(file: &FileState) -> Vec<(u32, LspPosition)> {
    let mut offsets = call_offsets(&file.facts);
    header_offsets(&file.facts, &mut offsets);
    if let Some(links) = file.syntax_links() {
        let named = |kind| matches!(kind, EdgeKind::Calls | EdgeKind::Uses);
        offsets.extend(links.links.iter().filter(|it| named(it.kind)).map(|it| it.offset));
        offsets.extend(links.unresolved.iter().map(|it| it.offset));
    }
    offsets.sort_unstable();
    offsets.dedup();
    let lines = LineIndex::new(&file.text);
    let at = |offset: u32| Some((offset, position(&lines, offset)?));
    offsets.into_iter().filter_map(at).collect()
}

/// The items of a file that have a name in it.
fn items(state: &State, number: usize) -> Vec<(ItemId, LspPosition)> {
    at_rows(state, number, |row| {
        use ItemKind::{Impl, Import, MacroCall, Module};
        let is_defined = !matches!(row.kind, Impl | Import | MacroCall | Module);
        (is_defined && row.name_span.0 < row.name_span.1).then_some(row.name_span.0)
    })
}

/// The macro calls of a file without generated items in the map.
fn calls(state: &State, number: usize) -> Vec<(ItemId, LspPosition)> {
    let Some(file) = state.files.get(number) else { return Vec::new() };
    let generated = file.nodes.rows.iter().filter(|row| row.flags.from_macro);
    let makers: SortedSet<(u32, u32)> = generated.map(|row| row.span).collect();
    at_rows(state, number, |row| {
        let is_open = row.kind == ItemKind::MacroCall && !makers.contains(&row.span);
        (is_open && !row.flags.from_macro).then_some(row.code_start)
    })
}

/// The items of a file for which `at` returns an offset, with its position.
fn at_rows(
    state: &State,
    number: usize,
    at: impl Fn(&ItemRow) -> Option<u32>,
) -> Vec<(ItemId, LspPosition)> {
    let (Some(file), Some(slots)) = (state.files.get(number), state.slot_tables.rows.get(number))
    else {
        return Vec::new();
    };
    let lines = LineIndex::new(&file.text);
    let placed = file.nodes.rows.iter().zip(slots).filter_map(|(row, slot)| {
        let position = position(&lines, at(row)?)?;
        Some((state.slots.id(*slot)?, position))
    });
    placed.collect()
}

fn position(lines: &LineIndex, offset: u32) -> Option<LspPosition> {
    let line = lines.line_of(offset as usize);
    let ByteSpan { start, .. } = lines.line_span(line)?;
    let column = offset.checked_sub(start as u32)?;
    Some(LspPosition { line: line.checked_sub(1)?, column })
}

fn header_offsets(facts: &FileFacts, offsets: &mut Vec<u32>) {
    let last = |path: syntax::facts::PathId| {
        let segment = facts.paths.get(path.idx())?.segments.last()?;
        Some(segment.offset)
    };
    for decl in &facts.decls {
        let Shape::Impl { self_type, of_trait, .. } = &decl.shape else { continue };
        offsets.extend(of_trait.and_then(last));
        let mut own = *self_type;
        while let Some(TypeRef::Ref(to)) = facts.types.get(own.idx()) {
            own = *to;
        }
        if let Some(TypeRef::Path(path)) = facts.types.get(own.idx()) {
            offsets.extend(last(*path));
        }
    }
}
