//! The files of a view against its change: what a process that was let write has written, and whether
//! what was shown is the change. All of it is read by the host, by descriptor, after the processes
//! have ended. Start at [`Materialised::compare`].
//!
//! Files of a view are read-only ([`Materialised::view`]). A build that writes into the source tree
//! gets [`Materialised::writable`] instead: a throw-away layer of its own over the same files. Every
//! path that was written stays visible there, also where its first text was restored: the kernel
//! notes each write in the layer, and removes no note. A copy has no layer; there the kernel's own
//! time of the last change shows it, which no process can set.

use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{ContentHash, ProjectPath, SortedMap, SortedSet};
use edit::{FileState, Overlay};
use policy::Tree;
use rustix::fs::AtFlags;
use sandbox::{Mount, View};
use untrusted_fs::{Dir, EntryKind, Fault};

use crate::error::RepoError;
use crate::snapshot::link_hash;
use crate::tree::is_executable;
use crate::view::{Materialised, Shown, ShownFolder};
use crate::view_overlay::throw_away;

/// Maximum number of entries of a layer or a copy that are compared.
const MOST: usize = 1_000_000;
/// Maximum number of nested folders that are compared.
const DEPTH: usize = 128;
/// The largest file that is read back, in bytes.
const LARGEST: u64 = 1 << 30;
/// Pause between two looks at the clock of a file system, and the maximum number of them.
const TICK: Duration = Duration::from_millis(1);
const MOST_TICKS: usize = 1_000;

/// Name of a folder in that of a view.
const BESIDE: &str = "beside";

/// The files that a view showed, compared with its change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownFiles {
    /// [`Overlay::patch_set`] of the change as it was read back from the view.
    pub patch_set: ContentHash,
    /// Files of the tree or the change that a process wrote, replaced or covered, and new files that
    /// configure cargo; sorted. Paths outside the project are absolute.
    pub altered: SortedSet<String>,
    /// Other files that a process wrote, such as generated ones; sorted.
    pub made: SortedSet<String>,
}

/// The files of the tree with the change, by their paths on the host.
struct Candidate(SortedMap<PathBuf, ContentHash>);

/// One entry of a layer or a copy that a process may have written.
struct Entry {
    /// Path below the shown folder.
    path: PathBuf,
    kind: EntryKind,
    /// Whether it is a folder that hides what is below it.
    opaque: bool,
    /// Time of its last change, in nanoseconds.
    changed: i128,
}

impl Materialised {
    /// Makes an empty folder that is removed with the view, and that no process sees unless it is mounted.
    ///
    /// # Errors
    /// [`RepoError::Keep`] when it cannot be made.
    pub fn folder_beside(&self) -> Result<PathBuf, RepoError> {
        let path = self.dir.path().join(BESIDE);
        let keep = |err: io::Error| RepoError::Keep { path: path.clone(), reason: err.to_string() };
        untrusted_fs::make_private(&path).map_err(keep)?;
        Ok(path)
    }

    /// The same files for processes that have to write them: into a layer, or a copy, that is removed
    /// with the view. What was written is reported by [`Materialised::compare`].
    ///
    /// # Errors
    /// [`RepoError::Keep`] when the layer cannot be made.
    pub fn writable(&self) -> Result<View, RepoError> {
        let keep = |err: io::Error| RepoError::Keep {
            path: self.dir.path().to_owned(),
            reason: err.to_string(),
        };
        std::fs::write(self.mark(), "").map_err(keep)?;
        if self.folders.iter().any(|it| matches!(it.shown, Shown::Copy(_))) {
            self.pass_mark().map_err(keep)?;
        }
        let mut view = self.view.clone();
        for (idx, folder) in self.folders.iter().enumerate() {
            let inside = folder.inside.clone();
            let layers = |lowers| throw_away(lowers, &folder.inside, &self.written(idx));
            let original = folder.original.clone();
            let mount = match &folder.shown {
                Shown::Copy(copy) => Mount::Writable { host: copy.clone(), inside },
                Shown::Layer(layer) => layers(vec![layer.clone(), original]).map_err(keep)?,
                Shown::Original => layers(vec![original]).map_err(keep)?,
            };
            let shown = view.mounts.iter_mut().find(|it| it.inside() == folder.inside);
            match shown {
                Some(shown) => *shown = mount,
                None => view.mounts.push(mount),
            }
        }
        Ok(view)
    }

    /// Compares the files that the view showed with the change that it was made for, on `tree`.
    ///
    /// # Errors
    /// [`RepoError::View`] when the view's own files cannot be read; what processes left that cannot
    /// be read is altered.
    pub fn compare(&self, overlay: &Overlay, tree: &Tree) -> Result<ShownFiles, RepoError> {
        let is_writable = self.mark().exists();
        let candidate = || Candidate::new(&self.folders, overlay, tree);
        let mut found = ShownFiles {
            patch_set: overlay.patch_set(),
            altered: SortedSet::new(),
            made: SortedSet::new(),
        };
        for (idx, folder) in self.folders.iter().enumerate() {
            let below = if idx == 0 { Some(folder.original.as_path()) } else { None };
            match &folder.shown {
                Shown::Layer(layer) => {
                    let layer = open(layer)?;
                    found.patch_set = self.read_back(&layer, overlay)?;
                    self.unexpected(&layer, overlay, &mut found)?;
                }
                Shown::Copy(copy) => {
                    let copy = open(copy)?;
                    if below.is_some() {
                        found.patch_set = self.read_back(&copy, overlay)?;
                    }
                    let candidate = candidate();
                    self.differing(&copy, folder, &candidate, below, &mut found);
                    if is_writable {
                        let since = changed_at(&self.mark()).map_err(|err| unreadable(&err))?;
                        let written = |it: &Entry| it.changed > since;
                        candidate.sort(&copy, folder, written, below, &mut found);
                    }
                    continue;
                }
                Shown::Original => {}
            }
            if is_writable {
                let upper = open(&self.written(idx).join("upper"))?;
                candidate().sort(&upper, folder, |_| true, below, &mut found);
            }
        }
        Ok(found)
    }

    /// The folder of what processes wrote in a shown folder.
    fn written(&self, idx: usize) -> PathBuf {
        self.dir.path().join(format!("written-{idx}"))
    }

    /// A file that is older than all that processes wrote.
    fn mark(&self) -> PathBuf {
        self.dir.path().join("written")
    }

    /// Returns once a file that is written now is newer than the mark. Within one tick of the clock of the
    /// file system both have the same time, and what a process writes then would pass for older.
    fn pass_mark(&self) -> io::Result<()> {
        let (since, probe) = (changed_at(&self.mark())?, self.dir.path().join("tick"));
        for _ in 0..MOST_TICKS {
            std::fs::write(&probe, "x")?;
            if changed_at(&probe)? > since {
                return Ok(());
            }
            std::thread::sleep(TICK);
        }
        Err(io::Error::other("the clock of its file system does not move"))
    }

    /// The patch set of the change with the texts that `shown` has.
    fn read_back(&self, shown: &Dir, overlay: &Overlay) -> Result<ContentHash, RepoError> {
        let mut states = Vec::new();
        for (path, change) in overlay.changes() {
            let found = match shown.kind(path.as_str()) {
                Ok(Some(EntryKind::File)) => shown.read(path.as_str(), LARGEST),
                // A removed file, in a layer as a device, or below one.
                Ok(_) | Err(Fault::NotAFolder | Fault::Link) => Ok(None),
                Err(fault) => Err(fault),
            };
            let after = found.map_err(|fault| unreadable(&fault))?.map(|found| {
                let text = String::from_utf8_lossy(&found.bytes).into_owned();
                FileState { text: text.into(), executable: is_executable(found.mode) }
            });
            states.push((path.clone(), change.before.clone(), after));
        }
        Ok(Overlay::from_states(&overlay.author, overlay.created_at, states).patch_set())
    }

    /// Files of the layer that neither the change nor an extra file put there.
    fn unexpected(
        &self,
        layer: &Dir,
        overlay: &Overlay,
        found: &mut ShownFiles,
    ) -> Result<(), RepoError> {
        let mut entries = Vec::new();
        list(layer, Path::new(""), &mut entries).map_err(|(_, fault)| unreadable(&fault))?;
        for entry in entries.iter().filter(|it| it.kind == EntryKind::File) {
            let path = ProjectPath::new(&entry.path.to_string_lossy()).ok();
            let bytes = path.as_ref().and_then(|path| self.extra.get(path));
            let is_expected = match (bytes, &path) {
                (Some(bytes), _) => hash_below(layer, &entry.path) == Some(ContentHash::of(bytes)),
                (None, Some(path)) => {
                    overlay.get(path).is_some_and(|change| change.after.is_some())
                }
                (None, None) => false,
            };
            if !is_expected {
                found.altered.insert(entry.path.display().to_string());
            }
        }
        Ok(())
    }

    /// Files of a copy that are not those of the tree with the change.
    fn differing(
        &self,
        copy: &Dir,
        folder: &ShownFolder,
        candidate: &Candidate,
        project: Option<&Path>,
        found: &mut ShownFiles,
    ) {
        for (path, hash) in candidate.below(&folder.original) {
            let Ok(below) = path.strip_prefix(&folder.original) else { continue };
            let extra = project
                .and_then(|_| ProjectPath::new(&below.to_string_lossy()).ok())
                .and_then(|path| self.extra.get(&path));
            let is_same = match copy.kind(below) {
                // Its text may have been led into the copy.
                Ok(Some(EntryKind::Link)) => link_hash(path) == Some(*hash),
                Ok(Some(EntryKind::File)) => {
                    let wanted = extra.map_or(*hash, |bytes| ContentHash::of(bytes));
                    hash_below(copy, below) == Some(wanted)
                }
                _ => false,
            };
            let is_closed = || base::is_within_any(below, &self.closed);
            if !(is_same || project.is_some() && is_closed()) {
                found.altered.insert(shown_name(folder, below, project));
            }
        }
    }
}

impl Candidate {
    fn new(folders: &[ShownFolder], overlay: &Overlay, tree: &Tree) -> Self {
        let Some(project) = folders.first() else { return Self(SortedMap::new()) };
        let own = |path: &ProjectPath| path.join_to(&project.original);
        let mut files: SortedMap<PathBuf, ContentHash> =
            tree.external_files().map(|(path, hash)| (path.to_owned(), hash)).collect();
        files.extend(tree.files().iter().map(|(path, hash)| (own(path), *hash)));
        for (path, change) in overlay.changes() {
            match &change.after {
                Some(state) => files.insert(own(path), state.hash()),
                None => files.remove(&own(path)),
            };
        }
        Self(files)
    }

    /// The files at or below a path.
    fn below<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = (&'a PathBuf, &'a ContentHash)> {
        self.0.range(path.to_owned()..).take_while(move |(it, _)| it.starts_with(path))
    }

    /// Sorts what processes wrote into altered files and others.
    fn sort(
        &self,
        written: &Dir,
        folder: &ShownFolder,
        is_written: impl Fn(&Entry) -> bool,
        project: Option<&Path>,
        found: &mut ShownFiles,
    ) {
        let is_copy = matches!(folder.shown, Shown::Copy(_));
        let mut entries = Vec::new();
        if let Err((path, _)) = list(written, Path::new(""), &mut entries) {
            found.altered.insert(shown_name(folder, &path, project));
        }
        for entry in entries.iter().filter(|it| is_written(it)) {
            let original = folder.original.join(&entry.path);
            // A copy does not show whether a folder was replaced for a time.
            let covers = entry.kind != EntryKind::Folder || entry.opaque || is_copy;
            let is_altered = match covers {
                true => self.below(&original).next().is_some(),
                false => self.0.contains_key(&original),
            };
            let name = shown_name(folder, &entry.path, project);
            if is_altered || directs_cargo(&entry.path) {
                found.altered.insert(name);
            } else if entry.kind != EntryKind::Folder {
                found.made.insert(name);
            }
        }
    }
}

/// Whether cargo, rustup, clippy or rustfmt read a file of this path for what they do.
fn directs_cargo(path: &Path) -> bool {
    const NAMES: [&str; 9] = [
        "Cargo.toml",
        "Cargo.lock",
        ".cargo",
        "rust-toolchain",
        "rust-toolchain.toml",
        "clippy.toml",
        ".clippy.toml",
        "rustfmt.toml",
        ".rustfmt.toml",
    ];
    path.components().any(|it| NAMES.iter().any(|name| it.as_os_str() == *name))
}

/// A path for messages: relative in the project, absolute outside.
fn shown_name(folder: &ShownFolder, below: &Path, project: Option<&Path>) -> String {
    match project {
        Some(_) => below.display().to_string(),
        None => folder.original.join(below).display().to_string(),
    }
}

/// All entries below a folder; an error names the one that cannot be read.
fn list(dir: &Dir, below: &Path, entries: &mut Vec<Entry>) -> Result<(), (PathBuf, Fault)> {
    let at = |fault: Fault| (below.to_owned(), fault);
    if below.components().count() > DEPTH {
        return Err(at(Fault::TooDeep { limit: DEPTH }));
    }
    for entry in dir.entries(MOST.saturating_sub(entries.len())).map_err(at)? {
        let path = below.join(&entry.name);
        let fail = |fault: Fault| (path.clone(), fault);
        let stat = rustix::fs::statat(dir.as_fd(), &entry.name, AtFlags::SYMLINK_NOFOLLOW);
        let stat = stat.map_err(|err| fail(err.into()))?;
        let changed = i128::from(stat.st_ctime) * 1_000_000_000 + i128::from(stat.st_ctime_nsec);
        let folder = match entry.kind {
            EntryKind::Folder => dir.open_dir(&entry.name).map_err(fail)?,
            _ => None,
        };
        let opaque = folder.as_ref().is_some_and(is_opaque);
        entries.push(Entry { path: path.clone(), kind: entry.kind, opaque, changed });
        if let Some(folder) = folder {
            list(&folder, &path, entries)?;
        }
    }
    Ok(())
}

/// Whether a folder of a layer hides those below it. What cannot be read counts as such.
fn is_opaque(folder: &Dir) -> bool {
    let mut value = [0; 8];
    match rustix::fs::fgetxattr(folder, "user.overlay.opaque", &mut value[..]) {
        Ok(len) => len > 0,
        Err(rustix::io::Errno::NODATA | rustix::io::Errno::OPNOTSUPP) => false,
        Err(_) => true,
    }
}

fn hash_below(dir: &Dir, path: &Path) -> Option<ContentHash> {
    Some(ContentHash::of(&dir.read(path, LARGEST).ok()??.bytes))
}

fn changed_at(path: &Path) -> io::Result<i128> {
    use std::os::unix::fs::MetadataExt;
    let meta = std::fs::symlink_metadata(path)?;
    Ok(i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec()))
}

fn open(path: &Path) -> Result<Dir, RepoError> {
    Dir::open(path).map_err(|fault| unreadable(&fault))
}

fn unreadable(why: &dyn std::fmt::Display) -> RepoError {
    RepoError::View { reason: format!("its files cannot be compared with the change: {why}") }
}
