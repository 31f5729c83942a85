//! Slots of the rows and definitions of a state, and the links of a file in terms of them.

use std::sync::Arc;

use base::{LineIndex, Provenance, SortedMap};
use graph::UnresolvedReason;
use resolve::{CrateIdx, DefId, DefMap, FileEdges, FileIdx, Unresolved as Reason};

use crate::links::{FileLinks, Link, Unresolved, narrow};
use crate::node_interner::{NONE, NodeInterner, crate_id, file_id};
use crate::nodes::FileNodes;
use crate::state::{FileState, State};

/// The slots of each file's rows and definitions, and the module of each file; by file.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlotTables {
    /// The slot of each row.
    pub(crate) rows: Vec<Vec<u32>>,
    pub(crate) modules: Vec<FileModule>,
    /// The slot of each definition of the definition map.
    pub(crate) by_def: Vec<u32>,
    /// The slots of the ids of each file's rows, before duplicate ids are disambiguated.
    plain: Vec<(Arc<FileNodes>, Arc<[u32]>)>,
}

impl SlotTables {
    /// Assigns each row its slot: that of its id, or for an id that is taken already the slot of a
    /// duplicate.
    pub(crate) fn row_slots(
        &mut self,
        files: &[FileState],
        slots: &mut NodeInterner,
    ) -> Vec<Vec<u32>> {
        self.plain.truncate(files.len());
        for (number, file) in files.iter().enumerate() {
            let known = self.plain.get(number);
            if known.is_some_and(|(nodes, _)| Arc::ptr_eq(nodes, &file.nodes)) {
                continue;
            }
            let own: Arc<[u32]> = file.nodes.rows.iter().map(|row| slots.of(row.id)).collect();
            let own = (file.nodes.clone(), own);
            match self.plain.get_mut(number) {
                Some(known) => *known = own,
                None => self.plain.push(own),
            }
        }
        let mut duplicates: SortedMap<u32, u32> = SortedMap::new();
        let mut taken: Vec<bool> = vec![false; slots.len()];
        let mut all = Vec::with_capacity(files.len());
        for (nodes, plain) in &self.plain {
            let mut own = plain.to_vec();
            for (row, slot) in nodes.rows.iter().zip(&mut own) {
                let first = *slot;
                loop {
                    if taken.len() <= *slot as usize {
                        taken.resize(slots.len().max(*slot as usize + 1), false);
                    }
                    if !std::mem::replace(&mut taken[*slot as usize], true) {
                        break;
                    }
                    let ordinal = duplicates.entry(first).or_insert(1);
                    *ordinal += 1;
                    *slot = slots.of_duplicate(row, first, *ordinal);
                }
            }
            all.push(own);
        }
        all
    }
}

/// The module whose content a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileModule {
    /// The slot of the file itself.
    pub(crate) own: u32,
    /// The slot of the module's item, or of the crate; the file's own slot for an orphan.
    pub(crate) slot: u32,
    /// Index of its crate; [`NONE`] if unknown.
    pub(crate) krate: u32,
    pub(crate) is_orphan: bool,
    pub(crate) is_inactive: bool,
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
        let module = map.module_of_file(FileIdx(number as u32));
        let mut file_module = file_module(map, module, own, by_def);
        if let Some(slot) = crates.get(roots[number] as usize) {
            let (krate, slot) = (roots[number], *slot);
            file_module = FileModule { own, slot, krate, is_orphan: false, is_inactive: false };
        }
        // A root has no row: the file, or the crate, represents it.
        if let Some(known) = module.and_then(|module| by_def.get_mut(module.idx())) {
            *known = file_module.slot;
        }
        modules.push(file_module);
    }
    for (number, slot) in crates.into_iter().enumerate() {
        let root = map.crate_root(CrateIdx(number as u32));
        if let Some(known) = root.and_then(|root| by_def.get_mut(root.idx())) {
            *known = slot;
        }
    }
}

/// The module of a file with the slot `own` that is no crate root.
fn file_module(map: &DefMap, module: Option<DefId>, own: u32, by_def: &[u32]) -> FileModule {
    let mut file_module =
        FileModule { own, slot: own, krate: NONE, is_orphan: false, is_inactive: false };
    let Some(module) = module else { return file_module };
    let def = map.def(module);
    file_module.krate = def.krate.0;
    file_module.is_inactive = !def.is_active;
    match by_def.get(module.idx()) {
        Some(slot) if def.item != NONE && *slot != NONE && *slot != own => file_module.slot = *slot,
        _ => file_module.is_orphan = true,
    }
    file_module
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
