//! Assembles the map from the state: numbers the nodes, and joins the cached chunks of files,
//! crates and edges. It parses and resolves nothing. Start at [`assemble`].

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use base::{ItemId, ItemKind};
use graph::{EdgeChunk, ItemChunk, ItemRow, Map, MapParts, ParentRef, PartFile, ProblemRow};

use crate::IngestError;
use crate::chunk_cache::{ChunkCache, FileChunk, Tail, bare};
use crate::crate_slots::CrateSlots;
use crate::node_interner::{self, NONE, NodeInterner};
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
    let mut numbers = Numbers::new(slots.len());
    for (module, rows) in slot_tables.modules.iter().zip(&slot_tables.rows) {
        numbers.begin();
        numbers.take(module.own);
        rows.iter().for_each(|slot| numbers.take(*slot));
    }
    tail(&fixed, &files, slots, &mut numbers, cache);
    let map_edges = cache.edges(&state.files, &files, &slot_tables.modules, &fixed, &numbers);
    let unresolved = cache.unresolved(&state.files, &numbers);
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

/// The number of each node in the map being assembled. Nodes come in segments: one per file, one
/// per crate, and the rest.
pub(crate) struct Numbers {
    of_slot: Vec<u32>,
    /// Slots by number.
    slots: Vec<u32>,
    /// The first number of each segment.
    starts: Vec<u32>,
    /// Some slot has two numbers.
    is_ambiguous: bool,
}

impl Numbers {
    fn new(slots: usize) -> Self {
        Self {
            of_slot: vec![NONE; slots],
            slots: Vec::with_capacity(slots),
            starts: Vec::new(),
            is_ambiguous: false,
        }
    }

    pub(crate) fn of(&self, slot: u32) -> Option<u32> {
        self.of_slot.get(slot as usize).copied().filter(|number| *number != NONE)
    }

    pub(crate) fn segments(&self) -> usize {
        self.starts.len()
    }

    /// The first number of a segment.
    pub(crate) fn start(&self, segment: u32) -> u32 {
        self.starts.get(segment as usize).copied().unwrap_or(self.slots.len() as u32)
    }

    pub(crate) fn range(&self, segment: u32) -> Range<u32> {
        self.start(segment)..self.start(segment + 1)
    }

    /// The segment of a number.
    pub(crate) fn segment(&self, number: u32) -> u32 {
        self.starts.partition_point(|start| *start <= number) as u32 - 1
    }

    /// The segment of a slot; [`NONE`] if it has no number.
    pub(crate) fn segment_of(&self, slot: u32) -> u32 {
        self.of(slot).map_or(NONE, |number| self.segment(number))
    }

    /// Starts the next segment.
    fn begin(&mut self) {
        self.starts.push(self.slots.len() as u32);
    }

    /// Assigns the next number to a slot.
    fn take(&mut self, slot: u32) {
        if self.of_slot.len() <= slot as usize {
            self.of_slot.resize(slot as usize + 1, NONE);
        }
        let before = std::mem::replace(&mut self.of_slot[slot as usize], self.slots.len() as u32);
        self.is_ambiguous |= before != NONE;
        self.slots.push(slot);
    }

    /// All numbers, sorted by the ids of their slots. `known` is the same list, as slots, for the
    /// previous map; it is updated to this map.
    fn by_id(&self, slots: &NodeInterner, known: &mut Vec<u32>) -> Vec<u32> {
        let mut is_new = vec![true; self.slots.len()];
        known.retain(|slot| match self.of(*slot) {
            Some(number) => std::mem::replace(&mut is_new[number as usize], false),
            None => false,
        });
        let new = self.slots.iter().zip(&is_new).filter(|(_, is_new)| **is_new);
        let mut new: Vec<u32> = new.map(|(slot, _)| *slot).collect();
        if self.is_ambiguous || new.len() > known.len() {
            let mut all: Vec<(Option<ItemId>, u32)> =
                self.slots.iter().map(|slot| slots.id(*slot)).zip(0..).collect();
            all.sort_unstable();
            let numbers: Vec<u32> = all.into_iter().map(|(_, number)| number).collect();
            known.clear();
            if !self.is_ambiguous {
                known.extend(numbers.iter().filter_map(|number| self.slots.get(*number as usize)));
            }
            return numbers;
        }
        new.sort_unstable_by_key(|slot| slots.id(*slot));
        let mut from = 0;
        for slot in new {
            let id = slots.id(slot);
            from += known.get(from..).unwrap_or_default().partition_point(|it| slots.id(*it) < id);
            known.insert(from, slot);
        }
        known.iter().filter_map(|slot| self.of(*slot)).collect()
    }
}

/// The nodes outside files: crates, features, external items; by kind and path.
fn tail(
    fixed: &Arc<CrateSlots>,
    files: &[Arc<FileChunk>],
    slots: &NodeInterner,
    numbers: &mut Numbers,
    cache: &mut ChunkCache,
) {
    let mut features: BTreeMap<&str, (&str, u32)> = BTreeMap::new();
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
