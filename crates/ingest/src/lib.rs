//! Keeps the map of a workspace up to date: discovers its files, reads and resolves them, writes
//! the map, watches for changes.
//!
//! Invariants: the map is updated all or nothing – an update ends in one rename, and if the process
//! is killed before that, readers get the previous map; [`Index::map`] is a snapshot, and reading
//! it never waits for an update. Changes are detected by content hashes, never by times.
//! Incremental equals from scratch: the same sources give the same rows, whatever was indexed
//! before. Files on disk have a magic number, version, length and checksum; damaged files and those
//! of other versions are rebuilt and reported, never trusted. Errors in the user's tree – a file
//! that is not text, a manifest that cargo rejects, a machine without a toolchain – are problems in
//! the map, not errors.
//!
//! ```text
//! let mut index = Index::open(&ctx, &project, Some(&probe))?;
//! let report = index.refresh(&ctx, &Options::default())?;
//! let map = index.map();
//! ```
//!
//! Start at [`Index`]. After a save: `watch.rs` receives it, `Index::refresh_saved` reads the files,
//! `relink.rs` updates the map, `retrieval` the search index from the map; `features.rs` decides which cargo features are enabled.

mod assemble;
mod batch;
mod changes;
mod chunk_cache;
mod crate_slots;
mod crates;
mod describe;
mod discover;
mod edge_segments;
mod error;
mod features;
mod file_chunk;
mod fill;
mod guess;
mod hydrate;
mod in_memory;
mod includes;
mod index;
mod index_dir;
mod inputs;
mod links;
mod lock;
mod macro_items;
mod mapped;
mod node_interner;
mod nodes;
mod numbers;
mod options;
mod phases;
mod precloned_map;
mod priority;
mod read;
mod relink;
mod report;
mod retrieval;
mod sealed;
mod slot_tables;
mod state;
mod usage;
mod watch;

pub use build::ToolchainProbe;
pub use changes::{Changes, Unread};
pub use describe::Description;
pub use discover::LINK;
pub use error::IngestError;
pub use hydrate::{
    ANALYZER_RULE, Hydrate, HydrateRun, Hydrated, ItemFacts, Live, MacroInterface, Signatures,
    UnresolvedFile,
};
pub use in_memory::{data_of, hydrated_data_of, ingest_file};
pub use index::{Index, MapReader};
pub use macro_items::{MACRO_INTERFACE, MacroItem};
pub use options::Options;
pub use phases::Phases;
pub use priority::{updates_yield_to_others, yield_to_others};
pub use report::{Cost, EdgeCount, IndexReport, MapCoverage};
pub use retrieval::{Retrieval, Retriever, SearchUpdater};
pub use usage::peak_rss_bytes;
