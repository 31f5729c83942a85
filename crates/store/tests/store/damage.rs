//! Tests with damaged databases.

use std::fs;
use std::path::Path;

use graftage_store::{GraphStore, MapChange, Store};
use tempfile::TempDir;

use crate::kit::{open, places, ring, size, store};

/// A store with a map, closed again.
fn filled() -> TempDir {
    let (dir, store) = store();
    store.import(&ring(30), 1).unwrap();
    dir
}

fn damage(path: &Path, how: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    how(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// The map is empty, the damage was reported once, and another map can be imported.
fn map_is_rebuilt(dir: &TempDir) {
    let store = open(dir);
    assert_eq!(store.epoch().unwrap(), None);
    let troubles = store.troubles();
    assert_eq!(troubles.len(), 1, "{troubles:?}");
    assert!(troubles[0].moved_to.exists());
    assert_eq!(store.troubles(), []);
    store.import(&ring(20), 2).unwrap();
    assert_eq!(size(&open(dir), "isg_nodes"), 20);
}

#[test]
fn a_flipped_bit_anywhere_is_detected() {
    let length = fs::read(filled().path().join("map.db")).unwrap().len();
    for at in [0, 20, 100, length / 3, length / 2, length - 1] {
        let dir = filled();
        damage(&dir.path().join("map.db"), |bytes| bytes[at] ^= 0x10);
        map_is_rebuilt(&dir);
    }
}

#[test]
fn a_truncated_map_is_detected() {
    for part in [0, 1, 7] {
        let dir = filled();
        damage(&dir.path().join("map.db"), |bytes| bytes.truncate(bytes.len() * part / 8));
        map_is_rebuilt(&dir);
    }
}

#[test]
fn garbage_and_foreign_databases_are_detected() {
    let dir = filled();
    fs::write(dir.path().join("map.db"), "this is no database\n".repeat(999)).unwrap();
    map_is_rebuilt(&dir);
    // A valid SQLite file of another application.
    let dir = filled();
    fs::remove_file(dir.path().join("map.db")).unwrap();
    let foreign = sqlite::open(dir.path().join("map.db")).unwrap();
    foreign.execute("create table other (id integer);").unwrap();
    drop(foreign);
    map_is_rebuilt(&dir);
}

#[test]
fn a_map_without_its_seal_or_of_another_version_is_not_trusted() {
    let dir = filled();
    fs::remove_file(dir.path().join("map.seal")).unwrap();
    map_is_rebuilt(&dir);
    let dir = filled();
    damage(&dir.path().join("map.seal"), |bytes| {
        let text = String::from_utf8(bytes.clone()).unwrap();
        *bytes = text.replace("\"format\":1", "\"format\":0").into_bytes();
    });
    map_is_rebuilt(&dir);
}

#[test]
fn damage_is_detected_by_a_write() {
    let (dir, store) = store();
    store.import(&ring(30), 1).unwrap();
    drop(store);
    damage(&dir.path().join("map.db"), |bytes| bytes[5000] ^= 1);
    let store = open(&dir);
    let err = store.update(&MapChange::default(), 2).unwrap_err();
    assert!(matches!(err, graftage_store::StoreError::NoMap), "{err}");
    assert_eq!(store.troubles().len(), 1);
}

#[test]
fn an_intact_file_with_an_open_seal_is_kept() {
    let dir = filled();
    fs::write(dir.path().join("map.seal"), r#"{"state":"open","format":1}"#).unwrap();
    let store = open(&dir);
    assert_eq!(store.epoch().unwrap(), Some(1));
    assert_eq!(store.troubles(), []);
}

#[test]
fn a_damaged_file_with_an_open_seal_is_not_trusted() {
    let dir = filled();
    fs::write(dir.path().join("map.seal"), r#"{"state":"open","format":1}"#).unwrap();
    damage(&dir.path().join("map.db"), |bytes| bytes.truncate(bytes.len() / 2));
    map_is_rebuilt(&dir);
    let dir = filled();
    fs::write(dir.path().join("map.seal"), r#"{"state":"open","format":1}"#).unwrap();
    damage(&dir.path().join("map.db"), |bytes| bytes[..4096].fill(7));
    map_is_rebuilt(&dir);
}

#[test]
fn a_directory_that_cannot_be_created_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    let places = places(&dir.path().join("file"));
    let err = Store::open(&places).unwrap_err();
    assert!(matches!(err, graftage_store::StoreError::Keep { .. }));
}

#[test]
fn a_foreign_journal_beside_a_sealed_file_is_never_applied() {
    // A valid journal of another database.
    let other = tempfile::tempdir().unwrap();
    let connection = sqlite::open(other.path().join("x.db")).unwrap();
    connection
        .execute(
            "create table cozo (k blob primary key, v blob) without rowid;
             insert into cozo values (x'00', x'00'); begin; delete from cozo;
             pragma cache_spill = 1; insert into cozo values (x'01', zeroblob(9000000));",
        )
        .unwrap();
    let journal = fs::read(other.path().join("x.db-journal")).unwrap();
    drop(connection);
    let dir = filled();
    let before = fs::read(dir.path().join("map.db")).unwrap();
    let path = dir.path().join("map.db-journal");
    fs::write(&path, &journal).unwrap();
    let store = open(&dir);
    assert_eq!(store.epoch().unwrap(), Some(1));
    assert_eq!(store.troubles(), []);
    assert!(!path.exists());
    assert_eq!(fs::read(dir.path().join("map.db")).unwrap(), before);
}

#[test]
fn a_read_only_map_can_be_queried() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let places =
        graftage_store::StoreDirs { map: dir.path().join("map"), locks: dir.path().join("locks") };
    Store::open(&places).unwrap().import(&ring(4), 1).unwrap();
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&places.map.join("map.db"), 0o444);
    mode(&places.map, 0o555);
    let store = Store::open(&places).unwrap();
    assert_eq!(size(&store, "isg_nodes"), 4);
    // Root can write all the same; otherwise the write fails and nothing is lost.
    let change = MapChange::default();
    let written = store.update(&change, 2).is_ok();
    assert_eq!(store.epoch().unwrap(), Some(if written { 2 } else { 1 }));
    assert_eq!(size(&store, "isg_nodes"), 4);
    assert_eq!(store.troubles(), []);
    mode(&places.map, 0o755);
}
