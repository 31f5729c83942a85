use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::{ContentHash, Ctx, LineIndex, ProjectPath, Provenance};
use graph::{MapData, ProblemRow, UnresolvedReason};
use rayon::prelude::*;
use resolve::{DefId, DefMap, FileEdges, FileIdx, FileInput, Unresolved as Reason, Workspace};

use crate::IngestError;
use crate::assemble::{Assembled, Home, Places, assemble};
use crate::crates::{CrateFacts, Crates, crates};
use crate::discover::Tree;
use crate::hydrate::{Hydration, KeptHydration, overlay};
use crate::inputs::Inputs;
use crate::links::{Changed, FileLinks, Link, Unresolved, narrow};
use crate::nodes::{Defs, defs_of, nodes_of};
use crate::phases::{Phases, Stopwatch};
use crate::pieces::Pieces;
use crate::read::{Bytes, hash_of, parse, parse_all, read_all};
use crate::slots::{NONE, Slots, crate_id, file_id};
use crate::state::{FileState, Skipped, State};

/// What lies in the tree now, but for the texts of its files.
pub(crate) struct Around {
    pub(crate) tree: Tree,
    pub(crate) inputs: Inputs,
    pub(crate) ignore_files: Vec<PathBuf>,
    /// What rust-analyzer said of such a tree.
    pub(crate) hydration: Option<KeptHydration>,
}

/// What lies in the tree now.
pub(crate) struct Found {
    around: Around,
    /// Sorted by path.
    pub(crate) bytes: Vec<Bytes>,
}

impl Deref for Found {
    type Target = Around;

    fn deref(&self) -> &Around {
        &self.around
    }
}

impl Around {
    /// Reads the files.
    pub(crate) fn read(self, ctx: &Ctx, root: &Path) -> Result<Found, IngestError> {
        let bytes = read_all(ctx, root, &self.tree.rust)?;
        Ok(Found { around: self, bytes })
    }

    fn hydrated_by(&self) -> Option<ContentHash> {
        self.hydration.as_ref().map(|it| it.hash)
    }

    /// Whether all that is no Rust file is as `state` has it.
    fn is_that_of(&self, state: &State) -> bool {
        state.inputs == Some(self.inputs.fingerprint())
            && state.hydrated_by == self.hydrated_by()
            && state.ignore_files == self.ignore_files
            && state.left_out == self.tree.skipped
            && state.tree_problems == self.tree.problems
    }
}

/// Whether nothing at all is different from what `state` was made of. No text is kept for it.
pub(crate) fn is_as_before(
    ctx: &Ctx,
    root: &Path,
    state: &State,
    around: &Around,
) -> Result<bool, IngestError> {
    // Files that were left out are looked at by whoever reads them all.
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

/// What a batch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) parsed: u64,
    pub(crate) resolved: u64,
    pub(crate) changed: u64,
    /// All definitions were made anew.
    pub(crate) is_whole: bool,
    pub(crate) phases: Phases,
}

/// How many files were added, changed or removed since `state`; `None`: nothing at all is
/// different.
pub(crate) fn difference(state: &State, found: &Found) -> Option<u64> {
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
    // What was there before and is found no more.
    changed += (state.files.len() + state.skipped.len()).saturating_sub(known_before) as u64;
    let is_same = changed == 0 && found.is_that_of(state);
    (!is_same).then_some(changed)
}

/// The files whose texts are others, where nothing else is: `None` where something is.
pub(crate) fn saved<'a>(state: &State, found: &'a Found) -> Option<Vec<&'a Bytes>> {
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

/// From one state of the sources to the next. The former one stays as it is.
pub(crate) fn advance(
    ctx: &Ctx,
    root: &Path,
    old: &State,
    found: &Found,
    pieces: &mut Pieces,
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
        places: Arc::default(),
        slots: old.slots.clone(),
        module_problems: Vec::new(),
        hydration: hydration(old, found),
        hydrated_by: found.hydrated_by(),
        hydrated: None,
        facts: None,
        answers: None,
    };
    state.count_hydrated();
    watch.lap(&mut work.phases.parse_us);
    let paths: Vec<ProjectPath> = state.files.iter().map(|file| file.path.clone()).collect();
    state.crates = Arc::new(crates(root, &found.inputs, &found.tree, &paths));
    let assembled = link(ctx, &mut state, old, pieces, &mut work)?;
    Ok((state, assembled, work))
}

/// What was said, taken apart where that was not done yet. One that makes no sense though it is
/// whole counts as none, until it is another.
fn hydration(old: &State, found: &Found) -> Option<Arc<Hydration>> {
    let kept = found.hydration.as_ref()?;
    match &old.hydration {
        Some(known) if known.hash == kept.hash => Some(known.clone()),
        _ => kept.decode().map(Arc::new),
    }
}

/// The files as they are now; those that changed are parsed, and have no links.
fn files(
    ctx: &Ctx,
    old: &State,
    found: &Found,
    work: &mut Work,
) -> Result<Vec<FileState>, IngestError> {
    let texts = || found.bytes.iter().filter_map(|it| Some((it, it.text.as_ref().ok()?)));
    let kept = |bytes: &Bytes| old.file(&bytes.path).filter(|file| file.hash == bytes.hash);
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

fn skipped(found: &Found) -> Vec<Skipped> {
    let skipped = found.bytes.iter().filter_map(|bytes| {
        let reason = bytes.text.as_ref().err()?;
        Some(Skipped { path: bytes.path.clone(), hash: bytes.hash, reason: (*reason).to_owned() })
    });
    skipped.collect()
}

/// From what the files say to the rows of the map: definitions, nodes, links of those files whose
/// links may be others now.
pub(crate) fn link(
    ctx: &Ctx,
    state: &mut State,
    old: &State,
    pieces: &mut Pieces,
    work: &mut Work,
) -> Result<Assembled, IngestError> {
    ctx.progress("resolving", "modules and imports");
    let mut watch = Stopwatch::start();
    let mut map = build(state, old.map.as_deref());
    ctx.check_cancelled()?;
    let changed = match (&old.map, &old.answers) {
        (Some(old), _) => Some(Changed::new(narrow(map.changed(old).as_slice()))),
        (None, Some(answers)) => Some(Changed::new(answers.changed(&map.fact_hashes()))),
        (None, None) => None,
    };
    watch.lap(&mut work.phases.define_us);
    let numbers: Vec<usize> = (0..state.files.len()).collect();
    let mut defs: Vec<Defs> =
        numbers.par_iter().map(|number| defs_of(&map, FileIdx(*number as u32))).collect();
    ctx.check_cancelled()?;
    // Nodes whose text or surroundings changed are made again.
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
    // A link that leads to nothing sends its file through once more; twice is never needed.
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
        let mut places = Places::default();
        places.rows = places.row_slots(&state.files, &mut slots);
        let ids: Vec<&[DefId]> = defs.iter().map(|defs| &*defs.ids).collect();
        place(&map, state, &mut slots, &ids, &mut places);
        for (number, edges) in stale.into_iter().zip(found) {
            let links = translate(&map, state, number, &edges, &mut places.by_def, &mut slots);
            state.files[number].links = Some(Arc::new(links));
        }
        state.module_problems = module_problems(&map, state);
        overlay(state, &places.rows, &mut slots);
        let assembled = assemble(state, &mut slots, &places, pieces)?;
        watch.lap(&mut work.phases.assemble_us);
        let dangling = match assembled {
            Ok(assembled) => {
                state.slots = slots;
                state.map = Some(Arc::new(map));
                state.places = Arc::new(places);
                return Ok(assembled);
            }
            Err(dangling) => dangling,
        };
        for number in dangling {
            state.files[number].links = None;
        }
    }
    Err(IngestError::Rows { reason: "an edge leads to nothing".to_owned() })
}

/// What macros made of calls is taken from the map before.
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

/// Parses files again whose bodies were not kept; whether there were any.
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

/// The slot of each definition of the workspace, and the module that each file is. `ids`: those of
/// the definitions that stand in `rows`, by file; of files without, what `places` says stays.
pub(crate) fn place(
    map: &DefMap,
    state: &State,
    slots: &mut Slots,
    ids: &[&[DefId]],
    places: &mut Places,
) {
    let Places { rows, homes, by_def, .. } = places;
    by_def.resize(map.len(), NONE);
    let mut set = |id: DefId, slot: u32| {
        if let Some(place) = by_def.get_mut(id.idx()) {
            *place = slot;
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
    let known = std::mem::take(homes);
    homes.reserve(state.files.len());
    for (number, file) in state.files.iter().enumerate() {
        let own = match known.get(number) {
            Some(home) => home.own,
            None => slots.of(file_id(file.path.as_str())),
        };
        let mut home = Home { own, slot: own, krate: NONE, is_orphan: false, is_inactive: false };
        let module = map.module_of_file(FileIdx(number as u32));
        if let Some(slot) = crates.get(roots[number] as usize) {
            home.krate = roots[number];
            home.slot = *slot;
        } else if let Some(module) = module {
            let def = map.def(module);
            home.krate = def.krate.0;
            home.is_inactive = !def.is_active;
            match by_def.get(module.idx()) {
                Some(slot) if def.item != NONE && *slot != NONE && *slot != own => {
                    home.slot = *slot
                }
                _ => home.is_orphan = true,
            }
        }
        // A root stands in no row: the file, or the crate, is there for it.
        if let Some(place) = module.and_then(|module| by_def.get_mut(module.idx())) {
            *place = home.slot;
        }
        homes.push(home);
    }
    for (number, slot) in crates.into_iter().enumerate() {
        let root = map.crate_root(resolve::CrateIdx(number as u32));
        if let Some(place) = root.and_then(|root| by_def.get_mut(root.idx())) {
            *place = slot;
        }
    }
}

/// What is wrong with the module tree.
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

/// What resolution found, in slots.
pub(crate) fn translate(
    map: &DefMap,
    state: &State,
    number: usize,
    edges: &FileEdges,
    by_def: &mut [u32],
    slots: &mut Slots,
) -> FileLinks {
    let lines = LineIndex::new(&state.files[number].text);
    let mut slot_of = |id: DefId| match by_def.get_mut(id.idx()) {
        Some(slot) if *slot != NONE => *slot,
        // What the standard library declares stays where it is.
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
    FileLinks { links, unresolved, deps: narrow(&edges.deps) }
}

/// One crate around one file, for who looks at it alone.
pub(crate) fn lone_crate(name: &str) -> Crates {
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

/// The rows of one text by itself.
pub(crate) fn lone_file(ctx: &Ctx, path: &ProjectPath, text: &str) -> Result<MapData, IngestError> {
    let parsed = parse(path, text);
    let hash = ContentHash::of(text.as_bytes());
    let stem = path.file_name().trim_end_matches(".rs").replace('-', "_");
    let mut state = State {
        epoch: 1,
        files: vec![FileState::unplaced(path, hash, &text.into(), parsed)],
        crates: Arc::new(lone_crate(&stem)),
        ..State::default()
    };
    let (old, mut pieces) = (State::default(), Pieces::default());
    let assembled = link(ctx, &mut state, &old, &mut pieces, &mut Work::default())?;
    assembled.map.to_data().map_err(|err| IngestError::Rows { reason: err.to_string() })
}
