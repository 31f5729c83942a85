//! Compares finished runs – of other reasoners, settings, models or builds – in one HTML page. Reads
//! `run.json` of each output folder; runs nothing.

mod page;

use std::path::{Path, PathBuf};

use base::{SortedMap, SortedSet};
use project::Settings;
use serde::{Deserialize, Serialize};

use crate::{CaseResult, EvalError, Summary};

/// Name of the file that a run leaves for comparisons.
const FILE: &str = "run.json";

/// A finished run: its settings, scores and cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecordedRun {
    /// Version and hash of the product.
    pub product: String,
    /// The settings that are not the default.
    pub settings: SortedMap<String, String>,
    /// The scores.
    pub summary: Summary,
    /// The cases.
    pub results: Vec<CaseResult>,
}

/// Finished runs of one suite, beside each other.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The suite.
    pub suite: String,
    /// One column for each run, in the order given; the first is what the others are compared with.
    pub runs: Vec<RunColumn>,
    /// Values of each metric, in the order of the runs.
    pub metrics: SortedMap<String, Vec<Option<f64>>>,
    /// The cases that do not have the same values in all runs.
    pub differing: Vec<DifferingCase>,
    /// The page, if it was written.
    pub page: Option<PathBuf>,
}

/// One run in a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct RunColumn {
    /// Name of its output folder.
    pub name: String,
    /// Version and hash of the product.
    pub product: String,
    /// The settings in which the runs differ.
    pub settings: SortedMap<String, String>,
    /// Number of cases.
    pub cases: usize,
    /// Number of cases by outcome.
    pub outcomes: SortedMap<String, usize>,
    /// Candidates that were checked.
    pub candidates: usize,
    /// Tokens of language models.
    pub tokens: u64,
    /// Their cost in US dollars.
    pub cost: f64,
    /// CPU time in milliseconds, without grading.
    pub cpu_ms: u64,
    /// Cases with a higher value of the first metric than in the first run, and with a lower one.
    pub better_worse: (usize, usize),
}

/// One case that the runs answer differently.
#[derive(Clone, Debug, Serialize)]
pub struct DifferingCase {
    /// Its id.
    pub id: String,
    /// Outcome and reason in each run; `None`: it was not run.
    pub answers: Vec<Option<CaseAnswer>>,
}

/// The answer of one run to a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseAnswer {
    /// The outcome.
    pub outcome: String,
    /// Values by metric.
    pub metrics: SortedMap<String, f64>,
    /// Why there is no repair.
    pub reason: Option<String>,
    /// The answer.
    pub diff: String,
}

/// Writes the record of a run for later comparisons.
pub(crate) fn record(
    out: &Path,
    product: &str,
    settings: &Settings,
    summary: &Summary,
    results: &[CaseResult],
) -> Result<(), EvalError> {
    let run = RecordedRun {
        product: product.to_owned(),
        settings: settings.changed().into_iter().collect(),
        summary: summary.clone(),
        results: results.to_vec(),
    };
    let path = out.join(FILE);
    let text = serde_json::to_string(&run)
        .map_err(|error| EvalError::io(&path, &std::io::Error::other(error)))?;
    std::fs::write(&path, text).map_err(|error| EvalError::io(&path, &error))
}

/// Compares the runs in these output folders; `page` is the HTML file to write.
///
/// # Errors
/// A folder without a finished run, or runs of different suites.
pub fn compare(folders: &[PathBuf], page: Option<&Path>) -> Result<Comparison, EvalError> {
    let mut runs = Vec::new();
    for folder in folders {
        let path = folder.join(FILE);
        let text = std::fs::read_to_string(&path).map_err(|error| EvalError::io(&path, &error))?;
        let run: RecordedRun = serde_json::from_str(&text)
            .map_err(|error| EvalError::io(&path, &std::io::Error::other(error)))?;
        let name = folder.file_name().map_or_else(
            || folder.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        );
        runs.push((name, run));
    }
    let mut comparison = Comparison::of(&runs)?;
    if let Some(path) = page {
        let text = page::html(&comparison);
        std::fs::write(path, text).map_err(|error| EvalError::io(path, &error))?;
        comparison.page = Some(path.to_path_buf());
    }
    Ok(comparison)
}

impl Comparison {
    fn of(runs: &[(String, RecordedRun)]) -> Result<Self, EvalError> {
        let Some((_, first)) = runs.first() else { return Err(EvalError::NothingToCompare) };
        let suite = first.summary.suite.clone();
        if let Some((name, other)) = runs.iter().find(|(_, it)| it.summary.suite != suite) {
            let other = other.summary.suite.clone();
            return Err(EvalError::OtherSuite { run: name.clone(), other, suite });
        }
        let names: SortedSet<&String> =
            runs.iter().flat_map(|(_, it)| it.summary.score.keys()).collect();
        let value = |run: &RecordedRun, name: &String| run.summary.score.get(name).copied();
        let metrics = names
            .into_iter()
            .map(|name| (name.clone(), runs.iter().map(|(_, run)| value(run, name)).collect()));
        let settings: SortedSet<&String> =
            runs.iter().flat_map(|(_, it)| it.settings.keys()).collect();
        let differing_settings: SortedSet<&String> = settings
            .into_iter()
            .filter(|key| {
                runs.iter().any(|(_, it)| it.settings.get(*key) != first.settings.get(*key))
            })
            .collect();
        let column = |(name, run): &(String, RecordedRun)| {
            let own = run.settings.iter().filter(|(key, _)| differing_settings.contains(key));
            RunColumn {
                name: name.clone(),
                product: run.product.clone(),
                settings: own.map(|(key, value)| (key.clone(), value.clone())).collect(),
                cases: run.summary.cases,
                outcomes: run.summary.outcomes.clone(),
                candidates: run.summary.candidates,
                tokens: run.results.iter().map(|it| it.tokens).sum(),
                cost: run.results.iter().map(|it| it.cost).sum(),
                cpu_ms: run.summary.cpu_ms.saturating_sub(run.summary.grading_cpu_ms),
                better_worse: better_worse(first, run),
            }
        };
        Ok(Self {
            suite,
            metrics: metrics.collect(),
            runs: runs.iter().map(column).collect(),
            differing: differing(runs),
            page: None,
        })
    }
}

/// The metric that shows whether a case was answered right.
const FIRST_METRICS: [&str; 6] =
    ["pass", "exact", "graded", "preserving", "mrr@10.item", "acc@10.item"];

fn better_worse(first: &RecordedRun, other: &RecordedRun) -> (usize, usize) {
    let metric = FIRST_METRICS.into_iter().find(|it| first.summary.score.contains_key(*it));
    let metric = metric.or_else(|| first.summary.score.keys().next().map(String::as_str));
    let Some(metric) = metric else { return (0, 0) };
    let before: SortedMap<&str, f64> = first
        .results
        .iter()
        .filter_map(|it| Some((it.id.as_str(), *it.metrics.get(metric)?)))
        .collect();
    let mut counts = (0, 0);
    for case in &other.results {
        let values = before.get(case.id.as_str()).zip(case.metrics.get(metric));
        counts.0 += usize::from(values.is_some_and(|(before, now)| now > before));
        counts.1 += usize::from(values.is_some_and(|(before, now)| now < before));
    }
    counts
}

/// The cases of which outcome or values differ, by id.
fn differing(runs: &[(String, RecordedRun)]) -> Vec<DifferingCase> {
    let mut cases: SortedMap<&str, Vec<Option<CaseAnswer>>> = SortedMap::new();
    for (nth, (_, run)) in runs.iter().enumerate() {
        for case in &run.results {
            let answers = cases.entry(&case.id).or_insert_with(|| vec![None; runs.len()]);
            answers[nth] = Some(CaseAnswer {
                outcome: case.outcome.clone(),
                metrics: case.metrics.clone(),
                reason: case.reason.clone(),
                diff: case.diff.clone(),
            });
        }
    }
    let key = |it: &Option<CaseAnswer>| {
        it.as_ref().map(|it| (it.outcome.clone(), format!("{:?}", it.metrics)))
    };
    cases
        .into_iter()
        .filter(|(_, answers)| answers.iter().any(|it| key(it) != key(&answers[0])))
        .map(|(id, answers)| DifferingCase { id: id.to_owned(), answers })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, settings: &[(&str, &str)], cases: &[(&str, f64)]) -> (String, RecordedRun) {
        let results: Vec<CaseResult> = cases
            .iter()
            .map(|(id, pass)| CaseResult {
                id: (*id).to_owned(),
                outcome: if *pass > 0.0 { "applied" } else { "none" }.to_owned(),
                metrics: SortedMap::from([("pass".to_owned(), *pass)]),
                reason: (*pass == 0.0).then(|| "<no> rule & no model".to_owned()),
                ..CaseResult::default()
            })
            .collect();
        let pass = cases.iter().map(|it| it.1).sum::<f64>() / cases.len() as f64;
        let summary = Summary {
            suite: "C_breakfix".to_owned(),
            cases: cases.len(),
            score: SortedMap::from([("pass".to_owned(), pass)]),
            outcomes: crate::summary::outcomes(&results),
            ..Summary::default()
        };
        let own = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let settings = settings.iter().map(own).collect();
        (name.to_owned(), RecordedRun { product: "1".to_owned(), settings, summary, results })
    }

    #[test]
    fn runs_are_compared_case_by_case_with_what_differs() {
        let both = ("check.tests", "all");
        let runs = [
            run("all", &[both], &[("a", 1.0), ("b", 1.0), ("c", 0.0)]),
            run(
                "compiler",
                &[both, ("fix.rules", "compiler")],
                &[("a", 1.0), ("b", 0.0), ("c", 0.0)],
            ),
        ];
        let found = Comparison::of(&runs).unwrap();
        assert_eq!(found.metrics["pass"].len(), 2);
        assert_eq!(found.runs[1].better_worse, (0, 1));
        assert_eq!(found.runs[1].settings.keys().collect::<Vec<_>>(), ["fix.rules"]);
        let ids: Vec<&str> = found.differing.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, ["b"]);
        let page = page::html(&found);
        assert!(
            page.contains("&lt;no&gt; rule &amp; no model") && !page.contains("<no>"),
            "{page}"
        );
    }

    #[test]
    fn runs_of_different_suites_are_not_compared() {
        let mut other = run("b", &[], &[("a", 1.0)]);
        other.1.summary.suite = "E_error_index".to_owned();
        let error = Comparison::of(&[run("a", &[], &[("a", 1.0)]), other]).unwrap_err();
        assert_eq!(error.to_string(), "`b` is a run of E_error_index, not of C_breakfix");
        assert!(Comparison::of(&[]).is_err());
    }
}
