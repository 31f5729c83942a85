//! The files of one unit: taken from its private folder to where cargo expects them.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode};
use rustix::io::Errno;
use untrusted_fs::Dir;

use super::arguments::CompilerCall;
use super::fault::UnitFault;
use super::guard::Guard;
use super::outside;

/// Maximum number of files in a private folder.
const FILES: usize = 100_000;

/// Endings of the files that other units, or cargo, use. Others could be names that foreign code chose, for other
/// units to read.
const ENDINGS: &[&[u8]] = &[b"", b".d", b".rmeta", b".rlib", b".so", b".a", b".dwp"];

/// Where the files of a unit are and go.
pub(super) struct UnitOutputs<'a> {
    guard: &'a Guard,
    call: &'a CompilerCall,
    private: PathBuf,
    from: OwnedFd,
    to: OwnedFd,
}

impl<'a> UnitOutputs<'a> {
    pub(super) fn open(
        guard: &'a Guard,
        call: &'a CompilerCall,
        private: &Path,
    ) -> Result<Self, UnitFault> {
        let below = call.out_dir.strip_prefix(&guard.target).map_err(|_| outside(&call.out_dir))?;
        let failed = UnitFault::Folders;
        let to = Dir::open(&guard.target).and_then(|target| target.make_dirs(below));
        Ok(Self {
            guard,
            call,
            private: private.to_owned(),
            from: Dir::open(private).map_err(failed)?.into(),
            to: to.map_err(failed)?.into(),
        })
    }

    /// The line of a compiler by which cargo learns that a file is complete, with the file at its
    /// final place; `None` for any other line. A line about something else than a file of the unit
    /// becomes empty.
    pub(super) fn announced(&self, line: &[u8]) -> Option<Vec<u8>> {
        if !line.starts_with(b"{") || !contains(line, b"\"artifact\"") {
            return None;
        }
        let mut message: serde_json::Value = serde_json::from_slice(line).ok()?;
        message.get("emit")?;
        let path = PathBuf::from(message.get("artifact")?.as_str()?);
        let taken = path.parent() == Some(&self.private)
            && path.file_name().is_some_and(|name| self.take(name).is_ok());
        let Some(name) = path.file_name().filter(|_| taken) else { return Some(Vec::new()) };
        let place = self.call.out_dir.join(name);
        *message.get_mut("artifact")? = place.to_str()?.into();
        let mut line = serde_json::to_vec(&message).ok()?;
        line.push(b'\n');
        Some(line)
    }

    /// Takes all files of the unit.
    pub(super) fn take_all(&self) -> Result<(), UnitFault> {
        let failed = UnitFault::Files;
        let from = Dir::open(&self.private).map_err(failed)?;
        for entry in from.entries(FILES).map_err(failed)? {
            if entry.kind == untrusted_fs::EntryKind::File && self.is_own(&entry.name) {
                let failed = |errno| UnitFault::Move { name: entry.name.clone(), errno };
                self.take(&entry.name).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Whether a file has the name of the unit: no other unit's file can be replaced.
    fn is_own(&self, name: &OsStr) -> bool {
        let unit = self.call.unit.as_bytes();
        let name = name.as_bytes();
        let rest = name
            .strip_prefix(unit)
            .or_else(|| name.strip_prefix(b"lib").and_then(|name| name.strip_prefix(unit)));
        rest.is_some_and(|rest| ENDINGS.contains(&rest))
    }

    /// Shows a file at its final place, too: the compiler still uses the first one.
    fn take(&self, name: &OsStr) -> Result<(), Errno> {
        if !self.is_own(name) {
            return Err(Errno::PERM);
        }
        let is_script = self.call.is_build_script && name.as_bytes() == self.call.unit.as_bytes();
        if !is_script {
            return self.link(name, name);
        }
        let real = Guard::real(&self.call.unit);
        let text = self.guard.script(&real).ok_or(Errno::INVAL)?;
        self.link(name, real.as_ref())?;
        self.write_script(name, &text)
    }

    fn link(&self, name: &OsStr, place: &OsStr) -> Result<(), Errno> {
        let new = temporary(place);
        self.unlink(&new)?;
        rustix::fs::linkat(&self.from, name, &self.to, new.as_os_str(), AtFlags::empty())?;
        let stat = rustix::fs::statat(&self.to, new.as_os_str(), AtFlags::SYMLINK_NOFOLLOW)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            self.unlink(&new)?;
            return Err(Errno::PERM);
        }
        rustix::fs::renameat(&self.to, new.as_os_str(), &self.to, place)?;
        // If both names were the same file already, the rename did nothing.
        self.unlink(&new)
    }

    fn write_script(&self, name: &OsStr, text: &str) -> Result<(), Errno> {
        let new = temporary(name);
        self.unlink(&new)?;
        let flags = rustix::fs::OFlags::WRONLY
            | rustix::fs::OFlags::CREATE
            | rustix::fs::OFlags::EXCL
            | rustix::fs::OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o755);
        let file = rustix::fs::openat(&self.to, new.as_os_str(), flags, mode)?;
        let mut text = text.as_bytes();
        while !text.is_empty() {
            text = &text[rustix::io::write(&file, text)?..];
        }
        drop(file);
        rustix::fs::renameat(&self.to, new.as_os_str(), &self.to, name)
    }

    fn unlink(&self, name: &OsStr) -> Result<(), Errno> {
        match rustix::fs::unlinkat(&self.to, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn temporary(name: &OsStr) -> std::ffi::OsString {
    let mut new = std::ffi::OsString::from(".new-");
    new.push(name);
    new
}

fn contains(line: &[u8], word: &[u8]) -> bool {
    line.windows(word.len().max(1)).any(|part| part == word)
}
