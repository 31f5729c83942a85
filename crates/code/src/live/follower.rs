//! [`Follower`]: the thread that keeps a workspace current.

use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use base::{Ctx, Stoppable};
use ingest::{Changes, IngestError};

use project::{ProjectError, Workspace};

use super::LiveMap;
use crate::CodeError;

/// The events of one save come within this time.
const SETTLE: Duration = Duration::from_millis(10);
/// After a failure, which the next question reports.
const PAUSE: Duration = Duration::from_secs(1);

/// Updates the map and the search index of a workspace after each change of its files. Dropping it ends
/// the thread, and waits for that.
pub struct Follower {
    changes: Arc<Changes>,
    host: Arc<Stoppable>,
    thread: Option<JoinHandle<()>>,
}

impl Follower {
    /// From now on map and search index stay in memory and follow the files, for a process that
    /// answers many requests. Every answer is from files as they are when it is asked; only a search
    /// does not wait for its index, and names what that is without. The index follows while the returned
    /// value lives.
    ///
    /// # Errors
    /// As [`Workspace::index`], and a thread that cannot be started.
    pub fn start(ctx: &Ctx, workspace: &Arc<Workspace>) -> Result<Self, CodeError> {
        ingest::updates_yield_to_others();
        let index = workspace.index(ctx)?;
        let live = workspace.attach(|| LiveMap::new(index));
        let changes = live.map(|live| Arc::clone(live.changes())).unwrap_or_default();
        let host = Stoppable::new(workspace.ctx());
        let (weak, ctx) = (Arc::downgrade(workspace), host.ctx());
        let own = Arc::clone(&changes);
        let thread = std::thread::Builder::new()
            .name("follower".to_owned())
            .spawn(move || follow(&weak, &own, &ctx))
            .map_err(|error| ProjectError::Unreadable {
                path: workspace.project().root().display().to_string(),
                reason: format!("no thread can be started to follow its files: {error}"),
            })?;
        Ok(Self { changes, host, thread: Some(thread) })
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.host.stop();
        self.changes.close();
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// Runs `work` in a thread to which the system prefers the other threads of this process: where
/// processors are few, a search does not wait for the next index. The map is not made like that, since
/// questions wait for it.
fn behind_others<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let work = || {
        ingest::yield_to_others();
        work()
    };
    std::thread::scope(|scope| match scope.spawn(work).join() {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

fn follow(workspace: &Weak<Workspace>, changes: &Changes, ctx: &Ctx) {
    loop {
        let began = Instant::now();
        let Some(workspace) = workspace.upgrade() else { return };
        let Some(live) = LiveMap::of(&workspace) else { return };
        let made = live.snapshot(ctx).and_then(|_| {
            behind_others(|| live.searchable(ctx, &workspace).and_then(|_| live.write(ctx)))
        });
        // A file that was saved meanwhile is the next change.
        let is_changed = |error| {
            matches!(error, CodeError::Project(ProjectError::Ingest(IngestError::Changed { .. })))
        };
        let is_made = made.map_or_else(is_changed, |_| true);
        drop(workspace);
        if ctx.is_cancelled() {
            return;
        }
        // Under constant changes a part of the time is left to others.
        std::thread::park_timeout(if is_made { (began.elapsed() / 2).min(PAUSE) } else { PAUSE });
        if !changes.wait() {
            return;
        }
        std::thread::sleep(SETTLE);
    }
}
