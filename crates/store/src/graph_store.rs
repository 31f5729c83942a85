use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{EdgeKind, ItemId};

use crate::{MapChange, MapRows, Result};

/// The map as relations.
pub trait GraphStore: Send + Sync {
    /// Replaces the whole map by `rows`, as state `epoch`. All or none: who reads meanwhile, or
    /// after a kill, sees the former map. Nothing of the former map is left, an index over vectors
    /// included.
    fn import(&self, rows: &MapRows, epoch: u64) -> Result<()>;

    /// Brings the map from its state to `epoch`, in one transaction. Meant for batches of changed
    /// files; where most rows change, `import` is cheaper.
    fn update(&self, change: &MapChange, epoch: u64) -> Result<()>;

    /// Which state the map has; `None`: there is no map, because none was imported or because it
    /// was damaged and moved away.
    fn epoch(&self) -> Result<Option<u64>>;

    /// Answers one read-only script over [`crate::MAP_RELATIONS`] and
    /// [`crate::RECORD_RELATIONS`], both in one script included.
    fn query(&self, script: &str, limits: &Limits) -> Result<Rows>;

    /// What is reached from `seeds` in one or two steps over edges of `kinds`. From each node only
    /// the `cap` best neighbours are followed: those of the greatest weight (summed over `kinds`),
    /// the smaller id (as text) first among equals. Seeds are not in the answer, and what is
    /// reached twice counts for the shorter way. Sorted by steps, then by id.
    fn two_hop(&self, seeds: &[ItemId], kinds: &[EdgeKind], cap: usize) -> Result<Vec<Reached>>;

    /// Makes an index over the vectors (HNSW, cosine), for scripts that join nearness with relations:
    /// `~embeddings:near{id | query: v, k: 10, ef: 50, bind_distance: d}`. On request only: it
    /// doubles what vectors cost, and a scan outside the database is faster. An update keeps it, an
    /// import drops it. Answers how many vectors it holds.
    fn index_vectors(&self) -> Result<usize>;

    /// Writes all relations of both databases as JSON lines that need neither this engine nor this
    /// program to be read: a header, and for each relation its columns and one line per row.
    fn export_json(&self, out: &mut dyn Write) -> Result<()>;

    /// Replaces both databases by what [`GraphStore::export_json`] wrote; the map all or none, then
    /// the records all or none.
    fn import_json(&self, input: &mut dyn BufRead) -> Result<()>;
}

/// Where the databases lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The folder of `map.db`: may be emptied at any time.
    pub map: PathBuf,
    /// The folder of `record.db` and of the locks: must last.
    pub record: PathBuf,
}

impl Places {
    /// Both in one folder.
    pub fn both_in(dir: &Path) -> Self {
        Self { map: dir.to_owned(), record: dir.to_owned() }
    }
}

/// What a script may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long it may run.
    pub time: Duration,
    /// How many bytes its rows may hold, by the engine's estimate.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), memory: 256 << 20 }
    }
}

/// What a script answered.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Rows {
    /// The names of the columns.
    pub headers: Vec<String>,
    /// The rows; UUIDs are strings.
    pub rows: Vec<Vec<serde_json::Value>>,
}

/// A node that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// In how many steps: 1 or 2.
    pub steps: u8,
    /// Which.
    pub id: ItemId,
}
