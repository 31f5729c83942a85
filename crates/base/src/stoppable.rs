//! [`Stoppable`]: the host of work that its owner can end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Ctx, Host, Progress, Timestamp, WorkLog};

/// The host of a context, with a switch of its own that cancels the work.
pub struct Stoppable {
    ctx: Ctx,
    is_stopped: AtomicBool,
}

impl Stoppable {
    /// The host of `ctx`, not stopped.
    pub fn new(ctx: &Ctx) -> Arc<Self> {
        Arc::new(Self { ctx: ctx.clone(), is_stopped: AtomicBool::new(false) })
    }

    /// A context with this host.
    pub fn ctx(self: &Arc<Self>) -> Ctx {
        Ctx::new(Arc::clone(self) as Arc<dyn Host>)
    }

    /// Cancels the work of all its contexts.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

impl Host for Stoppable {
    fn now(&self) -> Timestamp {
        self.ctx.now()
    }

    fn random(&self) -> [u8; 16] {
        self.ctx.random()
    }

    fn is_cancelled(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed) || self.ctx.is_cancelled()
    }

    fn progress(&self, progress: &Progress) {
        self.ctx.count(&progress.stage, &progress.detail, progress.done, progress.total);
    }

    fn log(&self) -> Option<Arc<dyn WorkLog>> {
        self.ctx.log()
    }
}
