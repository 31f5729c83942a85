//! Writes a verified change. The last step of the machine of a task.

use base::Ctx;
use edit::Overlay;
use project::Workspace;
use repo::{ApplyOptions, CommitMessage};
use tools::AcceptOutcome;

use crate::drive::defect;
use crate::machine::guard::Guard;
use crate::noted::note_applied;
use crate::{AgentError, FixOutcome, FixReport, FixResult, Machine, TaskEvent};

/// Writes an accepted repair, and commits it if `commit` or the setting `commit.always` is set. If
/// other files changed since it was verified, it is verified again first; the outcome is
/// [`FixOutcome::None`] if that fails.
///
/// # Errors
/// Errors of the crates below, such as a file of the repair that changed since.
pub fn apply(
    ctx: &Ctx,
    workspace: &Workspace,
    fixed: FixResult,
    commit: bool,
) -> Result<FixReport, AgentError> {
    let FixResult { mut report, accepted, message } = fixed;
    let Some(accepted) = accepted else {
        return Ok(report);
    };
    // A commit is of what is verified.
    let is_partial = report.outcome == FixOutcome::Partial;
    let commit = !is_partial && (commit || workspace.settings().commit_always);
    let options = ApplyOptions {
        commit: commit
            .then(|| message.unwrap_or_else(|| commit_message(&report, &accepted.overlay))),
        ..ApplyOptions::default()
    };
    let mut guard = Guard::verified().map_err(defect)?;
    guard.offer(TaskEvent::ApplyAsked).map_err(defect)?;
    let machine = Machine::verified().after(TaskEvent::ApplyAsked);
    let machine = machine.map_err(defect)?;
    let outcome = tools::accept(ctx, workspace, accepted, &options)?;
    let event = match &outcome {
        AcceptOutcome::Written { .. } => TaskEvent::Applied,
        AcceptOutcome::Refused { .. } => TaskEvent::ApplyRefused,
    };
    guard.offer(event).map_err(defect)?;
    machine.after(event).map_err(defect)?;
    match outcome {
        AcceptOutcome::Written { applied, evidence } => {
            report.outcome = if is_partial { FixOutcome::Partial } else { FixOutcome::Applied };
            report.evidence = Some(*evidence);
            report.id = Some(applied.id.clone());
            report.commit.clone_from(&applied.commit);
            note_applied(ctx, workspace, report.run.as_deref(), &applied);
        }
        AcceptOutcome::Refused { checked, refusals, moved } => {
            let reasons: Vec<String> =
                refusals.iter().map(policy::Refusal::with_permission).collect();
            report.outcome = FixOutcome::None;
            report.evidence = Some(checked.evidence);
            report.reason = Some(format!("{}: {}", tools::moved_note(&moved), reasons.join("; ")));
        }
    }
    Ok(report)
}

fn commit_message(report: &FixReport, overlay: &Overlay) -> CommitMessage {
    let mut codes: Vec<&str> =
        report.errors.iter().filter_map(|error| error.code.as_deref()).collect();
    codes.sort_unstable();
    codes.dedup();
    let summary = match codes.as_slice() {
        [] => "repair compile errors".to_owned(),
        [code] => format!("repair {code}"),
        [first, rest @ ..] if rest.len() < 3 => format!("repair {first}, {}", rest.join(", ")),
        [first, rest @ ..] => format!("repair {first} and {} other errors", rest.len()),
    };
    let files: Vec<_> = overlay.changes().map(|(path, _)| path).collect();
    let scope = match files.as_slice() {
        [file] => file.file_name().strip_suffix(".rs").map(str::to_owned),
        _ => None,
    };
    CommitMessage { kind: "fix".to_owned(), scope, summary, body: report.rationale.clone() }
        .fitted()
}
