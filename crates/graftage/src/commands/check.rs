//! `check`: verifies the tree as it is, and prints errors, rungs and what was not checked.

use std::fmt::Write as _;

use tools::{CheckRequest, CheckResponse, check_tree};

use crate::args;
use crate::exit::{Failure, Status};
use crate::not_checked::not_checked;
use crate::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};
use crate::session::{Session, read_request};

pub(crate) fn run(session: &Session, args: &args::Check) -> Result<Status, Failure> {
    let mut flags = args::Live::settings(args.analyzer);
    let scope = args.scope.setting();
    flags.extend(args.stories.then_some(("check.stories", "true")));
    flags.extend(scope.as_ref().map(|(key, value)| (*key, value.as_str())));
    let workspace = session.workspace_with(&flags)?;
    let edit = args.overlay.as_deref().map(read_request).transpose()?;
    // The tree alone gets a `cargo check`; a change also needs tests.
    let default =
        if edit.is_some() { workspace.settings().check_tests } else { check::Tests::None };
    let request = CheckRequest {
        edit,
        tests: Some(args.tests.map_or(default, Into::into)),
        clippy: args.clippy,
    };
    // A check that restarts because the tree changed reports the same errors again.
    let mut printed: Vec<tools::ReportedDiagnostic> = Vec::new();
    let stream = !session.global.json;
    let response = check_tree(&session.ctx, &workspace, &request, &mut |row| {
        let is_error = stream && row.severity == base::Severity::Error;
        if is_error && printed.len() < MAX_ERRORS && !printed.contains(row) {
            session.bar.clear();
            output::note(&full(row));
            printed.push(row.clone());
        }
    })?;
    session.bar.clear();
    if session.global.json {
        output::json(&response)?;
    } else {
        output::say(&summary(&response, session.global.quiet, session.global.verbose))?;
    }
    Ok(if response.passed { Status::Done } else { Status::No })
}

/// Maximum number of failed tests whose output is shown, and of its lines.
const SHOWN_OUTPUTS: usize = 5;
const OUTPUT_LINES: usize = 8;
/// Maximum number of errors that are printed in full; the others are counted.
const MAX_ERRORS: usize = 10;

fn full(row: &tools::ReportedDiagnostic) -> String {
    match &row.rendered {
        Some(rendered) => output::page(rendered.trim_end()) + "\n",
        None => output::diagnostic(row) + "\n",
    }
}

/// The result of a check, one line per rung.
pub(crate) fn summary(response: &CheckResponse, quiet: bool, verbose: bool) -> String {
    let mut text = String::new();
    for note in &response.notes {
        let _ = writeln!(text, "{}: {}", paint(WARN, "note"), output::safe(note));
    }
    if let Some(failure) = &response.failure {
        let _ = writeln!(text, "{}", output::page(failure.trim_end()));
    }
    for rung in &response.rungs {
        let (style, word) = match (rung.passed, rung.name.as_str()) {
            (true, _) => (GOOD, "ok"),
            (false, "format") => (WARN, "advice"),
            (false, _) => (BAD, "FAILED"),
        };
        let _ = writeln!(
            text,
            "{:>8}  {:<14} {} {}",
            paint(style, &format!("{word:>6}")),
            paint(BOLD, &format!("{:<14}", rung.name)),
            output::safe(&rung.detail),
            paint(DIM, &format!("({} ms)", rung.ms)),
        );
    }
    if let Some(tests) = &response.tests {
        for (at, name) in tests.failed.iter().enumerate() {
            let _ =
                writeln!(text, "          test {} {}", output::safe(name), paint(BAD, "failed"));
            let lines = if verbose { usize::MAX } else { OUTPUT_LINES };
            for line in tests.reason(name, lines).into_iter().filter(|_| at < SHOWN_OUTPUTS) {
                let _ = writeln!(text, "            {}", output::safe(line));
            }
        }
    }
    let count = |severity| response.diagnostics.iter().filter(|d| d.severity == severity).count();
    let (errors, warnings) = (count(base::Severity::Error), count(base::Severity::Warning));
    if errors + warnings > 0 {
        let shown = if errors > MAX_ERRORS {
            format!(" (the first {MAX_ERRORS} errors are shown; `--json` has them all)")
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "{}, {}{shown}",
            base::counted(errors, "error"),
            base::counted(warnings, "warning")
        );
    }
    if !quiet {
        text.push_str(&not_checked(&response.coverage, verbose));
    }
    if !quiet && !response.protections.is_empty() {
        let by = if verbose {
            response.protections.join(", ")
        } else {
            let layers = base::counted(response.protections.len(), "layer");
            format!("{layers} of protection (`--verbose` lists them)")
        };
        let _ = writeln!(text, "{}", paint(DIM, &format!("confined by {by}")));
    }
    text
}
