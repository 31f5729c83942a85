//! Reads the files of a repository: its folders and the commit of HEAD. It does not start git.

use std::io;
use std::path::{Path, PathBuf};

use base::{ContentHash, ProjectPath, SortedMap, SortedSet};

use crate::error::RepoError;
use crate::git_config;
use crate::journal::{CommitPlan, Journal};
use crate::project::Project;

/// The folders of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GitDirs {
    /// The top of the work tree.
    pub(crate) top: PathBuf,
    /// The worktree's own git folder: HEAD, index.
    pub(crate) git_dir: PathBuf,
    /// The folder that all worktrees share: objects, refs, hooks, config.
    pub(crate) common_dir: PathBuf,
}

/// The repository whose work tree contains `folder`.
pub(crate) fn find(folder: &Path) -> Option<GitDirs> {
    folder.ancestors().find_map(of_top)
}

/// The repository of which a folder is the top of a work tree.
pub(crate) fn of_top(top: &Path) -> Option<GitDirs> {
    let dot_git = top.join(".git");
    let git_dir = if dot_git.is_dir() {
        dot_git.canonicalize().ok()?
    } else if dot_git.is_file() {
        top.join(named_by(&dot_git, b"gitdir:")?).canonicalize().ok()?
    } else {
        return None;
    };
    let common_dir = match named_by(&git_dir.join("commondir"), b"") {
        Some(named) => git_dir.join(named).canonicalize().ok()?,
        None => git_dir.clone(),
    };
    // What git takes for a repository.
    let has_folders = || ["objects", "refs"].iter().all(|it| common_dir.join(it).is_dir());
    if !git_dir.join("HEAD").exists() || !has_folders() {
        return None;
    }
    Some(GitDirs { top: top.to_owned(), git_dir, common_dir })
}

/// The path that a file of git names after a word; a path is bytes.
fn named_by(file: &Path, word: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = untrusted_fs::read_regular(file, 64 << 10).ok()??;
    let named = bytes.strip_prefix(word)?.trim_ascii();
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(named)))
}

/// The last value of a setting without a subsection; names in lower case.
pub(crate) fn setting(text: &str, section: &str, key: &str) -> Option<String> {
    let found = git_config::entries(text).into_iter().rev().find(|it| it.is(section, key))?;
    Some(found.value.unwrap_or_else(|| "true".to_owned()))
}

/// Whether the repository's own configuration makes names of any case equal.
pub(crate) fn ignores_case(common_dir: &Path) -> bool {
    let config = read_text(&common_dir.join("config")).unwrap_or_default();
    let value = setting(&config, "core", "ignorecase");
    value.is_some_and(|it| matches!(it.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1"))
}

impl Project {
    /// One hash over the commits that are checked out around these files.
    pub(crate) fn heads_around<'a>(
        &self,
        files: impl Iterator<Item = &'a ProjectPath>,
    ) -> ContentHash {
        let folder = |it: &ProjectPath| it.join_to(self.root()).parent().map(Path::to_owned);
        let folders: SortedSet<PathBuf> = files.filter_map(folder).collect();
        let repositories: SortedMap<PathBuf, GitDirs> =
            folders.iter().filter_map(|it| find(it)).map(|it| (it.top.clone(), it)).collect();
        let mut hasher = base::Hasher::new();
        for (top, dirs) in &repositories {
            let head = resolve_head(&dirs.git_dir, &dirs.common_dir).unwrap_or_default();
            hasher.field(top.as_os_str().as_encoded_bytes()).field(head.as_bytes());
        }
        hasher.finish()
    }
}

/// The commit that HEAD names in the work tree that contains `folder`.
pub(crate) fn head_of_work_tree(folder: &Path) -> Option<String> {
    let dirs = find(folder)?;
    resolve_head(&dirs.git_dir, &dirs.common_dir)
}

/// The commit that HEAD names now.
pub(crate) fn head(plan: &CommitPlan) -> Option<String> {
    resolve_head(&plan.git_dir, &plan.common_dir)
}

fn resolve_head(git_dir: &Path, common_dir: &Path) -> Option<String> {
    let names = head_names(git_dir, common_dir)?;
    let last = names.last()?;
    let Some(text) = loose(git_dir, common_dir, last) else { return packed(common_dir, last) };
    is_hash(text.trim()).then(|| text.trim().to_owned())
}

/// The references that HEAD leads through, HEAD itself first; `None` if one is no reference's name.
pub(crate) fn head_names(git_dir: &Path, common_dir: &Path) -> Option<Vec<String>> {
    let mut names = vec!["HEAD".to_owned()];
    // A reference may name another one; they are never nested deep.
    for _ in 0..8 {
        let Some(text) = names.last().and_then(|name| loose(git_dir, common_dir, name)) else {
            break;
        };
        let Some(name) = text.trim().strip_prefix("ref:").map(|name| name.trim().to_owned()) else {
            break;
        };
        if name.starts_with('/') || name.split('/').any(|part| part == "..") {
            return None;
        }
        names.push(name);
    }
    Some(names)
}

/// The content of a reference that has a file of its own.
fn loose(git_dir: &Path, common_dir: &Path, name: &str) -> Option<String> {
    [git_dir, common_dir].iter().find_map(|dir| read_text(&dir.join(name)))
}

fn packed(common_dir: &Path, name: &str) -> Option<String> {
    let text = read_text(&common_dir.join("packed-refs"))?;
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .find(|(hash, found)| *found == name && is_hash(hash))
        .map(|(hash, _)| hash.to_owned())
}

/// Whether HEAD was moved to the commit of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    Yes,
    No,
    /// HEAD has moved since, and the repository keeps no log of where it was.
    Unknown,
}

/// Looks whether HEAD names, or has named, the commit that was `noted` before HEAD was to move. That
/// HEAD has moved shows nothing: the user commits too.
pub(crate) fn was_made(plan: &CommitPlan, noted: Option<&str>) -> Made {
    let Some(noted) = noted else { return Made::No };
    let head = head(plan);
    if head.as_deref() == Some(noted) {
        return Made::Yes;
    }
    if head == plan.head {
        return Made::No;
    }
    // `<old> <new> <name> <address> <time> <zone>\t<message>`
    match read_text(&plan.git_dir.join("logs/HEAD")) {
        Some(log) if log.lines().any(|line| line.split(' ').nth(1) == Some(noted)) => Made::Yes,
        Some(_) => Made::No,
        None => Made::Unknown,
    }
}

/// A text file of the repository: regular, no link, of a size that git would still work with.
pub(crate) fn read_text(path: &Path) -> Option<String> {
    const LARGEST: u64 = 256 << 20;
    let bytes = untrusted_fs::read_regular(path, LARGEST).ok()??;
    // A log has names and messages in any encoding.
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn is_hash(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The journal's copy of the index that is about to be installed.
pub(crate) fn planned_index(journal: &Journal) -> PathBuf {
    journal.folder().join("pending.index")
}

/// Completes the exchange of the index that a killed process began: if the commit was made, the
/// new index goes in, unless another process wrote one since; a lock that we took is freed.
pub(crate) fn end_index_update(
    journal: &Journal,
    plan: &CommitPlan,
    was_made: bool,
) -> Result<(), RepoError> {
    let planned_path = planned_index(journal);
    let _ = std::fs::remove_file(plan.git_dir.join(crate::git_index::TEMP));
    let keep = |path: &Path, err: io::Error| RepoError::Keep {
        path: path.to_owned(),
        reason: err.to_string(),
    };
    let planned = match std::fs::read(&planned_path) {
        Ok(planned) => planned,
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(err) => return Err(keep(&planned_path, err)),
    };
    let lock = plan.git_dir.join("index.lock");
    // The lock is ours if it holds exactly what we were about to install.
    if std::fs::read(&lock).is_ok_and(|held| held == planned) {
        if was_made {
            std::fs::rename(&lock, plan.git_dir.join("index")).map_err(|err| keep(&lock, err))?;
        } else {
            std::fs::remove_file(&lock).map_err(|err| keep(&lock, err))?;
        }
    }
    std::fs::remove_file(&planned_path).map_err(|err| keep(&planned_path, err))
}

/// Removes the registration of a view's worktree, if it has one.
pub(crate) fn forget_worktree(view_dir: &Path) {
    let Some(text) = read_text(&view_dir.join("worktree")) else { return };
    let admin = PathBuf::from(text);
    // Only what points back into this view is ours.
    // A build may have put anything in its place.
    let points_here = read_text(&admin.join("gitdir"))
        .is_some_and(|back| Path::new(back.trim()).starts_with(view_dir));
    if points_here
        && std::fs::remove_dir_all(&admin).is_ok()
        && let Some(all) = admin.parent()
    {
        // git, too, removes the folder of worktrees with the last of them.
        let _ = std::fs::remove_dir(all);
    }
}
