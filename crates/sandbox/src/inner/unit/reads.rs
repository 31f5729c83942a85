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

use super::caller::{self, Caller, Found, Missing};
use super::calls::{self, Named, Use};
use crate::sys::notice::{Listener, Notice};

/// Maximum number of entries that are noted.
const ENTRIES: usize = 200_000;

/// How much a unit learned of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seen {
    /// Whether it is there.
    Name,
    /// The names in the folder.
    Names,
    /// The content of the file.
    Content,
}

/// What one unit has learned so far.
#[derive(Debug)]
pub(super) struct Reads {
    /// Folders whose files count.
    roots: Vec<PathBuf>,
    /// The target directory, whose files do not.
    target: PathBuf,
    pub(super) seen: SortedSet<(PathBuf, Seen)>,
    /// Folders of its own output.
    own: Vec<PathBuf>,
    /// What it read in the target directory besides.
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

    /// Whether the unit read nothing of the project.
    pub(super) fn is_empty(&self) -> bool {
        self.seen.is_empty() && !self.is_unknown
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
        for named in calls::names(notice.call) {
            let name = match caller.text(notice.arguments[named.name]) {
                Ok(name) => name,
                Err(errno) => return drop(listener.fail(&notice, errno)),
            };
            let flags = flags_of(named, &notice);
            let folder = named.folder.map(|it| notice.arguments[it]);
            // What is open already was noted then.
            if name.is_empty() && named.is != Use::Start && flags.is_none() {
                continue;
            }
            let follows = flags.is_none_or(|it| !it.contains(OFlags::NOFOLLOW));
            let found = caller.find(folder, Path::new(&name), follows);
            if found.as_ref().is_ok_and(|it| caller.is_of_another(&it.real)) {
                self.lose();
            }
            match flags.filter(|it| only_reads(*it)) {
                Some(flags) => return self.open(listener, &notice, found, flags),
                None => self.note_other(named.is, flags, &found),
            }
        }
        let _ = listener.go_on(&notice);
    }

    /// A call by which the unit can have what another one read.
    fn answer_sharing(&mut self, listener: &Listener, notice: &Notice, caller: Caller) {
        // As of a name service that is asked first.
        if notice.call == libc::SYS_connect && caller.names_no_socket(notice.arguments[1]) {
            return drop(listener.fail(notice, Errno::NOENT));
        }
        self.lose();
        let _ = listener.go_on(notice);
    }

    /// Opens the file for the caller.
    fn open(
        &mut self,
        listener: &Listener,
        notice: &Notice,
        found: Result<Found, Missing>,
        flags: OFlags,
    ) {
        let found = match found {
            Ok(found) => found,
            Err(missing) => {
                self.note_missing(&missing);
                return drop(listener.fail(notice, missing.errno));
            }
        };
        let opened = match found.kind {
            FileType::RegularFile
            | FileType::Directory
            | FileType::Symlink
            | FileType::CharacterDevice => caller::open(&found, flags),
            // As of cargo's job server.
            FileType::Fifo if found.is_unnamed() => caller::open_pipe(&found, flags),
            // To open it may wait for its other end.
            _ => {
                self.lose();
                return drop(listener.go_on(notice));
            }
        };
        self.note(&found, if flags.contains(OFlags::PATH) { Seen::Name } else { Seen::Content });
        let given = opened.and_then(|file| {
            listener.hand_over(notice, file.as_fd(), flags.contains(OFlags::CLOEXEC))
        });
        if let Err(errno) = given {
            let _ = listener.fail(notice, errno);
        }
    }

    fn note_other(&mut self, is: Use, flags: Option<OFlags>, found: &Result<Found, Missing>) {
        let found = match found {
            Ok(found) => found,
            Err(missing) => return self.note_missing(missing),
        };
        // What is opened for writing, too, may be read; and a pipe may bring what another unit read.
        let may_bring = self.counts(&found.real) || found.kind == FileType::Fifo;
        if flags.is_some_and(|it| it.contains(OFlags::RDWR)) && may_bring {
            self.lose();
        }
        self.note(found, if is == Use::Start { Seen::Content } else { Seen::Name });
    }

    fn note(&mut self, found: &Found, seen: Seen) {
        let seen = match found.kind {
            FileType::Directory if seen == Seen::Content => Seen::Names,
            _ => seen,
        };
        self.add(&found.real, seen);
        // A link on the way.
        if found.named != found.real {
            self.add(&found.named, Seen::Name);
        }
    }

    fn note_missing(&mut self, missing: &Missing) {
        for path in missing.named.iter().chain(&missing.real) {
            self.add(path, Seen::Name);
        }
    }

    /// Whether a path is one of the project.
    pub(super) fn counts(&self, path: &Path) -> bool {
        self.roots.iter().any(|it| path.starts_with(it)) && !path.starts_with(&self.target)
    }

    fn add(&mut self, path: &Path, seen: Seen) {
        if self.counts(path) {
            self.seen.insert((path.to_owned(), seen));
        } else if seen != Seen::Name
            && let Ok(below) = path.strip_prefix(&self.target)
            && !self.own.iter().any(|it| path.starts_with(it))
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

fn flags_of(named: &Named, notice: &Notice) -> Option<OFlags> {
    let Use::Open(argument) = named.is else { return None };
    Some(OFlags::from_bits_retain(notice.arguments[argument] as u32))
}

/// Whether a file is opened for reading alone, and none is made.
fn only_reads(flags: OFlags) -> bool {
    let changes = OFlags::CREATE | OFlags::TRUNC | OFlags::WRONLY | OFlags::RDWR;
    let makes = flags.contains(OFlags::TMPFILE);
    flags.contains(OFlags::PATH) || !(flags.intersects(changes) || makes)
}
