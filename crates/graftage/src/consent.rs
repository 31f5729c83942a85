//! Questions for consent on a terminal: the text and the nonce are those of [`tools::Consents`].

use serde_json::json;
use tools::{Consent, Consents, PendingChange, ShownDiff};

use crate::exit::{Failure, Status};
use crate::output;
use crate::session::{Session, ask as ask_user};

/// Most bytes of a diff in a question on a terminal.
const DIFF_BYTES: usize = 60_000;
/// The request that asks: a process on a terminal has one at a time.
const CALL: &[u8] = b"terminal";

/// What of the change the command has printed already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Printed {
    /// The whole diff.
    Diff,
    /// Nothing.
    Nothing,
}

/// Shows a change and asks the user; `None`: the answer is no.
pub(crate) fn ask(
    session: &Session,
    pending: &PendingChange,
    printed: Printed,
) -> Result<Option<Consent>, Failure> {
    let consents = Consents::default();
    let shown = match printed {
        Printed::Diff => ShownDiff::Above,
        Printed::Nothing => ShownDiff::Bytes(DIFF_BYTES),
    };
    let question = consents.ask(&session.ctx, pending, shown, CALL);
    output::say(question.text())?;
    if !ask_user("[y/N] ")? {
        return Ok(None);
    }
    let consent = consents.redeem(question.nonce(), CALL);
    Ok(Some(consent.map_err(tools::Error::from)?))
}

/// Shows the whole change of a `--dry-run`.
pub(crate) fn show(session: &Session, pending: &PendingChange) -> Result<Status, Failure> {
    let diff = pending.change.unified_diff();
    if session.global.json {
        let files: Vec<String> =
            pending.change.changes().map(|(path, _)| path.to_string()).collect();
        output::json(&json!({ "files": files, "diff": diff }))?;
    } else {
        output::say(&format!(
            "{}\nnothing was written (--dry-run)",
            output::diff(&diff).trim_end()
        ))?;
    }
    Ok(Status::Done)
}
