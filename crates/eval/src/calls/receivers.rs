//! Set F: a crate of call shapes with all its calls. Every gold edge is a case, and so is every
//! proven edge of the map that is not in gold, and every shape.

use std::path::{Path, PathBuf};

use base::{Ctx, SortedMap, SortedSet, Tier};

use super::map_calls::{Calls, calls, rule};
use super::names::{fits, plain};
use super::oracle::{indexed, probe};
use crate::result::yes;
use crate::{CaseResult, EvalError, RunEnvironment};

/// A crate with its gold edges.
#[derive(Clone, Debug, Default)]
pub struct Receivers {
    /// Folder of the crate.
    pub root: PathBuf,
    /// `[caller, callee]`: canonical paths without the crate.
    pub gold: Vec<(String, String)>,
    /// Implicit calls, which an answer may contain.
    pub also: Vec<(String, String)>,
    /// Callers whose edges count; all if `None`.
    pub callers: Option<SortedSet<String>>,
}

impl Receivers {
    /// Reads `gold.json` in the folder, and `also.json` if it exists.
    pub(crate) fn load(root: &Path) -> Result<Self, EvalError> {
        let read = |name: &str| -> Result<Option<Vec<(String, String)>>, EvalError> {
            let file = root.join(name);
            let text = match std::fs::read_to_string(&file) {
                Ok(text) => text,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(EvalError::io(&file, &error)),
            };
            let edges = serde_json::from_str(&text).map_err(|error| EvalError::BadCase {
                path: file,
                line: error.line(),
                reason: error.to_string(),
            })?;
            Ok(Some(edges))
        };
        let gold = read("gold.json")?.unwrap_or_default();
        let also = read("also.json")?.unwrap_or_default();
        Ok(Self { root: root.to_owned(), gold, also, callers: None })
    }

    /// Keeps only the callers in `ids` (all if empty), and of those the first `limit`.
    pub(crate) fn select(&mut self, ids: &[String], limit: Option<usize>) -> Result<(), EvalError> {
        let known: SortedSet<&String> = self.gold.iter().map(|(caller, _)| caller).collect();
        if let Some(id) = ids.iter().find(|id| !known.contains(id)) {
            return Err(EvalError::NoSuchCase { id: id.clone() });
        }
        if ids.is_empty() && limit.is_none() {
            return Ok(());
        }
        let mut kept = SortedSet::new();
        for (caller, _) in &self.gold {
            let wanted = ids.is_empty() || ids.contains(caller);
            if wanted && limit.is_none_or(|limit| kept.len() < limit) {
                kept.insert(caller.clone());
            }
        }
        self.callers = Some(kept);
        Ok(())
    }
}

/// An edge of the map: its tier, rule and site.
struct MapEdge {
    tier: Tier,
    rule: u8,
    at: String,
}

/// Indexes the crate and grades its edges; includes rust-analyzer's results if there is a folder
/// for its work.
pub(crate) fn run(
    ctx: &Ctx,
    machine: &RunEnvironment,
    suite: &Receivers,
    work: Option<&Path>,
) -> Result<Vec<CaseResult>, EvalError> {
    let probe = probe(machine);
    // cargo and rustc run in another working directory.
    let root = suite.root.canonicalize().map_err(|error| EvalError::io(&suite.root, &error))?;
    let mut data = ingest::data_of(ctx, &root, Some(&probe))?;
    if let Some(work) = work {
        let features = analyzer::Features::Default;
        let (facts, _) = indexed(ctx, machine, &probe, &root, work, &features, &data)?;
        data = ingest::hydrated_data_of(ctx, &root, Some(&probe), &facts)?;
    }
    Ok(grade(&calls(&data), suite))
}

fn grade(map_calls: &Calls, suite: &Receivers) -> Vec<CaseResult> {
    let mut map_edge: SortedMap<(&str, &str), MapEdge> = SortedMap::new();
    for ((file, _), sites) in &map_calls.sites {
        for site in sites {
            let path = |number| map_calls.function(number).map(|it| it.path.as_str());
            let (Some(caller), Some(callee)) = (path(site.caller), path(site.callee)) else {
                continue;
            };
            let at = format!("{file}:{}", site.line);
            let entry = map_edge.entry((caller, callee));
            let known = entry.or_insert(MapEdge { tier: site.tier, rule: site.rule, at });
            if site.tier < known.tier {
                (known.tier, known.rule) = (site.tier, site.rule);
            }
        }
    }
    let is_asked = |from: &str| {
        suite.callers.as_ref().is_none_or(|all| all.iter().any(|caller| is_caller(caller, from)))
    };
    let mut results = Vec::new();
    let mut shapes: SortedMap<&str, (bool, bool)> = SortedMap::new();
    for (caller, callee) in suite.gold.iter().filter(|(caller, _)| is_asked(caller)) {
        let answers =
            map_edge.iter().filter(|((from, to), _)| is_caller(caller, from) && fits(callee, to));
        let best = answers.map(|(_, map_edge)| map_edge).min_by_key(|map_edge| map_edge.tier);
        let proven = best.is_some_and(|map_edge| map_edge.tier == Tier::Proven);
        let shape = shapes.entry(caller).or_insert((true, true));
        *shape = (shape.0 && proven, shape.1 && best.is_some());
        let mut result = case(format!("{caller} -> {callee}"), caller);
        result.outcome = match best {
            Some(_) if proven => "proven",
            Some(_) => "candidate",
            None => "missed",
        }
        .to_owned();
        result
            .rationale
            .extend(best.map(|map_edge| format!("{} at {}", rule(map_edge.rule), map_edge.at)));
        result.metric("recall", yes(proven));
        result.metric("recall.candidate", yes(best.is_some()));
        results.push(result);
    }
    let true_edges = || suite.gold.iter().chain(&suite.also);
    for ((from, to), map_edge) in &map_edge {
        if map_edge.tier != Tier::Proven || !is_asked(from) {
            continue;
        }
        let right =
            true_edges().any(|(caller, callee)| is_caller(caller, from) && fits(callee, to));
        let mut result = case(format!("{from} => {to}"), from);
        result.outcome = if right { "right" } else { "wrong" }.to_owned();
        let why = format!("{} at {}", rule(map_edge.rule), map_edge.at);
        if right {
            result.rationale.push(why);
        } else {
            result.reason = Some(why);
        }
        result.metric("precision", yes(right));
        result.metric("wrong", yes(!right));
        results.push(result);
    }
    results.extend(shapes.into_iter().filter(|(caller, _)| is_shape(caller)).map(
        |(caller, (proven, any))| {
            let mut result = case(caller.to_owned(), caller);
            result.outcome = if proven { "shape found" } else { "shape not found" }.to_owned();
            result.metric("shapes", yes(proven));
            result.metric("shapes.candidate", yes(any));
            result
        },
    ));
    results
}

fn is_caller(gold: &str, map_calls: &str) -> bool {
    plain(gold) == plain(map_calls)
}

/// `module::s01_name`: a function that shows one shape, as opposed to a helper.
fn is_shape(caller: &str) -> bool {
    let name = caller.rsplit("::").next().unwrap_or(caller);
    let digits = name.strip_prefix('s').and_then(|rest| rest.split_once('_')).map(|(n, _)| n);
    digits.is_some_and(|digits| !digits.is_empty() && digits.chars().all(|ch| ch.is_ascii_digit()))
}

/// An edge counts in the group of its caller's outermost module.
fn case(id: String, caller: &str) -> CaseResult {
    let group = caller.split("::").next().unwrap_or(caller);
    CaseResult { id, groups: vec![group.to_owned()], ..CaseResult::default() }
}

#[cfg(test)]
mod tests {
    use base::SortedMap;

    use super::super::map_calls::{Function, Site};
    use super::*;
    use crate::summary;

    fn function(path: &str) -> Function {
        Function {
            path: path.to_owned(),
            file: "src/lib.rs".to_owned(),
            name: (0, 1),
            span: (0, 1),
            line: 1,
            of_trait: None,
            from_macro: false,
        }
    }

    fn edges(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
    }

    #[test]
    fn shares_are_over_edges_and_a_wrong_proven_edge_is_counted() {
        let paths = ["m::s01_a", "m::s02_b", "k::A::f", "k::B::f"];
        let mut map_calls = Calls::default();
        for (number, path) in paths.iter().enumerate() {
            map_calls.functions.insert(number as u32, function(path));
        }
        let site = |caller, callee, tier| Site { caller, callee, tier, rule: 3, line: 7 };
        let sites = [
            vec![site(0, 2, Tier::Proven)],
            vec![site(1, 2, Tier::Candidate), site(1, 3, Tier::Candidate)],
            vec![site(0, 3, Tier::Proven)],
        ];
        for (offset, sites) in sites.into_iter().enumerate() {
            map_calls.sites.insert(("src/lib.rs".to_owned(), offset as u32), sites);
        }
        let mut suite = Receivers {
            gold: edges(&[("m::s01_a", "k::A::f"), ("m::s02_b", "k::B::f")]),
            ..Receivers::default()
        };
        let results = grade(&map_calls, &suite);
        let score = summary::score(results.iter().map(|result| &result.metrics));
        let want = [
            ("precision", 0.5),
            ("recall", 0.5),
            ("recall.candidate", 1.0),
            ("shapes", 0.5),
            ("shapes.candidate", 1.0),
            ("wrong", 1.0),
        ];
        let want: SortedMap<String, f64> =
            want.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        assert_eq!(score, want);
        let wrong: Vec<_> = results.iter().filter(|it| it.outcome == "wrong").collect();
        assert_eq!(wrong[0].id, "m::s01_a => k::B::f");
        assert_eq!(wrong[0].reason.as_deref(), Some("inherent_method at src/lib.rs:7"));

        suite.also = edges(&[("m::s01_a", "k::B::f")]);
        suite.select(&["m::s01_a".to_owned()], None).unwrap();
        let score = summary::score(grade(&map_calls, &suite).iter().map(|result| &result.metrics));
        assert_eq!((score["precision"], score["recall"], score["wrong"]), (1.0, 1.0, 0.0));
        assert!(suite.select(&["m::none".to_owned()], None).is_err());
    }
}
