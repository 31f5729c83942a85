//! What a strategy for views gets, and what all strategies need.

use std::path::{Path, PathBuf};

use base::{Ctx, ProjectPath, SortedMap, SortedSet};
use edit::Overlay;
use sandbox::{Mount, Sandbox};

use crate::project::Project;
use crate::view::{Shown, ShownFolder};

/// The request to a strategy.
pub(crate) struct Request<'a> {
    pub(crate) project: &'a Project,
    pub(crate) ctx: &'a Ctx,
    pub(crate) overlay: &'a Overlay,
    /// Canonical, sorted, none inside another or inside the project.
    pub(crate) outside: &'a [PathBuf],
    /// Files that are shown and are no part of the overlay.
    pub(crate) extra: &'a SortedMap<ProjectPath, Vec<u8>>,
    /// Entries of the project that are not shown.
    pub(crate) closed: &'a SortedSet<ProjectPath>,
}

/// Whether mounts can show a folder at another path.
pub(crate) fn can_mount(sandbox: &Sandbox) -> bool {
    sandbox.capabilities().namespaces.works
}

/// The copy of a folder, shown read-only at the original path if possible, so that build artefacts
/// stay valid.
pub(crate) fn shown_at(sandbox: &Sandbox, copy: PathBuf, original: &Path) -> (Mount, ShownFolder) {
    let inside = if can_mount(sandbox) { original.to_owned() } else { copy.clone() };
    let mount = Mount::ReadOnly { host: copy.clone(), inside: inside.clone() };
    let original = original.to_owned();
    (mount, ShownFolder { original, inside, shown: Shown::Copy(copy) })
}
