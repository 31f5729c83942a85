//! Packs search results into a token budget.

use base::Ctx;
use search::{Detail, Intent, Mode, PackRequest, Stages, UpperBound, pack};
use serde::Serialize;

use super::cards::{self, HitCard, Ranked};
use super::{Finder, SearchRequest, SearchUnit};
use crate::CodeError;

/// Input of `context`.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextRequest {
    /// Text of the task: an issue, an error, a request.
    pub task: String,
    /// Maximum number of tokens, reserve included.
    pub budget: usize,
    /// Tokens of the budget that stay free for the rest of the prompt.
    pub reserve: usize,
    /// Purpose of the text; `None`: mixed.
    pub intent: Option<Intent>,
    /// File, directory or item: only results near it.
    pub focus: Option<String>,
}

impl ContextRequest {
    /// A request for a task that describes a change.
    pub fn new(task: impl Into<String>, budget: usize) -> Self {
        Self { task: task.into(), budget, reserve: 0, intent: Some(Intent::Locate), focus: None }
    }
}

/// Result of `context`, as `--json` prints it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ContextAnswer {
    /// Packed text for a model.
    pub text: String,
    /// Tokens of the text; at most the budget minus the reserve.
    pub tokens: usize,
    /// Budget of the request.
    pub budget: usize,
    /// Parts of the text, in order.
    pub snippets: Vec<SnippetCard>,
    /// Whether every enabled stage ran on the whole index.
    pub complete: bool,
    /// Reason why a configured ranking stage is missing, such as a reranker that did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// Files that were saved after the packed state; `.` where it may be any file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<String>,
    /// Duration in microseconds, without index updates.
    pub took_us: u64,
    /// Whether the ranking is that of an earlier call.
    #[serde(skip)]
    pub cached: bool,
}

/// One part of a packed text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SnippetCard {
    /// The item.
    #[serde(flatten)]
    pub hit: HitCard,
    /// Role, by which the text is ordered: `asked`, `used`, `caller` or `test`.
    pub role: &'static str,
    /// Reason why it is in the text, as in its comment.
    pub reason: String,
    /// Level of detail.
    pub detail: &'static str,
    /// Tokens of the part; 0 if it is inside another part.
    pub tokens: usize,
    /// First shown line, from 1.
    pub shown_start_line: u32,
    /// Last shown line.
    pub shown_end_line: u32,
    /// `detail` as a type that can be compared.
    #[serde(skip)]
    pub level: Detail,
}

/// Number of search results that the packer chooses from.
const CANDIDATES: usize = 60;

impl Finder<'_> {
    /// Packs the relevant code of a task.
    ///
    /// # Errors
    /// A focus without an item, or an interrupt by the user.
    pub fn context(&self, ctx: &Ctx, request: &ContextRequest) -> Result<ContextAnswer, CodeError> {
        let search = SearchRequest {
            intent: request.intent,
            by: SearchUnit::Item,
            mode: Mode::Hybrid,
            focus: request.focus.clone(),
            ..SearchRequest::new(request.task.clone(), CANDIDATES)
        };
        let stages = Stages { mmr: Stages::CONTEXT.mmr, ..self.stages() };
        let query = self.query(&search, stages)?;
        let (answer, searched_us, cached) = self.run(ctx, &query)?;
        let began = std::time::Instant::now();
        let packed = pack(&PackRequest {
            task: &request.task,
            map: self.map(),
            hits: &answer.hits,
            texts: &self.current,
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
                hit: cards::hit(&self.current, &item, &ranked, false),
                role: snippet.role.as_str(),
                reason: snippet.reason.clone(),
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
            pending: self.pending(),
            cached,
            took_us: searched_us + began.elapsed().as_micros() as u64,
        })
    }
}
