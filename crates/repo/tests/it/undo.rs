use std::os::unix::fs::{MetadataExt, PermissionsExt};

use base::Timestamp;
use graftage_repo::{EntryState, RepoError};
use testkit::FakeHost;

use crate::support::bench;

#[test]
fn undo_and_redo_are_byte_exact() {
    let b = bench("//- /a crlf\nold\n//- /d/e/gone executable bom\nx\n//- /keep\nk\n");
    std::fs::set_permissions(b.temp.path("d/e/gone"), PermissionsExt::from_mode(0o711)).unwrap();
    std::fs::set_permissions(b.temp.path("d"), PermissionsExt::from_mode(0o750)).unwrap();
    let old = b.temp.digest();
    let applied =
        b.apply(&[("a", Some("new")), ("d/e/gone", None), ("n/m/new", Some("n"))]).unwrap();
    let new = b.temp.digest();
    assert!(!b.temp.exists("d"));
    let undone = b.open().undo(&b.ctx, None).unwrap();
    assert_eq!(undone.id, applied.id);
    old.assert_same(&b.temp.digest());
    b.open().redo(&b.ctx, None).unwrap();
    new.assert_same(&b.temp.digest());
    b.open().undo(&b.ctx, Some(&applied.id[..6])).unwrap();
    old.assert_same(&b.temp.digest());
}

#[test]
fn several_changes_come_off_newest_first_and_go_on_in_order() {
    let b = bench("//- /a\n0");
    let mut states = vec![b.temp.digest()];
    for text in ["1", "2", "3"] {
        b.apply(&[("a", Some(text))]).unwrap();
        states.push(b.temp.digest());
    }
    for state in states.iter().rev().skip(1) {
        b.open().undo(&b.ctx, None).unwrap();
        state.assert_same(&b.temp.digest());
    }
    let err = b.open().undo(&b.ctx, None).unwrap_err();
    assert_eq!(err.to_string(), "there is nothing to undo");
    for state in &states[1..] {
        b.open().redo(&b.ctx, None).unwrap();
        state.assert_same(&b.temp.digest());
    }
    let err = b.open().redo(&b.ctx, None).unwrap_err();
    assert_eq!(err.to_string(), "there is nothing to redo");
}

#[test]
fn a_clock_that_jumps_back_does_not_change_the_order_of_changes() {
    let mut b = bench("//- /a\n0");
    let mut states = vec![b.temp.digest()];
    let host = FakeHost::new();
    b.ctx = host.ctx();
    for (text, now) in [("1", 9_000_000), ("2", 5_000_000), ("3", 0)] {
        host.set_now(Timestamp(now));
        b.apply(&[("a", Some(text))]).unwrap();
        states.push(b.temp.digest());
    }
    let entries = b.open().history().unwrap();
    assert_eq!(entries.iter().map(|entry| entry.order).collect::<Vec<_>>(), [1, 2, 3]);
    for state in states.iter().rev().skip(1) {
        b.open().undo(&b.ctx, None).unwrap();
        state.assert_same(&b.temp.digest());
    }
}

#[test]
fn undo_of_a_file_that_changed_since_is_refused_by_name() {
    let b = bench("//- /a\nold");
    b.apply(&[("a", Some("new"))]).unwrap();
    b.temp.write("a", "mine");
    let err = b.open().undo(&b.ctx, None).unwrap_err();
    assert!(matches!(&err, RepoError::Changed { path, .. } if path.as_str() == "a"), "{err}");
    assert_eq!(b.temp.read("a"), "mine");
}

#[test]
fn undo_leaves_what_the_user_put_into_a_new_folder() {
    let b = bench("//- /a\nold");
    b.apply(&[("n/new", Some("new"))]).unwrap();
    b.temp.write("n/mine", "mine");
    b.open().undo(&b.ctx, None).unwrap();
    assert!(!b.temp.exists("n/new"));
    assert_eq!(b.temp.read("n/mine"), "mine");
}

#[test]
fn undo_keeps_rights_that_the_user_changed_since() {
    let b = bench("//- /a\nold");
    b.apply(&[("a", Some("new"))]).unwrap();
    std::fs::set_permissions(b.temp.path("a"), PermissionsExt::from_mode(0o600)).unwrap();
    b.open().undo(&b.ctx, None).unwrap();
    assert_eq!(std::fs::metadata(b.temp.path("a")).unwrap().mode() & 0o777, 0o600);
}

#[test]
fn an_unknown_or_already_undone_change_is_refused() {
    let b = bench("//- /a\nold");
    let id = b.apply(&[("a", Some("new"))]).unwrap().id;
    let project = b.open();
    let say = |result: Result<_, RepoError>| result.map(drop).unwrap_err().to_string();
    assert_eq!(say(project.undo(&b.ctx, Some("zz"))), "no accepted change has the id `zz`");
    assert_eq!(say(project.redo(&b.ctx, Some(&id))), format!("change `{id}` is already applied"));
    project.undo(&b.ctx, Some(&id)).unwrap();
    assert_eq!(say(project.undo(&b.ctx, Some(&id))), format!("change `{id}` is already undone"));
}

#[test]
fn history_keeps_who_when_what_and_why() {
    let b = bench("//- /a\nold");
    b.apply(&[("a", Some("new"))]).unwrap();
    b.open().undo(&b.ctx, None).unwrap();
    let [entry] = &b.open().history().unwrap()[..] else { panic!("one entry") };
    assert_eq!(entry.author, "rules");
    assert!(entry.accepted_at.0 > 0);
    assert_eq!(entry.state, EntryState::Undone(1));
    assert_eq!(entry.permit["evidence"]["errors_before"], 1);
}

#[test]
fn a_damaged_journal_is_not_believed() {
    let b = bench("//- /a\nold");
    b.apply(&[("a", Some("new"))]).unwrap();
    let folder = b.open().state_dir().join("journal/entries");
    let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let damaged = std::fs::read_to_string(&file).unwrap().replace("old", "bad");
    std::fs::write(&file, damaged).unwrap();
    let err = b.open().undo(&b.ctx, None).unwrap_err();
    assert!(matches!(err, RepoError::Damaged { .. }), "{err}");
    assert_eq!(b.temp.read("a"), "new");
}

#[test]
fn every_file_that_blocks_an_undo_is_named() {
    let b = bench("//- /a\nold\n//- /b\nold\n//- /c\nold\n");
    b.apply(&[("a", Some("new")), ("b", Some("new")), ("c", None)]).unwrap();
    b.temp.remove("a");
    b.temp.write("c", "mine");
    let err = b.open().undo(&b.ctx, None).unwrap_err();
    assert_eq!(
        err.to_string(),
        "`a` is not what the change was made against: it is gone; nor are `c`"
    );
    assert_eq!((b.temp.read("b"), b.temp.read("c")), ("new".to_owned(), "mine".to_owned()));
}
