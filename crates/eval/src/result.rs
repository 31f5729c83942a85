use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::preserve::Broken;
use crate::{Answer, MissedTarget};

/// What came of one case: one line of `results.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseResult {
    /// The case.
    pub id: String,
    /// The groups it counts in: class, crate, error code.
    pub groups: Vec<String>,
    /// `applied`, `proven`, `draft`, `none`, `clean`, `error`, `graded`, `answered`.
    pub outcome: String,
    /// Value by metric; a metric that does not apply is absent.
    pub metrics: BTreeMap<String, f64>,
    /// The same of the fixer that only deletes.
    pub deletion: BTreeMap<String, f64>,
    /// Why there is no repair, or what went wrong.
    pub reason: Option<String>,
    /// Repairs that build and were turned down by the product.
    pub refused: Vec<String>,
    /// What the separate checker found in the answer.
    pub broken: Vec<Broken>,
    /// What the repair does, in the product's words.
    pub rationale: Vec<String>,
    /// The answer: an applied repair or a draft.
    pub diff: String,
    /// Candidates that the product proved.
    pub candidates: usize,
    /// Wall time of the product's part.
    pub product_ms: u64,
    /// CPU time of the grading's compilers and tests.
    pub grading_cpu_ms: u64,
    /// The same metrics of other methods, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub beside: BTreeMap<String, BTreeMap<String, f64>>,
    /// What was looked for and not found, and where it was lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<MissedTarget>,
    /// The suite's own label is not sure.
    #[serde(default)]
    pub is_weak: bool,
}

impl CaseResult {
    /// A result with what the product answered, nothing graded yet.
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
            product_ms,
            ..Self::default()
        }
    }

    /// Notes a metric.
    pub(crate) fn metric(&mut self, name: &str, value: f64) {
        self.metrics.insert(name.to_owned(), value);
    }
}

/// What the fixer that only deletes came to: one line of `deletion.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deleted {
    /// Value by metric.
    pub(crate) metrics: BTreeMap<String, f64>,
    /// What the checker found.
    pub(crate) broken: Vec<Broken>,
    /// What it deleted.
    pub(crate) diff: String,
}

/// 1 for yes, 0 for no.
pub(crate) fn yes(it: bool) -> f64 {
    f64::from(u8::from(it))
}
