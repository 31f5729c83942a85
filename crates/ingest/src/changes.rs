//! What changed on disk since the last question, for a server that answers many of them. Start at
//! [`Changes`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use base::Ctx;

use crate::watch::PathEffect;
use crate::{Index, IngestError, Options, Report};

/// After this time everything is read again: not every file system reports changes by others.
const TRUSTED: Duration = Duration::from_secs(2);

/// What changed in the folders of one index since it was last updated.
///
/// Invariant: a change that was completed before [`Changes::is_current`] is called is seen by it –
/// there is no thread that would have to run first. The exceptions are file systems that report
/// no events, where the delay is at most two seconds, and texts behind symbolic links.
#[derive(Debug)]
pub struct Changes {
    watch: Option<watch::Watch>,
    pending: Pending,
    read_whole: Option<Instant>,
}

/// What happened and was not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pending {
    /// Files of these names were written; none where it is empty.
    Saved(BTreeSet<PathBuf>),
    Anything,
}

impl Default for Changes {
    fn default() -> Self {
        Self::new()
    }
}

impl Changes {
    /// Starts with everything unread. Where the system reports no changes, everything is read each
    /// time.
    pub fn new() -> Self {
        Self { watch: watch::Watch::new().ok(), pending: Pending::Anything, read_whole: None }
    }

    /// Whether nothing changed since the last [`Changes::update`].
    pub fn is_current(&mut self) -> bool {
        self.collect();
        self.pending == Pending::Saved(BTreeSet::new())
            && self.read_whole.is_some_and(|at| at.elapsed() < TRUSTED)
    }

    /// Updates `index` to the present files.
    ///
    /// # Errors
    /// As [`Index::refresh`]; then the changes are still unread.
    pub fn update(
        &mut self,
        ctx: &Ctx,
        index: &mut Index,
        options: &Options,
    ) -> Result<Report, IngestError> {
        self.collect();
        let pending = std::mem::replace(&mut self.pending, Pending::Saved(BTreeSet::new()));
        let updated = match &pending {
            Pending::Saved(files) if !files.is_empty() => {
                self.update_files(ctx, index, options, files)
            }
            _ => self.update_whole(ctx, index, options),
        };
        if updated.is_err() {
            self.pending = Pending::Anything;
        }
        updated
    }

    fn update_files(
        &mut self,
        ctx: &Ctx,
        index: &mut Index,
        options: &Options,
        files: &BTreeSet<PathBuf>,
    ) -> Result<Report, IngestError> {
        let mut saved = Vec::new();
        for file in files {
            match index.effect_of(file) {
                PathEffect::Saved(path) => saved.push(path),
                PathEffect::Nothing => {}
                PathEffect::Anything => return self.update_whole(ctx, index, options),
            }
        }
        index.refresh_saved(ctx, options, &saved)
    }

    fn update_whole(
        &mut self,
        ctx: &Ctx,
        index: &mut Index,
        options: &Options,
    ) -> Result<Report, IngestError> {
        let began = Instant::now();
        // Watch first, then read: no change can be missed in between.
        if let Some(watch) = &mut self.watch {
            while watch.follow(index.source_folders(ctx, options)?) {}
        }
        let report = index.refresh(ctx, options)?;
        self.read_whole = Some(began);
        Ok(report)
    }

    /// Adds the events that the system has collected.
    fn collect(&mut self) {
        let Some(watch) = &mut self.watch else {
            self.pending = Pending::Anything;
            return;
        };
        let is_whole = watch.read(&mut |file| {
            if let Pending::Saved(files) = &mut self.pending {
                files.insert(file);
            }
        });
        if !is_whole {
            self.pending = Pending::Anything;
        }
    }
}

#[cfg(target_os = "linux")]
mod watch {
    use std::ffi::OsStr;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt as _;

    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
    use rustix::io::Errno;

    use super::{BTreeMap, BTreeSet, PathBuf};

    /// Whatever can change the content or the name of a file.
    const CHANGES: WatchFlags = WatchFlags::MODIFY
        .union(WatchFlags::ATTRIB)
        .union(WatchFlags::CREATE)
        .union(WatchFlags::DELETE)
        .union(WatchFlags::MOVE)
        .union(WatchFlags::DELETE_SELF)
        .union(WatchFlags::MOVE_SELF)
        .union(WatchFlags::ONLYDIR);

    /// The folders that inotify reports on.
    #[derive(Debug)]
    pub(super) struct Watch {
        queue: OwnedFd,
        folders: BTreeMap<i32, PathBuf>,
    }

    impl Watch {
        pub(super) fn new() -> rustix::io::Result<Self> {
            let queue = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
            Ok(Self { queue, folders: BTreeMap::new() })
        }

        /// Watches new folders, and no longer those that are gone; returns whether there are new ones.
        pub(super) fn follow(&mut self, mut folders: BTreeSet<PathBuf>) -> bool {
            self.folders.retain(|number, folder| {
                let is_kept = folders.remove(folder);
                if !is_kept {
                    // The system has dropped it already where the folder is gone.
                    let _ = inotify::remove_watch(&self.queue, *number);
                }
                is_kept
            });
            let before = self.folders.len();
            for folder in folders {
                // A folder that cannot be watched is read every few seconds.
                if let Ok(number) = inotify::add_watch(&self.queue, &folder, CHANGES) {
                    self.folders.insert(number, folder);
                }
            }
            self.folders.len() > before
        }

        /// Passes on the files of all events; false where some are not known.
        pub(super) fn read(&mut self, on: &mut dyn FnMut(PathBuf)) -> bool {
            let mut buffer = [MaybeUninit::uninit(); 16 << 10];
            let mut events = inotify::Reader::new(&self.queue, &mut buffer);
            let mut is_whole = true;
            loop {
                let event = match events.next() {
                    Ok(event) => event,
                    Err(Errno::AGAIN) => return is_whole,
                    Err(_) => return false,
                };
                let flags = event.events();
                if flags.contains(ReadFlags::IGNORED) {
                    self.folders.remove(&event.wd());
                    continue;
                }
                let lost = ReadFlags::QUEUE_OVERFLOW
                    | ReadFlags::ISDIR
                    | ReadFlags::DELETE_SELF
                    | ReadFlags::MOVE_SELF
                    | ReadFlags::UNMOUNT;
                match (self.folders.get(&event.wd()), event.file_name()) {
                    (Some(folder), Some(name)) if !flags.intersects(lost) => {
                        on(folder.join(OsStr::from_bytes(name.to_bytes())));
                    }
                    _ => is_whole = false,
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod watch {
    use super::{BTreeSet, PathBuf};

    /// Other systems report by a thread, which may be late.
    #[derive(Debug)]
    pub(super) enum Watch {}

    impl Watch {
        pub(super) fn new() -> Result<Self, ()> {
            Err(())
        }

        pub(super) fn follow(&mut self, _: BTreeSet<PathBuf>) -> bool {
            match *self {}
        }

        pub(super) fn read(&mut self, _: &mut dyn FnMut(PathBuf)) -> bool {
            match *self {}
        }
    }
}
