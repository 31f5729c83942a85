//! Assembles the map from the state: numbers the nodes, and joins the cached chunks of files,
//! crates and edges. It parses and resolves nothing. Start at [`assemble`].

use std::sync::Arc;

use base::{ItemKind, SortedMap};
use graph::{EdgeChunk, ItemChunk, ItemRow, Map, MapParts, ParentRef, PartFile, ProblemRow};

use crate::IngestError;
use crate::chunk_cache::{ChunkCache, Tail};
use crate::crate_slots::CrateSlots;
use crate::edge_segments;
use crate::file_chunk::{FileChunk, bare};
use crate::node_interner::{self, NONE, NodeInterner};
use crate::numbers::Numbers;
use crate::report::Totals;
use crate::slot_tables::SlotTables;
use crate::state::State;

/// The map, and its totals.
#[derive(Debug)]
pub(crate) struct Assembled {
    pub(crate) map: Map,
    pub(crate) totals: Totals,
}

/// Assembles the map, or returns the files that have a link to a missing node. Unchanged parts come
/// from the cache; the rest costs a few passes over numbers.
pub(crate) fn assemble(
    state: &State,
    slots: &mut NodeInterner,
    slot_tables: &SlotTables,
    cache: &mut ChunkCache,
) -> Result<Result<Assembled, Vec<usize>>, IngestError> {
    cache.tidy();
    let fixed = match &cache.fixed {
        Some(fixed) if Arc::ptr_eq(&fixed.crates, &state.crates) => fixed.clone(),
        _ => Arc::new(CrateSlots::of(&state.crates, slots)),
    };
    let files =
        cache.of_files(&state.files, slots, &slot_tables.rows, &slot_tables.modules, &fixed);
    cache.reach(&state.files, slots);
    let mut numbers = numbers_of_files(slot_tables, slots.len());
    tail(&fixed, &files, slots, &mut numbers, cache);
    let map_edges = cache.edges.edges(&state.files, &files, &slot_tables.modules, &fixed, &numbers);
    let unresolved = edge_segments::unresolved(&state.files, &numbers, &mut cache.pool);
    let (map_edges, unresolved) = match (map_edges, unresolved) {
        (Ok(map_edges), Ok(unresolved)) => (map_edges, unresolved),
        (map_edges, unresolved) => {
            let dangling = map_edges.err().into_iter().chain(unresolved.err());
            return Ok(Err(dangling.flatten().collect()));
        }
    };
    let by_id = numbers.by_id(slots, &mut cache.by_id);
    let problems = problems(state);
    let part_files: Vec<PartFile<'_>> = (files.iter().zip(&map_edges.around))
        .map(|(chunk, (file_parent, item_parent))| PartFile {
            row: &chunk.row,
            file_parent: *file_parent,
            item_parent: *item_parent,
        })
        .collect();
    let chunks: Vec<&ItemChunk> = (files.iter().map(|chunk| &chunk.chunk))
        .chain(cache.tail.as_ref().map(|tail| &tail.chunk))
        .collect();
    let edges: Vec<&EdgeChunk> = map_edges.segments.iter().map(|segment| &segment.chunk).collect();
    let parts = MapParts {
        epoch: state.epoch,
        crates: &fixed.rows,
        files: &part_files,
        chunks: &chunks,
        by_id: &by_id,
        edges: &edges,
        targets: &map_edges.targets,
        unresolved: &unresolved,
        problems: &problems,
    };
    let items = state.files.iter().map(|file| file.nodes.rows.len() as u64).sum();
    let mut totals =
        Totals::of_parts(&parts, items, map_edges.segments.iter().map(|segment| &segment.totals));
    let links = state.files.iter().flat_map(|file| &file.links);
    totals.set_external(links.map(|links| u64::from(links.external)).sum());
    let map = Map::from_parts(&parts, &mut cache.pool)
        .map_err(|err| IngestError::Rows { reason: err.to_string() })?;
    Ok(Ok(Assembled { map, totals }))
}

/// Numbers the nodes of files; each file is a segment.
fn numbers_of_files(slot_tables: &SlotTables, slots: usize) -> Numbers {
    let mut numbers = Numbers::new(slots);
    for (module, rows) in slot_tables.modules.iter().zip(&slot_tables.rows) {
        numbers.begin();
        numbers.take(module.own);
        rows.iter().for_each(|slot| numbers.take(*slot));
    }
    numbers
}

/// The nodes outside files: crates, features, external items; by kind and path.
fn tail(
    fixed: &Arc<CrateSlots>,
    files: &[Arc<FileChunk>],
    slots: &NodeInterner,
    numbers: &mut Numbers,
    cache: &mut ChunkCache,
) {
    let mut features: SortedMap<&str, (&str, u32)> = SortedMap::new();
    for (canon, name, slot) in files.iter().flat_map(|chunk| &chunk.undeclared) {
        features.insert(canon, (name, *slot));
    }
    features
        .extend(fixed.declared.iter().map(|(canon, (name, slot))| (&**canon, (&**name, *slot))));
    outside(fixed, slots, cache);
    let mut order: Vec<u32> = fixed.slots.clone();
    order.extend(features.values().map(|(_, slot)| *slot));
    order.extend_from_slice(&cache.outside);
    for (at, slot) in order.iter().enumerate() {
        if at <= fixed.slots.len() {
            numbers.begin();
        }
        numbers.take(*slot);
    }
    if order.len() == fixed.slots.len() {
        numbers.begin();
    }
    let is_same = |tail: &Tail| tail.slots == order && Arc::ptr_eq(&tail.crates, &fixed.crates);
    if cache.tail.as_ref().is_some_and(is_same) {
        return;
    }
    let mut chunk = ItemChunk::new(NONE, "");
    let mut push = |row: ItemRow| chunk.push(&row, ParentRef::None, &mut cache.pool);
    for (number, input) in fixed.crates.inputs.iter().enumerate() {
        let id = node_interner::crate_id(&input.name);
        let row = ItemRow { krate: number as u32, ..bare(id, ItemKind::Crate, &input.name) };
        push(ItemRow { name: input.extern_name.clone(), ..row });
    }
    for (canon, (name, _)) in features {
        let row = bare(node_interner::feature_id(canon), ItemKind::Feature, canon);
        push(ItemRow { name: name.to_owned(), ..row });
    }
    for slot in &cache.outside {
        let (Some(canon), Some(id)) = (slots.outside(*slot), slots.id(*slot)) else { continue };
        let name = canon.rsplit("::").next().unwrap_or(canon).to_owned();
        push(ItemRow { name, ..bare(id, ItemKind::External, canon) });
    }
    cache.tail = Some(Tail { crates: fixed.crates.clone(), slots: order, chunk });
}

/// Updates the list of external nodes: dependencies of crates, and targets of links.
fn outside(fixed: &CrateSlots, slots: &NodeInterner, cache: &mut ChunkCache) {
    let mut is_listed = vec![false; slots.len()];
    let mut all: Vec<u32> = Vec::new();
    for slot in fixed.outside.iter().chain(&cache.reach).flatten() {
        if let Some(listed) = is_listed.get_mut(*slot as usize)
            && !std::mem::replace(listed, true)
        {
            all.push(*slot);
        }
    }
    let is_in = |slot: &u32| is_listed.get(*slot as usize).is_some_and(|listed| *listed);
    if cache.outside.len() != all.len() || !cache.outside.iter().all(is_in) {
        let mut all: Vec<(Option<&str>, u32)> =
            all.into_iter().map(|slot| (slots.outside(slot), slot)).collect();
        all.sort_unstable();
        cache.outside = all.into_iter().map(|(_, slot)| slot).collect();
    }
}

fn problems(state: &State) -> Vec<ProblemRow> {
    let mut problems: Vec<ProblemRow> = state.crates.problems.clone();
    problems.extend(state.tree_problems.iter().chain(&state.module_problems).cloned());
    problems.extend(state.skipped.iter().map(|skipped| ProblemRow {
        path: skipped.path.clone(),
        line: 0,
        kind: "skipped".to_owned(),
        message: skipped.reason.clone(),
    }));
    problems.extend(state.files.iter().flat_map(|file| file.problems.iter().cloned()));
    problems.sort();
    problems.dedup();
    problems
}
