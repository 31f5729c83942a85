use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What cargo is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// `cargo check`.
    Check,
    /// `cargo clippy`.
    Clippy,
    /// `cargo test`: everything is built first, so that build errors are diagnostics.
    Test,
    /// `cargo build`.
    Build,
}

/// Which packages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Packages {
    /// All members.
    Workspace,
    /// What cargo takes without a word (`default-members`).
    Default,
    /// These, by name.
    Named(Vec<String>),
}

/// One cargo command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What to do.
    pub verb: Verb,
    /// With which packages.
    pub packages: Packages,
    /// The code of unit and integration tests (`--tests`) and nothing else; weaker than
    /// `all_targets`. Means nothing with [`Verb::Test`].
    pub test_code: bool,
    /// Tests, benches and examples too (`--all-targets`). With [`Verb::Test`] it stands for all
    /// that plain `cargo test` runs, documentation tests included; without it unit and
    /// integration tests alone are run.
    pub all_targets: bool,
    /// Exactly these targets in cargo's words (`--lib`, `--test`, `name`); stronger than all other
    /// choices of targets. For [`Verb::Test`] alone.
    pub targets: Vec<String>,
    /// Libraries only (`--lib`); stronger than `all_targets`.
    pub lib_only: bool,
    /// Run the tests whose name holds this text, as listed by a [`crate::TestReport`].
    pub filter: Option<String>,
    /// Features to turn on.
    pub features: Vec<String>,
    /// All features.
    pub all_features: bool,
    /// Without the default features.
    pub no_default_features: bool,
    /// The target triple to build for; the host's where `None`.
    pub target: Option<String>,
    /// For the whole command, a fetch included.
    pub timeout: Duration,
    /// For the whole process tree; half of the machine's memory where `None`.
    pub memory_bytes: Option<u64>,
}

impl Command {
    /// The whole workspace with its default features.
    pub fn new(verb: Verb, timeout: Duration) -> Self {
        Self {
            verb,
            packages: Packages::Workspace,
            test_code: false,
            // Benches may need another toolchain, and examples features that nobody asked for:
            // that a tree builds means what a plain `cargo check` says of it.
            all_targets: false,
            targets: Vec::new(),
            lib_only: false,
            filter: None,
            features: Vec::new(),
            all_features: false,
            no_default_features: false,
            target: None,
            timeout,
            memory_bytes: None,
        }
    }

    /// `-p`, `--features` and the like: what names the units, whatever is done with them.
    pub(crate) fn selection(&self) -> Vec<String> {
        let mut args = Vec::new();
        match &self.packages {
            Packages::Workspace => args.push("--workspace".to_owned()),
            Packages::Default => {}
            Packages::Named(names) => {
                for name in names {
                    args.extend(["--package".to_owned(), name.clone()]);
                }
            }
        }
        if self.all_features {
            args.push("--all-features".to_owned());
        }
        if self.no_default_features {
            args.push("--no-default-features".to_owned());
        }
        if !self.features.is_empty() {
            args.extend(["--features".to_owned(), self.features.join(",")]);
        }
        if let Some(target) = &self.target {
            args.extend(["--target".to_owned(), target.clone()]);
        }
        args
    }

    /// Which targets of the packages, for `check`, `clippy` and `build`.
    pub(crate) fn build_targets(&self) -> Option<&'static str> {
        match (self.lib_only, self.all_targets, self.test_code) {
            (true, _, _) => Some("--lib"),
            (false, true, _) => Some("--all-targets"),
            (false, false, true) => Some("--tests"),
            (false, false, false) => None,
        }
    }

    /// Which targets of the packages, for `test`: `--tests` holds the unit tests of libraries and
    /// binaries as well.
    pub(crate) fn test_targets(&self) -> Vec<String> {
        if !self.targets.is_empty() {
            return self.targets.clone();
        }
        match (self.lib_only, self.all_targets) {
            (true, _) => vec!["--lib".to_owned()],
            (false, true) => Vec::new(),
            (false, false) => vec!["--tests".to_owned()],
        }
    }
}
