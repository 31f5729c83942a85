//! rust-analyzer results, merged over the syntax-based links.
//!
//! ```text
//! scip::Facts ─ resolved_names ─▶ items of the map by offset ─ collect ─▶ Hydration (analyzer.bin)
//! Session::definitions ──▲                                                      │
//!                        FileLinks of syntax ──────────────────────────── overlay ─▶ links of the map
//! ```
//!
//! Invariants: the links of a file are a function of its syntax links, of the results stored here,
//! and of which items exist – never of the order of events. Results are valid for exactly the text
//! that was analyzed, and for each item as long as its syntax links are the same as then: if code
//! elsewhere changes what an item can refer to, the results for it are dropped and its syntax links
//! apply. Syntax links also apply where rust-analyzer has no result.

mod analyzer_file;
mod collect;
mod interfaces;
mod live;
mod overlay;
mod resolved_names;
mod run;
mod signatures;

pub use analyzer_file::{Hydrated, UnresolvedFile};
pub use interfaces::MacroInterface;
pub use live::Live;
pub use run::{Hydrate, HydrateRun};
pub use signatures::{ItemFacts, Signatures};

pub(crate) use analyzer_file::{FILE, Hydration, HydrationKey, KeptHydration, read};
pub(crate) use collect::collect;
pub(crate) use live::LiveAnswer;
pub(crate) use overlay::{Overlaid, overlay};
pub(crate) use resolved_names::analyzer_facts;

/// The rule number of edges that only rust-analyzer found; the resolver's rules have smaller
/// numbers.
pub const ANALYZER_RULE: u8 = 255;
