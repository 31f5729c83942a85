//! Settings with the origin of each value: defaults, the user's file, the project's file (which may
//! only tighten protection), the environment, the command line. Later origins override earlier ones.
//!
//! Start at [`Settings::load`]; the table of all settings is in `keys`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::SortedMap;
use check::{Ladder, Scope, Tests};
use policy::RungName;
use sandbox::Level;
use serde::Serialize;

mod error;
mod gate_threads;
mod keys;
mod kinds;
mod memory;
mod model;
mod search;
mod serve;
#[cfg(test)]
mod tests;
mod tightening;

pub use error::SettingsError;
pub(crate) use keys::keys;
pub use memory::SkillStore;
pub use model::ModelSettings;
pub use search::{EncoderChoice, RankerChoice, RerankerChoice, SearchSettings};
pub use serve::{AnswerForm, ServeSettings, WriteConsent};

/// The settings of a project, in its root.
pub const SETTINGS_FILE: &str = "graftage.toml";

/// The threads that a project adds to the policy, in its root.
pub const POLICY_FILE: &str = "graftage-policy.toml";

/// Size limit of a settings file in bytes.
const LARGEST_FILE: u64 = 1 << 20;

/// All settings with their effective values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Minimum sandbox level for foreign code.
    pub sandbox_require: Level,
    /// Whether cargo runs offline and never downloads dependencies.
    pub cargo_offline: bool,
    /// Directories outside a project that its builds may read: path dependencies and toolchains.
    pub trust_paths: Vec<PathBuf>,
    /// Addresses of package sources that downloads may contact although only a project names them.
    pub trust_registries: Vec<String>,
    /// Projects whose skills may be read and run.
    pub trust_skills: Vec<PathBuf>,
    /// Cargo's `--jobs`; `None`: cargo's default.
    pub cargo_jobs: Option<u32>,
    /// Tests that a check runs.
    pub check_tests: Tests,
    /// Packages, features and targets that a check builds.
    pub check_scope: Scope,
    /// Further configurations that every change must pass.
    pub check_configurations: Vec<Scope>,
    /// Whether a check runs clippy.
    pub check_clippy: bool,
    /// Whether the language model reviews a change before its stories are played.
    pub check_review: bool,
    /// Whether a check plays the stories that a change may affect.
    pub check_stories: bool,
    /// Time limit of one check; `None`: derived from the baseline.
    pub check_timeout: Option<Duration>,
    /// Maximum number of candidates that `fix` checks.
    pub fix_attempts: usize,
    /// Time limit of the search of `fix`.
    pub fix_timeout: Duration,
    /// Whether `fix` runs failing tests with coverage.
    pub fix_coverage: bool,
    /// When `fix` uses quick fixes of rust-analyzer.
    pub fix_analyzer: FixAnalyzer,
    /// Rules that propose repairs in `fix`.
    pub fix_rules: FixRules,
    /// Where edits that are learned from accepted changes are kept, if they are.
    pub memory_skills: SkillStore,
    /// Number of traces of runs that are kept; 0: none is recorded.
    pub trace_keep: usize,
    /// Whether accepted changes are committed without `--commit`.
    pub commit_always: bool,
    /// Whether the tree is checked again after a commit, which is reverted if the check fails.
    pub commit_verify: bool,
    /// The gate's rules.
    pub gate: policy::GateRules,
    /// Settings of rust-analyzer.
    pub analyzer: AnalyzerSettings,
    /// Settings of the language model.
    pub model: ModelSettings,
    /// Settings of searches.
    pub search: SearchSettings,
    /// Whether views are created with git worktrees instead of copy-on-write mounts.
    pub overlay_require_git: bool,
    /// Whether the hooks of coding agents refuse direct edits of Rust files.
    pub hook_strict: bool,
    /// Keys of the terminal interface that differ from its defaults.
    pub tui_keys: String,
    /// Settings of the server for coding agents.
    pub serve: ServeSettings,
    origins: SortedMap<&'static str, SettingOrigin>,
}

/// How rust-analyzer is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalyzerSettings {
    /// Path of rust-analyzer; `None`: it is searched in toolchain, `PATH` and cache directory.
    pub path: Option<PathBuf>,
    /// Whether a live rust-analyzer checks candidates before cargo, and proposes repairs.
    pub live: bool,
    /// Whether rust-analyzer may run build scripts and procedural macros, in the sandbox.
    pub build_scripts: bool,
    /// Time limit for rust-analyzer to index a workspace; `None`: derived from its size.
    pub timeout: Option<Duration>,
    /// Memory limit of rust-analyzer in MiB; `None`: half of the machine's memory, at most 6 GiB.
    pub memory_mb: Option<u64>,
}

impl Default for AnalyzerSettings {
    fn default() -> Self {
        Self { path: None, live: false, build_scripts: true, timeout: None, memory_mb: None }
    }
}

/// When `fix` uses quick fixes of rust-analyzer. No effect if rust-analyzer is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FixAnalyzer {
    /// From the start, together with the other reasoners.
    First,
    /// After the compiler's suggestions and graftage's rules failed, so that errors which those fix
    /// cost no start of rust-analyzer.
    #[default]
    Last,
    /// Never.
    Never,
}

/// The rules that propose repairs in `fix`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FixRules {
    /// All rules.
    #[default]
    All,
    /// The compiler's suggestions only.
    Compiler,
    /// No rules; only rust-analyzer proposes.
    None,
}

/// Where the value of a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingOrigin {
    /// Built-in default.
    Default,
    /// The user's file with this path.
    User(PathBuf),
    /// The project's file with this path.
    Project(PathBuf),
    /// Environment variable with this name.
    Environment(String),
    /// The command line.
    Flag,
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingOrigin::Default => f.write_str("default"),
            SettingOrigin::User(path) => write!(f, "user file {}", path.display()),
            SettingOrigin::Project(path) => write!(f, "project file {}", path.display()),
            SettingOrigin::Environment(name) => write!(f, "environment {name}"),
            SettingOrigin::Flag => f.write_str("command line"),
        }
    }
}

/// One row of `config show`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettingRow {
    /// Dotted name.
    pub key: &'static str,
    /// Effective value as text.
    pub value: String,
    /// Where the value comes from.
    pub origin: SettingOrigin,
    /// Purpose, one line.
    pub help: &'static str,
    /// Accepted values.
    pub takes: &'static str,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            analyzer: AnalyzerSettings::default(),
            sandbox_require: Level::Standard,
            cargo_offline: false,
            trust_paths: Vec::new(),
            trust_registries: Vec::new(),
            trust_skills: Vec::new(),
            cargo_jobs: None,
            check_tests: Tests::Affected,
            check_scope: Scope::default(),
            check_configurations: Vec::new(),
            check_clippy: false,
            check_review: false,
            check_stories: false,
            check_timeout: None,
            fix_attempts: 60,
            fix_coverage: true,
            fix_timeout: Duration::from_secs(600),
            fix_analyzer: FixAnalyzer::default(),
            fix_rules: FixRules::default(),
            memory_skills: SkillStore::default(),
            trace_keep: 50,
            commit_always: false,
            commit_verify: false,
            gate: policy::GateRules::default(),
            overlay_require_git: false,
            hook_strict: false,
            tui_keys: String::new(),
            serve: ServeSettings::default(),
            model: ModelSettings::default(),
            search: SearchSettings::default(),
            origins: SortedMap::new(),
        }
    }
}

impl Settings {
    /// What the user trusts: directories that builds may read, addresses that downloads may contact.
    pub fn trust(&self) -> build::Trust {
        build::Trust::new(&self.trust_paths).with_registries(&self.trust_registries)
    }

    /// Loads the user's file, then the project's file, then `variables` (`GRAFTAGE_FIX_ATTEMPTS` is
    /// `fix.attempts`). A missing file is no error.
    ///
    /// # Errors
    /// A file that cannot be read or parsed, an unknown setting, a bad value, or a project file that
    /// loosens protection.
    pub fn load(
        user_file: &Path,
        project_root: Option<&Path>,
        variables: &SortedMap<String, String>,
    ) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        for (key, value) in read_toml(user_file, untrusted_fs::read_own)? {
            settings.put(&key, &value, SettingOrigin::User(user_file.to_path_buf()))?;
        }
        settings.add_policy(&user_file.with_file_name("policy.toml"), untrusted_fs::read_own)?;
        if let Some(root) = project_root {
            settings.add_policy(&root.join(POLICY_FILE), untrusted_fs::read_regular)?;
            let file = root.join(SETTINGS_FILE);
            for (key, value) in read_toml(&file, untrusted_fs::read_regular)? {
                settings.put(&key, &value, SettingOrigin::Project(file.clone()))?;
            }
        }
        for (variable, value) in variables {
            let wanted = variable.trim_start_matches("GRAFTAGE_");
            let Some(key) = keys().find(|key| variable_name(key.name) == wanted) else {
                continue; // Other variables may be those of other crates or of later versions.
            };
            settings.put(key.name, value, SettingOrigin::Environment(variable.clone()))?;
        }
        Ok(settings)
    }

    /// Sets one value by the dotted name of its setting.
    ///
    /// # Errors
    /// An unknown name, a bad value, or a value of the project that loosens protection.
    pub fn put(
        &mut self,
        name: &str,
        value: &str,
        origin: SettingOrigin,
    ) -> Result<(), SettingsError> {
        let Some(key) = keys().find(|key| key.name == name) else {
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
        if let (SettingOrigin::Project(_), Some(tightens)) = (&origin, key.tightens)
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

    /// Where the value of a setting comes from.
    pub(crate) fn origin(&self, key: &str) -> SettingOrigin {
        self.origins.get(key).cloned().unwrap_or(SettingOrigin::Default)
    }

    /// All configurations that a check builds, without duplicates.
    pub(crate) fn scopes(&self) -> Vec<Scope> {
        let mut scopes = vec![self.check_scope.clone()];
        for scope in &self.check_configurations {
            if !scopes.contains(scope) {
                scopes.push(scope.clone());
            }
        }
        scopes
    }

    /// What a proof with these tests runs.
    pub fn ladder(&self, tests: Tests, filter: Option<String>) -> Ladder {
        Ladder {
            test_code: false,
            analyzer: self.analyzer.live,
            clippy: self.check_clippy,
            tests,
            documentation: false,
            stories: self.check_stories,
            more: Vec::new(),
            filter,
            format: true,
            skip: check::SkipRule::Nothing,
            asked: None,
            renamed: None,
            moved: None,
            inlined: None,
            reformat: false,
            late_baseline: false,
            timeout: self.check_timeout,
        }
    }

    /// The gate's rules. They require every rung that was requested, so tests that could not run do
    /// not count as passed.
    pub fn rules(&self, tests: Tests) -> policy::GateRules {
        let rules = self.gate.clone();
        let rules = match tests {
            Tests::None => rules,
            Tests::Affected => rules.requiring(RungName::AffectedTests),
            Tests::All => rules.requiring(RungName::AllTests),
        };
        let rules = if self.check_clippy { rules.requiring(RungName::Clippy) } else { rules };
        if self.check_stories { rules.requiring(RungName::Stories) } else { rules }
    }

    /// The settings that are not the default, with their values, in the order of `keys()`. Passed to
    /// [`Settings::put`] they give the same settings.
    pub fn changed(&self) -> Vec<(String, String)> {
        let default = Self::default();
        let changed = keys().filter(|key| (key.get)(self) != (key.get)(&default));
        changed.map(|key| (key.name.to_owned(), (key.get)(self))).collect()
    }

    /// All settings with value and origin, by name.
    pub fn rows(&self) -> Vec<SettingRow> {
        let mut rows: Vec<SettingRow> = keys()
            .map(|key| SettingRow {
                key: key.name,
                value: (key.get)(self),
                origin: self.origin(key.name),
                help: key.help,
                takes: key.takes,
            })
            .collect();
        rows.sort_by_key(|row| row.key);
        rows
    }
}

fn variable_name(key: &str) -> String {
    key.replace('.', "_").to_uppercase()
}

fn nearest(name: &str) -> Option<&'static str> {
    let last = name.rsplit('.').next().unwrap_or(name);
    keys()
        .map(|key| key.name)
        .find(|key| !last.is_empty() && (key.contains(last) || key.ends_with(last)))
}

/// Reads a file with a size limit. The user's file may be a symbolic link, the project's file may
/// not, since the repository is not trusted.
pub(crate) type ReadFile = fn(&Path, u64) -> Result<Option<Vec<u8>>, untrusted_fs::Fault>;

/// The text of a file; `None` if there is no such file.
fn read_text(file: &Path, read: ReadFile) -> Result<Option<String>, SettingsError> {
    let unreadable =
        |reason: String| SettingsError::Unreadable { file: file.to_path_buf(), reason };
    let bytes = read(file, LARGEST_FILE).map_err(|fault| unreadable(fault.to_string()))?;
    let text = bytes.map(String::from_utf8).transpose();
    text.map_err(|error| unreadable(error.to_string()))
}

fn read_toml(file: &Path, read: ReadFile) -> Result<Vec<(String, String)>, SettingsError> {
    let Some(text) = read_text(file, read)? else { return Ok(Vec::new()) };
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
