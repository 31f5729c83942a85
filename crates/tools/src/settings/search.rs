use std::path::PathBuf;
use std::time::Duration;

use model::Shape;
use search::{Intent, Stages, Weights};

use crate::Error;

/// How searches run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Who makes vectors and expands queries.
    pub encoder: EncoderChoice,
    /// Which stages run.
    pub stages: Stages,
    /// Whose weights count.
    pub ranker: RankerChoice,
    /// A folder with weights in place of those that come with the program.
    pub weights: Option<PathBuf>,
    /// Whether the project's commits have a say.
    pub history: bool,
    /// Who orders the best candidates anew.
    pub reranker: RerankerChoice,
    /// Which model a server is asked for.
    pub reranker_model: String,
    /// How a server wants to be asked.
    pub reranker_shape: Shape,
    /// How long a server may take.
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
            reranker_shape: Shape::Documents,
            reranker_patience: Duration::from_millis(2000),
        }
    }
}

/// Whose weights count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankerChoice {
    /// What was learned from examples.
    Learned,
    /// What people set: the rules alone.
    Rules,
}

impl RankerChoice {
    pub(super) const ALL: [Self; 2] = [Self::Learned, Self::Rules];

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Learned => "learned",
            Self::Rules => "rules",
        }
    }

    fn weights(self, intent: Option<Intent>) -> Weights {
        match self {
            Self::Learned => Weights::embedded(intent),
            Self::Rules => Weights::by_hand(intent),
        }
    }
}

/// Who makes vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncoderChoice {
    /// The table of words that comes with the program.
    Embedded,
    /// Nobody: searches have words and rules alone.
    None,
    /// A table of words in a file, as `graftage-train` writes it.
    Table(PathBuf),
    /// A model of the folder of models, by its name there: it reads texts, words stay the embedded
    /// table's.
    Model(String),
}

/// What stands before the name of a model.
const MODEL: &str = "model:";
/// Bytes of one file of weights.
const LARGEST_WEIGHTS: u64 = 16 << 20;

impl EncoderChoice {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Embedded => "embedded".to_owned(),
            Self::None => "none".to_owned(),
            Self::Table(path) => path.display().to_string(),
            Self::Model(name) => format!("{MODEL}{name}"),
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        match text {
            "" => None,
            "embedded" => Some(Self::Embedded),
            "none" => Some(Self::None),
            text => match text.strip_prefix(MODEL) {
                Some("") => None,
                Some(name) => Some(Self::Model(name.to_owned())),
                None => Some(Self::Table(text.into())),
            },
        }
    }
}

/// Who orders the best candidates anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RerankerChoice {
    /// Nobody.
    None,
    /// A server, by its address.
    Server(String),
    /// A model of the folder of models, by its name there.
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

/// The forms in which servers are asked, by name.
pub(super) const SHAPES: [(&str, Shape); 2] =
    [("documents", Shape::Documents), ("texts", Shape::Texts)];

impl SearchSettings {
    /// Weights of the user's own, or those set by hand where they are chosen; `None`: what comes with
    /// the program, for each kind of question its own.
    pub fn own_weights(&self, intent: Option<Intent>) -> Result<Option<Weights>, Error> {
        let is_ours = self.weights.is_none() && self.ranker == RankerChoice::Learned;
        if is_ours { Ok(None) } else { self.weights(intent).map(Some) }
    }

    /// The weights of an intent: `find.txt`, `locate.txt` or `mixed.txt` of the folder, where there
    /// is one and it has that file, else those that come with the program.
    pub fn weights(&self, intent: Option<Intent>) -> Result<Weights, Error> {
        let own = || Ok(self.ranker.weights(intent));
        let Some(folder) = &self.weights else { return own() };
        let file = folder.join(format!("{}.txt", intent.map_or("mixed", Intent::as_str)));
        let unreadable =
            |reason: String| Error::Unreadable { path: file.display().to_string(), reason };
        let bytes = beneath::read_own(&file, LARGEST_WEIGHTS)
            .map_err(|fault| unreadable(fault.to_string()))?;
        let Some(bytes) = bytes else { return own() };
        let text = String::from_utf8(bytes).map_err(|error| unreadable(error.to_string()))?;
        Weights::parse(&text)
            .map_err(|error| Error::Weights { path: file.display().to_string(), error })
    }
}

type Switch = (&'static str, fn(&mut Stages) -> &mut bool);

/// The stages that can be switched, by name.
const SWITCHES: [Switch; 6] = [
    ("expansion", |stages| &mut stages.expansion),
    ("files", |stages| &mut stages.files),
    ("graph", |stages| &mut stages.graph),
    ("reciprocal", |stages| &mut stages.reciprocal),
    ("rerank", |stages| &mut stages.rerank),
    ("rules", |stages| &mut stages.rules),
];

/// `expansion,files,graph`.
pub(super) fn stages_text(stages: &Stages) -> String {
    let mut stages = *stages;
    let on = SWITCHES.iter().filter(|(_, switch)| *switch(&mut stages));
    on.map(|(name, _)| *name).collect::<Vec<_>>().join(",")
}

pub(super) fn parse_stages(text: &str) -> Option<Stages> {
    let mut stages = Stages::PLAIN;
    for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let (_, switch) = SWITCHES.iter().find(|(known, _)| *known == name)?;
        *switch(&mut stages) = true;
    }
    Some(stages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_read_as_they_are_written() {
        for stages in [Stages::SEARCH, Stages::PLAIN] {
            assert_eq!(parse_stages(&stages_text(&stages)), Some(stages));
        }
        assert_eq!(stages_text(&Stages::SEARCH), "expansion,files,graph,rerank,rules");
        assert_eq!(parse_stages("graph, magic"), None);
    }

    #[test]
    fn encoders_are_read_as_they_are_written() {
        for name in ["embedded", "none", "/a/table.bin", "model:minilm"] {
            assert_eq!(EncoderChoice::parse(name).unwrap().text(), name);
        }
        let model = EncoderChoice::Model("minilm".to_owned());
        assert_eq!(EncoderChoice::parse("model:minilm"), Some(model));
        assert_eq!(EncoderChoice::parse("model:"), None);
    }

    #[test]
    fn weights_come_from_the_folder_where_it_has_them() {
        let dir = tempfile::tempdir().unwrap();
        let settings =
            SearchSettings { weights: Some(dir.path().to_owned()), ..SearchSettings::default() };
        let embedded = Weights::embedded(Some(Intent::Find));
        assert_eq!(settings.weights(Some(Intent::Find)).unwrap(), embedded);
        let by_hand = SearchSettings { ranker: RankerChoice::Rules, ..settings.clone() };
        let rules = Weights::by_hand(Some(Intent::Find));
        assert_eq!(by_hand.weights(Some(Intent::Find)).unwrap(), rules);
        std::fs::write(dir.path().join("find.txt"), "bm25 = 2\n").unwrap();
        assert_eq!(settings.weights(Some(Intent::Find)).unwrap().get("bm25"), 2.0);
        std::fs::write(dir.path().join("find.txt"), "magic = 2\n").unwrap();
        let error = settings.weights(Some(Intent::Find)).unwrap_err().to_string();
        assert!(error.contains("line 1"), "{error}");
    }
}
