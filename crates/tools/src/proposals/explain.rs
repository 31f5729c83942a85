//! `policy explain`: why the gate does not open for a proposal now.

use base::Ctx;
use policy::{Evidence, GateRules, NamedPermission, Refusal};
use project::Workspace;
use record::{Proposal, ProposalState};
use serde::Serialize;

use super::open::{OpenRecord, stale_file};
use super::verify::{edit_rules, tests_of};
use crate::Error;

/// Result of [`policy_explain`], as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PolicyExplanation {
    /// The proposal; `None` where there is none: then each gate is listed with what it waits for.
    pub proposal: Option<String>,
    /// Its state.
    pub state: Option<String>,
    /// What blocks `apply`; empty if nothing does.
    pub blocked_by: Vec<BlockedBy>,
    /// Damage of the record.
    pub notes: Vec<String>,
}

/// One thread that blocks `apply`, or one rule of proposals (`stale`, `rejected`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockedBy {
    /// Name of the thread.
    pub thread: String,
    /// Why it blocks.
    pub reason: String,
    /// What would satisfy it.
    pub hint: String,
    /// Permission by which a person lifts it.
    #[serde(skip)]
    pub(crate) permission: Option<NamedPermission>,
}

impl From<Refusal> for BlockedBy {
    fn from(refusal: Refusal) -> Self {
        let Refusal { rule: thread, reason, hint, permission } = refusal;
        Self { thread, reason, hint, permission }
    }
}

/// Why `apply` is blocked for a proposal (`None`: the newest open one): what the gate would answer
/// to the evidence on record under the present policy, and what keeps the proposal from the gate.
///
/// # Errors
/// An id that names no proposal; a record that cannot be read.
pub fn policy_explain(
    ctx: &Ctx,
    workspace: &Workspace,
    id: Option<&str>,
) -> Result<PolicyExplanation, Error> {
    let open = OpenRecord::open(ctx, workspace)?;
    let chosen = match id {
        Some(id) => open.find(&[id.to_owned()])?.pop(),
        None => open.proposals.all().rev().find(|it| it.state.is_open()).cloned(),
    };
    let mut answer = PolicyExplanation {
        proposal: chosen.as_ref().map(|it| it.new.id.clone()),
        state: chosen.as_ref().map(|it| it.state.as_str().to_owned()),
        blocked_by: Vec::new(),
        notes: open.troubles.clone(),
    };
    match &chosen {
        Some(proposal) => explain(&open, proposal, &mut answer),
        None => {
            let rules = edit_rules(workspace, workspace.settings().check_tests);
            answer.blocked_by = unverified(&rules);
        }
    }
    Ok(answer)
}

fn unverified(rules: &GateRules) -> Vec<BlockedBy> {
    policy::explain_unverified(rules).into_iter().map(BlockedBy::from).collect()
}

fn explain(open: &OpenRecord<'_>, proposal: &Proposal, answer: &mut PolicyExplanation) {
    let id = &proposal.new.id;
    let mut block = |thread: &str, reason: String, hint: String| {
        let thread = thread.to_owned();
        answer.blocked_by.push(BlockedBy { thread, reason, hint, permission: None });
    };
    match proposal.state {
        ProposalState::Applied => return,
        ProposalState::Approved => {
            let reason = "it is being written".to_owned();
            return block("approved", reason, "wait for the other process".to_owned());
        }
        ProposalState::Rejected => {
            let reason = proposal.reason.as_deref().unwrap_or("without a reason");
            let hint = format!("`graftage edit propose --again {id}` proposes it again");
            // What its evidence lacks is no question any more.
            return block("rejected", format!("it was rejected: {reason}"), hint);
        }
        _ => {
            if let Some(file) = stale_file(open.workspace, &proposal.new) {
                let hint = format!("`graftage edit propose --again {id}` stages it on `{file}`");
                block("stale", format!("`{file}` changed since it was proposed"), hint);
            }
        }
    }
    let tests = tests_of(proposal).unwrap_or(open.workspace.settings().check_tests);
    let rules = edit_rules(open.workspace, tests);
    let evidence = proposal.preflight.as_ref().map(|preflight| {
        let json = open.record.texts().get(preflight.evidence).map_err(|it| it.to_string())?;
        serde_json::from_slice::<Evidence>(&json).map_err(|it| it.to_string())
    });
    match evidence {
        Some(Ok(evidence)) => {
            let refusals = policy::explain(&rules, &evidence, &[]);
            answer.blocked_by.extend(refusals.into_iter().map(BlockedBy::from));
        }
        missing => {
            if let Some(Err(error)) = missing {
                answer.notes.push(format!("the evidence of the last preflight is lost: {error}"));
            }
            let mut blocked = unverified(&rules);
            for it in &mut blocked {
                it.hint = format!("{}; `graftage edit preflight {id}` verifies it", it.hint);
            }
            answer.blocked_by.extend(blocked);
        }
    }
}
