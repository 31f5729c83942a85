//! [`Trust`]: the folders outside a project that builds may read. Only the user sets it, never a
//! file of a project.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Folders outside a project that the user allows builds to read, with everything below them. Only
/// the user's configuration and flags set it, never a file of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trust {
    folders: Vec<PathBuf>,
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
        Self { folders }
    }

    /// Whether `path`, canonicalized, is one of the folders or below one.
    pub fn covers(&self, path: &Path) -> bool {
        path.canonicalize()
            .is_ok_and(|real| self.folders.iter().any(|folder| real.starts_with(folder)))
    }

    /// The canonical folders, sorted.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
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
        assert_eq!(trust.folders(), [at("lib").canonicalize().unwrap()]);
        for inside in ["lib", "lib/inner", "alias/inner"] {
            assert!(trust.covers(&at(inside)), "{inside}");
        }
        for outside in ["libs", "other", "lib/out", "lib/../other", "gone", "."] {
            assert!(!trust.covers(&at(outside)), "{outside}");
        }
    }
}
