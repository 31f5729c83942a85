//! [`RepositoryResult`] and [`FleetReport`]: what came of a fleet.

use base::SortedMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Outcomes that are a success.
const GOOD: &[&str] = &["applied", "clean", "done", "passed", "proven"];

/// Whether an outcome is a success: no person has to look after it.
pub fn is_good(outcome: &str) -> bool {
    GOOD.contains(&outcome)
}

/// Result of a repository. It has nothing of the engine, the time or the attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepositoryResult {
    /// Name in the fleet.
    pub name: String,
    /// Outcome of the command (`proven`, `draft`, `none`, `clean`, `applied`, `asks`), or `passed`, `failed`, `done`
    /// (a command without one), `refused` (the input), `unable` (the environment), `stopped` (a limit), `lost` (its
    /// worker, at each attempt).
    pub outcome: String,
    /// Reason of what is no success.
    pub reason: Option<String>,
    /// The change, as a unified diff of git.
    pub patch: Option<String>,
    /// The document of the command without the patch and without times.
    pub evidence: Value,
}

impl RepositoryResult {
    /// A result without a document.
    pub(crate) fn without_document(outcome: &str, reason: String) -> Self {
        Self {
            name: String::new(),
            outcome: outcome.to_owned(),
            reason: Some(reason),
            patch: None,
            evidence: Value::Null,
        }
    }

    /// Whether another run takes it as it is.
    pub(crate) fn is_final(&self) -> bool {
        self.outcome != "lost"
    }
}

/// All results of a fleet, by name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FleetReport {
    /// Words of the task.
    pub task: Vec<String>,
    /// Results, sorted by name.
    pub repositories: Vec<RepositoryResult>,
    /// Number of repositories by outcome.
    pub counts: SortedMap<String, usize>,
    /// Repositories that have no result yet.
    pub missing: usize,
}

impl FleetReport {
    pub(crate) fn new(
        task: Vec<String>,
        repositories: Vec<RepositoryResult>,
        missing: usize,
    ) -> Self {
        let mut counts: SortedMap<String, usize> = SortedMap::new();
        for result in &repositories {
            *counts.entry(result.outcome.clone()).or_default() += 1;
        }
        Self { task, repositories, counts, missing }
    }

    /// Share of the repositories with a success, of all: 0 to 1.
    pub fn good_share(&self) -> f64 {
        let all = self.repositories.len() + self.missing;
        let good = self.repositories.iter().filter(|it| is_good(&it.outcome)).count();
        if all == 0 { 1.0 } else { good as f64 / all as f64 }
    }
}
