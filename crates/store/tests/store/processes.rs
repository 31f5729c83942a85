//! Tests of several processes and threads.

#![allow(clippy::disallowed_methods, reason = "the test starts a copy of itself")]

use std::time::Duration;

use base::EdgeKind;
use graftage_store::{GraphStore, MapChange, MapRows, Store, StoreError};

use crate::kills::{acknowledged, start_writer, write_until_killed};
use crate::kit::{ask, edge, node, open, places, ring, size, store};

#[test]
fn readers_see_whole_states_while_another_process_writes() {
    if let Some(dir) = testkit::job() {
        return write_until_killed(&dir);
    }
    let (dir, store) = store();
    store.import(&ring(1), 3).unwrap();
    let mut child = start_writer(dir.path());
    let mut last = 0;
    // Long enough for the writer to write several states, also on a busy machine.
    while acknowledged(dir.path()) < 25 {
        let epoch = store.epoch().unwrap().unwrap();
        assert!(epoch >= last);
        last = epoch;
        let lines = ask(&store, "?[line, count(id)] := *isg_nodes{id, line}");
        assert!(lines.len() == 1 || epoch < 4, "{lines:?} at {epoch}");
        assert!(child.try_wait().unwrap().is_none(), "the writer ended");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(store.troubles(), []);
}

/// Adds 30 nodes, each by one update.
fn add_nodes(store: &Store, first: u32) {
    for number in first..first + 30 {
        let rows = MapRows { nodes: vec![node(number)], ..MapRows::default() };
        store.update(&MapChange { rows, ..MapChange::default() }, 2).unwrap();
    }
}

#[test]
fn two_processes_write_in_turn_and_lose_nothing() {
    if let Some(dir) = testkit::job() {
        return add_nodes(&Store::open(&places(dir.as_ref())).unwrap(), 1000);
    }
    let (dir, store) = store();
    store.import(&ring(1), 1).unwrap();
    let mut child = start_writer(dir.path());
    add_nodes(&store, 2000);
    assert!(child.wait().unwrap().success());
    assert_eq!(size(&open(&dir), "isg_nodes"), 61);
}

#[test]
fn threads_of_one_process_write_in_turn_too() {
    let (dir, store) = store();
    store.import(&ring(1), 1).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4_u32 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..5 {
                    let number = 100 + thread * 5 + number;
                    let rows = MapRows {
                        nodes: vec![node(number)],
                        edges: vec![edge(number, EdgeKind::Calls, 0, 1)],
                        ..MapRows::default()
                    };
                    store.update(&MapChange { rows, ..MapChange::default() }, 2).unwrap();
                    store.epoch().unwrap();
                }
            });
        }
    });
    assert_eq!(size(&open(&dir), "isg_nodes"), 21);
    assert_eq!(store.troubles(), []);
}

#[test]
fn waiting_too_long_for_another_writer_is_an_error() {
    let (dir, store) = store();
    store.import(&ring(1), 1).unwrap();
    let held = std::fs::File::open(dir.path().join("map.writer.lock")).unwrap();
    held.lock().unwrap();
    let hasty = Store::open_with_patience(&places(dir.path()), Duration::from_millis(30)).unwrap();
    let err = hasty.import(&ring(2), 2).unwrap_err();
    assert!(matches!(err, StoreError::Busy { .. }), "{err}");
    // Reading does not wait for writers.
    assert_eq!(hasty.epoch().unwrap(), Some(1));
    drop(held);
    hasty.import(&ring(2), 2).unwrap();
}

#[test]
fn a_foreign_lock_on_the_file_is_waited_for() {
    let (dir, store) = store();
    store.import(&ring(1), 1).unwrap();
    let foreign = sqlite::open(dir.path().join("map.db")).unwrap();
    foreign.execute("begin; select count(*) from cozo;").unwrap();
    let places = places(dir.path());
    let hasty = Store::open_with_patience(&places, Duration::from_millis(30)).unwrap();
    let rows = MapRows { nodes: vec![node(7)], ..MapRows::default() };
    let change = MapChange { rows, ..MapChange::default() };
    let err = hasty.update(&change, 2).unwrap_err();
    assert!(matches!(err, StoreError::Busy { .. }), "{err}");
    let other = std::thread::spawn(move || store.update(&change, 2));
    foreign.execute("rollback;").unwrap();
    other.join().unwrap().unwrap();
    assert_eq!(hasty.epoch().unwrap(), Some(2));
    assert_eq!(hasty.troubles(), []);
}
