use std::path::Path;

use base::{ContentHash, Ctx};
use graph::Map;
use search::Past;
use serde::{Deserialize, Serialize};

use crate::{Error, Workspace};

/// So many of the last commits count.
const MOST: usize = 2000;
/// Of what is kept of them.
const VERSION: u32 = 1;
/// Bytes of what is kept.
const LARGEST: u64 = 1 << 30;

/// The last commits as they are kept, so that git runs once for each of them.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    version: u32,
    head: String,
    /// Message and files, the last commit first.
    commits: Vec<(String, Vec<String>)>,
}

/// What the commits of the project say of the files of `map`, where the settings ask for it; the
/// second is why it is left out although they do.
pub(super) fn open_past(
    ctx: &Ctx,
    workspace: &Workspace,
    map: &Map,
) -> Result<(Option<Past>, Option<String>), Error> {
    if !workspace.settings().search.history {
        return Ok((None, None));
    }
    let project = workspace.project();
    // A project without a repository has no history: that is no trouble.
    let Some(head) = project.head_commit() else { return Ok((None, None)) };
    let file = project.cache_dir().join("history.json");
    let kept = match read(&file).filter(|kept| kept.head == head) {
        Some(kept) => kept,
        None => {
            let kept = match project.past(ctx, workspace.sandbox(), MOST) {
                Ok(Some(history)) => Kept {
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
                Err(error) => return Ok((None, Some(format!("the history is left out: {error}")))),
            };
            // What cannot be kept is read again the next time.
            let _ = write(&file, &kept);
            kept
        }
    };
    let commits = kept.commits.iter().map(|(message, files)| (message.as_str(), files.as_slice()));
    Ok((Some(Past::new(map, commits)), None))
}

/// What lies there, where it is whole: the hash of the rest stands in the first line.
fn read(file: &Path) -> Option<Kept> {
    let text = String::from_utf8(beneath::read_regular(file, LARGEST).ok()??).ok()?;
    let (hash, json) = text.split_once('\n')?;
    if ContentHash::of(json.as_bytes()).to_string() != hash {
        return None;
    }
    serde_json::from_str(json).ok().filter(|kept: &Kept| kept.version == VERSION)
}

fn write(file: &Path, kept: &Kept) -> std::io::Result<()> {
    let json = serde_json::to_string(kept)?;
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
    fn what_was_kept_comes_back_and_damage_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("cache/history.json");
        assert_eq!(read(&file), None);
        let commits = vec![("Close it\nfor good".to_owned(), vec!["src/a.rs".to_owned()])];
        let kept = Kept { version: VERSION, head: "ab".to_owned(), commits };
        write(&file, &kept).unwrap();
        assert_eq!(read(&file), Some(kept));
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("a.rs", "b.rs")).unwrap();
        assert_eq!(read(&file), None);
    }
}
