//! [`Relation`]: one node of the graph.

use base::{SortedMap, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::RelationError;

/// Maximum length of an id, in bytes.
const LONGEST_ID: usize = 256;

/// A node of the graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// Id, unique in the graph.
    pub id: String,
    /// Ids of the parents, each once.
    pub parents: Vec<String>,
    /// Type of the edges to the parents: `plan`, `step`, `depends_on`.
    pub edge_type: String,
    /// Content of the node.
    pub context: RelationContext,
    /// Time at which the node was added.
    pub created_at: Timestamp,
}

/// The content of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationContext {
    /// Description, for people and models.
    pub description: String,
    /// Status, for nodes that are work to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<RelationStatus>,
    /// Further fields by name.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub fields: SortedMap<String, Value>,
}

impl RelationContext {
    /// A description without a status.
    pub fn new(description: impl Into<String>) -> Self {
        Self { description: description.into(), ..Self::default() }
    }

    /// The same with a status.
    pub fn with_status(self, status: RelationStatus) -> Self {
        Self { status: Some(status), ..self }
    }
}

base::named_enum! {
    /// The state of a node that is work to do.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum RelationStatus {
        /// It is not started.
        Pending = "pending",
        /// It is in progress.
        InProgress = "in_progress",
        /// It is done.
        Done = "done",
        /// It was tried without success.
        Failed = "failed",
    }
}

/// What an update changes; `None` leaves a part as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelationUpdate {
    /// Parents, all of them.
    pub parents: Option<Vec<String>>,
    /// Edge type.
    pub edge_type: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Status; `Some(None)` removes it.
    pub status: Option<Option<RelationStatus>>,
    /// Fields to set by name; `null` removes a field.
    pub fields: SortedMap<String, Value>,
}

/// Checks that a text can be an id.
pub(super) fn check_id(id: &str) -> Result<(), RelationError> {
    let reason = if id.is_empty() {
        "it is empty"
    } else if id.len() > LONGEST_ID {
        "it is longer than 256 bytes"
    } else if id.contains(char::is_control) {
        "it has a control character"
    } else {
        return Ok(());
    };
    let id = id.chars().take(64).collect();
    Err(RelationError::Id { id, reason })
}
