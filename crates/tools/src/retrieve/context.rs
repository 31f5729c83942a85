use base::Ctx;
use search::{Detail, Intent, Mode, PackRequest, Stages, UpperBound, pack};
use serde::Serialize;

use super::cards::{self, HitCard, Ranked};
use super::{By, Finder, SearchRequest};
use crate::Error;

/// What to pack for which task.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextRequest {
    /// What is to be done: an issue, an error, a wish.
    pub task: String,
    /// So many tokens at most, reserve included.
    pub budget: usize,
    /// Left free for what else the prompt holds.
    pub reserve: usize,
    /// What the task's text is for.
    pub intent: Option<Intent>,
    /// A file, a folder or an item: only what is near to it.
    pub focus: Option<String>,
}

impl ContextRequest {
    /// For a task that says what must change.
    pub fn new(task: impl Into<String>, budget: usize) -> Self {
        Self { task: task.into(), budget, reserve: 0, intent: Some(Intent::Locate), focus: None }
    }
}

/// What was packed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ContextAnswer {
    /// To hand to a model.
    pub text: String,
    /// What the text counts, never more than the budget less the reserve.
    pub tokens: usize,
    /// What was allowed.
    pub budget: usize,
    /// What the text is made of, in its order.
    pub snippets: Vec<SnippetCard>,
    /// Every wanted stage ran over the whole index.
    pub complete: bool,
    /// Why the order is not the best that was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// How long it took, the index being there.
    pub took_us: u64,
}

/// One item of a packed text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SnippetCard {
    /// What it is of.
    #[serde(flatten)]
    pub hit: HitCard,
    /// How much of it is shown.
    pub detail: &'static str,
    /// What its piece counts; 0 where it stands in the piece of another.
    pub tokens: usize,
    /// First line of what is shown, from 1.
    pub shown_start_line: u32,
    /// Last line of what is shown.
    pub shown_end_line: u32,
    /// As `detail`, to compare.
    #[serde(skip)]
    pub level: Detail,
}

/// The packer chooses among so many.
const HITS: usize = 60;

impl Finder<'_> {
    /// Packs what a task needs to know.
    pub fn context(&self, ctx: &Ctx, request: &ContextRequest) -> Result<ContextAnswer, Error> {
        let search = SearchRequest {
            intent: request.intent,
            by: By::Item,
            mode: Mode::Hybrid,
            focus: request.focus.clone(),
            ..SearchRequest::new(request.task.clone(), HITS)
        };
        let stages = Stages { mmr: Stages::CONTEXT.mmr, ..self.stages() };
        let query = self.query(&search, stages)?;
        let (answer, searched_us) = self.ask(ctx, &query)?;
        let began = std::time::Instant::now();
        let texts = self.texts();
        let packed = pack(&PackRequest {
            map: self.map(),
            hits: &answer.hits,
            texts: &texts,
            counter: &UpperBound,
            budget: request.budget,
            reserve: request.reserve,
        });
        let snippets = packed.snippets.iter().filter_map(|snippet| {
            let hit = answer.hits.get(snippet.hit)?;
            let ranked =
                Ranked { rank: hit.rank, score: hit.score, scores: &hit.scores, path: &hit.path };
            let item = self.map().item(hit.item)?;
            Some(SnippetCard {
                hit: cards::hit(&self.fresh, &item, &ranked, false),
                detail: snippet.detail.as_str(),
                tokens: snippet.tokens,
                shown_start_line: snippet.start_line,
                shown_end_line: snippet.end_line,
                level: snippet.detail,
            })
        });
        Ok(ContextAnswer {
            snippets: snippets.collect(),
            text: packed.text,
            tokens: packed.tokens,
            budget: request.budget,
            complete: answer.complete,
            degraded: self.degraded(&answer),
            took_us: searched_us + began.elapsed().as_micros() as u64,
        })
    }
}
