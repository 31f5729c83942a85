//! The links of a tree: the path that one leads to, and the other names of a file.

use base::{ProjectPath, SortedMap, SortedSet};
use edit::{FileState, Files, Unreadable};

/// Most names of one file.
const MAX_NAMES: usize = 1_000;
/// Most links in one path, as the kernel follows.
const MAX_LINKS: usize = 40;

/// The links of a tree.
pub(crate) struct Links<'a> {
    /// Each with what it leads to.
    targets: &'a SortedMap<ProjectPath, ProjectPath>,
    /// The links to each file or folder.
    names: SortedMap<&'a ProjectPath, Vec<&'a ProjectPath>>,
}

impl<'a> Links<'a> {
    pub(crate) fn of(targets: &'a SortedMap<ProjectPath, ProjectPath>) -> Self {
        let mut names: SortedMap<&ProjectPath, Vec<&ProjectPath>> = SortedMap::new();
        for (link, target) in targets {
            names.entry(target).or_default().push(link);
        }
        Self { targets, names }
    }

    /// A path without the links in it.
    pub(super) fn real(&self, path: &ProjectPath) -> ProjectPath {
        let mut path = path.clone();
        for _ in 0..MAX_LINKS {
            let found = with_folders(&path).find_map(|it| Some((self.targets.get(&it)?, it)));
            let Some((target, link)) = found else { break };
            let rest = path.as_str().strip_prefix(link.as_str()).unwrap_or_default();
            let Ok(next) = ProjectPath::new(&format!("{target}{rest}")) else { break };
            path = next;
        }
        path
    }

    /// The other names of a file, by links to it, to a folder above it, or to a link that leads there; `None` if
    /// it has too many.
    pub(crate) fn names_of(&self, path: &ProjectPath) -> Option<SortedSet<ProjectPath>> {
        let mut found = SortedSet::new();
        let mut queue = vec![path.clone()];
        while let Some(next) = queue.pop() {
            for target in with_folders(&next) {
                let rest = next.as_str().strip_prefix(target.as_str()).unwrap_or_default();
                for link in self.names.get(&target).into_iter().flatten() {
                    // The link itself, and the file by it.
                    let names = [link.as_str().to_owned(), format!("{link}{rest}")];
                    for name in names.iter().filter_map(|it| ProjectPath::new(it).ok()) {
                        if found.insert(name.clone()) {
                            queue.push(name);
                        }
                        if found.len() > MAX_NAMES {
                            return None;
                        }
                    }
                }
            }
        }
        Some(found)
    }
}

/// A path and the folders above it.
pub(super) fn with_folders(path: &ProjectPath) -> impl Iterator<Item = ProjectPath> + use<> {
    std::iter::successors(Some(path.clone()), ProjectPath::parent)
}

/// The files, links followed.
pub(super) struct Followed<'a> {
    pub(super) files: &'a dyn Files,
    pub(super) links: &'a Links<'a>,
}

impl Files for Followed<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        self.files.read(&self.links.real(path))
    }
}
