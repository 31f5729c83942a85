//! The fast path after a save: updates the state when only texts of known files changed. Unchanged
//! files are not read again. Start at [`follow`].

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Ctx, ProjectPath};
use rayon::prelude::*;
use resolve::{DefId, DefMap, FileIdx, FileInput, Patch};

use crate::IngestError;
use crate::assemble::{Assembled, SlotTables, assemble};
use crate::batch::{Work, assign_slots, link, module_problems, resolve_all, translate};
use crate::chunk_cache::ChunkCache;
use crate::hydrate::overlay;
use crate::links::{Changed, narrow};
use crate::nodes::{Defs, defs_of, nodes_of};
use crate::phases::Stopwatch;
use crate::read::{FileBytes, parse, parse_all};
use crate::state::{FileState, State};

/// With fewer files than this the work is done on this thread: waking other threads takes longer.
const FEW: usize = 8;

/// The outcome of a save.
pub(crate) enum SaveOutcome {
    /// The state is up to date.
    Done(Box<Assembled>),
    /// The change has effects beyond a patch: the state is unchanged and a full update is needed.
    NeedsUpdate,
    /// The same, but the state is lost.
    Lost,
}

/// Updates the state to `saved`: new texts of known files, sorted by path.
pub(crate) fn follow(
    ctx: &Ctx,
    state: &mut State,
    saved: &[&FileBytes],
    cache: &mut ChunkCache,
    work: &mut Work,
) -> Result<SaveOutcome, IngestError> {
    let Some(before) = state.map.clone() else { return Ok(SaveOutcome::NeedsUpdate) };
    let mut texts: Vec<(&ProjectPath, &str)> = Vec::with_capacity(saved.len());
    let mut numbers: Vec<usize> = Vec::with_capacity(saved.len());
    for bytes in saved {
        let number = state.files.binary_search_by(|file| file.path.cmp(&bytes.path));
        let (Ok(number), Ok(text)) = (number, &bytes.text) else {
            return Ok(SaveOutcome::NeedsUpdate);
        };
        texts.push((&bytes.path, text));
        numbers.push(number);
    }
    work.parsed += texts.len() as u64;
    let mut watch = Stopwatch::start();
    let parsed = parse_all(ctx, &texts)?;
    watch.lap(&mut work.phases.parse_us);
    let mut files: Vec<(usize, FileState)> = Vec::with_capacity(saved.len());
    for ((bytes, number), parsed) in saved.iter().zip(numbers).zip(parsed) {
        let Ok(text) = &bytes.text else { continue };
        let nodes = state.files[number].nodes.clone();
        files.push((
            number,
            FileState { nodes, ..FileState::unplaced(&bytes.path, bytes.hash, text, parsed) },
        ));
    }
    let found = patched(&before, cache.precloned.take(&before), state, &files);
    watch.lap(&mut work.phases.define_us);
    let Some((mut map, patch)) = found else {
        return rebuild(ctx, state, files, cache, work);
    };
    let mut renamed: BTreeSet<usize> = patch.files.iter().map(|file| file.0 as usize).collect();
    let changed = Changed::new(narrow(patch.keys.as_slice()));
    let is_saved = |number: usize| files.iter().any(|(other, _)| *other == number);
    let mut stale: BTreeSet<usize> = files.iter().map(|(number, _)| *number).collect();
    for (number, file) in state.files.iter().enumerate() {
        if file.links.as_ref().is_none_or(|links| changed.touches(&links.deps)) {
            stale.insert(number);
        }
    }
    // Parse the files whose bodies were not kept.
    let bare = stale.iter().copied().filter(|it| !is_saved(*it) && !state.files[*it].has_bodies);
    let bare: Vec<usize> = bare.collect();
    if !bare.is_empty() {
        work.parsed += bare.len() as u64;
        let bare: Vec<(usize, FileState)> = bare
            .par_iter()
            .map(|number| {
                let file = &state.files[*number];
                let facts = parse(&file.path, &file.text).facts;
                (*number, FileState { facts, has_bodies: true, ..file.clone() })
            })
            .collect();
        files.extend(bare);
        let bare = &files[saved.len()..];
        let Some((next, patch)) = patched(&map, map.clone_for_patch(), state, bare) else {
            return rebuild(ctx, state, files, cache, work);
        };
        map = next;
        renamed.extend(patch.files.iter().map(|file| file.0 as usize));
    }
    ctx.check_cancelled()?;
    watch.lap(&mut work.phases.define_us);
    let stale: Vec<usize> = stale.into_iter().collect();
    let found = resolve_all(ctx, &map, state, &stale)?;
    work.resolved += stale.len() as u64;
    watch.lap(&mut work.phases.resolve_us);

    // From here on only bugs can fail.
    for (number, file) in files {
        state.files[number] = file;
        renamed.insert(number);
    }
    let of = |number: &usize| (*number, defs_of(&map, FileIdx(*number as u32)));
    let defs: Vec<(usize, Defs)> = if renamed.len() < FEW {
        renamed.iter().map(of).collect()
    } else {
        renamed.par_iter().map(of).collect()
    };
    for (number, defs) in &defs {
        // A saved file has a new text.
        if stale.binary_search(number).is_ok()
            || state.files[*number].nodes.placement != defs.placement
        {
            let nodes = nodes_of(&map, FileIdx(*number as u32), defs);
            state.files[*number].nodes = Arc::new(nodes);
        }
    }
    let mut slots = std::mem::take(&mut state.slots);
    let mut slot_tables: SlotTables = Arc::unwrap_or_clone(std::mem::take(&mut state.slot_tables));
    let rows = slot_tables.row_slots(&state.files, &mut slots);
    // Duplicates in other files may have new slots.
    let moved = (0..rows.len()).filter(|at| slot_tables.rows.get(*at) != Some(&rows[*at]));
    let moved: Vec<(usize, Defs)> = moved
        .filter(|at| !renamed.contains(at))
        .map(|at| (at, defs_of(&map, FileIdx(at as u32))))
        .collect();
    let mut ids: Vec<&[DefId]> = vec![&[]; rows.len()];
    defs.iter().chain(&moved).for_each(|(number, defs)| ids[*number] = &defs.ids);
    slot_tables.rows = rows;
    assign_slots(&map, state, &mut slots, &ids, &mut slot_tables);
    for (number, edges) in stale.into_iter().zip(found) {
        let links = translate(&map, state, number, &edges, &mut slot_tables.by_def, &mut slots);
        state.files[number].links = Some(Arc::new(links));
    }
    state.module_problems = module_problems(&map, state);
    overlay(state, &slot_tables.rows, &mut slots);
    state.count_hydrated();
    state.epoch += 1;
    let assembled = assemble(state, &mut slots, &slot_tables, cache);
    state.slots = slots;
    let map = Arc::new(map);
    cache.precloned.prepare(before, &map);
    state.map = Some(map);
    state.slot_tables = Arc::new(slot_tables);
    watch.lap(&mut work.phases.assemble_us);
    match assembled {
        Ok(Ok(assembled)) => Ok(SaveOutcome::Done(Box::new(assembled))),
        // A link has no target: a changed key was missed.
        Ok(Err(_)) | Err(_) => Ok(SaveOutcome::Lost),
    }
}

/// Rebuilds the definitions of all files when a patch is not possible.
fn rebuild(
    ctx: &Ctx,
    state: &mut State,
    files: Vec<(usize, FileState)>,
    cache: &mut ChunkCache,
    work: &mut Work,
) -> Result<SaveOutcome, IngestError> {
    work.is_whole = true;
    let mut next = State {
        epoch: state.epoch + 1,
        map: None,
        slot_tables: Arc::default(),
        module_problems: Vec::new(),
        ..state.clone()
    };
    for (number, file) in files {
        next.files[number] = FileState { nodes: Arc::default(), links: None, ..file };
    }
    next.count_hydrated();
    let assembled = link(ctx, &mut next, state, cache, work)?;
    *state = next;
    Ok(SaveOutcome::Done(Box::new(assembled)))
}

/// `copy` must be a copy of `map`.
fn patched(
    map: &DefMap,
    copy: DefMap,
    state: &State,
    files: &[(usize, FileState)],
) -> Option<(DefMap, Patch)> {
    let changes: Vec<(FileIdx, FileInput)> = files
        .iter()
        .map(|(number, file)| {
            let (path, facts) = (file.path.clone(), file.facts.clone());
            (FileIdx(*number as u32), FileInput { path, facts, text: file.text.clone() })
        })
        .collect();
    map.patched_in(copy, &state.crates.inputs, &changes)
}
