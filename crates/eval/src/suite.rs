//! [`Suite`]: the cases of a suite, read from the layout in which it is published. Start at
//! [`Suite::load`].

use std::path::{Path, PathBuf};

use crate::cases::{BreakFix, Case, ErrorIndex, RustFix, read_cases};
use crate::retrieval::cases::{Doc2ItemSuite, FileQuestion, Localise};
use crate::{EvalError, Receivers};

/// A suite of cases, recognized by its layout.
#[derive(Clone, Debug)]
pub enum Suite {
    /// Set A: commits of public repositories; which files and items had to change?
    Localise(Vec<Case<Localise>>),
    /// Set B: first sentences of doc comments; which item do they describe?
    Doc2Item(Doc2ItemSuite),
    /// Questions about published crates; which files answer them?
    FileQuestions(Vec<Case<FileQuestion>>),
    /// Set C: published crates, broken in one place; the repair must build and pass the tests.
    BreakFix {
        /// Cases in the file's order.
        cases: Vec<Case<BreakFix>>,
        /// Folder of the case file, which contains the recorded `locks/`.
        folder: PathBuf,
    },
    /// Set D: files before and after one pass of machine-applicable suggestions.
    RustFix(Vec<Case<RustFix>>),
    /// Set E: the compiler's own examples of broken code.
    ErrorIndex(Vec<Case<ErrorIndex>>),
    /// Set F: a crate with all its calls, by receiver shape.
    Receivers(Receivers),
}

impl Suite {
    /// Reads the suite at `path`: a case file, or the folder that contains one.
    pub fn load(path: &Path) -> Result<Self, EvalError> {
        if path.join("gold.json").is_file() && path.join("Cargo.toml").is_file() {
            return Ok(Self::Receivers(Receivers::load(path)?));
        }
        if let Some(suite) = Doc2ItemSuite::load(path)? {
            return Ok(Self::Doc2Item(suite));
        }
        let file = case_file(path)?;
        let text = std::fs::read_to_string(&file).map_err(|error| EvalError::io(&file, &error))?;
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let keys: serde_json::Map<String, serde_json::Value> = serde_json::from_str(first)
            .map_err(|error| EvalError::UnknownSuite {
                path: file.clone(),
                reason: format!("its first line is no JSON object: {error}"),
            })?;
        let has = |names: &[&str]| names.iter().all(|name| keys.contains_key(*name));
        if has(&["crate", "version", "class", "patch"]) {
            let folder = file.parent().unwrap_or(Path::new(".")).to_path_buf();
            Ok(Self::BreakFix { cases: read_cases(&file, &text)?, folder })
        } else if has(&["crate", "version", "raw", "gold_files", "gold_items"]) {
            Ok(Self::Localise(read_cases(&file, &text)?))
        } else if has(&["crate", "version", "question", "files"]) {
            Ok(Self::FileQuestions(read_cases(&file, &text)?))
        } else if has(&["graded", "input", "expected"]) {
            Ok(Self::RustFix(read_cases(&file, &text)?))
        } else if has(&["code", "src", "fixed_norm"]) {
            Ok(Self::ErrorIndex(read_cases(&file, &text)?))
        } else {
            let names: Vec<&str> = keys.keys().map(String::as_str).collect();
            Err(EvalError::UnknownSuite {
                path: file,
                reason: format!("its cases have the fields {}", names.join(", ")),
            })
        }
    }

    /// `A_localise` … `F_receivers`.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Localise(_) => "A_localise",
            Self::Doc2Item(_) => "B_doc2item",
            Self::FileQuestions(_) => "file_questions",
            Self::BreakFix { cases, .. } if cases.iter().any(|it| it.data.origin.is_some()) => {
                "failing_tests"
            }
            Self::BreakFix { .. } => "C_breakfix",
            Self::RustFix(_) => "D_rustfix",
            Self::ErrorIndex(_) => "E_error_index",
            Self::Receivers(_) => "F_receivers",
        }
    }

    /// Keeps only the cases named in `ids` (all if empty), and of those the first `limit`.
    pub(crate) fn select(&mut self, ids: &[String], limit: Option<usize>) -> Result<(), EvalError> {
        match self {
            Self::Localise(cases) => select(cases, ids, limit, |case| &case.id),
            Self::Doc2Item(suite) => select(&mut suite.cases, ids, limit, |case| &case.id),
            Self::FileQuestions(cases) => select(cases, ids, limit, |case| &case.id),
            Self::BreakFix { cases, .. } => select(cases, ids, limit, |case| &case.id),
            Self::RustFix(cases) => select(cases, ids, limit, |case| &case.id),
            Self::ErrorIndex(cases) => select(cases, ids, limit, |case| &case.id),
            Self::Receivers(receivers) => receivers.select(ids, limit),
        }
    }
}

fn select<T>(
    cases: &mut Vec<Case<T>>,
    ids: &[String],
    limit: Option<usize>,
    id: impl Fn(&T) -> &str,
) -> Result<(), EvalError> {
    let missing = ids.iter().find(|wanted| !cases.iter().any(|case| id(&case.data) == **wanted));
    if let Some(missing) = missing {
        return Err(EvalError::NoSuchCase { id: missing.clone() });
    }
    if !ids.is_empty() {
        cases.retain(|case| ids.iter().any(|wanted| id(&case.data) == wanted));
    }
    cases.truncate(limit.unwrap_or(usize::MAX));
    Ok(())
}

fn case_file(path: &Path) -> Result<PathBuf, EvalError> {
    if !path.is_dir() {
        return Ok(path.to_path_buf());
    }
    ["cases.jsonl", "pairs.jsonl"]
        .into_iter()
        .map(|name| path.join(name))
        .find(|file| file.is_file())
        .ok_or_else(|| EvalError::UnknownSuite {
            path: path.to_path_buf(),
            reason: "it holds no `cases.jsonl`, no `pairs.jsonl`, no `queries_*.jsonl` and no crate with a `gold.json`"
                .to_owned(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(name);
        std::fs::write(&file, text).unwrap();
        (dir, file)
    }

    const E: &str = r#"{"id":"E0001_1","code":"E0001","edition":"2015","src":"fn main(){}","fixed_norm":[],"more":1}"#;

    #[test]
    fn a_folder_is_recognized_by_the_fields_of_its_cases() {
        let (dir, _) = write("cases.jsonl", &format!("{E}\n\n{}\n", E.replace("01_1", "01_2")));
        let mut suite = Suite::load(dir.path()).unwrap();
        assert_eq!(suite.name(), "E_error_index");
        suite.select(&["E0001_2".to_owned()], None).unwrap();
        let Suite::ErrorIndex(cases) = suite else { panic!("{suite:?}") };
        assert_eq!(cases.len(), 1);
    }

    #[test]
    fn a_bad_line_is_named() {
        let (_dir, file) = write("cases.jsonl", &format!("{E}\n{{\"id\":1}}\n"));
        let error = Suite::load(&file).unwrap_err().to_string();
        assert!(error.contains("line 2 is no case"), "{error}");
    }

    #[test]
    fn other_layouts_and_unknown_ids_are_refused() {
        let (dir, file) = write("x.jsonl", "{\"query\":1}\n");
        let error = Suite::load(&file).unwrap_err().to_string();
        assert!(error.ends_with("its cases have the fields query"), "{error}");
        assert!(Suite::load(dir.path()).unwrap_err().to_string().contains("no `cases.jsonl`"));
        let (_dir, file) = write("x.jsonl", E);
        let error = Suite::load(&file).unwrap().select(&["X".to_owned()], None).unwrap_err();
        assert_eq!(error.to_string(), "no case `X` in the suite");
    }
}
