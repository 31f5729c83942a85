//! The texts that both sides of a merge began with, as git keeps them in the index while a merge has conflicts. Git
//! only reads.

use std::sync::Arc;
use std::time::Duration;

use base::{Ctx, ProjectPath, SortedMap};
use sandbox::Sandbox;

use crate::error::RepoError;
use crate::git_files;
use crate::git_run::Runner;
use crate::past_changes::{batch, is_object, no_fetch};
use crate::project::Project;

/// The maximum size of one text in bytes.
const MOST_TEXT: usize = 4 << 20;
/// The maximum number of files.
const MOST_FILES: usize = 64;
/// The time limit of one git command.
const TIME: Duration = Duration::from_secs(5);

impl Project {
    /// The texts that both sides of a merge began with, of those of `paths` that git has in conflict;
    /// empty where there is no repository or no git.
    ///
    /// # Errors
    /// When git fails or takes too long, or the user asked to stop.
    pub fn merge_bases(
        &self,
        ctx: &Ctx,
        sandbox: &Sandbox,
        paths: &[ProjectPath],
    ) -> Result<SortedMap<ProjectPath, Arc<str>>, RepoError> {
        let Some(dirs) = git_files::find(self.root()) else { return Ok(SortedMap::new()) };
        let below = self.root().strip_prefix(&dirs.top).ok().and_then(|below| below.to_str());
        let (Some(below), false) = (below, paths.is_empty()) else { return Ok(SortedMap::new()) };
        let prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
        let runner = match Runner::new(sandbox, self.git(), dirs) {
            Err(RepoError::GitMissing | RepoError::GitState { .. }) => return Ok(SortedMap::new()),
            runner => runner?,
        };
        let mut run = runner.reader(ctx, self)?;
        run.limit_time(TIME);
        let args = ["ls-files", "--unmerged", "--full-name", "-z", "--"];
        let place = if below.is_empty() { "." } else { below };
        let listed = run.must(&[&args[..], &[place]].concat(), &no_fetch(), b"")?.stdout;
        let mut found: Vec<(ProjectPath, String)> = listed
            .split(|byte| *byte == 0)
            .filter_map(|it| base_entry(it, &prefix))
            .filter(|(path, _)| paths.contains(path))
            .collect();
        found.truncate(MOST_FILES);
        let objects: String = found.iter().map(|(_, object)| format!("{object}\n")).collect();
        let args = ["cat-file", "--batch=%(objectname) %(objectsize)"];
        let texts = match objects.is_empty() {
            true => SortedMap::new(),
            false => batch(&run.must(&args, &no_fetch(), objects.as_bytes())?.stdout),
        };
        let text = |object: &String| {
            let bytes = texts.get(object).filter(|it| it.len() <= MOST_TEXT)?;
            std::str::from_utf8(bytes).ok().map(Arc::<str>::from)
        };
        Ok(found.iter().filter_map(|(path, object)| Some((path.clone(), text(object)?))).collect())
    }
}

/// `100644 <object> 1\t<path>`: the version that both sides began with.
fn base_entry(record: &[u8], prefix: &str) -> Option<(ProjectPath, String)> {
    let (head, path) = std::str::from_utf8(record).ok()?.split_once('\t')?;
    let [mode, object, "1"] = head.split(' ').collect::<Vec<_>>()[..] else { return None };
    let is_file = (mode == "100644" || mode == "100755") && is_object(object);
    let path = ProjectPath::new(path.strip_prefix(prefix)?).ok()?;
    is_file.then(|| (path, object.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_common_version_of_files_below_the_project_is_read() {
        let object = "a".repeat(40);
        let entry = |mode: &str, stage: u8, path: &str| {
            base_entry(format!("{mode} {object} {stage}\t{path}").as_bytes(), "lib/")
        };
        let path = ProjectPath::new("src/a b.rs").unwrap();
        assert_eq!(entry("100644", 1, "lib/src/a b.rs"), Some((path, object.clone())));
        assert_eq!(entry("100644", 2, "lib/src/a.rs"), None);
        assert_eq!(entry("120000", 1, "lib/src/a.rs"), None);
        assert_eq!(entry("100644", 1, "src/a.rs"), None);
        assert_eq!(base_entry(b"100644 no 1\tlib/a.rs", "lib/"), None);
    }
}
