//! `edit propose`, `list`, `preflight`, `approve` and `reject`: edits that are recorded before they
//! are verified and written.

use std::fmt::Write as _;

use project::FileAccess;
use tools::{
    ApproveRequest, ApproveResponse, PreflightRequest, ProposalCard, ProposeRequest,
    ProposeResponse, RejectRequest, ReportedDiagnostic,
};

use crate::args::{Live, Scope};
use crate::args_edit::{EditApprove, EditList, EditPreflight, EditPropose, EditReject};
use crate::commands::edit::reasons;
use crate::commands::fix::proof_line;
use crate::consent::{self, Printed};
use crate::exit::{Failure, Status};
use crate::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};
use crate::session::{Session, read_request};

pub(crate) fn propose(session: &Session, args: &EditPropose) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    let proposed = match (&args.again, &args.file) {
        (Some(id), _) => tools::propose_again(&session.ctx, &workspace, id)?,
        (None, Some(file)) => {
            let (text, task) = (read_request(file)?, args.task.clone());
            let access = FileAccess::Person;
            let request = ProposeRequest { text, task, access, ..ProposeRequest::default() };
            tools::propose(&session.ctx, &workspace, &request)?
        }
        (None, None) => {
            return Err(Failure::input("no edit".to_owned(), "pass a file, or `-`"));
        }
    };
    session.bar.clear();
    print(session, &proposed, describe_proposed)?;
    Ok(Status::Done)
}

fn describe_proposed(proposed: &ProposeResponse) -> String {
    let mut text = String::new();
    for card in &proposed.proposals {
        let _ = writeln!(text, "{}", output::diff(&card.diff).trim_end());
        text.push_str(&headline(card));
    }
    text.push_str(&notes(&proposed.problems));
    for card in &proposed.proposals {
        let _ = writeln!(text, "next: `graftage edit preflight {}` verifies it", card.id);
    }
    text
}

pub(crate) fn list(session: &Session, args: &EditList) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    let listed = tools::list_proposals(&session.ctx, &workspace, args.all)?;
    print(session, &listed, |listed| {
        let mut text: String = listed.proposals.iter().map(headline).collect();
        if listed.proposals.is_empty() {
            text.push_str(if args.all { "no proposals\n" } else { "no open proposals\n" });
        }
        text.push_str(&notes(&listed.notes));
        text
    })?;
    Ok(Status::Done)
}

pub(crate) fn preflight(session: &Session, args: &EditPreflight) -> Result<Status, Failure> {
    let workspace = session.workspace_with(&as_pairs(&flags(args.analyzer, &args.scope)))?;
    let (ids, tests) = (args.ids.clone(), args.tests.map(Into::into));
    let request = PreflightRequest { ids, tests };
    let verified = tools::preflight_check(&session.ctx, &workspace, &request, &mut |_| {})?;
    session.bar.clear();
    print(session, &verified, |verified| {
        let mut text = errors(&verified.diagnostics);
        text.extend(verified.proposals.iter().map(headline));
        // All were verified as one change.
        text.extend(verified.proposals.first().and_then(proof));
        text.push_str(&reasons(&verified.refusals));
        text.push_str(&notes(&verified.notes));
        if verified.refusals.is_empty() {
            let ids: Vec<&str> = verified.proposals.iter().map(|it| it.id.as_str()).collect();
            let _ = writeln!(text, "next: `graftage edit approve {}` writes it", ids.join(" "));
        }
        text
    })?;
    Ok(if verified.refusals.is_empty() { Status::Done } else { Status::No })
}

pub(crate) fn approve(session: &Session, args: &EditApprove) -> Result<Status, Failure> {
    let workspace = session.workspace_with(&as_pairs(&flags(args.analyzer, &args.scope)))?;
    let approval = session.approval(&args.allow, None);
    let request = ApproveRequest {
        ids: args.ids.clone(),
        approver: args.approver.clone().unwrap_or(approval.who),
        allow: approval.allow,
        tests: args.tests.map(Into::into),
        commit: args.commit,
    };
    if args.dry_run {
        let (ids, tests) = (&args.ids, request.tests);
        let pending = tools::pending_approval(&session.ctx, &workspace, ids, tests)?;
        return consent::show(session, &pending);
    }
    let mut consent = None;
    if session.can_ask() {
        let pending = tools::pending_approval(&session.ctx, &workspace, &args.ids, request.tests)?;
        let pending = pending.committed(&workspace, request.commit);
        session.bar.clear();
        consent = consent::ask(session, &pending, Printed::Nothing)?;
        if consent.is_none() {
            return Ok(Status::No);
        }
    }
    let approved = tools::approve(&session.ctx, &workspace, &request, &mut consent, &mut |_| {})?;
    session.bar.clear();
    print_approved(session, &approved)
}

fn print_approved(session: &Session, approved: &ApproveResponse) -> Result<Status, Failure> {
    print(session, approved, |approved| {
        let mut text = String::new();
        if !approved.refusals.is_empty() {
            text.push_str(&errors(&approved.diagnostics));
        }
        text.extend(approved.proposals.iter().map(headline));
        text.push_str(&reasons(&approved.refusals));
        text.push_str(&notes(&approved.notes));
        let _ = match &approved.change {
            Some(change) => {
                let commit = approved.commit.as_ref().map(|it| format!(", commit {it}"));
                let (applied, commit) = (paint(GOOD, "applied"), commit.unwrap_or_default());
                writeln!(text, "{applied} as {change}{commit}; `graftage undo` reverts it")
            }
            None => writeln!(text, "{}; nothing was written", paint(BAD, "refused")),
        };
        text
    })?;
    Ok(if approved.change.is_some() { Status::Done } else { Status::No })
}

pub(crate) fn reject(session: &Session, args: &EditReject) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    let request = RejectRequest { ids: args.ids.clone(), reason: args.reason.clone() };
    let rejected = tools::reject(&session.ctx, &workspace, &request)?;
    print(session, &rejected, |rejected| rejected.proposals.iter().map(headline).collect())?;
    Ok(Status::Done)
}

fn print<T: serde::Serialize>(
    session: &Session,
    value: &T,
    describe: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    match session.global.json {
        true => output::json(value),
        false => output::say(&describe(value)),
    }
}

fn flags(analyzer: Option<Live>, scope: &Scope) -> Vec<(&'static str, String)> {
    let live = Live::settings(analyzer).into_iter().map(|(key, value)| (key, value.to_owned()));
    live.chain(scope.setting()).collect()
}

fn as_pairs<'a>(flags: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    flags.iter().map(|(key, value)| (*key, value.as_str())).collect()
}

/// `3f2a91c0  proven  src/lib.rs: +1 -1`, with reasons below.
fn headline(card: &ProposalCard) -> String {
    let style = match card.state.as_str() {
        "proven" | "applied" => GOOD,
        "stale" | "refused" => WARN,
        "rejected" => BAD,
        _ => BOLD,
    };
    let state = paint(style, &card.state);
    let mut text = format!("{}  {state}  {}\n", card.id, output::brief(&card.summary));
    if !card.task.is_empty() {
        let _ = writeln!(text, "  task: {}", output::brief(&card.task));
    }
    if let Some(file) = &card.stale {
        let file = output::safe(file);
        let _ = writeln!(
            text,
            "  `{file}` changed since; `graftage edit propose --again {}` stages it again",
            card.id
        );
    }
    if let Some(change) = &card.change {
        let approver = card.approver.as_deref().unwrap_or_default();
        let line = format!("change {change}, approved by {approver}");
        let _ = writeln!(text, "  {}", paint(DIM, &output::brief(&line)));
    }
    if let Some(reason) = &card.reason {
        let _ = writeln!(text, "  {}", output::brief(reason));
    }
    text
}

/// What its last verification found.
fn proof(card: &ProposalCard) -> Option<String> {
    let evidence: policy::Evidence = serde_json::from_value(card.evidence.clone()?).ok()?;
    Some(format!("{}\n", proof_line(&evidence)))
}

fn errors(diagnostics: &[ReportedDiagnostic]) -> String {
    let errors = diagnostics.iter().filter(|it| it.severity == base::Severity::Error);
    errors.map(|row| output::diagnostic(row) + "\n").collect()
}

fn notes(notes: &[String]) -> String {
    notes.iter().map(|note| format!("{}: {}\n", paint(WARN, "note"), output::safe(note))).collect()
}
