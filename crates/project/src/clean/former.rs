//! The index that versions before kept in the project, in cargo's target directory. Nothing reads it;
//! `clean` removes it where it is what those versions made, and leaves everything else.

use std::io::Read;
use std::path::{Path, PathBuf};

use repo::Project;
use untrusted_fs::{Dir, EntryKind, Fault};

/// The files of those versions.
const FILES: &[&str] = &[
    "analyzer.bin",
    "filled.bin",
    "index.bin",
    "inputs.bin",
    "map.db",
    "map.db-journal",
    "map.db.damaged",
    "map.db.new",
    "map.db.packed",
    "map.seal",
    "map.seal.new",
    "search.bin",
    "sources.bin",
    "terms.bin",
];
/// The prefix of their unfinished files.
const UNFINISHED: &str = ".unfinished-";
/// Their file that is always there, and its first bytes.
const MARKER: (&str, &[u8; 12]) = ("sources.bin", b"graftagesrcs");
/// More entries than any of them left.
const MAX_ENTRIES: usize = 200;

/// Removes the folder of the project's former index; returns its path and size. `None` where there is
/// none, or it is something else: reached through a link, of another user, with other files in it.
pub(super) fn remove(project: &Project) -> Result<Option<(PathBuf, u64)>, Fault> {
    let all = Path::new("target").join("graftage");
    let path = all.join(project.id().short());
    let root = Dir::open(project.root())?;
    let Ok(Some(folder)) = root.open_dir(&path) else { return Ok(None) };
    let Ok(entries) = folder.entries(MAX_ENTRIES) else { return Ok(None) };
    let is_known = entries.iter().all(|entry| {
        let name = entry.name.to_str().unwrap_or_default();
        entry.kind == EntryKind::File && (FILES.contains(&name) || name.starts_with(UNFINISHED))
    });
    if !is_known || !folder.is_own() || !is_marked(&folder) {
        return Ok(None);
    }
    let bytes = folder.size_all();
    for entry in &entries {
        folder.remove_file(&entry.name)?;
    }
    root.remove_dir(&path)?;
    // It is shared by all projects of the target directory: another one may have an index left.
    let _ = root.remove_dir(all);
    Ok(Some((project.root().join(path), bytes)))
}

fn is_marked(folder: &Dir) -> bool {
    let mut start = [0; MARKER.1.len()];
    let file = folder.open_file(MARKER.0).ok().flatten();
    file.is_some_and(|mut file| file.read_exact(&mut start).is_ok() && start == *MARKER.1)
}
