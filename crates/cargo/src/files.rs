//! Reads files whose content or kind a repository chooses: regular files only, no link as the last
//! part of the path, and no more bytes than the caller names.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, openat};

/// A `Cargo.toml`, a configuration file or a toolchain file, in bytes.
pub(crate) const MANIFEST_BYTES: u64 = 4 << 20;

/// Opens a regular file for reading. `None` where nothing has this name. A link, a folder, a pipe
/// or a device is an error, and is never waited for.
pub(crate) fn open(path: &Path) -> io::Result<Option<File>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match openat(CWD, path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => return Ok(None),
        Err(rustix::io::Errno::LOOP) => return Err(io::Error::other("it is a symbolic link")),
        Err(error) => return Err(error.into()),
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(Some(file))
}

/// The bytes of a regular file; see [`open`]. A file of more than `limit` bytes is an error.
pub(crate) fn read(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = open(path)? else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!("it has more than {limit} bytes")));
    }
    Ok(Some(bytes))
}

/// The text of a regular file; see [`read`].
pub(crate) fn read_text(path: &Path, limit: u64) -> io::Result<Option<String>> {
    read(path, limit)?
        .map(|bytes| String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8")))
        .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_within_the_limit_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), "1234").unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("link")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        rustix::fs::mknodat(CWD, at("pipe"), rustix::fs::FileType::Fifo, Mode::from(0o600), 0)
            .unwrap();
        let said = |name: &str, limit| match read(&at(name), limit) {
            Ok(bytes) => format!("{:?}", bytes.map(|bytes| bytes.len())),
            Err(error) => error.to_string(),
        };
        assert_eq!(said("file", 4), "Some(4)");
        assert_eq!(said("file", 3), "it has more than 3 bytes");
        assert_eq!(said("none", 4), "None");
        assert_eq!(said("link", 4), "it is a symbolic link");
        assert_eq!(said("folder", 4), "it is not a regular file");
        assert_eq!(said("pipe", 4), "it is not a regular file");
    }
}
