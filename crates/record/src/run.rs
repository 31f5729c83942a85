//! [`RunRecord`], a finished run, [`RunDetail`] and [`GivenAnswer`], the texts of it, and [`SkillRecord`], what was
//! learned.

use base::{ContentHash, Timestamp};
use serde::{Deserialize, Serialize};

/// The result of one run of a command that repairs or changes code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// Id of the run.
    pub id: String,
    /// Command: `fix`, `finish`, `task` …
    pub command: String,
    /// Outcome: `applied`, `proven`, `draft`, `none`, `clean`.
    pub outcome: String,
    /// Number of verified candidates.
    pub candidates: u64,
    /// Whether the first candidate built; `None` without a candidate.
    pub first_pass: Option<bool>,
    /// Tokens of language models.
    pub tokens: u64,
    /// Cost in millionths of a dollar.
    pub micro_dollars: u64,
    /// Duration in milliseconds.
    pub wall_ms: u64,
    /// Peak memory in bytes; 0: not measured.
    pub peak_rss: u64,
    /// When it ended.
    pub at: Timestamp,
    /// A [`RunDetail`] in JSON, as a text of the record, so that it can be forgotten; `None` in entries
    /// of earlier versions.
    #[serde(default)]
    pub detail: Option<ContentHash>,
    /// The change that it ended with and did not apply, in JSON, as a text of the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<ContentHash>,
    /// The answers of a person that its change has, a list of [`GivenAnswer`] in JSON, as a text of the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<ContentHash>,
}

impl RunRecord {
    /// The texts of the record that it names.
    pub(crate) fn texts(&self) -> impl Iterator<Item = ContentHash> + use<> {
        self.detail.into_iter().chain(self.kept).chain(self.answers)
    }
}

/// An answer of a person to a question of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenAnswer {
    /// Name and type that were asked for: `name: Type`.
    pub asked: String,
    /// The text that was the answer.
    pub text: String,
}

/// The change of a run that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppliedRun {
    /// Id of the run.
    pub run: String,
    /// Id of the change in the undo journal.
    pub change: String,
    /// The commit, if one was made.
    pub commit: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// What a run was about and what it found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunDetail {
    /// The request as text; empty: to repair the errors.
    pub request: String,
    /// The first errors of the tree before the run.
    pub errors: Vec<ErrorRecord>,
    /// Names of the rules whose fixes the change consists of.
    pub rules: Vec<String>,
    /// Description of the change, one line per step.
    pub rationale: Vec<String>,
    /// The items that the change touches.
    pub items: Vec<RunItem>,
    /// The files that it touches.
    pub files: Vec<String>,
    /// Hash of the change.
    pub patch_set: Option<ContentHash>,
    /// Unified diff of the change or the draft.
    pub diff: String,
    /// Why there is no change.
    pub reason: String,
    /// File name of the trace of the run.
    pub trace: Option<String>,
}

/// One error of the tree before a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorRecord {
    /// Code such as `E0308`.
    pub code: Option<String>,
    /// Message.
    pub message: String,
    /// File.
    pub file: Option<String>,
    /// Path of the enclosing item in the file.
    pub item: Option<String>,
}

/// An item of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunItem {
    /// File.
    pub file: String,
    /// Path of the item in the file.
    pub path: String,
}

/// A pattern that was mined from a change that was written. A pattern that is mined again has the same
/// id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillRecord {
    /// Id: the beginning of the hash of the pattern.
    pub id: String,
    /// The pattern in JSON, as a text of the record.
    pub pattern: ContentHash,
    /// Number of errors of the change that it fixes.
    pub places: u64,
    /// Id of the change in the undo journal.
    pub change: String,
    /// When.
    pub at: Timestamp,
}
