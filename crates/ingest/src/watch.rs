//! Watches the tree and refreshes the index after changes, for `index --watch`. Start at [`Index::watch`]. A
//! server asks `changes.rs` instead, which reads the kernel's queue when it is asked, so that no answer is from
//! older files.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use base::{Ctx, ProjectPath, SortedSet};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::hydrate::LiveAnswer;
use crate::{Index, IndexReport, IngestError, Live, Options};

/// A save is several events; a branch switch is thousands.
const QUIET: Duration = Duration::from_millis(100);
/// Continuous changes are processed at this interval.
const PATIENCE: Duration = Duration::from_secs(2);
/// The polling interval for cancellation.
const POLL: Duration = Duration::from_millis(50);
/// After this time without a change the index is flushed.
const IDLE: Duration = Duration::from_secs(1);

impl Index {
    /// Updates the map, then keeps it up to date until the user cancels: `on` gets the report of
    /// the first refresh and of each that changed something. Only directories with files that are
    /// not ignored are watched.
    ///
    /// # Errors
    ///
    /// If the system cannot watch a directory, and as [`Index::refresh`].
    pub fn watch(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        on: &mut dyn FnMut(&IndexReport),
    ) -> Result<(), IngestError> {
        self.watch_with(ctx, options, None, on)
    }

    /// The same as [`Index::watch`]; changed files are also sent to a live rust-analyzer, after the
    /// map was updated from syntax. `on` also gets the reports of its results.
    ///
    /// # Errors
    ///
    /// As [`Index::watch`].
    pub fn watch_with(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        mut live: Option<&mut Live>,
        on: &mut dyn FnMut(&IndexReport),
    ) -> Result<(), IngestError> {
        let (sender, events) = channel();
        let root = self.project().root().to_owned();
        let refused = |path: &Path, err: notify::Error| IngestError::Watch {
            path: path.to_owned(),
            reason: err.to_string(),
        };
        let mut watcher = notify::recommended_watcher(move |event| {
            // The receiver is dropped when the watch has ended.
            let _ = sender.send(event);
        })
        .map_err(|err| refused(&root, err))?;
        let mut watched = SortedSet::new();
        let mut options = options.clone();
        let mut is_first = true;
        loop {
            // Watch first, then refresh: no change can be missed in between.
            while self.follow(ctx, &options, &mut watcher, &mut watched)? {}
            match self.refresh(ctx, &options) {
                Ok(report) if is_first || report.changed_files > 0 => on(&report),
                Ok(_) => {}
                Err(IngestError::Cancelled(_)) => return Ok(()),
                Err(err) => return Err(err),
            }
            is_first = false;
            options.full = false;
            if self.refresh_while_saved(ctx, &options, &events, live.as_deref_mut(), on)?.is_break()
            {
                return Ok(());
            }
        }
    }

    /// Reads saved files, and no other file, until something else happens; breaks if the user
    /// cancelled.
    fn refresh_while_saved(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        events: &Receiver<notify::Result<Event>>,
        mut live: Option<&mut Live>,
        on: &mut dyn FnMut(&IndexReport),
    ) -> Result<ControlFlow<()>, IngestError> {
        loop {
            if let Some(live) = live.as_deref_mut() {
                live.ask(self.state());
            }
            let paths = match self.wait(ctx, events, live.as_deref())? {
                WatchEvent::Stop => return Ok(ControlFlow::Break(())),
                WatchEvent::Anything => return Ok(ControlFlow::Continue(())),
                WatchEvent::Saved(paths) => paths,
                WatchEvent::Analyzer(answer) => {
                    if let Some(why) = &answer.trouble {
                        ctx.progress("rust-analyzer", why.as_str());
                    }
                    match self.take_answer(ctx, options, &answer) {
                        Ok(Some(_)) => on(&self.refresh(ctx, options)?),
                        Ok(None) => {}
                        Err(IngestError::Cancelled(_)) => return Ok(ControlFlow::Break(())),
                        Err(err) => return Err(err),
                    }
                    continue;
                }
            };
            match self.refresh_saved(ctx, options, &paths) {
                Ok(report) if report.changed_files > 0 => on(&report),
                Ok(_) => {}
                Err(IngestError::Cancelled(_)) => return Ok(ControlFlow::Break(())),
                Err(err) => return Err(err),
            }
        }
    }

    /// The directories with files that are not ignored, the root among them.
    pub(crate) fn source_folders(
        &self,
        ctx: &Ctx,
        options: &Options,
    ) -> Result<SortedSet<PathBuf>, IngestError> {
        let root = self.project().root();
        let mut folders = SortedSet::from([root.to_owned()]);
        for source in self.project().sources(ctx, &options.ignore_files)? {
            let mut folder = source.path.parent();
            while let Some(path) = folder {
                if !folders.insert(path.join_to(root)) {
                    break;
                }
                folder = path.parent();
            }
        }
        Ok(folders)
    }

    /// Watches new directories; returns whether there were any.
    fn follow(
        &self,
        ctx: &Ctx,
        options: &Options,
        watcher: &mut RecommendedWatcher,
        watched: &mut SortedSet<PathBuf>,
    ) -> Result<bool, IngestError> {
        let folders = self.source_folders(ctx, options)?;
        watched.retain(|folder| {
            let is_kept = folders.contains(folder);
            if !is_kept {
                // The system has dropped the watch already if the directory was removed.
                let _ = watcher.unwatch(folder);
            }
            is_kept
        });
        let mut any = false;
        for folder in folders {
            if watched.contains(&folder) {
                continue;
            }
            match watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    watched.insert(folder);
                    any = true;
                }
                // It was removed since it was listed.
                Err(_) if !folder.is_dir() => {}
                Err(err) => {
                    return Err(IngestError::Watch { path: folder, reason: err.to_string() });
                }
            }
        }
        Ok(any)
    }

    /// What a change at this path means for the map.
    pub(crate) fn effect_of(&self, path: &Path) -> PathEffect {
        match ProjectPath::within(self.project().root(), path) {
            Ok(within) if self.has_file(&within) => PathEffect::Saved(within),
            // A temporary file that was created and removed.
            Ok(within) if !path.exists() && !self.has_file_below(&within) => PathEffect::Nothing,
            _ => PathEffect::Anything,
        }
    }

    /// Adds the effect of an event: known files, or anything.
    fn record(&self, event: notify::Result<Event>, event_so_far: &mut WatchEvent) {
        let paths = event.ok().filter(|event| !event.need_rescan()).map(|event| event.paths);
        for path in paths.iter().flatten() {
            match (self.effect_of(path), &mut *event_so_far) {
                (PathEffect::Saved(path), WatchEvent::Saved(saved)) => saved.push(path),
                (PathEffect::Nothing, WatchEvent::Saved(_)) => {}
                _ => *event_so_far = WatchEvent::Anything,
            }
        }
        if paths.is_none() {
            *event_so_far = WatchEvent::Anything;
        }
    }

    /// Waits for changes and then for a quiet period.
    fn wait(
        &mut self,
        ctx: &Ctx,
        events: &Receiver<notify::Result<Event>>,
        live: Option<&Live>,
    ) -> Result<WatchEvent, IngestError> {
        let began = Instant::now();
        let mut is_flushed = false;
        let mut event_so_far = WatchEvent::Saved(Vec::new());
        loop {
            if ctx.is_cancelled() {
                return Ok(WatchEvent::Stop);
            }
            match events.recv_timeout(POLL) {
                Ok(event) if is_change(&event) => {
                    self.record(event, &mut event_so_far);
                    break;
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(answer) = live.and_then(Live::answer) {
                        return Ok(WatchEvent::Analyzer(answer));
                    }
                    if !is_flushed && began.elapsed() >= IDLE {
                        self.flush(ctx)?;
                        is_flushed = true;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(WatchEvent::Stop),
            }
        }
        let first = Instant::now();
        let mut last = first;
        while last.elapsed() < QUIET && first.elapsed() < PATIENCE {
            if ctx.is_cancelled() {
                return Ok(WatchEvent::Stop);
            }
            match events.recv_timeout(QUIET.saturating_sub(last.elapsed())) {
                Ok(event) if is_change(&event) => {
                    last = Instant::now();
                    self.record(event, &mut event_so_far);
                }
                _ => {}
            }
        }
        Ok(event_so_far)
    }
}

/// What a change at a path means for the map.
pub(crate) enum PathEffect {
    /// A file of the map was written or removed.
    Saved(ProjectPath),
    /// The map does not depend on it.
    Nothing,
    Anything,
}

/// The result of waiting.
enum WatchEvent {
    /// The user cancelled.
    Stop,
    /// These files of the map were written; nothing else happened.
    Saved(Vec<ProjectPath>),
    /// The live rust-analyzer returned a result.
    Analyzer(LiveAnswer),
    Anything,
}

/// Reading is not a change; an event that could not be delivered may have been one.
fn is_change(event: &notify::Result<Event>) -> bool {
    event.as_ref().map_or(true, |event| !matches!(event.kind, EventKind::Access(_)))
}
