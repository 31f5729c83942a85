//! Settings and where each came from: defaults, the user's file, the project's file (which may
//! only tighten), the environment, the command line – later ones win.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use check::{Scope, Tests};
use sandbox::Level;
use serde::Serialize;

mod error;
mod keys;
mod search;
#[cfg(test)]
mod tests;

pub use error::SettingsError;
use keys::KEYS;

/// Bytes of one settings file.
const LARGEST_FILE: u64 = 1 << 20;
pub use keys::{Key, keys};
pub use search::{EncoderChoice, RankerChoice, RerankerChoice, SearchSettings};

/// All settings, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The least protection under which foreign code runs.
    pub sandbox_require: Level,
    /// Whether missing dependencies are never downloaded.
    pub cargo_offline: bool,
    /// Folders outside a project that its builds may read: path dependencies and toolchains.
    pub trust_paths: Vec<PathBuf>,
    /// Cargo's `--jobs`; cargo's own choice when unset.
    pub cargo_jobs: Option<u32>,
    /// Which tests a proof runs.
    pub check_tests: Tests,
    /// What a proof builds.
    pub check_scope: Scope,
    /// Further configurations that every proof must pass.
    pub check_configurations: Vec<Scope>,
    /// Whether a proof runs clippy.
    pub check_clippy: bool,
    /// The longest that one proof may take; derived from the baseline when unset.
    pub check_timeout: Option<Duration>,
    /// How many candidates `fix` proves at most.
    pub fix_attempts: usize,
    /// How long `fix` searches at most.
    pub fix_timeout: Duration,
    /// When `fix` asks rust-analyzer for repairs.
    pub fix_analyzer: FixAnalyzer,
    /// Which rules propose in `fix`.
    pub fix_rules: FixRules,
    /// Whether an accepted change is committed without being asked.
    pub commit_always: bool,
    /// The gate's rules.
    pub gate: policy::Rules,
    /// The rust-analyzer to use; `None`: it is looked for.
    pub analyzer_path: Option<PathBuf>,
    /// A live rust-analyzer looks at candidates before cargo, and proposes.
    pub analyzer_live: bool,
    /// rust-analyzer may run build scripts and procedural macros of the project, in the sandbox.
    pub analyzer_build_scripts: bool,
    /// The longest that rust-analyzer may read a workspace; `None`: by its size.
    pub analyzer_timeout: Option<Duration>,
    /// The most memory that it may have, in MiB; `None`: half of the machine's, at most 6 GiB.
    pub analyzer_memory_mb: Option<u64>,
    /// How searches run.
    pub search: SearchSettings,
    /// Views are made by git and not by a copy-on-write mount.
    pub overlay_require_git: bool,
    origins: BTreeMap<&'static str, Origin>,
}

/// When `fix` asks rust-analyzer for repairs; where there is none, nothing changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FixAnalyzer {
    /// From the start.
    First,
    /// Once the compiler's suggestions and our own rules have failed: what they mend costs nothing
    /// more.
    #[default]
    Last,
    /// Not at all.
    Never,
}

impl FixAnalyzer {
    /// All of them, as the settings write them.
    pub(crate) const ALL: [(Self, &'static str); 3] =
        [(Self::First, "first"), (Self::Last, "last"), (Self::Never, "never")];

    pub(crate) fn text(self) -> &'static str {
        Self::ALL.iter().find(|(it, _)| *it == self).map_or("", |(_, text)| text)
    }
}

/// Which rules propose in `fix`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FixRules {
    /// All of them.
    #[default]
    All,
    /// What the compiler suggests, and nothing of our own.
    Compiler,
    /// None: rust-analyzer is left.
    None,
}

impl FixRules {
    /// All of them, as the settings write them.
    pub(crate) const ALL: [(Self, &'static str); 3] =
        [(Self::All, "all"), (Self::Compiler, "compiler"), (Self::None, "none")];

    pub(crate) fn text(self) -> &'static str {
        Self::ALL.iter().find(|(it, _)| *it == self).map_or("", |(_, text)| text)
    }
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
            analyzer_path: None,
            analyzer_live: false,
            analyzer_build_scripts: true,
            analyzer_timeout: None,
            analyzer_memory_mb: None,
            sandbox_require: Level::Standard,
            cargo_offline: false,
            trust_paths: Vec::new(),
            cargo_jobs: None,
            check_tests: Tests::Affected,
            check_scope: Scope::default(),
            check_configurations: Vec::new(),
            check_clippy: false,
            check_timeout: None,
            fix_attempts: 60,
            fix_timeout: Duration::from_secs(600),
            fix_analyzer: FixAnalyzer::default(),
            fix_rules: FixRules::default(),
            commit_always: false,
            gate: policy::Rules::default(),
            overlay_require_git: false,
            search: SearchSettings::default(),
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
        for (key, value) in read_toml(user_file, beneath::read_own)? {
            settings.put(&key, &value, Origin::User(user_file.to_path_buf()))?;
        }
        if let Some(root) = project_root {
            let file = root.join("graftage.toml");
            for (key, value) in read_toml(&file, beneath::read_regular)? {
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

    /// Every configuration that a proof builds, each once.
    pub fn scopes(&self) -> Vec<Scope> {
        let mut scopes = vec![self.check_scope.clone()];
        for scope in &self.check_configurations {
            if !scopes.contains(scope) {
                scopes.push(scope.clone());
            }
        }
        scopes
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

/// The user's own file may be a link; the project's was written by somebody else.
type ReadFile = fn(&Path, u64) -> Result<Option<Vec<u8>>, beneath::Fault>;

fn read_toml(file: &Path, read: ReadFile) -> Result<Vec<(String, String)>, SettingsError> {
    let unreadable =
        |reason: String| SettingsError::Unreadable { file: file.to_path_buf(), reason };
    let bytes = match read(file, LARGEST_FILE) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(Vec::new()),
        Err(fault) => return Err(unreadable(fault.to_string())),
    };
    let text = String::from_utf8(bytes).map_err(|error| unreadable(error.to_string()))?;
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| SettingsError::Syntax {
            file: file.to_path_buf(),
            reason: error.to_string().trim_end().to_owned(),
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
