//! Recovery of an interrupted change: completed if all of it had been written, else rolled back.
//! Start at [`recover`].

use base::Ctx;

use crate::error::RepoError;
use crate::git_files::{self, Made};
use crate::head_locks;
use crate::journal::{EntryState, Journal, JournalEntry, Phase, Plan, Recovered};
use crate::project::{Project, WriteLock};
use crate::transaction::Transaction;
use crate::tree::Tree;

/// Finds an interrupted plan and completes it. The write lock guarantees that no process is still
/// executing it.
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
        // The commit had not started, and the files without it are not what was requested.
        journal.advance(phase, Phase::Back)?;
        phase = Phase::Back;
    }
    if phase == Phase::Commit
        && let Some(commit) = plan.commit.clone()
    {
        let noted = journal.noted_commit()?;
        if let Some(noted) = &noted {
            head_locks::free(&commit, noted);
        }
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
            // The tree is no longer the one on which the change was verified.
            Ok(()) if has_moved(ctx, project, &plan)? => {
                journal.advance(phase, Phase::Back)?;
                phase = Phase::Back;
            }
            Ok(()) => {
                journal.advance(phase, Phase::Clean)?;
                phase = Phase::Clean;
            }
            // The user edited a file since the crash: all files or none, so none.
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

/// The entry with data that are known only at the end: permission bits of new files, and the
/// folders that were really removed.
fn settled(tree: &Tree, plan: &Plan) -> JournalEntry {
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
