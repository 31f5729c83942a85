//! The journal of accepted changes and of the plan under way, in the state directory. It never writes
//! to the user's tree.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{ContentHash, ProjectPath, SortedSet, Timestamp};
use edit::FileState;
use serde::{Deserialize, Serialize};

use crate::error::RepoError;
use crate::sealed;

/// One accepted change, with all data that is needed to undo it without git.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalEntry {
    /// The number of the change in the project, from 1.
    pub order: u64,
    /// The id that `undo` and `redo` take.
    pub id: String,
    /// The author of the change.
    pub author: String,
    /// The time at which it was accepted.
    pub accepted_at: Timestamp,
    /// A one-line summary.
    pub summary: String,
    /// The overlay's hash.
    pub patch_set: ContentHash,
    /// The permit under which it was written – evidence or a person's permission – as JSON.
    pub permit: serde_json::Value,
    /// Data of the caller, as JSON.
    pub note: serde_json::Value,
    /// Each file before and after, in path order.
    pub files: Vec<FileRecord>,
    /// Folders that the change made, outermost first.
    pub made_folders: Vec<FolderRecord>,
    /// Folders that it left empty and removed, outermost first.
    pub removed_folders: Vec<FolderRecord>,
    /// One hash over the project's files that the change leaves alone, as they were when it was
    /// accepted; `None` in entries of earlier versions.
    #[serde(default)]
    pub around: Option<ContentHash>,
    /// One hash over the commits that were checked out around the files when it was accepted, those of
    /// repositories inside the project too; `None` in entries of earlier versions.
    #[serde(default)]
    pub heads: Option<ContentHash>,
    /// The commit that was made of it, if one was.
    pub commit: Option<String>,
    /// The commit that reverted it, if the gate after the commit refused it.
    pub reverted_by: Option<String>,
    /// Whether it is applied.
    pub state: EntryState,
}

/// Whether an accepted change is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryState {
    /// It is applied.
    Applied,
    /// It was undone; the number grows with each undo, so the newest can be redone first.
    Undone(u64),
}

/// The result of recovering a change that a killed process left incomplete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recovered {
    /// The change.
    pub id: String,
    /// Whether it was completed; else the tree is as it was before.
    pub completed: bool,
    /// The files that were changed since the kill and are kept as they are.
    pub kept: Vec<ProjectPath>,
}

/// One file of an accepted change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRecord {
    /// The path.
    pub path: ProjectPath,
    /// The content before; `None` if it did not exist.
    pub before: Option<Stored>,
    /// The content after; `None` if it was removed.
    pub after: Option<Stored>,
}

/// A file's content at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stored {
    /// The complete text.
    pub text: Arc<str>,
    /// Whether it is executable.
    pub executable: bool,
    /// All permission bits, once they are known (a new file gets them when it is written).
    pub mode: Option<u32>,
}

impl Stored {
    pub(crate) fn of(state: &FileState, mode: Option<u32>) -> Self {
        Self { text: state.text.clone(), executable: state.executable, mode }
    }
}

/// A folder and its permission bits, if they are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FolderRecord {
    /// The path.
    pub path: ProjectPath,
    /// Its permission bits; `None`: the default of the system.
    pub mode: Option<u32>,
}

/// The plan under way, stored so that the next process can finish it after a crash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    /// The entry after the plan is executed.
    pub(crate) entry: JournalEntry,
    pub(crate) steps: Vec<Step>,
    /// The folders to create, outermost first.
    pub(crate) make_folders: Vec<FolderRecord>,
    /// The folders to remove if they are empty in the end, outermost first.
    pub(crate) remove_folders: Vec<FolderRecord>,
    /// The commit of the plan, if it has one.
    pub(crate) commit: Option<CommitPlan>,
    /// The value that [`JournalEntry::around`] must have after the files are swapped; `None`: any.
    #[serde(default)]
    pub(crate) guard: Option<ContentHash>,
}

impl Plan {
    /// The files that this plan writes.
    pub(crate) fn paths(&self) -> SortedSet<ProjectPath> {
        self.steps.iter().map(|step| step.path.clone()).collect()
    }

    /// Adds the contents that are stored with the entry to the steps; `None` if the entry lacks a
    /// file of a step.
    fn with_contents(mut self) -> Option<Self> {
        for step in &mut self.steps {
            if step.before.is_some() || step.after.is_some() {
                continue;
            }
            let file = self.entry.files.iter().find(|file| file.path == step.path)?;
            let (before, mut after) = match self.entry.state {
                EntryState::Applied => (file.before.clone(), file.after.clone()),
                EntryState::Undone(_) => (file.after.clone(), file.before.clone()),
            };
            after.iter_mut().for_each(|after| after.mode = step.mode);
            (step.before, step.after) = (before, after);
        }
        Some(self)
    }

    /// Notes the commit that was made of the plan.
    pub(crate) fn note_commit(&mut self, commit: Option<String>) {
        match self.entry.state {
            EntryState::Applied => self.entry.commit = commit,
            EntryState::Undone(_) => self.entry.reverted_by = commit,
        }
    }
}

/// One file of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) path: ProjectPath,
    /// The content before; stored with the plan's entry only, except by earlier versions.
    #[serde(default, skip_serializing)]
    pub(crate) before: Option<Stored>,
    /// The content after; stored the same way, except for its permission bits.
    #[serde(default, skip_serializing)]
    pub(crate) after: Option<Stored>,
    /// The permission bits of `after`, once they are known.
    #[serde(default)]
    pub(crate) mode: Option<u32>,
    /// A temporary name beside the file: for the new content, after the swap for the old one.
    pub(crate) temp: String,
}

/// The data that show how far a commit has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommitPlan {
    /// The worktree's git folder.
    pub(crate) git_dir: PathBuf,
    /// The git folder that all worktrees share.
    pub(crate) common_dir: PathBuf,
    /// HEAD before. That it names another commit now may be the user's doing.
    pub(crate) head: Option<String>,
}

/// The phase of a plan; the name of the journal's pending file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Temporary files are being written; no file of the user has changed.
    Writing,
    /// All temporary files are written; files are being swapped. The change will be completed.
    Forward,
    /// The files are swapped, the commit is being made.
    Commit,
    /// The change is complete; only temporary names remain to be removed.
    Clean,
    /// The change is being rolled back.
    Back,
}

impl Phase {
    const ALL: [Phase; 5] =
        [Phase::Writing, Phase::Forward, Phase::Commit, Phase::Clean, Phase::Back];

    fn file_name(self) -> &'static str {
        match self {
            Phase::Writing => "pending.writing",
            Phase::Forward => "pending.forward",
            Phase::Commit => "pending.commit",
            Phase::Clean => "pending.clean",
            Phase::Back => "pending.back",
        }
    }
}

/// The file with the commit of the plan under way.
const COMMIT: &str = "commit";

/// The journal's folder. Only the holder of the write lock changes it.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
}

impl Journal {
    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The plan that is under way or was interrupted.
    pub(crate) fn pending(&self) -> Result<Option<(Phase, Plan)>, RepoError> {
        for phase in Phase::ALL {
            let path = self.folder.join(phase.file_name());
            if let Some(plan) = sealed::read::<Plan>(&path)? {
                let reason = "it has a step for a file that it does not change";
                let plan = plan.with_contents();
                let plan = plan.ok_or(RepoError::Damaged { path, reason: reason.to_owned() })?;
                return Ok(Some((phase, plan)));
            }
        }
        Ok(None)
    }

    /// Records a plan before its first write to the tree.
    pub(crate) fn begin(&self, plan: &Plan) -> Result<(), RepoError> {
        sealed::make_private(&self.entries_folder()).map_err(|err| self.keep(&err))?;
        self.forget_commit()?;
        sealed::write(&self.folder, Phase::Writing.file_name(), plan)
    }

    /// Moves the plan to the next phase; durable when this returns.
    pub(crate) fn advance(&self, from: Phase, to: Phase) -> Result<(), RepoError> {
        let moved =
            std::fs::rename(self.folder.join(from.file_name()), self.folder.join(to.file_name()));
        moved.and_then(|()| sealed::sync_folder(&self.folder)).map_err(|err| self.keep(&err))
    }

    /// Writes the entry and removes the plan.
    pub(crate) fn finish(&self, phase: Phase, entry: &JournalEntry) -> Result<(), RepoError> {
        self.put(entry)?;
        self.forget(phase)
    }

    /// Writes an entry.
    pub(crate) fn put(&self, entry: &JournalEntry) -> Result<(), RepoError> {
        let name = format!("{:08}-{}.json", entry.order, entry.id);
        sealed::write(&self.entries_folder(), &name, entry)
    }

    /// Records the commit that HEAD is about to name. Only this commit is ours.
    pub(crate) fn note_commit(&self, commit: &str) -> Result<(), RepoError> {
        sealed::write(&self.folder, COMMIT, &commit.to_owned())
    }

    /// The commit that HEAD was about to name for the plan under way.
    pub(crate) fn noted_commit(&self) -> Result<Option<String>, RepoError> {
        sealed::read(&self.folder.join(COMMIT))
    }

    fn forget_commit(&self) -> Result<(), RepoError> {
        match std::fs::remove_file(self.folder.join(COMMIT)) {
            Err(err) if err.kind() != io::ErrorKind::NotFound => Err(self.keep(&err)),
            _ => Ok(()),
        }
    }

    /// Removes the plan, and only then its commit: a plan without one would be rolled back.
    pub(crate) fn forget(&self, phase: Phase) -> Result<(), RepoError> {
        std::fs::remove_file(self.folder.join(phase.file_name()))
            .and_then(|()| sealed::sync_folder(&self.folder))
            .map_err(|err| self.keep(&err))?;
        self.forget_commit()
    }

    /// The number of the newest entry, by the names of the files alone; 0 without any.
    pub(crate) fn newest_order(&self) -> u64 {
        let listing = std::fs::read_dir(self.entries_folder()).into_iter().flatten().flatten();
        listing
            .filter_map(|file| file.file_name().to_str()?.split_once('-')?.0.parse().ok())
            .max()
            .unwrap_or(0)
    }

    /// All entries, oldest first.
    pub(crate) fn entries(&self) -> Result<Vec<JournalEntry>, RepoError> {
        let folder = self.entries_folder();
        let listing = match std::fs::read_dir(&folder) {
            Ok(listing) => listing,
            Err(err)
                if matches!(err.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
            {
                return Ok(Vec::new());
            }
            Err(err) => return Err(RepoError::Read { path: folder, reason: err.to_string() }),
        };
        let mut entries = Vec::new();
        for file in listing {
            let file = file
                .map_err(|err| RepoError::Read { path: folder.clone(), reason: err.to_string() })?;
            if file.path().extension().is_some_and(|extension| extension == "json")
                && let Some(entry) = sealed::read::<JournalEntry>(&file.path())?
            {
                entries.push(entry);
            }
        }
        entries.sort_by_key(|entry| entry.order);
        Ok(entries)
    }

    /// Saves content that belongs to no file any more where the user can find it.
    pub(crate) fn rescue(&self, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let folder = self.folder.join("rescued");
        sealed::make_private(&folder)?;
        let hash = ContentHash::of(bytes).short();
        let name = format!("{hash}-{name}");
        sealed::write_bytes(&folder, &name, bytes)?;
        Ok(folder.join(name))
    }

    fn entries_folder(&self) -> PathBuf {
        self.folder.join("entries")
    }

    fn keep(&self, err: &io::Error) -> RepoError {
        RepoError::Keep { path: self.folder.clone(), reason: err.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(state: EntryState) -> Plan {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let stored =
            |text: &str| Stored { text: text.into(), executable: false, mode: Some(0o644) };
        let (before, after) = (Some(stored("old\n")), Some(stored("new\n")));
        let entry = JournalEntry {
            order: 1,
            id: "a".to_owned(),
            author: "test".to_owned(),
            accepted_at: Timestamp::default(),
            summary: "s".to_owned(),
            patch_set: ContentHash::of(b""),
            permit: serde_json::Value::Null,
            note: serde_json::Value::Null,
            files: vec![FileRecord {
                path: path.clone(),
                before: before.clone(),
                after: after.clone(),
            }],
            made_folders: Vec::new(),
            removed_folders: Vec::new(),
            around: None,
            heads: None,
            commit: None,
            reverted_by: None,
            state,
        };
        let (before, after) = match state {
            EntryState::Applied => (before, after),
            EntryState::Undone(_) => (after, before),
        };
        let mode = Some(0o755);
        let after = after.map(|after| Stored { mode, ..after });
        let steps = vec![Step { path, before, after, mode, temp: ".t".to_owned() }];
        let (make_folders, remove_folders) = (Vec::new(), Vec::new());
        Plan { entry, steps, make_folders, remove_folders, commit: None, guard: None }
    }

    #[test]
    fn a_plan_stores_each_text_once_and_is_read_back_whole() {
        for state in [EntryState::Applied, EntryState::Undone(2)] {
            let json = serde_json::to_string(&plan(state)).unwrap();
            assert_eq!(json.matches("new\\n").count(), 1, "{json}");
            let read: Plan = serde_json::from_str(&json).unwrap();
            assert_eq!(read.with_contents().unwrap(), plan(state));
        }
    }

    #[test]
    fn a_plan_of_an_earlier_version_is_read() {
        let now = plan(EntryState::Applied);
        let mut json = serde_json::to_value(&now).unwrap();
        let step = json["steps"][0].as_object_mut().unwrap();
        step.remove("mode");
        step.insert("before".to_owned(), serde_json::to_value(&now.steps[0].before).unwrap());
        step.insert("after".to_owned(), serde_json::to_value(&now.steps[0].after).unwrap());
        let read = serde_json::from_value::<Plan>(json).unwrap().with_contents().unwrap();
        assert_eq!(
            (&read.steps[0].before, &read.steps[0].after),
            (&now.steps[0].before, &now.steps[0].after)
        );
    }
}
