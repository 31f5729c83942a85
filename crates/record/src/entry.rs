//! [`RecordEntry`], what a record contains, and [`CodeRow`], one row of the code graph of a proposal.

use base::{ContentHash, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{AppliedRun, RunRecord, SkillRecord};

/// One event in the life of a project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum RecordEntry {
    /// A change was proposed.
    Proposed(NewProposal),
    /// Proposals were verified together.
    Preflighted(PreflightRecord),
    /// The file of a proposal is no longer what the proposal was made for.
    Stale {
        /// Proposal.
        id: String,
        /// The changed file.
        file: String,
        /// When it was noticed.
        at: Timestamp,
    },
    /// Proposals were approved; writing them begins.
    Approved {
        /// Proposals, written as one change.
        ids: Vec<String>,
        /// Name of this approval, which the undo journal notes with the change.
        approval: String,
        /// Who approved them.
        approver: String,
        /// When.
        at: Timestamp,
    },
    /// The write of approved proposals failed or was interrupted, and nothing was written.
    Released {
        /// Proposals.
        ids: Vec<String>,
        /// Why.
        reason: String,
        /// When.
        at: Timestamp,
    },
    /// Approved proposals were written; their future is the current code now.
    Applied {
        /// Proposals.
        ids: Vec<String>,
        /// Id of the change in the undo journal.
        change: String,
        /// The commit, if one was made.
        commit: Option<String>,
        /// Version of the code graph, from 1; one more than before.
        version: u64,
        /// When.
        at: Timestamp,
    },
    /// Proposals were rejected; their futures are cleared.
    Rejected {
        /// Proposals.
        ids: Vec<String>,
        /// Why.
        reason: String,
        /// When.
        at: Timestamp,
    },
    /// A tool was called.
    ToolRequested {
        /// Id of the call.
        call: String,
        /// Task that it belongs to; empty: none.
        task: String,
        /// Name of the tool.
        tool: String,
        /// Its arguments.
        args: Value,
        /// When.
        at: Timestamp,
    },
    /// A tool call ended with a result.
    ToolDone {
        /// Id of the call.
        call: String,
        /// Result, shortened.
        result: Value,
        /// When.
        at: Timestamp,
    },
    /// A tool call ended with an error.
    ToolFailed {
        /// Id of the call.
        call: String,
        /// Error.
        error: String,
        /// When.
        at: Timestamp,
    },
    /// Code was retrieved.
    Retrieved(RetrievalRecord),
    /// A run of `fix`, `finish`, `task` … ended.
    Run(RunRecord),
    /// The change of a run was written.
    RunApplied(AppliedRun),
    /// A pattern was mined from a change that was written.
    SkillMined(SkillRecord),
    /// Runs, proposals or skills are hidden, and their texts removed.
    Forgotten {
        /// Their ids.
        ids: Vec<String>,
        /// When.
        at: Timestamp,
    },
}

/// A proposed change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewProposal {
    /// Id: short, and stable.
    pub id: String,
    /// Task that it belongs to; empty: none.
    pub task: String,
    /// Author of the change.
    pub author: String,
    /// One line.
    pub summary: String,
    /// When it was proposed.
    pub at: Timestamp,
    /// The request as it was given, as a text of the record.
    pub request: ContentHash,
    /// The overlay in JSON, as a text of the record.
    pub overlay: ContentHash,
    /// The rows of the code graph ([`CodeRow`]) in JSON, as a text of the record.
    pub rows: ContentHash,
    /// Hash of the change.
    pub patch_set: ContentHash,
    /// Changed files, in path order.
    pub files: Vec<FileBase>,
    /// Confidence of the author, 0 to 1.
    pub confidence: Option<f32>,
    /// The proposal that this one replaces.
    pub again: Option<String>,
}

/// A file that a proposal changes, with the state that it was made for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileBase {
    /// Path in the project.
    pub path: String,
    /// Hash of its bytes; `None`: it does not exist.
    pub base: Option<ContentHash>,
    /// Whether it is executable.
    pub executable: bool,
}

/// A verification of proposals. It is shown and never used as evidence: what is written is verified
/// again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreflightRecord {
    /// Proposals, verified together.
    pub ids: Vec<String>,
    /// Whether the gate was open.
    pub passed: bool,
    /// The evidence in JSON, as a text of the record.
    pub evidence: ContentHash,
    /// The tests that were requested: `none`, `affected`, `all`.
    pub tests: String,
    /// When.
    pub at: Timestamp,
}

/// A retrieval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetrievalRecord {
    /// Tool: `search` or `context`.
    pub tool: String,
    /// Task that it belongs to; empty: none.
    pub task: String,
    /// Query.
    pub query: String,
    /// Focus; empty: none.
    pub focus: String,
    /// Keys of the best hits.
    pub hits: Vec<String>,
    /// Whether the answer came from the cache.
    pub cached: bool,
    /// Duration in microseconds.
    pub took_us: u64,
    /// When.
    pub at: Timestamp,
}

/// What happens to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FutureAction {
    /// It is new.
    Create,
    /// Its own text changes.
    Edit,
    /// It is removed.
    Delete,
}

impl FutureAction {
    /// The name in JSON and in relations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Edit => "edit",
            Self::Delete => "delete",
        }
    }
}

/// A part of the text of an item or a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Text of its own.
    Text(String),
    /// The item with this key.
    Item(String),
}

/// One row of the code graph: what a change makes of an item's own text, or, for a file, of the text
/// outside its items. Items within an item have rows of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeRow {
    /// UUID of the item.
    pub id: String,
    /// Readable key; of a file its path.
    pub key: String,
    /// Kind and path in the file (`method Reader::read`), as in [`Piece::Item`]; `file` for a file.
    pub local: String,
    /// File.
    pub file: String,
    /// Kind of the item; `file` for a file.
    pub node_kind: String,
    /// `test`, `test_helper`, `production`.
    pub tdd_classification: String,
    /// What happens to it.
    pub action: FutureAction,
    /// Its text now; `None`: it does not exist.
    pub current: Option<Vec<Piece>>,
    /// Its text after the change; `None`: it does not exist.
    pub future: Option<Vec<Piece>>,
    /// Of a file whether it is executable after the change.
    pub executable: bool,
}

/// The own text among pieces.
pub fn own_text(pieces: &[Piece]) -> String {
    let own = |piece: &Piece| match piece {
        Piece::Text(text) => Some(text.clone()),
        Piece::Item(_) => None,
    };
    pieces.iter().filter_map(own).collect()
}
