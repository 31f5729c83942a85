//! Proposals: edits that are recorded before they are verified and written. `propose` stages and
//! records one, `verify` proves it, `approve` proves it again and writes it through the gate; the
//! record (`record::Record`) keeps all of it across processes.
//!
//! Invariants: only `approve` writes the tree, by [`crate::accept`] with a permit of this process;
//! recorded evidence is shown and never used as evidence; after a kill the tree and the record agree.
//! Every change is projected on the code graph (`code_graph`), whose rows determine it exactly.

mod approve;
mod card;
mod code_graph;
mod error;
mod explain;
mod ids;
mod list;
mod open;
mod propose;
mod review;
mod typed;
mod verify;

pub use approve::{ApproveRequest, ApproveResponse, approve, pending_approval};
pub(crate) use approve::{Writing, Written, write};
pub use card::ProposalCard;
pub(crate) use card::{overlay, rows_of};
pub use error::ProposalError;
pub use explain::{BlockedBy, PolicyExplanation, policy_explain};
pub use list::{ProposalList, RejectRequest, RejectResponse, list_proposals, proposal, reject};
pub(crate) use open::moved_file;
pub(crate) use open::{OpenRecord, undone};
pub(crate) use propose::{Draft, StagedChange, syntax_problems};
pub use propose::{ProposeRequest, ProposeResponse, propose, propose_again};
pub use review::{ProvenChange, ReviewedWrite, WrittenReview, change_of_text, keep, reviewed};
pub(crate) use typed::ApplyCodeEditRequest;
pub use typed::{CodeContextRequest, request_code_context};
pub(crate) use typed::{stage_code_edit, stage_code_edit_unrecorded};
pub(crate) use verify::Proof;
pub use verify::{
    PreflightRequest, PreflightResponse, not_checked, preflight_check, record_verified,
};
