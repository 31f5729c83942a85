//! The rows about proposals, tool calls and retrievals: a projection of the record, which is the
//! source of truth.

use base::ItemId;

use crate::MemoryRows;

/// All rows of the record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordRows {
    /// The code graph.
    pub codegraph: Vec<CodeGraphRow>,
    /// Proposals; each id once.
    pub proposals: Vec<EditProposalRow>,
    /// Tool calls; each id once.
    pub tool_calls: Vec<ToolCallRow>,
    /// Retrievals; each id once.
    pub retrievals: Vec<RetrievalRow>,
    /// Rules, skills and episodes.
    pub memory: MemoryRows,
}

/// One row of `codegraph`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeGraphRow {
    /// The item.
    pub id: ItemId,
    /// The open proposal whose future it is; empty: what is current.
    pub proposal: String,
    /// The readable key.
    pub key: String,
    /// The file.
    pub file_path: String,
    /// Its own text now; `None`: it does not exist.
    pub current_code: Option<String>,
    /// Its own text after the proposal; `None`: it does not exist then, or there is no proposal.
    pub future_code: Option<String>,
    /// `create`, `edit`, `delete`; `None`: there is no proposal.
    pub future_action: Option<String>,
    /// `test`, `test_helper`, `production`.
    pub tdd_classification: String,
    /// The version that made it current; 0: none of the record.
    pub version: u64,
}

/// One row of `edit_proposals`.
#[derive(Clone, Debug, PartialEq)]
pub struct EditProposalRow {
    /// The id.
    pub id: String,
    /// The task; empty: none.
    pub task: String,
    /// The change as a unified diff.
    pub overlay: String,
    /// The state.
    pub state: String,
    /// The evidence of the last verification, in JSON.
    pub evidence: Option<String>,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// Who approved it.
    pub approver: Option<String>,
    /// Why it was rejected, or its last write failed.
    pub reason: Option<String>,
    /// When it was proposed, in microseconds.
    pub created_at: u64,
    /// When it was applied or rejected.
    pub decided_at: Option<u64>,
    /// The author.
    pub author: String,
    /// The changed files.
    pub files: Vec<String>,
    /// The change in the undo journal.
    pub change: Option<String>,
    /// The version of the code graph that it made.
    pub version: Option<u64>,
}

/// One row of `tool_calls`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCallRow {
    /// The id.
    pub id: String,
    /// The task; empty: none.
    pub task: String,
    /// The tool.
    pub tool: String,
    /// The arguments, in JSON.
    pub args: String,
    /// `requested`, `done`, `failed`.
    pub state: &'static str,
    /// The result, in JSON.
    pub result: Option<String>,
    /// The error.
    pub error: Option<String>,
    /// When it was requested, in microseconds.
    pub requested_at: u64,
    /// When it ended.
    pub done_at: Option<u64>,
}

/// One row of `retrieval_events`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrievalRow {
    /// The number in the record.
    pub id: u64,
    /// The task; empty: none.
    pub task: String,
    /// The tool.
    pub tool: String,
    /// The query.
    pub query: String,
    /// The focus; empty: none.
    pub focus: String,
    /// The keys of the best hits.
    pub hits: Vec<String>,
    /// Whether the answer came from the cache.
    pub cached: bool,
    /// The duration in microseconds.
    pub took_us: u64,
    /// When it ended, in microseconds.
    pub at: u64,
}
