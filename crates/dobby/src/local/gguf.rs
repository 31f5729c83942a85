//! The head of a GGUF file, as far as it is needed: the context length of its model. The file was compared with its hash,
//! and its author is foreign all the same.

use std::io::{BufReader, Read, Take};
use std::path::Path;

use crate::local::LocalModelError;

/// Most bytes of the head that are read.
const MOST: u64 = 256 << 20;

/// Most fields of the head.
const MOST_FIELDS: u64 = 100_000;

/// Longest name of a field in bytes.
const LONGEST_NAME: u64 = 1_024;

/// Context length of a model that states none, in tokens.
const DEFAULT: u32 = 2_048;

/// Reads the context length of a model, in tokens.
pub(super) fn context_length(path: &Path) -> Result<u32, LocalModelError> {
    let no_gguf =
        |cause: String| LocalModelError::NoGguf { path: path.display().to_string(), cause };
    let file = std::fs::File::open(path).map_err(|error| no_gguf(error.to_string()))?;
    let mut head = Head { from: BufReader::new(file).take(MOST) };
    head.context().map_err(|error| no_gguf(error.to_string()))
}

struct Head<R> {
    from: Take<R>,
}

impl<R: Read> Head<R> {
    fn context(&mut self) -> std::io::Result<u32> {
        if &self.bytes::<4>()? != b"GGUF" {
            return Err(std::io::Error::other("it begins otherwise"));
        }
        let version = self.u32()?;
        if !(2..=3).contains(&version) {
            return Err(std::io::Error::other(format!("version {version} is not read")));
        }
        let _tensors = self.u64()?;
        let fields = self.u64()?;
        for _ in 0..fields.min(MOST_FIELDS) {
            let length = self.u64()?;
            if length > LONGEST_NAME {
                return Err(std::io::Error::other("a name is too long"));
            }
            let mut name = vec![0; usize::try_from(length).unwrap_or(0)];
            self.from.read_exact(&mut name)?;
            let kind = self.u32()?;
            if name.ends_with(b".context_length") && matches!(kind, 4 | 5 | 10 | 11) {
                let value = if kind < 10 { u64::from(self.u32()?) } else { self.u64()? };
                return Ok(u32::try_from(value).unwrap_or(u32::MAX).max(1));
            }
            self.skip(kind, 0)?;
        }
        Ok(DEFAULT)
    }

    /// Skips a value of a kind, as the format numbers them.
    fn skip(&mut self, kind: u32, depth: u32) -> std::io::Result<()> {
        let bytes = match kind {
            0 | 1 | 7 => 1,
            2 | 3 => 2,
            4..=6 => 4,
            10..=12 => 8,
            8 => self.u64()?,
            9 if depth < 4 => {
                let (kind, length) = (self.u32()?, self.u64()?);
                for _ in 0..length {
                    self.skip(kind, depth + 1)?;
                }
                0
            }
            other => return Err(std::io::Error::other(format!("a value of kind {other}"))),
        };
        let skipped = std::io::copy(&mut self.from.by_ref().take(bytes), &mut std::io::sink())?;
        match skipped == bytes {
            true => Ok(()),
            false => Err(std::io::ErrorKind::UnexpectedEof.into()),
        }
    }

    fn bytes<const N: usize>(&mut self) -> std::io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> std::io::Result<u32> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    fn u64(&mut self) -> std::io::Result<u64> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A head with fields of a name, a kind and the bytes of a value.
    fn head(fields: &[(&str, u32, Vec<u8>)]) -> Vec<u8> {
        let mut bytes = b"GGUF\x03\0\0\0".to_vec();
        bytes.extend(0_u64.to_le_bytes());
        bytes.extend((fields.len() as u64).to_le_bytes());
        for (name, kind, value) in fields {
            bytes.extend((name.len() as u64).to_le_bytes());
            bytes.extend(name.as_bytes());
            bytes.extend(kind.to_le_bytes());
            bytes.extend(value);
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Result<u32, String> {
        Head { from: bytes.take(MOST) }.context().map_err(|error| error.to_string())
    }

    #[test]
    fn the_context_length_is_found_after_any_other_field() {
        let text = [3_u64.to_le_bytes().to_vec(), b"abc".to_vec()].concat();
        let list = [8_u32.to_le_bytes().to_vec(), 2_u64.to_le_bytes().to_vec(), text.repeat(2)];
        let all = head(&[
            ("general.name", 8, text.clone()),
            ("tokens", 9, list.concat()),
            ("a", 12, vec![0; 8]),
            ("llama.context_length", 4, 8_192_u32.to_le_bytes().to_vec()),
        ]);
        assert_eq!(read(&all), Ok(8_192));
        assert_eq!(read(&head(&[("a", 7, vec![1])])), Ok(DEFAULT));
    }

    #[test]
    fn what_is_no_head_is_refused_and_never_read_for_ever() {
        assert!(read(b"").is_err() && read(b"GGML").is_err() && read(b"GGUF\x09\0\0\0").is_err());
        let endless = [9_u32.to_le_bytes().to_vec(), u64::MAX.to_le_bytes().to_vec()].concat();
        assert!(read(&head(&[("a", 9, endless)])).is_err());
        let huge = u64::MAX.to_le_bytes().to_vec();
        assert!(read(&head(&[("a", 8, huge)])).is_err());
        assert!(read(&head(&[("a", 99, Vec::new())])).is_err());
    }
}
