use crate::answer::Answer;
use crate::encoder::Encoder;
use crate::index::SearchIndex;
use crate::pack::Texts;
use crate::query::{Query, QueryKind};
use crate::rerank::Rerank;
use crate::weights::Weights;

/// Asks an index, with all that may help.
#[derive(Clone, Copy)]
pub struct Searcher<'a> {
    /// The map that the index was made from.
    pub map: &'a graph::Map,
    /// The index.
    pub index: &'a SearchIndex,
    /// For the vectors of queries and for expansion.
    pub encoder: Option<&'a dyn Encoder>,
    /// For the best candidates.
    pub rerank: Option<&'a dyn Rerank>,
    /// Of the linear scorer; `None`: those embedded for the query's intent.
    pub weights: Option<&'a Weights>,
    /// What a reranker reads.
    pub texts: Option<&'a dyn Texts>,
    /// Microseconds since any moment; stages are timed by it.
    pub clock: Option<&'a (dyn Fn() -> u64 + Sync)>,
}

impl<'a> Searcher<'a> {
    /// Words and graph alone, embedded weights.
    pub fn new(map: &'a graph::Map, index: &'a SearchIndex) -> Self {
        Self { map, index, encoder: None, rerank: None, weights: None, texts: None, clock: None }
    }

    /// Answers a query.
    pub fn search(&self, _query: &Query) -> Answer {
        Answer {
            hits: Vec::new(),
            files: Vec::new(),
            stages: Vec::new(),
            kind: QueryKind::Prose,
            complete: true,
        }
    }
}
