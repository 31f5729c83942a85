//! `analyzer.bin`: the rust-analyzer results, by file, with the key under which they are valid.

use std::path::Path;
use std::sync::Arc;

use base::{ContentHash, Hasher, ItemId, ProjectPath};
use serde::{Deserialize, Serialize};

use super::signatures::Signatures;
use crate::features;
use crate::inputs::Inputs;
use crate::sealed::{self, Format, SealedFault, SealedFile, seal};

pub(crate) const FILE: &str = "analyzer.bin";
/// Size limit of `Cargo.lock` in bytes.
const LARGEST_LOCK: u64 = 64 << 20;
const FORMAT: Format = Format { kind: *b"hydr", version: 4 };

/// The results are valid while this key is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HydrationKey {
    /// Hash of `Cargo.lock`.
    pub(crate) lock: ContentHash,
    /// Hash of the host's cfg and of the enabled features.
    pub(crate) cfg: ContentHash,
}

impl HydrationKey {
    pub(crate) fn of(root: &Path, inputs: &Inputs) -> Self {
        let mut cfg = Hasher::new();
        inputs.cfg.iter().for_each(|line| {
            cfg.field(line.as_bytes());
        });
        for (dir, features) in features::enabled(&inputs.manifests) {
            let dir = dir.strip_prefix(root).unwrap_or(&dir);
            cfg.field(dir.as_os_str().as_encoded_bytes());
            cfg.field(features.into_iter().collect::<Vec<_>>().join(",").as_bytes());
        }
        let lock = untrusted_fs::read_regular(&root.join("Cargo.lock"), LARGEST_LOCK);
        let lock = lock.ok().flatten().unwrap_or_default();
        Self { lock: ContentHash::of(&lock), cfg: cfg.finish() }
    }
}

/// The kind of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FactKind {
    /// The item calls something that is not a function of the map.
    LeavesMap,
    /// It calls a function.
    Calls,
    /// It invokes a macro.
    Invokes,
    /// It names an item.
    Uses,
    /// It implements a trait, or a trait's function.
    Implements,
}

impl FactKind {
    const ALL: [Self; 5] =
        [Self::LeavesMap, Self::Calls, Self::Invokes, Self::Uses, Self::Implements];
}

/// A fact about an item at an offset; `src` and `dst` are indices into [`Hydration::ids`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fact {
    pub(crate) offset: u32,
    pub(crate) src: u32,
    pub(crate) kind: FactKind,
    /// The target; for [`FactKind::LeavesMap`] the same as `src`.
    pub(crate) dst: u32,
}

/// The results for one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptFile {
    pub(crate) path: ProjectPath,
    /// Hash of the text that was analyzed.
    pub(crate) hash: ContentHash,
    /// The number of calls in it, and how many of them are resolved.
    pub(crate) calls: u32,
    pub(crate) resolved: u32,
    /// The same for calls in active code.
    pub(crate) active: u32,
    pub(crate) active_resolved: u32,
    /// The source items of the facts (indices into [`Hydration::ids`], sorted), each with a hash of
    /// its syntax links at that time; 0 if it had none.
    pub(crate) items: Vec<(u32, u32)>,
    /// Sorted.
    pub(crate) facts: Vec<Fact>,
}

impl KeptFile {
    /// Less than half of its calls are resolved: its cfg is off, or the analysis failed.
    pub(crate) fn is_low(&self) -> bool {
        self.resolved * 2 < self.calls
    }
}

/// All rust-analyzer results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hydration {
    pub(crate) key: HydrationKey,
    /// The analyzer: `rust-analyzer 1.97.1`.
    pub(crate) analyzer: String,
    pub(crate) ids: Vec<ItemId>,
    /// Sorted by path.
    pub(crate) files: Vec<Arc<KeptFile>>,
    /// [`Signatures`], packed: few callers need them.
    pub(crate) signatures: Arc<[u8]>,
    /// Hash of the bytes on disk.
    pub(crate) hash: ContentHash,
}

impl Hydration {
    /// Creates empty results.
    pub(crate) fn new(key: HydrationKey, analyzer: &str) -> Self {
        Self {
            key,
            analyzer: analyzer.to_owned(),
            ids: Vec::new(),
            files: Vec::new(),
            signatures: Arc::default(),
            hash: ContentHash::of(b""),
        }
    }

    /// The signatures of items; none if they cannot be decoded.
    pub(crate) fn signatures(&self) -> Signatures {
        Signatures::unpacked(&self.signatures).unwrap_or_default()
    }

    /// The results for a file with this hash.
    pub(crate) fn file(&self, path: &ProjectPath, hash: ContentHash) -> Option<&Arc<KeptFile>> {
        let at = self.files.binary_search_by(|file| file.path.cmp(path)).ok()?;
        self.files.get(at).filter(|file| file.hash == hash)
    }

    /// Summarizes the results for the given files.
    pub(crate) fn counted<'a>(
        &self,
        files: impl Iterator<Item = (&'a ProjectPath, ContentHash)>,
    ) -> Hydrated {
        let mut hydrated = Hydrated { analyzer: self.analyzer.clone(), ..Hydrated::default() };
        for (path, hash) in files {
            let Some(file) = self.file(path, hash) else {
                hydrated.stale_files += 1;
                continue;
            };
            hydrated.files += 1;
            hydrated.low_files += u64::from(file.is_low());
            hydrated.calls += u64::from(file.calls);
            hydrated.resolved_calls += u64::from(file.resolved);
            hydrated.active_calls += u64::from(file.active);
            hydrated.active_resolved_calls += u64::from(file.active_resolved);
            if file.active > file.active_resolved {
                hydrated.unknown.push(UnresolvedFile {
                    path: path.clone(),
                    active_calls: file.active,
                    unknown_calls: file.active - file.active_resolved,
                });
            }
        }
        hydrated.unknown.sort_by_key(|it| std::cmp::Reverse(it.unknown_calls));
        hydrated.unknown.truncate(LISTED);
        hydrated
    }

    /// The bytes of the file, and the same results with their hash.
    pub(crate) fn sealed(mut self) -> Option<(Vec<u8>, Self)> {
        let stored = Stored {
            ids: self.ids.iter().map(|id| id.to_bytes()).collect(),
            files: self.files.iter().map(|file| store(file)).collect(),
        };
        let body = lz4_flex::block::compress_prepend_size(&postcard::to_stdvec(&stored).ok()?);
        let head = (&self.key, &self.analyzer, body.len() as u64);
        let mut content = postcard::to_stdvec(&head).ok()?;
        content.extend(body);
        content.extend_from_slice(&self.signatures);
        self.hash = ContentHash::of(&content);
        Some((seal(FORMAT, &content), self))
    }
}

/// Summary of the rust-analyzer results in a map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hydrated {
    /// The analyzer: `rust-analyzer 1.97.1`.
    pub analyzer: String,
    /// Files with current results.
    pub files: u64,
    /// New or changed files without results: their edges come from syntax alone.
    pub stale_files: u64,
    /// Files with less than half of their calls resolved: their cfg is off.
    pub low_files: u64,
    /// Calls by name in `files`.
    pub calls: u64,
    /// Resolved calls among them, with targets in or outside of the workspace.
    pub resolved_calls: u64,
    /// Calls in active code of files that a crate reaches, by the cfg of both the map and
    /// rust-analyzer.
    pub active_calls: u64,
    /// Resolved calls among `active_calls`.
    pub active_resolved_calls: u64,
    /// The files with the most unresolved active calls.
    pub unknown: Vec<UnresolvedFile>,
}

/// A file with unresolved calls in active code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnresolvedFile {
    /// The path.
    pub path: ProjectPath,
    /// The number of calls in active code.
    pub active_calls: u32,
    /// The number of unresolved calls among them.
    pub unknown_calls: u32,
}

/// The number of files with unresolved calls that are listed.
const LISTED: usize = 20;

/// The stored file with a verified checksum, not yet decoded.
#[derive(Clone, Debug)]
pub(crate) struct KeptHydration {
    pub(crate) hash: ContentHash,
    key: HydrationKey,
    analyzer: String,
    body: Arc<[u8]>,
    signatures: Arc<[u8]>,
}

impl KeptHydration {
    pub(crate) fn holds_under(&self, key: &HydrationKey) -> bool {
        self.key == *key
    }

    /// The signatures of items, packed.
    pub(crate) fn packed_signatures(&self) -> &Arc<[u8]> {
        &self.signatures
    }

    /// `None` if the content is invalid although its checksum is correct.
    pub(crate) fn decode(&self) -> Option<Hydration> {
        let body = lz4_flex::block::decompress_size_prepended(&self.body).ok()?;
        let stored: Stored = postcard::from_bytes(&body).ok()?;
        let ids: Vec<ItemId> = stored.ids.into_iter().map(ItemId::from_bytes).collect();
        let files: Option<Vec<_>> =
            stored.files.into_iter().map(|file| restore(file, ids.len() as u32)).collect();
        let files = files?;
        let is_sorted = files.windows(2).all(|pair| pair[0].path < pair[1].path);
        is_sorted.then(|| Hydration {
            key: self.key.clone(),
            analyzer: self.analyzer.clone(),
            ids,
            files,
            signatures: self.signatures.clone(),
            hash: self.hash,
        })
    }
}

/// Reads the file from the directory; the error is the reason why it cannot be used.
pub(crate) fn read(folder: &Path) -> Result<Option<KeptHydration>, SealedFault> {
    let content = match sealed::read(FORMAT, &folder.join(FILE)) {
        SealedFile::Content(content) => content,
        SealedFile::Missing => return Ok(None),
        SealedFile::Damaged(reason) => return Err(reason),
    };
    let hash = ContentHash::of(&content);
    let head = postcard::take_from_bytes::<(HydrationKey, String, u64)>(&content);
    let ((key, analyzer, len), rest) = head?;
    let (body, signatures) = usize::try_from(len)
        .ok()
        .and_then(|len| rest.split_at_checked(len))
        .ok_or(SealedFault::Short)?;
    let (body, signatures) = (body.into(), signatures.into());
    Ok(Some(KeptHydration { hash, key, analyzer, body, signatures }))
}

#[derive(Serialize, Deserialize)]
struct Stored {
    ids: Vec<[u8; 16]>,
    files: Vec<StoredFile>,
}

#[derive(Serialize, Deserialize)]
struct StoredFile {
    path: ProjectPath,
    hash: ContentHash,
    calls: [u32; 4],
    items: Vec<(u32, u32)>,
    /// For each fact: distance to the previous offset, index of `src` in `items` with the kind,
    /// `dst`.
    facts: Vec<u32>,
}

fn store(file: &KeptFile) -> StoredFile {
    let mut facts = Vec::with_capacity(file.facts.len() * 3);
    let mut last = 0;
    for fact in &file.facts {
        let src = file.items.binary_search_by_key(&fact.src, |(item, _)| *item).unwrap_or(0);
        facts.push(fact.offset - std::mem::replace(&mut last, fact.offset));
        facts.push((src as u32) << 3 | fact.kind as u32);
        facts.push(fact.dst);
    }
    StoredFile {
        path: file.path.clone(),
        hash: file.hash,
        calls: [file.calls, file.resolved, file.active, file.active_resolved],
        items: file.items.clone(),
        facts,
    }
}

fn restore(file: StoredFile, ids: u32) -> Option<Arc<KeptFile>> {
    let mut facts = Vec::with_capacity(file.facts.len() / 3);
    let mut offset = 0_u32;
    for fact in file.facts.chunks(3) {
        let [distance, packed, dst] = *fact else { return None };
        offset = offset.checked_add(distance)?;
        let (src, _) = *file.items.get((packed >> 3) as usize)?;
        let kind = *FactKind::ALL.get((packed & 7) as usize)?;
        facts.push(Fact { offset, src, kind, dst });
    }
    let [calls, resolved, active, active_resolved] = file.calls;
    let is_whole = file.items.iter().all(|(item, _)| *item < ids)
        && file.items.windows(2).all(|pair| pair[0].0 < pair[1].0)
        && facts.iter().all(|fact| fact.dst < ids);
    is_whole.then(|| {
        Arc::new(KeptFile {
            path: file.path,
            hash: file.hash,
            calls,
            resolved,
            active,
            active_resolved,
            items: file.items,
            facts,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hydration() -> Hydration {
        let fact = |offset, src, kind, dst| Fact { offset, src, kind, dst };
        let file = KeptFile {
            path: ProjectPath::new("src/lib.rs").unwrap(),
            hash: ContentHash::of(b"text"),
            calls: 7,
            resolved: 3,
            active: 5,
            active_resolved: 3,
            items: vec![(0, 9), (2, 0)],
            facts: vec![
                fact(3, 0, FactKind::Calls, 1),
                fact(3, 2, FactKind::LeavesMap, 2),
                fact(900, 2, FactKind::Implements, 0),
            ],
        };
        Hydration {
            ids: ["a", "b", "c"].map(|name| ItemId::of(name, "function", "")).to_vec(),
            files: vec![Arc::new(file)],
            ..Hydration::new(key(), "rust-analyzer 1")
        }
    }

    fn key() -> HydrationKey {
        HydrationKey { lock: ContentHash::of(b"lock"), cfg: ContentHash::of(b"cfg") }
    }

    #[test]
    fn a_written_file_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let (bytes, hydration) = hydration().sealed().unwrap();
        std::fs::write(folder.path().join(FILE), bytes).unwrap();
        let kept = read(folder.path()).unwrap().unwrap();
        assert!(kept.holds_under(&key()));
        assert_eq!(kept.decode().unwrap(), hydration);
    }

    #[test]
    fn a_flipped_bit_and_a_truncation_are_detected() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        let (whole, _) = hydration().sealed().unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            std::fs::write(&file, &bytes).unwrap();
            assert!(read(folder.path()).is_err(), "byte {at}");
            std::fs::write(&file, &whole[..at]).unwrap();
            assert!(read(folder.path()).is_err(), "cut at {at}");
        }
        std::fs::remove_file(&file).unwrap();
        assert!(read(folder.path()).unwrap().is_none());
    }

    #[test]
    fn a_file_of_other_bytes_is_stale() {
        let hydration = hydration();
        let path = ProjectPath::new("src/lib.rs").unwrap();
        assert!(hydration.file(&path, ContentHash::of(b"text")).is_some());
        assert!(hydration.file(&path, ContentHash::of(b"other")).is_none());
        let counted = hydration.counted([(&path, ContentHash::of(b"other"))].into_iter());
        assert_eq!((counted.files, counted.stale_files), (0, 1));
        let counted = hydration.counted([(&path, ContentHash::of(b"text"))].into_iter());
        assert_eq!((counted.calls, counted.low_files, counted.active_calls), (7, 1, 5));
        assert_eq!(counted.unknown.len(), 1);
    }
}
