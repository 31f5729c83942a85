//! The questions that the map answers.

mod cards;
mod clean;
mod docs;
mod fresh;
mod impact;
mod node;
mod path;
mod query;
mod show;
mod stream;
mod walk;

pub use cards::{CountsCard, EdgeCard, ItemCard, SiteCard, UnresolvedCard};
pub use clean::{Cleaned, clean};
pub use docs::{Docs, DocsRequest, docs};
pub use fresh::Fresh;
pub use impact::{ImpactAnswer, ImpactOf, impact};
pub use node::NodeCard;
pub use path::{PathAnswer, PathRequest, path};
pub use query::{QueryAnswer, Questions, query};
pub use show::{ShowAnswer, show};
pub use stream::{ParserMode, Record, StreamOutput, StreamRequest, StreamSummary, stream};
pub use walk::{WalkAnswer, WalkRequest, callees, callers};
