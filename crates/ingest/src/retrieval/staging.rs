//! Terms that were read and not finalized yet: in memory up to a bound, beyond it in a temporary
//! file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use base::{ContentHash, SortedMap};

use crate::IngestError;

/// Blocks by key.
///
/// Invariant: at most `bound` bytes of blocks are in memory.
#[derive(Debug)]
pub(super) struct Staging {
    folder: PathBuf,
    bound: usize,
    in_memory: usize,
    blocks: SortedMap<ContentHash, Block>,
    /// Created on first use, unlinked: it vanishes with the process.
    file: Option<(File, u64)>,
}

#[derive(Debug)]
enum Block {
    InMemory(Vec<u8>),
    InFile { at: u64, len: usize },
}

impl Staging {
    pub(super) fn new(folder: PathBuf, bound: usize) -> Self {
        Self { folder, bound, in_memory: 0, blocks: SortedMap::new(), file: None }
    }

    pub(super) fn has(&self, key: &ContentHash) -> bool {
        self.blocks.contains_key(key)
    }

    pub(super) fn put(&mut self, key: ContentHash, block: Vec<u8>) -> Result<(), IngestError> {
        let len = block.len();
        let staged = if self.in_memory + len <= self.bound {
            self.in_memory += len;
            Block::InMemory(block)
        } else {
            Block::InFile { at: self.spill(&block)?, len }
        };
        if let Some(Block::InMemory(former)) = self.blocks.insert(key, staged) {
            self.in_memory -= former.len();
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, key: &ContentHash) {
        if let Some(Block::InMemory(former)) = self.blocks.remove(key) {
            self.in_memory -= former.len();
        }
    }

    pub(super) fn get(&mut self, key: &ContentHash) -> Result<Option<Vec<u8>>, IngestError> {
        let (at, len) = match self.blocks.get(key) {
            None => return Ok(None),
            Some(Block::InMemory(block)) => return Ok(Some(block.clone())),
            Some(Block::InFile { at, len }) => (*at, *len),
        };
        let Some((file, _)) = &mut self.file else { return Ok(None) };
        let mut block = vec![0; len];
        file.seek(SeekFrom::Start(at))
            .and_then(|_| file.read_exact(&mut block))
            .map_err(IngestError::io("read staged terms in", &self.folder))?;
        Ok(Some(block))
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new(std::mem::take(&mut self.folder), self.bound);
    }

    fn spill(&mut self, block: &[u8]) -> Result<u64, IngestError> {
        let io = IngestError::io("write staged terms in", &self.folder);
        let mut write = || -> std::io::Result<u64> {
            let (file, end) = match &mut self.file {
                Some(file) => file,
                none => none.insert((untrusted_fs::make_own(&self.folder)?.create_unnamed()?, 0)),
            };
            let at = *end;
            file.seek(SeekFrom::Start(at))?;
            file.write_all(block)?;
            *end += block.len() as u64;
            Ok(at)
        };
        write().map_err(io)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_beyond_the_bound_are_read_back_from_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let mut staging = Staging::new(dir.path().join("new"), 10);
        let key = |n: u8| ContentHash::of(&[n]);
        for n in 0..20 {
            staging.put(key(n), vec![n; 4]).unwrap();
        }
        assert!(staging.in_memory <= 10);
        for n in 0..20 {
            assert_eq!(staging.get(&key(n)).unwrap(), Some(vec![n; 4]));
        }
        staging.remove(&key(3));
        assert!(!staging.has(&key(3)));
        assert_eq!(staging.get(&key(3)).unwrap(), None);
        staging.clear();
        assert_eq!(staging.in_memory, 0);
        assert_eq!(staging.get(&key(4)).unwrap(), None);
    }
}
