//! From files to the index: stage what changed, then finalize all of it or nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::ContentHash;
use graph::Map;
use rayon::prelude::*;
use search::{Encoder, FileTerms, FileVectors, IndexBuilder, SearchIndex, read_vectors};

use super::documents::{self, FileItems};
use super::keep::{self, Blocks};
use super::staging::Staging;
use super::stamp::stamp;
use crate::IngestError;
use crate::mapped::Mapped;
use crate::sealed;

/// So many bytes of what is staged stay in memory.
const BOUND: usize = 64 << 20;
/// Files are cut into terms by so many at a time: what is in memory at once is bounded.
const AT_ONCE: usize = 256;

const MAGIC: &[u8; 8] = b"graftsea";
/// Magic, then the stamp of the map; what follows begins at a place where numbers are aligned.
const HEAD: usize = 64;

/// The text of a file, by its number, as the map knows it.
pub(super) type TextOf<'a> = dyn Fn(u32) -> Result<Arc<str>, IngestError> + Sync + 'a;

/// Where texts come from, and whether anybody still waits for them.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) text: &'a TextOf<'a>,
    pub(super) alive: &'a (dyn Fn() -> Result<(), IngestError> + Sync),
}

/// The index files of a project and what is staged for the next ones.
pub(super) struct Seed {
    folder: PathBuf,
    staging: Staging,
    /// What the last finalize kept; `None`: not read yet.
    kept: Option<Blocks>,
    /// Why what lay there could not be used.
    pub(super) damage: Vec<(&'static str, String)>,
}

impl Seed {
    pub(super) fn new(folder: &Path) -> Self {
        let staging = Staging::new(folder.to_owned(), BOUND);
        Self { folder: folder.to_owned(), staging, kept: None, damage: Vec::new() }
    }

    /// The index that lies on disk, where it is whole and of this map and encoder.
    pub(super) fn open(&mut self, map: &Map, encoder: Option<&dyn Encoder>) -> Option<SearchIndex> {
        let mapped = match Mapped::open(&self.index_path(), HEAD) {
            Ok(mapped) => mapped,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => {
                self.damage.push(("search.bin", error.to_string()));
                return None;
            }
        };
        let head = head(map, encoder);
        if mapped.head() != head {
            if mapped.head().get(..MAGIC.len()) != Some(MAGIC.as_slice()) {
                self.damage.push(("search.bin", "it is no such file".to_owned()));
            }
            return None;
        }
        match SearchIndex::open(Arc::new(mapped)) {
            Ok(index) if index.epoch() == map.epoch() => Some(index),
            Ok(_) => {
                self.damage.push(("search.bin", "it is of another epoch".to_owned()));
                None
            }
            Err(damaged) => {
                self.damage.push(("search.bin", damaged.to_string()));
                None
            }
        }
    }

    /// Which files of the map have to be read for its index.
    pub(super) fn missing<'f>(&mut self, files: &'f [FileItems]) -> Vec<&'f FileItems> {
        self.load();
        let kept = self.kept.as_ref();
        let is_kept = |key: &ContentHash| kept.is_some_and(|kept| kept.contains_key(key));
        files.iter().filter(|it| !is_kept(&it.key) && !self.staging.has(&it.key)).collect()
    }

    /// Stages files: cuts their texts into terms.
    pub(super) fn index_batch(
        &mut self,
        map: &Map,
        files: &[&FileItems],
        sources: Sources<'_>,
    ) -> Result<(), IngestError> {
        for files in files.chunks(AT_ONCE) {
            (sources.alive)()?;
            let blocks: Vec<Result<(ContentHash, Vec<u8>), IngestError>> = files
                .par_iter()
                .map(|file| Ok((file.key, file.terms(map, &(sources.text)(file.file)?).to_bytes())))
                .collect();
            for block in blocks {
                let (key, block) = block?;
                self.staging.put(key, block)?;
            }
        }
        Ok(())
    }

    /// Takes a file's terms out of what is staged and kept.
    pub(super) fn remove(&mut self, key: &ContentHash) {
        self.staging.remove(key);
        if let Some(kept) = &mut self.kept {
            kept.remove(key);
        }
    }

    /// Forgets everything: the next finalize needs all files.
    pub(super) fn rebuild(&mut self) {
        self.staging.clear();
        self.kept = Some(Blocks::new());
    }

    /// Joins what is staged and kept to the index of `map` and puts it in the place of the former
    /// one. Where anything fails, the former index stays.
    pub(super) fn finalize(
        &mut self,
        map: &Map,
        files: &[FileItems],
        encoder: Option<&dyn Encoder>,
        sources: Sources<'_>,
    ) -> Result<SearchIndex, IngestError> {
        self.load();
        let mut blocks = Blocks::new();
        let mut builder = IndexBuilder::new();
        let former = encoder.and_then(|encoder| self.former(encoder));
        let former: BTreeMap<_, _> = former.iter().flat_map(|index| index.kept_vectors()).collect();
        for files in files.chunks(AT_ONCE) {
            let mut kept = Vec::with_capacity(files.len());
            for file in files {
                let known = self.kept.as_ref().and_then(|kept| kept.get(&file.key)).cloned();
                let bytes = self.staging.get(&file.key)?.or(known);
                kept.push(bytes.ok_or_else(|| changed(map, file.file))?);
            }
            let read = files.par_iter().zip(&kept).map(|(file, bytes)| {
                let Some(terms) = FileTerms::from_bytes(bytes) else { return Ok(None) };
                let Some(encoder) = encoder else { return Ok(Some((terms, None))) };
                let short = file.key.as_bytes().first_chunk();
                let known = short.and_then(|key| former.get(key)).map(|vectors| vectors());
                let fits = |known: &FileVectors| known.code.len() == terms.document_count();
                let vectors = match known.filter(fits) {
                    Some(known) => known,
                    None => vectors(map, file, &terms, encoder, sources)?,
                };
                Ok(Some((terms, Some(vectors))))
            });
            let read: Result<Vec<Read>, IngestError> = read.collect();
            for ((file, bytes), read) in files.iter().zip(kept).zip(read?) {
                let Some((terms, vectors)) = read else {
                    // Not what we wrote: the file has to be read again.
                    self.remove(&file.key);
                    return Err(changed(map, file.file));
                };
                builder.add(file.file, file.first, &terms, vectors.as_ref());
                builder.key(file.file, file.key);
                blocks.insert(file.key, bytes);
            }
        }
        let bytes = builder.finish(map);
        std::fs::create_dir_all(&self.folder).map_err(IngestError::io("make", &self.folder))?;
        keep::write(&self.terms_path(), &blocks)?;
        sealed::replace(&self.index_path(), &[&head(map, encoder), &bytes])?;
        let index = match Mapped::open(&self.index_path(), HEAD) {
            Ok(mapped) => SearchIndex::open(Arc::new(mapped)),
            Err(_) => SearchIndex::open(Arc::new(bytes)),
        };
        let index = index.map_err(|damaged| IngestError::Rows { reason: damaged.to_string() })?;
        self.staging.clear();
        self.kept = Some(blocks);
        Ok(index)
    }

    /// The index that lies on disk, of whatever map it is, where it has vectors of this encoder:
    /// those of files that are still the same need not be made again.
    fn former(&self, encoder: &dyn Encoder) -> Option<SearchIndex> {
        let mapped = Mapped::open(&self.index_path(), HEAD).ok()?;
        // What is damaged is made again; what is missing is said where it is opened.
        let index = SearchIndex::open(Arc::new(mapped)).ok()?;
        Some(index).filter(|index| index.encoder_name() == Some(encoder.name()))
    }

    fn load(&mut self) {
        if self.kept.is_none() {
            let (blocks, damage) = keep::read(&self.terms_path());
            self.damage.extend(damage.map(|reason| ("terms.bin", reason)));
            self.kept = Some(blocks);
        }
    }

    fn index_path(&self) -> PathBuf {
        self.folder.join("search.bin")
    }

    fn terms_path(&self) -> PathBuf {
        self.folder.join("terms.bin")
    }
}

/// What a file has for the index; `None`: its terms are not what we wrote.
type Read = Option<(FileTerms, Option<FileVectors>)>;

/// A file's vectors: of its terms, or of its texts where the encoder reads them.
fn vectors(
    map: &Map,
    file: &FileItems,
    terms: &FileTerms,
    encoder: &dyn Encoder,
    sources: Sources<'_>,
) -> Result<FileVectors, IngestError> {
    let Some(reader) = encoder.reader() else { return Ok(terms.vectors(encoder)) };
    (sources.alive)()?;
    let text = (sources.text)(file.file)?;
    let read = file.source(map, &text, |source| read_vectors(source, encoder.name(), reader));
    read.unwrap_or_else(|| Ok(FileVectors::new(encoder.name(), reader.dims())))
        .map_err(|reason| IngestError::Encoder { reason })
}

/// All files of a map, with what their terms follow from.
pub(super) fn files_of(map: &Map) -> Vec<FileItems> {
    documents::of_map(map)
}

fn head(map: &Map, encoder: Option<&dyn Encoder>) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    head.extend_from_slice(stamp(map, encoder.map_or("", |it| it.name())).as_bytes());
    head.resize(HEAD, 0);
    head
}

fn changed(map: &Map, file: u32) -> IngestError {
    let path = map.file(file).map(|file| file.path.to_owned()).unwrap_or_default();
    IngestError::Changed { path }
}

/// By path, for whoever speaks of files by their paths.
pub(super) fn by_path(map: &Map, files: &[FileItems]) -> BTreeMap<String, ContentHash> {
    let named = files.iter().filter_map(|it| Some((map.file(it.file)?.path.to_owned(), it.key)));
    named.collect()
}
