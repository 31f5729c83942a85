//! [`Weights`]: the weights of the linear scorer, embedded as text files.

use std::sync::OnceLock;

use base::{Hint, SortedMap};

use crate::features::features;
use crate::query::{Intent, QueryKind};

/// The weight of each feature in the linear scorer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    by_name: SortedMap<String, f32>,
    /// Weights in the order of the features, up to the last one that is set.
    by_feature: Vec<f32>,
}

/// Why a text is not a valid list of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// A line is not `name = number`.
    #[error("line {line} of the weights is not `name = number`")]
    Line {
        /// Line, from 1.
        line: usize,
    },
    /// The name is not that of a feature.
    #[error("line {line} of the weights: no feature named `{name}`")]
    Unknown {
        /// Line, from 1.
        line: usize,
        /// Name.
        name: String,
    },
}

impl Hint for WeightsError {
    fn hint(&self) -> Option<String> {
        Some("write one `feature = number` a line; `#` begins a comment".to_owned())
    }
}

impl Weights {
    /// The embedded weights; `None`: those between the two intents.
    pub fn embedded(intent: Option<Intent>) -> Self {
        Self::shipped(intent).clone()
    }

    /// The manually set weights: the starting point of learning, and used for texts that are not
    /// sentences, because nothing was learned from names, diffs, traces.
    pub fn manual(intent: Option<Intent>) -> Self {
        Self::set_manual(intent).clone()
    }

    /// [`Weights::manual`], parsed once.
    pub(crate) fn set_manual(intent: Option<Intent>) -> &'static Self {
        static READ: [OnceLock<Weights>; 3] = [const { OnceLock::new() }; 3];
        let (at, text) = match intent {
            Some(Intent::Find) => (0, include_str!("../weights/manual/find.txt")),
            Some(Intent::Locate) => (1, include_str!("../weights/manual/locate.txt")),
            None => (2, include_str!("../weights/manual/mixed.txt")),
        };
        // A test checks that all three parse.
        READ[at].get_or_init(|| Self::parse(text).unwrap_or_default())
    }

    /// The embedded weights for a query of this kind. Where a change is to be made is another
    /// question than which file is the answer: it has its own weights of files.
    pub fn for_kind(kind: QueryKind, intent: Option<Intent>) -> &'static Self {
        static READ: [OnceLock<Weights>; 6] = [const { OnceLock::new() }; 6];
        let items = match kind {
            QueryKind::Prose | QueryKind::Question => Self::shipped(intent),
            _ => Self::set_manual(intent),
        };
        let (at, files) = match kind {
            _ if intent == Some(Intent::Locate) => return items,
            QueryKind::Symbol | QueryKind::Path => (0, include_str!("../weights/files/name.txt")),
            QueryKind::Question => (1, include_str!("../weights/files/question.txt")),
            QueryKind::Prose => (2, include_str!("../weights/files/text.txt")),
            QueryKind::ErrorText | QueryKind::StackTrace | QueryKind::Diff => return items,
        };
        READ[2 * at + usize::from(intent.is_some())].get_or_init(|| items.with(files))
    }

    /// These weights with others in place of some.
    fn with(&self, text: &str) -> Self {
        let mut weights = self.clone();
        // A test checks that all embedded ones parse.
        for (name, weight) in Self::parse(text).unwrap_or_default().by_name {
            weights.set(&name, weight);
        }
        weights
    }

    /// [`Weights::embedded`], parsed once.
    pub(crate) fn shipped(intent: Option<Intent>) -> &'static Self {
        static READ: [OnceLock<Weights>; 3] = [const { OnceLock::new() }; 3];
        let (at, text) = match intent {
            Some(Intent::Find) => (0, include_str!("../weights/find.txt")),
            Some(Intent::Locate) => (1, include_str!("../weights/locate.txt")),
            None => (2, include_str!("../weights/mixed.txt")),
        };
        // A test checks that all three parse.
        READ[at].get_or_init(|| Self::parse(text).unwrap_or_default())
    }

    /// Parses lines of the form `name = number`.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let mut weights = Self::default();
        for (at, line) in text.lines().enumerate() {
            let line_number = at + 1;
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (name, number) =
                line.split_once('=').ok_or(WeightsError::Line { line: line_number })?;
            let number: f32 =
                number.trim().parse().map_err(|_| WeightsError::Line { line: line_number })?;
            if !number.is_finite() {
                return Err(WeightsError::Line { line: line_number });
            }
            let name = name.trim();
            if !is_weighted(name) {
                return Err(WeightsError::Unknown { line: line_number, name: name.to_owned() });
            }
            weights.set(name, number);
        }
        Ok(weights)
    }

    /// The weight of a feature; 0 where none is set.
    pub fn get(&self, feature: &str) -> f32 {
        self.by_name.get(feature).copied().unwrap_or(0.0)
    }

    /// The weight of a feature by its index.
    pub(crate) fn of_feature(&self, at: usize) -> f32 {
        self.by_feature.get(at).copied().unwrap_or(0.0)
    }

    /// Sets a weight.
    pub fn set(&mut self, feature: &str, weight: f32) {
        if let Some(at) = features().position(|other| other.name == feature) {
            if self.by_feature.len() <= at {
                self.by_feature.resize(at + 1, 0.0);
            }
            self.by_feature[at] = weight;
        }
        self.by_name.insert(feature.to_owned(), weight);
    }
}

/// Whether a weight of this name exists: that of a feature, or one of the file ranking.
fn is_weighted(name: &str) -> bool {
    features().any(|feature| feature.name == name) || crate::files::is_weighted(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_weights_parse() {
        for intent in [Some(Intent::Find), Some(Intent::Locate), None] {
            for weights in [Weights::embedded(intent), Weights::manual(intent)] {
                assert!(weights.get("bm25") > 0.0, "{intent:?}");
            }
        }
    }

    #[test]
    fn a_kind_of_query_has_its_own_weights_of_files() {
        let of = |kind, intent| Weights::for_kind(kind, intent);
        for intent in [None, Some(Intent::Find)] {
            let [name, question, text] = [QueryKind::Symbol, QueryKind::Question, QueryKind::Prose]
                .map(|kind| of(kind, intent));
            assert!(name.get("files.defines") > question.get("files.defines"), "{intent:?}");
            assert_eq!(question.get("bm25"), text.get("bm25"));
            assert_eq!(of(QueryKind::Path, intent), name);
        }
        let locate = of(QueryKind::Prose, Some(Intent::Locate));
        assert_eq!(*locate, Weights::embedded(Some(Intent::Locate)));
    }

    #[test]
    fn what_is_no_weight_is_named() {
        assert_eq!(Weights::parse("# x\nbm25 0.3"), Err(WeightsError::Line { line: 2 }));
        assert_eq!(Weights::parse("bm25 = inf"), Err(WeightsError::Line { line: 1 }));
        let name = "bm52".to_owned();
        assert_eq!(Weights::parse("bm52 = 1"), Err(WeightsError::Unknown { line: 1, name }));
    }
}
