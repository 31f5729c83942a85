use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use base::Ctx;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::{Index, IngestError, Options, Report};

/// A save is several events; a branch switch is thousands.
const QUIET: Duration = Duration::from_millis(100);
/// Changes that never end are taken up in between.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the wish to stop is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// After so long without a change, what the next process needs is written.
const IDLE: Duration = Duration::from_secs(1);

impl Index {
    /// Brings the map up to date, then keeps it so until the user asks to stop: `on` gets the
    /// report of the first refresh and of each that changed something. Only folders with files that
    /// are not ignored are watched.
    ///
    /// # Errors
    /// When the system refuses to watch, and as [`Index::refresh`].
    pub fn watch(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        on: &mut dyn FnMut(&Report),
    ) -> Result<(), IngestError> {
        let (sender, events) = channel();
        let root = self.project().root().to_owned();
        let refused = |path: &Path, err: notify::Error| IngestError::Watch {
            path: path.to_owned(),
            reason: err.to_string(),
        };
        let mut watcher = notify::recommended_watcher(move |event| {
            // Nobody listens any more when the watch has ended.
            let _ = sender.send(event);
        })
        .map_err(|err| refused(&root, err))?;
        let mut watched = BTreeSet::new();
        let mut options = options.clone();
        let mut is_first = true;
        loop {
            // First the watch, then the look: nothing can happen unseen in between.
            while self.follow(ctx, &options, &mut watcher, &mut watched)? {}
            match self.refresh(ctx, &options) {
                Ok(report) if is_first || report.changed_files > 0 => on(&report),
                Ok(_) => {}
                Err(IngestError::Cancelled(_)) => return Ok(()),
                Err(err) => return Err(err),
            }
            is_first = false;
            options.full = false;
            if !self.wait(ctx, &events)? {
                return Ok(());
            }
        }
    }

    /// Watches folders that are new; whether there were any.
    fn follow(
        &self,
        ctx: &Ctx,
        options: &Options,
        watcher: &mut RecommendedWatcher,
        watched: &mut BTreeSet<PathBuf>,
    ) -> Result<bool, IngestError> {
        let root = self.project().root();
        let mut folders = BTreeSet::from([root.to_owned()]);
        for source in self.project().sources(ctx, &options.ignore_files)? {
            let mut folder = source.path.parent();
            while let Some(path) = folder {
                if !folders.insert(path.join_to(root)) {
                    break;
                }
                folder = path.parent();
            }
        }
        watched.retain(|folder| {
            let stays = folders.contains(folder);
            if !stays {
                // The system has dropped it already where the folder is gone.
                let _ = watcher.unwatch(folder);
            }
            stays
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
                // It went away since it was listed.
                Err(_) if !folder.is_dir() => {}
                Err(err) => {
                    return Err(IngestError::Watch { path: folder, reason: err.to_string() });
                }
            }
        }
        Ok(any)
    }

    /// Waits for changes and then for quiet; false: the user asked to stop.
    fn wait(
        &mut self,
        ctx: &Ctx,
        events: &Receiver<notify::Result<Event>>,
    ) -> Result<bool, IngestError> {
        let began = Instant::now();
        let mut is_flushed = false;
        loop {
            if ctx.is_cancelled() {
                return Ok(false);
            }
            match events.recv_timeout(LOOK) {
                Ok(event) if counts(&event) => break,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {
                    if !is_flushed && began.elapsed() >= IDLE {
                        self.flush(ctx)?;
                        is_flushed = true;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(false),
            }
        }
        let first = Instant::now();
        let mut last = first;
        while last.elapsed() < QUIET && first.elapsed() < PATIENCE {
            if ctx.is_cancelled() {
                return Ok(false);
            }
            match events.recv_timeout(QUIET.saturating_sub(last.elapsed())) {
                Ok(event) if counts(&event) => last = Instant::now(),
                _ => {}
            }
        }
        Ok(true)
    }
}

/// Reading is no change. What could not be told may have been one.
fn counts(event: &notify::Result<Event>) -> bool {
    event.as_ref().map_or(true, |event| !matches!(event.kind, EventKind::Access(_)))
}
