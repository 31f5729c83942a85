//! Queries with the features of their candidates, and the metrics of given weights on them.

use base::{SortedMap, SortedSet};

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
    pub(super) hits: Vec<SortedSet<usize>>,
    /// Number of targets, found or not.
    pub(super) targets: usize,
    /// Index in `files` of each candidate's file.
    pub(super) file_of: Vec<usize>,
    /// For each file the score of its own text, and the target files that it hits.
    pub(super) files: Vec<(f32, SortedSet<usize>)>,
    /// Number of target files; 0 if files are not ranked.
    pub(super) target_files: usize,
}

fn dot(row: &[f32], weights: &[f32]) -> f32 {
    row.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

/// The mean of each metric by group, named as in a suite's scores.
pub(super) type ByGroup = SortedMap<String, SortedMap<String, f64>>;

/// The means of the metrics over groups with given weights; named as in a suite's scores.
pub(super) fn mean_metrics(
    examples: &[&Example],
    weights_of: &dyn Fn(&Example) -> Vec<f32>,
    files: FileWeights,
) -> SortedMap<String, f64> {
    means(&group_metrics(examples, weights_of, files))
}

/// The means over groups.
pub(super) fn means(by: &ByGroup) -> SortedMap<String, f64> {
    let mean = |values: &SortedMap<String, f64>| {
        (values.values().sum::<f64>() / values.len().max(1) as f64 * 1e4).round() / 1e4
    };
    by.iter().map(|(name, values)| (name.clone(), mean(values))).collect()
}

/// The metrics of each group with given weights.
pub(super) fn group_metrics(
    examples: &[&Example],
    weights_of: &dyn Fn(&Example) -> Vec<f32>,
    files: FileWeights,
) -> ByGroup {
    type Sums = (SortedMap<String, f64>, usize);
    let mut by: SortedMap<(String, &str), Sums> = SortedMap::new();
    for example in examples {
        let weights = weights_of(example);
        let sums: Vec<f32> = example.rows.iter().map(|row| dot(row, &weights)).collect();
        let mut order: Vec<usize> = (0..sums.len()).collect();
        order.sort_by(|a, b| sums[*b].total_cmp(&sums[*a]).then(a.cmp(b)));
        let hits: Vec<SortedSet<usize>> =
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
    let mut metrics = ByGroup::new();
    for ((group, _), (sums, count)) in by {
        for (name, sum) in sums {
            metrics.entry(name).or_default().insert(group.clone(), sum / count as f64);
        }
    }
    metrics
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
    fn rank(self, example: &Example, sums: &[f32]) -> Vec<SortedSet<usize>> {
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
    use super::super::newton::{RECIPE, fit};
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
