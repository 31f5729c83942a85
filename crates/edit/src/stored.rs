//! An [`Overlay`] as serde reads and writes it: the states of its files and the links of renames. Edits
//! are not stored; they are computed anew as line diffs.

use base::{ProjectPath, SortedSet, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{FileState, Overlay};

/// The stored form of an [`Overlay`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredOverlay {
    author: String,
    created_at: Timestamp,
    files: Vec<StoredChange>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredChange {
    path: ProjectPath,
    before: Option<StoredFile>,
    after: Option<StoredFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    renamed_from: Option<ProjectPath>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredFile {
    text: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    executable: bool,
}

impl From<&FileState> for StoredFile {
    fn from(it: &FileState) -> Self {
        Self { text: it.text.to_string(), executable: it.executable }
    }
}

impl From<StoredFile> for FileState {
    fn from(it: StoredFile) -> Self {
        Self { text: it.text.into(), executable: it.executable }
    }
}

impl From<Overlay> for StoredOverlay {
    fn from(overlay: Overlay) -> Self {
        let files = overlay.changes().map(|(path, change)| StoredChange {
            path: path.clone(),
            before: change.before.as_ref().map(StoredFile::from),
            after: change.after.as_ref().map(StoredFile::from),
            renamed_from: change.renamed_from.clone(),
        });
        let files = files.collect();
        Self { author: overlay.author, created_at: overlay.created_at, files }
    }
}

/// Why stored changes are no overlay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoredFault {
    /// A path is there twice.
    #[error("`{0}` is listed twice")]
    Twice(ProjectPath),
    /// A rename has other paths or states.
    #[error("`{to}` is not `{from}` renamed")]
    NoRename {
        /// Old path.
        from: ProjectPath,
        /// New path.
        to: ProjectPath,
    },
}

impl TryFrom<StoredOverlay> for Overlay {
    type Error = StoredFault;

    fn try_from(stored: StoredOverlay) -> Result<Self, StoredFault> {
        let mut seen = SortedSet::new();
        let (mut states, mut renames) = (Vec::new(), Vec::new());
        for file in stored.files {
            if !seen.insert(file.path.clone()) {
                return Err(StoredFault::Twice(file.path));
            }
            renames.extend(file.renamed_from.map(|from| (from, file.path.clone())));
            let (before, after) = (file.before.map(Into::into), file.after.map(Into::into));
            states.push((file.path, before, after));
        }
        let mut overlay = Self::from_states(&stored.author, stored.created_at, states);
        for (from, to) in renames {
            if !overlay.mark_renamed(&from, &to) {
                return Err(StoredFault::NoRename { from, to });
            }
        }
        Ok(overlay)
    }
}

#[cfg(test)]
mod tests {
    use base::{ProjectPath, Timestamp};

    use crate::{FileState, Overlay};

    fn read(text: &str) -> Result<Overlay, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_rename_survives_storage() {
        let path = |text| ProjectPath::new(text).unwrap_or_else(|error| panic!("{error}"));
        let state = |text: &str| Some(FileState::from_text(text));
        let states = vec![(path("a.rs"), state("a\n"), None), (path("b.rs"), None, state("b\n"))];
        let mut overlay = Overlay::from_states("person", Timestamp(7), states);
        assert!(overlay.mark_renamed(&path("a.rs"), &path("b.rs")));
        let stored = serde_json::to_string(&overlay).unwrap_or_default();
        assert_eq!(read(&stored), Ok(overlay));
    }

    #[test]
    fn what_is_no_overlay_is_refused() {
        let file = r#"{"path":"a","before":null,"after":{"text":"x"}}"#;
        let with = |files: &str| format!(r#"{{"author":"","created_at":0,"files":[{files}]}}"#);
        assert!(read(&with(file)).is_ok());
        let twice = read(&with(&format!("{file},{file}")));
        assert!(twice.is_err_and(|it| it.starts_with("`a` is listed twice")));
        for other in [
            r#"{"path":"../a","before":null,"after":null}"#,
            r#"{"path":"a","before":null,"after":{"text":"x"},"renamed_from":"b"}"#,
            r#"{"path":"a","before":null,"after":null,"more":1}"#,
        ] {
            assert!(read(&with(other)).is_err(), "{other}");
        }
    }
}
