//! `query`: read-only Datalog scripts on the relations of the map and of the record.

use base::Ctx;
use code::CurrentMap;
use code::{open_store, store_dirs};
use project::Workspace;
use serde::Serialize;
use store::{ScriptLimits, Store};

use crate::Error;
use crate::relations::fill_record;

/// Result of a script, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryAnswer {
    /// Column names.
    pub headers: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<serde_json::Value>>,
    /// Repairs of a damaged database.
    pub notes: Vec<String>,
}

/// The database with the relations of the updated map, for several scripts.
pub struct DatalogSession {
    store: Store,
}

impl DatalogSession {
    /// Updates the map and its relations.
    ///
    /// # Errors
    /// A build without the Datalog engine, or a map or database that cannot be updated.
    pub fn open(ctx: &Ctx, workspace: &Workspace) -> Result<Self, Error> {
        // A build without the engine fails here, before the map is updated.
        Store::open(&store_dirs(workspace, &workspace.index(ctx)?))?;
        let current = CurrentMap::open(ctx, workspace)?;
        let store = open_store(ctx, &current)?;
        fill_record(ctx, &current, &store)?;
        Ok(Self { store })
    }

    /// Runs a read-only Datalog script.
    ///
    /// # Errors
    /// A script that is not valid, or that exceeds a limit.
    pub fn run(&self, ctx: &Ctx, script: &str) -> Result<QueryAnswer, Error> {
        let notes = self.store.troubles().iter().map(ToString::to_string).collect();
        ctx.progress("running the script", "");
        let rows = self.store.query(script, &ScriptLimits::default())?;
        Ok(QueryAnswer { headers: rows.headers, rows: rows.rows, notes })
    }

    /// Memory limit of a script in bytes, with the error for it. The engine counts rows, so
    /// [`DatalogSession::run`] fails on too many of them; it does not count the memory of a single
    /// expression. A process that runs untrusted scripts must therefore watch its own memory, and end
    /// with this error.
    pub fn memory_limit() -> (u64, Error) {
        let limit = 2 * ScriptLimits::default().memory;
        (limit as u64, store::StoreError::TooBig { limit }.into())
    }
}
