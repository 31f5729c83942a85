use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use base::{ContentHash, ProjectPath, Timestamp};
use edit::FileState;
use serde::{Deserialize, Serialize};

use crate::error::RepoError;
use crate::sealed;

/// One accepted change, with all that is needed to take it back without git.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Counts the project's accepted changes, from 1.
    pub order: u64,
    /// What `undo` and `redo` take.
    pub id: String,
    /// Who made the change.
    pub author: String,
    /// When it was accepted.
    pub accepted_at: Timestamp,
    /// One line for people.
    pub summary: String,
    /// The overlay's hash.
    pub patch_set: ContentHash,
    /// The permit under which it was written – evidence or a person's word – as JSON.
    pub permit: serde_json::Value,
    /// What the caller adds, as JSON.
    pub note: serde_json::Value,
    /// Each file before and after, in path order.
    pub files: Vec<FileRecord>,
    /// Folders that the change made, outermost first.
    pub made_folders: Vec<FolderRecord>,
    /// Folders that it left empty and took away, outermost first.
    pub removed_folders: Vec<FolderRecord>,
    /// One hash over the project's files that the change leaves alone, as they were when it was
    /// accepted; `None` in entries of former versions.
    #[serde(default)]
    pub around: Option<ContentHash>,
    /// The commit that was made of it, if one was.
    pub commit: Option<String>,
    /// The commit that took it back, where the gate after the commit said no.
    pub reverted_by: Option<String>,
    /// Whether it is in force.
    pub state: EntryState,
}

/// Whether an accepted change is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryState {
    /// It is.
    Applied,
    /// It was taken back; the number grows with each undo, so the newest can be redone first.
    Undone(u64),
}

/// One file of an accepted change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRecord {
    /// Which.
    pub path: ProjectPath,
    /// What it held; `None` where there was none.
    pub before: Option<Stored>,
    /// What it holds; `None` where it went.
    pub after: Option<Stored>,
}

/// A file's content at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stored {
    /// The whole text.
    pub text: String,
    /// Whether it is executable.
    pub executable: bool,
    /// All permission bits, once they are known (a new file gets them when it is written).
    pub mode: Option<u32>,
}

impl Stored {
    pub(crate) fn of(state: &FileState, mode: Option<u32>) -> Self {
        Self { text: state.text.to_string(), executable: state.executable, mode }
    }

    pub(crate) fn state(&self) -> FileState {
        FileState { text: self.text.as_str().into(), executable: self.executable }
    }
}

/// A folder and its permission bits, where they are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FolderRecord {
    /// Which.
    pub path: ProjectPath,
    /// Its permission bits; `None`: as the system makes new ones.
    pub mode: Option<u32>,
}

/// What is going on now, so that whoever comes after a crash can end it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    /// The entry as it stands once the plan is carried out.
    pub(crate) entry: Entry,
    pub(crate) steps: Vec<Step>,
    /// Outermost first.
    pub(crate) make_folders: Vec<FolderRecord>,
    /// Outermost first; taken away where they are empty in the end.
    pub(crate) remove_folders: Vec<FolderRecord>,
    /// Where a commit belongs to the plan.
    pub(crate) commit: Option<CommitPlan>,
    /// What [`Entry::around`] must still be once the files are swapped; `None`: whatever it is.
    #[serde(default)]
    pub(crate) guard: Option<ContentHash>,
}

impl Plan {
    /// The files that this plan writes.
    pub(crate) fn paths(&self) -> BTreeSet<ProjectPath> {
        self.steps.iter().map(|step| step.path.clone()).collect()
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
    pub(crate) before: Option<Stored>,
    pub(crate) after: Option<Stored>,
    /// A name beside the file: first for what comes, after the swap for what went.
    pub(crate) temp: String,
}

/// How far a commit can have come.
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

/// How far a plan is; the name of the journal's pending file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Temporary files are being written; no file of the user has changed.
    Writing,
    /// All is written; files are being swapped. The change will happen.
    Forward,
    /// The files are swapped, the commit is being made.
    Commit,
    /// The change has happened; only temporary names are left to be removed.
    Clean,
    /// The change is being taken back.
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

    /// The plan that is under way or was cut short.
    pub(crate) fn pending(&self) -> Result<Option<(Phase, Plan)>, RepoError> {
        for phase in Phase::ALL {
            if let Some(plan) = sealed::read(&self.folder.join(phase.file_name()))? {
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

    /// Moves the plan on; durable when this returns.
    pub(crate) fn advance(&self, from: Phase, to: Phase) -> Result<(), RepoError> {
        let moved =
            std::fs::rename(self.folder.join(from.file_name()), self.folder.join(to.file_name()));
        moved.and_then(|()| sealed::sync_folder(&self.folder)).map_err(|err| self.keep(&err))
    }

    /// Writes the entry and forgets the plan.
    pub(crate) fn finish(&self, phase: Phase, entry: &Entry) -> Result<(), RepoError> {
        self.put(entry)?;
        self.forget(phase)
    }

    /// Writes an entry.
    pub(crate) fn put(&self, entry: &Entry) -> Result<(), RepoError> {
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

    /// Forgets the plan, and only then its commit: a plan without one would be taken back.
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
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, RepoError> {
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
                && let Some(entry) = sealed::read::<Entry>(&file.path())?
            {
                entries.push(entry);
            }
        }
        entries.sort_by_key(|entry| entry.order);
        Ok(entries)
    }

    /// Puts bytes that are nobody's any more where a person finds them.
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
