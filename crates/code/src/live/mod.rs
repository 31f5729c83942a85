//! A map that is kept current for many readers. Start at [`LiveMap`].

mod follower;

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use base::{Ctx, SortedSet};
use graph::Map;
use ingest::{Changes, Index, Options, Unread};
use project::Workspace;

use crate::CodeError;
use crate::map::MapSnapshot;
use crate::retrieve::{FinderParts, PartsMaker};

pub use follower::Follower;

/// The index of a project in memory, the last snapshot of it, and the last one that can be searched.
///
/// Invariants: a reader gets a snapshot that contains every change that was completed before it
/// asked; readers share the update that one of them starts; a snapshot is never changed. Only a search
/// may get an older one, and learns what it is without ([`LiveMap::newest_within`], [`LiveMap::pending`]): the
/// search index of a map takes longer than the map, and a search never waits for it.
pub(crate) struct LiveMap {
    index: Arc<Mutex<Index>>,
    changes: Arc<Changes>,
    last: Mutex<Option<Arc<MapSnapshot>>>,
    maker: Mutex<PartsMaker>,
    searchable: Mutex<Option<Searchable>>,
    is_made: Condvar,
}

/// A map, and what searches in it share.
pub(crate) type Searchable = (Arc<MapSnapshot>, Arc<FinderParts>);

/// After this time without a whole reading of the tree a search waits for one: not every file system
/// reports changes.
const OLD: Duration = Duration::from_secs(60);
/// The number of files that an answer names as pending.
const NAMED: usize = 20;

impl LiveMap {
    /// The live map of a workspace; `None` unless [`Follower::start`] was called.
    pub(crate) fn of(workspace: &Workspace) -> Option<&Self> {
        workspace.attached()
    }

    fn new(index: Index) -> Self {
        Self {
            maker: Mutex::new(PartsMaker::new(&index)),
            index: Arc::new(Mutex::new(index)),
            changes: Arc::default(),
            last: Mutex::default(),
            searchable: Mutex::default(),
            is_made: Condvar::new(),
        }
    }

    /// What reports changes of its files.
    fn changes(&self) -> &Arc<Changes> {
        &self.changes
    }

    /// The snapshot of the present files.
    pub(crate) fn snapshot(&self, ctx: &Ctx) -> Result<Arc<MapSnapshot>, CodeError> {
        if let Some(last) = self.last_if_current() {
            return Ok(last);
        }
        let mut index = base::lock(&self.index);
        // Who waited here gets what the one before has made, unless something changed since.
        if let Some(last) = self.last_if_current() {
            return Ok(last);
        }
        self.changes.update(ctx, &mut index, &Options::default(), |index, report| {
            let is_same = |last: &Arc<MapSnapshot>| Arc::ptr_eq(last.map(), &index.map());
            if !base::lock(&self.last).as_ref().is_some_and(is_same) {
                let shared = Arc::clone(&self.index);
                replace(&self.last, Arc::new(MapSnapshot::of_kept(shared, index, report)));
            }
        })?;
        let last = base::lock(&self.last).clone();
        Ok(last.ok_or(base::Cancelled)?)
    }

    fn last_if_current(&self) -> Option<Arc<MapSnapshot>> {
        if self.changes.is_current() { base::lock(&self.last).clone() } else { None }
    }

    /// The snapshot of the present files, or a later one, with its search index.
    pub(crate) fn searchable(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
    ) -> Result<Searchable, CodeError> {
        let snapshot = self.snapshot(ctx)?;
        let mut maker = base::lock(&self.maker);
        if let Some(made) = base::lock(&self.searchable).as_ref() {
            let is_in = made.0.map().epoch() >= snapshot.map().epoch();
            if is_in {
                // A thread that waits for the present files may not have seen that this index has them.
                self.is_made.notify_all();
                return Ok((Arc::clone(&made.0), Arc::clone(&made.1)));
            }
        }
        let parts = Arc::new(maker.parts(ctx, workspace, snapshot.map(), None)?);
        // A search must not wait for the index.
        snapshot.signatures();
        let made = (snapshot, parts);
        replace(&self.searchable, made.clone());
        self.is_made.notify_all();
        Ok(made)
    }

    /// Writes the last search index, for other processes and the next one.
    pub(crate) fn write(&self, ctx: &Ctx) -> Result<(), CodeError> {
        base::lock(&self.maker).write(ctx)
    }

    /// The map of the present files if its search index is made within this time, else the newest that
    /// has one; `None` before the first, and where changes may have been missed.
    pub(crate) fn newest_within(&self, limit: Duration) -> Option<Searchable> {
        if self.changes.age() > OLD {
            return None;
        }
        let end = Instant::now() + limit;
        let mut made = base::lock(&self.searchable);
        loop {
            let epoch = base::lock(&self.last).as_ref().map(|last| last.map().epoch());
            let is_newest = made.as_ref().map(|made| made.0.map().epoch()) == epoch;
            let left = end.saturating_duration_since(Instant::now());
            let is_current = self.changes.is_current();
            if !is_current {
                self.changes.nudge();
            }
            if made.is_none() || (is_newest && is_current) || left.is_zero() {
                return made.clone();
            }
            made = match self.is_made.wait_timeout(made, left) {
                Ok((made, _)) => made,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// The files that differ from a map, as far as it is known, by path; `.` where it may be any.
    pub(crate) fn pending(&self, workspace: &Workspace, map: &Map) -> Vec<String> {
        let Unread::Saved(files) = self.changes.unread() else { return vec![".".to_owned()] };
        let root = workspace.project().root();
        let saved = files.iter().filter_map(|path| path.strip_prefix(root).ok());
        let mut pending: SortedSet<String> = saved
            .filter(|path| is_input(path, map))
            .map(|path| path.display().to_string())
            .collect();
        let last = base::lock(&self.last).clone();
        if let Some(last) = last.filter(|last| last.map().epoch() != map.epoch()) {
            pending.extend(difference(map, last.map()));
        }
        pending.into_iter().take(NAMED).collect()
    }
}

/// Makes the next search wait for nothing that was written so far: for writes of our own.
///
/// # Errors
/// A map that cannot be updated.
pub fn catch_up(ctx: &Ctx, workspace: &Workspace) -> Result<(), CodeError> {
    LiveMap::of(workspace).map_or(Ok(()), |live| live.searchable(ctx, workspace).map(|_| ()))
}

impl Drop for LiveMap {
    fn drop(&mut self) {
        self.changes.close();
    }
}

/// Replaces a value, and drops the old one only after the lock is released.
fn replace<T>(value: &Mutex<Option<T>>, new: T) {
    let old = base::lock(value).replace(new);
    drop(old);
}

/// Whether a file can change the map. One without a usual name is in it if a module includes it.
fn is_input(path: &Path, map: &Map) -> bool {
    path.extension().is_some_and(|it| it == "rs" || it == "toml" || it == "lock")
        || path.to_str().is_some_and(|path| map.file_by_path(path).is_some())
}

/// The files that only one of two maps has, or that have other texts.
fn difference(one: &Map, other: &Map) -> Vec<String> {
    let (one, other) = (texts(one), texts(other));
    one.symmetric_difference(&other).map(|(path, _)| (*path).to_owned()).collect()
}

fn texts(map: &Map) -> SortedSet<(&str, base::ContentHash)> {
    map.files().map(|file| (file.path, file.hash)).collect()
}
