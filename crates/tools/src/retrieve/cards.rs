use std::collections::BTreeMap;

use base::{EdgeKind, ItemId};
use graph::{ItemKind, ItemView};
use search::{PathStep, StageReport};
use serde::Serialize;

use crate::Fresh;

/// How many lines a preview has.
const PREVIEW: usize = 12;

/// One thing found, as answers show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HitCard {
    /// From 1.
    pub rank: usize,
    /// Its lasting id.
    pub id: ItemId,
    /// `crates/io/src-lib.rs-Reader::read`.
    pub key: String,
    /// `package/target::module::Item`.
    pub canon: String,
    /// What it is.
    pub kind: ItemKind,
    /// As written, in one line.
    pub signature: String,
    /// Its file.
    pub file: Option<String>,
    /// Where it begins, behind doc comments and attributes; from 1.
    pub start_line: Option<u32>,
    /// Its last line.
    pub end_line: Option<u32>,
    /// The final score; comparable within the answer only.
    pub score: f64,
    /// What each stage gave and, where explained, each feature.
    pub scores: BTreeMap<&'static str, f64>,
    /// How sure the map is of it: 0 to 1.
    pub confidence: f64,
    /// How the graph leads to it from the focus, or from the hit that brought it; empty where it
    /// was found by itself.
    pub path: Vec<StepCard>,
    /// Its first lines, where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// Its number in the map of this answer.
    #[serde(skip)]
    pub item: u32,
}

/// One step along an edge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepCard {
    /// From this item, by its canonical path …
    pub from: String,
    /// … to this one,
    pub to: String,
    /// along an edge of this kind.
    pub kind: EdgeKind,
    /// The edge points the other way.
    pub is_backward: bool,
}

/// What a stage of a search did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageCard {
    /// Its name.
    pub name: &'static str,
    /// How many candidates there were behind it.
    pub candidates: usize,
    /// Why it did not run.
    pub skipped: Option<&'static str>,
    /// How long it took.
    pub took_us: Option<u64>,
    /// Numbers of the items behind it, best first, where the search was asked to explain.
    #[serde(skip)]
    pub order: Vec<u32>,
}

/// What a feature is called and says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeatureCard {
    /// Its name, as in a hit's scores.
    pub name: &'static str,
    /// What it says, in one sentence.
    pub says: &'static str,
    /// What it counts.
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

/// What ranking says of a hit.
pub(super) struct Ranked<'a> {
    pub(super) rank: usize,
    pub(super) score: f32,
    pub(super) scores: &'a BTreeMap<&'static str, f32>,
    pub(super) path: &'a [PathStep],
}

/// The card of a hit.
pub(super) fn hit(
    fresh: &Fresh<'_>,
    item: &ItemView<'_>,
    ranked: &Ranked<'_>,
    preview: bool,
) -> HitCard {
    let card = fresh.card(item);
    let canon = |number: u32| fresh.map().item(number).map(|it| it.canon()).unwrap_or_default();
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
        preview: preview.then(|| first_lines(fresh, item)),
        item: item.number,
    }
}

/// Four digits say all that a score says.
fn rounded(score: f32) -> f64 {
    (f64::from(score) * 1e4).round() / 1e4
}

fn first_lines(fresh: &Fresh<'_>, item: &ItemView<'_>) -> String {
    let code = fresh.slice(item, item.code_start, item.span.1);
    let mut lines: Vec<&str> = code.lines().take(PREVIEW).collect();
    let all = code.lines().count();
    if all > PREVIEW {
        lines.push("…");
    }
    lines.join("\n")
}
