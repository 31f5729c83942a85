//! The files that a waiting thread names, found as the kernel would find them for it.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use super::walk::Walk;
use crate::sys;

/// Maximum length of a name, and the smallest size of a page.
const NAME: usize = 4096;

/// Entries of `/proc` that processes cannot write a message into.
const ABOUT_THE_MACHINE: &[&str] = &[
    "cmdline",
    "cpuinfo",
    "filesystems",
    "meminfo",
    "mounts",
    "self",
    "stat",
    "sys",
    "thread-self",
    "uptime",
    "version",
];

/// Flags that open an entry as a place.
pub(super) const PLACE: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);

/// A thread that waits in a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caller {
    pub(super) thread: i32,
}

/// The entry that a call names.
#[derive(Debug)]
pub(super) enum Named {
    /// It is there.
    Found(Found),
    /// The call cannot have it.
    Missing(Missing),
    /// The name leads through another process's folder in `/proc`, where the caller may have other rights.
    OfAnother,
}

/// An entry that is there.
#[derive(Debug)]
pub(super) struct Found {
    /// The entry, opened as a place.
    pub(super) place: OwnedFd,
    /// Where it is, past any links.
    pub(super) real: PathBuf,
    pub(super) kind: FileType,
    /// The links on the way.
    pub(super) links: Vec<PathBuf>,
}

/// An entry that the call cannot have.
#[derive(Debug)]
pub(super) struct Missing {
    /// The name below the real place of the last folder that was found; `None` if there is none.
    pub(super) real: Option<PathBuf>,
    /// The links on the way.
    pub(super) links: Vec<PathBuf>,
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

    /// Writes bytes at an address of the caller, which `waits` for them.
    ///
    /// # Errors
    /// [`Errno::NOSYS`] where this process may not.
    pub(super) fn put(
        self,
        address: u64,
        bytes: &[u8],
        waits: impl Fn() -> bool,
    ) -> Result<(), Errno> {
        // Its number could be that of another process by now.
        if !waits() {
            return Err(Errno::SRCH);
        }
        match sys::write_memory(self.thread, address, bytes) {
            Ok(written) if written == bytes.len() => Ok(()),
            Err(Errno::PERM | Errno::NOSYS) => Err(Errno::NOSYS),
            _ => Err(Errno::FAULT),
        }
    }

    /// The entry that the address of a local socket names, if there is none; `None` for any other address.
    pub(super) fn missing_socket(self, address: u64) -> Option<Missing> {
        // The family has two bytes, of which the second is zero; a path follows.
        let is_local = self.text(address).is_ok_and(|it| it.as_bytes() == [libc::AF_UNIX as u8]);
        let path = self.text(address.wrapping_add(2)).ok().filter(|it| is_local && !it.is_empty());
        match self.find(None, Path::new(&path?), true) {
            Named::Missing(missing) => Some(missing),
            Named::Found(_) | Named::OfAnother => None,
        }
    }

    /// Finds the entry, as a place: nothing is opened that has an effect.
    pub(super) fn find(self, folder: Option<u64>, name: &Path, follows: bool) -> Named {
        let missing = |errno| Named::Missing(Missing { real: None, links: Vec::new(), errno });
        if name.as_os_str().is_empty() {
            return missing(Errno::NOENT);
        }
        let start = match name.is_absolute() {
            true => Ok(None),
            false => self.start(folder).map(Some),
        };
        let start = match start {
            Ok(start) => start,
            Err(errno) => return missing(errno),
        };
        if let Some(found) = at_its_place(start.as_ref(), name, follows) {
            return Named::Found(found);
        }
        match start.map_or_else(|| rustix::fs::open("/", PLACE, Mode::empty()), Ok) {
            Ok(start) => Walk::new(self, start, follows).to(name),
            Err(errno) => missing(errno),
        }
    }

    /// The program that its process runs.
    pub(super) fn program(self) -> Option<PathBuf> {
        std::fs::read_link(format!("/proc/{}/exe", self.thread)).ok()
    }

    /// Whether the caller has such a file open under this number.
    pub(super) fn has_open(self, number: u64, is: impl Fn(&Path) -> bool) -> bool {
        // Descriptors are 32 bits wide.
        let link = format!("/proc/{}/fd/{}", self.thread, number as u32);
        std::fs::read_link(link).is_ok_and(|it| is(&it))
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
}

/// The place of a process among others.
pub(super) struct Stat {
    pub(super) parent: i32,
    group: i32,
}

/// `None` if there is no such process.
pub(super) fn stat(process: i32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Its name, which it chooses, ends at the last parenthesis; then come its state, parent and group.
    let mut numbers = text.rsplit_once(')')?.1.split_whitespace().skip(1).map(str::parse);
    Some(Stat { parent: numbers.next()?.ok()?, group: numbers.next()?.ok()? })
}

/// The processes of a group.
pub(super) fn group(group: i32) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|it| it.file_name().to_str()?.parse().ok());
    processes.filter(|it| stat(*it).is_some_and(|it| it.group == group)).collect()
}

/// Whether an entry of `/proc` shows what other processes do; `is_listed`: the names in it.
pub(super) fn shows_processes(path: &Path, is_listed: bool) -> bool {
    let Ok(inner) = path.strip_prefix("/proc") else { return false };
    let mut names = inner.iter().filter_map(|it| it.to_str());
    let Some(first) = names.next() else { return is_listed };
    match first.bytes().all(|it| it.is_ascii_digit()) {
        // Whether the process is another one was looked at before.
        true => names.any(|it| it == "net"),
        false => !ABOUT_THE_MACHINE.contains(&first),
    }
}

impl Found {
    /// Whether it is open in some process and has no place in a folder.
    pub(super) fn is_unnamed(&self) -> bool {
        !self.real.is_absolute()
    }

    /// Whether it is a link itself.
    pub(super) fn is_link(&self) -> bool {
        self.kind == FileType::Symlink
    }
}

/// Opens a pipe that another process has open, without a wait for its other end.
pub(super) fn open_pipe(found: &Found, flags: OFlags) -> Result<OwnedFd, Errno> {
    let pipe = open(found, flags | OFlags::NONBLOCK)?;
    if !flags.contains(OFlags::NONBLOCK) {
        rustix::fs::fcntl_setfl(&pipe, flags & OFlags::DIRECT)?;
    }
    Ok(pipe)
}

/// Opens what was found, with these flags.
pub(super) fn open(found: &Found, flags: OFlags) -> Result<OwnedFd, Errno> {
    let is_folder = found.kind == FileType::Directory;
    match flags.contains(OFlags::DIRECTORY) {
        true if !is_folder => return Err(Errno::NOTDIR),
        _ if found.kind == FileType::Symlink => return Err(Errno::LOOP),
        _ => {}
    }
    let flags = (flags - OFlags::NOFOLLOW) | OFlags::CLOEXEC;
    rustix::fs::open(link_to(&found.place), flags, Mode::empty())
}

/// Another descriptor of the place that was found.
pub(super) fn same_place(found: &Found, flags: OFlags) -> Result<OwnedFd, Errno> {
    match flags.contains(OFlags::DIRECTORY) && found.kind != FileType::Directory {
        true => Err(Errno::NOTDIR),
        false => rustix::io::fcntl_dupfd_cloexec(&found.place, 0),
    }
}

fn link_to(fd: &OwnedFd) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", fd.as_raw_fd()))
}

pub(super) fn real_path(fd: &OwnedFd) -> Result<PathBuf, Errno> {
    let path = rustix::fs::readlink(link_to(fd), Vec::new())?;
    Ok(PathBuf::from(OsString::from_vec(path.into_bytes())))
}

/// The entry, if its name has no link and no `..`: then it is at the place of its name.
fn at_its_place(start: Option<&OwnedFd>, name: &Path, follows: bool) -> Option<Found> {
    let is_plain = |it: Component<'_>| !matches!(it, Component::ParentDir);
    let has_slash = name.as_os_str().as_bytes().ends_with(b"/");
    if !name.components().all(is_plain) || has_slash {
        return None;
    }
    // Drops `.` and repeated slashes.
    let above = start.map(real_path).transpose().ok()?.unwrap_or_default();
    let named: PathBuf = above.join(name).components().collect();
    let flags = if follows { PLACE } else { PLACE | OFlags::NOFOLLOW };
    let place = match start {
        Some(start) => rustix::fs::openat(start, name, flags, Mode::empty()).ok()?,
        None => rustix::fs::open(name, flags, Mode::empty()).ok()?,
    };
    let real = real_path(&place).ok()?;
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&place).ok()?.st_mode);
    let is_there = real == named && !real.starts_with("/proc") && kind != FileType::Symlink;
    is_there.then(|| Found { place, real, kind, links: Vec::new() })
}
