//! Edits of a small workspace, and the units that they make stale.

use std::fs;

use super::*;
use crate::Package;

/// A workspace of `a` (with a build script), `b` that uses it and `c` that does not, and their
/// target directory.
struct World {
    dir: tempfile::TempDir,
    files: SortedMap<ProjectPath, ContentHash>,
    workspace: CargoWorkspace,
    manifest: Manifest,
    beside: SortedSet<ProjectPath>,
    closed: SortedSet<ProjectPath>,
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
        let manifest = Manifest::new(Vec::new(), listed, SortedMap::new(), SortedSet::new());
        let (beside, closed) = (SortedSet::new(), SortedSet::new());
        Self { dir, files, workspace, manifest, beside, closed }
    }

    fn target(&self) -> TargetDir {
        TargetDir::open(self.workspace.root.join("target")).unwrap()
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
        let (files, beside, closed) = (&self.files, &self.beside, &self.closed);
        BuildSources {
            root,
            files,
            beside,
            closed,
            workspace: Some(&self.workspace),
            cargo_home: Path::new("/none"),
        }
    }

    /// The affected units by package and kind: `a lib-a`.
    fn doubtful(&self) -> Vec<String> {
        let root = self.dir.path().canonicalize().unwrap();
        let sources = self.sources(&root);
        match plan(&self.target(), &sources, Some(&self.manifest)) {
            Plan::Everything => vec!["everything".to_owned()],
            Plan::Units(units) => units
                .iter()
                .map(|unit| unit.hashes[0].trim_end_matches("-build-script-build").to_owned())
                .collect(),
        }
    }
}

#[test]
fn in_an_unchanged_tree_all_units_are_fresh() {
    assert_eq!(World::new(true).doubtful(), Vec::<String>::new());
}

#[test]
fn an_ignored_file_counts_where_a_macro_of_the_project_may_read_it() {
    let ignored = |is_macro: bool| {
        let mut world = World::new(true);
        world.workspace.packages[0].is_proc_macro = is_macro;
        let root = world.dir.path().canonicalize().unwrap();
        fs::write(root.join("local.txt"), "one").unwrap();
        world.beside.insert(ProjectPath::new("local.txt").unwrap());
        let extra = extra(&world.target(), &world.sources(&root));
        world.manifest.extra = extra;
        assert_eq!(world.doubtful(), [""; 0]);
        fs::write(root.join("local.txt"), "two").unwrap();
        world.doubtful()
    };
    assert!(ignored(true).contains(&"lib-b".to_owned()));
    assert_eq!(ignored(false), [""; 0], "units report what they read");
}

#[test]
fn what_only_one_of_two_builds_sees_affects_what_may_read_it() {
    let mut world = World::new(true);
    world.closed.insert(ProjectPath::new(".env").unwrap());
    // Build scripts, and what depends on them; `c` has none.
    let affected = world.doubtful();
    assert!(affected.contains(&"run-build-script".to_owned()), "{affected:?}");
    assert!(!affected.contains(&"bin-c".to_owned()), "{affected:?}");
    world.manifest.closed.insert(".env".to_owned());
    assert_eq!(world.doubtful(), [""; 0], "neither saw it");
    world.closed.insert(ProjectPath::new("a/new.log").unwrap());
    assert_eq!(world.doubtful(), [""; 0], "neither saw it: it is new");
    world.closed.clear();
    assert_eq!(world.doubtful(), [""; 0], "it is gone");
    fs::write(world.workspace.root.join(".env"), "x").unwrap();
    assert_eq!(world.doubtful(), affected, "and back");
    // A unit that reports that it reads a file which is not shown now.
    world.manifest.closed.clear();
    world.closed.insert(ProjectPath::new("README.md").unwrap());
    assert!(world.doubtful().contains(&"bin-c".to_owned()));
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
fn what_loads_a_macro_of_the_project_is_affected_by_each_file_that_is_no_rust_file() {
    let mut world = World::new(true);
    world.workspace.packages[0].is_proc_macro = true;
    let all = [A_AND_B.as_slice(), &["bin-c"]].concat();
    assert_eq!(world.edit("c/data.txt").doubtful(), all);
    // Without a macro, and a Rust file of another package.
    assert_eq!(World::new(true).edit("c/data.txt").doubtful(), ["bin-c"]);
}

#[test]
fn what_loads_a_macro_that_may_read_sources_is_affected_by_each_file() {
    let world_of = |manifest: &str, depends: &[&str], code: &str| {
        let mut world = World::new(true);
        let package = &mut world.workspace.packages[0];
        package.is_proc_macro = true;
        fs::write(package.dir.join("src/m.rs"), code).unwrap();
        fs::write(package.dir.join("Cargo.toml"), manifest).unwrap();
        let dependency = |name: &&str| crate::manifests::ManifestDependency {
            package: (*name).to_owned(),
            ..Default::default()
        };
        world.workspace.manifests = vec![crate::manifests::Manifest {
            name: "a".to_owned(),
            dir: package.dir.clone(),
            dependencies: depends.iter().map(dependency).collect(),
            ..Default::default()
        }];
        world.edit("c/src/main.rs").doubtful()
    };
    let world = |depends: &[&str], code: &str| {
        world_of("[lib]\nproc-macro = true\npath = \"src/m.rs\"\n", depends, code)
    };
    let all = [A_AND_B.as_slice(), &["bin-c"]].concat();
    let outside = "[lib]\nproc-macro = true\npath = \"../m.rs\"\n";
    assert_eq!(world_of(outside, &["syn"], "fn expand() {}"), all);
    assert_eq!(world(&["syn", "quote"], "fn expand() {}"), ["bin-c"]);
    assert_eq!(world(&["syn", "walkdir"], "fn expand() {}"), all);
    assert_eq!(world(&["syn"], "fn expand() { std::fs::read(\"c/src/main.rs\"); }"), all);
    // Words that are put together are in no text.
    assert_eq!(world(&["syn", "paste"], "paste! { use std::*; [<f s>]::read(p) }"), all);
    assert_eq!(world(&["syn"], "#[with(\"std::f\\x73::read\")] fn expand() {}"), all);
    assert_eq!(world(&["syn"], "fn expand() { \"\\n\\\"\"; }"), ["bin-c"]);
}

#[test]
fn a_macro_that_a_macro_of_the_project_may_have_written_may_read() {
    let affected = |is_macro: bool| {
        let mut world = World::new(true);
        for (index, name) in ["a", "b"].into_iter().enumerate() {
            let package = &mut world.workspace.packages[index];
            package.is_proc_macro = index == 1 || is_macro;
            fs::write(package.dir.join("Cargo.toml"), "[lib]\nproc-macro = true\n").unwrap();
            let (name, dir) = (name.to_owned(), package.dir.clone());
            let manifest = crate::manifests::Manifest { name, dir, ..Default::default() };
            world.workspace.manifests.push(manifest);
        }
        world.edit("c/src/main.rs").doubtful()
    };
    assert_eq!(affected(false), ["bin-c"]);
    assert_eq!(affected(true), ["lib-b", "test-integration-test-it", "bin-c"]);
}

#[test]
fn what_the_assembler_and_the_linker_may_read_affects_their_packages() {
    let all = |world: &mut World| world.edit("c/data.txt").doubtful();
    let mut world = World::new(true);
    assert_eq!(all(&mut world), ["bin-c"]);
    fs::write(world.dir.path().join("b/tests/it.rs"), "global_asm!(\".incbin 1\")").unwrap();
    assert_eq!(all(&mut world), ["lib-b", "test-integration-test-it", "bin-c"]);
    assert_eq!(World::new(true).edit("c/src/main.rs").doubtful(), ["bin-c"]);
    let mut world = World::new(true);
    let output = world.dir.path().join("target/debug/build/a-3333333333333333/output");
    fs::write(output, "cargo::rustc-link-arg=@c/data.txt\ncargo::rerun-if-changed=table.txt\n")
        .unwrap();
    assert_eq!(all(&mut world), [A_AND_B.as_slice(), &["bin-c"]].concat());
    let mut world = World::new(true);
    fs::create_dir(world.dir.path().join(".cargo")).unwrap();
    let config = world.dir.path().join(".cargo/config.toml");
    fs::write(&config, "[build]\nrustflags = [\"-Clink-arg=-Tc/data.txt\"]\n").unwrap();
    assert_eq!(all(&mut world), [A_AND_B.as_slice(), &["bin-c"]].concat());
    fs::write(config, "[build]\nrustflags = [\"-Clink-arg=-fuse-ld=lld\"]\n").unwrap();
    assert_eq!(all(&mut world), ["bin-c"]);
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
fn a_covered_fingerprint_is_none_that_cargo_could_expect() {
    let world = World::new(true);
    let root = world.dir.path().canonicalize().unwrap();
    let sources = world.sources(&root);
    let Plan::Units(units) = plan(&world.target(), &sources, None) else { panic!() };
    let upper = tempfile::tempdir().unwrap();
    cover(&Dir::open(upper.path()).unwrap(), &units).unwrap();
    for unit in &units {
        let text =
            fs::read_to_string(upper.path().join(&unit.folder).join(&unit.hashes[0])).unwrap();
        assert!(text.bytes().any(|byte| !byte.is_ascii_hexdigit()));
    }
}

#[test]
fn a_build_script_that_may_read_elsewhere_runs_again_whatever_it_declares() {
    let affected = |script: &str, edited: &str, name: &str| {
        let mut world = World::new(true);
        let root = world.dir.path().canonicalize().unwrap();
        fs::write(root.join("a/build.rs"), script).unwrap();
        world.workspace.packages[0].has_build_script = true;
        let target = |kind: &str, file: &str| crate::Target {
            kind: kind.to_owned(),
            root: root.join(file),
            ..crate::Target::default()
        };
        world.workspace.manifests = vec![crate::Manifest {
            name: "a".to_owned(),
            dir: root.join("a"),
            targets: vec![target("lib", "a/src/lib.rs"), target("build", "a/build.rs")],
            ..crate::Manifest::default()
        }];
        let dependency = |name: &str| crate::ManifestDependency {
            package: name.to_owned(),
            kind: crate::DependencyKind::Build,
            ..crate::ManifestDependency::default()
        };
        if !name.is_empty() {
            world.workspace.manifests[0].dependencies.push(dependency(name));
        }
        world.edit(edited);
        world.doubtful().contains(&"run-build-script".to_owned())
    };
    let copies = "fn main() { std::fs::copy(from(), to()).unwrap(); }";
    let writes = "fn main() { std::fs::write(to(), \"\").unwrap(); }";
    let prints = "fn main() { println!(\"{:?}\", std::env::var(\"X\")); }";
    // `c` is no dependency of `a`.
    for (script, edited, name, expected) in [
        (copies, "c/data.txt", "", true),
        (copies, "c/src/main.rs", "", true),
        (writes, "c/data.txt", "", false),
        (writes, "c/src/main.rs", "", false),
        (prints, "c/data.txt", "", false),
        (prints, "c/data.txt", "cc", true),
        (prints, "c/src/main.rs", "cc", false),
        (prints, "c/src/main.rs", "unknown", true),
        (prints, "c/data.txt", "autocfg", false),
    ] {
        assert_eq!(affected(script, edited, name), expected, "{script} {edited} {name}");
    }
}
