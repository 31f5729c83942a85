//! Files, ranked by their items and by their own words: the sum of `exp(score / T)` over their
//! candidates, which lets several good items count for more than one, but one excellent for more
//! than many poor ones; and BM25 of the whole file.

use std::collections::BTreeMap;

use crate::answer::FileHit;
use crate::features::Words;
use crate::index::SearchIndex;
use crate::weights::Weights;

/// Weights of the file ranking, beside those of features.
pub(crate) const WEIGHTS: &[&str] = &["files.items", "files.bm25", "files.temperature"];

/// The `most` best files: from the candidates' file numbers in the map and scores.
pub(crate) fn rank(
    index: &SearchIndex,
    words: Option<&Words<'_>>,
    weights: &Weights,
    candidates: impl Iterator<Item = (u32, f32)>,
    most: usize,
) -> Vec<FileHit> {
    let candidates: Vec<(u32, f32)> = candidates.collect();
    let max = candidates.iter().fold(f32::MIN_POSITIVE, |max, (_, score)| max.max(*score));
    let temperature = weights.get("files.temperature").max(0.01);
    let mut by_items: BTreeMap<u32, f32> = BTreeMap::new();
    for (file, score) in &candidates {
        let near = (score.max(0.0) / max - 1.0) / temperature;
        *by_items.entry(*file).or_default() += near.exp();
    }
    let best = by_items.values().fold(f32::MIN_POSITIVE, |max, sum| max.max(*sum));
    let mut files: BTreeMap<u32, FileHit> = BTreeMap::new();
    let mut add = |file: u32, name: &'static str, value: f32, weight: f32| {
        let hit = files.entry(file).or_insert_with(|| FileHit {
            file,
            rank: 0,
            score: 0.0,
            scores: BTreeMap::new(),
        });
        hit.score += weight * value;
        hit.scores.insert(name, value);
    };
    for (file, sum) in by_items {
        // The logarithm brings the sum back to the measure of scores.
        let value = (1.0 + temperature * (sum / best).ln()).max(0.0);
        add(file, "items", value, weights.get("files.items"));
    }
    if let Some(words) = words {
        for (place, _) in words.scratch.files.iter() {
            if let Some(file) = index.files().get(place as usize) {
                add(file, "bm25", words.file(place), weights.get("files.bm25"));
            }
        }
    }
    let mut files: Vec<FileHit> = files.into_values().collect();
    files.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
    files.truncate(most);
    for (at, file) in files.iter_mut().enumerate() {
        file.rank = at + 1;
    }
    files
}
