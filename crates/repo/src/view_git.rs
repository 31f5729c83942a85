//! Views by git worktree: a copy of the working tree with a git folder beside it, for builds that
//! use git. The registration in the user's repository is removed with the view.

use std::ffi::OsStr;
use std::path::Path;

use sandbox::{Mount, Sandbox, View};
use untrusted_fs::{Dir, DirEntry, EntryKind};

use crate::beside::{MAX_ENTRIES, OPEN_OF_GIT};
use crate::error::RepoError;
use crate::git_files;
use crate::git_run::Runner;
use crate::view::{Made, Shown, ShownFolder};
use crate::view_copy;
use crate::view_request::Request;

/// Makes the worktree and copies the working tree over it.
pub(crate) fn make(
    request: &Request<'_>,
    sandbox: &Sandbox,
    dir: &Path,
) -> Result<Made, RepoError> {
    let root = request.project.root();
    let keep = |path: &Path, err: std::io::Error| RepoError::Keep {
        path: path.to_owned(),
        reason: err.to_string(),
    };
    let dirs = git_files::find(root).ok_or_else(|| RepoError::NoGit { path: root.to_owned() })?;
    let below = root.strip_prefix(&dirs.top).unwrap_or(Path::new("")).to_owned();
    let common_dir = dirs.common_dir.clone();
    let runner = Runner::new(sandbox, request.project.git(), dirs)?;
    // Git alone writes here: it registers the worktree, no hook runs.
    let worktrees = common_dir.join("worktrees");
    std::fs::create_dir_all(&worktrees).map_err(|err| keep(&worktrees, err))?;
    let mut run = runner.writer(request.ctx, request.project, &[&worktrees])?;
    run.add_mount(Mount::Writable { host: dir.to_owned(), inside: dir.to_owned() });
    // Git names the registration after the folder; the view's name meets no other.
    let name = dir.file_name().unwrap_or(OsStr::new("view")).to_owned();
    let work = dir.join(&name);
    let admin = common_dir.join("worktrees").join(&name);
    // Noted first: a kill right after the registration must not leave it behind.
    std::fs::write(dir.join("worktree"), admin.as_os_str().as_encoded_bytes())
        .map_err(|err| keep(dir, err))?;
    let work_text = work.to_string_lossy().into_owned();
    run.must(&["worktree", "add", "--quiet", "--detach", &work_text], &[], b"")?;
    // Of the repository the project alone is shown.
    remove_tracked(&work).map_err(|err| keep(&work, err))?;
    let copy = work.join(&below);
    std::fs::create_dir_all(&copy).map_err(|err| keep(&copy, err))?;
    view_copy::copy_tree(request, root, &copy, &copy)?;
    view_copy::write_changes(request, &copy)?;
    let read_only = |path: &Path| Mount::ReadOnly { host: path.into(), inside: path.into() };
    // The project has a mount of its own, also where it is a folder of the work tree.
    let mut mounts: Vec<Mount> =
        [&common_dir, &admin, &work].iter().map(|path| read_only(path)).collect();
    if copy != work {
        mounts.push(read_only(&copy));
    }
    if !request.closed.is_empty() {
        let empty = dir.join("empty");
        std::fs::write(&empty, "").map_err(|err| keep(&empty, err))?;
        let has_secrets = request.closed.iter().any(policy::has_secrets);
        mounts.extend(closed_of_git(&common_dir, &name, (&empty, has_secrets)));
    }
    mounts.extend(request.outside.iter().map(|folder| read_only(folder)));
    let folder = ShownFolder {
        original: root.to_owned(),
        inside: copy.clone(),
        shown: Shown::Copy(copy.clone()),
    };
    Ok(Made { view: View { mounts }, root: copy, folders: vec![folder] })
}

/// Mounts over the entries of git's folder that agents may not see: all but commits and what is staged, and
/// their objects where a source has secrets. Of the registrations only that of this view is shown. A file is
/// `empty` there, because git does not go on where its configuration is closed.
fn closed_of_git(
    common_dir: &Path,
    name: &OsStr,
    (empty, has_secrets): (&Path, bool),
) -> Vec<Mount> {
    let entries = |folder: &Path| {
        Dir::open(folder).and_then(|it| it.entries(MAX_ENTRIES)).unwrap_or_default()
    };
    let mount = |folder: &Path, it: &DirEntry| match it.kind {
        EntryKind::File => {
            Mount::ReadOnly { host: empty.to_owned(), inside: folder.join(&it.name) }
        }
        _ => Mount::Hidden { inside: folder.join(&it.name) },
    };
    let is_open = |it: &OsStr| {
        let is_listed = it.to_str().is_some_and(|it| OPEN_OF_GIT.contains(&it));
        is_listed && !(has_secrets && it == "objects")
    };
    let worktrees = common_dir.join("worktrees");
    let own = entries(common_dir);
    let own = own.iter().filter(|it| it.name != "worktrees" && !is_open(&it.name));
    let others = entries(&worktrees);
    let others = others.iter().filter(|it| it.name != name).map(|it| mount(&worktrees, it));
    own.map(|it| mount(common_dir, it)).chain(others).collect()
}

/// Empties the checked-out tree but for git's own file: the working tree of the project replaces it, and what
/// the user deleted must not come back.
fn remove_tracked(work: &Path) -> std::io::Result<()> {
    let Ok(listing) = std::fs::read_dir(work) else { return Ok(()) };
    for entry in listing {
        let entry = entry?;
        if entry.file_name() == ".git" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            std::fs::remove_dir_all(entry.path())?;
        } else {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
