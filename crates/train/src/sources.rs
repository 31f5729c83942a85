//! The crates to train on: pins, lock files, manifests and the sources that cargo unpacked.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::{Exclusion, TrainError, licence};
use base::SortedMap;

/// A crate to train on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pin {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// SHA-256 of its package, in the format of `Cargo.lock`.
    pub checksum: String,
    /// The licence expression of its manifest.
    pub licence: String,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.name, self.version, self.checksum, self.licence)
    }
}

/// Reads a list of pins: `name version checksum licence`, one per line.
pub fn read_pins(path: &Path) -> Result<Vec<Pin>, TrainError> {
    let text = read(path)?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let pin = |line: &str| {
        let mut fields = line.splitn(4, ' ').map(str::to_owned);
        let pin = (|| {
            let (name, version) = (fields.next()?, fields.next()?);
            Some(Pin { name, version, checksum: fields.next()?, licence: fields.next()? })
        })();
        pin.ok_or_else(|| TrainError::content(path, format!("not a pin: `{line}`")))
    };
    lines.map(pin).collect()
}

/// The manifest fields that decide whether a crate may be used.
#[derive(Clone, Debug, Default)]
pub(crate) struct CrateManifest {
    /// `package.name`.
    pub name: String,
    /// `package.license`.
    pub licence: String,
    /// `package.repository`.
    pub repository: Option<String>,
}

impl CrateManifest {
    /// Reads `Cargo.toml` in a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, TrainError> {
        let table = table(&folder.join("Cargo.toml"))?;
        let field = |name: &str| Some(table.get("package")?.get(name)?.as_str()?.to_owned());
        Ok(Self {
            name: field("name").unwrap_or_default(),
            licence: field("license").unwrap_or_default(),
            repository: field("repository"),
        })
    }
}

/// The folders into which cargo unpacked fetched crates.
#[derive(Clone, Debug)]
pub struct Registry {
    folders: Vec<PathBuf>,
}

impl Registry {
    /// Lists the registries in cargo's home folder.
    pub fn below(cargo_home: &Path) -> Result<Self, TrainError> {
        Ok(Self { folders: sorted_entries(&cargo_home.join("registry").join("src"))? })
    }

    /// The source folder of a crate; `None` if it was not fetched.
    pub(crate) fn find(&self, name: &str, version: &str) -> Option<PathBuf> {
        let folder = format!("{name}-{version}");
        self.folders.iter().map(|it| it.join(&folder)).find(|it| it.join("Cargo.toml").is_file())
    }
}

/// The checksums in all `folder/*/Cargo.lock`, by crate name and version.
pub fn locked_checksums(folder: &Path) -> Result<SortedMap<(String, String), String>, TrainError> {
    let mut found = SortedMap::new();
    for group in sorted_entries(folder)? {
        let path = group.join("Cargo.lock");
        if !path.is_file() {
            continue;
        }
        let table = table(&path)?;
        let packages = table.get("package").and_then(toml::Value::as_array);
        for package in packages.into_iter().flatten() {
            let field = |name: &str| Some(package.get(name)?.as_str()?.to_owned());
            if let (Some(name), Some(version), Some(checksum)) =
                (field("name"), field("version"), field("checksum"))
            {
                found.insert((name, version), checksum);
            }
        }
    }
    Ok(found)
}

/// Pins the newest version of each locked crate that was fetched, has a permissive licence and is
/// not excluded. Crates for other platforms are not fetched and are left out.
pub fn select_pins(
    locked: &SortedMap<(String, String), String>,
    registry: &Registry,
    exclusion: &Exclusion,
) -> Result<Vec<Pin>, TrainError> {
    let mut newest: SortedMap<String, (Vec<u64>, Pin)> = SortedMap::new();
    for ((name, version), checksum) in locked {
        let Some(folder) = registry.find(name, version) else { continue };
        let manifest = CrateManifest::read(&folder)?;
        if exclusion.reason(&manifest).is_some() || !licence::is_permissive(&manifest.licence) {
            continue;
        }
        let order: Vec<u64> =
            version.split(|c: char| !c.is_ascii_digit()).map_while(|it| it.parse().ok()).collect();
        let pin = Pin {
            name: name.clone(),
            version: version.clone(),
            checksum: checksum.clone(),
            licence: manifest.licence,
        };
        match newest.get(name) {
            Some((known, _)) if *known >= order => {}
            _ => {
                newest.insert(name.clone(), (order, pin));
            }
        }
    }
    Ok(newest.into_values().map(|(_, pin)| pin).collect())
}

/// The source folder of each pinned crate, after checking that every pin is in a lock file, was
/// fetched, has a permissive licence and is not excluded.
pub fn verified_folders(
    pins: &[Pin],
    locked: &SortedMap<(String, String), String>,
    registry: &Registry,
    exclusion: &Exclusion,
) -> Result<Vec<PathBuf>, TrainError> {
    let check = |pin: &Pin| {
        if locked.get(&(pin.name.clone(), pin.version.clone())) != Some(&pin.checksum) {
            let (name, checksum) = (pin.name.clone(), pin.checksum.clone());
            return Err(TrainError::Unlocked { name, checksum });
        }
        usable(&pin.name, &pin.version, registry, exclusion)
    };
    pins.iter().map(check).collect()
}

/// The source folder of a crate, which was fetched, has a permissive licence and is not excluded.
pub(crate) fn usable(
    name: &str,
    version: &str,
    registry: &Registry,
    exclusion: &Exclusion,
) -> Result<PathBuf, TrainError> {
    let folder = registry
        .find(name, version)
        .ok_or_else(|| TrainError::Missing(format!("{name} {version}")))?;
    let manifest = CrateManifest::read(&folder)?;
    if let Some(reason) = exclusion.reason(&manifest) {
        return Err(TrainError::Excluded { name: name.to_owned(), reason });
    }
    if !licence::is_permissive(&manifest.licence) {
        let licence = manifest.licence;
        return Err(TrainError::Licence { name: name.to_owned(), licence });
    }
    Ok(folder)
}

/// Reads a TOML file.
pub(crate) fn table(path: &Path) -> Result<toml::Table, TrainError> {
    let parsed = read(path)?.parse();
    parsed.map_err(|error: toml::de::Error| TrainError::content(path, error.message()))
}

pub(crate) fn read(path: &Path) -> Result<String, TrainError> {
    std::fs::read_to_string(path).map_err(|error| TrainError::file(path, error))
}

/// The paths of a folder's entries, sorted.
pub(crate) fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>, TrainError> {
    let entries = std::fs::read_dir(folder).map_err(|error| TrainError::file(folder, error))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(|error| TrainError::file(folder, error))?.path());
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests;
