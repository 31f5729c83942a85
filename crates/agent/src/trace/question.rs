//! [`Question`]: what a run asks the outside world. Equal questions get equal answers.

use base::{ByteSpan, ContentHash, ProjectPath, SortedSet};
use check::{Ladder, Tests};
use serde::{Deserialize, Serialize};

/// Name of a proof without tests.
const NO_TESTS: &str = "none";

/// A question to the outside world.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Question {
    /// The time.
    Now,
    /// The text of a file, at its nth reading; asked again only where the answer differs.
    Read { path: ProjectPath, nth: u64 },
    /// The files of the project.
    Files,
    /// The change back to a commit.
    Back { revision: String },
    /// The changes of recent commits.
    Past { most: usize },
    /// The texts that both sides of a merge began with, of these files.
    MergeBases { paths: Vec<ProjectPath> },
    /// The dependencies that have another version than after the change back to a commit, or that may have
    /// one of the missed names behind a feature.
    Libraries {
        back: ContentHash,
        #[serde(default, skip_serializing_if = "SortedSet::is_empty")]
        missed: SortedSet<String>,
    },
    /// A check of the tree.
    Tree { ladder: LadderRecord },
    /// A check of a change.
    Change { patch_set: ContentHash, ladder: LadderRecord },
    /// What failing tests execute, by the hash of the request.
    Coverage { request: ContentHash },
    /// Trials of many candidates, by the change that compiles them in and the hash of the request.
    Trials { patch_set: ContentHash, request: ContentHash },
    /// Whether there is a rust-analyzer.
    Analyzer,
    /// Its proposals for errors at these places of a change.
    Advice { patch_set: ContentHash, places: Vec<(ProjectPath, ByteSpan)> },
    /// The edits that were learned from accepted changes.
    Learned,
    /// The answers of earlier runs.
    Answers,
    /// Why there is no rust-analyzer.
    NoAnalyzer,
    /// A turn of a language model, by the hash of the request.
    Turn { request: ContentHash },
    /// What is looked up for a model: `context`, `callers`, `item`, `search`, `show`,
    /// `root`.
    Look { what: String, query: String },
}

impl Question {
    /// Whether the answer is about a candidate of a search, and no test of it ran.
    pub(crate) fn is_about_candidates(&self) -> bool {
        match self {
            Self::Change { ladder, .. } => ladder.tests == NO_TESTS,
            Self::Coverage { .. }
            | Self::Trials { .. }
            | Self::Advice { .. }
            | Self::Turn { .. } => true,
            _ => false,
        }
    }
}

/// What a proof runs, as a trace shows and compares it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct LadderRecord {
    /// Which tests run: `none`, `affected`, `all`.
    pub(crate) tests: String,
    /// Hash of everything else.
    pub(crate) hash: ContentHash,
}

impl From<&Ladder> for LadderRecord {
    fn from(ladder: &Ladder) -> Self {
        let tests = match ladder.tests {
            Tests::None => NO_TESTS,
            Tests::Affected => "affected",
            Tests::All => "all",
        };
        // Ladders have no serde form, since proofs are requested in this process only.
        Self { tests: tests.to_owned(), hash: ContentHash::of(format!("{ladder:?}").as_bytes()) }
    }
}
