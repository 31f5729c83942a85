//! Keeps the map of a workspace true: discovers its files, reads and resolves them, writes the
//! map, watches for changes.
//!
//! Invariants: the map is brought up to date all or none – a batch ends in one rename, and until
//! then, whatever kills us, the former map is what readers get; [`Index::map`] is a snapshot, and
//! reading it never waits for a batch. Freshness is judged by content hashes, never by times.
//! Incremental equals from scratch: the same sources give the same rows, whatever was indexed
//! before. What lies on disk carries magic, version, length and checksum; what is damaged or from
//! another version is rebuilt and said so, never trusted. Trouble in the user's tree – a file that
//! is no text, a manifest that cargo refuses, a machine without a toolchain – is a problem in the
//! map, not an error.
//!
//! ```text
//! let mut index = Index::open(&ctx, &project, Some(&probe))?;
//! let report = index.refresh(&ctx, &Options::default())?;
//! let map = index.map();
//! ```
//!
//! Which cargo features count as on is said in `features.rs`.

mod assemble;
mod batch;
mod crates;
mod describe;
mod discover;
mod error;
mod features;
mod fill;
mod fixed;
mod guess;
mod hydrate;
mod index;
mod inputs;
mod kept;
mod kept_links;
mod links;
mod live;
mod lock;
mod made;
mod mapped;
mod nodes;
mod options;
mod phases;
mod pieces;
mod place;
mod read;
mod report;
mod retrieval;
mod sealed;
mod slots;
mod spare;
mod state;
mod usage;
mod watch;
mod wires;

pub use cargo::Probe;
pub use describe::Description;
pub use error::IngestError;
pub use hydrate::{
    ANALYZER_RULE, About, Hydrate, HydrateRun, Hydrated, Live, MacroInterface, Signatures, Unknown,
};
pub use index::{FileUpdate, Index, Reader, data_of, hydrated_data_of, ingest_file, map_of};
pub use made::{MACRO_INTERFACE, MadeItem};
pub use options::Options;
pub use phases::Phases;
pub use report::{Cost, Coverage, EdgeCount, Report};
pub use retrieval::{Retrieval, Retriever, Snapshot};
