//! [`Offers`]: the verified changes of a runner that wait for a decision, and the questions about them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use base::{ContentHash, Ctx};
use policy::Approval;
use project::Workspace;
use tools::{
    ConsentError, Consents, PendingChange, ProvenChange, ReviewedWrite, ShownDiff, WrittenReview,
};

use super::changes;
use super::job::{JobEnd, PlanCard, WriteRequest};
use super::review::{OfferId, ProofCard};
use crate::{AgentError, FixResult, Plan};

/// Most verified changes that are kept; of more, the oldest is forgotten, and has to be proven again.
const MOST: usize = 16;

/// A verified change, as it was verified.
pub(super) enum Verified {
    /// By a search for a change, which may be a step of a plan.
    Run(Box<FixResult>, Option<Plan>),
    /// By a proof of a part.
    Part(Box<ProvenChange>),
}

struct Offer {
    id: OfferId,
    workspace: Arc<Workspace>,
    verified: Verified,
}

/// The verified changes that wait for a decision.
#[derive(Default)]
pub(super) struct Offers {
    waiting: Mutex<Waiting>,
    consents: Consents,
}

#[derive(Default)]
struct Waiting {
    next: u64,
    offers: VecDeque<Offer>,
}

impl Offers {
    /// Keeps a verified change, a step of `plan`; `None` where it has no permit.
    pub(super) fn of_run(
        &self,
        workspace: &Arc<Workspace>,
        fixed: FixResult,
        plan: Option<Plan>,
    ) -> Option<ProofCard> {
        let accepted = fixed.accepted.as_ref()?;
        let (patch_set, evidence) =
            (accepted.overlay.patch_set(), Box::new(accepted.permit.evidence().clone()));
        let not_checked = tools::not_checked(&evidence);
        let offer = self.add(workspace, Verified::Run(Box::new(fixed), plan));
        Some(ProofCard {
            offer,
            patch_set,
            evidence,
            refusals: Vec::new(),
            diagnostics: Vec::new(),
            not_checked,
        })
    }

    /// Keeps a change that was proven.
    pub(super) fn of_part(&self, workspace: &Arc<Workspace>, proven: ProvenChange) -> ProofCard {
        let card = ProofCard {
            offer: OfferId(0),
            patch_set: proven.patch_set(),
            evidence: Box::new(proven.evidence().clone()),
            refusals: proven.refusals().iter().map(policy::Refusal::with_permission).collect(),
            diagnostics: proven.diagnostics(),
            not_checked: proven.not_checked(),
        };
        let offer = self.add(workspace, Verified::Part(Box::new(proven)));
        ProofCard { offer, ..card }
    }

    fn add(&self, workspace: &Arc<Workspace>, verified: Verified) -> OfferId {
        let mut waiting = base::lock(&self.waiting);
        waiting.next += 1;
        let id = OfferId(waiting.next);
        if waiting.offers.len() == MOST {
            waiting.offers.pop_front();
        }
        waiting.offers.push_back(Offer { id, workspace: Arc::clone(workspace), verified });
        id
    }

    /// The question about the write of an offer: its nonce and text. The whole diff is on the screen
    /// already.
    pub(super) fn ask(
        &self,
        ctx: &Ctx,
        (offer, mut titles): (OfferId, Vec<String>),
        approval: &Approval,
    ) -> Result<JobEnd, AgentError> {
        let waiting = base::lock(&self.waiting);
        let found = waiting.offers.iter().find(|it| it.id == offer);
        let found = found.ok_or(ConsentError::Unknown)?;
        let (evidence, not_checked) = match &found.verified {
            Verified::Part(proven) => (Some(proven.evidence()), proven.not_checked()),
            Verified::Run(fixed, _) => {
                let evidence = fixed.accepted.as_ref().map(|it| it.permit.evidence());
                (evidence, evidence.and_then(tools::not_checked))
            }
        };
        titles.extend(evidence.map(|it| format!("proof: {}", tools::proof_summary(it))));
        titles.extend(not_checked);
        let pending = match &found.verified {
            Verified::Part(proven) => proven.pending(titles, approval),
            Verified::Run(fixed, _) => {
                fixed.accepted.as_ref().map(|it| it.pending(titles, "graftage edit list"))
            }
        };
        let Some(pending) = pending else {
            return Ok(JobEnd::Refused(vec!["the gate is closed for this change".to_owned()]));
        };
        let shown = ShownDiff::In("the change as it is shown");
        Ok(self.question(ctx, (&pending, shown), &call_of_offer(offer)))
    }

    /// A question about a pending change.
    pub(super) fn question(
        &self,
        ctx: &Ctx,
        (pending, shown): (&PendingChange, ShownDiff),
        call: &[u8],
    ) -> JobEnd {
        let question = self.consents.ask(ctx, pending, shown, call);
        JobEnd::Question(question.nonce().to_owned(), question.text().to_owned())
    }

    /// The consent of a person to what was asked.
    pub(super) fn redeem(&self, nonce: &str, call: &[u8]) -> Result<tools::Consent, AgentError> {
        Ok(self.consents.redeem(nonce, call)?)
    }

    /// Writes an offer. What was left out is kept as a proposal.
    pub(super) fn write(
        &self,
        ctx: &Ctx,
        request: &WriteRequest,
        approval: &Approval,
    ) -> Result<JobEnd, AgentError> {
        let consent = self.redeem(&request.nonce, &call_of_offer(request.offer))?;
        let taken = {
            let mut waiting = base::lock(&self.waiting);
            let at = waiting.offers.iter().position(|it| it.id == request.offer);
            at.and_then(|at| waiting.offers.remove(at))
        };
        let Offer { workspace, verified, .. } = taken.ok_or(ConsentError::Unknown)?;
        if patch_set(&verified) != Some(request.patch_set) {
            return Err(ConsentError::Other.into());
        }
        let instead = request.instead.as_deref();
        let (written, plan) = match verified {
            Verified::Part(proven) => {
                let write = ReviewedWrite { instead, approval, consent };
                (proven.write(ctx, &workspace, write)?, None)
            }
            Verified::Run(mut fixed, plan) => {
                if let Some(accepted) = &mut fixed.accepted {
                    accepted.consent = Some(consent);
                }
                (write_run(ctx, &workspace, *fixed, request)?, plan)
            }
        };
        Ok(ended(ctx, &workspace, request, (written, plan)))
    }
}

/// Writes the change of a run, and closes the proposal that kept it.
fn write_run(
    ctx: &Ctx,
    workspace: &Workspace,
    fixed: FixResult,
    request: &WriteRequest,
) -> Result<WrittenReview, AgentError> {
    let report = crate::apply(ctx, workspace, fixed, false)?;
    let Some(id) = report.id else {
        let reason = report.reason.unwrap_or_else(|| "the gate refused it".to_owned());
        return Ok(WrittenReview::Refused { refusals: Vec::new(), note: Some(reason) });
    };
    if let Some(old) = &request.instead {
        let (ids, reason) = (vec![old.clone()], format!("applied as {id}"));
        // The change is written; an open proposal of it is seen to be stale.
        let _ = tools::reject(ctx, workspace, &tools::RejectRequest { ids, reason });
    }
    Ok(WrittenReview::Applied { change: id.into(), commit: report.commit })
}

/// The end of a write; what was left out is kept.
fn ended(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &WriteRequest,
    (written, plan): (WrittenReview, Option<Plan>),
) -> JobEnd {
    match written {
        WrittenReview::Applied { change, commit } => {
            let kept = match request.rest.is_empty() {
                true => Ok(None),
                false => tools::keep(ctx, workspace, &request.rest, "left out", None).map(Some),
            };
            let (rest, lost) = match kept {
                Ok(rest) => (rest, None),
                Err(error) => (None, Some(error.to_string())),
            };
            JobEnd::Applied { change, commit, rest, lost, plan: written_step(ctx, workspace, plan) }
        }
        WrittenReview::Refused { refusals, note } => {
            let reasons = refusals.iter().map(policy::Refusal::with_permission);
            JobEnd::Refused(note.into_iter().chain(reasons).collect())
        }
    }
}

/// Marks a step of a plan as written. The change is written in any case: a plan that cannot be stored is
/// shown by its next run.
fn written_step(ctx: &Ctx, workspace: &Workspace, plan: Option<Plan>) -> Option<PlanCard> {
    let mut plan = plan?;
    plan.applied();
    changes::stored(ctx, workspace, &plan).ok()
}

fn patch_set(verified: &Verified) -> Option<ContentHash> {
    match verified {
        Verified::Part(proven) => Some(proven.patch_set()),
        Verified::Run(fixed, _) => fixed.accepted.as_ref().map(|it| it.overlay.patch_set()),
    }
}

fn call_of_offer(offer: OfferId) -> Vec<u8> {
    format!("write {}", offer.0).into_bytes()
}
