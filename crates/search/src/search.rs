//! The stages of a search, one after the other.

mod candidates;
mod choose;
mod order;

use crate::analyse::Analysis;
use crate::answer::{Answer, Skipped, StageReport};
use crate::encoder::Encoder;
use crate::features::{COUNT, Candidate, Context, NamedItems, PlacedItems, Words};
use crate::focus::Nearness;
use crate::index::{SearchIndex, TermEntry};
use crate::lexical;
use crate::pack::Texts;
use crate::past::{Past, Told};
use crate::query::{Mode, Query};
use crate::ranker::Ranker;
use crate::rerank::Rerank;
use crate::scratch::Scratch;
use crate::vectors::RowSet;
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
    /// In place of the linear scorer.
    pub ranker: Option<&'a dyn Ranker>,
    /// For the best candidates.
    pub rerank: Option<&'a dyn Rerank>,
    /// Of the linear scorer; `None`: those embedded for the query's intent and kind.
    pub weights: Option<&'a Weights>,
    /// What the project's commits say.
    pub past: Option<&'a Past>,
    /// What a reranker reads.
    pub texts: Option<&'a dyn Texts>,
    /// Microseconds since any moment; stages are timed by it.
    pub clock: Option<&'a (dyn Fn() -> u64 + Sync)>,
}

impl<'a> Searcher<'a> {
    /// Words and graph alone, embedded weights.
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

    /// Answers a query.
    pub fn search(&self, query: &Query) -> Answer {
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

/// One search on its way.
struct Run<'r, 'a> {
    searcher: &'r Searcher<'a>,
    query: &'r Query,
    weights: &'r Weights,
    reports: Vec<StageReport>,
    since: Option<u64>,
    is_complete: bool,
}

/// The candidates and what is known of them.
struct Field<'c> {
    all: Vec<Candidate<'c>>,
    /// Their documents: none comes twice.
    known: RowSet,
    /// By feature, of each candidate: values as they are; empty where nobody asked.
    raw: Vec<Vec<f32>>,
    /// By feature: values times these count.
    scales: [f32; COUNT],
    /// The sums that count.
    scores: Vec<f32>,
    /// Index in `all`, best first.
    order: Vec<usize>,
}

impl Run<'_, '_> {
    fn answer(&mut self, scratch: &mut Scratch) -> Answer {
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
        let mut field = Field::new(scratch);
        let mut context = Context {
            map,
            index,
            analysis: &analysis,
            own_idf: entries
                .iter()
                .flatten()
                .map(|entry| lexical::idf(index.document_count(), entry.in_bodies))
                .collect(),
            told: Told::of(searcher.past, &analysis.terms),
            walk: None,
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
        Answer {
            hits,
            files,
            stages: std::mem::take(&mut self.reports),
            kind: analysis.kind,
            complete: self.is_complete,
        }
    }

    /// The terms that the index is asked for.
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

    /// Says that a stage ran; `order` is asked for where the query wants explanations.
    fn report(&mut self, name: &'static str, candidates: usize, order: impl FnOnce() -> Vec<u32>) {
        let now = self.searcher.clock.map(|clock| clock());
        let took_us = now.zip(self.since).map(|(now, since)| now.saturating_sub(since));
        self.since = now;
        let order = if self.query.explain { order() } else { Vec::new() };
        let skipped_because = None;
        self.reports.push(StageReport { name, candidates, skipped_because, took_us, order });
    }

    /// Says that a stage did not run.
    fn skip(&mut self, name: &'static str, because: Skipped) {
        // What was not asked for does not make an answer incomplete.
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
