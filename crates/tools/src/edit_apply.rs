//! `edit apply`: checks an edit request and writes it if the gate opens.

use base::Ctx;
use check::{Checked, Tests};
use policy::{Approval, Evidence, Refusal};
use project::recorded;
use project::{FileAccess, Workspace};
use record::RecordEntry;
use serde::Serialize;

use crate::accept::{AcceptOutcome, moved_note};
use crate::lifecycle::{gate_result, request_args};
use crate::proposals::{Draft, Proof, Writing, Written, write};
use crate::{Error, ProposeRequest, ReportedDiagnostic};

/// Input of [`edit_apply`].
#[derive(Clone, Debug, Default)]
pub struct EditApplyRequest {
    /// The edit in any supported format.
    pub text: String,
    /// Tests that must pass; `None`: the setting `check.tests`.
    pub tests: Option<Tests>,
    /// The user's approval: preservation rules that the edit may break, or the reason for an
    /// override of the gate.
    pub approval: Approval,
    /// Whether to check only and write nothing.
    pub dry_run: bool,
    /// Whether to make one commit of exactly the changed files.
    pub commit: bool,
}

/// Result of [`edit_apply`], as `--json` prints it.
#[derive(Debug, Serialize)]
pub struct EditResponse {
    /// Exactly one row: a request is one proposal.
    pub proposals: Vec<ProposalRow>,
    /// Reasons of the gate; empty if it opened.
    pub refusals: Vec<Refusal>,
    /// Diagnostics of the check.
    pub diagnostics: Vec<ReportedDiagnostic>,
    /// Notes: deprecated formats and fuzzy matches of the edit.
    pub notes: Vec<String>,
    /// Commit id, if a commit was made.
    pub commit: Option<String>,
}

/// One proposal.
#[derive(Debug, Serialize)]
pub struct ProposalRow {
    /// Journal id for `undo` once applied; before, the hash of the patch set.
    pub id: String,
    /// Id of the proposal in the record (`edit list --all`, `policy explain ID`); `None` with
    /// `--dry-run`, which records nothing.
    pub proposal: Option<String>,
    /// State: `applied`, `proven` (with `--dry-run`) or `rejected`.
    pub state: &'static str,
    /// Changed files.
    pub files: Vec<String>,
    /// Unified diff.
    pub diff: String,
    /// Evidence of the check.
    pub evidence: Evidence,
}

/// Stages an edit request, checks it, lets the gate decide, and writes it: a proposal, its
/// verification and its approval in one. `on` receives the diagnostics while the check runs.
///
/// # Errors
/// A request that is not valid, a check that cannot run, or a write that fails. A refusal of the
/// gate is no error.
pub fn edit_apply(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &EditApplyRequest,
    on: &mut dyn FnMut(&ReportedDiagnostic),
) -> Result<EditResponse, Error> {
    let args = request_args(&request.text, request.tests);
    recorded(
        ctx,
        workspace,
        "edit apply",
        args,
        || edit_apply_unrecorded(ctx, workspace, request, on),
        |it| gate_result(it.proposals[0].state, &it.refusals),
    )
}

fn edit_apply_unrecorded(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &EditApplyRequest,
    on: &mut dyn FnMut(&ReportedDiagnostic),
) -> Result<EditResponse, Error> {
    let (text, access) = (request.text.clone(), FileAccess::Person);
    let proposed = ProposeRequest { text, access, ..ProposeRequest::default() };
    let draft = Draft::of(ctx, workspace, &proposed)?;
    let (overlay, notes) = (draft.overlay.clone(), draft.notes());
    let tests = request.tests.unwrap_or(workspace.settings().check_tests);
    let id = match request.dry_run {
        true => None,
        false => Some(draft.record(ctx, workspace, &workspace.record())?),
    };
    let proof = Proof::of(ctx, workspace, overlay, tests, on)?;
    let mut answer = answer(&proof.checked, notes);
    let Some(id) = id else {
        match proof.refusals(&request.approval) {
            refusals if refusals.is_empty() => answer.proposals[0].state = "proven",
            refusals => answer.refusals = refusals,
        }
        return Ok(answer);
    };
    let (ids, approval, record) = ([id.clone()], &request.approval, workspace.record());
    let writing = Writing { ids: &ids, proof, approval, commit: request.commit, consent: None };
    answer.proposals[0].proposal = Some(id);
    match write(ctx, workspace, &record, writing)? {
        Written::Closed(reasons) => answer.refusals = reasons,
        Written::Outcome(outcome) => answer.record(outcome),
    }
    if !answer.refusals.is_empty() {
        let reasons: Vec<String> = answer.refusals.iter().map(ToString::to_string).collect();
        let reason = format!("the gate refused it: {}", reasons.join("; "));
        let entry = RecordEntry::Rejected { ids: ids.to_vec(), reason, at: ctx.now() };
        record.write(ctx, |_| Ok::<_, Error>((vec![entry], ())))?;
    }
    Ok(answer)
}

/// The response as long as nothing is written.
fn answer(checked: &Checked, notes: Vec<String>) -> EditResponse {
    let overlay = &checked.overlay;
    let proposal = ProposalRow {
        id: overlay.patch_set().short(),
        proposal: None,
        state: "rejected",
        files: overlay.changes().map(|(path, _)| path.to_string()).collect(),
        diff: overlay.unified_diff(),
        evidence: checked.evidence.clone(),
    };
    EditResponse {
        proposals: vec![proposal],
        refusals: Vec::new(),
        diagnostics: checked.mapped.iter().map(ReportedDiagnostic::from).collect(),
        notes,
        commit: None,
    }
}

impl EditResponse {
    fn record(&mut self, acceptance: AcceptOutcome) {
        let Some(proposal) = self.proposals.first_mut() else { return };
        match acceptance {
            AcceptOutcome::Written { applied, evidence } => {
                proposal.state = "applied";
                proposal.id = applied.id.into();
                proposal.evidence = *evidence;
                self.commit = applied.commit;
            }
            AcceptOutcome::Refused { checked, refusals, moved } => {
                proposal.evidence = checked.evidence;
                self.diagnostics = checked.mapped.iter().map(ReportedDiagnostic::from).collect();
                self.refusals = refusals;
                self.notes.push(moved_note(&moved));
            }
        }
    }
}
