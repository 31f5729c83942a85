//! Environment variables and directories of the user.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use base::SortedMap;
use etcetera::BaseStrategy;

/// The environment of the process, read once and passed on as a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// `PATH`.
    pub path: OsString,
    /// Home directory.
    pub home: PathBuf,
    /// `CARGO_HOME`: cargo's registry and configuration.
    pub cargo_home: PathBuf,
    /// `RUSTUP_HOME`: toolchains.
    pub rustup_home: PathBuf,
    /// Path of the user's configuration file; it may not exist.
    pub config_file: PathBuf,
    /// Directory for downloaded data: models, by hash.
    pub data_dir: PathBuf,
    /// Directory for data that can be rebuilt.
    pub cache_dir: PathBuf,
    /// Directory for data that must be kept: journal and records.
    pub state_dir: PathBuf,
    /// `GRAFTAGE_…` variables, by name.
    pub variables: SortedMap<String, String>,
    /// Variables for git and its hooks: names, addresses, locale, configuration.
    pub git: SortedMap<OsString, OsString>,
    /// User name for the records.
    pub user: String,
    /// All variables: the keys of models, and what must not be sent to one.
    pub environment: Environment,
}

/// The person where the environment has no name, as in a container: the number of the user.
fn number_of_user() -> String {
    format!("user {}", rustix::process::getuid().as_raw())
}

impl Surroundings {
    /// The folder of models: `MODEL_REGISTRY`, or the one in the data directory.
    pub fn models_dir(&self) -> PathBuf {
        let named = self.environment.variables().get("MODEL_REGISTRY").filter(|it| !it.is_empty());
        named.map_or_else(|| self.data_dir.join("models"), PathBuf::from)
    }

    /// The socket of the daemon: `SOCKET_PATH`, or one in `GRAFTAGE_HOME`, the folder of this login, or the state
    /// directory.
    pub fn dobby_socket(&self) -> PathBuf {
        let named = |name: &str| {
            let value = self.environment.variables().get(name).filter(|it| !it.is_empty());
            value.map(PathBuf::from)
        };
        let of_login = || Some(named("XDG_RUNTIME_DIR")?.join("graftage"));
        let folder = named("GRAFTAGE_HOME").map(|it| it.join("run")).or_else(of_login);
        named("SOCKET_PATH").unwrap_or_else(|| {
            folder.unwrap_or_else(|| self.state_dir.join("run")).join("dobby.sock")
        })
    }

    /// The variable and folder of the user that is one of the project at `root`, if there is one: what the repository
    /// has there would count as the user's own, or be written into its tree.
    pub fn in_project(&self, root: &Path) -> Option<(&'static str, PathBuf)> {
        let socket = self.dobby_socket();
        let own = |of_xdg: &'static str| match self.environment.0.contains_key("GRAFTAGE_HOME") {
            true => "GRAFTAGE_HOME",
            false => of_xdg,
        };
        let folders = [
            ("HOME", Some(self.home.as_path())),
            ("CARGO_HOME", Some(&self.cargo_home)),
            ("RUSTUP_HOME", Some(&self.rustup_home)),
            (own("XDG_CONFIG_HOME"), self.config_file.parent()),
            (own("XDG_DATA_HOME"), Some(&self.data_dir)),
            (own("XDG_CACHE_HOME"), Some(&self.cache_dir)),
            (own("XDG_STATE_HOME"), Some(&self.state_dir)),
            ("MODEL_REGISTRY", Some(&self.models_dir())),
            ("SOCKET_PATH", socket.parent()),
        ];
        let root = real(root);
        let is_in = |it: &Path| it.starts_with(&root) || real(it).starts_with(&root);
        let found =
            folders.into_iter().find_map(|(name, it)| Some((name, it.filter(|it| is_in(it))?)));
        found.map(|(name, it)| (name, it.to_owned()))
    }

    /// The part that cargo and rustup depend on.
    pub fn host(&self) -> build::HostEnv {
        build::HostEnv {
            path: self.path.clone(),
            home: self.home.clone(),
            cargo_home: self.cargo_home.clone(),
            rustup_home: self.rustup_home.clone(),
            toolchain: self.environment.variables().get("RUSTUP_TOOLCHAIN").cloned(),
        }
    }
}

/// The path past any links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let above = path.ancestors().find_map(|it| Some((it, it.canonicalize().ok()?)));
    match above.and_then(|(above, real)| Some(real.join(path.strip_prefix(above).ok()?))) {
        // Without a slash at its end.
        Some(real) => real.components().collect(),
        None => path.to_owned(),
    }
}

/// The variables of the process, with secrets among them: no format of it shows a value.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment(SortedMap<String, String>);

impl Environment {
    /// The variables.
    pub fn variables(&self) -> &SortedMap<String, String> {
        &self.0
    }
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Environment({} variables)", self.0.len())
    }
}

const GIT_VARIABLES: &[&str] = &[
    "EMAIL",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "TZ",
    "USER",
    "XDG_CONFIG_HOME",
];

impl Surroundings {
    /// Reads the environment of this process; `None` if there is no home directory, or one of its folders is no
    /// absolute path: it would be one of the project.
    #[expect(clippy::disallowed_methods, reason = "the only function that reads the environment")]
    pub fn of_process() -> Option<Self> {
        let get = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let strategy = etcetera::choose_base_strategy().ok()?;
        let home = strategy.home_dir().to_path_buf();
        let graftage_home = get("GRAFTAGE_HOME").map(PathBuf::from);
        let named = ["CARGO_HOME", "RUSTUP_HOME"].map(|it| get(it).map(PathBuf::from));
        let all = named.iter().flatten().chain(&graftage_home).chain([&home]);
        if all.into_iter().any(|it| !it.is_absolute()) {
            return None;
        }
        let folder = |kind: &str, default: PathBuf| match &graftage_home {
            Some(home) => home.join(kind),
            None => default.join("graftage"),
        };
        let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
        Some(Self {
            path: get("PATH").unwrap_or_default(),
            cargo_home: get("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from),
            rustup_home: get("RUSTUP_HOME").map_or_else(|| home.join(".rustup"), PathBuf::from),
            config_file: folder("config", strategy.config_dir()).join("config.toml"),
            data_dir: folder("data", strategy.data_dir()),
            cache_dir: folder("cache", strategy.cache_dir()),
            state_dir: folder("state", state),
            variables: std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
                .filter(|(name, _)| name.starts_with("GRAFTAGE_") && name != "GRAFTAGE_HOME")
                .map(|(name, value)| (name, value.to_string_lossy().into_owned()))
                .collect(),
            git: GIT_VARIABLES
                .iter()
                .filter_map(|name| Some((OsString::from(name), get(name)?)))
                .collect(),
            user: get("USER")
                .or_else(|| get("LOGNAME"))
                .map_or_else(number_of_user, |user| user.to_string_lossy().into_owned()),
            environment: Environment(
                std::env::vars_os()
                    .filter_map(|(name, value)| {
                        Some((name.into_string().ok()?, value.into_string().ok()?))
                    })
                    .collect(),
            ),
            home,
        })
    }
}
