//! Computes the scores of a suite from the results of its cases: shares, means over groups, counts.

use std::path::PathBuf;

use base::SortedMap;
use serde::{Deserialize, Serialize};

use crate::CaseResult;

/// What a run prints: the scores of a suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// `A_localise`, `B_doc2item`, `C_breakfix`, `D_rustfix`, `E_error_index`, `F_receivers`.
    pub suite: String,
    /// Number of cases that were run or already finished.
    pub cases: usize,
    /// Share of cases by metric (from 0 to 1); `violations` and `wrong` are counts, `diff_ratio` is
    /// a mean over the answers that build.
    pub score: SortedMap<String, f64>,
    /// Values of the deletion-only baseline; empty if it was not run.
    pub deletion: SortedMap<String, f64>,
    /// Mean of `score` over the groups of `by`; empty if groups overlap.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub mean_of_groups: SortedMap<String, f64>,
    /// Values over the cases with reliable labels, if not all are.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub without_weak: SortedMap<String, f64>,
    /// Values of other methods, by name.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub beside: SortedMap<String, SortedMap<String, f64>>,
    /// Values of `score` by group.
    pub by: SortedMap<String, SortedMap<String, f64>>,
    /// Number of cases by outcome.
    pub outcomes: SortedMap<String, usize>,
    /// Number of candidates that the product checked in all cases.
    pub candidates: usize,
    /// CPU time of this process and all its children in this run, without results that were already
    /// finished.
    pub cpu_ms: u64,
    /// CPU time of the compilers and tests of the grading.
    pub grading_cpu_ms: u64,
    /// Wall-clock time of this run.
    pub wall_ms: u64,
    /// Number of cases taken from an earlier run.
    pub resumed: usize,
    /// Path of the readable report.
    pub report: PathBuf,
}

/// Metrics that are counted rather than averaged.
const COUNTS: [&str; 2] = ["violations", "wrong"];

/// Shares, means and counts of `metrics` over `results`.
pub(crate) fn score<'r>(
    results: impl Iterator<Item = &'r SortedMap<String, f64>>,
) -> SortedMap<String, f64> {
    let mut sums: SortedMap<&str, (f64, usize)> = SortedMap::new();
    for metrics in results {
        for (name, value) in metrics {
            let (sum, count) = sums.entry(name).or_default();
            *sum += value;
            *count += 1;
        }
    }
    sums.into_iter()
        .map(|(name, (sum, count))| {
            let value = if COUNTS.contains(&name) { sum } else { sum / count as f64 };
            (name.to_owned(), (value * 1e4).round() / 1e4)
        })
        .collect()
}

/// `score` for each group.
pub(crate) fn by_group(results: &[CaseResult]) -> SortedMap<String, SortedMap<String, f64>> {
    let mut groups: SortedMap<&str, Vec<&SortedMap<String, f64>>> = SortedMap::new();
    for result in results {
        for group in &result.groups {
            groups.entry(group).or_default().push(&result.metrics);
        }
    }
    groups
        .into_iter()
        .map(|(group, metrics)| (group.to_owned(), score(metrics.into_iter())))
        .collect()
}

/// The mean of each metric over the groups, with equal weights.
pub(crate) fn mean_of_groups(
    by: &SortedMap<String, SortedMap<String, f64>>,
) -> SortedMap<String, f64> {
    score(by.values())
}

/// Number of results by outcome.
pub(crate) fn outcomes(results: &[CaseResult]) -> SortedMap<String, usize> {
    let mut counts = SortedMap::new();
    for result in results {
        *counts.entry(result.outcome.clone()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(groups: &[&str], metrics: &[(&str, f64)]) -> CaseResult {
        CaseResult {
            groups: groups.iter().map(|group| (*group).to_owned()).collect(),
            metrics: metrics.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
            ..CaseResult::default()
        }
    }

    #[test]
    fn shares_are_over_the_cases_that_have_the_metric_and_violations_are_counted() {
        let results = [
            result(&["a"], &[("build", 1.0), ("diff_ratio", 3.0), ("violations", 1.0)]),
            result(&["a", "b"], &[("build", 0.0), ("violations", 1.0)]),
            result(&["b"], &[("build", 0.0), ("violations", 0.0)]),
        ];
        let total = score(results.iter().map(|result| &result.metrics));
        assert_eq!(total["build"], 0.3333);
        assert_eq!(total["diff_ratio"], 3.0);
        assert_eq!(total["violations"], 2.0);
        let by = by_group(&results);
        assert_eq!(by["a"]["build"], 0.5);
        assert!(!by["b"].contains_key("diff_ratio"));
    }
}
