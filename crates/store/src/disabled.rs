//! The store of a build without the engine.

use std::io::{BufRead, Write};

use base::{EdgeKind, ItemId};

use crate::{
    CodeRow, CodeVersion, FutureAction, GraphStore, Limits, MapChange, MapRows, Places, Proof,
    Reached, RecordStore, Records, Result, Rows, Settled, StoreError, Trouble,
};

/// The store of a build without the engine: no value of it can exist.
#[derive(Debug)]
pub enum Store {}

impl Store {
    /// Returns [`StoreError::NoEngine`].
    pub fn open(_places: &Places) -> Result<Self> {
        Err(StoreError::NoEngine)
    }

    /// Never called.
    pub fn troubles(&self) -> Vec<Trouble> {
        match *self {}
    }
}

impl GraphStore for Store {
    fn import(&self, _rows: &MapRows, _epoch: u64) -> Result<()> {
        match *self {}
    }

    fn update(&self, _change: &MapChange, _epoch: u64) -> Result<()> {
        match *self {}
    }

    fn epoch(&self) -> Result<Option<u64>> {
        match *self {}
    }

    fn query(&self, _script: &str, _limits: &Limits) -> Result<Rows> {
        match *self {}
    }

    fn two_hop(&self, _seeds: &[ItemId], _kinds: &[EdgeKind], _cap: usize) -> Result<Vec<Reached>> {
        match *self {}
    }

    fn index_vectors(&self) -> Result<usize> {
        match *self {}
    }

    fn export_json(&self, _out: &mut dyn Write) -> Result<()> {
        match *self {}
    }

    fn import_json(&self, _input: &mut dyn BufRead) -> Result<()> {
        match *self {}
    }
}

impl RecordStore for Store {
    fn upsert_current(&self, _rows: &[CodeRow], _at: i64) -> Result<Settled> {
        match *self {}
    }

    fn propose_future(
        &self,
        _id: ItemId,
        _action: FutureAction,
        _code: Option<&str>,
        _at: i64,
    ) -> Result<Settled> {
        match *self {}
    }

    fn approve(
        &self,
        _ids: &[ItemId],
        _approver: &str,
        _proof: &Proof,
        _at: i64,
    ) -> Result<Settled> {
        match *self {}
    }

    fn reject(&self, _ids: &[ItemId], _reason: &str, _at: i64) -> Result<Settled> {
        match *self {}
    }

    fn as_of(&self, _ids: &[ItemId], _at: Option<i64>) -> Result<Vec<CodeVersion>> {
        match *self {}
    }

    fn record(&self, _records: &Records) -> Result<()> {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use base::Hint;

    use super::*;

    #[test]
    fn without_the_engine_the_error_has_a_hint() {
        let err = Store::open(&Places::both_in(Path::new("nowhere"))).unwrap_err();
        assert!(matches!(err, StoreError::NoEngine));
        assert_eq!(err.hint().unwrap(), "build with `--features store`");
    }
}
