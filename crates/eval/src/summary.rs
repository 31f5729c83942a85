use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::CaseResult;

/// What a run prints: the scores of a suite.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// `A_localise`, `B_doc2item`, `C_breakfix`, `D_rustfix`, `E_error_index`, `F_receivers`.
    pub suite: String,
    /// How many cases were run or found finished.
    pub cases: usize,
    /// Share of cases by metric (from 0 to 1); `violations` and `wrong` are counts, `diff_ratio` a mean over
    /// the answers that build.
    pub score: BTreeMap<String, f64>,
    /// The same of the fixer that only deletes; empty where it was not run.
    pub deletion: BTreeMap<String, f64>,
    /// The same as `score`, as the mean over the groups of `by`; empty where groups overlap.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mean_of_groups: BTreeMap<String, f64>,
    /// The same over the cases whose labels can be trusted, where not all can.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub without_weak: BTreeMap<String, f64>,
    /// The same of other methods, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub beside: BTreeMap<String, BTreeMap<String, f64>>,
    /// The same as `score` by group.
    pub by: BTreeMap<String, BTreeMap<String, f64>>,
    /// Cases by outcome.
    pub outcomes: BTreeMap<String, usize>,
    /// Candidates that the product proved, over all cases.
    pub candidates: usize,
    /// Of this process and all its children, over this run (results that were finished before
    /// cost nothing again).
    pub cpu_ms: u64,
    /// Of it, the grading's own compilers and tests.
    pub grading_cpu_ms: u64,
    /// From start to end of this run.
    pub wall_ms: u64,
    /// Cases taken over from an earlier run.
    pub resumed: usize,
    /// The readable report.
    pub report: PathBuf,
}

/// Metrics that are counted and not averaged.
const COUNTS: [&str; 2] = ["violations", "wrong"];

/// Shares, means and counts of `metrics` over `results`.
pub(crate) fn score<'r>(
    results: impl Iterator<Item = &'r BTreeMap<String, f64>>,
) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
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

/// `score` for each group that a result counts in.
pub(crate) fn by_group(results: &[CaseResult]) -> BTreeMap<String, BTreeMap<String, f64>> {
    let mut groups: BTreeMap<&str, Vec<&BTreeMap<String, f64>>> = BTreeMap::new();
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

/// The mean over groups of each metric, each group counting the same.
pub(crate) fn mean_of_groups(
    by: &BTreeMap<String, BTreeMap<String, f64>>,
) -> BTreeMap<String, f64> {
    score(by.values())
}

/// How many results ended in which way.
pub(crate) fn outcomes(results: &[CaseResult]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
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
