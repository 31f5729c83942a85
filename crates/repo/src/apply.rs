use std::collections::{BTreeMap, BTreeSet};

use base::{ContentHash, Ctx, ProjectPath};
use edit::{FileState, Overlay};
use policy::Permit;
use sandbox::Sandbox;
use serde::Serialize;

use crate::commit::Committing;
use crate::crash_points::reached;
use crate::error::RepoError;
use crate::git_run::Git;
use crate::journal::{
    Entry, EntryState, FileRecord, FolderRecord, Journal, Phase, Plan, Step, Stored,
};
use crate::message::CommitMessage;
use crate::project::Project;
use crate::recover;
use crate::transaction::{Transaction, with_executable};
use crate::tree::{Tree, describe};

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Applied {
    /// The journal's entry, which `undo` takes.
    pub id: String,
    /// What changed, in path order.
    pub files: Vec<ProjectPath>,
    /// The commit that was made, if one was asked for.
    pub commit: Option<String>,
}

/// How a change is accepted. The default writes the files and leaves git alone.
#[derive(Clone, Debug, Default)]
pub struct ApplyOptions {
    /// One line for `history`; the commit's summary where it is empty.
    pub summary: String,
    /// What the caller wants kept with the entry beside the permit's evidence.
    pub note: serde_json::Value,
    /// One conventional commit of exactly these files.
    pub commit: Option<CommitMessage>,
    /// How git is found and run; only looked at for a commit.
    pub git: Git,
}

/// The gate after a commit: `true` keeps it.
pub type PostCommitGate<'a> = &'a mut dyn FnMut(&Applied) -> bool;

impl Project {
    /// Writes the change: all files or none. The only writer of the user's tree.
    ///
    /// Each file must hold exactly what the overlay was made against. The permit must be for
    /// this overlay. Whatever kills the process, the next [`Project::open`] completes the change
    /// or takes it back.
    ///
    /// # Errors
    /// Any [`RepoError`] means that the tree is as before (but [`RepoError::Recovery`]: the next
    /// open goes on).
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

    /// As [`Project::apply`], with a gate that is asked once the commit stands. Where it says no,
    /// a second commit takes the first one back, and the files with it; history only grows.
    ///
    /// # Errors
    /// [`RepoError::Reverted`] where the gate said no; else as [`Project::apply`].
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
        ctx.alive()?;
        let mut committing = match &options.commit {
            None => None,
            Some(message) => {
                Some(Committing::prepare(self, sandbox, overlay, message, &options.git)?)
            }
        };
        let lock = self.lock(ctx)?;
        recover::recover(self, &lock)?;
        let journal = self.journal();
        let tree = self.tree()?;
        let changes: Vec<FileRecord> = overlay
            .changes()
            .map(|(path, change)| FileRecord {
                path: path.clone(),
                before: change.before.as_ref().map(|state| Stored::of(state, None)),
                after: change.after.as_ref().map(|state| Stored::of(state, None)),
            })
            .collect();
        let entries = journal.entries()?;
        let summary = match (&options.commit, options.summary.is_empty()) {
            (Some(message), true) => message.summary.clone(),
            _ => options.summary.clone(),
        };
        let id = ctx.fresh_name()[..12].to_owned();
        let entry = Entry {
            order: entries.last().map_or(0, |entry| entry.order) + 1,
            id,
            author: overlay.author.clone(),
            accepted_at: ctx.now(),
            summary,
            patch_set,
            permit: serde_json::to_value(&permit)
                .map_err(|err| RepoError::View { reason: err.to_string() })?,
            note: options.note.clone(),
            files: changes,
            made_folders: Vec::new(),
            removed_folders: Vec::new(),
            commit: None,
            state: EntryState::Applied,
        };
        let mut plan = plan_apply(&tree, overlay, entry)?;
        if let Some(committing) = &mut committing {
            committing.check_paths(ctx, self)?;
            plan.commit = Some(committing.plan());
        }
        let files: Vec<ProjectPath> = plan.steps.iter().map(|step| step.path.clone()).collect();
        let id = plan.entry.id.clone();
        let commit = carry_out(ctx, self, &tree, &journal, &mut plan, committing.as_mut())?;
        drop(lock);
        let applied = Applied { id, files, commit };
        if let (Some(gate), Some(committing)) = (gate, committing.as_mut())
            && !gate(&applied)
        {
            return Err(self.revert(ctx, committing, &applied)?);
        }
        Ok(applied)
    }

    /// Takes an accepted change back; `None`: the newest that is not undone. Git is not asked
    /// and not told.
    ///
    /// # Errors
    /// [`RepoError::Changed`] names the first file that is no longer what the change made of it;
    /// nothing is written then.
    pub fn undo(&self, ctx: &Ctx, id: Option<&str>) -> Result<Applied, RepoError> {
        self.restore(ctx, id, Verb::Undo)
    }

    /// Puts an undone change back; `None`: the one that was undone last.
    ///
    /// # Errors
    /// As [`Project::undo`].
    pub fn redo(&self, ctx: &Ctx, id: Option<&str>) -> Result<Applied, RepoError> {
        self.restore(ctx, id, Verb::Redo)
    }

    /// The accepted changes, oldest first.
    ///
    /// # Errors
    /// [`RepoError::Damaged`] for an entry that does not hold what was written into it.
    pub fn history(&self) -> Result<Vec<Entry>, RepoError> {
        self.journal().entries()
    }

    fn restore(&self, ctx: &Ctx, id: Option<&str>, verb: Verb) -> Result<Applied, RepoError> {
        ctx.alive()?;
        let lock = self.lock(ctx)?;
        recover::recover(self, &lock)?;
        let journal = self.journal();
        let entries = journal.entries()?;
        let entry = choose(&entries, id, verb)?.clone();
        let tree = self.tree()?;
        let id = entry.id.clone();
        let mut plan = plan_restore(&tree, entry, verb, next_undo(&entries))?;
        let files = plan.steps.iter().map(|step| step.path.clone()).collect();
        carry_out(ctx, self, &tree, &journal, &mut plan, None)?;
        drop(lock);
        Ok(Applied { id, files, commit: None })
    }

    /// Undo plus a commit of the former states on top.
    fn revert(
        &self,
        ctx: &Ctx,
        committing: &mut Committing<'_>,
        applied: &Applied,
    ) -> Result<RepoError, RepoError> {
        let lock = self.lock(ctx)?;
        recover::recover(self, &lock)?;
        let journal = self.journal();
        let entries = journal.entries()?;
        let entry = choose(&entries, Some(&applied.id), Verb::Undo)?.clone();
        let tree = self.tree()?;
        let mut plan = plan_restore(&tree, entry, Verb::Undo, next_undo(&entries))?;
        let commit = applied.commit.clone().unwrap_or_default();
        committing.turn_to_revert(ctx, self, &commit)?;
        plan.commit = Some(committing.plan());
        let revert = carry_out(ctx, self, &tree, &journal, &mut plan, Some(committing))?;
        Ok(RepoError::Reverted { commit, revert: revert.unwrap_or_default() })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Undo,
    Redo,
}

/// The number that makes an undo the newest.
fn next_undo(entries: &[Entry]) -> u64 {
    let orders = entries.iter().map(|entry| match entry.state {
        EntryState::Applied => 0,
        EntryState::Undone(order) => order,
    });
    orders.max().unwrap_or(0) + 1
}

fn choose<'a>(entries: &'a [Entry], id: Option<&str>, verb: Verb) -> Result<&'a Entry, RepoError> {
    let fits = |entry: &&Entry| match verb {
        Verb::Undo => entry.state == EntryState::Applied,
        Verb::Redo => entry.state != EntryState::Applied,
    };
    if let Some(id) = id {
        let mut named = entries.iter().filter(|entry| !id.is_empty() && entry.id.starts_with(id));
        let (Some(entry), None) = (named.next(), named.next()) else {
            return Err(RepoError::NoEntry { id: id.to_owned() });
        };
        return if fits(&entry) {
            Ok(entry)
        } else {
            let state = if verb == Verb::Undo { "undone" } else { "applied" };
            Err(RepoError::Already { id: entry.id.clone(), state })
        };
    }
    let chosen = match verb {
        Verb::Undo => entries.iter().rfind(fits),
        Verb::Redo => entries.iter().filter(fits).max_by_key(|entry| match entry.state {
            EntryState::Applied => 0,
            EntryState::Undone(order) => order,
        }),
    };
    let verb = if verb == Verb::Undo { "undo" } else { "redo" };
    chosen.ok_or(RepoError::Nothing { verb })
}

/// Checks every file against the overlay and says what is to be done.
fn plan_apply(tree: &Tree, overlay: &Overlay, mut entry: Entry) -> Result<Plan, RepoError> {
    let mut steps = Vec::new();
    for (idx, file) in entry.files.iter_mut().enumerate() {
        let mode = check(tree, &file.path, file.before.as_ref())?;
        if let Some(before) = &mut file.before {
            before.mode = mode;
        }
        // A renamed file takes its rights along.
        let source = overlay.get(&file.path).and_then(|change| change.renamed_from.as_ref());
        let renamed = source.and_then(|source| tree.read(source).ok().flatten());
        let mode = mode.or(renamed.map(|found| found.mode));
        if let (Some(after), Some(mode)) = (&mut file.after, mode) {
            after.mode = Some(with_executable(mode, after.executable));
        }
        steps.push(step(&entry.id, idx, file.path.clone(), &file.before, &file.after));
    }
    let make_folders = missing_folders(tree, &steps, &BTreeMap::new())?;
    let mut remove_folders = BTreeMap::new();
    for step in steps.iter().filter(|step| step.after.is_none()) {
        for folder in ancestors(&step.path) {
            let mode = tree.folder_mode(&folder).ok().flatten();
            remove_folders.insert(folder, mode);
        }
    }
    let remove_folders: Vec<FolderRecord> =
        remove_folders.into_iter().map(|(path, mode)| FolderRecord { path, mode }).collect();
    entry.made_folders = make_folders.clone();
    entry.removed_folders = remove_folders.clone();
    Ok(Plan { entry, steps, make_folders, remove_folders, commit: None })
}

/// The same for an entry that is undone or redone.
fn plan_restore(
    tree: &Tree,
    mut entry: Entry,
    verb: Verb,
    undo_order: u64,
) -> Result<Plan, RepoError> {
    let mut steps = Vec::new();
    for (idx, file) in entry.files.iter().enumerate() {
        let (from, mut to) = match verb {
            Verb::Undo => (&file.after, file.before.clone()),
            Verb::Redo => (&file.before, file.after.clone()),
        };
        let mode = check(tree, &file.path, from.as_ref())?;
        // Rights that somebody changed since are theirs; only the executable bits are ours.
        if let (Some(to), Some(from), Some(mode)) = (&mut to, from, mode)
            && from.mode != Some(mode)
        {
            to.mode = Some(with_executable(mode, to.executable));
        }
        steps.push(step(&entry.id, idx, file.path.clone(), from, &to));
    }
    let (made, removed) = match verb {
        Verb::Undo => (&entry.made_folders, &entry.removed_folders),
        Verb::Redo => (&entry.removed_folders, &entry.made_folders),
    };
    let modes = removed.iter().map(|folder| (folder.path.clone(), folder.mode)).collect();
    let make_folders = missing_folders(tree, &steps, &modes)?;
    let remove_folders = made.clone();
    entry.state = match verb {
        Verb::Undo => EntryState::Undone(undo_order),
        Verb::Redo => EntryState::Applied,
    };
    Ok(Plan { entry, steps, make_folders, remove_folders, commit: None })
}

fn step(
    id: &str,
    idx: usize,
    path: ProjectPath,
    before: &Option<Stored>,
    after: &Option<Stored>,
) -> Step {
    let temp = format!(".graftage-{id}-{idx}.tmp");
    Step { path, before: before.clone(), after: after.clone(), temp }
}

/// The file must hold the expected state; answers its permission bits.
fn check(
    tree: &Tree,
    path: &ProjectPath,
    expected: Option<&Stored>,
) -> Result<Option<u32>, RepoError> {
    let changed = |difference: String| RepoError::Changed { path: path.clone(), difference };
    let found = tree.read(path).map_err(|why| changed(describe(&why)))?;
    match (found, expected) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(changed("it is gone".to_owned())),
        (Some(_), None) => Err(changed("it exists already".to_owned())),
        (Some(found), Some(expected)) => {
            if found.bytes != expected.text.as_bytes() {
                let expected = ContentHash::of(expected.text.as_bytes()).short();
                let present = ContentHash::of(&found.bytes).short();
                return Err(changed(format!("its hash is {present}, not {expected}")));
            }
            if found.executable() != expected.executable {
                let now = if found.executable() { "executable now" } else { "not executable now" };
                return Err(changed(format!("it is {now}")));
            }
            Ok(Some(found.mode))
        }
    }
}

/// All folders above a path, outermost first.
pub(crate) fn ancestors(path: &ProjectPath) -> Vec<ProjectPath> {
    let mut folders: Vec<ProjectPath> =
        std::iter::successors(path.parent(), ProjectPath::parent).collect();
    folders.reverse();
    folders
}

/// The folders that the steps' new files need and that are not there, outermost first.
fn missing_folders(
    tree: &Tree,
    steps: &[Step],
    modes: &BTreeMap<ProjectPath, Option<u32>>,
) -> Result<Vec<FolderRecord>, RepoError> {
    let mut missing = BTreeSet::new();
    for step in steps.iter().filter(|step| step.after.is_some()) {
        for folder in ancestors(&step.path) {
            match tree.folder_mode(&folder) {
                Ok(Some(_)) => {}
                Ok(None) => {
                    missing.insert(folder);
                }
                Err(_) => {
                    let difference = format!("`{folder}` is not a folder of the project");
                    return Err(RepoError::Changed { path: step.path.clone(), difference });
                }
            }
        }
    }
    Ok(missing
        .into_iter()
        .map(|path| FolderRecord { mode: modes.get(&path).copied().flatten(), path })
        .collect())
}

/// Runs a plan to its end; on any trouble takes everything back.
fn carry_out(
    ctx: &Ctx,
    project: &Project,
    tree: &Tree,
    journal: &Journal,
    plan: &mut Plan,
    committing: Option<&mut Committing<'_>>,
) -> Result<Option<String>, RepoError> {
    journal.begin(plan)?;
    reached();
    let mut phase = Phase::Writing;
    let result = forward(ctx, project, tree, journal, plan, committing, &mut phase);
    let err = match result {
        Ok(commit) => return Ok(commit),
        Err(err) => err,
    };
    if plan.entry.commit.is_some() && phase == Phase::Commit {
        // The commit stands, so the files stay; the next open cleans up.
        return Err(RepoError::Recovery { reason: err.to_string() });
    }
    let back = || -> Result<(), RepoError> {
        let mut phase = phase;
        if matches!(phase, Phase::Forward | Phase::Commit) {
            journal.advance(phase, Phase::Back)?;
            phase = Phase::Back;
        }
        Transaction { tree, journal, plan }.back()?;
        journal.forget(phase)
    };
    match back() {
        Ok(()) => Err(err),
        Err(second) => Err(RepoError::Recovery { reason: format!("{err}; then: {second}") }),
    }
}

fn forward(
    ctx: &Ctx,
    project: &Project,
    tree: &Tree,
    journal: &Journal,
    plan: &mut Plan,
    committing: Option<&mut Committing<'_>>,
    phase: &mut Phase,
) -> Result<Option<String>, RepoError> {
    let transaction = Transaction { tree, journal, plan };
    transaction.write_temps()?;
    ctx.alive()?;
    journal.advance(Phase::Writing, Phase::Forward)?;
    *phase = Phase::Forward;
    reached();
    transaction.swap_forward()?;
    reached();
    let mut commit = None;
    if let Some(committing) = committing {
        journal.advance(Phase::Forward, Phase::Commit)?;
        *phase = Phase::Commit;
        reached();
        commit = Some(committing.run(ctx, project, journal, &plan.entry)?);
        reached();
        plan.entry.commit.clone_from(&commit);
    }
    recover::end_forward(tree, journal, plan, *phase)?;
    Ok(commit)
}

/// What an entry's overlay was, for those who want to show it.
impl Entry {
    /// Each file before and after, as the room `edit` takes them.
    pub fn states(&self) -> Vec<(ProjectPath, Option<FileState>, Option<FileState>)> {
        self.files
            .iter()
            .map(|file| {
                let state = |stored: &Option<Stored>| stored.as_ref().map(Stored::state);
                (file.path.clone(), state(&file.before), state(&file.after))
            })
            .collect()
    }
}
