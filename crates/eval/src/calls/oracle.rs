use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use analyzer::scip::{Call, Facts};
use analyzer::{Analyzer, BatchOptions, Features, Project, Search};
use base::{ContentHash, Ctx, Hasher, Tier};
use cargo::CargoEnv;
use graph::MapData;
use ingest::Probe;
use serde::Serialize;

use super::judge::{Verdict, Witness};
use super::oracle_page::page;
use super::ours::{Calls, calls, rule};
use super::shape::shape;
use crate::{EvalError, Machine};

/// Compare the map of a workspace with what rust-analyzer says of it.
#[derive(Clone, Debug)]
pub struct OracleOptions {
    /// The workspace, with a `Cargo.lock`.
    pub workspace: PathBuf,
    /// Where report and index go; made where it is missing.
    pub out: PathBuf,
    /// An index that rust-analyzer made of this very state; it is run where `None`.
    pub index: Option<PathBuf>,
    /// Which cargo features rust-analyzer takes for on.
    pub features: Features,
    /// Judge the map that takes rust-analyzer's words in: what is missing then was lost on the way.
    pub hydrated: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OracleReport {
    /// The oracle: `rust-analyzer 1.97.1`.
    pub oracle: String,
    /// Call sites in the index: see [`analyzer::scip::calls`].
    pub calls: usize,
    /// Of them, those whose callee stands nowhere in the sources (derived, or out of a macro's own
    /// words): nobody can point at it, so it is not asked for.
    pub without_definition: usize,
    /// Of the others: how many the map has proven, and proven or as candidates.
    pub sites: Tally,
    /// The same of distinct edges from function to function; those of sites outside of functions
    /// are left out.
    pub edges: Tally,
    /// Proven sites of which the oracle says nothing: code that is off, words of macros.
    pub silent: usize,
    /// Right proven sites where the map names the trait's function and the oracle the impl's.
    pub declarations: usize,
    /// Proven sites judged, by rule.
    pub rules: BTreeMap<String, Share>,
    /// Sites by the shape of what stands before the callee.
    pub shapes: BTreeMap<String, Tally>,
    /// Every wrong proven site.
    pub wrong: Vec<WrongEdge>,
    /// Sites that the map has not proven.
    pub missed: Vec<Missed>,
    /// CPU time of rust-analyzer, where it was run now.
    pub oracle_cpu_ms: Option<u64>,
}

/// Right of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// How many are right.
    pub right: usize,
    /// Of how many.
    pub all: usize,
}

impl Share {
    /// From 0 to 1; 1 of nothing.
    pub fn value(self) -> f64 {
        if self.all == 0 { 1.0 } else { self.right as f64 / self.all as f64 }
    }

    fn count(&mut self, right: bool) {
        self.right += usize::from(right);
        self.all += 1;
    }
}

/// Precision and recall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Of what the map calls proven and the oracle speaks of, what is right.
    pub precision: Share,
    /// Of what the oracle has, what the map has proven.
    pub recall: Share,
    /// Of what the oracle has, what the map has proven or as a candidate.
    pub recall_candidate: Share,
}

/// A proven call that the oracle contradicts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct WrongEdge {
    /// By which rule it was proven.
    pub rule: String,
    /// `file:line`.
    pub at: String,
    /// The shape before the callee's name.
    pub shape: String,
    /// What the map says.
    pub ours: String,
    /// What the oracle says.
    pub oracle: String,
}

/// A call that the map has not proven.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Missed {
    /// The shape before the callee's name.
    pub shape: String,
    /// `candidate`, `wrong`, why it is unresolved, or that there is nothing.
    pub why: String,
    /// `file:line`.
    pub at: String,
    /// What the oracle says.
    pub oracle: String,
}

/// Maps the workspace, has rust-analyzer index it (or takes an index), compares, and writes
/// `oracle.md` and `oracle.json` into the output folder.
pub fn oracle(
    ctx: &Ctx,
    machine: &Machine,
    options: &OracleOptions,
) -> Result<OracleReport, EvalError> {
    let root = options.workspace.canonicalize();
    let root = root.map_err(|error| EvalError::io(&options.workspace, &error))?;
    std::fs::create_dir_all(&options.out).map_err(|error| EvalError::io(&options.out, &error))?;
    let out = options.out.canonicalize().map_err(|error| EvalError::io(&options.out, &error))?;
    let probe = probe(machine);
    ctx.progress("oracle", "mapping");
    let data = ingest::data_of(ctx, &root, Some(&probe))?;
    let (facts, cpu) = match &options.index {
        Some(index) => (read(index)?, None),
        None => indexed(ctx, machine, &probe, &root, &out, &options.features, &data)?,
    };
    let data = if options.hydrated {
        ctx.progress("oracle", "mapping with rust-analyzer's words");
        ingest::hydrated_data_of(ctx, &root, Some(&probe), &facts)?
    } else {
        data
    };
    ctx.progress("oracle", "comparing");
    let mut report = compare(&facts, &calls(&data), &mut |path| {
        std::fs::read_to_string(root.join(path.as_str())).ok()
    });
    report.oracle_cpu_ms = cpu.map(|cpu| cpu.as_millis() as u64);
    let write = |name: &str, text: String| {
        let path = out.join(name);
        std::fs::write(&path, text).map_err(|error| EvalError::io(&path, &error))
    };
    write("oracle.md", page(&root, &report))?;
    let json = serde_json::to_string_pretty(&report).map_err(|error| EvalError::Io {
        path: out.join("oracle.json"),
        reason: error.to_string(),
    })?;
    write("oracle.json", json)?;
    Ok(report)
}

/// What finds the machine's toolchain, for the map and for the oracle.
pub(crate) fn probe(machine: &Machine) -> Probe {
    Probe {
        sandbox: machine.sandbox.clone(),
        host: cargo::HostEnv {
            path: machine.surroundings.path.clone(),
            home: machine.surroundings.home.clone(),
            cargo_home: machine.surroundings.cargo_home.clone(),
            rustup_home: machine.surroundings.rustup_home.clone(),
        },
        require: machine.settings.sandbox_require,
        trust: cargo::Trust::new(&machine.settings.trust_paths),
        cache: machine.surroundings.cache_dir.clone(),
        target_dir: None,
    }
}

fn read(index: &Path) -> Result<Facts, EvalError> {
    let bytes = std::fs::read(index).map_err(|error| EvalError::io(index, &error))?;
    let facts = analyzer::scip::read(&bytes);
    match facts.damage {
        None => Ok(facts),
        Some(damage) => Err(EvalError::Io {
            path: index.to_owned(),
            reason: format!("it is damaged at byte {}: {}", damage.offset, damage.reason),
        }),
    }
}

/// The index of an earlier run where nothing changed since, else a new one.
pub(super) fn indexed(
    ctx: &Ctx,
    machine: &Machine,
    probe: &Probe,
    root: &Path,
    out: &Path,
    features: &Features,
    data: &MapData,
) -> Result<(Facts, Option<Duration>), EvalError> {
    let env: CargoEnv = probe.env(ctx, root)?;
    let search = Search {
        explicit: None,
        toolchain: &env.toolchain,
        host: &env.host,
        cache_dir: &machine.surroundings.cache_dir,
        require: env.require,
    };
    let analyzer = analyzer::locate(ctx, &env.sandbox, &search)?;
    let key = key(root, &analyzer, &env, features, data);
    if let Some(facts) = analyzer::kept_index(out, key) {
        return Ok((facts, None));
    }
    ctx.progress("oracle", "indexing with rust-analyzer");
    let lines: u64 = data.files.iter().map(|file| u64::from(file.lines)).sum();
    let batch = analyzer::scip_batch(
        ctx,
        &env,
        &analyzer,
        &Project { root, view: &cargo::view_of(root, &env.trust) },
        &BatchOptions {
            work: out,
            features: features.clone(),
            runs_project_code: true,
            // A busy machine takes its time.
            timeout: Duration::from_secs(600 + lines / 100),
            memory_bytes: 6 << 30,
        },
    )?;
    analyzer::keep_index(out, key)?;
    Ok((batch.facts, batch.outcome.cpu))
}

/// Differs where the oracle could say something else.
fn key(
    root: &Path,
    analyzer: &Analyzer,
    env: &CargoEnv,
    features: &Features,
    data: &MapData,
) -> ContentHash {
    let mut hasher = Hasher::new();
    hasher.field(analyzer.version.text.as_bytes());
    hasher.field(env.toolchain.version.as_bytes());
    hasher.field(format!("{features:?}").as_bytes());
    for name in ["Cargo.toml", "Cargo.lock"] {
        hasher.field(&std::fs::read(root.join(name)).unwrap_or_default());
    }
    for file in &data.files {
        hasher.field(file.path.as_str().as_bytes());
        hasher.field(file.hash.to_string().as_bytes());
    }
    hasher.finish()
}

/// One distinct edge of the oracle's: by caller and callees.
type OracleEdge<'a> = (Option<u32>, &'a [u32]);

pub(super) fn compare(
    facts: &Facts,
    ours: &Calls,
    text_of: &mut dyn FnMut(&base::ProjectPath) -> Option<String>,
) -> OracleReport {
    let mut texts = BTreeMap::new();
    for (number, path) in facts.files.iter().enumerate() {
        texts.extend(text_of(path).map(|text| (number as u32, text)));
    }
    let by_path: BTreeMap<&str, &String> = texts
        .iter()
        .filter_map(|(number, text)| Some((facts.file(*number)?.as_str(), text)))
        .collect();
    let calls = analyzer::scip::calls(facts, &mut |path| {
        by_path.get(path.as_str()).map(|it| (*it).clone())
    });
    let witness = Witness::new(facts, texts);
    let mut report =
        OracleReport { oracle: facts.tool.clone(), calls: calls.len(), ..OracleReport::default() };
    precision(&witness, ours, &mut report);
    recall(facts, &witness, ours, &calls, &mut report);
    report.wrong.sort();
    report.missed.sort();
    report
}

/// What the map calls proven, site by site and edge by edge.
fn precision(witness: &Witness<'_>, ours: &Calls, report: &mut OracleReport) {
    let mut edges: BTreeMap<(u32, u32), bool> = BTreeMap::new();
    for ((path, offset), sites) in &ours.sites {
        for site in sites.iter().filter(|site| site.tier == Tier::Proven) {
            let Some(callee) = ours.function(site.callee) else { continue };
            let verdict = witness.verdict(path, *offset, callee);
            if verdict == Verdict::Silent {
                report.silent += 1;
                continue;
            }
            let shape = witness.shape_at(path, *offset);
            let right = !matches!(verdict, Verdict::Wrong(_));
            report.declarations += usize::from(verdict == Verdict::Declaration);
            report.rules.entry(rule(site.rule)).or_default().count(right);
            report.shapes.entry(shape.to_owned()).or_default().precision.count(right);
            report.sites.precision.count(right);
            let edge = edges.entry((site.caller, site.callee)).or_insert(true);
            *edge &= right;
            if let Verdict::Wrong(said) = verdict {
                report.wrong.push(WrongEdge {
                    rule: rule(site.rule),
                    at: format!("{path}:{}", site.line),
                    shape: shape.to_owned(),
                    ours: format!("{} ({}:{})", callee.path, callee.file, callee.line),
                    oracle: said,
                });
            }
        }
    }
    for right in edges.into_values() {
        report.edges.precision.count(right);
    }
}

/// What the oracle has, site by site and edge by edge.
fn recall(
    facts: &Facts,
    witness: &Witness<'_>,
    ours: &Calls,
    calls: &[Call],
    report: &mut OracleReport,
) {
    let mut edges: BTreeMap<OracleEdge<'_>, (bool, bool)> = BTreeMap::new();
    let nothing = Vec::new();
    for call in calls {
        if witness.targets(call).is_empty() {
            report.without_definition += 1;
            continue;
        }
        let Some(path) = facts.file(call.file).map(|path| path.as_str()) else { continue };
        let place = (path.to_owned(), call.offset);
        let sites = ours.sites.get(&place).unwrap_or(&nothing);
        let found: BTreeSet<Tier> = sites
            .iter()
            .filter(|site| {
                ours.function(site.callee).is_some_and(|callee| {
                    let verdict = witness.verdict(path, call.offset, callee);
                    matches!(verdict, Verdict::Right | Verdict::Declaration)
                })
            })
            .map(|site| site.tier)
            .collect();
        let (proven, any) = (found.contains(&Tier::Proven), !found.is_empty());
        let shape = shape(witness.text(call.file), call.offset as usize);
        for tally in [&mut report.sites, report.shapes.entry(shape.to_owned()).or_default()] {
            tally.recall.count(proven);
            tally.recall_candidate.count(any);
        }
        if call.caller.is_some() {
            let edge = edges.entry((call.caller, &call.callees)).or_default();
            *edge = (edge.0 || proven, edge.1 || any);
        }
        if !proven {
            let why = match (any, sites.is_empty(), ours.unresolved.get(&place)) {
                (true, ..) => "candidate",
                (false, false, _) => "another target",
                (false, true, Some(why)) => why,
                (false, true, None) => "no site",
            };
            let said: Vec<String> = call
                .callees
                .iter()
                .filter_map(|symbol| facts.symbol(*symbol))
                .map(|symbol| format!("{} {}", symbol.package, symbol.path))
                .collect();
            report.missed.push(Missed {
                shape: shape.to_owned(),
                why: why.to_owned(),
                at: format!("{path}:{}", call.pos.line),
                oracle: said.join(" | "),
            });
        }
    }
    for (proven, any) in edges.into_values() {
        report.edges.recall.count(proven);
        report.edges.recall_candidate.count(any);
    }
}
