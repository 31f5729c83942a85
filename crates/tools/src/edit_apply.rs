use base::Ctx;
use check::{Checked, Ladder, Mapped, Tests};
use policy::{Approval, Decision, Evidence, Keep, Refusal};
use repo::{ApplyOptions, CommitMessage};
use serde::Serialize;

use crate::accept::{Acceptance, Accepted, accept};
use crate::check_tree::stage;
use crate::{DiagnosticRow, Error, Workspace};

/// An edit by hand, or by a program, that is to reach the tree.
#[derive(Clone, Debug, Default)]
pub struct EditApply {
    /// The request, in any format.
    pub text: String,
    /// Which tests must hold; the settings' choice when absent.
    pub tests: Option<Tests>,
    /// What a person decided about it: rules of preservation that it may break, or why a closed
    /// gate is to open.
    pub approval: Approval,
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
    let mut answer = answer(&checked, notes);
    // An edit may take code away: that is what its author asked for. Tests it may not.
    let rules = policy::Rules { keep: Keep::Tests, ..workspace.rules(tests) };
    match policy::decide(&rules, checked.evidence, &request.approval) {
        Decision::Closed(reasons) => answer.refusals = reasons,
        Decision::Open(_) if request.dry_run => answer.proposals[0].state = "proven",
        Decision::Open(permit) => {
            let approval = request.approval.clone();
            let accepted = Accepted { overlay: checked.overlay, permit, ladder, rules, approval };
            let commits = request.commit || workspace.settings().commit_always;
            let message = commits.then(|| message(&answer.proposals[0].files));
            let options = ApplyOptions { commit: message, ..ApplyOptions::default() };
            answer.take(accept(ctx, workspace, accepted, &options)?);
        }
    }
    Ok(answer)
}

/// The answer while the gate is closed.
fn answer(checked: &Checked, notes: Vec<String>) -> EditApplied {
    let overlay = &checked.overlay;
    let proposal = ProposalRow {
        id: overlay.patch_set().short(),
        state: "rejected",
        files: overlay.changes().map(|(path, _)| path.to_string()).collect(),
        diff: overlay.unified_diff(),
        evidence: checked.evidence.clone(),
    };
    EditApplied {
        proposals: vec![proposal],
        refusals: Vec::new(),
        diagnostics: checked.mapped.iter().map(DiagnosticRow::from).collect(),
        notes,
        commit: None,
    }
}

impl EditApplied {
    fn take(&mut self, acceptance: Acceptance) {
        let Some(proposal) = self.proposals.first_mut() else { return };
        match acceptance {
            Acceptance::Written { applied, evidence } => {
                proposal.state = "applied";
                proposal.id = applied.id;
                proposal.evidence = *evidence;
                self.commit = applied.commit;
            }
            Acceptance::Refused { checked, refusals, moved } => {
                proposal.evidence = checked.evidence;
                self.diagnostics = checked.mapped.iter().map(DiagnosticRow::from).collect();
                self.refusals = refusals;
                self.notes.push(moved_note(&moved));
            }
        }
    }
}

/// What a person reads when a change is refused because the tree around it changed.
pub fn moved_note(moved: &[String]) -> String {
    let first = moved.first().map_or("a file", String::as_str);
    let more = match moved.len() {
        0 | 1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    format!(
        "`{first}`{more} changed after the first proof; this is the proof on the tree as it is now"
    )
}

fn message(files: &[String]) -> CommitMessage {
    CommitMessage {
        kind: "refactor".to_owned(),
        scope: None,
        summary: format!("apply an edit of {}", files.join(", ")),
        body: Vec::new(),
    }
    .fitted()
}
