//! [`Ladder`]: which rungs a proof runs, on which tests, and what the user has declared about the
//! change. Only the request; `ladder_run.rs` runs it.

use std::sync::Arc;
use std::time::Duration;

use base::Diagnostic;
use edit::Overlay;
use preserve::{Allowed, InlinedItem, MovedItem, Relisting};
use serde::{Deserialize, Serialize};

use crate::Scope;

/// Which tests a proof runs, fewest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tests {
    /// No tests.
    None,
    /// Unit and integration tests of the packages with changed files and of all that depend on
    /// them.
    Affected,
    /// All of the workspace, documentation tests included.
    All,
}

/// The part of a change that a person asked for by a command, such as a renamed definition: it may
/// remove what it is about, but no test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// That part, a change of the tree.
    pub overlay: Overlay,
    /// What the rest may remove, since it follows.
    pub allowed: Allowed,
    /// The errors of the tree with that part.
    pub errors: Vec<Diagnostic>,
    /// That part is declared to change only lists of one name: if its texts show that, it removes
    /// nothing, in tests too.
    pub relisting: Option<Relisting>,
}

/// Which targets that nothing depends on (tests, benches, examples) may stay broken: those that no
/// change can make build, and further ones. Never tests with [`Tests::All`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkipRule {
    /// None.
    #[default]
    Nothing,
    /// Those that have the same errors at the last commit.
    LastCommit,
    /// Those that have the same errors without the change.
    Tree,
}

/// Which rungs to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// The check rung includes the code of unit and integration tests, once the rest builds.
    pub test_code: bool,
    /// The analyzer rung, where the prover has one ([`Prover::with_preflight`](crate::Prover)):
    /// rust-analyzer may reject a candidate before cargo runs.
    pub analyzer: bool,
    /// The clippy rung: no new findings.
    pub clippy: bool,
    /// The test rung.
    pub tests: Tests,
    /// With [`Tests::Affected`], the documentation tests of the same packages too.
    pub documentation: bool,
    /// The rung of stories, after all others: what a person would see in a browser.
    pub stories: bool,
    /// Further configurations that the check rung builds, and no other rung: for code that the
    /// configurations of the prover leave out.
    pub more: Vec<Scope>,
    /// Only tests whose name contains this.
    pub filter: Option<String>,
    /// The format rung: advice, and a run of rustfmt for each changed file.
    pub format: bool,
    /// With [`Ladder::format`], files that were formatted are formatted before the proof instead, and the
    /// lock file follows the manifests: what is proven, and returned, is the change with that.
    pub reformat: bool,
    /// Which targets that do not build are left out and noted instead of rejecting the change.
    pub skip: SkipRule,
    /// The part of the change that a person asked for; the preservation rule applies to the rest.
    pub asked: Option<Arc<Asked>>,
    /// The change is declared to be a renaming: if its texts show that it is no more than that, it
    /// removes nothing, and tests may have the new name.
    pub renamed: Option<RenamedName>,
    /// The change is declared to move an item: it must do that and nothing else.
    pub moved: Option<Arc<MovedItem>>,
    /// The change is declared to put an item into its uses: if its texts show that it is no more than
    /// that, it removes nothing, in tests too.
    pub inlined: Option<Arc<InlinedItem>>,
    /// The tree without the change is checked only if the verdict needs it: where the change does not
    /// build or seems to remove something, and for lints and tests, which are compared. Where it is
    /// not, the evidence has no number of errors before.
    pub late_baseline: bool,
    /// Time limit of each run of cargo; derived from the baseline if `None`.
    pub timeout: Option<Duration>,
}

impl Default for Ladder {
    /// The rungs up to `cargo check`.
    fn default() -> Self {
        Self {
            test_code: false,
            analyzer: false,
            clippy: false,
            tests: Tests::None,
            documentation: false,
            stories: false,
            more: Vec::new(),
            filter: None,
            format: true,
            reformat: false,
            skip: SkipRule::Nothing,
            asked: None,
            renamed: None,
            moved: None,
            inlined: None,
            late_baseline: false,
            timeout: None,
        }
    }
}

/// The old and the new name of an item that a change renames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedName {
    /// Old name.
    pub from: String,
    /// New name.
    pub to: String,
}

impl RenamedName {
    /// A path, such as the name of a test, with the new name for the old one.
    pub(crate) fn apply(&self, path: &str) -> String {
        base::with_word(path, &self.from, self.to.trim_start_matches("r#"))
    }

    /// The same with the old name for the new one.
    pub(crate) fn undo(&self, path: &str) -> String {
        base::with_word(path, self.to.trim_start_matches("r#"), &self.from)
    }
}
