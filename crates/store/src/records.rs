use base::ItemId;
use serde::{Deserialize, Serialize};

/// What a future does to its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FutureAction {
    /// The item comes into being.
    Create,
    /// Its code changes.
    Edit,
    /// It goes.
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

/// The current state of an item, as `upsert_current` takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// Whose.
    pub id: ItemId,
    /// Its code; `None` where it does not exist now.
    pub current_code: Option<String>,
    /// `test`, `test_helper`, `production`.
    pub tdd_classification: String,
}

/// One row of `codegraph` as it was at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeVersion {
    /// Whose.
    pub id: ItemId,
    /// Its code; `None` where it does not exist.
    pub current_code: Option<String>,
    /// What it is proposed to become.
    pub future_code: Option<String>,
    /// What the proposal does; `None`: nothing is proposed.
    pub future_action: Option<FutureAction>,
    /// `test`, `test_helper`, `production`.
    pub tdd_classification: String,
    /// It exists now.
    pub in_current: bool,
    /// It exists in the future: after the proposal, or, where there is none, as now.
    pub in_future: bool,
    /// Who approved the last flip, or why the last future was rejected.
    pub note: Option<String>,
}

/// What stands behind an approval. It is made by whoever ran the proof; the store only asks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Every rung that was asked for passed.
    pub passed: bool,
    /// What names the proof in the records: the hash of patch set and evidence.
    pub evidence: String,
}

/// How far a tool call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolState {
    /// Asked for.
    Requested,
    /// It answered.
    Done,
    /// It failed.
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

/// One row of `tool_calls`; written when it is asked for and again when it is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCallRow {
    /// Its name.
    pub id: String,
    /// For which task; empty: none.
    pub task: String,
    /// Which tool.
    pub tool: String,
    /// Its arguments, as JSON text.
    pub args: String,
    /// How far it is.
    pub state: ToolState,
    /// What it answered, as JSON text.
    pub result: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// When it was asked for, in microseconds.
    pub requested_at: i64,
    /// When it was over.
    pub done_at: Option<i64>,
}

/// One row of `edit_proposals`; written when it is made and again when it is decided.
#[derive(Clone, Debug, PartialEq)]
pub struct EditProposalRow {
    /// Its name.
    pub id: String,
    /// For which task; empty: none.
    pub task: String,
    /// The overlay, as the caller writes it.
    pub overlay: String,
    /// `proposed`, `proven`, `approved`, `rejected`, `applied`, …: the caller's words.
    pub state: String,
    /// What was found out about it, as JSON text.
    pub evidence: Option<String>,
    /// 0 to 1, where its maker said so.
    pub confidence: Option<f64>,
    /// Who decided.
    pub approver: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// When it was made, in microseconds.
    pub created_at: i64,
    /// When it was decided.
    pub decided_at: Option<i64>,
}

/// One row of `retrieval_events`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrievalEventRow {
    /// Its name.
    pub id: String,
    /// For which task; empty: none.
    pub task: String,
    /// What was asked.
    pub query: String,
    /// Around what; empty: nothing.
    pub focus: String,
    /// What was found, as JSON text.
    pub hits: String,
    /// How long it took.
    pub took_us: i64,
    /// When, in microseconds.
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
