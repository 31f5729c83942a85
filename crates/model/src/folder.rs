//! Model files, identified by hash.
//!
//! A model directory contains `models.toml`:
//!
//! ```toml
//! [marco]
//! use = "cross-encoder"        # or "encoder", or "language" with one GGUF file
//! licence = "Apache-2.0"
//!
//! [marco.files]
//! "config.json" = "9f2c…"
//! "tokenizer.json" = "d241…"
//! "model.safetensors" = "6b1e…"
//!
//! [marco.sources]              # where a missing file may be downloaded from
//! "model.safetensors" = "https://example.org/model.safetensors"
//! ```
//!
//! and each file named by its SHA-256. Models that share a file share its bytes, and a file with
//! other bytes is never loaded.

use std::path::{Path, PathBuf};

use base::SortedMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::ModelError;

/// Maximum size of a model file in bytes; larger models are too slow for a search.
const MAX_FILE_BYTES: u64 = 4 << 30;

/// How a model is used in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelUse {
    /// Scores query and text together.
    CrossEncoder,
    /// Computes one vector per text, compared by cosine.
    Encoder,
    /// Continues a text: a GGUF file, run by a server that the user has.
    Language,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    r#use: ModelUse,
    #[serde(default)]
    licence: String,
    files: SortedMap<String, String>,
    #[serde(default)]
    sources: SortedMap<String, String>,
}

/// A model in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelSummary {
    /// Name.
    pub name: String,
    /// Use.
    pub r#use: ModelUse,
    /// Licence, as in the manifest.
    pub licence: String,
    /// Files.
    pub files: Vec<ModelFileSummary>,
}

/// A file of a model in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelFileSummary {
    /// Name.
    pub name: String,
    /// SHA-256 that it must have.
    pub sha256: String,
    /// Address that it is downloaded from.
    pub source: Option<String>,
    /// Size on disk in bytes; `None`: it is not there.
    pub bytes: Option<u64>,
}

/// A directory with models and their manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFolder {
    root: PathBuf,
}

/// The verified files of one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFiles {
    /// Name in the manifest.
    pub name: String,
    /// Use.
    pub r#use: ModelUse,
    /// Licence, as in the manifest.
    pub licence: String,
    /// Verified content by file name.
    files: SortedMap<String, Vec<u8>>,
    /// Hash over all file hashes, shortened: identifies the exact weights.
    pub digest: String,
}

impl ModelFolder {
    /// A model directory, which need not exist.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Reads and verifies the files of a model.
    ///
    /// # Errors
    /// The manifest has no such model, or a file is missing or has another hash.
    pub fn open(&self, name: &str) -> Result<ModelFiles, ModelError> {
        let entry = self.manifest()?.remove(name).ok_or_else(|| self.unknown(name))?;
        let mut files = SortedMap::new();
        let mut all = Sha256::new();
        for (file, expected) in entry.files {
            all.update(expected.as_bytes());
            files.insert(file, self.file(&expected)?);
        }
        let digest = hex(&all.finalize()).chars().take(16).collect();
        let (r#use, licence) = (entry.r#use, entry.licence);
        Ok(ModelFiles { name: name.to_owned(), r#use, licence, files, digest })
    }

    /// All models of the manifest, sorted by name. No file is read.
    ///
    /// # Errors
    /// The manifest cannot be read.
    pub fn list(&self) -> Result<Vec<ModelSummary>, ModelError> {
        let summary = |(name, entry): (String, Entry)| {
            let files = entry.files.iter().map(|(name, sha256)| ModelFileSummary {
                name: name.clone(),
                sha256: sha256.clone(),
                source: entry.sources.get(name).cloned(),
                bytes: self.size(sha256),
            });
            let files = files.collect();
            ModelSummary { name, r#use: entry.r#use, licence: entry.licence, files }
        };
        Ok(self.manifest()?.into_iter().map(summary).collect())
    }

    fn size(&self, sha256: &str) -> Option<u64> {
        let path = self.path_of(sha256).ok()?;
        std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|it| it.len())
    }

    /// The path of the one file of a language model, after its content was compared with its hash.
    ///
    /// # Errors
    /// The manifest has no such model, it is none of language, or its file is missing or has another hash.
    pub fn language_file(&self, name: &str) -> Result<PathBuf, ModelError> {
        let entry = self.manifest()?.remove(name).ok_or_else(|| self.unknown(name))?;
        let mut hashes = entry.files.values();
        let (ModelUse::Language, Some(sha256), None) = (entry.r#use, hashes.next(), hashes.next())
        else {
            let reason = "it is no language model with one file".to_owned();
            return Err(ModelError::Unusable { name: name.to_owned(), reason });
        };
        let path = self.path_of(sha256)?;
        compare(&path, sha256)?;
        Ok(path)
    }

    /// Adds a language model of one file to the manifest; one of this name stays if it has this hash.
    ///
    /// # Errors
    /// Another model has the name; a name or hash that the manifest cannot hold; a file that cannot be written.
    pub fn add_language(&self, name: &str, url: &str, sha256: &str) -> Result<(), ModelError> {
        self.path_of(sha256)?;
        let path = self.manifest_path();
        let invalid =
            |reason: String| ModelError::Manifest { path: path.display().to_string(), reason };
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > 64 || !name.chars().all(is_name) {
            return Err(invalid(
                "the name of a model has letters, digits, `-`, `_` and `.`".to_owned(),
            ));
        }
        if let Some(entry) = self.manifest()?.get(name) {
            let has = entry.files.values().any(|it| it.eq_ignore_ascii_case(sha256));
            return has
                .then_some(())
                .ok_or_else(|| invalid(format!("it has another model `{name}`")));
        }
        let mut text = std::fs::read_to_string(&path).unwrap_or_default();
        let quoted = |it: &str| toml::Value::String(it.to_owned()).to_string();
        text.push_str(&format!(
            "\n[{name}]\nuse = \"language\"\n[{name}.files]\n\"model.gguf\" = {}\n[{name}.sources]\n\"model.gguf\" = {}\n",
            quoted(&sha256.to_ascii_lowercase()),
            quoted(url),
        ).replace(&format!("[{name}"), &format!("[{}", quoted(name))));
        // An entry that could not be read again would hide the others.
        toml::from_str::<SortedMap<String, Entry>>(&text)
            .map_err(|it| invalid(it.message().to_owned()))?;
        let new = path.with_extension("new");
        let made = std::fs::create_dir_all(&self.root);
        let written = made
            .and_then(|()| std::fs::write(&new, text))
            .and_then(|()| std::fs::rename(&new, &path));
        written.map_err(|error| ModelError::Unwritable {
            path: path.display().to_string(),
            reason: error.to_string(),
        })
    }

    /// The error for a model that the manifest does not have.
    pub fn unknown(&self, name: &str) -> ModelError {
        let manifest = self.manifest_path().display().to_string();
        ModelError::Unknown { name: name.to_owned(), manifest }
    }

    /// The path of the file with this hash.
    pub(crate) fn path_of(&self, sha256: &str) -> Result<PathBuf, ModelError> {
        // The hash is used as a file name: anything but hex digits could be a path.
        if sha256.len() == 64 && sha256.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Ok(self.root.join(sha256.to_ascii_lowercase()));
        }
        let path = self.manifest_path().display().to_string();
        Err(ModelError::Manifest { path, reason: format!("`{sha256}` is not a SHA-256") })
    }

    /// The content of the file with this hash.
    fn file(&self, expected: &str) -> Result<Vec<u8>, ModelError> {
        let path = self.path_of(expected)?;
        let expected = expected.to_ascii_lowercase();
        let unreadable =
            |reason: String| ModelError::Unreadable { path: path.display().to_string(), reason };
        let len = std::fs::metadata(&path).map_err(|error| unreadable(error.to_string()))?.len();
        if len > MAX_FILE_BYTES {
            return Err(unreadable(format!("it has {len} bytes, the maximum is {MAX_FILE_BYTES}")));
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

    fn manifest(&self) -> Result<SortedMap<String, Entry>, ModelError> {
        let path = self.manifest_path();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(SortedMap::new());
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
    /// The content of a file.
    ///
    /// # Errors
    /// The model has no file of this name.
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

/// Compares the content of a file with its hash, without loading it.
pub(crate) fn compare(path: &Path, expected: &str) -> Result<u64, ModelError> {
    let mut file = std::fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    let mut hash = Sha256::new();
    let bytes = std::io::copy(&mut file, &mut hash).map_err(|error| unreadable(path, &error))?;
    let found = hex(&hash.finalize());
    if !found.eq_ignore_ascii_case(expected) {
        let (path, expected) = (path.display().to_string(), expected.to_owned());
        return Err(ModelError::Hash { path, expected, found });
    }
    Ok(bytes)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
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
    fn files_are_read_by_the_hash_in_the_manifest() {
        let hash = hex(&Sha256::digest(b"{}"));
        let (_dir, folder) = folder(&manifest(&hash), &[b"{}"]);
        let files = folder.open("m").unwrap();
        assert_eq!(files.get("config.json").unwrap(), b"{}");
        assert_eq!((files.r#use, files.licence.as_str()), (ModelUse::Encoder, "MIT"));
        assert!(matches!(files.get("x"), Err(ModelError::Unusable { .. })));
    }

    #[test]
    fn a_file_with_other_bytes_is_rejected() {
        let hash = hex(&Sha256::digest(b"{}"));
        let (dir, folder) = folder(&manifest(&hash), &[]);
        assert!(matches!(folder.open("m"), Err(ModelError::Unreadable { .. })));
        std::fs::write(dir.path().join(&hash), b"{ }").unwrap();
        assert!(matches!(folder.open("m"), Err(ModelError::Hash { .. })));
    }

    #[test]
    fn a_file_hash_cannot_be_a_path() {
        let (_dir, folder) = folder(&manifest("../../secret"), &[]);
        assert!(matches!(folder.open("m"), Err(ModelError::Manifest { .. })));
    }

    #[test]
    fn a_folder_without_manifest_has_no_models() {
        let dir = tempfile::tempdir().unwrap();
        let folder = ModelFolder::new(dir.path().join("none"));
        assert!(matches!(folder.open("m"), Err(ModelError::Unknown { .. })));
    }
}
