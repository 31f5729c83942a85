//! [`LanguageSlot`]: the one language model that a daemon keeps loaded.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use base::Ctx;
use model::language::{LanguageModel, LanguageOptions, open};
use rpc::RpcError;

use crate::{LocalServer, TaskFault};

/// Starts the server of a model of the registry, after its file was compared with its hash.
pub type StartModel = dyn Fn(&Ctx, &str) -> Result<LocalServer, TaskFault> + Send + Sync;

/// Pauses before a server that ended is started again.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(200), Duration::from_secs(1), Duration::from_secs(4)];

/// A loaded model, and who uses it.
pub(super) struct LanguageSlot {
    start: Arc<StartModel>,
    /// Time without a user after which the model is unloaded.
    idle: Duration,
    state: Mutex<State>,
    changed: Condvar,
    /// Is called once a model was unloaded because it was idle.
    unloaded: Box<dyn Fn() + Send + Sync>,
}

#[derive(Default)]
struct State {
    loaded: Option<Loaded>,
    /// Whether a worker has it.
    is_open: bool,
    /// Number of changes: a clock for idle time.
    changes: u64,
}

struct Loaded {
    name: String,
    model: Arc<dyn LanguageModel>,
    server: LocalServer,
}

impl LanguageSlot {
    pub(super) fn new(
        start: Arc<StartModel>,
        idle: Duration,
        unloaded: Box<dyn Fn() + Send + Sync>,
    ) -> Arc<Self> {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Arc::new(Self { start, idle, state, changed, unloaded })
    }

    /// Name of the loaded model.
    pub(super) fn name(&self) -> Option<String> {
        base::lock(&self.state).loaded.as_ref().map(|it| it.name.clone())
    }

    /// Socket of the loaded model's server.
    pub(super) fn socket(&self) -> Option<PathBuf> {
        base::lock(&self.state).loaded.as_ref().map(|it| it.server.socket())
    }

    /// Loads a model for a worker, in place of another one. The caller has the only seat.
    ///
    /// # Errors
    /// The model does not start.
    pub(super) fn open(&self, ctx: &Ctx, name: &str) -> Result<(), RpcError> {
        let mut state = base::lock(&self.state);
        state.changes += 1;
        if state.loaded.as_ref().is_none_or(|it| it.name != name) {
            // The former one ends first: memory is for one.
            drop(state.loaded.take());
            drop(state);
            let loaded = self.load(ctx, name)?;
            state = base::lock(&self.state);
            state.loaded = Some(loaded);
        }
        state.is_open = true;
        self.changed.notify_all();
        Ok(())
    }

    fn load(&self, ctx: &Ctx, name: &str) -> Result<Loaded, RpcError> {
        let server = (self.start)(ctx, name).map_err(|fault| match fault {
            _ if ctx.is_cancelled() => super::stopped(),
            fault => RpcError::new(super::MODEL, base::visible_line(&fault.to_string())),
        })?;
        let options = LanguageOptions {
            provider: "openai".to_owned(),
            socket: Some(server.socket()),
            model: name.to_owned(),
            ..LanguageOptions::default()
        };
        // A server on this machine takes no key.
        let model = open(&options, &base::SortedMap::new())
            .map_err(|error| RpcError::new(RpcError::INTERNAL, error.to_string()))?;
        Ok(Loaded { name: name.to_owned(), model: Arc::from(model), server })
    }

    /// The model of the open worker.
    pub(super) fn model(&self) -> Option<Arc<dyn LanguageModel>> {
        base::lock(&self.state).loaded.as_ref().map(|it| Arc::clone(&it.model))
    }

    /// Starts the server of the open worker again, with a pause that grows.
    ///
    /// # Errors
    /// It does not start.
    pub(super) fn restart(&self, ctx: &Ctx, name: &str, attempt: usize) -> Result<bool, RpcError> {
        let Some(pause) = PAUSES.get(attempt) else { return Ok(false) };
        drop(base::lock(&self.state).loaded.take());
        let steps = pause.as_millis() / 50 + 1;
        for _ in 0..steps {
            if ctx.is_cancelled() {
                return Err(super::stopped());
            }
            thread::sleep(Duration::from_millis(50));
        }
        let loaded = self.load(ctx, name)?;
        base::lock(&self.state).loaded = Some(loaded);
        Ok(true)
    }

    /// Ends the use by a worker; the model stays loaded for a while.
    pub(super) fn close(self: &Arc<Self>) {
        let mut state = base::lock(&self.state);
        state.is_open = false;
        state.changes += 1;
        if state.loaded.is_none() {
            return;
        }
        let (slot, change) = (Arc::clone(self), state.changes);
        drop(state);
        // Where no thread can be started, the model stays until the daemon ends.
        let _ =
            thread::Builder::new().name("idle".to_owned()).spawn(move || slot.wait_idle(change));
    }

    /// Waits until the model was idle for long, then unloads it; ends sooner when it is used.
    fn wait_idle(&self, change: u64) {
        let state = base::lock(&self.state);
        let is_same = |state: &mut State| state.changes == change;
        let waited = self.changed.wait_timeout_while(state, self.idle, is_same);
        let mut state = match waited {
            Ok((state, _)) => state,
            Err(poisoned) => poisoned.into_inner().0,
        };
        if state.changes == change {
            let loaded = state.loaded.take();
            drop(state);
            drop(loaded);
            (self.unloaded)();
        }
    }

    /// Unloads the model unless a worker has it; returns whether none is loaded then.
    pub(super) fn unload(&self) -> bool {
        let mut state = base::lock(&self.state);
        if state.is_open {
            return false;
        }
        state.changes += 1;
        let loaded = state.loaded.take();
        self.changed.notify_all();
        drop(state);
        drop(loaded);
        true
    }

    /// Unloads the model, also if a worker has it.
    pub(super) fn end(&self) {
        base::lock(&self.state).is_open = false;
        self.unload();
    }
}
