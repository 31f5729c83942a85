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

/// Answers a read-only Datalog script over the map's relations, brought up to date before.
pub fn query(ctx: &Ctx, workspace: &Workspace, script: &str) -> Result<QueryAnswer, Error> {
    // A build without the engine says so before anything is indexed.
    Store::open(&places(ctx, workspace)?)?;
    let fresh = Fresh::open(ctx, workspace)?;
    let store = bring_up(ctx, &fresh)?;
    let notes = store.troubles().iter().map(ToString::to_string).collect();
    ctx.progress("asking", "");
    let rows = store.query(script, &Limits::default())?;
    Ok(QueryAnswer { headers: rows.headers, rows: rows.rows, notes })
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
