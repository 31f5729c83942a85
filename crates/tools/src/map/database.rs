//! The database of the map.

use base::Ctx;
use ingest::Index;
use project::Workspace;
use store::{Store, StoreDirs};

use super::CurrentMap;
use crate::Error;

/// The database directories: the map next to the index, the locks in the state directory.
pub(crate) fn places(workspace: &Workspace, index: &Index) -> StoreDirs {
    StoreDirs { map: index.folder().to_owned(), locks: workspace.project().state_dir() }
}

/// Opens the database and fills it with the relations of the map.
pub(crate) fn open_store(ctx: &Ctx, current: &CurrentMap<'_>) -> Result<Store, Error> {
    let store = Store::open(&places(current.workspace(), &current.index()))?;
    current.index().fill_store(ctx, &store)?;
    Ok(store)
}
