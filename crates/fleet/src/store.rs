//! [`FleetStore`]: the folder of a run.

use std::path::{Path, PathBuf};

use base::{ContentHash, Ctx};
use serde::{Deserialize, Serialize};
use untrusted_fs::{OwnFiles, make_chosen, read_own, replace_own};

use crate::page::page;
use crate::{FleetError, FleetReport, Repository, RepositoryResult};

/// Most bytes of a result.
const MOST_BYTES: u64 = 256 << 20;

/// Most results that are listed.
const MOST: usize = 200_000;

/// Longest name of a file before its ending, in bytes: a file that is being written has a longer one.
const LONGEST_NAME: usize = 100;

/// The file of the page.
const PAGE: &str = "report.html";

/// The task of a folder.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    /// Words of the task.
    task: Vec<String>,
    /// Whether changes are written.
    applies: bool,
    /// Whether all repositories have their result: another run begins anew.
    is_complete: bool,
}

/// Folder of a run: `fleet.json`, `results/`, `patches/`, `report.html`, and `work/` while it runs.
pub struct FleetStore {
    folder: PathBuf,
    header: Header,
    results: OwnFiles,
    /// Held while a run writes.
    _lock: Option<std::fs::File>,
}

impl FleetStore {
    /// Opens the folder for a run of a task, and keeps others out; a new folder is made.
    ///
    /// # Errors
    /// [`FleetError`]: the folder cannot be written, is in use, or has results of another task.
    pub fn begin(
        ctx: &Ctx,
        folder: &Path,
        task: &[String],
        applies: bool,
    ) -> Result<Self, FleetError> {
        let unwritable = |path: &Path, cause: &dyn std::fmt::Display| FleetError::Unwritable {
            path: path.display().to_string(),
            cause: cause.to_string(),
        };
        let dir = make_chosen(folder).map_err(|fault| unwritable(folder, &fault))?;
        let folder = folder.canonicalize().map_err(|error| unwritable(folder, &error))?;
        let lock = dir.open_lock("lock").map_err(|fault| unwritable(&folder, &fault))?;
        if lock.try_lock().is_err() {
            return Err(FleetError::InUse(folder.display().to_string()));
        }
        let header = Header { task: task.to_vec(), applies, is_complete: false };
        let found = read_header(&folder);
        if let Some(found) = found.filter(|it| *it != header) {
            if found.task != header.task || found.applies != applies {
                let (folder, task) = (folder.display().to_string(), found.task.join(" "));
                return Err(FleetError::OtherTask { folder, task });
            }
            for old in ["results", "patches"] {
                dir.remove_all(old).map_err(|fault| unwritable(&folder.join(old), &fault))?;
            }
        }
        // Of a run that was cut off.
        let _ = dir.remove_all("work");
        let store = Self::new(folder, header, Some(lock));
        store.write_header(ctx, false)?;
        Ok(store)
    }

    fn write_header(&self, ctx: &Ctx, is_complete: bool) -> Result<(), FleetError> {
        let (task, applies) = (self.header.task.clone(), self.header.applies);
        let text = serde_json::to_vec_pretty(&Header { task, applies, is_complete });
        self.write(ctx, "fleet.json", &text.unwrap_or_default())
    }

    /// Replaces a file of the folder as a whole.
    fn write(&self, ctx: &Ctx, name: &str, bytes: &[u8]) -> Result<(), FleetError> {
        let path = self.folder.join(name);
        replace_own(&path, bytes, &ctx.fresh_name()).map_err(|error| FleetError::Unwritable {
            path: path.display().to_string(),
            cause: error.to_string(),
        })
    }

    /// Opens a folder to read its results.
    ///
    /// # Errors
    /// [`FleetError::NoResults`].
    pub fn open(folder: &Path) -> Result<Self, FleetError> {
        let header = read_header(folder)
            .ok_or_else(|| FleetError::NoResults(folder.display().to_string()))?;
        Ok(Self::new(folder.to_owned(), header, None))
    }

    fn new(folder: PathBuf, header: Header, lock: Option<std::fs::File>) -> Self {
        let results = OwnFiles::new(folder.join("results"), MOST_BYTES);
        Self { folder, header, results, _lock: lock }
    }

    /// Folder for the caches of a repository.
    pub(crate) fn work(&self, id: &str) -> PathBuf {
        self.folder.join("work").join(id)
    }

    /// The result of a repository, unless it is to be run again.
    pub(crate) fn get(&self, id: &str) -> Option<RepositoryResult> {
        let result: RepositoryResult = serde_json::from_slice(&self.results.get(id)?).ok()?;
        result.is_final().then_some(result)
    }

    /// Keeps a result, and its patch as a file for `git apply`.
    pub(crate) fn put(
        &self,
        ctx: &Ctx,
        id: &str,
        result: &RepositoryResult,
    ) -> Result<(), FleetError> {
        let failed = |path: PathBuf, error: std::io::Error| FleetError::Unwritable {
            path: path.display().to_string(),
            cause: error.to_string(),
        };
        if let Some(patch) = &result.patch {
            let path = self.patch_path(&result.name);
            let folder = self.folder.join("patches");
            let made = untrusted_fs::make_own(&folder).map_err(std::io::Error::other);
            made.and_then(|_| replace_own(&path, patch.as_bytes(), &ctx.fresh_name()))
                .map_err(|error| failed(path, error))?;
        }
        let text = serde_json::to_vec_pretty(result).unwrap_or_default();
        let put = self.results.put(id, &text, &ctx.fresh_name());
        put.map_err(|error| failed(self.folder.join("results"), error))
    }

    /// The file of the patch of a repository. No two names have the same.
    pub fn patch_path(&self, name: &str) -> PathBuf {
        let escaped = |it: char| match it == '/' || it == '%' || it.is_whitespace() {
            true => format!("%{:02X}", u32::from(it)),
            false => it.to_string(),
        };
        let mut file: String = name.chars().map(escaped).collect();
        // Systems limit the bytes of a name.
        if file.len() > LONGEST_NAME {
            let end = (0..=LONGEST_NAME).rev().find(|it| file.is_char_boundary(*it));
            file.truncate(end.unwrap_or_default());
            file = format!("{file}-{}", ContentHash::of(name.as_bytes()).short());
        }
        self.folder.join("patches").join(format!("{file}.patch"))
    }

    /// The file of the page.
    pub fn page_path(&self) -> PathBuf {
        self.folder.join(PAGE)
    }

    /// All results; `expected` repositories belong to the fleet.
    pub fn report(&self, expected: Option<usize>) -> FleetReport {
        let ids = self.results.ids(MOST);
        let read = |id: &String| serde_json::from_slice(&self.results.get(id)?).ok();
        let mut all: Vec<RepositoryResult> = ids.iter().filter_map(read).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        let missing = expected.unwrap_or(all.len()).saturating_sub(all.len());
        FleetReport::new(self.header.task.clone(), all, missing)
    }

    /// Ends a run: writes the page.
    pub(crate) fn end(&self, ctx: &Ctx, report: &FleetReport) -> Result<(), FleetError> {
        if let Ok(dir) = make_chosen(&self.folder) {
            // It is removed when the next run begins, else.
            let _ = dir.remove_all("work");
        }
        self.write(ctx, PAGE, page(report).as_bytes())?;
        let is_complete =
            report.missing == 0 && report.repositories.iter().all(RepositoryResult::is_final);
        self.write_header(ctx, is_complete)
    }
}

fn read_header(folder: &Path) -> Option<Header> {
    serde_json::from_slice(&read_own(&folder.join("fleet.json"), MOST_BYTES).ok()??).ok()
}

/// Id of a repository in a run: that of its root.
pub(crate) fn id(repository: &Repository) -> String {
    ContentHash::of(repository.root.as_os_str().as_encoded_bytes()).short()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_repository_has_a_patch_file_of_its_own() {
        let header = Header { task: Vec::new(), applies: false, is_complete: false };
        let store = FleetStore::new("/run".into(), header, None);
        let path = |name: &str| store.patch_path(name).display().to_string();
        assert_eq!(path("tools"), "/run/patches/tools.patch");
        assert_eq!(path("bob/my tools"), "/run/patches/bob%2Fmy%20tools.patch");
        assert_ne!(path("bob/tools"), path("bob%2Ftools"));
    }
}
