//! One commit of exactly the changed paths, made from git's plumbing in the sandbox.
//!
//! `git commit` would read the index, run hooks, write objects, move HEAD and rewrite the index
//! in one step, and a hook that stages more, or a kill in the middle, would leave it incomplete.
//! With the plumbing all steps that can fail come first, in a private index, and then HEAD is
//! moved by compare-and-swap: before that only unreachable objects were added to the repository,
//! after it the commit exists.

use std::path::Path;

use base::{Ctx, ProjectPath, SortedMap};
use edit::Overlay;
use sandbox::Sandbox;

use crate::commit_hooks::{Hooks, TREE_INDEX};
use crate::commit_objects;
use crate::error::RepoError;
use crate::git::Git;
use crate::git_files::{self, Made};
use crate::git_index::NewIndex;
use crate::git_run::Runner;
use crate::git_session::Session;
use crate::head_locks;
use crate::journal::{CommitPlan, EntryState, Journal, JournalEntry};
use crate::message::CommitMessage;
use crate::project::{Project, WriteLock};

/// A commit that is being made.
pub(crate) struct Committing<'a> {
    runner: Runner<'a>,
    message: CommitMessage,
    /// The project's root below the work tree's top, with a slash at the end, or nothing.
    prefix: String,
    files: Vec<(ProjectPath, Option<bool>)>,
    head: Option<String>,
    mark: String,
    reverts: Option<String>,
    /// Set once HEAD has moved; from then on nothing is rolled back.
    pub(crate) made: Option<String>,
}

impl<'a> Committing<'a> {
    /// Checks whether a commit is possible; nothing is run yet.
    pub(crate) fn prepare(
        project: &Project,
        sandbox: &'a Sandbox,
        overlay: &Overlay,
        message: &CommitMessage,
        git: &'a Git,
    ) -> Result<Self, RepoError> {
        let mark = overlay.patch_set().short()[..8].to_owned();
        message.guard(&mark)?;
        let dirs = git_files::find(project.root())
            .ok_or_else(|| RepoError::NoGit { path: project.root().to_owned() })?;
        if let Some(reason) = unfinished(&dirs.git_dir) {
            return Err(RepoError::GitState { reason: reason.to_owned() });
        }
        let prefix = ProjectPath::within(&dirs.top, project.root())
            .map_or(String::new(), |prefix| format!("{prefix}/"));
        let files = overlay
            .changes()
            .map(|(path, change)| (path.clone(), change.before.as_ref().map(|f| f.executable)))
            .collect();
        let runner = Runner::new(sandbox, git, dirs)?;
        let message = message.clone();
        Ok(Self { runner, message, prefix, files, head: None, mark, reverts: None, made: None })
    }

    /// Each path must be the same in HEAD, in the index and in the tree: any other change of the
    /// user would become part of our commit.
    pub(crate) fn check_paths(&mut self, ctx: &Ctx, project: &Project) -> Result<(), RepoError> {
        let run = self.runner.session(ctx, project)?;
        let head = run.git(&["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], &[], b"")?;
        self.head = (head.code == 0).then(|| head.text()).filter(|head| !head.is_empty());
        if git_files::head(&self.plan()) != self.head {
            // After a kill only HEAD shows whether the commit was made, and then it is read
            // without git.
            let reason = "HEAD cannot be read from the repository's files (reftable?)".to_owned();
            return Err(RepoError::GitState { reason });
        }
        let paths: Vec<String> =
            self.files.iter().map(|(path, _)| format!("{}{path}", self.prefix)).collect();
        commit_objects::refuse_lfs(&run, &paths)?;
        let mut in_head = SortedMap::new();
        if self.head.is_some() {
            let listed = run.with_paths(&["ls-tree", "-z", "HEAD", "--"], &paths)?;
            // `<mode> <type> <object>\t<path>`
            for (words, path) in records(&listed) {
                if let [mode, _, object] = words[..] {
                    in_head.insert(path, (mode.to_owned(), object.to_owned()));
                }
            }
        }
        let mut in_index = SortedMap::new();
        let listed = run.with_paths(&["ls-files", "--stage", "-z", "--"], &paths)?;
        // `<mode> <object> <stage>\t<path>`
        for (words, path) in records(&listed) {
            if let [mode, object, _] = words[..] {
                in_index.insert(path, (mode.to_owned(), object.to_owned()));
            }
        }
        let present: Vec<String> = self
            .files
            .iter()
            .zip(&paths)
            .filter(|((_, before), _)| before.is_some())
            .map(|(_, path)| path.clone())
            .collect();
        let in_tree: SortedMap<String, String> =
            present.iter().cloned().zip(run.hash_objects(&present, false)?).collect();
        let modes_count = run.git(&["config", "--type=bool", "core.fileMode"], &[], b"")?;
        let modes_count = modes_count.text() != "false";
        for ((file, before), path) in self.files.iter().zip(&paths) {
            let difference = match (before, in_head.get(path), in_index.get(path)) {
                (None, None, None) => continue,
                (None, _, Some(_)) => "it is in the index",
                (None, Some(_), None) => "its deletion is not committed",
                (Some(_), None, _) => "it is not in HEAD",
                (Some(_), Some(_), None) => "its deletion is staged",
                (Some(_), Some(head), Some(index)) if head != index => {
                    "the index holds another state of it than HEAD"
                }
                (Some(executable), Some(_), Some((mode, object))) => {
                    let same_mode = mode == mode_of(*executable) || !modes_count;
                    if in_tree.get(path) == Some(object) && same_mode {
                        continue;
                    }
                    "the file is not as it was committed"
                }
            };
            return Err(RepoError::Uncommitted {
                path: file.clone(),
                difference: difference.to_owned(),
            });
        }
        Ok(())
    }

    /// The data with which a later process detects how far the commit has come.
    pub(crate) fn plan(&self) -> CommitPlan {
        CommitPlan {
            git_dir: self.runner.dirs.git_dir.clone(),
            common_dir: self.runner.dirs.common_dir.clone(),
            head: self.head.clone(),
        }
    }

    /// Turns this into the commit that reverts `commit`.
    pub(crate) fn turn_to_revert(
        &mut self,
        ctx: &Ctx,
        project: &Project,
        commit: &str,
    ) -> Result<(), RepoError> {
        let run = self.runner.session(ctx, project)?;
        let head = run.must(&["rev-parse", "--verify", "HEAD^{commit}"], &[], b"")?;
        self.head = Some(head.text());
        self.message = CommitMessage {
            kind: "revert".to_owned(),
            scope: self.message.scope.clone(),
            summary: self.message.summary.clone(),
            body: vec![
                format!("This reverts commit {commit}."),
                "The check after the commit failed.".to_owned(),
            ],
        }
        .fitted();
        self.reverts = Some(commit.to_owned());
        self.made = None;
        Ok(())
    }

    /// Commits the present files and returns the hash of the commit.
    pub(crate) fn run(
        &mut self,
        ctx: &Ctx,
        project: &Project,
        journal: &Journal,
        lock: &WriteLock,
        entry: &JournalEntry,
    ) -> Result<String, RepoError> {
        let run = self.runner.session(ctx, project)?;
        let changes = self.stage(&run, entry)?;
        still_as_written(project, entry)?;
        let head = self.head.as_deref();
        let tree = commit_objects::write_tree(&run, head, &changes)?;
        run.keep(project, &commit_objects::new_objects(&run, head, &tree)?)?;
        let mut message = self.text(entry).into_bytes();
        let mut hooks = None;
        if self.reverts.is_none() {
            let session = Hooks::start(&self.runner, ctx, project, &run)?;
            message = session.before(&tree, &message)?;
            hooks = Some(session);
        }
        let commit = commit_objects::commit_tree(&run, head, &tree, &message)?;
        run.keep(project, std::slice::from_ref(&commit))?;
        if let Some(hooks) = &hooks {
            hooks.reference(&self.head_update(&commit))?;
        }
        ctx.check_cancelled()?;
        let index =
            NewIndex::prepare(&run, journal, &self.runner.dirs.git_dir, &changes, TREE_INDEX)?;
        crate::crash_points::reached();
        if let Err(err) = journal.note_commit(&commit) {
            index.give_up();
            return Err(err);
        }
        crate::crash_points::reached();
        if let Err(err) = self.move_head(ctx, project, lock, &commit) {
            index.give_up();
            return Err(err);
        }
        self.made = Some(commit.clone());
        index.install()?;
        if hooks.is_some() {
            // Git ignores the result of this hook too.
            let after = self.runner.session(ctx, project)?;
            let _ = after.hook("post-commit", &[], &[]);
        }
        Ok(commit)
    }

    /// The command that moves HEAD to the commit.
    fn head_update(&self, commit: &str) -> Vec<String> {
        let log = format!("commit: {}", self.message.subject(&self.mark));
        // The zero hash: HEAD must not name anything yet.
        let zero = "0".repeat(commit.len());
        let former = self.head.as_deref().unwrap_or(&zero);
        ["update-ref", "-m", &log, "HEAD", commit, former].map(str::to_owned).into()
    }

    /// Makes HEAD the commit; an error means that it is not.
    fn move_head(
        &self,
        ctx: &Ctx,
        project: &Project,
        lock: &WriteLock,
        commit: &str,
    ) -> Result<(), RepoError> {
        // References and their logs have files in both folders, and so have their locks.
        let run = self.runner.writer(ctx, project, &[&self.runner.dirs.common_dir])?;
        let update = self.head_update(commit);
        let args: Vec<&str> = update.iter().map(String::as_str).collect();
        let moved = run.must_under(lock, &args);
        crate::crash_points::reached();
        let Err(err) = moved else { return Ok(()) };
        // Git may have been ended when HEAD had moved already.
        head_locks::free(&self.plan(), commit);
        match git_files::was_made(&self.plan(), Some(commit)) {
            Made::Yes => Ok(()),
            _ if self.is_overtaken(ctx, project) => {
                Err(RepoError::Moved { changed: vec!["HEAD".to_owned()] })
            }
            _ => Err(err),
        }
    }

    /// Whether the user or another process has committed since this commit was prepared.
    fn is_overtaken(&self, ctx: &Ctx, project: &Project) -> bool {
        let Ok(run) = self.runner.session(ctx, project) else { return false };
        let head = run.must(&["rev-parse", "--verify", "HEAD^{commit}"], &[], b"");
        head.is_ok_and(|it| Some(it.text()) != self.head)
    }

    /// Stores the files' new contents; returns the index lines of the change.
    fn stage(&self, run: &Session<'_>, entry: &JournalEntry) -> Result<Vec<u8>, RepoError> {
        let states: Vec<(String, Option<bool>)> = entry
            .files
            .iter()
            .map(|file| {
                let state = match entry.state {
                    EntryState::Applied => &file.after,
                    EntryState::Undone(_) => &file.before,
                };
                let executable = state.as_ref().map(|state| state.executable);
                (format!("{}{}", self.prefix, file.path), executable)
            })
            .collect();
        let present: Vec<String> = states
            .iter()
            .filter(|(_, executable)| executable.is_some())
            .map(|(path, _)| path.clone())
            .collect();
        let mut objects = run.hash_objects(&present, true)?.into_iter();
        let mut lines = Vec::new();
        for (path, executable) in states {
            match executable {
                Some(executable) => {
                    let object = objects.next().unwrap_or_default();
                    let mode = mode_of(executable);
                    lines.extend_from_slice(format!("{mode} {object}\t{path}\0").as_bytes());
                }
                None => {
                    let zero = "0".repeat(self.head.as_ref().map_or(40, String::len));
                    lines.extend_from_slice(format!("0 {zero}\t{path}\0").as_bytes());
                }
            }
        }
        Ok(lines)
    }

    fn text(&self, entry: &JournalEntry) -> String {
        let mut text = self.message.subject(&self.mark);
        for paragraph in &self.message.body {
            text.push_str("\n\n");
            text.push_str(paragraph.trim_end());
        }
        text.push_str("\n\nFiles:\n");
        for file in &entry.files {
            let verb = match (&file.before, &file.after) {
                (None, _) => "create",
                (_, None) => "delete",
                _ => "edit",
            };
            text.push_str(&format!("- {verb} {}\n", file.path));
        }
        let author: String =
            entry.author.chars().filter(|c| !c.is_control() && !"<>".contains(*c)).collect();
        text.push_str(&format!(
            "\nPatch-set: {}\nCo-authored-by: {} <noreply@graftage.invalid>\n",
            entry.patch_set,
            author.trim()
        ));
        text
    }
}

/// Checks that git has read what was written, and not a later edit.
fn still_as_written(project: &Project, entry: &JournalEntry) -> Result<(), RepoError> {
    let tree = project.tree()?;
    for file in &entry.files {
        let wanted = match entry.state {
            EntryState::Applied => &file.after,
            EntryState::Undone(_) => &file.before,
        };
        let bytes = tree.read(&file.path).ok().flatten().map(|found| found.bytes);
        if bytes.as_deref() != wanted.as_ref().map(|wanted| wanted.text.as_bytes()) {
            return Err(RepoError::Changed {
                path: file.path.clone(),
                difference: "another process changed it while the commit was made".to_owned(),
            });
        }
    }
    Ok(())
}

/// The unfinished git operation, if there is one.
fn unfinished(git_dir: &Path) -> Option<&'static str> {
    [
        ("MERGE_HEAD", "a merge is not finished"),
        ("CHERRY_PICK_HEAD", "a cherry-pick is not finished"),
        ("REVERT_HEAD", "a revert is not finished"),
        ("rebase-merge", "a rebase is not finished"),
        ("rebase-apply", "a rebase is not finished"),
    ]
    .into_iter()
    .find(|(name, _)| git_dir.join(name).exists())
    .map(|(_, reason)| reason)
}

fn mode_of(executable: bool) -> &'static str {
    if executable { "100755" } else { "100644" }
}

/// NUL-separated records of the form `words\tpath`.
fn records(bytes: &[u8]) -> Vec<(Vec<&str>, String)> {
    bytes
        .split(|byte| *byte == 0)
        .filter_map(|record| std::str::from_utf8(record).ok()?.split_once('\t'))
        .map(|(words, path)| (words.split_whitespace().collect(), path.to_owned()))
        .collect()
}
