//! `stats`: what the record shows of runs, retrieval, tools and proposals.

use base::{SortedMap, Timestamp};
use project::Workspace;
use record::{Numbered, ProposalState, Proposals, RecordEntry, RunRecord};
use serde::Serialize;

use crate::Error;

/// Result of [`stats`], as `--json` prints it. Numbers cover what the record keeps; a rate without a
/// case is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StatsReport {
    /// Runs that repair or change code.
    pub runs: RunStats,
    /// Searches and contexts.
    pub retrieval: RetrievalStats,
    /// Tool calls, by name.
    pub tools: Vec<ToolStats>,
    /// Number of proposals by state.
    pub proposals: SortedMap<&'static str, usize>,
    /// Version of the code graph: the number of changes that were applied through proposals.
    pub version: u64,
    /// Highest peak memory of a run in bytes; `None`: not measured.
    pub peak_rss_bytes: Option<u64>,
    /// Damage of the record.
    pub notes: Vec<String>,
}

/// Runs that repair or change code.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunStats {
    /// Number of runs.
    pub count: usize,
    /// Number of runs with a change: proven or applied.
    pub fixes: usize,
    /// Tokens of language models for each of these.
    pub tokens_per_fix: Option<f64>,
    /// Share of runs with a candidate whose first candidate built.
    pub first_pass_rate: Option<f64>,
    /// Verified candidates for each run.
    pub candidates_per_run: Option<f64>,
    /// Cost of all runs in dollars.
    pub dollars: f64,
    /// Durations in milliseconds.
    pub wall_ms: Option<Percentiles>,
}

/// Searches and contexts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RetrievalStats {
    /// Number of retrievals.
    pub count: usize,
    /// Share that was answered from the cache.
    pub cache_hit_rate: Option<f64>,
    /// Durations in microseconds, without index updates.
    pub took_us: Option<Percentiles>,
}

/// Calls of one tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolStats {
    /// Name.
    pub tool: String,
    /// Number of calls.
    pub calls: usize,
    /// Number of calls that ended with an error.
    pub failed: usize,
    /// Number of calls without an end: under way, or killed.
    pub unfinished: usize,
    /// Durations in milliseconds.
    pub ms: Option<Percentiles>,
}

/// Percentiles of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Percentiles {
    /// Median.
    pub p50: u64,
    /// 95th percentile.
    pub p95: u64,
    /// Maximum.
    pub max: u64,
}

impl Percentiles {
    fn of(mut values: Vec<u64>) -> Option<Self> {
        values.sort_unstable();
        let at = |percent: usize| {
            let rank = (values.len() * percent).div_ceil(100).max(1);
            values.get(rank - 1).copied()
        };
        Some(Self { p50: at(50)?, p95: at(95)?, max: at(100)? })
    }
}

/// Summarizes the record of a project.
///
/// # Errors
/// A record that cannot be read.
pub fn stats(workspace: &Workspace) -> Result<StatsReport, Error> {
    let record = workspace.record();
    let (proposals, notes) = record.proposals()?;
    let activity = record.activity()?;
    let (runs, damage) = record.run_history()?;
    let runs: Vec<&RunRecord> = runs.runs.iter().map(|it| &it.run).collect();
    let mut report = summary(&activity.entries, &runs, &proposals);
    report.notes = notes;
    report.notes.extend(damage);
    report.notes.extend(activity.troubles.iter().map(ToString::to_string));
    Ok(report)
}

fn summary(
    activity: &[Numbered<RecordEntry>],
    runs: &[&RunRecord],
    proposals: &Proposals,
) -> StatsReport {
    let (mut took_us, mut cached) = (Vec::new(), 0);
    let mut tools = Tools::default();
    for numbered in activity {
        match &numbered.entry {
            RecordEntry::Retrieved(retrieval) => {
                took_us.push(retrieval.took_us);
                cached += usize::from(retrieval.cached);
            }
            entry => tools.note(entry),
        }
    }
    let states = ProposalState::ALL
        .map(|state| (state.as_str(), proposals.all().filter(|it| it.state == state).count()));
    StatsReport {
        peak_rss_bytes: runs.iter().map(|run| run.peak_rss).max().filter(|peak| *peak > 0),
        runs: run_stats(runs),
        retrieval: RetrievalStats {
            count: took_us.len(),
            cache_hit_rate: rate(cached as u64, took_us.len()),
            took_us: Percentiles::of(took_us),
        },
        tools: tools.stats(),
        proposals: states.into_iter().filter(|(_, count)| *count > 0).collect(),
        version: proposals.version(),
        notes: Vec::new(),
    }
}

fn run_stats(runs: &[&RunRecord]) -> RunStats {
    let fixes = runs.iter().filter(|run| matches!(run.outcome.as_str(), "applied" | "proven"));
    let fixes = fixes.count();
    let first: Vec<bool> = runs.iter().filter_map(|run| run.first_pass).collect();
    let sum = |of: fn(&RunRecord) -> u64| runs.iter().map(|run| of(run)).sum::<u64>();
    RunStats {
        count: runs.len(),
        fixes,
        tokens_per_fix: rate(sum(|run| run.tokens), fixes),
        first_pass_rate: rate(first.iter().filter(|it| **it).count() as u64, first.len()),
        candidates_per_run: rate(sum(|run| run.candidates), runs.len()),
        dollars: sum(|run| run.micro_dollars) as f64 / 1e6,
        wall_ms: Percentiles::of(runs.iter().map(|run| run.wall_ms).collect()),
    }
}

fn rate(part: u64, of: usize) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

/// Tool calls by name.
#[derive(Default)]
struct Tools<'a> {
    open: SortedMap<&'a str, (&'a str, Timestamp)>,
    ended: SortedMap<&'a str, (Vec<u64>, usize)>,
}

impl<'a> Tools<'a> {
    fn note(&mut self, entry: &'a RecordEntry) {
        let (call, at, failed) = match entry {
            RecordEntry::ToolRequested { call, tool, at, .. } => {
                self.open.insert(call, (tool, *at));
                self.ended.entry(tool).or_default();
                return;
            }
            RecordEntry::ToolDone { call, at, .. } => (call, at, 0),
            RecordEntry::ToolFailed { call, at, .. } => (call, at, 1),
            _ => return,
        };
        if let Some((tool, began)) = self.open.remove(call.as_str()) {
            let (ms, failures) = self.ended.entry(tool).or_default();
            // A clock that was set back gives 0.
            ms.push(at.0.saturating_sub(began.0) / 1000);
            *failures += failed;
        }
    }

    fn stats(self) -> Vec<ToolStats> {
        let unfinished = |tool: &str| self.open.values().filter(|(name, _)| *name == tool).count();
        let row = |(tool, (ms, failed)): (&&str, &(Vec<u64>, usize))| ToolStats {
            tool: (*tool).to_owned(),
            calls: ms.len() + unfinished(tool),
            failed: *failed,
            unfinished: unfinished(tool),
            ms: Percentiles::of(ms.clone()),
        };
        self.ended.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(outcome: &str, first_pass: Option<bool>, tokens: u64) -> RunRecord {
        RunRecord {
            id: "r".to_owned(),
            command: "fix".to_owned(),
            outcome: outcome.to_owned(),
            candidates: 2,
            first_pass,
            tokens,
            micro_dollars: 1500,
            wall_ms: tokens,
            peak_rss: tokens << 20,
            at: Timestamp(0),
            detail: None,
            kept: None,
            answers: None,
        }
    }

    #[test]
    fn runs_and_calls_are_summarized() {
        let requested = |call: &str, at| RecordEntry::ToolRequested {
            call: call.to_owned(),
            task: String::new(),
            tool: "check".to_owned(),
            args: serde_json::Value::Null,
            at: Timestamp(at),
        };
        let ended = RecordEntry::ToolFailed {
            call: "a".to_owned(),
            error: "no cargo".to_owned(),
            at: Timestamp(5_000),
        };
        let runs = [
            run("applied", Some(true), 100),
            run("proven", Some(false), 300),
            run("none", None, 200),
        ];
        let entries = [requested("a", 1_000), requested("b", 2_000), ended];
        let numbered = entries.into_iter().zip(1..);
        let numbered: Vec<_> = numbered.map(|(entry, number)| Numbered { number, entry }).collect();
        let report = summary(&numbered, &runs.each_ref(), &Proposals::default());
        assert_eq!((report.runs.count, report.runs.fixes), (3, 2));
        assert_eq!(
            (report.runs.tokens_per_fix, report.runs.first_pass_rate),
            (Some(300.0), Some(0.5))
        );
        assert_eq!(report.runs.wall_ms, Some(Percentiles { p50: 200, p95: 300, max: 300 }));
        assert_eq!(report.peak_rss_bytes, Some(300 << 20));
        let check = &report.tools[0];
        assert_eq!((check.calls, check.failed, check.unfinished), (2, 1, 1));
        assert_eq!(check.ms.unwrap().p50, 4);
        assert_eq!(report.retrieval, RetrievalStats::default());
    }
}
