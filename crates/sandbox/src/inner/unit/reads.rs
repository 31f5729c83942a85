//! The files of the project that one unit learned of: every call by which a compiler, a macro, a build script or
//! a program of theirs can do so waits until it is noted here.
//!
//! A file that is only read is opened by this process and handed over, so that what is noted is what was opened,
//! whatever another thread does to the name meanwhile. A call that only asks about a name continues by itself; there
//! a thread that exchanges the name at that moment could ask about another entry, but read none.

mod answers;

use std::path::{Path, PathBuf};

use base::{SortedMap, SortedSet};
use rustix::fs::{FileType, OFlags};

use super::caller::{self, Caller, Found, Missing, Named};
use super::calls::{Fact, Use};
use super::program;
use super::sight::{Sight, Target};

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
    /// Programs that may be those of a process that began one, and has made no call since.
    started: SortedMap<i32, Vec<PathBuf>>,
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
            started: SortedMap::new(),
            is_unknown: false,
            is_unseen: false,
        }
    }

    /// Notes that the unit may have read anything.
    pub(super) fn lose(&mut self) {
        self.is_unknown = true;
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
        // It keeps the one that it has where the kernel cannot start this one.
        let mut programs: Vec<_> = caller.program().into_iter().collect();
        programs.push(program.real.clone());
        let mut next = caller::open(program, OFlags::RDONLY).ok();
        // The kernel follows as many interpreters of scripts.
        for _ in 0..5 {
            let Some(path) = next.as_ref().and_then(program::interpreter) else { break };
            match caller.find(None, &path, true) {
                Named::Found(found) => {
                    self.note(&found, Seen::Content);
                    next = caller::open(&found, OFlags::RDONLY).ok();
                    programs.push(found.real);
                }
                Named::Missing(missing) => {
                    self.note_missing(&missing);
                    break;
                }
                Named::OfAnother => return self.lose(),
            }
        }
        self.started.insert(caller.thread, programs);
    }

    /// Looks at the program that a process has started: its name may have been another one when the kernel read it.
    fn look_at_program(&mut self, caller: Caller) {
        if let Some(programs) = self.started.remove(&caller.thread)
            && caller.program().is_none_or(|it| !programs.contains(&it))
        {
            self.lose();
        }
    }

    /// Ends the notes of a unit.
    pub(super) fn end(&mut self) {
        // No call shows which programs these were.
        if !self.started.is_empty() {
            self.lose();
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
