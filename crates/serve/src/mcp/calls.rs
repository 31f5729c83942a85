//! [`Calls`]: runs the work of calls on a bounded number of threads, with cancellation and progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::{Ctx, Progress, WorkLog};
use project::{ExitKind, SystemHost};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tools::{Effect, ToolError};

/// Number of calls at once that only read.
const READERS: usize = 8;
/// Number of calls at once that build, test or write.
const WORKERS: usize = 2;
/// Time between two reports of progress of a call.
const PROGRESS_PAUSE: Duration = Duration::from_millis(100);

/// The pools. Calls that build have few threads of their own, so that a search never waits for them.
pub(super) struct Calls {
    readers: Arc<Semaphore>,
    workers: Arc<Semaphore>,
    log: Option<Arc<dyn WorkLog>>,
    stop: CancellationToken,
}

/// Sets the flag when it is dropped: the client is gone, or the call was cancelled.
struct Raise(Arc<AtomicBool>);

impl Drop for Raise {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Calls {
    /// Pools whose calls end when `stop` is cancelled.
    pub(super) fn new(log: Option<Arc<dyn WorkLog>>, stop: CancellationToken) -> Self {
        let pool = |size| Arc::new(Semaphore::new(size));
        Self { readers: pool(READERS), workers: pool(WORKERS), log, stop }
    }

    /// Waits for the end of the server.
    pub(super) async fn stopped(&self) {
        self.stop.cancelled().await;
    }

    /// The most threads that calls need.
    pub(super) const THREADS: usize = READERS + WORKERS;

    /// Runs `work` for a request. Its context is cancelled by the client's notification, by the end of
    /// the connection and by the end of the server.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        request: &RequestContext<RoleServer>,
        effect: Effect,
        work: impl FnOnce(&Ctx) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let pool = if effect == Effect::Reads { &self.readers } else { &self.workers };
        let interrupted = || {
            let reason = "the call was cancelled";
            ToolError::new(ExitKind::Interrupted, reason, "call again if it is still needed")
        };
        let permit = tokio::select! {
            permit = Arc::clone(pool).acquire_owned() => permit.map_err(|_| interrupted())?,
            () = request.ct.cancelled() => return Err(interrupted()),
            () = self.stop.cancelled() => return Err(interrupted()),
        };
        let flag = Arc::new(AtomicBool::new(false));
        let raise = Raise(Arc::clone(&flag));
        let (reports, received) = mpsc::channel(8);
        let token = request.meta.get_progress_token();
        let wants = token.is_some();
        let host = SystemHost::new(flag, move |progress| {
            if wants {
                // A report that the client is too slow for is left out.
                let _ = reports.try_send(progress.clone());
            }
        });
        let ctx = Ctx::new(Arc::new(host.with_log(self.log.clone())));
        let mut running = tokio::task::spawn_blocking(move || {
            // Held until the work has ended, also when nothing waits for it any more.
            let _permit = permit;
            work(&ctx)
        });
        let done = async {
            tokio::select! {
                done = &mut running => return done,
                () = report(request, token, received) => {}
            }
            running.await
        };
        let done = tokio::select! {
            done = done => done,
            () = request.ct.cancelled() => return Err(interrupted()),
            () = self.stop.cancelled() => return Err(interrupted()),
        };
        drop(raise);
        done.unwrap_or_else(|error| {
            let reason = format!("the call failed inside graftage: {error}");
            Err(ToolError::new(ExitKind::Internal, reason, "report this as a defect of graftage"))
        })
    }
}

/// Sends reports to the client until the work has ended. The number rises with each one; counts of the
/// work, which start anew with each stage, are part of the message.
async fn report(
    request: &RequestContext<RoleServer>,
    token: Option<ProgressToken>,
    mut reports: mpsc::Receiver<Progress>,
) {
    let Some(token) = token else { return };
    let mut sent = 0.0;
    while let Some(mut progress) = reports.recv().await {
        while let Ok(newer) = reports.try_recv() {
            progress = newer;
        }
        sent += 1.0;
        let params =
            ProgressNotificationParam::new(token.clone(), sent).with_message(shown(&progress));
        if request.peer.notify_progress(params).await.is_err() {
            return;
        }
        tokio::time::sleep(PROGRESS_PAUSE).await;
    }
}

fn shown(progress: &Progress) -> String {
    let mut text = progress.stage.clone();
    if !progress.detail.is_empty() {
        text = format!("{text}: {}", progress.detail);
    }
    if progress.total > 0 {
        text = format!("{text} ({} of {})", progress.done, progress.total);
    }
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}
