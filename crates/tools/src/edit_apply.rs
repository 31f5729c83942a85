use base::Ctx;
use check::{Ladder, Mapped, Tests};
use policy::{Decision, Evidence, Refusal};
use repo::{ApplyOptions, CommitMessage};
use serde::Serialize;

use crate::check_tree::stage;
use crate::{DiagnosticRow, Error, Workspace};

/// An edit by hand, or by a program, that is to reach the tree.
#[derive(Clone, Debug, Default)]
pub struct EditApply {
    /// The request, in any format.
    pub text: String,
    /// Which tests must hold; the settings' choice when absent.
    pub tests: Option<Tests>,
    /// Open a closed gate by a person's word: who and why.
    pub override_by: Option<(String, String)>,
    /// Prove and show, write nothing.
    pub dry_run: bool,
    /// Make one commit of exactly these files.
    pub commit: bool,
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct EditApplied {
    /// One row: the request is one proposal.
    pub proposals: Vec<ProposalRow>,
    /// Why the gate stayed closed; empty when it opened.
    pub refusals: Vec<Refusal>,
    /// What the proof found wrong.
    pub diagnostics: Vec<DiagnosticRow>,
    /// Deprecations and fuzzy placements.
    pub notes: Vec<String>,
    /// The commit, where one was made.
    pub commit: Option<String>,
}

/// One proposal.
#[derive(Debug, Serialize)]
pub struct ProposalRow {
    /// What `undo` takes once it is applied; the patch set's hash before.
    pub id: String,
    /// `applied`, `proven` (with `--dry-run`) or `rejected`.
    pub state: &'static str,
    /// The files that change.
    pub files: Vec<String>,
    /// The unified diff.
    pub diff: String,
    /// What was proven.
    pub evidence: Evidence,
}

/// Stages, proves, decides and applies an edit request.
pub fn edit_apply(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &EditApply,
    on: &mut dyn FnMut(&DiagnosticRow),
) -> Result<EditApplied, Error> {
    let (overlay, notes) = stage(ctx, workspace, &request.text)?;
    let tests = request.tests.unwrap_or(workspace.settings().check_tests);
    let prover = workspace.prover(ctx)?;
    let mut stream = |mapped: &Mapped| on(&DiagnosticRow::from(mapped));
    let ladder = Ladder { excuse: true, ..workspace.ladder(tests, None) };
    let checked = prover.prove(ctx, overlay, &ladder, &mut stream)?;

    let diagnostics = checked.mapped.iter().map(DiagnosticRow::from).collect();
    let evidence = checked.evidence.clone();
    let overlay = checked.overlay;
    let mut proposal = ProposalRow {
        id: overlay.patch_set().short(),
        state: "rejected",
        files: overlay.changes().map(|(path, _)| path.to_string()).collect(),
        diff: overlay.unified_diff(),
        evidence: evidence.clone(),
    };
    // An edit by hand may take things away: that is what the person asked for.
    let rules = policy::Rules { allow_violations: true, ..workspace.rules(tests) };
    let by = request.override_by.as_ref().map(|(who, why)| (who.as_str(), why.as_str()));
    let mut refusals = Vec::new();
    let mut commit = None;
    match policy::decide(&rules, evidence, by) {
        Decision::Closed(reasons) => refusals = reasons,
        Decision::Open(_) if request.dry_run => proposal.state = "proven",
        Decision::Open(permit) => {
            let commits = request.commit || workspace.settings().commit_always;
            let message = CommitMessage {
                kind: "refactor".to_owned(),
                scope: None,
                summary: format!("apply an edit of {}", proposal.files.join(", ")),
                body: Vec::new(),
            }
            .fitted();
            let options =
                ApplyOptions { commit: commits.then_some(message), ..ApplyOptions::default() };
            let applied =
                workspace.project().apply(ctx, workspace.sandbox(), &overlay, permit, &options)?;
            proposal.state = "applied";
            proposal.id = applied.id;
            commit = applied.commit;
        }
    }
    Ok(EditApplied { proposals: vec![proposal], refusals, diagnostics, notes, commit })
}
