//! What tests write is read by nothing afterwards.

use std::time::Duration;

use graftage_build::{Command, Verb};

use crate::world::{World, digest};

/// A test that forges everything that a build has left, and the sources; it fails where one of its
/// writes fails.
const FORGES: &str = r#"
use std::fs;
use std::path::{Path, PathBuf};

fn forge(path: &Path, forged: &mut usize) {
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            forge(&path, forged);
        } else {
            // The running program cannot be written, but replaced.
            let _ = fs::remove_file(&path);
            fs::write(&path, "forged").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"forged");
            *forged += 1;
        }
    }
}

#[test]
fn forges() {
    let exe = std::env::current_exe().unwrap();
    let target: PathBuf = exe.ancestors().nth(3).unwrap().to_owned();
    let mut forged = 0;
    for folder in ["deps", ".fingerprint", "incremental", "build"] {
        forge(&target.join("debug").join(folder), &mut forged);
    }
    assert!(forged > 10, "{forged}");
    fs::write(target.join(".rustc_info.json"), "{}").unwrap();
    fs::write(target.join("debug/planted"), "x").unwrap();
    for variable in ["HOME", "TMPDIR"] {
        // Plain cargo gives it no TMPDIR.
        let Some(folder) = std::env::var_os(variable).map(PathBuf::from) else { continue };
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{variable} is not empty");
        fs::write(folder.join("left"), "x").unwrap();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::write(root.join("src/lib.rs"), "compile_error!(\"forged\");").unwrap();
    fs::write(root.join("snapshot.new"), "x").unwrap();
    assert!(fs::read_to_string(root.join("src/lib.rs")).unwrap().contains("forged"));
}
"#;

const LIB: &str = "/// ```\n/// assert_eq!(p::f(), 1);\n/// ```\npub fn f() -> u32 { 1 }\n";

fn world(mut world: World) -> World {
    world.env.offline = true;
    world.depend("");
    world.write("p/src/lib.rs", LIB);
    world.write("p/tests/it.rs", FORGES);
    world
}

fn all() -> Command {
    let mut command = Command::new(Verb::Test, Duration::from_secs(300));
    command.all_targets = true;
    command
}

#[test]
fn what_a_test_forges_is_not_there_for_the_documentation_tests_and_the_next_build() {
    let world = world(World::new());
    let command = all();
    let first = world.test(&command);
    assert!(first.complete, "{:?}", first.incomplete);
    assert_eq!(first.failed, []);
    assert_eq!(first.passed, ["it::forges", "p::doc::src/lib.rs - f (line 1)"]);
    let (target, sources) = (digest(&world.at("cache/target")), digest(&world.at("p")));
    assert!(
        !world.at("cache/target/debug/planted").exists() && !world.at("p/snapshot.new").exists()
    );
    // Nothing is built again, and the tests change no byte of it.
    let second = world.test(&command);
    assert_eq!(first, second);
    assert_eq!(digest(&world.at("cache/target")), target);
    assert_eq!(digest(&world.at("p")), sources);
    assert!(!world.at("scratch/home/left").exists());
    assert_eq!(std::fs::read_dir(world.at("cache/test-runs")).unwrap().count(), 0);
    // Control: with plain cargo the same test breaks the documentation test and what is built.
    let control = world.plain_cargo_with(&["test"]);
    let printed = String::from_utf8_lossy(&control.stdout).into_owned();
    assert!(!control.status.success(), "{printed}");
    assert!(world.at("p/target/debug/planted").exists() && world.at("p/snapshot.new").exists());
}

/// There the process writes a copy at the place of the original, of all that is in the cache.
#[test]
fn without_mounts_what_a_test_forges_is_not_there_either() {
    let world = world(World::without_mounts());
    std::fs::create_dir_all(world.at("cache")).unwrap();
    std::fs::rename(world.at("p"), world.at("cache/p")).unwrap();
    let root = world.at("cache/p");
    let first = world.test_at(root.clone(), &all());
    assert_eq!(first.passed, ["it::forges", "p::doc::src/lib.rs - f (line 1)"], "{first:?}");
    assert!(first.complete, "{:?}", first.incomplete);
    let (target, sources) = (digest(&world.at("cache/target")), digest(&root));
    assert!(
        !world.at("cache/target/debug/planted").exists() && !root.join("snapshot.new").exists()
    );
    assert_eq!(world.test_at(root.clone(), &all()), first);
    assert_eq!((digest(&world.at("cache/target")), digest(&root)), (target, sources));
    assert!(!world.at("cache/target.aside").exists() && !world.at("cache/p.aside").exists());
}
