//! The directory of a project's index, and its files:
//!
//! - `index.bin`, the map as `graph` reads it;
//! - `sources.bin`, small, written last: the sources of the map, and its checksum.
//!
//! Beside them is `analyzer.bin`, the rust-analyzer results, which are written by their own command
//! and used while they are valid.
//!
//! Each file is replaced by a rename. A process that is killed between two renames leaves files
//! that do not belong together; `sources.bin` reveals it, and the index is rebuilt.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::ContentHash;
use graph::{FileFlags, Map, ProblemRow};
use serde::{Deserialize, Serialize};
use untrusted_fs::EntryKind;

use crate::IngestError;
use crate::discover::problem;
use crate::hydrate::{self, Hydrated, KeptHydration};
use crate::inputs::manifest_path;
use crate::lock::Lock;
use crate::mapped::Mapped;
use crate::report::Totals;
use crate::sealed::{self, Format, SealedFault, SealedFile, seal};
use crate::state::{FileState, Skipped, State};

/// The version covers the meaning of all rows: it must grow whenever the same sources would produce
/// another map.
const SOURCES: Format = Format { kind: *b"srcs", version: 7 };

const INDEX_FILE: &str = "index.bin";
const SOURCES_FILE: &str = "sources.bin";

#[derive(Clone, Debug)]
pub(crate) struct IndexDir {
    /// `map` in the project's cache directory, never in the project: nothing there was written by a
    /// repository or a build.
    folder: PathBuf,
}

/// The content of `sources.bin`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Sources {
    epoch: u64,
    /// [`Map::checksum`].
    index: ContentHash,
    /// The totals of the map, so that commands that only query need not count.
    totals: Totals,
    skipped: Vec<Skipped>,
    inputs: Option<ContentHash>,
    ignore_files: Vec<PathBuf>,
    left_out: u64,
    tree_problems: Vec<ProblemRow>,
    hydrated_by: Option<ContentHash>,
    hydrated: Option<Hydrated>,
}

/// The content loaded from disk.
#[derive(Default)]
pub(crate) struct Loaded {
    pub(crate) map: Option<Map>,
    /// Contains names and hashes only.
    pub(crate) state: State,
    /// The totals of the map.
    pub(crate) totals: Option<Totals>,
    pub(crate) damage: Vec<ProblemRow>,
}

/// An intact map with its state.
struct LoadedMap {
    map: Map,
    state: State,
    totals: Totals,
}

/// The damaged file, and the reason.
type Damage = (&'static str, String);

impl IndexDir {
    pub(crate) fn of(project: &repo::Project) -> Self {
        Self { folder: project.cache_dir().join("map") }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether an index is there, intact or not.
    pub(crate) fn is_written(&self) -> bool {
        let Ok(Some(folder)) = untrusted_fs::open_inner(&self.folder) else { return false };
        let is_file = |name| matches!(folder.kind(name), Ok(Some(EntryKind::File)));
        is_file(SOURCES_FILE) && is_file(INDEX_FILE)
    }

    /// The epoch of the index on disk; 0 if there is none.
    pub(crate) fn epoch(&self) -> u64 {
        self.read_sources().ok().flatten().map_or(0, |sources| sources.epoch)
    }

    /// The size of the index in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let folder = untrusted_fs::open_inner(&self.folder).ok().flatten();
        folder.map_or(0, |folder| folder.size_all())
    }

    /// Loads the index. A damaged file counts as missing, and is reported.
    pub(crate) fn load(&self) -> Loaded {
        let mut loaded = Loaded::default();
        match self.try_load() {
            Ok(Some(LoadedMap { map, state, totals })) => {
                (loaded.map, loaded.state, loaded.totals) = (Some(map), state, Some(totals));
            }
            Ok(None) => {}
            Err((what, reason)) => loaded.damage.push(rebuilt(what, &reason)),
        }
        loaded
    }

    fn try_load(&self) -> Result<Option<LoadedMap>, Damage> {
        let Some(sources) =
            self.read_sources().map_err(|fault| ("sources.bin", fault.to_string()))?
        else {
            return Ok(None);
        };
        let damaged = |reason: String| ("index.bin", reason);
        let bytes = Mapped::open(&self.index(), 0).map_err(|err| damaged(err.to_string()))?;
        // Opening verifies the checksum; here only the identity is checked.
        let map = Map::open(Arc::new(bytes)).map_err(|err| damaged(err.to_string()))?;
        if map.checksum() != sources.index {
            return Err(damaged("it does not belong to `sources.bin`".to_owned()));
        }
        if map.epoch() != sources.epoch {
            return Err(damaged("it has another epoch".to_owned()));
        }
        let files = map.files().map(|file| {
            Some(FileState {
                path: base::ProjectPath::new(file.path).ok()?,
                hash: file.hash,
                text: "".into(),
                facts: Default::default(),
                lines: file.lines,
                flags: FileFlags { is_orphan: false, is_inactive: false, ..file.flags },
                problems: Default::default(),
                nodes: Default::default(),
                links: None,
                overlaid: None,
            })
        });
        let files: Option<Vec<FileState>> = files.collect();
        let state = State {
            epoch: sources.epoch,
            files: files.ok_or_else(|| damaged("it contains invalid paths".to_owned()))?,
            skipped: sources.skipped,
            inputs: sources.inputs,
            ignore_files: sources.ignore_files,
            left_out: sources.left_out,
            tree_problems: sources.tree_problems,
            hydrated_by: sources.hydrated_by,
            hydrated: sources.hydrated,
            ..State::default()
        };
        Ok(Some(LoadedMap { map, state, totals: sources.totals }))
    }

    /// Replaces the index.
    pub(crate) fn write(
        &self,
        state: &State,
        totals: &Totals,
        index: &[u8],
        _lock: &Lock,
    ) -> Result<(), IngestError> {
        let folder = untrusted_fs::make_own(&self.folder);
        folder
            .map_err(|err| IngestError::io("create", &self.folder)(err.into()))?
            .sweep_unfinished();
        let sources = Sources {
            epoch: state.epoch,
            index: Map::checksum_in(index),
            totals: totals.clone(),
            skipped: state.skipped.clone(),
            inputs: state.inputs,
            ignore_files: state.ignore_files.clone(),
            left_out: state.left_out,
            tree_problems: state.tree_problems.clone(),
            hydrated_by: state.hydrated_by,
            hydrated: state.hydrated.clone(),
        };
        let content = postcard::to_stdvec(&sources)
            .map_err(|err| IngestError::Rows { reason: err.to_string() })?;
        sealed::replace(&self.index(), &[index])?;
        sealed::replace(&self.sources(), &[&seal(SOURCES, &content)])
    }

    /// Reads the rust-analyzer results; the error is the reason why they cannot be used.
    pub(crate) fn read_hydration(&self) -> Result<Option<KeptHydration>, SealedFault> {
        hydrate::read(&self.folder)
    }

    /// Replaces the rust-analyzer results.
    pub(crate) fn write_hydration(&self, bytes: &[u8], _lock: &Lock) -> Result<(), IngestError> {
        sealed::replace(&self.folder.join(hydrate::FILE), &[bytes])
    }

    fn read_sources(&self) -> Result<Option<Sources>, SealedFault> {
        match sealed::read(SOURCES, &self.sources()) {
            SealedFile::Content(content) => Ok(Some(postcard::from_bytes(&content)?)),
            SealedFile::Missing => Ok(None),
            SealedFile::Damaged(reason) => Err(reason),
        }
    }

    fn index(&self) -> PathBuf {
        self.folder.join(INDEX_FILE)
    }

    fn sources(&self) -> PathBuf {
        self.folder.join(SOURCES_FILE)
    }
}

/// The problem that reports a rebuilt index file.
pub(crate) fn rebuilt(what: &str, reason: &str) -> ProblemRow {
    problem(&manifest_path(), "index", format!("{what} was rebuilt: {reason}"))
}
