use std::collections::BTreeMap;

use crate::query::QueryKind;

/// What was found, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Items, best first.
    pub hits: Vec<Hit>,
    /// Files, best first; each once.
    pub files: Vec<FileHit>,
    /// What ran, in order, and what did not.
    pub stages: Vec<StageReport>,
    /// What the text was taken for.
    pub kind: QueryKind,
    /// Every wanted stage ran over the whole index.
    pub complete: bool,
}

/// One item found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Number in the map.
    pub item: u32,
    /// Number of its file in the map.
    pub file: u32,
    /// From 1.
    pub rank: usize,
    /// The final score; comparable within the answer only.
    pub score: f32,
    /// What each stage and, where explained, each feature gave, by name.
    pub scores: BTreeMap<&'static str, f32>,
    /// How the graph leads from the focus, or from the hit that brought it, to this one; empty
    /// where it was found by itself.
    pub path: Vec<PathStep>,
}

/// One step along an edge of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// From this item …
    pub from: u32,
    /// … to this one,
    pub to: u32,
    /// along an edge of this kind.
    pub kind: base::EdgeKind,
    /// The edge points the other way.
    pub is_backward: bool,
}

/// One file found.
#[derive(Clone, Debug, PartialEq)]
pub struct FileHit {
    /// Number in the map.
    pub file: u32,
    /// From 1.
    pub rank: usize,
    /// The final score; comparable within the answer only.
    pub score: f32,
    /// Its parts, by name.
    pub scores: BTreeMap<&'static str, f32>,
}

/// What a stage did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageReport {
    /// Its name.
    pub name: &'static str,
    /// How many candidates there were behind it.
    pub candidates: usize,
    /// Why it did not run.
    pub skipped_because: Option<Skipped>,
    /// How long it took, where the searcher has a clock.
    pub took_us: Option<u64>,
    /// The items behind it, best first, where the query asked to explain: what a diagnosis of a
    /// missed target reads.
    pub order: Vec<u32>,
}

/// Why a stage did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// The query switched it off.
    SwitchedOff,
    /// There is no encoder, or the index holds no vectors of this one.
    NoVectors,
    /// There is no encoder.
    NoEncoder,
    /// There is no reranker.
    NoReranker,
    /// The reranker gave no answer.
    NoAnswer,
    /// The model that makes vectors failed.
    Unread,
    /// The query has nothing that it could use.
    NothingToDo,
    /// The index is of another state of the map than the one at hand.
    Stale,
}

impl Skipped {
    /// In words, as a fragment.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SwitchedOff => "switched off",
            Self::NoVectors => "the index has no vectors of this encoder",
            Self::NoEncoder => "no encoder",
            Self::NoReranker => "no reranker",
            Self::NoAnswer => "the reranker gave no answer",
            Self::Unread => "the model could not read the query",
            Self::NothingToDo => "nothing to do",
            Self::Stale => "index and map are of different states",
        }
    }
}
