//! Runs a suite: loads it, answers and grades its cases in parallel, and writes results and report.
//! Finished cases are not repeated. Start at [`run`].

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use base::{ContentHash, Ctx, SortedMap};
use project::{Settings, Surroundings};
use sandbox::Sandbox;

use crate::bench::GradingToolchain;
use crate::cases::{BreakFix, Case};
use crate::store::{Store, key};
use crate::{
    CaseResult, Deleted, EvalError, Fixer, Product, Suite, Summary, break_fix, calls, cpu,
    error_index, failing_tests, layout, report::page, retrieval, rust_fix, summary,
};

/// Options of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Folder or case file of the suite.
    pub suite: PathBuf,
    /// Folder for results, report and working folders; created if missing.
    pub out: PathBuf,
    /// Number of cases at a time.
    pub jobs: usize,
    /// Ids of the cases to run; all if empty.
    pub cases: Vec<String>,
    /// Maximum number of cases.
    pub limit: Option<usize>,
    /// Whether the map includes rust-analyzer's results (set F).
    pub analyzer: bool,
    /// Whether the deletion-only baseline is measured too.
    pub deletion: bool,
    /// Exact version and build of the product; results of another product are not reused.
    pub product: String,
}

/// The machine on which a run takes place.
#[derive(Clone, Debug)]
pub struct RunEnvironment {
    /// Settings of the product.
    pub settings: Settings,
    /// The user's environment.
    pub surroundings: Surroundings,
    /// Sandbox for everything foreign.
    pub sandbox: Sandbox,
}

/// Runs a suite with the product itself and reports; continues where an earlier run stopped.
pub fn run(
    ctx: &Ctx,
    machine: &RunEnvironment,
    options: &RunOptions,
) -> Result<Summary, EvalError> {
    let work = make(&options.out)?.join("work");
    let product = Product::new(&machine.settings, &machine.surroundings, &machine.sandbox, &work);
    run_with(ctx, machine, options, &product)
}

/// The same with any fixer, for tests.
pub fn run_with(
    ctx: &Ctx,
    machine: &RunEnvironment,
    options: &RunOptions,
    fixer: &dyn Fixer,
) -> Result<Summary, EvalError> {
    let started = Instant::now();
    let cpu_before = cpu::spent();
    let mut suite = Suite::load(&options.suite)?;
    suite.select(&options.cases, options.limit)?;
    let out = make(&options.out)?;
    if let Some(summary) = retrieval::run(ctx, machine, options, &suite, &out)? {
        return Ok(summary);
    }
    let (work, bench) = toolchain(ctx, machine, &out)?;
    let run = Run::new(ctx, machine, options, (&suite, &out), &bench)?;
    let Driven { results, failed } = run.suite(fixer, machine, &work, &suite)?;
    let grading_cpu_ms = results.iter().map(|result| result.grading_cpu_ms).sum();
    let spent = cpu::spent().zip(cpu_before).map(|(after, before)| after.saturating_sub(before));
    let summary = Summary {
        suite: suite.name().to_owned(),
        cases: results.len(),
        score: summary::score(results.iter().map(|result| &result.metrics)),
        deletion: summary::score(
            results.iter().map(|result| &result.deletion).filter(|metrics| !metrics.is_empty()),
        ),
        mean_of_groups: SortedMap::new(),
        without_weak: SortedMap::new(),
        beside: SortedMap::new(),
        by: summary::by_group(&results),
        outcomes: summary::outcomes(&results),
        candidates: results.iter().map(|result| result.candidates).sum(),
        cpu_ms: spent.map_or(grading_cpu_ms, |spent| spent.as_millis() as u64),
        grading_cpu_ms,
        wall_ms: started.elapsed().as_millis() as u64,
        resumed: run.resumed.load(Ordering::Relaxed),
        report: out.join("report.md"),
    };
    // An interrupted run also has a report, over the finished cases.
    let page = page(&summary, &results);
    std::fs::write(&summary.report, page).map_err(|e| EvalError::io(&summary.report, &e))?;
    crate::compare::record(&out, &options.product, &machine.settings, &summary, &results)?;
    match failed {
        None => Ok(summary),
        Some(error) => Err(error),
    }
}

/// The working folder, and the toolchain that grades.
pub(crate) fn toolchain(
    ctx: &Ctx,
    machine: &RunEnvironment,
    out: &Path,
) -> Result<(PathBuf, GradingToolchain), EvalError> {
    let work = make(&out.join("work"))?;
    let bench = GradingToolchain::new(
        ctx,
        &work,
        &machine.settings,
        &machine.surroundings,
        &machine.sandbox,
    )?;
    Ok((work, bench))
}

/// The report of an earlier run into `out`, finished or interrupted.
pub fn report(out: &Path) -> Result<String, EvalError> {
    let page = out.join("report.md");
    std::fs::read_to_string(&page).map_err(|error| EvalError::io(&page, &error))
}

/// Results in the suite's order, and the error that stopped the run.
struct Driven {
    results: Vec<CaseResult>,
    failed: Option<EvalError>,
}

/// Creates a folder and returns its canonical path, which views need.
pub(crate) fn make(folder: &Path) -> Result<PathBuf, EvalError> {
    std::fs::create_dir_all(folder).map_err(|error| EvalError::io(folder, &error))?;
    folder.canonicalize().map_err(|error| EvalError::io(folder, &error))
}

/// One run over one suite.
pub(crate) struct Run<'a> {
    ctx: &'a Ctx,
    suite: &'static str,
    results: Store<CaseResult>,
    /// Results of the deletion-only baseline, which do not depend on the product.
    deletions: Store<Deleted>,
    options: &'a RunOptions,
    /// The settings that are not the default: results of others are not reused.
    settings: String,
    bench: &'a GradingToolchain,
    resumed: AtomicUsize,
}

/// Names of the files with results.
pub(crate) const RESULTS: &str = "results.jsonl";
pub(crate) const DELETIONS: &str = "deletion.jsonl";

/// Version of the baseline and the graders; a change invalidates old baselines.
const GRADERS: u32 = 4;

impl<'a> Run<'a> {
    /// Opens the results in `out`.
    pub(crate) fn new(
        ctx: &'a Ctx,
        machine: &RunEnvironment,
        options: &'a RunOptions,
        (suite, out): (&Suite, &Path),
        bench: &'a GradingToolchain,
    ) -> Result<Self, EvalError> {
        let settings = machine.settings.changed();
        Ok(Self {
            ctx,
            suite: suite.name(),
            results: Store::open(&out.join(RESULTS))?,
            deletions: Store::open(&out.join(DELETIONS))?,
            options,
            settings: settings.iter().map(|(key, value)| format!("/{key}={value}")).collect(),
            bench,
            resumed: AtomicUsize::new(0),
        })
    }

    /// The keys of a case: of its result, and of the deletion-only baseline.
    fn keys<T>(&self, id: &str, case: &Case<T>) -> (ContentHash, ContentHash) {
        let toolchain = self.bench.toolchain_version();
        let answerer = format!("{}/{GRADERS}/{toolchain}{}", self.options.product, self.settings);
        let deletion = format!("deletion/{GRADERS}/{toolchain}");
        (key(self.suite, id, &case.input, &answerer), key(self.suite, id, &case.input, &deletion))
    }

    /// Whether the case has all results already.
    pub(crate) fn is_done<T>(&self, id: &str, case: &Case<T>) -> bool {
        let (own, deletion) = self.keys(id, case);
        let has_deletion = !self.options.deletion || self.deletions.get(&deletion).is_some();
        self.results.get(&own).is_some() && has_deletion
    }

    /// Runs the cases of a suite.
    fn suite(
        &self,
        fixer: &dyn Fixer,
        machine: &RunEnvironment,
        work: &Path,
        suite: &Suite,
    ) -> Result<Driven, EvalError> {
        Ok(match suite {
            // These sets were run above.
            Suite::Localise(_) | Suite::Doc2Item(_) | Suite::FileQuestions(_) => {
                Driven { results: Vec::new(), failed: None }
            }
            Suite::ErrorIndex(cases) => self.error_index(fixer, work, cases),
            Suite::RustFix(cases) => self.rust_fix(cases),
            Suite::Receivers(receivers) => Driven {
                results: calls::receivers::run(
                    self.ctx,
                    machine,
                    receivers,
                    self.options.analyzer.then_some(work),
                )?,
                failed: None,
            },
            Suite::BreakFix { cases, folder } => {
                self.break_fix(fixer, work, &machine.surroundings.cargo_home, cases, folder)?
            }
        })
    }

    fn error_index(
        &self,
        fixer: &dyn Fixer,
        work: &Path,
        cases: &[Case<crate::cases::ErrorIndex>],
    ) -> Driven {
        let batches: Vec<Vec<&Case<_>>> = cases.iter().map(|case| vec![case]).collect();
        self.drive(&batches, cases.len(), |worker, case| {
            self.case(
                &case.data.id,
                case,
                || {
                    let root = work.join(format!("example-{worker}")).join("case");
                    error_index::run(self.ctx, self.bench, fixer, &root, &case.data)
                },
                || error_index::run_deletion(self.ctx, self.bench, &case.data),
            )
        })
    }

    fn rust_fix(&self, cases: &[Case<crate::cases::RustFix>]) -> Driven {
        let batches: Vec<Vec<&Case<_>>> = cases.iter().map(|case| vec![case]).collect();
        self.drive(&batches, cases.len(), |_, case| {
            let run = || rust_fix::run(self.ctx, self.bench, &case.data);
            self.case(&case.data.id, case, run, || Ok(Deleted::default()))
        })
    }

    fn break_fix(
        &self,
        fixer: &dyn Fixer,
        work: &Path,
        cargo_home: &Path,
        cases: &[Case<BreakFix>],
        folder: &Path,
    ) -> Result<Driven, EvalError> {
        let mut packages: SortedMap<String, Vec<&Case<BreakFix>>> = SortedMap::new();
        for case in cases {
            packages.entry(case.data.package()).or_default().push(case);
        }
        let mut places = SortedMap::new();
        let mut missing = Vec::new();
        for package in packages.keys() {
            match layout::registry_folder(cargo_home, package) {
                Some(sources) => {
                    let place = break_fix::CaseDirs {
                        sources,
                        locks: folder.join("locks"),
                        root: work.join("packages").join(package),
                        target: work.join("grading").join(package),
                    };
                    places.insert(package.clone(), place);
                }
                None => missing.push(package.clone()),
            }
        }
        if !missing.is_empty() {
            let folder = cargo_home.join("registry").join("src");
            return Err(EvalError::NoSources { missing, folder });
        }
        // All cases of one crate go to one worker in one folder, so that its dependencies stay
        // built.
        let batches: Vec<Vec<&Case<BreakFix>>> = packages.into_values().collect();
        Ok(self.drive(&batches, cases.len(), |_, case| {
            let Some(place) = places.get(&case.data.package()) else {
                return Err(EvalError::Layout {
                    id: case.data.id.clone(),
                    reason: "its package has no place".to_owned(),
                });
            };
            self.case(
                &case.data.id,
                case,
                || match &case.data.origin {
                    None => break_fix::run(self.ctx, self.bench, fixer, place, &case.data),
                    Some(origin) => {
                        failing_tests::run(self.ctx, self.bench, fixer, place, (&case.data, origin))
                    }
                },
                || break_fix::run_deletion(self.ctx, self.bench, place, &case.data),
            )
        }))
    }

    /// One case: the stored result, or a new one.
    fn case<T>(
        &self,
        id: &str,
        case: &Case<T>,
        run: impl FnOnce() -> Result<CaseResult, EvalError>,
        run_deletion: impl FnOnce() -> Result<Deleted, EvalError>,
    ) -> Result<CaseResult, EvalError> {
        let (own, deletion) = self.keys(id, case);
        let mut result = match self.results.get(&own) {
            Some(known) => {
                self.resumed.fetch_add(1, Ordering::Relaxed);
                known.clone()
            }
            None => {
                let result = run()?;
                // An error of the product may be temporary, so its case runs again.
                if result.outcome != "error" {
                    self.results.put(own, &result)?;
                }
                result
            }
        };
        if self.options.deletion {
            result.deletion = match self.deletions.get(&deletion) {
                Some(known) => known.metrics.clone(),
                None => {
                    let deleted = run_deletion()?;
                    self.deletions.put(deletion, &deleted)?;
                    deleted.metrics
                }
            };
        }
        Ok(result)
    }

    /// Runs the batches with the requested number of workers; results are in the suite's order.
    fn drive<T: Sync>(
        &self,
        batches: &[Vec<&Case<T>>],
        total: usize,
        work: impl Fn(usize, &Case<T>) -> Result<CaseResult, EvalError> + Sync,
    ) -> Driven {
        let next = AtomicUsize::new(0);
        let done = AtomicUsize::new(0);
        let slots: Vec<Mutex<Vec<CaseResult>>> = batches.iter().map(|_| Mutex::default()).collect();
        let failed: Mutex<Option<EvalError>> = Mutex::new(None);
        let workers = self.options.jobs.clamp(1, batches.len().max(1));
        std::thread::scope(|scope| {
            for worker in 0..workers {
                let (next, done, slots, failed, work) = (&next, &done, &slots, &failed, &work);
                scope.spawn(move || {
                    loop {
                        let idx = next.fetch_add(1, Ordering::SeqCst);
                        let (Some(batch), Some(slot)) = (batches.get(idx), slots.get(idx)) else {
                            return;
                        };
                        for case in batch {
                            if base::lock(failed).is_some() {
                                return;
                            }
                            let answer = self
                                .ctx
                                .check_cancelled()
                                .map_err(EvalError::from)
                                .and_then(|()| work(worker, case));
                            match answer {
                                Ok(result) => {
                                    let done = done.fetch_add(1, Ordering::SeqCst) + 1;
                                    let detail = format!("{}: {}", result.id, result.outcome);
                                    self.ctx.count(self.suite, detail, done as u64, total as u64);
                                    base::lock(slot).push(result);
                                }
                                Err(error) => {
                                    base::lock(failed).get_or_insert(error);
                                    return;
                                }
                            }
                        }
                    }
                });
            }
        });
        Driven {
            results: slots
                .into_iter()
                .flat_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner))
                .collect(),
            failed: failed.into_inner().unwrap_or_else(PoisonError::into_inner),
        }
    }
}
