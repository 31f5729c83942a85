//! Checks ignore files before the directory walk reads them: it would follow links and read files
//! of any size.

use std::path::{Path, PathBuf};

use crate::error::RepoError;

/// The maximum size of an ignore file in bytes.
const LARGEST: u64 = 16 << 20;
/// The maximum size in bytes of a `.git` file or of its target.
const LARGEST_NAME: u64 = 64 << 10;

/// Refuses a folder if the walk must not read its ignore files or those of its parents.
pub(crate) fn refuse_odd(root: &Path) -> Result<(), RepoError> {
    root.ancestors().find_map(odd).map_or(Ok(()), |path| Err(error(path)))
}

/// Returns the ignore file.
pub(crate) fn error(path: PathBuf) -> RepoError {
    let reason = "it names what is ignored, and is not a regular file of at most 16 MiB".to_owned();
    RepoError::Read { path, reason }
}

/// The file in `folder` that the walk would read and must not: a device, a pipe, a link to one, or
/// one without end.
pub(crate) fn odd(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    let mut files = vec![folder.join(".gitignore")];
    match git.metadata() {
        Ok(meta) if meta.is_dir() => files.push(git.join("info/exclude")),
        Ok(_) => {
            // A worktree's, which leads to the repository in two steps.
            let Some(named) = name(&git) else { return Some(git) };
            let dir = folder.join(named.strip_prefix("gitdir:").unwrap_or_default().trim());
            let shared = dir.join("commondir");
            if shared.exists() {
                let Some(named) = name(&shared) else { return Some(shared) };
                files.push(dir.join(named.trim()).join("info/exclude"));
            }
        }
        Err(_) => {}
    }
    files.into_iter().find(|path| {
        path.metadata()
            .is_ok_and(|meta| !(meta.is_dir() || meta.is_file() && meta.len() <= LARGEST))
    })
}

fn name(path: &Path) -> Option<String> {
    String::from_utf8(beneath::read_own(path, LARGEST_NAME).ok()??).ok()
}
