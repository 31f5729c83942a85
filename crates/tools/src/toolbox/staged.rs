//! The answer of the tools that stage edits: what was staged, without the text that the caller sent.

use std::fmt::Write as _;
use std::ops::Range;

use base::{ProjectPath, SortedSet};
use edit::Overlay;
use schemars::JsonSchema;
use serde::Serialize;

use crate::ApplyCodeEditRequest;
use crate::proposals::StagedChange;

/// The most places of a file.
const PLACES: usize = 20;

/// Output of the tools that stage edits.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StagedOutput {
    /// Id of the proposal.
    proposal_id: String,
    /// Whether it is staged: recorded, and not yet in the tree.
    staged: bool,
    /// Changed files with the numbers of added and removed lines and the changed lines of the old
    /// and the new text: `src/lib.rs: +3 -1 @@ -10 +10,3`.
    files: Vec<String>,
    /// Unified diff, if it was asked for or has text that the caller did not send.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    /// Problems and notes: syntax errors in the new texts, deprecated formats, fuzzy matches.
    problems: Vec<String>,
}

impl StagedOutput {
    /// The answer without the diff.
    pub(crate) fn of(change: StagedChange) -> Self {
        let StagedChange { id, overlay, problems } = change;
        let files =
            overlay.changes().filter_map(|(path, _)| line(&overlay, path, PLACES)).collect();
        Self { proposal_id: id, staged: true, files, diff: None, problems }
    }

    /// The answer with the diff.
    pub(crate) fn with_diff(change: StagedChange) -> Self {
        let diff = Some(change.overlay.unified_diff());
        Self { diff, ..Self::of(change) }
    }
}

/// The changed files with the numbers of added and removed lines: `src/lib.rs: +3 -1`.
pub fn changed_files(overlay: &Overlay) -> Vec<String> {
    overlay.changes().filter_map(|(path, _)| line(overlay, path, 0)).collect()
}

/// A changed file as one line, with its first places; `None` at the old path of a renamed file.
fn line(overlay: &Overlay, path: &ProjectPath, places: usize) -> Option<String> {
    let change = overlay.get(path)?;
    let stat = overlay.file_stat(path);
    if stat.files == 0 {
        return None;
    }
    let mut line = match (&change.renamed_from, &change.before, &change.after) {
        (Some(from), _, _) => format!("{path} (renamed from {from})"),
        (None, None, _) => format!("{path} (new)"),
        (None, _, None) => format!("{path} (removed)"),
        _ => path.to_string(),
    };
    let _ = write!(line, ": +{} -{}", stat.added, stat.removed);
    let has_both = change.before.is_some() && change.after.is_some();
    if places > 0 && (has_both || change.renamed_from.is_some()) {
        let hunks = overlay.file_hunks(path);
        for (before, after) in hunks.iter().take(places) {
            let _ = write!(line, " @@ -{} +{}", lines(before), lines(after));
        }
        if hunks.len() > places {
            let _ = write!(line, " @@ and {} more", hunks.len() - places);
        }
    }
    Some(line)
}

/// A range as in the header of a hunk: lines count from 1; an empty range has the line before it.
fn lines(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => (range.start + 1).to_string(),
        len => format!("{},{len}", range.start + 1),
    }
}

/// Whether each line that the change adds is a line that the caller sent.
pub(super) fn is_as_sent(request: &ApplyCodeEditRequest, overlay: &Overlay) -> bool {
    let texts = request.edits.iter().flat_map(|edit| edit.values().filter_map(|it| it.as_str()));
    let mut sent = SortedSet::new();
    for line in request.text.as_deref().into_iter().chain(texts).flat_map(str::lines) {
        sent.insert(line);
        // A line of a diff.
        sent.extend(line.strip_prefix('+'));
    }
    overlay.changes().all(|(path, change)| {
        let after: Vec<&str> = change.after_text().lines().collect();
        let added = overlay.file_hunks(path).into_iter().map(|(_, added)| added);
        added.flatten().all(|line| after.get(line).is_some_and(|it| sent.contains(it)))
    })
}
