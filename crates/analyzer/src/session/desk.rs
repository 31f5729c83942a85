use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::Ctx;

use super::client::TICK;
use super::{Session, tell_changed, tell_closed};
use crate::AnalyzerError;

/// The session for one who shows it texts that are not on disk: one at a time, so that nobody is
/// answered about another's texts. Dropped, the server has every shown file as it was before.
#[derive(Debug)]
pub struct Desk<'a> {
    session: &'a Session,
    shown: BTreeMap<PathBuf, Option<String>>,
}

impl Session {
    /// Waits until nobody else shows texts, at most `limit`.
    ///
    /// # Errors
    /// When the limit is over, or the user asked to stop.
    pub fn desk(&self, ctx: &Ctx, limit: Duration) -> Result<Desk<'_>, AnalyzerError> {
        let until = Instant::now() + limit;
        let mut state = self.lock();
        while state.is_desk_taken {
            ctx.check_cancelled()?;
            if Instant::now() >= until {
                return Err(AnalyzerError::TimedOut { method: "its turn", after: limit });
            }
            state = match self.started.wait_timeout(state, TICK) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        state.is_desk_taken = true;
        Ok(Desk { session: self, shown: BTreeMap::new() })
    }
}

impl Desk<'_> {
    /// From now on the server takes `text` for the file's. `on_disk` is what it is to have again
    /// afterwards; `None`: there is no such file.
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
        self.shown.entry(path.to_owned()).or_insert_with(|| on_disk.map(str::to_owned));
        self.session.open(ctx, path, text).map(drop)
    }
}

impl Drop for Desk<'_> {
    fn drop(&mut self) {
        let mut state = self.session.lock();
        for (path, on_disk) in std::mem::take(&mut self.shown) {
            if state.open.remove(&path).is_none() {
                continue;
            }
            state.version += 1;
            let version = state.version;
            let Some(client) = &state.client else { continue };
            // Closed alone, it would have the text until it has read the file again, at some time.
            if let Some(text) = on_disk {
                tell_changed(client, &path, version, &text);
            }
            tell_closed(client, &path);
        }
        state.is_desk_taken = false;
        drop(state);
        self.session.started.notify_all();
    }
}
