//! `undo` and `redo` of accepted changes.

use base::Ctx;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Error, Workspace};

/// Result of `undo` or `redo`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RestoreSummary {
    /// Id of the journal entry.
    pub id: String,
    /// Restored files.
    pub restored: Vec<String>,
    /// Whether other files of the project changed since the change was accepted. Then no check
    /// covers the present tree.
    pub around_changed: bool,
}

/// Reverts the accepted change with this id, or the newest one.
///
/// # Errors
/// [`repo::RepoError`] if there is no such change, or its files changed since.
pub fn undo(ctx: &Ctx, workspace: &Workspace, id: Option<&str>) -> Result<RestoreSummary, Error> {
    Ok(restored(workspace.project().undo(ctx, id)?))
}

/// Reapplies the undone change with this id, or the one that was undone last.
///
/// # Errors
/// As [`undo`].
pub fn redo(ctx: &Ctx, workspace: &Workspace, id: Option<&str>) -> Result<RestoreSummary, Error> {
    Ok(restored(workspace.project().redo(ctx, id)?))
}

fn restored(applied: repo::Applied) -> RestoreSummary {
    RestoreSummary {
        id: applied.id,
        restored: applied.files.iter().map(ToString::to_string).collect(),
        around_changed: applied.around_changed,
    }
}
