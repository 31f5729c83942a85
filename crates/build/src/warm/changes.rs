//! The differences between the tree and the manifest of a warm target directory.

use std::path::Path;

use base::{ContentHash, Hasher, ProjectPath, SortedMap, SortedSet};
use untrusted_fs::Dir;

use super::BuildSources;
use super::manifest::Manifest;
use super::read_roots::{FileNow, ReadRoots};
use super::units::Unit;
use crate::CargoWorkspace;

/// Entries and folders by key.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// Sources with another content, and sources that came or went: files that git does not ignore, and those of
    /// packages outside the project.
    pub(super) sources: SortedSet<String>,
    /// Other entries with another content, and folders that came or went: they count for the units that read them.
    pub(super) entries: SortedSet<String>,
    /// Folders with other names in them.
    pub(super) folders: SortedSet<String>,
    /// Entries that did not change, and that one of the two builds saw and the other did not: a run for an agent
    /// and one for a person.
    pub(super) otherwise: SortedSet<String>,
}

impl Changes {
    /// `None` if the files outside the project cannot be compared.
    pub(super) fn of(
        (sources, workspace): (&BuildSources<'_>, &CargoWorkspace),
        roots: &ReadRoots,
        units: &[Unit],
        manifest: &Manifest,
    ) -> Option<Self> {
        let mut changes = Self { otherwise: seen_otherwise(sources, manifest), ..Self::default() };
        changes.add_listed(sources, manifest);
        changes.add_extra((sources, workspace), roots, manifest)?;
        // What a unit read and the manifest does not have cannot be compared.
        let is_known =
            |key: &String| manifest.files.contains_key(key) || manifest.extra.contains_key(key);
        let folders = listed_folders(manifest.files.keys().map(String::as_str));
        let read = units.iter().flat_map(Unit::entries);
        let unknown = read.filter(|key| !is_known(key) && !folders.contains(key.as_str()));
        changes.entries.extend(unknown.cloned());
        let names = units.iter().flat_map(|it| it.learned.iter().flat_map(|it| &it.folders));
        let unknown = names.filter(|key| !manifest.extra.contains_key(&names_key(key)));
        changes.folders.extend(unknown.cloned());
        let learned: SortedSet<_> = units.iter().flat_map(Unit::learned_entries).collect();
        let has_other_rights =
            |key: &&String| rights_of(sources, roots, key) != manifest.rights.get(*key).copied();
        for key in learned.into_iter().filter(has_other_rights) {
            changes.entries.insert(key.clone());
            changes.folders.insert(key.clone());
        }
        Some(changes)
    }

    /// The files that git does not ignore.
    fn add_listed(&mut self, sources: &BuildSources<'_>, manifest: &Manifest) {
        let mut has_others = false;
        for (path, hash) in sources.files {
            let is_same = match manifest.files.get(path.as_str()) {
                Some(before) => *before == Some(*hash),
                // Ignored by git when the target was built, but read.
                None => manifest.extra.get(path.as_str()) == Some(&Some(*hash)),
            };
            if !is_same {
                self.sources.insert(path.as_str().to_owned());
            }
            if !manifest.files.contains_key(path.as_str()) {
                has_others = true;
                self.folders.insert(parent(path.as_str()).to_owned());
            }
        }
        for path in manifest.files.keys().filter(|path| !is_listed(sources, path)) {
            has_others = true;
            self.sources.insert(path.clone());
            self.folders.insert(parent(path).to_owned());
        }
        if has_others {
            let before = listed_folders(manifest.files.keys().map(String::as_str));
            let now = listed_folders(sources.files.keys().map(ProjectPath::as_str));
            for folder in before.symmetric_difference(&now) {
                self.entries.insert((*folder).to_owned());
                self.folders.insert(parent(folder).to_owned());
            }
        }
    }

    /// The files of packages outside the project, and what units read besides.
    fn add_extra(
        &mut self,
        (sources, workspace): (&BuildSources<'_>, &CargoWorkspace),
        roots: &ReadRoots,
        manifest: &Manifest,
    ) -> Option<()> {
        let outside = roots.outside(workspace)?;
        let listed = Listed::of(sources);
        for (key, before) in &manifest.extra {
            let folder = key.strip_suffix(NAMES);
            let now = match (folder, outside.get(key)) {
                (Some(folder), _) => listed.names(roots, folder),
                (None, Some(now)) => FileNow::Is(*now),
                (None, None) => now(sources, roots, key),
            };
            let is_same = match (before, now) {
                (Some(before), FileNow::Is(now)) => *before == now,
                // Missing as before.
                (None, FileNow::Absent) => true,
                _ => false,
            };
            match folder {
                _ if is_same => {}
                Some(folder) => drop(self.folders.insert(folder.to_owned())),
                None if is_listed(sources, key) || self.otherwise.contains(key) => {}
                None if Path::new(key).is_absolute() => drop(self.sources.insert(key.clone())),
                None => drop(self.entries.insert(key.clone())),
            }
        }
        for key in outside.keys().filter(|key| !manifest.extra.contains_key(*key)) {
            self.folders.insert(parent(key).to_owned());
            self.sources.insert(key.clone());
        }
        Some(())
    }
}

/// The inputs of a build besides the files that the project lists.
#[derive(Debug, Default)]
pub(super) struct Besides {
    /// [`Manifest::extra`].
    pub(super) extra: SortedMap<String, Option<ContentHash>>,
    /// [`Manifest::rights`].
    pub(super) rights: SortedMap<String, [u64; 2]>,
}

impl Besides {
    /// The present inputs, without those that changed since `started`, when the build began: units may have
    /// read them before, so that they equal nothing.
    pub(super) fn of(
        (sources, workspace): (&BuildSources<'_>, &CargoWorkspace),
        roots: &ReadRoots,
        units: &[Unit],
        started: Option<(i64, i64)>,
    ) -> Self {
        // Of one that is not there the folder counts: it may have been there, and was read, before.
        let is_settled = |key: &str| {
            let mut at = key;
            let changed = loop {
                match roots.changed_at(at) {
                    Some(changed) => break changed,
                    None if at.is_empty() || at.starts_with('/') && parent(at).is_empty() => {
                        return false;
                    }
                    None => at = parent(at),
                }
            };
            started.is_some_and(|started| changed < started)
        };
        let learned = units.iter().flat_map(Unit::learned_entries);
        let learned: SortedSet<&String> = learned.filter(|key| is_settled(key)).collect();
        let right = |key: &&String| Some(((*key).clone(), rights_of(sources, roots, key)?));
        let rights = learned.iter().filter_map(right).collect();
        Self { extra: extra((sources, workspace), roots, units, &is_settled), rights }
    }
}

fn extra(
    (sources, workspace): (&BuildSources<'_>, &CargoWorkspace),
    roots: &ReadRoots,
    units: &[Unit],
    is_settled: &impl Fn(&str) -> bool,
) -> SortedMap<String, Option<ContentHash>> {
    let mut extra = SortedMap::new();
    let outside = roots.outside(workspace).unwrap_or_default();
    extra.extend(outside.into_iter().map(|(key, hash)| (key, Some(hash))));
    let mut add = |key: String, now: FileNow| match now {
        FileNow::Is(hash) => drop(extra.insert(key, Some(hash))),
        FileNow::Absent => drop(extra.insert(key, None)),
        FileNow::Unknown => {}
    };
    let listed = Listed::of(sources);
    for key in units.iter().flat_map(Unit::entries) {
        let is_other = !is_listed(sources, key) && !listed.folders.contains(key.as_str());
        if is_other && is_settled(key) {
            add(key.clone(), now(sources, roots, key));
        }
    }
    for folder in units.iter().flat_map(|it| it.learned.iter().flat_map(|it| &it.folders)) {
        if is_settled(folder) {
            add(names_key(folder), listed.names(roots, folder));
        }
    }
    extra
}

/// The end of the key for the names in a folder. No path has it.
const NAMES: &str = "//";

fn names_key(folder: &str) -> String {
    format!("{folder}{NAMES}")
}

/// Names that the list of files has, as a folder's own are compared without them.
struct Listed<'a> {
    sources: &'a BuildSources<'a>,
    folders: SortedSet<&'a str>,
}

impl<'a> Listed<'a> {
    fn of(sources: &'a BuildSources<'a>) -> Self {
        Self { sources, folders: listed_folders(sources.files.keys().map(ProjectPath::as_str)) }
    }

    /// The names in a folder that no list has, such as those that git ignores.
    fn names(&self, roots: &ReadRoots, folder: &str) -> FileNow {
        let Some(entries) = roots.entries(folder) else { return FileNow::Unknown };
        let mut names: Vec<_> = entries
            .into_iter()
            .filter(|entry| {
                let key = entry.name.to_str().map(|name| match folder {
                    "" => name.to_owned(),
                    _ => format!("{folder}/{name}"),
                });
                key.is_none_or(|key| {
                    let is_closed = base::is_within_any(Path::new(&key), self.sources.closed);
                    !is_closed
                        && !is_listed(self.sources, &key)
                        && !self.folders.contains(key.as_str())
                })
            })
            .map(|entry| (entry.name, format!("{:?}", entry.kind)))
            .collect();
        names.sort();
        let mut hasher = Hasher::new();
        for (name, kind) in &names {
            hasher.field(name.as_encoded_bytes()).field(kind.as_bytes());
        }
        FileNow::Is(hasher.finish())
    }
}

/// The folders that have one of the files.
fn listed_folders<'a>(files: impl Iterator<Item = &'a str>) -> SortedSet<&'a str> {
    let mut folders = SortedSet::new();
    let mut last = "";
    for file in files {
        let mut folder = parent(file);
        // Files come in order: most have the folder of the one before.
        while folder != last && !folder.is_empty() && folders.insert(folder) {
            folder = parent(folder);
        }
        last = parent(file);
    }
    folders
}

/// The key of the folder of an entry; the project itself is empty.
fn parent(key: &str) -> &str {
    key.rsplit_once('/').map_or("", |it| it.0)
}

fn is_listed(sources: &BuildSources<'_>, key: &str) -> bool {
    ProjectPath::new(key).is_ok_and(|path| sources.files.contains_key(&path))
}

fn seen_otherwise(sources: &BuildSources<'_>, manifest: &Manifest) -> SortedSet<String> {
    let now: SortedSet<&str> = sources.closed.iter().map(ProjectPath::as_str).collect();
    let was_seen = |key: &str| {
        // An entry that the build before could have seen, had it existed.
        manifest.closed.is_empty()
            || manifest.files.contains_key(key)
            || manifest.extra.contains_key(key)
    };
    let gone = now.iter().copied().filter(|key| !manifest.closed.contains(*key) && was_seen(key));
    let root = Dir::open(sources.root);
    let is_there = |key: &str| !matches!(root.as_ref().map(|it| it.kind(key)), Ok(Ok(None)));
    let closed_before = manifest.closed.iter().map(String::as_str);
    let come = closed_before.filter(|key| !now.contains(key) && is_there(key));
    gone.chain(come).filter(|it| !it.starts_with(".git/")).map(str::to_owned).collect()
}

/// The rights of an entry, as the build sees it.
fn rights_of(sources: &BuildSources<'_>, roots: &ReadRoots, key: &str) -> Option<[u64; 2]> {
    let is_closed = base::is_within_any(Path::new(key), sources.closed);
    if is_closed { None } else { roots.rights(key) }
}

/// The present state of an entry, as the build sees it.
fn now(sources: &BuildSources<'_>, roots: &ReadRoots, key: &str) -> FileNow {
    match base::is_within_any(Path::new(key), sources.closed) {
        true => FileNow::Absent,
        false => roots.now(key),
    }
}
