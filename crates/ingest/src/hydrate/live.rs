//! Files that changed, asked about at a live server while the map goes on being true.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use analyzer::session::{Limits, Position, Sandboxed, Session, SessionSettings, Transport};
use base::{ByteSpan, ContentHash, Ctx, EdgeKind, Host, ItemId, LineIndex, ProjectPath};
use graph::{ItemKind, ItemRow};
use syntax::facts::{FileFacts, Shape, TypeRef};

use super::collect::{call_offsets, collect};
use super::interfaces::of_expansion;
use super::run::{Hydrate, asked, label};
use super::said::{ByPlace, Heard, Said};
use super::signatures::{Named, of_hover};
use crate::read::parse;
use crate::state::{FileState, State};
use crate::{Hydrated, Index, IngestError, Options};

/// How long a server may load a workspace before it is asked all the same.
const PATIENCE: Duration = Duration::from_secs(120);
/// More changed files than these are a matter for the whole workspace.
const MAX_FILES: usize = 100;

/// A live rust-analyzer in a thread of its own, which is asked about files as they are saved: who
/// asks never waits for it. Dropped, it ends with its server.
pub struct Live {
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
    /// Who is asked.
    label: String,
    /// The state that was asked about last.
    asked: Option<u64>,
}

/// Files to be asked about.
struct Job {
    epoch: u64,
    files: Vec<FileJob>,
}

struct FileJob {
    path: ProjectPath,
    hash: ContentHash,
    text: Arc<str>,
    places: Vec<(u32, Position)>,
    /// Items, and where their names stand.
    items: Vec<(ItemId, Position)>,
    /// Macro calls of which the map has nothing that they make, and where their names stand.
    calls: Vec<(ItemId, Position)>,
}

/// What came of it.
pub(crate) struct Answer {
    epoch: u64,
    files: Vec<FileAnswer>,
    /// Why there is less than was asked for.
    pub(crate) trouble: Option<String>,
}

struct FileAnswer {
    path: ProjectPath,
    hash: ContentHash,
    /// Where the name at each byte is defined.
    targets: BTreeMap<u32, Vec<(PathBuf, Position)>>,
    named: Named,
}

impl Live {
    /// Asks `session`, which is called `label` as [`Index::hydrate`] calls what it ran; no server
    /// is started before there is something to ask.
    pub fn new(ctx: &Ctx, root: &Path, label: String, session: Session) -> Self {
        let (jobs, to_do) = channel::<Job>();
        let (done, answers) = channel();
        let (ctx, root) = (ctx.clone(), root.to_owned());
        std::thread::spawn(move || {
            while let Ok(mut job) = to_do.recv() {
                // What was asked for meanwhile is newer.
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

    /// What was answered since the last time.
    pub(crate) fn answer(&self) -> Option<Answer> {
        self.answers.try_iter().last()
    }

    /// Asks about files that changed since they were last asked about, once for each state.
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
        // Where the thread is gone syntax serves.
        let _ = self.jobs.send(Job { epoch: state.epoch, files });
    }
}

impl Index {
    /// A live server for the project, as [`Index::hydrate`] would run it; `host` outlives it.
    ///
    /// # Errors
    /// When there is no rust-analyzer that runs.
    pub fn live(
        &mut self,
        ctx: &Ctx,
        host: Arc<dyn Host>,
        options: &Options,
        how: &Hydrate,
    ) -> Result<Live, IngestError> {
        let found = self.look(ctx, options)?;
        let (env, analyzer) = self.locate(ctx, how)?;
        let root = self.project().root().to_owned();
        let work = self.project().cache_dir().join("analyzer");
        std::fs::create_dir_all(&work).map_err(IngestError::io("make", &work))?;
        let view = cargo::view_of(&root, &env.trust);
        let project = analyzer::Project { root: &root, view: &view };
        let memory = how.memory_bytes.unwrap_or_else(analyzer::memory_by_default);
        let server = Sandboxed::new(host, &env, &analyzer, &project, &work, memory);
        let settings = SessionSettings {
            features: asked(&found.inputs.manifests),
            runs_project_code: how.runs_project_code,
            is_primed: false,
        };
        // Words of another version, or said under other settings, are not mixed with these.
        let label = label(&analyzer, how);
        let transport: Arc<dyn Transport> = Arc::new(server);
        let limits = Limits { request: Limits::default().first, ..Limits::default() };
        let session = Session::new(transport, root.clone(), settings.to_json(), limits);
        Ok(Live::new(ctx, &root, label, session))
    }

    /// Takes up what was answered, where the map still is of the state that was asked about;
    /// `None`: it is not, and is to be asked about anew.
    pub(crate) fn take_answer(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        answer: &Answer,
    ) -> Result<Option<Hydrated>, IngestError> {
        let state = self.state();
        let Some(former) = state.hydration.clone() else { return Ok(None) };
        if state.epoch != answer.epoch || state.map.is_none() || answer.files.is_empty() {
            return Ok(None);
        }
        let by_place = ByPlace::new(state);
        let root = self.project().root();
        let mut heard = Heard { at: ctx.now(), ..Heard::default() };
        for file in &answer.files {
            let number = state.files.binary_search_by(|known| known.path.cmp(&file.path));
            let Ok(number) = number else { continue };
            if state.files[number].hash != file.hash {
                continue;
            }
            let reader = Reader { state, root, by_place: &by_place };
            let places = file.targets.iter();
            let of_file = places.map(|(offset, targets)| (*offset, reader.meanings(targets)));
            heard.places.insert(number, of_file.collect());
            heard.named.insert(number, file.named.clone());
        }
        let hydration = collect(state, &heard, &former.analyzer, former.key.clone(), Some(&former));
        Ok(Some(self.keep(ctx, options, hydration)?.0))
    }
}

struct Reader<'a> {
    state: &'a State,
    root: &'a Path,
    by_place: &'a ByPlace<'a>,
}

impl Reader<'_> {
    fn meanings(&self, targets: &[(PathBuf, Position)]) -> Vec<Said> {
        let mut said: Vec<Said> =
            targets.iter().map(|(path, position)| self.meaning(path, *position)).collect();
        said.sort_unstable();
        said.dedup();
        said
    }

    fn meaning(&self, path: &Path, position: Position) -> Said {
        let Ok(path) = ProjectPath::within(self.root, path) else { return Said::Elsewhere };
        let number = self.state.files.binary_search_by(|file| file.path.cmp(&path));
        // In the tree, and no file of the map: vendored, or made by a build script.
        let Ok(number) = number else { return Said::Elsewhere };
        let file = &self.state.files[number];
        let line = LineIndex::new(&file.text).line_span(position.line + 1);
        let Some(offset) = line.map(|line| line.start as u32 + position.column) else {
            return Said::Unknown;
        };
        if let Some(row) = self.by_place.named(number as u32, offset) {
            return Said::Ours(row);
        }
        // A variable of a function around, or a field: no item. What a macro made has the place of
        // its call, and could be anything.
        let around =
            file.nodes.rows.iter().filter(|row| row.span.0 <= offset && offset < row.span.1);
        let is_known = |kind: ItemKind| {
            use ItemKind::{Function, Method, Struct, Union, Variant};
            matches!(kind, Function | Method | Struct | Union | Variant)
        };
        let innermost = around.min_by_key(|row| row.span.1 - row.span.0);
        match innermost {
            Some(row) if is_known(row.kind) && !row.flags.from_macro => Said::Elsewhere,
            _ => Said::Unknown,
        }
    }
}

/// Asks about all places of all files, each text as the map has it.
fn answer(ctx: &Ctx, root: &Path, session: &Session, job: Job) -> Answer {
    let mut answer = Answer { epoch: job.epoch, files: Vec::new(), trouble: None };
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
    // What is not asked about may lead to what changed.
    session.files_changed(&paths);
    for (file, path) in job.files.iter().zip(&paths) {
        session.open(ctx, path, &file.text)?;
    }
    let result = job.files.iter().zip(&paths).try_for_each(|(file, path)| {
        let places: Vec<(PathBuf, Position)> =
            file.places.iter().map(|(_, position)| (path.clone(), *position)).collect();
        let mut targets = BTreeMap::new();
        for ((offset, _), found) in file.places.iter().zip(session.definitions(ctx, &places)?) {
            // One that is missing is not known; syntax serves there.
            let Ok(found) = found else { continue };
            if !found.is_empty() {
                let found = found.into_iter().map(|target| (target.path, target.range.start));
                targets.insert(*offset, found.collect());
            }
        }
        let names: Vec<(PathBuf, Position)> =
            file.items.iter().map(|(_, position)| (path.clone(), *position)).collect();
        let shown = session.hovers(ctx, &names)?.into_iter();
        let signatures = (file.items.iter().zip(shown))
            .filter_map(|((id, _), shown)| Some((*id, of_hover(&shown?)?)))
            .collect();
        let mut made = Vec::new();
        for (id, position) in &file.calls {
            // One that does not expand makes nothing.
            if let Ok(Some(expansion)) = session.expand_macro(ctx, path, *position) {
                made.push((*id, of_expansion(&expansion.text)));
            }
        }
        made.retain(|(_, made)| !made.is_empty());
        let named = Named { signatures, made };
        answers.push(FileAnswer { path: file.path.clone(), hash: file.hash, targets, named });
        Ok(())
    });
    paths.iter().for_each(|path| session.close(path));
    result
}

/// The names that are worth a question: those at which syntax found something or nothing, all that
/// are called, and the headers of impls.
fn places(file: &FileState) -> Vec<(u32, Position)> {
    let facts =
        if file.has_bodies { file.facts.clone() } else { parse(&file.path, &file.text).facts };
    let mut offsets = call_offsets(&facts);
    header_offsets(&facts, &mut offsets);
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

/// The items of a file that have a name of their own there.
fn items(state: &State, number: usize) -> Vec<(ItemId, Position)> {
    at_rows(state, number, |row| {
        use ItemKind::{Impl, Import, MacroCall, Module};
        let is_defined = !matches!(row.kind, Impl | Import | MacroCall | Module);
        (is_defined && row.name_span.0 < row.name_span.1).then_some(row.name_span.0)
    })
}

/// The macro calls of a file of which the map has nothing that they make.
fn calls(state: &State, number: usize) -> Vec<(ItemId, Position)> {
    let Some(file) = state.files.get(number) else { return Vec::new() };
    let made = file.nodes.rows.iter().filter(|row| row.flags.from_macro);
    let makers: BTreeSet<(u32, u32)> = made.map(|row| row.span).collect();
    at_rows(state, number, |row| {
        let is_open = row.kind == ItemKind::MacroCall && !makers.contains(&row.span);
        (is_open && !row.flags.from_macro).then_some(row.code_start)
    })
}

/// The items of a file for which `at` finds a byte, with its place.
fn at_rows(
    state: &State,
    number: usize,
    at: impl Fn(&ItemRow) -> Option<u32>,
) -> Vec<(ItemId, Position)> {
    let (Some(file), Some(slots)) = (state.files.get(number), state.places.rows.get(number)) else {
        return Vec::new();
    };
    let lines = LineIndex::new(&file.text);
    let placed = file.nodes.rows.iter().zip(slots).filter_map(|(row, slot)| {
        let position = position(&lines, at(row)?)?;
        Some((state.slots.id(*slot)?, position))
    });
    placed.collect()
}

fn position(lines: &LineIndex, offset: u32) -> Option<Position> {
    let line = lines.line_of(offset as usize);
    let ByteSpan { start, .. } = lines.line_span(line)?;
    let column = offset.checked_sub(start as u32)?;
    Some(Position { line: line.checked_sub(1)?, column })
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
