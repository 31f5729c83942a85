//! The cases of sets C to E as their files have them.

use std::path::Path;

use base::ContentHash;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::EvalError;

/// One case with the hash of its line, by which results of another version are detected.
#[derive(Clone, Debug)]
pub struct Case<T> {
    /// Content of the case.
    pub data: T,
    /// Hash of the whole line.
    pub input: ContentHash,
}

/// A case of set C.
#[derive(Clone, Debug, Deserialize)]
pub struct BreakFix {
    /// `strsim-0.11.1-01`.
    pub id: String,
    /// Crate name.
    #[serde(rename = "crate")]
    pub krate: String,
    /// Crate version.
    pub version: String,
    /// How it was broken: `remove_mut`.
    pub class: String,
    /// Whether its library tests can grade an answer.
    pub has_tests: bool,
    /// What the break affects.
    pub breaks: Breaks,
    /// Unified diff from clean to broken.
    pub patch: String,
    /// Development dependencies to leave out.
    #[serde(default)]
    pub drop_dev_deps: Vec<String>,
    /// Of a fault for failing tests: `seeded` by a program, or `real`, from a project's history.
    #[serde(default)]
    pub origin: Option<String>,
}

impl BreakFix {
    /// `strsim-0.11.1`.
    pub(crate) fn package(&self) -> String {
        format!("{}-{}", self.krate, self.version)
    }
}

/// What a break affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breaks {
    /// The crate does not build.
    Compile,
    /// The crate builds, but tests fail.
    Test,
}

/// A case of set D.
#[derive(Clone, Debug, Deserialize)]
pub struct RustFix {
    /// `clippy-1.95.0/as_underscore`.
    pub id: String,
    /// Whether one pass is known to result in `expected`.
    pub graded: bool,
    /// `2024`.
    pub edition: String,
    /// Text before.
    pub input: String,
    /// Text after.
    pub expected: String,
    /// Recorded diagnostics, one JSON line each; if absent, the linter is run.
    #[serde(default)]
    pub diagnostics_json: Option<String>,
}

/// A case of set E.
#[derive(Clone, Debug, Deserialize)]
pub struct ErrorIndex {
    /// `E0004_1`.
    pub id: String,
    /// Error code that it demonstrates.
    pub code: String,
    /// `2015`.
    pub edition: String,
    /// Broken text.
    pub src: String,
    /// Documented corrected versions without white space.
    #[serde(default)]
    pub fixed_norm: Vec<String>,
}

/// The cases of a file, one on each line.
pub(crate) fn read_cases<T: DeserializeOwned>(
    file: &Path,
    text: &str,
) -> Result<Vec<Case<T>>, EvalError> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(idx, line)| {
            let data = serde_json::from_str(line).map_err(|error| EvalError::BadCase {
                path: file.to_path_buf(),
                line: idx + 1,
                reason: error.to_string(),
            })?;
            Ok(Case { data, input: ContentHash::of(line.as_bytes()) })
        })
        .collect()
}
