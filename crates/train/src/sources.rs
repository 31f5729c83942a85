use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::{Exclusion, TrainError, licence};

/// One crate that is trained on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pin {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// SHA-256 of its package, as lock files have it.
    pub checksum: String,
    /// What its manifest says of its licence.
    pub licence: String,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.name, self.version, self.checksum, self.licence)
    }
}

/// Reads a list of pins: `name version checksum licence`, one a line.
pub fn pins(path: &Path) -> Result<Vec<Pin>, TrainError> {
    let text = read(path)?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let pin = |line: &str| {
        let mut words = line.splitn(4, ' ').map(str::to_owned);
        let pin = (|| {
            let (name, version) = (words.next()?, words.next()?);
            Some(Pin { name, version, checksum: words.next()?, licence: words.next()? })
        })();
        pin.ok_or_else(|| TrainError::content(path, format!("no pin: `{line}`")))
    };
    lines.map(pin).collect()
}

/// What matters of a crate's manifest.
#[derive(Clone, Debug, Default)]
pub struct CrateManifest {
    /// `package.name`.
    pub name: String,
    /// `package.version`.
    pub version: String,
    /// `package.license`.
    pub licence: String,
    /// `package.repository`.
    pub repository: Option<String>,
}

impl CrateManifest {
    /// Of the crate in a folder.
    pub fn read(folder: &Path) -> Result<Self, TrainError> {
        let path = folder.join("Cargo.toml");
        let table: toml::Table = read(&path)?
            .parse()
            .map_err(|error: toml::de::Error| TrainError::content(&path, error.message()))?;
        let field = |name: &str| Some(table.get("package")?.get(name)?.as_str()?.to_owned());
        Ok(Self {
            name: field("name").unwrap_or_default(),
            version: field("version").unwrap_or_default(),
            licence: field("license").unwrap_or_default(),
            repository: field("repository"),
        })
    }
}

/// Where cargo unpacked the crates it fetched.
#[derive(Clone, Debug)]
pub struct Registry {
    folders: Vec<PathBuf>,
}

impl Registry {
    /// Below cargo's home.
    pub fn below(cargo_home: &Path) -> Result<Self, TrainError> {
        Ok(Self { folders: sorted_entries(&cargo_home.join("registry").join("src"))? })
    }

    /// The folder of a crate.
    pub fn find(&self, name: &str, version: &str) -> Option<PathBuf> {
        let folder = format!("{name}-{version}");
        self.folders.iter().map(|it| it.join(&folder)).find(|it| it.join("Cargo.toml").is_file())
    }
}

/// The checksum of each crate that the lock files in the folders below `folder` name, by name and
/// version.
pub fn locked(folder: &Path) -> Result<BTreeMap<(String, String), String>, TrainError> {
    let mut found = BTreeMap::new();
    for group in sorted_entries(folder)? {
        let path = group.join("Cargo.lock");
        if !path.is_file() {
            continue;
        }
        let table: toml::Table = read(&path)?
            .parse()
            .map_err(|error: toml::de::Error| TrainError::content(&path, error.message()))?;
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

/// The pins of all locked crates that are there, free and not excluded; of several versions of one
/// crate the greatest. Crates for other systems, which nobody fetched, are left out.
pub fn pinnable(
    locked: &BTreeMap<(String, String), String>,
    registry: &Registry,
    exclusion: &Exclusion,
) -> Result<Vec<Pin>, TrainError> {
    let mut newest: BTreeMap<String, (Vec<u64>, Pin)> = BTreeMap::new();
    for ((name, version), checksum) in locked {
        let Some(folder) = registry.find(name, version) else { continue };
        let manifest = CrateManifest::read(&folder)?;
        if exclusion.why(&manifest).is_some() || !licence::is_permissive(&manifest.licence) {
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

/// The folder of each pinned crate, once it is certain that all of them may be used: named by a
/// lock file, there, free, not excluded.
pub fn checked(
    pins: &[Pin],
    locked: &BTreeMap<(String, String), String>,
    registry: &Registry,
    exclusion: &Exclusion,
) -> Result<Vec<PathBuf>, TrainError> {
    let check = |pin: &Pin| {
        if locked.get(&(pin.name.clone(), pin.version.clone())) != Some(&pin.checksum) {
            let (name, checksum) = (pin.name.clone(), pin.checksum.clone());
            return Err(TrainError::Unlocked { name, checksum });
        }
        let folder = registry
            .find(&pin.name, &pin.version)
            .ok_or_else(|| TrainError::Missing(format!("{} {}", pin.name, pin.version)))?;
        let manifest = CrateManifest::read(&folder)?;
        if let Some(why) = exclusion.why(&manifest) {
            return Err(TrainError::Excluded { name: pin.name.clone(), why });
        }
        if !licence::is_permissive(&manifest.licence) {
            let (name, licence) = (pin.name.clone(), manifest.licence);
            return Err(TrainError::Licence { name, licence });
        }
        Ok(folder)
    };
    pins.iter().map(check).collect()
}

pub(crate) fn read(path: &Path) -> Result<String, TrainError> {
    std::fs::read_to_string(path).map_err(|error| TrainError::file(path, error))
}

/// What a folder holds, in order.
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
