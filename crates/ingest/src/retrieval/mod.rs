//! The search index of a map: the terms of each file, stored by the hash of their inputs, and its
//! vectors, which the previous index provides, joined to one memory-mapped index.
//!
//! Invariants: an index has the stamp of the map it was built from and is used with no other;
//! it is replaced by one rename, so it contains all documents of a run or none. The terms of a file
//! are a pure function of their key, so incremental equals from scratch. Damaged files and those of
//! another tokenizer, encoder or version are rebuilt from the sources and reported. Queries of the
//! map never wait for any of it.
//!
//! Who keeps it current after a save: a command once, through `Index::retrieval`; `index --watch` through a
//! `Retriever`, whose thread (`actor.rs`) finishes the index of the last batch (`updater.rs`); a server through
//! `code::Follower`, which does the same behind its questions. All end in one replacement of the file.

mod actor;
mod documents;
mod index_store;
mod relations;
mod staging;
mod stamp;
mod terms_file;
#[cfg(test)]
mod tests;
mod updater;

use std::path::Path;
use std::sync::Arc;

use base::{ContentHash, Ctx, ProjectPath};
use graph::{Map, ProblemRow};
use search::{Encoder, SearchIndex};

pub use actor::Retriever;
pub use updater::SearchUpdater;

use self::documents::FileItems;
use self::index_store::{SearchIndexStore, Sources};
use crate::{Index, IndexReport, IngestError, usage};

/// The search index of the current map, and its cost.
#[derive(Clone, Debug)]
pub struct Retrieval {
    /// Built from [`Index::map`].
    pub index: SearchIndex,
    /// The number of files that were tokenized for it.
    pub files_read: usize,
    /// Whether the stored index was current.
    pub was_fresh: bool,
    /// The duration.
    pub wall_ms: u64,
    /// The CPU time.
    pub cpu_ms: u64,
    /// Damaged files that were rebuilt.
    pub problems: Vec<ProblemRow>,
}

impl Index {
    /// The search index of [`Index::map`]: the stored one if it belongs to this map, otherwise a
    /// new one, for which only changed files are read. Without an encoder it has no vectors.
    ///
    /// # Errors
    ///
    /// If a file differs from the map ([`Index::refresh`] updates it), the index cannot be written,
    /// or the user cancelled.
    pub fn retrieval(
        &self,
        ctx: &Ctx,
        encoder: Option<&dyn Encoder>,
    ) -> Result<Retrieval, IngestError> {
        let mut updater = SearchUpdater::new(self);
        let made = updater.update(ctx, &self.map(), encoder, Some(self))?;
        updater.write(ctx)?;
        Ok(made)
    }
}

impl IndexReport {
    /// Adds the cost and the problems of the search index of `index`.
    pub fn add(&mut self, retrieval: &Retrieval, index: &Index) {
        self.wall_ms += retrieval.wall_ms;
        self.cpu_ms += retrieval.cpu_ms;
        self.problems.extend(retrieval.problems.iter().cloned());
        self.peak_rss_bytes = usage::peak_rss_bytes().unwrap_or(self.peak_rss_bytes);
        self.bytes_on_disk = index.bytes_on_disk();
    }
}

/// Stages what is missing and finalizes.
fn update_index(
    store: &mut SearchIndexStore,
    map: &Map,
    encoder: Option<&dyn Encoder>,
    sources: Sources<'_>,
) -> Result<(SearchIndex, usize), IngestError> {
    let files = index_store::files_of(map);
    let missing = store.missing(&files);
    store.index_batch(map, &missing, sources)?;
    let mut read = missing.len();
    loop {
        match store.finalize(map, &files, encoder, sources) {
            Ok(index) => return Ok((index, read)),
            // A stored block is damaged: read its file again.
            Err(IngestError::Changed { .. }) => {
                let missing: Vec<&FileItems> = store.missing(&files);
                let Some(first) = missing.first() else {
                    let path = map.file(0).map(|file| file.path.to_owned()).unwrap_or_default();
                    return Err(IngestError::Changed { path });
                };
                read += 1;
                store.index_batch(map, &[*first], sources)?;
            }
            Err(error) => return Err(error),
        }
    }
}

/// The text of a file, exactly as it was when the map was built.
fn text_of(
    map: &Map,
    root: &Path,
    file: u32,
    index: Option<&Index>,
) -> Result<Arc<str>, IngestError> {
    let changed = |path: &str| IngestError::Changed { path: path.to_owned() };
    let view = map.file(file).ok_or_else(|| changed(""))?;
    let path = ProjectPath::new(view.path).map_err(|_| changed(view.path))?;
    if let Some(text) = index.and_then(|index| index.known_text(&path, view.hash)) {
        return Ok(text);
    }
    let bytes = untrusted_fs::read_source(root, path.as_str()).ok_or_else(|| changed(view.path))?;
    if ContentHash::of(&bytes) != view.hash {
        return Err(changed(view.path));
    }
    let text = String::from_utf8(bytes).map_err(|_| changed(view.path))?;
    Ok(text.into())
}
