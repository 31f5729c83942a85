//! The cases of sets A and B, and of questions about files, as their files have them.

use std::path::{Path, PathBuf};

use base::SortedMap;
use serde::Deserialize;

use crate::EvalError;
use crate::cases::{Case, read_cases};

/// A case of set A: where must this change be made?
#[derive(Clone, Debug, Deserialize)]
pub struct Localise {
    /// `A-ripgrep-0c3b673e`.
    pub id: String,
    /// `BurntSushi/ripgrep`.
    pub repo: String,
    /// Crate name.
    #[serde(rename = "crate")]
    pub krate: String,
    /// Crate version.
    pub version: String,
    /// `fix` or `feature`.
    pub kind: String,
    /// Message of the commit.
    pub raw: String,
    /// Message without what names the position; `None` if too little is left.
    pub masked: Option<String>,
    /// Files that changed.
    pub gold_files: Vec<String>,
    /// Items that changed.
    pub gold_items: Vec<GoldItem>,
    /// Share of the change that is in gold items; below 0.4 the label is weak.
    pub gold_share: f64,
}

impl Localise {
    /// `ripgrep-11.0.2`.
    pub(crate) fn package(&self) -> String {
        format!("{}-{}", self.krate, self.version)
    }

    /// Whether the label is reliable.
    pub(crate) fn is_strong(&self) -> bool {
        self.gold_share >= 0.4
    }
}

/// An item that changed.
#[derive(Clone, Debug, Deserialize)]
pub struct GoldItem {
    /// Path of the file.
    pub file: String,
    /// `fn`, `impl` …
    pub kind: String,
    /// First line, from 1, after doc comments and attributes.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

impl GoldItem {
    /// Whether an answer with these lines hits it: the same span, or a part of an impl or trait.
    pub(crate) fn is_hit(&self, file: &str, start_line: u32, end_line: u32) -> bool {
        let is_same = (start_line, end_line) == (self.start_line, self.end_line);
        let has_members = matches!(self.kind.as_str(), "impl" | "trait");
        let is_inside = start_line >= self.start_line && end_line <= self.end_line;
        self.file == file && (is_same || has_members && is_inside)
    }
}

/// A case of set B: which item does this sentence describe?
#[derive(Clone, Debug, Deserialize)]
pub struct Doc2Item {
    /// `B-ignore-000`.
    pub id: String,
    /// Crate name.
    #[serde(rename = "crate")]
    pub krate: String,
    /// Crate version.
    pub version: String,
    /// First sentence of a doc comment.
    pub raw: String,
    /// Sentence without the names in the item's path; `None` if too little is left.
    pub masked: Option<String>,
    /// Kind of the item: `fn`, `struct` …
    pub kind: String,
    /// Id of the item.
    pub gold: Vec<String>,
}

impl Doc2Item {
    /// `ignore-0.4.33`.
    pub(crate) fn package(&self) -> String {
        format!("{}-{}", self.krate, self.version)
    }
}

/// An item of a crate of set B.
#[derive(Clone, Debug, Deserialize)]
pub struct CorpusItem {
    /// Id that `gold` refers to.
    pub id: String,
    /// Path of the file.
    pub file: String,
    /// `fn`, `impl` …
    pub kind: String,
    /// Name; for an impl the name of its type.
    pub name: String,
    /// Path in the file.
    pub path: String,
    /// First line, from 1, after doc comments and attributes.
    pub l0: u32,
    /// Last line.
    pub l1: u32,
    /// First byte.
    pub start: usize,
    /// End in bytes.
    pub end: usize,
    /// Byte ranges of the doc comments inside.
    pub strip: Vec<[usize; 2]>,
}

/// A question about whole files.
#[derive(Clone, Debug, Deserialize)]
pub struct FileQuestion {
    /// `G-ropey-module-003`.
    pub id: String,
    /// Crate name.
    #[serde(rename = "crate")]
    pub krate: String,
    /// Crate version.
    pub version: String,
    /// Its origin: `module`, `name`, `presented`, `guide`, `how` or `message`.
    pub kind: String,
    /// Its text.
    pub question: String,
    /// The files that answer it.
    pub files: Vec<String>,
    /// The file and byte range that contain the question itself.
    pub blank: Option<(String, usize, usize)>,
}

impl FileQuestion {
    /// `ropey-1.6.1`.
    pub(crate) fn package(&self) -> String {
        format!("{}-{}", self.krate, self.version)
    }
}

/// Set B: its queries, and the items of each crate.
#[derive(Clone, Debug, Default)]
pub struct Doc2ItemSuite {
    /// Queries in the order of their files.
    pub cases: Vec<Case<Doc2Item>>,
    /// Items by `name-version`.
    pub items: SortedMap<String, Vec<CorpusItem>>,
}

impl Doc2ItemSuite {
    /// The suite in a folder of `queries_*.jsonl` and `items_*.jsonl`, or of one file of queries;
    /// `None` if there is none.
    pub(crate) fn load(path: &Path) -> Result<Option<Self>, EvalError> {
        let mut files: Vec<PathBuf> = if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(|error| EvalError::io(path, &error))?;
            entries.flatten().map(|entry| entry.path()).collect()
        } else {
            vec![path.to_path_buf()]
        };
        files.retain(|file| package_of(file).is_some());
        files.sort();
        if files.is_empty() {
            return Ok(None);
        }
        let mut suite = Self::default();
        for file in &files {
            let Some(package) = package_of(file) else { continue };
            let items = file.with_file_name(format!("items_{package}.jsonl"));
            let items: Vec<Case<CorpusItem>> = read_cases(&items, &text(&items)?)?;
            suite.cases.extend(read_cases(file, &text(file)?)?);
            suite.items.insert(package, items.into_iter().map(|item| item.data).collect());
        }
        Ok(Some(suite))
    }
}

/// `ignore-0.4.33` of `queries_ignore-0.4.33.jsonl`.
fn package_of(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    Some(name.strip_prefix("queries_")?.strip_suffix(".jsonl")?.to_owned())
}

fn text(file: &Path) -> Result<String, EvalError> {
    std::fs::read_to_string(file).map_err(|error| EvalError::io(file, &error))
}
