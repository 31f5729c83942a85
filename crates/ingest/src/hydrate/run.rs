//! Runs rust-analyzer over the whole workspace and merges its results into the map. Start at
//! [`Index::hydrate`].

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use analyzer::{Analyzer, AnalyzerError, AnalyzerSearch, Batch, BatchOptions, Features};
use base::{ContentHash, Ctx, Hasher, ProjectPath};
use build::{CargoEnv, Manifests};
use serde::{Deserialize, Serialize};

use super::analyzer_file::{Hydrated, Hydration, HydrationKey};
use super::{analyzer_facts, collect};
use crate::batch::TreeContents;
use crate::features;
use crate::lock::lock;
use crate::{Index, IngestError, Options};

/// Options of a rust-analyzer run.
#[derive(Clone, Debug, Default)]
pub struct Hydrate {
    /// A specific program; `None`: search for one.
    pub program: Option<PathBuf>,
    /// The cache directory, which may contain an unpacked rust-analyzer.
    pub cache_dir: PathBuf,
    /// Run the project's build scripts and procedural macros, in the sandbox; without them their
    /// output is unknown.
    pub runs_project_code: bool,
    /// The time limit; `None`: computed from the size of the workspace.
    pub timeout: Option<Duration>,
    /// The memory limit; `None`: half of the machine's memory, at most 6 GiB.
    pub memory_bytes: Option<u64>,
}

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HydrateRun {
    /// rust-analyzer was run; `false`: stored results were current.
    pub ran: bool,
    /// Why results are incomplete: rust-analyzer is older than the toolchain, or build scripts and
    /// macros are off.
    pub degraded: Option<String>,
    /// Summary of the results.
    pub hydrated: Hydrated,
    /// CPU time of rust-analyzer and its children.
    pub cpu_ms: u64,
    /// The duration.
    pub wall_ms: u64,
    /// The peak memory of its largest process.
    pub peak_rss_bytes: u64,
    /// CPU time that this process spent on facts and the map.
    pub own_cpu_ms: u64,
    /// The size of the stored results in bytes.
    pub bytes: u64,
}

impl Index {
    /// Runs rust-analyzer over the whole workspace and updates the map with its results; does
    /// nothing if stored results are current. Costs minutes of CPU and runs the project's build
    /// scripts, in the sandbox. If it fails the map is unchanged.
    ///
    /// # Errors
    ///
    /// If there is no working rust-analyzer, or it fails or exceeds its time or memory; and as
    /// [`Index::refresh`].
    pub fn hydrate(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        how: &Hydrate,
    ) -> Result<HydrateRun, IngestError> {
        let options = Options { full: false, ..options.clone() };
        self.refresh(ctx, &options)?;
        let found = self.read_tree(ctx, &options)?;
        let (env, analyzer) = self.locate(ctx, how)?;
        let label = label(&analyzer, how);
        let key = HydrationKey::of(self.project().root(), &found.inputs);
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
        let made = untrusted_fs::make_own(&work);
        made.map_err(|err| IngestError::io("create", &work)(err.into()))?;
        let features = asked(&found.inputs.manifests);
        let run_key = run_key(&label, &key, &features, &found);
        let facts = match analyzer::kept_index(&work, run_key) {
            Some(facts) => facts,
            None => {
                let batch = self.run_batch(ctx, (&env, &analyzer), how, &work, features)?;
                analyzer::keep_index(&work, run_key)?;
                run.ran = true;
                run.cpu_ms = batch.outcome.cpu.unwrap_or_default().as_millis() as u64;
                run.wall_ms = batch.outcome.duration.as_millis() as u64;
                run.peak_rss_bytes = batch.outcome.peak_rss_bytes.unwrap_or_default();
                batch.facts
            }
        };
        let own = (Instant::now(), crate::usage::own_cpu());
        let took = self.take(ctx, &options, &facts, &label, key, &found)?;
        (run.hydrated, run.bytes) = took;
        let spent = crate::usage::own_cpu().zip(own.1).map(|(now, then)| now.saturating_sub(then));
        run.own_cpu_ms = spent.unwrap_or_else(|| own.0.elapsed()).as_millis() as u64;
        // The results are in `analyzer.bin` now: the index is not needed any more.
        analyzer::drop_index(&work)?;
        Ok(run)
    }

    fn run_batch(
        &self,
        ctx: &Ctx,
        (env, analyzer): (&CargoEnv, &Analyzer),
        how: &Hydrate,
        work: &Path,
        features: Features,
    ) -> Result<Batch, AnalyzerError> {
        ctx.progress("rust-analyzer", "reading the workspace");
        let root = self.project().root();
        let lines: u64 = self.map().files().map(|file| u64::from(file.lines)).sum();
        analyzer::scip_batch(
            ctx,
            env,
            analyzer,
            &analyzer::IndexedProject { root, view: &build::view_of(root, &env.trust) },
            &BatchOptions {
                work,
                features,
                runs_project_code: how.runs_project_code,
                timeout: how.timeout.unwrap_or_else(|| timeout(lines)),
                memory_bytes: how.memory_bytes.unwrap_or_else(analyzer::memory_by_default),
            },
        )
    }

    /// Merges an existing index of the current tree.
    ///
    /// # Errors
    ///
    /// As [`Index::refresh`].
    pub fn hydrate_with(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        facts: &analyzer::scip::Facts,
    ) -> Result<Hydrated, IngestError> {
        let found = self.read_tree(ctx, options)?;
        let key = HydrationKey::of(self.project().root(), &found.inputs);
        Ok(self.take(ctx, options, facts, &facts.tool, key, &found)?.0)
    }

    pub(crate) fn locate(
        &self,
        ctx: &Ctx,
        how: &Hydrate,
    ) -> Result<(CargoEnv, Analyzer), IngestError> {
        let root = self.project().root();
        let Some(probe) = self.probe() else {
            return Err(AnalyzerError::NotFound {
                tried: vec!["this map is built without a toolchain".to_owned()],
            }
            .into());
        };
        let env = probe.env(ctx, root)?;
        let search = AnalyzerSearch {
            explicit: how.program.as_deref(),
            toolchain: &env.toolchain,
            host: &env.host,
            cache_dir: &how.cache_dir,
            require: env.require,
        };
        let analyzer = analyzer::locate(ctx, &env.sandbox, &search)?;
        Ok((env, analyzer))
    }

    /// Stores the results for files unchanged since `before`, and updates the map.
    fn take(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        facts: &analyzer::scip::Facts,
        label: &str,
        key: HydrationKey,
        before: &TreeContents,
    ) -> Result<(Hydrated, u64), IngestError> {
        ctx.progress("rust-analyzer", "merging results");
        self.load_all(ctx, options)?;
        let state = self.state();
        let hash_before = |path: &ProjectPath| {
            let at = before.bytes.binary_search_by(|it| it.path.cmp(path)).ok()?;
            before.bytes.get(at).map(|it| it.hash)
        };
        let is_same = |number: usize| {
            state.files.get(number).is_some_and(|file| hash_before(&file.path) == Some(file.hash))
        };
        let analyzer_facts = analyzer_facts(state, facts, &is_same, ctx.now());
        ctx.check_cancelled()?;
        let hydration = collect(state, &analyzer_facts, label, key, None);
        self.keep(ctx, options, hydration)
    }

    /// Writes the results, and updates the map.
    pub(super) fn keep(
        &mut self,
        ctx: &Ctx,
        options: &Options,
        hydration: Hydration,
    ) -> Result<(Hydrated, u64), IngestError> {
        let unwritable = || IngestError::Rows { reason: "results cannot be encoded".to_owned() };
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

/// The label: everything that the results depend on.
pub(super) fn label(analyzer: &Analyzer, how: &Hydrate) -> String {
    let code = if how.runs_project_code { "" } else { ", build scripts and macros off" };
    format!("rust-analyzer {}{code}", analyzer.version)
}

fn degraded(analyzer: &Analyzer, how: &Hydrate) -> Option<String> {
    if analyzer.is_degraded {
        return Some(format!(
            "rust-analyzer {} is older than the toolchain: procedural macros are not expanded",
            analyzer.version
        ));
    }
    (!how.runs_project_code).then(|| {
        "build scripts and procedural macros were not run: the code they generate is unknown"
            .to_owned()
    })
}

/// The enabled features in rust-analyzer's terms.
pub(super) fn asked(manifests: &Manifests) -> Features {
    let enabled = features::enabled(manifests);
    let defaults = features::defaults(manifests);
    if enabled == defaults {
        return Features::Default;
    }
    let is_all = manifests.packages.iter().all(|package| {
        let on = enabled.get(&package.dir).map_or(0, base::SortedSet::len);
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

/// Identifies a run: different keys may have different results.
fn run_key(
    label: &str,
    key: &HydrationKey,
    features: &Features,
    found: &TreeContents,
) -> ContentHash {
    let mut hasher = Hasher::new();
    hasher.field(label.as_bytes()).field(key.lock.as_bytes()).field(key.cfg.as_bytes());
    hasher.field(format!("{features:?}").as_bytes());
    hasher.field(found.inputs.fingerprint().as_bytes());
    for file in &found.bytes {
        hasher.field(file.path.as_str().as_bytes()).field(file.hash.as_bytes());
    }
    hasher.finish()
}

/// An idle machine takes a second per thousand lines; the limit allows for load.
fn timeout(lines: u64) -> Duration {
    Duration::from_secs(600 + lines / 100)
}
