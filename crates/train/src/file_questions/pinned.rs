//! The crates that questions are about: pinned in the manifests of `questions/`, one for each split.

use std::path::Path;

use super::file_questions;
use crate::sources::{table, usable};
use crate::{Exclusion, Pin, Registry, TrainError};

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
        if trained.iter().any(|pin| pin.name == name) {
            let reason = "the table or the ranker is trained on it".to_owned();
            return Err(TrainError::Excluded { name, reason });
        }
        let folder = usable(&name, &version, registry, exclusion)?;
        for (number, question) in file_questions(&name, &folder)?.iter().enumerate() {
            lines.push_str(&format!("{}\n", question.to_json(&name, &version, number)));
        }
    }
    Ok(lines)
}

/// Name and version of the dependencies of a manifest, all pinned with `=`.
fn pinned(folder: &Path) -> Result<Vec<(String, String)>, TrainError> {
    let path = folder.join("Cargo.toml");
    let table = table(&path)?;
    let crates = table.get("dependencies").and_then(toml::Value::as_table);
    let pin = |(name, value): (&String, &toml::Value)| {
        let version = value.get("version").and_then(toml::Value::as_str);
        let exact = version.and_then(|version| version.strip_prefix('='));
        let unpinned = || TrainError::content(&path, format!("`{name}` is not pinned with `=`"));
        Ok((name.clone(), exact.ok_or_else(unpinned)?.to_owned()))
    };
    crates.into_iter().flatten().map(pin).collect()
}
