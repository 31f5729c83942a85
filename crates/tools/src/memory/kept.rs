//! Changes that runs ended with and did not apply: a draft, or a part of one. `graftage apply` takes one by the
//! id of its run. A kept change is a text and no evidence: it is verified like any other before it is written.

use base::{ContentHash, Ctx, Hint};
use edit::Overlay;
use project::{ExitKind, Workspace};
use record::{PastRun, RecordError, RunDetail};
use serde::{Deserialize, Serialize};

use super::episodes::{Remembered, run_detail};
use crate::Error;
use crate::proposals::moved_file;

/// Maximum size of a change that is kept, in bytes of its texts before and after.
const MOST_BYTES: usize = 16 << 20;

/// A change that a run ended with and did not apply.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptChange {
    /// Hash of the project's files that it was made for.
    pub files: ContentHash,
    /// The change.
    pub overlay: Overlay,
    /// Whether it leaves errors.
    pub is_partial: bool,
}

/// A run as far as it can be taken up again.
#[derive(Clone, Debug)]
pub struct KeptRun {
    /// The run.
    pub past: PastRun,
    /// Its texts.
    pub detail: RunDetail,
    /// The change that it ended with.
    pub change: Option<KeptChange>,
}

/// Reason why the change of a run cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeptError {
    /// The run has no change that was kept.
    #[error("run {id} ended as `{outcome}` and has no change to apply")]
    Nothing {
        /// Id of the run.
        id: String,
        /// Its outcome.
        outcome: String,
    },
    /// Its change was written.
    #[error("the change of run {id} was applied already, as {change}")]
    Applied {
        /// Id of the run.
        id: String,
        /// Id of the change.
        change: String,
    },
    /// Its change leaves errors.
    #[error("the change of run {id} leaves errors")]
    Partial {
        /// Id of the run.
        id: String,
    },
    /// The project is not as it was.
    #[error("{file} changed since run {id}: its change was made for another state of the project")]
    Moved {
        /// Id of the run.
        id: String,
        /// The file, or what else changed.
        file: String,
    },
    /// The run cannot be continued.
    #[error("run {id} cannot be continued: {reason}")]
    NotResumable {
        /// Id of the run.
        id: String,
        /// The reason.
        reason: String,
    },
    /// Its texts are damaged or lost.
    #[error("the record of run {id} cannot be read: {reason}")]
    Damaged {
        /// Id of the run.
        id: String,
        /// The reason.
        reason: String,
    },
}

impl KeptError {
    /// Class of the error.
    pub(crate) fn exit_kind(&self) -> ExitKind {
        match self {
            Self::Nothing { .. }
            | Self::Applied { .. }
            | Self::Partial { .. }
            | Self::Moved { .. }
            | Self::NotResumable { .. } => ExitKind::No,
            Self::Damaged { .. } => ExitKind::Environment,
        }
    }
}

impl Hint for KeptError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Nothing { .. } => {
                "`graftage memory search --json` lists the runs; a run that ends with a draft prints its id"
                    .to_owned()
            }
            Self::Applied { change, .. } => format!("`graftage undo {change}` reverts it"),
            Self::Partial { id } => {
                format!("`graftage apply {id} --partial` writes it with the errors that it leaves")
            }
            Self::Moved { .. } | Self::NotResumable { .. } | Self::Damaged { .. } => {
                "run `graftage fix` or `graftage finish` again on the present files".to_owned()
            }
        })
    }
}

/// The text of a change for the record; `None` if it is too large.
pub fn kept_text(change: &KeptChange) -> Option<Vec<u8>> {
    let texts =
        change.overlay.changes().map(|(_, it)| it.before_text().len() + it.after_text().len());
    let is_small = texts.sum::<usize>() <= MOST_BYTES;
    is_small.then(|| serde_json::to_vec(change).ok()).flatten()
}

/// The run that an id names.
///
/// # Errors
/// An id that names no run, or several; a record that cannot be read.
pub fn kept_run(workspace: &Workspace, id: &str) -> Result<KeptRun, Error> {
    if id.len() < base::SHORTEST_ID {
        return Err(RecordError::ShortId { id: id.to_owned() }.into());
    }
    let Remembered { record, runs, .. } = Remembered::open(workspace)?;
    let is_meant =
        |it: &&PastRun| base::names_id(id, &it.run.id) && !runs.forgotten.contains(&it.run.id);
    let found: Vec<&PastRun> = runs.runs.iter().filter(is_meant).collect();
    let [past] = found.as_slice() else {
        return Err(RecordError::NoMemory {
            id: id.to_owned(),
            is_ambiguous: !found.is_empty(),
            candidates: found.iter().take(10).map(|it| it.run.id.clone()).collect(),
        }
        .into());
    };
    let damaged =
        |reason: String| Error::from(KeptError::Damaged { id: past.run.id.clone(), reason });
    let detail = run_detail(record.texts(), past);
    let detail = detail.ok_or_else(|| damaged("its texts are lost".to_owned()))?;
    let text = past.run.kept.map(|hash| record.texts().get(hash)).transpose()?;
    let change: Option<KeptChange> = text
        .map(|text| serde_json::from_slice(&text))
        .transpose()
        .map_err(|error| damaged(error.to_string()))?;
    let is_other = |it: &KeptChange| detail.patch_set != Some(it.overlay.patch_set());
    if change.as_ref().is_some_and(is_other) {
        return Err(damaged("its change is another one than it recorded".to_owned()));
    }
    Ok(KeptRun { past: (*past).clone(), detail, change })
}

impl KeptRun {
    /// Id of the run.
    pub fn id(&self) -> &str {
        &self.past.run.id
    }

    /// Error of a run that cannot be continued.
    pub fn not_resumable(&self, reason: String) -> KeptError {
        KeptError::NotResumable { id: self.id().to_owned(), reason }
    }

    /// The change, if the project is as it was and the change was not applied.
    ///
    /// # Errors
    /// As [`KeptError`]; a project that cannot be read.
    pub fn takeable(&self, ctx: &Ctx, workspace: &Workspace) -> Result<&KeptChange, Error> {
        let id = self.id().to_owned();
        if let Some(applied) = &self.past.applied {
            return Err(KeptError::Applied { id, change: applied.change.clone() }.into());
        }
        let Some(kept) = &self.change else {
            return Err(KeptError::Nothing { id, outcome: self.past.run.outcome.clone() }.into());
        };
        if let Some(path) = moved_file(workspace, &kept.overlay) {
            return Err(KeptError::Moved { id, file: format!("`{path}`") }.into());
        }
        if workspace.prover(ctx)?.tree(ctx)?.files_hash() != kept.files {
            return Err(KeptError::Moved { id, file: "a file of the project".to_owned() }.into());
        }
        Ok(kept)
    }
}
