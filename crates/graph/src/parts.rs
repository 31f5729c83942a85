//! [`MapParts`]: the map split into reusable pieces, from which a long-running process assembles the
//! next map without encoding unchanged files again.

use crate::chunk::ItemChunk;
use crate::data::{CrateRow, FileRow, ProblemRow, UnresolvedReason};
use crate::edge_chunk::EdgeChunk;

/// The whole map, split into parts that can be reused for the next one: unchanged parts are copied
/// as bytes. Everything has the order that [`MapData`](crate::MapData) documents.
#[derive(Clone, Copy, Debug)]
pub struct MapParts<'a> {
    /// Epoch: the state of the sources.
    pub epoch: u64,
    /// Crates.
    pub crates: &'a [CrateRow],
    /// Files.
    pub files: &'a [PartFile<'a>],
    /// Items; numbers continue from chunk to chunk.
    pub chunks: &'a [&'a ItemChunk],
    /// Item numbers sorted by id.
    pub by_id: &'a [u32],
    /// Edges of all items, by source: each `(src, kind, dst)` once.
    pub edges: &'a [&'a EdgeChunk],
    /// Target of each edge: a valid item number.
    pub targets: &'a [u32],
    /// Unresolved sites; their sources are valid item numbers.
    pub unresolved: &'a [PartUnresolved],
    /// Problems.
    pub problems: &'a [ProblemRow],
}

/// One file.
#[derive(Clone, Copy, Debug)]
pub struct PartFile<'a> {
    /// Row of the file.
    pub row: &'a FileRow,
    /// Number of the parent of the file's own item.
    pub file_parent: Option<u32>,
    /// Number of the parent of the items in the file.
    pub item_parent: Option<u32>,
}

/// A site whose target could not be resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartUnresolved {
    /// Number of the item that contains it.
    pub src: u32,
    /// Index in `files`.
    pub file: u32,
    /// Byte offset of the token.
    pub offset: u32,
    /// Line, from 1.
    pub line: u32,
    /// Name at the site: number of the text in the pool.
    pub name: u32,
    /// Reason.
    pub reason: UnresolvedReason,
}

impl MapParts<'_> {
    /// The number of items.
    pub(crate) fn item_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }
}
