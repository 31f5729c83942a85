//! Snapshots of the project's source files by content hash.

use std::io::Read;
use std::path::Path;

use base::{ContentHash, Ctx, ProjectPath, SortedMap, SortedSet};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::RepoError;
use crate::project::Project;
use crate::walk::{walk, walk_toward};

/// The project's source files by content: everything that is not ignored, not `.git`, not a
/// target.
///
/// Ignored files are absent by intent: a generated file that a build writes into the tree would
/// otherwise make each build a new tree. A symbolic link has the hash of its target's name; a
/// file that cannot be read is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Snapshot {
    /// The content hashes of the files by path.
    pub files: SortedMap<ProjectPath, ContentHash>,
}

impl Snapshot {
    /// The snapshot of any folder, by the rules of [`Project::snapshot`]: path dependencies
    /// outside the project are compared this way.
    ///
    /// # Errors
    /// [`RepoError::Read`] when the folder itself cannot be listed; [`RepoError::Cancelled`].
    pub fn of_folder(ctx: &Ctx, folder: &Path) -> Result<Self, RepoError> {
        let paths = source_files(ctx, folder)?;
        ctx.check_cancelled()?;
        let files: Vec<_> = paths
            .into_par_iter()
            .filter_map(|path| {
                let full = path.join_to(folder);
                if let Some(error) = too_large(&full) {
                    return Some(Err(error));
                }
                Some(Ok((path, hash_of(&full)?)))
            })
            .collect::<Result<_, RepoError>>()?;
        ctx.check_cancelled()?;
        Ok(Self { files: files.into_iter().collect() })
    }

    /// One hash over all files but these.
    pub(crate) fn hash_without(&self, paths: &SortedSet<ProjectPath>) -> ContentHash {
        let kept = self.files.iter().filter(|(path, _)| !paths.contains(*path));
        policy::hash_of_files(&kept.map(|(path, hash)| (path.clone(), *hash)).collect())
    }
}

impl Project {
    /// Hashes every source file (parallel; contents, never times). `.gitignore` files are obeyed
    /// with and without git; the user's global ignore file is not, so that two users get the same
    /// tree.
    ///
    /// # Errors
    /// As [`Snapshot::of_folder`].
    pub fn snapshot(&self, ctx: &Ctx) -> Result<Snapshot, RepoError> {
        Snapshot::of_folder(ctx, self.root())
    }

    /// Whether a snapshot would have the file: it exists and is not ignored. Reads only the folders on
    /// the way to it.
    ///
    /// # Errors
    /// As [`Snapshot::of_folder`].
    pub fn is_source(&self, ctx: &Ctx, path: &ProjectPath) -> Result<bool, RepoError> {
        let target = path.join_to(self.root());
        Ok(walk_toward(ctx, self.root(), &[], Some(target))?.iter().any(|(it, _)| it == path))
    }
}

/// The paths of all source files below `root`, sorted.
fn source_files(ctx: &Ctx, root: &Path) -> Result<Vec<ProjectPath>, RepoError> {
    Ok(walk(ctx, root, &[])?.into_iter().map(|(path, _)| path).collect())
}

/// The error for a file that would take too long to hash. It is not left out silently, because a
/// build may read it.
fn too_large(path: &Path) -> Option<RepoError> {
    const LARGEST: u64 = 8 << 30;
    let len = std::fs::symlink_metadata(path).ok()?.len();
    let reason = format!("it is larger than {LARGEST} bytes; name it in `.gitignore`");
    (len > LARGEST).then(|| RepoError::Read { path: path.to_owned(), reason })
}

/// The hash of a regular file, or of a link's target as text; `None` for all else. Opened without
/// following a link and without waiting for a writer, so that neither a link nor a FIFO that is put
/// in the file's place meanwhile is read.
pub fn hash_of(path: &Path) -> Option<ContentHash> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(fd) => fd,
        Err(rustix::io::Errno::LOOP) => {
            let target = std::fs::read_link(path).ok()?;
            let mut hasher = base::Hasher::new();
            hasher.field(b"symlink").field(target.as_os_str().as_encoded_bytes());
            return Some(hasher.finish());
        }
        Err(_) => return None,
    };
    let file = std::fs::File::from(fd);
    let meta = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    // Also limits a file that grows while it is read.
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file.take(meta.len().saturating_add(1))).ok()?;
    ContentHash::parse(hasher.finalize().to_hex().as_str())
}
