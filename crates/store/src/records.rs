//! The rows of `record.db`.

use base::ItemId;
use serde::{Deserialize, Serialize};

/// The effect of a future on its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FutureAction {
    /// The item is created.
    Create,
    /// Its code changes.
    Edit,
    /// The item is deleted.
    Delete,
}

impl FutureAction {
    /// The name in the relation.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Edit => "edit",
            Self::Delete => "delete",
        }
    }

    #[cfg(feature = "datalog")]
    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::Create, Self::Edit, Self::Delete].into_iter().find(|it| it.as_str() == text)
    }
}

/// The current state of an item, for `upsert_current`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// The item.
    pub id: ItemId,
    /// Its code; `None` if it does not exist.
    pub current_code: Option<String>,
    /// `test`, `test_helper`, `production`.
    pub tdd_classification: String,
}

/// One row of `codegraph` as it was at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeVersion {
    /// The item.
    pub id: ItemId,
    /// Its code; `None` if it does not exist.
    pub current_code: Option<String>,
    /// The proposed code.
    pub future_code: Option<String>,
    /// The proposed change; `None` if there is none.
    pub future_action: Option<FutureAction>,
    /// `test`, `test_helper`, `production`.
    pub tdd_classification: String,
    /// Whether it exists now.
    pub in_current: bool,
    /// Whether it exists in the future: after the proposal, or as now if there is none.
    pub in_future: bool,
    /// The approver of the last change, or the reason of the last rejection.
    pub note: Option<String>,
}

/// The evidence for an approval. It is created by the caller that ran the proof; the store only
/// checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Whether every requested rung passed.
    pub passed: bool,
    /// Identifies the proof in the records: the hash of patch set and evidence.
    pub evidence: String,
}

/// The state of a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolState {
    /// The call was requested.
    Requested,
    /// The call succeeded.
    Done,
    /// The call failed.
    Failed,
}

impl ToolState {
    /// The name in the relation.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// One row of `tool_calls`; written when it is requested and again when it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCallRow {
    /// The id.
    pub id: String,
    /// The task; empty: none.
    pub task: String,
    /// The tool.
    pub tool: String,
    /// Its arguments, as JSON text.
    pub args: String,
    /// The state.
    pub state: ToolState,
    /// The result, as JSON text.
    pub result: Option<String>,
    /// The error.
    pub error: Option<String>,
    /// When it was requested, in microseconds.
    pub requested_at: i64,
    /// When it ended.
    pub done_at: Option<i64>,
}

/// One row of `edit_proposals`; written when it is created and again when it is decided.
#[derive(Clone, Debug, PartialEq)]
pub struct EditProposalRow {
    /// The id.
    pub id: String,
    /// The task; empty: none.
    pub task: String,
    /// The overlay, in the caller's format.
    pub overlay: String,
    /// `proposed`, `proven`, `approved`, `rejected`, `applied`, …: chosen by the caller.
    pub state: String,
    /// The evidence, as JSON text.
    pub evidence: Option<String>,
    /// 0 to 1, if the author provided it.
    pub confidence: Option<f64>,
    /// The approver.
    pub approver: Option<String>,
    /// The reason for the decision.
    pub reason: Option<String>,
    /// When it was created, in microseconds.
    pub created_at: i64,
    /// When it was decided.
    pub decided_at: Option<i64>,
}

/// One row of `retrieval_events`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrievalEventRow {
    /// The id.
    pub id: String,
    /// The task; empty: none.
    pub task: String,
    /// The query.
    pub query: String,
    /// The focus item; empty: none.
    pub focus: String,
    /// The hits, as JSON text.
    pub hits: String,
    /// The duration.
    pub took_us: i64,
    /// The time, in microseconds.
    pub at: i64,
}

/// Lifecycle records that are written together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// Tool calls.
    pub tool_calls: Vec<ToolCallRow>,
    /// Proposals.
    pub proposals: Vec<EditProposalRow>,
    /// Retrievals.
    pub retrievals: Vec<RetrievalEventRow>,
}
