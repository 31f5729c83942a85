//! Turns the text of an edit request into an overlay.

use base::Ctx;
use edit::Overlay;

use crate::{ProjectError, Workspace};

/// Parses an edit request of any format and applies it to an overlay; also returns the notes.
///
/// # Errors
/// A request that is not valid, or that does not fit the files.
pub fn stage(
    ctx: &Ctx,
    workspace: &Workspace,
    text: &str,
) -> Result<(Overlay, Vec<String>), ProjectError> {
    let project = workspace.project();
    let request = edit::parse_request(text, project.root())?;
    let staged = edit::stage(project, &request, "edit", ctx.now())?;
    Ok((staged.overlay, staged.notes))
}
