//! A full update of the map: compares the tree with the state, parses what changed, rebuilds the
//! definition map, and resolves the files whose links may have changed. Start at [`advance`].

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::{ContentHash, Ctx, LineIndex, ProjectPath, Provenance};
use graph::{MapData, ProblemRow, UnresolvedReason};
use rayon::prelude::*;
use resolve::{DefId, DefMap, FileEdges, FileIdx, FileInput, Unresolved as Reason, Workspace};

use crate::IngestError;
use crate::assemble::{Assembled, FileModule, SlotTables, assemble};
use crate::chunk_cache::ChunkCache;
use crate::crates::{CrateFacts, Crates, crates};
use crate::discover::Tree;
use crate::hydrate::{Hydration, KeptHydration, overlay};
use crate::inputs::Inputs;
use crate::links::{Changed, FileLinks, Link, Unresolved, narrow};
use crate::node_interner::{NONE, NodeInterner, crate_id, file_id};
use crate::nodes::{Defs, defs_of, nodes_of};
use crate::phases::{Phases, Stopwatch};
use crate::read::{FileBytes, hash_of, parse, parse_all, read_all};
use crate::state::{FileState, Skipped, State};

/// The current tree without the texts of its files.
pub(crate) struct TreeListing {
    pub(crate) tree: Tree,
    pub(crate) inputs: Inputs,
    pub(crate) ignore_files: Vec<PathBuf>,
    /// The stored rust-analyzer results for this tree.
    pub(crate) hydration: Option<KeptHydration>,
}

/// The current tree with the texts of its files.
pub(crate) struct TreeContents {
    around: TreeListing,
    /// Sorted by path.
    pub(crate) bytes: Vec<FileBytes>,
}

impl Deref for TreeContents {
    type Target = TreeListing;

    fn deref(&self) -> &TreeListing {
        &self.around
    }
}

impl TreeListing {
    /// Reads the files.
    pub(crate) fn read(self, ctx: &Ctx, root: &Path) -> Result<TreeContents, IngestError> {
        let bytes = read_all(ctx, root, &self.tree.rust)?;
        Ok(TreeContents { around: self, bytes })
    }

    fn hydrated_by(&self) -> Option<ContentHash> {
        self.hydration.as_ref().map(|it| it.hash)
    }

    /// Whether everything except the Rust files equals `state`.
    fn is_that_of(&self, state: &State) -> bool {
        state.inputs == Some(self.inputs.fingerprint())
            && state.hydrated_by == self.hydrated_by()
            && state.ignore_files == self.ignore_files
            && state.left_out == self.tree.skipped
            && state.tree_problems == self.tree.problems
    }
}

/// Whether nothing differs from what `state` was built from. Keeps no text in memory.
pub(crate) fn is_unchanged(
    ctx: &Ctx,
    root: &Path,
    state: &State,
    around: &TreeListing,
) -> Result<bool, IngestError> {
    // Skipped files are checked only when all files are read.
    let files = &state.files;
    let has_same_files = state.skipped.is_empty()
        && files.len() == around.tree.rust.len()
        && files.iter().zip(&around.tree.rust).all(|(file, path)| file.path == *path);
    if files.is_empty() || !has_same_files || !around.is_that_of(state) {
        return Ok(false);
    }
    let is_same = files
        .par_iter()
        .with_min_len(16)
        .all(|file| !ctx.is_cancelled() && hash_of(root, &file.path) == Some(file.hash));
    ctx.check_cancelled()?;
    Ok(is_same)
}

/// Statistics of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) parsed: u64,
    pub(crate) resolved: u64,
    pub(crate) changed: u64,
    /// All definitions were rebuilt.
    pub(crate) is_whole: bool,
    pub(crate) phases: Phases,
}

/// The number of files added, changed or removed since `state`; `None` if nothing differs.
pub(crate) fn difference(state: &State, found: &TreeContents) -> Option<u64> {
    let mut changed = 0_u64;
    let mut known_before = 0_usize;
    for bytes in &found.bytes {
        let file = state.file(&bytes.path).map(|file| file.hash);
        let at = state.skipped.binary_search_by(|it| it.path.cmp(&bytes.path)).ok();
        let skipped = at.and_then(|at| state.skipped.get(at)).map(|it| it.hash);
        let known = if bytes.text.is_ok() { file } else { skipped };
        known_before += usize::from(file.or(skipped).is_some());
        changed += u64::from(known != Some(bytes.hash));
    }
    // Files that do not exist any more.
    changed += (state.files.len() + state.skipped.len()).saturating_sub(known_before) as u64;
    let is_same = changed == 0 && found.is_that_of(state);
    (!is_same).then_some(changed)
}

/// The files whose text changed; `None` if anything else changed too.
pub(crate) fn saved<'a>(state: &State, found: &'a TreeContents) -> Option<Vec<&'a FileBytes>> {
    let mut saved = Vec::new();
    let mut skipped = 0;
    let mut files = state.files.iter();
    for bytes in &found.bytes {
        match &bytes.text {
            Ok(_) => {
                let file = files.next().filter(|file| file.path == bytes.path)?;
                if file.hash != bytes.hash {
                    saved.push(bytes);
                }
            }
            Err(_) => {
                let it = state.skipped.get(skipped)?;
                if (&it.path, it.hash) != (&bytes.path, bytes.hash) {
                    return None;
                }
                skipped += 1;
            }
        }
    }
    let is_same =
        files.next().is_none() && skipped == state.skipped.len() && found.is_that_of(state);
    is_same.then_some(saved)
}

/// Computes the next state from `old` and the current tree. `old` stays unchanged.
pub(crate) fn advance(
    ctx: &Ctx,
    root: &Path,
    old: &State,
    found: &TreeContents,
    cache: &mut ChunkCache,
) -> Result<(State, Assembled, Work), IngestError> {
    let mut work =
        Work { changed: difference(old, found).unwrap_or(0), is_whole: true, ..Work::default() };
    let mut watch = Stopwatch::start();
    let mut state = State {
        epoch: old.epoch + 1,
        files: files(ctx, old, found, &mut work)?,
        skipped: skipped(found),
        inputs: Some(found.inputs.fingerprint()),
        ignore_files: found.ignore_files.clone(),
        left_out: found.tree.skipped,
        tree_problems: found.tree.problems.clone(),
        crates: Arc::default(),
        map: None,
        slot_tables: Arc::default(),
        slots: old.slots.clone(),
        module_problems: Vec::new(),
        hydration: hydration(old, found),
        hydrated_by: found.hydrated_by(),
        hydrated: None,
        facts: None,
        lookup_hashes: None,
    };
    state.count_hydrated();
    watch.lap(&mut work.phases.parse_us);
    let paths: Vec<ProjectPath> = state.files.iter().map(|file| file.path.clone()).collect();
    state.crates = Arc::new(crates(root, &found.inputs, &found.tree, &paths));
    let assembled = link(ctx, &mut state, old, cache, &mut work)?;
    Ok((state, assembled, work))
}

/// Decodes the stored rust-analyzer results, unless they are decoded already. Results that cannot
/// be decoded count as missing.
fn hydration(old: &State, found: &TreeContents) -> Option<Arc<Hydration>> {
    let kept = found.hydration.as_ref()?;
    match &old.hydration {
        Some(known) if known.hash == kept.hash => Some(known.clone()),
        _ => kept.decode().map(Arc::new),
    }
}

/// The current files; changed ones are parsed and have no links yet.
fn files(
    ctx: &Ctx,
    old: &State,
    found: &TreeContents,
    work: &mut Work,
) -> Result<Vec<FileState>, IngestError> {
    let texts = || found.bytes.iter().filter_map(|it| Some((it, it.text.as_ref().ok()?)));
    let kept = |bytes: &FileBytes| old.file(&bytes.path).filter(|file| file.hash == bytes.hash);
    let to_parse: Vec<(&ProjectPath, &str)> = texts()
        .filter(|(bytes, _)| kept(bytes).is_none())
        .map(|(bytes, text)| (&bytes.path, &**text))
        .collect();
    work.parsed += to_parse.len() as u64;
    let mut parsed = parse_all(ctx, &to_parse)?.into_iter();
    let mut files = Vec::with_capacity(found.bytes.len());
    for (bytes, text) in texts() {
        if let Some(file) = kept(bytes) {
            files.push(file.clone());
            continue;
        }
        let Some(parsed) = parsed.next() else { break };
        files.push(FileState::unplaced(&bytes.path, bytes.hash, text, parsed));
    }
    Ok(files)
}

fn skipped(found: &TreeContents) -> Vec<Skipped> {
    let skipped = found.bytes.iter().filter_map(|bytes| {
        let reason = bytes.text.as_ref().err()?;
        Some(Skipped { path: bytes.path.clone(), hash: bytes.hash, reason: (*reason).to_owned() })
    });
    skipped.collect()
}

/// From facts to the map: definitions, nodes, and the links of files whose links may have changed.
pub(crate) fn link(
    ctx: &Ctx,
    state: &mut State,
    old: &State,
    cache: &mut ChunkCache,
    work: &mut Work,
) -> Result<Assembled, IngestError> {
    ctx.progress("resolving", "modules and imports");
    let mut watch = Stopwatch::start();
    let mut map = build(state, old.map.as_deref());
    ctx.check_cancelled()?;
    let changed = match (&old.map, &old.lookup_hashes) {
        (Some(old), _) => Some(Changed::new(narrow(map.changed(old).as_slice()))),
        (None, Some(lookup_hashes)) => {
            Some(Changed::new(lookup_hashes.changed(&map.fact_hashes())))
        }
        (None, None) => None,
    };
    watch.lap(&mut work.phases.define_us);
    let numbers: Vec<usize> = (0..state.files.len()).collect();
    let mut defs: Vec<Defs> =
        numbers.par_iter().map(|number| defs_of(&map, FileIdx(*number as u32))).collect();
    ctx.check_cancelled()?;
    // Nodes are rebuilt if their text or their definitions changed.
    let nodes: Vec<_> = numbers
        .par_iter()
        .map(|number| {
            let (file, defs) = (&state.files[*number], &defs[*number]);
            let is_kept = file.nodes.placement == defs.placement
                && old.file(&file.path).is_some_and(|old| old.hash == file.hash);
            (!is_kept).then(|| Arc::new(nodes_of(&map, FileIdx(*number as u32), defs)))
        })
        .collect();
    ctx.check_cancelled()?;
    for (file, nodes) in state.files.iter_mut().zip(nodes) {
        if let Some(nodes) = nodes {
            file.nodes = nodes;
            file.links = None;
        }
        if let Some(links) = &file.links
            && changed.as_ref().is_none_or(|changed| changed.touches(&links.deps))
        {
            file.links = None;
        }
    }
    watch.lap(&mut work.phases.assemble_us);
    let mut slots = std::mem::take(&mut state.slots);
    // A file with a link to a missing node is resolved once more; it never takes more than two
    // passes.
    for _ in 0..3 {
        let stale: Vec<usize> =
            numbers.iter().copied().filter(|it| state.files[*it].links.is_none()).collect();
        if reread(state, &stale, work) {
            map = build(state, Some(&map));
            defs = numbers.par_iter().map(|it| defs_of(&map, FileIdx(*it as u32))).collect();
        }
        let found = resolve_all(ctx, &map, state, &stale)?;
        work.resolved += stale.len() as u64;
        watch.lap(&mut work.phases.resolve_us);
        let mut slot_tables = SlotTables::default();
        slot_tables.rows = slot_tables.row_slots(&state.files, &mut slots);
        let ids: Vec<&[DefId]> = defs.iter().map(|defs| &*defs.ids).collect();
        assign_slots(&map, state, &mut slots, &ids, &mut slot_tables);
        for (number, edges) in stale.into_iter().zip(found) {
            let links = translate(&map, state, number, &edges, &mut slot_tables.by_def, &mut slots);
            state.files[number].links = Some(Arc::new(links));
        }
        state.module_problems = module_problems(&map, state);
        overlay(state, &slot_tables.rows, &mut slots);
        let assembled = assemble(state, &mut slots, &slot_tables, cache)?;
        watch.lap(&mut work.phases.assemble_us);
        let dangling = match assembled {
            Ok(assembled) => {
                state.slots = slots;
                state.map = Some(Arc::new(map));
                state.slot_tables = Arc::new(slot_tables);
                return Ok(assembled);
            }
            Err(dangling) => dangling,
        };
        for number in dangling {
            state.files[number].links = None;
        }
    }
    Err(IngestError::Rows { reason: "an edge has no target".to_owned() })
}

/// Macro expansions are taken from the previous map.
fn build(state: &State, before: Option<&DefMap>) -> DefMap {
    let workspace = Workspace {
        crates: state.crates.inputs.clone(),
        files: state
            .files
            .iter()
            .map(|file| FileInput {
                path: file.path.clone(),
                facts: file.facts.clone(),
                text: file.text.clone(),
            })
            .collect(),
    };
    match before {
        Some(before) => DefMap::build_after(&workspace, before),
        None => DefMap::build(&workspace),
    }
}

/// Parses files again whose bodies were not kept; returns whether there were any.
fn reread(state: &mut State, numbers: &[usize], work: &mut Work) -> bool {
    let missing: Vec<usize> =
        numbers.iter().copied().filter(|it| !state.files[*it].has_bodies).collect();
    let parsed: Vec<_> = missing
        .par_iter()
        .map(|number| {
            let file = &state.files[*number];
            parse(&file.path, &file.text).facts
        })
        .collect();
    work.parsed += parsed.len() as u64;
    let any = !parsed.is_empty();
    for (number, facts) in missing.into_iter().zip(parsed) {
        state.files[number].facts = facts;
        state.files[number].has_bodies = true;
    }
    any
}

pub(crate) fn resolve_all(
    ctx: &Ctx,
    map: &DefMap,
    state: &State,
    numbers: &[usize],
) -> Result<Vec<FileEdges>, IngestError> {
    if let [number] = numbers {
        return Ok(vec![resolve::resolve_file(map, FileIdx(*number as u32))]);
    }
    let done = AtomicU64::new(0);
    let total = numbers.len() as u64;
    let found: Vec<Option<FileEdges>> = numbers
        .par_iter()
        .map(|number| {
            if ctx.is_cancelled() {
                return None;
            }
            let edges = resolve::resolve_file(map, FileIdx(*number as u32));
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

/// Assigns a slot to each definition of the workspace, and a module to each file. `ids` contains
/// the definitions of the rows, by file; files without ids keep their slots.
pub(crate) fn assign_slots(
    map: &DefMap,
    state: &State,
    slots: &mut NodeInterner,
    ids: &[&[DefId]],
    slot_tables: &mut SlotTables,
) {
    let SlotTables { rows, modules, by_def, .. } = slot_tables;
    by_def.resize(map.len(), NONE);
    let mut set = |id: DefId, slot: u32| {
        if let Some(known) = by_def.get_mut(id.idx()) {
            *known = slot;
        }
    };
    for (ids, rows) in ids.iter().zip(rows.iter()) {
        ids.iter().zip(rows).for_each(|(id, slot)| set(*id, *slot));
    }
    let mut roots: Vec<u32> = vec![NONE; state.files.len()];
    let mut crates: Vec<u32> = Vec::with_capacity(state.crates.inputs.len());
    for (number, input) in state.crates.inputs.iter().enumerate() {
        crates.push(slots.of(crate_id(&input.name)));
        if let Some(root) = roots.get_mut(input.root as usize) {
            *root = number as u32;
        }
    }
    let known = std::mem::take(modules);
    modules.reserve(state.files.len());
    for (number, file) in state.files.iter().enumerate() {
        let own = match known.get(number) {
            Some(file_module) => file_module.own,
            None => slots.of(file_id(file.path.as_str())),
        };
        let mut file_module =
            FileModule { own, slot: own, krate: NONE, is_orphan: false, is_inactive: false };
        let module = map.module_of_file(FileIdx(number as u32));
        if let Some(slot) = crates.get(roots[number] as usize) {
            file_module.krate = roots[number];
            file_module.slot = *slot;
        } else if let Some(module) = module {
            let def = map.def(module);
            file_module.krate = def.krate.0;
            file_module.is_inactive = !def.is_active;
            match by_def.get(module.idx()) {
                Some(slot) if def.item != NONE && *slot != NONE && *slot != own => {
                    file_module.slot = *slot
                }
                _ => file_module.is_orphan = true,
            }
        }
        // A root has no row: the file, or the crate, represents it.
        if let Some(known) = module.and_then(|module| by_def.get_mut(module.idx())) {
            *known = file_module.slot;
        }
        modules.push(file_module);
    }
    for (number, slot) in crates.into_iter().enumerate() {
        let root = map.crate_root(resolve::CrateIdx(number as u32));
        if let Some(known) = root.and_then(|root| by_def.get_mut(root.idx())) {
            *known = slot;
        }
    }
}

/// The errors of the module tree.
pub(crate) fn module_problems(map: &DefMap, state: &State) -> Vec<ProblemRow> {
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

/// Converts the result of resolving a file to slots.
pub(crate) fn translate(
    map: &DefMap,
    state: &State,
    number: usize,
    edges: &FileEdges,
    by_def: &mut [u32],
    slots: &mut NodeInterner,
) -> FileLinks {
    let lines = LineIndex::new(&state.files[number].text);
    let mut slot_of = |id: DefId| match by_def.get_mut(id.idx()) {
        Some(slot) if *slot != NONE => *slot,
        // Items declared by the standard library never change: cache their slots.
        Some(slot) if map.is_std(id) => {
            *slot = slots.of_outside(&map.canon(id));
            *slot
        }
        _ => slots.of_outside(&map.canon(id)),
    };
    let mut links: Vec<Link> = edges
        .edges
        .iter()
        .map(|edge| Link {
            offset: edge.offset,
            line: lines.line_of(edge.offset as usize),
            src: slot_of(edge.src),
            dst: slot_of(edge.to),
            kind: edge.kind,
            tier: edge.tier,
            rule: edge.rule.number(),
            provenance: Provenance::Syntax,
        })
        .collect();
    links.sort_unstable();
    links.dedup();
    let mut unresolved: Vec<Unresolved> = edges
        .unresolved
        .iter()
        .map(|site| Unresolved {
            offset: site.offset,
            line: lines.line_of(site.offset as usize),
            src: slot_of(site.src),
            reason: match site.reason {
                Reason::UnknownReceiver => UnresolvedReason::UnknownReceiver,
                Reason::NotFound => UnresolvedReason::NotFound,
                Reason::TooMany => UnresolvedReason::TooMany,
                Reason::InMacro => UnresolvedReason::InMacro,
            },
            name: map.name_of(site.name).into(),
        })
        .collect();
    unresolved.sort();
    unresolved.dedup();
    FileLinks { links, unresolved, external: edges.external, deps: narrow(&edges.deps) }
}

/// A single crate around one file, for reading the file without its workspace.
pub(crate) fn single_crate(name: &str) -> Crates {
    Crates {
        inputs: vec![resolve::CrateInput {
            name: format!("{name}/{name}"),
            extern_name: name.to_owned(),
            edition: 2024,
            ..resolve::CrateInput::default()
        }],
        facts: vec![CrateFacts { kind: "lib".to_owned(), ..CrateFacts::default() }],
        ..Crates::default()
    }
}

/// The rows of one text without its workspace.
pub(crate) fn single_file_data(
    ctx: &Ctx,
    path: &ProjectPath,
    text: &str,
) -> Result<MapData, IngestError> {
    let parsed = parse(path, text);
    let hash = ContentHash::of(text.as_bytes());
    let stem = path.file_name().trim_end_matches(".rs").replace('-', "_");
    let mut state = State {
        epoch: 1,
        files: vec![FileState::unplaced(path, hash, &text.into(), parsed)],
        crates: Arc::new(single_crate(&stem)),
        ..State::default()
    };
    let (old, mut cache) = (State::default(), ChunkCache::default());
    let assembled = link(ctx, &mut state, &old, &mut cache, &mut Work::default())?;
    assembled.map.to_data().map_err(|err| IngestError::Rows { reason: err.to_string() })
}
