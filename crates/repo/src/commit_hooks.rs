//! The hooks of a commit. They run as git runs them, in a session of their own: what they write in the
//! work tree and the git folder is thrown away. Taken over are the message, as text, and their refusal.

use std::path::PathBuf;

use base::Ctx;

use crate::error::RepoError;
use crate::git_index::LARGEST_INDEX;
use crate::git_run::Runner;
use crate::git_session::Session;
use crate::project::Project;

/// The name of the index of the commit's tree in the folder of a session.
pub(crate) const TREE_INDEX: &str = "tree-index";
/// The name of the commit's message in the folder of a session.
pub(crate) const MESSAGE: &str = "COMMIT_EDITMSG";
/// The size in bytes of the largest message that is read.
const LARGEST_MESSAGE: u64 = 1 << 20;

/// The session of the hooks.
pub(crate) struct Hooks<'a> {
    run: Session<'a>,
    top: PathBuf,
}

impl<'a> Hooks<'a> {
    /// Starts a session with a copy of the index of `staged`.
    pub(crate) fn start(
        runner: &'a Runner<'a>,
        ctx: &Ctx,
        project: &Project,
        staged: &Session<'_>,
    ) -> Result<Self, RepoError> {
        let run = runner.session(ctx, project)?;
        let index = staged.read(TREE_INDEX, LARGEST_INDEX)?.unwrap_or_default();
        run.write(TREE_INDEX, &index)?;
        Ok(Self { run, top: runner.dirs.top.clone() })
    }

    /// Runs the hooks before the commit of `tree`; returns the message as they leave it.
    pub(crate) fn before(&self, tree: &str, message: &[u8]) -> Result<Vec<u8>, RepoError> {
        let run = &self.run;
        let index = run.path(TREE_INDEX);
        let with_index = [("GIT_INDEX_FILE", index.as_os_str())];
        run.write(MESSAGE, message)?;
        let path = run.path(MESSAGE).to_string_lossy().into_owned();
        run.hook("pre-commit", &[], &with_index)?;
        run.hook("prepare-commit-msg", &[&path, "message"], &with_index)?;
        run.hook("commit-msg", &[&path], &with_index)?;
        let refuse = |hook: &str, output: &str| RepoError::Hook {
            hook: hook.to_owned(),
            output: output.to_owned(),
        };
        if run.must(&["write-tree"], &with_index, b"")?.text() != tree {
            return Err(refuse("pre-commit", "it changed what was to be committed"));
        }
        let left = run.read(MESSAGE, LARGEST_MESSAGE).ok().flatten();
        left.ok_or_else(|| refuse("commit-msg", "the message is no longer a regular file"))
    }

    /// Runs the hook `reference-transaction`, if there is one, by the command that is to move HEAD: here
    /// it moves it in a layer that is thrown away.
    pub(crate) fn reference(&self, update: &[String]) -> Result<(), RepoError> {
        const HOOK: &str = "reference-transaction";
        let asked = ["rev-parse", "--git-path", &format!("hooks/{HOOK}")];
        if !self.top.join(self.run.must(&asked, &[], b"")?.text()).is_file() {
            return Ok(());
        }
        if !self.run.is_layered() {
            let reason =
                format!("without mounts the hook `{HOOK}` cannot be tried before HEAD moves");
            return Err(RepoError::GitState { reason });
        }
        let args: Vec<&str> = update.iter().map(String::as_str).collect();
        self.run.must(&args, &[], b"").map(drop).map_err(|err| match err {
            RepoError::Git { output, .. } => RepoError::Hook { hook: HOOK.to_owned(), output },
            other => other,
        })
    }
}
