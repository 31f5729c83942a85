//! Commands on the code map, one file each; `view.rs` formats items and edges for all of them.

mod clean;
mod docs;
mod impact;
mod index;
mod path;
mod query;
mod show;
mod stream;
pub(super) mod view;
mod walk;

pub(crate) use clean::run as clean;
pub(crate) use docs::run as docs;
pub(crate) use impact::run as impact;
pub(crate) use index::{headline, run as index};
pub(crate) use path::run as path;
pub(crate) use query::run as query;
pub(crate) use show::run as show;
pub(crate) use stream::run as stream;
pub(crate) use walk::{callees, callers};
