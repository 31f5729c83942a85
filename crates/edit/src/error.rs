//! [`EditError`]: every reason why a request is rejected, with a hint for each.

use base::{ContentHash, Hint};

use crate::Unreadable;

/// Why an edit was rejected; then nothing is staged. `at` is the location in the request:
/// `edits[1].start_byte`, `hunk 2 of src/lib.rs`, `block 3`, `splices[0]`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The request contains no edit.
    #[error("the request contains no edit")]
    Empty,
    /// The text has none of the known formats.
    #[error("the request is in no known format: {}", .reasons.join("; "))]
    NoFormat {
        /// Reason for each format.
        reasons: Vec<String>,
    },
    /// The text begins like JSON but is not valid JSON.
    #[error("bad JSON at line {line}, column {column}: {message}")]
    Json {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Message of the parser.
        message: String,
    },
    /// An object has a field that is not allowed there.
    #[error("`{at}` has an unknown field `{field}`")]
    UnknownField {
        /// Object.
        at: String,
        /// Field.
        field: String,
        /// Allowed fields.
        known: &'static [&'static str],
    },
    /// An object lacks a required field.
    #[error("`{at}` has no field `{field}`")]
    MissingField {
        /// Object.
        at: String,
        /// Field.
        field: &'static str,
    },
    /// A value has the wrong JSON type or is out of range.
    #[error("`{at}` must be {expected}, found {found}")]
    WrongType {
        /// Field.
        at: String,
        /// Expected type or range.
        expected: &'static str,
        /// Actual value.
        found: String,
    },
    /// A value is not in the list of allowed ones.
    #[error("`{at}` has an unknown value `{value}`")]
    UnknownValue {
        /// Field.
        at: String,
        /// Value.
        value: String,
        /// Allowed values.
        known: Vec<&'static str>,
    },
    /// A hash is malformed.
    #[error("`{at}` is not a blake3 hash: `{value}`")]
    BadHash {
        /// Field.
        at: String,
        /// Value.
        value: String,
    },
    /// A path is invalid or outside the project.
    #[error("{at}: {why}")]
    Path {
        /// Field or line.
        at: String,
        /// Reason.
        why: base::PathError,
    },
    /// The file does not exist.
    #[error("{at}: file `{path}` does not exist")]
    MissingFile {
        /// Location in the request.
        at: String,
        /// Path.
        path: String,
    },
    /// The file to be created exists already.
    #[error("{at}: file `{path}` exists already")]
    FileExists {
        /// Location in the request.
        at: String,
        /// Path.
        path: String,
    },
    /// The file exists, but is not a text file of the project.
    #[error("{at}: file `{path}` cannot be edited: {why}")]
    Unreadable {
        /// Location in the request.
        at: String,
        /// Path.
        path: String,
        /// Reason.
        why: Unreadable,
    },
    /// The file has changed since the edit was made.
    #[error("{at}: file `{path}` has changed: expected hash {expected}, actual hash {present}")]
    StaleHash {
        /// Field.
        at: String,
        /// Path.
        path: String,
        /// Hash that the edit was made for.
        expected: ContentHash,
        /// Hash of the current file.
        present: ContentHash,
    },
    /// An offset is past the end of the file.
    #[error("{at}: offset {offset} is past the end of `{path}` ({len} bytes)")]
    OutOfRange {
        /// Location in the request.
        at: String,
        /// Path.
        path: String,
        /// Offset.
        offset: usize,
        /// Length of the file in bytes.
        len: usize,
    },
    /// An offset is inside a character.
    #[error("{at}: offset {offset} of `{path}` is inside a UTF-8 character")]
    NotCharBoundary {
        /// Location in the request.
        at: String,
        /// Path.
        path: String,
        /// Offset.
        offset: usize,
        /// Nearest character boundary before it.
        before: usize,
        /// Nearest character boundary after it.
        after: usize,
    },
    /// The end of a span is before its start.
    #[error("{at}: start {start} is after end {end}")]
    ReversedSpan {
        /// Edit.
        at: String,
        /// Start.
        start: usize,
        /// End.
        end: usize,
    },
    /// Two edits touch the same bytes.
    #[error("two edits of `{path}` overlap: {first} and {second}")]
    Overlap {
        /// Path.
        path: String,
        /// First edit, with its byte range.
        first: String,
        /// Second edit, with its byte range.
        second: String,
    },
    /// Two parts of a request change one file in incompatible ways.
    #[error("{at}: `{path}` is changed by more than one part of the request: {why}")]
    Conflict {
        /// Second part.
        at: String,
        /// Path.
        path: String,
        /// Reason.
        why: &'static str,
    },
    /// No item has this canonical path.
    #[error("{at}: no item `{canon}` in `{path}`")]
    CanonNotFound {
        /// Edit.
        at: String,
        /// Path.
        path: String,
        /// Canonical path in the request.
        canon: String,
        /// Items with the most similar names, with their kinds.
        nearest: Vec<String>,
    },
    /// Several items have this canonical path.
    #[error("{at}: `{canon}` matches {} items in `{path}`", .candidates.len())]
    CanonAmbiguous {
        /// Edit.
        at: String,
        /// Path.
        path: String,
        /// Canonical path in the request.
        canon: String,
        /// Items, with kinds and lines.
        candidates: Vec<String>,
    },
    /// The item has another kind.
    #[error("{at}: `{canon}` in `{path}` is a {found}, not a {asked}")]
    CanonKind {
        /// Edit.
        at: String,
        /// Path.
        path: String,
        /// Canonical path in the request.
        canon: String,
        /// Requested kind.
        asked: syntax::NodeKind,
        /// Actual kind.
        found: syntax::NodeKind,
    },
    /// The new code is not one item of the requested kind.
    #[error("{at}: the new code {why}")]
    CanonCode {
        /// Field.
        at: String,
        /// Reason.
        why: String,
    },
    /// A line of a diff is invalid at its position.
    #[error("line {line} of the diff: {message}")]
    DiffSyntax {
        /// Line of the request, from 1.
        line: usize,
        /// Reason.
        message: String,
    },
    /// Too many blocks or hunks for the size of their files.
    #[error("{at} is one of too many for the size of its file")]
    TooMuch {
        /// The block or hunk at which it is too much.
        at: String,
    },
    /// The context or removed lines of a hunk do not match the file.
    #[error("{at} does not match the file: {message}")]
    HunkMismatch {
        /// Hunk.
        at: String,
        /// First line that differs, expected and found.
        message: String,
    },
    /// A hunk does not match at its line and matches at several others.
    #[error("{at} does not match at its line and matches at lines {}", list(.lines))]
    HunkAmbiguous {
        /// Hunk.
        at: String,
        /// Lines of the file, from 1.
        lines: Vec<usize>,
    },
    /// A search/replace block is malformed.
    #[error("line {line}: {message}")]
    BlockSyntax {
        /// Line of the request, from 1.
        line: usize,
        /// Reason.
        message: String,
    },
    /// The search text does not occur in the file.
    #[error("{at}: the search text is not in `{path}`{near}")]
    SearchNotFound {
        /// Block.
        at: String,
        /// Path.
        path: String,
        /// Best partial match and how it differs; may be empty.
        near: String,
    },
    /// The search text occurs in the file more than once.
    #[error("{at}: the search text is in `{path}` at lines {}", list(.lines))]
    SearchAmbiguous {
        /// Block.
        at: String,
        /// Path.
        path: String,
        /// Lines where it begins, from 1.
        lines: Vec<usize>,
    },
    /// An overlay does not start from the result of the one before.
    #[error("the second change of `{path}` does not start from the result of the first")]
    ComposeMismatch {
        /// Path.
        path: String,
    },
}

fn list(lines: &[usize]) -> String {
    let all: Vec<String> = lines.iter().take(10).map(ToString::to_string).collect();
    let more = if lines.len() > 10 { ", …" } else { "" };
    all.join(", ") + more
}

fn quoted_list(all: &[impl AsRef<str>]) -> String {
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
            Self::Json { .. } => "fix the JSON at this position".into(),
            Self::UnknownField { known, .. } => format!("fields are {}", quoted_list(known)),
            Self::MissingField { field, .. } => format!("add `{field}`"),
            Self::WrongType { expected, .. } => format!("give {expected}"),
            Self::UnknownValue { known, .. } => format!("give one of {}", quoted_list(known)),
            Self::BadHash { .. } => "give 64 hex digits: the blake3 hash of the file's bytes".into(),
            Self::Path { .. } => {
                "give a path inside the project, relative to its root or absolute".into()
            }
            Self::MissingFile { .. } => {
                "name an existing file, or give a whole file to create it".into()
            }
            Self::FileExists { .. } => "edit the file, or give it as a whole file".into(),
            Self::Unreadable { why, .. } => match why {
                Unreadable::NotUtf8 => "convert the file to UTF-8 first".into(),
                Unreadable::Symlink => "name the file that the link leads to".into(),
                Unreadable::NotAFile => "name a regular file".into(),
                Unreadable::Closed { .. } => "let the user change it in an editor".into(),
                Unreadable::Io(_) => "check that the file can be read".into(),
            },
            Self::StaleHash { present, .. } => format!(
                "read the file again, make the edit for its current text and give \
                 `expected_file_hash` {present}"
            ),
            Self::OutOfRange { len, .. } => format!("offsets go from 0 to {len}, in bytes"),
            Self::NotCharBoundary { before, after, .. } => {
                format!("offsets count bytes; the nearest boundaries are {before} and {after}")
            }
            Self::ReversedSpan { .. } => "give half-open spans, `start_byte` first".into(),
            Self::Overlap { .. } => "join the two into one edit".into(),
            Self::Conflict { .. } => "put all changes of one file into one part".into(),
            Self::CanonNotFound { nearest, .. } if nearest.is_empty() => {
                "the file contains no items".into()
            }
            Self::CanonNotFound { nearest, .. } => format!("similar items: {}", quoted_list(nearest)),
            Self::CanonAmbiguous { candidates, .. } => {
                format!("give one of {} as a full path", quoted_list(candidates))
            }
            Self::CanonKind { found, .. } => format!("give `node_type` `{found}`"),
            Self::CanonCode { .. } => "give the whole new item, and that item alone".into(),
            Self::DiffSyntax { .. } => {
                "give a unified diff: `--- a/file`, `+++ b/file`, `@@ -1,3 +1,4 @@`, then lines that \
                 begin with a space, `-` or `+`"
                    .into()
            }
            Self::TooMuch { .. } => "send them in several requests".into(),
            Self::HunkMismatch { .. } => {
                "make the diff against the file's current text, with exact white space".into()
            }
            Self::HunkAmbiguous { .. } => {
                "give the right line numbers, or more lines of context".into()
            }
            Self::BlockSyntax { .. } => {
                "give the path on a line of its own, then `<<<<<<< SEARCH`, `=======`, \
                 `>>>>>>> REPLACE`"
                    .into()
            }
            Self::SearchNotFound { .. } => "copy the lines exactly from the file".into(),
            Self::SearchAmbiguous { .. } => {
                "add neighbouring lines until the text is unique".into()
            }
            Self::ComposeMismatch { .. } => {
                "make the second change for the result of the first".into()
            }
        };
        Some(hint)
    }
}
