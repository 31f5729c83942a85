//! What a caller asks of the code of a project: its items and their edges ([`show()`], [`callers`],
//! [`impact()`], [`path()`]), its documentation ([`docs`]), ranked items and packed code ([`search()`],
//! [`context()`]), from files as they are.
//!
//! Invariants: the crate prints nothing and writes nothing into the project; the exception is [`docs`],
//! which writes a directory of its own and replaces only files that it wrote.
//!
//! Start at [`CurrentMap`], the map updated to the present files; in a process that answers many requests
//! [`Follower`] keeps it current.

mod error;
mod live;
mod map;
mod retrieve;

pub use ::search::{Intent, Mode};
pub use error::CodeError;
pub use live::{Follower, catch_up};
pub use map::{
    CountsCard, CurrentMap, DocsRequest, DocsSummary, EdgeCard, ImpactAnswer, ImpactOf, ItemCard,
    NodeCard, ParserMode, PathAnswer, PathRequest, ShowAnswer, SiteCard, StreamOutput,
    StreamRecord, StreamRequest, StreamSummary, UnresolvedCard, WalkAnswer, WalkRequest, callees,
    callers, docs, impact, open_store, path, show, store_dirs, stream,
};
pub use retrieve::{
    ContextAnswer, ContextRequest, FeatureCard, Finder, HitCard, SearchAnswer, SearchReport,
    SearchRequest, SearchUnit, SnippetCard, StageCard, StepCard, context, index_for_search,
    index_vectors, rebuild_index, retriever, search, text_vectors,
};
