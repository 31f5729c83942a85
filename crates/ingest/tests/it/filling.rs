//! Rows of the map as a database gets them.

use std::io::{BufRead, Write};
use std::sync::Mutex;

use base::{EdgeKind, ItemId};
use store::{GraphStore, Limits, MapChange, MapRows, Reached, Result, Rows, StoreError};

use crate::kit::{assert_same, index, refresh, rows, scratch, shapes};

/// A database that keeps what it is given.
#[derive(Default)]
pub(crate) struct Kept(pub(crate) Mutex<(Option<u64>, MapRows)>);

impl GraphStore for Kept {
    fn import(&self, rows: &MapRows, epoch: u64) -> Result<()> {
        *self.0.lock().unwrap() = (Some(epoch), rows.clone());
        Ok(())
    }

    fn update(&self, _change: &MapChange, _epoch: u64) -> Result<()> {
        Err(StoreError::NoEngine)
    }

    fn epoch(&self) -> Result<Option<u64>> {
        Ok(self.0.lock().unwrap().0)
    }

    fn query(&self, _script: &str, _limits: &Limits) -> Result<Rows> {
        Err(StoreError::NoEngine)
    }

    fn two_hop(&self, _seeds: &[ItemId], _kinds: &[EdgeKind], _cap: usize) -> Result<Vec<Reached>> {
        Err(StoreError::NoEngine)
    }

    fn index_vectors(&self) -> Result<usize> {
        Err(StoreError::NoEngine)
    }

    fn export_json(&self, _out: &mut dyn Write) -> Result<()> {
        Err(StoreError::NoEngine)
    }

    fn import_json(&self, _input: &mut dyn BufRead) -> Result<()> {
        Err(StoreError::NoEngine)
    }
}

#[test]
fn no_text_is_stored_twice_though_items_hold_items() {
    let project = shapes();
    let mut index = index(&project);
    refresh(&mut index);
    let store = Kept::default();
    index.fill_store(&testkit::ctx(), &store).unwrap();
    let kept = store.0.lock().unwrap();
    let code = |canon: &str| {
        let node = kept.1.nodes.iter().find(|node| node.canon == canon).unwrap();
        kept.1.blobs.iter().find(|blob| blob.id == node.id).unwrap().code.clone()
    };
    assert_eq!(code("shapes/shapes::shape::<Square>"), "impl Square {\n    \n    \n}");
    assert_eq!(code("shapes/shapes::shape::Shape"), "pub trait Shape {\n    \n    \n}");
    assert!(code("shapes/shapes::shape::Square::new").contains("Square { side }"));
}

#[test]
fn an_index_that_rests_goes_on_as_a_new_one_would() {
    let project = shapes();
    let mut index = index(&project);
    refresh(&mut index);
    let before = rows(&index);
    index.rest();
    assert_same(&rows(&index), &before, "the map of a resting index");
    assert_eq!(refresh(&mut index).parsed_files, 0);
    let text = project.read("src/util.rs").replace("zero", "nought");
    project.write("src/util.rs", text);
    let report = refresh(&mut index);
    assert_eq!(report.changed_files, 1);
    assert_same(&rows(&index), &scratch(&project), "a change after a rest");
    assert!(report.map.wall_ms <= report.wall_ms);
}
