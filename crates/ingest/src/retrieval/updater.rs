//! [`SearchUpdater`]: the search index of one map after another.

use std::path::PathBuf;
use std::time::Instant;

use base::Ctx;
use graph::Map;
use search::Encoder;

use super::index_store::{SearchIndexStore, Sources};
use super::{Retrieval, text_of, update_index};
use crate::index_dir::rebuilt;
use crate::lock::lock;
use crate::{Index, IngestError, usage};

/// Makes the search indexes of one project, one map after another. It keeps the terms of the last one,
/// so that only changed files are read.
pub struct SearchUpdater {
    pub(super) store: SearchIndexStore,
    root: PathBuf,
    state_dir: PathBuf,
}

impl SearchUpdater {
    /// For the project of an index, in its folder. Reads nothing yet.
    pub fn new(index: &Index) -> Self {
        Self {
            store: SearchIndexStore::new(index.folder()),
            root: index.project().root().to_owned(),
            state_dir: index.project().state_dir(),
        }
    }

    /// The search index of a map, as [`Index::retrieval`], but in memory; texts that `known` has in memory
    /// are not read again.
    ///
    /// # Errors
    ///
    /// As [`Index::retrieval`].
    pub fn update(
        &mut self,
        ctx: &Ctx,
        map: &Map,
        encoder: Option<&dyn Encoder>,
        known: Option<&Index>,
    ) -> Result<Retrieval, IngestError> {
        let began = (Instant::now(), usage::cpu());
        let (index, files_read, was_fresh) = match self.store.open(map, encoder) {
            Some(index) => (index, 0, true),
            None => {
                let text = |file: u32| text_of(map, &self.root, file, known);
                let alive = || Ok(ctx.check_cancelled()?);
                ctx.progress("indexing for search", "the map can be queried already");
                let sources = Sources { text: &text, alive: &alive };
                let (index, files_read) = update_index(&mut self.store, map, encoder, sources)?;
                (index, files_read, false)
            }
        };
        let damage = std::mem::take(&mut self.store.damage);
        let problems = damage.iter().map(|(what, reason)| rebuilt(what, reason)).collect();
        let cpu = usage::cpu().zip(began.1).map(|(now, then)| now.saturating_sub(then));
        Ok(Retrieval {
            index,
            files_read,
            was_fresh,
            wall_ms: began.0.elapsed().as_millis() as u64,
            cpu_ms: cpu.unwrap_or_default().as_millis() as u64,
            problems,
        })
    }

    /// Writes the last index, unless it is on disk, so that other processes and the next one need not
    /// make it.
    ///
    /// # Errors
    ///
    /// If it cannot be written, another process holds the lock for too long, or the user cancelled.
    pub fn write(&mut self, ctx: &Ctx) -> Result<(), IngestError> {
        let _lock = lock(ctx, &self.state_dir)?;
        self.store.write()
    }
}
