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
use cargo::ToolchainProbe;
use graph::{FileFlags, Map, ProblemRow};
use serde::{Deserialize, Serialize};

use crate::IngestError;
use crate::discover::problem;
use crate::hydrate::{self, Hydrated, KeptHydration};
use crate::inputs::{self, manifest_path};
use crate::lock::Lock;
use crate::mapped::Mapped;
use crate::report::Totals;
use crate::sealed::{self, Format, SealedFile, seal};
use crate::state::{FileState, Skipped, State};

/// The version covers the meaning of all rows: it must grow whenever the same sources would produce
/// another map.
const SOURCES: Format = Format { kind: *b"srcs", version: 6 };

#[derive(Clone, Debug)]
pub(crate) struct IndexDir {
    /// `graftage/<project id>` in the target directory, or `map` in the project's cache directory.
    folder: PathBuf,
    /// `map` in the project's cache directory.
    cache: PathBuf,
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
    pub(crate) fn of(project: &repo::Project, probe: Option<&ToolchainProbe>) -> Self {
        let cache = project.cache_dir().join("map");
        let last = inputs::last(&cache).map(|inputs| inputs.manifests.target_directory);
        let own = probe.and_then(|probe| probe.target_dir.clone());
        let target = own.or(last).unwrap_or_else(|| project.root().join("target"));
        let mut dir = Self { folder: PathBuf::new(), cache };
        dir.follow(project, &target);
        dir
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn cache(&self) -> &Path {
        &self.cache
    }

    /// Switches to the index of another target directory; returns whether the directory changed.
    pub(crate) fn follow(&mut self, project: &repo::Project, target: &Path) -> bool {
        let has_manifest = manifest_path().join_to(project.root()).is_file();
        let folder = target.join("graftage").join(project.id().short());
        let folder = if has_manifest && is_writable(&folder) { folder } else { self.cache.clone() };
        let moved = folder != self.folder;
        self.folder = folder;
        moved
    }

    /// Whether an index is there, intact or not.
    pub(crate) fn is_written(&self) -> bool {
        self.sources().is_file() && self.index().is_file()
    }

    /// The epoch of the index on disk; 0 if there is none.
    pub(crate) fn epoch(&self) -> u64 {
        self.read_sources().ok().flatten().map_or(0, |sources| sources.epoch)
    }

    /// The size of the index in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.metadata().ok()).map(|meta| meta.len()).sum()
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
        let Some(sources) = self.read_sources().map_err(|reason| ("sources.bin", reason))? else {
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
        self.create_folder()?;
        sealed::sweep(&self.folder);
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
    pub(crate) fn read_hydration(&self) -> Result<Option<KeptHydration>, String> {
        hydrate::read(&self.folder)
    }

    /// Replaces the rust-analyzer results.
    pub(crate) fn write_hydration(&self, bytes: &[u8], _lock: &Lock) -> Result<(), IngestError> {
        self.create_folder()?;
        sealed::replace(&self.folder.join(hydrate::FILE), &[bytes])
    }

    fn create_folder(&self) -> Result<(), IngestError> {
        let target = self.folder.parent().and_then(Path::parent);
        let is_new = target.is_some_and(|target| !target.exists());
        std::fs::create_dir_all(&self.folder).map_err(IngestError::io("create", &self.folder))?;
        if let Some(target) = target.filter(|_| is_new && self.folder != self.cache) {
            // Cargo tags a target directory that it creates, so that backups skip it.
            let tag = target.join("CACHEDIR.TAG");
            std::fs::write(&tag, TAG).map_err(IngestError::io("write", &tag))?;
        }
        Ok(())
    }

    fn read_sources(&self) -> Result<Option<Sources>, String> {
        match sealed::read(SOURCES, &self.sources()) {
            SealedFile::Content(content) => {
                postcard::from_bytes(&content).map(Some).map_err(|err| err.to_string())
            }
            SealedFile::Missing => Ok(None),
            SealedFile::Damaged(reason) => Err(reason),
        }
    }

    fn index(&self) -> PathBuf {
        self.folder.join("index.bin")
    }

    fn sources(&self) -> PathBuf {
        self.folder.join("sources.bin")
    }
}

const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by cargo.
# For information about cache directory tags see https://bford.info/cachedir/
";

/// Whether files can be created in a directory, or in its nearest existing ancestor.
fn is_writable(folder: &Path) -> bool {
    let Some(nearest) = folder.ancestors().find(|it| it.exists()) else { return false };
    rustix::fs::access(nearest, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK).is_ok()
}

/// The problem that reports a rebuilt index file.
pub(crate) fn rebuilt(what: &str, reason: &str) -> ProblemRow {
    problem(&manifest_path(), "index", format!("{what} was rebuilt: {reason}"))
}
