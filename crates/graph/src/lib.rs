//! What is connected to what: the item table, adjacency in both directions, and the questions one
//! asks of them (`callers`, `callees`, `impact`, `path`, n hops).
//!
//! Invariants: pure – bytes in, bytes out; [`MapData`] (rows, as ingest makes them) becomes bytes
//! by [`MapData::to_bytes`], the same rows always the same bytes; [`Map::open`] reads them where
//! they lie (memory-mapped or not), parses nothing, checks version, lengths and checksum, and says
//! [`Damaged`] rather than give a wrong answer. A process that lives on makes the next map of
//! [`Parts`], most of which are those of the last. Items are dense `u32` numbers, sorted by file and
//! place; ids, keys and canonical paths lead to numbers.

mod chunk;
mod column;
mod data;
mod edge;
mod edge_chunk;
mod find;
mod hops;
mod impact;
mod item;
mod layout;
mod map;
mod normalise;
mod parts;
mod path;
mod pool;
mod query;
mod rows;
mod write;

pub use chunk::{ItemChunk, Parent};
pub use data::{
    CrateRow, EdgeRow, FileFlags, FileRow, ItemFlags, ItemKind, ItemRow, MapData, ProblemRow,
    SiteRow, UnresolvedReason, UnresolvedRow,
};
pub use edge::{EdgeView, SiteView, UnresolvedView};
pub use edge_chunk::{EdgeChunk, EdgeHead};
pub use hops::Hops;
pub use impact::Impact;
pub use item::ItemView;
pub use map::{CrateView, Damaged, FileView, Map, ProblemView};
pub use parts::{PartFile, PartUnresolved, Parts};
pub use path::Route;
pub use pool::TextPool;
pub use query::{Answer, Counts, Direction, EdgeKinds, Query, Reached};
