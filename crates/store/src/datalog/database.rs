//! One SQLite file with its locks and its seal. Start at [`Database::read`] and
//! [`Database::write`].

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use super::engine::Engine;
use super::lock::{Lock, Share, lock};
use super::seal::{Seal, flush_folder, hash_of, replace};
use super::{layout, schema};
use crate::{Result, StoreDirs, StoreError, Trouble};

/// One database file with its locks and its seal.
///
/// Two locks: the writer lock admits one writer for a batch; the use lock is shared by readers of
/// the file and exclusive while the file changes. SQLite's locks would be sufficient for the file,
/// but not for file and seal together.
pub(super) struct Database {
    path: PathBuf,
    seal: PathBuf,
    writer_lock: PathBuf,
    use_lock: PathBuf,
    patience: Duration,
    open: Mutex<Option<Trusted>>,
    troubles: Arc<Mutex<Vec<Trouble>>>,
}

/// An engine over a file whose bytes matched a seal with these bytes.
struct Trusted {
    seal: Vec<u8>,
    engine: Arc<Engine>,
}

/// The result of comparing file and seal.
enum FileState {
    Absent,
    Trusted(Arc<Engine>),
    /// Must be examined with exclusive locks.
    Unverified,
}

impl Database {
    pub(super) fn new(
        places: &StoreDirs,
        patience: Duration,
        troubles: Arc<Mutex<Vec<Trouble>>>,
    ) -> Result<Self> {
        for folder in [&places.map, &places.locks] {
            untrusted_fs::make_own(folder).map_err(|fault| keep(folder, &fault.into()))?;
        }
        Ok(Self {
            path: places.map.join("map.db"),
            seal: places.map.join("map.seal"),
            writer_lock: places.locks.join("map.writer.lock"),
            use_lock: places.locks.join("map.use.lock"),
            patience,
            open: Mutex::default(),
            troubles,
        })
    }

    /// Reads the database; `None` if it does not exist.
    pub(super) fn read<T>(&self, query: impl FnOnce(&Engine) -> Result<T>) -> Result<Option<T>> {
        // Each round that does not return has repaired something.
        for _ in 0..3 {
            let shared = self.lock(&self.use_lock, Share::Shared)?;
            match self.check_seal()? {
                FileState::Absent => return Ok(None),
                FileState::Trusted(engine) => return query(&engine).map(Some),
                FileState::Unverified => {}
            }
            drop(shared);
            let _writer = self.lock(&self.writer_lock, Share::Exclusive)?;
            let _alone = self.lock(&self.use_lock, Share::Exclusive)?;
            self.recover()?;
        }
        Err(StoreError::Engine {
            action: "open the database",
            reason: "it keeps changing".to_owned(),
        })
    }

    /// Changes the database in one transaction of `change`; [`StoreError::NoMap`] if there is none.
    pub(super) fn write<T>(&self, change: impl FnOnce(&Engine) -> Result<T>) -> Result<T> {
        let _writer = self.lock(&self.writer_lock, Share::Exclusive)?;
        let _alone = self.lock(&self.use_lock, Share::Exclusive)?;
        let engine = self.recover()?.ok_or(StoreError::NoMap)?;
        layout::await_foreign_locks(&self.path, self.patience)?;
        // The seal is marked open before anything changes.
        Seal::open().write(&self.seal)?;
        let result = change(&engine);
        // The file is intact in any case: the engine committed or rolled back. After a failure its
        // connections are closed first, so that no state of the failed transaction remains.
        *self.opened() = None;
        let engine = result.is_ok().then_some(engine);
        let sealed = self.seal_as_it_is();
        let value = result?;
        if let (Some(seal), Some(engine)) = (sealed?, engine) {
            *self.opened() = Some(Trusted { seal, engine });
        }
        Ok(value)
    }

    /// Builds a new database beside this one and replaces it. Readers continue meanwhile.
    pub(super) fn replace(&self, build: impl FnOnce(&Engine) -> Result<()>) -> Result<()> {
        let _writer = self.lock(&self.writer_lock, Share::Exclusive)?;
        let aside = self.path.with_extension("db.new");
        let packed = self.path.with_extension("db.packed");
        let clear =
            || [&aside, &journal_of(&aside), &packed].into_iter().try_for_each(|it| remove(it));
        clear()?;
        // SQLite would create them with the permissions of the umask.
        let create = |path: &PathBuf| replace(path, &[]).map_err(|fault| keep(path, &fault.into()));
        [&aside, &packed].into_iter().try_for_each(create)?;
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

        let _alone = self.lock(&self.use_lock, Share::Exclusive)?;
        // The journal of a killed writer would be applied to the new file.
        self.recover()?;
        let mut hashes = vec![fresh];
        if let Some((Seal::Sealed { hashes: former, .. }, _)) = Seal::read(&self.seal) {
            hashes.extend(former);
        }
        *self.opened() = None;
        Seal::sealed(hashes).write(&self.seal)?;
        std::fs::rename(&packed, &self.path).map_err(|err| keep(&self.path, &err))?;
        flush_folder(&self.path)?;
        Seal::sealed(vec![fresh]).write(&self.seal)?;
        Ok(())
    }

    /// Compares file and seal; the use lock must be held.
    fn check_seal(&self) -> Result<FileState> {
        let mut open = self.opened();
        if !self.path.exists() {
            *open = None;
            return Ok(FileState::Absent);
        }
        let Some((seal, bytes)) = Seal::read(&self.seal) else { return Ok(FileState::Unverified) };
        if let Some(trusted) = open.as_ref().filter(|trusted| trusted.seal == bytes) {
            return Ok(FileState::Trusted(Arc::clone(&trusted.engine)));
        }
        *open = None;
        let Seal::Sealed { hashes, .. } = seal else { return Ok(FileState::Unverified) };
        if journal_of(&self.path).exists() || !hashes.contains(&hash_of(&self.path)?) {
            return Ok(FileState::Unverified);
        }
        let engine = Arc::new(Engine::open(&self.path)?);
        *open = Some(Trusted { seal: bytes, engine: Arc::clone(&engine) });
        Ok(FileState::Trusted(engine))
    }

    /// Repairs a database that cannot be verified: seals it again or moves it away. Both locks must
    /// be held exclusively.
    fn recover(&self) -> Result<Option<Arc<Engine>>> {
        for _ in 0..2 {
            match self.check_seal()? {
                FileState::Absent => {
                    remove(&journal_of(&self.path))?;
                    return Ok(None);
                }
                FileState::Trusted(engine) => return Ok(Some(engine)),
                FileState::Unverified => match self.examine()? {
                    None => {
                        // SQLite has rolled back what it had to. The rest is the beginning of a
                        // journal, of a writer that was killed before it changed anything.
                        remove(&journal_of(&self.path))?;
                        self.seal_as_it_is()?;
                    }
                    Some(reason) => self.move_away(reason)?,
                },
            }
        }
        Err(StoreError::Engine {
            action: "seal the database",
            reason: "it keeps changing".to_owned(),
        })
    }

    /// Examines a file without a valid seal; returns the reason if it cannot be trusted.
    fn examine(&self) -> Result<Option<String>> {
        match Seal::read(&self.seal) {
            // A seal is closed only after the journal was removed: a journal beside it is foreign
            // and must not be applied.
            Some((Seal::Sealed { hashes, .. }, _)) => {
                let matches = hashes.contains(&hash_of(&self.path)?);
                Ok((!matches).then(|| "its bytes differ from those that were written".to_owned()))
            }
            // Without a seal the file may be foreign.
            None => Ok(Some("no seal of this version".to_owned())),
            Some((Seal::Open { .. }, _)) => {
                if let Some(reason) = layout::examine(&self.path, self.patience)? {
                    return Ok(Some(reason));
                }
                let engine = Engine::open(&self.path)?;
                if let Err(err) = schema::check(&engine) {
                    return Ok(Some(err.to_string()));
                }
                super::map::drop_index(&engine)?;
                Ok(None)
            }
        }
    }

    fn move_away(&self, reason: String) -> Result<()> {
        *self.opened() = None;
        let moved_to = self.path.with_extension("db.damaged");
        // The journal first: without it a half-written file would look intact.
        let journal = journal_of(&self.path);
        if journal.exists() {
            let aside = journal_of(&moved_to);
            std::fs::rename(&journal, &aside).map_err(|err| keep(&journal, &err))?;
        }
        std::fs::rename(&self.path, &moved_to).map_err(|err| keep(&self.path, &err))?;
        remove(&self.seal)?;
        let trouble = Trouble { path: self.path.clone(), moved_to, reason };
        base::lock(&self.troubles).push(trouble);
        Ok(())
    }

    /// Seals the file in its current state; `None` if it must be examined first.
    fn seal_as_it_is(&self) -> Result<Option<Vec<u8>>> {
        if journal_of(&self.path).exists() || !self.path.exists() {
            return Ok(None);
        }
        Seal::sealed(vec![hash_of(&self.path)?]).write(&self.seal).map(Some)
    }

    fn lock(&self, path: &Path, share: Share) -> Result<Lock> {
        lock(path, share, self.patience)
    }

    fn opened(&self) -> MutexGuard<'_, Option<Trusted>> {
        base::lock(&self.open)
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

/// Flushes the file to disk.
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
