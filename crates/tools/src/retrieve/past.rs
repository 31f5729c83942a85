//! Git history as a ranking signal, cached by HEAD.

use std::path::Path;

use base::{ContentHash, Ctx};
use graph::Map;
use search::History;
use serde::{Deserialize, Serialize};

use crate::{Error, Workspace};

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

/// The git history as a ranking signal for the files of `map`, if the settings enable it; the second
/// value is the reason if it is enabled but not available.
pub(super) fn open_past(
    ctx: &Ctx,
    workspace: &Workspace,
    map: &Map,
) -> Result<(Option<History>, Option<String>), Error> {
    if !workspace.settings().search.history {
        return Ok((None, None));
    }
    let project = workspace.project();
    // A project without a repository has no history, which needs no message.
    let Some(head) = project.head_commit() else { return Ok((None, None)) };
    let file = project.cache_dir().join("history.json");
    let cached = match read(&file).filter(|cached| cached.head == head) {
        Some(cached) => cached,
        None => {
            let cached = match project.past(ctx, workspace.sandbox(), MAX_COMMITS) {
                Ok(Some(history)) => HistoryCache {
                    version: VERSION,
                    head: history.head,
                    commits: history
                        .commits
                        .into_iter()
                        .map(|it| (it.message, it.files.iter().map(ToString::to_string).collect()))
                        .collect(),
                },
                Ok(None) => return Ok((None, None)),
                Err(error @ repo::RepoError::Cancelled(_)) => return Err(error.into()),
                Err(error) => return Ok((None, Some(format!("git history skipped: {error}")))),
            };
            // Without the cache file git runs again next time.
            let _ = write(&file, &cached);
            cached
        }
    };
    let commits =
        cached.commits.iter().map(|(message, files)| (message.as_str(), files.as_slice()));
    Ok((Some(History::new(map, commits)), None))
}

/// Reads the cache file; `None` if it is missing or damaged. Its first line is the hash of the rest.
fn read(file: &Path) -> Option<HistoryCache> {
    let text = String::from_utf8(beneath::read_regular(file, CACHE_BYTES).ok()??).ok()?;
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
    std::fs::create_dir_all(folder)?;
    let new = tempfile::NamedTempFile::new_in(folder)?;
    std::fs::write(new.path(), text)?;
    new.persist(file)?;
    Ok(())
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
