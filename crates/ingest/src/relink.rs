//! From facts to the map: definitions, rows, and the links of the files that may refer to something
//! else now. One function for every update – after a save, after any other change, and from
//! scratch, when every file changed. Start at [`relink`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::{Ctx, SortedSet};
use graph::ProblemRow;
use rayon::prelude::*;
use resolve::{DefId, DefMap, FileEdges, FileIdx, FileInput, WorkspaceInput};

use crate::IngestError;
use crate::assemble::{Assembled, assemble};
use crate::chunk_cache::ChunkCache;
use crate::hydrate::overlay;
use crate::links::{Changed, narrow};
use crate::node_interner::NodeInterner;
use crate::nodes::{Defs, FileNodes, defs_of, nodes_of};
use crate::phases::{Stopwatch, Work};
use crate::slot_tables::{SlotTables, assign_slots, translate};
use crate::state::{FileState, State};

/// With fewer files than this the work is done on this thread: waking other threads takes longer.
const FEW: usize = 8;
/// Debug builds compare incremental updates with updates from scratch up to this number of files.
const MAX_COMPARED: usize = 64;

/// What a state has to be updated to.
pub(crate) enum Change<'a> {
    /// New contents of files of the state, by number; everything else is as it was.
    Saved(Vec<(usize, FileState)>),
    /// Anything: the state contains the new files, those that changed without links. The
    /// definitions before; `None`: the map is built from scratch.
    Any(Option<&'a Arc<DefMap>>),
}

/// Why a state could not be updated.
#[derive(Debug)]
pub(crate) enum RelinkError {
    Ingest(IngestError),
    /// These files have a link to a missing node although no key of theirs changed: the law
    /// "incremental equals from scratch" is broken.
    MissedKeys(Vec<usize>),
}

impl From<IngestError> for RelinkError {
    fn from(err: IngestError) -> Self {
        Self::Ingest(err)
    }
}

impl From<base::Cancelled> for RelinkError {
    fn from(cancelled: base::Cancelled) -> Self {
        Self::Ingest(cancelled.into())
    }
}

impl From<RelinkError> for IngestError {
    fn from(err: RelinkError) -> Self {
        match err {
            RelinkError::Ingest(err) => err,
            RelinkError::MissedKeys(_) => Self::Rows { reason: "an edge has no target".to_owned() },
        }
    }
}

/// The next definitions, and how they differ from the ones before.
struct Definitions {
    map: DefMap,
    /// The keys whose results changed; `None`: all.
    changed: Option<Changed>,
    /// The files whose definitions may have other numbers, sorted.
    renumbered: Vec<usize>,
    /// The map before, if this one is a patched copy of it.
    patched: Option<Arc<DefMap>>,
}

/// What an update will do to a state; making it changes nothing.
struct Plan {
    saved: Vec<(usize, FileState)>,
    /// The definitions of the renumbered files.
    defs: Vec<(usize, Defs)>,
    /// New rows, of files with another text or another placement.
    nodes: Vec<(usize, FileNodes)>,
    /// New edges, of those files and of all that looked up a changed key; sorted by file.
    edges: Vec<(usize, FileEdges)>,
}

/// Updates `state` to `change`. Until the plan is made it can be cancelled; if it fails after that,
/// the state has no definitions, so the next update starts from scratch.
pub(crate) fn relink(
    ctx: &Ctx,
    state: &mut State,
    change: Change<'_>,
    cache: &mut ChunkCache,
    work: &mut Work,
) -> Result<Assembled, RelinkError> {
    let mut watch = Stopwatch::start();
    let definitions = define(state, &change, cache);
    let is_from_scratch = definitions.changed.is_none();
    work.is_whole = definitions.patched.is_none();
    ctx.check_cancelled()?;
    watch.lap(&mut work.phases.define_us);
    let plan = plan(ctx, state, change, &definitions)?;
    work.resolved += plan.edges.len() as u64;
    watch.lap(&mut work.phases.resolve_us);
    let assembled = apply(state, plan, definitions, cache)?;
    watch.lap(&mut work.phases.assemble_us);
    if cfg!(debug_assertions) && !is_from_scratch && state.files.len() <= MAX_COMPARED {
        compare_with_scratch(ctx, state, &assembled);
    }
    Ok(assembled)
}

/// Finds out which rows and edges change, and makes them.
fn plan(
    ctx: &Ctx,
    state: &State,
    change: Change<'_>,
    definitions: &Definitions,
) -> Result<Plan, IngestError> {
    let Definitions { map, changed, renumbered, .. } = definitions;
    let saved = match change {
        Change::Saved(saved) => saved,
        Change::Any(_) => Vec::new(),
    };
    let mut stale: SortedSet<usize> = saved.iter().map(|(number, _)| *number).collect();
    stale.extend((0..state.files.len()).filter(|it| state.files[*it].links.is_none()));
    let defs = each(renumbered, |number| (*number, defs_of(map, FileIdx(*number as u32))));
    ctx.check_cancelled()?;
    let is_other = |(number, defs): &&(usize, Defs)| {
        stale.contains(number) || state.files[*number].nodes.placement != defs.placement
    };
    let other: Vec<&(usize, Defs)> = defs.iter().filter(is_other).collect();
    let nodes =
        each(&other, |(number, defs)| (*number, nodes_of(map, FileIdx(*number as u32), defs)));
    ctx.check_cancelled()?;
    stale.extend(nodes.iter().map(|(number, _)| *number));
    for (number, file) in state.files.iter().enumerate() {
        let deps = file.links.as_ref().map_or(&[][..], |links| &links.deps);
        if changed.as_ref().is_none_or(|changed| changed.touches(deps)) {
            stale.insert(number);
        }
    }
    let edges = resolve_all(ctx, map, state, &stale.into_iter().collect::<Vec<_>>())?;
    Ok(Plan { saved, defs, nodes, edges })
}

/// Changes the state. Only bugs can fail here.
fn apply(
    state: &mut State,
    plan: Plan,
    definitions: Definitions,
    cache: &mut ChunkCache,
) -> Result<Assembled, RelinkError> {
    let Definitions { map, patched, .. } = definitions;
    state.map = None;
    for (number, file) in plan.saved {
        state.files[number] = file;
    }
    for (number, nodes) in plan.nodes {
        state.files[number].nodes = Arc::new(nodes);
    }
    let mut slots = std::mem::take(&mut state.slots);
    let mut tables: SlotTables = match &patched {
        Some(_) => Arc::unwrap_or_clone(std::mem::take(&mut state.slot_tables)),
        None => SlotTables::default(),
    };
    let rows = tables.row_slots(&state.files, &mut slots);
    let mut defs: Vec<Option<Defs>> = vec![None; rows.len()];
    plan.defs.into_iter().for_each(|(number, it)| defs[number] = Some(it));
    for (number, rows) in rows.iter().enumerate() {
        // Duplicates in other files may have new slots.
        if defs[number].is_none() && tables.rows.get(number) != Some(rows) {
            defs[number] = Some(defs_of(&map, FileIdx(number as u32)));
        }
    }
    let ids: Vec<&[DefId]> =
        defs.iter().map(|defs| defs.as_ref().map_or(&[][..], |defs| &defs.ids)).collect();
    tables.rows = rows;
    assign_slots(&map, state, &mut slots, &ids, &mut tables);
    for (number, edges) in plan.edges {
        let links = translate(&map, state, number, &edges, &mut tables.by_def, &mut slots);
        state.files[number].links = Some(Arc::new(links));
    }
    state.module_problems = module_problems(&map, state);
    overlay(state, &tables.rows, &mut slots);
    state.count_hydrated();
    let assembled = assemble(state, &mut slots, &tables, cache)?;
    let assembled = assembled.map_err(RelinkError::MissedKeys)?;
    state.slots = slots;
    let map = Arc::new(map);
    if let Some(before) = patched {
        cache.precloned.prepare(before, &map);
    }
    state.map = Some(map);
    state.slot_tables = Arc::new(tables);
    Ok(assembled)
}

/// Panics if the map differs from one that is built from scratch from the same files.
fn compare_with_scratch(ctx: &Ctx, state: &State, assembled: &Assembled) {
    let bare = |file: &FileState| FileState {
        nodes: Arc::default(),
        links: None,
        overlaid: None,
        ..file.clone()
    };
    let mut scratch = State {
        files: state.files.iter().map(bare).collect(),
        map: None,
        slot_tables: Arc::default(),
        slots: NodeInterner::default(),
        ..state.clone()
    };
    let (mut cache, mut work) = (ChunkCache::default(), Work::default());
    // Only the user's cancellation can fail here.
    if let Ok(expected) = relink(ctx, &mut scratch, Change::Any(None), &mut cache, &mut work) {
        let is_same = assembled.map.to_data().ok() == expected.map.to_data().ok();
        assert!(is_same, "an incremental update differs from one from scratch");
    }
}

/// Patches the definitions where that is possible, and builds them otherwise.
fn define(state: &State, change: &Change<'_>, cache: &ChunkCache) -> Definitions {
    let (before, saved) = match change {
        Change::Saved(saved) => (state.map.as_ref(), &**saved),
        Change::Any(before) => (*before, &[][..]),
    };
    if let Some(before) = before
        && !saved.is_empty()
    {
        let changes: Vec<(FileIdx, FileInput)> = saved
            .iter()
            .map(|(number, file)| (FileIdx(*number as u32), file_input(file)))
            .collect();
        let copy = cache.precloned.take(before);
        if let Some((map, patch)) = before.patched_in(copy, &state.crates.inputs, &changes) {
            let mut renumbered: SortedSet<usize> =
                saved.iter().map(|(number, _)| *number).collect();
            renumbered.extend(patch.files.iter().map(|file| file.0 as usize));
            return Definitions {
                map,
                changed: Some(Changed::new(narrow(patch.keys.as_slice()))),
                renumbered: renumbered.into_iter().collect(),
                patched: Some(before.clone()),
            };
        }
    }
    let mut files: Vec<FileInput> = state.files.iter().map(file_input).collect();
    saved.iter().for_each(|(number, file)| files[*number] = file_input(file));
    let workspace = WorkspaceInput { crates: state.crates.inputs.clone(), files };
    // Macro expansions are taken from the map before.
    let map = match before {
        Some(before) => DefMap::build_after(&workspace, before),
        None => DefMap::build(&workspace),
    };
    Definitions {
        changed: before.map(|before| Changed::new(narrow(map.changed(before).as_slice()))),
        map,
        renumbered: (0..state.files.len()).collect(),
        patched: None,
    }
}

fn file_input(file: &FileState) -> FileInput {
    FileInput { path: file.path.clone(), facts: file.facts.clone(), text: file.text.clone() }
}

/// The results in the order of `all`, computed in parallel if there are many.
fn each<T: Sync, R: Send>(all: &[T], of: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    if all.len() < FEW { all.iter().map(of).collect() } else { all.par_iter().map(of).collect() }
}

fn resolve_all(
    ctx: &Ctx,
    map: &DefMap,
    state: &State,
    numbers: &[usize],
) -> Result<Vec<(usize, FileEdges)>, IngestError> {
    let resolve = |number: usize| (number, resolve::resolve_file(map, FileIdx(number as u32)));
    if let [number] = numbers {
        return Ok(vec![resolve(*number)]);
    }
    let done = AtomicU64::new(0);
    let total = numbers.len() as u64;
    let found: Vec<Option<_>> = numbers
        .par_iter()
        .map(|number| {
            if ctx.is_cancelled() {
                return None;
            }
            let edges = resolve(*number);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(16) || done == total {
                ctx.count("resolving", state.files[*number].path.as_str(), done, total);
            }
            Some(edges)
        })
        .collect();
    ctx.check_cancelled()?;
    Ok(found.into_iter().flatten().collect())
}

/// The errors of the module tree.
fn module_problems(map: &DefMap, state: &State) -> Vec<ProblemRow> {
    let problems = map.problems().iter().filter_map(|problem| {
        let file = state.files.get(problem.file.0 as usize)?;
        let before = file.text.get(..problem.offset as usize)?;
        Some(ProblemRow {
            path: file.path.clone(),
            line: before.matches('\n').count() as u32 + 1,
            kind: "module".to_owned(),
            message: problem.kind.to_string(),
        })
    });
    problems.collect()
}
