//! Files of models, by hash.
//!
//! A folder of models holds `models.toml`:
//!
//! ```toml
//! [marco]
//! use = "cross-encoder"        # or "encoder"
//! licence = "Apache-2.0"
//!
//! [marco.files]
//! "config.json" = "9f2c…"
//! "tokenizer.json" = "d241…"
//! "model.safetensors" = "6b1e…"
//! ```
//!
//! and each file under its SHA-256. Two models that share a file share the bytes, and nobody loads
//! what was not meant.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::error::ModelError;

/// Larger files are none of a model that a search could wait for.
const MOST_BYTES: u64 = 4 << 30;

/// What a model does for a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelUse {
    /// Reads query and text together and gives one number.
    CrossEncoder,
    /// Reads each by itself and gives vectors, whose cosine counts.
    Encoder,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    r#use: ModelUse,
    #[serde(default)]
    licence: String,
    files: BTreeMap<String, String>,
}

/// Where models lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFolder {
    root: PathBuf,
}

/// The files of one model, as the manifest means them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFiles {
    /// Its name in the manifest.
    pub name: String,
    /// What it does.
    pub r#use: ModelUse,
    /// Under which licence, as the manifest says.
    pub licence: String,
    /// By name of the file, its bytes: verified.
    files: BTreeMap<String, Vec<u8>>,
    /// Of all hashes together, the first digits: which weights exactly.
    pub digest: String,
}

impl ModelFolder {
    /// The folder, which need not be there yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The names of its models.
    ///
    /// # Errors
    /// Where the manifest is none; a folder without one has no models.
    pub fn names(&self) -> Result<Vec<String>, ModelError> {
        Ok(self.manifest()?.into_keys().collect())
    }

    /// Reads and verifies the files of a model.
    ///
    /// # Errors
    /// Where the manifest does not name it, or a file is missing or not the one that is meant.
    pub fn open(&self, name: &str) -> Result<ModelFiles, ModelError> {
        let entry = self.manifest()?.remove(name).ok_or_else(|| ModelError::Unknown {
            name: name.to_owned(),
            manifest: self.manifest_path().display().to_string(),
        })?;
        let mut files = BTreeMap::new();
        let mut all = Sha256::new();
        for (file, expected) in entry.files {
            all.update(expected.as_bytes());
            files.insert(file, self.file(&expected)?);
        }
        let digest = hex(&all.finalize()).chars().take(16).collect();
        let (r#use, licence) = (entry.r#use, entry.licence);
        Ok(ModelFiles { name: name.to_owned(), r#use, licence, files, digest })
    }

    /// The file of this hash.
    fn file(&self, expected: &str) -> Result<Vec<u8>, ModelError> {
        // The name is a path below the folder: it must be a hash and nothing else.
        let is_hash = expected.len() == 64 && expected.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_hash {
            let path = self.manifest_path().display().to_string();
            let reason = format!("`{expected}` is no SHA-256");
            return Err(ModelError::Manifest { path, reason });
        }
        let expected = expected.to_ascii_lowercase();
        let path = self.root.join(&expected);
        let unreadable =
            |reason: String| ModelError::Unreadable { path: path.display().to_string(), reason };
        let len = std::fs::metadata(&path).map_err(|error| unreadable(error.to_string()))?.len();
        if len > MOST_BYTES {
            return Err(unreadable(format!("it has {len} bytes, at most {MOST_BYTES} are loaded")));
        }
        let bytes = std::fs::read(&path).map_err(|error| unreadable(error.to_string()))?;
        let found = hex(&Sha256::digest(&bytes));
        if found != expected {
            let path = path.display().to_string();
            return Err(ModelError::Hash { path, expected, found });
        }
        Ok(bytes)
    }

    fn manifest_path(&self) -> PathBuf {
        self.root.join("models.toml")
    }

    fn manifest(&self) -> Result<BTreeMap<String, Entry>, ModelError> {
        let path = self.manifest_path();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(BTreeMap::new());
            }
            Err(error) => return Err(unreadable(&path, &error)),
        };
        toml::from_str(&text).map_err(|error| ModelError::Manifest {
            path: path.display().to_string(),
            reason: error.message().to_owned(),
        })
    }
}

impl ModelFiles {
    /// A file by its name.
    ///
    /// # Errors
    /// Where the model has none of this name.
    pub fn get(&self, file: &str) -> Result<&[u8], ModelError> {
        self.files.get(file).map(Vec::as_slice).ok_or_else(|| ModelError::Unusable {
            name: self.name.clone(),
            reason: format!("it has no `{file}`"),
        })
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> ModelError {
    ModelError::Unreadable { path: path.display().to_string(), reason: error.to_string() }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(manifest: &str, files: &[&[u8]]) -> (tempfile::TempDir, ModelFolder) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("models.toml"), manifest).unwrap();
        for bytes in files {
            std::fs::write(dir.path().join(hex(&Sha256::digest(bytes))), bytes).unwrap();
        }
        let folder = ModelFolder::new(dir.path());
        (dir, folder)
    }

    fn manifest(hash: &str) -> String {
        format!(
            "[m]\nuse = \"encoder\"\nlicence = \"MIT\"\n[m.files]\n\"config.json\" = \"{hash}\"\n"
        )
    }

    #[test]
    fn files_come_by_the_hash_that_the_manifest_says() {
        let hash = hex(&Sha256::digest(b"{}"));
        let (_dir, folder) = folder(&manifest(&hash), &[b"{}"]);
        let files = folder.open("m").unwrap();
        assert_eq!(files.get("config.json").unwrap(), b"{}");
        assert_eq!((files.r#use, files.licence.as_str()), (ModelUse::Encoder, "MIT"));
        assert!(matches!(files.get("x"), Err(ModelError::Unusable { .. })));
        assert_eq!(folder.names().unwrap(), ["m"]);
    }

    #[test]
    fn a_file_with_other_bytes_is_refused() {
        let hash = hex(&Sha256::digest(b"{}"));
        let (dir, folder) = folder(&manifest(&hash), &[]);
        assert!(matches!(folder.open("m"), Err(ModelError::Unreadable { .. })));
        std::fs::write(dir.path().join(&hash), b"{ }").unwrap();
        assert!(matches!(folder.open("m"), Err(ModelError::Hash { .. })));
    }

    #[test]
    fn a_name_of_a_file_is_a_hash_and_no_path() {
        let (_dir, folder) = folder(&manifest("../../secret"), &[]);
        assert!(matches!(folder.open("m"), Err(ModelError::Manifest { .. })));
    }

    #[test]
    fn a_folder_without_manifest_has_no_models() {
        let dir = tempfile::tempdir().unwrap();
        let folder = ModelFolder::new(dir.path().join("none"));
        assert_eq!(folder.names(), Ok(vec![]));
        assert!(matches!(folder.open("m"), Err(ModelError::Unknown { .. })));
    }
}
