use std::path::PathBuf;

use base::{Cancelled, ContentHash, Hint, ProjectPath};

use crate::message::MessageFault;

/// Why the user's tree was not read, shown or written. Whenever one of these is answered, the
/// tree is as it was before the call, except where [`RepoError::Recovery`] says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum RepoError {
    /// The project's folder is not there or is no folder.
    #[error("cannot open the project at `{path}`: {reason}")]
    Root {
        /// As asked for.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// A file or folder of the project could not be read.
    #[error("cannot read `{path}`: {reason}")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The system refused a write; nothing of the change is left.
    #[error("cannot write `{path}`: {reason}")]
    Write {
        /// The file that was to be written.
        path: ProjectPath,
        /// What the system said.
        reason: String,
    },
    /// A file of graftage's own – journal, lock, view – could not be kept.
    #[error("cannot keep `{path}`: {reason}")]
    Keep {
        /// Which.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The tree is not what the change was made against.
    #[error("`{path}` is not what the change was made against: {difference}")]
    Changed {
        /// The first file that differs.
        path: ProjectPath,
        /// How it differs.
        difference: String,
    },
    /// The tree around the change is not the one that it was proven on; nothing was written.
    #[error("the tree is not the one that the change was proven on: {} changed", shown(changed))]
    Moved {
        /// What differs, sorted: paths as the project names them, others absolute.
        changed: Vec<String>,
    },
    /// The path is inside a git folder, which no change of sources may touch.
    #[error("`{path}` belongs to git")]
    GitFolder {
        /// Which.
        path: ProjectPath,
    },
    /// The permit was given for another change.
    #[error("the permit is for change {permit}, not for {overlay}")]
    Permit {
        /// What the gate opened for.
        permit: ContentHash,
        /// What was to be written.
        overlay: ContentHash,
    },
    /// The change is empty.
    #[error("the change is empty")]
    Empty,
    /// Another process writes this project.
    #[error("another process holds the write lock `{path}`")]
    Busy {
        /// The lock file.
        path: PathBuf,
    },
    /// A file of the journal does not hold what was written into it.
    #[error("journal file `{path}` is damaged: {reason}")]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A change that was cut short could be neither finished nor taken back now.
    #[error("a change that was cut short could not be completed: {reason}")]
    Recovery {
        /// Why.
        reason: String,
    },
    /// There is no such entry.
    #[error("no accepted change has the id `{id}`")]
    NoEntry {
        /// As asked for.
        id: String,
    },
    /// There is nothing left to undo or redo.
    #[error("there is nothing to {verb}")]
    Nothing {
        /// `undo` or `redo`.
        verb: &'static str,
    },
    /// The entry is already in the state that was asked for.
    #[error("change `{id}` is already {state}")]
    Already {
        /// The entry.
        id: String,
        /// `undone` or `applied`.
        state: &'static str,
    },
    /// A view cannot show what was asked.
    #[error("cannot show the changed tree: {reason}")]
    View {
        /// Why not.
        reason: String,
    },
    /// A commit was asked for outside a git repository.
    #[error("`{path}` is not in a git work tree")]
    NoGit {
        /// The project.
        path: PathBuf,
    },
    /// There is no git to run.
    #[error("git was not found")]
    GitMissing,
    /// The repository is in a state in which one commit of some paths has no clear meaning.
    #[error("cannot commit now: {reason}")]
    GitState {
        /// Which state.
        reason: String,
    },
    /// A path of the change has other uncommitted changes.
    #[error("`{path}` has other uncommitted changes: {difference}")]
    Uncommitted {
        /// Which.
        path: ProjectPath,
        /// In which way.
        difference: String,
    },
    /// The commit message is not one that may be written.
    #[error("the commit message is refused: {0}")]
    Message(#[from] MessageFault),
    /// A git command failed.
    #[error("`git {verb}` failed: {output}")]
    Git {
        /// Which command.
        verb: String,
        /// The end of what it said.
        output: String,
    },
    /// A hook of the repository said no; the tree is as before.
    #[error("the repository's `{hook}` hook refused the commit: {output}")]
    Hook {
        /// Which hook.
        hook: String,
        /// The end of what it said.
        output: String,
    },
    /// The gate after the commit said no; a revert commit restored the tree.
    #[error("the check after the commit failed; commit {revert} reverts {commit}")]
    Reverted {
        /// What had been committed.
        commit: String,
        /// The commit that takes it back.
        revert: String,
    },
    /// The sandbox could not run git or a hook.
    #[error("git could not be run in the sandbox: {0}")]
    Sandbox(#[from] sandbox::SandboxError),
    /// The user asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Hint for RepoError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            RepoError::Root { .. } => "name an existing folder with `-C DIR`",
            RepoError::Read { .. } => "check that you may read it",
            RepoError::Write { reason, .. } if reason.contains("space") => {
                "make room on the disk and try again; nothing was changed"
            }
            RepoError::Write { .. } => {
                "check that you may write there and that the file system is not read-only; \
                 nothing was changed"
            }
            RepoError::Keep { .. } => {
                "check that graftage's cache and state folders can be written"
            }
            RepoError::Changed { .. } => {
                "make the change again against the present files; nothing was written"
            }
            RepoError::Moved { .. } => "prove the change again on the tree as it is now",
            RepoError::GitFolder { .. } => {
                "hooks and git's configuration are changed by hand, never by an overlay"
            }
            RepoError::Permit { .. } => "prove exactly the change that is to be written",
            RepoError::Empty => "there is nothing to write",
            RepoError::Busy { .. } => "wait for the other command to end and try again",
            RepoError::Damaged { .. } => {
                "move the file away to go on without it; that change can then not be undone"
            }
            RepoError::Recovery { .. } => {
                "make the project's files writable and run any command again: it goes on by itself"
            }
            RepoError::NoEntry { .. } => "`graftage undo` without an id takes the newest change",
            RepoError::Nothing { .. } => return None,
            RepoError::Already { .. } => "name another change, or none for the newest",
            RepoError::View { .. } => "try without the option that the message names",
            RepoError::NoGit { .. } => "leave out `--commit`, or run `git init` first",
            RepoError::GitMissing => "install git, or leave out `--commit`",
            RepoError::GitState { .. } => {
                "end or change what is named here, or leave out `--commit`"
            }
            RepoError::Uncommitted { .. } => {
                "commit your own changes of that file first, or leave out `--commit`"
            }
            RepoError::Message(fault) => return fault.hint(),
            RepoError::Git { .. } => "leave out `--commit` to write the files without git",
            RepoError::Hook { .. } => {
                "mend what the hook names, or leave out `--commit`; the tree is as before"
            }
            RepoError::Reverted { .. } => "see what the check says of the commit",
            RepoError::Sandbox(_) => "run `graftage doctor` to see what the sandbox lacks",
            RepoError::Cancelled(_) => return None,
        };
        Some(hint.to_owned())
    }
}

/// The first of some names, and how many more there are.
fn shown(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        text.push(format!("{} more", names.len() - SHOWN));
    }
    text.join(", ")
}
