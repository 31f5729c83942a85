//! The store with its engine. Bottom-up: [`engine`] is the only file that calls it; [`database`] is
//! one SQLite file with its locks and its seal; [`schema`] declares the relations, [`encode`]
//! converts rows to values; the other files implement one operation each.

mod advice;
mod database;
mod encode;
mod engine;
mod layout;
mod lock;
mod map;
mod memory;
mod query;
mod record;
mod schema;
mod seal;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::{
    GraphStore, MapChange, MapRows, RecordRows, RecordStore, Result, Rows, ScriptLimits, StoreDirs,
    Trouble,
};
use database::Database;

/// The time to wait for a lock of another process.
const PATIENCE: Duration = Duration::from_secs(30);

/// The database. Opening is cheap: the file is checked on first use.
#[derive(Debug)]
pub struct Store {
    map: Database,
    troubles: Arc<Mutex<Vec<Trouble>>>,
}

impl Store {
    /// Opens the database of a project; a missing one is created by the first import.
    pub fn open(places: &StoreDirs) -> Result<Self> {
        Self::open_with_patience(places, PATIENCE)
    }

    /// The same as [`Store::open`] with another time limit for locks.
    pub fn open_with_patience(places: &StoreDirs, patience: Duration) -> Result<Self> {
        let troubles = Arc::new(Mutex::new(Vec::new()));
        let map = Database::new(places, patience, Arc::clone(&troubles))?;
        Ok(Self { map, troubles })
    }

    /// The damage found since the last call, and the new locations of the damaged files. The database
    /// is checked on first use, so call this after the work.
    pub fn troubles(&self) -> Vec<Trouble> {
        std::mem::take(&mut *base::lock(&self.troubles))
    }

    /// Runs a read-only script over the relations of the map.
    pub fn query(&self, script: &str, limits: &ScriptLimits) -> Result<Rows> {
        query::query(&self.map, script, limits)
    }

    /// Creates an index over the vectors (HNSW, cosine), for scripts that join vectors with
    /// relations: `~embeddings:near{id | query: v, k: 10, ef: 50, bind_distance: d}`. Only on
    /// request: it takes milliseconds for each vector, and a scan outside the database is faster.
    /// Every change of the vectors drops it. Returns the number of vectors in it.
    pub fn index_vectors(&self) -> Result<usize> {
        map::index_vectors(&self.map)
    }
}

impl GraphStore for Store {
    fn import(&self, rows: &MapRows, epoch: u64) -> Result<()> {
        map::import(&self.map, rows, epoch)
    }

    fn update(&self, change: &MapChange, epoch: u64) -> Result<()> {
        map::update(&self.map, change, epoch)
    }

    fn epoch(&self) -> Result<Option<u64>> {
        map::epoch(&self.map)
    }
}

impl RecordStore for Store {
    fn import_record(&self, rows: &RecordRows, stamp: u64) -> Result<()> {
        record::import(&self.map, rows, stamp)
    }

    fn record(&self) -> Result<Option<u64>> {
        record::stamp(&self.map)
    }
}
