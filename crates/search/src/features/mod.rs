//! Features: what counts for or against a candidate. Each has a name and a description.
//!
//! A feature is one number per candidate. Features without a natural scale are divided by the
//! greatest value among the candidates, so that all are between 0 and 1; the scorer sums the values
//! times their weights.
//!
//! To add one: a unit in the file of its subject (`words.rs` has examples); a line in `FEATURES`, after
//! the first two, and its length; weights in `weights/*.txt` (sentences: `cargo xtask eval fit
//! SUITE… --out DIR`, set A for `locate`, set B for `find`, whose files replace them) and `weights/manual/*.txt`
//! (names, diffs, traces); without one its weight is 0. Features of files are in `files/features.rs`. Not worth a
//! feature, measured by leaving out repositories: whether the words of a name are in the query or similar to it, whether a word of it names the file, a doc comment, calls to and from items that rank high,
//! types and members beside them, the words of callers, callees and calling tests.

/// A feature without a natural scale, computed from query and candidate.
macro_rules! relative {
    ($unit:ident, $name:expr, $description:literal, $part:expr, |$context:ident, $candidate:ident| $value:expr) => {
        pub(super) struct $unit;

        impl Unit for $unit {
            fn name(&self) -> &'static str {
                $name
            }
            fn description(&self) -> &'static str {
                $description
            }
            fn part(&self) -> FeatureGroup {
                $part
            }
            fn is_relative(&self) -> bool {
                true
            }
            fn value(&self, $context: &Context<'_>, $candidate: &Candidate<'_>) -> f32 {
                let value: Option<f32> = $value;
                value.unwrap_or(0.0)
            }
        }
    };
}

mod facts;
mod graph;
mod history;
mod likeness;
mod names;
mod places;
mod vectors;
mod words;

pub(crate) use graph::Neighbourhood;
pub(crate) use names::NamedItems;
pub(crate) use places::PlacedItems;
pub(crate) use vectors::Dense;
pub(crate) use words::Words;

use ::graph::{ItemView, Map};

use crate::analyse::Analysis;
use crate::focus::Nearness;
use crate::index::{Facts, SearchIndex};
use crate::past::HistoryScores;

/// A candidate of a query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) map: &'a Map,
    /// Document number in the index.
    pub(crate) document: u32,
    /// File index in the search index.
    pub(crate) file: u32,
    /// Item number in the map.
    pub(crate) item: u32,
    /// File number in the map.
    pub(crate) file_number: u32,
    /// Facts of the document.
    pub(crate) facts: Facts,
}

impl<'a> Candidate<'a> {
    /// The item in the map; decoded on each call, so do not use it in features of every query.
    pub(crate) fn view(&self) -> Option<ItemView<'a>> {
        self.map.item(self.item)
    }

    /// The path of the file.
    pub(crate) fn path(&self) -> &'a str {
        self.map.file(self.file_number).map_or("", |file| file.path)
    }
}

/// The data that features are computed from.
pub(crate) struct Context<'a> {
    pub(crate) map: &'a Map,
    pub(crate) index: &'a SearchIndex,
    pub(crate) analysis: &'a Analysis,
    /// Numbers of the query's terms in the index, ascending.
    pub(crate) own_terms: Vec<u32>,
    /// Inverse document frequency of each of these terms.
    pub(crate) own_idf: Vec<f32>,
    pub(crate) words: Words<'a>,
    pub(crate) dense: Option<Dense<'a>>,
    pub(crate) named: NamedItems,
    pub(crate) placed: PlacedItems,
    pub(crate) nearness: Option<Nearness>,
    /// Scores of the commit history, where there is one.
    pub(crate) history: HistoryScores<'a>,
    /// Neighbourhood, known after the first ranking.
    pub(crate) neighbourhood: Option<Neighbourhood>,
}

/// The group of a feature, which belongs to a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureGroup {
    /// Terms of items.
    Words,
    /// Terms of files and paths.
    Files,
    /// Vectors.
    Vectors,
    /// Facts of the code.
    Rules,
    /// Graph neighbourhood of the best candidates, and of the focus.
    Graph,
}

/// One feature.
pub(crate) trait Unit: Sync {
    /// Name in weights and explanations.
    fn name(&self) -> &'static str;
    /// Description in one sentence.
    fn description(&self) -> &'static str;
    /// Group.
    fn part(&self) -> FeatureGroup;
    /// Whether values are divided by the greatest among the candidates.
    fn is_relative(&self) -> bool {
        false
    }
    /// Whether all candidates of a file share one value that is expensive to compute.
    fn is_of_file(&self) -> bool {
        false
    }
    /// Whether all candidates of a scope – a module, an impl – share one value.
    fn is_of_scope(&self) -> bool {
        false
    }
    /// The value for a candidate.
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32;

    /// Appends the values of candidates; candidates of one file or scope are often adjacent.
    fn append(&self, context: &Context<'_>, candidates: &[Candidate<'_>], values: &mut Vec<f32>) {
        let is_of_file = self.is_of_file();
        if !is_of_file && !self.is_of_scope() {
            values.extend(candidates.iter().map(|candidate| self.value(context, candidate)));
            return;
        }
        // A small direct-mapped cache of the last files or scopes.
        let mut seen = [(u32::MAX, 0.0); 64];
        values.extend(candidates.iter().map(|candidate| {
            let shared = match is_of_file {
                true => Some(candidate.file),
                false => context.index.scope_of(candidate.document),
            };
            let Some(shared) = shared else { return self.value(context, candidate) };
            let slot = &mut seen[shared as usize % 64];
            if slot.0 != shared {
                *slot = (shared, self.value(context, candidate));
            }
            slot.1
        }));
    }
}

/// The name and description of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Name in weights and explanations.
    pub name: &'static str,
    /// Description in one sentence.
    pub meaning: &'static str,
    /// Group.
    pub part: FeatureGroup,
}

/// All features, in the order in which a [`crate::Ranker`] gets their values.
pub fn features() -> impl ExactSizeIterator<Item = Feature> {
    FEATURES.iter().map(|unit| Feature {
        name: unit.name(),
        meaning: unit.description(),
        part: unit.part(),
    })
}

pub(crate) const COUNT: usize = FEATURES.len();

/// The first two features are fused; see [`crate::search`].
pub(crate) const BM25: usize = 0;
pub(crate) const DENSE: usize = 1;

pub(crate) static FEATURES: [&dyn Unit; 33] = [
    &words::Bm25,
    &vectors::Code,
    &vectors::Doc,
    &vectors::MaxSim,
    &vectors::Kind,
    &words::FileBm25,
    &words::PathBm25,
    &names::CodeName,
    &names::PlainName,
    &names::Qualified,
    &names::Scope,
    &names::ScopeWords,
    &places::Line,
    &places::File,
    &facts::Block,
    &facts::Module,
    &facts::Constant,
    &facts::Type,
    &facts::Macro,
    &facts::Bodiless,
    &facts::Lines,
    &facts::Test,
    &facts::Implemented,
    &facts::Generated,
    &facts::Vendored,
    &facts::Public,
    &facts::Reexported,
    &facts::Central,
    &history::Recent,
    &history::Alike,
    &graph::Coherence,
    &history::Together,
    &graph::Near,
];
