//! What the hooks of one session have seen: edited files and reported errors.

use std::path::PathBuf;

use base::{ContentHash, Ctx, SortedSet};
use serde::{Deserialize, Serialize};

use project::Workspace;

/// Size limit of a file in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The state of one session, in a file of the state directory. It is advice only: where it cannot be
/// read or written, errors are reported once more.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Seen {
    /// Files that the agent edited directly.
    pub(super) edited: SortedSet<String>,
    /// Errors of the last check, without lines; `None`: no check has ended yet.
    pub(super) errors: Option<SortedSet<String>>,
}

impl Seen {
    pub(super) fn read(workspace: &Workspace, session: &str) -> Self {
        let bytes = untrusted_fs::read_regular(&file(workspace, session), MAX_BYTES).ok().flatten();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    pub(super) fn write(&self, ctx: &Ctx, workspace: &Workspace, session: &str) {
        let file = file(workspace, session);
        let Ok(bytes) = serde_json::to_vec(self) else { return };
        let folder = file.parent().map(untrusted_fs::make_own);
        if folder.is_some_and(|made| made.is_ok()) {
            // See above: without it errors are reported once more.
            let _ = untrusted_fs::replace_own(&file, &bytes, &ctx.fresh_name());
        }
    }
}

/// The id of a session is any text, so its hash is the name.
fn file(workspace: &Workspace, session: &str) -> PathBuf {
    let name = ContentHash::of(session.as_bytes()).to_string();
    workspace.project().state_dir().join("hooks").join(format!("{name}.json"))
}

/// Removes the state of a session that has ended.
pub(super) fn forget(workspace: &Workspace, session: &str) {
    // A file that stays is small, and is overwritten by the next session of this id.
    let _ = std::fs::remove_file(file(workspace, session));
}
