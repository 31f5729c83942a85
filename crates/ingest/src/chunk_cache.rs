//! A cache of map chunks: the encoded items and edges of each file, reused by the next map while
//! the file is unchanged.

use std::sync::Arc;

use graph::{ItemChunk, TextPool};

use crate::crate_slots::CrateSlots;
use crate::crates::Crates;
use crate::edge_segments::EdgeCache;
use crate::file_chunk::{FileChunk, file_row};
use crate::links::FileLinks;
use crate::node_interner::NodeInterner;
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
    pub(crate) edges: EdgeCache,
    /// The slots of all items, sorted by their ids.
    pub(crate) by_id: Vec<u32>,
    pub(crate) fixed: Option<Arc<CrateSlots>>,
    pub(crate) tail: Option<Tail>,
    /// Slots of all external items, sorted by canonical path.
    pub(crate) outside: Vec<u32>,
    first_size: usize,
    pub(crate) precloned: PreclonedMap,
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
            self.edges = EdgeCache::default();
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
                    && chunk.slots() == rows[number]
            });
            cache.push(same.unwrap_or_else(|| {
                let own = (number as u32, module.krate);
                let pool = &mut self.pool;
                Arc::new(FileChunk::new(file, row, own, slots, &rows[number], fixed, pool))
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
}
