//! Reads the user's files, plans views, and – in [`Project::apply`] alone, with a
//! [`policy::Permit`] – writes them; keeps the undo journal; speaks to git.
//!
//! Invariants: all files of a change are written or none, whatever kills us and whenever; nothing
//! is written that another process changed meanwhile; no link and no `..` is followed out of the
//! project. No git verb is used that can lose work. The user's stash, branches, hooks and
//! untracked files are never touched.

use std::path::{Path, PathBuf};
use std::collections::BTreeMap;

use base::{ContentHash, Ctx, ProjectPath};
use edit::{FileState, Files, Overlay, Unreadable};
use policy::Permit;
use serde::{Deserialize, Serialize};

/// Where graftage keeps what is not the user's; handed in, never read from the environment here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dirs {
    /// Can be rebuilt: views, warm targets.
    pub cache: PathBuf,
    /// Must survive: journal, traces, trust.
    pub state: PathBuf,
}

/// One project of the user.
#[derive(Clone, Debug)]
pub struct Project { root: PathBuf, dirs: Dirs }

/// The project's source files by content: everything that is not ignored, not `.git`, not a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Snapshot { pub files: BTreeMap<ProjectPath, ContentHash> }

/// How a view shows the changed tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy { /// copy-on-write mount at the project's own path
 OverlayMount, /// reflink, hard link or copy of the sources in the cache directory
 Copy, /// `git worktree add --detach` / git archive, where the build needs git
 Git }

/// What a view is made of.
#[derive(Clone, Debug, Default)]
pub struct ViewOptions {
    pub strategy: Option<Strategy>,
    /// Files whose content is the tree's but whose time must be later than `newer_than`
    /// (their content differs from what the warm target was built from).
    pub touch: Vec<ProjectPath>,
    /// Every file written into the view gets a modification time strictly after this (unix ns).
    pub newer_than_ns: Option<i128>,
    /// Folders outside the project that the build reads (path dependencies): shown copy-on-write.
    pub outside: Vec<PathBuf>,
    /// Show HEAD and not the working tree.
    pub head_only: bool,
}

/// A view that exists until dropped.
#[derive(Debug)]
pub struct Materialised {
    /// For the sandbox; the caller adds toolchain, registry and target mounts.
    pub view: sandbox::View,
    /// Where the project's root is inside the view.
    pub root: PathBuf,
    pub strategy: Strategy,
    /// (host dir backing) removed on drop
    dir: PathBuf,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Applied { /// the journal's entry, which `undo` takes
 pub id: String, pub files: Vec<ProjectPath>, pub commit: Option<String> }

#[derive(Clone, Debug, Default)]
pub struct ApplyOptions { /// one conventional commit of exactly these files
 pub commit: Option<CommitMessage> }

/// `type(scope): summary`, with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitMessage { pub kind: String, pub scope: Option<String>, pub summary: String, pub body: Vec<String> }

#[derive(Debug, thiserror::Error)]
#[error("repo")]
pub struct RepoError {}

impl Project {
    /// Opens the project at `root` (canonicalised), recovering what a killed process left.
    pub fn open(_ctx: &Ctx, _root: &Path, _dirs: Dirs) -> Result<Self, RepoError> { unimplemented!() }
    pub fn root(&self) -> &Path { &self.root }
    /// Hash of the canonical root path.
    pub fn id(&self) -> ContentHash { unimplemented!() }
    pub fn dirs(&self) -> &Dirs { &self.dirs }
    /// cache/<project id>, state/<project id>
    pub fn cache_dir(&self) -> PathBuf { unimplemented!() }
    pub fn state_dir(&self) -> PathBuf { unimplemented!() }
    /// Hashes every source file (parallel; contents, never times).
    pub fn snapshot(&self, _ctx: &Ctx) -> Result<Snapshot, RepoError> { unimplemented!() }
    pub fn materialise(&self, _ctx: &Ctx, _sandbox: &sandbox::Sandbox, _overlay: &Overlay, _options: &ViewOptions) -> Result<Materialised, RepoError> { unimplemented!() }
    /// The only writer of the user's tree.
    pub fn apply(&self, _ctx: &Ctx, _sandbox: &sandbox::Sandbox, _overlay: &Overlay, _permit: Permit, _options: &ApplyOptions) -> Result<Applied, RepoError> { unimplemented!() }
    /// `None`: the newest that is not undone.
    pub fn undo(&self, _ctx: &Ctx, _id: Option<&str>) -> Result<Applied, RepoError> { unimplemented!() }
    pub fn redo(&self, _ctx: &Ctx, _id: Option<&str>) -> Result<Applied, RepoError> { unimplemented!() }
}
impl Files for Project {
    fn read(&self, _path: &ProjectPath) -> Result<Option<FileState>, Unreadable> { unimplemented!() }
}
