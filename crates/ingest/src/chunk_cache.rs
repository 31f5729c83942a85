//! A cache of map chunks: the encoded items and edges of each file, reused by the next map while
//! the file is unchanged.

use std::sync::Arc;

use base::{ContentHash, ItemId, ItemKind};
use graph::{FileFlags, FileRow, ItemChunk, ItemFlags, ItemRow, ParentRef, TextPool};

use crate::crate_slots::CrateSlots;
use crate::crates::Crates;
use crate::edge_segments::{EdgeContribution, EdgeSegment};
use crate::links::FileLinks;
use crate::node_interner::{self, NONE, NodeInterner, duplicate_id};
use crate::nodes::FileNodes;
use crate::precloned_map::PreclonedMap;
use crate::slot_tables::FileModule;
use crate::state::FileState;

/// The limit of unused bytes in the text pool, beyond twice its first size.
const STALE_TEXTS: usize = 1 << 20;

/// The chunks that successive maps of one process share.
#[derive(Debug, Default)]
pub(crate) struct ChunkCache {
    pub(crate) pool: TextPool,
    /// Chunks by file.
    files: Vec<Arc<FileChunk>>,
    /// The links that `reach` was computed from, by file.
    links: Vec<Arc<FileLinks>>,
    /// Slots of the external targets of the links, without duplicates, by file.
    pub(crate) reach: Vec<Vec<u32>>,
    /// Contributions to edge segments, by file.
    pub(crate) contributions: Vec<Arc<EdgeContribution>>,
    /// The edge segments of files, then of crates, then of the rest.
    pub(crate) segments: Vec<Arc<EdgeSegment>>,
    /// The slots of all items, sorted by their ids.
    pub(crate) by_id: Vec<u32>,
    pub(crate) fixed: Option<Arc<CrateSlots>>,
    pub(crate) tail: Option<Tail>,
    /// Slots of all external items, sorted by canonical path.
    pub(crate) outside: Vec<u32>,
    first_size: usize,
    pub(crate) precloned: PreclonedMap,
}

/// The encoded items of one file.
#[derive(Debug)]
pub(crate) struct FileChunk {
    pub(crate) row: FileRow,
    pub(crate) chunk: ItemChunk,
    /// Rows with a feature in their cfg: the row, the feature's slot, whether it is required.
    pub(crate) gates: Vec<(u32, u32, bool)>,
    /// Canonical path, name and slot of features in `gates` that no package declares.
    pub(crate) undeclared: Vec<(String, String, u32)>,
    nodes: Arc<FileNodes>,
    slots: Vec<u32>,
    pub(crate) number: u32,
    krate: u32,
}

impl FileChunk {
    pub(crate) fn rows(&self) -> &[ItemRow] {
        &self.nodes.rows
    }

    /// The slot of each row.
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }
}

/// The items outside files.
#[derive(Debug)]
pub(crate) struct Tail {
    pub(crate) crates: Arc<Crates>,
    pub(crate) slots: Vec<u32>,
    pub(crate) chunk: ItemChunk,
}

impl ChunkCache {
    /// Clears the cache when too much of it belongs to older maps.
    pub(crate) fn tidy(&mut self) {
        if self.pool.size() > self.first_size * 2 + STALE_TEXTS {
            *self = Self::default();
        }
    }

    /// The chunks of all files; changed ones are encoded again.
    pub(crate) fn of_files(
        &mut self,
        files: &[FileState],
        slots: &mut NodeInterner,
        rows: &[Vec<u32>],
        modules: &[FileModule],
        fixed: &Arc<CrateSlots>,
    ) -> Vec<Arc<FileChunk>> {
        let is_first = self.files.is_empty();
        // Features depend on the crates.
        if self.fixed.as_ref().is_none_or(|known| !Arc::ptr_eq(known, fixed)) {
            self.files.clear();
            self.contributions.clear();
            self.segments.clear();
            self.fixed = Some(fixed.clone());
        }
        let mut cache = Vec::with_capacity(files.len());
        let mut known = std::mem::take(&mut self.files).into_iter().peekable();
        for (number, file) in files.iter().enumerate() {
            let module = modules[number];
            let row = file_row(file, module);
            while known.next_if(|chunk| chunk.row.path < row.path).is_some() {}
            let same = known.next_if(|chunk| chunk.row.path == row.path).filter(|chunk| {
                chunk.row == row
                    && chunk.number == number as u32
                    && chunk.krate == module.krate
                    && Arc::ptr_eq(&chunk.nodes, &file.nodes)
                    && chunk.slots == rows[number]
            });
            cache.push(same.unwrap_or_else(|| {
                let own = (number as u32, module.krate);
                Arc::new(self.chunk(file, row, own, slots, &rows[number], fixed))
            }));
        }
        self.files.clone_from(&cache);
        if is_first {
            self.first_size = self.pool.size();
        }
        cache
    }

    /// Updates the external targets of links.
    pub(crate) fn reach(&mut self, files: &[FileState], slots: &NodeInterner) {
        self.links.resize_with(files.len(), Arc::default);
        self.reach.resize_with(files.len(), Vec::new);
        for (file, (known, reach)) in files.iter().zip(self.links.iter_mut().zip(&mut self.reach)) {
            let Some(links) = file.links.as_ref().filter(|links| !Arc::ptr_eq(links, known)) else {
                continue;
            };
            known.clone_from(links);
            reach.clear();
            reach.extend(links.links.iter().map(|link| link.dst));
            reach.sort_unstable();
            reach.dedup();
            reach.retain(|slot| slots.outside(*slot).is_some());
        }
    }

    fn chunk(
        &mut self,
        file: &FileState,
        row: FileRow,
        (number, krate): (u32, u32),
        slots: &mut NodeInterner,
        rows: &[u32],
        fixed: &CrateSlots,
    ) -> FileChunk {
        let path = file.path.as_str();
        let mut chunk = ItemChunk::new(number, path);
        let own = ItemRow {
            krate,
            span: (0, row.len),
            signature_end: row.len,
            line: 1,
            end_line: row.lines.max(1),
            parse_errors: row.parse_errors,
            token_hash: row.hash,
            name: file.path.file_name().to_owned(),
            flags: ItemFlags { is_inactive: row.flags.is_inactive, ..ItemFlags::default() },
            ..bare(node_interner::file_id(path), ItemKind::File, path)
        };
        let holder = if krate == NONE { ParentRef::None } else { ParentRef::FromFile };
        chunk.push(&own, holder, &mut self.pool);
        for (row, slot) in file.nodes.rows.iter().zip(rows) {
            let parent =
                row.parent.map_or(ParentRef::FromFile, |parent| ParentRef::InChunk(parent + 1));
            match slots.id(*slot).filter(|id| *id != row.id) {
                None => chunk.push(row, parent, &mut self.pool),
                Some(id) => {
                    let mut copy = row.clone();
                    copy.id = id;
                    copy.disambiguator = duplicate_disambiguator(&copy);
                    chunk.push(&copy, parent, &mut self.pool);
                }
            }
        }
        let (mut gates, mut undeclared) = (Vec::new(), Vec::new());
        for (at, feature, is_certain) in &file.nodes.gates {
            let Some(of) = file.nodes.rows.get(*at as usize) else { continue };
            let Some((slot, canon)) = fixed.feature_slot(of.krate, feature, slots) else {
                continue;
            };
            gates.push((*at, slot, *is_certain));
            undeclared.extend(canon.map(|canon| (canon, feature.to_string(), slot)));
        }
        FileChunk {
            row,
            chunk,
            gates,
            undeclared,
            nodes: file.nodes.clone(),
            slots: rows.to_vec(),
            number,
            krate,
        }
    }
}

fn file_row(file: &FileState, module: FileModule) -> FileRow {
    FileRow {
        path: file.path.clone(),
        hash: file.hash,
        len: file.text.len() as u32,
        lines: file.lines,
        parse_errors: file.facts.file.parse_errors.len() as u32,
        flags: FileFlags {
            is_orphan: module.is_orphan,
            is_inactive: module.is_inactive,
            ..file.flags
        },
    }
}

/// A row for a node without text.
pub(crate) fn bare(id: ItemId, kind: ItemKind, canon: &str) -> ItemRow {
    ItemRow {
        id,
        key: canon.to_owned(),
        canon: canon.to_owned(),
        disambiguator: String::new(),
        kind,
        name: canon.to_owned(),
        krate: NONE,
        file: NONE,
        parent: None,
        span: (0, 0),
        code_start: 0,
        signature_end: 0,
        name_span: (0, 0),
        line: 0,
        end_line: 0,
        visibility: String::new(),
        token_hash: ContentHash::of(canon.as_bytes()),
        parse_errors: 0,
        cfg: String::new(),
        flags: ItemFlags::default(),
    }
}

/// The disambiguator of a duplicate.
fn duplicate_disambiguator(row: &ItemRow) -> String {
    // Duplicates are few: the ordinal is found by trying.
    let found = (2..=1_000).map(|ordinal| duplicate_id(row, ordinal)).find(|(id, _)| *id == row.id);
    found.map_or_else(|| row.disambiguator.clone(), |(_, text)| text)
}
