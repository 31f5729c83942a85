//! The database: the map as relations that users and programs query in Datalog, and the records
//! that must be preserved. The only crate that uses the engine (`mnestic`, a maintained fork of
//! CozoDB, over SQLite); no type of the engine is public.
//!
//! Two databases, each one SQLite file with a *seal* beside it (the hash of the file's bytes):
//! - `map.db`, rebuildable: [`MAP_RELATIONS`], written by [`GraphStore::import`] and
//!   [`GraphStore::update`];
//! - `record.db`, preserved: [`RECORD_RELATIONS`], written by [`RecordStore`].
//!
//! Invariants:
//! - A write is one transaction: all of a run or nothing, whenever the process is killed.
//! - No byte of a database is trusted unless the seal, or after a kill SQLite's own check, confirms
//!   it. A damaged `map.db` is moved away and starts empty; a damaged `record.db` is set aside
//!   under another name and never deleted. Both are reported by [`Store::troubles`].
//! - One writer at a time by an OS file lock, held for one batch; any number of readers, who
//!   continue to read the previous state while an import builds the next one beside it.
//! - Scripts are read-only, bounded in time and memory, and cannot access files or the network. The
//!   bound on memory counts rows: a single expression can exceed it, so untrusted scripts should
//!   run in a process with its own limits.
//! - Ids are UUID values, so keys are 16 bytes; `*isg_nodes{id: to_uuid("…"), name}` finds one
//!   without a scan. Bind keys inside the atom and put seeds before the relation.
//! - Not included: ranking, vector search, full text, reverse edges. The search index and the map
//!   have those.
//!
//! Without the feature `datalog` the crate compiles without the engine, and [`Store::open`] returns
//! [`StoreError::NoEngine`].

#[cfg(feature = "datalog")]
mod datalog;
#[cfg(not(feature = "datalog"))]
mod disabled;
mod error;
mod graph_store;
mod record_store;
mod records;
mod rows;

#[cfg(feature = "datalog")]
pub use datalog::Store;
#[cfg(not(feature = "datalog"))]
pub use disabled::Store;
pub use error::{Result, StoreError, Trouble};
pub use graph_store::{GraphStore, Limits, Places, Reached, Rows};
pub use record_store::{RecordStore, Settled};
pub use records::{
    CodeRow, CodeVersion, EditProposalRow, FutureAction, Proof, Records, RetrievalEventRow,
    ToolCallRow, ToolState,
};
pub use rows::{
    BlobRow, DiagnosticRow, DocMetaRow, EdgeKey, EdgeRow, EmbeddingRow, MapChange, MapRows, NodeRow,
};

/// The relations of `map.db`, by the names in scripts.
pub const MAP_RELATIONS: &[&str] =
    &["bm25_doc_meta", "code_blobs", "diagnostics", "embeddings", "isg_edges", "isg_nodes", "meta"];

/// The relations of `record.db`, by the names in scripts.
pub const RECORD_RELATIONS: &[&str] =
    &["codegraph", "edit_proposals", "retrieval_events", "tool_calls"];
