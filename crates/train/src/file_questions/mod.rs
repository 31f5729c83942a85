//! Questions about whole files, made of what the authors of a crate wrote: which file is the answer?
//! Start at [`file_questions`].
//!
//! Six kinds of question ([`FileQuestionKind`]), each with the files that answer it and the bytes
//! that contain the question itself, which the searched text must not have. Nothing is invented but
//! the words of [`phrase`], which make a question of a sentence.

mod docs;
mod guides;
mod messages;
mod names;
mod phrase;
mod pinned;
mod sources;

use std::path::Path;

use base::SortedMap;
use serde_json::{Value, json};

pub use self::pinned::{SPLITS, file_question_suite};
use self::sources::Sources;
use crate::TrainError;

base::named_enum! {
    /// The origin of a question.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum FileQuestionKind {
        /// First sentence of a module's doc comment; the module's file.
        Module = "module",
        /// Name of a type, trait, function or macro; the file that defines it.
        Name = "name",
        /// Re-exported path; the defining file and the one with the re-export.
        Presented = "presented",
        /// Sentence of a README, guide or changelog without the name that it mentions; the file
        /// that defines the name.
        Guide = "guide",
        /// "How" or "where" question made of a sentence of the kinds `module` and `guide`.
        How = "how",
        /// Message of an error or panic; the files that raise it.
        Message = "message",
    }
}

impl FileQuestionKind {
    /// Most questions of this kind from one crate.
    fn most(self) -> usize {
        match self {
            Self::Module | Self::Name | Self::How => 25,
            Self::Presented | Self::Guide | Self::Message => 15,
        }
    }
}

/// A question and the files that answer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileQuestion {
    /// Its origin.
    pub kind: FileQuestionKind,
    /// Its text.
    pub text: String,
    /// The answer: paths relative to the crate, with `/`; the best one first.
    pub files: Vec<String>,
    /// The file and byte range with the text of the question.
    pub blank: Option<(String, std::ops::Range<usize>)>,
}

impl FileQuestion {
    /// The question as a line of a suite: `id`, `crate`, `version`, `kind`, `question`, `files`,
    /// `blank` (`[file, start, end]` or null).
    pub(crate) fn to_json(&self, name: &str, version: &str, number: usize) -> Value {
        let kind = self.kind.as_str();
        json!({
            "id": format!("G-{name}-{kind}-{number:03}"),
            "crate": name,
            "version": version,
            "kind": kind,
            "question": self.text,
            "files": self.files,
            "blank": self.blank.as_ref().map(|(file, range)| json!([file, range.start, range.end])),
        })
    }
}

/// The questions about a crate whose sources are in `folder`, by kind.
pub(crate) fn file_questions(name: &str, folder: &Path) -> Result<Vec<FileQuestion>, TrainError> {
    let sources = Sources::read(name, folder)?;
    Ok(questions_about(&sources))
}

fn questions_about(sources: &Sources) -> Vec<FileQuestion> {
    let mut all = docs::questions(sources);
    all.extend(guides::questions(sources));
    let asked = all.iter().enumerate().filter_map(|(at, it)| phrase::ask(it, at));
    let asked: Vec<FileQuestion> = asked.collect();
    all.extend(asked);
    all.extend(names::questions(sources));
    all.extend(messages::questions(sources));
    let mut counts: SortedMap<String, usize> = SortedMap::new();
    for it in &all {
        *counts.entry(it.text.to_lowercase()).or_default() += 1;
    }
    all.retain(|it| counts.get(&it.text.to_lowercase()) == Some(&1));
    let of_kind = |kind: FileQuestionKind| {
        let own = all.iter().filter(|it| it.kind == kind).cloned().collect();
        crate::suite::evenly(own, kind.most())
    };
    FileQuestionKind::ALL.iter().copied().flat_map(of_kind).collect()
}

#[cfg(test)]
mod tests;
