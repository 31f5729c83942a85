//! `eval`: runs a suite with this binary and prints its scores, or the report of an earlier run.

pub(crate) mod parts;
mod replay;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use base::{ContentHash, Hint};
use eval::{EvalError, RunEnvironment, RunOptions, Summary};

use crate::args;
use crate::args_fleet::EngineName;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: &args::Eval) -> Result<Status, Failure> {
    match command {
        args::Eval::Run(args) => suite(session, args),
        args::Eval::Replay { trace } => replay::run(session, trace),
        args::Eval::Report { dirs, html } => match (dirs.as_slice(), html) {
            ([dir], None) => report(session, dir),
            (dirs, html) => comparison(session, dirs, html.as_deref()),
        },
    }
}

fn report(session: &Session, dir: &Path) -> Result<Status, Failure> {
    let page = eval::report(dir).map_err(failure)?;
    if session.global.json {
        output::json(&serde_json::json!({ "report": page }))?;
    } else {
        output::say(&page)?;
    }
    Ok(Status::Done)
}

fn comparison(session: &Session, dirs: &[PathBuf], html: Option<&Path>) -> Result<Status, Failure> {
    let found = eval::compare(dirs, html).map_err(failure)?;
    if session.global.json {
        output::json(&found)?;
        return Ok(Status::Done);
    }
    let mut text = format!("{}\n", paint(BOLD, &found.suite));
    for (nth, run) in found.runs.iter().enumerate() {
        let settings: Vec<String> =
            run.settings.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        let (better, worse) = run.better_worse;
        let _ = writeln!(
            text,
            "  [{nth}] {}: {} cases, +{better} / -{worse}, {} candidates, {:.1} CPU s  {}",
            output::safe(&run.name),
            run.cases,
            run.candidates,
            run.cpu_ms as f64 / 1e3,
            output::safe(&settings.join(", "))
        );
    }
    for (metric, values) in &found.metrics {
        let shown: Vec<String> = values
            .iter()
            .map(|it| it.map_or("-".to_owned(), |value| format!("{value:.4}")))
            .collect();
        let _ = writeln!(text, "  {metric:<24} {}", shown.join("  "));
    }
    let _ = writeln!(text, "  {} differ", base::counted(found.differing.len(), "case"));
    match &found.page {
        Some(page) => {
            let _ = writeln!(text, "  page: {}", page.display());
        }
        None => text.push_str("  `--html FILE` writes a page with the answers\n"),
    }
    output::say(&text)?;
    Ok(Status::Done)
}

fn suite(session: &Session, args: &args::EvalRun) -> Result<Status, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let options = RunOptions {
        suite: args.suite.clone(),
        out: args.out.clone(),
        jobs: args.jobs.unwrap_or(cores).max(1),
        cases: args.cases.clone(),
        limit: args.limit,
        analyzer: args.analyzer,
        deletion: !args.no_deletion,
        product: product()?,
    };
    let machine = machine(session)?;
    if args.engine.engine != EngineName::Embedded {
        session.bar.watch();
        parts::run(session, &machine, (args, &options))?;
    }
    let summary = eval::run(&session.ctx, &machine, &options).map_err(failure)?;
    session.bar.clear();
    if session.global.json {
        output::json(&summary)?;
    } else {
        output::say(&describe(&summary))?;
    }
    Ok(Status::Done)
}

/// Settings, directories and sandbox of the run; settings of a project do not apply.
fn machine(session: &Session) -> Result<RunEnvironment, Failure> {
    Ok(RunEnvironment {
        settings: session.settings(None)?,
        surroundings: session.surroundings.clone(),
        sandbox: session.sandbox.clone(),
    })
}

/// Version and hash of this binary: results of other builds are not reused.
fn product() -> Result<String, Failure> {
    let binary = std::env::current_exe().and_then(std::fs::read)?;
    Ok(format!("{} {}", env!("CARGO_PKG_VERSION"), ContentHash::of(&binary).short()))
}

fn describe(summary: &Summary) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{} {} cases", paint(BOLD, &summary.suite), summary.cases);
    if !summary.mean_of_groups.is_empty() {
        return retrieval(summary, text);
    }
    let _ = writeln!(text, "  {:<14} {:>9} {:>14}", "metric", "score", "deletion only");
    for (metric, score) in &summary.score {
        let deletion = summary.deletion.get(metric).map_or("-".to_owned(), |s| format!("{s:.4}"));
        let _ = writeln!(text, "  {metric:<14} {score:>9.4} {deletion:>14}");
    }
    let outcomes: Vec<String> =
        summary.outcomes.iter().map(|(outcome, n)| format!("{outcome} {n}")).collect();
    let _ = writeln!(text, "  {}", outcomes.join(", "));
    let _ = writeln!(
        text,
        "  {} candidates, {:.1} CPU s ({:.1} of them grading), {:.1} s wall, {} resumed",
        summary.candidates,
        summary.cpu_ms as f64 / 1e3,
        summary.grading_cpu_ms as f64 / 1e3,
        summary.wall_ms as f64 / 1e3,
        summary.resumed
    );
    let _ = writeln!(text, "  report: {}", summary.report.display());
    text
}

/// The summary of sets A and B: the mean over groups, and plain searches for comparison.
fn retrieval(summary: &Summary, mut text: String) -> String {
    let plain = |name: &str, metric: &str| {
        let methods = summary.beside.get(&format!("{name}, mean of groups"));
        let value = methods.and_then(|metrics| metrics.get(metric));
        value.map_or("-".to_owned(), |value| format!("{value:.3}"))
    };
    let heads = ["by group", "by case", "bm25", "keyword"];
    let [group, case, bm25, keyword] = heads;
    let _ = writeln!(text, "  {:<30} {group:>9} {case:>9} {bm25:>9} {keyword:>9}", "metric");
    for (metric, value) in &summary.mean_of_groups {
        let by_case = summary.score.get(metric).copied().unwrap_or_default();
        let (bm25, keyword) = (plain("bm25", metric), plain("keyword", metric));
        let _ = writeln!(text, "  {metric:<30} {value:>9.3} {by_case:>9.3} {bm25:>9} {keyword:>9}");
    }
    let _ = writeln!(
        text,
        "  {:.1} CPU s, {:.1} s wall, {} resumed\n  report: {}",
        summary.cpu_ms as f64 / 1e3,
        summary.wall_ms as f64 / 1e3,
        summary.resumed,
        summary.report.display()
    );
    text
}

fn failure(error: EvalError) -> Failure {
    let error = match error {
        EvalError::Tools(error) => return error.into(),
        error => error,
    };
    let status = match &error {
        EvalError::Cancelled(_) => Status::Interrupted,
        EvalError::NoSources { .. }
        | EvalError::NoProgram(_)
        | EvalError::Cargo(_)
        | EvalError::Sandbox(_)
        | EvalError::Analyzer(_)
        | EvalError::Busy { .. } => Status::Environment,
        _ => Status::Input,
    };
    Failure { status, message: error.to_string(), hint: error.hint() }
}
