//! [`RankedHits`]: the hits of a search, with scores, paths and a report of the stages.

use base::SortedMap;

use crate::query::QueryKind;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedHits {
    /// Items, best first.
    pub hits: Vec<Hit>,
    /// Files, best first, without duplicates.
    pub files: Vec<FileHit>,
    /// Stages in order, run or skipped.
    pub stages: Vec<StageReport>,
    /// Detected kind of the query text.
    pub kind: QueryKind,
    /// Whether every requested stage ran on the whole index.
    pub complete: bool,
}

/// One item found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Item number in the map.
    pub item: u32,
    /// File number in the map.
    pub file: u32,
    /// Rank, from 1.
    pub rank: usize,
    /// Final score; comparable within one answer only.
    pub score: f32,
    /// Scores by stage and, with explanations, by feature.
    pub scores: SortedMap<&'static str, f32>,
    /// Path in the graph from the focus, or from the hit whose neighbour it is; empty where it was
    /// found directly.
    pub path: Vec<PathStep>,
}

/// One edge of a path in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// Item where the step starts.
    pub from: u32,
    /// Item where the step ends.
    pub to: u32,
    /// Kind of the edge.
    pub kind: base::EdgeKind,
    /// Whether the edge points in the opposite direction.
    pub is_backward: bool,
}

/// One file found.
#[derive(Clone, Debug, PartialEq)]
pub struct FileHit {
    /// File number in the map.
    pub file: u32,
    /// Rank, from 1.
    pub rank: usize,
    /// Final score; comparable within one answer only.
    pub score: f32,
    /// Parts of the score, by name.
    pub scores: SortedMap<&'static str, f32>,
}

/// The report of one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageReport {
    /// Name.
    pub name: &'static str,
    /// Number of candidates after the stage.
    pub candidates: usize,
    /// Why it was skipped; `None` where it ran.
    pub skipped_because: Option<Skipped>,
    /// Duration in microseconds, where the searcher has a clock.
    pub took_us: Option<u64>,
    /// Items after the stage, best first, if the query asked for explanations; for the analysis of
    /// missed targets.
    pub order: Vec<u32>,
}

/// Why a stage was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// It is switched off in the query.
    SwitchedOff,
    /// There is no encoder, or the index has no vectors of this encoder.
    NoVectors,
    /// There is no encoder.
    NoEncoder,
    /// There is no reranker.
    NoReranker,
    /// The reranker failed.
    NoAnswer,
    /// The model that computes query vectors failed.
    Unread,
    /// The query contains nothing that the stage could use.
    NothingToDo,
    /// Index and map are of different states.
    Stale,
}

impl Skipped {
    /// A message, as a fragment.
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
