use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::engine::Engine;
use super::lock::{Lock, Share, lock};
use super::seal::{Seal, flush_folder, hash_of};
use super::{layout, schema};
use crate::{Places, Result, StoreError, Trouble};

/// Which of the two it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Rebuildable.
    Map,
    /// Lasting.
    Record,
}

/// One database file with its locks and its seal.
///
/// Two locks: the writer's lock keeps writers apart for a batch; the use lock is shared by whoever
/// looks at the file and held alone while the file itself changes. SQLite's locks alone would do
/// for the file, but not for file and seal together.
pub(super) struct Database {
    kind: Kind,
    path: PathBuf,
    seal: PathBuf,
    writer_lock: PathBuf,
    use_lock: PathBuf,
    patience: Duration,
    open: Mutex<Option<Trusted>>,
    troubles: Arc<Mutex<Vec<Trouble>>>,
}

/// An engine over a file whose bytes were vouched for by the seal of these bytes.
struct Trusted {
    seal: Vec<u8>,
    engine: Arc<Engine>,
}

/// What a look at file and seal showed.
enum Look {
    Absent,
    Trusted(Arc<Engine>),
    /// Somebody must hold it alone and see what is the matter.
    Doubtful,
}

impl Database {
    pub(super) fn new(
        kind: Kind,
        places: &Places,
        patience: Duration,
        troubles: Arc<Mutex<Vec<Trouble>>>,
    ) -> Result<Self> {
        let (folder, name) = match kind {
            Kind::Map => (&places.map, "map"),
            Kind::Record => (&places.record, "record"),
        };
        for folder in [folder, &places.record] {
            std::fs::create_dir_all(folder).map_err(|err| keep(folder, &err))?;
        }
        Ok(Self {
            kind,
            path: folder.join(format!("{name}.db")),
            seal: folder.join(format!("{name}.seal")),
            writer_lock: places.record.join(format!("{name}.writer.lock")),
            use_lock: places.record.join(format!("{name}.use.lock")),
            patience,
            open: Mutex::default(),
            troubles,
        })
    }

    /// Looks at the database; `None`: there is none.
    pub(super) fn read<T>(&self, look: impl FnOnce(&Engine) -> Result<T>) -> Result<Option<T>> {
        // Each round that does not come to an end has put something right.
        for _ in 0..3 {
            let shared = self.lock(&self.use_lock, Share::Others)?;
            match self.look()? {
                Look::Absent => return Ok(None),
                Look::Trusted(engine) => return look(&engine).map(Some),
                Look::Doubtful => {}
            }
            drop(shared);
            let _writer = self.lock(&self.writer_lock, Share::Nobody)?;
            let _alone = self.lock(&self.use_lock, Share::Nobody)?;
            self.settle()?;
        }
        Err(StoreError::Engine { action: "open the database", reason: "it changes".to_owned() })
    }

    /// Changes the database where it lies, in one transaction of `change`; makes it first where
    /// there is none.
    pub(super) fn write<T>(&self, change: impl FnOnce(&Engine) -> Result<T>) -> Result<T> {
        let _writer = self.lock(&self.writer_lock, Share::Nobody)?;
        let _alone = self.lock(&self.use_lock, Share::Nobody)?;
        let present = self.settle()?;
        if present.is_some() {
            layout::await_strangers(&self.path, self.patience)?;
        }
        // Before anything changes it is known that the seal no longer holds. What must last says so
        // on the disk: else a power cut could leave new rows under an old seal.
        Seal::open().write(&self.seal, self.kind == Kind::Record)?;
        let engine = match present {
            Some(engine) => engine,
            None => self.make()?,
        };
        let result = change(&engine);
        // Whether it went well or not, the file is whole: the engine committed or took back. After
        // a failure its connections are closed first, so that nothing of the failed one lingers.
        *self.opened() = None;
        let engine = result.is_ok().then_some(engine);
        let sealed = self.seal_as_it_is();
        let value = result?;
        if let (Some(seal), Some(engine)) = (sealed?, engine) {
            *self.opened() = Some(Trusted { seal, engine });
        }
        Ok(value)
    }

    /// Builds another database beside this one and puts it in its place. Readers go on meanwhile.
    pub(super) fn replace(&self, build: impl FnOnce(&Engine) -> Result<()>) -> Result<()> {
        let _writer = self.lock(&self.writer_lock, Share::Nobody)?;
        let aside = self.path.with_extension("db.new");
        let packed = self.path.with_extension("db.packed");
        let clear =
            || [&aside, &journal_of(&aside), &packed].into_iter().try_for_each(|it| remove(it));
        clear()?;
        let fresh = layout::lay_out(&aside)
            .and_then(|()| build(&Engine::open(&aside)?))
            .and_then(|()| layout::pack(&aside, &packed))
            .and_then(|()| flush(&packed))
            .and_then(|()| hash_of(&packed));
        let fresh = match fresh {
            Ok(fresh) => fresh,
            Err(err) => {
                clear()?;
                return Err(err);
            }
        };
        remove(&aside)?;

        let _alone = self.lock(&self.use_lock, Share::Nobody)?;
        // A journal that a killed writer left would be played into the new file.
        self.settle()?;
        let mut hashes = vec![fresh];
        if let Some((Seal::Sealed { hashes: former, .. }, _)) = Seal::read(&self.seal) {
            hashes.extend(former);
        }
        *self.opened() = None;
        Seal::sealed(hashes).write(&self.seal, self.kind == Kind::Record)?;
        std::fs::rename(&packed, &self.path).map_err(|err| keep(&self.path, &err))?;
        flush_folder(&self.path)?;
        Seal::sealed(vec![fresh]).write(&self.seal, false)?;
        Ok(())
    }

    /// How many bytes the file has.
    pub(super) fn len(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |it| it.len())
    }

    /// What file and seal say; the use lock is held.
    fn look(&self) -> Result<Look> {
        let mut open = self.opened();
        if !self.path.exists() {
            *open = None;
            return Ok(Look::Absent);
        }
        let Some((seal, bytes)) = Seal::read(&self.seal) else { return Ok(Look::Doubtful) };
        if let Some(trusted) = open.as_ref().filter(|trusted| trusted.seal == bytes) {
            return Ok(Look::Trusted(Arc::clone(&trusted.engine)));
        }
        *open = None;
        let Seal::Sealed { hashes, .. } = seal else { return Ok(Look::Doubtful) };
        if journal_of(&self.path).exists() || !hashes.contains(&hash_of(&self.path)?) {
            return Ok(Look::Doubtful);
        }
        let engine = Arc::new(Engine::open(&self.path)?);
        *open = Some(Trusted { seal: bytes, engine: Arc::clone(&engine) });
        Ok(Look::Trusted(engine))
    }

    /// Comes to an end with what is doubtful: seals it again or moves it away. Both locks are held
    /// alone.
    fn settle(&self) -> Result<Option<Arc<Engine>>> {
        for _ in 0..2 {
            match self.look()? {
                Look::Absent => {
                    remove(&journal_of(&self.path))?;
                    return Ok(None);
                }
                Look::Trusted(engine) => return Ok(Some(engine)),
                Look::Doubtful => match self.verdict()? {
                    None => {
                        // SQLite has played back what it had to. What is left is the beginning of
                        // a journal, of a writer that was killed before it changed anything.
                        remove(&journal_of(&self.path))?;
                        self.seal_as_it_is()?;
                    }
                    Some(reason) => self.move_away(reason)?,
                },
            }
        }
        Err(StoreError::Engine { action: "seal the database", reason: "it changes".to_owned() })
    }

    /// Whether a file that no seal vouches for can be believed; else why not.
    fn verdict(&self) -> Result<Option<String>> {
        match Seal::read(&self.seal) {
            // A seal that is closed was closed behind a journal that was gone: one that lies there
            // is a stranger's, and nothing of it may be played back.
            Some((Seal::Sealed { hashes, .. }, _)) => {
                let holds = hashes.contains(&hash_of(&self.path)?);
                Ok((!holds).then(|| "its bytes are not those that were written".to_owned()))
            }
            // Without a seal nothing says that it is ours; the map is cheap to make again.
            None if self.kind == Kind::Map => Ok(Some("no seal of this version".to_owned())),
            _ => {
                if let Some(reason) = layout::examine(&self.path, self.patience)? {
                    return Ok(Some(reason));
                }
                let engine = Engine::open(&self.path)?;
                if let Err(err) = schema::check(&engine, self.kind) {
                    return Ok(Some(err.to_string()));
                }
                if self.kind == Kind::Map {
                    super::map::renew_index(&engine)?;
                }
                Ok(None)
            }
        }
    }

    fn move_away(&self, reason: String) -> Result<()> {
        *self.opened() = None;
        let is_loss = self.kind == Kind::Record;
        let mut moved_to = self.path.with_extension("db.damaged");
        // What must last is never written over.
        for number in 2.. {
            if !is_loss || !moved_to.exists() {
                break;
            }
            moved_to = self.path.with_extension(format!("db.damaged-{number}"));
        }
        // The journal first: without it a half-written file would be taken for a whole one.
        let journal = journal_of(&self.path);
        if journal.exists() {
            let aside = journal_of(&moved_to);
            std::fs::rename(&journal, &aside).map_err(|err| keep(&journal, &err))?;
        }
        std::fs::rename(&self.path, &moved_to).map_err(|err| keep(&self.path, &err))?;
        remove(&self.seal)?;
        let trouble = Trouble { path: self.path.clone(), moved_to, reason, is_loss };
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner).push(trouble);
        Ok(())
    }

    /// An empty database in its place, whole or not at all; the seal is open.
    fn make(&self) -> Result<Arc<Engine>> {
        let aside = self.path.with_extension("db.new");
        remove(&aside)?;
        remove(&journal_of(&aside))?;
        layout::lay_out(&aside)?;
        schema::create(&Engine::open(&aside)?, self.kind)?;
        std::fs::rename(&aside, &self.path).map_err(|err| keep(&self.path, &err))?;
        Engine::open(&self.path).map(Arc::new)
    }

    /// Seals the file as it is; `None` where somebody must look closer first.
    fn seal_as_it_is(&self) -> Result<Option<Vec<u8>>> {
        if journal_of(&self.path).exists() || !self.path.exists() {
            return Ok(None);
        }
        Seal::sealed(vec![hash_of(&self.path)?]).write(&self.seal, false).map(Some)
    }

    fn lock(&self, path: &Path, share: Share) -> Result<Lock> {
        lock(path, share, self.patience)
    }

    fn opened(&self) -> MutexGuard<'_, Option<Trusted>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Database").field(&self.path).finish()
    }
}

fn journal_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-journal");
    PathBuf::from(name)
}

/// Has the file's bytes written to the disk.
fn flush(path: &Path) -> Result<()> {
    std::fs::File::open(path).and_then(|file| file.sync_all()).map_err(|err| keep(path, &err))
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(err) if err.kind() != std::io::ErrorKind::NotFound => Err(keep(path, &err)),
        _ => Ok(()),
    }
}

fn keep(path: &Path, err: &std::io::Error) -> StoreError {
    StoreError::Keep { path: path.to_owned(), reason: err.to_string() }
}
