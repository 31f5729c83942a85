//! Finished results, one JSON line per case, so that an interrupted run can be continued.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use base::{ContentHash, Hasher, SortedMap};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::EvalError;

/// Results on disk and in memory, locked exclusively while open.
///
/// Invariant: a line is appended by one write; a torn last line, which a killed run leaves, is cut
/// off on opening.
pub(crate) struct Store<T> {
    path: PathBuf,
    file: Mutex<File>,
    known: SortedMap<ContentHash, T>,
}

/// One line: a result with its key.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line<T> {
    version: u32,
    key: ContentHash,
    result: T,
}

/// Version of the line format; lines of another version are not reused.
const VERSION: u32 = 1;

impl<T: Serialize + DeserializeOwned> Store<T> {
    /// Opens or creates the file. Unreadable lines are dropped, so that their cases run again.
    pub(crate) fn open(path: &Path) -> Result<Self, EvalError> {
        let io = |error: std::io::Error| EvalError::io(path, &error);
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(io)?;
        if let Err(error) = file.try_lock() {
            return Err(match error {
                std::fs::TryLockError::WouldBlock => EvalError::Busy { path: path.to_path_buf() },
                std::fs::TryLockError::Error(error) => io(error),
            });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(io)?;
        }
        file.seek(SeekFrom::Start(whole as u64)).map_err(io)?;
        let mut known = SortedMap::new();
        for line in bytes[..whole].split(|byte| *byte == b'\n') {
            if let Ok(line) = serde_json::from_slice::<Line<T>>(line)
                && line.version == VERSION
            {
                known.insert(line.key, line.result);
            }
        }
        Ok(Self { path: path.to_path_buf(), file: Mutex::new(file), known })
    }

    /// The result of an earlier run for this key.
    pub(crate) fn get(&self, key: &ContentHash) -> Option<&T> {
        self.known.get(key)
    }

    /// All results.
    pub(crate) fn into_lines(self) -> Vec<Line<T>> {
        let lines = self.known.into_iter();
        lines.map(|(key, result)| Line { version: VERSION, key, result }).collect()
    }

    /// Stores those that are new here.
    pub(crate) fn put_all(&self, lines: &[Line<T>]) -> Result<(), EvalError> {
        let new = lines.iter().filter(|it| it.version == VERSION && self.get(&it.key).is_none());
        new.into_iter().try_for_each(|it| self.put(it.key, &it.result))
    }

    /// Stores a result.
    pub(crate) fn put(&self, key: ContentHash, result: &T) -> Result<(), EvalError> {
        let line = Line { version: VERSION, key, result };
        let mut bytes = serde_json::to_vec(&line)
            .map_err(|error| EvalError::io(&self.path, &std::io::Error::other(error)))?;
        bytes.push(b'\n');
        let mut file = base::lock(&self.file);
        file.write_all(&bytes).map_err(|error| EvalError::io(&self.path, &error))
    }
}

/// The key of a result: case, input and answering product.
pub(crate) fn key(suite: &str, id: &str, input: &ContentHash, answerer: &str) -> ContentHash {
    Hasher::new()
        .field(suite.as_bytes())
        .field(id.as_bytes())
        .field(input.as_bytes())
        .field(answerer.as_bytes())
        .finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(n: u8) -> ContentHash {
        ContentHash::of(&[n])
    }

    #[test]
    fn what_was_put_is_there_again_and_a_torn_line_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.jsonl");
        {
            let store: Store<u32> = Store::open(&path).unwrap();
            store.put(name(1), &10).unwrap();
            store.put(name(2), &20).unwrap();
        }
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.truncate(bytes.len() - 4);
        std::fs::write(&path, bytes).unwrap();
        {
            let store: Store<u32> = Store::open(&path).unwrap();
            assert_eq!((store.get(&name(1)), store.get(&name(2))), (Some(&10), None));
            store.put(name(2), &21).unwrap();
        }
        let store: Store<u32> = Store::open(&path).unwrap();
        assert_eq!((store.get(&name(1)), store.get(&name(2))), (Some(&10), Some(&21)));
    }

    #[test]
    fn garbage_lines_are_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.jsonl");
        std::fs::write(&path, "garbage\n\u{0}\n").unwrap();
        let store: Store<u32> = Store::open(&path).unwrap();
        assert_eq!(store.get(&name(1)), None);
    }

    #[test]
    fn two_runs_do_not_share_a_folder() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.jsonl");
        let _first: Store<u32> = Store::open(&path).unwrap();
        let error = Store::<u32>::open(&path).err().unwrap();
        assert!(error.to_string().starts_with("another run is writing into"), "{error}");
    }

    #[test]
    fn another_product_or_input_is_another_key() {
        let one = key("E", "1", &name(1), "p");
        assert_ne!(one, key("E", "1", &name(2), "p"));
        assert_ne!(one, key("E", "1", &name(1), "q"));
    }
}
