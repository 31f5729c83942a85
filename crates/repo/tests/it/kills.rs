#![allow(clippy::disallowed_methods, reason = "the test starts itself anew to be killed")]

use testkit::this_test_again;

use crate::killing::{Arena, Fate, child};

fn rounds(seed: u64, with_git: bool, count: usize) -> Vec<Fate> {
    let mut arena = Arena::new(seed, with_git);
    let fates = (0..count).map(|_| arena.round(&this_test_again)).collect();
    arena.unwind();
    fates
}

#[test]
fn a_killed_write_leaves_the_old_tree_or_the_new_one() {
    if let Some(job) = testkit::job() {
        return child(&job);
    }
    let fates = rounds(1, false, 42);
    for fate in [Fate::Old, Fate::New] {
        assert!(fates.contains(&fate), "{fate:?} never happened: {fates:?}");
    }
}

#[test]
fn a_killed_commit_leaves_files_and_history_agreeing() {
    if let Some(job) = testkit::job() {
        return child(&job);
    }
    let fates = rounds(2, true, 10);
    assert!(fates.iter().any(|fate| *fate != Fate::Done), "{fates:?}");
}

#[test]
fn an_edit_after_the_kill_is_kept_and_the_rest_taken_back() {
    if let Some(job) = testkit::job() {
        return child(&job);
    }
    let mut met = 0;
    for point in 0..16 {
        let b = crate::support::bench("//- /a\nold\n//- /b\nold\n");
        let changes = [("a", Some("new\n"), false), ("b", Some("new\n"), false)];
        let job = serde_json::json!({
            "root": b.temp.root(), "cache": b.dirs.cache, "state": b.dirs.state,
            "verb": "apply", "changes": changes, "point": point, "commit": false,
        });
        this_test_again(&job.to_string()).output().unwrap();
        // Killed between the two swaps.
        if b.temp.read("a") == "new\n" && b.temp.read("b") == "old\n" {
            met += 1;
            b.temp.write("b", "mine\n");
            let project = b.open();
            let recovered = project.recovered().unwrap();
            assert!(!recovered.completed);
            assert_eq!(recovered.kept, [crate::support::path("b")]);
            assert_eq!((b.temp.read("a"), b.temp.read("b")), ("old\n".into(), "mine\n".into()));
            assert_eq!(b.temp.digest().entries.len(), 2, "{:?}", b.temp.digest());
            assert!(b.open().history().unwrap().is_empty());
            assert_eq!(b.open().recovered(), None, "nothing is left to recover");
        }
    }
    assert!(met > 0, "some kill falls between the two swaps");
}

#[test]
fn random_changes_come_off_and_go_on_again_byte_for_byte() {
    let mut arena = Arena::new(3, false);
    for _ in 0..60 {
        arena.step();
    }
    arena.unwind();
}
