//! The evidence of a proof: what was built and tested, what it found, and what changes. `check`
//! collects [`Findings`] and seals them as [`Evidence`], which is read-only; `decide` reads it.
use std::ops::Deref;

use base::{ContentHash, ProjectPath};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{ProtectedChange, Tree, UncheckedPart};

/// The completed findings that the gate decides on.
///
/// Invariant: read-only. Only `check` creates it, once and complete, by [`Evidence::of`] (`cargo
/// xtask tidy` finds any other caller); nothing is added or corrected afterwards. What serde reads is a
/// record of evidence, from which no permit follows ([`crate::Decision::OnRecord`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    findings: Findings,
    is_record: bool,
}

impl Evidence {
    /// Evidence from complete findings. Called by `check` only.
    pub fn of(findings: Findings) -> Self {
        Self { findings, is_record: false }
    }

    /// Whether it was read from a record, such as a trace.
    pub(crate) fn is_record(&self) -> bool {
        self.is_record
    }
}

impl Deref for Evidence {
    type Target = Findings;

    fn deref(&self) -> &Findings {
        &self.findings
    }
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.findings.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Evidence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let RecordedFindings { tree, findings } = RecordedFindings::deserialize(deserializer)?;
        Ok(Self { findings: Findings { tree, ..findings }, is_record: true })
    }
}

/// Evidence as serde reads it: with the hash of its tree.
#[derive(Deserialize)]
struct RecordedFindings {
    #[serde(deserialize_with = "Tree::from_record")]
    tree: Option<Tree>,
    #[serde(flatten)]
    findings: Findings,
}

/// The findings of a proof while it runs; [`Evidence`] is their final form. Findings that are read
/// back have no tree, so that they can be explained but not be decided on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Overlay that was tested: `edit::Overlay::patch_set`.
    pub patch_set: ContentHash,
    /// Tree that it was tested on; serialised as its hash. `None`: nothing was tested.
    #[serde(skip_deserializing)]
    pub tree: Option<Tree>,
    /// The patch set of the files that were compiled, as the host read them back from the view after
    /// the last rung; `None` where nothing was compiled, or something else than the change.
    #[serde(default)]
    pub compiled: Option<ContentHash>,
    /// Extent: what was built and tested, and what was not.
    pub coverage: ProofCoverage,
    /// Rungs that ran, in order; the first failure is the last entry.
    pub rungs: Vec<Rung>,
    /// Number of compile errors without the change; `None` where no baseline was taken.
    pub errors_before: Option<usize>,
    /// Number of compile errors with the change.
    pub errors_after: usize,
    /// The first error with the change, with its place: one that the tree does not have, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_error: Option<String>,
    /// The first of the errors without the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_error_before: Option<String>,
    /// Errors with the change that the tree does not have, with their places; also why the build did not come to
    /// its end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_errors: Vec<String>,
    /// Warnings of the compiler with the change that the tree does not have, with their places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_warnings: Vec<String>,
    /// Test results; `None` where no rung ran tests.
    pub tests: Option<TestOutcome>,
    /// Changed files, in path order.
    pub files: Vec<FileSummary>,
    /// Violations of the preservation rule.
    pub violations: Vec<ReportedViolation>,
    /// Keys of manifests and build scripts that only a person may change; other protected files are found
    /// by the paths in `files`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protected: Vec<ProtectedChange>,
    /// Public signatures that differ, `crate::path: before -> after`.
    pub public_changes: Vec<String>,
    /// Notes for the user: what was skipped and why.
    pub notes: Vec<String>,
    /// Protection layers that were active, as reported by the sandbox.
    pub protections: Vec<String>,
}

impl Findings {
    /// The last run of a rung; `None` where it did not run.
    pub fn rung(&self, name: RungName) -> Option<&Rung> {
        self.rungs.iter().rev().find(|rung| rung.name == name)
    }
}

/// The extent of a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofCoverage {
    /// Configurations that were built, as cargo arguments: `--workspace --all-features`.
    pub configurations: Vec<String>,
    /// Parts of the project that no configuration covers. Bounded; the last entry counts the rest.
    pub not_looked_at: Vec<UncheckedPart>,
}

/// The result of one rung of the proof ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung {
    /// Rung.
    pub name: RungName,
    /// Whether it passed.
    pub passed: bool,
    /// Duration in milliseconds.
    pub ms: u64,
    /// Result in one line.
    pub detail: String,
}

base::named_enum! {
    /// The ladder, cheapest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum RungName {
        /// The changed files parse, with no more errors than before.
        Parse = "parse",
        /// rustfmt accepts the changed files (advice only: never fails a proof).
        Format = "format",
        /// rust-analyzer finds no new error (it can reject a change; that it accepts one proves
        /// nothing).
        Analyzer = "analyzer",
        /// `cargo check` finds no error.
        Check = "check",
        /// `cargo clippy` finds nothing new.
        Clippy = "clippy",
        /// The tests of the changed packages and of those that depend on them.
        AffectedTests = "affected_tests",
        /// All tests of the workspace.
        AllTests = "all_tests",
        /// The stories that the change may affect pass in a browser.
        Stories = "stories",
    }
}

impl RungName {
    /// The rung of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }

    /// Whether the rung runs tests.
    pub(crate) fn runs_tests(self) -> bool {
        matches!(self, RungName::AffectedTests | RungName::AllTests)
    }

    /// Whether the rung compiles the change.
    pub(crate) fn compiles(self) -> bool {
        matches!(self, RungName::Check | RungName::Clippy | RungName::Stories) || self.runs_tests()
    }
}

impl TestOutcome {
    /// The tests that fail now and did not fail before. Without a baseline every failing test
    /// counts as new, except those in `failed_before`.
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

/// The test results with the change, compared with those without it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestOutcome {
    /// Number of tests that passed.
    pub passed: usize,
    /// Names of tests that failed.
    pub failed: Vec<String>,
    /// Names in `failed` that failed without the change too.
    pub failed_before: Vec<String>,
    /// Number of ignored tests (`#[ignore]`).
    pub ignored: usize,
    /// Names of tests that passed without the change and did not run with it: removed, ignored or
    /// filtered out.
    pub lost: Vec<String>,
    /// Whether every test binary ran to completion; a run that was cut off proves nothing.
    pub complete: bool,
    /// State that the results were compared with; `None` where nothing builds without the change.
    pub compared_with: Option<TestReference>,
}

/// The state of the tree that test results are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestReference {
    /// The tree without the change.
    Tree,
    /// The last commit, because the tree without the change does not build.
    LastCommit,
}

/// The summary of one changed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSummary {
    /// Path.
    pub path: ProjectPath,
    /// Kind of change.
    pub kind: PatchKind,
    /// Number of added lines.
    pub added: usize,
    /// Number of removed lines.
    pub removed: usize,
}

/// The kind of change of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatchKind {
    /// The file is new.
    Create,
    /// Text or mode differs.
    Edit,
    /// The file is removed.
    Delete,
    /// The file is moved; its text may change too.
    Rename,
}

/// One violation of the preservation rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ReportedViolation {
    /// Rule name: `item-removed`, `statement-removed`, `assertion-removed`,
    /// `test-removed`, `placeholder`, `unsafe-added`, `allow-added`, `visibility-widened` …
    pub rule: String,
    /// Location, `path:line`.
    pub place: String,
    /// Description in one line.
    pub detail: String,
    /// Whether the rule protects tests, lints or their configuration: such a violation is rejected
    /// in an edit by a user or a program too.
    pub protects_tests: bool,
}
