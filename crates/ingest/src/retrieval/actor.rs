//! The search index of a process that lives on: a thread behind a channel keeps it true, searching
//! never waits for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use base::{ContentHash, Ctx};
use graph::Map;
use search::{Answer, AnswerCache, Encoder, Query, SearchIndex, Searcher};

use super::documents::FileItems;
use super::seed::{Seed, Sources, by_path, files_of};
use super::text_of;
use crate::lock::lock;
use crate::{Index, IngestError};

/// A map and the index made of it: what searches see.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The map.
    pub map: Arc<Map>,
    /// Its index.
    pub index: SearchIndex,
}

/// Keeps the search index of one project true in the background.
///
/// Invariant: [`Retriever::search`] answers from the last finalized snapshot – one whole batch or
/// the former one –, on the caller's thread; indexing happens on a thread of its own, message by
/// message. Dropping it ends that thread after the message at hand.
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
    /// Read these files of the map, where they are not known.
    IndexBatch(Arc<Map>, Vec<String>),
    /// Forget these.
    Remove(Vec<String>),
    /// Forget everything.
    Rebuild,
    /// Make the index of the map and put it into service.
    FinalizeSeed(Arc<Map>, Sender<Result<(), String>>),
}

impl Retriever {
    /// Starts the thread of the index of a project. What lies on disk for its present map is in
    /// service at once.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn spawn(
        ctx: &Ctx,
        index: &Index,
        encoder: Option<Arc<dyn Encoder>>,
    ) -> Result<Self, IngestError> {
        let mut seed = Seed::new(index.folder());
        let map = index.map();
        let snapshot = seed.open(&map, encoder.as_deref()).map(|index| Snapshot { map, index });
        let shared = Arc::new(Shared {
            snapshot: Mutex::new(snapshot),
            failure: Mutex::default(),
            encoder,
            answers: AnswerCache::default(),
        });
        let (sender, receiver) = channel();
        let worker = Worker {
            ctx: ctx.clone(),
            root: index.project().root().to_owned(),
            state_dir: index.project().state_dir(),
            seed,
            known: BTreeMap::new(),
            shared: shared.clone(),
        };
        let thread = std::thread::Builder::new()
            .name("retrieval".to_owned())
            .spawn(move || worker.run(&receiver))
            .map_err(IngestError::io("start a thread for", index.folder()))?;
        Ok(Self { sender: Some(sender), shared, thread: Some(thread) })
    }

    /// Reads these files of `map`, by path, into what the next finalize joins.
    pub fn index_batch(&self, map: Arc<Map>, files: Vec<String>) {
        self.send(Message::IndexBatch(map, files));
    }

    /// Takes files out of what the next finalize joins.
    pub fn remove(&self, files: Vec<String>) {
        self.send(Message::Remove(files));
    }

    /// Forgets all that was read: the next finalize starts from the sources.
    pub fn rebuild(&self) {
        self.send(Message::Rebuild);
    }

    /// Makes the index of `map` – of files that no batch brought the texts are read now – and puts
    /// it into service. The receiver hears when that is done, or why not; the former index stays in
    /// service then.
    pub fn finalize(&self, map: Arc<Map>) -> Receiver<Result<(), String>> {
        let (sender, receiver) = channel();
        self.send(Message::FinalizeSeed(map, sender));
        receiver
    }

    /// What searches see now.
    pub fn snapshot(&self) -> Option<Snapshot> {
        get(&self.shared.snapshot).clone()
    }

    /// Why the last finalize failed, if it did.
    pub fn failure(&self) -> Option<String> {
        get(&self.shared.failure).clone()
    }

    /// Answers from the last finalized index, at once; `None` before the first.
    pub fn search(&self, query: &Query) -> Option<Arc<Answer>> {
        let snapshot = self.snapshot()?;
        let searcher = Searcher {
            encoder: self.shared.encoder.as_deref(),
            ..Searcher::new(&snapshot.map, &snapshot.index)
        };
        let epoch = snapshot.index.epoch();
        Some(self.shared.answers.answer(epoch, query, || searcher.search(query)))
    }

    /// How many questions came, and how many of them were answered already.
    pub fn asked_and_found(&self) -> (u64, u64) {
        self.shared.answers.asked_and_found()
    }

    fn send(&self, message: Message) {
        if let Some(sender) = &self.sender {
            // The thread ends only with this value.
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

/// What the thread owns.
struct Worker {
    ctx: Ctx,
    root: PathBuf,
    state_dir: PathBuf,
    seed: Seed,
    /// Of the last map that was spoken of.
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
                            self.seed.remove(&key);
                        }
                    }
                    None
                }
                Message::Rebuild => {
                    self.seed.rebuild();
                    None
                }
                Message::FinalizeSeed(map, reply) => {
                    let outcome = self.finalize(&map).map_err(|error| error.to_string());
                    *get(&self.shared.failure) = outcome.clone().err();
                    // Nobody has to listen.
                    let _ = reply.send(outcome);
                    None
                }
            };
            if let Some(error) = failure {
                *get(&self.shared.failure) = Some(error.to_string());
            }
        }
    }

    fn index_batch(&mut self, map: &Map, paths: &[String]) -> Result<(), IngestError> {
        let files = files_of(map);
        self.known = by_path(map, &files);
        let is_asked = |file: &&&FileItems| {
            map.file(file.file).is_some_and(|view| paths.iter().any(|path| path == view.path))
        };
        let missing = self.seed.missing(&files);
        let missing: Vec<&FileItems> = missing.iter().filter(is_asked).copied().collect();
        self.stage(map, &missing)
    }

    fn finalize(&mut self, map: &Arc<Map>) -> Result<(), IngestError> {
        let encoder = self.encoder();
        let own = encoder.as_deref();
        let is_same = |snapshot: &Snapshot| Arc::ptr_eq(&snapshot.map, map);
        if get(&self.shared.snapshot).as_ref().is_some_and(is_same) {
            return Ok(());
        }
        let index = match self.seed.open(map, own) {
            Some(index) => index,
            None => {
                let lock = lock(&self.ctx, &self.state_dir)?;
                let (root, ctx) = (self.root.clone(), self.ctx.clone());
                let text = |file: u32| text_of(map, &root, file, None);
                let alive = || Ok(ctx.check_cancelled()?);
                let sources = Sources { text: &text, alive: &alive };
                let made = super::bring_up(&mut self.seed, map, own, sources)?;
                drop(lock);
                made.0
            }
        };
        *get(&self.shared.snapshot) = Some(Snapshot { map: map.clone(), index });
        Ok(())
    }

    fn stage(&mut self, map: &Map, files: &[&FileItems]) -> Result<(), IngestError> {
        let (root, ctx): (&Path, &Ctx) = (&self.root, &self.ctx);
        let text = |file: u32| text_of(map, root, file, None);
        let alive = || Ok(ctx.check_cancelled()?);
        self.seed.index_batch(map, files, Sources { text: &text, alive: &alive })
    }

    fn encoder(&self) -> Option<Arc<dyn Encoder>> {
        self.shared.encoder.clone()
    }
}

fn get<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
