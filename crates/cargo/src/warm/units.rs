//! What lies in a target directory: one fingerprint folder a unit, and what each unit read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

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
    /// Keys of the files that it read; `None` where that is not known.
    pub(super) read: Option<Vec<String>>,
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

/// How a file is called in manifests and plans: relative to `root` where it lies there, else by
/// its absolute path.
pub(super) fn key(root: &Path, path: &Path) -> String {
    let path = normal(&root.join(path));
    let shown = path.strip_prefix(root).unwrap_or(&path);
    shown.to_string_lossy().into_owned()
}

/// The file behind a key.
pub(super) fn path_of(root: &Path, key: &str) -> PathBuf {
    root.join(key)
}

/// The units of the packages called `names`; `None` where the layout of the directory is not the
/// one known here, so that nothing can be said of it. `folder_of` finds a package's folder.
pub(super) fn scan(
    target: &Path,
    root: &Path,
    workspace_root: &Path,
    packages: &BTreeMap<String, Vec<PathBuf>>,
) -> Option<Vec<Unit>> {
    let mut units = Vec::new();
    for profile in profiles(target)? {
        let dir = target.join(&profile);
        let dep_infos = dep_infos(&dir);
        for (name, folder) in folders(&dir.join(".fingerprint")) {
            let Some((package, hash)) = name.rsplit_once('-') else { continue };
            let Some(package_dirs) = packages.get(package) else { continue };
            let hashes = hash_files(&folder);
            let kind = kind(&hashes);
            let read = match kind {
                Kind::BuildScriptRun => {
                    let output = dir.join("build").join(&name).join("output");
                    declared(&output, root, package_dirs)
                }
                _ => dep_infos
                    .get(hash)
                    .and_then(|file| dep_info(file, root, workspace_root, target)),
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
fn profiles(target: &Path) -> Option<Vec<PathBuf>> {
    let mut found = Vec::new();
    for (name, dir) in folders(target) {
        if dir.join(".fingerprint").is_dir() {
            found.push(PathBuf::from(name));
            continue;
        }
        if matches!(name.as_str(), "tmp" | "doc" | "package" | "tests" | "nextest") {
            continue;
        }
        let inner: Vec<_> = folders(&dir)
            .into_iter()
            .filter(|(_, dir)| dir.join(".fingerprint").is_dir())
            .map(|(inner, _)| Path::new(&name).join(inner))
            .collect();
        if inner.is_empty() && (dir.join("deps").is_dir() || dir.join("build").is_dir()) {
            return None;
        }
        found.extend(inner);
    }
    Some(found)
}

/// The folders in `dir`, by name.
fn folders(dir: &Path) -> Vec<(String, PathBuf)> {
    let mut found: Vec<_> = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .collect();
    found.sort();
    found
}

/// `lib-name` beside `lib-name.json`: the short file that cargo compares first.
fn hash_files(folder: &Path) -> Vec<String> {
    let mut found: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .collect();
    found.sort();
    found
}

fn kind(hashes: &[String]) -> Kind {
    match hashes.first() {
        Some(name) if name.starts_with("run-build-script-") => Kind::BuildScriptRun,
        Some(name) if name.starts_with("build-script-") => Kind::BuildScript,
        Some(name) if name.starts_with("lib-") => Kind::Lib,
        _ => Kind::Other,
    }
}

/// rustc's dependency files by the hash in their names.
fn dep_infos(profile: &Path) -> BTreeMap<String, PathBuf> {
    let mut dirs = vec![profile.join("deps"), profile.join("examples")];
    dirs.extend(folders(&profile.join("build")).into_iter().map(|(_, dir)| dir));
    let mut found = BTreeMap::new();
    for dir in dirs {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "d")
                && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
                && let Some((_, hash)) = stem.rsplit_once('-')
            {
                found.insert(hash.to_owned(), path);
            }
        }
    }
    found
}

/// Each file that was read has a line of its own, `path:`, spaces escaped.
fn dep_info(file: &Path, root: &Path, cwd: &Path, target: &Path) -> Option<Vec<String>> {
    let text = fs::read_to_string(file).ok()?;
    let mut read: Vec<String> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.strip_suffix(':'))
        .map(|path| cwd.join(path.replace("\\ ", " ")))
        // What a build script made: it stands and falls with the script's run.
        .filter(|path| !path.starts_with(target) && !path.starts_with(super::INSIDE))
        .map(|path| key(root, &path))
        .collect();
    read.sort();
    read.dedup();
    (!read.is_empty()).then_some(read)
}

/// What a build script declared; `None` where it declared nothing: then cargo reruns it at any
/// change of its package.
fn declared(output: &Path, root: &Path, package_dirs: &[PathBuf]) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(&fs::read(output).ok()?).into_owned();
    let mut read = Vec::new();
    for line in text.lines() {
        let Some(path) = line
            .strip_prefix("cargo::rerun-if-changed=")
            .or_else(|| line.strip_prefix("cargo:rerun-if-changed="))
        else {
            continue;
        };
        read.extend(package_dirs.iter().map(|dir| key(root, &dir.join(path.trim()))));
    }
    (!read.is_empty()).then_some(read)
}

fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}
