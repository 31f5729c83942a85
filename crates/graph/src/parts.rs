use std::sync::Arc;

use crate::chunk::ItemChunk;
use crate::data::{CrateRow, FileRow, ProblemRow, UnresolvedReason};
use crate::edge_chunk::EdgeChunk;
use crate::map::{Damaged, Map};
use crate::pool::TextPool;
use crate::write::{seal, write_parts};

/// The whole map in pieces that outlive it, for a process that keeps it up to date: what did not
/// change is copied as bytes. Everything is in the order that [`MapData`](crate::MapData) asks for.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// Which state of the sources it is of.
    pub epoch: u64,
    /// Crates.
    pub crates: &'a [CrateRow],
    /// Files.
    pub files: &'a [PartFile<'a>],
    /// Items; their numbers go on from chunk to chunk.
    pub chunks: &'a [&'a ItemChunk],
    /// The numbers of all items in the order of their ids.
    pub by_id: &'a [u32],
    /// Edges by their sources, of all items: each `(src, kind, dst)` once.
    pub edges: &'a [&'a EdgeChunk],
    /// Where each edge leads: to items that are there.
    pub targets: &'a [u32],
    /// Sites without a target, in items that are there.
    pub unresolved: &'a [PartUnresolved],
    /// Problems.
    pub problems: &'a [ProblemRow],
}

/// One file.
#[derive(Clone, Copy, Debug)]
pub struct PartFile<'a> {
    /// The file.
    pub row: &'a FileRow,
    /// The number of the item that holds the file's own.
    pub holder: Option<u32>,
    /// The number of the item that holds what stands in the file.
    pub home: Option<u32>,
}

/// A site whose target is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartUnresolved {
    /// The item it stands in.
    pub src: u32,
    /// Index in `files`.
    pub file: u32,
    /// Byte offset of the token.
    pub offset: u32,
    /// Its line, from 1.
    pub line: u32,
    /// What is named there: number of the text.
    pub name: u32,
    /// Why nothing was found.
    pub reason: UnresolvedReason,
}

impl Parts<'_> {
    /// How many items there are.
    pub fn item_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }
}

impl Map {
    /// The map of these parts; `pool` is that of the chunks. It answers as one that was opened, but
    /// has no checksum: [`Map::sealed`] gives what can be kept.
    ///
    /// # Errors
    /// [`Damaged::Content`] where it has more bytes than this machine can count.
    pub fn of_parts(parts: &Parts<'_>, pool: &mut TextPool) -> Result<Self, Damaged> {
        Self::read(Arc::new(write_parts(parts, pool)))
    }

    /// The bytes of the map with their checksum, as [`Map::open`] takes them.
    pub fn sealed(&self) -> Vec<u8> {
        seal(self.bytes().to_vec())
    }
}
