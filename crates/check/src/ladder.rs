use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Which tests a proof runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tests {
    /// None.
    None,
    /// Unit and integration tests of the packages with changed files and of all that depend on
    /// them.
    Affected,
    /// All of the workspace, documentation tests included.
    All,
}

/// How far to climb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// The check rung looks at the code of unit and integration tests too, once the rest builds.
    pub test_code: bool,
    /// The analyzer rung, where the prover has one ([`Prover::with_preflight`](crate::Prover)):
    /// rust-analyzer may refuse a candidate before cargo is asked.
    pub analyzer: bool,
    /// The clippy rung: nothing new may be found.
    pub clippy: bool,
    /// The test rung.
    pub tests: Tests,
    /// Only tests whose name holds this.
    pub filter: Option<String>,
    /// The format rung: advice, and a run of rustfmt for each changed file.
    pub format: bool,
    /// Test code that cannot be built whatever the change does is left out and noted, instead of
    /// refusing the change (`Tests::All` means all, and knows no excuse).
    pub excuse: bool,
    /// For each run of cargo; derived from the baseline where `None`.
    pub timeout: Option<Duration>,
}

impl Default for Ladder {
    /// Up to `cargo check`.
    fn default() -> Self {
        Self {
            test_code: false,
            analyzer: false,
            clippy: false,
            tests: Tests::None,
            filter: None,
            format: true,
            excuse: false,
            timeout: None,
        }
    }
}

/// What of the workspace is checked, the same for baseline and candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Packages by name; all members where empty.
    pub packages: Vec<String>,
    /// Libraries alone, without binaries, tests, examples and benches.
    pub lib_only: bool,
    /// Features to turn on.
    pub features: Vec<String>,
    /// All features.
    pub all_features: bool,
    /// Without the default features.
    pub no_default_features: bool,
}

impl Scope {
    pub(crate) fn command(&self, verb: cargo::Verb, timeout: Duration) -> cargo::Command {
        let mut command = cargo::Command::new(verb, timeout);
        if !self.packages.is_empty() {
            command.packages = cargo::Packages::Named(self.packages.clone());
        }
        command.lib_only = self.lib_only;
        command.features = self.features.clone();
        command.all_features = self.all_features;
        command.no_default_features = self.no_default_features;
        command
    }

    /// What tells two scopes' builds apart.
    pub(crate) fn words(&self) -> String {
        format!(
            "dev;features={};all={};no_default={}",
            self.features.join(","),
            self.all_features,
            self.no_default_features
        )
    }
}
