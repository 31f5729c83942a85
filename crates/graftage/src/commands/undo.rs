use tools::Restored;

use crate::args;
use crate::exit::{Failure, Status};
use crate::output::{self, GOOD, paint};
use crate::session::Session;

pub(crate) fn undo(session: &Session, args: &args::Journal) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    answer(session, "undone", &tools::undo(&session.ctx, &workspace, args.id.as_deref())?)
}

pub(crate) fn redo(session: &Session, args: &args::Journal) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    answer(session, "redone", &tools::redo(&session.ctx, &workspace, args.id.as_deref())?)
}

fn answer(session: &Session, word: &str, restored: &Restored) -> Result<Status, Failure> {
    session.bar.clear();
    if session.global.json {
        output::json(restored)?;
    } else {
        let files = restored.restored.iter().map(|file| format!("  {}\n", output::safe(file)));
        output::say(&format!(
            "{} {}\n{}",
            paint(GOOD, word),
            restored.id,
            files.collect::<String>()
        ))?;
    }
    Ok(Status::Done)
}
