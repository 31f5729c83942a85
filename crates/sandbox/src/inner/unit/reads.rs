//! The files of the project that one unit learned of: every call by which a compiler, a macro, a build script or
//! a program of theirs can do so waits until it is noted here.
//!
//! A file that is only read is opened by this process and handed over, so that what is noted is what was opened,
//! whatever another thread does to the name meanwhile. A call that only asks about a name continues by itself; there
//! a thread that exchanges the name at that moment could ask about another entry, but read none.

use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use base::SortedSet;
use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;

use super::caller::{self, Caller, Found, Missing, Named};
use super::calls::{self, Argument, Use};
use super::program;
use crate::sys::notice::{Listener, Notice};

/// Maximum number of entries that are noted.
const ENTRIES: usize = 200_000;

/// How much a unit learned of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seen {
    /// Whether it is there.
    Name,
    /// How large it is.
    Size,
    /// The names in the folder.
    Names,
    /// The content of the file.
    Content,
}

/// The entries that one unit has learned of so far.
#[derive(Debug)]
pub(super) struct Reads {
    /// Folders whose files count.
    roots: Vec<PathBuf>,
    /// The target directory, whose files do not.
    target: PathBuf,
    pub(super) seen: SortedSet<(PathBuf, Seen)>,
    /// Folders of its own output.
    own: Vec<PathBuf>,
    /// The paths that it read in the target directory besides.
    pub(super) built: SortedSet<PathBuf>,
    /// Whether there may be more.
    pub(super) is_unknown: bool,
    /// Whether the kernel showed none of it.
    pub(super) is_unseen: bool,
}

impl Reads {
    /// `own` are the folders of the unit's own output.
    pub(super) fn new(roots: &[PathBuf], target: &Path, own: &[&Path]) -> Self {
        let mut roots = roots.to_vec();
        let real: Vec<_> = roots.iter().filter_map(|it| it.canonicalize().ok()).collect();
        roots.extend(real);
        Self {
            roots,
            target: target.to_owned(),
            seen: SortedSet::new(),
            own: own.iter().map(|it| (*it).to_owned()).collect(),
            built: SortedSet::new(),
            is_unknown: false,
            is_unseen: false,
        }
    }

    /// Notes that the unit may have read anything.
    pub(super) fn lose(&mut self) {
        self.is_unknown = true;
    }

    /// Looks at one call that waits, and answers it.
    pub(super) fn answer(&mut self, listener: &Listener) {
        // The process may have been killed meanwhile; so with the answers.
        let Ok(notice) = listener.next() else { return };
        let caller = Caller::new(notice.thread);
        if calls::shares(notice.call) {
            return self.answer_sharing(listener, &notice, caller);
        }
        if let Some(process) = calls::process(notice.call, &notice.arguments) {
            // To a unit there are no others, as if it were alone.
            return drop(match self.is_own(process) {
                true => listener.go_on(&notice),
                false => listener.fail(&notice, Errno::SRCH),
            });
        }
        for argument in calls::arguments(notice.call) {
            let address = notice.arguments[argument.name];
            // As of `futimens`: the call is about what is open.
            if address == 0 && argument.is == Use::Ask {
                continue;
            }
            let name = match caller.text(address) {
                Ok(name) => name,
                Err(errno) => return drop(listener.fail(&notice, errno)),
            };
            let flags = flags_of(argument, &notice);
            // What is open already was noted then.
            if name.is_empty() && flags.is_none() {
                // But not what the kernel opens for it.
                if argument.is == Use::Start {
                    self.lose();
                }
                continue;
            }
            let follows = flags.is_none_or(|it| !it.contains(OFlags::NOFOLLOW));
            let folder = argument.folder.map(|it| notice.arguments[it]);
            let named = caller.find(folder, Path::new(&name), follows);
            match flags.filter(|it| only_reads(*it)) {
                Some(flags) => return self.open(listener, &notice, &named, flags),
                None => self.note_other(caller, argument.is, flags, &named),
            }
        }
        let _ = listener.go_on(&notice);
    }

    /// A call by which the unit can have what another one read.
    fn answer_sharing(&mut self, listener: &Listener, notice: &Notice, caller: Caller) {
        match notice.call {
            // As of a name service that is asked first.
            libc::SYS_connect if caller.names_no_socket(notice.arguments[1]) => {
                return drop(listener.fail(notice, Errno::NOENT));
            }
            // To the other end of what is connected, as by `send`.
            libc::SYS_sendto if notice.arguments[4] == 0 => {}
            libc::SYS_fcntl if !calls::is_lock(&notice.arguments) => {}
            // As of a compiler's own incremental data.
            libc::SYS_flock | libc::SYS_fcntl | libc::SYS_fgetxattr | libc::SYS_flistxattr
                if caller.has_open(notice.arguments[0], |it| self.is_output(it)) => {}
            _ => self.lose(),
        }
        let _ = listener.go_on(notice);
    }

    /// Whether a process, or the leader of a group (less than 0), is the unit or was started by it.
    fn is_own(&self, process: i32) -> bool {
        match process {
            0 => true,
            // All processes.
            -1 => false,
            1.. => self.is_started(process),
            // Its leader may have ended.
            _ => caller::group(process.saturating_neg()).into_iter().any(|it| self.is_started(it)),
        }
    }

    /// Whether a process is one of the unit: those of which the parent has ended are children of this one.
    fn is_started(&self, mut process: i32) -> bool {
        let own = std::process::id().cast_signed();
        while process > 1 && process != own {
            match caller::stat(process) {
                Some(stat) if stat.parent == own => return true,
                Some(stat) => process = stat.parent,
                None => return false,
            }
        }
        false
    }

    /// Whether a path is one of the unit's own output.
    fn is_output(&self, path: &Path) -> bool {
        self.own.iter().any(|it| path.starts_with(it))
    }

    /// Opens the file for the caller.
    fn open(&mut self, listener: &Listener, notice: &Notice, named: &Named, flags: OFlags) {
        let opened = match named {
            Named::Found(found) if flags.contains(OFlags::EXCL | OFlags::CREATE) => {
                self.note(found, Seen::Name);
                Err(Errno::EXIST)
            }
            Named::Found(found) => match found.kind {
                FileType::RegularFile
                | FileType::Directory
                | FileType::Symlink
                | FileType::CharacterDevice => {
                    self.note(found, Seen::Content);
                    caller::open(found, flags - OFlags::CREATE)
                }
                // As of cargo's job server.
                FileType::Fifo if found.is_unnamed() => caller::open_pipe(found, flags),
                // To open it may wait for its other end.
                _ => return self.leave(listener, notice),
            },
            // It would be made.
            Named::Missing(missing) if flags.contains(OFlags::CREATE) => {
                self.note_missing(missing);
                return self.leave(listener, notice);
            }
            Named::Missing(missing) => {
                self.note_missing(missing);
                Err(missing.errno)
            }
            Named::OfAnother => return self.leave(listener, notice),
        };
        let given = opened.and_then(|file| {
            listener.hand_over(notice, file.as_fd(), flags.contains(OFlags::CLOEXEC))
        });
        if let Err(errno) = given {
            let _ = listener.fail(notice, errno);
        }
    }

    /// Leaves a call to the kernel and the rights of the caller. What it reads is not known then.
    fn leave(&mut self, listener: &Listener, notice: &Notice) {
        self.lose();
        let _ = listener.go_on(notice);
    }

    fn note_other(&mut self, caller: Caller, is: Use, flags: Option<OFlags>, named: &Named) {
        let found = match named {
            Named::Found(found) => found,
            Named::Missing(missing) => return self.note_missing(missing),
            Named::OfAnother => return self.lose(),
        };
        // What is opened for writing, too, may be read; and a pipe may bring what another unit read.
        let may_bring = self.counts(&found.real) || found.kind == FileType::Fifo;
        if flags.is_some_and(|it| it.contains(OFlags::RDWR)) && may_bring {
            self.lose();
        }
        match is {
            Use::Start => self.note_program(caller, found),
            Use::Measure | Use::Open(_) => self.note(found, Seen::Size),
            Use::Ask => self.note(found, Seen::Name),
            Use::Attribute if self.is_foreign(&found.real) => self.lose(),
            Use::Watch if !self.is_output(&found.real) => self.lose(),
            Use::Attribute | Use::Watch => {}
        }
    }

    /// Notes a program that is started, and those that the kernel opens for it.
    fn note_program(&mut self, caller: Caller, program: &Found) {
        self.note(program, Seen::Content);
        // It can exchange its own between this look and the kernel's, but not what the unit itself is.
        let is_in = |it: &PathBuf| program.real.starts_with(it) && program.real != *it;
        if program.is_unnamed() || self.own.iter().any(is_in) {
            self.lose();
        }
        let mut next = caller::open(program, OFlags::RDONLY).ok();
        // The kernel follows as many interpreters of scripts.
        for _ in 0..5 {
            let Some(path) = next.as_ref().and_then(program::interpreter) else { return };
            match caller.find(None, &path, true) {
                Named::Found(found) => {
                    self.note(&found, Seen::Content);
                    next = caller::open(&found, OFlags::RDONLY).ok();
                }
                Named::Missing(missing) => return self.note_missing(&missing),
                Named::OfAnother => return self.lose(),
            }
        }
    }

    fn note(&mut self, found: &Found, seen: Seen) {
        let is_folder = found.kind == FileType::Directory;
        match seen {
            Seen::Content if is_folder => self.add(&found.real, Seen::Names),
            // A folder's own numbers tell how many others are in it.
            Seen::Size if is_folder && self.counts(&found.real) => {
                self.add(&found.real, Seen::Names);
            }
            Seen::Size if is_folder && self.is_in_target(&found.real, 3) => {}
            // `debug/deps`, `debug/build/a-0123456789abcdef`.
            Seen::Name if is_folder && self.is_in_target(&found.real, 3) => {}
            _ => self.add(&found.real, seen),
        }
        self.note_links(&found.links);
    }

    fn note_missing(&mut self, missing: &Missing) {
        if let Some(path) = missing.real.as_ref().filter(|it| !self.is_never_made(it)) {
            self.add(path, Seen::Name);
        }
        self.note_links(&missing.links);
    }

    fn note_links(&mut self, links: &[PathBuf]) {
        links.iter().for_each(|it| self.add(it, Seen::Name));
    }

    /// Whether a path is of the project, or output of another unit.
    fn is_foreign(&self, path: &Path) -> bool {
        let is_built = path.starts_with(&self.target) && !self.is_output(path);
        self.counts(path) || is_built
    }

    /// Whether a path is in the target directory, with so many names there, where only cargo makes folders.
    fn is_in_target(&self, path: &Path, most: usize) -> bool {
        path.strip_prefix(&self.target).is_ok_and(|it| it.components().count() <= most)
    }

    /// Whether a missing entry of the target directory comes from no unit: directly in it, and in `deps`, the stage
    /// puts files with the hash of their unit only. Linkers and loaders look for each library there.
    fn is_never_made(&self, path: &Path) -> bool {
        let Ok(below) = path.strip_prefix(&self.target) else { return false };
        let mut names = below.iter();
        let in_deps = names.position(|it| it == "deps").is_some_and(|it| it <= 2);
        let name = if in_deps { names.next() } else { below.file_name() };
        let name = name.and_then(|it| it.to_str()).unwrap_or_default();
        let stem = name.split_once('.').map_or(name, |it| it.0);
        let hash = stem.rsplit_once('-').map_or("", |it| it.1);
        (in_deps || self.is_in_target(path, 3)) && hash.len() != 16
    }

    /// Whether a path is one of the project.
    pub(super) fn counts(&self, path: &Path) -> bool {
        self.roots.iter().any(|it| path.starts_with(it)) && !path.starts_with(&self.target)
    }

    fn add(&mut self, path: &Path, seen: Seen) {
        if caller::shows_processes(path, seen == Seen::Names) {
            self.lose();
        }
        if self.counts(path) {
            self.seen.insert((path.to_owned(), seen));
        } else if let Ok(below) = path.strip_prefix(&self.target)
            && !self.is_output(path)
        {
            self.built.insert(below.to_owned());
        }
        if self.seen.len() + self.built.len() > ENTRIES {
            self.seen.clear();
            self.built.clear();
            self.lose();
        }
    }
}

fn flags_of(argument: &Argument, notice: &Notice) -> Option<OFlags> {
    let Use::Open(place) = argument.is else { return None };
    Some(OFlags::from_bits_retain(notice.arguments[place] as u32))
}

/// Whether a file is opened for reading alone, and if it is there, nothing is changed.
fn only_reads(flags: OFlags) -> bool {
    // A place cannot be handed over; what is opened by it later is looked at then.
    let changes = OFlags::TRUNC | OFlags::WRONLY | OFlags::RDWR | OFlags::PATH;
    !flags.intersects(changes) && !flags.contains(OFlags::TMPFILE)
}
