use base::Ctx;
use serde::Serialize;
use store::{GraphStore, Limits, Places, Store};

use super::Fresh;
use crate::{Error, Workspace};

/// What a script answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryAnswer {
    /// The names of the columns.
    pub headers: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<serde_json::Value>>,
    /// What was found damaged and mended on the way.
    pub notes: Vec<String>,
}

/// The map's relations, brought up to date, ready to be asked.
pub struct Questions {
    store: Store,
}

impl Questions {
    /// Brings the map and its relations up to date.
    pub fn open(ctx: &Ctx, workspace: &Workspace) -> Result<Self, Error> {
        // A build without the engine says so before anything is indexed.
        Store::open(&places(ctx, workspace)?)?;
        let fresh = Fresh::open(ctx, workspace)?;
        Ok(Self { store: bring_up(ctx, &fresh)? })
    }

    /// Answers a read-only Datalog script.
    pub fn ask(&self, ctx: &Ctx, script: &str) -> Result<QueryAnswer, Error> {
        let notes = self.store.troubles().iter().map(ToString::to_string).collect();
        ctx.progress("asking", "");
        let rows = self.store.query(script, &Limits::default())?;
        Ok(QueryAnswer { headers: rows.headers, rows: rows.rows, notes })
    }

    /// How many bytes a script may take. Rows are counted by the engine, and [`Questions::ask`]
    /// fails; what a single expression makes is not, so a process that asks scripts of strangers
    /// watches its own memory besides, and ends with this error.
    pub fn memory_limit() -> (u64, Error) {
        let limit = 2 * Limits::default().memory;
        (limit as u64, store::StoreError::TooBig { limit }.into())
    }
}

/// Answers a read-only Datalog script over the map's relations, brought up to date before.
pub fn query(ctx: &Ctx, workspace: &Workspace, script: &str) -> Result<QueryAnswer, Error> {
    Questions::open(ctx, workspace)?.ask(ctx, script)
}

/// The databases: the map's beside the index, the records where they last.
fn places(ctx: &Ctx, workspace: &Workspace) -> Result<Places, Error> {
    Ok(Places {
        map: workspace.index(ctx)?.folder().to_owned(),
        record: workspace.project().state_dir(),
    })
}

/// The database, with the relations of the map as it is.
pub(super) fn bring_up(ctx: &Ctx, fresh: &Fresh<'_>) -> Result<Store, Error> {
    let places = Places {
        map: fresh.index().folder().to_owned(),
        record: fresh.workspace().project().state_dir(),
    };
    let store = Store::open(&places)?;
    fresh.index().fill_store(ctx, &store)?;
    Ok(store)
}
