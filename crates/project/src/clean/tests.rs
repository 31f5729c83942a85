//! Tests of `clean`, with the folders that a hostile repository or build may have left.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::*;

/// A project with its folders; the project is empty.
struct Setting {
    dir: tempfile::TempDir,
    project: Project,
}

impl Setting {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let project = open(dir.path(), "project");
        Self { dir, project }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The path of the index of former versions, below the project.
    fn former(&self) -> PathBuf {
        self.project.root().join("target/graftage").join(self.project.id().short())
    }

    /// Makes what a former version left, in `folder`.
    fn fill(&self, folder: &Path) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("sources.bin"), "graftagesrcs and more").unwrap();
        fs::write(folder.join("index.bin"), "map").unwrap();
        fs::write(folder.join("map.db"), "rows").unwrap();
    }

    fn clean(&self) -> CleanSummary {
        clean_project(&self.project).unwrap()
    }
}

fn open(dir: &Path, name: &str) -> Project {
    let ctx = testkit::FakeHost::new().ctx();
    let dirs = repo::Dirs { cache: dir.join("cache"), state: dir.join("state") };
    fs::create_dir_all(dir.join(name)).unwrap();
    Project::open(&ctx, &dir.join(name), dirs).unwrap()
}

#[test]
fn the_cache_of_a_vanished_project_goes_with_the_next_new_one() {
    let setting = Setting::new();
    let open = |name: &str| open(setting.dir.path(), name);
    let (gone, kept) = (open("gone"), open("kept"));
    forget_vanished(&gone);
    forget_vanished(&kept);
    let unmarked = setting.path("cache/downloads");
    fs::create_dir_all(&unmarked).unwrap();
    fs::remove_dir(setting.path("gone")).unwrap();
    forget_vanished(&kept);
    assert!(gone.cache_dir().exists());
    forget_vanished(&open("new"));
    assert!(!gone.cache_dir().exists() && kept.cache_dir().exists() && unmarked.exists());
}

#[test]
fn a_directory_in_use_is_kept_and_the_rest_is_removed() {
    let setting = Setting::new();
    let root = setting.project.cache_dir();
    for name in ["warm/a", "warm/b", "overlay/view"] {
        fs::create_dir_all(root.join(name)).unwrap();
        fs::write(root.join(name).join("lock"), "").unwrap();
        fs::write(root.join(name).join("data"), "1234").unwrap();
    }
    let lock = fs::File::options().write(true).open(root.join("warm/a/lock")).unwrap();
    lock.lock().unwrap();
    let view = untrusted_fs::claim(&root.join("overlay/view")).unwrap();
    let cleaned = setting.clean();
    assert_eq!(cleaned.kept, [root.join("overlay/view"), root.join("warm/a")]);
    assert!(root.join("warm/a/data").exists() && !root.join("warm/b").exists());
    assert!(cleaned.freed_bytes >= 4);
    drop((lock, view));
    assert!(setting.clean().kept.is_empty());
    assert!(!root.exists());
}

#[test]
fn the_index_of_a_former_version_is_removed_and_reported() {
    let setting = Setting::new();
    setting.fill(&setting.former());
    let cleaned = setting.clean();
    assert_eq!(cleaned.removed, [setting.former()]);
    assert_eq!(cleaned.freed_bytes, 21 + 3 + 4);
    assert!(!setting.project.root().join("target/graftage").exists());
    assert!(setting.project.root().join("target").exists());
    // The folder of another project beside it stays.
    setting.fill(&setting.former());
    let other = setting.former().with_file_name("other");
    setting.fill(&other);
    assert_eq!(setting.clean().removed, [setting.former()]);
    assert!(other.join("index.bin").exists());
}

#[test]
fn what_a_link_in_the_place_of_the_former_index_names_stays() {
    // Each name on the way may be the link. The link leads to what would be removed without it.
    for (link, inside) in
        [("target", "graftage/ID"), ("target/graftage", "ID"), ("target/graftage/ID", "")]
    {
        let setting = Setting::new();
        let id = setting.project.id().short().to_string();
        let victim = setting.path("victim");
        let folder = victim.join(inside.replace("ID", &id));
        setting.fill(&folder);
        let link = setting.project.root().join(link.replace("ID", &id));
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(&victim, &link).unwrap();
        let reached = fs::read(setting.former().join("index.bin")).unwrap();
        assert_eq!(reached, b"map", "by its path the attack works");
        assert_eq!(setting.clean().removed, Vec::<PathBuf>::new());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "{}", link.display());
        assert!(link.is_symlink());
    }
}

#[test]
fn a_folder_that_is_no_index_of_ours_stays() {
    type Spoil = (&'static str, fn(&Path));
    let spoil: [Spoil; 6] = [
        ("another file", |it| fs::write(it.join("notes.txt"), "mine").unwrap()),
        ("a folder", |it| fs::create_dir(it.join("map.seal")).unwrap()),
        ("a link to a file", |it| symlink("/etc/passwd", it.join("terms.bin")).unwrap()),
        ("no marker", |it| fs::remove_file(it.join("sources.bin")).unwrap()),
        ("another marker", |it| fs::write(it.join("sources.bin"), "graft").unwrap()),
        ("many files", |it| {
            for number in 0..300 {
                fs::write(it.join(format!(".unfinished-{number}")), "").unwrap();
            }
        }),
    ];
    for (what, spoil) in spoil {
        let setting = Setting::new();
        setting.fill(&setting.former());
        spoil(&setting.former());
        assert_eq!(setting.clean().removed, Vec::<PathBuf>::new(), "{what}");
        assert!(setting.former().join("index.bin").exists(), "{what}");
    }
}

#[test]
fn a_pipe_in_the_former_index_is_not_waited_for() {
    let setting = Setting::new();
    setting.fill(&setting.former());
    for name in ["lock", "sources.bin"] {
        let path = setting.former().join(name);
        let _ = fs::remove_file(&path);
        pipe(&path);
    }
    assert!(setting.clean().removed.is_empty());
}

#[test]
fn a_hard_link_in_the_former_index_loses_its_name_only() {
    let setting = Setting::new();
    setting.fill(&setting.former());
    fs::write(setting.path("victim"), "secret").unwrap();
    fs::hard_link(setting.path("victim"), setting.former().join("terms.bin")).unwrap();
    assert_eq!(setting.clean().removed, [setting.former()]);
    assert_eq!(fs::read_to_string(setting.path("victim")).unwrap(), "secret");
}

#[test]
fn what_a_build_left_in_the_cache_is_removed_and_nothing_it_links_to() {
    let setting = Setting::new();
    let warm = setting.project.cache_dir().join("warm/key");
    let target = warm.join("target");
    fs::create_dir_all(target.join("closed/inner")).unwrap();
    fs::create_dir_all(setting.path("victim")).unwrap();
    fs::write(setting.path("victim/f"), "mine").unwrap();
    symlink(setting.path("victim"), target.join("link")).unwrap();
    symlink(setting.path("victim"), warm.join("lock")).unwrap();
    // A lock that is waited for would hang, here and in the check of another project.
    pipe(&target.join("lock"));
    pipe(&target.join("closed/lock"));
    let held = fs::File::open(target.join("closed")).unwrap();
    held.lock().unwrap();
    fs::set_permissions(target.join("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    let cleaned = setting.clean();
    assert!(cleaned.kept.is_empty() && !setting.project.cache_dir().exists());
    assert_eq!(fs::read_to_string(setting.path("victim/f")).unwrap(), "mine");
}

#[test]
fn the_cache_of_a_project_may_be_a_link_which_alone_is_removed() {
    let setting = Setting::new();
    fs::create_dir_all(setting.path("victim")).unwrap();
    fs::write(setting.path("victim/f"), "mine").unwrap();
    fs::create_dir_all(setting.path("cache")).unwrap();
    symlink(setting.path("victim"), setting.project.cache_dir()).unwrap();
    setting.clean();
    assert!(!setting.project.cache_dir().is_symlink());
    assert_eq!(fs::read_to_string(setting.path("victim/f")).unwrap(), "mine");
}

#[test]
fn a_pipe_as_marker_or_lock_of_another_project_is_not_waited_for() {
    let setting = Setting::new();
    let other = open(setting.dir.path(), "other");
    fs::create_dir_all(other.cache_dir().join("warm/key")).unwrap();
    pipe(&other.cache_dir().join("project"));
    pipe(&other.cache_dir().join("warm/key/lock"));
    forget_vanished(&setting.project);
    assert!(setting.project.cache_dir().join("project").exists());
    assert!(other.cache_dir().exists());
}

fn pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}
