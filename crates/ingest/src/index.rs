//! The index of one project: opens, refreshes, writes and publishes the map. Start at
//! [`Index::refresh`]; after a save of known files at [`Index::refresh_saved`].

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base::{ContentHash, Ctx, ProjectPath, SortedSet};
use build::ToolchainProbe;
use graph::{Map, MapError, ProblemRow};

use crate::batch::{self, TreeContents, TreeListing, advance, difference};
use crate::chunk_cache::ChunkCache;
use crate::discover::{discover, problem};
use crate::hydrate::{FILE, HydrationKey, KeptHydration, Signatures};
use crate::index_dir::IndexDir;
use crate::inputs::{self, manifest_path};
use crate::lock::{Lock, lock};
use crate::phases::{Stopwatch, Work};
use crate::read::{FileBytes, read};
use crate::relink::RelinkError;
use crate::report::{self, Cost, IndexReport, Totals};
use crate::state::State;
use crate::{IngestError, Options, usage};

/// The map of one project, kept up to date.
///
/// A long-lived value – of a server, a watcher – keeps everything it read, and updates the map
/// after one saved file in milliseconds; a new one starts from what the previous process wrote to
/// disk.
pub struct Index {
    project: repo::Project,
    probe: Option<ToolchainProbe>,
    dir: IndexDir,
    state: State,
    reader: MapReader,
    /// The totals of the map; `None`: not counted yet.
    totals: Option<Totals>,
    /// The parts of the map that the next one can reuse.
    cache: ChunkCache,
    /// The map on disk is older than this one.
    is_unwritten: bool,
    /// Damage found while the index was opened, for the next report.
    damage: Vec<ProblemRow>,
    /// Files with dangling links after incremental updates, for the next report.
    missed_keys: u64,
    /// The packed rust-analyzer signatures as last read from disk, with their hash.
    packed_signatures: Option<(ContentHash, Arc<[u8]>)>,
}

/// A handle for other threads: it always returns the last published map.
#[derive(Clone)]
pub struct MapReader(Arc<Mutex<Arc<Map>>>);

impl MapReader {
    /// The current map; it stays valid while newer ones are published.
    pub fn map(&self) -> Arc<Map> {
        base::lock(&self.0).clone()
    }

    fn set(&self, map: Arc<Map>) {
        *base::lock(&self.0) = map;
    }
}

impl Index {
    /// Opens the index of a project: the last written map if it is intact, otherwise an empty one.
    /// Reads no source and starts no process; [`Index::refresh`] updates it. Without `probe` no
    /// toolchain is run: crates and cfg are guessed from the manifests.
    ///
    /// # Errors
    ///
    /// [`IngestError::Rows`] if an empty map cannot be built.
    pub fn open(
        ctx: &Ctx,
        project: &repo::Project,
        probe: Option<&ToolchainProbe>,
    ) -> Result<Self, IngestError> {
        ctx.check_cancelled()?;
        let dir = IndexDir::of(project);
        let loaded = dir.load();
        let map = match loaded.map {
            Some(map) => map,
            None => Map::empty().map_err(damaged)?,
        };
        Ok(Self {
            project: project.clone(),
            probe: probe.cloned(),
            dir,
            state: loaded.state,
            reader: MapReader(Arc::new(Mutex::new(Arc::new(map)))),
            totals: loaded.totals,
            cache: ChunkCache::default(),
            is_unwritten: false,
            damage: loaded.damage,
            missed_keys: 0,
            packed_signatures: None,
        })
    }

    /// Updates the map to the current files, all or nothing: if this fails the previous map stays
    /// in use. Only what changed, and what depends on it, is read and resolved again.
    ///
    /// # Errors
    ///
    /// If the tree cannot be listed, the index cannot be written, another process holds the lock
    /// for too long, or the user cancelled.
    pub fn refresh(&mut self, ctx: &Ctx, options: &Options) -> Result<IndexReport, IngestError> {
        let began = (Instant::now(), usage::cpu());
        if options.full {
            self.state = State::default();
        }
        let mut watch = Stopwatch::start();
        let mut work = Work::default();
        let around = self.list_tree(ctx, options)?;
        // Fast path: in a new process mostly nothing changed.
        if self.state.map.is_none()
            && !options.full
            && self.dir.is_written()
            && batch::is_unchanged(ctx, self.project.root(), &self.state, &around)?
        {
            watch.lap(&mut work.phases.read_us);
            return Ok(self.report(ctx, &work, began));
        }
        let mut found = around.read(ctx, self.project.root())?;
        watch.lap(&mut work.phases.read_us);
        if let Some(saved) = batch::saved(&self.state, &found)
            && !saved.is_empty()
            && self.apply_saves(ctx, &saved, &mut work)?
        {
            return Ok(self.report(ctx, &work, began));
        }
        let is_missing = !self.dir.is_written();
        if options.full || is_missing || difference(&self.state, &found).is_some() {
            let lock = lock(ctx, &self.project.state_dir())?;
            // Another process may have done the same meanwhile.
            if self.state.map.is_none() && !options.full {
                self.load();
                found = self.read_tree(ctx, options)?;
            }
            if options.full || difference(&self.state, &found).is_some() {
                let before = work.phases;
                work = self.batch(ctx, &found, &lock)?;
                work.phases.read_us += before.read_us;
                work.phases.parse_us += before.parse_us;
                work.phases.define_us += before.define_us;
            } else if is_missing && self.state.map.is_some() {
                self.write(&self.map(), &lock)?;
            }
        }
        Ok(self.report(ctx, &work, began))
    }

    /// The same as [`Index::refresh`] for a caller that knows which files were saved since the last
    /// refresh, for example a watcher: no other file is read. If one of them is new, removed or not
    /// in the map, or the index is not current, everything is refreshed.
    ///
    /// # Errors
    ///
    /// As [`Index::refresh`].
    pub fn refresh_saved(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        paths: &[ProjectPath],
    ) -> Result<IndexReport, IngestError> {
        let began = (Instant::now(), usage::cpu());
        let paths: SortedSet<&ProjectPath> = paths.iter().collect();
        let mut saved: Vec<FileBytes> = Vec::new();
        let root = untrusted_fs::Dir::open(self.project.root()).ok();
        for path in paths {
            let known = self.state.file(path).map(|file| file.hash);
            let bytes = match &root {
                Some(root) if known.is_some() => read(root, path),
                _ => None,
            };
            match bytes.filter(|bytes| bytes.text.is_ok()) {
                Some(bytes) if known == Some(bytes.hash) => {}
                Some(bytes) => saved.push(bytes),
                None => return self.refresh(ctx, options),
            }
        }
        let is_current = self.state.map.is_some()
            && !options.full
            && self.state.ignore_files == options.ignore_files;
        let mut work = Work::default();
        work.phases.read_us = began.0.elapsed().as_micros() as u64;
        let saved: Vec<&FileBytes> = saved.iter().collect();
        if is_current && (saved.is_empty() || self.apply_saves(ctx, &saved, &mut work)?) {
            return Ok(self.report(ctx, &work, began));
        }
        self.refresh(ctx, options)
    }

    /// Updates the map from saved files; returns whether that was possible. The files on disk are
    /// written later ([`Index::flush`]): if the process is killed before, the next one finds the
    /// older map and detects the difference by hashes.
    fn apply_saves(
        &mut self,
        ctx: &Ctx,
        saved: &[&FileBytes],
        work: &mut Work,
    ) -> Result<bool, IngestError> {
        if self.state.map.is_none() {
            return Ok(false);
        }
        self.state.epoch = self.state.epoch.max(self.dir.epoch());
        match batch::save(ctx, &mut self.state, saved, &mut self.cache, work) {
            Ok(Some(assembled)) => {
                let mut watch = Stopwatch::start();
                self.is_unwritten = true;
                self.totals = Some(assembled.totals);
                self.reader.set(Arc::new(assembled.map));
                watch.lap(&mut work.phases.publish_us);
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(err) => {
                if self.state.map.is_none() {
                    // It failed after it had changed the state.
                    self.state = State { epoch: self.state.epoch, ..State::default() };
                }
                let RelinkError::MissedKeys(files) = err else { return Err(err.into()) };
                self.record_missed_keys(ctx, files.len());
                *work = Work { phases: work.phases, ..Work::default() };
                Ok(false)
            }
        }
    }

    /// Reports that an incremental update broke its law; the map must be rebuilt from scratch.
    fn record_missed_keys(&mut self, ctx: &Ctx, files: usize) {
        debug_assert!(false, "after an incremental update {files} files have dangling links");
        let message = format!(
            "an incremental update left links to missing items in {files} files (a bug in \
             graftage): the map was rebuilt from scratch"
        );
        ctx.progress("index", &message);
        self.missed_keys += files as u64;
        self.damage.push(problem(&manifest_path(), "index", message));
    }

    fn report(
        &mut self,
        ctx: &Ctx,
        work: &Work,
        began: (Instant, Option<Duration>),
    ) -> IndexReport {
        let map = self.reader.map();
        let totals = self.totals.get_or_insert_with(|| Totals::of_map(&map));
        let mut report = report::of(&map, totals, work);
        report.analyzer = self.state.hydrated.clone();
        report.skipped = self.state.skipped.len() as u64 + self.state.left_out;
        report.missed_keys = std::mem::take(&mut self.missed_keys);
        report.problems.splice(0..0, std::mem::take(&mut self.damage));
        report.bytes_on_disk = self.bytes_on_disk();
        report.wall_ms = began.0.elapsed().as_millis() as u64;
        if let Some(log) = ctx.log() {
            work.log(&*log);
        }
        let cpu = usage::cpu().zip(began.1).map(|(now, then)| now.saturating_sub(then));
        report.cpu_ms = cpu.unwrap_or_default().as_millis() as u64;
        report.peak_rss_bytes = usage::peak_rss_bytes().unwrap_or(0);
        report.map = Cost {
            cpu_ms: report.cpu_ms,
            wall_ms: report.wall_ms,
            peak_rss_bytes: report.peak_rss_bytes,
        };
        report
    }

    /// The last published map. It stays valid while newer ones are published; getting it never
    /// waits for an update.
    pub fn map(&self) -> Arc<Map> {
        self.reader.map()
    }

    /// A handle for other threads that returns what [`Index::map`] returns.
    pub fn reader(&self) -> MapReader {
        self.reader.clone()
    }

    /// The project.
    pub(crate) fn project(&self) -> &repo::Project {
        &self.project
    }

    /// Whether this is a Rust file of the map.
    pub(crate) fn has_file(&self, path: &ProjectPath) -> bool {
        self.state.file(path).is_some()
    }

    /// Whether a Rust file of the map is or was below this directory.
    pub(crate) fn has_file_below(&self, folder: &ProjectPath) -> bool {
        let folder = folder.as_str();
        self.state.files.iter().any(|file| {
            let rest = file.path.as_str().strip_prefix(folder);
            rest.is_some_and(|rest| rest.starts_with('/'))
        })
    }

    /// The directory of the index on disk.
    pub fn folder(&self) -> &Path {
        self.dir.folder()
    }

    pub(crate) fn bytes_on_disk(&self) -> u64 {
        self.dir.bytes()
    }

    /// The text of a file of the map, if it is in memory.
    pub fn known_text(&self, path: &ProjectPath, hash: ContentHash) -> Option<Arc<str>> {
        let is_alive = self.state.map.is_some();
        let file = self.state.file(path).filter(|file| is_alive && file.hash == hash)?;
        Some(file.text.clone())
    }

    /// The toolchain probe, if there is one.
    pub(crate) fn probe(&self) -> Option<&ToolchainProbe> {
        self.probe.as_ref()
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Updates the map, and loads everything it was built from into memory.
    pub(crate) fn load_all(&mut self, ctx: &Ctx, options: &Options) -> Result<(), IngestError> {
        self.refresh(ctx, options)?;
        if self.state.map.is_none() {
            let found = self.read_tree(ctx, options)?;
            let lock = lock(ctx, &self.project.state_dir())?;
            self.batch(ctx, &found, &lock)?;
        }
        Ok(())
    }

    /// Replaces the stored rust-analyzer results; the next refresh merges them.
    pub(crate) fn write_hydration(&self, bytes: &[u8], lock: &Lock) -> Result<(), IngestError> {
        self.dir.write_hydration(bytes, lock)
    }

    /// The rust-analyzer signatures of the map's items; empty if there are none.
    pub fn signatures(&self) -> Signatures {
        let Some(by) = self.state.hydrated_by else { return Signatures::default() };
        match &self.state.hydration {
            Some(hydration) if hydration.hash == by => hydration.signatures(),
            _ => {
                // Damage was reported by the refresh that built the map.
                let known = self.packed_signatures.as_ref().filter(|(hash, _)| *hash == by);
                let packed = known.map(|(_, packed)| packed.clone()).or_else(|| {
                    let kept = self.dir.read_hydration().ok().flatten();
                    kept.filter(|kept| kept.hash == by).map(|kept| kept.packed_signatures().clone())
                });
                packed.and_then(|packed| Signatures::unpacked(&packed)).unwrap_or_default()
            }
        }
    }

    /// Reads the current tree.
    pub(crate) fn read_tree(
        &mut self,
        ctx: &Ctx,
        options: &Options,
    ) -> Result<TreeContents, IngestError> {
        self.list_tree(ctx, options)?.read(ctx, self.project.root())
    }

    /// Lists the current tree without reading the Rust files.
    fn list_tree(&mut self, ctx: &Ctx, options: &Options) -> Result<TreeListing, IngestError> {
        let root = self.project.root();
        let tree = discover(ctx, &self.project, &options.ignore_files)?;
        let folder = self.dir.folder();
        let inputs = inputs::inputs(ctx, root, Some(folder), self.probe.as_ref(), &tree)?;
        let hydration = self.hydration(&inputs);
        Ok(TreeListing { tree, inputs, ignore_files: options.ignore_files.clone(), hydration })
    }

    /// The stored rust-analyzer results, if they are valid for these inputs.
    fn hydration(&mut self, inputs: &inputs::Inputs) -> Option<KeptHydration> {
        match self.dir.read_hydration() {
            Ok(kept) => {
                let key = HydrationKey::of(self.project.root(), inputs);
                let kept = kept.filter(|kept| kept.holds_under(&key));
                self.packed_signatures =
                    kept.as_ref().map(|kept| (kept.hash, kept.packed_signatures().clone()));
                kept
            }
            Err(reason) => {
                let message = format!(
                    "{FILE} was ignored ({reason}): edges come from syntax alone; \
                     run `graftage index --analyzer batch` to rebuild it"
                );
                let problem = problem(&manifest_path(), "index", message);
                if !self.damage.contains(&problem) {
                    self.damage.push(problem);
                }
                None
            }
        }
    }

    /// Loads the index from disk if it is intact.
    fn load(&mut self) {
        let loaded = self.dir.load();
        if let Some(map) = loaded.map {
            self.state = loaded.state;
            self.totals = loaded.totals;
            self.reader.set(Arc::new(map));
        }
        self.damage.extend(loaded.damage);
    }

    /// Writes what the last refreshes left unwritten, so that other processes, and the next one,
    /// can continue from here. A refresh of a loaded index writes nothing; that of a new one writes
    /// everything. Dropping the index flushes it and ignores errors.
    ///
    /// # Errors
    ///
    /// If the index cannot be written.
    pub(crate) fn flush(&mut self, ctx: &Ctx) -> Result<(), IngestError> {
        if !self.is_unwritten {
            return Ok(());
        }
        let lock = lock(ctx, &self.project.state_dir())?;
        self.write_newer(&lock)
    }

    /// Another process may have written a newer index meanwhile, which must stay.
    fn write_newer(&mut self, lock: &Lock) -> Result<(), IngestError> {
        if self.dir.epoch() >= self.state.epoch {
            self.is_unwritten = false;
            return Ok(());
        }
        self.write(&self.map(), lock)
    }

    /// Frees the intermediate state that only the next refresh needs, if it is on disk as well:
    /// that refresh then starts like a new process, and the map is memory-mapped.
    pub fn release_memory(&mut self) {
        if self.is_unwritten || self.state.map.is_none() {
            return;
        }
        let loaded = self.dir.load();
        // Another process may have written a newer index meanwhile.
        if let Some(map) = loaded.map.filter(|map| map.epoch() == self.state.epoch) {
            self.state = loaded.state;
            self.cache = ChunkCache::default();
            self.reader.set(Arc::new(map));
        }
    }

    fn write(&mut self, map: &Map, lock: &Lock) -> Result<(), IngestError> {
        let totals = self.totals.get_or_insert_with(|| Totals::of_map(map));
        self.dir.write(&self.state, totals, &map.sealed(), lock)?;
        self.is_unwritten = false;
        Ok(())
    }

    fn batch(&mut self, ctx: &Ctx, found: &TreeContents, lock: &Lock) -> Result<Work, IngestError> {
        let is_alive = self.state.map.is_some();
        let epoch = self.state.epoch.max(self.dir.epoch());
        let mut from = if is_alive { self.state.clone() } else { State::default() };
        from.epoch = epoch;
        let root = self.project.root().to_owned();
        let advanced = match advance(ctx, &root, &from, found, &mut self.cache) {
            Err(RelinkError::MissedKeys(files)) => {
                self.record_missed_keys(ctx, files.len());
                let nothing = State { epoch, ..State::default() };
                advance(ctx, &root, &nothing, found, &mut self.cache)
            }
            advanced => advanced,
        };
        let (state, assembled, mut work) = advanced?;
        work.changed = difference(&self.state, found).unwrap_or(0);
        ctx.check_cancelled()?;
        let map = Arc::new(assembled.map);
        let mut watch = Stopwatch::start();
        let former = std::mem::replace(&mut self.state, state);
        let former_totals = self.totals.replace(assembled.totals);
        self.is_unwritten = true;
        if !is_alive {
            ctx.progress("writing the map", "");
            if let Err(err) = self.write(&map, lock) {
                (self.state, self.totals, self.is_unwritten) = (former, former_totals, false);
                return Err(err);
            }
        }
        self.reader.set(map);
        watch.lap(&mut work.phases.publish_us);
        Ok(work)
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        if self.is_unwritten
            && let Ok(lock) = crate::lock::lock_at_once(&self.project.state_dir())
        {
            // If this fails the next process starts from scratch.
            let _ = self.write_newer(&lock);
        }
    }
}

pub(crate) fn damaged(err: MapError) -> IngestError {
    IngestError::Rows { reason: err.to_string() }
}
