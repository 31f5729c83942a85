//! [`Retriever`]: a background thread that writes the search index of a process that watches a project.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use base::Ctx;
use graph::Map;
use search::Encoder;

use super::SearchUpdater;
use crate::{Index, IngestError};

/// Keeps the search index of one project up to date in the background.
///
/// Invariant: indexing runs on its own thread, one map after the other. Dropping the value ends the
/// thread after the current map.
pub struct Retriever {
    sender: Option<Sender<Finalize>>,
    thread: Option<JoinHandle<()>>,
}

/// A map to build the index of, and where the result goes.
struct Finalize(Arc<Map>, Sender<Result<(), IngestError>>);

impl Retriever {
    /// Starts the indexing thread of a project.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn spawn(
        ctx: &Ctx,
        index: &Index,
        encoder: Option<Arc<dyn Encoder>>,
    ) -> Result<Self, IngestError> {
        let mut updater = SearchUpdater::new(index);
        let map = index.map();
        let is_stored = updater.store.open(&map, encoder.as_deref()).is_some();
        let (sender, receiver) = channel();
        let current = is_stored.then_some(map);
        let worker = Worker { ctx: ctx.clone(), updater, encoder, current };
        let thread = std::thread::Builder::new()
            .name("retrieval".to_owned())
            .spawn(move || worker.run(&receiver))
            .map_err(IngestError::io("start a thread for", index.folder()))?;
        Ok(Self { sender: Some(sender), thread: Some(thread) })
    }

    /// Builds and writes the index of `map`. The receiver gets the result; after a failure the previous
    /// index stays.
    pub fn finalize(&self, map: Arc<Map>) -> Receiver<Result<(), IngestError>> {
        let (sender, receiver) = channel();
        if let Some(thread) = &self.sender {
            // The thread lives as long as this value.
            let _ = thread.send(Finalize(map, sender));
        }
        receiver
    }
}

impl Drop for Retriever {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The state of the thread.
struct Worker {
    ctx: Ctx,
    updater: SearchUpdater,
    encoder: Option<Arc<dyn Encoder>>,
    /// The map whose index is written.
    current: Option<Arc<Map>>,
}

impl Worker {
    fn run(mut self, messages: &Receiver<Finalize>) {
        while let Ok(Finalize(map, reply)) = messages.recv() {
            // The receiver may have been dropped.
            let _ = reply.send(self.finalize(&map));
        }
    }

    fn finalize(&mut self, map: &Arc<Map>) -> Result<(), IngestError> {
        if self.current.as_ref().is_some_and(|current| Arc::ptr_eq(current, map)) {
            return Ok(());
        }
        self.updater.update(&self.ctx, map, self.encoder.as_deref(), None)?;
        self.updater.write(&self.ctx)?;
        self.current = Some(Arc::clone(map));
        Ok(())
    }
}
