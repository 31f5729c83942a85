//! Tests of the program's own folders: modes, files that are replaced as a whole, locks.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs::{self, Permissions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use graftage_untrusted_fs::{
    Dir, Fault, claim, make_chosen, make_own, make_private, open_inner, open_own, open_regular,
};
use rustix::fs::{CWD, FileType, Mode, mknodat};

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

fn fifo(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
}

#[test]
fn a_folder_of_ours_and_its_parents_are_closed_to_others() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("cache/id/map");
    assert!(open_own(&path).unwrap().is_none());
    make_own(&path).unwrap();
    for name in ["cache", "cache/id", "cache/id/map"] {
        assert_eq!(mode(&temp.path().join(name)), 0o700, "{name}");
    }
    // One that was left open is closed by each way to open it.
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    assert!(open_own(&path).unwrap().unwrap().is_own());
    assert_eq!(mode(&path), 0o700);
    fs::set_permissions(&path, Permissions::from_mode(0o777)).unwrap();
    make_own(&path).unwrap();
    assert_eq!(mode(&path), 0o700);
}

#[test]
fn a_folder_of_ours_is_no_link_and_the_one_that_the_user_chose_may_be() {
    let temp = tempfile::tempdir().unwrap();
    let at = |name: &str| temp.path().join(name);
    fs::create_dir(at("victim")).unwrap();
    fs::create_dir(at("disk")).unwrap();
    symlink("disk", at("cache")).unwrap();
    // Control: the cache is a link that the user made, and folders below it are made and opened.
    make_chosen(&at("cache")).unwrap();
    assert!(open_own(&at("cache")).unwrap().is_some());
    make_own(&at("cache/real")).unwrap();
    assert!(open_inner(&at("cache/real")).unwrap().is_some());
    assert!(open_inner(&at("cache/none")).unwrap().is_none());
    symlink("../victim", at("disk/id")).unwrap();
    symlink("../nowhere", at("disk/lost")).unwrap();
    fs::write(at("disk/file"), "").unwrap();
    for name in ["cache/id", "cache/id/", "cache/id/."] {
        assert!(matches!(make_own(&at(name)), Err(Fault::Link)), "{name}");
        assert!(matches!(open_inner(&at(name)), Err(Fault::Link)), "{name}");
    }
    assert!(make_own(&at("cache/lost")).is_err() && open_inner(&at("cache/lost")).is_err());
    assert!(matches!(open_inner(&at("cache/file")), Err(Fault::NotAFolder)));
    assert!(!at("nowhere").exists() && fs::read_dir(at("victim")).unwrap().count() == 0);
}

#[test]
fn a_folder_that_the_user_named_keeps_its_permissions() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("a/b");
    make_private(&path).unwrap();
    assert_eq!(mode(&path), 0o700);
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    make_private(&path).unwrap();
    assert_eq!(mode(&path), 0o755);
}

#[test]
fn a_folder_of_another_user_is_refused() {
    if rustix::process::geteuid().is_root() {
        // The superuser works for others: their folders are used, and keep their permissions.
        let temp = tempfile::tempdir().unwrap();
        fs::set_permissions(temp.path(), Permissions::from_mode(0o755)).unwrap();
        std::os::unix::fs::chown(temp.path(), Some(4242), None).unwrap();
        assert!(!make_own(temp.path()).unwrap().is_own());
        assert_eq!(mode(temp.path()), 0o755);
    } else {
        assert!(matches!(make_own(Path::new("/")), Err(Fault::NotOurs { owner: 0 })));
        assert!(matches!(open_own(Path::new("/")), Err(Fault::NotOurs { owner: 0 })));
    }
}

#[test]
fn a_replaced_file_is_new_and_nothing_is_written_through_its_name() {
    let temp = tempfile::tempdir().unwrap();
    let (folder, victim) = (temp.path().join("folder"), temp.path().join("victim"));
    fs::write(&victim, "mine").unwrap();
    let dir = make_own(&folder).unwrap();
    symlink(&victim, folder.join("link")).unwrap();
    fs::hard_link(&victim, folder.join("hard")).unwrap();
    fifo(&folder.join("pipe"));
    for name in ["link", "hard", "pipe", "new"] {
        dir.replace(name, &[b"a", b"b"], 0o600).unwrap();
        let meta = folder.join(name).symlink_metadata().unwrap();
        assert!(meta.is_file() && meta.permissions().mode() & 0o777 == 0o600, "{name}");
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), "ab", "{name}");
    }
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    fs::create_dir(folder.join("sub")).unwrap();
    assert!(dir.replace("sub", &[b"a"], 0o600).is_err());
    symlink(temp.path(), folder.join("way")).unwrap();
    assert!(matches!(dir.replace("way/victim", &[b"a"], 0o600), Err(Fault::Link)));
    assert!(matches!(dir.replace("../victim", &[b"a"], 0o600), Err(Fault::Outside)));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 6, "no unfinished file is left");
}

#[test]
fn unfinished_files_are_swept_and_others_stay() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join(".unfinished-1-0"), "").unwrap();
    fs::write(temp.path().join("index.bin"), "").unwrap();
    symlink("index.bin", temp.path().join(".unfinished-link")).unwrap();
    let dir = Dir::open(temp.path()).unwrap();
    dir.sweep_unfinished();
    let names: Vec<_> = dir.entries(10).unwrap().into_iter().map(|it| it.name).collect();
    assert_eq!(names, ["index.bin"]);
}

#[test]
fn an_unnamed_file_leaves_no_entry() {
    let temp = tempfile::tempdir().unwrap();
    let mut file = Dir::open(temp.path()).unwrap().create_unnamed().unwrap();
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 0);
    file.write_all(b"text").unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "text");
}

#[test]
fn a_pipe_or_a_link_in_the_place_of_a_lock_is_refused_at_once() {
    let temp = tempfile::tempdir().unwrap();
    let dir = Dir::open(temp.path()).unwrap();
    fs::write(temp.path().join("file"), "").unwrap();
    symlink("file", temp.path().join("link")).unwrap();
    fifo(&temp.path().join("pipe"));
    for name in ["link", "pipe"] {
        assert!(dir.open_lock(name).is_err() && !dir.is_in_use(name), "{name}");
    }
    let held = dir.open_lock("lock").unwrap();
    assert_eq!(mode(&temp.path().join("lock")), 0o600);
    held.lock().unwrap();
    assert!(dir.is_in_use("lock"));
    drop(held);
    assert!(!dir.is_in_use("lock"));
    let claimed = claim(temp.path()).unwrap();
    assert!(dir.is_in_use("lock"));
    drop(claimed);
    assert!(!dir.is_in_use("lock"));
}

#[test]
fn only_a_regular_file_is_opened() {
    let temp = tempfile::tempdir().unwrap();
    symlink("/dev/zero", temp.path().join("zero")).unwrap();
    fifo(&temp.path().join("pipe"));
    fs::write(temp.path().join("file"), "text").unwrap();
    let open = |name: &str| open_regular(&temp.path().join(name));
    assert!(matches!(open("zero"), Err(Fault::Link)));
    assert!(matches!(open("pipe"), Err(Fault::NotAFile)));
    assert!(matches!(open("none"), Ok(None)));
    assert!(matches!(open("file"), Ok(Some(_))));
}

#[test]
fn the_size_of_a_tree_counts_no_target_of_a_link() {
    let temp = tempfile::tempdir().unwrap();
    fs::create_dir_all(temp.path().join("tree/a/b")).unwrap();
    fs::write(temp.path().join("big"), [0; 5000]).unwrap();
    fs::write(temp.path().join("tree/a/b/f"), "1234").unwrap();
    symlink("../big", temp.path().join("tree/l")).unwrap();
    let tree = Dir::open(&temp.path().join("tree")).unwrap();
    assert!(tree.is_larger_than(9) && !tree.is_larger_than(10));
    let mut deep = temp.path().join("tree");
    (0..210).for_each(|_| deep.push("d"));
    std::fs::create_dir_all(&deep).unwrap();
    // What is too deep to be counted is over every limit.
    assert!(tree.is_larger_than(1 << 40));
    assert_eq!(Dir::open(&temp.path().join("tree")).unwrap().size_all(), 4 + 6);
}

#[test]
fn removal_of_one_entry_follows_no_link() {
    let temp = tempfile::tempdir().unwrap();
    fs::create_dir_all(temp.path().join("victim")).unwrap();
    fs::write(temp.path().join("victim/f"), "mine").unwrap();
    fs::create_dir(temp.path().join("folder")).unwrap();
    symlink("../victim", temp.path().join("folder/way")).unwrap();
    let dir = Dir::open(&temp.path().join("folder")).unwrap();
    assert!(temp.path().join("folder/way/f").exists(), "by its path it is reached");
    assert!(matches!(dir.remove_file("way/f"), Err(Fault::Link)));
    assert!(dir.remove_dir("way").is_err());
    dir.remove_file("way").unwrap();
    dir.remove_file("none").unwrap();
    dir.remove_dir("none/below").unwrap();
    assert_eq!(fs::read_to_string(temp.path().join("victim/f")).unwrap(), "mine");
}
