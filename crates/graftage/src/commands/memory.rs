//! `memory`: what was done in the project, found by a text, and forgotten.

use std::fmt::Write as _;

use tools::{ForgetRequest, ForgetResponse, MemoryAnswer, MemoryHit, MemoryRequest};

use crate::args_memory::{Memory, MemoryForget, MemorySearch};
use crate::exit::{Failure, Status};
use crate::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};
use crate::session::{Session, ask};

/// Maximum number of lines that are shown of a list.
const LISTED: usize = 3;

pub(crate) fn run(session: &Session, command: &Memory) -> Result<Status, Failure> {
    match command {
        Memory::Search(args) => search(session, args),
        Memory::Forget(args) => forget(session, args),
    }
}

fn search(session: &Session, args: &MemorySearch) -> Result<Status, Failure> {
    let request = MemoryRequest { text: args.text.clone(), limit: args.k };
    let answer = tools::memory_search(&session.ctx, &session.map_workspace()?, &request)?;
    session.bar.clear();
    match session.global.json {
        true => output::json(&answer)?,
        false => output::say(&describe(&answer))?,
    }
    Ok(if answer.hits.is_empty() { Status::No } else { Status::Done })
}

fn describe(answer: &MemoryAnswer) -> String {
    let mut text: String = answer.hits.iter().map(hit).collect();
    if answer.hits.is_empty() {
        let _ = writeln!(text, "nothing found in {}", memories(answer.searched));
    }
    text.push_str(&notes(&answer.notes));
    text
}

/// `3f2a91c0  fix  applied  2026-11-25  E0308: mismatched types`, with details below.
fn hit(hit: &MemoryHit) -> String {
    let episode = &hit.episode;
    let style = match episode.outcome.as_str() {
        "proven" | "applied" | "clean" => GOOD,
        "undone" | "draft" | "refused" => WARN,
        "none" | "rejected" => BAD,
        _ => BOLD,
    };
    let outcome = paint(style, &episode.outcome);
    let title = output::brief(&hit.title);
    let mut text = format!("{}  {}  {outcome}  {}  {title}\n", hit.id, episode.command, hit.date);
    let mut line = |label: &str, value: &str| {
        let _ = writeln!(text, "  {}", paint(DIM, &format!("{label}{}", output::brief(value))));
    };
    for reason in episode.rationale.iter().filter(|it| **it != hit.title).take(LISTED) {
        line("", reason);
    }
    for error in episode.errors.iter().filter(|it| **it != hit.title).take(LISTED) {
        line("", error);
    }
    let items: Vec<String> =
        episode.items.iter().take(LISTED).map(|it| format!("{}: {}", it.file, it.path)).collect();
    if !items.is_empty() {
        line("in ", &items.join(", "));
    }
    if !episode.by.is_empty() {
        line("by ", &episode.by.join(", "));
    }
    if !episode.reason.is_empty() {
        line("", &episode.reason);
    }
    if hit.stale {
        let _ = writeln!(text, "  {}", paint(WARN, "stale: its items are gone"));
    } else if let Some(first) = hit.missing.first() {
        let gone = format!("gone: {}: {}", first.file, first.path);
        let _ = writeln!(text, "  {}", paint(WARN, &output::brief(&gone)));
    }
    text
}

fn forget(session: &Session, args: &MemoryForget) -> Result<Status, Failure> {
    let workspace = session.map_workspace()?;
    let request = |dry_run| ForgetRequest {
        ids: args.ids.clone(),
        all: args.all,
        before: args.before,
        dry_run,
    };
    let planned = tools::memory_forget(&session.ctx, &workspace, &request(true))?;
    if planned.forgotten.is_empty() || !(args.yes || is_wanted(session, &planned)?) {
        session.bar.clear();
        print(session, &planned)?;
        return Ok(if planned.forgotten.is_empty() { Status::Done } else { Status::No });
    }
    let forgotten = tools::memory_forget(&session.ctx, &workspace, &request(false))?;
    session.bar.clear();
    print(session, &forgotten)?;
    Ok(Status::Done)
}

fn is_wanted(session: &Session, planned: &ForgetResponse) -> Result<bool, Failure> {
    if !session.can_ask() {
        return Ok(false);
    }
    output::say(&rows(planned))?;
    ask(&format!("Forget {}? [y/N] ", memories(planned.forgotten.len())))
}

fn print(session: &Session, response: &ForgetResponse) -> Result<(), Failure> {
    if session.global.json {
        return output::json(response);
    }
    let mut text = rows(response);
    let count = memories(response.forgotten.len());
    let _ = match (response.done, response.forgotten.is_empty()) {
        (_, true) => writeln!(text, "nothing to forget"),
        (true, false) => writeln!(
            text,
            "{} {count}: {} and {} removed",
            paint(GOOD, "forgotten"),
            base::counted(response.texts, "text"),
            base::counted(response.traces, "trace"),
        ),
        (false, false) => writeln!(text, "{count} would be forgotten; `--yes` forgets them"),
    };
    text.push_str(&notes(&response.notes));
    output::say(&text)
}

fn rows(response: &ForgetResponse) -> String {
    let row = |it: &tools::ForgottenRow| {
        format!("{}  {}  {}\n", it.id, it.date, output::brief(&it.title))
    };
    response.forgotten.iter().map(row).collect()
}

fn memories(count: usize) -> String {
    match count {
        1 => "1 memory".to_owned(),
        count => format!("{count} memories"),
    }
}

fn notes(notes: &[String]) -> String {
    notes.iter().map(|note| format!("{}: {}\n", paint(WARN, "note"), output::safe(note))).collect()
}
