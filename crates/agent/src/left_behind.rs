//! `finish` on a tree that compiles: the places that the change has left behind. Those that follow with
//! certainty are verified as one change; the others are remarks.

use std::sync::Arc;

use base::{ProjectPath, Timestamp};
use check::Checked;
use edit::{Files, Overlay, Splice};
use repair::Begun;
use serde::Serialize;

use crate::task::Task;
use crate::verify::Asking;
use crate::{AgentError, FixResult};

/// A place that compiles and has the old state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftRow {
    /// File.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// What is there.
    pub what: String,
    /// The change that it follows from.
    pub why: String,
    /// Whether the verified change has an edit for it.
    pub edited: bool,
}

impl Task<'_> {
    /// Lists what was left behind, and verifies the edits that follow with certainty.
    pub(crate) fn finish_clean(
        mut self,
        baseline: &Checked,
        begun: &Begun,
    ) -> Result<FixResult, AgentError> {
        let texts = self.texts()?;
        let found = begun.left_behind(&baseline.diagnostics, &texts);
        let splices: Vec<(ProjectPath, Splice)> =
            found.iter().filter_map(|it| Some((it.path.clone(), it.splice.clone()?))).collect();
        let overlay = edits(splices, self.workspace.project());
        let mut left: Vec<LeftRow> = found
            .iter()
            .map(|it| LeftRow {
                path: it.path.to_string(),
                line: it.line,
                what: it.what.clone(),
                why: it.why.clone(),
                edited: false,
            })
            .collect();
        let Some(overlay) = overlay else {
            let mut result = self.nothing_to_fix(baseline);
            result.report.left_behind = left;
            return Ok(result);
        };
        match self.verify(Asking::Begin(&overlay), 1)? {
            crate::verify::Verdict::Passed(mut result) => {
                for (row, it) in left.iter_mut().zip(&found) {
                    row.edited = it.splice.is_some();
                }
                result.report.left_behind = left;
                result.report.rationale = vec!["names in the documentation follow".to_owned()];
                Ok(*result)
            }
            verdict => {
                let note = match verdict {
                    crate::verify::Verdict::Refused(reason) => reason,
                    _ => "its test code does not build".to_owned(),
                };
                let mut result = self.nothing_to_fix(baseline);
                result.report.left_behind = left;
                result.report.notes.push(format!("the edits of the documentation: {note}"));
                Ok(result)
            }
        }
    }

    /// The Rust and Markdown texts of the project.
    fn texts(&self) -> Result<Vec<(ProjectPath, Arc<str>)>, AgentError> {
        let project = self.workspace.project();
        let files = project.snapshot(self.ctx)?.files;
        let is_text = |it: &ProjectPath| matches!(it.extension(), Some("rs" | "md"));
        let read = |path: ProjectPath| {
            let text = project.read(&path).ok().flatten()?.text;
            Some((path, text))
        };
        Ok(files.into_keys().filter(is_text).filter_map(read).collect())
    }
}

/// The edits as one change; `None` without any.
fn edits(mut splices: Vec<(ProjectPath, Splice)>, files: &dyn Files) -> Option<Overlay> {
    splices.sort_by(|(a, x), (b, y)| (a, x.span).cmp(&(b, y.span)));
    splices.dedup_by(|a, b| a.0 == b.0 && a.1.span == b.1.span);
    let overlay = Overlay::from_splices("graftage finish", Timestamp(0), files, &splices).ok()?;
    (!overlay.is_empty()).then_some(overlay)
}
