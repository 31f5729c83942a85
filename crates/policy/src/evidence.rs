use std::ops::Deref;

use base::{ContentHash, ProjectPath};
use serde::{Deserialize, Serialize};

use crate::Tree;

/// What is known of a change when its fate is decided.
///
/// Invariant: read-only. `check` makes it once, whole, by [`Evidence::of`] (`cargo xtask tidy` finds
/// any other caller); nothing is added or corrected afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Evidence(Findings);

impl Evidence {
    /// Evidence of these findings. For `check` alone.
    pub fn of(findings: Findings) -> Self {
        Self(findings)
    }
}

impl Deref for Evidence {
    type Target = Findings;

    fn deref(&self) -> &Findings {
        &self.0
    }
}

/// The findings of a proof while it is under way; [`Evidence`] is their final form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Findings {
    /// The overlay that was proven: `edit::Overlay::patch_set`.
    pub patch_set: ContentHash,
    /// The tree that it was proven on; written as its hash. `None`: nothing was proven.
    pub tree: Option<Tree>,
    /// What was built and tested, and what was not looked at.
    pub coverage: Coverage,
    /// The ladder's rungs in the order they were climbed; the first failure is the last entry.
    pub rungs: Vec<Rung>,
    /// Compile errors of the tree without the change; `None` where no baseline was taken.
    pub errors_before: Option<usize>,
    /// Compile errors with it.
    pub errors_after: usize,
    /// Tests, where the ladder ran them.
    pub tests: Option<TestOutcome>,
    /// What changes, in path order.
    pub files: Vec<FileSummary>,
    /// What the change takes away that a repair must keep.
    pub violations: Vec<Violation>,
    /// Public signatures that differ, `crate::path: before -> after`.
    pub public_changes: Vec<String>,
    /// What a person should know of the proof: what was left out and why.
    pub notes: Vec<String>,
    /// Which protections the proof ran under, as the sandbox reported them.
    pub protections: Vec<String>,
}

impl Findings {
    /// The rung as it was climbed; `None` where it was not.
    pub fn rung(&self, name: RungName) -> Option<&Rung> {
        self.rungs.iter().rev().find(|rung| rung.name == name)
    }
}

/// The extent of a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The configurations that were built, as cargo's arguments: `--workspace --all-features`.
    pub configurations: Vec<String>,
    /// What the project has and none of them looked at: `feature `x` of `k``, `example `e` of `k``,
    /// `cfg(windows): src/win.rs`. Bounded; the last entry counts the rest.
    pub not_looked_at: Vec<String>,
}

/// One step of the proof ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rung {
    /// Which.
    pub name: RungName,
    /// Whether it held.
    pub passed: bool,
    /// How long it took.
    pub ms: u64,
    /// What to say of it in one line.
    pub detail: String,
}

/// The ladder, cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RungName {
    /// The changed files still parse, no worse than before.
    Parse,
    /// rustfmt takes the changed files (advice only: never fails a proof).
    Format,
    /// rust-analyzer finds no error that the tree has not (it may refuse, and vouches for nothing).
    Analyzer,
    /// `cargo check` finds no error.
    Check,
    /// `cargo clippy` finds nothing new.
    Clippy,
    /// Tests of the touched packages and of those that depend on them.
    AffectedTests,
    /// All tests of the workspace.
    AllTests,
}

impl RungName {
    /// The name as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            RungName::Parse => "parse",
            RungName::Format => "format",
            RungName::Analyzer => "analyzer",
            RungName::Check => "check",
            RungName::Clippy => "clippy",
            RungName::AffectedTests => "affected_tests",
            RungName::AllTests => "all_tests",
        }
    }

    /// Whether the rung runs tests.
    pub fn runs_tests(self) -> bool {
        matches!(self, RungName::AffectedTests | RungName::AllTests)
    }
}

impl TestOutcome {
    /// The tests that fail now and did not before. Without a baseline every failing test counts,
    /// but for those that are known to have failed.
    pub fn newly_failing(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .failed
            .iter()
            .filter(|name| !self.failed_before.contains(name))
            .map(String::as_str)
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Tests with the change, compared with those without it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TestOutcome {
    /// How many passed.
    pub passed: usize,
    /// The names that failed.
    pub failed: Vec<String>,
    /// Of those, the ones that failed without the change too.
    pub failed_before: Vec<String>,
    /// How many were ignored (`#[ignore]`).
    pub ignored: usize,
    /// The names that passed without the change and did not run with it: gone, ignored or filtered
    /// out.
    pub lost: Vec<String>,
    /// Whether every test binary ran to its end; a run that was cut off proves nothing.
    pub complete: bool,
    /// What the tests were compared with; `None` where nothing builds without the change.
    pub compared_with: Option<Reference>,
}

/// A state of the tree whose test results a change is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reference {
    /// The tree without the change.
    Tree,
    /// The last commit, because the tree without the change does not build.
    LastCommit,
}

/// How one file changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileSummary {
    /// The file.
    pub path: ProjectPath,
    /// In which way.
    pub kind: PatchKind,
    /// Lines that come.
    pub added: usize,
    /// Lines that go.
    pub removed: usize,
}

/// The ways in which a file changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PatchKind {
    /// It was not there.
    Create,
    /// Its text or mode differs.
    Edit,
    /// It goes.
    Delete,
    /// It moves, perhaps with another text.
    Rename,
}

/// Something that a repair may not do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Violation {
    /// The rule's name: `item-removed`, `statement-removed`, `assertion-removed`,
    /// `test-removed`, `placeholder`, `unsafe-added`, `allow-added`, `visibility-widened` …
    pub rule: String,
    /// Where, `path:line`.
    pub place: String,
    /// What, in one line.
    pub detail: String,
    /// Whether the rule protects tests, lints or their configuration: such a violation is refused
    /// in an edit by a person or a program too.
    pub protects_tests: bool,
}
