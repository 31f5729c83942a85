//! Edits of a small workspace, and the units that they make stale.

use std::fs;

use base::{ContentHash, ProjectPath};

use super::*;
use crate::Package;

/// A workspace of `a` (with a build script), `b` that uses it and `c` that does not, and their
/// target directory.
struct World {
    dir: tempfile::TempDir,
    files: SortedMap<ProjectPath, ContentHash>,
    workspace: CargoWorkspace,
    manifest: Manifest,
    closed: SortedSet<ProjectPath>,
}

/// Writes what a unit learned: lines of a letter, a blank and a path below the root.
fn record_of(root: &Path, unit: &str, lines: &[&str]) {
    let folder = root.join("target/.reads");
    fs::create_dir_all(&folder).unwrap();
    let line = |it: &&str| match it.split_once(' ') {
        Some((letter, path)) => format!("{letter} {}\0", root.join(path).display()),
        None => format!("{it}\0"),
    };
    fs::write(folder.join(unit), lines.iter().map(line).collect::<String>()).unwrap();
}

const FILES: [&str; 9] = [
    "a/src/lib.rs",
    "a/src/m.rs",
    "a/build.rs",
    "a/table.txt",
    "a/notes.md",
    "b/src/lib.rs",
    "b/tests/it.rs",
    "c/src/main.rs",
    "README.md",
];

impl World {
    fn new(declares: bool) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for file in FILES {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), file).unwrap();
        }
        // Packages of registries: none.
        fs::write(root.join("Cargo.lock"), "").unwrap();
        let files: SortedMap<_, _> = FILES
            .iter()
            .map(|file| (ProjectPath::new(file).unwrap(), ContentHash::of(file.as_bytes())))
            .collect();
        let package = |name: &str, depends_on: &[&str]| Package {
            name: name.into(),
            dir: root.join(name),
            depends_on: depends_on.iter().map(|it| (*it).to_owned()).collect(),
            member: true,
            ..Package::default()
        };
        let workspace = CargoWorkspace {
            packages: vec![package("a", &[]), package("b", &["a"]), package("c", &[])],
            root: root.clone(),
            outside: Vec::new(),
            manifests: Vec::new(),
        };
        let debug = root.join("target/debug");
        let unit = |package: &str, hash: &str, name: &str, dep_info: &str, read: &[&str]| {
            let folder = debug.join(format!(".fingerprint/{package}-{hash}"));
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(name), "0123456789abcdef").unwrap();
            fs::write(folder.join(format!("{name}.json")), "{}").unwrap();
            let record = if dep_info.is_empty() { "run-" } else { "" };
            record_of(&root, &format!("{record}{package}-{hash}"), &[]);
            if !dep_info.is_empty() {
                let path = debug.join(dep_info);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let lines: Vec<_> = read.iter().map(|file| format!("{file}:")).collect();
                fs::write(path, format!("x: {}\n\n{}\n", read.join(" "), lines.join("\n")))
                    .unwrap();
            }
        };
        let (h1, h2, h3) = ("1111111111111111", "2222222222222222", "3333333333333333");
        let (h4, h5, h6) = ("4444444444444444", "5555555555555555", "6666666666666666");
        let h7 = "7777777777777777";
        unit("a", h1, "lib-a", &format!("deps/a-{h1}.d"), &["a/src/lib.rs", "a/src/m.rs"]);
        unit(
            "a",
            h2,
            "build-script-build-script-build",
            &format!("build/a-{h2}/build_script_build-{h2}.d"),
            &["a/build.rs"],
        );
        unit("a", h3, "run-build-script-build-script-build", "", &[]);
        unit("b", h4, "lib-b", &format!("deps/b-{h4}.d"), &["b/src/lib.rs"]);
        unit("b", h5, "test-integration-test-it", &format!("deps/it-{h5}.d"), &["b/tests/it.rs"]);
        unit("c", h6, "bin-c", &format!("deps/c-{h6}.d"), &["c/src/main.rs", "c/../README.md"]);
        unit("serde", h7, "lib-serde", &format!("deps/serde-{h7}.d"), &["/registry/serde/lib.rs"]);
        fs::create_dir_all(debug.join(format!("build/a-{h3}"))).unwrap();
        let output = if declares { "cargo::rerun-if-changed=table.txt\n" } else { "\n" };
        fs::write(debug.join(format!("build/a-{h3}/output")), output).unwrap();
        let listed = files.iter().map(|(path, hash)| (path.to_string(), Some(*hash))).collect();
        let manifest = Manifest::new(Vec::new(), listed, Besides::default(), SortedSet::new());
        Self { dir, files, workspace, manifest, closed: SortedSet::new() }
    }

    fn target(&self) -> TargetDir {
        let path = self.workspace.root.join("target");
        TargetDir::open(path, "/t/target".into(), SortedSet::new()).unwrap()
    }

    fn edit(&mut self, path: &str) -> &mut Self {
        self.files.insert(ProjectPath::new(path).unwrap(), ContentHash::of(b"edited"));
        self
    }

    fn remove(&mut self, path: &str) -> &mut Self {
        self.files.remove(&ProjectPath::new(path).unwrap());
        self
    }

    fn sources<'a>(&'a self, root: &'a Path) -> BuildSources<'a> {
        let (files, closed) = (&self.files, &self.closed);
        BuildSources { root, files, closed, workspace: Some(&self.workspace) }
    }

    /// The affected units by package and kind: `a lib-a`.
    fn doubtful(&self) -> Vec<String> {
        let root = self.dir.path().canonicalize().unwrap();
        let sources = self.sources(&root);
        match plan(&self.target(), &sources, Some(&self.manifest)) {
            Plan::Everything => vec!["everything".to_owned()],
            Plan::Units(units) => units
                .iter()
                .map(|unit| {
                    let folder = Dir::open(&root.join("target").join(&unit.folder)).unwrap();
                    let name = folder.entries(9).unwrap().remove(0).name.into_string().unwrap();
                    name.trim_end_matches("-build-script-build").to_owned()
                })
                .collect(),
        }
    }
}

#[test]
fn in_an_unchanged_tree_all_units_are_fresh() {
    assert_eq!(World::new(true).doubtful(), Vec::<String>::new());
}

/// A time after all changes.
const LATER: Option<(i64, i64)> = Some((i64::MAX, 0));
/// The record of the binary of `c`, which no other unit depends on.
const C: &str = "c-6666666666666666";

impl World {
    fn root(&self) -> PathBuf {
        self.workspace.root.clone()
    }

    /// The unit learned of this, and the directory was built from the present tree.
    fn learn(&mut self, unit: &str, lines: &[&str]) -> &mut Self {
        record_of(&self.root(), unit, lines);
        self.remember(LATER);
        self
    }

    /// The directory was built from the present tree, at this time.
    fn remember(&mut self, started: Option<(i64, i64)>) {
        let Besides { extra, rights } =
            besides(&self.target(), &self.sources(&self.root()), started);
        (self.manifest.extra, self.manifest.rights) = (extra, rights);
    }
}

#[test]
fn a_unit_is_affected_by_what_it_read_whatever_it_reports() {
    for unit in [C, "run-a-3333333333333333"] {
        let affected = if unit == C { vec!["bin-c"] } else { A_AND_B.to_vec() };
        let after = |lines: &[&str], change: &dyn Fn(&mut World)| {
            let mut world = World::new(true);
            fs::write(world.root().join("local.txt"), "one").unwrap();
            fs::create_dir_all(world.root().join("ignored")).unwrap();
            assert_eq!(world.learn(unit, lines).doubtful(), [""; 0], "{lines:?}");
            change(&mut world);
            let found = world.doubtful();
            let is_in = |it: &&str| found.iter().any(|found| found == it);
            affected.iter().all(is_in)
        };
        let write = |path: &'static str| {
            move |world: &mut World| fs::write(world.root().join(path), "two").unwrap()
        };
        // Files of another package, and of none.
        assert!(after(&["f b/tests/it.rs"], &|world| _ = world.edit("b/tests/it.rs")));
        assert!(after(&["n b/tests/it.rs"], &|world| _ = world.remove("b/tests/it.rs")));
        assert!(after(&["n b/new.txt"], &|world| _ = world.edit("b/new.txt")));
        assert!(!after(&["f b/src/lib.rs"], &|world| _ = world.edit("b/tests/it.rs")));
        // A file that git ignores, or that is not there.
        assert!(after(&["f local.txt"], &write("local.txt")));
        assert!(after(&["n ignored/x"], &write("ignored/x")));
        assert!(!after(&["f local.txt"], &write("ignored/x")));
        // Rights, of a source as well.
        let chmod = |path: &'static str| {
            move |world: &mut World| {
                let rights = std::os::unix::fs::PermissionsExt::from_mode(0o500);
                fs::set_permissions(world.root().join(path), rights).unwrap();
            }
        };
        assert!(after(&["n local.txt"], &chmod("local.txt")));
        assert!(
            after(&["d ignored"], &chmod("ignored")) && !after(&["d ignored"], &chmod("local.txt"))
        );
        // The names in a folder, and a folder itself.
        assert!(after(&["d ignored"], &write("ignored/x")));
        assert!(after(&["d b/tests"], &|world| _ = world.edit("b/tests/new.rs")));
        assert!(after(&["d b/tests"], &|world| _ = world.remove("b/tests/it.rs")));
        assert!(after(&["d b"], &|world| _ = world.remove("b/tests/it.rs")));
        assert!(after(&["n b/tests"], &|world| _ = world.remove("b/tests/it.rs")));
        assert!(after(&["n b/data"], &|world| _ = world.edit("b/data/new.txt")));
        assert!(!after(&["d b/tests"], &|world| _ = world.edit("b/tests/it.rs")));
        assert!(!after(&["n b/tests"], &|world| _ = world.edit("b/tests/new.rs")));
    }
}

#[test]
fn what_changes_while_a_build_runs_equals_nothing() {
    let mut world = World::new(true);
    fs::write(world.root().join("local.txt"), "one").unwrap();
    world.learn(C, &["f local.txt", "n none.txt"]);
    assert_eq!(world.doubtful(), [""; 0]);
    let started = Dir::open(&world.root()).unwrap().changed_at("local.txt").unwrap();
    world.remember(started);
    assert_eq!(world.doubtful(), ["bin-c"]);
}

#[test]
fn a_unit_of_which_not_all_is_known_is_never_fresh() {
    let affected = |prepare: &dyn Fn(&Path)| {
        let mut world = World::new(true);
        prepare(&world.root());
        world.remember(LATER);
        world.doubtful()
    };
    assert_eq!(affected(&|root| record_of(root, C, &["u", "f b/src/lib.rs"])), ["bin-c"]);
    assert_eq!(
        affected(&|root| fs::remove_file(root.join("target/.reads").join(C)).unwrap()),
        ["bin-c"]
    );
    // Two records for one hash, a name that is no text, and a link.
    assert_eq!(affected(&|root| record_of(root, "x-6666666666666666", &[])), ["bin-c"]);
    let not_text = |root: &Path| {
        let line = [b"f ", root.as_os_str().as_encoded_bytes(), b"/b/\xff\0"].concat();
        fs::write(root.join("target/.reads").join(C), line).unwrap();
    };
    assert_eq!(affected(&not_text), ["bin-c"]);
    let link = |root: &Path| {
        std::os::unix::fs::symlink("b", root.join("link")).unwrap();
        record_of(root, C, &["f b/src/lib.rs", "n link/src/lib.rs"]);
    };
    assert_eq!(affected(&link), ["bin-c"]);
}

#[test]
fn a_package_of_a_registry_that_read_a_changed_file_leaves_nothing() {
    let mut world = World::new(true);
    world.learn("run-serde-7777777777777777", &["f README.md", "f b/src/lib.rs"]);
    assert_eq!(world.doubtful(), [""; 0]);
    assert_eq!(world.edit("b/tests/it.rs").doubtful(), ["lib-b", "test-integration-test-it"]);
    assert_eq!(world.edit("b/src/lib.rs").doubtful(), ["everything"]);
}

#[test]
fn what_only_one_of_two_builds_sees_affects_what_read_it() {
    let mut world = World::new(true);
    world.learn(C, &["n .env"]);
    world.closed.insert(ProjectPath::new(".env").unwrap());
    assert_eq!(world.doubtful(), ["bin-c"]);
    world.manifest.closed.insert(".env".to_owned());
    assert_eq!(world.doubtful(), [""; 0], "neither saw it");
    world.closed.insert(ProjectPath::new("a/new.log").unwrap());
    assert_eq!(world.doubtful(), [""; 0], "neither saw it: it is new");
    world.closed.clear();
    assert_eq!(world.doubtful(), [""; 0], "it is gone");
    fs::write(world.workspace.root.join(".env"), "x").unwrap();
    assert_eq!(world.doubtful(), ["bin-c"], "and back");
    // What is in it, or beside it in a folder whose names were read.
    for (line, key) in [("f c/src/main.rs", "c/src"), ("d b", "b/.env"), ("d b/src", "b")] {
        let mut world = World::new(true);
        world.learn("run-a-3333333333333333", &[line]);
        assert_eq!(world.doubtful(), [""; 0]);
        world.closed.insert(ProjectPath::new(key).unwrap());
        assert!(world.doubtful().contains(&"run-build-script".to_owned()), "{line} {key}");
    }
}

const A_AND_B: [&str; 5] =
    ["lib-a", "build-script", "run-build-script", "lib-b", "test-integration-test-it"];

#[test]
fn an_edit_affects_all_units_of_its_package_and_of_its_dependents() {
    for file in ["a/src/m.rs", "a/build.rs", "a/table.txt", "a/notes.md", "a/src/m/mod.rs"] {
        assert_eq!(World::new(true).edit(file).doubtful(), A_AND_B, "{file}");
        assert_eq!(World::new(false).edit(file).doubtful(), A_AND_B, "{file}");
    }
    let b = ["lib-b", "test-integration-test-it"];
    assert_eq!(World::new(true).edit("b/tests/it.rs").doubtful(), b);
    assert_eq!(World::new(true).remove("b/tests/it.rs").doubtful(), b);
    assert_eq!(World::new(true).edit("c/src/main.rs").doubtful(), ["bin-c"]);
}

#[test]
fn what_units_report_of_their_inputs_only_adds_to_what_is_rebuilt() {
    let forged = |text: &str| {
        let mut world = World::new(true);
        let debug = world.workspace.root.join("target/debug");
        fs::write(debug.join("deps/a-1111111111111111.d"), text).unwrap();
        world.edit("a/src/m.rs").doubtful()
    };
    // Dependency files that do not name the edited file, or only a file that does not change.
    assert_eq!(forged("x: a/src/lib.rs\n\na/src/lib.rs:\n"), A_AND_B);
    assert_eq!(forged("x: c/src/main.rs\n\nc/src/main.rs:\n"), A_AND_B);
    assert_eq!(forged(""), A_AND_B);
    // A unit of another package that does not depend on it, and reads its file.
    let mut world = World::new(true);
    let debug = world.workspace.root.join("target/debug");
    fs::write(debug.join("deps/c-6666666666666666.d"), "x: a/src/m.rs\n\na/src/m.rs:\n").unwrap();
    assert_eq!(world.edit("a/src/m.rs").doubtful(), [A_AND_B.as_slice(), &["bin-c"]].concat());
}

#[test]
fn a_file_of_no_package_affects_all_local_units() {
    assert_eq!(World::new(true).edit("README.md").doubtful().len(), 6);
}

#[test]
fn without_a_manifest_nothing_local_is_fresh_and_dependencies_are() {
    let world = World::new(true);
    let root = world.dir.path().canonicalize().unwrap();
    let sources = world.sources(&root);
    match plan(&world.target(), &sources, None) {
        Plan::Units(units) => {
            assert_eq!(units.len(), 6);
            assert!(units.iter().all(|unit| unit.package != "serde"));
        }
        Plan::Everything => panic!("the layout is known"),
    }
}

#[test]
fn an_unknown_layout_and_an_unreadable_workspace_leave_nothing() {
    let world = World::new(true);
    let root = world.dir.path().canonicalize().unwrap();
    let sources = BuildSources { workspace: None, ..world.sources(&root) };
    assert_eq!(plan(&world.target(), &sources, Some(&world.manifest)), Plan::Everything);
    fs::rename(root.join("target/debug/.fingerprint"), root.join("target/debug/other")).unwrap();
    assert_eq!(world.doubtful(), ["everything"]);
}

#[test]
fn all_that_stale_units_left_is_covered_and_nothing_else() {
    let world = World::new(true);
    let root = world.dir.path().canonicalize().unwrap();
    let debug = root.join("target/debug");
    for path in ["deps/liba-1111111111111111.rmeta", "deps/libserde-7777777777777777.rmeta", "c"] {
        fs::write(debug.join(path), "built").unwrap();
    }
    fs::create_dir_all(debug.join("build/a-3333333333333333/out")).unwrap();
    let sources = world.sources(&root);
    let Plan::Units(units) = plan(&world.target(), &sources, None) else { panic!() };
    let upper = tempfile::tempdir().unwrap();
    cover(&Dir::open(upper.path()).unwrap(), &units).unwrap();
    let is_covered = |path: &str| {
        use std::os::unix::fs::FileTypeExt;
        let covered = fs::symlink_metadata(upper.path().join("debug").join(path));
        covered.is_ok_and(|it| it.file_type().is_char_device())
    };
    assert!(is_covered(".fingerprint/a-1111111111111111") && is_covered("c"));
    assert!(is_covered("deps/liba-1111111111111111.rmeta"));
    assert!(is_covered("deps/a-1111111111111111.d") && is_covered("build/a-3333333333333333"));
    assert!(!is_covered("deps/libserde-7777777777777777.rmeta"));
    // Twice is as once.
    cover(&Dir::open(upper.path()).unwrap(), &units).unwrap();
}
