//! A machine for a test.

use std::path::Path;

use graftage_eval::RunEnvironment;
use project::{Settings, Surroundings};

/// A machine whose registry is `dir/cargo`; toolchain and path are those of the test.
pub(crate) fn machine(dir: &Path) -> RunEnvironment {
    let dir = dir.canonicalize().unwrap();
    let mut surroundings = Surroundings::of_process().unwrap();
    if dir.join("cargo").is_dir() {
        surroundings.cargo_home = dir.join("cargo");
    }
    surroundings.cache_dir = dir.join("cache");
    surroundings.state_dir = dir.join("state");
    let mut settings = Settings::default();
    settings.cargo_offline = true;
    RunEnvironment { settings, surroundings, sandbox: testkit::inner::sandbox() }
}
