//! The database: the map as relations that users and programs query in Datalog. The only crate that
//! uses the engine (`mnestic`, a maintained fork of CozoDB, over SQLite); no type of the engine is
//! public.
//!
//! It also has the record of proposals, tool calls and retrievals as relations ([`RecordStore`]), which
//! are derived from the crate `record`, and rules, skills and episodes ([`MemoryRows`]).
//!
//! The database is `map.db`, one SQLite file with a *seal* beside it (the hash of the file's bytes),
//! written by [`GraphStore::import`] and [`GraphStore::update`]. It can be rebuilt at any time.
//!
//! Invariants:
//! - A write is one transaction: all of a run or nothing, whenever the process is killed.
//! - No byte of the database is trusted unless the seal, or after a kill SQLite's own check, confirms
//!   it. A damaged file is moved away, reported by [`Store::troubles`], and the map starts empty.
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
// Its test runs with those of the engine, so that nothing is built for it alone.
#[cfg(any(test, not(feature = "datalog")))]
mod disabled;
mod error;
mod graph_store;
mod memory_rows;
mod record_rows;
mod rows;

#[cfg(feature = "datalog")]
pub use datalog::Store;
#[cfg(not(feature = "datalog"))]
pub use disabled::Store;
pub(crate) use error::Result;
pub use error::{StoreError, Trouble};
pub use graph_store::{GraphStore, RecordStore, Rows, ScriptLimits, StoreDirs};
pub use memory_rows::{
    EpisodeRow, MemoryRows, RuleReferenceRow, RuleRow, SkillReferenceRow, SkillRow,
};
pub use record_rows::{CodeGraphRow, EditProposalRow, RecordRows, RetrievalRow, ToolCallRow};
pub use rows::{
    BlobRow, DiagnosticRow, DocMetaRow, EdgeKey, EmbeddingRow, IsgEdgeRow, MapChange, MapRows,
    NodeDeclaration, NodeLocation, NodeRow,
};
