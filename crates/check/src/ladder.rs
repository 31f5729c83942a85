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
