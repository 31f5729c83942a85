//! `undo` and `redo` of changes in the journal.

use tools::RestoreSummary;

use crate::args;
use crate::exit::{Failure, Status};
use crate::output::{self, GOOD, WARN, paint};
use crate::session::Session;

pub(crate) fn undo(session: &Session, args: &args::Journal) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    print(session, "undone", &tools::undo(&session.ctx, &workspace, args.id.as_deref())?)
}

pub(crate) fn redo(session: &Session, args: &args::Journal) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    print(session, "redone", &tools::redo(&session.ctx, &workspace, args.id.as_deref())?)
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
