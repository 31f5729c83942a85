//! What changed on disk since the last question, for a server that answers many of them. Start at
//! [`Changes`].
//!
//! On Linux it reads the queue of inotify itself: a question must see every save that was completed before it,
//! so the queue has to be emptied by the one who asks. `notify`, which [`Index::watch`] uses, hands events over
//! from a thread of its own, at some time later.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap, SortedSet};

use crate::watch::PathEffect;
use crate::{Index, IndexReport, IngestError, Options};

/// After this time everything is read again: not every file system reports changes by others.
const TRUSTED: Duration = Duration::from_secs(2);

/// What changed in the folders of one index since it was last updated. All methods may be called at
/// the same time; only [`Changes::update`] takes long.
///
/// Invariant: a change that was completed before [`Changes::is_current`] is called is seen by it –
/// there is no thread that would have to run first. The exceptions are file systems that report
/// no events, where the delay is at most two seconds, and texts behind symbolic links.
#[derive(Debug)]
pub struct Changes {
    state: Mutex<ChangeState>,
    bell: watch::Bell,
}

#[derive(Debug)]
struct ChangeState {
    watch: Option<watch::Watch>,
    /// Not read yet.
    pending: Unread,
    /// What the update that is running reads.
    taken: Unread,
    read_whole: Option<Instant>,
    is_closed: bool,
}

impl ChangeState {
    fn age(&self) -> Duration {
        self.read_whole.map_or(Duration::MAX, |at| at.elapsed())
    }
}

/// What happened and was not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// Files with these absolute paths were written; nothing happened where it is empty.
    Saved(SortedSet<PathBuf>),
    /// Something that names no file, such as a folder that was moved.
    Anything,
}

impl Unread {
    fn nothing() -> Self {
        Self::Saved(SortedSet::new())
    }

    /// Whether everything was read.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Saved(files) if files.is_empty())
    }

    fn add(&mut self, other: Self) {
        match (&mut *self, other) {
            (Self::Saved(files), Self::Saved(others)) => files.extend(others),
            _ => *self = Self::Anything,
        }
    }
}

impl Default for Changes {
    fn default() -> Self {
        Self::new()
    }
}

impl Changes {
    /// Starts with everything unread. Where the system reports no changes, everything is read each
    /// time.
    pub(crate) fn new() -> Self {
        let state = ChangeState {
            watch: watch::Watch::new().ok(),
            pending: Unread::Anything,
            taken: Unread::nothing(),
            read_whole: None,
            is_closed: false,
        };
        let bell = watch::Bell::of(state.watch.as_ref());
        Self { state: Mutex::new(state), bell }
    }

    /// Whether nothing changed since the last [`Changes::update`], which has ended.
    pub fn is_current(&self) -> bool {
        let state = self.collected();
        let is_read = state.pending.is_empty() && state.taken.is_empty();
        is_read && state.watch.is_some() && state.age() < TRUSTED
    }

    /// What the map of the last [`Changes::update`] does not have; where the system reports no
    /// changes, anything may have happened after two seconds.
    pub fn unread(&self) -> Unread {
        let state = self.collected();
        let mut unread = state.pending.clone();
        unread.add(state.taken.clone());
        if state.watch.is_none() && state.age() > TRUSTED {
            unread = Unread::Anything;
        }
        unread
    }

    /// The time since everything was read, not only what changed by the report of the system.
    pub fn age(&self) -> Duration {
        base::lock(&self.state).age()
    }

    /// Waits until the system reports a change or [`Changes::nudge`] is called; false once it is
    /// closed. It may also return without a reason.
    pub fn wait(&self) -> bool {
        let has_changed = {
            let state = self.collected();
            state.is_closed || !state.pending.is_empty()
        };
        if !has_changed {
            self.bell.wait();
        }
        !base::lock(&self.state).is_closed
    }

    /// Ends the waiting of another thread.
    pub fn nudge(&self) {
        self.bell.ring();
    }

    /// Ends all waiting for good.
    pub fn close(&self) {
        base::lock(&self.state).is_closed = true;
        self.bell.ring();
    }

    /// Updates `index` to the present files, and passes it to `publish`, before it counts as current.
    ///
    /// # Errors
    /// As [`Index::refresh`]; then the changes are still unread.
    pub fn update(
        &self,
        ctx: &Ctx,
        index: &mut Index,
        options: &Options,
        publish: impl FnOnce(&Index, IndexReport),
    ) -> Result<(), IngestError> {
        let taken = {
            let mut state = self.collected();
            state.taken = std::mem::replace(&mut state.pending, Unread::nothing());
            state.taken.clone()
        };
        let updated = match &taken {
            Unread::Saved(files) if !files.is_empty() => {
                self.update_files(ctx, index, options, files)
            }
            _ => self.update_whole(ctx, index, options),
        };
        let updated = updated.map(|report| publish(index, report));
        let mut state = base::lock(&self.state);
        state.taken = Unread::nothing();
        if updated.is_err() {
            state.pending = Unread::Anything;
        }
        updated
    }

    fn update_files(
        &self,
        ctx: &Ctx,
        index: &mut Index,
        options: &Options,
        files: &SortedSet<PathBuf>,
    ) -> Result<IndexReport, IngestError> {
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
        &self,
        ctx: &Ctx,
        index: &mut Index,
        options: &Options,
    ) -> Result<IndexReport, IngestError> {
        let began = Instant::now();
        // Watch first, then read: no change can be missed in between.
        loop {
            let folders = index.source_folders(ctx, options)?;
            let mut state = base::lock(&self.state);
            if !state.watch.as_mut().is_some_and(|watch| watch.follow(folders)) {
                break;
            }
        }
        let report = index.refresh(ctx, options)?;
        base::lock(&self.state).read_whole = Some(began);
        Ok(report)
    }

    /// The state with the events that the system has collected.
    fn collected(&self) -> MutexGuard<'_, ChangeState> {
        let mut state = base::lock(&self.state);
        let ChangeState { watch, pending, .. } = &mut *state;
        let was_empty = pending.is_empty();
        let Some(watch) = watch else { return state };
        let is_whole = watch.read(&mut |file| {
            if let Unread::Saved(files) = &mut *pending {
                files.insert(file);
            }
        });
        if !is_whole {
            *pending = Unread::Anything;
        }
        if was_empty && !pending.is_empty() {
            // The events are no longer in the queue that others wait for.
            self.bell.ring();
        }
        state
    }
}

#[cfg(target_os = "linux")]
mod watch {
    use std::ffi::OsStr;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt as _;

    use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
    use rustix::io::Errno;

    use super::{PathBuf, SortedMap, SortedSet};

    /// Whatever can change the content or the name of a file.
    const CHANGES: WatchFlags = WatchFlags::MODIFY
        .union(WatchFlags::ATTRIB)
        .union(WatchFlags::CREATE)
        .union(WatchFlags::DELETE)
        .union(WatchFlags::MOVE)
        .union(WatchFlags::DELETE_SELF)
        .union(WatchFlags::MOVE_SELF)
        .union(WatchFlags::ONLYDIR);

    /// Wakes who waits for a change: it rings by itself when the system reports one.
    #[derive(Debug)]
    pub(super) struct Bell {
        /// None where the process has no descriptor left: then waiting is sleeping.
        wires: Option<(OwnedFd, OwnedFd)>,
    }

    impl Bell {
        pub(super) fn of(watch: Option<&Watch>) -> Self {
            let queue = watch.and_then(|watch| watch.queue.try_clone().ok());
            let cord = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC).ok();
            Self { wires: queue.zip(cord) }
        }

        pub(super) fn ring(&self) {
            if let Some((_, cord)) = &self.wires {
                // A full counter rings as well.
                let _ = rustix::io::write(cord, &1u64.to_ne_bytes());
            }
        }

        pub(super) fn wait(&self) {
            let Some((queue, cord)) = &self.wires else {
                std::thread::sleep(super::TRUSTED);
                return;
            };
            let mut both = [PollFd::new(queue, PollFlags::IN), PollFd::new(cord, PollFlags::IN)];
            // An interrupt is as good as an event: the caller looks again.
            let _ = poll(&mut both, None);
            let _ = rustix::io::read(cord, &mut [0; 8]);
        }
    }

    /// The folders that inotify reports on.
    #[derive(Debug)]
    pub(super) struct Watch {
        queue: OwnedFd,
        folders: SortedMap<i32, PathBuf>,
    }

    impl Watch {
        pub(super) fn new() -> rustix::io::Result<Self> {
            let queue = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
            Ok(Self { queue, folders: SortedMap::new() })
        }

        /// Watches new folders, and no longer those that are gone; returns whether there are new ones.
        pub(super) fn follow(&mut self, mut folders: SortedSet<PathBuf>) -> bool {
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
    use std::sync::{Condvar, Mutex};

    use super::{PathBuf, SortedSet};

    /// Wakes who waits for a change; the system does not ring it.
    #[derive(Debug, Default)]
    pub(super) struct Bell {
        rang: Mutex<bool>,
        wake: Condvar,
    }

    impl Bell {
        pub(super) fn of(_: Option<&Watch>) -> Self {
            Self::default()
        }

        pub(super) fn ring(&self) {
            *base::lock(&self.rang) = true;
            self.wake.notify_all();
        }

        pub(super) fn wait(&self) {
            if let Ok(mut rang) = self.wake.wait_while(base::lock(&self.rang), |rang| !*rang) {
                *rang = false;
            }
        }
    }

    /// Other systems report by a thread, which may be late.
    #[derive(Debug)]
    pub(super) enum Watch {}

    impl Watch {
        pub(super) fn new() -> Result<Self, ()> {
            Err(())
        }

        pub(super) fn follow(&mut self, _: SortedSet<PathBuf>) -> bool {
            match *self {}
        }

        pub(super) fn read(&mut self, _: &mut dyn FnMut(PathBuf)) -> bool {
            match *self {}
        }
    }
}
