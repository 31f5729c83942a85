use std::sync::Arc;
use std::time::Instant;

use base::Ctx;
use graph::Map;
use search::{
    Answer, AnswerCache, Encoder, Intent, Mode, Past, Query, Rerank, SearchIndex, Searcher, Stages,
    Weights,
};
use serde::Serialize;

use super::cards::{self, FeatureCard, HitCard, Ranked, StageCard};
use super::focus::focus;
use super::texts::FileTexts;
use crate::{Error, Fresh, Workspace};

/// What to look for, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    /// Words, a name, an error, a stack trace, a diff, a commit message.
    pub query: String,
    /// So many hits at most.
    pub k: usize,
    /// What for; `None`: the compromise.
    pub intent: Option<Intent>,
    /// What is ranked.
    pub by: By,
    /// Which sides of the index are asked.
    pub mode: Mode,
    /// A file, a folder or an item: only what is near to it.
    pub focus: Option<String>,
    /// Say what every stage and feature gave.
    pub explain: bool,
    /// Show the first lines of each hit.
    pub preview: bool,
}

impl SearchRequest {
    /// For items, by words and vectors.
    pub fn new(query: impl Into<String>, k: usize) -> Self {
        Self {
            query: query.into(),
            k,
            intent: None,
            by: By::Item,
            mode: Mode::Hybrid,
            focus: None,
            explain: false,
            preview: false,
        }
    }
}

/// What a search ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// Items.
    #[default]
    Item,
    /// Files, by their items and their words.
    File,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SearchAnswer {
    /// Best first.
    pub hits: Vec<HitCard>,
    /// Every wanted stage ran over the whole index.
    pub complete: bool,
    /// Why the order is not the best that was chosen: a reranker that gave no answer, say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// How long the search took, the index being there.
    pub took_us: u64,
    /// What the stages did, where explained.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageCard>,
    /// What the features say and count, where explained.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<FeatureCard>,
}

/// A project opened for searching: map and search index, both true to the files.
pub struct Finder<'a> {
    pub(super) fresh: Fresh<'a>,
    index: SearchIndex,
    encoder: Option<Arc<dyn Encoder>>,
    weights: [(Option<Intent>, Option<Weights>); 3],
    stages: Stages,
    reranker: Option<Box<dyn Rerank>>,
    /// Why something that was chosen has no say.
    left_out: Option<String>,
    past: Option<Past>,
    answers: AnswerCache,
}

/// How often a tree that changes under us is looked at again.
const TRIES: usize = 3;

impl<'a> Finder<'a> {
    /// Brings map and search index up to date and opens them.
    pub fn open(ctx: &Ctx, workspace: &'a Workspace) -> Result<Self, Error> {
        let settings = &workspace.settings().search;
        let encoder = super::encoder::open_encoder(workspace)?;
        let weights = [None, Some(Intent::Find), Some(Intent::Locate)]
            .map(|intent| settings.own_weights(intent).map(|weights| (intent, weights)));
        let [mixed, find, locate] = weights;
        let weights = [mixed?, find?, locate?];
        let mut tries = 1;
        loop {
            let fresh = Fresh::open(ctx, workspace)?;
            match fresh.index().retrieval(ctx, encoder.as_deref()) {
                Ok(made) => {
                    let (index, stages) = (made.index, settings.stages);
                    let answers = AnswerCache::default();
                    let (reranker, without_reranker) = super::reranker::open_reranker(workspace)?;
                    let (past, without_past) = super::past::open_past(ctx, workspace, fresh.map())?;
                    return Ok(Self {
                        fresh,
                        index,
                        encoder,
                        weights,
                        stages,
                        reranker,
                        left_out: without_reranker.or(without_past),
                        past,
                        answers,
                    });
                }
                // A file was saved between the two looks at it.
                Err(ingest::IngestError::Changed { .. }) if tries < TRIES => tries += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The map.
    pub fn map(&self) -> &Map {
        self.fresh.map()
    }

    /// The search index.
    pub fn index(&self) -> &SearchIndex {
        &self.index
    }

    /// Ranks items or files.
    pub fn search(&self, ctx: &Ctx, request: &SearchRequest) -> Result<SearchAnswer, Error> {
        let query = self.query(request, self.stages)?;
        let (answer, took_us) = self.ask(ctx, &query)?;
        let map = self.map();
        let hits = match request.by {
            By::Item => answer
                .hits
                .iter()
                .filter_map(|hit| {
                    let ranked = Ranked {
                        rank: hit.rank,
                        score: hit.score,
                        scores: &hit.scores,
                        path: &hit.path,
                    };
                    Some(cards::hit(&self.fresh, &map.item(hit.item)?, &ranked, request.preview))
                })
                .collect(),
            By::File => answer
                .files
                .iter()
                .filter_map(|hit| {
                    let ranked =
                        Ranked { rank: hit.rank, score: hit.score, scores: &hit.scores, path: &[] };
                    // A file's own item is the first of its items.
                    let item = map.item(map.items_of_file(hit.file).start)?;
                    Some(cards::hit(&self.fresh, &item, &ranked, request.preview))
                })
                .collect(),
        };
        let mut found = SearchAnswer {
            hits,
            complete: answer.complete,
            degraded: self.degraded(&answer),
            took_us,
            ..SearchAnswer::default()
        };
        if request.explain {
            found.stages = answer.stages.iter().cloned().map(StageCard::from).collect();
            found.features = self.features(request.intent, answer.kind);
        }
        Ok(found)
    }

    /// The answer as the search room gives it: items and files by their numbers in the map.
    pub fn answer(&self, ctx: &Ctx, request: &SearchRequest) -> Result<Arc<Answer>, Error> {
        let query = self.query(request, self.stages)?;
        Ok(self.ask(ctx, &query)?.0)
    }

    /// The question in the terms of the search room.
    pub(super) fn query(&self, request: &SearchRequest, stages: Stages) -> Result<Query, Error> {
        let focus = request.focus.as_deref().map(|text| focus(self.map(), text)).transpose()?;
        Ok(Query {
            intent: request.intent,
            mode: request.mode,
            focus,
            stages,
            explain: request.explain,
            ..Query::new(request.query.clone(), request.k)
        })
    }

    /// What the settings let run.
    pub(super) fn stages(&self) -> Stages {
        self.stages
    }

    pub(super) fn ask(&self, ctx: &Ctx, query: &Query) -> Result<(Arc<Answer>, u64), Error> {
        ctx.check_cancelled()?;
        let began = Instant::now();
        let clock = || began.elapsed().as_micros() as u64;
        let texts = self.texts();
        let weights = self.weights.iter().find(|(intent, _)| *intent == query.intent);
        let searcher = Searcher {
            encoder: self.encoder.as_deref(),
            weights: weights.and_then(|(_, weights)| weights.as_ref()),
            rerank: self.reranker.as_deref(),
            past: self.past.as_ref(),
            texts: Some(&texts),
            clock: Some(&clock),
            ..Searcher::new(self.map(), &self.index)
        };
        let epoch = self.map().epoch();
        let answer = self.answers.answer(epoch, query, || searcher.search(query));
        Ok((answer, clock()))
    }

    /// Why something that was chosen had no say in an answer.
    pub(super) fn degraded(&self, answer: &Answer) -> Option<String> {
        let is_unanswered = |stage: &search::StageReport| {
            stage.name == "rerank" && stage.skipped_because == Some(search::Skipped::NoAnswer)
        };
        let trouble = || {
            let trouble = self.reranker.as_ref().and_then(|reranker| reranker.trouble());
            trouble.unwrap_or_else(|| search::Skipped::NoAnswer.as_str().to_owned())
        };
        let unanswered = answer.stages.iter().any(is_unanswered).then(trouble);
        unanswered.or_else(|| self.left_out.clone())
    }

    pub(super) fn texts(&self) -> FileTexts<'_> {
        FileTexts::new(self.map(), self.fresh.workspace().project().root())
    }

    /// How many questions came, and how many of them were answered already.
    pub fn asked_and_found(&self) -> (u64, u64) {
        self.answers.asked_and_found()
    }

    fn features(&self, intent: Option<Intent>, kind: search::QueryKind) -> Vec<FeatureCard> {
        let own = self.weights.iter().find(|(own, _)| *own == intent);
        let own = own.and_then(|(_, weights)| weights.as_ref());
        let weights = own.unwrap_or_else(|| Weights::for_kind(kind, intent));
        let weight = |name: &str| f64::from(weights.get(name));
        let features = search::features();
        features
            .map(|it| FeatureCard { name: it.name, says: it.says, weight: weight(it.name) })
            .collect()
    }
}
