//! Settings and where each came from: defaults, the user's file, the project's file (which may
//! only tighten), the environment, the command line – later ones win.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Hint;
use check::Tests;
use sandbox::Level;
use serde::Serialize;

/// All settings, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The least protection under which foreign code runs.
    pub sandbox_require: Level,
    /// Whether the network may be used to fetch missing dependencies.
    pub cargo_offline: bool,
    /// Cargo's `--jobs`; cargo's own choice when unset.
    pub cargo_jobs: Option<u32>,
    /// Which tests a proof runs.
    pub check_tests: Tests,
    /// Whether a proof runs clippy.
    pub check_clippy: bool,
    /// The longest that one proof may take; derived from the baseline when unset.
    pub check_timeout: Option<Duration>,
    /// How many candidates `fix` proves at most.
    pub fix_attempts: usize,
    /// How long `fix` searches at most.
    pub fix_timeout: Duration,
    /// Whether an accepted change is committed without being asked.
    pub commit_always: bool,
    /// The gate's rules.
    pub gate: policy::Rules,
    /// Views are made by git and not by a copy-on-write mount.
    pub overlay_require_git: bool,
    origins: BTreeMap<&'static str, Origin>,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Built in.
    Default,
    /// The user's file.
    User(PathBuf),
    /// The project's file.
    Project(PathBuf),
    /// An environment variable.
    Environment(String),
    /// The command line.
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::User(path) => write!(f, "user file {}", path.display()),
            Origin::Project(path) => write!(f, "project file {}", path.display()),
            Origin::Environment(name) => write!(f, "environment {name}"),
            Origin::Flag => f.write_str("command line"),
        }
    }
}

/// Why settings were not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The file is no TOML.
    #[error("`{file}` is not valid TOML: {reason}")]
    Syntax {
        /// Which.
        file: PathBuf,
        /// The parser's word, with the line.
        reason: String,
    },
    /// The file cannot be read.
    #[error("`{file}` cannot be read: {reason}")]
    Unreadable {
        /// Which.
        file: PathBuf,
        /// The system's word.
        reason: String,
    },
    /// There is no such setting.
    #[error("unknown setting `{key}` ({origin})")]
    UnknownKey {
        /// As written.
        key: String,
        /// Where.
        origin: String,
        /// The nearest that exists.
        nearest: Option<&'static str>,
    },
    /// The value does not fit.
    #[error("setting `{key}` does not take `{value}` ({origin})")]
    BadValue {
        /// Which.
        key: &'static str,
        /// As written.
        value: String,
        /// Where.
        origin: String,
        /// What it takes.
        takes: &'static str,
    },
    /// A project's file asks for less protection than the user set.
    #[error(
        "the project's file may only tighten `{key}`: it has `{value}`, the user's is `{present}`"
    )]
    Loosens {
        /// Which.
        key: &'static str,
        /// As written.
        value: String,
        /// What holds.
        present: String,
    },
}

impl Hint for SettingsError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Syntax { .. } => "mend the line named above".to_owned(),
            Self::Unreadable { .. } => "make it readable, or remove it".to_owned(),
            Self::UnknownKey { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Self::UnknownKey { .. } => "`graftage config show` lists them all".to_owned(),
            Self::BadValue { takes, .. } => format!("it takes {takes}"),
            Self::Loosens { key, .. } => {
                format!("set `{key}` in your own configuration file or on the command line")
            }
        })
    }
}

/// One setting: its name, what it is for, and how it is read and written as text.
pub struct Key {
    /// Dotted name: `sandbox.require`.
    pub name: &'static str,
    /// What it is for, in one line.
    pub help: &'static str,
    /// What values it takes.
    pub takes: &'static str,
    get: fn(&Settings) -> String,
    set: fn(&mut Settings, &str) -> Option<()>,
    /// Whether the second is at least as tight as the first; `None`: a project may set it freely.
    tightens: Option<fn(&Settings, &Settings) -> bool>,
}

/// All settings there are, by name.
pub fn keys() -> &'static [Key] {
    KEYS
}

const KEYS: &[Key] = &[
    Key {
        name: "cargo.jobs",
        help: "parallel jobs of each cargo run; 0: cargo's own choice",
        takes: "a whole number",
        get: |s| s.cargo_jobs.unwrap_or(0).to_string(),
        set: |s, v| set(&mut s.cargo_jobs, v.parse().ok().map(|n: u32| (n > 0).then_some(n))),
        tightens: None,
    },
    Key {
        name: "cargo.offline",
        help: "never fetch missing dependencies",
        takes: "true or false",
        get: |s| s.cargo_offline.to_string(),
        set: |s, v| set(&mut s.cargo_offline, v.parse().ok()),
        tightens: Some(|old, new| new.cargo_offline >= old.cargo_offline),
    },
    Key {
        name: "check.clippy",
        help: "a proof runs clippy too",
        takes: "true or false",
        get: |s| s.check_clippy.to_string(),
        set: |s, v| set(&mut s.check_clippy, v.parse().ok()),
        tightens: Some(|old, new| new.check_clippy >= old.check_clippy),
    },
    Key {
        name: "check.tests",
        help: "which tests a proof runs",
        takes: "none, affected or all",
        get: |s| tests_name(s.check_tests).to_owned(),
        set: |s, v| {
            set(
                &mut s.check_tests,
                [Tests::None, Tests::Affected, Tests::All]
                    .into_iter()
                    .find(|t| tests_name(*t) == v),
            )
        },
        tightens: Some(|old, new| new.check_tests as u8 >= old.check_tests as u8),
    },
    Key {
        name: "check.timeout_seconds",
        help: "the longest that one proof may take; 0: derived from the baseline",
        takes: "a whole number of seconds",
        get: |s| s.check_timeout.map_or(0, |t| t.as_secs()).to_string(),
        set: |s, v| set(&mut s.check_timeout, seconds(v).map(|t| (!t.is_zero()).then_some(t))),
        tightens: None,
    },
    Key {
        name: "commit.always",
        help: "commit accepted changes without `--commit`",
        takes: "true or false",
        get: |s| s.commit_always.to_string(),
        set: |s, v| set(&mut s.commit_always, v.parse().ok()),
        tightens: Some(|old, new| new.commit_always <= old.commit_always),
    },
    Key {
        name: "fix.attempts",
        help: "how many candidates `fix` proves at most",
        takes: "a whole number",
        get: |s| s.fix_attempts.to_string(),
        set: |s, v| set(&mut s.fix_attempts, v.parse().ok()),
        tightens: None,
    },
    Key {
        name: "fix.timeout_seconds",
        help: "how long `fix` searches at most",
        takes: "a whole number of seconds",
        get: |s| s.fix_timeout.as_secs().to_string(),
        set: |s, v| set(&mut s.fix_timeout, seconds(v)),
        tightens: None,
    },
    Key {
        name: "gate.allow_files",
        help: "globs of the files that may change, comma-separated; empty: any",
        takes: "globs",
        get: |s| s.gate.allow_files.join(","),
        set: |s, v| {
            s.gate.allow_files =
                v.split(',').map(str::trim).filter(|g| !g.is_empty()).map(str::to_owned).collect();
            Some(())
        },
        tightens: Some(|old, new| {
            old.gate.allow_files.is_empty() || new.gate.allow_files == old.gate.allow_files
        }),
    },
    Key {
        name: "gate.allow_public_changes",
        help: "whether a change may touch public signatures",
        takes: "true or false",
        get: |s| s.gate.allow_public_changes.to_string(),
        set: |s, v| set(&mut s.gate.allow_public_changes, v.parse().ok()),
        tightens: Some(|old, new| new.gate.allow_public_changes <= old.gate.allow_public_changes),
    },
    Key {
        name: "gate.max_files",
        help: "how many files one change may touch",
        takes: "a whole number",
        get: |s| s.gate.max_files.to_string(),
        set: |s, v| set(&mut s.gate.max_files, v.parse().ok()),
        tightens: Some(|old, new| new.gate.max_files <= old.gate.max_files),
    },
    Key {
        name: "gate.max_lines",
        help: "how many lines one change may add and remove together",
        takes: "a whole number",
        get: |s| s.gate.max_lines.to_string(),
        set: |s, v| set(&mut s.gate.max_lines, v.parse().ok()),
        tightens: Some(|old, new| new.gate.max_lines <= old.gate.max_lines),
    },
    Key {
        name: "overlay.require_git",
        help: "make views by git (for builds that ask git)",
        takes: "true or false",
        get: |s| s.overlay_require_git.to_string(),
        set: |s, v| set(&mut s.overlay_require_git, v.parse().ok()),
        tightens: None,
    },
    Key {
        name: "sandbox.require",
        help: "the least protection under which foreign code runs",
        takes: "best_effort, standard or strong",
        get: |s| level_name(s.sandbox_require).to_owned(),
        set: |s, v| {
            set(
                &mut s.sandbox_require,
                [Level::BestEffort, Level::Standard, Level::Strong]
                    .into_iter()
                    .find(|l| level_name(*l) == v),
            )
        },
        tightens: Some(|old, new| new.sandbox_require >= old.sandbox_require),
    },
];

fn set<T>(place: &mut T, value: Option<T>) -> Option<()> {
    *place = value?;
    Some(())
}

fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().map(Duration::from_secs)
}

fn tests_name(tests: Tests) -> &'static str {
    match tests {
        Tests::None => "none",
        Tests::Affected => "affected",
        Tests::All => "all",
    }
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::BestEffort => "best_effort",
        Level::Standard => "standard",
        Level::Strong => "strong",
    }
}

/// One line of `config show`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// Dotted name.
    pub key: &'static str,
    /// The value that holds.
    pub value: String,
    /// Where it came from.
    pub origin: Origin,
    /// What it is for.
    pub help: &'static str,
    /// What it takes.
    pub takes: &'static str,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            sandbox_require: Level::Standard,
            cargo_offline: false,
            cargo_jobs: None,
            check_tests: Tests::Affected,
            check_clippy: false,
            check_timeout: None,
            fix_attempts: 60,
            fix_timeout: Duration::from_secs(600),
            commit_always: false,
            gate: policy::Rules::default(),
            overlay_require_git: false,
            origins: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// Reads the user's file, then the project's, then `variables` (`GRAFTAGE_FIX_ATTEMPTS` is
    /// `fix.attempts`). A missing file is no error.
    pub fn load(
        user_file: &Path,
        project_root: Option<&Path>,
        variables: &BTreeMap<String, String>,
    ) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        for (key, value) in read_toml(user_file)? {
            settings.put(&key, &value, Origin::User(user_file.to_path_buf()))?;
        }
        if let Some(root) = project_root {
            let file = root.join("graftage.toml");
            for (key, value) in read_toml(&file)? {
                settings.put(&key, &value, Origin::Project(file.clone()))?;
            }
        }
        for (variable, value) in variables {
            let wanted = variable.trim_start_matches("GRAFTAGE_");
            let Some(key) = KEYS.iter().find(|key| variable_name(key.name) == wanted) else {
                continue; // Variables of other rooms and of later versions are not ours to judge.
            };
            settings.put(key.name, value, Origin::Environment(variable.clone()))?;
        }
        Ok(settings)
    }

    /// Sets one value by its dotted name.
    pub fn put(&mut self, name: &str, value: &str, origin: Origin) -> Result<(), SettingsError> {
        let Some(key) = KEYS.iter().find(|key| key.name == name) else {
            return Err(SettingsError::UnknownKey {
                key: name.to_owned(),
                origin: origin.to_string(),
                nearest: nearest(name),
            });
        };
        let mut next = self.clone();
        if (key.set)(&mut next, value).is_none() {
            return Err(SettingsError::BadValue {
                key: key.name,
                value: value.to_owned(),
                origin: origin.to_string(),
                takes: key.takes,
            });
        }
        if let (Origin::Project(_), Some(tightens)) = (&origin, key.tightens)
            && !tightens(self, &next)
        {
            return Err(SettingsError::Loosens {
                key: key.name,
                value: value.to_owned(),
                present: (key.get)(self),
            });
        }
        next.origins.insert(key.name, origin);
        *self = next;
        Ok(())
    }

    /// Every setting with its value and origin, by name.
    pub fn shown(&self) -> Vec<Shown> {
        KEYS.iter()
            .map(|key| Shown {
                key: key.name,
                value: (key.get)(self),
                origin: self.origins.get(key.name).cloned().unwrap_or(Origin::Default),
                help: key.help,
                takes: key.takes,
            })
            .collect()
    }
}

fn variable_name(key: &str) -> String {
    key.replace('.', "_").to_uppercase()
}

fn nearest(name: &str) -> Option<&'static str> {
    let last = name.rsplit('.').next().unwrap_or(name);
    KEYS.iter()
        .map(|key| key.name)
        .find(|key| !last.is_empty() && (key.contains(last) || key.ends_with(last)))
}

fn read_toml(file: &Path) -> Result<Vec<(String, String)>, SettingsError> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(SettingsError::Unreadable {
                file: file.to_path_buf(),
                reason: error.to_string(),
            });
        }
    };
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        SettingsError::Syntax { file: file.to_path_buf(), reason: error.to_string() }
    })?;
    let mut flat = Vec::new();
    flatten("", &toml::Value::Table(table), &mut flat);
    Ok(flat)
}

fn flatten(prefix: &str, value: &toml::Value, out: &mut Vec<(String, String)>) {
    match value {
        toml::Value::Table(table) => {
            for (name, value) in table {
                let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                flatten(&key, value, out);
            }
        }
        toml::Value::String(text) => out.push((prefix.to_owned(), text.clone())),
        toml::Value::Array(values) => {
            let parts: Vec<String> = values
                .iter()
                .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
                .collect();
            out.push((prefix.to_owned(), parts.join(",")));
        }
        other => out.push((prefix.to_owned(), other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(user: &str, project: &str, variables: &[(&str, &str)]) -> Result<Settings, String> {
        let dir = tempfile::tempdir().unwrap();
        let user_file = dir.path().join("user.toml");
        std::fs::write(&user_file, user).unwrap();
        std::fs::write(dir.path().join("graftage.toml"), project).unwrap();
        let variables = variables.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Settings::load(&user_file, Some(dir.path()), &variables).map_err(|error| {
            let text = format!("{error}\n  hint: {}", error.hint().unwrap_or_default());
            text.replace(&dir.path().display().to_string(), "DIR")
        })
    }

    #[test]
    fn later_origins_win_and_are_named() {
        let settings = load(
            "[fix]\nattempts = 5\n[gate]\nmax_files = 9\n",
            "gate.max_files = 3\n",
            &[("GRAFTAGE_FIX_ATTEMPTS", "7"), ("GRAFTAGE_OTHER", "x")],
        )
        .unwrap();
        assert_eq!((settings.fix_attempts, settings.gate.max_files), (7, 3));
        let shown = settings.shown();
        let origin = |key: &str| &shown.iter().find(|s| s.key == key).unwrap().origin;
        assert_eq!(origin("fix.attempts"), &Origin::Environment("GRAFTAGE_FIX_ATTEMPTS".into()));
        assert!(matches!(origin("gate.max_files"), Origin::Project(_)));
        assert_eq!(origin("check.clippy"), &Origin::Default);
    }

    #[test]
    fn a_project_cannot_loosen_the_sandbox() {
        let error = load("", "[sandbox]\nrequire = \"best_effort\"\n", &[]).unwrap_err();
        assert_eq!(
            error,
            "the project's file may only tighten `sandbox.require`: it has `best_effort`, the \
             user's is `standard`\n  hint: set `sandbox.require` in your own configuration file \
             or on the command line"
        );
        assert!(load("", "[sandbox]\nrequire = \"strong\"\n", &[]).is_ok());
    }

    #[test]
    fn unknown_keys_and_values_name_the_mend() {
        assert_eq!(
            load("[gate]\nmax_file = 3\n", "", &[]).unwrap_err(),
            "unknown setting `gate.max_file` (user file DIR/user.toml)\n  hint: did you mean \
             `gate.max_files`?"
        );
        assert_eq!(
            load("check.tests = \"some\"\n", "", &[]).unwrap_err(),
            "setting `check.tests` does not take `some` (user file DIR/user.toml)\n  hint: it \
             takes none, affected or all"
        );
        assert!(load("a = [", "", &[]).unwrap_err().contains("is not valid TOML"));
    }

    #[test]
    fn every_key_reads_back_what_it_shows() {
        let settings = Settings::default();
        for shown in settings.shown() {
            let mut copy = settings.clone();
            copy.put(shown.key, &shown.value, Origin::Flag).unwrap();
            assert_eq!(
                copy.shown().iter().find(|s| s.key == shown.key).unwrap().value,
                shown.value
            );
        }
    }
}
