//! The store of a build without the engine.

#![cfg_attr(feature = "datalog", allow(dead_code, unreachable_pub, reason = "only the test"))]

use crate::{
    GraphStore, MapChange, MapRows, RecordRows, RecordStore, Result, Rows, ScriptLimits, StoreDirs,
    StoreError, Trouble,
};

/// The store of a build without the engine: no value of it can exist.
#[derive(Debug)]
pub enum Store {}

impl Store {
    /// Returns [`StoreError::NoEngine`].
    pub fn open(_places: &StoreDirs) -> Result<Self> {
        Err(StoreError::NoEngine)
    }

    /// Never called.
    pub fn troubles(&self) -> Vec<Trouble> {
        match *self {}
    }

    /// Never called.
    pub fn query(&self, _script: &str, _limits: &ScriptLimits) -> Result<Rows> {
        match *self {}
    }

    /// Never called.
    pub fn index_vectors(&self) -> Result<usize> {
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
}

impl RecordStore for Store {
    fn import_record(&self, _rows: &RecordRows, _stamp: u64) -> Result<()> {
        match *self {}
    }

    fn record(&self) -> Result<Option<u64>> {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use base::Hint;

    use super::*;

    #[test]
    fn without_the_engine_the_error_has_a_hint() {
        let places = StoreDirs { map: "nowhere".into(), locks: "nowhere".into() };
        let err = Store::open(&places).unwrap_err();
        assert!(matches!(err, StoreError::NoEngine));
        assert_eq!(err.hint().unwrap(), "build without `--no-default-features`");
    }
}
