//! File ranking: the sum of `exp(score / T)` over the candidates of a file – several good items
//! count more than one, but one excellent item more than many poor ones – plus BM25 of the whole
//! file.

use std::collections::BTreeMap;

use crate::answer::FileHit;
use crate::by_number::ByNumber;
use crate::features::Words;
use crate::index::SearchIndex;
use crate::top::Top;
use crate::weights::Weights;

/// The `most` best files, from the file index and score of each candidate.
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
    let mut by_items: ByNumber<f32> = ByNumber::default();
    for (file, score) in &candidates {
        let near = (score.max(0.0) / max - 1.0) / temperature;
        *by_items.entry(*file, || 0.0) += near.exp();
    }
    let best = by_items.iter().fold(f32::MIN_POSITIVE, |max, (_, sum)| max.max(*sum));
    for sum in by_items.values_mut() {
        // The logarithm maps the sum to the scale of scores.
        *sum = (1.0 + temperature * (*sum / best).ln()).max(0.0);
    }
    let (item_weight, word_weight) = (weights.get("files.items"), weights.get("files.bm25"));
    let of_items = |file: u32| by_items.get(file).copied().unwrap_or(0.0);
    let of_words = |file: u32| words.map_or(0.0, |words| words.file(file));
    let mut top = Top::new(most);
    for (file, value) in by_items.iter() {
        top.push(file, item_weight * value + word_weight * of_words(file));
    }
    if let Some(file_words) = words {
        // An upper bound of the lexical score of a file, by one multiplication.
        let rough = word_weight.max(0.0) / file_words.max_file * 1.001;
        for (start, scores, greatest) in file_words.scratch.files.groups() {
            // Most files are below the threshold.
            if greatest * rough < top.least() {
                continue;
            }
            for (file, score) in (start..).zip(scores) {
                let worth = word_weight * file_words.file(file);
                if *score > 0.0 && worth >= top.least() && !by_items.contains(file) {
                    top.push(file, worth);
                }
            }
        }
    }
    let hit = |(at, (file, score)): (usize, (u32, f32))| {
        let scores = BTreeMap::from([("items", of_items(file)), ("bm25", of_words(file))]);
        Some(FileHit { file: index.files().get(file as usize)?, rank: at + 1, score, scores })
    };
    top.into_sorted().into_iter().enumerate().filter_map(hit).collect()
}
