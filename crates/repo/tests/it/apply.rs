use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use base::Hint;
use edit::{FileState, Overlay};
use expect_test::{Expect, expect};
use graftage_repo::{ApplyOptions, RepoError};

use crate::support::{bench, is_root, path, permit, text};

fn check_message(err: &RepoError, wanted: Expect) {
    let hint = err.hint().map_or(String::new(), |hint| format!("hint: {hint}\n"));
    wanted.assert_eq(&format!("{err}\n{hint}"));
}

#[test]
fn all_files_of_a_change_are_written() {
    let b = bench("//- /src/a.rs\nold\n//- /src/b.rs\nb\n//- /c\nc\n");
    let applied =
        b.apply(&[("src/a.rs", Some("new\n")), ("src/n/d.rs", Some("d\n")), ("c", None)]).unwrap();
    assert_eq!(b.temp.read("src/a.rs"), "new\n");
    assert_eq!(b.temp.read("src/b.rs"), "b\n");
    assert_eq!(b.temp.read("src/n/d.rs"), "d\n");
    assert!(!b.temp.exists("c"));
    let files: Vec<_> = applied.files.iter().map(|path| path.as_str()).collect();
    assert_eq!(files, ["c", "src/a.rs", "src/n/d.rs"]);
    assert_eq!(applied.commit, None);
    assert!(b.pending().is_empty());
}

#[test]
fn nothing_but_the_changed_files_is_touched() {
    let b = bench("//- /a\nold\n//- /keep/b executable\nb\n");
    let before = testkit::TreeDigest::with_times(b.temp.root());
    b.apply(&[("a", Some("new"))]).unwrap();
    let after = testkit::TreeDigest::with_times(b.temp.root());
    before.without("a").assert_same(&after.without("a"));
}

#[test]
fn permission_bits_survive() {
    let b = bench("//- /a\nold\n//- /d/b\nold\n");
    for (name, mode) in [("a", 0o640), ("d/b", 0o751)] {
        std::fs::set_permissions(b.temp.path(name), PermissionsExt::from_mode(mode)).unwrap();
    }
    b.apply(&[("a", Some("new")), ("d/b", Some("new"))]).unwrap();
    let mode = |name| std::fs::metadata(b.temp.path(name)).unwrap().mode() & 0o7777;
    assert_eq!((mode("a"), mode("d/b")), (0o640, 0o751));
}

#[test]
fn extended_attributes_survive() {
    let b = bench("//- /a\nold\n");
    let file = std::fs::File::open(b.temp.path("a")).unwrap();
    let none = rustix::fs::XattrFlags::empty();
    if rustix::fs::fsetxattr(&file, "user.note", b"kept", none).is_err() {
        return testkit::skip(testkit::Need::UserAttributes, "the temporary folder has none");
    }
    b.apply(&[("a", Some("new"))]).unwrap();
    let mut value = [0; 16];
    let len = rustix::fs::getxattr(b.temp.path("a"), "user.note", &mut value[..]).unwrap();
    assert_eq!(&value[..len], b"kept");
}

#[test]
fn executable_bits_follow_the_overlay() {
    let b = bench("//- /a\nx\n");
    let after = FileState { text: "x\n".into(), executable: true };
    let states = vec![(path("a"), Some(text("x\n")), Some(after))];
    let overlay = Overlay::from_states("person", base::Timestamp(0), states);
    b.apply_overlay(&overlay, &ApplyOptions::default()).unwrap();
    assert_eq!(std::fs::metadata(b.temp.path("a")).unwrap().mode() & 0o777, 0o755);
}

#[test]
fn folders_that_a_deletion_empties_go() {
    let b = bench("//- /a/b/c\nx\n//- /a/k\nk\n");
    b.apply(&[("a/b/c", None)]).unwrap();
    assert!(!b.temp.exists("a/b"));
    assert!(b.temp.exists("a/k"));
}

#[test]
fn a_file_that_changed_since_is_refused_by_name() {
    let b = bench("//- /a\nold\n//- /b\nold\n");
    let overlay = b.overlay(&[("a", Some("new")), ("b", Some("new"))]);
    b.temp.write("b", "mine");
    let before = b.temp.digest();
    let err = b.apply_overlay(&overlay, &ApplyOptions::default()).unwrap_err();
    check_message(
        &err,
        expect![[r#"
            `b` is not what the change was made against: its hash is eb3c4771aa8569b6, not 87b86a9f9e06007d
            hint: make the change again against the present files; nothing was written
        "#]],
    );
    before.assert_same(&b.temp.digest());
}

#[test]
fn a_mode_that_changed_since_is_refused() {
    let b = bench("//- /a\nold\n");
    let overlay = b.overlay(&[("a", Some("new"))]);
    std::fs::set_permissions(b.temp.path("a"), PermissionsExt::from_mode(0o755)).unwrap();
    let err = b.apply_overlay(&overlay, &ApplyOptions::default()).unwrap_err();
    assert_eq!(
        err.to_string(),
        "`a` is not what the change was made against: it is executable now"
    );
}

#[test]
fn a_file_that_went_is_refused() {
    let b = bench("//- /a\nold\n");
    let overlay = b.overlay(&[("a", Some("new"))]);
    b.temp.remove("a");
    let err = b.apply_overlay(&overlay, &ApplyOptions::default()).unwrap_err();
    assert_eq!(err.to_string(), "`a` is not what the change was made against: it is gone");
}

#[test]
fn a_file_that_came_is_refused() {
    let b = bench("//- /a\nold\n");
    let overlay = b.overlay(&[("n", Some("new"))]);
    b.temp.write("n", "mine");
    let err = b.apply_overlay(&overlay, &ApplyOptions::default()).unwrap_err();
    assert_eq!(err.to_string(), "`n` is not what the change was made against: it exists already");
    assert_eq!(b.temp.read("n"), "mine");
}

#[test]
fn a_permit_for_another_change_is_refused() {
    let b = bench("//- /a\nold\n");
    let (one, two) = (b.overlay(&[("a", Some("one"))]), b.overlay(&[("a", Some("two"))]));
    let sandbox = testkit::inner::sandbox();
    let project = b.open();
    let permit = permit(&project, &two);
    let err = project.apply(&b.ctx, &sandbox, &one, permit, &ApplyOptions::default()).unwrap_err();
    assert!(matches!(err, RepoError::Permit { .. }), "{err}");
    assert_eq!(b.temp.read("a"), "old\n");
}

#[test]
fn an_empty_change_is_refused() {
    let b = bench("//- /a\nold\n");
    let err = b.apply(&[]).unwrap_err();
    assert!(matches!(err, RepoError::Empty), "{err}");
}

#[test]
fn a_link_in_the_files_place_is_refused() {
    let b = bench("//- /a\nold\n//- /real\nold\n");
    let overlay = b.overlay(&[("a", Some("new"))]);
    b.temp.remove("a");
    symlink("real", b.temp.path("a")).unwrap();
    let err = b.apply_overlay(&overlay, &ApplyOptions::default()).unwrap_err();
    assert_eq!(
        err.to_string(),
        "`a` is not what the change was made against: it is a symbolic link, or is reached through one"
    );
    assert_eq!(b.temp.read("real"), "old\n");
}

#[test]
fn a_folder_that_became_a_link_out_of_the_project_is_refused() {
    let b = bench("//- /d/a\nold\n");
    let outside = b.temp.beside("outside");
    std::fs::write(outside.join("a"), "old\n").unwrap();
    let overlay = b.overlay(&[("d/a", Some("new")), ("d/n", Some("new"))]);
    std::fs::rename(b.temp.path("d"), b.temp.path("e")).unwrap();
    symlink(&outside, b.temp.path("d")).unwrap();
    b.apply_overlay(&overlay, &ApplyOptions::default()).unwrap_err();
    let fresh = b.open();
    let states = vec![(path("d/n"), None, Some(text("new")))];
    let overlay = Overlay::from_states("person", base::Timestamp(0), states);
    let sandbox = testkit::inner::sandbox();
    fresh
        .apply(&b.ctx, &sandbox, &overlay, permit(&fresh, &overlay), &ApplyOptions::default())
        .unwrap_err();
    assert_eq!(std::fs::read_to_string(outside.join("a")).unwrap(), "old\n");
    assert!(!outside.join("n").exists());
}

#[test]
fn a_pipe_in_the_files_place_is_refused_without_waiting() {
    let b = bench("//- /a\nold\n");
    let overlay = b.overlay(&[("a", Some("new"))]);
    b.temp.remove("a");
    let mode = rustix::fs::Mode::from_raw_mode(0o644);
    rustix::fs::mkfifoat(rustix::fs::CWD, b.temp.path("a"), mode).unwrap();
    let err = b.apply_overlay(&overlay, &ApplyOptions::default()).unwrap_err();
    assert_eq!(
        err.to_string(),
        "`a` is not what the change was made against: it is not a regular file"
    );
}

#[test]
fn a_file_in_a_folders_place_is_refused() {
    let b = bench("//- /d\nfile\n");
    let states = vec![(path("d/n"), None, Some(text("new")))];
    let overlay = Overlay::from_states("person", base::Timestamp(0), states);
    let before = b.temp.digest();
    b.apply_overlay(&overlay, &ApplyOptions::default()).unwrap_err();
    before.assert_same(&b.temp.digest());
}

#[test]
fn a_read_only_folder_is_refused_and_nothing_is_left() {
    if is_root() {
        return testkit::skip(testkit::Need::OrdinaryUser, "permission bits do not stop root");
    }
    let b = bench("//- /a/x\nold\n//- /z/y\nold\n");
    std::fs::set_permissions(b.temp.path("z"), PermissionsExt::from_mode(0o555)).unwrap();
    let before = b.temp.digest();
    let err = b.apply(&[("a/x", Some("new")), ("z/y", Some("new"))]).unwrap_err();
    before.assert_same(&b.temp.digest());
    std::fs::set_permissions(b.temp.path("z"), PermissionsExt::from_mode(0o755)).unwrap();
    assert!(matches!(err, RepoError::Write { .. }), "{err}");
    assert!(b.pending().is_empty());
}

#[test]
fn a_read_only_tree_can_be_opened_read_and_hashed() {
    let b = bench("//- /src/lib.rs\nfn a() {}\n");
    std::fs::set_permissions(b.temp.root(), PermissionsExt::from_mode(0o555)).unwrap();
    let project = b.open();
    let snapshot = project.snapshot(&b.ctx).unwrap();
    std::fs::set_permissions(b.temp.root(), PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(snapshot.files.len(), 1);
    assert!(!project.state_dir().exists(), "opening and reading keeps nothing");
    assert!(!project.cache_dir().exists(), "opening and reading keeps nothing");
}

#[test]
fn a_state_folder_that_cannot_be_written_is_refused_before_the_tree_is_touched() {
    let mut b = bench("//- /a\nold\n");
    let overlay = b.overlay(&[("a", Some("new"))]);
    let blocked = b.temp.beside("blocked").join("file");
    std::fs::write(&blocked, "").unwrap();
    b.dirs.state = blocked.join("state");
    let before = b.temp.digest();
    let err = b.apply_overlay(&overlay, &ApplyOptions::default()).unwrap_err();
    assert!(matches!(err, RepoError::Keep { .. } | RepoError::Read { .. }), "{err}");
    before.assert_same(&b.temp.digest());
}

#[test]
fn two_processes_wait_for_each_other() {
    let b = bench("//- /a\n0\n");
    let project = b.open();
    let threads: Vec<_> = (0..4)
        .map(|idx| {
            let (project, ctx) = (project.clone(), b.ctx.clone());
            std::thread::spawn(move || {
                let name = format!("n{idx}");
                let overlay = crate::support::overlay(&project, &[(&name, Some("x"))]);
                let sandbox = testkit::inner::sandbox();
                let options = ApplyOptions::default();
                // Another one's change moves the tree: prove again, as every caller does.
                loop {
                    let permit = permit(&project, &overlay);
                    match project.apply(&ctx, &sandbox, &overlay, permit, &options) {
                        Err(RepoError::Moved { .. }) => {}
                        result => return result,
                    }
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap().unwrap();
    }
    let orders: Vec<u64> = project.history().unwrap().iter().map(|entry| entry.order).collect();
    assert_eq!(orders, [1, 2, 3, 4]);
}

#[test]
fn an_editor_that_writes_all_the_time_never_loses_an_edit() {
    let b = bench("//- /a\n0\n//- /b\n0\n");
    let (stop, file) =
        (std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false)), b.temp.path("a"));
    let editor = {
        let stop = stop.clone();
        std::thread::spawn(move || {
            let mut saved = 0;
            while !stop.load(std::sync::atomic::Ordering::SeqCst) {
                saved += 1;
                // As editors save: a new file that takes the old one's name.
                let temp = file.with_extension("editor");
                std::fs::write(&temp, format!("editor {saved}\n")).unwrap();
                std::fs::rename(&temp, &file).unwrap();
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
            saved
        })
    };
    let (mut refused, mut last_was_ours) = (0, false);
    for turn in 0..40 {
        let overlay = b.overlay(&[("a", Some("ours\n")), ("b", Some(&format!("{turn} ours\n")))]);
        let former = b.temp.read("b");
        match b.apply_overlay(&overlay, &ApplyOptions::default()) {
            Ok(_) => {
                last_was_ours = true;
                assert_eq!(b.temp.read("b"), format!("{turn} ours\n"));
            }
            Err(RepoError::Changed { .. } | RepoError::Moved { .. }) => {
                refused += 1;
                last_was_ours = false;
                assert_eq!(b.temp.read("b"), former, "all or none");
            }
            Err(err) => panic!("{err}"),
        }
    }
    stop.store(true, std::sync::atomic::Ordering::SeqCst);
    let saved = editor.join().unwrap();
    assert!(refused > 0, "an editor this busy meets some of 40 changes");
    let content = b.temp.read("a");
    assert!(
        content == format!("editor {saved}\n") || last_was_ours && content == "ours\n",
        "the file contains {content:?}, the editor saved {saved} times"
    );
    let left: Vec<_> =
        b.temp.digest().entries.into_keys().filter(|name| name.contains(".graftage")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_git_keeps_is_never_written() {
    let b = bench("//- /a\nold\n");
    b.temp.git();
    let before = b.temp.digest();
    for name in [".git/hooks/pre-commit", ".git/config", "sub/.GIT/config", ".git"] {
        let states = vec![(path(name), None, Some(text("bad")))];
        let overlay = Overlay::from_states("model", base::Timestamp(0), states);
        let err = b.apply_overlay(&overlay, &ApplyOptions::default()).unwrap_err();
        assert_eq!(err.to_string(), format!("`{name}` belongs to git"));
    }
    before.assert_same(&b.temp.digest());
}

#[test]
fn what_is_kept_of_private_files_is_private() {
    let b = bench("//- /a\nold\n");
    b.apply(&[("a", Some("new"))]).unwrap();
    let journal = b.open().state_dir();
    assert_eq!(std::fs::metadata(journal).unwrap().mode() & 0o077, 0);
}
