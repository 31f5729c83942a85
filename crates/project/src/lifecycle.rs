//! Lifecycle records: tool calls and retrievals, appended to the record of the project. A record that
//! cannot be written, such as on a read-only disk, never makes a call fail.

use std::time::Instant;

use base::{Ctx, LogEntry};
use record::{RecordEntry, RetrievalRecord};
use serde_json::Value;

use crate::Workspace;

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
    let (began, outcome) = (Instant::now(), run());
    if let Some(log) = ctx.log() {
        let micros = began.elapsed().as_micros() as u64;
        let numbers = [("failed", u64::from(outcome.is_err()))];
        log.finished(&LogEntry { name: "tool", detail: tool, micros, numbers: &numbers });
    }
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

/// The ranked items of a retrieval.
pub struct RetrievedHits<'a> {
    /// Tool that was called.
    pub tool: &'static str,
    /// Query or task.
    pub query: &'a str,
    /// Focus, if any.
    pub focus: Option<&'a str>,
    /// Keys of the items, best first.
    pub keys: Vec<&'a str>,
    /// Whether the ranking is that of an earlier call.
    pub cached: bool,
    /// Duration in microseconds.
    pub took_us: u64,
}

/// Records a retrieval.
pub fn note_retrieval(ctx: &Ctx, workspace: &Workspace, hits: &RetrievedHits<'_>) {
    let retrieval = RetrievalRecord {
        tool: hits.tool.to_owned(),
        task: String::new(),
        query: cut(hits.query),
        focus: hits.focus.map(cut).unwrap_or_default(),
        hits: hits.keys.iter().take(MAX_HITS).map(|key| (*key).to_owned()).collect(),
        cached: hits.cached,
        took_us: hits.took_us,
        at: ctx.now(),
    };
    // Searching works on a disk that cannot be written.
    let _ = workspace.record().note(ctx, &RecordEntry::Retrieved(retrieval));
}
