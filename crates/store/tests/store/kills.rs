//! Tests that a writer killed at any moment leaves the state before or after its write.
//!
//! The writer is the same test, started again with a directory to write into.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use base::EdgeKind;
use graftage_store::{GraphStore, MapChange, MapRows, Store};
use serde_json::json;

use crate::kit::{ask, edge, node, open, places, store};

/// Rows that contain the number of their state.
fn state(epoch: u32) -> MapRows {
    let marked = |number| {
        let mut node = node(number);
        node.location.line = epoch;
        node
    };
    MapRows {
        nodes: (0..150).map(marked).collect(),
        edges: (0..150).map(|it| edge(it, EdgeKind::Uses, (it * 7 + 1) % 150, epoch)).collect(),
        ..MapRows::default()
    }
}

/// The writer, which runs until it is killed.
pub(crate) fn write_until_killed(dir: &str) {
    let dir = Path::new(dir);
    let store = Store::open(&places(dir)).unwrap();
    let mut epoch = u32::try_from(store.epoch().unwrap().unwrap_or(0)).unwrap();
    loop {
        epoch += 1;
        if epoch.is_multiple_of(4) {
            store.import(&state(epoch), u64::from(epoch)).unwrap();
        } else {
            let change = MapChange { rows: state(epoch), ..MapChange::default() };
            store.update(&change, u64::from(epoch)).unwrap();
        }
        std::fs::write(dir.join("acknowledged.new"), epoch.to_string()).unwrap();
        std::fs::rename(dir.join("acknowledged.new"), dir.join("acknowledged")).unwrap();
    }
}

pub(crate) fn start_writer(dir: &Path) -> Child {
    testkit::this_test_again(&dir.to_string_lossy())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

pub(crate) fn acknowledged(dir: &Path) -> u32 {
    std::fs::read_to_string(dir.join("acknowledged")).map_or(0, |text| text.parse().unwrap())
}

#[test]
fn a_killed_writer_leaves_one_complete_state_and_loses_no_acknowledged_write() {
    if let Some(dir) = testkit::job() {
        return write_until_killed(&dir);
    }
    let (dir, first) = store();
    first.import(&state(1), 1).unwrap();
    drop(first);
    let mut states = std::collections::BTreeSet::new();
    let mut round = 0;
    // A slow machine has more rounds, and longer ones.
    while round < 20 || (round < 100 && states.len() < 4) {
        let mut child = start_writer(dir.path());
        std::thread::sleep(Duration::from_millis(60 + round * 23 % 190 + round / 20 * 100));
        round += 1;
        child.kill().unwrap();
        child.wait().unwrap();
        let store = open(&dir);
        let epoch = u32::try_from(store.epoch().unwrap().unwrap()).unwrap();
        assert!(epoch >= acknowledged(dir.path()));
        let lines = ask(&store, "?[line, count(id)] := *isg_nodes{id, line}");
        assert_eq!(lines, [[json!(epoch), json!(150)]]);
        let sites = ask(&store, "?[sites, count(src_id)] := *isg_edges{src_id, dst_id, sites}");
        assert_eq!(sites, [[json!(epoch), json!(150)]]);
        assert_eq!(store.troubles(), []);
        states.insert(epoch);
    }
    // Otherwise the kills came before anything was written.
    assert!(states.len() > 3, "{states:?}");
}
