//! The recorded tasks.

use std::path::Path;

use serde::Deserialize;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Ask {
    Where,
    Tests,
    Callers,
    Show,
    Implements,
    Param,
    Rename,
    Error,
    Halfdone,
    Body,
}

impl Ask {
    pub(crate) const ALL: [Self; 10] = [
        Self::Where,
        Self::Tests,
        Self::Callers,
        Self::Show,
        Self::Implements,
        Self::Param,
        Self::Rename,
        Self::Error,
        Self::Halfdone,
        Self::Body,
    ];

    pub(crate) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Whether the task ends with another tree.
    pub(crate) fn changes(self) -> bool {
        use Ask::{Body, Error, Halfdone, Param, Rename};
        matches!(self, Param | Rename | Error | Halfdone | Body)
    }
}

/// The texts and policies were developed on tasks of the first part; the second one is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Split {
    Choose,
    Report,
}

/// One change of a text, whose old part occurs once in the file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edit {
    pub(crate) file: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// One task, as `pick.py` writes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Task {
    pub(crate) id: String,
    pub(crate) kind: Ask,
    pub(crate) split: Split,
    /// `OWNER/NAME`; `FOLDER/NAME` is its clone.
    pub(crate) repo: String,
    /// The commit at which the task starts.
    pub(crate) tree: String,
    /// What both agents are asked.
    pub(crate) text: String,
    /// `Type::name` of the item in question.
    #[serde(default)]
    pub(crate) item: String,
    /// File of the item, where the question has it.
    #[serde(default)]
    pub(crate) file: String,
    /// The right answer to a question.
    #[serde(default)]
    pub(crate) gold: Vec<String>,
    /// Edits that are in the tree when the agent starts, not committed.
    #[serde(default)]
    pub(crate) begun: Vec<Edit>,
    /// The edit that the question decides.
    #[serde(default)]
    pub(crate) decided: Vec<Edit>,
    /// All other edits, as they were made or follow.
    #[serde(default)]
    pub(crate) rest: Vec<Edit>,
}

impl Task {
    /// Name of the repository.
    pub(crate) fn crate_name(&self) -> &str {
        self.repo.rsplit('/').next().unwrap_or_default()
    }

    /// Last part of the item's path.
    pub(crate) fn name(&self) -> &str {
        self.item.rsplit("::").next().unwrap_or_default()
    }
}

#[derive(Deserialize)]
struct TaskFile {
    #[serde(default)]
    task: Vec<Task>,
}

/// The tasks of a file, or of all files of a folder, by kind.
pub(crate) fn read(path: &Path) -> Vec<Task> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).unwrap().map(|it| it.unwrap().path());
        files = entries.filter(|it| it.extension().is_some_and(|it| it == "toml")).collect();
        files.sort();
    }
    let text = |file: &std::path::PathBuf| std::fs::read_to_string(file).unwrap();
    let parsed = |file| toml::from_str::<TaskFile>(&text(file)).unwrap().task;
    let mut tasks: Vec<Task> = files.iter().flat_map(parsed).collect();
    tasks.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
    tasks
}
