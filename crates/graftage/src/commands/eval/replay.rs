//! `eval replay`: runs recorded runs again from their traces alone.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use agent::{AgentError, ReplayReport};
use serde::Serialize;

use crate::exit::{Failure, Status};
use crate::output::{self, BAD, GOOD, paint};
use crate::session::Session;

/// Deepest folder that is searched for traces.
const DEEPEST: usize = 12;
/// Maximum number of differences that are printed.
const LISTED: usize = 20;

/// The answer as `--json` prints it.
#[derive(Debug, Default, Serialize)]
struct Replayed {
    /// Number of runs that are the same, byte for byte.
    identical: usize,
    /// Number of runs that were cut off, and so cannot be compared.
    unfinished: usize,
    /// All runs, by path.
    runs: Vec<ReplayRow>,
}

#[derive(Debug, Serialize)]
struct ReplayRow {
    trace: PathBuf,
    #[serde(flatten)]
    report: Option<ReplayReport>,
    /// Why there is no comparison.
    error: Option<String>,
}

pub(super) fn run(session: &Session, path: &Path) -> Result<Status, Failure> {
    let traces = traces(path)?;
    let mut answer = Replayed::default();
    for (done, trace) in traces.iter().enumerate() {
        session.ctx.check_cancelled().map_err(tools::Error::from)?;
        let detail = trace.display().to_string();
        session.ctx.count("replaying", detail, done as u64, traces.len() as u64);
        let recorded = match agent::read_trace(trace) {
            Err(error) if traces.len() == 1 => return Err(error.into()),
            recorded => recorded,
        };
        let is_whole = recorded.as_ref().map(|it| it.end.is_some());
        answer.unfinished += usize::from(matches!(is_whole, Ok(false)));
        let replayed = recorded.and_then(|it| agent::replay(&session.ctx, &it));
        answer.identical += usize::from(replayed.as_ref().is_ok_and(|it| it.identical));
        answer.runs.push(row(trace, replayed));
    }
    session.bar.clear();
    match session.global.json {
        true => output::json(&answer)?,
        false => output::say(&describe(&answer))?,
    }
    let is_same = answer.identical + answer.unfinished == answer.runs.len();
    Ok(if is_same && answer.identical > 0 { Status::Done } else { Status::No })
}

fn row(trace: &Path, replayed: Result<ReplayReport, AgentError>) -> ReplayRow {
    let (report, error) = match replayed {
        Ok(report) => (Some(report), None),
        Err(error) => (None, Some(error.to_string())),
    };
    ReplayRow { trace: trace.to_path_buf(), report, error }
}

/// The file, or all files below the folder that have the ending of traces and are in a folder of traces.
fn traces(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    // A folder of results may have other files of lines.
    let mut found = agent::newest_traces(path);
    found.retain(|it| agent::is_trace(it));
    let mut folders = vec![(path.to_path_buf(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            // Links are not followed.
            if !entry.file_type()?.is_dir() || depth == DEEPEST {
                continue;
            }
            if entry.file_name() == "traces" {
                found.extend(agent::newest_traces(&entry.path()));
            }
            folders.push((entry.path(), depth + 1));
        }
    }
    found.sort();
    found.dedup();
    if found.is_empty() {
        return Err(Failure::input(
            format!("`{}` has no traces", path.display()),
            "pass a trace (the field `trace` of `fix --json`), a folder of traces, or the output folder \
             of `eval run`",
        ));
    }
    Ok(found)
}

fn describe(answer: &Replayed) -> String {
    let mut text = String::new();
    let mut listed = 0;
    for row in &answer.runs {
        let name = output::safe(&row.trace.display().to_string());
        let difference =
            row.report.as_ref().and_then(|it| it.difference.as_ref()).or(row.error.as_ref());
        let Some(difference) = difference else {
            if answer.runs.len() == 1
                && let Some(report) = &row.report
            {
                let _ = writeln!(text, "  outcome {}, {} answers", report.outcome, report.answers);
            }
            continue;
        };
        listed += 1;
        if listed <= LISTED {
            let short: String = difference.chars().take(300).collect();
            let _ = writeln!(text, "  {} {name}: {}", paint(BAD, "differs"), output::safe(&short));
        }
    }
    let runs = base::counted(answer.runs.len(), "run");
    let style = if answer.identical == answer.runs.len() { GOOD } else { BAD };
    let same = paint(style, &format!("{} of {runs} identical", answer.identical));
    let _ = write!(text, "{same}");
    if answer.unfinished > 0 {
        let _ = write!(text, ", {} cut off", answer.unfinished);
    }
    text.push('\n');
    text
}
