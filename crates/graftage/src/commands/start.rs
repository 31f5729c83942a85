//! `graftage` alone: where it was started, and what can be done there now. Nothing is built or written.

use std::fmt::Write as _;
use std::path::Path;

use base::counted;
use project::Workspace;

use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, paint};
use crate::session::Session;

/// Most names of changed files that a line has.
const MOST_NAMES: usize = 3;
/// Column of the descriptions.
const COLUMN: usize = 36;

/// A command and what it is for.
type Row = (String, &'static str);

pub(crate) fn run(session: &Session) -> Result<Status, Failure> {
    let (heading, mut rows) = match session.root() {
        Ok(root) => in_project(session, &root)?,
        Err(failure) => (failure.message.clone(), outside(&failure)),
    };
    rows.push(("graftage --help".to_owned(), "all commands"));
    if session.global.json {
        let commands: Vec<&str> = rows.iter().map(|(command, _)| command.as_str()).collect();
        output::json(&serde_json::json!({ "here": heading, "commands": commands }))?;
        return Ok(Status::Done);
    }
    let mut text = format!("{}\n", paint(BOLD, &output::safe(&heading)));
    for (command, purpose) in rows {
        let _ = writeln!(text, "  {command:<COLUMN$}{}", paint(DIM, purpose));
    }
    output::say(&text)?;
    Ok(Status::Done)
}

/// Commands that need no project.
fn outside(failure: &Failure) -> Vec<Row> {
    let mut rows = vec![
        ("graftage demo".to_owned(), "repair a small broken crate in a temporary directory"),
        ("graftage doctor".to_owned(), "toolchain, sandbox and optional programs"),
    ];
    if failure.status == Status::Input {
        rows.insert(0, ("graftage -C DIR check".to_owned(), "name the folder of a project"));
    }
    rows
}

/// Commands for a project, first those that it waits for.
fn in_project(session: &Session, root: &Path) -> Result<(String, Vec<Row>), Failure> {
    let workspace = session.workspace_at(root)?;
    let changed = changed_files(session, &workspace);
    let mut heading = base::visible_line(&root.display().to_string());
    let mut rows: Vec<Row> = Vec::new();
    match changed.as_deref() {
        Some([]) => heading.push_str(": as it was committed"),
        Some(files) => {
            let _ = write!(heading, ": {} since the last commit", named(files));
            rows.push(("graftage finish".to_owned(), "change what follows from your change"));
        }
        None => heading.push_str(": no commit to compare with"),
    }
    let open = tools::list_proposals(&session.ctx, &workspace, false)?.proposals.len();
    if open > 0 {
        let _ = write!(heading, "; {} to decide on", counted(open, "proposal"));
        rows.push(("graftage edit list".to_owned(), "the proposals that wait for you"));
    }
    rows.push(("graftage check".to_owned(), "whether it builds and its tests pass"));
    rows.push(("graftage fix".to_owned(), "repair what does not build"));
    rows.push((
        "graftage refactor rename ITEM NAME".to_owned(),
        "rename an item wherever it is named",
    ));
    rows.push(("graftage search TEXT".to_owned(), "find code by words, a name or an error"));
    if tools::stats(&workspace)?.runs.count == 0 {
        rows.push(("graftage doctor".to_owned(), "first time here? what this machine has"));
    }
    Ok((heading, rows))
}

/// The files that differ from the last commit; `None` without one, or if git cannot be asked.
fn changed_files(session: &Session, workspace: &Workspace) -> Option<Vec<String>> {
    let back = workspace.project().head_overlay(&session.ctx, &session.sandbox).ok()??;
    Some(back.changes().map(|(path, _)| path.to_string()).collect())
}

/// `src/lib.rs, src/a.rs and 3 more changed`.
fn named(files: &[String]) -> String {
    let first: Vec<&str> = files.iter().take(MOST_NAMES).map(String::as_str).collect();
    match files.len().checked_sub(MOST_NAMES) {
        Some(more) if more > 0 => format!("{} and {more} more changed", first.join(", ")),
        _ => format!("{} changed", first.join(", ")),
    }
}
