//! [`Scope`]: one configuration that a proof builds and tests.

use std::fmt;

use build::{Command, Packages, Verb};
use serde::{Deserialize, Serialize};

/// One configuration that a proof builds and tests, the same for baseline and candidates. The default
/// is a plain `cargo check --workspace`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Scope {
    /// Packages by name; all members if empty.
    pub packages: Vec<String>,
    /// Libraries only, without binaries, tests, examples and benches.
    pub lib_only: bool,
    /// Tests, examples and benches are checked too.
    pub all_targets: bool,
    /// Features to enable.
    pub features: Vec<String>,
    /// All features.
    pub all_features: bool,
    /// Without the default features.
    pub no_default_features: bool,
    /// The target triple; the host's if `None`. Tests need one that the host can run.
    pub target: Option<String>,
}

/// Why a text is not a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// An argument that configurations do not take.
    #[error("`{0}` is not an argument of a configuration")]
    Unknown(String),
    /// An option without its value.
    #[error("`{0}` needs a value")]
    NoValue(String),
}

impl Scope {
    /// Reads a configuration as it is written for cargo: `-p NAME`, `--workspace`, `--lib`,
    /// `--features A,B`, `--all-features`, `--no-default-features`, `--all-targets`, `--target T`.
    ///
    /// # Errors
    /// [`ScopeError`] names the first argument that is not one of them.
    pub fn parse(text: &str) -> Result<Self, ScopeError> {
        let mut scope = Self::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let (option, inline) = match word.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (word, None),
            };
            let mut value = || {
                let value = inline.or_else(|| words.next()).filter(|it| !it.starts_with('-'));
                value.map(str::to_owned).ok_or_else(|| ScopeError::NoValue(option.to_owned()))
            };
            match option {
                "--workspace" => scope.packages.clear(),
                "-p" | "--package" => scope.packages.push(value()?),
                "--features" | "-F" => {
                    scope.features.extend(value()?.split(',').map(str::to_owned));
                }
                "--target" => scope.target = Some(value()?),
                "--lib" => scope.lib_only = true,
                "--all-targets" => scope.all_targets = true,
                "--all-features" => scope.all_features = true,
                "--no-default-features" => scope.no_default_features = true,
                _ => return Err(ScopeError::Unknown(word.to_owned())),
            }
        }
        scope.features.retain(|name| !name.is_empty());
        for names in [&mut scope.packages, &mut scope.features] {
            names.sort();
            names.dedup();
        }
        Ok(scope)
    }

    pub(crate) fn command(&self, verb: Verb, timeout: std::time::Duration) -> Command {
        let mut command = Command::new(verb, timeout);
        if !self.packages.is_empty() {
            command.packages = Packages::Named(self.packages.clone());
        }
        command.lib_only = self.lib_only;
        // For tests `--all-targets` would affect documentation tests, which the ladder decides.
        command.all_targets = self.all_targets && verb != Verb::Test;
        command.features = self.features.clone();
        command.all_features = self.all_features;
        command.no_default_features = self.no_default_features;
        command.target = self.target.clone();
        command
    }
}

impl fmt::Display for Scope {
    /// Formats it as cargo's arguments, as read by [`Scope::parse`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        if self.packages.is_empty() {
            words.push("--workspace".to_owned());
        }
        words.extend(self.packages.iter().map(|name| format!("-p {name}")));
        for (is_on, word) in [
            (self.lib_only, "--lib"),
            (self.all_targets, "--all-targets"),
            (self.all_features, "--all-features"),
            (self.no_default_features, "--no-default-features"),
        ] {
            if is_on {
                words.push(word.to_owned());
            }
        }
        if !self.features.is_empty() {
            words.push(format!("--features {}", self.features.join(",")));
        }
        words.extend(self.target.iter().map(|triple| format!("--target {triple}")));
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_is_read_and_written_as_cargo_has_it() {
        for (text, shown) in [
            ("", "--workspace"),
            ("--workspace --all-features", "--workspace --all-features"),
            ("-p b --package=a --features x,y -F z", "-p a -p b --features x,y,z"),
            (
                "--no-default-features --all-targets --lib",
                "--workspace --lib --all-targets --no-default-features",
            ),
            ("--target wasm32-unknown-unknown", "--workspace --target wasm32-unknown-unknown"),
        ] {
            let scope = Scope::parse(text).unwrap();
            assert_eq!(scope.to_string(), shown);
            assert_eq!(Scope::parse(shown).unwrap(), scope);
        }
    }

    #[test]
    fn an_argument_that_is_none_is_refused_by_name() {
        let error = |text: &str| Scope::parse(text).unwrap_err().to_string();
        assert_eq!(error("--release"), "`--release` is not an argument of a configuration");
        assert_eq!(error("--features"), "`--features` needs a value");
        assert_eq!(error("-p --lib"), "`-p` needs a value");
    }
}
