//! [`Searcher`]: runs the stages of a search in sequence and reports each.

mod candidates;
mod choose;
mod order;

use crate::analyse::Analysis;
use crate::answer::{RankedHits, Skipped, StageReport};
use crate::encoder::Encoder;
use crate::features::{COUNT, Candidate, Context, NamedItems, PlacedItems, Words};
use crate::focus::Nearness;
use crate::index::{SearchIndex, TermEntry};
use crate::lexical;
use crate::pack::Texts;
use crate::past::{HistoryIndex, HistoryScores};
use crate::query::{Mode, Query};
use crate::ranker::Ranker;
use crate::rerank::Rerank;
use crate::scratch::Scratch;
use crate::vectors::RowSet;
use crate::weights::Weights;

pub(crate) use order::RECIPROCAL;

/// An index and everything that a search can use in addition.
#[derive(Clone, Copy)]
pub struct Searcher<'a> {
    /// Map that the index was built from.
    pub map: &'a graph::Map,
    /// Search index.
    pub index: &'a SearchIndex,
    /// Encoder of query vectors, also used for query expansion.
    pub encoder: Option<&'a dyn Encoder>,
    /// Ranker that replaces the linear scorer.
    pub ranker: Option<&'a dyn Ranker>,
    /// Reranker of the best candidates.
    pub rerank: Option<&'a dyn Rerank>,
    /// Weights of the linear scorer; `None`: the embedded ones for the query's intent and kind.
    pub weights: Option<&'a Weights>,
    /// Commit history of the project.
    pub past: Option<&'a HistoryIndex>,
    /// Texts of files, for the reranker.
    pub texts: Option<&'a dyn Texts>,
    /// Clock in microseconds since any moment, to time the stages.
    pub clock: Option<&'a (dyn Fn() -> u64 + Sync)>,
}

impl<'a> Searcher<'a> {
    /// A searcher with lexical and graph stages and the embedded weights.
    pub fn new(map: &'a graph::Map, index: &'a SearchIndex) -> Self {
        Self {
            map,
            index,
            encoder: None,
            ranker: None,
            rerank: None,
            weights: None,
            past: None,
            texts: None,
            clock: None,
        }
    }

    /// Runs a query.
    pub fn search(&self, query: &Query) -> RankedHits {
        let weights = self.weights.unwrap_or_else(|| {
            Weights::for_kind(crate::analyse::kind_of(&query.text), query.intent)
        });
        let mut scratch =
            self.index.pool.take(self.index.document_count(), self.index.file_count());
        let mut run = Run {
            searcher: self,
            query,
            weights,
            reports: Vec::new(),
            since: self.clock.map(|clock| clock()),
            is_complete: true,
        };
        let answer = run.answer(&mut scratch);
        self.index.pool.give_back(scratch);
        answer
    }
}

/// The state of one running search.
struct Run<'r, 'a> {
    searcher: &'r Searcher<'a>,
    query: &'r Query,
    weights: &'r Weights,
    reports: Vec<StageReport>,
    since: Option<u64>,
    is_complete: bool,
}

/// The candidates with their feature values and scores.
struct CandidateSet<'c> {
    all: Vec<Candidate<'c>>,
    /// Candidate documents, as a set.
    known: RowSet,
    /// Raw values by feature and candidate; empty for a feature that was not computed.
    raw: Vec<Vec<f32>>,
    /// Scale by feature: a value counts times its scale.
    scales: [f32; COUNT],
    /// Score by candidate.
    scores: Vec<f32>,
    /// Indices into `all`, best first.
    order: Vec<usize>,
}

impl Run<'_, '_> {
    fn answer(&mut self, scratch: &mut Scratch) -> RankedHits {
        let (searcher, query) = (self.searcher, self.query);
        let (map, index) = (searcher.map, searcher.index);
        let analysis = Analysis::of(&query.text);
        if index.epoch() != map.epoch() {
            self.is_complete = false;
            self.skip("map", Skipped::Stale);
        }
        let nearness = query.focus.as_ref().and_then(|focus| Nearness::of(map, focus));
        let entries: Vec<Option<TermEntry>> =
            analysis.terms.iter().map(|(term, _)| index.term(term)).collect();
        let terms = self.terms(&analysis, &entries);
        lexical::score_items(index, &terms, scratch);
        if query.stages.files {
            lexical::score_files(index, &terms, scratch);
        }
        let mut field = CandidateSet::new(scratch);
        let mut context = Context {
            map,
            index,
            analysis: &analysis,
            own_idf: entries
                .iter()
                .flatten()
                .map(|entry| lexical::idf(index.document_count(), entry.in_bodies))
                .collect(),
            history: HistoryScores::of(searcher.past, &analysis.terms),
            own_terms: entries.iter().flatten().map(|entry| entry.number).collect(),
            words: Words::new(scratch),
            dense: None,
            named: NamedItems::default(),
            placed: PlacedItems::default(),
            nearness,
            neighbourhood: None,
        };
        self.by_words(&context, &mut field);
        self.by_vectors(&mut context, &entries, &mut field);
        self.by_spelling(&mut context, &mut field);
        self.fuse(&context, &mut field);
        self.by_graph(&mut context, &mut field);
        self.rank(&context, &mut field);
        self.rerank(&mut field);
        let files = self.files(&context, &field);
        let order = self.diversify(&field);
        let hits = self.hits(&context, &field, &order);
        (scratch.values, scratch.known) = (field.raw, field.known);
        RankedHits {
            hits,
            files,
            stages: std::mem::take(&mut self.reports),
            kind: analysis.kind,
            complete: self.is_complete,
        }
    }

    /// The terms to look up in the index.
    fn terms(&mut self, analysis: &Analysis, entries: &[Option<TermEntry>]) -> Vec<lexical::Term> {
        if self.query.mode == Mode::Dense {
            return Vec::new();
        }
        let expand = match self.searcher.encoder {
            _ if !self.query.stages.expansion || self.query.mode == Mode::Bm25 => {
                Err(Skipped::SwitchedOff)
            }
            None => Err(Skipped::NoEncoder),
            Some(encoder) => Ok(encoder),
        };
        let terms = lexical::terms(self.searcher.index, analysis, entries, expand.ok());
        match expand {
            Ok(_) => self.report("expansion", terms.len(), Vec::new),
            Err(because) => self.skip("expansion", because),
        }
        terms
    }

    /// Reports that a stage ran; `order` is called only when the query asks for explanations.
    fn report(&mut self, name: &'static str, candidates: usize, order: impl FnOnce() -> Vec<u32>) {
        let now = self.searcher.clock.map(|clock| clock());
        let took_us = now.zip(self.since).map(|(now, since)| now.saturating_sub(since));
        self.since = now;
        let order = if self.query.explain { order() } else { Vec::new() };
        let skipped_because = None;
        self.reports.push(StageReport { name, candidates, skipped_because, took_us, order });
    }

    /// Reports that a stage was skipped.
    fn skip(&mut self, name: &'static str, because: Skipped) {
        // A stage that was not requested does not make the answer incomplete.
        if !matches!(because, Skipped::SwitchedOff | Skipped::NothingToDo) {
            self.is_complete &= matches!(because, Skipped::NoEncoder | Skipped::NoReranker);
        }
        self.reports.push(StageReport {
            name,
            candidates: 0,
            skipped_because: Some(because),
            took_us: None,
            order: Vec::new(),
        });
    }
}
