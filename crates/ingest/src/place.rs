//! Where the index of a project lies, and its files there:
//!
//! - `index.bin`, the map as `graph` reads it;
//! - `facts.bin`, what the next process needs besides to go on instead of beginning anew;
//! - `sources.bin`, small, written last: of which sources the other two are, and their hashes.
//!
//! Beside them lies `analyzer.bin`, what rust-analyzer said, which is made by its own command and
//! used for as long as it holds.
//!
//! Each is replaced by a rename. A process that is killed between two of them leaves files that do
//! not belong together; `sources.bin` shows it, and the index is made again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::ContentHash;
use cargo::Probe;
use graph::{FileFlags, Map, ProblemRow};
use serde::{Deserialize, Serialize};

use crate::IngestError;
use crate::hydrate::{self, Hydrated, KeptHydration};
use crate::index::rebuilt;
use crate::inputs::{self, manifest_path};
use crate::kept;
use crate::lock::Lock;
use crate::mapped::Mapped;
use crate::report::Totals;
use crate::sealed::{self, Format, Kept, seal};
use crate::state::{FileState, Skipped, State};

/// Its version stands for the meaning of all rows: it grows whenever the same sources would make
/// another map.
const SOURCES: Format = Format { kind: *b"srcs", version: 4 };

#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// `graftage/<project id>` in the target directory, or `map` in the project's cache folder.
    folder: PathBuf,
    /// The project's cache folder's `map`.
    cache: PathBuf,
}

/// What `sources.bin` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Sources {
    epoch: u64,
    /// [`Map::checksum`].
    index: ContentHash,
    /// Of the map: no command that only asks has to count.
    totals: Totals,
    facts: Option<ContentHash>,
    skipped: Vec<Skipped>,
    inputs: Option<ContentHash>,
    ignore_files: Vec<PathBuf>,
    left_out: u64,
    tree_problems: Vec<ProblemRow>,
    hydrated_by: Option<ContentHash>,
    hydrated: Option<Hydrated>,
}

/// What lay on disk.
#[derive(Default)]
pub(crate) struct Loaded {
    pub(crate) map: Option<Map>,
    /// Names and hashes only.
    pub(crate) state: State,
    /// What the map holds.
    pub(crate) totals: Option<Totals>,
    pub(crate) damage: Vec<ProblemRow>,
}

/// A map that is all there, with what belongs to it.
struct Whole {
    map: Map,
    state: State,
    totals: Totals,
}

/// Which file is damaged, and how that shows.
type Damage = (&'static str, String);

impl Place {
    pub(crate) fn of(project: &repo::Project, probe: Option<&Probe>) -> Self {
        let cache = project.cache_dir().join("map");
        let last = inputs::last(&cache).map(|inputs| inputs.manifests.target_directory);
        let own = probe.and_then(|probe| probe.target_dir.clone());
        let target = own.or(last).unwrap_or_else(|| project.root().join("target"));
        let mut place = Self { folder: PathBuf::new(), cache };
        place.follow(project, &target);
        place
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn cache(&self) -> &Path {
        &self.cache
    }

    /// Moves to where the target directory is; whether that is another place.
    pub(crate) fn follow(&mut self, project: &repo::Project, target: &Path) -> bool {
        let has_manifest = manifest_path().join_to(project.root()).is_file();
        let folder = target.join("graftage").join(project.id().short());
        let folder = if has_manifest && may_write(&folder) { folder } else { self.cache.clone() };
        let moved = folder != self.folder;
        self.folder = folder;
        moved
    }

    /// Whether an index lies there, whole or not.
    pub(crate) fn is_written(&self) -> bool {
        self.sources().is_file() && self.index().is_file()
    }

    /// The epoch of what lies there; 0 without.
    pub(crate) fn epoch(&self) -> u64 {
        self.read_sources().ok().flatten().map_or(0, |sources| sources.epoch)
    }

    /// What the index takes.
    pub(crate) fn bytes(&self) -> u64 {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.metadata().ok()).map(|meta| meta.len()).sum()
    }

    /// Reads what lies there. Anything that is not whole counts as absent, and is named.
    pub(crate) fn load(&self) -> Loaded {
        let mut loaded = Loaded::default();
        match self.try_load() {
            Ok(Some(Whole { map, state, totals })) => {
                (loaded.map, loaded.state, loaded.totals) = (Some(map), state, Some(totals));
            }
            Ok(None) => {}
            Err((what, reason)) => loaded.damage.push(rebuilt(what, &reason)),
        }
        loaded
    }

    fn try_load(&self) -> Result<Option<Whole>, Damage> {
        let Some(sources) = self.read_sources().map_err(|reason| ("sources.bin", reason))? else {
            return Ok(None);
        };
        let damaged = |reason: String| ("index.bin", reason);
        let bytes = Mapped::open(&self.index(), 0).map_err(|err| damaged(err.to_string()))?;
        // Opening reads all of it and holds it against its checksum; here, that it is the one.
        let map = Map::open(Arc::new(bytes)).map_err(|err| damaged(err.to_string()))?;
        if map.checksum() != sources.index {
            return Err(damaged("it is not what belongs to `sources.bin`".to_owned()));
        }
        if map.epoch() != sources.epoch {
            return Err(damaged("it is of another epoch".to_owned()));
        }
        let files = map.files().map(|file| {
            Some(FileState {
                path: base::ProjectPath::new(file.path).ok()?,
                hash: file.hash,
                text: "".into(),
                facts: Default::default(),
                has_bodies: false,
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
            files: files.ok_or_else(|| damaged("it names files that cannot be".to_owned()))?,
            skipped: sources.skipped,
            inputs: sources.inputs,
            ignore_files: sources.ignore_files,
            left_out: sources.left_out,
            tree_problems: sources.tree_problems,
            facts: sources.facts,
            hydrated_by: sources.hydrated_by,
            hydrated: sources.hydrated,
            ..State::default()
        };
        Ok(Some(Whole { map, state, totals: sources.totals }))
    }

    /// The content of `facts.bin`, if it is whole and the one that belongs to the rest.
    pub(crate) fn read_facts(&self, hash: ContentHash) -> Option<Vec<u8>> {
        let bytes = std::fs::read(self.facts()).ok()?;
        (ContentHash::of(&bytes) == hash)
            .then(|| sealed::unseal(kept::FORMAT, bytes).ok())
            .flatten()
    }

    /// Replaces what lies there. Without `facts` the next process begins anew where something
    /// changed.
    pub(crate) fn write(
        &self,
        state: &State,
        totals: &Totals,
        index: &[u8],
        facts: Option<&[u8]>,
        _lock: &Lock,
    ) -> Result<(), IngestError> {
        self.make()?;
        sealed::sweep(&self.folder);
        let sources = Sources {
            epoch: state.epoch,
            index: Map::checksum_in(index),
            totals: totals.clone(),
            facts: facts.map(ContentHash::of),
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
        match facts {
            Some(facts) => sealed::replace(&self.facts(), &[facts])?,
            None => drop(std::fs::remove_file(self.facts())),
        }
        sealed::replace(&self.index(), &[index])?;
        sealed::replace(&self.sources(), &[&seal(SOURCES, &content)])
    }

    /// What rust-analyzer said; an error says why what lies there cannot be used.
    pub(crate) fn read_hydration(&self) -> Result<Option<KeptHydration>, String> {
        hydrate::read(&self.folder)
    }

    /// Replaces what rust-analyzer said.
    pub(crate) fn write_hydration(&self, bytes: &[u8], _lock: &Lock) -> Result<(), IngestError> {
        self.make()?;
        sealed::replace(&self.folder.join(hydrate::FILE), &[bytes])
    }

    fn make(&self) -> Result<(), IngestError> {
        let target = self.folder.parent().and_then(Path::parent);
        let is_new = target.is_some_and(|target| !target.exists());
        std::fs::create_dir_all(&self.folder).map_err(IngestError::io("make", &self.folder))?;
        if let Some(target) = target.filter(|_| is_new && self.folder != self.cache) {
            // Cargo marks a target directory that it makes itself, so that backups leave it out.
            let tag = target.join("CACHEDIR.TAG");
            std::fs::write(&tag, TAG).map_err(IngestError::io("write", &tag))?;
        }
        Ok(())
    }

    fn read_sources(&self) -> Result<Option<Sources>, String> {
        match sealed::read(SOURCES, &self.sources()) {
            Kept::Content(content) => {
                postcard::from_bytes(&content).map(Some).map_err(|err| err.to_string())
            }
            Kept::None => Ok(None),
            Kept::Damaged(reason) => Err(reason),
        }
    }

    fn index(&self) -> PathBuf {
        self.folder.join("index.bin")
    }

    fn facts(&self) -> PathBuf {
        self.folder.join("facts.bin")
    }

    fn sources(&self) -> PathBuf {
        self.folder.join("sources.bin")
    }
}

const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by cargo.
# For information about cache directory tags see https://bford.info/cachedir/
";

/// Whether files can be made in a folder, or in the nearest one above that is there.
fn may_write(folder: &Path) -> bool {
    let Some(nearest) = folder.ancestors().find(|it| it.exists()) else { return false };
    rustix::fs::access(nearest, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK).is_ok()
}
