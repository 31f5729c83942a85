//! The way of a name, step by step, so that each link on it is known, and none of another process is followed: this
//! process may have rights to it that the caller has not.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use super::caller::{Caller, Found, Missing, Named, PLACE, real_path};

/// Maximum number of links on one way, as the kernel has it.
const LINKS: usize = 40;
/// Flags that open a step as a place, also if it is a link.
const STEP: OFlags = PLACE.union(OFlags::NOFOLLOW);

/// A way that is being walked.
pub(super) struct Walk {
    caller: Caller,
    /// The folder that was reached.
    at: OwnedFd,
    /// Names that are left.
    left: VecDeque<OsString>,
    /// Whether the last name is followed if it is a link.
    follows: bool,
    links: Vec<PathBuf>,
}

/// Why a walk ended early.
enum Stop {
    Errno(Errno),
    OfAnother,
}

impl From<Errno> for Stop {
    fn from(errno: Errno) -> Self {
        Self::Errno(errno)
    }
}

impl Walk {
    pub(super) fn new(caller: Caller, at: OwnedFd, follows: bool) -> Self {
        Self { caller, at, left: VecDeque::new(), follows, links: Vec::new() }
    }

    /// The entry that the name leads to.
    pub(super) fn to(mut self, name: &Path) -> Named {
        self.push(name);
        match self.walk() {
            Ok((place, kind)) => match real_path(&place) {
                Ok(real) if self.caller.is_of_another(&real) => Named::OfAnother,
                Ok(real) => Named::Found(Found { place, real, kind, links: self.links }),
                Err(errno) => self.missing(errno),
            },
            Err(Stop::OfAnother) => Named::OfAnother,
            Err(Stop::Errno(errno)) => self.missing(errno),
        }
    }

    fn missing(self, errno: Errno) -> Named {
        let mut real = real_path(&self.at).ok();
        if let Some(real) = &mut real {
            real.extend(&self.left);
        }
        Named::Missing(Missing { real, links: self.links, errno })
    }

    /// Puts the names of a path before those that are left. One at its end that is empty demands a folder.
    fn push(&mut self, path: &Path) {
        let names = path.as_os_str().as_bytes().split(|it| *it == b'/');
        let mut names: Vec<_> = names.map(|it| OsString::from_vec(it.to_vec())).collect();
        if names.last().is_some_and(|it| it.is_empty()) {
            names.pop();
            names.push(".".into());
        }
        names.retain(|it| !it.is_empty());
        for name in names.into_iter().rev() {
            self.left.push_front(name);
        }
    }

    fn walk(&mut self) -> Result<(OwnedFd, FileType), Stop> {
        while let Some(name) = self.left.front().cloned() {
            let is_last = self.left.len() == 1;
            let name = self.in_place_of_self(name)?;
            let place = rustix::fs::openat(&self.at, &name, STEP, Mode::empty())?;
            let kind = FileType::from_raw_mode(rustix::fs::fstat(&place)?.st_mode);
            self.left.pop_front();
            match kind {
                FileType::Symlink if !is_last || self.follows => {
                    if let Some(found) = self.follow(place, &name, is_last)? {
                        return Ok(found);
                    }
                }
                _ if is_last => return Ok((place, kind)),
                FileType::Directory => self.at = place,
                _ => return Err(Errno::NOTDIR.into()),
            }
        }
        // Of `/` and of a link to it.
        let kind = FileType::from_raw_mode(rustix::fs::fstat(&self.at)?.st_mode);
        Ok((rustix::io::fcntl_dupfd_cloexec(&self.at, 0)?, kind))
    }

    /// Follows a link; returns the entry where the kernel follows it to the end.
    fn follow(
        &mut self,
        link: OwnedFd,
        name: &OsString,
        is_last: bool,
    ) -> Result<Option<(OwnedFd, FileType)>, Stop> {
        let folder = real_path(&self.at)?;
        if folder.starts_with("/proc") && folder != Path::new("/proc") {
            if self.caller.is_of_another(&folder) {
                return Err(Stop::OfAnother);
            }
            // What it leads to has no name that could be followed.
            let place = rustix::fs::openat(&self.at, name, PLACE, Mode::empty())?;
            let kind = FileType::from_raw_mode(rustix::fs::fstat(&place)?.st_mode);
            if is_last {
                return Ok(Some((place, kind)));
            }
            self.at = place;
            return Ok(None);
        }
        self.links.push(folder.join(name));
        if self.links.len() > LINKS {
            return Err(Errno::LOOP.into());
        }
        let target = rustix::fs::readlinkat(&link, "", Vec::new())?;
        let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
        if target.is_absolute() {
            self.at = rustix::fs::open("/", PLACE, Mode::empty())?;
        }
        self.push(&target);
        Ok(None)
    }

    /// `self` in `/proc` is the caller and not this process.
    fn in_place_of_self(&self, name: OsString) -> Result<OsString, Errno> {
        let is_self = name == "self" || name == "thread-self";
        match is_self && real_path(&self.at)? == Path::new("/proc") {
            true => Ok(self.caller.thread.to_string().into()),
            false => Ok(name),
        }
    }
}
