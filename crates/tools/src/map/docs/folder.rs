//! Writes pages to the output directory; replaces and removes only files that it wrote before.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use base::{ContentHash, ProjectPath};
use serde::{Deserialize, Serialize};

use crate::Error;

/// File name of the manifest in the output directory.
const MANIFEST: &str = ".graftage-docs.json";

/// Version of the manifest format; other versions are refused.
const VERSION: u32 = 1;
/// Size limit of a page and of the manifest in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// The list of the files that graftage wrote.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    version: u32,
    /// Hashes of the written contents by file; two hashes while a file is being replaced.
    files: BTreeMap<ProjectPath, BTreeSet<ContentHash>>,
}

/// Numbers of written, unchanged and removed pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WriteSummary {
    pub(crate) written: usize,
    pub(crate) unchanged: usize,
    pub(crate) removed: usize,
}

/// Writes `pages` and removes pages of earlier runs that are no longer needed. If the directory has a
/// file at the path of a page that graftage did not write, or that was changed since, nothing is
/// written.
///
/// # Errors
/// [`Error::InTheWay`] with that file, or [`Error::Unwritable`].
pub(crate) fn fill(
    out: &Path,
    pages: &BTreeMap<ProjectPath, String>,
) -> Result<WriteSummary, Error> {
    let manifest = read_manifest(out)?;
    let mut now: BTreeMap<&ProjectPath, Option<ContentHash>> = BTreeMap::new();
    for path in pages.keys().chain(manifest.files.keys()) {
        let present = present(out, path)?;
        let is_ours = match (&present, manifest.files.get(path)) {
            (None, _) => true,
            (Some(hash), Some(ours)) => ours.contains(hash),
            (Some(hash), None) => {
                pages.get(path).is_some_and(|page| ContentHash::of(page.as_bytes()) == *hash)
            }
        };
        if !is_ours {
            return Err(Error::InTheWay { path: path.join_to(out).display().to_string() });
        }
        now.insert(path, present);
    }
    let wanted: BTreeMap<&ProjectPath, ContentHash> =
        pages.iter().map(|(path, page)| (path, ContentHash::of(page.as_bytes()))).collect();
    // The manifest first, with old and new hashes: after a crash all written files are still known.
    let mut both = Manifest { version: VERSION, files: manifest.files.clone() };
    for (path, hash) in &wanted {
        both.files.entry((*path).clone()).or_default().insert(*hash);
    }
    write_manifest(out, &both)?;
    let mut done = WriteSummary::default();
    for (path, page) in pages {
        if now.get(path).copied().flatten() == wanted.get(path).copied() {
            done.unchanged += 1;
        } else {
            write(&path.join_to(out), page.as_bytes())?;
            done.written += 1;
        }
    }
    for path in manifest.files.keys().filter(|path| !pages.contains_key(*path)) {
        if now.get(path).copied().flatten().is_some() {
            let path = path.join_to(out);
            std::fs::remove_file(&path).map_err(|error| failed(&path, &error))?;
            done.removed += 1;
        }
        remove_empty_folders(out, path);
    }
    let files = wanted.into_iter().map(|(path, hash)| (path.clone(), BTreeSet::from([hash])));
    write_manifest(out, &Manifest { version: VERSION, files: files.collect() })?;
    Ok(done)
}

fn read_manifest(out: &Path) -> Result<Manifest, Error> {
    let path = out.join(MANIFEST);
    let bytes = match beneath::read_regular(&path, MAX_BYTES) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(Manifest::default()),
        Err(fault) => return Err(failed(&path, &fault.into())),
    };
    match serde_json::from_slice::<Manifest>(&bytes) {
        Ok(manifest) if manifest.version == VERSION => Ok(manifest),
        _ => Err(Error::InTheWay { path: path.display().to_string() }),
    }
}

fn write_manifest(out: &Path, manifest: &Manifest) -> Result<(), Error> {
    let path = out.join(MANIFEST);
    let text = serde_json::to_string_pretty(manifest)
        .map_err(|error| failed(&path, &std::io::Error::other(error)))?;
    write(&path, (text + "\n").as_bytes())
}

/// The hash of the present file; symbolic links are refused.
fn present(out: &Path, path: &ProjectPath) -> Result<Option<ContentHash>, Error> {
    let in_the_way = |path: &Path| Error::InTheWay { path: path.display().to_string() };
    let mut folder = path.parent();
    while let Some(inner) = folder {
        let full = inner.join_to(out);
        if full.symlink_metadata().is_ok_and(|meta| !meta.is_dir()) {
            return Err(in_the_way(&full));
        }
        folder = inner.parent();
    }
    let full = path.join_to(out);
    match full.symlink_metadata() {
        Ok(meta) if meta.is_file() => {
            let bytes = beneath::read_regular(&full, MAX_BYTES)
                .map_err(|fault| failed(&full, &fault.into()))?;
            Ok(bytes.map(|bytes| ContentHash::of(&bytes)))
        }
        Ok(_) => Err(in_the_way(&full)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(&full, &error)),
    }
}

/// Writes a temporary file and renames it, so that readers never see a partial page.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".graftage-tmp");
    let temporary = folder.join(name);
    std::fs::write(&temporary, bytes)
        .and_then(|()| std::fs::rename(&temporary, path))
        .map_err(|error| failed(path, &error))
}

fn remove_empty_folders(out: &Path, path: &ProjectPath) {
    let mut folder = path.parent();
    while let Some(inner) = folder {
        // Fails on the first directory that is not empty.
        if std::fs::remove_dir(inner.join_to(out)).is_err() {
            return;
        }
        folder = inner.parent();
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Error {
    Error::Unwritable { path: path.display().to_string(), reason: error.to_string() }
}

/// The default output directory.
pub(crate) fn default_out(root: &Path) -> PathBuf {
    root.join("docs").join("generated")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(list: &[(&str, &str)]) -> BTreeMap<ProjectPath, String> {
        let pages = list.iter();
        pages.map(|(path, text)| (ProjectPath::new(path).unwrap(), (*text).to_owned())).collect()
    }

    #[test]
    fn pages_of_removed_modules_are_removed_and_other_files_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("docs");
        fill(&out, &pages(&[("index.md", "a"), ("p/m.md", "b")])).unwrap();
        std::fs::write(out.join("mine.md"), "mine").unwrap();
        let done = fill(&out, &pages(&[("index.md", "a")])).unwrap();
        assert_eq!(done, WriteSummary { written: 0, unchanged: 1, removed: 1 });
        assert!(!out.join("p").exists());
        assert_eq!(std::fs::read_to_string(out.join("mine.md")).unwrap(), "mine");
    }

    #[test]
    fn a_file_that_graftage_did_not_write_is_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("index.md"), "mine").unwrap();
        let error = fill(dir.path(), &pages(&[("index.md", "a"), ("b.md", "b")])).unwrap_err();
        assert!(matches!(error, Error::InTheWay { .. }));
        assert!(!dir.path().join("b.md").exists(), "nothing is written");
        assert_eq!(std::fs::read_to_string(dir.path().join("index.md")).unwrap(), "mine");
    }

    #[test]
    fn a_page_that_was_edited_is_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path(), &pages(&[("index.md", "a")])).unwrap();
        std::fs::write(dir.path().join("index.md"), "edited").unwrap();
        assert!(fill(dir.path(), &pages(&[("index.md", "b")])).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn a_link_in_the_way_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let (out, other) = (dir.path().join("out"), dir.path().join("other"));
        std::fs::create_dir_all(&out).unwrap();
        std::fs::create_dir_all(&other).unwrap();
        std::os::unix::fs::symlink(&other, out.join("p")).unwrap();
        assert!(fill(&out, &pages(&[("p/m.md", "b")])).is_err());
        assert!(std::fs::read_dir(&other).unwrap().next().is_none());
    }
}
