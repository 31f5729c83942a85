//! Runs the analyzer rung within the ladder.

use std::time::Instant;

use base::Ctx;
use edit::Overlay;
use policy::RungName;

use crate::draft::Draft;
use crate::preflight::{Asked, Verdict};
use crate::prover::Prover;
use crate::text::{counted, millis};
use crate::tree_state::TreeState;
use crate::{CheckError, Checked, Ladder, MappedDiagnostic, Tests};

/// The result of the rung.
pub(crate) enum Flown {
    /// The candidate is rejected.
    Refused,
    /// The next rung decides; the note is the reason if this one was skipped.
    On { note: Option<String> },
}

impl Prover {
    /// Runs the ladder up to the analyzer rung: rejections by syntax errors and rust-analyzer, or a note
    /// why it was skipped. Passing it proves nothing.
    ///
    /// # Errors
    /// Where the tree cannot be read, or the user asked to stop.
    pub fn preflight(
        &self,
        ctx: &Ctx,
        overlay: Overlay,
        ladder: &Ladder,
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<Checked, CheckError> {
        ctx.check_cancelled()?;
        let state = self.tree_state(ctx)?;
        let mut draft = Draft::new(&self.project, overlay, state.tree.clone());
        if self.parse_rung(&mut draft, on)
            && let Flown::On { note } = self.analyzer_rung(ctx, &mut draft, &state, ladder, on)?
        {
            draft.findings.notes.extend(note);
        }
        Ok(draft.finish(ctx))
    }

    pub(crate) fn analyzer_rung(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        state: &TreeState,
        ladder: &Ladder,
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<Flown, CheckError> {
        let Some(preflight) = self.preflight.as_ref().filter(|_| ladder.analyzer) else {
            return Ok(Flown::On { note: None });
        };
        let started = Instant::now();
        let verdict = preflight.check(&Asked {
            ctx,
            root: self.project.root(),
            files: &self.project,
            tree: &state.tree,
            overlay: &draft.overlay,
            test_code: ladder.test_code || ladder.tests != Tests::None,
        })?;
        let ms = millis(started.elapsed());
        let errors = match verdict {
            Verdict::Held(detail) => {
                draft.rung(RungName::Analyzer, true, ms, detail);
                return Ok(Flown::On { note: None });
            }
            Verdict::Skipped(reason) => return Ok(Flown::On { note: Some(skipped(&reason)) }),
            Verdict::Refused(errors) => errors,
        };
        if !self.moved_since(ctx, state)?.is_empty() {
            let reason = "the tree changed meanwhile";
            return Ok(Flown::On { note: Some(skipped(reason)) });
        }
        let detail = format!("rust-analyzer: {}", counted(errors.len(), "new error"));
        self.refused_by(draft, errors, on);
        draft.rung(RungName::Analyzer, false, ms, detail);
        Ok(Flown::Refused)
    }
}

fn skipped(reason: &str) -> String {
    format!("rust-analyzer check skipped: {reason}")
}
