//! `eval fit`: weights for the scorer from suites A and B.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::{Ctx, SortedMap, SortedSet};
use code::{Finder, SearchRequest};
use graph::Map;
use project::RankerChoice;
use search::{Intent, Weights};
use serde::Serialize;

use super::cases::{CorpusItem, Doc2Item, Localise};
use super::corpus::CorpusDir;
use super::fit::{ByGroup, Example, FileWeights, group_metrics, means};
use super::nested::{MeanDifference, differences, merge, nested};
use super::newton::fit;
use super::{Batch, batches, file_fit};
use crate::{EvalError, RunEnvironment, Suite};

/// Options of `eval fit`.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// Suites: set A gives the weights of `locate`, set B those of `find`, both the compromise.
    pub suites: Vec<PathBuf>,
    /// Folder for weights and report.
    pub out: PathBuf,
    /// Number of crates at a time.
    pub jobs: usize,
}

/// Result of fitting.
#[derive(Clone, Debug, Serialize)]
pub struct Fitted {
    /// For each set of weights, what was fitted and its quality.
    pub weights: SortedMap<String, FittedWeights>,
    /// Folder with `find.txt` and the others.
    pub folder: PathBuf,
}

/// One set of weights.
#[derive(Clone, Debug, Serialize)]
pub struct FittedWeights {
    /// Number of queries that it was fitted to.
    pub queries: usize,
    /// Means over groups with the old weights.
    pub before: SortedMap<String, f64>,
    /// Means with recipe and weights from the other groups: the expected quality elsewhere.
    pub left_out: SortedMap<String, f64>,
    /// Means with the weights fitted to all groups, tuned on these queries.
    pub after: SortedMap<String, f64>,
    /// The chosen recipes and the number of groups of each; last the one for all groups.
    pub recipes: Vec<(String, usize)>,
    /// By other ranking, what the left-out figures have more than it, with an interval by bootstrap
    /// over groups.
    pub compared: SortedMap<String, SortedMap<String, MeanDifference>>,
    /// What the left-out figures lose without one feature, or one part of the features, where
    /// nothing is fitted again.
    pub without: SortedMap<String, SortedMap<String, MeanDifference>>,
}

/// Number of candidates per query: all there are.
pub(super) const CANDIDATES: usize = 1000;

/// Fits weights to the suites and writes them.
pub fn fit_weights(
    ctx: &Ctx,
    machine: &RunEnvironment,
    options: &FitOptions,
) -> Result<Fitted, EvalError> {
    let io = |error: std::io::Error| EvalError::io(&options.out, &error);
    std::fs::create_dir_all(&options.out).map_err(io)?;
    let out = options.out.canonicalize().map_err(io)?;
    // The learned weights come from these suites: nothing may depend on them.
    let mut manual = machine.clone();
    manual.settings.search.ranker = RankerChoice::Rules;
    let mut by_intent: SortedMap<&'static str, Vec<Example>> = SortedMap::new();
    let mut of_files: Vec<Example> = Vec::new();
    for path in &options.suites {
        let suite = Suite::load(path)?;
        let is_of_files = matches!(suite, Suite::FileQuestions(_));
        let machine = if is_of_files { machine } else { &manual };
        let examples = gather(ctx, machine, options, &suite, &out)?;
        if is_of_files {
            let names: Vec<&str> = search::file_features().map(|it| it.name).collect();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            keep(&names, &examples, &out.join(format!("files_{stem}.jsonl")))?;
            of_files.extend(examples);
            continue;
        }
        let name = if matches!(suite, Suite::Localise(_)) { "locate" } else { "find" };
        let names: Vec<&str> = search::features().map(|it| it.name).collect();
        keep(&names, &examples, &out.join(format!("{}.jsonl", suite.name())))?;
        by_intent.entry(name).or_default().extend(examples);
    }
    let mut sets: Vec<(&str, Option<Intent>, Vec<&Example>)> = Vec::new();
    for (name, examples) in &by_intent {
        let intent = if *name == "locate" { Intent::Locate } else { Intent::Find };
        sets.push((*name, Some(intent), examples.iter().collect()));
    }
    if by_intent.len() > 1 {
        sets.push(("mixed", None, by_intent.values().flatten().collect()));
    }
    let mut fitted = Fitted { weights: SortedMap::new(), folder: out.clone() };
    for variant in ["name", "question", "text"] {
        let own: Vec<&Example> = of_files.iter().filter(|it| it.variant == variant).collect();
        if !own.is_empty() {
            ctx.progress("fitting", format!("files of a {variant}"));
            let (text, report) = file_fit::weights(&own, &Weights::manual(None));
            let file = out.join(format!("files_{variant}.txt"));
            std::fs::write(&file, text).map_err(|error| EvalError::io(&file, &error))?;
            fitted.weights.insert(format!("files of a {variant}"), report);
        }
    }
    for (name, intent, examples) in sets {
        ctx.progress("fitting", name);
        let start = manual.settings.search.weights(intent)?;
        let (weights, report) = one(&start, &examples, options.jobs);
        let file = out.join(format!("{name}.txt"));
        let head = head(&start, &weights);
        std::fs::write(&file, head).map_err(|error| EvalError::io(&file, &error))?;
        fitted.weights.insert(name.to_owned(), report);
    }
    let file = out.join("fit.json");
    let json = serde_json::to_vec_pretty(&fitted)
        .map_err(|error| EvalError::io(&file, &std::io::Error::other(error)))?;
    std::fs::write(&file, json).map_err(|error| EvalError::io(&file, &error))?;
    Ok(fitted)
}

/// Writes the gathered examples for other tools: first the names of the features, then one query
/// per line.
fn keep(names: &[&str], examples: &[Example], file: &std::path::Path) -> Result<(), EvalError> {
    let io = |error: std::io::Error| EvalError::io(file, &error);
    let mut out = std::io::BufWriter::new(std::fs::File::create(file).map_err(io)?);
    let mut line = |json: serde_json::Result<String>| {
        let json = json.map_err(|error| io(std::io::Error::other(error)))?;
        writeln!(out, "{json}").map_err(io)
    };
    line(serde_json::to_string(&SortedMap::from([("features", names)])))?;
    for example in examples {
        line(serde_json::to_string(example))?;
    }
    out.flush().map_err(io)
}

/// Weights as a file, with three digits; more would be noise.
fn head(start: &Weights, weights: &Weights) -> String {
    let mut text = String::from("# Fitted by `cargo xtask eval fit`.\n");
    let named = search::features().map(|it| it.name);
    for name in named.chain(["files.items", "files.bm25", "files.temperature"]) {
        let weight = (weights.get(name) * 1e3).round() / 1e3;
        if weight != 0.0 || start.get(name) != 0.0 {
            text.push_str(&format!("{name} = {weight}\n"));
        }
    }
    text
}

fn one(start: &Weights, examples: &[&Example], jobs: usize) -> (Weights, FittedWeights) {
    let names: Vec<&'static str> = search::features().map(|it| it.name).collect();
    let from: Vec<f32> = names.iter().map(|name| start.get(name)).collect();
    let files = FileWeights::of(start);
    let before = group_metrics(examples, &|_| from.clone(), files);
    let plain: Vec<f32> = names.iter().map(|name| f32::from(u8::from(*name == "bm25"))).collect();
    let by_file = FileWeights { items: 0.0, bm25: 1.0, ..files };
    let plain = group_metrics(examples, &|_| plain.clone(), by_file);
    let found = nested(examples, &from, files, jobs);
    let all = fit(examples, &from, found.recipe);
    let files = FileWeights::best(examples, &|_| all.clone(), files);
    let after = group_metrics(examples, &|_| all.clone(), files);
    let mut weights = Weights::default();
    for (name, weight) in names.iter().zip(&all) {
        weights.set(name, *weight);
    }
    files.put(&mut weights);
    let mut recipes: Vec<(String, usize)> =
        found.chosen.iter().map(|(recipe, count)| (format!("{recipe:?}"), *count)).collect();
    recipes.push((format!("{:?}", found.recipe), found.weights.len()));
    let report = FittedWeights {
        queries: examples.len(),
        before: means(&before),
        left_out: means(&found.metrics),
        after: means(&after),
        recipes,
        compared: SortedMap::from([
            ("manual weights".to_owned(), differences(&before, &found.metrics)),
            ("BM25 alone".to_owned(), differences(&plain, &found.metrics)),
        ]),
        without: ablations(examples, &found.weights, &found.metrics),
    };
    (weights, report)
}

/// The differences from `whole` without each feature in use, and without each part of them.
fn ablations(
    examples: &[&Example],
    weights: &SortedMap<String, (Vec<f32>, FileWeights)>,
    whole: &ByGroup,
) -> SortedMap<String, SortedMap<String, MeanDifference>> {
    let mut gone: SortedMap<String, Vec<usize>> = SortedMap::new();
    for (at, feature) in search::features().enumerate() {
        if weights.values().any(|(own, _)| own[at] != 0.0) {
            gone.entry(feature.name.to_owned()).or_default().push(at);
            gone.entry(format!("all of {:?}", feature.part).to_lowercase()).or_default().push(at);
        }
    }
    let ablation = |gone: &[usize]| {
        let mut metrics = ByGroup::new();
        for (group, (own, files)) in weights {
            let queries: Vec<&Example> =
                examples.iter().filter(|it| it.group == *group).copied().collect();
            let mut left = own.clone();
            gone.iter().for_each(|at| left[*at] = 0.0);
            merge(&mut metrics, group_metrics(&queries, &|_| left.clone(), *files));
        }
        differences(whole, &metrics)
    };
    gone.into_iter().map(|(name, gone)| (name, ablation(&gone))).collect()
}

/// Gets all candidates of all queries from the product, with their features.
fn gather(
    ctx: &Ctx,
    machine: &RunEnvironment,
    options: &FitOptions,
    suite: &Suite,
    out: &std::path::Path,
) -> Result<Vec<Example>, EvalError> {
    let batches: Vec<(String, Batch<'_>)> = batches(suite).into_iter().flatten().collect();
    let slots: Vec<Mutex<Vec<Example>>> = batches.iter().map(|_| Mutex::default()).collect();
    let failed: Mutex<Option<EvalError>> = Mutex::new(None);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, batches.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let idx = next.fetch_add(1, Ordering::SeqCst);
                    let Some((package, batch)) = batches.get(idx) else { return };
                    if base::lock(&failed).is_some() {
                        return;
                    }
                    ctx.count("asking", package, idx as u64, batches.len() as u64);
                    match of_package(ctx, machine, package, batch, &out.join("work")) {
                        Ok(examples) => *base::lock(&slots[idx]) = examples,
                        Err(error) => {
                            base::lock(&failed).get_or_insert(error);
                        }
                    }
                }
            });
        }
    });
    if let Some(error) = base::lock(&failed).take() {
        return Err(error);
    }
    Ok(slots.iter().flat_map(|slot| std::mem::take(&mut *base::lock(slot))).collect())
}

fn of_package(
    ctx: &Ctx,
    machine: &RunEnvironment,
    package: &str,
    batch: &Batch<'_>,
    work: &std::path::Path,
) -> Result<Vec<Example>, EvalError> {
    let place = CorpusDir::of(machine, work, package)?;
    place.lay_out(&batch.sight())?;
    let workspace = place.open(ctx, machine)?;
    let finder = Finder::open(ctx, &workspace)?;
    let mut examples = Vec::new();
    match batch {
        Batch::Localise(cases) => {
            for case in cases {
                of_localise(ctx, &finder, &case.data, &mut examples)?;
            }
        }
        Batch::Doc2Item(cases, items) => {
            let items: SortedMap<&str, &CorpusItem> =
                items.iter().map(|item| (item.id.as_str(), item)).collect();
            for case in cases {
                of_doc2item(ctx, &finder, &case.data, &items, &mut examples)?;
            }
        }
        Batch::Questions(cases) => {
            for case in cases {
                examples.push(file_fit::example(ctx, &finder, &case.data)?);
            }
        }
    }
    drop(finder);
    place.remove()?;
    Ok(examples)
}

fn of_localise(
    ctx: &Ctx,
    finder: &Finder<'_>,
    case: &Localise,
    examples: &mut Vec<Example>,
) -> Result<(), EvalError> {
    for (variant, text) in [("raw", Some(&case.raw)), ("masked", case.masked.as_ref())] {
        let Some(text) = text else { continue };
        let hits = |map: &Map, item: u32| -> SortedSet<usize> {
            let Some(item) = map.item(item) else { return SortedSet::new() };
            let Some(file) = item.path() else { return SortedSet::new() };
            let gold = case.gold_items.iter().enumerate();
            gold.filter(|(_, it)| it.is_hit(file, item.line, item.end_line))
                .map(|(at, _)| at)
                .collect()
        };
        let files = |path: &str| case.gold_files.iter().position(|gold| gold == path);
        let example = Example {
            id: case.id.clone(),
            group: case.repo.clone(),
            variant,
            targets: case.gold_items.len(),
            target_files: case.gold_files.len(),
            ..candidates(ctx, finder, text, Intent::Locate, &hits, &files)?
        };
        examples.push(example);
    }
    Ok(())
}

fn of_doc2item(
    ctx: &Ctx,
    finder: &Finder<'_>,
    case: &Doc2Item,
    items: &SortedMap<&str, &CorpusItem>,
    examples: &mut Vec<Example>,
) -> Result<(), EvalError> {
    let gold: Vec<&&CorpusItem> =
        case.gold.iter().filter_map(|id| items.get(id.as_str())).collect();
    for (variant, text) in [("raw", Some(&case.raw)), ("masked", case.masked.as_ref())] {
        let Some(text) = text else { continue };
        let hits = |map: &Map, number: u32| -> SortedSet<usize> {
            let Some(item) = map.item(number) else { return SortedSet::new() };
            let is_gold = |it: &CorpusItem| {
                item.path() == Some(it.file.as_str())
                    && (item.line, item.end_line) == (it.l0, it.l1)
                    && (it.kind == "impl" || item.name() == it.name)
            };
            (0..gold.len()).filter(|at| is_gold(gold[*at])).collect()
        };
        let example = Example {
            id: case.id.clone(),
            group: case.package(),
            variant,
            targets: gold.len(),
            ..candidates(ctx, finder, text, Intent::Find, &hits, &|_| None)?
        };
        examples.push(example);
    }
    Ok(())
}

/// All candidates of a query.
fn candidates(
    ctx: &Ctx,
    finder: &Finder<'_>,
    text: &str,
    intent: Intent,
    hits: &dyn Fn(&Map, u32) -> SortedSet<usize>,
    files: &dyn Fn(&str) -> Option<usize>,
) -> Result<Example, EvalError> {
    let request = SearchRequest {
        intent: Some(intent),
        explain: true,
        ..SearchRequest::new(text, CANDIDATES)
    };
    let answer = finder.answer(ctx, &request)?;
    let map = finder.map();
    let mut example = Example::default();
    let mut numbers: SortedMap<u32, usize> = SortedMap::new();
    for file in &answer.files {
        let path = map.file(file.file).map(|it| it.path).unwrap_or_default();
        numbers.insert(file.file, example.files.len());
        let own = file.scores.get("bm25").copied().unwrap_or(0.0);
        example.files.push((own, files(path).into_iter().collect()));
    }
    for hit in &answer.hits {
        let Some(file) = numbers.get(&hit.file) else { continue };
        let value = |name: &str| hit.scores.get(name).copied().unwrap_or(0.0);
        example.rows.push(search::features().map(|feature| value(feature.name)).collect());
        example.hits.push(hits(map, hit.item));
        example
            .names
            .push(map.item(hit.item).map(|item| item.canon().to_string()).unwrap_or_default());
        example.file_of.push(*file);
    }
    Ok(example)
}
