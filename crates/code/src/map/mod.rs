//! Commands on the code map: `show`, `callers`, `callees`, `impact`, `path`, `stream` and
//! `docs`.
//!
//! Each command updates the map first and returns cards: items and edges as `--json` prints them.
//! Start at [`CurrentMap`].

mod cards;
mod current;
mod database;
mod dispatch;
mod docs;
mod impact;
mod node;
mod path;
mod quoted;
mod show;
mod stream;
mod walk;

pub use cards::{CountsCard, EdgeCard, ItemCard, SiteCard, UnresolvedCard};
pub use current::CurrentMap;
pub(crate) use current::MapSnapshot;
pub use database::{open_store, store_dirs};
pub use docs::{DocsRequest, DocsSummary, docs};
pub use impact::{ImpactAnswer, ImpactOf, impact};
pub use node::NodeCard;
pub use path::{PathAnswer, PathRequest, path};
pub use show::{ShowAnswer, show};
pub use stream::{ParserMode, StreamOutput, StreamRecord, StreamRequest, StreamSummary, stream};
pub use walk::{WalkAnswer, WalkRequest, callees, callers};
