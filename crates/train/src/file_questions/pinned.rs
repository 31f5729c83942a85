//! The crates that questions are about: pinned in the manifests of `questions/`, one for each split.

use std::path::{Path, PathBuf};

use super::file_questions;
use crate::sources::read;
use crate::{CrateManifest, Exclusion, Pin, Registry, TrainError, licence};

/// The parts of the suite. A rule may be tried on `choose` while it is written; `report` is for the
/// figure at the end.
pub const SPLITS: [&str; 3] = ["fit", "choose", "report"];

/// The questions about the crates of a split, as a suite of one JSON object per line; no crate is one
/// of `trained`, excluded, or without a permissive licence.
pub fn file_question_suite(
    home: &Path,
    split: &str,
    registry: &Registry,
    trained: &[Pin],
    exclusion: &Exclusion,
) -> Result<String, TrainError> {
    let mut lines = String::new();
    for (name, version) in pinned(&home.join("questions").join(split))? {
        let folder = checked(&name, &version, registry, trained, exclusion)?;
        for (number, question) in file_questions(&name, &folder)?.iter().enumerate() {
            lines.push_str(&format!("{}\n", question.to_json(&name, &version, number)));
        }
    }
    Ok(lines)
}

/// Name and version of the dependencies of a manifest, all pinned with `=`.
fn pinned(folder: &Path) -> Result<Vec<(String, String)>, TrainError> {
    let path = folder.join("Cargo.toml");
    let table: toml::Table = read(&path)?
        .parse()
        .map_err(|error: toml::de::Error| TrainError::content(&path, error.message()))?;
    let crates = table.get("dependencies").and_then(toml::Value::as_table);
    let pin = |(name, value): (&String, &toml::Value)| {
        let version = value.get("version").and_then(toml::Value::as_str);
        let exact = version.and_then(|version| version.strip_prefix('='));
        let unpinned = || TrainError::content(&path, format!("`{name}` is not pinned with `=`"));
        Ok((name.clone(), exact.ok_or_else(unpinned)?.to_owned()))
    };
    crates.into_iter().flatten().map(pin).collect()
}

/// The sources of a crate that neither the table nor the ranker has seen.
fn checked(
    name: &str,
    version: &str,
    registry: &Registry,
    trained: &[Pin],
    exclusion: &Exclusion,
) -> Result<PathBuf, TrainError> {
    let folder = registry
        .find(name, version)
        .ok_or_else(|| TrainError::Missing(format!("{name} {version}")))?;
    let manifest = CrateManifest::read(&folder)?;
    let is_trained = trained.iter().any(|pin| pin.name == name);
    let trained = is_trained.then(|| "the table or the ranker is trained on it".to_owned());
    if let Some(reason) = trained.or_else(|| exclusion.reason(&manifest)) {
        return Err(TrainError::Excluded { name: name.to_owned(), reason });
    }
    if !licence::is_permissive(&manifest.licence) {
        let licence = manifest.licence;
        return Err(TrainError::Licence { name: name.to_owned(), licence });
    }
    Ok(folder)
}
