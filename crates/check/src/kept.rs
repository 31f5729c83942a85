//! Answers of cargo to earlier commands, in the cache folder: while nothing that one depends on has changed, a
//! command need not run cargo to learn it again. Start at [`Kept`].

use std::path::Path;

use base::ContentHash;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Maximum size of a file in bytes.
const LARGEST: u64 = 64 << 20;

/// An answer of cargo that outlives a command.
pub(crate) trait Keep: Serialize + DeserializeOwned {
    /// Name of the file in the project's cache folder.
    const FILE: &str;
    /// Version of its form.
    const VERSION: u32;
}

/// The answers of one kind for a project, by what each depends on, oldest first. They only save time: where the
/// file is missing or damaged, cargo is asked.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept<T> {
    version: u32,
    rows: Vec<Row<T>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row<T> {
    key: ContentHash,
    answer: T,
}

impl<T: Keep> Kept<T> {
    /// Reads them from the project's cache folder.
    pub(crate) fn read(folder: &Path) -> Self {
        let read = || -> Option<Self> {
            let folder = untrusted_fs::open_inner(folder).ok()??;
            let bytes = folder.read(T::FILE, LARGEST).ok()??.bytes;
            serde_json::from_slice(&bytes).ok().filter(|it: &Self| it.version == T::VERSION)
        };
        read().unwrap_or_else(|| Self { version: T::VERSION, rows: Vec::new() })
    }

    /// Takes the answer for `key` out.
    pub(crate) fn take(&mut self, key: ContentHash) -> Option<T> {
        let place = self.rows.iter().position(|row| row.key == key)?;
        Some(self.rows.remove(place).answer)
    }

    /// Adds one, of `most`, and writes them all to the project's cache folder. Where that fails the next command
    /// asks cargo again.
    pub(crate) fn add(mut self, folder: &Path, key: ContentHash, answer: T, most: usize) {
        self.rows.retain(|row| row.key != key);
        self.rows.push(Row { key, answer });
        let surplus = self.rows.len().saturating_sub(most);
        self.rows.drain(..surplus);
        if let (Ok(bytes), Ok(folder)) = (serde_json::to_vec(&self), untrusted_fs::make_own(folder))
        {
            let _ = folder.replace(T::FILE, &[&bytes], 0o600);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Keep for String {
        const FILE: &str = "texts.json";
        const VERSION: u32 = 3;
    }

    #[test]
    fn they_survive_the_command_and_the_oldest_go() {
        let dir = tempfile::tempdir().unwrap();
        let key = |number: u8| ContentHash::of(&[number]);
        let read = || Kept::<String>::read(dir.path());
        for number in 0..3 {
            read().add(dir.path(), key(number), format!("v{number}"), 2);
        }
        let found = [0, 1, 2].map(|it| read().take(key(it)));
        assert_eq!(found, [None, Some("v1".to_owned()), Some("v2".to_owned())]);
        let file = dir.path().join(String::FILE);
        let text = std::fs::read_to_string(&file).unwrap();
        for damaged in [text.replace("\"version\":3", "\"version\":2"), "{".to_owned()] {
            std::fs::write(&file, damaged).unwrap();
            assert_eq!(read().take(key(2)), None);
        }
    }
}
