//! Sets A and B, and questions about files: does search find the right code? The product answers as for any user, with
//! `code::Finder` and its default settings, beside plain BM25 and plain word overlap.
//!
//! Invariants: the product has no switch for the evaluation, and only its ranking counts: hits are
//! compared by file and lines with the suite's own. The product's index for set B is built from
//! sources without doc comments in the normal way.

mod baseline;
mod blank;
pub(crate) mod cases;
mod corpus;
mod diagnosis;
mod doc2item;
mod file_fit;
mod fit;
mod localise;
mod metrics;
mod nested;
mod newton;
mod page;
mod questions;
pub(crate) mod ranker;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use base::{ContentHash, Ctx, SortedMap};
use code::Finder;

use self::cases::{Doc2ItemSuite, Localise};
use self::corpus::{CorpusDir, Sight};
pub(crate) use self::diagnosis::MissedTarget;
pub(crate) use self::page::page;
use crate::cases::Case;
use crate::store::{Store, key};
use crate::{CaseResult, EvalError, RunEnvironment, RunOptions, Suite, Summary, cpu, summary};

/// Values by metric, by method.
pub(crate) type Beside = SortedMap<String, SortedMap<String, f64>>;

/// Version of the scorers; a change invalidates old results.
const SCORERS: u32 = 2;

/// The queries for one crate.
enum Batch<'a> {
    Localise(Vec<&'a Case<Localise>>),
    Doc2Item(Vec<&'a Case<cases::Doc2Item>>, &'a [cases::CorpusItem]),
    Questions(Vec<&'a Case<cases::FileQuestion>>),
}

/// Runs set A or B; `None` for another suite.
pub(crate) fn run(
    ctx: &Ctx,
    machine: &RunEnvironment,
    options: &RunOptions,
    suite: &Suite,
    out: &Path,
) -> Result<Option<Summary>, EvalError> {
    let Some(batches) = batches(suite) else { return Ok(None) };
    let started = (Instant::now(), cpu::spent());
    let run = Run {
        ctx,
        machine,
        suite: suite.name(),
        answerer: format!("{}/{SCORERS}/{}", options.product, settings_of(machine)),
        work: out.join("work"),
        results: Store::open(&out.join("results.jsonl"))?,
        total: batches.values().map(Batch::len).sum(),
        done: AtomicUsize::new(0),
        resumed: AtomicUsize::new(0),
    };
    let next = AtomicUsize::new(0);
    let packages: Vec<(&String, &Batch<'_>)> = batches.iter().collect();
    let slots: Vec<Mutex<Vec<CaseResult>>> = packages.iter().map(|_| Mutex::default()).collect();
    let failed: Mutex<Option<EvalError>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, packages.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let idx = next.fetch_add(1, Ordering::SeqCst);
                    let (Some((package, batch)), Some(slot)) = (packages.get(idx), slots.get(idx))
                    else {
                        return;
                    };
                    if base::lock(&failed).is_some() {
                        return;
                    }
                    let mut results = Vec::new();
                    let answer = run.package(package, batch, &mut results);
                    *base::lock(slot) = results;
                    if let Err(error) = answer {
                        base::lock(&failed).get_or_insert(error);
                        return;
                    }
                }
            });
        }
    });
    let results: Vec<CaseResult> = slots
        .into_iter()
        .flat_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect();
    let summary = summarise(&run, &results, started, out);
    // An interrupted run also has a report, over the finished cases.
    let page = page(&summary, &results);
    std::fs::write(&summary.report, page).map_err(|e| EvalError::io(&summary.report, &e))?;
    crate::compare::record(out, &options.product, &machine.settings, &summary, &results)?;
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        None => Ok(Some(summary)),
        Some(error) => Err(error),
    }
}

fn summarise(
    run: &Run<'_>,
    results: &[CaseResult],
    started: (Instant, Option<std::time::Duration>),
    out: &Path,
) -> Summary {
    let by = summary::by_group(results);
    let spent = cpu::spent().zip(started.1).map(|(after, before)| after.saturating_sub(before));
    let mut beside: SortedMap<String, SortedMap<String, f64>> = SortedMap::new();
    let methods: Vec<&String> =
        results.first().map(|it| it.beside.keys().collect()).unwrap_or_default();
    for method in methods {
        let metrics = || results.iter().filter_map(|result| result.beside.get(method));
        beside.insert(method.clone(), summary::score(metrics()));
        let of_group = |group: &String| {
            let own = results.iter().filter(|result| result.groups.contains(group));
            summary::score(own.filter_map(|result| result.beside.get(method)))
        };
        let groups: SortedMap<String, _> = by.keys().map(|it| (it.clone(), of_group(it))).collect();
        beside.insert(format!("{method}, mean of groups"), summary::mean_of_groups(&groups));
    }
    let strong: Vec<CaseResult> = results.iter().filter(|it| !it.is_weak).cloned().collect();
    let strong = match strong.len() == results.len() {
        true => SortedMap::new(),
        false => summary::mean_of_groups(&summary::by_group(&strong)),
    };
    Summary {
        suite: run.suite.to_owned(),
        cases: results.len(),
        score: summary::score(results.iter().map(|result| &result.metrics)),
        deletion: SortedMap::new(),
        mean_of_groups: summary::mean_of_groups(&by),
        without_weak: strong,
        beside,
        by,
        outcomes: summary::outcomes(results),
        candidates: 0,
        cpu_ms: spent.unwrap_or_default().as_millis() as u64,
        grading_cpu_ms: 0,
        wall_ms: started.0.elapsed().as_millis() as u64,
        resumed: run.resumed.load(Ordering::Relaxed),
        report: out.join("report.md"),
    }
}

/// The cases by crate.
fn batches(suite: &Suite) -> Option<SortedMap<String, Batch<'_>>> {
    let mut batches = SortedMap::new();
    match suite {
        Suite::Localise(cases) => {
            let mut by: SortedMap<String, Vec<&Case<Localise>>> = SortedMap::new();
            for case in cases {
                by.entry(case.data.package()).or_default().push(case);
            }
            batches.extend(by.into_iter().map(|(name, cases)| (name, Batch::Localise(cases))));
        }
        Suite::Doc2Item(Doc2ItemSuite { cases, items }) => {
            let mut by: SortedMap<String, Vec<&Case<cases::Doc2Item>>> = SortedMap::new();
            for case in cases {
                by.entry(case.data.package()).or_default().push(case);
            }
            for (name, cases) in by {
                let items = items.get(&name).map(Vec::as_slice).unwrap_or_default();
                batches.insert(name, Batch::Doc2Item(cases, items));
            }
        }
        Suite::FileQuestions(cases) => {
            let mut by: SortedMap<String, Vec<&Case<cases::FileQuestion>>> = SortedMap::new();
            for case in cases {
                by.entry(case.data.package()).or_default().push(case);
            }
            batches.extend(by.into_iter().map(|(name, cases)| (name, Batch::Questions(cases))));
        }
        _ => return None,
    }
    Some(batches)
}

impl Batch<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Localise(cases) => cases.len(),
            Self::Doc2Item(cases, _) => cases.len(),
            Self::Questions(cases) => cases.len(),
        }
    }

    fn sight(&self) -> Sight {
        match self {
            Self::Localise(_) => Sight::Whole,
            Self::Doc2Item(..) => Sight::WithoutDocs,
            Self::Questions(cases) => {
                let ranges = cases.iter().filter_map(|case| case.data.blank.clone());
                Sight::WithoutRanges(ranges.collect())
            }
        }
    }

    fn inputs(&self) -> Vec<(&str, ContentHash)> {
        match self {
            Self::Localise(cases) => {
                cases.iter().map(|case| (case.data.id.as_str(), case.input)).collect()
            }
            Self::Doc2Item(cases, _) => {
                cases.iter().map(|case| (case.data.id.as_str(), case.input)).collect()
            }
            Self::Questions(cases) => {
                cases.iter().map(|case| (case.data.id.as_str(), case.input)).collect()
            }
        }
    }
}

/// One run over one suite.
struct Run<'a> {
    ctx: &'a Ctx,
    machine: &'a RunEnvironment,
    suite: &'static str,
    answerer: String,
    work: std::path::PathBuf,
    results: Store<CaseResult>,
    total: usize,
    done: AtomicUsize,
    resumed: AtomicUsize,
}

impl Run<'_> {
    /// All cases of one crate: stored results, and new ones for the rest.
    fn package(
        &self,
        package: &str,
        batch: &Batch<'_>,
        results: &mut Vec<CaseResult>,
    ) -> Result<(), EvalError> {
        let keys: Vec<ContentHash> = batch
            .inputs()
            .iter()
            .map(|(id, input)| key(self.suite, id, input, &self.answerer))
            .collect();
        let known: Vec<Option<CaseResult>> =
            keys.iter().map(|key| self.results.get(key).cloned()).collect();
        if known.iter().all(Option::is_some) {
            self.resumed.fetch_add(known.len(), Ordering::Relaxed);
            self.done.fetch_add(known.len(), Ordering::SeqCst);
            results.extend(known.into_iter().flatten());
            return Ok(());
        }
        let place = CorpusDir::of(self.machine, &self.work, package)?;
        place.lay_out(&batch.sight())?;
        let workspace = place.open(self.ctx, self.machine)?;
        let finder = Finder::open(self.ctx, &workspace)?;
        let ask: Box<dyn Fn(usize) -> Result<CaseResult, EvalError> + '_> = match batch {
            Batch::Localise(cases) => {
                let corpus = localise::Corpus::open(finder, &place)?;
                Box::new(move |at| corpus.ask(self.ctx, &cases[at].data))
            }
            Batch::Doc2Item(cases, items) => {
                let corpus = doc2item::Corpus::open(finder, items, &place)?;
                Box::new(move |at| corpus.ask(self.ctx, &cases[at].data))
            }
            Batch::Questions(cases) => {
                let corpus = questions::Corpus::open(finder, &place)?;
                Box::new(move |at| corpus.ask(self.ctx, &cases[at].data))
            }
        };
        for (at, known) in known.into_iter().enumerate() {
            self.ctx.check_cancelled()?;
            let result = match known {
                Some(known) => {
                    self.resumed.fetch_add(1, Ordering::Relaxed);
                    known
                }
                None => {
                    let result = ask(at)?;
                    self.results.put(keys[at], &result)?;
                    result
                }
            };
            let done = self.done.fetch_add(1, Ordering::SeqCst) + 1;
            let detail = format!("{}: {}", result.id, result.outcome);
            self.ctx.count(self.suite, detail, done as u64, self.total as u64);
            results.push(result);
        }
        drop(ask);
        place.remove()
    }
}

/// The settings that change an answer.
fn settings_of(machine: &RunEnvironment) -> String {
    let shown = machine.settings.rows();
    let search = shown.iter().filter(|it| it.key.starts_with("search."));
    search.map(|it| format!("{}={};", it.key, it.value)).collect()
}

/// Sets metrics such as `acc@5.file.raw`.
fn note(
    metrics: &mut SortedMap<String, f64>,
    scores: &SortedMap<&'static str, f64>,
    kind: &str,
    variant: &str,
) {
    for (name, value) in scores {
        metrics.insert(format!("{name}.{kind}.{variant}"), *value);
    }
}

/// Sets metrics such as `mrr@10.raw`; with only one kind of answer its name may be omitted.
fn note_plain(
    metrics: &mut SortedMap<String, f64>,
    scores: &SortedMap<&'static str, f64>,
    variant: &str,
) {
    for (name, value) in scores {
        metrics.insert(format!("{name}.{variant}"), *value);
    }
}
