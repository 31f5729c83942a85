//! `policy`: what blocks the writing of a change, and whether that is verified.

use std::fmt::Write as _;
use std::path::Path;

use project::{PolicyView, policy_verified, policy_view};
use tools::policy_explain;

use crate::args_guidance as args;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, WARN, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: &args::Policy) -> Result<Status, Failure> {
    let settings = || session.settings(session.root().ok().as_deref());
    match command {
        args::Policy::Show => show(session, &policy_view(&settings()?)?),
        args::Policy::Explain { id } => explain(session, id.as_deref()),
        args::Policy::Verify { file } => verify(session, &settings()?, file.as_deref()),
    }
}

fn show(session: &Session, view: &PolicyView) -> Result<Status, Failure> {
    if session.global.json {
        output::json(view)?;
        return Ok(Status::Done);
    }
    let mut text = String::new();
    for thread in &view.threads {
        let origin = if thread.is_shipped { "" } else { "  # added" };
        let _ =
            writeln!(text, "{}{}", paint(BOLD, &output::safe(&thread.name)), paint(DIM, origin));
        let _ = writeln!(text, "  {}", output::safe(&thread.does));
        if !thread.because.is_empty() {
            let _ = writeln!(text, "  blocks because {}", output::safe(&thread.because));
        }
    }
    protected_rows(&mut text, view);
    let _ = writeln!(text, "\nevents, in the order of a change:");
    for event in &view.events {
        let _ = writeln!(text, "  {event}");
    }
    let files = "graftage-policy.toml in the project, policy.toml beside your configuration file";
    let _ = writeln!(text, "\n{}", paint(DIM, &format!("threads are added by {files}")));
    output::say(&text)?;
    Ok(Status::Done)
}

/// The table of what only a person may change.
fn protected_rows(text: &mut String, view: &PolicyView) {
    let heads = [
        (false, "files that only a person may change, at any depth:"),
        (true, "keys of `Cargo.toml` that only a person may change:"),
    ];
    for (is_key, head) in heads {
        let _ = writeln!(text, "\n{head}");
        for row in view.protected.iter().filter(|row| row.is_key == is_key) {
            let _ = writeln!(text, "  {}", paint(BOLD, row.reason));
            let _ = writeln!(text, "    {}", row.names.join("  "));
            if row.except == policy::Exception::OwnRules {
                let except =
                    "repairs, upgrades and refactorings of graftage may change it, edits not";
                let _ = writeln!(text, "    {}", paint(DIM, except));
            }
        }
    }
    let _ = writeln!(text, "\nof any name:");
    for place in view.protected_by_place {
        let _ = writeln!(text, "  {place}");
    }
    let verified = if view.is_table_verified { "verified" } else { "NOT verified" };
    let _ = writeln!(
        text,
        "\n{verified}: no change is applied before it was compared with this table\n\
         allow one file of one change: `{}`",
        view.allowed_by
    );
}

fn explain(session: &Session, id: Option<&str>) -> Result<Status, Failure> {
    let answer = policy_explain(&session.ctx, &session.workspace()?, id)?;
    let is_blocked = answer.proposal.is_some() && !answer.blocked_by.is_empty();
    let status = if is_blocked { Status::No } else { Status::Done };
    if session.global.json {
        output::json(&answer)?;
        return Ok(status);
    }
    let mut text = match (&answer.proposal, &answer.state) {
        (Some(id), Some(state)) if is_blocked => {
            format!("proposal {id} ({state}) is blocked by:\n")
        }
        (Some(id), Some(state)) if state == "applied" => format!("proposal {id} is applied\n"),
        (Some(id), _) => format!("nothing blocks proposal {id}\n"),
        _ => "no proposal is open; these gates block every change:\n".to_owned(),
    };
    for blocker in &answer.blocked_by {
        let _ = writeln!(text, "  {}", paint(BOLD, &output::safe(&blocker.thread)));
        let _ = writeln!(text, "    {}", output::safe(&blocker.reason));
        let _ = writeln!(text, "    hint: {}", output::safe(&blocker.hint));
    }
    for note in &answer.notes {
        let _ = writeln!(text, "{}: {}", paint(WARN, "note"), output::safe(note));
    }
    output::say(&text)?;
    Ok(status)
}

fn verify(
    session: &Session,
    settings: &project::Settings,
    file: Option<&Path>,
) -> Result<Status, Failure> {
    let report = policy_verified(settings, file)?;
    let status = if report.is_verified() { Status::Done } else { Status::No };
    if session.global.json {
        output::json(&report)?;
        return Ok(status);
    }
    let mut text = String::new();
    for property in &report.properties {
        let violation = report.violations.iter().find(|it| it.property == *property);
        let mark = match violation {
            Some(_) => paint(WARN, "violated"),
            None if report.complete => "holds".to_owned(),
            None => "not known".to_owned(),
        };
        let _ = writeln!(text, "{mark}  {}", output::safe(property));
        for (at, event) in violation.iter().flat_map(|it| &it.trace).enumerate() {
            let _ = writeln!(text, "    {}. {}", at + 1, output::safe(&event.to_string()));
        }
    }
    let extent = if report.complete { "all" } else { "the first" };
    let _ = writeln!(text, "{extent} {} states, {} transitions", report.states, report.edges);
    output::say(&text)?;
    Ok(status)
}
