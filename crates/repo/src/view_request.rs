//! What a strategy for views gets, and what all strategies need.

use std::path::{Path, PathBuf};

use base::Ctx;
use edit::Overlay;
use sandbox::{Mount, Sandbox};

use crate::project::Project;

/// The request to a strategy.
pub(crate) struct Request<'a> {
    pub(crate) project: &'a Project,
    pub(crate) ctx: &'a Ctx,
    pub(crate) overlay: &'a Overlay,
    /// Canonical, sorted, none inside another or inside the project.
    pub(crate) outside: &'a [PathBuf],
}

/// Whether mounts can show a folder at another path.
pub(crate) fn can_mount(sandbox: &Sandbox) -> bool {
    sandbox.capabilities().namespaces.works
}

/// A private writable folder of the view, shown at the original path if possible, so that build
/// artefacts stay valid.
pub(crate) fn shown_at(sandbox: &Sandbox, host: PathBuf, original: &Path) -> Mount {
    let inside = if can_mount(sandbox) { original.to_owned() } else { host.clone() };
    Mount::Writable { host, inside }
}
