//! The database: what the map knows as relations that people and programs ask in Datalog, and the
//! records that must last. The only room that knows the engine (`mnestic`, a maintained fork of
//! CozoDB, over SQLite), and it lets none of the engine's types out.
//!
//! Two databases, each one SQLite file with a *seal* beside it (the hash of the file's bytes):
//! - `map.db`, rebuildable: [`MAP_RELATIONS`], written by [`GraphStore::import`] and
//!   [`GraphStore::update`];
//! - `record.db`, lasting: [`RECORD_RELATIONS`], written by [`RecordStore`].
//!
//! Invariants
//! - A write is one transaction: all of a run or none, whenever the process is killed.
//! - No byte of a database is believed unless the seal, or after a kill SQLite's own check, vouches
//!   for it. A damaged `map.db` is moved away and begins empty; a damaged `record.db` is set aside
//!   under another name and never deleted. Both are told by [`Store::troubles`].
//! - One writer at a time by an OS file lock, held for one batch; any number of readers, who go on
//!   reading the former state while an import builds the next one beside it.
//! - What a script asks is read only, bounded in time and memory, and reaches no file and no
//!   network. The bound on memory counts rows: one expression alone can pass it, so scripts of
//!   strangers run in a process that is bounded itself.
//! - Ids are UUID values, so keys are 16 bytes; `*isg_nodes{id: to_uuid("…"), name}` finds one
//!   without a scan. Bind keys inside the atom and put seeds before the relation.
//! - Absent: ranking, vectors search, full text, the reverse of edges. Read-models have those.
//!
//! Without the feature `datalog` the room compiles without the engine, and [`Store::open`] answers
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

/// The relations of `map.db`, by the names that scripts use.
pub const MAP_RELATIONS: &[&str] =
    &["bm25_doc_meta", "code_blobs", "diagnostics", "embeddings", "isg_edges", "isg_nodes", "meta"];

/// The relations of `record.db`, by the names that scripts use.
pub const RECORD_RELATIONS: &[&str] =
    &["codegraph", "edit_proposals", "retrieval_events", "tool_calls"];
