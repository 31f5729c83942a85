use base::Hint;

/// Why a model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The manifest has no such model.
    #[error("no model `{name}` in `{manifest}`")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The file that would name it.
        manifest: String,
    },
    /// A file cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    Unreadable {
        /// Which.
        path: String,
        /// Why.
        reason: String,
    },
    /// The manifest is none.
    #[error("`{path}` is no manifest of models: {reason}")]
    Manifest {
        /// Which file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A file is not what the manifest says.
    #[error("`{path}` has the hash {found}, expected {expected}")]
    Hash {
        /// Which file.
        path: String,
        /// What the manifest says.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The model lacks a file, or is of a kind that this program cannot run.
    #[error("model `{name}` cannot be run: {reason}")]
    Unusable {
        /// Which.
        name: String,
        /// Why.
        reason: String,
    },
    /// The program was built without what the choice needs.
    #[error("this build has no `{feature}`")]
    NotBuilt {
        /// The cargo feature.
        feature: &'static str,
    },
    /// An address is none that can be asked.
    #[error("`{url}` is no address of a reranker: {reason}")]
    Address {
        /// What was given.
        url: String,
        /// Why not.
        reason: String,
    },
}

impl Hint for ModelError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Unknown { manifest, .. } => {
                format!("name the model and the SHA-256 of its files in `{manifest}`")
            }
            Self::Unreadable { .. } => "put the file there, or choose another reranker".to_owned(),
            Self::Manifest { .. } => {
                "write `[name]`, `use = \"cross-encoder\"` and `[name.files]` with a SHA-256 a file"
                    .to_owned()
            }
            Self::Hash { .. } => {
                "fetch the file again: it is not the one that was meant".to_owned()
            }
            Self::Unusable { .. } => "choose a BERT model in safetensors format".to_owned(),
            Self::NotBuilt { feature } => format!("build with `--features {feature}`"),
            Self::Address { .. } => {
                "give an address like `http://127.0.0.1:8080/v1/rerank`".to_owned()
            }
        })
    }
}
