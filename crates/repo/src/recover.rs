//! Ends what a killed process left: forward where the change had been decided, back where not.

use base::{Ctx, ProjectPath};
use serde::Serialize;

use crate::error::RepoError;
use crate::git_files::{self, Made};
use crate::journal::{Entry, EntryState, Journal, Phase, Plan};
use crate::project::{Project, WriteLock};
use crate::transaction::Transaction;
use crate::tree::Tree;

/// What became of a change that a killed process had left half done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recovered {
    /// The change.
    pub id: String,
    /// Whether it was completed; else the tree is as it was before.
    pub completed: bool,
    /// Files that somebody changed since the kill and that stay as they are.
    pub kept: Vec<ProjectPath>,
}

/// Looks for a plan that was cut short and completes it. The write lock shows that nobody is
/// still at work on it.
pub(crate) fn recover(
    ctx: &Ctx,
    project: &Project,
    _lock: &WriteLock,
) -> Result<Option<Recovered>, RepoError> {
    let journal = project.journal();
    let Some((phase, plan)) = journal.pending()? else { return Ok(None) };
    let tree = project.tree()?;
    let result = complete(ctx, project, &tree, &journal, phase, plan);
    result.map(Some).map_err(|err| match err {
        RepoError::Damaged { .. } => err,
        err => RepoError::Recovery { reason: err.to_string() },
    })
}

fn complete(
    ctx: &Ctx,
    project: &Project,
    tree: &Tree,
    journal: &Journal,
    mut phase: Phase,
    mut plan: Plan,
) -> Result<Recovered, RepoError> {
    let id = plan.entry.id.clone();
    if phase == Phase::Forward && plan.commit.is_some() {
        // The commit had not begun, and the files without it are not what was asked for.
        journal.advance(phase, Phase::Back)?;
        phase = Phase::Back;
    }
    if phase == Phase::Commit
        && let Some(commit) = plan.commit.clone()
    {
        let noted = journal.noted_commit()?;
        let made = git_files::was_made(&commit, noted.as_deref());
        git_files::end_index_update(journal, &commit, made == Made::Yes)?;
        match made {
            Made::Yes => plan.note_commit(noted),
            // The change stays, and claims no commit.
            Made::Unknown => {}
            Made::No => {
                journal.advance(phase, Phase::Back)?;
                phase = Phase::Back;
            }
        }
    }
    if phase == Phase::Forward {
        match (Transaction { tree, journal, plan: &plan }).swap_forward() {
            // The tree around it is no longer the one that the change was proven on.
            Ok(()) if has_moved(ctx, project, &plan)? => {
                journal.advance(phase, Phase::Back)?;
                phase = Phase::Back;
            }
            Ok(()) => {
                journal.advance(phase, Phase::Clean)?;
                phase = Phase::Clean;
            }
            // A user's edit since the crash is in the way: all or none, so none.
            Err(RepoError::Changed { .. }) => {
                journal.advance(phase, Phase::Back)?;
                phase = Phase::Back;
            }
            Err(err) => return Err(err),
        }
    }
    if matches!(phase, Phase::Commit | Phase::Clean) {
        end_forward(tree, journal, &plan, phase)?;
        return Ok(Recovered { id, completed: true, kept: Vec::new() });
    }
    let back = Transaction { tree, journal, plan: &plan }.back()?;
    journal.forget(phase)?;
    Ok(Recovered { id, completed: false, kept: back.foreign })
}

fn has_moved(ctx: &Ctx, project: &Project, plan: &Plan) -> Result<bool, RepoError> {
    let Some(around) = plan.guard else { return Ok(false) };
    Ok(project.snapshot(ctx)?.hash_without(&plan.paths()) != around)
}

/// Cleans up after all files are in place, and writes the entry.
pub(crate) fn end_forward(
    tree: &Tree,
    journal: &Journal,
    plan: &Plan,
    phase: Phase,
) -> Result<(), RepoError> {
    Transaction { tree, journal, plan }.clean()?;
    journal.finish(phase, &settled(tree, plan))
}

/// The entry with what is known only once all is done: new files' permission bits, and which
/// folders really went.
fn settled(tree: &Tree, plan: &Plan) -> Entry {
    let mut entry = plan.entry.clone();
    for file in &mut entry.files {
        let Ok(Some(found)) = tree.read(&file.path) else { continue };
        let state =
            if entry.state == EntryState::Applied { &mut file.after } else { &mut file.before };
        if let Some(state) = state
            && state.text.as_bytes() == found.bytes
        {
            state.mode = Some(found.mode);
        }
    }
    if entry.state == EntryState::Applied {
        entry.removed_folders.retain(|folder| matches!(tree.folder_mode(&folder.path), Ok(None)));
    }
    entry
}
