//! Adds finished runs to the record of the project, for `memory search` and `stats`.

use base::{ContentHash, Ctx, Timestamp};
use project::Workspace;
use record::{AppliedRun, ErrorRecord, GivenAnswer, RecordEntry, RunDetail, RunRecord};
use repo::Applied;
use tools::KeptChange;

use crate::report::UnappliedChange;
use crate::{AnswerRow, AnswerSource, FixReport, FixResult};

/// Maximum number of errors that are kept of a run.
const MOST_ERRORS: usize = 20;
/// Maximum length of a diff that is kept, in bytes; the undo journal has all of what was written.
const LONGEST_DIFF: usize = 256 << 10;

/// What the report of a run does not contain.
pub(crate) struct RunNote<'a> {
    /// The command.
    pub(crate) command: &'a str,
    /// The request as text; empty: to repair the errors.
    pub(crate) request: &'a str,
    /// Whether the first candidate built.
    pub(crate) first_pass: Option<bool>,
    /// When it began.
    pub(crate) started: Timestamp,
    /// Hash of the project's files then.
    pub(crate) files_hash: Option<ContentHash>,
}

/// Adds a run to the record, and its id to the report. A run whose record cannot be written, such as on
/// a read-only disk, has none.
pub(crate) fn note_run(ctx: &Ctx, workspace: &Workspace, note: RunNote<'_>, fixed: &mut FixResult) {
    let record = workspace.record();
    let report = &fixed.report;
    let detail = serde_json::to_vec(&detail(note.request, fixed)).unwrap_or_default();
    let outcome = serde_json::to_value(report.outcome).unwrap_or_default();
    let run = RunRecord {
        id: ctx.fresh_name()[..12].to_owned(),
        command: note.command.to_owned(),
        outcome: outcome.as_str().unwrap_or_default().to_owned(),
        candidates: report.candidates_tried as u64,
        first_pass: note.first_pass,
        tokens: report.tokens,
        micro_dollars: (report.cost * 1e6).round() as u64,
        wall_ms: ctx.now().0.saturating_sub(note.started.0) / 1_000,
        peak_rss: project::peak_rss_bytes().unwrap_or_default(),
        at: ctx.now(),
        detail: record.texts().put(ctx, &detail).ok(),
        kept: kept(report, note.files_hash).and_then(|it| record.texts().put(ctx, &it).ok()),
        answers: given(report).and_then(|it| record.texts().put(ctx, &it).ok()),
    };
    let (id, is_kept) = (run.id.clone(), run.kept.is_some());
    fixed.report.run = record.remember(ctx, &RecordEntry::Run(run)).ok().map(|_| id);
    fixed.report.kept = fixed.report.run.clone().filter(|_| is_kept);
}

/// The text of the change that is kept.
fn kept(report: &FixReport, files_hash: Option<ContentHash>) -> Option<Vec<u8>> {
    let UnappliedChange { overlay, is_partial } = report.to_keep.clone()?;
    tools::kept_text(&KeptChange { files: files_hash?, overlay, is_partial })
}

/// The text of the answers of a person; `None` if the change has none.
fn given(report: &FixReport) -> Option<Vec<u8>> {
    let own = report.answers.iter().filter(|it| it.source == AnswerSource::Person);
    let given =
        |it: &AnswerRow| Some(GivenAnswer { asked: it.asked.clone()?, text: it.text.clone() });
    let given: Vec<GivenAnswer> = own.filter_map(given).collect();
    (!given.is_empty()).then(|| serde_json::to_vec(&given).ok()).flatten()
}

/// Adds to the record that the change of a run was written.
pub(crate) fn note_applied(ctx: &Ctx, workspace: &Workspace, run: Option<&str>, applied: &Applied) {
    let Some(run) = run else { return };
    let entry = AppliedRun {
        run: run.to_owned(),
        change: applied.id.to_string(),
        commit: applied.commit.clone(),
        at: ctx.now(),
    };
    // The undo journal has the change, whether it is noted here or not.
    let _ = workspace.record().remember(ctx, &RecordEntry::RunApplied(entry));
}

fn detail(request: &str, fixed: &FixResult) -> RunDetail {
    let report = &fixed.report;
    let error = |row: &tools::ReportedDiagnostic| ErrorRecord {
        code: row.code.clone(),
        message: row.message.clone(),
        file: row.file.clone(),
        item: row.item.clone(),
    };
    let overlay = fixed.accepted.as_ref().map(|it| &it.overlay);
    let kept = report.to_keep.as_ref().map(|it| &it.overlay);
    let files = overlay.map(|it| it.changes().map(|(path, _)| path.to_string()).collect());
    RunDetail {
        request: request.to_owned(),
        errors: report.errors.iter().take(MOST_ERRORS).map(error).collect(),
        rules: report.rules.clone(),
        rationale: report.rationale.clone(),
        items: overlay.map(tools::changed_items).unwrap_or_default(),
        files: files.unwrap_or_default(),
        patch_set: overlay.or(kept).map(|it| it.patch_set()),
        diff: kept_diff(report),
        reason: report.reason.clone().unwrap_or_default(),
        trace: report.trace.as_deref().and_then(file_name),
    }
}

/// The diff up to the end of a line within the limit.
fn kept_diff(report: &FixReport) -> String {
    let end = report.diff.floor_char_boundary(LONGEST_DIFF);
    match end == report.diff.len() {
        true => report.diff.clone(),
        false => report.diff[..end].rfind('\n').map_or("", |at| &report.diff[..=at]).to_owned(),
    }
}

fn file_name(path: &str) -> Option<String> {
    Some(std::path::Path::new(path).file_name()?.to_str()?.to_owned())
}
