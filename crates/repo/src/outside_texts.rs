//! Texts that agents and other tools obey and that are no files of the tree: protected names that git ignores, those in
//! folders above the project up to the top of its repository, and cargo's configuration in all folders above. What they name is as protected as what a file
//! of the tree names. Start at [`Project::outside`]. Programs above the project that such a text starts are not
//! read in turn.

use std::path::{Path, PathBuf};

use base::{ProjectPath, SortedMap, SortedSet};
use policy::OutsideText;
use untrusted_fs::{Dir, EntryKind};

use crate::git_files::find;
use crate::git_hooks::text_of;
use crate::project::Project;

/// The configuration of cargo in a folder.
const CONFIGURATION: [&str; 2] = [".cargo/config.toml", ".cargo/config"];
/// Folders that are read by others: git's, and cargo's, which may have all sources of registries.
const ELSEWHERE: [&str; 2] = [".cargo", ".git"];
/// Most entries that are looked at.
const MAX_ENTRIES: usize = 5_000;
/// Bytes that are read of all texts.
const MAX_BYTES: u64 = 16 << 20;

/// Texts outside the tree, and links there to files of the project.
#[derive(Default)]
pub(crate) struct Outside {
    pub(crate) texts: Vec<OutsideText>,
    /// By a protected name.
    pub(crate) links: SortedMap<ProjectPath, ProjectPath>,
    bytes: u64,
}

impl Project {
    /// These texts; `ignored` are the entries that git ignores beside files of the tree, and `links` those of the tree
    /// that lead out of it.
    pub(crate) fn outside(
        &self,
        ignored: &SortedSet<ProjectPath>,
        links: &[ProjectPath],
    ) -> Outside {
        let mut found = Outside::default();
        let mut own = Finder { root: self.root(), above: "", left: MAX_ENTRIES, found: &mut found };
        own.entries(self.root(), ignored.iter().chain(links));
        let top = find(self.root()).map(|dirs| dirs.top);
        let mut above = String::new();
        for folder in self.root().ancestors().skip(1) {
            above.push_str("../");
            let left = MAX_ENTRIES;
            let mut finder = Finder { root: self.root(), above: &above, left, found: &mut found };
            if top.as_ref().is_some_and(|it| folder.starts_with(it)) {
                finder.folder(folder, None);
            }
            // cargo reads its configuration in all folders above.
            finder.entries(folder, CONFIGURATION.map(ProjectPath::new).iter().flatten());
        }
        found
    }
}

/// Looks through folders.
struct Finder<'a> {
    root: &'a Path,
    /// The way to the folder from the project: empty, or `../` as often as it takes.
    above: &'a str,
    left: usize,
    found: &'a mut Outside,
}

impl Finder<'_> {
    /// Adds what is in a folder; `name` is its name in the folder at the end of `above`.
    fn folder(&mut self, at: &Path, name: Option<&ProjectPath>) {
        let Ok(entries) = Dir::open(at).and_then(|it| it.entries(self.left)) else {
            let folder = name.map_or("", |it| it.as_str());
            return self.add(&format!("{folder}/…"), None, None);
        };
        self.left -= entries.len().min(self.left);
        // A checkout of its own, as agents keep in `.claude/worktrees`.
        if name.is_some() && entries.iter().any(|it| it.name == ".git") {
            return;
        }
        for entry in entries {
            let own = entry.name.to_str().and_then(|entry| match name {
                Some(name) => ProjectPath::new(&format!("{name}/{entry}")).ok(),
                None => ProjectPath::new(entry).ok(),
            });
            // Folders that are not hidden have files of other projects.
            let is_walked = |it: &ProjectPath| {
                entry.kind != EntryKind::Folder || name.is_some() || it.as_str().starts_with('.')
            };
            if let Some(own) = own.filter(is_walked) {
                self.entry(&at.join(&entry.name), &own, entry.kind);
            }
        }
    }

    /// Adds these entries of a folder where they exist.
    fn entries<'p>(&mut self, folder: &Path, names: impl Iterator<Item = &'p ProjectPath>) {
        let Ok(dir) = Dir::open(folder) else { return };
        for name in names {
            if let Ok(Some(kind)) = dir.kind(name.as_str()) {
                self.entry(&name.join_to(folder), name, kind);
            }
        }
    }

    fn entry(&mut self, at: &Path, name: &ProjectPath, kind: EntryKind) {
        let real = untrusted_fs::leads_to(at);
        let is_link = kind == EntryKind::Link;
        let is_outer = |it: &&PathBuf| is_link && it.is_dir() && !it.starts_with(self.root);
        let outer = real.as_ref().filter(is_outer);
        if kind == EntryKind::Folder || outer.is_some() {
            let inner = ProjectPath::new(&format!("{name}/x"));
            if !ELSEWHERE.contains(&name.file_name()) && inner.is_ok_and(|it| is_obeyed(&it)) {
                self.folder(outer.map_or(at, |it| it), Some(name));
            }
        } else if is_obeyed(name) {
            let within = real.as_deref().and_then(|it| ProjectPath::within(self.root, it).ok());
            match within.filter(|_| is_link) {
                Some(own) => {
                    let link = format!("{}{name}", self.above.replace("../", ".above/"));
                    self.found.links.extend(ProjectPath::new(&link).ok().zip(Some(own)));
                }
                None if kind == EntryKind::File || real.as_deref().is_some_and(Path::is_file) => {
                    let left = MAX_BYTES.saturating_sub(self.found.bytes);
                    let text = real.and_then(|it| text_of(&it, left));
                    self.found.bytes += text.as_ref().map_or(0, |it| it.len() as u64);
                    self.add(name.as_str(), Some(name.clone()), text);
                }
                None => {}
            }
        }
    }

    fn add(&mut self, by: &str, path: Option<ProjectPath>, text: Option<String>) {
        let by = format!("{}{by}", self.above);
        self.found.texts.push(OutsideText { by, path, text });
    }
}

/// Whether people or their tools obey a file of this name. What has secrets is not read.
fn is_obeyed(path: &ProjectPath) -> bool {
    let is_secret = policy::has_secrets(path) && path.file_name() != ".envrc";
    policy::protected(path).is_some_and(|it| !it.is_for_hidden()) && !is_secret
}
