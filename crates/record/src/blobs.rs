//! [`Blobs`], texts by their hash.

use std::path::PathBuf;

use base::{ContentHash, Ctx};

use crate::log::{make_private, sync_folder};
use crate::{RecordError, Result};

/// The limit of a text in bytes.
const BLOB_LIMIT: u64 = 256 << 20;

/// A folder of texts, each in a file that is named by its hash. A text is written once, durably,
/// and never changed; it is verified whenever it is read.
#[derive(Clone, Debug)]
pub struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    /// The texts in `folder`. Nothing is read or written yet.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Keeps a text, and returns its hash. It is durable when this returns.
    ///
    /// # Errors
    /// A text that is too large, or cannot be written.
    pub fn put(&self, ctx: &Ctx, bytes: &[u8]) -> Result<ContentHash> {
        let hash = ContentHash::of(bytes);
        if bytes.len() as u64 > BLOB_LIMIT {
            let (path, what) = (self.folder.clone(), "a text");
            let size = bytes.len() as u64;
            return Err(RecordError::TooLarge { path, what, size, limit: BLOB_LIMIT });
        }
        // A damaged file is replaced.
        if self.get(hash).is_ok() {
            return Ok(hash);
        }
        let path = self.path(hash);
        let keep = |err: std::io::Error| RecordError::keep(&path, err);
        let folder = path.parent().unwrap_or(&self.folder);
        make_private(folder).map_err(keep)?;
        untrusted_fs::replace_own(&path, bytes, &ctx.fresh_name())
            .and_then(|()| sync_folder(&self.folder))
            .map_err(keep)?;
        Ok(hash)
    }

    /// The text with this hash.
    ///
    /// # Errors
    /// [`RecordError::Blob`] if it is missing or damaged.
    pub fn get(&self, hash: ContentHash) -> Result<Vec<u8>> {
        let path = self.path(hash);
        let read = untrusted_fs::read_regular(&path, BLOB_LIMIT);
        let fault = match read.map_err(|fault| RecordError::keep(&path, fault))? {
            Some(bytes) if ContentHash::of(&bytes) == hash => return Ok(bytes),
            Some(_) => "damaged",
            None => "missing",
        };
        Err(RecordError::Blob { hash, path, fault })
    }

    /// The text with this hash, as UTF-8.
    ///
    /// # Errors
    /// As [`Blobs::get`]; also if it is not UTF-8.
    pub fn text(&self, hash: ContentHash) -> Result<String> {
        let path = self.path(hash);
        String::from_utf8(self.get(hash)?).map_err(|_| RecordError::Blob {
            hash,
            path,
            fault: "no text",
        })
    }

    /// Removes a text that nothing names any more; whether there was one.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn remove(&self, hash: ContentHash) -> Result<bool> {
        let path = self.path(hash);
        match std::fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(err) => Err(RecordError::keep(&path, err)),
        }
    }

    fn path(&self, hash: ContentHash) -> PathBuf {
        let name = hash.to_string();
        self.folder.join(&name[..2]).join(&name[2..])
    }
}
