//! Content hashes: [`ContentHash`] identifies bytes, [`Hasher`] hashes a sequence of fields.
use std::fmt;

use serde::{Deserialize, Serialize};

/// The blake3 hash of some bytes, shown as lower-case hex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// Parses 64 hex digits of either case.
    pub fn parse(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text.to_ascii_lowercase()).ok().map(|hash| Self(*hash.as_bytes()))
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// A hash from its 32 bytes, as stored in a table.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The first 16 hex digits, for directory names and display.
    pub fn short(&self) -> String {
        self.to_string()[..16].to_owned()
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({})", self.short())
    }
}

/// A text that is no hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoHash(String);

impl fmt::Display for NoHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a blake3 hash of 64 hex digits", self.0)
    }
}

impl std::error::Error for NoHash {}

impl TryFrom<String> for ContentHash {
    type Error = NoHash;

    fn try_from(text: String) -> Result<Self, NoHash> {
        Self::parse(&text).ok_or(NoHash(text))
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> String {
        hash.to_string()
    }
}

/// Hashes a sequence of fields, each with its length, so that moving bytes from one field to the
/// next changes the hash.
#[derive(Default)]
pub struct Hasher(blake3::Hasher);

impl Hasher {
    /// An empty hasher.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one field.
    pub fn field(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// The hash of all fields so far.
    pub fn finish(&self) -> ContentHash {
        ContentHash(*self.0.finalize().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_round_trips_in_either_case() {
        let hash = ContentHash::of(b"graft");
        assert_eq!(ContentHash::parse(&hash.to_string().to_uppercase()), Some(hash));
        assert_eq!(ContentHash::parse("abc"), None);
    }

    #[test]
    fn boundaries_between_fields_are_hashed() {
        let one = Hasher::new().field(b"ab").field(b"c").finish();
        let two = Hasher::new().field(b"a").field(b"bc").finish();
        assert_ne!(one, two);
    }
}
