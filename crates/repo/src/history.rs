//! The messages and files of the last commits, for ranking code by its history.

use base::{Ctx, ProjectPath};
use sandbox::Sandbox;

use crate::error::RepoError;
use crate::git_files;
use crate::git_run::Runner;
use crate::project::Project;

/// The maximum number of files of a commit: a larger one (a move, a new format) does not show which
/// files belong together.
const MOST_FILES: usize = 40;
/// The kept length of a message in bytes.
const MOST_MESSAGE: usize = 4_000;

/// The last commits that changed Rust sources of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The commit at which it was read.
    pub head: String,
    /// The last one first.
    pub commits: Vec<PastCommit>,
}

/// One commit of the past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastCommit {
    /// The message.
    pub message: String,
    /// Rust files of the project that it changed, sorted.
    pub files: Vec<ProjectPath>,
}

impl Project {
    /// The commit that HEAD names, read from git's files: no process is started.
    pub fn head_commit(&self) -> Option<String> {
        git_files::head_of_work_tree(self.root())
    }

    /// The last `most` commits that changed Rust sources of the project, merges left out; `None`
    /// where there is no repository, no commit or no git. Git only reads.
    ///
    /// # Errors
    /// When git fails, or the user asked to stop.
    pub fn past(
        &self,
        ctx: &Ctx,
        sandbox: &Sandbox,
        most: usize,
    ) -> Result<Option<History>, RepoError> {
        let Some(dirs) = git_files::find(self.root()) else { return Ok(None) };
        let Some(head) = git_files::head_of_work_tree(self.root()) else { return Ok(None) };
        let below = self.root().strip_prefix(&dirs.top).ok().and_then(|below| below.to_str());
        let Some(below) = below else { return Ok(None) };
        let prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
        let runner = match Runner::new(sandbox, self.git(), dirs) {
            Err(RepoError::GitMissing | RepoError::GitState { .. }) => return Ok(None),
            runner => runner?,
        };
        let run = runner.reader(ctx, self)?;
        let most = format!("--max-count={most}");
        let place = if below.is_empty() { "." } else { below };
        // A commit: the byte 1, its message, the byte 2, its files, each behind a zero.
        let args = [
            "log",
            "--no-merges",
            "--no-renames",
            "--no-show-signature",
            "--no-color",
            "--no-mailmap",
            "--no-notes",
            "--encoding=UTF-8",
            &most,
            "--format=%x01%B%x02",
            "--name-only",
            "-z",
            &head,
            "--",
            place,
        ];
        let log = run.must(&args, &[], b"")?;
        Ok(Some(History { commits: commits(&log.stdout, &prefix), head }))
    }
}

fn commits(log: &[u8], prefix: &str) -> Vec<PastCommit> {
    let parts = log.split(|byte| *byte == 1).skip(1);
    parts.filter_map(|part| commit(&String::from_utf8_lossy(part), prefix)).collect()
}

fn commit(text: &str, prefix: &str) -> Option<PastCommit> {
    let (message, names) = text.split_once('\u{2}')?;
    let names = names.split('\0').map(|name| name.trim_start_matches('\n'));
    let own = names.filter_map(|name| name.strip_prefix(prefix));
    let mut files: Vec<ProjectPath> = own
        .filter(|name| name.ends_with(".rs"))
        .filter_map(|name| ProjectPath::new(name).ok())
        .collect();
    files.sort();
    files.dedup();
    let message = message[..message.floor_char_boundary(MOST_MESSAGE)].trim().to_owned();
    (!files.is_empty() && files.len() <= MOST_FILES).then_some(PastCommit { message, files })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_as_git_writes_it() {
        let log = b"\x01Close it\n\nFor good.\n\x02\0\nsrc/a.rs\0README.md\0lib/src/b.rs\0\0\
                    \x01Words only\n\x02\0\nREADME.md\0";
        let found = commits(log, "");
        let files: Vec<&str> = found[0].files.iter().map(|file| file.as_str()).collect();
        assert_eq!((found.len(), found[0].message.as_str()), (1, "Close it\n\nFor good."));
        assert_eq!(files, ["lib/src/b.rs", "src/a.rs"]);
        let below = commits(log, "lib/");
        assert_eq!(below[0].files[0].as_str(), "src/b.rs");
        assert!(commits(b"", "").is_empty());
        assert!(commits(b"\x01no end", "").is_empty());
    }

    #[test]
    fn commits_that_change_everything_say_nothing() {
        let names: String = (0..=MOST_FILES).map(|n| format!("src/{n}.rs\0")).collect();
        assert!(commits(format!("\u{1}Move\n\u{2}\0\n{names}").as_bytes(), "").is_empty());
    }
}
