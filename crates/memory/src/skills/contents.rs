//! The contents of a skill: the hash of every file of its folder. A person trusts these, not a path:
//! a skill that a pull or a build changed is not trusted any more.

use base::{ContentHash, Hasher, SortedMap};
use untrusted_fs::{Dir, EntryKind};

/// Maximum size of a file, in bytes.
const FILE_LIMIT: u64 = 16 << 20;
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
pub fn skill_contents(dir: &Dir) -> Result<SkillContents, String> {
    let mut contents = SkillContents::new();
    let mut open = vec![(String::new(), dir.reopen().map_err(|fault| fault.to_string())?, 0)];
    while let Some((prefix, folder, depth)) = open.pop() {
        let entries = folder.entries(MOST_FILES).map_err(|fault| fault.to_string())?;
        for entry in entries {
            let Some(name) = entry.name.to_str() else {
                return Err(format!("a name in `{prefix}` is not Unicode"));
            };
            let path = format!("{prefix}{name}");
            let unusable = |reason: String| format!("`{path}`: {reason}");
            match entry.kind {
                EntryKind::File => {
                    let found = folder.read(name, FILE_LIMIT);
                    let found = found.map_err(|fault| unusable(fault.to_string()))?;
                    let found = found.ok_or_else(|| unusable("it is missing".to_owned()))?;
                    contents.insert(path, hash(&found.bytes, found.mode));
                }
                EntryKind::Folder if depth < DEEPEST => {
                    let inner = folder.open_dir(name);
                    let inner = inner.map_err(|fault| unusable(fault.to_string()))?;
                    let inner = inner.ok_or_else(|| unusable("it is missing".to_owned()))?;
                    open.push((format!("{path}/"), inner, depth + 1));
                }
                EntryKind::Folder => return Err(unusable("it is nested too deep".to_owned())),
                EntryKind::Link => return Err(unusable("it is a symbolic link".to_owned())),
                EntryKind::Special => return Err(unusable("it is not a regular file".to_owned())),
            }
        }
        if contents.len() > MOST_FILES {
            return Err(format!("it has more than {MOST_FILES} files"));
        }
    }
    Ok(contents)
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
