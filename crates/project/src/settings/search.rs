//! Settings of searches: encoder, stages, weights, reranker.

use std::path::PathBuf;
use std::time::Duration;

use model::RequestFormat;
use search::{Intent, Stages, Weights};

use crate::ProjectError;

/// Settings of searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Encoder of vectors, also used for query expansion.
    pub encoder: EncoderChoice,
    /// Enabled stages.
    pub stages: Stages,
    /// Weights of the scorer.
    pub ranker: RankerChoice,
    /// Directory with weights that replace the built-in ones.
    pub weights: Option<PathBuf>,
    /// Whether git history is a ranking signal.
    pub history: bool,
    /// Reranker of the top results.
    pub reranker: RerankerChoice,
    /// Model name in requests to a reranker server.
    pub reranker_model: String,
    /// Request format of the reranker server.
    pub reranker_shape: RequestFormat,
    /// Time limit of the reranker server.
    pub reranker_patience: Duration,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            encoder: EncoderChoice::Embedded,
            stages: Stages::SEARCH,
            ranker: RankerChoice::Learned,
            weights: None,
            history: false,
            reranker: RerankerChoice::None,
            reranker_model: String::new(),
            reranker_shape: RequestFormat::Documents,
            reranker_patience: Duration::from_millis(2000),
        }
    }
}

/// Weights of the scorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankerChoice {
    /// Weights learned from examples.
    Learned,
    /// Weights that were set manually.
    Rules,
}

impl RankerChoice {
    fn weights(self, intent: Option<Intent>) -> Weights {
        match self {
            Self::Learned => Weights::embedded(intent),
            Self::Rules => Weights::manual(intent),
        }
    }
}

/// Encoder of the vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncoderChoice {
    /// The embedded word table.
    Embedded,
    /// No encoder: searches use BM25 and rules only.
    None,
    /// A word table in a file, as `graftage-train` writes it.
    Table(PathBuf),
    /// A model in the models directory, by name. It encodes texts; single words use the embedded
    /// table.
    Model(String),
}

/// Prefix of a model name.
const MODEL_PREFIX: &str = "model:";
/// Size limit of a weights file in bytes.
const LARGEST_WEIGHTS: u64 = 16 << 20;

impl EncoderChoice {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Embedded => "embedded".to_owned(),
            Self::None => "none".to_owned(),
            Self::Table(path) => path.display().to_string(),
            Self::Model(name) => format!("{MODEL_PREFIX}{name}"),
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        match text {
            "" => None,
            "embedded" => Some(Self::Embedded),
            "none" => Some(Self::None),
            text => match text.strip_prefix(MODEL_PREFIX) {
                Some("") => None,
                Some(name) => Some(Self::Model(name.to_owned())),
                None => Some(Self::Table(text.into())),
            },
        }
    }
}

/// Reranker of the top results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RerankerChoice {
    /// No reranker.
    None,
    /// A server, by URL.
    Server(String),
    /// A model in the models directory, by name.
    Model(String),
}

impl RerankerChoice {
    pub(super) fn text(&self) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::Server(text) | Self::Model(text) => text.clone(),
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        match text {
            "" => None,
            "none" => Some(Self::None),
            text if text.contains("://") => Some(Self::Server(text.to_owned())),
            text => Some(Self::Model(text.to_owned())),
        }
    }
}

/// The request formats of reranker servers, by name.
pub(super) const SHAPES: [(RequestFormat, &str); 2] =
    [(RequestFormat::Documents, "documents"), (RequestFormat::Texts, "texts")];

impl SearchSettings {
    /// Weights of the user's files, or the manually set ones if chosen; `None`: the built-in learned
    /// weights, which differ by kind of query.
    ///
    /// # Errors
    /// As [`SearchSettings::weights`].
    pub fn custom_weights(&self, intent: Option<Intent>) -> Result<Option<Weights>, ProjectError> {
        let is_builtin = self.weights.is_none() && self.ranker == RankerChoice::Learned;
        if is_builtin { Ok(None) } else { self.weights(intent).map(Some) }
    }

    /// The weights of an intent: `find.txt`, `locate.txt` or `mixed.txt` of the weights directory if
    /// that file exists, else the built-in ones.
    ///
    /// # Errors
    /// A file that cannot be read, or that is not a weights file.
    pub fn weights(&self, intent: Option<Intent>) -> Result<Weights, ProjectError> {
        let builtin = || Ok(self.ranker.weights(intent));
        let Some(folder) = &self.weights else { return builtin() };
        let file = folder.join(format!("{}.txt", intent.map_or("mixed", Intent::as_str)));
        let unreadable =
            |reason: String| ProjectError::Unreadable { path: file.display().to_string(), reason };
        let bytes = untrusted_fs::read_own(&file, LARGEST_WEIGHTS)
            .map_err(|fault| unreadable(fault.to_string()))?;
        let Some(bytes) = bytes else { return builtin() };
        let text = String::from_utf8(bytes).map_err(|error| unreadable(error.to_string()))?;
        Weights::parse(&text)
            .map_err(|error| ProjectError::Weights { path: file.display().to_string(), error })
    }
}

/// A stage name with access to its flag.
type StageFlag = (&'static str, fn(&mut Stages) -> &mut bool);

/// The stages that settings can enable, by name.
const STAGE_FLAGS: [StageFlag; 6] = [
    ("expansion", |stages| &mut stages.expansion),
    ("files", |stages| &mut stages.files),
    ("graph", |stages| &mut stages.graph),
    ("reciprocal", |stages| &mut stages.reciprocal),
    ("rerank", |stages| &mut stages.rerank),
    ("rules", |stages| &mut stages.rules),
];

/// The names of the enabled stages: `expansion,files,graph`.
pub(super) fn stages_text(stages: &Stages) -> String {
    let mut stages = *stages;
    let on = STAGE_FLAGS.iter().filter(|(_, switch)| *switch(&mut stages));
    on.map(|(name, _)| *name).collect::<Vec<_>>().join(",")
}

pub(super) fn parse_stages(text: &str) -> Option<Stages> {
    let mut stages = Stages::PLAIN;
    for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let (_, switch) = STAGE_FLAGS.iter().find(|(known, _)| *known == name)?;
        *switch(&mut stages) = true;
    }
    Some(stages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_survive_a_round_trip() {
        for stages in [Stages::SEARCH, Stages::PLAIN] {
            assert_eq!(parse_stages(&stages_text(&stages)), Some(stages));
        }
        assert_eq!(stages_text(&Stages::SEARCH), "expansion,files,graph,rerank,rules");
        assert_eq!(parse_stages("graph, magic"), None);
    }

    #[test]
    fn encoders_survive_a_round_trip() {
        for name in ["embedded", "none", "/a/table.bin", "model:minilm"] {
            assert_eq!(EncoderChoice::parse(name).unwrap().text(), name);
        }
        let model = EncoderChoice::Model("minilm".to_owned());
        assert_eq!(EncoderChoice::parse("model:minilm"), Some(model));
        assert_eq!(EncoderChoice::parse("model:"), None);
    }

    #[test]
    fn weights_come_from_the_directory_if_it_has_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let settings =
            SearchSettings { weights: Some(dir.path().to_owned()), ..SearchSettings::default() };
        let embedded = Weights::embedded(Some(Intent::Find));
        assert_eq!(settings.weights(Some(Intent::Find)).unwrap(), embedded);
        let manual = SearchSettings { ranker: RankerChoice::Rules, ..settings.clone() };
        let rules = Weights::manual(Some(Intent::Find));
        assert_eq!(manual.weights(Some(Intent::Find)).unwrap(), rules);
        std::fs::write(dir.path().join("find.txt"), "bm25 = 2\n").unwrap();
        assert_eq!(settings.weights(Some(Intent::Find)).unwrap().get("bm25"), 2.0);
        std::fs::write(dir.path().join("find.txt"), "magic = 2\n").unwrap();
        let error = settings.weights(Some(Intent::Find)).unwrap_err().to_string();
        assert!(error.contains("line 1"), "{error}");
    }
}
