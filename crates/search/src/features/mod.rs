//! What speaks for and against a candidate: each feature is a unit with a name and a sentence.
//!
//! A feature gives one number for a candidate. Those that have no natural measure are divided by
//! the greatest among the candidates, so that all lie between 0 and 1; the scorer multiplies each
//! with its weight and adds up.

/// A feature without a natural measure, from what is known of the query and of the candidate.
macro_rules! relative {
    ($unit:ident, $name:expr, $says:literal, $part:expr, |$context:ident, $candidate:ident| $value:expr) => {
        pub(super) struct $unit;

        impl Unit for $unit {
            fn name(&self) -> &'static str {
                $name
            }
            fn says(&self) -> &'static str {
                $says
            }
            fn part(&self) -> Part {
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
use crate::past::Told;
use crate::walk::Walk;

/// An item that may be an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) map: &'a Map,
    /// Number of the document in the index.
    pub(crate) document: u32,
    /// The place of its file among the index's files.
    pub(crate) file: u32,
    /// Number of the item in the map.
    pub(crate) item: u32,
    /// Number of its file in the map.
    pub(crate) file_number: u32,
    /// What is true of it.
    pub(crate) facts: Facts,
}

impl<'a> Candidate<'a> {
    /// The item in the map: read anew each time, which is not for features of every query.
    pub(crate) fn view(&self) -> Option<ItemView<'a>> {
        self.map.item(self.item)
    }

    /// The path of its file.
    pub(crate) fn path(&self) -> &'a str {
        self.map.file(self.file_number).map_or("", |file| file.path)
    }
}

/// What features look at.
pub(crate) struct Context<'a> {
    pub(crate) map: &'a Map,
    pub(crate) index: &'a SearchIndex,
    pub(crate) analysis: &'a Analysis,
    /// Numbers of the query's terms in the index, rising.
    pub(crate) own_terms: Vec<u32>,
    /// How much each of them tells.
    pub(crate) own_idf: Vec<f32>,
    pub(crate) words: Words<'a>,
    pub(crate) dense: Option<Dense<'a>>,
    pub(crate) named: NamedItems,
    pub(crate) placed: PlacedItems,
    pub(crate) nearness: Option<Nearness>,
    /// What the project's past says, where it was handed in.
    pub(crate) told: Told<'a>,
    /// A walk from the best, where somebody asks for it.
    pub(crate) walk: Option<Walk>,
    /// Known once a first order of the candidates is.
    pub(crate) neighbourhood: Option<Neighbourhood>,
}

/// Which stage a feature belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The words of items.
    Words,
    /// The words of files and paths.
    Files,
    /// Vectors.
    Vectors,
    /// Facts of the code.
    Rules,
    /// The surroundings of the best candidates, and of the focus.
    Graph,
}

/// One feature.
pub(crate) trait Unit: Sync {
    /// Its name, in weights and explanations.
    fn name(&self) -> &'static str;
    /// What it says, in one sentence.
    fn says(&self) -> &'static str;
    /// Whose stage it is.
    fn part(&self) -> Part;
    /// Whether its greatest value among the candidates counts as 1.
    fn is_relative(&self) -> bool {
        false
    }
    /// Whether all candidates of a file have one value, which takes some work.
    fn is_of_file(&self) -> bool {
        false
    }
    /// Whether all candidates of a scope – a module, an impl – have one value.
    fn is_of_scope(&self) -> bool {
        false
    }
    /// Its value for a candidate.
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32;

    /// Appends its values for some candidates; of those of a file or scope many stand together.
    fn append(&self, context: &Context<'_>, candidates: &[Candidate<'_>], values: &mut Vec<f32>) {
        let is_of_file = self.is_of_file();
        if !is_of_file && !self.is_of_scope() {
            values.extend(candidates.iter().map(|candidate| self.value(context, candidate)));
            return;
        }
        // The last file or scope of each remainder.
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

/// What a feature is called and says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its name, in weights and explanations.
    pub name: &'static str,
    /// What it says, in one sentence.
    pub meaning: &'static str,
    /// Whose stage it is.
    pub part: Part,
}

/// All features, in the order in which a [`crate::Ranker`] gets their values.
pub fn features() -> impl ExactSizeIterator<Item = Feature> {
    UNITS.iter().map(|unit| Feature { name: unit.name(), meaning: unit.says(), part: unit.part() })
}

pub(crate) const COUNT: usize = UNITS.len();

/// The first two are fused; see [`crate::search`].
pub(crate) const BM25: usize = 0;
pub(crate) const DENSE: usize = 1;
/// Needs a walk of its own, which nobody takes who does not ask for it.
pub(crate) fn is_walked(feature: usize) -> bool {
    UNITS[feature].name() == graph::WALK
}

pub(crate) static UNITS: [&dyn Unit; 42] = [
    &words::Bm25,
    &vectors::Code,
    &vectors::Doc,
    &vectors::MaxSim,
    &vectors::Kind,
    &vectors::Cover,
    &words::FileBm25,
    &words::PathBm25,
    &names::CodeName,
    &names::PlainName,
    &names::Qualified,
    &names::Scope,
    &names::NameWords,
    &names::ScopeWords,
    &names::Stem,
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
    &facts::Documented,
    &facts::Reexported,
    &facts::Central,
    &history::Recent,
    &history::Alike,
    &graph::Callers,
    &graph::Callees,
    &graph::Types,
    &graph::Siblings,
    &graph::Coherence,
    &graph::Walked,
    &history::Together,
    &graph::Near,
];
