//! The last commit as an overlay over the present tree, so that verification can use the state
//! before the user's uncommitted work. Git only reads.

use std::sync::Arc;

use base::{Ctx, ProjectPath, SortedMap};
use edit::{FileState, Files, Overlay};
use sandbox::Sandbox;
use untrusted_fs::{Dir, EntryKind};

use crate::error::RepoError;
use crate::git_files;
use crate::git_run::Runner;
use crate::git_session::Session;
use crate::project::Project;

/// A file of a commit.
struct Committed {
    object: String,
    executable: bool,
}

impl Project {
    /// The overlay that turns the present tree into that of HEAD; `None` if there is no git
    /// repository or no commit. Files that are not UTF-8 text, links and submodules are left as they
    /// are. Git only reads.
    pub fn head_overlay(&self, ctx: &Ctx, sandbox: &Sandbox) -> Result<Option<Overlay>, RepoError> {
        self.overlay_back_to(ctx, sandbox, "HEAD")
    }

    /// The overlay that turns the present tree into that of a commit, given as git names it; `None`
    /// if there is no git repository or no such commit.
    pub fn overlay_back_to(
        &self,
        ctx: &Ctx,
        sandbox: &Sandbox,
        revision: &str,
    ) -> Result<Option<Overlay>, RepoError> {
        let Some(dirs) = git_files::find(self.root()) else { return Ok(None) };
        let Ok(below) = self.root().strip_prefix(&dirs.top) else { return Ok(None) };
        let prefix = match below.to_str() {
            Some("") => String::new(),
            Some(below) => format!("{below}/"),
            None => return Ok(None),
        };
        let runner = match Runner::new(sandbox, self.git(), dirs) {
            Err(RepoError::GitMissing | RepoError::GitState { .. }) => return Ok(None),
            runner => runner?,
        };
        let run = runner.reader(ctx, self)?;
        let commit = format!("{revision}^{{commit}}");
        let verify = ["rev-parse", "--quiet", "--verify", "--end-of-options", &commit];
        let commit = run.git(&verify, &[], b"")?;
        if commit.code != 0 {
            return Ok(None);
        }
        let commit = String::from_utf8_lossy(&commit.stdout).trim().to_owned();
        let committed = committed(&run, &commit, &prefix)?;
        let present = self.snapshot(ctx)?.files;

        // Git would read what a link leads to.
        let root = Dir::open(self.root()).ok();
        let is_file = |path: &ProjectPath| {
            let kind = root.as_ref().and_then(|root| root.kind(path.as_str()).ok().flatten());
            kind == Some(EntryKind::File)
        };
        let both: Vec<&ProjectPath> =
            present.keys().filter(|it| committed.contains_key(*it) && is_file(it)).collect();
        let names: Vec<String> = both.iter().map(|path| format!("{prefix}{path}")).collect();
        let same: Vec<&ProjectPath> = both
            .iter()
            .zip(run.hash_objects(&names, false)?)
            .filter(|(path, object)| committed[**path].object == *object)
            .map(|(path, _)| *path)
            .collect();

        let mut states = Vec::new();
        for (path, file) in committed.iter().filter(|(path, _)| !same.contains(path)) {
            let Ok(before) = self.read(path) else { continue };
            let name = format!("{commit}:{prefix}{path}");
            let text = run.must(&["cat-file", "--filters", &name], &[], b"")?.stdout;
            let Ok(text) = String::from_utf8(text) else { continue };
            let after = FileState { text: Arc::from(text), executable: file.executable };
            states.push((path.clone(), before, Some(after)));
        }
        for path in present.keys().filter(|path| !committed.contains_key(*path)) {
            if let Ok(before) = self.read(path) {
                states.push((path.clone(), before, None));
            }
        }
        Ok(Some(Overlay::from_states(revision, ctx.now(), states)))
    }
}

/// The regular files of a commit below `prefix`.
fn committed(
    run: &Session<'_>,
    commit: &str,
    prefix: &str,
) -> Result<SortedMap<ProjectPath, Committed>, RepoError> {
    let listed = run.must(&["ls-tree", "-r", "-z", "--full-tree", commit], &[], b"")?.stdout;
    let mut files = SortedMap::new();
    // `<mode> <type> <object>\t<path>`
    for record in listed.split(|byte| *byte == 0) {
        let Ok(record) = std::str::from_utf8(record) else { continue };
        let Some((words, path)) = record.split_once('\t') else { continue };
        let mut words = words.split(' ');
        let (Some(mode), Some("blob"), Some(object)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let path = path.strip_prefix(prefix).and_then(|path| ProjectPath::new(path).ok());
        if let (Some(path), "100644" | "100755") = (path, mode) {
            let executable = mode == "100755";
            files.insert(path, Committed { object: object.to_owned(), executable });
        }
    }
    Ok(files)
}
