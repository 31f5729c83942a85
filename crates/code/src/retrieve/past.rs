//! Git history as a ranking signal, cached by HEAD.

use std::path::Path;
use std::sync::Arc;

use base::{ContentHash, Ctx, Hasher};
use graph::Map;
use project::Workspace;
use search::HistoryIndex;
use serde::{Deserialize, Serialize};

use crate::CodeError;

/// Number of commits, newest first.
const MAX_COMMITS: usize = 2000;
/// Version of the cache file.
const VERSION: u32 = 1;
/// Size limit of the cache file in bytes.
const CACHE_BYTES: u64 = 1 << 30;

/// The last commits in the cache file, so that git runs once per HEAD.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct HistoryCache {
    version: u32,
    head: String,
    /// Message and files of each commit, newest first.
    commits: Vec<(String, Vec<String>)>,
}

/// The git history as a ranking signal, for one map after another.
#[derive(Default)]
pub(super) struct Past {
    commits: Option<HistoryCache>,
    /// The signal, and the files of the maps that it is for.
    known: Option<(ContentHash, Arc<HistoryIndex>)>,
}

/// The signal, if the settings enable it and there are commits, and the reason if it is enabled but not
/// available.
type OpenedPast = (Option<Arc<HistoryIndex>>, Option<String>);

impl Past {
    /// The history as a ranking signal for the files of `map`.
    pub(super) fn of_map(
        &mut self,
        ctx: &Ctx,
        workspace: &Workspace,
        map: &Map,
    ) -> Result<OpenedPast, CodeError> {
        let project = workspace.project();
        // A project without a repository has no history, which needs no message.
        let head = project.head_commit().filter(|_| workspace.settings().search.history);
        let Some(head) = head else { return Ok((None, None)) };
        if self.commits.as_ref().is_none_or(|commits| commits.head != head) {
            (self.commits, self.known) = (None, None);
            match commits(ctx, workspace, &head) {
                Ok(found) => self.commits = found,
                Err(error @ repo::RepoError::Cancelled(_)) => return Err(error.into()),
                Err(error) => return Ok((None, Some(format!("git history skipped: {error}")))),
            }
        }
        let Some(commits) = &self.commits else { return Ok((None, None)) };
        // Its numbers are those of the files, which mostly stay the same.
        let mut paths = Hasher::new();
        map.files().for_each(|file| {
            paths.field(file.path.as_bytes());
        });
        let paths = paths.finish();
        let known = self.known.take().filter(|(of, _)| *of == paths);
        let (_, signal) = self.known.insert(known.unwrap_or_else(|| {
            let commits = commits.commits.iter();
            let commits = commits.map(|(message, files)| (message.as_str(), files.as_slice()));
            (paths, Arc::new(HistoryIndex::new(map, commits)))
        }));
        Ok((Some(Arc::clone(signal)), None))
    }
}

/// The last commits of the project at `head`: those of the cache file, or those that git lists.
fn commits(
    ctx: &Ctx,
    workspace: &Workspace,
    head: &str,
) -> Result<Option<HistoryCache>, repo::RepoError> {
    let project = workspace.project();
    let file = project.cache_dir().join("history.json");
    if let Some(cached) = read(&file).filter(|cached| cached.head == head) {
        return Ok(Some(cached));
    }
    let Some(history) = project.past(ctx, workspace.sandbox(), MAX_COMMITS)? else {
        return Ok(None);
    };
    let commits = history.commits.into_iter();
    let commits =
        commits.map(|it| (it.message, it.files.iter().map(ToString::to_string).collect()));
    let listed = HistoryCache { version: VERSION, head: history.head, commits: commits.collect() };
    // Without the cache file git runs again next time.
    let _ = write(&file, &listed);
    Ok(Some(listed))
}

/// Reads the cache file; `None` if it is missing or damaged. Its first line is the hash of the rest.
fn read(file: &Path) -> Option<HistoryCache> {
    let text = String::from_utf8(untrusted_fs::read_regular(file, CACHE_BYTES).ok()??).ok()?;
    let (hash, json) = text.split_once('\n')?;
    if ContentHash::of(json.as_bytes()).to_string() != hash {
        return None;
    }
    serde_json::from_str(json).ok().filter(|cached: &HistoryCache| cached.version == VERSION)
}

fn write(file: &Path, cached: &HistoryCache) -> std::io::Result<()> {
    let json = serde_json::to_string(cached)?;
    let text = format!("{}\n{json}", ContentHash::of(json.as_bytes()));
    let folder = file.parent().unwrap_or(Path::new("."));
    let name = file.file_name().unwrap_or_default();
    Ok(untrusted_fs::make_own(folder)?.replace(name, &[text.as_bytes()], 0o600)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_survives_a_round_trip_and_damage_is_detected() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("cache/history.json");
        assert_eq!(read(&file), None);
        let commits = vec![("Close it\nfor good".to_owned(), vec!["src/a.rs".to_owned()])];
        let cached = HistoryCache { version: VERSION, head: "ab".to_owned(), commits };
        write(&file, &cached).unwrap();
        assert_eq!(read(&file), Some(cached));
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("a.rs", "b.rs")).unwrap();
        assert_eq!(read(&file), None);
    }
}
