use base::Ctx;
use serde::Serialize;

use crate::{Error, Workspace};

/// What `undo` or `redo` put back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Restored {
    /// The journal's entry.
    pub id: String,
    /// The files that have their other state again.
    pub restored: Vec<String>,
    /// Other files of the project have changed since the change was accepted, so no proof covers
    /// the tree as it is now.
    pub around_changed: bool,
}

/// Takes back the named accepted change, or the newest one.
pub fn undo(ctx: &Ctx, workspace: &Workspace, id: Option<&str>) -> Result<Restored, Error> {
    Ok(restored(workspace.project().undo(ctx, id)?))
}

/// Brings back the named undone change, or the one that was undone last.
pub fn redo(ctx: &Ctx, workspace: &Workspace, id: Option<&str>) -> Result<Restored, Error> {
    Ok(restored(workspace.project().redo(ctx, id)?))
}

fn restored(applied: repo::Applied) -> Restored {
    Restored {
        id: applied.id,
        restored: applied.files.iter().map(ToString::to_string).collect(),
        around_changed: applied.around_changed,
    }
}
