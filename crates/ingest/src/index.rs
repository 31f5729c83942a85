use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base::{ContentHash, Ctx, ProjectPath, Timestamp};
use cargo::Probe;
use graph::{EdgeRow, ItemRow, Map, MapData, MapError, ProblemRow, SiteRow, UnresolvedRow};

use crate::batch::{self, Around, Found, Work, advance, difference, lone_file};
use crate::discover::{discover, problem};
use crate::hydrate::{self, FILE, KeptHydration, Key, Signatures};
use crate::inputs::{self, manifest_path};
use crate::kept;
use crate::live::{self, Followed};
use crate::lock::{Lock, lock};
use crate::phases::Stopwatch;
use crate::pieces::Pieces;
use crate::place::Place;
use crate::read::{Bytes, read};
use crate::report::{self, Cost, Report, Totals};
use crate::sealed::seal;
use crate::state::State;
use crate::{IngestError, Options, usage};

/// The map of one project, kept true.
///
/// A value of it that lives on – a server's, a watcher's – keeps what it read, and brings the map
/// up to date after one saved file in milliseconds; a new one finds on disk what the last left.
pub struct Index {
    project: repo::Project,
    probe: Option<Probe>,
    place: Place,
    state: State,
    reader: Reader,
    /// Of the map; `None`: not counted.
    totals: Option<Totals>,
    /// What the next map has in common with this one.
    pieces: Pieces,
    /// The map on disk is older than this one, or what the next process needs is not there.
    is_unwritten: bool,
    /// What was found damaged when the index was opened, said by the next report.
    damage: Vec<ProblemRow>,
    /// The signatures that rust-analyzer gives, as they lay on disk at the last look; by its hash.
    packed_signatures: Option<(ContentHash, Arc<[u8]>)>,
}

/// A view of the map for other threads: it always has the last finalized state.
#[derive(Clone)]
pub struct Reader(Arc<Mutex<Arc<Map>>>);

impl Reader {
    /// The map as it is now; it stays as it is while newer ones come.
    pub fn map(&self) -> Arc<Map> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, map: Arc<Map>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = map;
    }
}

impl Index {
    /// Opens the index of a project: the last finalized map, where one lies on disk and is whole,
    /// else an empty one. Reads no source and starts no process; [`Index::refresh`] makes it true.
    /// Without `probe` no toolchain is asked: crates and cfg are guessed from the manifests.
    ///
    /// # Errors
    /// [`IngestError::Rows`] should an empty map not be one.
    pub fn open(
        ctx: &Ctx,
        project: &repo::Project,
        probe: Option<&Probe>,
    ) -> Result<Self, IngestError> {
        ctx.check_cancelled()?;
        let place = Place::of(project, probe);
        let loaded = place.load();
        let map = match loaded.map {
            Some(map) => map,
            None => Map::empty().map_err(damaged)?,
        };
        Ok(Self {
            project: project.clone(),
            probe: probe.cloned(),
            place,
            state: loaded.state,
            reader: Reader(Arc::new(Mutex::new(Arc::new(map)))),
            totals: loaded.totals,
            pieces: Pieces::default(),
            is_unwritten: false,
            damage: loaded.damage,
            packed_signatures: None,
        })
    }

    /// Brings the map up to date with the files as they are, all or none: when this fails the
    /// former map stays in service. Only what changed, and what that changes, is read and resolved
    /// again.
    ///
    /// # Errors
    /// When the tree cannot be listed, the index cannot be written, another process does not end
    /// its batch, or the user asked to stop.
    pub fn refresh(&mut self, ctx: &Ctx, options: &Options) -> Result<Report, IngestError> {
        let began = (Instant::now(), usage::cpu());
        if options.full {
            self.state = State::default();
        }
        let mut watch = Stopwatch::start();
        let mut work = Work::default();
        let around = self.look_around(ctx, options)?;
        // A process that has nothing to go on from mostly finds nothing to do.
        if self.state.map.is_none()
            && !options.full
            && self.place.is_written()
            && batch::is_as_before(ctx, self.project.root(), &self.state, &around)?
        {
            watch.lap(&mut work.phases.read_us);
            return Ok(self.report(&work, began));
        }
        let mut found = around.read(ctx, self.project.root())?;
        watch.lap(&mut work.phases.read_us);
        if let Some(saved) = batch::saved(&self.state, &found)
            && !saved.is_empty()
            && self.go_on(ctx, &saved, &mut work)?
        {
            return Ok(self.report(&work, began));
        }
        let is_missing = !self.place.is_written();
        if options.full || is_missing || difference(&self.state, &found).is_some() {
            let lock = lock(ctx, &self.project.state_dir())?;
            // Another process may have done the same meanwhile.
            if self.state.map.is_none() && !options.full {
                self.load();
                found = self.look(ctx, options)?;
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
        Ok(self.report(&work, began))
    }

    /// The same as [`Index::refresh`] for one who was told which files were saved since the last one,
    /// by a watcher: no other file is looked at. Where one of them is new, gone or no Rust file of
    /// the map, or the index is not up to date, everything is.
    ///
    /// # Errors
    /// As [`Index::refresh`].
    pub fn refresh_saved(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        paths: &[ProjectPath],
    ) -> Result<Report, IngestError> {
        let began = (Instant::now(), usage::cpu());
        let paths: BTreeSet<&ProjectPath> = paths.iter().collect();
        let mut saved: Vec<Bytes> = Vec::new();
        for path in paths {
            let known = self.state.file(path).map(|file| file.hash);
            let bytes = known.and_then(|_| read(self.project.root(), path));
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
        let saved: Vec<&Bytes> = saved.iter().collect();
        if is_current && (saved.is_empty() || self.go_on(ctx, &saved, &mut work)?) {
            return Ok(self.report(&work, began));
        }
        self.refresh(ctx, options)
    }

    /// Goes on from saved files; whether that was possible. The files on disk follow later
    /// ([`Index::flush`]): a process that is killed before leaves the map of before, and the next
    /// one sees by hashes what is missing.
    fn go_on(&mut self, ctx: &Ctx, saved: &[&Bytes], work: &mut Work) -> Result<bool, IngestError> {
        if self.state.map.is_none() {
            return Ok(false);
        }
        let epoch = self.state.epoch;
        self.state.epoch = epoch.max(self.place.epoch());
        work.changed = saved.len() as u64;
        match live::follow(ctx, &mut self.state, saved, &mut self.pieces, work) {
            Ok(Followed::Done(assembled)) => {
                let mut watch = Stopwatch::start();
                self.is_unwritten = true;
                self.totals = Some(assembled.totals);
                self.reader.set(Arc::new(assembled.map));
                watch.lap(&mut work.phases.publish_us);
                Ok(true)
            }
            Ok(Followed::TooDeep) => {
                *work = Work { phases: work.phases, ..Work::default() };
                Ok(false)
            }
            Ok(Followed::Lost) => {
                *work = Work { phases: work.phases, ..Work::default() };
                self.state = State { epoch: self.state.epoch, ..State::default() };
                Ok(false)
            }
            Err(err) => Err(err),
        }
    }

    fn report(&mut self, work: &Work, began: (Instant, Option<Duration>)) -> Report {
        let map = self.reader.map();
        let totals = self.totals.get_or_insert_with(|| Totals::of_map(&map));
        let mut report = report::of(&map, totals, work);
        report.analyzer = self.state.hydrated.clone();
        report.skipped = self.state.skipped.len() as u64 + self.state.left_out;
        report.problems.splice(0..0, std::mem::take(&mut self.damage));
        report.bytes_on_disk = self.place.bytes();
        report.wall_ms = began.0.elapsed().as_millis() as u64;
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

    /// The last finalized map. It stays as it is while newer ones come; getting it never waits for
    /// a batch.
    pub fn map(&self) -> Arc<Map> {
        self.reader.map()
    }

    /// For other threads: what [`Index::map`] gives, whenever they ask.
    pub fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// The project.
    pub fn project(&self) -> &repo::Project {
        &self.project
    }

    /// Whether this is a Rust file of the map.
    pub(crate) fn knows(&self, path: &ProjectPath) -> bool {
        self.state.file(path).is_some()
    }

    /// Whether a Rust file of the map is or was below this folder.
    pub(crate) fn knows_below(&self, folder: &ProjectPath) -> bool {
        let folder = folder.as_str();
        self.state.files.iter().any(|file| {
            let rest = file.path.as_str().strip_prefix(folder);
            rest.is_some_and(|rest| rest.starts_with('/'))
        })
    }

    /// Where the index lies on disk.
    pub fn folder(&self) -> &Path {
        self.place.folder()
    }

    /// The text of a file of the map, where it is at hand.
    pub(crate) fn known_text(&self, path: &ProjectPath, hash: ContentHash) -> Option<Arc<str>> {
        let is_alive = self.state.map.is_some();
        let file = self.state.file(path).filter(|file| is_alive && file.hash == hash)?;
        Some(file.text.clone())
    }

    /// What finds the toolchain, where one is asked.
    pub(crate) fn probe(&self) -> Option<&Probe> {
        self.probe.as_ref()
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Brings the map up to date, and all that it was made from into memory.
    pub(crate) fn come_alive(&mut self, ctx: &Ctx, options: &Options) -> Result<(), IngestError> {
        self.refresh(ctx, options)?;
        if self.state.map.is_none() {
            let found = self.look(ctx, options)?;
            let lock = lock(ctx, &self.project.state_dir())?;
            self.batch(ctx, &found, &lock)?;
        }
        Ok(())
    }

    /// Replaces what rust-analyzer said; the next refresh takes it up.
    pub(crate) fn write_hydration(&self, bytes: &[u8], lock: &Lock) -> Result<(), IngestError> {
        self.place.write_hydration(bytes, lock)
    }

    /// The signatures that rust-analyzer gives items of the map; none where it was not asked.
    pub fn signatures(&self) -> Signatures {
        let Some(by) = self.state.hydrated_by else { return Signatures::default() };
        match &self.state.hydration {
            Some(hydration) if hydration.hash == by => hydration.signatures(),
            _ => {
                // Damage was told of by the refresh that the map is of.
                let known = self.packed_signatures.as_ref().filter(|(hash, _)| *hash == by);
                let packed = known.map(|(_, packed)| packed.clone()).or_else(|| {
                    let kept = self.place.read_hydration().ok().flatten();
                    kept.filter(|kept| kept.hash == by).map(|kept| kept.packed_signatures().clone())
                });
                packed.and_then(|packed| Signatures::unpacked(&packed)).unwrap_or_default()
            }
        }
    }

    /// What lies in the tree now.
    pub(crate) fn look(&mut self, ctx: &Ctx, options: &Options) -> Result<Found, IngestError> {
        self.look_around(ctx, options)?.read(ctx, self.project.root())
    }

    /// What lies in the tree now, but for the texts of its files.
    fn look_around(&mut self, ctx: &Ctx, options: &Options) -> Result<Around, IngestError> {
        let root = self.project.root();
        let tree = discover(ctx, &self.project, &options.ignore_files)?;
        let cache = self.place.cache();
        let inputs = inputs::inputs(ctx, root, Some(cache), self.probe.as_ref(), &tree)?;
        let moved = self.place.follow(&self.project, &inputs.manifests.target_directory);
        if moved && self.state.map.is_none() && !options.full {
            self.load();
        }
        let hydration = self.hydration(&inputs);
        Ok(Around { tree, inputs, ignore_files: options.ignore_files.clone(), hydration })
    }

    /// What rust-analyzer said, where it holds for these inputs.
    fn hydration(&mut self, inputs: &inputs::Inputs) -> Option<KeptHydration> {
        match self.place.read_hydration() {
            Ok(kept) => {
                let key = Key::of(self.project.root(), inputs);
                let kept = kept.filter(|kept| kept.holds_under(&key));
                self.packed_signatures =
                    kept.as_ref().map(|kept| (kept.hash, kept.packed_signatures().clone()));
                kept
            }
            Err(reason) => {
                let message = format!(
                    "{FILE} was left out ({reason}): syntax alone serves; \
                     `graftage index --analyzer batch` makes it again"
                );
                let problem = problem(&manifest_path(), "index", message);
                if !self.damage.contains(&problem) {
                    self.damage.push(problem);
                }
                None
            }
        }
    }

    /// Takes what lies on disk, if it is whole.
    fn load(&mut self) {
        let loaded = self.place.load();
        if let Some(map) = loaded.map {
            self.state = loaded.state;
            self.totals = loaded.totals;
            self.reader.set(Arc::new(map));
        }
        self.damage.extend(loaded.damage);
    }

    /// Writes what the last refreshes left to write, so that other processes, and the next one of
    /// this, go on from here. A refresh of an index that is alive writes nothing; a new one has
    /// written everything when it returns. Dropping the index flushes it, and passes over errors.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn flush(&mut self, ctx: &Ctx) -> Result<(), IngestError> {
        if !self.is_unwritten {
            return Ok(());
        }
        let lock = lock(ctx, &self.project.state_dir())?;
        self.write_newer(&lock)
    }

    /// Another process may have gone further meanwhile: what it wrote stays.
    fn write_newer(&mut self, lock: &Lock) -> Result<(), IngestError> {
        if self.place.epoch() >= self.state.epoch {
            self.is_unwritten = false;
            return Ok(());
        }
        self.write(&self.map(), lock)
    }

    /// Gives back the memory that only a next refresh would need, where it lies on disk as well:
    /// that refresh then begins as a new process does, and the map is read where it lies.
    pub fn rest(&mut self) {
        if self.is_unwritten || self.state.map.is_none() {
            return;
        }
        let loaded = self.place.load();
        // Another process may have gone further meanwhile.
        if let Some(map) = loaded.map.filter(|map| map.epoch() == self.state.epoch) {
            self.state = loaded.state;
            self.pieces = Pieces::default();
            self.reader.set(Arc::new(map));
        }
    }

    fn write(&mut self, map: &Map, lock: &Lock) -> Result<(), IngestError> {
        let pairs = self.state.map.as_ref().map(|map| map.fact_hashes());
        let facts = pairs.and_then(|pairs| kept::encode(&self.state, &pairs));
        let facts = facts.map(|content| seal(kept::FORMAT, &content));
        let totals = self.totals.get_or_insert_with(|| Totals::of_map(map));
        self.place.write(&self.state, totals, &map.sealed(), facts.as_deref(), lock)?;
        self.is_unwritten = false;
        Ok(())
    }

    fn batch(&mut self, ctx: &Ctx, found: &Found, lock: &Lock) -> Result<Work, IngestError> {
        let is_alive = self.state.map.is_some();
        let epoch = self.state.epoch.max(self.place.epoch());
        let mut from = if is_alive { self.state.clone() } else { self.recall(found) };
        from.epoch = epoch;
        let pieces = &mut self.pieces;
        let (state, assembled, mut work) = advance(ctx, self.project.root(), &from, found, pieces)?;
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

    /// The whole state of what was loaded by name only; an empty one where that is not to be had.
    fn recall(&self, found: &Found) -> State {
        let text = |path: &ProjectPath, hash: ContentHash| {
            let at = found.bytes.binary_search_by(|it| it.path.cmp(path)).ok()?;
            let bytes = found.bytes.get(at).filter(|bytes| bytes.hash == hash)?;
            bytes.text.as_ref().ok().cloned()
        };
        let recall = || {
            let content = self.place.read_facts(self.state.facts?)?;
            let data = self.map().to_data().ok()?;
            let (state, answers) = kept::decode(&content, data, &self.state, &text)?;
            Some(State { answers: Some(Arc::new(answers)), ..state })
        };
        recall().unwrap_or_default()
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        if self.is_unwritten
            && let Ok(lock) = crate::lock::lock_at_once(&self.project.state_dir())
        {
            // The next process begins anew where this fails.
            let _ = self.write_newer(&lock);
        }
    }
}

/// The map of a tree, in memory alone: nothing is read from an index, nothing written.
///
/// # Errors
/// As [`Index::refresh`].
pub fn map_of(ctx: &Ctx, root: &Path, probe: Option<&Probe>) -> Result<Arc<Map>, IngestError> {
    let found = found_of(ctx, root, probe)?;
    let (old, mut pieces) = (State::default(), Pieces::default());
    let (_, assembled, _) = advance(ctx, root, &old, &found, &mut pieces)?;
    Ok(Arc::new(assembled.map))
}

/// What lies in a tree that has no index.
fn found_of(ctx: &Ctx, root: &Path, probe: Option<&Probe>) -> Result<Found, IngestError> {
    // Folders that nothing is written to.
    let nowhere = PathBuf::from("/nonexistent");
    let dirs = repo::Dirs { cache: nowhere.clone(), state: nowhere };
    let project = repo::Project::open(ctx, root, dirs)?;
    let tree = discover(ctx, &project, &[])?;
    let inputs = inputs::inputs(ctx, project.root(), None, probe, &tree)?;
    Around { tree, inputs, ignore_files: Vec::new(), hydration: None }.read(ctx, project.root())
}

/// The rows of the map of a tree of which rust-analyzer said `facts`, in memory alone.
///
/// # Errors
/// As [`Index::refresh`].
pub fn hydrated_data_of(
    ctx: &Ctx,
    root: &Path,
    probe: Option<&Probe>,
    facts: &analyzer::scip::Facts,
) -> Result<MapData, IngestError> {
    let found = found_of(ctx, root, probe)?;
    let (old, mut pieces) = (State::default(), Pieces::default());
    let (mut state, _, mut work) = advance(ctx, root, &old, &found, &mut pieces)?;
    let heard = hydrate::heard(&state, facts, &|_| true, Timestamp::default());
    let key = Key::of(root, &found.inputs);
    state.hydration = Some(Arc::new(hydrate::collect(&state, &heard, &facts.tool, key, None)));
    let before = state.clone();
    let assembled = batch::link(ctx, &mut state, &before, &mut pieces, &mut work)?;
    assembled.map.to_data().map_err(damaged)
}

/// The rows of the map of a tree.
///
/// # Errors
/// As [`Index::refresh`].
pub fn data_of(ctx: &Ctx, root: &Path, probe: Option<&Probe>) -> Result<MapData, IngestError> {
    map_of(ctx, root, probe)?.to_data().map_err(damaged)
}

/// The nodes of one file and what connects them, without a store or a workspace around it: paths
/// that lead out of the file lead nowhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileUpdate {
    /// Of the text.
    pub hash: Option<ContentHash>,
    /// The nodes: the file, its items, its crate (named like the file), what lies outside.
    pub items: Vec<ItemRow>,
    /// Edges between them.
    pub edges: Vec<EdgeRow>,
    /// Where the edges come from.
    pub sites: Vec<SiteRow>,
    /// Sites without a target.
    pub unresolved: Vec<UnresolvedRow>,
    /// What was not understood.
    pub problems: Vec<ProblemRow>,
}

/// Reads one text as if it were a crate of its own.
pub fn ingest_file(ctx: &Ctx, path: &ProjectPath, text: &str) -> Result<FileUpdate, IngestError> {
    let data = lone_file(ctx, path, text)?;
    Ok(FileUpdate {
        hash: Some(ContentHash::of(text.as_bytes())),
        items: data.items,
        edges: data.edges,
        sites: data.sites,
        unresolved: data.unresolved,
        problems: data.problems,
    })
}

fn damaged(err: MapError) -> IngestError {
    IngestError::Rows { reason: err.to_string() }
}

/// What to say of a file of ours that was damaged.
pub(crate) fn rebuilt(what: &str, reason: &str) -> ProblemRow {
    problem(&manifest_path(), "index", format!("{what} was made again: {reason}"))
}
