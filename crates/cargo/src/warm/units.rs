//! What lies in a target directory: one fingerprint folder a unit, and what each unit read.
//!
//! Foreign code wrote it. It is listed by descriptor, within limits; where it is not as cargo
//! leaves it, nothing in it is used.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use beneath::{Dir, EntryKind};

use super::inputs::Inputs;
use super::read_roots::ReadRoots;

/// Folders that are looked at for profiles.
const PROFILES: usize = 1_000;
/// Names in one folder of a profile.
const NAMES: usize = 200_000;
/// Files of one unit's fingerprint.
const FINGERPRINT: usize = 1_000;

/// One fingerprint folder whose package is a local one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// `debug/.fingerprint/name-0123456789abcdef`, relative to the target directory.
    pub(super) folder: PathBuf,
    /// The package's name.
    pub(super) package: String,
    /// What it is.
    pub(super) kind: Kind,
    /// The files in the folder that hold a hash: what makes a unit fresh.
    pub(super) hashes: Vec<String>,
    /// The files that it read.
    pub(super) read: Read,
}

impl Unit {
    /// The keys of the files that it is known to have read.
    pub(super) fn files(&self) -> &[String] {
        match &self.read {
            Read::Files(files) => files,
            Read::Package | Read::Unknown => &[],
        }
    }
}

/// What is known of the files that a unit read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// Their keys.
    Files(Vec<String>),
    /// A build script that declared nothing: cargo reruns it at any change of its package.
    Package,
    /// Not known, or something that cannot be compared: the unit is never fresh.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// What other packages and other targets of the same one use.
    Lib,
    /// The build script's program.
    BuildScript,
    /// Its run. [`Unit::read`] is what it declared with `rerun-if-changed`, if it did.
    BuildScriptRun,
    /// Binaries, tests, examples, benches, documentation.
    Other,
}

/// A target directory, and whose units are looked for in it.
pub(super) struct Scan<'a> {
    /// The open target directory.
    pub(super) target: &'a Dir,
    /// Its path on the host.
    pub(super) target_path: &'a Path,
    /// What files may be hashed.
    pub(super) roots: &'a ReadRoots,
    /// The folder that cargo ran the compiler in.
    pub(super) cwd: &'a Path,
    /// The folders of the local packages by name.
    pub(super) packages: &'a BTreeMap<String, Vec<PathBuf>>,
}

impl Scan<'_> {
    /// The units; `None` where the layout of the directory is not the one known here or goes
    /// beyond a limit, so that nothing can be concluded from it.
    pub(super) fn units(&self) -> Option<Vec<Unit>> {
        let mut units = Vec::new();
        let mut inputs = Inputs::new(self);
        for profile in self.profiles()? {
            let dir = self.target.open_dir(&profile).ok()??;
            is_without_pipes(&dir)?;
            let dep_infos = dep_infos(&dir)?;
            let fingerprints = dir.open_dir(".fingerprint").ok()??;
            for name in folders(&fingerprints, NAMES)? {
                let Some((package, hash)) = name.rsplit_once('-') else { continue };
                let Some(package_dirs) = self.packages.get(package) else { continue };
                let hashes = hash_files(&fingerprints.open_dir(&name).ok()??)?;
                let kind = kind(&hashes);
                let read = match kind {
                    Kind::BuildScriptRun => {
                        let output = Path::new("build").join(&name).join("output");
                        inputs.declared(&dir, &output, package_dirs)?
                    }
                    _ => match dep_infos.get(hash) {
                        Some(Some(file)) => inputs.dep_info(&dir, file)?,
                        // None, or two that claim to be it.
                        _ => Read::Unknown,
                    },
                };
                let folder = profile.join(".fingerprint").join(&name);
                units.push(Unit { folder, package: package.to_owned(), kind, hashes, read });
            }
        }
        units.sort_by(|a, b| a.folder.cmp(&b.folder));
        Some(units)
    }

    /// `debug`, `release`, `<triple>/debug` …; `None` where there is something that looks like a
    /// profile and has no fingerprints where they are expected.
    fn profiles(&self) -> Option<Vec<PathBuf>> {
        let mut found = Vec::new();
        for name in folders(self.target, PROFILES)? {
            let dir = self.target.open_dir(&name).ok()??;
            if has_folder(&dir, ".fingerprint")? {
                found.push(PathBuf::from(name));
                continue;
            }
            if matches!(name.as_str(), "tmp" | "doc" | "package" | "tests" | "nextest") {
                continue;
            }
            let before = found.len();
            for inner in folders(&dir, PROFILES)? {
                let profile = dir.open_dir(&inner).ok()??;
                if has_folder(&profile, ".fingerprint")? {
                    found.push(Path::new(&name).join(inner));
                }
            }
            if found.len() == before && (has_folder(&dir, "deps")? || has_folder(&dir, "build")?) {
                return None;
            }
        }
        Some(found)
    }
}

/// Whether there is a folder of that name; `None` where something else has it, such as a link
/// that cargo would follow.
fn has_folder(dir: &Dir, name: &str) -> Option<bool> {
    match dir.kind(name).ok()? {
        None => Some(false),
        Some(EntryKind::Folder) => Some(true),
        Some(_) => None,
    }
}

/// The folders in `dir`, by name. A link may be followed by cargo and is not by us, so nothing
/// can be concluded beside one; a pipe would keep the next build waiting until its time is over.
/// cargo's own names are UTF-8.
fn folders(dir: &Dir, limit: usize) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for entry in dir.entries(limit).ok()? {
        match entry.kind {
            EntryKind::Folder => found.extend(entry.name.into_string()),
            EntryKind::Link | EntryKind::Special => return None,
            EntryKind::File => {}
        }
    }
    Some(found)
}

/// Whether there is nothing in `dir` that cargo or rustc would wait for.
fn is_without_pipes(dir: &Dir) -> Option<()> {
    let entries = dir.entries(NAMES).ok()?;
    entries.iter().all(|entry| entry.kind != EntryKind::Special).then_some(())
}

/// The short files that cargo compares first: `lib-name` beside `lib-name.json`, or alone.
fn hash_files(folder: &Dir) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for entry in folder.entries(FINGERPRINT).ok()? {
        let name = entry.name.into_string().ok()?;
        if entry.kind == EntryKind::Special {
            return None;
        }
        let other = ["dep-", "output-", "invoked.timestamp"];
        if other.iter().any(|other| name.starts_with(other)) {
            continue;
        }
        let name = name.strip_suffix(".json").unwrap_or(&name);
        if name.is_empty() || name.starts_with('.') || entry.kind == EntryKind::Link {
            return None;
        }
        found.push(name.to_owned());
    }
    found.sort();
    found.dedup();
    Some(found)
}

fn kind(hashes: &[String]) -> Kind {
    match hashes.first() {
        Some(name) if name.starts_with("run-build-script-") => Kind::BuildScriptRun,
        Some(name) if name.starts_with("build-script-") => Kind::BuildScript,
        Some(name) if name.starts_with("lib-") => Kind::Lib,
        _ => Kind::Other,
    }
}

/// rustc's dependency files, relative to the profile, by the hash in their names; `None` for a
/// hash that two of them have.
fn dep_infos(profile: &Dir) -> Option<BTreeMap<String, Option<PathBuf>>> {
    let mut dirs = vec![PathBuf::from("deps"), PathBuf::from("examples")];
    if has_folder(profile, "build")? {
        let build = profile.open_dir("build").ok()??;
        dirs.extend(folders(&build, NAMES)?.into_iter().map(|name| Path::new("build").join(name)));
    }
    let mut found = BTreeMap::new();
    for dir in dirs {
        let Some(open) = profile.open_dir(&dir).ok()? else { continue };
        for entry in open.entries(NAMES).ok()? {
            if entry.kind == EntryKind::Special {
                return None;
            }
            let path = dir.join(&entry.name);
            if path.extension().is_some_and(|extension| extension == "d")
                && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
                && let Some((_, hash)) = stem.rsplit_once('-')
            {
                let hash = hash.to_owned();
                found.entry(hash).and_modify(|file| *file = None).or_insert(Some(path));
            }
        }
    }
    Some(found)
}
