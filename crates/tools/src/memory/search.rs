//! `memory search`: episodes by intent, with whether what they are about is still there.

use base::{Ctx, ProjectPath, SortedMap, Timestamp};
use edit::{Files as _, Overlay};
use memory::{Episode, EpisodeItem, Episodes};
use project::Workspace;
use project::recorded;
use record::RunItem;
use serde::Serialize;

use super::episodes::Remembered;
use crate::Error;

/// Maximum number of items that are kept of a change.
const MOST_ITEMS: usize = 50;

/// Input of [`memory_search`].
#[derive(Clone, Debug, Default)]
pub struct MemoryRequest {
    /// The intent; empty: the newest ones.
    pub text: String,
    /// Maximum number of results.
    pub limit: usize,
}

/// Result of [`memory_search`], as `--json` prints it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MemoryAnswer {
    /// What fits, best first; of equal ones the newest.
    pub hits: Vec<MemoryHit>,
    /// Number of memories that were searched.
    pub searched: usize,
    /// Damage of the record.
    pub notes: Vec<String>,
}

/// Kind of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// A finished run or a proposal.
    Episode,
    /// An edit that was learned from accepted changes.
    Skill,
}

/// One memory that fits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoryHit {
    /// Its kind.
    pub kind: MemoryKind,
    /// Its id, which `memory forget` takes.
    pub id: String,
    /// It in one line.
    pub title: String,
    /// When it ended.
    pub at: Timestamp,
    /// The same as a date in UTC.
    pub date: String,
    /// Score; only its order has a meaning.
    pub score: f32,
    /// Whether none of its items is there any more.
    pub stale: bool,
    /// Those of its items that are gone.
    pub missing: Vec<EpisodeItem>,
    /// The episode.
    #[serde(flatten)]
    pub episode: Episode,
}

/// Finds what was done here before and what came of it.
///
/// # Errors
/// A record that cannot be read.
pub fn memory_search(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &MemoryRequest,
) -> Result<MemoryAnswer, Error> {
    let args = serde_json::json!({ "text_bytes": request.text.len(), "limit": request.limit });
    recorded(
        ctx,
        workspace,
        "memory search",
        args,
        || found(workspace, request),
        |it| serde_json::json!({ "hits": it.hits.len() }),
    )
}

fn found(workspace: &Workspace, request: &MemoryRequest) -> Result<MemoryAnswer, Error> {
    let remembered = Remembered::open(workspace)?;
    let episodes = Episodes::new(remembered.episodes());
    let mut present = PresentItems { workspace, files: SortedMap::new() };
    let hit = |it: memory::EpisodeHit<'_>| {
        let episode = it.episode.clone();
        let items = episode.items.iter();
        let missing: Vec<EpisodeItem> = items.filter(|it| !present.has(it)).cloned().collect();
        MemoryHit {
            kind: match remembered.skills.iter().any(|skill| skill.id == episode.id) {
                true => MemoryKind::Skill,
                false => MemoryKind::Episode,
            },
            id: episode.id.clone(),
            title: episode.title().to_owned(),
            at: episode.at,
            date: episode.at.date(),
            score: it.score.score,
            stale: !missing.is_empty() && missing.len() == episode.items.len(),
            missing,
            episode,
        }
    };
    let hits = episodes.search(&request.text, request.limit).into_iter().map(hit).collect();
    Ok(MemoryAnswer { hits, searched: episodes.all().count(), notes: remembered.notes })
}

/// The items that are in the tree, by file.
struct PresentItems<'a> {
    workspace: &'a Workspace,
    files: SortedMap<String, Vec<String>>,
}

impl PresentItems<'_> {
    fn has(&mut self, item: &EpisodeItem) -> bool {
        let workspace = self.workspace;
        let read = || {
            let path = ProjectPath::new(&item.file).ok()?;
            let text = workspace.project().read(&path).ok().flatten()?.text;
            Some(syntax::parse(&text).items.into_iter().map(|it| it.canon).collect())
        };
        let items =
            self.files.entry(item.file.clone()).or_insert_with(|| read().unwrap_or_default());
        items.contains(&item.path)
    }
}

/// The innermost items that a change touches, as they are before it, else after it: the first ones, by
/// file and position.
pub fn changed_items(overlay: &Overlay) -> Vec<RunItem> {
    let mut items: Vec<RunItem> = Vec::new();
    for (path, change) in overlay.changes().filter(|(path, _)| path.extension() == Some("rs")) {
        let before = syntax::parse(change.before_text());
        let mut touched: Vec<usize> = change
            .edit
            .splices
            .iter()
            .filter_map(|splice| syntax::item_at(&before, splice.span))
            .collect();
        touched.dedup();
        let canons = touched.into_iter().filter_map(|idx| before.items.get(idx));
        let mut paths: Vec<String> = canons.map(|it| it.canon.clone()).collect();
        if change.before.is_none() {
            paths.extend(syntax::parse(change.after_text()).items.into_iter().map(|it| it.canon));
        }
        let item = |it: String| RunItem { file: path.to_string(), path: it };
        items.extend(paths.into_iter().map(item));
    }
    items.truncate(MOST_ITEMS);
    items
}
