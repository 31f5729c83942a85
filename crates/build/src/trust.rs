//! [`Trust`]: the folders outside a project that builds may read, and the addresses that only a
//! project names and downloads may contact. Only the user sets it, never a file of a project.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Folders outside a project that the user allows builds to read, with everything below them, and
/// package sources that the user allows downloads to contact. Only the user's configuration and
/// flags set it, never a file of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trust {
    folders: Vec<PathBuf>,
    registries: Vec<String>,
}

/// The name of the public registry in lock files: every cargo contacts it.
const PUBLIC: &str = "https://github.com/rust-lang/crates.io-index";

/// An address without the parts that do not change which server is contacted: the protocol of the
/// index, a slash at the end.
fn bare(address: &str) -> &str {
    let mut address = address.trim();
    for prefix in ["registry+", "sparse+", "git+"] {
        address = address.strip_prefix(prefix).unwrap_or(address);
    }
    address.trim_end_matches('/')
}

impl Trust {
    /// Canonicalizes the folders. Leaves out missing ones and the root of the file system.
    pub fn new<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> Self {
        let mut folders: Vec<PathBuf> = folders
            .into_iter()
            .filter_map(|folder| folder.as_ref().canonicalize().ok())
            .filter(|folder| folder.is_dir() && folder.parent().is_some())
            .collect();
        folders.sort();
        folders.dedup();
        Self { folders, registries: Vec::new() }
    }

    /// Adds the addresses of registries and other package sources that downloads may contact.
    #[must_use]
    pub fn with_registries<S: AsRef<str>>(
        mut self,
        addresses: impl IntoIterator<Item = S>,
    ) -> Self {
        self.registries.extend(addresses.into_iter().map(|it| bare(it.as_ref()).to_owned()));
        self
    }

    /// Whether a download may contact the address although only the project names it.
    pub fn allows(&self, address: &str) -> bool {
        let address = bare(address);
        address == PUBLIC || self.registries.iter().any(|it| it == address)
    }

    /// Whether `path`, canonicalized, is one of the folders or below one.
    pub fn covers(&self, path: &Path) -> bool {
        path.canonicalize()
            .is_ok_and(|real| self.folders.iter().any(|folder| real.starts_with(folder)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_trusted_with_all_below_it_and_by_where_it_really_is() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["lib/inner", "libs", "other"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        std::os::unix::fs::symlink(at("other"), at("lib/out")).unwrap();
        std::os::unix::fs::symlink(at("lib"), at("alias")).unwrap();
        let trust = Trust::new([at("alias"), at("gone"), PathBuf::from("/")]);
        assert_eq!(trust.folders, [at("lib").canonicalize().unwrap()]);
        for inside in ["lib", "lib/inner", "alias/inner"] {
            assert!(trust.covers(&at(inside)), "{inside}");
        }
        for outside in ["libs", "other", "lib/out", "lib/../other", "gone", "."] {
            assert!(!trust.covers(&at(outside)), "{outside}");
        }
    }
    #[test]
    fn an_address_is_allowed_by_its_whole_text() {
        let trust = Trust::default().with_registries(["sparse+https://own.example/index/"]);
        for allowed in [
            "sparse+https://own.example/index/",
            "registry+https://own.example/index",
            "registry+https://github.com/rust-lang/crates.io-index",
        ] {
            assert!(trust.allows(allowed), "{allowed}");
        }
        for other in [
            "https://own.example/",
            "https://own.example/index/more",
            "https://own.example.evil/index",
            "http://own.example/index",
            "https://evil@own.example/index",
            "https://own.example/index?x",
            "",
        ] {
            assert!(!trust.allows(other), "{other}");
        }
    }
}
