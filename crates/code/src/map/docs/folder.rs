//! Writes pages to the output directory; replaces and removes only files that it wrote before. All of
//! it by descriptors: the project may contain links in the place of the directory and of its files.

use std::path::{Path, PathBuf};

use base::{ContentHash, ProjectPath, SortedMap, SortedSet};
use project::ProjectError;
use serde::{Deserialize, Serialize};
use untrusted_fs::{Dir, EntryKind, Fault};

use crate::CodeError;

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
    files: SortedMap<ProjectPath, SortedSet<ContentHash>>,
}

/// Numbers of written, unchanged and removed pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WriteSummary {
    pub(crate) written: usize,
    pub(crate) unchanged: usize,
    pub(crate) removed: usize,
}

/// The output directory, which is made by the first write.
struct Output {
    /// The nearest directory that is trusted: the project, or one above what the user named.
    base: Dir,
    /// The output directory, relative to it.
    below: PathBuf,
    /// The path for messages.
    path: PathBuf,
}

/// Writes `pages` and removes pages of earlier runs that are no longer needed. If the directory has a
/// file at the path of a page that graftage did not write, or that was changed since, nothing is
/// written. Below the project no link is followed; elsewhere the user named the directory.
///
/// # Errors
/// [`CodeError::InTheWay`] with that file, or [`ProjectError::Unwritable`].
pub(crate) fn fill(
    root: &Path,
    out: &Path,
    pages: &SortedMap<ProjectPath, String>,
) -> Result<WriteSummary, CodeError> {
    let out = Output::of(root, out)?;
    let manifest = out.manifest()?;
    let mut now: SortedMap<&ProjectPath, Option<ContentHash>> = SortedMap::new();
    for path in pages.keys().chain(manifest.files.keys()) {
        let present = out.present(path)?;
        let is_ours = match (&present, manifest.files.get(path)) {
            (None, _) => true,
            (Some(hash), Some(ours)) => ours.contains(hash),
            (Some(hash), None) => {
                pages.get(path).is_some_and(|page| ContentHash::of(page.as_bytes()) == *hash)
            }
        };
        if !is_ours {
            return Err(out.in_the_way(path.as_str()));
        }
        now.insert(path, present);
    }
    let wanted: SortedMap<&ProjectPath, ContentHash> =
        pages.iter().map(|(path, page)| (path, ContentHash::of(page.as_bytes()))).collect();
    // The manifest first, with old and new hashes: after a crash all written files are still known.
    let mut both = Manifest { version: VERSION, files: manifest.files.clone() };
    for (path, hash) in &wanted {
        both.files.entry((*path).clone()).or_default().insert(*hash);
    }
    let dir = out.made()?;
    out.write_manifest(&dir, &both)?;
    let mut done = WriteSummary::default();
    for (path, page) in pages {
        if now.get(path).copied().flatten() == wanted.get(path).copied() {
            done.unchanged += 1;
        } else {
            out.write(&dir, path.as_str(), page.as_bytes())?;
            done.written += 1;
        }
    }
    for path in manifest.files.keys().filter(|path| !pages.contains_key(*path)) {
        if now.get(path).copied().flatten().is_some() {
            dir.remove_file(path.as_str()).map_err(|fault| out.failed(path.as_str(), &fault))?;
            done.removed += 1;
        }
        remove_empty_folders(&dir, path);
    }
    let files = wanted.into_iter().map(|(path, hash)| (path.clone(), SortedSet::from([hash])));
    out.write_manifest(&dir, &Manifest { version: VERSION, files: files.collect() })?;
    Ok(done)
}

impl Output {
    fn of(root: &Path, out: &Path) -> Result<Self, CodeError> {
        let failed = |fault: &Fault| failed(out, fault);
        let project = Dir::open(root).map_err(|fault| failed(&fault))?;
        let path = out.to_owned();
        // By identity: the path may reach the project through a link of the user.
        if let Some((_, below)) = split(out, |above| project.is_same(above)) {
            return Ok(Self { base: project, below, path });
        }
        let parent = out.parent().unwrap_or(out);
        match split(out, |above| parent.starts_with(above) && above.is_dir()) {
            Some((above, below)) => {
                Ok(Self { base: Dir::open(above).map_err(|fault| failed(&fault))?, below, path })
            }
            None => Err(failed(&Fault::NotAFolder)),
        }
    }

    /// The directory, if it exists.
    fn existing(&self) -> Result<Option<Dir>, CodeError> {
        self.base.open_dir(&self.below).map_err(|fault| failed(&self.path, &fault))
    }

    fn made(&self) -> Result<Dir, CodeError> {
        self.base.make_dirs(&self.below).map_err(|fault| failed(&self.path, &fault))
    }

    fn manifest(&self) -> Result<Manifest, CodeError> {
        let Some(dir) = self.existing()? else { return Ok(Manifest::default()) };
        let read = dir.read(MANIFEST, MAX_BYTES).map_err(|fault| self.failed(MANIFEST, &fault))?;
        let Some(found) = read else { return Ok(Manifest::default()) };
        match serde_json::from_slice::<Manifest>(&found.bytes) {
            // It comes with a clone: no other file may be named as one of ours.
            Ok(manifest)
                if manifest.version == VERSION
                    && manifest.files.keys().all(|path| path.extension() == Some("md")) =>
            {
                Ok(manifest)
            }
            _ => Err(self.in_the_way(MANIFEST)),
        }
    }

    fn write_manifest(&self, dir: &Dir, manifest: &Manifest) -> Result<(), CodeError> {
        let text = serde_json::to_string_pretty(manifest)
            .map_err(|error| self.failed(MANIFEST, &Fault::Io(std::io::Error::other(error))))?;
        self.write(dir, MANIFEST, (text + "\n").as_bytes())
    }

    /// The hash of the present file; links, and what is reached through them, are refused.
    fn present(&self, path: &ProjectPath) -> Result<Option<ContentHash>, CodeError> {
        let path = path.as_str();
        let Some(dir) = self.existing()? else { return Ok(None) };
        match dir.kind(path) {
            Ok(None) => return Ok(None),
            Ok(Some(EntryKind::File)) => {}
            Ok(Some(_)) | Err(Fault::Link | Fault::NotAFolder) => return Err(self.in_the_way(path)),
            Err(fault) => return Err(self.failed(path, &fault)),
        }
        let found = dir.read(path, MAX_BYTES).map_err(|fault| self.failed(path, &fault))?;
        Ok(found.map(|found| ContentHash::of(&found.bytes)))
    }

    /// Replaces a file by a rename, so that readers never see a partial page.
    fn write(&self, dir: &Dir, path: &str, bytes: &[u8]) -> Result<(), CodeError> {
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        let written = dir.make_dirs(folder).and_then(|_| dir.replace(path, &[bytes], 0o666));
        written.map_err(|fault| self.failed(path, &fault))
    }

    fn in_the_way(&self, path: &str) -> CodeError {
        CodeError::InTheWay { path: self.path.join(path).display().to_string() }
    }

    fn failed(&self, path: &str, fault: &Fault) -> CodeError {
        failed(&self.path.join(path), fault)
    }
}

/// The deepest ancestor of `path` for which `is_base` is true, and the rest of the path.
fn split(path: &Path, is_base: impl Fn(&Path) -> bool) -> Option<(&Path, PathBuf)> {
    let above = path.ancestors().find(|above| is_base(above))?;
    let count = above.components().count();
    Some((above, path.components().skip(count).collect()))
}

fn remove_empty_folders(dir: &Dir, path: &ProjectPath) {
    let mut folder = path.parent();
    while let Some(inner) = folder {
        // Fails on the first directory that is not empty.
        if dir.remove_dir(inner.as_str()).is_err() {
            return;
        }
        folder = inner.parent();
    }
}

fn failed(path: &Path, fault: &Fault) -> CodeError {
    ProjectError::Unwritable { path: path.display().to_string(), reason: fault.to_string() }.into()
}

/// The default output directory.
pub(crate) fn default_out(root: &Path) -> PathBuf {
    root.join("docs").join("generated")
}

#[cfg(test)]
mod tests;
