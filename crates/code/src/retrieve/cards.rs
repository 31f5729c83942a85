//! Search results as `--json` prints them.

use base::{EdgeKind, ItemId, ItemKind, SortedMap};
use graph::ItemView;
use search::{PathStep, StageReport};
use serde::Serialize;

use crate::CurrentMap;

/// Maximum number of lines of a preview.
const PREVIEW_LINES: usize = 12;

/// One search result, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HitCard {
    /// Rank, from 1.
    pub rank: usize,
    /// Stable id.
    pub id: ItemId,
    /// Readable key: `crates/io/src-lib.rs-Reader::read`.
    pub key: String,
    /// Canonical path: `package/target::module::Item`.
    pub canon: String,
    /// Item kind.
    pub kind: ItemKind,
    /// Signature as written, one line.
    pub signature: String,
    /// File, relative to the project.
    pub file: Option<String>,
    /// First line after doc comments and attributes, from 1.
    pub start_line: Option<u32>,
    /// Last line.
    pub end_line: Option<u32>,
    /// Final score; comparable only within one result.
    pub score: f64,
    /// Score by stage and, with `--explain`, by feature.
    pub scores: SortedMap<&'static str, f64>,
    /// Confidence of the map in the item, 0 to 1.
    pub confidence: f64,
    /// Edges that lead to the item from the focus or from another result; empty if the item matched
    /// by itself.
    pub path: Vec<StepCard>,
    /// First lines of the code, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// Item number in the map of this result.
    #[serde(skip)]
    pub item: u32,
}

/// One edge of a path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepCard {
    /// Canonical path of the first item.
    pub from: String,
    /// Canonical path of the second item.
    pub to: String,
    /// Kind of the edge.
    pub kind: EdgeKind,
    /// Whether the edge points from the second item to the first.
    pub is_backward: bool,
}

/// One stage of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageCard {
    /// Name of the stage.
    pub name: &'static str,
    /// Number of candidates after the stage.
    pub candidates: usize,
    /// Reason why the stage did not run.
    pub skipped: Option<&'static str>,
    /// Duration in microseconds.
    pub took_us: Option<u64>,
    /// Item numbers after the stage, best first, with `--explain`.
    #[serde(skip)]
    pub order: Vec<u32>,
}

/// One feature of the scorer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeatureCard {
    /// Name, as in a result's scores.
    pub name: &'static str,
    /// Description, one sentence.
    #[serde(rename = "says")]
    pub meaning: &'static str,
    /// Weight in the score.
    pub weight: f64,
}

impl From<StageReport> for StageCard {
    fn from(report: StageReport) -> Self {
        Self {
            name: report.name,
            candidates: report.candidates,
            skipped: report.skipped_because.map(search::Skipped::as_str),
            took_us: report.took_us,
            order: report.order,
        }
    }
}

/// Rank and scores of a result.
pub(super) struct Ranked<'a> {
    pub(super) rank: usize,
    pub(super) score: f32,
    pub(super) scores: &'a SortedMap<&'static str, f32>,
    pub(super) path: &'a [PathStep],
}

/// The result for an item.
pub(super) fn hit(
    current: &CurrentMap<'_>,
    item: &ItemView<'_>,
    ranked: &Ranked<'_>,
    preview: bool,
) -> HitCard {
    let card = current.card(item);
    let canon = |number: u32| current.map().item(number).map(|it| it.canon()).unwrap_or_default();
    let step = |step: &PathStep| StepCard {
        from: canon(step.from),
        to: canon(step.to),
        kind: step.kind,
        is_backward: step.is_backward,
    };
    HitCard {
        rank: ranked.rank,
        id: card.id,
        key: card.key,
        canon: card.canon,
        kind: card.kind,
        signature: card.signature,
        file: card.file,
        start_line: card.start_line,
        end_line: card.end_line,
        score: rounded(ranked.score),
        scores: ranked.scores.iter().map(|(name, score)| (*name, rounded(*score))).collect(),
        confidence: card.confidence,
        path: ranked.path.iter().map(step).collect(),
        preview: preview.then(|| first_lines(current, item)),
        item: item.number,
    }
}

/// Rounds to four decimal places; the rest of a score is noise.
fn rounded(score: f32) -> f64 {
    (f64::from(score) * 1e4).round() / 1e4
}

fn first_lines(current: &CurrentMap<'_>, item: &ItemView<'_>) -> String {
    let code = current.slice(item, item.code_start, item.span.1);
    let mut lines: Vec<&str> = code.lines().take(PREVIEW_LINES).collect();
    let all = code.lines().count();
    if all > PREVIEW_LINES {
        lines.push("…");
    }
    lines.join("\n")
}
