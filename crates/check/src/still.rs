//! Whether the tree stood still: contents, and the system's own record of writes, so that a file
//! that was changed and changed back is seen as well.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;

use base::{ContentHash, Ctx, ProjectPath};
use edit::Overlay;
use repo::{Project, Snapshot};

use crate::CheckError;

/// The tree at one moment.
#[derive(Debug)]
pub(crate) struct Still {
    pub(crate) snapshot: Snapshot,
    /// Time of the last change of content or state, in nanoseconds, which no program can set.
    stamps: BTreeMap<ProjectPath, i128>,
}

impl Still {
    pub(crate) fn of(ctx: &Ctx, project: &Project) -> Result<Self, CheckError> {
        // Stamps first: whatever is written between the two is seen as a difference later.
        let mut stamps = BTreeMap::new();
        let first = project.snapshot(ctx)?;
        for path in first.files.keys() {
            if let Ok(metadata) = path.join_to(project.root()).symlink_metadata() {
                let stamp = i128::from(metadata.ctime()) * 1_000_000_000
                    + i128::from(metadata.ctime_nsec());
                stamps.insert(path.clone(), stamp);
            }
        }
        Ok(Self { snapshot: first, stamps })
    }

    /// What was written between the two, in path order.
    pub(crate) fn moved_to(&self, after: &Still) -> Vec<ProjectPath> {
        let mut moved = after.snapshot.changed_since(&self.snapshot);
        for (path, stamp) in &self.stamps {
            if after.stamps.get(path) != Some(stamp) && !moved.contains(path) {
                moved.push(path.clone());
            }
        }
        moved.sort();
        moved
    }
}

/// The tree's files with the overlay on top.
pub(crate) fn with_overlay(
    snapshot: &Snapshot,
    overlay: &Overlay,
) -> BTreeMap<ProjectPath, ContentHash> {
    let mut files = snapshot.files.clone();
    for (path, change) in overlay.changes() {
        match &change.after {
            Some(state) => files.insert(path.clone(), state.hash()),
            None => files.remove(path),
        };
    }
    files
}
