use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use base::{Ctx, ProjectPath};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::hydrate::Answer;
use crate::{Index, IngestError, Live, Options, Report};

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
        self.watch_with(ctx, options, None, on)
    }

    /// As [`Index::watch`]; files that change are asked about at a live rust-analyzer, behind the
    /// map that syntax made of them at once. `on` hears of that, too.
    ///
    /// # Errors
    /// As [`Index::watch`].
    pub fn watch_with(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        mut live: Option<&mut Live>,
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
            // While only known files are saved, no other is looked at.
            loop {
                if let Some(live) = live.as_deref_mut() {
                    live.ask(self.state());
                }
                let paths = match self.wait(ctx, &events, live.as_deref())? {
                    Seen::Stop => return Ok(()),
                    Seen::Anything => break,
                    Seen::Saved(paths) => paths,
                    Seen::Words(answer) => {
                        if let Some(why) = &answer.trouble {
                            ctx.progress("rust-analyzer", why.as_str());
                        }
                        match self.take_answer(ctx, &options, &answer) {
                            Ok(Some(_)) => on(&self.refresh(ctx, &options)?),
                            Ok(None) => {}
                            Err(IngestError::Cancelled(_)) => return Ok(()),
                            Err(err) => return Err(err),
                        }
                        continue;
                    }
                };
                match self.refresh_saved(ctx, &options, &paths) {
                    Ok(report) if report.changed_files > 0 => on(&report),
                    Ok(_) => {}
                    Err(IngestError::Cancelled(_)) => return Ok(()),
                    Err(err) => return Err(err),
                }
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

    /// What an event may have changed: known files, or anything.
    fn seen(&self, event: notify::Result<Event>, seen: &mut Seen) {
        let paths = event.ok().filter(|event| !event.need_rescan()).map(|event| event.paths);
        for path in paths.iter().flatten() {
            let within = ProjectPath::within(self.project().root(), path);
            match (within, &mut *seen) {
                (Ok(path), Seen::Saved(saved)) if self.knows(&path) => saved.push(path),
                // A temporary file that came and went.
                (Ok(within), Seen::Saved(_)) if !path.exists() && !self.knows_below(&within) => {}
                _ => *seen = Seen::Anything,
            }
        }
        if paths.is_none() {
            *seen = Seen::Anything;
        }
    }

    /// Waits for changes and then for quiet.
    fn wait(
        &mut self,
        ctx: &Ctx,
        events: &Receiver<notify::Result<Event>>,
        live: Option<&Live>,
    ) -> Result<Seen, IngestError> {
        let began = Instant::now();
        let mut is_flushed = false;
        let mut seen = Seen::Saved(Vec::new());
        loop {
            if ctx.is_cancelled() {
                return Ok(Seen::Stop);
            }
            match events.recv_timeout(LOOK) {
                Ok(event) if counts(&event) => {
                    self.seen(event, &mut seen);
                    break;
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(answer) = live.and_then(Live::answer) {
                        return Ok(Seen::Words(answer));
                    }
                    if !is_flushed && began.elapsed() >= IDLE {
                        self.flush(ctx)?;
                        is_flushed = true;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(Seen::Stop),
            }
        }
        let first = Instant::now();
        let mut last = first;
        while last.elapsed() < QUIET && first.elapsed() < PATIENCE {
            if ctx.is_cancelled() {
                return Ok(Seen::Stop);
            }
            match events.recv_timeout(QUIET.saturating_sub(last.elapsed())) {
                Ok(event) if counts(&event) => {
                    last = Instant::now();
                    self.seen(event, &mut seen);
                }
                _ => {}
            }
        }
        Ok(seen)
    }
}

/// What a wait ended with.
enum Seen {
    /// The user asked to stop.
    Stop,
    /// These files of the map were written; nothing else happened.
    Saved(Vec<ProjectPath>),
    /// The live rust-analyzer answered.
    Words(Answer),
    Anything,
}

/// Reading is no change. What could not be told may have been one.
fn counts(event: &notify::Result<Event>) -> bool {
    event.as_ref().map_or(true, |event| !matches!(event.kind, EventKind::Access(_)))
}
