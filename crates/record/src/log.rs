//! [`Log`], an append-only file of JSON lines.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::marker::PhantomData;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{ContentHash, Ctx};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::line::{End, LINE_LIMIT};
use crate::tail::{TextFault, end_of, end_of_whole, verify};
use crate::{LogTrouble, RecordError, Result};

/// The limit of a log in bytes; a longer one is not read.
const LOG_LIMIT: u64 = 512 << 20;

/// The time that a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether an appended entry must survive a loss of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durable {
    /// It does: the file is synced.
    Synced,
    /// It survives a kill of the process, not necessarily a loss of power.
    Written,
}

/// An append-only file of JSON lines with entries of one type.
///
/// Each line has a version, a number and a checksum chained to the line before. An append is one
/// write under a lock of the operating system, which is a file beside the log. A torn last line is
/// cut off by the next writer. From the first line on that does not verify, nothing is used; the
/// next writer moves the damaged file aside and continues with the part that verifies. (The next
/// writer of a log that rotates verifies its end only.)
#[derive(Clone, Debug)]
pub struct Log<T> {
    path: PathBuf,
    /// The length from which on the file is renamed and a new one started.
    rotate_at: Option<u64>,
    of: PhantomData<fn(T) -> T>,
}

/// An entry and its number in the log, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered<T> {
    /// The number.
    pub number: u64,
    /// The entry.
    pub entry: T,
}

/// The content of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogContent<T> {
    /// The entries that verify, oldest first.
    pub entries: Vec<Numbered<T>>,
    /// The damage that was found.
    pub troubles: Vec<LogTrouble>,
    /// The checksum of the last line that verifies, which depends on all lines before it: equal for
    /// equal contents only.
    pub end: ContentHash,
}

impl<T> Log<T> {
    /// The log in the file `path`. Nothing is read or written yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), rotate_at: None, of: PhantomData }
    }

    /// A log that keeps the newest entries only: a file of more than `bytes` is renamed, which
    /// replaces the one that was renamed before, and a new one is started with the numbers continued.
    pub fn rotating(self, bytes: u64) -> Self {
        Self { rotate_at: Some(bytes), ..self }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the lock, and makes the log ready for an append: a torn last line is cut off, a damaged
    /// file is moved aside.
    ///
    /// # Errors
    /// [`RecordError::Busy`] if another process keeps the lock; [`RecordError::Version`] for a log
    /// of a later version, which stays as it is.
    pub fn lock(&self, ctx: &Ctx) -> Result<LogWriter<'_, T>> {
        self.lock_within(ctx, PATIENCE)
    }

    fn lock_within(&self, ctx: &Ctx, patience: Duration) -> Result<LogWriter<'_, T>> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        make_private(folder).map_err(|err| RecordError::keep(folder, err))?;
        let lock = take_lock(ctx, &beside(&self.path, "lock"), patience)?;
        let keep = |err: std::io::Error| RecordError::keep(&self.path, err);
        let is_new = !self.path.exists();
        let mut file = open_log(&self.path).map_err(keep)?;
        if is_new {
            sync_folder(folder).map_err(keep)?;
        }
        // A log that rotates is appended to on each command, so only its end is read.
        let end = match self.rotate_at {
            Some(_) => self.end_of_newest(&mut file).map_err(keep)?,
            None => end_of_whole(&read_log(&self.path)?),
        };
        let (end, troubles) = match end {
            Some((end, length)) => {
                if file.metadata().map_err(keep)?.len() != length {
                    file.set_len(length).map_err(keep)?;
                }
                (end, Vec::new())
            }
            None => {
                let recovered = self.recover()?;
                file = open_log(&self.path).map_err(keep)?;
                recovered
            }
        };
        Ok(LogWriter { log: self, file, end, troubles, _lock: lock })
    }

    /// The end of the newest file of a log that rotates. Where it has no line yet, its numbers
    /// continue those of the file before.
    fn end_of_newest(&self, file: &mut File) -> std::io::Result<Option<(End, u64)>> {
        match end_of(file, true)? {
            Some((end, length)) if end.number == 0 => {
                let Ok(mut before) = File::open(beside(&self.path, "before")) else {
                    return Ok(Some((end, length)));
                };
                let before = end_of(&mut before, true)?.map_or(end, |(end, _)| end);
                Ok(Some((before.restarted(), length)))
            }
            end => Ok(end),
        }
    }

    fn continues(&self) -> bool {
        self.rotate_at.is_some()
    }

    /// Keeps the part that verifies, and moves the damaged file aside.
    fn recover(&self) -> Result<(End, Vec<LogTrouble>)> {
        let bytes = read_log(&self.path)?;
        let verified = verify(&bytes, self.continues());
        if let Some(TextFault::Version(version)) = verified.fault {
            return Err(RecordError::Version { path: self.path.clone(), version });
        }
        let end = verified.lines.last().map_or(End::empty(), |line| line.end());
        let aside = beside(&self.path, &format!("damaged-{}", ContentHash::of(&bytes).short()));
        let keep = |err: std::io::Error| RecordError::keep(&self.path, err);
        let folder = self.path.parent().unwrap_or(Path::new("."));
        write_durably(&aside, &bytes).map_err(keep)?;
        let fresh = beside(&self.path, "unfinished");
        write_durably(&fresh, &bytes[..verified.length]).map_err(keep)?;
        std::fs::rename(&fresh, &self.path).and_then(|()| sync_folder(folder)).map_err(keep)?;
        let trouble = trouble(&self.path, verified.lines.len(), &verified.fault, Some(aside));
        Ok((end, trouble.into_iter().collect()))
    }
}

impl<T: DeserializeOwned> Log<T> {
    /// The entries that verify. Takes no lock; a line that is being written is not seen yet.
    ///
    /// # Errors
    /// A file that cannot be read. Damage is no error: it is in [`LogContent::troubles`].
    pub fn read(&self) -> Result<LogContent<T>> {
        let newest = self.read_file(&self.path)?;
        if self.rotate_at.is_none() {
            return Ok(newest);
        }
        // Read second: a rotation between the two reads repeats entries and loses none.
        let mut all = self.read_file(&beside(&self.path, "before"))?;
        let first = newest.entries.first().map_or(u64::MAX, |entry| entry.number);
        all.entries.retain(|entry| entry.number < first);
        all.entries.extend(newest.entries);
        all.troubles.extend(newest.troubles);
        if first != u64::MAX {
            all.end = newest.end;
        }
        Ok(all)
    }

    fn read_file(&self, path: &Path) -> Result<LogContent<T>> {
        let bytes = read_log(path)?;
        let verified = verify(&bytes, self.continues());
        let end = verified.lines.last().map_or(End::empty(), |line| line.end()).sum;
        let mut content = LogContent { entries: Vec::new(), troubles: Vec::new(), end };
        for line in &verified.lines {
            match serde_json::from_str(line.entry) {
                Ok(entry) => content.entries.push(Numbered { number: line.number, entry }),
                Err(err) => content.troubles.push(LogTrouble {
                    path: path.to_owned(),
                    line: line.number,
                    reason: format!("the entry is not known here and is left out: {err}"),
                    moved_to: None,
                }),
            }
        }
        content.troubles.extend(trouble(path, verified.lines.len(), &verified.fault, None));
        Ok(content)
    }
}

impl<T: Serialize> Log<T> {
    /// Appends one entry and returns its number. For many appends take [`Log::lock`] once: each lock
    /// verifies the whole log, unless it rotates.
    ///
    /// # Errors
    /// As [`Log::lock`] and [`LogWriter::append`].
    pub fn append(&self, ctx: &Ctx, entry: &T, durable: Durable) -> Result<u64> {
        self.lock(ctx)?.append(std::slice::from_ref(entry), durable)
    }

    /// Appends one entry, but waits for another writer for `patience` only.
    ///
    /// # Errors
    /// As [`Log::append`].
    pub fn append_within(
        &self,
        ctx: &Ctx,
        entry: &T,
        durable: Durable,
        patience: Duration,
    ) -> Result<u64> {
        self.lock_within(ctx, patience)?.append(std::slice::from_ref(entry), durable)
    }
}

/// A log whose lock this process holds; it is released on drop, and when the process ends.
#[derive(Debug)]
pub struct LogWriter<'a, T> {
    log: &'a Log<T>,
    file: File,
    end: End,
    troubles: Vec<LogTrouble>,
    _lock: File,
}

impl<T> LogWriter<'_, T> {
    /// The damage that was found and moved aside when the lock was taken.
    pub fn troubles(&self) -> &[LogTrouble] {
        &self.troubles
    }
}

impl<T: Serialize> LogWriter<'_, T> {
    /// Appends entries in one write, all or (after a kill) a first part of them, and returns the
    /// number of the last.
    ///
    /// # Errors
    /// [`RecordError::TooLarge`] for an entry that does not fit in a line; a failed write, whose
    /// bytes are cut off again.
    pub fn append(&mut self, entries: &[T], durable: Durable) -> Result<u64> {
        let path = &self.log.path;
        let mut end = self.end;
        let mut lines = String::new();
        for entry in entries {
            let json = serde_json::to_string(entry)
                .map_err(|err| RecordError::Entry { reason: err.to_string() })?;
            let (line, next) = end.line(&json);
            within(path, "an entry", line.len() as u64, LINE_LIMIT as u64)?;
            lines.push_str(&line);
            end = next;
        }
        let keep = |err: std::io::Error| RecordError::keep(path, err);
        let length = self.file.metadata().map_err(keep)?.len();
        within(path, "the log", length + lines.len() as u64, LOG_LIMIT)?;
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| match durable {
            Durable::Synced => self.file.sync_data(),
            Durable::Written => Ok(()),
        });
        if let Err(err) = written {
            // If this fails too, the next writer cuts the torn line off.
            let _ = self.file.set_len(length);
            return Err(keep(err));
        }
        self.end = end;
        if self.log.rotate_at.is_some_and(|limit| length + lines.len() as u64 > limit) {
            self.rotate().map_err(keep)?;
        }
        Ok(end.number)
    }

    fn rotate(&mut self) -> std::io::Result<()> {
        std::fs::rename(&self.log.path, beside(&self.log.path, "before"))?;
        self.file = open_log(&self.log.path)?;
        self.end = self.end.restarted();
        Ok(())
    }
}

fn within(path: &Path, what: &'static str, size: u64, limit: u64) -> Result<()> {
    if size <= limit {
        return Ok(());
    }
    Err(RecordError::TooLarge { path: path.to_owned(), what, size, limit })
}

fn trouble(
    path: &Path,
    verified: usize,
    fault: &Option<TextFault>,
    moved_to: Option<PathBuf>,
) -> Option<LogTrouble> {
    let reason = match fault.as_ref()? {
        TextFault::Damaged(reason) => reason.clone(),
        TextFault::Version(version) => format!("it is of line format {version}"),
    };
    Some(LogTrouble { path: path.to_owned(), line: verified as u64 + 1, reason, moved_to })
}

/// `log.jsonl` → `log.jsonl.lock`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

fn read_log(path: &Path) -> Result<Vec<u8>> {
    let read = untrusted_fs::read_regular(path, LOG_LIMIT);
    Ok(read.map_err(|fault| RecordError::keep(path, fault))?.unwrap_or_default())
}

fn open_log(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().create(true).append(true).read(true).mode(0o600).open(path)
}

fn write_durably(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.create(true).truncate(true).write(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes a folder and its parents, readable by this user only: the record contains texts of files
/// that may be private.
pub(crate) fn make_private(folder: &Path) -> std::io::Result<()> {
    Ok(untrusted_fs::make_own(folder).map(drop)?)
}

/// Makes the names of a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

/// A lock on a file; it is released on drop, and when the process ends.
#[derive(Debug)]
pub struct HeldLock {
    _file: File,
}

/// Takes an exclusive lock on a file in a folder; `None` if another process has it.
pub(crate) fn try_lock(folder: &Path, name: &str) -> Result<Option<HeldLock>> {
    make_private(folder).map_err(|err| RecordError::keep(folder, err))?;
    let path = folder.join(name);
    let file = open_lock(&path).map_err(|err| RecordError::keep(&path, err))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(HeldLock { _file: file })),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(err)) => Err(RecordError::keep(&path, err)),
    }
}

/// As [`try_lock`], but waits.
pub(crate) fn wait_lock(
    ctx: &Ctx,
    folder: &Path,
    name: &str,
    patience: Duration,
) -> Result<HeldLock> {
    make_private(folder).map_err(|err| RecordError::keep(folder, err))?;
    Ok(HeldLock { _file: take_lock(ctx, &folder.join(name), patience)? })
}

fn open_lock(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path)
}

/// Takes an exclusive lock on a file that is never removed.
fn take_lock(ctx: &Ctx, path: &Path, patience: Duration) -> Result<File> {
    let file = open_lock(path).map_err(|err| RecordError::keep(path, err))?;
    let mut pause = Duration::from_millis(1);
    let mut waited = Duration::ZERO;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(err)) => return Err(RecordError::keep(path, err)),
            Err(TryLockError::WouldBlock) if waited >= patience => {
                return Err(RecordError::Busy { path: path.to_owned(), waited: patience });
            }
            Err(TryLockError::WouldBlock) => {
                ctx.check_cancelled()?;
                std::thread::sleep(pause);
                waited += pause;
                pause = (pause * 2).min(Duration::from_millis(20));
            }
        }
    }
}
