//! The search index of a map: of each file its terms, kept by the hash of what they follow from,
//! and its vectors, which the former index hands on, joined to one index that is read where it lies.
//!
//! Invariants: an index carries the stamp of the map it was made of and is used with no other; it
//! is replaced by one rename, so all documents of a run are in it or none. Terms of files are a
//! pure function of their key, so incremental equals from scratch. What is damaged, or of another
//! tokenizer, encoder or version, is made again from the sources and said so. Answering the map
//! never waits for any of it.

mod actor;
mod documents;
mod keep;
mod relations;
mod seed;
mod staging;
mod stamp;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use base::{ContentHash, Ctx, ProjectPath};
use graph::{Map, ProblemRow};
use search::{Encoder, SearchIndex};

pub use actor::{Retriever, Snapshot};

use self::documents::FileItems;
use self::seed::{Seed, Sources};
use crate::index::rebuilt;
use crate::lock::lock;
use crate::{Index, IngestError, Report, usage};

/// The search index of the map as it is, and what it took to have it.
#[derive(Clone, Debug)]
pub struct Retrieval {
    /// Made from [`Index::map`].
    pub index: SearchIndex,
    /// How many files were cut into terms for it.
    pub files_read: usize,
    /// It lay there, whole and of this map.
    pub was_fresh: bool,
    /// How long it took.
    pub wall_ms: u64,
    /// CPU time that it took.
    pub cpu_ms: u64,
    /// What was found damaged and made again.
    pub problems: Vec<ProblemRow>,
}

impl Index {
    /// The search index of [`Index::map`]: the one on disk where it is of this map, else a new one,
    /// for which only files are read that changed. Without an encoder it has words alone.
    ///
    /// # Errors
    /// When a file is no longer what the map is of ([`Index::refresh`] mends that), the index
    /// cannot be written, or the user asked to stop.
    pub fn retrieval(
        &self,
        ctx: &Ctx,
        encoder: Option<&dyn Encoder>,
    ) -> Result<Retrieval, IngestError> {
        let began = (Instant::now(), usage::cpu());
        let map = self.map();
        let mut seed = Seed::new(self.folder());
        let (index, files_read, was_fresh) = match seed.open(&map, encoder) {
            Some(index) => (index, 0, true),
            None => {
                let _lock = lock(ctx, &self.project().state_dir())?;
                let text = |file: u32| text_of(&map, self.project().root(), file, Some(self));
                let alive = || Ok(ctx.check_cancelled()?);
                ctx.progress("indexing for search", "the map answers already");
                let sources = Sources { text: &text, alive: &alive };
                let (index, files_read) = bring_up(&mut seed, &map, encoder, sources)?;
                (index, files_read, false)
            }
        };
        let problems = seed.damage.iter().map(|(what, reason)| rebuilt(what, reason)).collect();
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
}

impl Report {
    /// Counts in what the search index of `index` cost.
    pub fn add(&mut self, retrieval: &Retrieval, index: &Index) {
        self.wall_ms += retrieval.wall_ms;
        self.cpu_ms += retrieval.cpu_ms;
        self.problems.extend(retrieval.problems.iter().cloned());
        self.peak_rss_bytes = usage::peak_rss_bytes().unwrap_or(self.peak_rss_bytes);
        let entries = std::fs::read_dir(index.folder()).into_iter().flatten().flatten();
        self.bytes_on_disk =
            entries.filter_map(|entry| entry.metadata().ok()).map(|meta| meta.len()).sum();
    }
}

/// Stages what is missing and finalizes.
fn bring_up(
    seed: &mut Seed,
    map: &Map,
    encoder: Option<&dyn Encoder>,
    sources: Sources<'_>,
) -> Result<(SearchIndex, usize), IngestError> {
    let files = seed::files_of(map);
    let missing = seed.missing(&files);
    seed.index_batch(map, &missing, sources)?;
    let mut read = missing.len();
    loop {
        match seed.finalize(map, &files, encoder, sources) {
            Ok(index) => return Ok((index, read)),
            // A block that was kept is damaged: its file is read again.
            Err(IngestError::Changed { .. }) => {
                let missing: Vec<&FileItems> = seed.missing(&files);
                let Some(first) = missing.first() else {
                    let path = map.file(0).map(|file| file.path.to_owned()).unwrap_or_default();
                    return Err(IngestError::Changed { path });
                };
                read += 1;
                seed.index_batch(map, &[*first], sources)?;
            }
            Err(error) => return Err(error),
        }
    }
}

/// The text of a file, exactly as it was when the map was made.
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
    let bytes = beneath::read_source(root, path.as_str()).ok_or_else(|| changed(view.path))?;
    if ContentHash::of(&bytes) != view.hash {
        return Err(changed(view.path));
    }
    let text = String::from_utf8(bytes).map_err(|_| changed(view.path))?;
    Ok(text.into())
}
