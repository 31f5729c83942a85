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
                let hash = hash_of(ctx, &path.join_to(folder)).transpose()?;
                Some(hash.map(|hash| (path, hash)))
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

/// The hash of a regular file, or of a link's target as text; `None` for all else. Opened without
/// following a link and without waiting for a writer, so that neither a link nor a FIFO that is put
/// in the file's place meanwhile is read.
///
/// # Errors
/// [`RepoError::Read`] for a file that would take too long to hash; it is not left out, because a build may
/// read it. [`RepoError::Cancelled`].
pub fn hash_of(ctx: &Ctx, path: &Path) -> Result<Option<ContentHash>, RepoError> {
    const LARGEST: u64 = 8 << 30;
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(fd) => fd,
        Err(rustix::io::Errno::LOOP) => return Ok(link_hash(path)),
        Err(_) => return Ok(None),
    };
    let file = std::fs::File::from(fd);
    let Some(meta) = file.metadata().ok().filter(std::fs::Metadata::is_file) else {
        return Ok(None);
    };
    if meta.len() > LARGEST {
        let reason = format!("it is larger than {LARGEST} bytes; name it in `.gitignore`");
        return Err(RepoError::Read { path: path.to_owned(), reason });
    }
    // Also limits a file that grows while it is read.
    let bytes = Cancellable { ctx, file: file.take(meta.len().saturating_add(1)) };
    let mut hasher = blake3::Hasher::new();
    let is_read = hasher.update_reader(bytes).is_ok();
    ctx.check_cancelled()?;
    Ok(if is_read { ContentHash::parse(hasher.finalize().to_hex().as_str()) } else { None })
}

/// The hash of what a link leads to, as text.
pub(crate) fn link_hash(path: &Path) -> Option<ContentHash> {
    let target = std::fs::read_link(path).ok()?;
    let mut hasher = base::Hasher::new();
    hasher.field(b"symlink").field(target.as_os_str().as_encoded_bytes());
    Some(hasher.finish())
}

/// A file whose reading fails as soon as the user asks to stop.
struct Cancellable<'a, R> {
    ctx: &'a Ctx,
    file: R,
}

impl<R: Read> Read for Cancellable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.ctx.check_cancelled().map_err(std::io::Error::other)?;
        self.file.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_hashed_until_the_user_asks_to_stop() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "text").unwrap();
        let host = testkit::TestHost::new();
        let hash = hash_of(&host.ctx(), &path).unwrap();
        assert_eq!(hash, Some(ContentHash::of(b"text")));
        host.cancel();
        let stopped = hash_of(&host.ctx(), &path);
        assert!(matches!(stopped, Err(RepoError::Cancelled(_))), "{stopped:?}");
    }
}
