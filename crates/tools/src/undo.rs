//! `undo` and `redo` of accepted changes.

use base::{Ctx, ProjectPath};
use edit::Files;
use project::Workspace;
use repo::{EntryState, JournalEntry, Restoring};
use schemars::JsonSchema;
use serde::Serialize;

use crate::proposals::moved_file;
use crate::{Consent, ConsentAct, Error, PendingChange, ProposalError};

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
    let project = workspace.project();
    refuse_overwrite(workspace, "undo", &project.undoing(id)?)?;
    Ok(restored(project.undo(ctx, id)?))
}

/// The same for an agent, of which no person sees the change: only where the tree becomes one that was there
/// before, and nothing was committed since.
///
/// # Errors
/// As [`undo`]; [`repo::RepoError::ChangedAround`].
pub(crate) fn undo_unasked(
    ctx: &Ctx,
    workspace: &Workspace,
    id: Option<&str>,
) -> Result<RestoreSummary, Error> {
    let project = workspace.project();
    let change = project.undoing(id)?;
    if change.is_committed_since {
        return Err(repo::RepoError::CommittedSince { id: change.id }.into());
    }
    refuse_overwrite(workspace, "undo", &change)?;
    Ok(restored(project.undo_alone(ctx, Some(&change.id))?))
}

/// Reapplies the undone change with this id, or the one that was undone last.
///
/// # Errors
/// As [`undo`].
pub fn redo(ctx: &Ctx, workspace: &Workspace, id: Option<&str>) -> Result<RestoreSummary, Error> {
    let project = workspace.project();
    refuse_overwrite(workspace, "redo", &project.redoing(id)?)?;
    Ok(restored(project.redo(ctx, id)?))
}

/// The change that [`undo`] or [`redo`] would write, with its full id, to ask a person about.
///
/// # Errors
/// As [`undo`].
pub fn pending_restore(
    ctx: &Ctx,
    workspace: &Workspace,
    redoes: bool,
    id: Option<&str>,
) -> Result<(String, PendingChange), Error> {
    let project = workspace.project();
    let (act, verb, found) = match redoes {
        true => (ConsentAct::Redo, "redo", project.redoing(id)?),
        false => (ConsentAct::Undo, "undo", project.undoing(id)?),
    };
    refuse_overwrite(workspace, verb, &found)?;
    let titles = vec![format!("{} {}", found.id, found.summary)];
    let see = format!("graftage {verb} {} --dry-run", found.id);
    let pending = PendingChange::now(ctx, workspace, (act, found.change), titles, see)?;
    Ok((found.id, pending))
}

/// Undoes or redoes a change after a person was asked ([`pending_restore`]).
///
/// # Errors
/// As [`undo`]; a consent to another change or tree ([`crate::ConsentError`]).
pub fn restore_consented(
    ctx: &Ctx,
    workspace: &Workspace,
    redoes: bool,
    id: Option<&str>,
    consent: Consent,
) -> Result<RestoreSummary, Error> {
    let (id, pending) = pending_restore(ctx, workspace, redoes, id)?;
    consent.spend(pending.act, pending.change.patch_set(), pending.tree)?;
    match redoes {
        true => redo(ctx, workspace, Some(&id)),
        false => undo(ctx, workspace, Some(&id)),
    }
}

/// Refuses to write over what a file has got since the change.
fn refuse_overwrite(
    workspace: &Workspace,
    verb: &'static str,
    found: &Restoring,
) -> Result<(), Error> {
    let Some(file) = moved_file(workspace, &found.change) else { return Ok(()) };
    let newer = newer_change(workspace, &found.id, &file);
    Err(ProposalError::Later { verb, id: found.id.clone(), file, newer }.into())
}

/// The change after the one with this id that left a file as it is now.
fn newer_change(workspace: &Workspace, id: &str, file: &str) -> Option<String> {
    let entries = workspace.project().history().ok()?;
    let at = entries.iter().position(|it| it.id == id)?;
    let path = ProjectPath::new(file).ok()?;
    let now = workspace.project().read(&path).ok()?.map(|it| it.text);
    let left = |entry: &&JournalEntry| {
        let own = entry.files.iter().find(|it| it.path == path);
        entry.state == EntryState::Applied
            && own.is_some_and(|it| it.after.as_ref().map(|it| &it.text) == now.as_ref())
    };
    entries[at + 1..].iter().rfind(left).map(|it| it.id.clone())
}

fn restored(applied: repo::Applied) -> RestoreSummary {
    RestoreSummary {
        id: applied.id.into(),
        restored: applied.files.iter().map(ToString::to_string).collect(),
        around_changed: applied.around_changed,
    }
}
