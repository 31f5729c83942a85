//! After a save: from one state to the next where only texts of known files are others. What did
//! not change is not looked at again, or only as numbers.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Ctx, ProjectPath};
use rayon::prelude::*;
use resolve::{DefId, DefMap, FileIdx, FileInput, Patch};

use crate::IngestError;
use crate::assemble::{Assembled, Places, assemble};
use crate::batch::{Work, link, module_problems, place, resolve_all, translate};
use crate::hydrate::overlay;
use crate::links::{Changed, narrow};
use crate::nodes::{Defs, defs_of, nodes_of};
use crate::phases::Stopwatch;
use crate::pieces::Pieces;
use crate::read::{Bytes, parse, parse_all};
use crate::state::{FileState, State};

/// Fewer files than these are done at once: waking other threads takes longer.
const FEW: usize = 8;

/// What becomes of a save.
pub(crate) enum Followed {
    /// The state is that of the files now.
    Done(Box<Assembled>),
    /// The change goes too deep: the state is as it was, and everything is to be looked at.
    TooDeep,
    /// The same, and the state is of no use any more.
    Lost,
}

/// Brings the state up to `saved`: texts of files that it has, sorted by path.
pub(crate) fn follow(
    ctx: &Ctx,
    state: &mut State,
    saved: &[&Bytes],
    pieces: &mut Pieces,
    work: &mut Work,
) -> Result<Followed, IngestError> {
    let Some(before) = state.map.clone() else { return Ok(Followed::TooDeep) };
    let mut texts: Vec<(&ProjectPath, &str)> = Vec::with_capacity(saved.len());
    let mut numbers: Vec<usize> = Vec::with_capacity(saved.len());
    for bytes in saved {
        let number = state.files.binary_search_by(|file| file.path.cmp(&bytes.path));
        let (Ok(number), Ok(text)) = (number, &bytes.text) else { return Ok(Followed::TooDeep) };
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
    let found = patched(&before, pieces.spare.take(&before), state, &files);
    watch.lap(&mut work.phases.define_us);
    let Some((mut map, patch)) = found else {
        return whole(ctx, state, files, pieces, work);
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
    // Bodies that were not kept are read now.
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
            return whole(ctx, state, files, pieces, work);
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

    // From here on nothing can fail but what must not be.
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
        // Of a saved file the text is another.
        if stale.binary_search(number).is_ok()
            || state.files[*number].nodes.placement != defs.placement
        {
            let nodes = nodes_of(&map, FileIdx(*number as u32), defs);
            state.files[*number].nodes = Arc::new(nodes);
        }
    }
    let mut slots = std::mem::take(&mut state.slots);
    let mut places: Places = Arc::unwrap_or_clone(std::mem::take(&mut state.places));
    let rows = places.row_slots(&state.files, &mut slots);
    // Twins elsewhere may have got other slots.
    let moved = (0..rows.len()).filter(|at| places.rows.get(*at) != Some(&rows[*at]));
    let moved: Vec<(usize, Defs)> = moved
        .filter(|at| !renamed.contains(at))
        .map(|at| (at, defs_of(&map, FileIdx(at as u32))))
        .collect();
    let mut ids: Vec<&[DefId]> = vec![&[]; rows.len()];
    defs.iter().chain(&moved).for_each(|(number, defs)| ids[*number] = &defs.ids);
    places.rows = rows;
    place(&map, state, &mut slots, &ids, &mut places);
    for (number, edges) in stale.into_iter().zip(found) {
        let links = translate(&map, state, number, &edges, &mut places.by_def, &mut slots);
        state.files[number].links = Some(Arc::new(links));
    }
    state.module_problems = module_problems(&map, state);
    overlay(state, &places.rows, &mut slots);
    state.count_hydrated();
    state.epoch += 1;
    let assembled = assemble(state, &mut slots, &places, pieces);
    state.slots = slots;
    let map = Arc::new(map);
    pieces.spare.follow(before, &map);
    state.map = Some(map);
    state.places = Arc::new(places);
    watch.lap(&mut work.phases.assemble_us);
    match assembled {
        Ok(Ok(assembled)) => Ok(Followed::Done(Box::new(assembled))),
        // A link leads to nothing: a key was missed.
        Ok(Err(_)) | Err(_) => Ok(Followed::Lost),
    }
}

/// What goes too deep for a patch: the definitions are made anew, of all files as they are known.
fn whole(
    ctx: &Ctx,
    state: &mut State,
    files: Vec<(usize, FileState)>,
    pieces: &mut Pieces,
    work: &mut Work,
) -> Result<Followed, IngestError> {
    work.is_whole = true;
    let mut next = State {
        epoch: state.epoch + 1,
        map: None,
        places: Arc::default(),
        module_problems: Vec::new(),
        ..state.clone()
    };
    for (number, file) in files {
        next.files[number] = FileState { nodes: Arc::default(), links: None, ..file };
    }
    next.count_hydrated();
    let assembled = link(ctx, &mut next, state, pieces, work)?;
    *state = next;
    Ok(Followed::Done(Box::new(assembled)))
}

/// `copy`: of the map.
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
