use std::fmt::Write as _;

use tools::{EditApplied, EditApply, edit_apply};

use crate::args;
use crate::commands::fix::proof_line;
use crate::exit::{Failure, Status};
use crate::output::{self, BAD, GOOD, WARN, paint};
use crate::session::{Session, read_request};

pub(crate) fn run(session: &Session, command: &args::Edit) -> Result<Status, Failure> {
    let args::Edit::Apply(args) = command;
    let workspace = session.workspace_with(&args::Live::settings(args.analyzer))?;
    let request = EditApply {
        text: read_request(&args.file)?,
        tests: args.tests.map(Into::into),
        override_by: args
            .override_reason
            .clone()
            .map(|reason| (session.surroundings.user.clone(), reason)),
        dry_run: args.dry_run,
        commit: args.commit,
    };
    let applied = edit_apply(&session.ctx, &workspace, &request, &mut |_| {})?;
    session.bar.clear();
    if session.global.json {
        output::json(&applied)?;
    } else {
        output::say(&describe(&applied))?;
    }
    Ok(if applied.refusals.is_empty() { Status::Done } else { Status::No })
}

fn describe(applied: &EditApplied) -> String {
    let mut text = String::new();
    for note in &applied.notes {
        let _ = writeln!(text, "{}: {}", paint(WARN, "note"), output::safe(note));
    }
    for proposal in &applied.proposals {
        let _ = writeln!(text, "{}", output::diff(&proposal.diff).trim_end());
        let _ = writeln!(text, "{}", proof_line(&proposal.evidence));
        match proposal.state {
            "applied" => {
                let commit = applied.commit.as_ref().map(|c| format!(", commit {c}"));
                let _ = writeln!(
                    text,
                    "{} as {}{}; `graftage undo` takes it back",
                    paint(GOOD, "applied"),
                    proposal.id,
                    commit.unwrap_or_default()
                );
            }
            "proven" => {
                let _ =
                    writeln!(text, "{}; nothing was written (--dry-run)", paint(GOOD, "proven"));
            }
            _ => {
                for row in
                    applied.diagnostics.iter().filter(|d| d.severity == base::Severity::Error)
                {
                    let _ = writeln!(text, "{}", output::diagnostic(row));
                }
                let _ = writeln!(text, "{}; nothing was written", paint(BAD, "refused"));
            }
        }
    }
    for refusal in &applied.refusals {
        let _ = writeln!(
            text,
            "  {}\n    hint: {}",
            output::safe(&refusal.to_string()),
            output::safe(&refusal.hint)
        );
    }
    text
}
