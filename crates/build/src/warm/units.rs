//! Reads a target directory: one fingerprint folder per unit, and the inputs of each unit.
//!
//! The content was written by foreign code. It is listed by descriptor, within limits; if the
//! layout is not that of cargo, nothing in it is used.

use std::path::{Path, PathBuf};

use base::{SortedMap, SortedSet};
use untrusted_fs::{Dir, EntryKind};

use super::inputs::Inputs;
use super::learned::{Learned, Records};
use super::outputs::Outputs;
use super::read_roots::ReadRoots;
use crate::CargoWorkspace;

/// Maximum number of folders searched for profiles.
const PROFILES: usize = 1_000;
/// Maximum number of names in one folder of a profile.
const NAMES: usize = 200_000;
/// Maximum number of files of one unit's fingerprint.
const FINGERPRINT: usize = 1_000;

/// One fingerprint folder of a local package, or of another one that read the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// `debug/.fingerprint/name-0123456789abcdef`, relative to the target directory.
    pub(super) folder: PathBuf,
    /// Package name.
    pub(super) package: String,
    /// Kind of the unit.
    pub(super) kind: UnitKind,
    /// Files and folders that it made, relative to the target directory.
    pub(super) made: Vec<PathBuf>,
    /// Files that it read.
    pub(super) read: UnitInputs,
    /// The parts of the project that it learned of; `None` if that is not known.
    pub(super) learned: Option<Learned>,
    /// Whether its package is one of the project, or beside it.
    pub(super) is_local: bool,
}

impl Unit {
    /// The keys of all that it learned of, whether it reported that or not.
    pub(super) fn learned_entries(&self) -> impl Iterator<Item = &String> {
        self.learned.iter().flat_map(|it| it.entries.iter().chain(&it.folders))
    }

    /// The keys of the known entries that it read.
    pub(super) fn entries(&self) -> impl Iterator<Item = &String> {
        let declared = match &self.read {
            UnitInputs::Files(files) => files.as_slice(),
            UnitInputs::Package | UnitInputs::Unknown => &[],
        };
        declared.iter().chain(self.learned.iter().flat_map(|it| &it.entries))
    }
}

/// The files that a unit reports as read, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UnitInputs {
    /// Keys of the files.
    Files(Vec<String>),
    /// A build script that declared nothing: cargo reruns it at any change of its package.
    Package,
    /// Unknown or not comparable: the unit is never fresh.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum UnitKind {
    /// The library, which other packages and targets use.
    Lib,
    /// The build script's program.
    BuildScript,
    /// The run of the build script. [`Unit::read`] is what it declared with `rerun-if-changed`, if
    /// it did.
    BuildScriptRun,
    /// Binaries, tests, examples, benches, documentation.
    Other,
}

/// A target directory and the packages whose units are read.
pub(super) struct Scan<'a> {
    /// Open target directory.
    pub(super) target: &'a Dir,
    /// Its paths on the host, and inside.
    pub(super) target_paths: [&'a Path; 2],
    /// Names of the toolchain's own libraries.
    pub(super) libraries: &'a SortedSet<String>,
    /// Folders in which files may be hashed.
    pub(super) roots: &'a ReadRoots,
    /// The records of what units read.
    pub(super) records: &'a Records<'a>,
    /// Folder in which cargo ran the compiler.
    pub(super) cwd: &'a Path,
    /// The local packages.
    pub(super) workspace: &'a CargoWorkspace,
    /// Folders of the local packages by name.
    pub(super) packages: &'a SortedMap<String, Vec<PathBuf>>,
}

impl Scan<'_> {
    /// The units; `None` if the layout of the directory is unknown or exceeds a limit, so that
    /// nothing can be concluded from it.
    pub(super) fn units(&self) -> Option<Vec<Unit>> {
        let mut units = Vec::new();
        let mut inputs = Inputs::new(self);
        let profiles = self.profiles()?;
        let outputs = Outputs::new(
            self.workspace,
            self.libraries,
            self.names(&profiles)?.iter().map(String::as_str),
        );
        for profile in profiles {
            let dir = self.target.open_dir(&profile).ok()??;
            is_without_pipes(&dir)?;
            let fingerprints = dir.open_dir(".fingerprint").ok()??;
            let names = folders(&fingerprints, NAMES)?;
            let made = MadeFiles::list(&dir)?;
            for name in &names {
                let Some((package, hash)) = name.rsplit_once('-') else { continue };
                let package_dirs = self.packages.get(package);
                let folder = profile.join(".fingerprint").join(name);
                let package = package.to_owned();
                let Some(package_dirs) = package_dirs else {
                    let unit = |(kind, learned)| self.foreign(&folder, &package, kind, learned);
                    let learned = self.learned_of_others(name, hash, |built| {
                        outputs.is_followed(&package, built)
                    });
                    units.extend(learned.into_iter().map(unit));
                    continue;
                };
                let kind = kind(&hash_files(&fingerprints.open_dir(name).ok()??)?);
                let (read, learned) = match kind {
                    UnitKind::BuildScriptRun => {
                        let output = Path::new("build").join(name).join("output");
                        (inputs.declared(&dir, &output, package_dirs)?, self.records.of_run(name))
                    }
                    _ => {
                        let read = match made.dep_infos.get(hash) {
                            Some(Some(file)) => inputs.dep_info(&dir, file)?,
                            // None, or two with this hash.
                            _ => UnitInputs::Unknown,
                        };
                        (read, self.records.of_compiler(hash))
                    }
                };
                let learned = learned
                    .filter(|it| it.built.iter().all(|built| outputs.is_followed(&package, built)));
                let made = made.of(&profile, kind, (name, hash));
                units.push(Unit { folder, package, kind, made, read, learned, is_local: true });
            }
        }
        units.sort_by(|a, b| a.folder.cmp(&b.folder));
        Some(units)
    }

    /// The names of all fingerprint folders.
    fn names(&self, profiles: &[PathBuf]) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for profile in profiles {
            let fingerprints = self.target.open_dir(profile.join(".fingerprint")).ok()??;
            names.extend(folders(&fingerprints, NAMES)?);
        }
        Some(names)
    }

    /// The parts of the project that a unit of a registry's package learned of.
    fn learned_of_others(
        &self,
        name: &str,
        hash: &str,
        is_followed: impl Fn(&Path) -> bool,
    ) -> Vec<(UnitKind, Learned)> {
        let run = self.records.of_run(name).map(|it| (UnitKind::BuildScriptRun, it));
        let compiler = self.records.of_compiler(hash).map(|it| (UnitKind::Other, it));
        let mut all: Vec<_> = run.into_iter().chain(compiler).collect();
        for (_, learned) in &mut all {
            learned.is_comparable &= learned.built.iter().all(|it| is_followed(it));
        }
        all.retain(|(_, it)| !it.entries.is_empty() || !it.is_comparable);
        all
    }

    fn foreign(&self, folder: &Path, package: &str, kind: UnitKind, learned: Learned) -> Unit {
        Unit {
            folder: folder.to_owned(),
            package: package.to_owned(),
            kind,
            made: Vec::new(),
            read: UnitInputs::Package,
            learned: Some(learned),
            is_local: false,
        }
    }

    /// `debug`, `release`, `<triple>/debug` …; `None` if something looks like a profile but has no
    /// fingerprints.
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

/// Whether there is a folder with this name; `None` if it is something else, such as a link that
/// cargo would follow.
fn has_folder(dir: &Dir, name: &str) -> Option<bool> {
    match dir.kind(name).ok()? {
        None => Some(false),
        Some(EntryKind::Folder) => Some(true),
        Some(_) => None,
    }
}

/// The folders in `dir`, by name. `None` if there is a link, which cargo might follow, or a pipe,
/// which would block the next build until its time limit. cargo's own names are UTF-8.
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

/// Checks that `dir` has nothing that would block cargo or rustc.
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

fn kind(hashes: &[String]) -> UnitKind {
    match hashes.first() {
        Some(name) if name.starts_with("run-build-script-") => UnitKind::BuildScriptRun,
        Some(name) if name.starts_with("build-script-") => UnitKind::BuildScript,
        Some(name) if name.starts_with("lib-") => UnitKind::Lib,
        _ => UnitKind::Other,
    }
}

/// The files of one profile that have the hash of their unit in their names, relative to the profile.
#[derive(Default)]
struct MadeFiles {
    /// rustc's dependency files by hash; `None` for a hash that occurs twice.
    dep_infos: SortedMap<String, Option<PathBuf>>,
    /// All of them by hash.
    all: SortedMap<String, Vec<PathBuf>>,
    /// Files without a hash: links to what was built last.
    last: Vec<PathBuf>,
}

impl MadeFiles {
    /// `None` if something is not as cargo leaves it.
    fn list(profile: &Dir) -> Option<Self> {
        let mut dirs = vec![PathBuf::from("deps"), PathBuf::from("examples")];
        if has_folder(profile, "build")? {
            let build = profile.open_dir("build").ok()??;
            let units = folders(&build, NAMES)?.into_iter();
            dirs.extend(units.map(|name| Path::new("build").join(name)));
        }
        let mut found = Self::default();
        for dir in dirs {
            let Some(open) = profile.open_dir(&dir).ok()? else { continue };
            for entry in open.entries(NAMES).ok()? {
                if entry.kind == EntryKind::Special {
                    return None;
                }
                found.add(dir.join(&entry.name));
            }
        }
        for entry in profile.entries(NAMES).ok()? {
            // The others are cargo's locks.
            let is_hidden = entry.name.as_encoded_bytes().starts_with(b".");
            if entry.kind == EntryKind::File && !is_hidden {
                found.last.push(entry.name.into());
            }
        }
        Some(found)
    }

    fn add(&mut self, path: PathBuf) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        let hash = stem.rsplit_once('-').map(|it| it.1).filter(|it| it.len() == 16);
        let Some(hash) = hash else {
            if path.starts_with("examples") {
                self.last.push(path);
            }
            return;
        };
        let hash = hash.to_owned();
        if ending == "d" {
            let file = Some(path.clone());
            self.dep_infos.entry(hash.clone()).and_modify(|file| *file = None).or_insert(file);
        }
        self.all.entry(hash).or_default().push(path);
    }

    /// The output of a unit, whose fingerprint has this name and hash, relative to the target directory.
    fn of(&self, profile: &Path, kind: UnitKind, (name, hash): (&str, &str)) -> Vec<PathBuf> {
        let own = match kind {
            UnitKind::BuildScriptRun => vec![Path::new("build").join(name)],
            _ => self.all.get(hash).cloned().unwrap_or_default(),
        };
        own.iter().chain(&self.last).map(|it| profile.join(it)).collect()
    }
}
