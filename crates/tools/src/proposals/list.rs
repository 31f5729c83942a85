//! `edit list` and `edit reject`.

use base::Ctx;
use project::Workspace;
use project::recorded;
use record::{RecordEntry, RecordError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::card::ProposalCard;
use super::open::OpenRecord;
use crate::Error;

/// Result of [`list_proposals`], as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProposalList {
    /// The proposals, newest first.
    pub proposals: Vec<ProposalCard>,
    /// Damage of the record.
    pub notes: Vec<String>,
}

/// The open proposals, newest first; with `all` those that were decided, too.
///
/// # Errors
/// A record that cannot be read.
pub fn list_proposals(ctx: &Ctx, workspace: &Workspace, all: bool) -> Result<ProposalList, Error> {
    let open = OpenRecord::open(ctx, workspace)?;
    let listed = open
        .proposals
        .all()
        .rev()
        .filter(|it| all || it.state.is_open() || it.state == record::ProposalState::Approved);
    let ids: Vec<String> = listed.map(|it| it.new.id.clone()).collect();
    Ok(ProposalList { proposals: open.cards(&ids)?, notes: open.troubles })
}

/// One proposal as it is now.
///
/// # Errors
/// An id that names no proposal; a record that cannot be read.
pub fn proposal(ctx: &Ctx, workspace: &Workspace, id: &str) -> Result<ProposalCard, Error> {
    let open = OpenRecord::open(ctx, workspace)?;
    let found = open.proposals.find(id)?.new.id.clone();
    let card = open.cards(&[found])?.into_iter().next();
    let (id, candidates) = (id.to_owned(), Vec::new());
    card.ok_or_else(|| RecordError::NoProposal { id, is_ambiguous: false, candidates }.into())
}

/// Input of [`reject`].
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RejectRequest {
    /// Ids, or items that one open proposal changes.
    #[schemars(inner(length(min = record::ID_LENGTH)))]
    pub ids: Vec<String>,
    /// Reason.
    pub reason: String,
}

/// Result of [`reject`], as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RejectResponse {
    /// The proposals.
    pub proposals: Vec<ProposalCard>,
    /// Number of rows of the code graph whose future was cleared.
    pub cleared: usize,
}

/// Rejects open proposals. They stay in the record with the reason; their futures are cleared.
///
/// # Errors
/// An id that names no open proposal.
pub fn reject(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &RejectRequest,
) -> Result<RejectResponse, Error> {
    let args = json!({ "ids": request.ids });
    recorded(
        ctx,
        workspace,
        "edit reject",
        args,
        || reject_unrecorded(ctx, workspace, request),
        |it| json!({ "cleared": it.cleared }),
    )
}

fn reject_unrecorded(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &RejectRequest,
) -> Result<RejectResponse, Error> {
    let open = OpenRecord::open(ctx, workspace)?;
    let found = open.find(&request.ids)?;
    let ids: Vec<String> = found.iter().map(|it| it.new.id.clone()).collect();
    let (reason, at) = (request.reason.clone(), ctx.now());
    let entry = RecordEntry::Rejected { ids: ids.clone(), reason, at };
    open.record.write(ctx, |_| Ok::<_, Error>((vec![entry], ())))?;
    let mut cleared = 0;
    for proposal in &found {
        // A text that is lost clears nothing.
        cleared += open.rows(proposal).map_or(0, |rows| rows.len());
    }
    Ok(RejectResponse { proposals: open.cards(&ids)?, cleared })
}
