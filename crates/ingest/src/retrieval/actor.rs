//! The search index of a long-lived process: a background thread updates it, and searching never
//! waits for the thread.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use base::{ContentHash, Ctx};
use graph::Map;
use search::{AnswerCache, Encoder, Query, RankedHits, SearchIndex, Searcher};

use super::SearchUpdater;
use super::documents::FileItems;
use super::index_store::{by_path, files_of};
use crate::{Index, IngestError};

/// A map and the index built from it, as seen by searches.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The map.
    pub map: Arc<Map>,
    /// Its index.
    pub index: SearchIndex,
}

/// Keeps the search index of one project up to date in the background.
///
/// Invariant: [`Retriever::search`] uses the last finalized snapshot – one whole batch or the
/// previous one – on the caller's thread; indexing runs on its own thread, message by message.
/// Dropping the value ends the thread after the current message.
pub struct Retriever {
    sender: Option<Sender<Message>>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    snapshot: Mutex<Option<Snapshot>>,
    failure: Mutex<Option<String>>,
    encoder: Option<Arc<dyn Encoder>>,
    answers: AnswerCache,
}

enum Message {
    /// Read these files of the map, unless their terms are known.
    IndexBatch(Arc<Map>, Vec<String>),
    /// Drop the terms of these files.
    Remove(Vec<String>),
    /// Drop all terms.
    Rebuild,
    /// Build the index of the map and publish it.
    Finalize(Arc<Map>, Sender<Result<(), String>>),
}

impl Retriever {
    /// Starts the indexing thread of a project. An index on disk for the current map is published
    /// at once.
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
        let stored = updater.store.open(&map, encoder.as_deref());
        let snapshot = stored.map(|index| Snapshot { map, index });
        let shared = Arc::new(Shared {
            snapshot: Mutex::new(snapshot),
            failure: Mutex::default(),
            encoder,
            answers: AnswerCache::default(),
        });
        let (sender, receiver) = channel();
        let worker =
            Worker { ctx: ctx.clone(), updater, known: BTreeMap::new(), shared: shared.clone() };
        let thread = std::thread::Builder::new()
            .name("retrieval".to_owned())
            .spawn(move || worker.run(&receiver))
            .map_err(IngestError::io("start a thread for", index.folder()))?;
        Ok(Self { sender: Some(sender), shared, thread: Some(thread) })
    }

    /// Reads these files of `map`, by path, for the next finalize.
    pub fn index_batch(&self, map: Arc<Map>, files: Vec<String>) {
        self.send(Message::IndexBatch(map, files));
    }

    /// Removes files from the next finalize.
    pub fn remove(&self, files: Vec<String>) {
        self.send(Message::Remove(files));
    }

    /// Drops all terms: the next finalize starts from the sources.
    pub fn rebuild(&self) {
        self.send(Message::Rebuild);
    }

    /// Builds the index of `map`, reading files that no batch contained, and publishes it. The
    /// receiver gets the result; after a failure the previous index stays in use.
    pub fn finalize(&self, map: Arc<Map>) -> Receiver<Result<(), String>> {
        let (sender, receiver) = channel();
        self.send(Message::Finalize(map, sender));
        receiver
    }

    /// The published snapshot.
    pub fn snapshot(&self) -> Option<Snapshot> {
        base::lock(&self.shared.snapshot).clone()
    }

    /// The error of the last finalize, if it failed.
    pub fn failure(&self) -> Option<String> {
        base::lock(&self.shared.failure).clone()
    }

    /// Searches the last finalized index; `None` before the first.
    pub fn search(&self, query: &Query) -> Option<Arc<RankedHits>> {
        let snapshot = self.snapshot()?;
        let searcher = Searcher {
            encoder: self.shared.encoder.as_deref(),
            ..Searcher::new(&snapshot.map, &snapshot.index)
        };
        let epoch = snapshot.index.epoch();
        Some(self.shared.answers.answer(epoch, query, || searcher.search(query)))
    }

    fn send(&self, message: Message) {
        if let Some(sender) = &self.sender {
            // The thread lives as long as this value.
            let _ = sender.send(message);
        }
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
    /// Keys by path, for the last map.
    known: BTreeMap<String, ContentHash>,
    shared: Arc<Shared>,
}

impl Worker {
    fn run(mut self, messages: &Receiver<Message>) {
        while let Ok(message) = messages.recv() {
            let failure = match message {
                Message::IndexBatch(map, files) => self.index_batch(&map, &files).err(),
                Message::Remove(files) => {
                    for path in files {
                        if let Some(key) = self.known.remove(&path) {
                            self.updater.store.remove(&key);
                        }
                    }
                    None
                }
                Message::Rebuild => {
                    self.updater.store.rebuild();
                    None
                }
                Message::Finalize(map, reply) => {
                    let outcome = self.finalize(&map).map_err(|error| error.to_string());
                    *base::lock(&self.shared.failure) = outcome.clone().err();
                    // The receiver may have been dropped.
                    let _ = reply.send(outcome);
                    None
                }
            };
            if let Some(error) = failure {
                *base::lock(&self.shared.failure) = Some(error.to_string());
            }
        }
    }

    fn index_batch(&mut self, map: &Map, paths: &[String]) -> Result<(), IngestError> {
        let files = files_of(map);
        self.known = by_path(map, &files);
        let is_asked = |file: &&&FileItems| {
            map.file(file.file).is_some_and(|view| paths.iter().any(|path| path == view.path))
        };
        let missing = self.updater.store.missing(&files);
        let missing: Vec<&FileItems> = missing.iter().filter(is_asked).copied().collect();
        self.updater.stage(&self.ctx, map, &missing)
    }

    fn finalize(&mut self, map: &Arc<Map>) -> Result<(), IngestError> {
        let is_same = |snapshot: &Snapshot| Arc::ptr_eq(&snapshot.map, map);
        if base::lock(&self.shared.snapshot).as_ref().is_some_and(is_same) {
            return Ok(());
        }
        let encoder = self.shared.encoder.clone();
        let index = self.updater.update(&self.ctx, map, encoder.as_deref(), None)?.index;
        *base::lock(&self.shared.snapshot) = Some(Snapshot { map: map.clone(), index });
        self.updater.write(&self.ctx)
    }
}
