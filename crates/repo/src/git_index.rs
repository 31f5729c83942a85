//! Replaces the git index after a commit, under git's own lock.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::RepoError;
use crate::git_files::planned_index;
use crate::git_session::Session;
use crate::journal::Journal;
use crate::sealed;

/// The index in which only the changed paths differ, held under git's own lock until HEAD has
/// moved. The journal keeps a copy, so that the process after a kill can identify our lock.
pub(crate) struct NewIndex {
    git_dir: PathBuf,
    planned: PathBuf,
}

impl NewIndex {
    /// Makes the new index beside the old one and takes git's lock.
    pub(crate) fn prepare(
        run: &Session<'_>,
        journal: &Journal,
        git_dir: &Path,
        changes: &[u8],
        tree_index: &str,
    ) -> Result<Self, RepoError> {
        let index = git_dir.join("index");
        let keep = |path: &Path, err: io::Error| RepoError::Keep {
            path: path.to_owned(),
            reason: err.to_string(),
        };
        let former = match std::fs::read(&index) {
            Ok(bytes) => Some(bytes),
            Err(err) if err.kind() == io::ErrorKind::NotFound => None,
            Err(err) => return Err(keep(&index, err)),
        };
        let name = match &former {
            None => tree_index,
            Some(bytes) => {
                run.write("new-index", bytes)?;
                let new_index = run.path("new-index");
                let env = [("GIT_INDEX_FILE", new_index.as_os_str())];
                run.must(&["update-index", "-z", "--index-info"], &env, changes)?;
                "new-index"
            }
        };
        let missing = || keep(&run.path(name), io::ErrorKind::NotFound.into());
        let bytes = run.read(name, LARGEST_INDEX)?.ok_or_else(missing)?;
        let planned = planned_index(journal);
        sealed::write_bytes(journal.folder(), "pending.index", &bytes)
            .map_err(|err| keep(&planned, err))?;
        let held = Self { git_dir: git_dir.to_owned(), planned };
        // The lock appears with its whole content: a killed process leaves one that is known.
        let temp = git_dir.join(TEMP);
        let lock = git_dir.join("index.lock");
        std::fs::write(&temp, &bytes).map_err(|err| keep(&temp, err))?;
        if let Ok(meta) = std::fs::metadata(&index) {
            std::fs::set_permissions(&temp, meta.permissions()).map_err(|err| keep(&temp, err))?;
        }
        std::fs::File::open(&temp)
            .and_then(|file| file.sync_all())
            .map_err(|err| keep(&temp, err))?;
        let linked = std::fs::hard_link(&temp, &lock);
        let removed = std::fs::remove_file(&temp);
        match linked {
            Ok(()) => removed.map_err(|err| keep(&temp, err))?,
            Err(err) if err.kind() == io::ErrorKind::AlreadyExists => {
                held.forget_plan();
                let reason = "another git process holds `index.lock`".to_owned();
                return Err(RepoError::GitState { reason });
            }
            Err(err) => return Err(keep(&lock, err)),
        }
        if std::fs::read(&index).ok() != former {
            held.give_up();
            let reason = "another git process changed the index at the same moment".to_owned();
            return Err(RepoError::GitState { reason });
        }
        Ok(held)
    }

    /// HEAD did not move: frees the lock, the old index stays.
    pub(crate) fn give_up(self) {
        let _ = std::fs::remove_file(self.git_dir.join("index.lock"));
        self.forget_plan();
    }

    /// HEAD has moved: the new index takes the old one's place.
    pub(crate) fn install(self) -> Result<(), RepoError> {
        let index = self.git_dir.join("index");
        std::fs::rename(self.git_dir.join("index.lock"), &index)
            .map_err(|err| RepoError::Keep { path: index, reason: err.to_string() })?;
        self.forget_plan();
        Ok(())
    }

    fn forget_plan(&self) {
        let _ = std::fs::remove_file(&self.planned);
    }
}

/// The size in bytes of the largest index that is read.
pub(crate) const LARGEST_INDEX: u64 = 1 << 30;

/// The name under which the lock is written before it becomes the lock.
pub(crate) const TEMP: &str = "index.graftage";
