//! The uses of an item that the compiler lists, and the proofs of a change that starts from words.

use base::Timestamp;
use change::{ListedUses, Renaming};
use check::{Checked, Ladder};
use edit::Overlay;

use crate::rename::AUTHOR;
use crate::task::{Task, first_error};
use crate::{AgentError, FixEvent};

impl Task<'_> {
    /// Checks a change outside of a search.
    pub(crate) fn prove(
        &mut self,
        overlay: Overlay,
        ladder: &Ladder,
    ) -> Result<Checked, AgentError> {
        self.proofs += 1;
        let checked = self.prover.prove(self.ctx, overlay, ladder, &mut |_| {})?;
        self.ctx.check_cancelled()?;
        (self.on)(&FixEvent::Checked {
            number: self.proofs,
            builds: checked.passed(),
            errors: checked.diagnostics.iter().filter(|it| it.is_error()).count(),
            first_error: first_error(&checked),
            refused: None,
        });
        Ok(checked)
    }

    /// The uses of the item that the compiler lists in the present tree, where it is marked as
    /// deprecated; `None` if it cannot list them.
    pub(crate) fn list_uses(
        &mut self,
        item: &Renaming,
        ladder: &Ladder,
    ) -> Result<Option<ListedUses>, AgentError> {
        let Some(mark) = item.mark() else { return Ok(None) };
        let files = self.workspace.project();
        let overlay = Overlay::from_splices(AUTHOR, Timestamp(0), files, &[mark])?;
        let checked = self.prove(overlay, ladder)?;
        let name = &item.target().from;
        Ok(Some(item.listed(&checked.diagnostics, &checked.overlay, name)))
    }
}
