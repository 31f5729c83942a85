//! Tests of what a hostile process may leave: each kind of entry is refused, bounded or removed.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use graftage_untrusted_fs::{CopyLimits, Dir, EntryKind, Fault, read_own, read_regular};
use rustix::fs::{FileType, Mode, mkdirat, mknodat, openat};

const LIMITS: CopyLimits = CopyLimits { entries: 100, bytes: 1 << 20, depth: 20 };

fn fifo(path: &Path) {
    mknodat(rustix::fs::CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
}

fn names(dir: &Path) -> Vec<String> {
    let entries = Dir::open(dir).unwrap().entries(1000).unwrap();
    entries.into_iter().map(|entry| entry.name.into_string().unwrap()).collect()
}

#[test]
fn only_regular_files_within_the_limit_are_read() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path();
    fs::create_dir_all(root.join("folder")).unwrap();
    fs::write(root.join("file"), "text").unwrap();
    fifo(&root.join("pipe"));
    symlink("file", root.join("link")).unwrap();
    symlink("folder", root.join("way")).unwrap();
    symlink("/dev/zero", root.join("zero")).unwrap();
    File::create(root.join("hole")).unwrap().set_len(1 << 40).unwrap();
    let dir = Dir::open(root).unwrap();
    let seen: Vec<String> =
        ["file", "none", "folder", "pipe", "link", "zero", "way/x", "hole", "../x"]
            .iter()
            .map(|path| match dir.read(path, 4) {
                Ok(found) => format!("{path}: {:?}", found.map(|it| it.bytes.len())),
                Err(fault) => format!("{path}: {fault}"),
            })
            .collect();
    assert_eq!(
        seen,
        [
            "file: Some(4)",
            "none: None",
            "folder: it is not a regular file",
            "pipe: it is not a regular file",
            "link: it is a symbolic link, or is reached through one",
            "zero: it is a symbolic link, or is reached through one",
            "way/x: it is a symbolic link, or is reached through one",
            "hole: it is larger than 4 bytes",
            "../x: its path leads out of the folder",
        ]
    );
    assert!(matches!(dir.read("file", 3), Err(Fault::TooLarge { limit: 3 })));
}

#[test]
fn a_file_of_a_repository_is_no_link_and_one_of_the_users_own_may_be() {
    let temp = tempfile::tempdir().unwrap();
    let at = |name: &str| temp.path().join(name);
    fs::write(at("file"), "text").unwrap();
    symlink("file", at("link")).unwrap();
    symlink("/dev/zero", at("zero")).unwrap();
    fifo(&at("pipe"));
    assert_eq!(read_regular(&at("file"), 9).unwrap().unwrap(), b"text");
    assert!(matches!(read_regular(&at("link"), 9), Err(Fault::Link)));
    assert!(matches!(read_regular(&at("none/none"), 9), Ok(None)));
    assert!(matches!(read_regular(&at("file/none"), 9), Ok(None)));
    assert_eq!(read_own(&at("link"), 9).unwrap().unwrap(), b"text");
    assert!(matches!(read_own(&at("zero"), 9), Err(Fault::NotAFile)));
    assert!(matches!(read_own(&at("pipe"), 9), Err(Fault::NotAFile)));
}

#[test]
fn a_file_without_a_size_is_cut_off_at_the_limit() {
    // The kernel's files report no size.
    if Path::new("/proc/self/mountinfo").exists() {
        let result = read_regular(Path::new("/proc/self/mountinfo"), 10);
        assert!(matches!(result, Err(Fault::TooLarge { limit: 10 })));
    }
}

#[test]
fn entries_are_sorted_named_by_kind_and_counted() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path();
    fs::create_dir(root.join("b")).unwrap();
    fs::write(root.join("a"), "").unwrap();
    symlink("b", root.join("d")).unwrap();
    fifo(&root.join("c"));
    let dir = Dir::open(root).unwrap();
    let kinds: Vec<EntryKind> = dir.entries(4).unwrap().iter().map(|entry| entry.kind).collect();
    let expected = [EntryKind::File, EntryKind::Folder, EntryKind::Special, EntryKind::Link];
    assert_eq!(kinds, expected);
    assert!(matches!(dir.entries(3), Err(Fault::TooMany { limit: 3 })));
    assert_eq!(dir.kind("d").unwrap(), Some(EntryKind::Link));
    assert_eq!(dir.kind("e").unwrap(), None);
}

#[test]
fn a_file_is_written_anew_and_not_through_a_link_or_into_another_name() {
    let temp = tempfile::tempdir().unwrap();
    let at = |name: &str| temp.path().join(name);
    fs::create_dir(at("inside")).unwrap();
    for name in ["victim", "copy"] {
        fs::write(at(name), "whole").unwrap();
    }
    symlink(at("victim"), at("inside/link")).unwrap();
    fs::hard_link(at("copy"), at("inside/hard")).unwrap();
    fifo(&at("inside/pipe"));
    let dir = Dir::open(&at("inside")).unwrap();
    for name in ["link", "hard", "pipe"] {
        dir.write_new(name, b"new").unwrap();
        assert_eq!(dir.read(name, 9).unwrap().unwrap().bytes, b"new", "{name}");
    }
    assert_eq!(fs::read(at("victim")).unwrap(), b"whole");
    assert_eq!(fs::read(at("copy")).unwrap(), b"whole");
    symlink(temp.path(), at("inside/out")).unwrap();
    assert!(matches!(dir.write_new("out/victim", b"new"), Err(Fault::Link)));
    assert!(matches!(dir.make_dirs("out/x"), Err(Fault::Link)));
    dir.make_dirs("x/y").unwrap().write_new("z", b"").unwrap();
    assert!(matches!(dir.write_new("x", b""), Err(Fault::NotAFile)));
    assert!(at("inside/x/y/z").is_file());
}

#[test]
fn removal_takes_links_and_not_what_they_lead_to() {
    let temp = tempfile::tempdir().unwrap();
    let at = |name: &str| temp.path().join(name);
    fs::create_dir_all(at("victim/inner")).unwrap();
    fs::set_permissions(at("victim"), Permissions::from_mode(0o750)).unwrap();
    fs::create_dir_all(at("root/a/b")).unwrap();
    symlink(at("victim"), at("root/a/b/link")).unwrap();
    symlink(at("victim"), at("root/way")).unwrap();
    fifo(&at("root/a/pipe"));
    fs::set_permissions(at("root/a/b"), Permissions::from_mode(0o0)).unwrap();
    fs::set_permissions(at("root/a"), Permissions::from_mode(0o0)).unwrap();
    let dir = Dir::open(&at("root")).unwrap();
    assert!(matches!(dir.remove_all("way/inner"), Err(Fault::Link)));
    assert!(matches!(dir.remove_all("../victim"), Err(Fault::Outside)));
    for name in ["a", "way", "none", "none/none"] {
        dir.remove_all(name).unwrap();
    }
    assert_eq!(names(&at("root")), Vec::<String>::new());
    assert!(at("victim/inner").is_dir());
    assert_eq!(fs::metadata(at("victim")).unwrap().permissions().mode() & 0o777, 0o750);
}

/// A chain of folders that no path can name.
fn chain(top: &Path, depth: usize) {
    let mut at = rustix::fs::open(top, rustix::fs::OFlags::DIRECTORY, Mode::empty()).unwrap();
    for _ in 0..depth {
        mkdirat(&at, "deeper-and-deeper", Mode::RWXU).unwrap();
        let flags = rustix::fs::OFlags::DIRECTORY;
        at = openat(&at, "deeper-and-deeper", flags, Mode::empty()).unwrap();
    }
}

#[test]
fn a_tree_deeper_than_any_path_is_removed_and_refused_by_a_copy() {
    let temp = tempfile::tempdir().unwrap();
    for name in ["from", "to", "from/top"] {
        fs::create_dir(temp.path().join(name)).unwrap();
    }
    chain(&temp.path().join("from/top"), 1200);
    let from = Dir::open(&temp.path().join("from")).unwrap();
    let to = Dir::open(&temp.path().join("to")).unwrap();
    assert!(matches!(from.copy_all(&to, LIMITS), Err(Fault::TooDeep { limit: 20 })));
    from.remove_all("top").unwrap();
    assert_eq!(names(&temp.path().join("from")), Vec::<String>::new());
}

#[test]
fn a_copy_keeps_times_and_links_and_leaves_pipes_out() {
    let temp = tempfile::tempdir().unwrap();
    let at = |name: &str| temp.path().join(name);
    fs::create_dir_all(at("from/a")).unwrap();
    fs::create_dir_all(at("to")).unwrap();
    fs::write(at("from/a/file"), "text").unwrap();
    fs::set_permissions(at("from/a/file"), Permissions::from_mode(0o4751)).unwrap();
    symlink("/nowhere", at("from/a/link")).unwrap();
    fifo(&at("from/pipe"));
    let copy = || {
        let _ = fs::remove_dir_all(at("to/a"));
        Dir::open(&at("from")).unwrap().copy_all(&Dir::open(&at("to")).unwrap(), LIMITS)
    };
    copy().unwrap();
    assert_eq!(names(&at("to")), ["a"]);
    assert_eq!(names(&at("to/a")), ["file", "link"]);
    assert_eq!(fs::read_link(at("to/a/link")).unwrap(), Path::new("/nowhere"));
    let (old, new) = (fs::metadata(at("from/a/file")), fs::metadata(at("to/a/file")));
    let (old, new) = (old.unwrap(), new.unwrap());
    assert_eq!(old.modified().unwrap(), new.modified().unwrap());
    assert_eq!(new.permissions().mode() & 0o7777, 0o751);
    File::create(at("from/hole")).unwrap().set_len(1 << 40).unwrap();
    assert!(matches!(copy(), Err(Fault::TooLarge { limit: 0x10_0000 })));
    fs::remove_file(at("from/hole")).unwrap();
    for number in 0..100 {
        fs::write(at("from/a").join(number.to_string()), "").unwrap();
    }
    assert!(matches!(copy(), Err(Fault::TooMany { limit: 100 })));
}

#[test]
fn a_copy_of_a_file_with_holes_has_its_bytes_and_uses_no_more_blocks() {
    use std::os::unix::fs::{FileExt, MetadataExt};
    let temp = tempfile::tempdir().unwrap();
    let at = |name: &str| temp.path().join(name);
    fs::create_dir(at("from")).unwrap();
    fs::create_dir(at("to")).unwrap();
    let size = 64 << 20;
    let file = File::create(at("from/holes")).unwrap();
    file.set_len(size).unwrap();
    file.write_all_at(b"begin", 0).unwrap();
    file.write_all_at(b"middle", 20 << 20).unwrap();
    file.write_all_at(b"end", 40 << 20).unwrap();
    fs::write(at("from/plain"), vec![7; 100_000]).unwrap();
    File::create(at("from/empty")).unwrap();
    let limits = CopyLimits { bytes: 1 << 30, ..LIMITS };
    Dir::open(&at("from")).unwrap().copy_all(&Dir::open(&at("to")).unwrap(), limits).unwrap();
    for name in ["holes", "plain", "empty"] {
        let (old, new) = (fs::read(at("from").join(name)), fs::read(at("to").join(name)));
        assert!(old.unwrap() == new.unwrap(), "{name}");
    }
    let blocks = |name: &str| fs::metadata(at(name)).unwrap().blocks();
    assert!(blocks("to/holes") <= blocks("from/holes").max(blocks("to/plain")) + 64);
    let limits = CopyLimits { bytes: size - 1, ..LIMITS };
    let again = Dir::open(&at("to")).unwrap().make_dirs("again").unwrap();
    let copied = Dir::open(&at("from")).unwrap().copy_all(&again, limits);
    assert!(matches!(copied, Err(Fault::TooLarge { .. })), "{copied:?}");
}
