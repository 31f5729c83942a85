//! What an agent knows before it acts.
//!
//! - [`Relations`]: plans and other relations, a graph of nodes with several parents and no cycle.
//!
//! Invariants: files of a project are untrusted and are read through `beneath`; a program's own files
//! are replaced as a whole or not at all; no clock and no randomness except through [`base::Ctx`]; the
//! same content gives the same answer. This crate starts no process and writes nothing but its own
//! files.

mod relations;

pub use relations::{
    Damage, OnPersist, Relation, RelationContext, RelationError, RelationFile, RelationStatus,
    RelationUpdate, Relations, RelationsConfig, StoredRelations,
};
