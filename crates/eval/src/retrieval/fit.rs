//! Fits the linear scorer: the probability that a candidate is the target is the soft-max of its
//! score over all candidates of the query; gradient steps from a fixed start find the weights that
//! make the targets of the training queries most probable, so that the same suites give the same
//! weights. Reported figures are never of a repository that was trained on.

use std::collections::{BTreeMap, BTreeSet};

use search::Weights;
use serde::Serialize;

use super::metrics::scores;

/// One query with its candidates.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Example {
    /// Id of the case.
    pub(super) id: String,
    /// Repository or crate, left out as a whole.
    pub(super) group: String,
    /// `raw` or `masked`.
    pub(super) variant: &'static str,
    /// Names of the candidates.
    pub(super) names: Vec<String>,
    /// Values of all features, one row per candidate.
    pub(super) rows: Vec<Vec<f32>>,
    /// Targets that each candidate hits.
    pub(super) hits: Vec<BTreeSet<usize>>,
    /// Number of targets, found or not.
    pub(super) targets: usize,
    /// Index in `files` of each candidate's file.
    pub(super) file_of: Vec<usize>,
    /// For each file the score of its own text, and the target files that it hits.
    pub(super) files: Vec<(f32, BTreeSet<usize>)>,
    /// Number of target files; 0 if files are not ranked.
    pub(super) target_files: usize,
}

/// Parameters of fitting.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    /// Number of gradient steps.
    pub(super) steps: usize,
    /// Penalty for leaving the start.
    pub(super) pull: f32,
    /// Factor of the start's weights, which makes scores sharper.
    pub(super) sharpness: f32,
}

pub(super) const RECIPE: Recipe = Recipe { steps: 400, pull: 0.002, sharpness: 8.0 };
/// Learning rate.
const RATE: f32 = 0.05;
/// Decay rates of the moments (Adam).
const MOMENTS: (f32, f32) = (0.9, 0.999);

/// Fits weights to the examples from `start`, with equal weights for all groups.
pub(super) fn fit(examples: &[&Example], start: &[f32], recipe: Recipe) -> Vec<f32> {
    let anchor: Vec<f32> = start.iter().map(|weight| weight * recipe.sharpness).collect();
    let mut weights = anchor.clone();
    let mut sizes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for example in examples {
        *sizes.entry((&example.group, example.variant)).or_default() += 1;
    }
    let groups = sizes.len().max(1) as f32;
    let (mut mean, mut square) = (vec![0.0; start.len()], vec![0.0; start.len()]);
    for step in 1..=recipe.steps {
        let mut gradient: Vec<f32> =
            weights.iter().zip(&anchor).map(|(own, start)| recipe.pull * (own - start)).collect();
        for example in examples {
            let of_group = sizes.get(&(example.group.as_str(), example.variant)).copied();
            let share = 1.0 / (groups * of_group.unwrap_or(1) as f32);
            descend(example, &weights, share, &mut gradient);
        }
        let progress = step as f32 / recipe.steps as f32;
        let rate = RATE * (1.0 - progress) + RATE * 0.02;
        for at in 0..weights.len() {
            mean[at] = MOMENTS.0 * mean[at] + (1.0 - MOMENTS.0) * gradient[at];
            square[at] = MOMENTS.1 * square[at] + (1.0 - MOMENTS.1) * gradient[at] * gradient[at];
            let unbiased = mean[at] / (1.0 - MOMENTS.0.powi(step as i32));
            let size = (square[at] / (1.0 - MOMENTS.1.powi(step as i32))).sqrt();
            weights[at] -= rate * unbiased / (size + 1e-6);
        }
    }
    weights.iter().map(|weight| weight / recipe.sharpness).collect()
}

/// Adds the gradient of one query's loss.
fn descend(example: &Example, weights: &[f32], share: f32, gradient: &mut [f32]) {
    let gold = example.hits.iter().filter(|hits| !hits.is_empty()).count();
    if gold == 0 {
        return;
    }
    let sums: Vec<f32> = example.rows.iter().map(|row| dot(row, weights)).collect();
    let max = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let parts: Vec<f32> = sums.iter().map(|sum| (sum - max).exp()).collect();
    let all: f32 = parts.iter().sum();
    for ((row, part), hits) in example.rows.iter().zip(&parts).zip(&example.hits) {
        let wanted = if hits.is_empty() { 0.0 } else { 1.0 / gold as f32 };
        let slope = share * (part / all - wanted);
        for (place, value) in gradient.iter_mut().zip(row) {
            *place += slope * value;
        }
    }
}

fn dot(row: &[f32], weights: &[f32]) -> f32 {
    row.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

/// The means of the metrics over groups with given weights; named as in a suite's scores.
pub(super) fn mean_metrics(
    examples: &[&Example],
    weights_of: &dyn Fn(&Example) -> Vec<f32>,
    files: FileWeights,
) -> BTreeMap<String, f64> {
    type Sums = (BTreeMap<String, f64>, usize);
    let mut by: BTreeMap<(String, &str), Sums> = BTreeMap::new();
    for example in examples {
        let weights = weights_of(example);
        let sums: Vec<f32> = example.rows.iter().map(|row| dot(row, &weights)).collect();
        let mut order: Vec<usize> = (0..sums.len()).collect();
        order.sort_by(|a, b| sums[*b].total_cmp(&sums[*a]).then(a.cmp(b)));
        let hits: Vec<BTreeSet<usize>> =
            order.iter().take(10).map(|at| example.hits[*at].clone()).collect();
        let (sum, count) = by.entry((example.group.clone(), example.variant)).or_default();
        *count += 1;
        for (name, value) in scores(&hits, example.targets) {
            *sum.entry(format!("{name}.item.{}", example.variant)).or_default() += value;
        }
        if example.target_files > 0 {
            let hits = files.rank(example, &sums);
            for (name, value) in scores(&hits, example.target_files) {
                *sum.entry(format!("{name}.file.{}", example.variant)).or_default() += value;
            }
        }
    }
    let mut means: BTreeMap<String, (f64, usize)> = BTreeMap::new();
    for (sums, count) in by.values() {
        for (name, sum) in sums {
            let mean = means.entry(name.clone()).or_default();
            *mean = (mean.0 + sum / *count as f64, mean.1 + 1);
        }
    }
    let mean = |(sum, count): (f64, usize)| (sum / count as f64 * 1e4).round() / 1e4;
    means.into_iter().map(|(name, it)| (name, mean(it))).collect()
}

/// How files are ranked, as in the product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FileWeights {
    pub(super) items: f32,
    pub(super) bm25: f32,
    pub(super) temperature: f32,
}

impl FileWeights {
    pub(super) fn of(weights: &Weights) -> Self {
        Self {
            items: weights.get("files.items"),
            bm25: weights.get("files.bm25"),
            temperature: weights.get("files.temperature").max(0.01),
        }
    }

    pub(super) fn put(self, weights: &mut Weights) {
        weights.set("files.items", self.items);
        weights.set("files.bm25", self.bm25);
        weights.set("files.temperature", self.temperature);
    }

    /// The targets that the first ten files hit.
    fn rank(self, example: &Example, sums: &[f32]) -> Vec<BTreeSet<usize>> {
        let max = sums.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        let mut by_items = vec![0.0f32; example.files.len()];
        for (file, sum) in example.file_of.iter().zip(sums) {
            by_items[*file] += ((sum.max(0.0) / max - 1.0) / self.temperature).exp();
        }
        let best = by_items.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        let score = |at: usize| {
            let items = match by_items[at] {
                sum if sum > 0.0 => (1.0 + self.temperature * (sum / best).ln()).max(0.0),
                _ => 0.0,
            };
            self.items * items + self.bm25 * example.files[at].0
        };
        let mut order: Vec<(usize, f32)> =
            (0..example.files.len()).map(|at| (at, score(at))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        order.into_iter().take(10).map(|(at, _)| example.files[at].1.clone()).collect()
    }

    /// The weights of a small grid with the best mean rank of the first target file: of the
    /// measures of files this one changes with every rank, so it is the least noisy.
    pub(super) fn best(
        examples: &[&Example],
        weights_of: &dyn Fn(&Example) -> Vec<f32>,
        start: Self,
    ) -> Self {
        let worth = |files: Self| {
            let means = mean_metrics(examples, weights_of, files);
            let is_mean = |name: &String| name.starts_with("mrr@10.file.");
            means.iter().filter(|(name, _)| is_mean(name)).map(|(_, value)| value).sum::<f64>()
        };
        let mut best = (worth(start), start);
        for bm25 in [0.1, 0.15, 0.25, 0.4, 0.6, 0.9] {
            for temperature in [0.05, 0.1, 0.15, 0.2, 0.3] {
                let files = Self { items: 1.0, bm25, temperature };
                let worth = worth(files);
                if worth > best.0 {
                    best = (worth, files);
                }
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(group: &str, gold: usize) -> Example {
        // The first feature identifies the target, the second is noise.
        let row = |at: usize| vec![f32::from(u8::from(at == gold)), (at % 3) as f32 / 3.0];
        Example {
            id: String::new(),
            group: group.to_owned(),
            variant: "raw",
            names: Vec::new(),
            rows: (0..20).map(row).collect(),
            hits: (0..20).map(|at| (at == gold).then_some(0).into_iter().collect()).collect(),
            targets: 1,
            file_of: (0..20).map(|at| at / 10).collect(),
            files: vec![
                (0.0, (gold < 10).then_some(0).into_iter().collect()),
                (0.1, (gold >= 10).then_some(0).into_iter().collect()),
            ],
            target_files: 1,
        }
    }

    #[test]
    fn the_feature_that_identifies_the_target_gets_the_weight() {
        let examples: Vec<Example> = (0..8).map(|n| example(["a", "b"][n % 2], n * 2)).collect();
        let examples: Vec<&Example> = examples.iter().collect();
        let files = FileWeights { items: 1.0, bm25: 0.1, temperature: 0.1 };
        let start = [0.0, 0.3];
        let before = mean_metrics(&examples, &|_| start.to_vec(), files);
        let fitted = fit(&examples, &start, RECIPE);
        assert!(fitted[0] > 0.3 && fitted[1] < 0.3, "{fitted:?}");
        let after = mean_metrics(&examples, &|_| fitted.clone(), files);
        assert!(before["acc@1.item.raw"] < 1.0);
        assert_eq!((after["acc@1.item.raw"], after["acc@1.file.raw"]), (1.0, 1.0));
        assert_eq!(fitted, fit(&examples, &start, RECIPE), "the same again");
    }
}
