//! [`Command`]: what cargo is to build, check or test, and its arguments.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The cargo subcommand.
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

impl Verb {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Verb::Check => "check",
            Verb::Clippy => "clippy",
            Verb::Test => "test",
            Verb::Build => "build",
        }
    }
}

/// The selected packages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Packages {
    /// All members.
    Workspace,
    /// cargo's default selection (`default-members`).
    Default,
    /// The packages with these names; cargo rejects the name of a member that a dependency has too.
    Named(Vec<String>),
    /// All members but these: exact where a dependency has the name of a member.
    Without(Vec<String>),
}

/// One cargo command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The subcommand.
    pub verb: Verb,
    /// The selected packages.
    pub packages: Packages,
    /// The code of unit and integration tests (`--tests`) and nothing else; weaker than
    /// `all_targets`. Means nothing with [`Verb::Test`].
    pub test_code: bool,
    /// Tests, benches and examples too (`--all-targets`). With [`Verb::Test`] all that
    /// `cargo test` runs by default, documentation tests included; without it only unit and
    /// integration tests run.
    pub all_targets: bool,
    /// Documentation tests too, beside the chosen targets. For [`Verb::Test`] alone.
    pub documentation: bool,
    /// Exactly these targets as cargo arguments (`--lib`, `--test`, `name`); stronger than all other
    /// choices of targets. For [`Verb::Test`] alone.
    pub targets: Vec<String>,
    /// Libraries only (`--lib`); stronger than `all_targets`.
    pub lib_only: bool,
    /// Run the tests whose name holds this text, as listed by a [`crate::TestReport`].
    pub filter: Option<String>,
    /// Features to enable.
    pub features: Vec<String>,
    /// Whether all features are enabled.
    pub all_features: bool,
    /// Whether the default features are disabled.
    pub no_default_features: bool,
    /// Whether the profile `release` is built in place of `dev`.
    pub release: bool,
    /// The target triple to build for; the host's where `None`.
    pub target: Option<String>,
    /// Time limit of the whole command, downloads included.
    pub timeout: Duration,
    /// Memory limit of the whole process tree; `None`: half of the machine's memory.
    pub memory_bytes: Option<u64>,
}

impl Command {
    /// The whole workspace with its default features.
    pub fn new(verb: Verb, timeout: Duration) -> Self {
        Self {
            verb,
            packages: Packages::Workspace,
            test_code: false,
            // A tree builds if `cargo check` without options passes: benches may need another
            // toolchain, and examples may need features that are not enabled.
            all_targets: false,
            documentation: false,
            targets: Vec::new(),
            lib_only: false,
            filter: None,
            features: Vec::new(),
            all_features: false,
            no_default_features: false,
            release: false,
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
            Packages::Without(names) => {
                args.push("--workspace".to_owned());
                for name in names {
                    args.extend(["--exclude".to_owned(), name.clone()]);
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
        if self.release {
            args.push("--release".to_owned());
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
            (false, false, true) => Some("--all-targets"),
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
