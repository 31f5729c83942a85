//! Lists the files besides sources that determine the result of a build: lock file, configuration,
//! toolchain. Reads none of them; the caller hashes them.

use std::path::{Path, PathBuf};

use crate::CargoEnv;

/// Configuration files that cargo, rustc, clippy and rustfmt read in a project and in the folders
/// above it.
pub(crate) const CONFIGURATION: [&str; 8] = [
    ".cargo/config.toml",
    ".cargo/config",
    "rust-toolchain.toml",
    "rust-toolchain",
    "rustfmt.toml",
    ".rustfmt.toml",
    "clippy.toml",
    ".clippy.toml",
];

/// The files besides a project's sources that determine the result of a build, whether they exist
/// or not: `Cargo.lock` and configuration (also if git ignores them), the configuration of the
/// folders above and of cargo's home, rustup's settings, and the files that differ between releases
/// of the toolchain. Absolute, in a fixed order; nothing is read.
pub fn inputs(env: &CargoEnv, root: &Path) -> Vec<PathBuf> {
    let mut files = vec![root.join("Cargo.lock")];
    for dir in root.ancestors() {
        files.extend(CONFIGURATION.map(|name| dir.join(name)));
    }
    files.extend(["config.toml", "config"].map(|name| env.host.cargo_home.join(name)));
    files.push(env.host.rustup_home.join("settings.toml"));
    let sysroot = &env.toolchain.sysroot;
    let release = ["bin/rustc", "lib/rustlib/multirust-channel-manifest.toml"];
    files.extend(release.map(|name| sysroot.join(name)));
    files
}
