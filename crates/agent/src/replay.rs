//! `eval replay`: runs a recorded run again from its trace alone – no cargo, no model, no project – and
//! compares the results.

use std::sync::Arc;

use base::{ContentHash, Ctx};
use serde::Serialize;
use serde_json::Value;

use crate::fix::run;
use crate::world::World;
use crate::{AgentError, TaskStep, Trace, TraceEnd};

/// The comparison of a run with its replay.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplayReport {
    /// Whether report, error, states and patch set are the same, byte for byte.
    pub identical: bool,
    /// How the run ended: `proven`, `none`, `error` …
    pub outcome: String,
    /// Hash of the change of the replay.
    pub patch_set: Option<ContentHash>,
    /// The states of the replay.
    pub states: Vec<TaskStep>,
    /// Number of answers in the trace.
    pub answers: usize,
    /// The first difference, as the path of a field with both values.
    pub difference: Option<String>,
}

/// Runs a trace again.
///
/// # Errors
/// A trace without an end, one whose settings this version does not have, or a run that asks what the
/// trace does not have.
pub fn replay(ctx: &Ctx, trace: &Trace) -> Result<ReplayReport, AgentError> {
    let recorded = trace.end.as_ref().ok_or_else(|| AgentError::NoAnswer {
        question: "what followed: the run was cut off".to_owned(),
    })?;
    let world = Arc::new(World::replayed(ctx, trace)?);
    let driven = run(&world, &trace.header.options, &mut |_| {})?;
    if let Err(error @ AgentError::NoAnswer { .. }) = driven.result {
        return Err(error);
    }
    let end = TraceEnd::of(&driven.result, &driven.states);
    let difference = difference(recorded, &end);
    let outcome = end.report.as_ref().and_then(|it| it.get("outcome")?.as_str());
    Ok(ReplayReport {
        identical: difference.is_none(),
        outcome: outcome.unwrap_or("error").to_owned(),
        patch_set: end.patch_set,
        states: end.states,
        answers: trace.answers(),
        difference,
    })
}

/// The first field that differs.
fn difference(recorded: &TraceEnd, replayed: &TraceEnd) -> Option<String> {
    let value = |end| serde_json::to_value(end).unwrap_or_default();
    let mut found = None;
    compare("", &value(recorded), &value(replayed), &mut found);
    found
}

fn compare(path: &str, before: &Value, after: &Value, found: &mut Option<String>) {
    match (before, after) {
        _ if found.is_some() || before == after => {}
        (Value::Object(old), Value::Object(new)) => {
            for key in old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))) {
                let at = |map: &serde_json::Map<String, Value>| {
                    map.get(key).cloned().unwrap_or_default()
                };
                compare(&format!("{path}.{key}"), &at(old), &at(new), found);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (idx, (old, new)) in old.iter().zip(new).enumerate() {
                compare(&format!("{path}[{idx}]"), old, new, found);
            }
        }
        _ => *found = Some(format!("{}: {before} -> {after}", path.trim_start_matches('.'))),
    }
}
