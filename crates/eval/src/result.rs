//! [`CaseResult`]: the result of one case, one line of `results.jsonl`.

use base::SortedMap;

use serde::{Deserialize, Serialize};

use crate::preserve::Broken;
use crate::{Answer, MissedTarget};

/// The result of one case: one line of `results.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseResult {
    /// Id of the case.
    pub id: String,
    /// Groups in which it counts: class, crate, error code.
    pub groups: Vec<String>,
    /// `applied`, `proven`, `draft`, `none`, `clean`, `error`, `graded`, `answered`.
    pub outcome: String,
    /// Values by metric; a metric that does not apply is absent.
    pub metrics: SortedMap<String, f64>,
    /// Values of the deletion-only baseline.
    pub deletion: SortedMap<String, f64>,
    /// Why there is no repair, or what failed.
    pub reason: Option<String>,
    /// Repairs that build but were rejected by the product.
    pub refused: Vec<String>,
    /// What the separate checker found in the answer.
    pub broken: Vec<Broken>,
    /// What the repair does, as the product describes it.
    pub rationale: Vec<String>,
    /// The answer: an applied repair or a draft.
    pub diff: String,
    /// Number of candidates that the product checked.
    pub candidates: usize,
    /// Tokens of language models.
    #[serde(default)]
    pub tokens: u64,
    /// Their cost in US dollars.
    #[serde(default)]
    pub cost: f64,
    /// Wall-clock time of the product.
    pub product_ms: u64,
    /// CPU time of the compilers and tests of the grading.
    pub grading_cpu_ms: u64,
    /// Values of other methods, by name.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub beside: SortedMap<String, SortedMap<String, f64>>,
    /// Targets that were not found, and where they were lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<MissedTarget>,
    /// Whether the suite's own label is uncertain.
    #[serde(default)]
    pub is_weak: bool,
}

impl CaseResult {
    /// A result with the product's answer, not yet graded.
    pub(crate) fn answered(
        id: &str,
        groups: Vec<String>,
        answer: &Answer,
        product_ms: u64,
    ) -> Self {
        Self {
            id: id.to_owned(),
            groups,
            outcome: answer.outcome.clone(),
            reason: answer.reason.clone(),
            refused: answer.refused.clone(),
            rationale: answer.rationale.clone(),
            candidates: answer.candidates,
            tokens: answer.tokens,
            cost: answer.cost,
            product_ms,
            ..Self::default()
        }
    }

    /// Sets the value of a metric.
    pub(crate) fn metric(&mut self, name: &str, value: f64) {
        self.metrics.insert(name.to_owned(), value);
    }
}

/// The result of the deletion-only baseline: one line of `deletion.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deleted {
    /// Values by metric.
    pub(crate) metrics: SortedMap<String, f64>,
    /// What the checker found.
    pub(crate) broken: Vec<Broken>,
    /// What it deleted.
    pub(crate) diff: String,
}

/// 1 for yes, 0 for no.
pub(crate) fn yes(it: bool) -> f64 {
    f64::from(u8::from(it))
}
