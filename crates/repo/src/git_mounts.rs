//! The view of git and the hooks: which of the user's files they may read, and which repositories are
//! refused because their files lead elsewhere.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use base::SortedMap;
use sandbox::Mount;

use crate::error::RepoError;
use crate::git_config;
use crate::git_files::{GitDirs, read_text, setting};

/// The largest file of git that is read completely, in bytes.
const LARGEST: u64 = 256 << 20;
/// Files of the user's configuration folder that git reads beside its settings. `credentials` is there too.
const BESIDE: [&str; 2] = ["ignore", "attributes"];

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

/// The user's configuration of git as a session sees it.
pub(crate) struct ShownConfiguration {
    pub(crate) mounts: Vec<Mount>,
    /// Variables with the files that take the place of the user's, where they cannot be mounted there.
    pub(crate) variables: Vec<(&'static str, PathBuf)>,
}

/// The user's files that git reads, each by name; of its settings copies in `folder`, which have what a
/// commit needs and no secrets ([`git_config::is_shown`]).
pub(crate) fn configuration(
    env: &SortedMap<OsString, OsString>,
    home: Option<&Path>,
    (folder, has_mounts): (&Path, bool),
) -> io::Result<ShownConfiguration> {
    let mut shown = ShownConfiguration { mounts: Vec::new(), variables: Vec::new() };
    let (mut system, mut user) = (String::new(), String::new());
    for (nth, path) in git_config::user_files(env, home).iter().enumerate() {
        let Some(text) = git_config::shown_text(path) else { continue };
        if !has_mounts {
            let named = |name: &str| env.get(OsStr::new(name)).map(Path::new);
            let (of_system, of_user) = (named("GIT_CONFIG_SYSTEM"), named("GIT_CONFIG_GLOBAL"));
            let is_system = path == Path::new("/etc/gitconfig") || of_system == Some(path);
            let (level, instead) =
                if is_system { (&mut system, of_system) } else { (&mut user, of_user) };
            // A file that a variable names is read instead of the others of its level.
            if instead.is_none_or(|it| it == path) {
                level.push_str(&text);
            }
        } else if let Some(Mount::ReadOnly { inside, .. }) = self::shown(path) {
            let host = copy(folder, &format!("config-{nth}"), &text)?;
            shown.mounts.push(Mount::ReadOnly { host, inside });
        }
    }
    if !has_mounts {
        for (variable, text) in [("GIT_CONFIG_SYSTEM", system), ("GIT_CONFIG_GLOBAL", user)] {
            let host = copy(folder, variable, &text)?;
            shown.mounts.push(Mount::ReadOnly { host: host.clone(), inside: host.clone() });
            shown.variables.push((variable, host));
        }
    }
    let own = env.get(OsStr::new("XDG_CONFIG_HOME")).map(PathBuf::from);
    let own = own.or_else(|| Some(home?.join(".config")));
    let more = BESIDE.iter().filter_map(|name| Some(own.as_ref()?.join("git").join(name)));
    shown.mounts.extend(more.filter(|path| path.is_file()).filter_map(|it| self::shown(&it)));
    Ok(shown)
}

/// A private file of this text.
fn copy(folder: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let own = untrusted_fs::Dir::open(folder)?;
    own.write_new(name, text.as_bytes())?;
    Ok(folder.join(name))
}

/// A file or folder of the user where git looks for it. It may be a link – dotfiles often are –, the
/// way to it must not hold one.
pub(crate) fn shown(path: &Path) -> Option<Mount> {
    let host = path.canonicalize().ok()?;
    let inside = path.parent()?.canonicalize().ok()?.join(path.file_name()?);
    (!host.starts_with("/dev")).then_some(Mount::ReadOnly { host, inside })
}
