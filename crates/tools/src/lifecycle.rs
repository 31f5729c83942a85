//! Arguments and results of tool calls as the record has them.

use serde_json::Value;

/// The size of a request and its options, as the arguments of a tool call.
pub(crate) fn request_args(text: &str, tests: Option<check::Tests>) -> Value {
    serde_json::json!({ "request_bytes": text.len(), "tests": tests })
}

/// The outcome of a tool that the gate may refuse.
pub(crate) fn gate_result(state: &str, refusals: &[policy::Refusal]) -> Value {
    let rules: Vec<&str> = refusals.iter().map(|refusal| refusal.rule.as_str()).collect();
    serde_json::json!({ "state": state, "refused_by": rules })
}
