//! The folders of graftage: nothing of them is in a project, nothing in a project is taken for one, and
//! no other user can read them.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use testkit::TempProject;

use crate::support::graftage;

/// The time within which no attack may make a command wait; without the defence it waits for ever.
const SOON: Duration = Duration::from_secs(60);

fn library() -> TempProject {
    testkit::project(
        "
//- /Cargo.toml
[package]
name = \"fixture\"
version = \"0.1.0\"
edition = \"2021\"

//- /src/lib.rs
//! ssh-rsa AAAA

/// Adds.
pub fn add(a: u32, b: u32) -> u32 {
    a + b
}
",
    )
}

/// The folder of the project in one of graftage's folders; it must have an index.
fn own(project: &TempProject, kind: &str) -> PathBuf {
    let all = project.beside("graftage");
    let mut folders = fs::read_dir(all.join("cache")).unwrap().flatten();
    let id = folders.find(|it| it.path().join("map").exists()).unwrap().file_name();
    all.join(kind).join(id)
}

/// The place in the project where former versions had the index.
fn former(project: &TempProject) -> PathBuf {
    let id = own(project, "cache").file_name().unwrap().to_owned();
    project.path("target/graftage").join(id)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

fn open_entries(folder: &Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let meta = entry.path().symlink_metadata().unwrap();
        if meta.permissions().mode() & 0o077 != 0 {
            all.push(entry.path().display().to_string());
        }
        if meta.is_dir() {
            open_entries(&entry.path(), all);
        }
    }
}

#[test]
fn no_other_user_can_read_the_folders_whatever_command_runs_first() {
    for first in [["index", "--json"], ["search", "add"], ["docs", "--json"]] {
        let project = library();
        graftage(&project, &first);
        let mut open = Vec::new();
        open_entries(&project.beside("graftage"), &mut open);
        assert_eq!(open, Vec::<String>::new(), "after {first:?}");
    }
}

#[test]
fn folders_that_an_earlier_version_left_open_are_closed() {
    let project = library();
    graftage(&project, &["index"]);
    let folders = ["cache", "state"].map(|kind| project.beside("graftage").join(kind));
    for folder in &folders {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    }
    graftage(&project, &["search", "add"]);
    let modes = folders.map(|it| it.metadata().unwrap().permissions().mode() & 0o777);
    assert_eq!(modes, [0o700, 0o700]);
}

#[test]
fn traces_and_records_are_readable_by_the_user_alone() {
    let project = library();
    graftage(&project, &["index"]);
    let fixed = graftage(&project, &["fix", "--json"]);
    assert_eq!(fixed.status, 0, "{fixed:#?}");
    assert!(own(&project, "state").join("traces").exists());
    let mut open = Vec::new();
    open_entries(&project.beside("graftage").join("state"), &mut open);
    assert_eq!(open, Vec::<String>::new());
}

#[test]
fn an_index_in_the_repository_is_ignored() {
    let project = library();
    let index = || graftage(&project, &["index", "--json"]).json()["parsed_files"].clone();
    assert_eq!(index(), 1);
    let (cache, former) = (own(&project, "cache"), former(&project));
    copy(&cache.join("map"), &former);
    fs::write(former.join("map.db"), "rows of a stranger").unwrap();
    fs::write(former.join("map.seal"), "{}").unwrap();
    let before = testkit::TreeDigest::of(&former);
    fs::remove_dir_all(&cache).unwrap();
    assert_eq!(index(), 1, "the planted map is not used");
    before.assert_same(&testkit::TreeDigest::of(&former));
    // The control: the planted map is intact, and is used where graftage keeps its own.
    fs::remove_dir_all(&cache).unwrap();
    copy(&former, &cache.join("map"));
    assert_eq!(index(), 0);
}

#[test]
fn endless_devices_and_pipes_in_the_target_directory_are_not_waited_for() {
    let project = library();
    graftage(&project, &["index"]);
    let former = former(&project);
    fs::create_dir_all(&former).unwrap();
    for name in ["sources.bin", "index.bin", "terms.bin"] {
        symlink("/dev/zero", former.join(name)).unwrap();
    }
    let device = fs::metadata(former.join("sources.bin")).unwrap();
    assert!(device.file_type().is_char_device(), "by its path it is endless");
    mknodat(CWD, former.join("lock"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let began = Instant::now();
    for command in ["index", "clean", "index"] {
        let result = graftage(&project, &[command]);
        assert_eq!(result.status, 0, "{command}: {result:#?}");
    }
    assert!(began.elapsed() < SOON);
    assert!(former.join("sources.bin").is_symlink(), "what is not ours stays");
}

#[test]
fn what_is_no_regular_file_in_the_own_folders_is_not_waited_for() {
    let project = library();
    graftage(&project, &["index"]);
    let map = own(&project, "cache").join("map");
    for name in ["sources.bin", "index.bin", "inputs.bin"] {
        fs::remove_file(map.join(name)).unwrap();
    }
    symlink("/dev/zero", map.join("sources.bin")).unwrap();
    mknodat(CWD, map.join("index.bin"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    mknodat(CWD, map.join("inputs.bin"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let began = Instant::now();
    let result = graftage(&project, &["index", "--json"]);
    assert_eq!(result.json()["parsed_files"], 1, "{result:#?}");
    let lock = own(&project, "state").join("index.lock");
    fs::remove_file(&lock).unwrap();
    mknodat(CWD, &lock, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let result = graftage(&project, &["index", "--full"]);
    assert!(result.status != 0 && result.stderr.contains("index.lock"), "{result:#?}");
    assert!(began.elapsed() < SOON);
}

#[test]
fn clean_leaves_what_a_link_in_the_target_directory_names() {
    let project = library();
    graftage(&project, &["index"]);
    let (victim, former) = (project.beside("victim"), former(&project));
    copy(&own(&project, "cache").join("map"), &victim);
    fs::write(victim.join("sources.bin"), "graftagesrcs").unwrap();
    fs::create_dir_all(former.parent().unwrap()).unwrap();
    symlink(&victim, &former).unwrap();
    let before = testkit::TreeDigest::of(&victim);
    let result = graftage(&project, &["clean"]);
    assert_eq!(result.status, 0, "{result:#?}");
    before.assert_same(&testkit::TreeDigest::of(&victim));
    assert!(former.is_symlink());
    // The control: the same files in a real folder are those of a former version, and go.
    fs::remove_file(&former).unwrap();
    for entry in fs::read_dir(&victim).unwrap().flatten() {
        fs::create_dir_all(&former).unwrap();
        fs::copy(entry.path(), former.join(entry.file_name())).unwrap();
    }
    let result = graftage(&project, &["clean"]);
    assert!(result.stdout.contains("DIR/target/graftage/"), "{result:#?}");
    assert!(!former.exists());
}

#[test]
fn docs_write_through_no_link_of_the_project() {
    let project = library();
    let victim = project.beside("victim");
    fs::create_dir_all(&victim).unwrap();
    fs::write(victim.join("authorized_keys"), "mine\n").unwrap();
    let keys = victim.join("authorized_keys");
    fs::create_dir_all(project.path("docs/generated")).unwrap();
    symlink(&keys, project.path("docs/generated/index.md.graftage-tmp")).unwrap();
    let result = graftage(&project, &["docs"]);
    assert_eq!(result.status, 0, "{result:#?}");
    assert!(project.read("docs/generated/fixture/crate.md").contains("ssh-rsa AAAA"));
    fs::remove_dir_all(project.path("docs")).unwrap();
    symlink(&victim, project.path("docs")).unwrap();
    let result = graftage(&project, &["docs"]);
    assert!(result.status != 0 && result.stderr.contains("symbolic link"), "{result:#?}");
    assert_eq!(fs::read_to_string(&keys).unwrap(), "mine\n");
    assert_eq!(fs::read_dir(&victim).unwrap().count(), 1);
}
