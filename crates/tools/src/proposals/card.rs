//! Proposals as `--json` prints them.

use base::{ContentHash, Timestamp};
use edit::Overlay;
use record::{Blobs, CodeRow, Proposal, ProposalState, RecordError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// One proposal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProposalCard {
    /// Id.
    pub id: String,
    /// State: `proposed`, `proven`, `refused`, `approved` (being written), `applied`, `undone`,
    /// `rejected`; `stale` if it is open and a file of it changed since.
    pub state: String,
    /// One line.
    pub summary: String,
    /// Task that it belongs to; empty: none.
    pub task: String,
    /// Author.
    pub author: String,
    /// When it was proposed.
    pub created_at: Timestamp,
    /// Changed files.
    pub files: Vec<String>,
    /// Unified diff.
    pub diff: String,
    /// Evidence of its last verification.
    pub evidence: Option<Value>,
    /// Confidence of the author, 0 to 1.
    pub confidence: Option<f32>,
    /// The file that changed since, if it is stale.
    pub stale: Option<String>,
    /// Who approved it.
    pub approver: Option<String>,
    /// Why it was rejected, or why its last write failed.
    pub reason: Option<String>,
    /// Id of its change for `undo`, once applied.
    pub change: Option<String>,
    /// Commit, if one was made.
    pub commit: Option<String>,
    /// Version of the code graph that it made, once applied.
    pub version: Option<u64>,
    /// The proposal that it replaces.
    pub again: Option<String>,
}

impl ProposalCard {
    /// The card of a proposal; texts of the record that are lost are left out.
    pub(super) fn of(texts: &Blobs, proposal: &Proposal, state: CardState) -> Self {
        let new = &proposal.new;
        let overlay = overlay(texts, proposal).ok();
        let evidence = proposal.preflight.as_ref().and_then(|it| texts.get(it.evidence).ok());
        Self {
            id: new.id.clone(),
            state: match (&state, proposal.state) {
                (CardState { stale: Some(_), .. }, open) if open.is_open() => "stale",
                (CardState { is_undone: true, .. }, ProposalState::Applied) => "undone",
                (_, state) => state.as_str(),
            }
            .to_owned(),
            summary: new.summary.clone(),
            task: new.task.clone(),
            author: new.author.clone(),
            created_at: new.at,
            files: new.files.iter().map(|file| file.path.clone()).collect(),
            diff: overlay.map(|it| it.unified_diff()).unwrap_or_default(),
            evidence: evidence.and_then(|json| serde_json::from_slice(&json).ok()),
            confidence: new.confidence,
            stale: state.stale.filter(|_| proposal.state.is_open()),
            approver: proposal.approver.clone(),
            reason: proposal.reason.clone(),
            change: proposal.change.clone(),
            commit: proposal.commit.clone(),
            version: proposal.version,
            again: new.again.clone(),
        }
    }
}

/// What the record alone does not show.
#[derive(Clone, Debug, Default)]
pub(super) struct CardState {
    /// The file that changed since the proposal was made.
    pub(super) stale: Option<String>,
    /// Whether its change was undone.
    pub(super) is_undone: bool,
}

/// The overlay of a proposal.
pub(crate) fn overlay(texts: &Blobs, proposal: &Proposal) -> Result<Overlay, RecordError> {
    read(texts, proposal.new.overlay, &proposal.new.id)
}

/// The rows of the code graph of a proposal.
pub(super) fn rows(texts: &Blobs, proposal: &Proposal) -> Result<Vec<CodeRow>, RecordError> {
    read(texts, proposal.new.rows, &proposal.new.id)
}

/// The same; none if they are lost.
pub(crate) fn rows_of(texts: &Blobs, proposal: &Proposal) -> Vec<CodeRow> {
    rows(texts, proposal).unwrap_or_default()
}

fn read<T: DeserializeOwned>(texts: &Blobs, hash: ContentHash, id: &str) -> Result<T, RecordError> {
    serde_json::from_slice(&texts.get(hash)?).map_err(|error| RecordError::Entry {
        reason: format!("the change of proposal {id} cannot be read: {error}"),
    })
}
