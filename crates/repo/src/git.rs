//! How git is found and run.

use std::ffi::OsString;
use std::path::PathBuf;

use base::SortedMap;
use sandbox::Level;

/// The way to find and run git. Libraries read no environment, so the command line passes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Git {
    /// The executable; `None`: looked for in `PATH` of `env`.
    pub program: Option<PathBuf>,
    /// The caller's environment, or a part of it. Only what git and hooks need is used: `HOME`,
    /// `XDG_CONFIG_HOME`, `PATH`, locale, `CARGO_HOME`, `RUSTUP_HOME`, and the names and
    /// addresses of author and committer.
    pub env: SortedMap<OsString, OsString>,
    /// Further files and folders that hooks may read: a toolchain, say.
    pub visible: Vec<PathBuf>,
    /// The required level of the sandbox for git and the hooks.
    pub require: Level,
}

impl Default for Git {
    fn default() -> Self {
        Self { program: None, env: SortedMap::new(), visible: Vec::new(), require: Level::Standard }
    }
}
