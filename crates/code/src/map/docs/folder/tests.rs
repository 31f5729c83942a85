//! Tests of the output directory, hostile ones among them.

use std::fs;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::*;

fn pages(list: &[(&str, &str)]) -> SortedMap<ProjectPath, String> {
    let pages = list.iter();
    pages.map(|(path, text)| (ProjectPath::new(path).unwrap(), (*text).to_owned())).collect()
}

#[test]
fn pages_of_removed_modules_are_removed_and_other_files_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("docs");
    fill(dir.path(), &out, &pages(&[("index.md", "a"), ("p/m.md", "b")])).unwrap();
    fs::write(out.join("mine.md"), "mine").unwrap();
    let done = fill(dir.path(), &out, &pages(&[("index.md", "a")])).unwrap();
    assert_eq!(done, WriteSummary { written: 0, unchanged: 1, removed: 1 });
    assert!(!out.join("p").exists());
    assert_eq!(fs::read_to_string(out.join("mine.md")).unwrap(), "mine");
}

#[test]
fn a_file_that_graftage_did_not_write_is_never_replaced() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("index.md"), "mine").unwrap();
    let error =
        fill(dir.path(), dir.path(), &pages(&[("index.md", "a"), ("b.md", "b")])).unwrap_err();
    assert!(matches!(error, CodeError::InTheWay { .. }));
    assert!(!dir.path().join("b.md").exists(), "nothing is written");
    assert_eq!(fs::read_to_string(dir.path().join("index.md")).unwrap(), "mine");
}

#[test]
fn a_page_that_was_edited_is_never_replaced() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), dir.path(), &pages(&[("index.md", "a")])).unwrap();
    fs::write(dir.path().join("index.md"), "edited").unwrap();
    assert!(fill(dir.path(), dir.path(), &pages(&[("index.md", "b")])).is_err());
}

#[test]
fn a_link_in_the_way_is_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let (out, other) = (dir.path().join("out"), dir.path().join("other"));
    fs::create_dir_all(&out).unwrap();
    fs::create_dir_all(&other).unwrap();
    symlink(&other, out.join("p")).unwrap();
    assert!(fill(dir.path(), &out, &pages(&[("p/m.md", "b")])).is_err());
    assert!(fs::read_dir(&other).unwrap().next().is_none());
}

/// A project with a folder beside it that no link may reach.
struct Hostile {
    dir: tempfile::TempDir,
}

impl Hostile {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("project")).unwrap();
        fs::create_dir_all(dir.path().join("victim")).unwrap();
        fs::write(dir.path().join("victim/keys"), "mine").unwrap();
        Self { dir }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    fn victim(&self) -> PathBuf {
        self.dir.path().join("victim")
    }

    fn out(&self) -> PathBuf {
        default_out(&self.root())
    }

    fn fill(&self, out: &Path) -> Result<WriteSummary, CodeError> {
        fill(&self.root(), out, &pages(&[("index.md", "ssh-rsa AAAA"), ("p/m.md", "b")]))
    }

    /// Asserts that nothing beside the project changed.
    fn assert_unharmed(&self) {
        let names: Vec<_> = fs::read_dir(self.victim()).unwrap().flatten().collect();
        assert_eq!(names.len(), 1, "{names:?}");
        assert_eq!(fs::read_to_string(self.victim().join("keys")).unwrap(), "mine");
    }
}

#[test]
fn a_link_on_the_way_to_the_output_directory_is_refused() {
    for link in ["docs", "docs/generated"] {
        let hostile = Hostile::new();
        let link = hostile.root().join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(hostile.victim(), &link).unwrap();
        fs::create_dir_all(hostile.root().join("sub")).unwrap();
        assert!(fs::read_dir(&link).unwrap().count() == 1, "the link leads to the victim");
        // The same directory, as the user may name it.
        symlink(hostile.root(), hostile.dir.path().join("alias")).unwrap();
        let alias = hostile.dir.path().join("alias/docs/generated");
        for out in [hostile.out(), alias, hostile.root().join("sub/../docs/generated")] {
            let error = hostile.fill(&out).unwrap_err().to_string();
            assert!(error.contains("symbolic link"), "{error}");
        }
        hostile.assert_unharmed();
    }
}

#[test]
fn a_link_as_output_directory_outside_of_the_project_is_refused() {
    let hostile = Hostile::new();
    let out = hostile.dir.path().join("pages");
    symlink(hostile.victim(), &out).unwrap();
    assert!(hostile.fill(&out).is_err());
    hostile.assert_unharmed();
    fs::remove_file(&out).unwrap();
    hostile.fill(&out).unwrap();
    hostile.fill(&hostile.dir.path().join("new/deep/pages")).unwrap();
}

#[test]
fn links_below_the_output_directory_are_refused() {
    for link in ["index.md", "p", "p/m.md", ".graftage-docs.json"] {
        let hostile = Hostile::new();
        let link = hostile.out().join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        let is_folder = link.ends_with("p");
        let target = if is_folder { hostile.victim() } else { hostile.victim().join("keys") };
        symlink(target, &link).unwrap();
        assert!(hostile.fill(&hostile.out()).is_err(), "{}", link.display());
        hostile.assert_unharmed();
    }
}

#[test]
fn a_link_with_a_temporary_name_is_not_written_through() {
    let hostile = Hostile::new();
    fs::create_dir_all(hostile.out()).unwrap();
    let keys = hostile.victim().join("keys");
    // The name that former versions used, and those of this process.
    symlink(&keys, hostile.out().join("index.md.graftage-tmp")).unwrap();
    for number in 0..20 {
        let name = format!(".unfinished-{}-{number}", std::process::id());
        symlink(&keys, hostile.out().join(name)).unwrap();
    }
    hostile.fill(&hostile.out()).unwrap();
    assert_eq!(fs::read_to_string(hostile.out().join("index.md")).unwrap(), "ssh-rsa AAAA");
    hostile.assert_unharmed();
}

#[test]
fn a_page_that_is_a_hard_link_is_replaced_and_not_written() {
    let hostile = Hostile::new();
    hostile.fill(&hostile.out()).unwrap();
    // The same content: it passes for a page of ours.
    let page = hostile.out().join("index.md");
    fs::hard_link(&page, hostile.dir.path().join("other")).unwrap();
    let again = pages(&[("index.md", "new"), ("p/m.md", "b")]);
    fill(&hostile.root(), &hostile.out(), &again).unwrap();
    assert_eq!(fs::read_to_string(page).unwrap(), "new");
    let other = fs::read_to_string(hostile.dir.path().join("other")).unwrap();
    assert_eq!(other, "ssh-rsa AAAA");
}

#[test]
fn a_pipe_or_a_folder_in_the_way_is_refused_at_once() {
    for name in ["index.md", ".graftage-docs.json", "p"] {
        let hostile = Hostile::new();
        fs::create_dir_all(hostile.out()).unwrap();
        let path = hostile.out().join(name);
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert!(hostile.fill(&hostile.out()).is_err(), "{name}");
        fs::remove_file(&path).unwrap();
        if name != "p" {
            fs::create_dir(&path).unwrap();
            assert!(hostile.fill(&hostile.out()).is_err(), "{name}");
        }
    }
}

#[test]
fn a_manifest_of_a_clone_that_lists_sources_removes_none() {
    let hostile = Hostile::new();
    let source = hostile.root().join("lib.rs");
    fs::write(&source, "fn f() {}").unwrap();
    let hash = ContentHash::of(b"fn f() {}");
    let manifest = format!(r#"{{"version":1,"files":{{"lib.rs":["{hash}"]}}}}"#);
    fs::write(hostile.root().join(MANIFEST), &manifest).unwrap();
    let error = hostile.fill(&hostile.root()).unwrap_err();
    assert!(matches!(error, CodeError::InTheWay { .. }), "{error}");
    assert!(source.exists());
    // The control: such an entry is read, and a page of that name would be removed.
    fs::write(hostile.root().join("old.md"), "fn f() {}").unwrap();
    fs::write(hostile.root().join(MANIFEST), manifest.replace("lib.rs", "old.md")).unwrap();
    assert_eq!(hostile.fill(&hostile.root()).unwrap().removed, 1);
}

#[test]
fn a_path_that_leaves_the_project_through_a_link_is_refused() {
    let hostile = Hostile::new();
    symlink(hostile.victim(), hostile.root().join("sub")).unwrap();
    // `sub/..` is beside the project, not in it.
    assert!(hostile.fill(&hostile.root().join("sub/../victim/pages")).is_err());
    assert!(hostile.fill(&hostile.root().join("none/../../victim/pages")).is_err());
    hostile.assert_unharmed();
}
