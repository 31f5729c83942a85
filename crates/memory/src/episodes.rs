//! [`Episodes`]: what was done in a project and what came of it, found by intent.

use std::sync::Arc;

use base::{ContentHash, Timestamp};
use search::{Encoder, Passage, PassageHit, StaticTable, rank_passages};
use serde::Serialize;

/// Maximum number of episodes that are searched, the newest ones.
const MOST: usize = 2_000;
/// Maximum length of the text by which an episode is found, in bytes.
const LONGEST: usize = 16 << 10;

/// A finished run or a proposal.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Episode {
    /// Id of the run or the proposal.
    pub id: String,
    /// What was done: `fix`, `finish`, `task`, `refactor`, `upgrade`, or `edit` for a proposal.
    pub command: String,
    /// How it ended: `applied`, `proven`, `draft`, `none`, `clean`, `undone`, or the state of the proposal.
    pub outcome: String,
    /// The request as text; empty: to repair the errors.
    pub request: String,
    /// Errors of the tree before: code and message.
    pub errors: Vec<String>,
    /// Names of the rules or of the author that the change comes from.
    pub by: Vec<String>,
    /// Description of the change, one line per step.
    pub rationale: Vec<String>,
    /// The items that it touches, or in which the errors are.
    pub items: Vec<EpisodeItem>,
    /// The files that it touches.
    pub files: Vec<String>,
    /// Hash of the change.
    pub patch_set: Option<ContentHash>,
    /// Id of the change in the undo journal, once it was written.
    pub change: Option<String>,
    /// Unified diff.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub diff: String,
    /// Why there is no change.
    pub reason: String,
    /// Number of verified candidates.
    pub candidates: u64,
    /// Tokens of language models.
    pub tokens: u64,
    /// Cost in millionths of a dollar.
    pub micro_dollars: u64,
    /// Duration in milliseconds.
    pub wall_ms: u64,
    /// When it ended.
    pub at: Timestamp,
}

/// An item of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct EpisodeItem {
    /// File.
    pub file: String,
    /// Path of the item in the file.
    pub path: String,
}

impl Episode {
    /// It in one line: the request, else the first error, else the first line of the description.
    pub fn title(&self) -> &str {
        let lines = [self.request.lines().next(), self.errors.first().map(String::as_str)];
        let line = lines.into_iter().flatten().find(|line| !line.trim().is_empty());
        line.or(self.rationale.first().map(String::as_str)).unwrap_or_default()
    }

    /// The rest of the text by which it is found.
    fn body(&self) -> String {
        let mut parts: Vec<&str> = vec![&self.command, &self.outcome, &self.request];
        for list in [&self.errors, &self.by, &self.rationale, &self.files] {
            parts.extend(list.iter().map(String::as_str));
        }
        parts.extend(self.items.iter().map(|it| it.path.as_str()));
        parts.extend([self.reason.as_str(), self.diff.as_str()]);
        let mut text = parts.join("\n");
        text.truncate(text.floor_char_boundary(LONGEST));
        text
    }
}

/// An episode that fits an intent.
#[derive(Clone, Debug, PartialEq)]
pub struct EpisodeHit<'a> {
    /// The episode.
    pub episode: &'a Episode,
    /// Score and its parts.
    pub score: PassageHit,
}

/// The episodes of a project, ready to be searched.
pub struct Episodes {
    encoder: Arc<dyn Encoder>,
    /// Newest first.
    episodes: Vec<(Episode, Passage)>,
}

impl Episodes {
    /// The newest of these episodes. Vectors are those of the embedded encoder.
    pub fn new(mut episodes: Vec<Episode>) -> Self {
        let encoder: Arc<dyn Encoder> = Arc::new(StaticTable::embedded());
        episodes.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.id.cmp(&b.id)));
        episodes.truncate(MOST);
        let with_passage = |episode: Episode| {
            let passage = Passage::new(&*encoder, episode.title(), &episode.body());
            (episode, passage)
        };
        let episodes = episodes.into_iter().map(with_passage).collect();
        Self { encoder, episodes }
    }

    /// All episodes, newest first.
    pub fn all(&self) -> impl Iterator<Item = &Episode> {
        self.episodes.iter().map(|(episode, _)| episode)
    }

    /// The episodes that fit an intent, best first and of equal ones the newest, at most `limit`. Without
    /// an intent the newest ones.
    pub fn search(&self, intent: &str, limit: usize) -> Vec<EpisodeHit<'_>> {
        let hit = |score: PassageHit| {
            let (episode, _) = self.episodes.get(score.index)?;
            Some(EpisodeHit { episode, score })
        };
        if intent.trim().is_empty() {
            let none = |index| PassageHit { index, score: 0.0, title: 0.0, body: 0.0, cosine: 0.0 };
            return (0..self.episodes.len().min(limit)).map(none).filter_map(hit).collect();
        }
        let passages: Vec<&Passage> = self.episodes.iter().map(|(_, it)| it).collect();
        let ranked = rank_passages(&*self.encoder, &passages, intent, limit);
        ranked.into_iter().filter_map(hit).collect()
    }
}
