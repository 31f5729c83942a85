use std::path::PathBuf;
use std::time::{Duration, Instant};

use analyzer::{Analyzer, BatchOptions, Features, Search};
use base::{ContentHash, Ctx, Hasher, ProjectPath};
use cargo::{CargoEnv, Manifests};
use serde::{Deserialize, Serialize};

use super::kept::{Hydrated, Hydration, Key};
use super::{collect, heard};
use crate::batch::Found;
use crate::features;
use crate::lock::lock;
use crate::{Index, IngestError, Options};

/// How rust-analyzer is asked.
#[derive(Clone, Debug, Default)]
pub struct Hydrate {
    /// The user's own; others are looked for where it is `None`.
    pub program: Option<PathBuf>,
    /// Graftage's cache folder, where a test machine has it unpacked.
    pub cache_dir: PathBuf,
    /// Build scripts and procedural macros of the project are run, in the sandbox; without them
    /// what they make is not known.
    pub runs_project_code: bool,
    /// The longest that a run may take; by the size of the workspace where it is `None`.
    pub timeout: Option<Duration>,
    /// The most memory of a run; half of the machine's, at most 6 GiB, where it is `None`.
    pub memory_bytes: Option<u64>,
}

/// What asking came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HydrateRun {
    /// rust-analyzer was run; false: what it said before still holds, or stood ready.
    pub ran: bool,
    /// It is older than the toolchain, or build scripts and macros are off: what they make is
    /// missing.
    pub degraded: Option<String>,
    /// What it came to.
    pub hydrated: Hydrated,
    /// CPU time of rust-analyzer and what it started.
    pub cpu_ms: u64,
    /// How long it ran.
    pub wall_ms: u64,
    /// The most memory of its largest process.
    pub peak_rss_bytes: u64,
    /// CPU time of making facts and the map of what it said, of this process.
    pub own_cpu_ms: u64,
    /// What is kept of it takes so many bytes.
    pub bytes: u64,
}

impl Index {
    /// Asks rust-analyzer about the whole workspace and brings the map up to what it says; does not
    /// ask where nothing changed since it was asked. Costs minutes of CPU and runs the project's
    /// build scripts, in the sandbox. Where it fails the map is what it was.
    ///
    /// # Errors
    /// When there is no rust-analyzer that runs, or it ends badly, out of time or memory; and as
    /// [`Index::refresh`].
    pub fn hydrate(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        how: &Hydrate,
    ) -> Result<HydrateRun, IngestError> {
        let options = Options { full: false, ..options.clone() };
        self.refresh(ctx, &options)?;
        let found = self.look(ctx, &options)?;
        let (env, analyzer) = self.locate(ctx, how)?;
        let label = label(&analyzer, how);
        let key = Key::of(self.project().root(), &found.inputs);
        let mut run = HydrateRun { degraded: degraded(&analyzer, how), ..HydrateRun::default() };
        if let Some(known) = found.hydration.as_ref().and_then(|kept| kept.decode())
            && known.analyzer == label
        {
            let files = found.bytes.iter().filter(|it| it.text.is_ok());
            let counted = known.counted(files.map(|it| (&it.path, it.hash)));
            if counted.stale_files == 0 {
                run.hydrated = counted;
                return Ok(run);
            }
        }
        let work = self.project().cache_dir().join("analyzer");
        std::fs::create_dir_all(&work).map_err(IngestError::io("make", &work))?;
        let features = asked(&found.inputs.manifests);
        let run_key = run_key(&label, &key, &features, &found);
        let facts = match analyzer::kept_index(&work, run_key) {
            Some(facts) => facts,
            None => {
                ctx.progress("rust-analyzer", "reading the workspace");
                let root = self.project().root().to_owned();
                let lines: u64 = self.map().files().map(|file| u64::from(file.lines)).sum();
                let batch = analyzer::scip_batch(
                    ctx,
                    &env,
                    &analyzer,
                    &analyzer::Project { root: &root, view: &cargo::view_of(&root, &env.trust) },
                    &BatchOptions {
                        work: &work,
                        features,
                        runs_project_code: how.runs_project_code,
                        timeout: how.timeout.unwrap_or_else(|| timeout(lines)),
                        memory_bytes: how.memory_bytes.unwrap_or_else(analyzer::memory_by_default),
                    },
                )?;
                analyzer::keep_index(&work, run_key)?;
                run.ran = true;
                run.cpu_ms = batch.outcome.cpu.unwrap_or_default().as_millis() as u64;
                run.wall_ms = batch.outcome.duration.as_millis() as u64;
                run.peak_rss_bytes = batch.outcome.peak_rss_bytes.unwrap_or_default();
                batch.facts
            }
        };
        let own = (Instant::now(), crate::usage::own_cpu());
        let before = |path: &ProjectPath| {
            let at = found.bytes.binary_search_by(|it| it.path.cmp(path)).ok()?;
            found.bytes.get(at).map(|it| it.hash)
        };
        let took = self.take(ctx, &options, &facts, &label, key, &before)?;
        (run.hydrated, run.bytes) = took;
        let spent = crate::usage::own_cpu().zip(own.1).map(|(now, then)| now.saturating_sub(then));
        run.own_cpu_ms = spent.unwrap_or_else(|| own.0.elapsed()).as_millis() as u64;
        // It is kept where it belongs now.
        analyzer::drop_index(&work)?;
        Ok(run)
    }

    /// Takes what an index says that was made of the tree as it stands, by whom ever.
    ///
    /// # Errors
    /// As [`Index::refresh`].
    pub fn hydrate_with(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        facts: &analyzer::scip::Facts,
    ) -> Result<Hydrated, IngestError> {
        let found = self.look(ctx, options)?;
        let key = Key::of(self.project().root(), &found.inputs);
        let before = |path: &ProjectPath| {
            let at = found.bytes.binary_search_by(|it| it.path.cmp(path)).ok()?;
            found.bytes.get(at).map(|it| it.hash)
        };
        Ok(self.take(ctx, options, facts, &facts.tool, key, &before)?.0)
    }

    pub(crate) fn locate(
        &self,
        ctx: &Ctx,
        how: &Hydrate,
    ) -> Result<(CargoEnv, Analyzer), IngestError> {
        let root = self.project().root();
        let Some(probe) = self.probe() else {
            return Err(analyzer::AnalyzerError::NotFound {
                tried: vec!["this map is made without a toolchain".to_owned()],
            }
            .into());
        };
        let env = probe.env(ctx, root)?;
        let search = Search {
            explicit: how.program.as_deref(),
            toolchain: &env.toolchain,
            host: &env.host,
            cache_dir: &how.cache_dir,
            require: env.require,
        };
        let analyzer = analyzer::locate(ctx, &env.sandbox, &search)?;
        Ok((env, analyzer))
    }

    /// Keeps what was said of files that still are what they were `before`, and brings the map up
    /// to it.
    fn take(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        facts: &analyzer::scip::Facts,
        label: &str,
        key: Key,
        before: &dyn Fn(&ProjectPath) -> Option<ContentHash>,
    ) -> Result<(Hydrated, u64), IngestError> {
        ctx.progress("rust-analyzer", "connecting what it says");
        self.come_alive(ctx, options)?;
        let state = self.state();
        let is_same = |number: usize| {
            state.files.get(number).is_some_and(|file| before(&file.path) == Some(file.hash))
        };
        let heard = heard(state, facts, &is_same, ctx.now());
        ctx.check_cancelled()?;
        let hydration = collect(state, &heard, label, key, None);
        self.keep(ctx, options, hydration)
    }

    /// Writes what was said, and brings the map up to it.
    pub(super) fn keep(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        hydration: Hydration,
    ) -> Result<(Hydrated, u64), IngestError> {
        let unwritable = || IngestError::Rows { reason: "facts cannot be written".to_owned() };
        let (bytes, _) = hydration.sealed().ok_or_else(unwritable)?;
        {
            let lock = lock(ctx, &self.project().state_dir())?;
            self.write_hydration(&bytes, &lock)?;
        }
        let report = self.refresh(ctx, options)?;
        self.flush(ctx)?;
        Ok((report.analyzer.unwrap_or_default(), bytes.len() as u64))
    }
}

/// What a label says is what facts depend on.
pub(super) fn label(analyzer: &Analyzer, how: &Hydrate) -> String {
    let code = if how.runs_project_code { "" } else { ", build scripts and macros off" };
    format!("rust-analyzer {}{code}", analyzer.version)
}

fn degraded(analyzer: &Analyzer, how: &Hydrate) -> Option<String> {
    if analyzer.is_degraded {
        return Some(format!(
            "rust-analyzer {} is older than the toolchain: procedural macros stay unexpanded",
            analyzer.version
        ));
    }
    (!how.runs_project_code).then(|| {
        "build scripts and procedural macros were not run: what they make is not known".to_owned()
    })
}

/// The features that the map counts as on, as rust-analyzer is told.
pub(super) fn asked(manifests: &Manifests) -> Features {
    let enabled = features::enabled(manifests);
    let defaults = features::defaults(manifests);
    if enabled == defaults {
        return Features::Default;
    }
    let is_all = manifests.packages.iter().all(|package| {
        let on = enabled.get(&package.dir).map_or(0, std::collections::BTreeSet::len);
        on == package.features.len()
    });
    if is_all {
        return Features::All;
    }
    let named = manifests.packages.iter().flat_map(|package| {
        let on = enabled.get(&package.dir).into_iter().flatten();
        let default = defaults.get(&package.dir);
        let asked = on.filter(move |it| !default.is_some_and(|default| default.contains(*it)));
        asked.map(|feature| format!("{}/{feature}", package.name))
    });
    Features::Named(named.collect())
}

/// Differs where rust-analyzer could say something else.
fn run_key(label: &str, key: &Key, features: &Features, found: &Found) -> ContentHash {
    let mut hasher = Hasher::new();
    hasher.field(label.as_bytes()).field(key.lock.as_bytes()).field(key.cfg.as_bytes());
    hasher.field(format!("{features:?}").as_bytes());
    hasher.field(found.inputs.fingerprint().as_bytes());
    for file in &found.bytes {
        hasher.field(file.path.as_str().as_bytes()).field(file.hash.as_bytes());
    }
    hasher.finish()
}

/// A quiet machine takes a second for a thousand lines; a busy one takes its time.
fn timeout(lines: u64) -> Duration {
    Duration::from_secs(600 + lines / 100)
}
