//! The view of git and the hooks: which of the user's files they may read, and which repositories are
//! refused because their files lead elsewhere.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use base::SortedMap;
use sandbox::Mount;

use crate::error::RepoError;
use crate::git_files::{GitDirs, read_text};

/// The largest file of git that is read completely, in bytes.
const LARGEST: u64 = 256 << 20;
/// Files of the user's configuration folder that git reads. Beside them is `credentials`.
const CONFIGURATION: [&str; 3] = ["config", "ignore", "attributes"];

/// Refuses a repository whose git folder belongs to another user or to another work tree: what a
/// `.git` file, a link or `commondir` names is written by git, and its hooks are run.
pub(crate) fn guard(dirs: &GitDirs) -> Result<(), RepoError> {
    let refuse = |reason: String| Err(RepoError::GitState { reason });
    for folder in [&dirs.git_dir, &dirs.common_dir] {
        // Git itself refuses to work in another user's repository. It must be passed where the
        // repository is, and then does not look; so we do.
        let owner = std::fs::metadata(folder).map(|meta| meta.uid()).ok();
        if owner != Some(rustix::process::geteuid().as_raw()) {
            return refuse(format!("`{}` belongs to another user", folder.display()));
        }
    }
    // Git reads these files completely, of any type and size.
    for name in [
        "HEAD",
        "config",
        "config.worktree",
        "commondir",
        "gitdir",
        "packed-refs",
        "objects/info/alternates",
    ] {
        for path in [dirs.git_dir.join(name), dirs.common_dir.join(name)] {
            let meta = path.symlink_metadata().ok();
            let reason = match meta {
                Some(it) if !it.is_file() => "is not a regular file",
                Some(it) if it.len() > LARGEST => "is larger than 256 MiB",
                _ => continue,
            };
            return refuse(format!("`{}` {reason}", path.display()));
        }
    }
    let dot_git = dirs.top.join(".git");
    let (git_dir, common_dir) = (&dirs.git_dir, &dirs.common_dir);
    let named_back = if git_dir != common_dir {
        // A linked worktree: its folder is one of the repository's, and names the `.git` file.
        let is_listed = git_dir.parent() == Some(&common_dir.join("worktrees"));
        let back = read_text(&git_dir.join("gitdir")).map(|text| git_dir.join(text.trim()));
        is_listed && back.and_then(|back| back.canonicalize().ok()) == Some(dot_git.clone())
    } else if *git_dir == dot_git {
        true
    } else {
        // A submodule, or a git folder that was laid elsewhere.
        let config = read_text(&git_dir.join("config")).unwrap_or_default();
        let back = setting(&config, "core", "worktree").map(|path| git_dir.join(path));
        back.and_then(|back| back.canonicalize().ok()).as_ref() == Some(&dirs.top)
    };
    if !named_back {
        let (dot_git, git_dir) = (dot_git.display(), git_dir.display());
        return refuse(format!(
            "`{dot_git}` names the git folder `{git_dir}`, which names another work tree or none \
             (`core.worktree` in its `config`)"
        ));
    }
    Ok(())
}

/// Which folders of objects elsewhere a session may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Borrowed {
    /// Those in what the caller lets hooks see: what the session writes may be kept.
    Visible,
    /// The objects of the same user's repositories too: nothing of the session is kept, so nothing
    /// that it reads there can become part of a commit.
    Readable,
}

/// How many repositories in a row may borrow from the next one; git follows no more.
const BORROWED_DEPTH: usize = 5;

/// The folders of objects that the repository borrows from (`objects/info/alternates`, which a file
/// names and no person): inside its own git folder, or as `borrowed` allows. Others are refused.
pub(crate) fn alternates(
    dirs: &GitDirs,
    visible: &[PathBuf],
    borrowed: Borrowed,
) -> Result<Vec<PathBuf>, RepoError> {
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut open = vec![(dirs.common_dir.join("objects"), 0)];
    while let Some((objects, depth)) = open.pop() {
        let file = objects.join("info/alternates");
        let text = read_text(&file).unwrap_or_default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let Ok(folder) = objects.join(line).canonicalize() else { continue };
            if folder.starts_with(&dirs.common_dir) || folders.contains(&folder) {
                continue;
            }
            let is_visible =
                |path: &PathBuf| path.canonicalize().is_ok_and(|path| folder.starts_with(path));
            let is_allowed = visible.iter().any(is_visible)
                || borrowed == Borrowed::Readable && is_own_object_folder(&folder);
            if !is_allowed || depth >= BORROWED_DEPTH {
                let (file, folder) = (file.display(), folder.display());
                let reason = format!(
                    "`{file}` borrows objects from `{folder}`; `git repack -a -d` copies them, and \
                     the file can go then"
                );
                return Err(RepoError::GitState { reason });
            }
            folders.push(folder.clone());
            if borrowed == Borrowed::Readable {
                open.push((folder, depth + 1));
            }
        }
    }
    Ok(folders)
}

/// Whether a folder, with links resolved, is that of the objects of a repository of this user.
fn is_own_object_folder(folder: &Path) -> bool {
    let Some(git_dir) = folder.parent().filter(|_| folder.ends_with("objects")) else {
        return false;
    };
    let meta = |path: &Path| path.symlink_metadata().ok();
    let own = rustix::process::geteuid().as_raw();
    let is_own_dir =
        |path: &Path| meta(path).is_some_and(|meta| meta.is_dir() && meta.uid() == own);
    is_own_dir(folder)
        && is_own_dir(git_dir)
        && is_own_dir(&git_dir.join("refs"))
        && meta(&git_dir.join("HEAD")).is_some_and(|meta| meta.is_file())
}

/// The user's files that git reads: single files, each by name.
pub(crate) fn configuration(
    env: &SortedMap<OsString, OsString>,
    home: Option<&Path>,
) -> Vec<Mount> {
    let variable = |name: &str| env.get(OsStr::new(name)).map(PathBuf::from);
    let folder = variable("XDG_CONFIG_HOME").or_else(|| Some(home?.join(".config")));
    let mut files = vec![
        home.map(|home| home.join(".gitconfig")),
        variable("GIT_CONFIG_GLOBAL"),
        variable("GIT_CONFIG_SYSTEM"),
        Some(PathBuf::from("/etc/gitconfig")),
    ];
    files.extend(CONFIGURATION.map(|name| Some(folder.as_ref()?.join("git").join(name))));
    files.into_iter().flatten().filter(|path| path.is_file()).filter_map(|it| shown(&it)).collect()
}

/// A file or folder of the user where git looks for it. It may be a link – dotfiles often are –, the
/// way to it must not hold one.
pub(crate) fn shown(path: &Path) -> Option<Mount> {
    let host = path.canonicalize().ok()?;
    let inside = path.parent()?.canonicalize().ok()?.join(path.file_name()?);
    (!host.starts_with("/dev")).then_some(Mount::ReadOnly { host, inside })
}

/// The last value of a setting in a configuration file, as far as we must know it: names in lower
/// case, no subsection, quotes taken off.
pub(crate) fn setting(text: &str, section: &str, key: &str) -> Option<String> {
    let (mut inside, mut found) = (false, None);
    for line in text.lines().map(str::trim) {
        let mut rest = line;
        if let Some((header, tail)) = line.strip_prefix('[').and_then(|it| it.split_once(']')) {
            inside = header.trim().eq_ignore_ascii_case(section);
            rest = tail.trim();
        }
        let (name, value) = rest.split_once('=').unwrap_or((rest, "true"));
        if inside && name.trim().eq_ignore_ascii_case(key) {
            found = Some(value.trim().trim_matches('"').to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_git_writes_them() {
        let text = "[core]\n\tbare = false\n\tworktree = ../../x\n[Extensions] worktreeConfig\n\
                    [core \"sub\"]\n\tworktree = y\n";
        assert_eq!(setting(text, "core", "worktree").as_deref(), Some("../../x"));
        assert_eq!(setting(text, "extensions", "worktreeconfig").as_deref(), Some("true"));
        assert_eq!(setting(text, "core", "hookspath"), None);
    }
}
