//! [`OverlayGuard`]: exclusive use of a session for texts that are not on disk.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap};

use super::client::TICK;
use super::{Session, notify_changed, notify_closed};
use crate::AnalyzerError;

/// Exclusive access to the overlays of a session, so that no caller gets answers about the texts of
/// another. On drop the server gets the former text of every changed file.
#[derive(Debug)]
pub struct OverlayGuard<'a> {
    session: &'a Session,
    /// The text on disk of each overlaid file.
    overlaid: SortedMap<PathBuf, Option<String>>,
}

impl Session {
    /// Waits at most `limit` until no other guard exists.
    ///
    /// # Errors
    /// When the limit is exceeded or the user cancels.
    pub fn lock_overlays(
        &self,
        ctx: &Ctx,
        limit: Duration,
    ) -> Result<OverlayGuard<'_>, AnalyzerError> {
        let until = Instant::now() + limit;
        let mut state = self.lock();
        while state.is_overlay_locked {
            ctx.check_cancelled()?;
            if Instant::now() >= until {
                return Err(AnalyzerError::TimedOut {
                    method: "waiting for another check",
                    after: limit,
                });
            }
            state = match self.started.wait_timeout(state, TICK) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        state.is_overlay_locked = true;
        Ok(OverlayGuard { session: self, overlaid: SortedMap::new() })
    }
}

impl OverlayGuard<'_> {
    /// Overlays the file with `text`. `on_disk` is the text to restore on drop; `None` if there is no
    /// such file.
    ///
    /// # Errors
    /// When the server cannot be started, or ended.
    pub fn show(
        &mut self,
        ctx: &Ctx,
        path: &Path,
        text: &str,
        on_disk: Option<&str>,
    ) -> Result<(), AnalyzerError> {
        self.overlaid.entry(path.to_owned()).or_insert_with(|| on_disk.map(str::to_owned));
        self.session.open(ctx, path, text).map(drop)
    }
}

impl Drop for OverlayGuard<'_> {
    fn drop(&mut self) {
        let mut state = self.session.lock();
        for (path, on_disk) in std::mem::take(&mut self.overlaid) {
            if state.open.remove(&path).is_none() {
                continue;
            }
            state.version += 1;
            let version = state.version;
            let Some(client) = &state.client else { continue };
            // After `didClose` alone the server keeps the overlay until it re-reads the file.
            if let Some(text) = on_disk {
                notify_changed(client, &path, version, &text);
            }
            notify_closed(client, &path);
        }
        state.is_overlay_locked = false;
        drop(state);
        self.session.started.notify_all();
    }
}
