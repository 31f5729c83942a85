//! The sandbox's inner stage, for tests of crates that have no binary of their own.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// A sandbox whose inner stage is built from the current sources.
///
/// # Panics
/// If the inner stage cannot be built: no test that needs it has a result then.
pub fn sandbox() -> sandbox::Sandbox {
    sandbox::Sandbox::new(path())
}

/// The requirement of a run that accepts whatever protection the machine has.
pub fn level() -> sandbox::Level {
    sandbox::Level::BestEffort
}

/// The inner stage's executable beside the test's own; built first when it is missing or older
/// than its sources.
///
/// # Panics
/// If it cannot be built.
pub fn path() -> PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(find_or_build).clone()
}

fn find_or_build() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    // …/target/<profile>/deps/<test>, or …/target/<profile>/<program>.
    let folder = test.parent().expect("an executable is in a folder");
    let profile = if folder.ends_with("deps") || folder.ends_with("examples") {
        folder.parent().expect("`deps` is in a profile's folder")
    } else {
        folder
    };
    let inner = profile.join("graftage-sandbox-inner");
    let stamp = profile.join(".graftage-sandbox-inner.stamp");
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate has siblings");
    let newest = ["sandbox/src", "sandbox/Cargo.toml", "base/src", "untrusted_fs/src"]
        .iter()
        .map(|sources| newest_below(&crates.join(sources)))
        .max()
        .unwrap_or(SystemTime::UNIX_EPOCH);
    let is_fresh = || inner.exists() && (modified(&inner) >= newest || modified(&stamp) >= newest);
    if is_fresh() {
        return inner;
    }
    // Only one of many test processes builds it.
    let lock = File::create(profile.join(".graftage-sandbox-inner.lock")).expect("a lock file");
    lock.lock().expect("a lock");
    if is_fresh() {
        return inner;
    }
    let name = profile.file_name().and_then(|name| name.to_str()).unwrap_or("debug");
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let status = Command::new(cargo)
        .current_dir(crates)
        .args(["build", "--quiet", "--package", "graftage-sandbox"])
        .args(["--bin", "graftage-sandbox-inner"])
        .args(["--profile", if name == "debug" { "dev" } else { name }])
        .arg("--target-dir")
        .arg(profile.parent().expect("a profile is in the target folder"))
        .status()
        .expect("cargo starts");
    assert!(status.success(), "the sandbox's inner stage must build");
    File::create(&stamp).expect("a stamp file");
    inner
}

fn modified(path: &Path) -> SystemTime {
    path.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

fn newest_below(path: &Path) -> SystemTime {
    let below = std::fs::read_dir(path).into_iter().flatten().flatten();
    below.map(|entry| newest_below(&entry.path())).fold(modified(path), SystemTime::max)
}
