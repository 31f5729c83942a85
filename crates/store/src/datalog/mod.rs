//! The store with its engine. Bottom-up: [`engine`] is the only file that calls it; [`database`] is
//! one SQLite file with its locks and its seal; [`schema`] declares the relations, [`encode`]
//! converts rows to values; the other files implement one operation each.

mod advice;
mod codegraph;
mod database;
mod encode;
mod engine;
mod exchange;
mod layout;
mod lock;
mod map;
mod query;
mod schema;
mod seal;

use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::{EdgeKind, ItemId};

use crate::{
    CodeRow, CodeVersion, FutureAction, GraphStore, Limits, MapChange, MapRows, Places, Proof,
    Reached, RecordStore, Records, Result, Rows, Settled, Trouble,
};
use database::{Database, DatabaseKind};

/// The time to wait for a lock of another process.
const PATIENCE: Duration = Duration::from_secs(30);

/// Both databases. Opening is cheap: files are checked on first use.
pub struct Store {
    map: Database,
    record: Database,
    troubles: Arc<Mutex<Vec<Trouble>>>,
}

impl Store {
    /// Opens the databases of a project; missing ones are created by the first write.
    pub fn open(places: &Places) -> Result<Self> {
        Self::open_with_patience(places, PATIENCE)
    }

    /// The same as [`Store::open`] with another time limit for locks.
    pub fn open_with_patience(places: &Places, patience: Duration) -> Result<Self> {
        let troubles = Arc::new(Mutex::new(Vec::new()));
        let database = |kind| Database::new(kind, places, patience, Arc::clone(&troubles));
        let (map, record) = (database(DatabaseKind::Map)?, database(DatabaseKind::Record)?);
        Ok(Self { map, record, troubles })
    }

    /// The damage found since the last call, and the new locations of the damaged files. Databases
    /// are checked on first use, so call this after the work.
    pub fn troubles(&self) -> Vec<Trouble> {
        std::mem::take(&mut *self.troubles.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("map", &self.map).field("record", &self.record).finish()
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

    fn query(&self, script: &str, limits: &Limits) -> Result<Rows> {
        query::query(&self.map, &self.record, script, limits)
    }

    fn two_hop(&self, seeds: &[ItemId], kinds: &[EdgeKind], cap: usize) -> Result<Vec<Reached>> {
        map::two_hop(&self.map, seeds, kinds, cap)
    }

    fn index_vectors(&self) -> Result<usize> {
        map::index_vectors(&self.map)
    }

    fn export_json(&self, out: &mut dyn Write) -> Result<()> {
        exchange::export(&self.map, &self.record, out)
    }

    fn import_json(&self, input: &mut dyn BufRead) -> Result<()> {
        exchange::import(&self.map, &self.record, input)
    }
}

impl RecordStore for Store {
    fn upsert_current(&self, rows: &[CodeRow], at: i64) -> Result<Settled> {
        codegraph::upsert_current(&self.record, rows, at)
    }

    fn propose_future(
        &self,
        id: ItemId,
        action: FutureAction,
        code: Option<&str>,
        at: i64,
    ) -> Result<Settled> {
        codegraph::propose_future(&self.record, id, action, code, at)
    }

    fn approve(&self, ids: &[ItemId], approver: &str, proof: &Proof, at: i64) -> Result<Settled> {
        codegraph::approve(&self.record, ids, approver, proof, at)
    }

    fn reject(&self, ids: &[ItemId], reason: &str, at: i64) -> Result<Settled> {
        codegraph::reject(&self.record, ids, reason, at)
    }

    fn as_of(&self, ids: &[ItemId], at: Option<i64>) -> Result<Vec<CodeVersion>> {
        codegraph::as_of(&self.record, ids, at)
    }

    fn record(&self, records: &Records) -> Result<()> {
        let data = encode::records(records);
        self.record.write(|engine| engine.import(data))
    }
}
