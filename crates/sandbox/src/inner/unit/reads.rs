//! The files of the project that one unit learned of: every call by which a compiler, a macro, a build script or
//! a program of theirs can do so waits until it is noted here.
//!
//! A file that is only read is opened by this process and handed over, so that what is noted is what was opened,
//! whatever another thread does to the name meanwhile. A call that only asks about a name continues by itself; there
//! a thread that exchanges the name at that moment could ask about another entry, but read none.

use std::ffi::OsString;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use base::SortedSet;
use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;

use super::caller::{self, Caller, Found, Missing, Named};
use super::calls::{self, Fact, Use};
use super::sight::{Sight, Target};
use super::{facts, program};
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
    target: Target,
    pub(super) seen: SortedSet<(PathBuf, Seen)>,
    /// The paths that it read in the target directory besides.
    pub(super) built: SortedSet<PathBuf>,
    /// Whether there may be more.
    pub(super) is_unknown: bool,
    /// Whether the kernel showed none of it.
    pub(super) is_unseen: bool,
}

impl Reads {
    pub(super) fn new(roots: &[PathBuf], target: Target) -> Self {
        let mut roots = roots.to_vec();
        let real: Vec<_> = roots.iter().filter_map(|it| it.canonicalize().ok()).collect();
        roots.extend(real);
        Self {
            roots,
            target,
            seen: SortedSet::new(),
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
        if calls::changes_open(notice.call) {
            return self.answer_change(listener, &notice, caller, notice.arguments[0]);
        }
        for argument in calls::arguments(notice.call) {
            let address = notice.arguments[argument.name];
            let folder = argument.folder.map(|it| notice.arguments[it]);
            let name = match caller.text(address) {
                // As of `futimens`: the call is about what is open.
                _ if address == 0 => OsString::new(),
                Ok(name) => name,
                Err(errno) => return drop(listener.fail(&notice, errno)),
            };
            if name.is_empty() && !matches!(argument.is, Use::Open(_)) {
                match (argument.is, folder) {
                    // What is open already was noted then, but not what the kernel opens for it.
                    (Use::Start, _) => self.lose(),
                    (Use::Change, Some(file)) => {
                        return self.answer_change(listener, &notice, caller, file);
                    }
                    _ => {}
                }
                continue;
            }
            let follows = argument.follows(&notice.arguments);
            let named = caller.find(folder, Path::new(&name), follows);
            if self.is_hidden(&named) {
                return drop(listener.fail(&notice, Errno::NOENT));
            }
            let flags = argument.flags(&notice.arguments);
            if let Some(flags) = flags.filter(|it| calls::only_reads(*it)) {
                return self.open(listener, &notice, &named, flags);
            }
            match argument.is {
                Use::Fact(fact) => {
                    return self.state((listener, &notice, caller), &named, fact, follows);
                }
                Use::Change if !self.is_own_entry(&named) => {
                    self.note_other(caller, argument.is, None, &named);
                    return drop(listener.fail(&notice, Errno::PERM));
                }
                _ => self.note_other(caller, argument.is, flags, &named),
            }
        }
        let _ = listener.go_on(&notice);
    }

    /// Answers a question about an entry.
    fn state(
        &mut self,
        (listener, notice, caller): (&Listener, &Notice, Caller),
        named: &Named,
        fact: Fact,
        follows: bool,
    ) {
        let answer = match named {
            // As of `/proc/self`, which is another link for each that asks.
            Named::Found(found)
                if !follows && found.real.starts_with("/proc") && !found.is_link() =>
            {
                return self.leave(listener, notice);
            }
            Named::Found(found) => {
                self.note_other(caller, Use::Fact(fact), None, named);
                facts::answer(fact, found, (caller, listener, notice))
            }
            Named::Missing(missing) => {
                self.note_missing(missing);
                Err(missing.errno)
            }
            Named::OfAnother => return self.leave(listener, notice),
        };
        let _ = match answer {
            Ok(value) => listener.succeed(notice, value),
            // This process cannot answer.
            Err(Errno::NOSYS) => return self.leave(listener, notice),
            Err(errno) => listener.fail(notice, errno),
        };
    }

    /// A call that changes what others see of an open file: only of the unit's own, so that nothing is passed on by
    /// that.
    fn answer_change(&self, listener: &Listener, notice: &Notice, caller: Caller, file: u64) {
        let _ = match caller.has_open(file, |it| self.target.is_output(it)) {
            true => listener.go_on(notice),
            false => listener.fail(notice, Errno::PERM),
        };
    }

    /// Whether an entry is one of the unit's own output, or is not there.
    fn is_own_entry(&self, named: &Named) -> bool {
        match named {
            Named::Found(found) => self.target.is_output(&found.real),
            Named::Missing(_) => true,
            Named::OfAnother => false,
        }
    }

    /// A call by which the unit can have what another one read.
    fn answer_sharing(&mut self, listener: &Listener, notice: &Notice, caller: Caller) {
        if notice.call == libc::SYS_connect
            && let Some(missing) = caller.missing_socket(notice.arguments[1])
        {
            // As of a name service that is asked first.
            self.note_missing(&missing);
            return drop(listener.fail(notice, missing.errno));
        }
        match notice.call {
            // To the other end of what is connected, as by `send`.
            libc::SYS_sendto if notice.arguments[4] == 0 => {}
            libc::SYS_fcntl if !calls::is_about_file(&notice.arguments) => {}
            // As of a compiler's own incremental data.
            libc::SYS_flock | libc::SYS_fcntl | libc::SYS_fgetxattr | libc::SYS_flistxattr
                if caller.has_open(notice.arguments[0], |it| self.target.is_output(it)) => {}
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

    /// Whether a call has what is never there for a unit.
    fn is_hidden(&mut self, named: &Named) -> bool {
        let (sight, links) = match named {
            Named::Found(it) => (self.sight(it), &it.links),
            Named::Missing(it) => match &it.real {
                Some(real) => (self.target.sight(real, false), &it.links),
                None => return false,
            },
            Named::OfAnother => return false,
        };
        // Those on the way are what they are all the same.
        let is_hidden = sight == Sight::Hidden;
        if is_hidden {
            self.note_links(links);
        }
        is_hidden
    }

    fn sight(&self, found: &Found) -> Sight {
        self.target.sight(&found.real, found.kind == FileType::Directory)
    }

    /// Opens the file for the caller.
    fn open(&mut self, listener: &Listener, notice: &Notice, named: &Named, flags: OFlags) {
        let opened = match named {
            Named::Found(found) if flags.contains(OFlags::EXCL | OFlags::CREATE) => {
                self.note(found, Seen::Name);
                Err(Errno::EXIST)
            }
            Named::Found(found) if flags.contains(OFlags::PATH) => {
                self.note(found, Seen::Size);
                caller::same_place(found, flags)
            }
            Named::Found(found) => match found.kind {
                FileType::RegularFile
                | FileType::Directory
                | FileType::Symlink
                | FileType::CharacterDevice => {
                    self.note(found, Seen::Content);
                    let list = match found.kind {
                        FileType::Directory => self.target.list(&found.real),
                        _ => None,
                    };
                    list.unwrap_or_else(|| caller::open(found, flags - OFlags::CREATE))
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
            Use::Fact(Fact::Stat(..) | Fact::Statx(..)) | Use::Open(_) => {
                self.note(found, Seen::Size);
            }
            Use::Fact(Fact::Access(..) | Fact::Link(..)) | Use::Ask | Use::Change => {
                self.note(found, Seen::Name);
            }
            // The kernel reads the name once more, which may be another one then.
            Use::Attribute => self.lose(),
            Use::Watch if !self.target.is_output(&found.real) => self.lose(),
            Use::Watch => {}
        }
    }

    /// Notes a program that is started, and those that the kernel opens for it.
    fn note_program(&mut self, caller: Caller, program: &Found) {
        self.note(program, Seen::Content);
        // It can exchange its own between this look and the kernel's, but not what the unit itself is.
        if program.is_unnamed() || self.target.is_within_output(&program.real) {
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
            Seen::Size | Seen::Name
                if is_folder
                    && self.target.name(&found.real).is_some()
                    && self.sight(found) != Sight::Shared => {}
            _ => self.add(&found.real, seen),
        }
        self.note_links(&found.links);
    }

    fn note_missing(&mut self, missing: &Missing) {
        if let Some(path) = &missing.real
            && self.target.sight(path, false) != Sight::Fixed
        {
            self.add(path, Seen::Name);
        }
        self.note_links(&missing.links);
    }

    fn note_links(&mut self, links: &[PathBuf]) {
        links.iter().for_each(|it| self.add(it, Seen::Name));
    }

    /// Whether a path is one of the project.
    pub(super) fn counts(&self, path: &Path) -> bool {
        self.roots.iter().any(|it| path.starts_with(it)) && self.target.name(path).is_none()
    }

    fn add(&mut self, path: &Path, seen: Seen) {
        if caller::shows_processes(path, seen == Seen::Names) {
            self.lose();
        }
        if self.counts(path) {
            self.seen.insert((path.to_owned(), seen));
        } else if let Some(below) = self.target.name(path)
            && !self.target.is_output(path)
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
