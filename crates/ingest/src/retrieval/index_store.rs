//! Builds the search index from files: stages what changed, then finalizes all or nothing. Start at
//! [`SearchIndexStore::finalize`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{ContentHash, SortedMap};
use graph::Map;
use rayon::prelude::*;
use search::{Encoder, FileTerms, FileVectors, IndexBuilder, SearchIndex, read_vectors};

use super::documents::{self, FileItems};
use super::staging::Staging;
use super::stamp::stamp;
use super::terms_file::{self, Blocks};
use crate::IngestError;
use crate::mapped::Mapped;
use crate::sealed;

/// The limit of staged bytes in memory.
const BOUND: usize = 64 << 20;
/// The number of files tokenized at a time, which bounds memory.
const AT_ONCE: usize = 256;

const MAGIC: &[u8; 8] = b"graftsea";
/// Magic number, then the stamp of the map; padded so that the content is aligned.
const HEAD: usize = 64;

/// The text of a file, by its number, as it was when the map was built.
pub(super) type TextOf<'a> = dyn Fn(u32) -> Result<Arc<str>, IngestError> + Sync + 'a;

/// Access to texts, and a check for cancellation.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) text: &'a TextOf<'a>,
    pub(super) alive: &'a (dyn Fn() -> Result<(), IngestError> + Sync),
}

/// The index files of a project and the staged terms for the next ones.
pub(super) struct SearchIndexStore {
    folder: PathBuf,
    staging: Staging,
    /// The terms of the last finalize; `None`: not read yet.
    kept: Option<Blocks>,
    /// What the last finalize read of them.
    read: SortedMap<ContentHash, ReadFile>,
    /// The index of the last finalize, until it is on disk.
    unwritten: Option<Unwritten>,
    /// Files that could not be used, with the reasons.
    pub(super) damage: Vec<(&'static str, String)>,
}

impl SearchIndexStore {
    pub(super) fn new(folder: &Path) -> Self {
        let staging = Staging::new(folder.to_owned(), BOUND);
        Self {
            folder: folder.to_owned(),
            staging,
            kept: None,
            read: SortedMap::new(),
            unwritten: None,
            damage: Vec::new(),
        }
    }

    /// The stored index, if it is intact and belongs to this map and encoder.
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
                self.damage.push(("search.bin", "it is not a graftage search index".to_owned()));
            }
            return None;
        }
        match SearchIndex::open(Arc::new(mapped)) {
            Ok(index) if index.epoch() == map.epoch() => Some(index),
            Ok(_) => {
                self.damage.push(("search.bin", "it has another epoch".to_owned()));
                None
            }
            Err(damaged) => {
                self.damage.push(("search.bin", damaged.to_string()));
                None
            }
        }
    }

    /// The files of the map that must be read for its index.
    pub(super) fn missing<'f>(&mut self, files: &'f [FileItems]) -> Vec<&'f FileItems> {
        self.load();
        let kept = self.kept.as_ref();
        let is_kept = |key: &ContentHash| kept.is_some_and(|kept| kept.contains_key(key));
        files.iter().filter(|it| !is_kept(&it.key) && !self.staging.has(&it.key)).collect()
    }

    /// Stages files: tokenizes their texts.
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

    /// Removes a file's terms from the staged and stored ones.
    pub(super) fn remove(&mut self, key: &ContentHash) {
        self.staging.remove(key);
        self.read.remove(key);
        if let Some(kept) = &mut self.kept {
            kept.remove(key);
        }
    }

    /// Joins staged and stored terms to the index of `map`, in memory; [`SearchIndexStore::write`]
    /// replaces the one on disk.
    pub(super) fn finalize(
        &mut self,
        map: &Map,
        files: &[FileItems],
        encoder: Option<&dyn Encoder>,
        sources: Sources<'_>,
    ) -> Result<SearchIndex, IngestError> {
        self.load();
        let mut read = SortedMap::new();
        let unread: Vec<&FileItems> = files
            .iter()
            .filter(|file| match self.read.get(&file.key).filter(|it| it.is_for(encoder)) {
                Some(known) => read.insert(file.key, known.clone()).is_some(),
                None => true,
            })
            .collect();
        self.read_files(map, &unread, encoder, sources, &mut read)?;
        let mut builder = IndexBuilder::new();
        let mut blocks = Blocks::new();
        for file in files {
            let (Some(own), Some(block)) = (read.get(&file.key), self.block(&file.key)?) else {
                return Err(changed(map, file.file));
            };
            builder.add(file.file, file.first, Arc::clone(&own.terms), own.vectors.clone());
            builder.key(file.file, file.key);
            blocks.insert(file.key, block);
        }
        let bytes: Arc<Vec<u8>> = Arc::new(builder.finish(map));
        let index = SearchIndex::open(Arc::clone(&bytes) as _)
            .map_err(|damaged| IngestError::Rows { reason: damaged.to_string() })?;
        self.staging.clear();
        (self.kept, self.read) = (Some(blocks), read);
        self.unwritten = Some(Unwritten { head: head(map, encoder), bytes });
        Ok(index)
    }

    /// Writes the index of the last finalize and its terms, unless they are on disk.
    pub(super) fn write(&mut self) -> Result<(), IngestError> {
        let (Some(unwritten), Some(blocks)) = (&self.unwritten, &self.kept) else { return Ok(()) };
        terms_file::write(&self.terms_path(), blocks)?;
        sealed::replace(&self.index_path(), &[&unwritten.head, &unwritten.bytes])?;
        self.unwritten = None;
        Ok(())
    }

    /// Reads the terms of files, and reads or computes their vectors.
    fn read_files(
        &mut self,
        map: &Map,
        files: &[&FileItems],
        encoder: Option<&dyn Encoder>,
        sources: Sources<'_>,
        read: &mut SortedMap<ContentHash, ReadFile>,
    ) -> Result<(), IngestError> {
        // In a process that has read them before, few files are left.
        let is_needed = read.is_empty();
        let former = encoder.filter(|_| is_needed).and_then(|encoder| self.former(encoder));
        let former: SortedMap<_, _> =
            former.iter().flat_map(|index| index.kept_vectors()).collect();
        for files in files.chunks(AT_ONCE) {
            let mut blocks = Vec::with_capacity(files.len());
            for file in files {
                blocks.push(self.block(&file.key)?.ok_or_else(|| changed(map, file.file))?);
            }
            let one = |(file, block): (&&FileItems, &Arc<Vec<u8>>)| {
                let Some(terms) = FileTerms::from_bytes(block) else { return Ok(None) };
                let terms = Arc::new(terms);
                let Some(encoder) = encoder else { return Ok(Some(ReadFile::new(terms, None))) };
                let short = file.key.as_bytes().first_chunk();
                let known = short.and_then(|key| former.get(key)).map(|vectors| vectors());
                let fits = |known: &FileVectors| known.code.len() == terms.document_count();
                let vectors = match known.filter(fits) {
                    Some(known) => known,
                    None => vectors(map, file, &terms, encoder, sources)?,
                };
                Ok(Some(ReadFile::new(terms, Some(vectors))))
            };
            let found: Result<Vec<Option<ReadFile>>, IngestError> =
                files.par_iter().zip(&blocks).map(one).collect();
            for (file, found) in files.iter().zip(found?) {
                let Some(found) = found else {
                    // Not a valid block: the file must be read again.
                    self.remove(&file.key);
                    return Err(changed(map, file.file));
                };
                read.insert(file.key, found);
            }
        }
        Ok(())
    }

    /// The staged or stored terms of a file.
    fn block(&mut self, key: &ContentHash) -> Result<Option<Arc<Vec<u8>>>, IngestError> {
        let staged = self.staging.get(key)?.map(Arc::new);
        Ok(staged.or_else(|| self.kept.as_ref()?.get(key).cloned()))
    }

    /// The stored index of any map, if it has vectors of this encoder: vectors of unchanged files
    /// are reused.
    fn former(&self, encoder: &dyn Encoder) -> Option<SearchIndex> {
        let mapped = Mapped::open(&self.index_path(), HEAD).ok()?;
        // Damaged files are rebuilt; opening the index reports them.
        let index = SearchIndex::open(Arc::new(mapped)).ok()?;
        Some(index).filter(|index| index.encoder_name() == Some(encoder.name()))
    }

    fn load(&mut self) {
        if self.kept.is_none() {
            let (blocks, damage) = terms_file::read(&self.terms_path());
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

/// The terms and vectors of a file.
#[derive(Clone)]
struct ReadFile {
    terms: Arc<FileTerms>,
    vectors: Option<Arc<FileVectors>>,
}

impl ReadFile {
    fn new(terms: Arc<FileTerms>, vectors: Option<FileVectors>) -> Self {
        Self { terms, vectors: vectors.map(Arc::new) }
    }

    /// Whether its vectors are those of this encoder.
    fn is_for(&self, encoder: Option<&dyn Encoder>) -> bool {
        let own = self.vectors.as_ref().map(|vectors| vectors.encoder.as_str());
        own == encoder.map(|encoder| encoder.name())
    }
}

/// An index that is only in memory, and the head of its file.
struct Unwritten {
    head: Vec<u8>,
    bytes: Arc<Vec<u8>>,
}

/// The vectors of a file: from its terms, or from its texts if the encoder reads them.
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
        .map_err(|error| IngestError::Encoder { reason: error.to_string() })
}

/// All files of a map, with the keys of their terms.
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
