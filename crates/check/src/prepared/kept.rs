//! Preparations of earlier commands, in the cache folder: while nothing that they depend on has changed,
//! a command need not run cargo to learn that all packages are there. Start at [`KeptPackages`].

use std::path::Path;

use base::ContentHash;
use build::Prepared;
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;
const FILE: &str = "packages.json";
/// Maximum size in bytes.
const LARGEST: u64 = 64 << 20;

/// The complete preparations of a project, oldest first. They only save time: where the file is missing
/// or damaged, or a package has vanished without a trace, cargo finds it out.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptPackages {
    version: u32,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    key: ContentHash,
    lock: Option<String>,
    chose_versions: bool,
}

impl KeptPackages {
    /// Reads them from the project's cache folder.
    pub(super) fn read(folder: &Path) -> Self {
        let read = || -> Option<Self> {
            let bytes = untrusted_fs::open_inner(folder).ok()??.read(FILE, LARGEST).ok()??.bytes;
            serde_json::from_slice(&bytes).ok().filter(|it: &Self| it.version == VERSION)
        };
        read().unwrap_or_default()
    }

    pub(super) fn get(&self, key: ContentHash) -> Option<Prepared> {
        let row = self.rows.iter().find(|row| row.key == key)?;
        let (lock, chose_versions) = (row.lock.clone(), row.chose_versions);
        Some(Prepared { lock, chose_versions, complete: true, ..Prepared::default() })
    }

    /// Adds one, of `most`, and writes them all to the project's cache folder.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub(super) fn add(
        mut self,
        folder: &Path,
        key: ContentHash,
        found: &Prepared,
        most: usize,
    ) -> std::io::Result<()> {
        self.version = VERSION;
        self.rows.retain(|row| row.key != key);
        let (lock, chose_versions) = (found.lock.clone(), found.chose_versions);
        self.rows.push(Row { key, lock, chose_versions });
        let surplus = self.rows.len().saturating_sub(most);
        self.rows.drain(..surplus);
        let bytes = serde_json::to_vec(&self)?;
        Ok(untrusted_fs::make_own(folder)?.replace(FILE, &[&bytes], 0o600)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_survive_the_command_and_the_oldest_go() {
        let dir = tempfile::tempdir().unwrap();
        let key = |number: u8| ContentHash::of(&[number]);
        let found = Prepared {
            lock: Some("version = 4".to_owned()),
            chose_versions: true,
            complete: true,
            ..Prepared::default()
        };
        for number in 0..3 {
            KeptPackages::read(dir.path()).add(dir.path(), key(number), &found, 2).unwrap();
        }
        let kept = KeptPackages::read(dir.path());
        assert_eq!([0, 1, 2].map(|it| kept.get(key(it)).is_some()), [false, true, true]);
        assert_eq!(kept.get(key(2)), Some(found));
        std::fs::write(dir.path().join(FILE), "{").unwrap();
        assert!(KeptPackages::read(dir.path()).get(key(2)).is_none());
    }
}
