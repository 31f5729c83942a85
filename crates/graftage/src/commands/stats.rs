//! `stats`: what the record shows of runs, retrieval, tools and proposals.

use std::fmt::Write as _;

use tools::{Percentiles, StatsReport};

use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, WARN, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session) -> Result<Status, Failure> {
    let report = tools::stats(&session.map_workspace()?)?;
    if session.global.json {
        output::json(&report)?;
    } else {
        output::say(&describe(&report))?;
    }
    Ok(Status::Done)
}

fn describe(report: &StatsReport) -> String {
    let mut text = String::new();
    let runs = &report.runs;
    let percent =
        |rate: Option<f64>| rate.map_or("-".to_owned(), |it| format!("{:.0} %", it * 100.0));
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |it| format!("{it:.1}"));
    let _ = writeln!(text, "{}", paint(BOLD, "runs"));
    let _ = writeln!(text, "  {} runs, {} with a change", runs.count, runs.fixes);
    let _ = writeln!(text, "  first candidate builds: {}", percent(runs.first_pass_rate));
    let _ = writeln!(text, "  candidates per run: {}", number(runs.candidates_per_run));
    let _ = writeln!(
        text,
        "  tokens per change: {}, cost {:.4} dollars",
        number(runs.tokens_per_fix),
        runs.dollars
    );
    let _ = writeln!(text, "  duration: {}", percentiles(runs.wall_ms, "ms"));
    let peak = report.peak_rss_bytes.map_or("-".to_owned(), |it| format!("{} MiB", it >> 20));
    let _ = writeln!(text, "  peak memory: {peak}");
    let retrieval = &report.retrieval;
    let _ = writeln!(text, "{}", paint(BOLD, "retrieval"));
    let rate = percent(retrieval.cache_hit_rate);
    let _ = writeln!(text, "  {} retrievals, {rate} from the cache", retrieval.count);
    let _ = writeln!(text, "  duration: {}", percentiles(retrieval.took_us, "us"));
    let _ = writeln!(text, "{}", paint(BOLD, "tools"));
    for tool in &report.tools {
        let (name, ms) = (output::safe(&tool.tool), percentiles(tool.ms, "ms"));
        let _ = writeln!(text, "  {name}: {} calls, {} failed, {ms}", tool.calls, tool.failed);
    }
    let _ = writeln!(text, "{}", paint(BOLD, "proposals"));
    for (state, count) in &report.proposals {
        let _ = writeln!(text, "  {state}: {count}");
    }
    let _ = writeln!(text, "  version of the code graph: {}", report.version);
    for note in &report.notes {
        let _ = writeln!(text, "{}: {}", paint(WARN, "note"), output::safe(note));
    }
    text
}

fn percentiles(values: Option<Percentiles>, unit: &str) -> String {
    match values {
        Some(it) => {
            format!("median {} {unit}, 95 % {} {unit}, max {} {unit}", it.p50, it.p95, it.max)
        }
        None => "-".to_owned(),
    }
}
