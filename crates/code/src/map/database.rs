//! The database of the map.

use base::Ctx;
use ingest::Index;
use project::Workspace;
use store::{Store, StoreDirs};

use super::CurrentMap;
use crate::CodeError;

/// The database directories: the map next to the index, the locks in the state directory.
pub fn store_dirs(workspace: &Workspace, index: &Index) -> StoreDirs {
    StoreDirs { map: index.folder().to_owned(), locks: workspace.project().state_dir() }
}

/// Opens the database and fills it with the relations of the map.
///
/// # Errors
/// A build without the Datalog engine, or a database that cannot be written.
pub fn open_store(ctx: &Ctx, current: &CurrentMap<'_>) -> Result<Store, CodeError> {
    let store = Store::open(&store_dirs(current.workspace(), &current.index()))?;
    current.index().fill_store(ctx, &store)?;
    Ok(store)
}
