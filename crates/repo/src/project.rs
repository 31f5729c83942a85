//! The project handle: folders and the write lock. `open.rs` makes it.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base::{ContentHash, Ctx, ProjectPath};
use edit::{FileState, Files, Unreadable};
use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};

use crate::error::RepoError;
use crate::git::Git;
use crate::journal::{Journal, Recovered};
use crate::tree::Tree;

/// The folders for graftage's own files; passed by the caller, never read from the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dirs {
    /// The cache folder, which can be rebuilt: views, warm targets.
    pub cache: PathBuf,
    /// The state folder, which must survive: journal, traces, trust.
    pub state: PathBuf,
}

/// One project of the user.
#[derive(Clone, Debug)]
pub struct Project {
    root: PathBuf,
    dirs: Dirs,
    git: Arc<Git>,
    pub(crate) recovered: Option<Recovered>,
    /// Whether a view can be a mount here; tested once by mounting one.
    pub(crate) mounts: Arc<OnceLock<bool>>,
}

/// Name of the lock file in the state folder.
const LOCK: &str = "lock";

/// The time that a write waits for another process that writes the project.
const WRITE_PATIENCE: Duration = Duration::from_secs(30);

impl Project {
    pub(crate) fn at(root: PathBuf, dirs: Dirs) -> Self {
        Self { root, dirs, git: Arc::default(), recovered: None, mounts: Arc::default() }
    }

    /// The same project with this way to run git. Without it git is looked for in the usual
    /// folders and knows no configuration of the user's.
    pub fn with_git(mut self, git: Git) -> Self {
        self.git = Arc::new(git);
        self
    }

    /// The interrupted change that `open` recovered, if there was one.
    pub fn recovered(&self) -> Option<&Recovered> {
        self.recovered.as_ref()
    }

    pub(crate) fn git(&self) -> &Git {
        &self.git
    }

    /// The canonical root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Hash of the canonical root path.
    pub fn id(&self) -> ContentHash {
        ContentHash::of(self.root.as_os_str().as_encoded_bytes())
    }

    /// The folders for graftage's own files, for all projects.
    pub fn dirs(&self) -> &Dirs {
        &self.dirs
    }

    /// `<cache>/<project id>`; made when first needed.
    pub fn cache_dir(&self) -> PathBuf {
        self.dirs.cache.join(self.id().short())
    }

    /// `<state>/<project id>`; made when first needed.
    pub fn state_dir(&self) -> PathBuf {
        self.dirs.state.join(self.id().short())
    }

    /// Closes the folders of this project, and those of all projects, to other users: earlier versions
    /// made some with the permissions of the umask.
    pub(crate) fn close_folders(&self) -> Result<(), RepoError> {
        let keep = |path: PathBuf, fault: untrusted_fs::Fault| RepoError::Keep {
            path,
            reason: fault.to_string(),
        };
        // The user may have chosen a link; what is below it is ours.
        for path in [self.dirs.cache.clone(), self.dirs.state.clone()] {
            untrusted_fs::open_own(&path).map_err(|fault| keep(path, fault))?;
        }
        for path in [self.cache_dir(), self.state_dir()] {
            untrusted_fs::open_inner(&path).map_err(|fault| keep(path, fault))?;
        }
        Ok(())
    }

    pub(crate) fn journal(&self) -> Journal {
        Journal::at(self.state_dir().join("journal"))
    }

    pub(crate) fn tree(&self) -> Result<Tree, RepoError> {
        Tree::open(&self.root)
            .map_err(|err| RepoError::Root { path: self.root.clone(), reason: err.to_string() })
    }

    /// Takes the project's write lock, which the system releases when the process ends; waits
    /// for another writer for at most half a minute.
    pub(crate) fn lock(&self, ctx: &Ctx) -> Result<WriteLock, RepoError> {
        self.lock_within(ctx, WRITE_PATIENCE)
    }

    pub(crate) fn lock_within(
        &self,
        ctx: &Ctx,
        patience: Duration,
    ) -> Result<WriteLock, RepoError> {
        let path = self.state_dir().join(LOCK);
        let keep =
            |err: std::io::Error| RepoError::Keep { path: path.clone(), reason: err.to_string() };
        let folder =
            untrusted_fs::make_own(&self.state_dir()).map_err(|fault| keep(fault.into()))?;
        let file = folder.open_lock(LOCK).map_err(|fault| keep(fault.into()))?;
        let pause = Duration::from_millis(10);
        let mut waited = Duration::ZERO;
        loop {
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(WriteLock { file, path }),
                Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => {}
                Err(err) => return Err(keep(err.into())),
            }
            ctx.check_cancelled()?;
            if waited >= patience {
                return Err(RepoError::Busy { path });
            }
            std::thread::sleep(pause);
            waited += pause;
        }
    }
}

/// The right to write the tree and the journal; freed on drop.
#[derive(Debug)]
pub(crate) struct WriteLock {
    file: File,
    path: PathBuf,
}

impl WriteLock {
    /// A descriptor of the lock for a process that writes too: the lock is free only when all
    /// descriptors are closed.
    pub(crate) fn share(&self) -> Result<OwnedFd, RepoError> {
        let shared = self.file.try_clone().map(OwnedFd::from);
        shared.map_err(|err| RepoError::Keep { path: self.path.clone(), reason: err.to_string() })
    }
}

impl Files for Project {
    /// The file as it is now. Refused where any part of the path is a symbolic link, where it is
    /// no regular file, and where its bytes are not UTF-8.
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        let tree = Tree::open(&self.root).map_err(|err| Unreadable::Io(err.to_string()))?;
        tree.read_text(path)
    }
}
