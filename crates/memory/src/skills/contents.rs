//! The contents of a skill: the hash of every file of its folder. A person trusts these, not a path:
//! a skill that a pull or a build changed is not trusted any more.

use base::{ContentHash, Hasher, SortedMap};
use untrusted_fs::{CopyLimits, Dir, EntryKind};

use super::fault::{ContentsFault, EntryFault};

/// Maximum size of a file, in bytes.
const FILE_LIMIT: u64 = 16 << 20;
/// Maximum size of a copy, in bytes.
const COPY_LIMIT: u64 = 256 << 20;
/// Maximum number of files of a skill.
const MOST_FILES: usize = 2_000;
/// Maximum depth of its folders.
const DEEPEST: usize = 16;

/// The hashes of the files of a skill, by path in its folder.
pub type SkillContents = SortedMap<String, ContentHash>;

/// Reads the contents of the folder of a skill.
///
/// # Errors
/// A link, a file that cannot be read, or more than the limits: such a folder cannot be trusted.
pub fn skill_contents(dir: &Dir) -> Result<SkillContents, ContentsFault> {
    let mut contents = SkillContents::new();
    let mut open = vec![(String::new(), dir.reopen()?, 0)];
    while let Some((prefix, folder, depth)) = open.pop() {
        let entries = folder.entries(MOST_FILES)?;
        for entry in entries {
            let Some(name) = entry.name.to_str() else {
                return Err(ContentsFault::NotUnicode(prefix));
            };
            let path = format!("{prefix}{name}");
            let unusable = |why| ContentsFault::Entry { path: path.clone(), why };
            match entry.kind {
                EntryKind::File => {
                    let found = folder.read(name, FILE_LIMIT);
                    let found = found.map_err(|fault| unusable(fault.into()))?;
                    let found = found.ok_or_else(|| unusable(EntryFault::Missing))?;
                    contents.insert(path, hash(&found.bytes, found.mode));
                }
                EntryKind::Folder if depth < DEEPEST => {
                    let inner = folder.open_dir(name);
                    let inner = inner.map_err(|fault| unusable(fault.into()))?;
                    let inner = inner.ok_or_else(|| unusable(EntryFault::Missing))?;
                    open.push((format!("{path}/"), inner, depth + 1));
                }
                EntryKind::Folder => return Err(unusable(EntryFault::TooDeep)),
                EntryKind::Link => return Err(unusable(EntryFault::Link)),
                EntryKind::Special => return Err(unusable(EntryFault::Special)),
            }
        }
        if contents.len() > MOST_FILES {
            return Err(ContentsFault::TooMany(MOST_FILES));
        }
    }
    Ok(contents)
}

/// Copies the folder of a skill to an empty one, and reads the contents of the copy.
///
/// # Errors
/// As [`skill_contents`], and a folder that is larger than the limit.
pub(super) fn copy_contents(dir: &Dir, to: &Dir) -> Result<SkillContents, ContentsFault> {
    let limits = CopyLimits { entries: 2 * MOST_FILES, bytes: COPY_LIMIT, depth: DEEPEST };
    dir.copy_all(to, limits)?;
    skill_contents(to)
}

/// The hash of a file: of its bytes, and whether it is a program.
pub(super) fn hash(bytes: &[u8], mode: u32) -> ContentHash {
    let mut hasher = Hasher::new();
    hasher.field(if mode & 0o111 == 0 { b"file" } else { b"exec" }).field(bytes);
    hasher.finish()
}

/// The differences between the contents that were trusted and those found, one text each.
pub(super) fn changes(trusted: &SkillContents, found: &SkillContents) -> Vec<String> {
    let mut changes = Vec::new();
    for (path, hash) in found {
        match trusted.get(path) {
            Some(known) if known == hash => {}
            Some(_) => changes.push(format!("`{path}` changed")),
            None => changes.push(format!("`{path}` is new")),
        }
    }
    let gone = trusted.keys().filter(|path| !found.contains_key(*path));
    changes.extend(gone.map(|path| format!("`{path}` is gone")));
    changes
}
