//! `edit approve`: proves proposals on the present tree once more, and writes them if the gate
//! opens. The tree and the record change together, also after a kill (`open.rs`).

use base::Ctx;
use check::Tests;
use policy::{Approval, Refusal};
use project::Workspace;
use project::{ProjectError, recorded};
use record::{ProposalState, Record, RecordEntry};
use repo::{ApplyOptions, RepoError};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::card::ProposalCard;
use super::error::ProposalError;
use super::open::{APPROVAL, OpenRecord};
use super::verify::{OneChange, Proof, not_checked, tests_of};
use crate::accept::{AcceptOutcome, AcceptedChange, accept, commit_message, moved_note};
use crate::lifecycle::gate_result;
use crate::{Consent, ConsentAct, Error, PendingChange, ReportedDiagnostic};

/// Input of [`approve`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApproveRequest {
    /// Proposals, which are written as one change: their ids, or items that one open proposal
    /// changes.
    pub ids: Vec<String>,
    /// Who approves.
    pub approver: String,
    /// Preservation rules that the change may break, by name (`test-removed`).
    #[serde(default)]
    pub allow: Vec<String>,
    /// Tests that must pass; `None`: those of the verification on record.
    #[serde(default)]
    pub tests: Option<Tests>,
    /// Whether to make one commit of exactly the changed files.
    #[serde(default)]
    pub commit: bool,
}

/// Result of [`approve`], as `--json` prints it.
#[derive(Debug, Serialize)]
pub struct ApproveResponse {
    /// The proposals.
    pub proposals: Vec<ProposalCard>,
    /// Number of rows of the code graph whose future is the current code now.
    pub flipped: usize,
    /// Reasons of the gate; empty if it opened.
    pub refusals: Vec<Refusal>,
    /// Diagnostics of the check.
    pub diagnostics: Vec<ReportedDiagnostic>,
    /// Damage of the record, what was not checked, and files that changed during the check.
    pub notes: Vec<String>,
    /// Id of the change for `undo`.
    pub change: Option<String>,
    /// Commit id, if a commit was made.
    pub commit: Option<String>,
}

/// Writes proposals whose verification passed. They are composed and proven again on the present
/// tree, since neither a permit nor evidence is ever stored. All are written, or none. The consent of a
/// person who was asked ([`pending_approval`]) is used up by the write.
///
/// # Errors
/// As [`super::preflight_check`]; a proposal without a passed verification; a consent to another change or
/// tree ([`crate::ConsentError`]); a write that fails. A refusal of the gate is no error.
pub fn approve(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ApproveRequest,
    consent: &mut Option<Consent>,
    on: &mut dyn FnMut(&ReportedDiagnostic),
) -> Result<ApproveResponse, Error> {
    let args = json!({ "ids": request.ids, "tests": request.tests, "commit": request.commit });
    recorded(
        ctx,
        workspace,
        "edit approve",
        args,
        || approve_unrecorded(ctx, workspace, request, consent, on),
        |it| gate_result(if it.change.is_some() { "applied" } else { "refused" }, &it.refusals),
    )
}

/// The change that an approval of these proposals with these tests would write, to ask a person about.
///
/// # Errors
/// As [`approve`].
pub fn pending_approval(
    ctx: &Ctx,
    workspace: &Workspace,
    ids: &[String],
    tests: Option<Tests>,
) -> Result<PendingChange, Error> {
    let open = OpenRecord::open(ctx, workspace)?;
    let OneChange { ids, proposals, overlay } = OneChange::of(ctx, &open, ids)?;
    let mut titles: Vec<String> =
        proposals.iter().map(|it| format!("{} {}", it.new.id, it.new.summary)).collect();
    if tests_to_run(workspace, &proposals, tests) == Tests::None {
        titles.push("! it is verified by a build, and no test runs".to_owned());
    }
    let see = format!("graftage edit approve {} --dry-run", ids.join(" "));
    PendingChange::now(ctx, workspace, (ConsentAct::Write, overlay), titles, see)
}

fn approve_unrecorded(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &ApproveRequest,
    consent: &mut Option<Consent>,
    on: &mut dyn FnMut(&ReportedDiagnostic),
) -> Result<ApproveResponse, Error> {
    let open = OpenRecord::open(ctx, workspace)?;
    let OneChange { ids, proposals, overlay } = OneChange::of(ctx, &open, &request.ids)?;
    // What only a rule that the user allows by name refused may be approved with that rule.
    let may_allow = !request.allow.is_empty();
    let is_verified = |state: ProposalState| {
        state == ProposalState::Proven || (may_allow && state == ProposalState::Refused)
    };
    if let Some(other) = proposals.iter().find(|it| !is_verified(it.state)) {
        let (id, state) = (other.new.id.clone(), other.state.as_str());
        return Err(ProposalError::NotVerified { id, state }.into());
    }
    let tests = tests_to_run(workspace, &proposals, request.tests);
    let proof = Proof::of(ctx, workspace, overlay, tests, on)?;
    let mut response = ApproveResponse {
        proposals: Vec::new(),
        flipped: 0,
        refusals: Vec::new(),
        diagnostics: proof.diagnostics(),
        notes: open.troubles.iter().cloned().chain(not_checked(&proof.checked.evidence)).collect(),
        change: None,
        commit: None,
    };
    let approval = Approval {
        who: request.approver.clone(),
        allow: request.allow.clone(),
        override_reason: None,
    };
    let consent = consent.take();
    let (commit, approval) = (request.commit, &approval);
    let writing = Writing { ids: &ids, proof, approval, commit, consent };
    match write(ctx, workspace, &open.record, writing)? {
        Written::Closed(refusals) => response.refusals = refusals,
        Written::Outcome(outcome) => response.take(outcome),
    }
    if response.change.is_some() {
        for proposal in &proposals {
            response.flipped += open.rows(proposal)?.len();
        }
    }
    response.proposals = open.cards(&ids)?;
    Ok(response)
}

/// The tests of an approval: those that it asks for, else the most of the settings and of what verified
/// the proposals before. That may have been an agent's call, with fewer than the settings ask for.
fn tests_to_run(
    workspace: &Workspace,
    proposals: &[record::Proposal],
    asked: Option<Tests>,
) -> Tests {
    let setting = workspace.settings().check_tests;
    let recorded = proposals.iter().filter_map(tests_of).chain([setting]);
    asked.unwrap_or_else(|| recorded.max_by_key(|tests| *tests as u8).unwrap_or(setting))
}

impl ApproveResponse {
    fn take(&mut self, outcome: AcceptOutcome) {
        match outcome {
            AcceptOutcome::Written { applied, .. } => {
                (self.change, self.commit) = (Some(applied.id.into()), applied.commit);
            }
            AcceptOutcome::Refused { checked, refusals, moved } => {
                self.diagnostics = checked.mapped.iter().map(ReportedDiagnostic::from).collect();
                self.refusals = refusals;
                self.notes.push(moved_note(&moved));
            }
        }
    }
}

/// A verified change of proposals that is to be written.
pub(crate) struct Writing<'a> {
    pub(crate) ids: &'a [String],
    pub(crate) proof: Proof,
    pub(crate) approval: &'a Approval,
    pub(crate) commit: bool,
    pub(crate) consent: Option<Consent>,
}

/// Result of [`write`].
pub(crate) enum Written {
    /// The gate is closed, for these reasons.
    Closed(Vec<Refusal>),
    /// The gate opened.
    Outcome(AcceptOutcome),
}

/// Records the verification, and writes the change if the gate opens: approved in the record, written
/// into the tree, applied in the record. A kill between two of them is settled by the next process:
/// the undo journal, which names the approval, decides.
pub(crate) fn write(
    ctx: &Ctx,
    workspace: &Workspace,
    record: &Record,
    writing: Writing<'_>,
) -> Result<Written, Error> {
    let Writing { ids, proof, approval, commit, consent } = writing;
    let permit = proof.decide(approval);
    proof.record(ctx, record, ids, permit.is_ok())?;
    let permit = match permit {
        Ok(permit) => permit,
        Err(refusals) => return Ok(Written::Closed(refusals)),
    };
    let _lock = record.lock_approval(ctx)?;
    let name = ctx.fresh_name();
    let approved = RecordEntry::Approved {
        ids: ids.to_vec(),
        approval: name.clone(),
        approver: approval.who.clone(),
        at: ctx.now(),
    };
    record.write(ctx, |_| Ok::<_, Error>((vec![approved], ())))?;
    repo::crash_points::reached();
    let Proof { checked, ladder, rules, .. } = proof;
    let files: Vec<String> = checked.overlay.changes().map(|(path, _)| path.to_string()).collect();
    let commits = commit || workspace.settings().commit_always;
    let options = ApplyOptions {
        commit: commits.then(|| commit_message(&files)),
        note: json!({ APPROVAL: name, "approver": approval.who, "proposals": ids }),
        ..ApplyOptions::default()
    };
    let approval = approval.clone();
    let (overlay, before) = (checked.overlay, None);
    let accepted = AcceptedChange { overlay, permit, ladder, rules, approval, before, consent };
    let outcome = accept(ctx, workspace, accepted, &options);
    repo::crash_points::reached();
    let ended = |change: &str, commit: Option<&str>, version| RecordEntry::Applied {
        ids: ids.to_vec(),
        change: change.to_owned(),
        commit: commit.map(str::to_owned),
        version,
        at: ctx.now(),
    };
    let released =
        |reason: String| RecordEntry::Released { ids: ids.to_vec(), reason, at: ctx.now() };
    record.write(ctx, |proposals| {
        let entries = match &outcome {
            Ok(AcceptOutcome::Written { applied, .. }) => {
                vec![ended(&applied.id, applied.commit.as_deref(), proposals.version() + 1)]
            }
            Ok(AcceptOutcome::Refused { moved, .. }) => vec![released(moved_note(moved))],
            // Only the next opening of the project decides how it ends.
            Err(Error::Project(ProjectError::Repo(RepoError::Recovery { .. }))) => Vec::new(),
            Err(error) => vec![released(error.to_string())],
        };
        Ok::<_, Error>((entries, ()))
    })?;
    repo::crash_points::reached();
    Ok(Written::Outcome(outcome?))
}
