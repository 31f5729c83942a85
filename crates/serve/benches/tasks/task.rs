//! The recorded tasks.

use std::path::Path;
use std::process::Command;

use regex::Regex;
use serde::Deserialize;

use crate::tree::lines;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) file: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// A recorded edit, without text of the crate.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedEdit {
    file: String,
    /// First and last line, from 1, of the file before the edit.
    lines: (usize, usize),
    /// What takes their place: lines of that file, `start 3-5`, or of the commit `done`, `done 7-7`.
    #[serde(default)]
    new: Vec<String>,
    /// Instead: splices of the old text: first character, number, new text.
    #[serde(default)]
    splices: Vec<(usize, usize, String)>,
}

impl RecordedEdit {
    fn resolved(&self, start: &str, done: &str) -> Edit {
        let old = lines(start, self.lines.0, self.lines.1);
        let part = |it: &String| {
            let (of, range) = it.split_once(' ').unwrap();
            let (first, last) = range.split_once('-').unwrap();
            let text = if of == "done" { done } else { start };
            lines(text, first.parse().unwrap(), last.parse().unwrap())
        };
        let mut new: String = self.new.iter().map(part).collect();
        if !self.splices.is_empty() {
            let mut characters: Vec<char> = old.chars().collect();
            for (at, count, text) in self.splices.iter().rev() {
                characters.splice(*at..at + count, text.chars());
            }
            new = characters.into_iter().collect();
        }
        Edit { file: self.file.clone(), old, new }
    }
}

/// One recorded task.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recorded {
    pub(crate) id: String,
    kind: Ask,
    pub(crate) split: Split,
    repo: String,
    tree: String,
    /// The commit that has the whole change.
    #[serde(default)]
    done: String,
    /// `{message}` is the message of the commit `done`.
    text: String,
    #[serde(default)]
    item: String,
    #[serde(default)]
    file: String,
    #[serde(default)]
    gold: Vec<String>,
    #[serde(default)]
    in_progress: Vec<RecordedEdit>,
    #[serde(default)]
    decided: Vec<RecordedEdit>,
    #[serde(default)]
    rest: Vec<RecordedEdit>,
}

impl Recorded {
    /// The task with its texts, from the clones.
    pub(crate) fn resolved(&self, clones: &Path) -> Task {
        let clone = clones.join(self.repo.rsplit('/').next().unwrap_or_default());
        let at = |commit: &str, file: &str| {
            if commit.is_empty() { String::new() } else { text_at(&clone, commit, file) }
        };
        let all = |edits: &[RecordedEdit], in_progress: &[Edit]| {
            let one = |it: &RecordedEdit| {
                let mut start = at(&self.tree, &it.file);
                for edit in in_progress.iter().filter(|edit| edit.file == it.file) {
                    start = start.replacen(&edit.old, &edit.new, 1);
                }
                it.resolved(&start, &at(&self.done, &it.file))
            };
            edits.iter().map(one).collect::<Vec<Edit>>()
        };
        let in_progress = all(&self.in_progress, &[]);
        Task {
            id: self.id.clone(),
            kind: self.kind,
            split: self.split,
            repo: self.repo.clone(),
            tree: self.tree.clone(),
            text: self.text.replace("{message}", &message_of(&clone, &self.done)),
            item: self.item.clone(),
            file: self.file.clone(),
            gold: self.gold.clone(),
            decided: all(&self.decided, &in_progress),
            rest: all(&self.rest, &in_progress),
            in_progress,
        }
    }
}

/// A file of a commit.
fn text_at(clone: &Path, commit: &str, file: &str) -> String {
    git(clone, &["show", &format!("{commit}:{file}")])
}

/// The message of a commit as one line, at most sixty words, without trailers, links and numbers of issues.
fn message_of(clone: &Path, commit: &str) -> String {
    if commit.is_empty() {
        return String::new();
    }
    let message = git(clone, &["log", "-1", "--format=%B", commit]);
    let trailer = Regex::new(r"^([A-Z][\w-]+: |\(cherry|https?:)").unwrap();
    let lines: Vec<&str> = message.lines().filter(|line| !trailer.is_match(line)).collect();
    let link = Regex::new(r"https?://\S+|\(?#\d+\)?").unwrap();
    let text = link.replace_all(&lines.join(" "), "").into_owned();
    text.split_whitespace().take(60).collect::<Vec<_>>().join(" ")
}

fn git(clone: &Path, args: &[&str]) -> String {
    let done = Command::new("git").args(args).current_dir(clone).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// One task.
#[derive(Clone, Debug)]
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
    pub(crate) item: String,
    /// File of the item, where the question has it.
    pub(crate) file: String,
    /// The right answer to a question.
    pub(crate) gold: Vec<String>,
    /// Edits that are in the tree when the agent starts, not committed.
    pub(crate) in_progress: Vec<Edit>,
    /// The edit that the question decides.
    pub(crate) decided: Vec<Edit>,
    /// All other edits, as they were made or follow.
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
    task: Vec<Recorded>,
}

/// The tasks of a file, or of all files of a folder, by kind.
pub(crate) fn read(path: &Path) -> Vec<Recorded> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).unwrap().map(|it| it.unwrap().path());
        files = entries.filter(|it| it.extension().is_some_and(|it| it == "toml")).collect();
        files.sort();
    }
    let text = |file: &std::path::PathBuf| std::fs::read_to_string(file).unwrap();
    let parsed = |file| toml::from_str::<TaskFile>(&text(file)).unwrap().task;
    let mut tasks: Vec<Recorded> = files.iter().flat_map(parsed).collect();
    tasks.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
    tasks
}
