//! The state of the folders that hold the sources of packages.

use std::path::Path;

use base::{ContentHash, Hasher};

use super::config::ReducedConfig;
use crate::{CargoEnv, HostEnv};

/// Maximum number of folders of one folder that are looked at.
const ENTRIES: usize = 10_000;

/// A hash that changes when a package is added to the user's registry or git checkouts, or removed from
/// them: of the identity and time of each folder that lists packages.
pub fn package_folders(host: &HostEnv) -> ContentHash {
    let mut hasher = Hasher::new();
    for (folder, depth) in [("registry/src", 1), ("git/checkouts", 2)] {
        // The user may have put it elsewhere by a link.
        let path = host.cargo_home.join(folder);
        add(&mut hasher, &path.canonicalize().unwrap_or(path), depth);
    }
    hasher.finish()
}

/// Whether the configuration names sources of packages, such as a folder of vendored ones: what is in them
/// is no part of [`package_folders`].
pub fn names_sources(env: &CargoEnv, root: &Path) -> bool {
    ReducedConfig::collect(root, &env.host, &env.trust).names_sources()
}

fn add(hasher: &mut Hasher, path: &Path, depth: usize) {
    let Ok(dir) = untrusted_fs::Dir::open(path) else { return };
    let Ok(stat) = rustix::fs::fstat(&dir) else { return };
    let time = format!("{} {}", stat.st_mtime, stat.st_mtime_nsec);
    let identity = format!("{} {} {time}", stat.st_dev, stat.st_ino);
    hasher.field(path.as_os_str().as_encoded_bytes()).field(identity.as_bytes());
    if depth == 0 {
        return;
    }
    for entry in dir.entries(ENTRIES).unwrap_or_default() {
        add(hasher, &path.join(&entry.name), depth - 1);
    }
}
