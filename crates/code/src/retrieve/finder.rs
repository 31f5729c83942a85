//! Searches in an open project: map, search index, encoder, weights and reranker.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Ctx, LogEntry, WorkLog};
use graph::Map;
use project::{ProjectError, Workspace};
use search::{Intent, Mode, Query, RankedHits, SearchIndex, Searcher, Stages, Weights};
use serde::Serialize;

use super::cards::{self, FeatureCard, HitCard, Ranked, StageCard};
use super::focus::parse_focus;
use super::parts::{FinderParts, PartsMaker};
use crate::live::LiveMap;
use crate::{CodeError, CurrentMap};

/// Input of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    /// Query: a description, a name, an error, a stack trace, a diff, a commit message.
    pub query: String,
    /// Maximum number of results.
    pub k: usize,
    /// Purpose of the query; `None`: mixed weights.
    pub intent: Option<Intent>,
    /// Unit of the results.
    pub by: SearchUnit,
    /// Parts of the index in use: terms, vectors or both.
    pub mode: Mode,
    /// File, directory or item: only results near it.
    pub focus: Option<String>,
    /// Whether to report the score of every stage and feature.
    pub explain: bool,
    /// Whether to return the first lines of each result.
    pub preview: bool,
}

impl SearchRequest {
    /// A request for items with terms and vectors.
    pub fn new(query: impl Into<String>, k: usize) -> Self {
        Self {
            query: query.into(),
            k,
            intent: None,
            by: SearchUnit::Item,
            mode: Mode::Hybrid,
            focus: None,
            explain: false,
            preview: false,
        }
    }
}

/// Unit of search results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchUnit {
    /// Items such as functions and types.
    #[default]
    Item,
    /// Files, ranked by their items and terms.
    File,
}

/// Result of a search, as `--json` prints it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SearchAnswer {
    /// Results, best first.
    pub hits: Vec<HitCard>,
    /// Whether every enabled stage ran on the whole index.
    pub complete: bool,
    /// Reason why a configured ranking stage is missing, such as a reranker that did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// Duration in microseconds, without index updates.
    pub took_us: u64,
    /// Files that were saved after the searched state, which a background thread is reading; `.`
    /// where it may be any file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<String>,
    /// Whether the ranking is that of an earlier call.
    #[serde(skip)]
    pub cached: bool,
    /// Stages, with `--explain`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageCard>,
    /// What the query was taken for, with `--explain`: a name, a path, a question ….
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Features, with `--explain`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<FeatureCard>,
}

/// A project opened for searches: map and search index, both up to date with the files.
pub struct Finder<'a> {
    pub(super) current: CurrentMap<'a>,
    parts: Arc<FinderParts>,
}

/// Maximum number of attempts if files change between the two index updates.
const MAX_ATTEMPTS: usize = 3;

impl<'a> Finder<'a> {
    /// Updates map and search index and opens them.
    ///
    /// # Errors
    /// A map that cannot be updated, or a model that cannot be loaded.
    pub fn open(ctx: &Ctx, workspace: &'a Workspace) -> Result<Self, CodeError> {
        let mut attempt = 1;
        loop {
            match Self::open_once(ctx, workspace) {
                // A file was saved between the two updates.
                Err(CodeError::Project(ProjectError::Ingest(ingest::IngestError::Changed {
                    ..
                }))) if attempt < MAX_ATTEMPTS => {}
                opened => return opened,
            }
            attempt += 1;
        }
    }

    /// In a workspace that is kept current: the present files if they can be searched within `limit`, else
    /// the newest state that can, which is without the files that were saved in the last moment
    /// ([`Finder::pending`]).
    ///
    /// # Errors
    /// As [`Finder::open`], before the first search.
    pub fn open_within(
        ctx: &Ctx,
        workspace: &'a Workspace,
        limit: Duration,
    ) -> Result<Self, CodeError> {
        match LiveMap::of(workspace).and_then(|live| live.newest_within(limit)) {
            Some((shared, parts)) => {
                Ok(Self { current: CurrentMap::of_snapshot(workspace, shared), parts })
            }
            None => Self::open(ctx, workspace),
        }
    }

    fn open_once(ctx: &Ctx, workspace: &'a Workspace) -> Result<Self, CodeError> {
        if let Some(live) = LiveMap::of(workspace) {
            let (shared, parts) = live.searchable(ctx, workspace)?;
            return Ok(Self { current: CurrentMap::of_snapshot(workspace, shared), parts });
        }
        let current = CurrentMap::open(ctx, workspace)?;
        let parts = {
            let index = current.index();
            let mut maker = PartsMaker::new(&index);
            let parts = maker.parts(ctx, workspace, current.map(), Some(&index))?;
            maker.write(ctx)?;
            parts
        };
        Ok(Self { current, parts: Arc::new(parts) })
    }

    /// The files that were saved after the map was made, by path; `.` where it may be any.
    pub fn pending(&self) -> Vec<String> {
        let workspace = self.current.workspace();
        let live = LiveMap::of(workspace);
        live.map(|live| live.pending(workspace, self.map())).unwrap_or_default()
    }

    /// The map.
    pub fn map(&self) -> &Map {
        self.current.map()
    }

    /// The search index.
    pub fn index(&self) -> &SearchIndex {
        &self.parts.index
    }

    /// Ranks items or files.
    ///
    /// # Errors
    /// A focus without an item, or an interrupt by the user.
    pub fn search(&self, ctx: &Ctx, request: &SearchRequest) -> Result<SearchAnswer, CodeError> {
        let query = self.query(request, self.parts.rankers.stages)?;
        let (answer, took_us, cached) = self.run(ctx, &query)?;
        let map = self.map();
        let hits = match request.by {
            SearchUnit::Item => self
                .with_exact(&request.query, &answer.hits, request.k)
                .iter()
                .filter_map(|hit| {
                    let ranked = Ranked {
                        rank: hit.rank,
                        score: hit.score,
                        scores: &hit.scores,
                        path: &hit.path,
                    };
                    Some(cards::hit(&self.current, &map.item(hit.item)?, &ranked, request.preview))
                })
                .collect(),
            SearchUnit::File => answer
                .files
                .iter()
                .filter_map(|hit| {
                    let ranked =
                        Ranked { rank: hit.rank, score: hit.score, scores: &hit.scores, path: &[] };
                    // A file's own item is the first of its items.
                    let item = map.item(map.items_of_file(hit.file).start)?;
                    Some(cards::hit(&self.current, &item, &ranked, request.preview))
                })
                .collect(),
        };
        let mut found = SearchAnswer {
            hits,
            complete: answer.complete,
            degraded: self.degraded(&answer),
            took_us,
            cached,
            pending: self.pending(),
            ..SearchAnswer::default()
        };
        if request.explain {
            found.stages = answer.stages.iter().cloned().map(StageCard::from).collect();
            found.kind = Some(answer.kind.as_str());
            found.features = self.features(request, answer.kind);
        }
        Ok(found)
    }

    /// At most `most` hits, those first that contain the query as it is.
    fn with_exact(&self, query: &str, hits: &[search::Hit], most: usize) -> Vec<search::Hit> {
        let exact = self.exact(query);
        let best = hits.iter().map(|it| it.score).fold(0.0, f32::max);
        let first = exact.iter().filter_map(|number| {
            let known = hits.iter().find(|it| it.item == *number);
            let mut hit = known.cloned().unwrap_or(search::Hit {
                item: *number,
                file: self.map().item(*number)?.file,
                rank: 0,
                score: best,
                scores: base::SortedMap::new(),
                path: Vec::new(),
            });
            hit.scores.insert("exact_text", 1.0);
            Some(hit)
        });
        let rest = hits.iter().filter(|it| !exact.contains(&it.item)).cloned();
        let all = first.chain(rest).take(most.max(hits.len()));
        all.enumerate().map(|(nth, hit)| search::Hit { rank: nth + 1, ..hit }).collect()
    }

    /// The result as the crate `search` returns it: items and files by their numbers in the map.
    ///
    /// # Errors
    /// As [`Finder::search`].
    pub fn answer(&self, ctx: &Ctx, request: &SearchRequest) -> Result<Arc<RankedHits>, CodeError> {
        let query = self.query(request, self.parts.rankers.stages)?;
        Ok(self.run(ctx, &query)?.0)
    }

    /// The request as a query of the crate `search`.
    pub(super) fn query(
        &self,
        request: &SearchRequest,
        stages: Stages,
    ) -> Result<Query, CodeError> {
        let focus =
            request.focus.as_deref().map(|text| parse_focus(self.map(), text)).transpose()?;
        Ok(Query {
            intent: request.intent,
            mode: request.mode,
            focus,
            stages,
            by_file: request.by == SearchUnit::File,
            explain: request.explain,
            ..Query::new(request.query.clone(), request.k)
        })
    }

    /// The stages that the settings enable.
    pub(super) fn stages(&self) -> Stages {
        self.parts.rankers.stages
    }

    pub(super) fn run(
        &self,
        ctx: &Ctx,
        query: &Query,
    ) -> Result<(Arc<RankedHits>, u64, bool), CodeError> {
        ctx.check_cancelled()?;
        let began = Instant::now();
        let clock = || began.elapsed().as_micros() as u64;
        let weights = self.parts.rankers.weights.iter().find(|(intent, _)| *intent == query.intent);
        let searcher = Searcher {
            encoder: self.parts.rankers.encoder.as_deref(),
            weights: weights.and_then(|(_, weights)| weights.as_ref()),
            rerank: self.parts.rankers.reranker.as_deref(),
            past: self.parts.past.as_deref(),
            texts: Some(&self.current),
            clock: Some(&clock),
            ..Searcher::new(self.map(), &self.parts.index)
        };
        let epoch = self.map().epoch();
        let mut is_cached = true;
        let answer = self.parts.answers.answer(epoch, query, || {
            is_cached = false;
            searcher.search(query)
        });
        if let Some(log) = ctx.log() {
            log_answer(&*log, &answer, (clock(), is_cached));
        }
        Ok((answer, clock(), is_cached))
    }

    /// Reason why a configured ranking stage is missing from a result.
    pub(super) fn degraded(&self, answer: &RankedHits) -> Option<String> {
        let is_unanswered = |stage: &search::StageReport| {
            stage.name == "rerank" && stage.skipped_because == Some(search::Skipped::NoAnswer)
        };
        let reason = || {
            let reason =
                self.parts.rankers.reranker.as_ref().and_then(|reranker| reranker.trouble());
            reason.unwrap_or_else(|| search::Skipped::NoAnswer.as_str().to_owned())
        };
        let unanswered = answer.stages.iter().any(is_unanswered).then(reason);
        unanswered.or_else(|| self.parts.skipped.clone())
    }

    fn features(&self, request: &SearchRequest, kind: search::QueryKind) -> Vec<FeatureCard> {
        let intent = request.intent;
        let custom = self.parts.rankers.weights.iter().find(|(known, _)| *known == intent);
        let custom = custom.and_then(|(_, weights)| weights.as_ref());
        let weights = custom.unwrap_or_else(|| Weights::for_kind(kind, intent));
        let card = |it: search::Feature, weight: &str| FeatureCard {
            name: it.name,
            meaning: it.meaning,
            weight: f64::from(weights.get(weight)),
        };
        match request.by {
            SearchUnit::Item => search::features().map(|it| card(it, it.name)).collect(),
            SearchUnit::File => {
                search::file_features().map(|it| card(it, &format!("files.{}", it.name))).collect()
            }
        }
    }
}

/// The entries of an answer: each stage that ran, then the whole.
fn log_answer(log: &dyn WorkLog, answer: &RankedHits, (micros, is_cached): (u64, bool)) {
    let entry = |detail: &str, micros, candidates: usize| {
        let numbers = [("candidates", candidates as u64), ("cached", is_cached.into())];
        log.finished(&LogEntry { name: "search", detail, micros, numbers: &numbers });
    };
    for stage in answer.stages.iter().filter(|it| !is_cached && it.skipped_because.is_none()) {
        entry(stage.name, stage.took_us.unwrap_or(0), stage.candidates);
    }
    entry("answer", micros, answer.hits.len());
}
