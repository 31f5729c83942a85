//! Lifecycle records: tool calls and retrievals, appended to the record of the project. A record that
//! cannot be written, such as on a read-only disk, never makes a call fail.

use base::Ctx;
use record::{RecordEntry, RetrievalRecord};
use serde_json::Value;

use crate::{ContextAnswer, ContextRequest, SearchAnswer, SearchRequest, Workspace};

/// The most bytes of a text in a record.
const MAX_TEXT: usize = 2_000;

/// The most hits in a record.
const MAX_HITS: usize = 10;

/// Runs a tool and records its call: requested before, done or failed after. `result` is a short
/// summary of what it returns.
///
/// # Errors
/// Those of `run`.
pub fn recorded<T, E: std::fmt::Display>(
    ctx: &Ctx,
    workspace: &Workspace,
    tool: &str,
    args: Value,
    run: impl FnOnce() -> Result<T, E>,
    result: impl FnOnce(&T) -> Value,
) -> Result<T, E> {
    let record = workspace.record();
    let call = ctx.fresh_name()[..12].to_owned();
    let requested = RecordEntry::ToolRequested {
        call: call.clone(),
        task: String::new(),
        tool: tool.to_owned(),
        args: bounded(args),
        at: ctx.now(),
    };
    let is_noted = record.note(ctx, &requested).is_ok();
    let outcome = run();
    if is_noted {
        let at = ctx.now();
        let ended = match &outcome {
            Ok(value) => RecordEntry::ToolDone { call, result: bounded(result(value)), at },
            Err(error) => RecordEntry::ToolFailed { call, error: cut(&error.to_string()), at },
        };
        // The call has its result, whether it is recorded or not.
        let _ = record.note(ctx, &ended);
    }
    outcome
}

fn bounded(value: Value) -> Value {
    let text = value.to_string();
    if text.len() <= MAX_TEXT { value } else { Value::String(cut(&text)) }
}

fn cut(text: &str) -> String {
    match text.char_indices().find(|(at, c)| at + c.len_utf8() > MAX_TEXT) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Records a search.
pub(crate) fn note_search(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &SearchRequest,
    answer: &SearchAnswer,
) {
    let asked = ("search", request.query.as_str(), request.focus.as_deref());
    let hits = answer.hits.iter().map(|hit| &hit.key);
    note(ctx, workspace, asked, hits, (answer.cached, answer.took_us));
}

/// Records a packed context.
pub(crate) fn note_context(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ContextRequest,
    answer: &ContextAnswer,
) {
    let asked = ("context", request.task.as_str(), request.focus.as_deref());
    let hits = answer.snippets.iter().map(|it| &it.hit.key);
    note(ctx, workspace, asked, hits, (answer.cached, answer.took_us));
}

fn note<'a>(
    ctx: &Ctx,
    workspace: &Workspace,
    (tool, query, focus): (&str, &str, Option<&str>),
    hits: impl Iterator<Item = &'a String>,
    (cached, took_us): (bool, u64),
) {
    let retrieval = RetrievalRecord {
        tool: tool.to_owned(),
        task: String::new(),
        query: cut(query),
        focus: focus.map(cut).unwrap_or_default(),
        hits: hits.take(MAX_HITS).cloned().collect(),
        cached,
        took_us,
        at: ctx.now(),
    };
    // Searching works on a disk that cannot be written.
    let _ = workspace.record().note(ctx, &RecordEntry::Retrieved(retrieval));
}

/// The size of a request and its options, as the arguments of a tool call.
pub(crate) fn request_args(text: &str, tests: Option<check::Tests>) -> Value {
    serde_json::json!({ "request_bytes": text.len(), "tests": tests })
}

/// The outcome of a tool that the gate may refuse.
pub(crate) fn gate_result(state: &str, refusals: &[policy::Refusal]) -> Value {
    let rules: Vec<&str> = refusals.iter().map(|refusal| refusal.rule.as_str()).collect();
    serde_json::json!({ "state": state, "refused_by": rules })
}
