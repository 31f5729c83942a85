//! `undo` and `redo` of changes in the journal. On a terminal the change is shown before it is written.

use tools::RestoreSummary;

use crate::args;
use crate::consent::{self, Printed};
use crate::exit::{Failure, Status};
use crate::output::{self, GOOD, WARN, paint};
use crate::session::Session;

pub(crate) fn undo(session: &Session, args: &args::Journal) -> Result<Status, Failure> {
    restore(session, args, false)
}

pub(crate) fn redo(session: &Session, args: &args::Journal) -> Result<Status, Failure> {
    restore(session, args, true)
}

fn restore(session: &Session, args: &args::Journal, redoes: bool) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    let word = if redoes { "redone" } else { "undone" };
    let id = args.id.as_deref();
    if !args.dry_run && !session.can_ask() {
        let restored = match redoes {
            true => tools::redo(&session.ctx, &workspace, id)?,
            false => tools::undo(&session.ctx, &workspace, id)?,
        };
        return print(session, word, &restored);
    }
    let (id, pending) = tools::pending_restore(&session.ctx, &workspace, redoes, id)?;
    session.bar.clear();
    if args.dry_run {
        return consent::show(session, &pending);
    }
    let Some(consent) = consent::ask(session, &pending, Printed::Nothing)? else {
        return Ok(Status::No);
    };
    let restored = tools::restore_consented(&session.ctx, &workspace, redoes, Some(&id), consent)?;
    print(session, word, &restored)
}

fn print(session: &Session, word: &str, restored: &RestoreSummary) -> Result<Status, Failure> {
    session.bar.clear();
    if session.global.json {
        output::json(restored)?;
    } else {
        let files = restored.restored.iter().map(|file| format!("  {}\n", output::safe(file)));
        let note = if restored.around_changed {
            let what = "other files changed since the change was accepted; run `graftage check` to \
                        check the present tree";
            format!("{}: {what}\n", paint(WARN, "note"))
        } else {
            String::new()
        };
        output::say(&format!(
            "{} {}\n{}{note}",
            paint(GOOD, word),
            restored.id,
            files.collect::<String>()
        ))?;
    }
    Ok(Status::Done)
}
