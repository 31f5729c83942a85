//! `query`: runs a Datalog query and prints its rows as a table.

use std::fmt::Write as _;
use std::path::Path;

use tools::QueryAnswer;

use crate::args_map;
use crate::exit::{Failure, Status};
use crate::memory::MemoryGuard;
use crate::output::{self, BOLD, paint};
use crate::session::{Session, read_request};

pub(crate) fn run(session: &Session, args: &args_map::Query) -> Result<Status, Failure> {
    let script = match args.script.as_str() {
        "-" => read_request(Path::new("-"))?,
        script => script.to_owned(),
    };
    let workspace = session.map_workspace()?;
    let datalog = tools::DatalogSession::open(&session.ctx, &workspace)?;
    let (limit, error) = tools::DatalogSession::memory_limit();
    let guard = MemoryGuard::start(limit, session.global.json, Failure::from(error));
    let answer = datalog.run(&session.ctx, &script);
    drop(guard);
    session.bar.clear();
    let answer = answer?;
    for note in answer.notes.iter().filter(|_| !session.global.quiet) {
        output::note(&format!("note: {}", output::safe(note)));
    }
    if session.global.json {
        output::json(&answer)?;
    } else {
        output::say(&table(&answer))?;
    }
    Ok(Status::Done)
}

/// A table; columns have the width of their longest value, up to a limit.
fn table(answer: &QueryAnswer) -> String {
    const MAX_WIDTH: usize = 60;
    let cell = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => output::safe(&text.replace('\n', " ")),
        other => other.to_string(),
    };
    let rows: Vec<Vec<String>> =
        answer.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let widths: Vec<usize> = answer
        .headers
        .iter()
        .enumerate()
        .map(|(n, header)| {
            let values = rows.iter().filter_map(|row| row.get(n));
            let widest = values.map(|value| value.chars().count()).max().unwrap_or(0);
            widest.max(header.chars().count()).min(MAX_WIDTH)
        })
        .collect();
    let line = |values: &[String]| {
        let mut text = String::new();
        for (value, width) in values.iter().zip(&widths) {
            let _ = write!(text, "{value:<width$}  ");
        }
        text.trim_end().to_owned()
    };
    let mut text = format!("{}\n", paint(BOLD, &line(&answer.headers)));
    for row in &rows {
        let _ = writeln!(text, "{}", line(row));
    }
    let _ = writeln!(text, "{}", base::counted(rows.len(), "row"));
    text
}
