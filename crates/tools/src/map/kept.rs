//! A map that is kept current for many readers. Start at [`Kept`].

use std::sync::{Arc, Mutex};

use base::Ctx;
use ingest::{Changes, Index, Options};

use super::current::MapSnapshot;
use crate::Error;

/// The index of a project in memory, and the last snapshot of it.
///
/// Invariants: a reader gets a snapshot that contains every change that was completed before it
/// asked; readers share the update that one of them starts; a snapshot is never changed.
pub(crate) struct Kept {
    index: Arc<Mutex<Index>>,
    changes: Mutex<Changes>,
    last: Mutex<Option<Arc<MapSnapshot>>>,
}

impl Kept {
    pub(crate) fn new(index: Index) -> Self {
        Self {
            index: Arc::new(Mutex::new(index)),
            changes: Mutex::new(Changes::new()),
            last: Mutex::default(),
        }
    }

    /// The snapshot of the present files.
    pub(crate) fn snapshot(&self, ctx: &Ctx) -> Result<Arc<MapSnapshot>, Error> {
        self.snapshot_with(ctx, |_| Ok(()))
    }

    /// The snapshot of the present files, after `finish` has added to it. The index is not updated
    /// meanwhile.
    pub(crate) fn snapshot_with(
        &self,
        ctx: &Ctx,
        finish: impl FnOnce(&Arc<MapSnapshot>) -> Result<(), Error>,
    ) -> Result<Arc<MapSnapshot>, Error> {
        // Who waits here gets what the one before has made, unless something changed since.
        let mut changes = base::lock(&self.changes);
        if !changes.is_current() || base::lock(&self.last).is_none() {
            let mut index = base::lock(&self.index);
            let report = changes.update(ctx, &mut index, &Options::default())?;
            let map = index.map();
            drop(index);
            let mut last = base::lock(&self.last);
            if !last.as_ref().is_some_and(|last| Arc::ptr_eq(last.map(), &map)) {
                *last = Some(Arc::new(MapSnapshot::new(Arc::clone(&self.index), report)));
            }
        }
        let last = base::lock(&self.last).clone();
        let snapshot = last.ok_or(base::Cancelled)?;
        finish(&snapshot)?;
        Ok(snapshot)
    }
}
