//! Applying, undoing and redoing changes. [`Project::apply`] is the only writer of the user's tree;
//! the protocol is in `transaction.rs`.

use base::{Ctx, ProjectPath};
use edit::Overlay;
use policy::Permit;
use sandbox::Sandbox;
use serde::Serialize;

use crate::change_id::ChangeId;
use crate::commit::Committing;
use crate::crash_points::reached;
use crate::error::RepoError;
use crate::guard::Guard;
use crate::journal::{EntryState, FileRecord, Journal, JournalEntry, Phase, Plan, Stored};
use crate::message::CommitMessage;
use crate::plan::{Verb, choose, next_undo, plan_apply, plan_restore, refuse_git};
use crate::project::{Project, WriteLock};
use crate::recover;
use crate::transaction::Transaction;
use crate::tree::Tree;

/// A change that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Applied {
    /// The id of the journal entry, for `undo`.
    pub id: ChangeId,
    /// The changed files in path order.
    pub files: Vec<ProjectPath>,
    /// The commit that was made, if one was requested.
    pub commit: Option<String>,
    /// For an undo or a redo: whether the project's other files differ from those when the change
    /// was accepted, so that the verification of that state does not cover this one.
    pub around_changed: bool,
}

/// The options for accepting a change. The default writes the files and does not use git.
#[derive(Clone, Debug, Default)]
pub struct ApplyOptions {
    /// One line for `history`; the commit's summary if it is empty.
    pub summary: String,
    /// Data of the caller that is stored with the entry beside the permit's evidence.
    pub note: serde_json::Value,
    /// The conventional commit of exactly these files, if requested.
    pub commit: Option<CommitMessage>,
}

/// The gate after a commit: `true` keeps it.
pub type PostCommitGate<'a> = &'a mut dyn FnMut(&Applied) -> bool;

impl Project {
    /// Writes the change: all files or none. The only writer of the user's tree.
    ///
    /// The permit must be for this overlay, and the tree must be the one that it names: it is
    /// compared under the write lock before the files are swapped and once more after, so that the
    /// state that is written is the state that was verified. Each file must have exactly the content
    /// that the overlay was made against. If the process is killed, the next [`Project::open`]
    /// completes the change or rolls it back.
    ///
    /// # Errors
    /// [`RepoError::Moved`] if other files changed since the verification (verify again), and
    /// [`RepoError::Changed`] if a file of the change did. Any [`RepoError`] means that the tree is as before (but [`RepoError::Recovery`]: the next
    /// open continues).
    pub fn apply(
        &self,
        ctx: &Ctx,
        sandbox: &Sandbox,
        overlay: &Overlay,
        permit: Permit,
        options: &ApplyOptions,
    ) -> Result<Applied, RepoError> {
        self.apply_gated(ctx, sandbox, overlay, permit, options, None)
    }

    /// As [`Project::apply`], with a gate that is called after the commit. If it returns false, a
    /// second commit reverts the first one and the files; history is never rewritten.
    ///
    /// # Errors
    /// [`RepoError::Reverted`] if the gate returned false; else as [`Project::apply`].
    pub fn apply_gated(
        &self,
        ctx: &Ctx,
        sandbox: &Sandbox,
        overlay: &Overlay,
        permit: Permit,
        options: &ApplyOptions,
        gate: Option<PostCommitGate<'_>>,
    ) -> Result<Applied, RepoError> {
        let patch_set = overlay.patch_set();
        if permit.patch_set() != patch_set {
            return Err(RepoError::Permit { permit: permit.patch_set(), overlay: patch_set });
        }
        if overlay.is_empty() {
            return Err(RepoError::Empty);
        }
        refuse_git(overlay)?;
        ctx.check_cancelled()?;
        let mut committing = match &options.commit {
            None => None,
            Some(message) => {
                Some(Committing::prepare(self, sandbox, overlay, message, self.git())?)
            }
        };
        let lock = self.lock(ctx)?;
        recover::recover(ctx, self, &lock)?;
        let journal = self.journal();
        let tree = self.tree()?;
        let order = journal.newest_order() + 1;
        let entry = new_entry(ctx, (self, order), overlay, &permit, options)?;
        let mut plan = plan_apply(&tree, overlay, entry)?;
        if let Some(committing) = &mut committing {
            committing.check_paths(ctx, self)?;
            plan.commit = Some(committing.plan());
        }
        let guard = Guard::new(ctx, self, permit.tree(), &plan)?;
        plan.guard = Some(guard.around());
        plan.entry.around = plan.guard;
        let files: Vec<ProjectPath> = plan.steps.iter().map(|step| step.path.clone()).collect();
        let id = ChangeId::of_entry(&plan.entry.id);
        let work = Work {
            ctx,
            project: self,
            tree: &tree,
            journal: &journal,
            guard: Some(guard),
            lock: &lock,
        };
        let commit = execute(&work, &mut plan, committing.as_mut())?;
        drop(lock);
        let applied = Applied { id, files, commit, around_changed: false };
        if let (Some(gate), Some(committing)) = (gate, committing.as_mut())
            && !gate(&applied)
        {
            return Err(self.revert(ctx, committing, &applied)?);
        }
        Ok(applied)
    }

    /// Undoes an accepted change; `None`: the newest that is not undone. Git is not run.
    ///
    /// # Errors
    /// [`RepoError::Changed`] names the first file that is no longer what the change made of it;
    /// nothing is written then.
    pub fn undo(&self, ctx: &Ctx, id: Option<&str>) -> Result<Applied, RepoError> {
        self.restore(ctx, id, (Verb::Undo, false))
    }

    /// The same, only where no other file has changed since: the tree is then one that was there before.
    ///
    /// # Errors
    /// As [`Project::undo`], and [`RepoError::ChangedAround`].
    pub fn undo_alone(&self, ctx: &Ctx, id: Option<&str>) -> Result<Applied, RepoError> {
        self.restore(ctx, id, (Verb::Undo, true))
    }

    /// Redoes an undone change; `None`: the one that was undone last.
    ///
    /// # Errors
    /// As [`Project::undo`].
    pub fn redo(&self, ctx: &Ctx, id: Option<&str>) -> Result<Applied, RepoError> {
        self.restore(ctx, id, (Verb::Redo, false))
    }

    /// The accepted changes, oldest first.
    ///
    /// # Errors
    /// [`RepoError::Damaged`] for an entry whose content is not what was written to it.
    pub fn history(&self) -> Result<Vec<JournalEntry>, RepoError> {
        self.journal().entries()
    }

    fn restore(
        &self,
        ctx: &Ctx,
        id: Option<&str>,
        (verb, alone): (Verb, bool),
    ) -> Result<Applied, RepoError> {
        ctx.check_cancelled()?;
        let lock = self.lock(ctx)?;
        recover::recover(ctx, self, &lock)?;
        let journal = self.journal();
        let entries = journal.entries()?;
        let entry = choose(&entries, id, verb)?.clone();
        let tree = self.tree()?;
        let id = ChangeId::of_entry(&entry.id);
        let mut plan = plan_restore(&tree, entry, verb, next_undo(&entries))?;
        let files = plan.steps.iter().map(|step| step.path.clone()).collect();
        let around = match plan.entry.around {
            None => None,
            Some(_) => Some(self.snapshot(ctx)?.hash_without(&plan.paths())),
        };
        let around_changed = plan.entry.around != around;
        if alone && around_changed {
            return Err(RepoError::ChangedAround { id: id.into() });
        }
        let (project, guard) = (self, None);
        let work = Work { ctx, project, tree: &tree, journal: &journal, guard, lock: &lock };
        execute(&work, &mut plan, None)?;
        drop(lock);
        Ok(Applied { id, files, commit: None, around_changed })
    }

    /// Undoes the change and commits the earlier states on top.
    fn revert(
        &self,
        ctx: &Ctx,
        committing: &mut Committing<'_>,
        applied: &Applied,
    ) -> Result<RepoError, RepoError> {
        let lock = self.lock(ctx)?;
        recover::recover(ctx, self, &lock)?;
        let journal = self.journal();
        let entries = journal.entries()?;
        let entry = choose(&entries, Some(&applied.id), Verb::Undo)?.clone();
        let tree = self.tree()?;
        let mut plan = plan_restore(&tree, entry, Verb::Undo, next_undo(&entries))?;
        let commit = applied.commit.clone().unwrap_or_default();
        committing.turn_to_revert(ctx, self, &commit)?;
        plan.commit = Some(committing.plan());
        let (project, guard) = (self, None);
        let work = Work { ctx, project, tree: &tree, journal: &journal, guard, lock: &lock };
        let revert = execute(&work, &mut plan, Some(committing))?;
        Ok(RepoError::Reverted { commit, revert: revert.unwrap_or_default() })
    }
}

/// The journal entry of a change that is to be written.
fn new_entry(
    ctx: &Ctx,
    (project, order): (&Project, u64),
    overlay: &Overlay,
    permit: &Permit,
    options: &ApplyOptions,
) -> Result<JournalEntry, RepoError> {
    let files = overlay.changes().map(|(path, change)| FileRecord {
        path: path.clone(),
        before: change.before.as_ref().map(|state| Stored::of(state, None)),
        after: change.after.as_ref().map(|state| Stored::of(state, None)),
    });
    let summary = match (&options.commit, options.summary.is_empty()) {
        (Some(message), true) => message.summary.clone(),
        _ => options.summary.clone(),
    };
    Ok(JournalEntry {
        order,
        id: ChangeId::fresh(ctx).into(),
        author: overlay.author.clone(),
        accepted_at: ctx.now(),
        summary,
        patch_set: overlay.patch_set(),
        permit: serde_json::to_value(permit)
            .map_err(|err| RepoError::View { reason: err.to_string() })?,
        note: options.note.clone(),
        files: files.collect(),
        made_folders: Vec::new(),
        removed_folders: Vec::new(),
        around: None,
        heads: Some(project.heads_around(overlay.changes().map(|it| it.0))),
        commit: None,
        reverted_by: None,
        state: EntryState::Applied,
    })
}

/// The context in which a plan is executed.
struct Work<'a> {
    ctx: &'a Ctx,
    project: &'a Project,
    tree: &'a Tree,
    journal: &'a Journal,
    /// The verified tree, which must not change outside the plan's files.
    guard: Option<Guard<'a>>,
    lock: &'a WriteLock,
}

/// Executes a plan; on any error rolls everything back.
fn execute(
    work: &Work<'_>,
    plan: &mut Plan,
    mut committing: Option<&mut Committing<'_>>,
) -> Result<Option<String>, RepoError> {
    work.journal.begin(plan)?;
    reached();
    let mut phase = Phase::Writing;
    let result = forward(work, plan, committing.as_deref_mut(), &mut phase);
    let err = match result {
        Ok(commit) => return Ok(commit),
        Err(err) => err,
    };
    let was_made = committing.is_some_and(|committing| committing.made.is_some());
    if was_made || phase == Phase::Clean {
        // The change is complete; the next open cleans up.
        return Err(RepoError::Recovery { reason: err.to_string() });
    }
    let back = || -> Result<(), RepoError> {
        let mut phase = phase;
        if phase != Phase::Writing {
            work.journal.advance(phase, Phase::Back)?;
            phase = Phase::Back;
        }
        Transaction { tree: work.tree, journal: work.journal, plan }.back()?;
        work.journal.forget(phase)
    };
    match back() {
        Ok(()) => Err(err),
        Err(second) => Err(RepoError::Recovery { reason: format!("{err}; then: {second}") }),
    }
}

fn forward(
    work: &Work<'_>,
    plan: &mut Plan,
    committing: Option<&mut Committing<'_>>,
    phase: &mut Phase,
) -> Result<Option<String>, RepoError> {
    let Work { ctx, project, tree, journal, guard, lock } = work;
    let mut advance = |to| -> Result<Phase, RepoError> {
        journal.advance(*phase, to)?;
        *phase = to;
        reached();
        Ok(to)
    };
    let transaction = Transaction { tree, journal, plan };
    transaction.write_temps()?;
    ctx.check_cancelled()?;
    advance(Phase::Forward)?;
    transaction.swap_forward()?;
    reached();
    if let Some(guard) = guard {
        guard.verify(ctx, project, plan)?;
        reached();
    }
    let Some(committing) = committing else {
        let phase = advance(Phase::Clean)?;
        recover::end_forward(tree, journal, plan, phase)?;
        return Ok(None);
    };
    let phase = advance(Phase::Commit)?;
    let commit = Some(committing.run(ctx, project, journal, lock, &plan.entry)?);
    reached();
    plan.note_commit(commit.clone());
    recover::end_forward(tree, journal, plan, phase)?;
    Ok(commit)
}
