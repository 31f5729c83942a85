//! Views by overlay mount: the changes are a layer over the tree, and neither is writable.
//!
//! A deleted file is a whiteout, a character device 0/0: every user may make one since
//! Linux 5.8, and unprivileged overlay mounts need 5.11, so whiteouts always work here.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use base::{Ctx, ProjectPath, SortedMap, SortedSet};
use sandbox::{Job, JobLimits, Level, Mount, Network, Sandbox, Upper, View};
use untrusted_fs::Dir;

use crate::error::RepoError;
use crate::plan::ancestors;
use crate::project::Project;
use crate::replace::with_executable;
use crate::tree::{Tree, describe};
use crate::view::{Made, Shown, ShownFolder};
use crate::view_request::{Request, can_mount};

/// Whether an overlay with its upper layer in the cache directory can be mounted: tested once
/// per project by mounting one, because a probe of features does not cover all file systems.
pub(crate) fn works_here(project: &Project, ctx: &Ctx, sandbox: &Sandbox, dir: &Path) -> bool {
    *project.mounts.get_or_init(|| {
        can_mount(sandbox)
            && sandbox.capabilities().overlay.works
            && !dir.starts_with(project.root())
            && mounts_known(project, ctx, sandbox, &dir.join("probe"))
    })
}

/// Whether the project can be the lower layer of an overlay, by trying if no earlier process did.
fn mounts_known(project: &Project, ctx: &Ctx, sandbox: &Sandbox, dir: &Path) -> bool {
    let question = format!("an overlay over {}", project.root().display());
    if sandbox.answer(&question).is_some() {
        return true;
    }
    let works = mounts(project, ctx, sandbox, dir).unwrap_or(false);
    if works {
        sandbox.learn(&question, "works");
    }
    works
}

fn mounts(project: &Project, ctx: &Ctx, sandbox: &Sandbox, dir: &Path) -> io::Result<bool> {
    let mount = throw_away(vec![project.root().to_owned()], project.root(), dir)?;
    let job = Job {
        program: "/bin/sh".into(),
        // A second overlay in the view of the first would hide a failed write.
        args: ["-c", ": > .graftage-probe"].iter().map(Into::into).collect(),
        cwd: project.root().to_owned(),
        env: SortedMap::new(),
        stdin: Vec::new(),
        view: View { mounts: vec![mount] },
        limits: JobLimits::default(),
        network: Network::Off,
        require: Level::Strong,
    };
    let ran = sandbox.run(ctx, &job, &mut |_, _| {});
    Ok(ran.is_ok_and(|outcome| outcome.exit_code == 0)
        && dir.join("upper/.graftage-probe").exists())
}

/// Makes the layer of the changed files, and shows it over the project.
pub(crate) fn make(request: &Request<'_>, dir: &Path) -> Result<Made, RepoError> {
    let project = request.project;
    let root = project.root();
    if dir.starts_with(root) {
        return Err(RepoError::View {
            reason: format!(
                "the cache directory `{}` is inside the project, and a layer cannot be in \
                 what it covers",
                project.dirs().cache.display()
            ),
        });
    }
    let layer = dir.join("layer");
    std::fs::create_dir(&layer)
        .and_then(|()| keep_folder(root, &layer))
        .map_err(|err| RepoError::Keep { path: layer.clone(), reason: err.to_string() })?;
    fill(request, &layer)?;
    let lowers = vec![layer.clone(), root.to_owned()];
    let mut mounts = vec![Mount::Overlay { lowers, upper: None, inside: root.to_owned() }];
    let folder = |folder: &Path, shown| ShownFolder {
        original: folder.to_owned(),
        inside: folder.to_owned(),
        shown,
    };
    let mut folders = vec![folder(root, Shown::Layer(layer))];
    for outside in request.outside {
        mounts.push(Mount::ReadOnly { host: outside.clone(), inside: outside.clone() });
        folders.push(folder(outside, Shown::Original));
    }
    Ok(Made { view: View { mounts }, root: root.to_owned(), folders })
}

/// A mount of `lowers` at `inside` that processes may write: what they write is in `dir/upper`.
pub(crate) fn throw_away(lowers: Vec<PathBuf>, inside: &Path, dir: &Path) -> io::Result<Mount> {
    let (upper, work) = (dir.join("upper"), dir.join("work"));
    std::fs::create_dir_all(&upper)?;
    std::fs::create_dir_all(&work)?;
    // The merged folder shows the upper one's rights and time.
    if let Some(top) = lowers.first() {
        keep_folder(top, &upper)?;
    }
    let upper = Some(Upper { folder: upper, work });
    Ok(Mount::Overlay { lowers, upper, inside: inside.to_owned() })
}

/// Writes the overlay's files into the layer, and the extra ones.
fn fill(request: &Request<'_>, upper: &Path) -> Result<(), RepoError> {
    let tree = request.project.tree()?;
    let refuse = |path: &ProjectPath, reason: String| RepoError::View {
        reason: format!("`{path}`: {reason}"),
    };
    // Folders in which a name was added or removed get the present time.
    let mut changed = SortedSet::new();
    let mut above = SortedSet::new();
    let read = |path| tree.read(path).map_err(|why| refuse(path, describe(&why)));
    for (path, change) in request.overlay.changes() {
        let old = read(path)?;
        let result = match &change.after {
            Some(state) => {
                let mode = old.as_ref().map(|old| with_executable(old.mode, state.executable));
                let mode = mode.unwrap_or(if state.executable { 0o755 } else { 0o644 });
                write(&tree, upper, path, state.text.as_bytes(), mode)
            }
            None if old.is_some() => white_out(&tree, upper, path),
            None => continue,
        };
        result.map_err(|err| refuse(path, err.to_string()))?;
        if old.is_some() != change.after.is_some() {
            changed.insert(path.parent());
        }
        above.extend(ancestors(path));
    }
    for (path, bytes) in request.extra {
        // A file of the view's own: processes may write it, whatever the tree's file allows.
        let mode = read(path)?.map_or(0o644, |old| old.mode | 0o600);
        write(&tree, upper, path, bytes, mode).map_err(|err| refuse(path, err.to_string()))?;
        above.extend(ancestors(path));
    }
    // A folder that is covered as a whole has no file of the change.
    let below =
        |path: &&ProjectPath| request.closed.iter().find(|it| *path != *it && path.is_within(it));
    let mut added = request.overlay.changes().filter(|it| it.1.after.is_some()).map(|it| it.0);
    if let Some((path, closed)) = added.find_map(|it| Some((it, below(&it)?))) {
        return Err(refuse(path, format!("it is below `{closed}`, which agents do not see")));
    }
    for path in request.closed.iter().filter(|it| !is_shown_anyway(request, it)) {
        white_out(&tree, upper, path).map_err(|err| refuse(path, err.to_string()))?;
        above.extend(ancestors(path));
    }
    for (path, change) in request.overlay.changes() {
        if change.after.is_none() {
            let gone = cover_emptied(&tree, upper, path);
            changed.extend(gone.map_err(|err| refuse(path, err.to_string()))?);
        }
    }
    for folder in above.into_iter().map(Some).chain([None]) {
        let (from, to) = match &folder {
            Some(folder) => (folder.join_to(tree.root()), folder.join_to(upper)),
            None => (tree.root().to_owned(), upper.to_owned()),
        };
        if from.is_dir() && to.is_dir() && !changed.contains(&folder) {
            keep_time(&from, &to)
                .map_err(|err| RepoError::Keep { path: to, reason: err.to_string() })?;
        }
    }
    Ok(())
}

/// Whether the view has a file of its own at a path that is not shown.
fn is_shown_anyway(request: &Request<'_>, closed: &ProjectPath) -> bool {
    request.extra.contains_key(closed)
        || request.overlay.get(closed).is_some_and(|it| it.after.is_some())
}

fn write(tree: &Tree, upper: &Path, path: &ProjectPath, bytes: &[u8], mode: u32) -> io::Result<()> {
    make_parents(tree, upper, path)?;
    let target = path.join_to(upper);
    // A file of the view's own may be where the change removes the tree's: an untracked
    // `Cargo.lock`, when the tree is shown as it was at a commit.
    if std::fs::symlink_metadata(&target).is_ok_and(|it| it.file_type().is_char_device()) {
        std::fs::remove_file(&target)?;
    }
    let mut file = File::create(&target)?;
    file.write_all(bytes)?;
    file.set_permissions(Permissions::from_mode(mode))
}

fn white_out(tree: &Tree, upper: &Path, path: &ProjectPath) -> io::Result<()> {
    make_parents(tree, upper, path)?;
    // A file of the view's own stays.
    let upper = Dir::open(upper)?;
    match upper.kind(path.as_str())? {
        None => Ok(upper.white_out(path.as_str())?),
        Some(_) => Ok(()),
    }
}

/// Removes folders that the change empties, as when it is applied; returns the folders in which a
/// name was removed.
fn cover_emptied(
    tree: &Tree,
    upper: &Path,
    path: &ProjectPath,
) -> io::Result<Vec<Option<ProjectPath>>> {
    let mut gone = Vec::new();
    let mut folder = path.parent();
    while let Some(inner) = folder {
        let (lower, cover) = (inner.join_to(tree.root()), inner.join_to(upper));
        // An outer change may have covered it already.
        if !cover.is_dir() || !lower.is_dir() {
            break;
        }
        let mut whiteouts = 0;
        let mut others = 0;
        for entry in std::fs::read_dir(&cover)? {
            let is_whiteout = entry?.file_type()?.is_char_device();
            *(if is_whiteout { &mut whiteouts } else { &mut others }) += 1;
        }
        if others > 0 || std::fs::read_dir(&lower)?.count() != whiteouts {
            break;
        }
        std::fs::remove_dir_all(&cover)?;
        white_out(tree, upper, &inner)?;
        folder = inner.parent();
        gone.push(folder.clone());
    }
    Ok(gone)
}

/// The folders above `path`, with the permissions that they have in the tree.
fn make_parents(tree: &Tree, upper: &Path, path: &ProjectPath) -> io::Result<()> {
    let Some(parent) = path.parent() else { return Ok(()) };
    let host = parent.join_to(upper);
    if host.is_dir() {
        return Ok(());
    }
    make_parents(tree, upper, &parent)?;
    std::fs::create_dir(&host)?;
    if tree.folder_mode(&parent)?.is_some() {
        keep_folder(&parent.join_to(tree.root()), &host)?;
    }
    Ok(())
}

/// Gives `to` the permissions and the time of `from`.
fn keep_folder(from: &Path, to: &Path) -> io::Result<()> {
    // A folder that only another user may enter would exclude the process of the view.
    let mode = std::fs::metadata(from)?.mode() & 0o7777 | 0o700;
    std::fs::set_permissions(to, Permissions::from_mode(mode))?;
    keep_time(from, to)
}

fn keep_time(from: &Path, to: &Path) -> io::Result<()> {
    File::open(to)?.set_modified(std::fs::metadata(from)?.modified()?)
}
