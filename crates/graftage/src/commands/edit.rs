//! `edit`: verifies edits that the user passes, and writes them if the gate opens. Proposals are in
//! `proposals.rs`.

use std::fmt::Write as _;

use tools::{EditApplyRequest, EditResponse, edit_apply};

use crate::args::Live;
use crate::args_edit::{Edit, EditApply};
use crate::commands::fix::{indented, proof_line};
use crate::commands::proposals;
use crate::exit::{Failure, Status};
use crate::not_checked::not_checked;
use crate::output::{self, BAD, GOOD, WARN, paint};
use crate::session::{Session, read_request};

pub(crate) fn run(session: &Session, command: &Edit) -> Result<Status, Failure> {
    match command {
        Edit::Apply(args) => apply(session, args),
        Edit::Propose(args) => proposals::propose(session, args),
        Edit::List(args) => proposals::list(session, args),
        Edit::Preflight(args) => proposals::preflight(session, args),
        Edit::Approve(args) => proposals::approve(session, args),
        Edit::Reject(args) => proposals::reject(session, args),
    }
}

fn apply(session: &Session, args: &EditApply) -> Result<Status, Failure> {
    let mut flags = Live::settings(args.analyzer);
    let scope = args.scope.setting();
    flags.extend(scope.as_ref().map(|(key, value)| (*key, value.as_str())));
    let workspace = session.workspace_with(&flags)?;
    let request = EditApplyRequest {
        text: read_request(&args.file)?,
        tests: args.tests.map(Into::into),
        approval: session.approval(&args.allow, args.override_reason.clone()),
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

fn describe(applied: &EditResponse) -> String {
    let mut text = String::new();
    for note in &applied.notes {
        let _ = writeln!(text, "{}: {}", paint(WARN, "note"), output::safe(note));
    }
    for proposal in &applied.proposals {
        let _ = writeln!(text, "{}", output::diff(&proposal.diff).trim_end());
        let _ = writeln!(text, "{}", proof_line(&proposal.evidence));
        text.push_str(&indented(&not_checked(&proposal.evidence.coverage, false)));
        text.push_str(&violations(&proposal.evidence, &applied.refusals));
        match proposal.state {
            "applied" => {
                let commit = applied.commit.as_ref().map(|c| format!(", commit {c}"));
                let _ = writeln!(
                    text,
                    "{} as {}{}; `graftage undo` reverts it",
                    paint(GOOD, "applied"),
                    proposal.id,
                    commit.unwrap_or_default()
                );
            }
            "proven" => {
                let _ =
                    writeln!(text, "{}; nothing was written (--dry-run)", paint(GOOD, "verified"));
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
    text.push_str(&reasons(&applied.refusals));
    text
}

/// The reasons of the gate with their hints.
pub(crate) fn reasons(refusals: &[policy::Refusal]) -> String {
    let mut text = String::new();
    for refusal in refusals {
        let (reason, hint) = (refusal.to_string(), &refusal.hint);
        let _ = writeln!(text, "  {}\n    hint: {}", output::safe(&reason), output::safe(hint));
    }
    text
}

/// Maximum number of listed violations.
const LISTED: usize = 5;

/// The preservation rules that the edit breaks, unless a refusal lists them already.
fn violations(evidence: &policy::Evidence, refusals: &[policy::Refusal]) -> String {
    let mut text = String::new();
    if refusals.iter().any(|refusal| refusal.rule == "preservation") {
        return text;
    }
    for violation in evidence.violations.iter().take(LISTED) {
        let line = format!("{} at {}: {}", violation.rule, violation.place, violation.detail);
        let _ = writeln!(text, "  {} {}", paint(WARN, "breaks"), output::safe(&line));
    }
    if evidence.violations.len() > LISTED {
        let _ = writeln!(text, "  … and {} more", evidence.violations.len() - LISTED);
    }
    text
}
