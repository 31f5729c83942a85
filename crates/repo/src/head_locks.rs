//! Frees the locks of references that git left behind when it was killed while it moved HEAD.
//!
//! Git removes its locks on every signal but `SIGKILL`; a lock that stays blocks each later commit
//! of the user ("Another git process seems to be running").

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::git_files::{self, read_text};
use crate::journal::CommitPlan;

/// The time for which a lock without content must not change. Git writes to a lock at once after
/// it has taken it, and frees that of HEAD, into which it writes nothing, some milliseconds later.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(20);

/// Frees the locks on HEAD and on the references that it leads through, if they are those under
/// which HEAD was to be moved to `commit`. The caller has the project's write lock and git has
/// ended: a lock that contains our commit is ours, and one without content is when it does not
/// change for [`PATIENCE`].
pub(crate) fn free(plan: &CommitPlan, commit: &str) {
    let names = git_files::head_names(&plan.git_dir, &plan.common_dir).unwrap_or_default();
    let mut locks: Vec<PathBuf> = Vec::new();
    for name in names {
        for dir in [&plan.git_dir, &plan.common_dir] {
            let lock = dir.join(format!("{name}.lock"));
            // Not through a link that a hook may have made.
            let is_inside =
                lock.parent().is_some_and(|it| it.canonicalize().is_ok_and(|at| at == it));
            if is_inside && !locks.contains(&lock) {
                locks.push(lock);
            }
        }
    }
    let is_ours = |lock: &Path| read_text(lock).is_some_and(|text| text.trim() == commit);
    let is_empty = |lock: &Path| read_text(lock).is_some_and(|text| text.is_empty());
    for lock in locks.iter().filter(|lock| is_ours(lock) || is_empty(lock) && stays(lock)) {
        // What cannot be removed is left: git's own message names it.
        let _ = std::fs::remove_file(lock);
    }
}

/// Whether the file stays as it is for [`PATIENCE`].
fn stays(lock: &Path) -> bool {
    let state = || {
        let meta = std::fs::symlink_metadata(lock).ok()?;
        Some((meta.ino(), meta.len(), meta.ctime(), meta.ctime_nsec()))
    };
    let first = state();
    let mut waited = Duration::ZERO;
    while first.is_some() && state() == first {
        if waited >= PATIENCE {
            return true;
        }
        std::thread::sleep(PAUSE);
        waited += PAUSE;
    }
    false
}
