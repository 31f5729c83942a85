//! [`ModelRegistry`]: the models of a person, downloaded once and compared with their hashes.

use std::path::PathBuf;

use model::{Downloaded, ModelError, ModelFolder, ModelSummary, download};
use serde::Serialize;

/// A listener to a download: name of the file, bytes so far, their number; it returns whether to go on.
type OnBytes<'a> = dyn FnMut(&str, u64, Option<u64>) -> bool + 'a;

/// A folder of models and its manifest, `models.toml`.
#[derive(Clone, Debug)]
pub struct ModelRegistry {
    folder: ModelFolder,
}

/// Answer of [`ModelRegistry::ensure`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnsuredModel {
    /// `present` or `downloaded`.
    pub status: &'static str,
    /// Size of its files in bytes.
    pub bytes: u64,
    /// Licence, as in the manifest; empty where it is not stated.
    pub licence: String,
}

impl ModelRegistry {
    /// The registry in a folder, which need not exist.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder: ModelFolder::new(folder) }
    }

    /// All models, sorted by name.
    ///
    /// # Errors
    /// The manifest cannot be read.
    pub fn models(&self) -> Result<Vec<ModelSummary>, ModelError> {
        self.folder.list()
    }

    /// Downloads a language model and adds it to the manifest, once it has its hash.
    ///
    /// # Errors
    /// As of [`download`] and [`ModelFolder::add_language`].
    pub fn add(
        &self,
        name: &str,
        (url, sha256): (&str, &str),
        on_bytes: &mut OnBytes<'_>,
    ) -> Result<EnsuredModel, ModelError> {
        let mut seen = |bytes, all| on_bytes("model.gguf", bytes, all);
        let downloaded = download(&self.folder, (url, sha256), &mut seen)?;
        self.folder.add_language(name, url, sha256)?;
        let found = self.models()?.into_iter().find(|it| it.name == name);
        let licence = found.map(|it| it.licence).unwrap_or_default();
        let (status, bytes) = match downloaded {
            Downloaded::Present(bytes) => ("present", bytes),
            Downloaded::New(bytes) => ("downloaded", bytes),
        };
        Ok(EnsuredModel { status, bytes, licence })
    }

    /// Downloads the files of a model that are missing, and compares all of them with their hashes.
    ///
    /// # Errors
    /// The manifest has no such model, a missing file has no source, or as of [`download`].
    pub fn ensure(
        &self,
        name: &str,
        on_bytes: &mut OnBytes<'_>,
    ) -> Result<EnsuredModel, ModelError> {
        let found = self.models()?.into_iter().find(|it| it.name == name);
        let Some(summary) = found else { return Err(self.folder.unknown(name)) };
        let mut ensured =
            EnsuredModel { status: "present", bytes: 0, licence: summary.licence.clone() };
        for file in &summary.files {
            let source = file.source.as_deref().unwrap_or_default();
            let from = (source, file.sha256.as_str());
            let mut seen = |bytes, all| on_bytes(&file.name, bytes, all);
            ensured.bytes += match download(&self.folder, from, &mut seen)? {
                Downloaded::Present(bytes) => bytes,
                Downloaded::New(bytes) => {
                    ensured.status = "downloaded";
                    bytes
                }
            };
        }
        Ok(ensured)
    }
}
