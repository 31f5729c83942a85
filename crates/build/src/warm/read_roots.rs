//! Selects the files that are hashed, of those that a build named.
//!
//! Dep-info and the output of build scripts can name any path. Only files below the project, a path
//! dependency or a system folder are opened, without following links and within limits; a unit that
//! names others is never fresh.

use std::cell::{Cell, RefCell};
use std::io;
use std::path::{Component, Path, PathBuf};

use base::{ContentHash, SortedMap};
use untrusted_fs::{Dir, DirEntry, EntryKind, Fault};

use crate::CargoWorkspace;

/// Folders that foreign code cannot write.
const SYSTEM: &[&str] = &["/usr"];
/// Maximum size of one file, and of all files that one plan hashes.
const FILE_BYTES: u64 = 256 << 20;
const ALL_BYTES: u64 = 4 << 30;
/// Maximum number of names in one folder, and in all folders of one path dependency.
const NAMES: usize = 200_000;
const DEPTH: usize = 64;

/// The present state of a named file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileNow {
    /// Missing.
    Absent,
    /// A regular file with this content, or a folder.
    Is(ContentHash),
    /// Something that cannot be compared.
    Unknown,
}

/// The folders below which files are hashed.
#[derive(Debug)]
pub(super) struct ReadRoots {
    roots: Vec<(PathBuf, Dir)>,
    project: PathBuf,
    /// Number of bytes that may still be hashed.
    left: Cell<u64>,
    /// Results of [`ReadRoots::is_comparable`].
    seen: RefCell<SortedMap<String, bool>>,
}

impl ReadRoots {
    /// `None` if the project or a path dependency cannot be opened.
    pub(super) fn open(project: &Path, workspace: &CargoWorkspace) -> Option<Self> {
        let mut roots = vec![(project.to_owned(), Dir::open(project).ok()?)];
        for dir in outside_dirs(project, workspace) {
            roots.push((dir.to_owned(), Dir::open(dir).ok()?));
        }
        for dir in SYSTEM.iter().map(Path::new) {
            roots.extend(Dir::open(dir).ok().map(|open| (dir.to_owned(), open)));
        }
        Some(Self {
            roots,
            project: project.to_owned(),
            left: Cell::new(ALL_BYTES),
            seen: RefCell::default(),
        })
    }

    /// The key of a file in manifests and plans: its path relative to the project if it is inside,
    /// else its absolute path. `None` if the path cannot be compared: it is not UTF-8, is below no
    /// root, or uses `..` after something other than a folder.
    pub(super) fn key(&self, path: &Path) -> Option<String> {
        let path = self.normal(&self.project.join(path))?;
        self.locate(&path)?;
        let shown = path.strip_prefix(&self.project).unwrap_or(&path);
        shown.to_str().map(str::to_owned)
    }

    /// Removes `.` and `..`; `..` after a link leads elsewhere than its text.
    fn normal(&self, path: &Path) -> Option<PathBuf> {
        let mut out = PathBuf::new();
        for component in path.components() {
            match component {
                Component::ParentDir => {
                    if let Some((dir, below)) = self.locate(&out) {
                        dir.open_dir(below).ok()??;
                    }
                    out.pop();
                }
                Component::CurDir => {}
                other => out.push(other),
            }
        }
        Some(out)
    }

    fn locate<'a>(&'a self, path: &'a Path) -> Option<(&'a Dir, &'a Path)> {
        self.roots.iter().find_map(|(root, dir)| Some((dir, path.strip_prefix(root).ok()?)))
    }

    /// Whether a change of the path would be noticed: it is a regular file, a folder of the
    /// project, or nothing. A link is not, since its target can change.
    pub(super) fn is_comparable(&self, key: &str) -> bool {
        if let Some(known) = self.seen.borrow().get(key) {
            return *known;
        }
        let path = self.project.join(key);
        let comparable = self.locate(&path).is_some_and(|(dir, below)| {
            let is_system = SYSTEM.iter().any(|system| path.starts_with(system))
                && !path.starts_with(&self.project);
            match (below.as_os_str().is_empty(), dir.kind(below)) {
                (true, _) | (_, Ok(Some(EntryKind::Folder))) => !is_system,
                (_, Ok(None | Some(EntryKind::File))) | (_, Err(Fault::NotAFolder)) => true,
                _ => false,
            }
        });
        self.seen.borrow_mut().insert(key.to_owned(), comparable);
        comparable
    }

    /// The present state of the file.
    pub(super) fn now(&self, key: &str) -> FileNow {
        let path = self.project.join(key);
        let Some((dir, below)) = self.locate(&path) else { return FileNow::Unknown };
        match dir.kind(below) {
            Ok(Some(EntryKind::Folder)) => FileNow::Is(ContentHash::of(b"a folder")),
            Ok(None) | Err(Fault::NotAFolder | Fault::Outside) => FileNow::Absent,
            Ok(Some(EntryKind::File)) => self.hash(dir, below),
            _ => FileNow::Unknown,
        }
    }

    /// The time at which an entry changed last; `None` if that cannot be looked at, or it is not there.
    pub(super) fn changed_at(&self, key: &str) -> Option<(i64, i64)> {
        let path = self.project.join(key);
        let (dir, below) = self.locate(&path)?;
        dir.changed_at(below).ok()?
    }

    /// The rights of an entry as [`Dir::rights`]; `None` if they cannot be looked at, or it is not there.
    pub(super) fn rights(&self, key: &str) -> Option<[u64; 2]> {
        let path = self.project.join(key);
        let (dir, below) = self.locate(&path)?;
        dir.rights(below).ok()?
    }

    /// The entries of a folder, none where there is no folder; `None` if they cannot be listed.
    pub(super) fn entries(&self, key: &str) -> Option<Vec<DirEntry>> {
        let path = self.project.join(key);
        let (dir, below) = self.locate(&path)?;
        let folder = match below.as_os_str().is_empty() {
            true => dir.reopen().map(Some),
            false => dir.open_dir(below),
        };
        match folder {
            Ok(Some(folder)) => folder.entries(NAMES).ok(),
            Ok(None) | Err(Fault::NotAFolder | Fault::Outside) => Some(Vec::new()),
            Err(_) => None,
        }
    }

    fn hash(&self, dir: &Dir, path: &Path) -> FileNow {
        let limit = FILE_BYTES.min(self.left.get());
        match dir.read(path, limit) {
            Ok(Some(found)) => {
                self.left.set(self.left.get() - found.bytes.len() as u64);
                FileNow::Is(ContentHash::of(&found.bytes))
            }
            Ok(None) => FileNow::Absent,
            // A build could not read it either.
            Err(Fault::Io(err)) if err.kind() == io::ErrorKind::PermissionDenied => FileNow::Absent,
            Err(_) => FileNow::Unknown,
        }
    }

    /// The files of path dependencies outside the project by key, without build outputs and `.git`.
    /// `None` if there are too many, they are too large, or they cannot be read.
    pub(super) fn outside(
        &self,
        workspace: &CargoWorkspace,
    ) -> Option<SortedMap<String, ContentHash>> {
        let mut found = SortedMap::new();
        for root in outside_dirs(&self.project, workspace) {
            let (dir, below) = self.locate(root)?;
            let mut names = NAMES;
            let mut queue = vec![(PathBuf::new(), dir.open_dir(below).ok()??)];
            while let Some((path, dir)) = queue.pop() {
                let entries = dir.entries(names).ok()?;
                names -= entries.len();
                for entry in entries {
                    let inner = path.join(&entry.name);
                    match entry.kind {
                        EntryKind::Folder if inner.components().count() > DEPTH => return None,
                        EntryKind::Folder if entry.name != ".git" => {
                            let open = dir.open_dir(&entry.name).ok()??;
                            if !is_target(&open) {
                                queue.push((inner, open));
                            }
                        }
                        EntryKind::File => {
                            let key = root.join(inner).to_str()?.to_owned();
                            match self.hash(&dir, Path::new(&entry.name)) {
                                FileNow::Is(hash) => drop(found.insert(key, hash)),
                                FileNow::Absent => {}
                                FileNow::Unknown => return None,
                            }
                        }
                        // A file read through a link is never comparable.
                        _ => {}
                    }
                }
            }
        }
        Some(found)
    }
}

pub(super) fn outside_dirs<'a>(
    project: &'a Path,
    workspace: &'a CargoWorkspace,
) -> impl Iterator<Item = &'a Path> {
    let dirs = workspace.packages.iter().map(|package| package.dir.as_path());
    dirs.filter(move |dir| !dir.starts_with(project))
}

/// Whether cargo marked it as a target directory.
fn is_target(dir: &Dir) -> bool {
    matches!(dir.kind("CACHEDIR.TAG"), Ok(Some(EntryKind::File)))
}
