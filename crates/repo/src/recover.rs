//! Ends what a killed process left: forward where the change had been decided, back where not.

use crate::error::RepoError;
use crate::git_files;
use crate::journal::{Entry, EntryState, Journal, Phase, Plan};
use crate::project::{Project, WriteLock};
use crate::transaction::Transaction;
use crate::tree::Tree;

/// Looks for a plan that was cut short and completes it. The write lock shows that nobody is
/// still at work on it.
pub(crate) fn recover(project: &Project, _lock: &WriteLock) -> Result<(), RepoError> {
    let journal = project.journal();
    let Some((phase, plan)) = journal.pending()? else { return Ok(()) };
    let tree = project.tree()?;
    let result = complete(&tree, &journal, phase, plan);
    result.map_err(|err| match err {
        RepoError::Damaged { .. } => err,
        err => RepoError::Recovery { reason: err.to_string() },
    })
}

fn complete(
    tree: &Tree,
    journal: &Journal,
    mut phase: Phase,
    mut plan: Plan,
) -> Result<(), RepoError> {
    if phase == Phase::Forward && plan.commit.is_some() {
        // The commit had not begun, and the files without it are not what was asked for.
        journal.advance(Phase::Forward, Phase::Back)?;
        phase = Phase::Back;
    }
    if phase == Phase::Commit
        && let Some(commit) = &plan.commit
    {
        // Only HEAD says whether the commit was made.
        let head = git_files::head(commit);
        let was_made = head != commit.head;
        git_files::end_index_update(journal, commit, was_made)?;
        if was_made {
            plan.entry.commit = head;
        } else {
            journal.advance(Phase::Commit, Phase::Back)?;
            phase = Phase::Back;
        }
    }
    if matches!(phase, Phase::Forward | Phase::Commit) {
        match finish_forward(tree, journal, &mut plan, phase) {
            // A user's edit since the crash is in the way: all or none, so none.
            Err(RepoError::Changed { .. }) if phase == Phase::Forward => {
                journal.advance(Phase::Forward, Phase::Back)?;
                phase = Phase::Back;
            }
            // The commit stands, and so do the user's later edits.
            Err(RepoError::Changed { .. }) => return end_forward(tree, journal, &mut plan, phase),
            result => return result,
        }
    }
    let transaction = Transaction { tree, journal, plan: &plan };
    transaction.back()?;
    journal.forget(phase)
}

fn finish_forward(
    tree: &Tree,
    journal: &Journal,
    plan: &mut Plan,
    phase: Phase,
) -> Result<(), RepoError> {
    Transaction { tree, journal, plan }.swap_forward()?;
    end_forward(tree, journal, plan, phase)
}

/// Cleans up after the files are in place, and writes the entry.
pub(crate) fn end_forward(
    tree: &Tree,
    journal: &Journal,
    plan: &mut Plan,
    phase: Phase,
) -> Result<(), RepoError> {
    let transaction = Transaction { tree, journal, plan };
    // A commit that stands is not taken back for a late edit; `clean` puts that edit aside.
    if phase == Phase::Forward {
        transaction.verify_all()?;
    }
    transaction.clean()?;
    let entry = settled(tree, plan);
    journal.finish(phase, &entry)
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
