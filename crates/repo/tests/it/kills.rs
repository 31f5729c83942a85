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
fn an_edit_after_the_kill_is_kept_and_the_rest_reverted() {
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

/// Kills a commit at every point, lets the user commit something else, and recovers.
fn killed_and_then_the_user_commits(point: u64) -> Option<bool> {
    let b = crate::support::bench("//- /a\nold\n//- /mine\nold\n");
    let git = b.temp.git();
    let job = serde_json::json!({
        "root": b.temp.root(), "cache": b.dirs.cache, "state": b.dirs.state,
        "verb": "apply", "changes": [("a", Some("new\n"), false)], "point": point, "commit": true,
    });
    let head = git.head();
    this_test_again(&job.to_string()).output().unwrap();
    let pending = std::fs::read_dir(b.dirs.state.clone()).is_ok();
    assert!(pending);
    let moved = git.head() != head;
    // As users do when git reports that another process seems to be running.
    let _ = std::fs::remove_file(b.temp.path(".git/index.lock"));
    b.temp.write("mine", "mine\n");
    git.run(&["commit", "--quiet", "--message", "my own", "mine"]);
    let own = git.head();
    let project = b.open();
    let recovered = project.recovered()?;
    assert_eq!(recovered.completed, moved, "at {point}");
    let history = project.history().unwrap();
    let ours = history.first().and_then(|entry| entry.commit.clone());
    assert_ne!(ours.as_ref(), Some(&own), "the user's commit was taken for ours at {point}");
    assert_eq!(ours.is_some(), moved, "at {point}");
    assert_eq!(b.temp.read("a"), if moved { "new\n" } else { "old\n" }, "at {point}");
    assert_eq!((git.head(), b.temp.read("mine")), (own, "mine\n".into()));
    Some(moved)
}

/// Kills a commit while git moves HEAD, in the given state of git's own transaction, and recovers.
fn killed_while_head_moves(state: &str) -> bool {
    let b = crate::support::bench("//- /a\nold\n");
    let git = b.temp.git();
    // A git of the user that stops there: hooks do not run while HEAD moves.
    let tool = b.temp.beside("tool");
    let script = |name: &str, text: String| {
        let path = tool.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
    };
    let wait = format!("#!/bin/sh\n[ \"$1\" = {state} ] && touch .git/met && sleep 60\nexit 0\n");
    script("hooks/reference-transaction", wait);
    let system = "/usr/local/bin:/usr/bin:/bin";
    let hooks = tool.join("hooks").display().to_string();
    script(
        "bin/git",
        format!(
            "#!/bin/sh\nfor a; do shift; [ \"$a\" = update-ref ] && set -- \"$@\" -c \
             core.hooksPath={hooks}; set -- \"$@\" \"$a\"; done\nPATH={system} exec git \"$@\"\n"
        ),
    );
    let job = serde_json::json!({
        "root": b.temp.root(), "cache": b.dirs.cache, "state": b.dirs.state,
        "verb": "apply", "changes": [("a", Some("new\n"), false)], "commit": true,
        "path": format!("{}:{system}", tool.join("bin").display()),
    });
    let head = git.head();
    let mut child = this_test_again(&job.to_string()).spawn().unwrap();
    while !b.temp.path(".git/met").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "{state}: it ended before");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let project = b.open();
    let recovered = project.recovered().unwrap();
    let moved = git.head() != head;
    assert_eq!(recovered.completed, moved, "{state}");
    assert_eq!(b.temp.read("a"), if moved { "new\n" } else { "old\n" }, "{state}");
    let left = b.temp.digest().only(".git").entries;
    let left: Vec<_> = left.into_keys().filter(|name| name.ends_with(".lock")).collect();
    assert!(left.is_empty(), "{state}: {left:?}");
    std::fs::remove_file(b.temp.path(".git/met")).unwrap();
    git.run(&["commit", "--quiet", "--allow-empty", "--message", "my own"]);
    moved
}

#[test]
fn a_commit_that_is_killed_while_head_moves_leaves_no_lock() {
    if let Some(job) = testkit::job() {
        return child(&job);
    }
    assert!(!killed_while_head_moves("prepared"));
    assert!(killed_while_head_moves("committed"));
}

#[test]
fn a_lock_of_another_program_stays_when_a_kill_is_recovered() {
    if let Some(job) = testkit::job() {
        return child(&job);
    }
    let b = crate::support::bench("//- /a\nold\n");
    let git = b.temp.git();
    // The last crash point before HEAD moves.
    let mut killed = false;
    for point in (0..34).rev() {
        let job = serde_json::json!({
            "root": b.temp.root(), "cache": b.dirs.cache, "state": b.dirs.state,
            "verb": "apply", "changes": [("a", Some(format!("{point}\n")), false)],
            "point": point, "commit": true,
        });
        let head = git.head();
        this_test_again(&job.to_string()).output().unwrap();
        let is_noted = std::fs::read_dir(b.dirs.state.clone())
            .unwrap()
            .flatten()
            .any(|project| project.path().join("journal/commit").exists());
        killed = is_noted && git.head() == head;
        if killed {
            break;
        }
        b.open();
    }
    assert!(killed, "some kill falls between the note and the move");
    std::fs::write(b.temp.path(".git/refs/heads/main.lock"), "another hash\n").unwrap();
    // A link that a hook made: what it leads to is not the repository's.
    let elsewhere = b.temp.beside("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("x.lock"), "").unwrap();
    std::fs::write(elsewhere.join("x"), "ref: refs/heads/main\n").unwrap();
    std::os::unix::fs::symlink(&elsewhere, b.temp.path(".git/refs/linked")).unwrap();
    std::fs::write(b.temp.path(".git/HEAD"), "ref: refs/linked/x\n").unwrap();
    assert!(!b.open().recovered().unwrap().completed);
    assert_eq!(b.temp.read(".git/refs/heads/main.lock"), "another hash\n");
    assert!(elsewhere.join("x.lock").exists());
}

#[test]
fn a_commit_of_the_user_after_a_kill_is_not_taken_for_ours() {
    if let Some(job) = testkit::job() {
        return child(&job);
    }
    let outcomes: Vec<bool> = (0..20).filter_map(killed_and_then_the_user_commits).collect();
    assert!(outcomes.contains(&true) && outcomes.contains(&false), "{outcomes:?}");
}

#[test]
fn a_file_that_was_cut_to_its_beginning_at_the_swap_is_not_taken_for_a_torn_write() {
    if let Some(job) = testkit::job() {
        return child(&job);
    }
    let mut met = 0;
    for (point, kept) in (0..16).flat_map(|point| [(point, "ol"), (point, "")]) {
        let b = crate::support::bench("//- /a\nold\n");
        let job = serde_json::json!({
            "root": b.temp.root(), "cache": b.dirs.cache, "state": b.dirs.state,
            "verb": "apply", "changes": [("a", Some("new\n"), false)], "point": point,
            "commit": false,
        });
        this_test_again(&job.to_string()).output().unwrap();
        let aside = std::fs::read_dir(b.temp.root()).unwrap().flatten().map(|entry| entry.path());
        let aside = aside.into_iter().find(|path| path.extension().is_some_and(|it| it == "tmp"));
        // Swapped, and what was there not yet removed: an editor that had it open writes.
        let Some(aside) = aside.filter(|_| b.temp.read("a") == "new\n") else { continue };
        assert_eq!(std::fs::read_to_string(&aside).unwrap(), "old\n");
        std::fs::write(&aside, kept).unwrap();
        let project = b.open();
        let rescued = project.state_dir().join("journal/rescued");
        let rescued = std::fs::read_dir(rescued).into_iter().flatten().flatten();
        let rescued: Vec<String> =
            rescued.map(|it| std::fs::read_to_string(it.path()).unwrap()).collect();
        let in_place = b.temp.read("a") == kept;
        assert!(in_place || rescued == [kept], "at {point}: {} {rescued:?}", b.temp.read("a"));
        met += 1;
    }
    assert!(met > 0, "some kill falls between the swap and the clean-up");
}

#[test]
fn random_changes_come_off_and_go_on_again_byte_for_byte() {
    let mut arena = Arena::new(3, false);
    for _ in 0..60 {
        arena.step();
    }
    arena.unwind();
}
