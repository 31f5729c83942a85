//! The writer's view of the relations, and the types of queries.

use std::path::PathBuf;
use std::time::Duration;

use crate::{MapChange, MapRows, RecordRows, Result};

/// The map as relations, as ingest writes them.
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
}

/// The record as relations. The record is the source of truth; these are derived from it.
pub trait RecordStore: Send + Sync {
    /// Replaces the rows of the record by `rows`, as state `stamp`, in one transaction. Needs a map;
    /// another [`GraphStore::import`] removes them.
    fn import_record(&self, rows: &RecordRows, stamp: u64) -> Result<()>;

    /// The state of the rows of the record; `None` if there are none.
    fn record(&self) -> Result<Option<u64>>;
}

/// The directories of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreDirs {
    /// The directory of `map.db`: may be emptied at any time.
    pub map: PathBuf,
    /// The directory of the locks: must be preserved.
    pub locks: PathBuf,
}

/// The limits of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptLimits {
    /// The time limit.
    pub time: Duration,
    /// The memory limit for its rows in bytes, by the engine's estimate.
    pub memory: usize,
}

impl Default for ScriptLimits {
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
