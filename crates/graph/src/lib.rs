//! The code map: items, the edges between them in both directions, and traversals over them
//! (`callers`, `callees`, `impact`, `path`, n hops).
//!
//! Invariants: pure – bytes in, bytes out. [`MapData`] (rows, as built by `ingest`) is serialised
//! by [`MapData::to_bytes`]; equal rows give equal bytes. [`Map::open`] reads the bytes in place
//! (memory-mapped or not) without parsing: it checks version, lengths and checksum, and returns
//! [`MapError`] for anything else. A long-running process builds the next map from [`MapParts`], most
//! of which it reuses from the last one. Items have dense `u32` numbers, sorted by file and
//! position; ids, keys and canonical paths are resolved to numbers.

mod chunk;
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
mod path_match;
mod pool;
mod public_path;
mod query;
mod rows;
mod write;

pub use chunk::{ItemChunk, ParentRef};
pub use data::{
    CrateRow, EdgeRow, FileFlags, FileRow, ItemFlags, ItemRow, MapData, ProblemRow, SiteRow,
    UnresolvedReason, UnresolvedRow,
};
pub use edge::{EdgeView, SiteView, UnresolvedView};
pub use edge_chunk::{EdgeChunk, EdgeHead};
pub use hops::HopQuery;
pub use impact::Impact;
pub use item::ItemView;
pub use map::{CrateView, FileView, Map, MapError, ProblemView};
pub use parts::{MapParts, PartFile, PartUnresolved};
pub use path::Route;
pub use pool::TextPool;
pub use query::{Direction, EdgeCounts, EdgeKinds, ReachedItem, Traversal, TraversalResult};
