//! [`ModelError`]: why a configured model cannot be used.

use base::Hint;

/// Why a model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The manifest has no model of this name.
    #[error("no model `{name}` in `{manifest}`")]
    Unknown {
        /// Requested name.
        name: String,
        /// Path of the manifest.
        manifest: String,
    },
    /// A file cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    Unreadable {
        /// Path.
        path: String,
        /// Reason.
        reason: String,
    },
    /// The manifest is invalid.
    #[error("`{path}` is not a valid model manifest: {reason}")]
    Manifest {
        /// Path.
        path: String,
        /// Reason.
        reason: String,
    },
    /// A file cannot be written.
    #[error("cannot write `{path}`: {reason}")]
    Unwritable {
        /// Path.
        path: String,
        /// Reason.
        reason: String,
    },
    /// A file cannot be downloaded.
    #[error("cannot download `{url}`: {reason}")]
    Download {
        /// Address.
        url: String,
        /// Reason.
        reason: String,
    },
    /// The caller gave up.
    #[error("cancelled: what was downloaded is kept")]
    Cancelled,
    /// A file has another hash than in the manifest.
    #[error("`{path}` has the hash {found}, expected {expected}")]
    Hash {
        /// Path.
        path: String,
        /// Hash in the manifest.
        expected: String,
        /// Hash of the file.
        found: String,
    },
    /// A file of the model is missing, or the model is of an unsupported kind.
    #[error("model `{name}` cannot be run: {reason}")]
    Unusable {
        /// Name of the model.
        name: String,
        /// Reason.
        reason: String,
    },
    /// The program was built without a required cargo feature.
    #[error("this build has no `{feature}`")]
    NotBuilt {
        /// Cargo feature.
        feature: &'static str,
    },
    /// The address of a reranker is invalid.
    #[error("`{url}` is not a valid reranker address: {reason}")]
    Address {
        /// Address.
        url: String,
        /// Reason.
        reason: String,
    },
}

impl Hint for ModelError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Unknown { manifest, .. } => {
                format!("add the model with the SHA-256 of its files to `{manifest}`")
            }
            Self::Unreadable { .. } => "add the file, or choose another reranker".to_owned(),
            Self::Unwritable { .. } => {
                "free disk space, or make the folder of models writable".to_owned()
            }
            Self::Download { .. } => {
                "check the address and try again: what was downloaded is kept".to_owned()
            }
            Self::Cancelled => return None,
            Self::Manifest { .. } => {
                "write `[name]`, `use = \"cross-encoder\"` and `[name.files]` with a SHA-256 a file"
                    .to_owned()
            }
            Self::Hash { .. } => {
                "download the file again: its content is not the expected one".to_owned()
            }
            Self::Unusable { .. } => "choose a BERT model in safetensors format".to_owned(),
            Self::NotBuilt { feature } => format!("build with `--features {feature}`"),
            Self::Address { .. } => {
                "give an address like `http://127.0.0.1:8080/v1/rerank`".to_owned()
            }
        })
    }
}
