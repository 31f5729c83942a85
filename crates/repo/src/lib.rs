//! Reads the user's files, plans views of them, and – only in [`Project::apply`], with a
//! [`policy::Permit`] – writes them; keeps the undo journal; runs git.
//!
//! Invariants: all files of a change are written or none, even if the process is killed; a file that
//! another process changed meanwhile is not written; no link and no `..` is followed out of the
//! project. No git command is used that can lose work. The user's stash, branches, hooks and
//! untracked files are never touched; unless a commit is requested, git is never run to write.
//!
//! Where to start:
//! - [`Project::snapshot`] and [`edit::Files`]: the content of the tree.
//! - [`Project::materialise`]: a [`sandbox::View`] of the tree with an overlay's changes.
//! - [`Project::apply`], [`Project::undo`], [`Project::redo`]: the write protocol of
//!   `transaction.rs`, whose plan and outcome are stored in the journal of the state directory.

mod apply;
mod beside;
mod change_id;
mod commit;
mod commit_hooks;
mod commit_objects;
#[doc(hidden)]
pub mod crash_points;
mod error;
mod git;
mod git_config;
mod git_files;
mod git_hooks;
mod git_index;
mod git_mounts;
mod git_run;
mod git_session;
mod guard;
mod head;
mod head_locks;
mod history;
mod ignore_patterns;
mod ignored;
mod ignored_sources;
mod journal;
mod merge_bases;
mod message;
mod open;
mod outside_texts;
mod past_changes;
mod plan;
mod project;
mod recover;
mod replace;
mod restoring;
mod sealed;
mod snapshot;
mod sources;
mod tracked;
mod transaction;
mod tree;
mod tree_state;
mod view;
mod view_copy;
mod view_dirs;
mod view_git;
mod view_overlay;
mod view_request;
mod view_writes;
mod walk;

pub use apply::{Applied, ApplyOptions, PostCommitGate};
pub use change_id::ChangeId;
pub use error::RepoError;
pub use git::Git;
pub use history::{History, PastCommit};
pub use journal::{EntryState, FileRecord, FolderRecord, JournalEntry, Recovered, Stored};
pub use message::{CommitMessage, MessageFault};
pub use past_changes::PastChange;
pub use project::{Dirs, Project};
pub use restoring::Restoring;
pub use snapshot::{Snapshot, hash_of};
pub use sources::SourceEntry;
pub use tree_state::Stamps;
pub use view::{Materialised, Strategy, ViewOptions};
pub use view_writes::ShownFiles;
