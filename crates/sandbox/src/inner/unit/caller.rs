//! The files that a waiting thread names, found as the kernel would find them for it.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

/// Maximum length of a name, and the smallest size of a page.
const NAME: usize = 4096;

/// A thread that waits in a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caller {
    thread: i32,
}

/// An entry that is there.
#[derive(Debug)]
pub(super) struct Found {
    /// The entry, opened as a place.
    pub(super) place: OwnedFd,
    /// The name that it was found by, absolute.
    pub(super) named: PathBuf,
    /// Where it is, past any links.
    pub(super) real: PathBuf,
    pub(super) kind: FileType,
}

/// An entry that the call cannot have.
#[derive(Debug)]
pub(super) struct Missing {
    /// The name, absolute; `None` if its folder is not open.
    pub(super) named: Option<PathBuf>,
    /// The same below the real place of the deepest folder of the name that is there.
    pub(super) real: Option<PathBuf>,
    pub(super) errno: Errno,
}

impl Caller {
    pub(super) fn new(thread: i32) -> Self {
        Self { thread }
    }

    /// Whether this process can look at others at all.
    pub(super) fn can_be_seen() -> bool {
        rustix::fs::open("/proc/self/mem", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).is_ok()
    }

    /// The name at an address of the caller.
    pub(super) fn text(self, address: u64) -> Result<OsString, Errno> {
        let memory = format!("/proc/{}/mem", self.thread);
        let memory = rustix::fs::open(memory, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        let mut text = Vec::new();
        let mut page = [0; NAME];
        loop {
            let from = address.checked_add(text.len() as u64).ok_or(Errno::FAULT)?;
            let length = NAME - (from % NAME as u64) as usize;
            let read = rustix::io::pread(&memory, &mut page[..length], from);
            let read = &page[..read.map_err(|_| Errno::FAULT)?];
            if let Some(end) = read.iter().position(|it| *it == 0) {
                text.extend_from_slice(&read[..end]);
                return Ok(OsString::from_vec(text));
            }
            text.extend_from_slice(read);
            if read.is_empty() {
                return Err(Errno::FAULT);
            }
            if text.len() >= NAME {
                return Err(Errno::NAMETOOLONG);
            }
        }
    }

    /// Whether the address of a socket names a local one, and none is there.
    pub(super) fn names_no_socket(self, address: u64) -> bool {
        // The family has two bytes, of which the second is zero; a path follows.
        let is_local = self.text(address).is_ok_and(|it| it.as_bytes() == [libc::AF_UNIX as u8]);
        let path = self.text(address.wrapping_add(2)).unwrap_or_default();
        is_local && !path.is_empty() && self.find(None, Path::new(&path), true).is_err()
    }

    /// Finds the entry, as a place: nothing is opened that has an effect.
    pub(super) fn find(
        self,
        folder: Option<u64>,
        name: &Path,
        follows: bool,
    ) -> Result<Found, Missing> {
        let unnamed = |errno| Missing { named: None, real: None, errno };
        if name.as_os_str().is_empty() {
            return Err(unnamed(Errno::NOENT));
        }
        let (start, named) = match name.is_absolute() {
            true => (None, name.to_owned()),
            false => {
                let start = self.start(folder).map_err(unnamed)?;
                let path = real_path(&start).map_err(unnamed)?;
                (Some(start), path.join(name))
            }
        };
        let own = self.in_place_of_self(name);
        let flags = if follows { OFlags::empty() } else { OFlags::NOFOLLOW };
        let flags = flags | OFlags::PATH | OFlags::CLOEXEC;
        let place = match &start {
            Some(start) => rustix::fs::openat(start, &own, flags, Mode::empty()),
            None => rustix::fs::open(&own, flags, Mode::empty()),
        };
        let found = place.and_then(|place| {
            let real = real_path(&place)?;
            // What `self` leads to by other ways is this process.
            if real.starts_with(format!("/proc/{}", std::process::id())) {
                return Err(Errno::ACCESS);
            }
            let kind = FileType::from_raw_mode(rustix::fs::fstat(&place)?.st_mode);
            Ok((place, real, kind))
        });
        match found {
            Ok((place, real, kind)) => Ok(Found { place, named, real, kind }),
            Err(errno) => Err(Missing { real: real_of_missing(&named), named: Some(named), errno }),
        }
    }

    /// Whether a path is one of another process in `/proc`: what that one shows of itself it may have read.
    pub(super) fn is_of_another(self, real: &Path) -> bool {
        let process = real.strip_prefix("/proc").ok().and_then(|it| it.components().next());
        let process = process.and_then(|it| it.as_os_str().to_str()?.parse::<i32>().ok());
        process.is_some_and(|it| {
            it != self.thread && !Path::new(&format!("/proc/{it}/task/{}", self.thread)).exists()
        })
    }

    /// The folder at which a relative name begins.
    fn start(self, folder: Option<u64>) -> Result<OwnedFd, Errno> {
        // Descriptors are 32 bits wide.
        let number = folder.map_or(libc::AT_FDCWD, |it| it as u32 as i32);
        let path = match number {
            libc::AT_FDCWD => format!("/proc/{}/cwd", self.thread),
            ..0 => return Err(Errno::BADF),
            _ => format!("/proc/{}/fd/{number}", self.thread),
        };
        rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())
            .map_err(|errno| if errno == Errno::NOENT { Errno::BADF } else { errno })
    }

    /// The name with the folder of the caller in the place of that of the process that opens it.
    fn in_place_of_self(self, name: &Path) -> PathBuf {
        let own = PathBuf::from(format!("/proc/{}", self.thread));
        let below = |from: &str| name.strip_prefix(from).ok();
        if let Some(rest) = below("/proc/self").or_else(|| below("/proc/thread-self")) {
            return own.join(rest);
        }
        if let Some(rest) = below("/dev/fd") {
            return own.join("fd").join(rest);
        }
        let streams = [("/dev/stdin", "fd/0"), ("/dev/stdout", "fd/1"), ("/dev/stderr", "fd/2")];
        let stream = streams.iter().find(|it| name == Path::new(it.0));
        stream.map_or_else(|| name.to_owned(), |it| own.join(it.1))
    }
}

impl Found {
    /// Whether it is open in some process and has no place in a folder.
    pub(super) fn is_unnamed(&self) -> bool {
        !self.real.is_absolute()
    }
}

/// Opens a pipe that another process has open, without a wait for its other end.
pub(super) fn open_pipe(found: &Found, flags: OFlags) -> Result<OwnedFd, Errno> {
    let pipe = open(found, flags | OFlags::NONBLOCK)?;
    if !flags.intersects(OFlags::NONBLOCK | OFlags::PATH) {
        rustix::fs::fcntl_setfl(&pipe, flags & OFlags::DIRECT)?;
    }
    Ok(pipe)
}

/// Opens what was found, with these flags.
pub(super) fn open(found: &Found, flags: OFlags) -> Result<OwnedFd, Errno> {
    let is_folder = found.kind == FileType::Directory;
    match flags.contains(OFlags::DIRECTORY) {
        true if !is_folder => return Err(Errno::NOTDIR),
        _ if found.kind == FileType::Symlink && !flags.contains(OFlags::PATH) => {
            return Err(Errno::LOOP);
        }
        _ => {}
    }
    if flags.contains(OFlags::PATH) {
        return rustix::io::fcntl_dupfd_cloexec(&found.place, 0);
    }
    let flags = (flags - OFlags::NOFOLLOW) | OFlags::CLOEXEC;
    rustix::fs::open(link_to(&found.place), flags, Mode::empty())
}

fn link_to(fd: &OwnedFd) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", fd.as_raw_fd()))
}

fn real_path(fd: &OwnedFd) -> Result<PathBuf, Errno> {
    let path = rustix::fs::readlink(link_to(fd), Vec::new())?;
    Ok(PathBuf::from(OsString::from_vec(path.into_bytes())))
}

/// The name below the real place of the deepest folder that is there; `None` where `..` follows.
fn real_of_missing(named: &Path) -> Option<PathBuf> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    for above in named.ancestors().skip(1) {
        let Ok(place) = rustix::fs::open(above, flags, Mode::empty()) else { continue };
        let rest = named.strip_prefix(above).ok()?;
        let is_plain = !rest.as_os_str().as_bytes().split(|it| *it == b'/').any(|it| it == b"..");
        return is_plain.then(|| real_path(&place).ok().map(|it| it.join(rest))).flatten();
    }
    None
}
