//! The contents of the skills that the user trusts, in a file of the state directory.

use std::io;
use std::path::Path;

use base::SortedMap;
use memory::SkillContents;
use serde::{Deserialize, Serialize};

/// Name of the file below the state directory.
pub(crate) const FILE: &str = "trusted-skills.json";
/// Maximum size of the file, in bytes.
const LARGEST: u64 = 64 << 20;

/// Contents by root of the source and folder of the skill. What cannot be read is not trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrustedSkills {
    roots: SortedMap<String, SortedMap<String, SkillContents>>,
}

impl TrustedSkills {
    pub(crate) fn read(file: &Path) -> Self {
        let bytes = untrusted_fs::read_own(file, LARGEST).ok().flatten().unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// The contents that are trusted below a root, by folder.
    pub(crate) fn of(&self, root: &Path) -> SortedMap<String, SkillContents> {
        self.roots.get(&key(root)).cloned().unwrap_or_default()
    }

    pub(crate) fn forget(&mut self, root: &Path) {
        self.roots.remove(&key(root));
    }

    pub(crate) fn trust(&mut self, root: &Path, folder: &str, contents: SkillContents) {
        self.roots.entry(key(root)).or_default().insert(folder.to_owned(), contents);
    }

    /// Replaces the file; `unique` names the temporary one.
    pub(crate) fn write(&self, file: &Path, unique: &str) -> io::Result<()> {
        if let Some(folder) = file.parent() {
            untrusted_fs::make_private(folder)?;
        }
        untrusted_fs::replace_own(file, &serde_json::to_vec_pretty(self)?, unique)
    }
}

fn key(root: &Path) -> String {
    let real = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    real.display().to_string()
}
