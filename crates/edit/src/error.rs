use base::{ContentHash, Hint};

use crate::Unreadable;

/// Why an edit was refused. Nothing is staged then. `at` names the place in the request:
/// `edits[1].start_byte`, `hunk 2 of src/lib.rs`, `block 3`, `splices[0]`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The request has no edit in it.
    #[error("the request holds no edit")]
    Empty,
    /// The text is in none of the formats.
    #[error("the request is in no known format: {}", .reasons.join("; "))]
    NoFormat {
        /// For each format, why it is not that one.
        reasons: Vec<String>,
    },
    /// The text begins as JSON and does not go on so.
    #[error("bad JSON at line {line}, column {column}: {message}")]
    Json {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// A field that no such edit has.
    #[error("`{at}` has an unknown field `{field}`")]
    UnknownField {
        /// The object.
        at: String,
        /// The field.
        field: String,
        /// The fields it may have.
        known: &'static [&'static str],
    },
    /// A field that such an edit must have.
    #[error("`{at}` lacks the field `{field}`")]
    MissingField {
        /// The object.
        at: String,
        /// The field.
        field: &'static str,
    },
    /// A value of the wrong JSON type or out of its range.
    #[error("`{at}` must be {expected}, found {found}")]
    WrongType {
        /// The field.
        at: String,
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A word that is not in the closed list.
    #[error("`{at}` has an unknown value `{value}`")]
    UnknownValue {
        /// The field.
        at: String,
        /// The word.
        value: String,
        /// The words it may be.
        known: Vec<&'static str>,
    },
    /// A hash that is none.
    #[error("`{at}` is no blake3 hash: `{value}`")]
    BadHash {
        /// The field.
        at: String,
        /// What is there.
        value: String,
    },
    /// A path that does not name a place inside the project.
    #[error("{at}: {why}")]
    Path {
        /// The field or line.
        at: String,
        /// What is wrong with it.
        why: base::PathError,
    },
    /// There is no such file.
    #[error("{at}: file `{path}` does not exist")]
    MissingFile {
        /// The place.
        at: String,
        /// The file.
        path: String,
    },
    /// A file is to be created that is already there.
    #[error("{at}: file `{path}` exists already")]
    FileExists {
        /// The place.
        at: String,
        /// The file.
        path: String,
    },
    /// It is there and is no text file of the project.
    #[error("{at}: file `{path}` cannot be edited: {why}")]
    Unreadable {
        /// The place.
        at: String,
        /// The file.
        path: String,
        /// Why.
        why: Unreadable,
    },
    /// The file is not the one that the edit was made for.
    #[error("{at}: file `{path}` has changed: expected hash {expected}, present hash {present}")]
    StaleHash {
        /// The field.
        at: String,
        /// The file.
        path: String,
        /// What the edit was made for.
        expected: ContentHash,
        /// What is there.
        present: ContentHash,
    },
    /// An offset past the end.
    #[error("{at}: offset {offset} is past the end of `{path}` ({len} bytes)")]
    OutOfRange {
        /// The place.
        at: String,
        /// The file.
        path: String,
        /// The offset.
        offset: usize,
        /// The file's length.
        len: usize,
    },
    /// An offset inside a character.
    #[error("{at}: offset {offset} of `{path}` is inside a UTF-8 character")]
    NotCharBoundary {
        /// The place.
        at: String,
        /// The file.
        path: String,
        /// The offset.
        offset: usize,
        /// The nearest border before it.
        before: usize,
        /// The nearest border behind it.
        after: usize,
    },
    /// A span whose end comes before its start.
    #[error("{at}: start {start} is behind end {end}")]
    ReversedSpan {
        /// The edit.
        at: String,
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
    },
    /// Two edits touch the same bytes.
    #[error("two edits of `{path}` overlap: {first} and {second}")]
    Overlap {
        /// The file.
        path: String,
        /// One, with its bytes.
        first: String,
        /// The other, with its bytes.
        second: String,
    },
    /// Two parts of a request speak of one file in ways that do not go together.
    #[error("{at}: `{path}` is named by more than one part of the request: {why}")]
    Conflict {
        /// The second part.
        at: String,
        /// The file.
        path: String,
        /// What does not go together.
        why: &'static str,
    },
    /// No item has this canon.
    #[error("{at}: no item `{canon}` in `{path}`")]
    CanonNotFound {
        /// The edit.
        at: String,
        /// The file.
        path: String,
        /// What was asked for.
        canon: String,
        /// The items whose names are nearest, with their kinds.
        nearest: Vec<String>,
    },
    /// Several items have this canon.
    #[error("{at}: `{canon}` names {} items in `{path}`", .candidates.len())]
    CanonAmbiguous {
        /// The edit.
        at: String,
        /// The file.
        path: String,
        /// What was asked for.
        canon: String,
        /// The items, with kinds and lines.
        candidates: Vec<String>,
    },
    /// The item is of another kind.
    #[error("{at}: `{canon}` in `{path}` is a {found}, not a {asked}")]
    CanonKind {
        /// The edit.
        at: String,
        /// The file.
        path: String,
        /// What was asked for.
        canon: String,
        /// The kind that was asked for.
        asked: syntax::NodeKind,
        /// The kind that it is.
        found: syntax::NodeKind,
    },
    /// New code for an item that is no item of that kind.
    #[error("{at}: the new code {why}")]
    CanonCode {
        /// The field.
        at: String,
        /// What is wrong with it.
        why: String,
    },
    /// A line of a diff that has no place there.
    #[error("line {line} of the diff: {message}")]
    DiffSyntax {
        /// From 1, in the request.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A hunk's context or removed lines are not in the file.
    #[error("{at} does not match the file: {message}")]
    HunkMismatch {
        /// The hunk.
        at: String,
        /// The first line that differs, expected and found.
        message: String,
    },
    /// A hunk is not at its line and fits in several places.
    #[error("{at} is not at its line and fits at lines {}", list(.lines))]
    HunkAmbiguous {
        /// The hunk.
        at: String,
        /// The lines of the file, from 1.
        lines: Vec<usize>,
    },
    /// A search/replace block is not built as one.
    #[error("line {line}: {message}")]
    BlockSyntax {
        /// From 1, in the request.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// The search text is not in the file.
    #[error("{at}: the search text is not in `{path}`{near}")]
    SearchNotFound {
        /// The block.
        at: String,
        /// The file.
        path: String,
        /// The place that is most like it, and how it differs; may be empty.
        near: String,
    },
    /// The search text is in the file more than once.
    #[error("{at}: the search text is in `{path}` at lines {}", list(.lines))]
    SearchAmbiguous {
        /// The block.
        at: String,
        /// The file.
        path: String,
        /// Where it begins, from 1.
        lines: Vec<usize>,
    },
    /// A second overlay does not start where the first ends.
    #[error("the second change of `{path}` does not start from what the first leaves")]
    ComposeMismatch {
        /// The file.
        path: String,
    },
}

fn list(lines: &[usize]) -> String {
    let all: Vec<String> = lines.iter().take(10).map(ToString::to_string).collect();
    let more = if lines.len() > 10 { ", …" } else { "" };
    all.join(", ") + more
}

fn words(all: &[impl AsRef<str>]) -> String {
    let all: Vec<String> = all.iter().map(|it| format!("`{}`", it.as_ref())).collect();
    all.join(", ")
}

impl Hint for EditError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Empty => "give at least one edit".into(),
            Self::NoFormat { .. } => {
                "give JSON `{\"edits\": […]}`, a unified diff, search/replace blocks or a whole file \
                 under its path"
                    .into()
            }
            Self::Json { .. } => "mend the JSON at that place".into(),
            Self::UnknownField { known, .. } => format!("fields are {}", words(known)),
            Self::MissingField { field, .. } => format!("add `{field}`"),
            Self::WrongType { expected, .. } => format!("give {expected}"),
            Self::UnknownValue { known, .. } => format!("give one of {}", words(known)),
            Self::BadHash { .. } => "give 64 hex digits: the blake3 hash of the file's bytes".into(),
            Self::Path { .. } => {
                "give a path inside the project, relative to its root or absolute".into()
            }
            Self::MissingFile { .. } => {
                "name a file that is there, or give a whole file to create it".into()
            }
            Self::FileExists { .. } => "edit the file, or give it as a whole file".into(),
            Self::Unreadable { why, .. } => match why {
                Unreadable::NotUtf8 => "convert the file to UTF-8 first".into(),
                Unreadable::Symlink => "name the file that the link leads to".into(),
                Unreadable::NotAFile => "name a regular file".into(),
                Unreadable::Io(_) => "see that the file can be read".into(),
            },
            Self::StaleHash { present, .. } => format!(
                "read the file again, make the edit for its present text and give \
                 `expected_file_hash` {present}"
            ),
            Self::OutOfRange { len, .. } => format!("offsets go from 0 to {len}, in bytes"),
            Self::NotCharBoundary { before, after, .. } => {
                format!("offsets count bytes; the nearest borders are {before} and {after}")
            }
            Self::ReversedSpan { .. } => "give half-open spans, `start_byte` first".into(),
            Self::Overlap { .. } => "join the two into one edit".into(),
            Self::Conflict { .. } => "say all about one file in one part".into(),
            Self::CanonNotFound { nearest, .. } if nearest.is_empty() => {
                "the file holds no items".into()
            }
            Self::CanonNotFound { nearest, .. } => format!("the nearest are {}", words(nearest)),
            Self::CanonAmbiguous { candidates, .. } => {
                format!("give one of {} in full", words(candidates))
            }
            Self::CanonKind { found, .. } => format!("give `node_type` `{found}`"),
            Self::CanonCode { .. } => "give the whole new item, and that item alone".into(),
            Self::DiffSyntax { .. } => {
                "give a unified diff: `--- a/file`, `+++ b/file`, `@@ -1,3 +1,4 @@`, then lines that \
                 begin with a space, `-` or `+`"
                    .into()
            }
            Self::HunkMismatch { .. } => {
                "make the diff against the file's present text, with its exact white space".into()
            }
            Self::HunkAmbiguous { .. } => {
                "give the right line numbers, or more lines of context".into()
            }
            Self::BlockSyntax { .. } => {
                "give the path on a line of its own, then `<<<<<<< SEARCH`, `=======`, \
                 `>>>>>>> REPLACE`"
                    .into()
            }
            Self::SearchNotFound { .. } => "copy the lines from the file as they are".into(),
            Self::SearchAmbiguous { .. } => {
                "add neighbouring lines until the text is there once".into()
            }
            Self::ComposeMismatch { .. } => {
                "make the second change from the states that the first leaves".into()
            }
        };
        Some(hint)
    }
}
