//! The trait of the map's relations.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{EdgeKind, ItemId};

use crate::{MapChange, MapRows, Result};

/// The map as relations.
pub trait GraphStore: Send + Sync {
    /// Replaces the whole map by `rows`, as state `epoch`. All or nothing: concurrent readers, and
    /// readers after a kill, see the previous map. Nothing of the previous map is kept, including
    /// an index over vectors.
    fn import(&self, rows: &MapRows, epoch: u64) -> Result<()>;

    /// Updates the map from its state to `epoch`, in one transaction. Meant for batches of changed
    /// files; if most rows change, `import` is cheaper.
    fn update(&self, change: &MapChange, epoch: u64) -> Result<()>;

    /// The state of the map; `None` if there is no map, because none was imported or because it was
    /// damaged and moved away.
    fn epoch(&self) -> Result<Option<u64>>;

    /// Runs a read-only script over [`crate::MAP_RELATIONS`] and [`crate::RECORD_RELATIONS`], which
    /// may use both.
    fn query(&self, script: &str, limits: &Limits) -> Result<Rows>;

    /// The nodes reached from `seeds` in one or two steps over edges of `kinds`. From each node
    /// only the `cap` best neighbors are followed: those with the greatest weight (summed over
    /// `kinds`), ties broken by the smaller id (as text). Seeds are not in the result; a node
    /// reached twice has the shorter distance. Sorted by steps, then by id.
    fn two_hop(&self, seeds: &[ItemId], kinds: &[EdgeKind], cap: usize) -> Result<Vec<Reached>>;

    /// Creates an index over the vectors (HNSW, cosine), for scripts that join vectors with
    /// relations: `~embeddings:near{id | query: v, k: 10, ef: 50, bind_distance: d}`. Only on
    /// request: it doubles the cost of vectors, and a scan outside the database is faster. An
    /// update maintains it, an import drops it. Returns the number of vectors in it.
    fn index_vectors(&self) -> Result<usize>;

    /// Writes all relations of both databases as JSON lines that can be read without this engine or
    /// program: a header, and for each relation its columns and one line per row.
    fn export_json(&self, out: &mut dyn Write) -> Result<()>;

    /// Replaces both databases by the output of [`GraphStore::export_json`]; the map all or
    /// nothing, then the records all or nothing.
    fn import_json(&self, input: &mut dyn BufRead) -> Result<()>;
}

/// The directories of the databases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The directory of `map.db`: may be emptied at any time.
    pub map: PathBuf,
    /// The directory of `record.db` and of the locks: must be preserved.
    pub record: PathBuf,
}

impl Places {
    /// Both in one folder.
    pub fn both_in(dir: &Path) -> Self {
        Self { map: dir.to_owned(), record: dir.to_owned() }
    }
}

/// The limits of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time limit.
    pub time: Duration,
    /// The memory limit for its rows in bytes, by the engine's estimate.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), memory: 256 << 20 }
    }
}

/// The result of a script.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Rows {
    /// The names of the columns.
    pub headers: Vec<String>,
    /// The rows; UUIDs are strings.
    pub rows: Vec<Vec<serde_json::Value>>,
}

/// A node reached from the seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// The number of steps: 1 or 2.
    pub steps: u8,
    /// The node.
    pub id: ItemId,
}
