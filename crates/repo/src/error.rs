//! The errors of this crate, each with a hint.

use std::path::PathBuf;

use base::{Cancelled, ContentHash, Hint, ProjectPath};

use crate::message::MessageFault;

/// The reason why the user's tree was not read, shown or written. The tree is as it was before the
/// call, except after [`RepoError::Recovery`].
#[derive(Debug, thiserror::Error)]
pub enum RepoError {
    /// The project's folder does not exist or is not a folder.
    #[error("cannot open the project at `{path}`: {reason}")]
    Root {
        /// The requested path.
        path: PathBuf,
        /// The error of the system.
        reason: String,
    },
    /// A file or folder of the project could not be read.
    #[error("cannot read `{path}`: {reason}")]
    Read {
        /// The path.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The system refused a write; nothing of the change is left.
    #[error("cannot write `{path}`: {reason}")]
    Write {
        /// The file to be written.
        path: ProjectPath,
        /// The error of the system.
        reason: String,
        /// Whether the disk is full.
        is_full: bool,
    },
    /// A file of graftage itself – journal, lock, view – could not be written.
    #[error("cannot keep `{path}`: {reason}")]
    Keep {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        reason: String,
    },
    /// Other files have changed since the change was accepted, so that nothing covers the tree without it.
    #[error("other files have changed since `{id}` was written")]
    ChangedAround {
        /// Id of the change.
        id: String,
    },
    /// Something was committed since a change was accepted.
    #[error("something was committed since `{id}` was accepted")]
    CommittedSince {
        /// Id of the change.
        id: String,
    },
    /// The tree is not what the change was made against.
    #[error("`{path}` is not what the change was made against: {difference}")]
    Changed {
        /// The first file that differs.
        path: ProjectPath,
        /// How it differs.
        difference: String,
    },
    /// The tree differs from the one on which the change was verified; nothing was written.
    #[error("the tree is not the one that the change was proven on: {} changed", shown(changed))]
    Moved {
        /// The differing paths, sorted: paths as the project names them, others absolute.
        changed: Vec<String>,
    },
    /// The path is inside a git folder, which no change of sources may touch.
    #[error("`{path}` belongs to git")]
    GitFolder {
        /// The path.
        path: ProjectPath,
    },
    /// The permit was given for another change.
    #[error("the permit is for change {permit}, not for {overlay}")]
    Permit {
        /// The change of the permit.
        permit: ContentHash,
        /// The change to be written.
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
    /// The content of a journal file is not what was written to it.
    #[error("journal file `{path}` is damaged: {reason}")]
    Damaged {
        /// The path.
        path: PathBuf,
        /// The kind of damage.
        reason: String,
    },
    /// An interrupted change could be neither completed nor rolled back.
    #[error("a change that was cut short could not be completed: {reason}")]
    Recovery {
        /// The reason.
        reason: String,
    },
    /// There is no such entry.
    #[error("no accepted change has the id `{id}`")]
    NoEntry {
        /// The requested id.
        id: String,
    },
    /// There is nothing left to undo or redo.
    #[error("there is nothing to {verb}")]
    Nothing {
        /// `undo` or `redo`.
        verb: &'static str,
    },
    /// The entry is already in the requested state.
    #[error("change `{id}` is already {state}")]
    Already {
        /// The entry.
        id: String,
        /// `undone` or `applied`.
        state: &'static str,
    },
    /// The requested view cannot be made.
    #[error("cannot show the changed tree: {reason}")]
    View {
        /// The reason.
        reason: String,
    },
    /// A commit was requested outside a git repository.
    #[error("`{path}` is not in a git work tree")]
    NoGit {
        /// The project.
        path: PathBuf,
    },
    /// Git is not installed.
    #[error("git was not found")]
    GitMissing,
    /// The repository is in a state in which one commit of some paths has no clear meaning.
    #[error("cannot commit now: {reason}")]
    GitState {
        /// The state of the repository.
        reason: String,
    },
    /// A path of the change has other uncommitted changes.
    #[error("`{path}` has other uncommitted changes: {difference}")]
    Uncommitted {
        /// The path.
        path: ProjectPath,
        /// The difference.
        difference: String,
    },
    /// The commit message is not allowed.
    #[error("the commit message is refused: {0}")]
    Message(#[from] MessageFault),
    /// A git command failed.
    #[error("`git {verb}` failed: {output}")]
    Git {
        /// The git command.
        verb: String,
        /// The end of its output.
        output: String,
    },
    /// A hook of the repository refused the commit; the tree is as before.
    #[error("the repository's `{hook}` hook refused the commit: {output}")]
    Hook {
        /// The hook.
        hook: String,
        /// The end of its output.
        output: String,
    },
    /// The gate after the commit refused it; a revert commit restored the tree.
    #[error("the check after the commit failed; commit {revert} reverts {commit}")]
    Reverted {
        /// The reverted commit.
        commit: String,
        /// The revert commit.
        revert: String,
    },
    /// The sandbox could not run git or a hook.
    #[error("git could not be run in the sandbox: {0}")]
    Sandbox(#[from] sandbox::SandboxError),
    /// The user cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Hint for RepoError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            RepoError::Root { .. } => "name an existing folder with `-C DIR`",
            RepoError::Read { .. } => "check that you may read it",
            RepoError::Write { is_full: true, .. } => {
                "free space on the disk and try again; nothing was changed"
            }
            RepoError::Write { .. } => {
                "check that you may write there and that the file system is not read-only; \
                 nothing was changed"
            }
            RepoError::Keep { .. } => {
                "check that graftage's cache and state folders can be written"
            }
            RepoError::CommittedSince { .. } => {
                "propose the reverse as a change, or ask the user to run `graftage undo`"
            }
            RepoError::ChangedAround { .. } => {
                "undo the later changes first, or leave it to a person; nothing was written"
            }
            RepoError::Changed { .. } => {
                "make the change again against the present files; nothing was written"
            }
            RepoError::Moved { .. } => "prove the change again on the tree as it is now",
            RepoError::GitFolder { .. } => {
                "hooks and git's configuration are changed manually, never by an overlay"
            }
            RepoError::Permit { .. } => "prove exactly the change that is to be written",
            RepoError::Empty => "there is nothing to write",
            RepoError::Busy { .. } => "wait for the other command to end and try again",
            RepoError::Damaged { .. } => {
                "move the file away to go on without it; that change can then not be undone"
            }
            RepoError::Recovery { .. } => {
                "make the project's files writable and run any command again: it completes the change"
            }
            RepoError::NoEntry { .. } => {
                "an id has at least 4 characters; `graftage undo` without one takes the newest change"
            }
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
                "fix what the hook reports, or leave out `--commit`; the tree is as before"
            }
            RepoError::Reverted { .. } => "see the check's report on the commit",
            RepoError::Sandbox(_) => "run `graftage doctor` to see what the sandbox lacks",
            RepoError::Cancelled(_) => return None,
        };
        Some(hint.to_owned())
    }
}

/// The first names of a list, and the number of the others.
fn shown(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        text.push(format!("{} more", names.len() - SHOWN));
    }
    text.join(", ")
}
