//! Tests of the rows that a database gets.

use std::sync::Mutex;

use store::{GraphStore, MapChange, MapRows, StoreError};

use crate::kit::{assert_same, index, refresh, rows, scratch, shapes};

/// A store that keeps its rows in memory.
#[derive(Default)]
pub(crate) struct MemoryStore(pub(crate) Mutex<(Option<u64>, MapRows)>);

impl GraphStore for MemoryStore {
    fn import(&self, rows: &MapRows, epoch: u64) -> Result<(), StoreError> {
        *self.0.lock().unwrap() = (Some(epoch), rows.clone());
        Ok(())
    }

    fn update(&self, _change: &MapChange, _epoch: u64) -> Result<(), StoreError> {
        Err(StoreError::NoEngine)
    }

    fn epoch(&self) -> Result<Option<u64>, StoreError> {
        Ok(self.0.lock().unwrap().0)
    }
}

#[test]
fn no_text_is_stored_twice_although_items_are_nested() {
    let project = shapes();
    let mut index = index(&project);
    refresh(&mut index);
    let store = MemoryStore::default();
    index.fill_store(&testkit::ctx(), &store).unwrap();
    let content = store.0.lock().unwrap();
    let code = |canon: &str| {
        let node = content.1.nodes.iter().find(|node| node.canon == canon).unwrap();
        content.1.blobs.iter().find(|blob| blob.id == node.id).unwrap().code.clone()
    };
    assert_eq!(code("shapes/shapes::shape::<Square>"), "impl Square {\n    \n    \n}");
    assert_eq!(code("shapes/shapes::shape::Shape"), "pub trait Shape {\n    \n    \n}");
    assert!(code("shapes/shapes::shape::Square::new").contains("Square { side }"));
}

#[test]
fn an_index_with_released_memory_continues_like_a_new_one() {
    let project = shapes();
    let mut index = index(&project);
    refresh(&mut index);
    let before = rows(&index);
    index.release_memory();
    assert_same(&rows(&index), &before, "the map after releasing memory");
    assert_eq!(refresh(&mut index).parsed_files, 0);
    let text = project.read("src/util.rs").replace("zero", "nought");
    project.write("src/util.rs", text);
    let report = refresh(&mut index);
    assert_eq!(report.changed_files, 1);
    assert_same(&rows(&index), &scratch(&project), "a change after releasing memory");
    assert!(report.map.wall_ms <= report.wall_ms);
}
