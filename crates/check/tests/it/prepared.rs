//! Packages are prepared before anything of a project runs; nothing that it prints starts a download.

use std::os::unix::fs::PermissionsExt as _;

use graftage_check::Ladder;

use crate::kit::{Kit, kit, online, over, rungs};

/// No server is there.
const REGISTRY: &str = "sparse+http://127.0.0.1:1/";
const CONFIG: &str =
    "[registries.test]\nindex = \"sparse+http://127.0.0.1:1/\"\n[net]\nretry = 0\n";

/// Whether a download has started: it makes the folders of the registry first.
fn has_started(kit: &Kit) -> bool {
    kit.project.beside("cargo").join("registry").exists()
}

/// A package with this library and a member that its lock file does not have.
fn with_member(library: &str) -> Kit {
    kit(&format!(
        "
//- /Cargo.toml
[package]
name = \"x\"
version = \"0.1.0\"
edition = \"2021\"
[workspace]
members = [\"y\"]
//- /src/lib.rs
{library}
//- /y/Cargo.toml
[package]
name = \"y\"
version = \"0.1.0\"
edition = \"2021\"
//- /y/src/lib.rs
"
    ))
}

#[test]
fn what_a_compiler_of_the_project_prints_starts_no_download() {
    let project = testkit::crate_project("pub fn f() {}\n");
    let manifest = project.path("Cargo.toml").display().to_string();
    project.write(
        "evil.sh",
        format!(
            "#!/bin/sh\necho 'stolen = {{ version = \"1\", registry = \"test\" }}' >> {manifest}\necho \
             'error: failed to download, --offline was specified' >&2\nexit 101\n"
        ),
    );
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(project.path("evil.sh"), mode).unwrap();
    project.write(".cargo/config.toml", format!("{CONFIG}[build]\nrustc = \"./evil.sh\"\n"));
    let kit = online(project, REGISTRY);
    let before = kit.project.digest();
    let checked = kit.baseline(&Ladder::default());
    let failure = checked.failure.clone().unwrap_or_default();
    assert!(
        failure.contains("failed to download"),
        "the program ran: {failure} {}",
        rungs(&checked)
    );
    assert!(!failure.contains("could not be downloaded"), "{failure}");
    assert!(!has_started(&kit));
    assert_eq!(kit.project.digest(), before);
    // Control: for a package that the tree itself names, a download begins.
    let text = format!("{}\n[dependencies]\nown = {{ version = \"1\", registry = \"test\" }}\n", {
        kit.project.read("Cargo.toml")
    });
    kit.project.write("Cargo.toml", text);
    kit.project.write(".cargo/config.toml", CONFIG);
    let checked = kit.baseline(&Ladder::default());
    let failure = checked.failure.unwrap_or_default();
    assert!(failure.contains("the dependencies could not be downloaded"), "{failure}");
    assert!(has_started(&kit));
}

#[test]
fn a_lock_file_that_a_proof_needs_is_in_its_view_alone() {
    let kit = with_member(
        "pub fn f() -> bool { include_str!(\"../Cargo.lock\").contains(\"name = \\\"y\\\"\") }",
    );
    let before = kit.project.digest();
    let ladder = Ladder::default();
    let own = "pub fn f() -> usize { include_str!(\"../Cargo.lock\").len() }\n";
    let checked = kit.prove(&[("src/lib.rs", Some(own))], &ladder);
    assert!(checked.passed(), "{} {:?}", rungs(&checked), checked.failure);
    let changed: Vec<String> = checked.overlay.changes().map(|it| it.0.to_string()).collect();
    assert_eq!(changed, ["src/lib.rs"]);
    assert_eq!(kit.project.digest(), before, "the tree has no lock file");
}

#[test]
fn a_preparation_is_kept_for_later_commands_until_something_changes() {
    const VENDORED: &str =
        "[source.crates-io]\nreplace-with = \"own\"\n[source.own]\ndirectory = \"v\"\n";
    let mut kit = with_member("");
    let file = kit.prover.project().cache_dir().join("packages.json");
    let kept = || std::fs::read_to_string(&file).unwrap_or_default();
    kit.baseline(&Ladder::default());
    // A new preparation would replace the mark.
    let marked = kept().replace("\"chose_versions\":false", "\"chose_versions\":true");
    assert!(marked != kept(), "{marked}");
    std::fs::write(&file, &marked).unwrap();
    kit = over(kit.project);
    let checked = kit.baseline(&Ladder::default());
    assert!(
        checked.passed(),
        "{} {:?} {:?}",
        rungs(&checked),
        checked.failure,
        checked.diagnostics
    );
    assert_eq!(kept(), marked, "the kept one is used");
    kit.project.write("Cargo.toml", format!("{}# changed\n", kit.project.read("Cargo.toml")));
    kit = over(kit.project);
    kit.baseline(&Ladder::default());
    assert_eq!(kept().matches("\"key\"").count(), 2, "another manifest is prepared");
    // What vendored packages there are is not seen, so a choice among them is not kept.
    kit.project.write(".cargo/config.toml", VENDORED);
    std::fs::create_dir(kit.project.path("v")).unwrap();
    kit = over(kit.project);
    assert!(kit.baseline(&Ladder::default()).passed());
    assert_eq!(kept().matches("\"key\"").count(), 2);
}

#[test]
fn a_workspace_is_kept_for_later_commands_until_something_decides() {
    let mut kit = kit("
//- /Cargo.toml
[package]
name = \"x\"
version = \"0.1.0\"
edition = \"2021\"
[workspace]
members = [\"y/*\"]
//- /.gitignore
/y/ignored
/target
//- /src/lib.rs
//- /y/z/Cargo.toml
[package]
name = \"z\"
version = \"0.1.0\"
edition = \"2021\"
//- /y/z/src/lib.rs
");
    let file = kit.prover.project().cache_dir().join("workspaces.json");
    let kept = || std::fs::read_to_string(&file).unwrap_or_default();
    let names = |kit: &Kit| {
        let workspace = kit.prover.workspace(&kit.ctx).unwrap().unwrap();
        workspace.packages.iter().map(|it| it.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&kit), ["x", "z"]);
    // cargo would not find this name.
    let marked = kept().replace("\"name\":\"z\"", "\"name\":\"kept\"");
    std::fs::write(&file, &marked).unwrap();
    kit = over(kit.project);
    assert_eq!(names(&kit), ["x", "kept"]);
    kit.project.write("src/lib.rs", "pub fn f() {}\n");
    kit = over(kit.project);
    assert_eq!(names(&kit), ["x", "kept"], "no code decides");
    kit = over(kit.project);
    kit.prover = kit.prover.for_agents(true);
    assert_eq!(names(&kit), ["x", "z"], "agents do not see the whole tree");
    let manifest = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n");
    let steps = [
        ("y/z/tests/t.rs", String::new(), &["x", "z"][..]),
        ("y/z/Cargo.toml", manifest("other"), &["other", "x"]),
        // Of another repository, which git ignores.
        ("y/ignored/Cargo.toml", manifest("a"), &["a", "other", "x"]),
        // Not kept: its manifest is no file of the tree.
        ("y/ignored/Cargo.toml", manifest("b"), &["b", "other", "x"]),
    ];
    for (path, text, expected) in steps {
        if path.starts_with("y/ignored") {
            kit.project.write("y/ignored/.git", "");
            kit.project.write("y/ignored/src/lib.rs", "");
        }
        kit.project.write(path, text);
        kit = over(kit.project);
        assert_eq!(names(&kit), expected, "{path}");
    }
    assert!(!kept().contains("\"name\":\"b\""));
}
