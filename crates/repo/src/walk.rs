//! The files of a folder that git does not ignore. Start at [`walk`].

use std::io::Read;
use std::path::{Path, PathBuf};

use base::{Ctx, ProjectPath};
use ignore::gitignore::Gitignore;
use untrusted_fs::{Dir, DirEntry, EntryKind, Fault};

use crate::error::RepoError;
use crate::ignore_patterns::patterns;
use crate::ignored::{FILE_BYTES, Ignored};
use crate::replace::is_temp_name;
use crate::tracked::Tracked;

/// Maximum number of entries of one folder.
const MAX_ENTRIES: usize = 1_000_000;

/// The files and links below `root` that are not ignored, nor named by `ignore_files`, sorted; with whether it is
/// a link.
///
/// # Errors
/// [`RepoError::Read`] when the root or an ignore file cannot be read, or a source or manifest is no regular file;
/// [`RepoError::Cancelled`].
pub(crate) fn walk(
    ctx: &Ctx,
    root: &Path,
    ignore_files: &[PathBuf],
) -> Result<Vec<(ProjectPath, bool)>, RepoError> {
    walk_toward(ctx, root, ignore_files, None)
}

/// As [`walk`]; with `target` only that file, by the folders on the way to it.
///
/// # Errors
/// As [`walk`].
pub(crate) fn walk_toward(
    ctx: &Ctx,
    root: &Path,
    ignore_files: &[PathBuf],
    target: Option<PathBuf>,
) -> Result<Vec<(ProjectPath, bool)>, RepoError> {
    let dir = Dir::open(root).map_err(|fault| unreadable(root, fault))?;
    let more = ignore_files.iter().map(|it| further(&dir, root, it)).collect::<Result<_, _>>()?;
    let ignored = Ignored::above(root)?;
    let tracked = Tracked::of(root);
    let mut walk = Walk { ctx, root, dir: &dir, target, more, ignored, tracked, found: Vec::new() };
    walk.folder("", &dir)?;
    walk.found.sort();
    Ok(walk.found)
}

/// A walk through a tree.
struct Walk<'a> {
    ctx: &'a Ctx,
    root: &'a Path,
    dir: &'a Dir,
    target: Option<PathBuf>,
    /// The patterns of further ignore files, by the rules of a `.gitignore` at the root.
    more: Vec<Gitignore>,
    ignored: Ignored,
    tracked: Tracked,
    found: Vec<(ProjectPath, bool)>,
}

impl Walk<'_> {
    /// Finds the files of a folder, given by its path from the root. A folder inside that may not be read or
    /// vanished is absent.
    fn folder(&mut self, path: &str, dir: &Dir) -> Result<(), RepoError> {
        self.ctx.check_cancelled()?;
        let full = self.root.join(path);
        let entries = dir.entries(MAX_ENTRIES).map_err(|fault| unreadable(&full, fault))?;
        self.ignored.enter(&full, dir)?;
        let has_manifest =
            entries.iter().any(|it| it.name == "Cargo.toml" && it.kind != EntryKind::Folder);
        for entry in &entries {
            self.entry(path, entry, has_manifest)?;
        }
        self.ignored.leave();
        Ok(())
    }

    fn entry(
        &mut self,
        folder: &str,
        entry: &DirEntry,
        has_manifest: bool,
    ) -> Result<(), RepoError> {
        let Some(name) = entry.name.to_str().filter(|it| *it != ".git") else { return Ok(()) };
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let full = self.root.join(&path);
        let is_folder = entry.kind == EntryKind::Folder;
        let is_aside = self.target.as_ref().is_some_and(|it| !it.starts_with(&full));
        if is_aside || self.ignored.is_ignored(&full, is_folder) {
            return Ok(());
        }
        match entry.kind {
            EntryKind::Folder => {
                let Ok(Some(dir)) = self.dir.open_dir(&path) else { return Ok(()) };
                if is_built(&path, (has_manifest, &self.tracked), &dir) {
                    return Ok(());
                }
                self.folder(&path, &dir)
            }
            EntryKind::Link if is_built_from(name) && untrusted_fs::leads_to_special(&full) => {
                Err(unreadable(&full, Fault::NotAFile))
            }
            EntryKind::File | EntryKind::Link => {
                // Another process writes a change at this moment, or was killed while it did.
                let is_ours = is_temp_name(name) || self.is_left_out(&full);
                if let Ok(path) = ProjectPath::new(&path)
                    && !is_ours
                {
                    self.found.push((path, entry.kind == EntryKind::Link));
                }
                Ok(())
            }
            EntryKind::Special if is_built_from(name) => Err(unreadable(&full, Fault::NotAFile)),
            EntryKind::Special => Ok(()),
        }
    }

    fn is_left_out(&self, path: &Path) -> bool {
        self.more.iter().any(|it| it.matched_path_or_any_parents(path, false).is_ignore())
    }
}

/// The patterns of a further ignore file.
fn further(dir: &Dir, root: &Path, file: &Path) -> Result<Gitignore, RepoError> {
    let fail = |reason: String| RepoError::Read { path: root.join(file), reason };
    let found = dir.read(file, FILE_BYTES).map_err(|fault| fail(fault.to_string()))?;
    let found = found.ok_or_else(|| fail("it does not exist".to_owned()))?;
    patterns(root, &found.bytes, false).map_err(|fault| fail(fault.to_string()))
}

fn unreadable(path: &Path, fault: Fault) -> RepoError {
    RepoError::Read { path: path.to_owned(), reason: fault.to_string() }
}

/// Whether cargo or the compiler reads files of the name: in place of one, a pipe makes it wait for a writer
/// and a device has no end.
fn is_built_from(name: &str) -> bool {
    matches!(name, "Cargo.toml" | "Cargo.lock") || name.ends_with(".rs")
}

/// Whether a folder below `root` is `.git` or build output.
pub(crate) fn is_rebuilt_or_git(root: &Path, tracked: &Tracked, folder: &Path) -> bool {
    if folder.file_name().is_some_and(|it| it == ".git") {
        return true;
    }
    let has_manifest = folder.parent().is_some_and(|up| up.join("Cargo.toml").is_file());
    let path = folder.strip_prefix(root).ok().and_then(Path::to_str).unwrap_or_default();
    Dir::open(folder).is_ok_and(|dir| is_built(path, (has_manifest, tracked), &dir))
}

/// Whether a folder, by its path from the root, is build output: marked by a `CACHEDIR.TAG`, or named `target`
/// beside a manifest, and without a file that git tracks.
pub(crate) fn is_built(path: &str, (has_manifest, tracked): (bool, &Tracked), dir: &Dir) -> bool {
    looks_built(path.rsplit('/').next().unwrap_or_default(), has_manifest, dir)
        && !tracked.has_below(path)
}

fn looks_built(name: &str, has_manifest: bool, dir: &Dir) -> bool {
    const SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";
    if name == "target" && has_manifest {
        return true;
    }
    let mut start = [0; SIGNATURE.len()];
    let Ok(Some(mut tag)) = dir.open_file("CACHEDIR.TAG") else { return false };
    tag.read_exact(&mut start).is_ok_and(|()| start == SIGNATURE)
}
