//! Downloads: the only code of this crate that gives a process the network, and the only one that
//! writes the user's registry.
//!
//! Invariants:
//! - What has the network is the cargo of a toolchain that the user installed, and nothing that the
//!   project names: it starts in `/`, where it finds no configuration, with a private `CARGO_HOME`
//!   that holds the reduced one (see `config.rs`); compiler and wrappers are set in its environment;
//!   no credential is shown to it. `cargo fetch` compiles nothing and runs no build script.
//! - It writes the private folder and the throw-away view of the project, nothing else. A
//!   `Cargo.lock` that it makes stays in that view.
//! - From the private folder only `.crate` files and index entries are moved whose SHA-256 is in
//!   the lock file (`take_over.rs`), under cargo's own package cache lock.
//! - Sources are unpacked by the same cargo, offline, with `registry/src/<source>` of the sources in
//!   question writable and the rest of the registry read-only.
//! - A git dependency has no SHA-256 that it could be held against, so none is downloaded: where
//!   the user's cargo has no checkout, the download is refused by name.
//!
//! Without mount namespaces the same holds by Landlock: private folders are at their own paths, and
//! what they show of the user's registry are links into it.

mod cache_lock;
mod config;
mod home;
mod index_entry;
mod lock_file;
mod take_over;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::Ctx;
use sandbox::{Job, Limits, Mount, Network, Outcome, Stream, View};

use self::cache_lock::CacheLock;
use self::config::ReducedConfig;
use self::home::PrivateHome;
use self::lock_file::LockFile;
use crate::process::{self, LocalNetwork, Process, default_memory};
use crate::toolchain::{installed_sysroot, read_only};
use crate::{CargoEnv, CargoError, run};

/// Maximum size of a lock file, in bytes.
const LOCK_BYTES: usize = 16 << 20;
/// Maximum size of one file that a download writes.
const FILE_BYTES: u64 = 1 << 30;
/// Maximum size kept of cargo's output, for error messages.
const OUTPUT_BYTES: usize = 256 << 10;
/// Time limit for reading the lock file.
const LOOK: Duration = Duration::from_secs(20);

/// The result of a download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// All packages are in the user's registry, unpacked.
    Complete {
        /// Number of new `.crate` files.
        packages: usize,
        /// Whether the project has no `Cargo.lock`, so that versions were chosen for this view
        /// alone.
        chose_versions: bool,
    },
    /// It failed, because of the project or the network.
    Failed {
        /// Message of cargo, or what was rejected.
        reason: String,
    },
}

/// Downloads the sources of all dependencies of the package at `root` (inside `view`) to the user's
/// registry. Builds nothing, and runs no code of theirs or of the project; see the invariants of
/// the module.
///
/// # Errors
/// [`CargoError::Download`] when a downloaded file does not match the lock file;
/// [`CargoError::Busy`] when another cargo does not release the registry; when the sandbox fails or
/// folders cannot be written.
pub fn fetch(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    root: &Path,
    timeout: Duration,
) -> Result<Fetched, CargoError> {
    ctx.check_cancelled()?;
    Download::new(ctx, env, view, root, timeout)?.run()
}

/// Whether packages of the lock file in `view` are not unpacked in the user's registry; `None` if
/// there is no valid lock file.
pub(crate) fn lacks_sources(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    root: &Path,
) -> Result<Option<bool>, CargoError> {
    let Ok(Some(lock)) = lock_in(ctx, env, view, root)? else { return Ok(None) };
    let src = env.host.cargo_home.join("registry/src");
    let sources = home::sources(&src);
    let is_unpacked = |name: String| {
        sources.iter().any(|source| src.join(source).join(&name).join(".cargo-ok").is_file())
    };
    Ok(Some(lock.releases.keys().any(|release| !is_unpacked(release.folder()))))
}

/// Prints the file that is its first argument; exits with 44 if it is missing, and with 45 if it is
/// no regular file.
const PRINT: &str = "[ -e \"$0\" ] || [ -L \"$0\" ] || exit 44; [ -f \"$0\" ] || exit 45; \
                     exec head -c \"$1\" -- \"$0\"";

/// The lock file of the view; `None` if there is none. The inner error is why it is invalid.
fn lock_in(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    root: &Path,
) -> Result<Result<Option<LockFile>, String>, CargoError> {
    Ok(lock_text(ctx, env, view, root)?
        .and_then(|text| text.map(|text| LockFile::parse(&text)).transpose()))
}

/// The text of the view's lock file, read inside of it: it may be in an upper layer, and it may be
/// anything. `None` if there is none. The inner error is why it cannot be read.
pub(crate) fn lock_text(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    root: &Path,
) -> Result<Result<Option<String>, String>, CargoError> {
    let mut bytes = Vec::new();
    let path = root.join("Cargo.lock");
    let args = ["-c".into(), PRINT.into(), path.into(), (LOCK_BYTES + 1).to_string().into()];
    let process = Process {
        program: "/bin/sh".into(),
        args: args.to_vec(),
        cwd: PathBuf::from("/"),
        timeout: LOOK,
        memory_bytes: Some(1 << 30),
        network: LocalNetwork::Nothing,
        stdin: Vec::new(),
        variables: Vec::new(),
    };
    let outcome = process::run(ctx, env, view, None, process, &mut |stream, line| {
        if stream == Stream::Stdout && bytes.len() <= LOCK_BYTES {
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
        }
    })?;
    let refused = |reason: String| Ok(Err(format!("`Cargo.lock` cannot be read: {reason}")));
    match outcome.exit_code {
        0 if bytes.len() > LOCK_BYTES => refused(format!("it has more than {LOCK_BYTES} bytes")),
        0 => match String::from_utf8(bytes) {
            Ok(text) => Ok(Ok(Some(text))),
            Err(_) => refused("it is not UTF-8".to_owned()),
        },
        44 => Ok(Ok(None)),
        45 => refused("it is not a regular file".to_owned()),
        _ => refused(String::from_utf8_lossy(&outcome.stderr).trim().to_owned()),
    }
}

/// One download.
struct Download<'a> {
    ctx: &'a Ctx,
    env: &'a CargoEnv,
    view: &'a View,
    root: &'a Path,
    sysroot: PathBuf,
    until: Instant,
}

/// One of the two steps that run cargo.
enum Phase<'a> {
    /// Downloads into the private home, with the network.
    Get,
    /// Unpacks into these folders of the user's registry, without the network.
    Unpack(&'a [PathBuf]),
}

impl<'a> Download<'a> {
    fn new(
        ctx: &'a Ctx,
        env: &'a CargoEnv,
        view: &'a View,
        root: &'a Path,
        timeout: Duration,
    ) -> Result<Self, CargoError> {
        let sysroot = match env.toolchain.is_installed {
            true => env.toolchain.sysroot.clone(),
            false => installed_sysroot(&env.host, root)?,
        };
        Ok(Self { ctx, env, view, root, sysroot, until: Instant::now() + timeout })
    }

    fn run(&self) -> Result<Fetched, CargoError> {
        let failed = |reason: String| Ok(Fetched::Failed { reason });
        let config = ReducedConfig::collect(self.root, &self.env.host.cargo_home);
        if config.is_offline() {
            return failed("the configuration of cargo has `net.offline = true`".to_owned());
        }
        let before = match self.lock()? {
            Ok(lock) => lock,
            Err(reason) => return failed(reason),
        };
        let cargo_home = &self.env.host.cargo_home;
        if let Some(reason) = before.as_ref().and_then(|lock| missing_git(cargo_home, lock)) {
            return failed(reason);
        }
        for part in ["cache", "index", "src"] {
            let path = cargo_home.join("registry").join(part);
            std::fs::create_dir_all(&path).map_err(CargoError::io("create", path))?;
        }
        let home = PrivateHome::make(self.ctx, &self.env.cache)?;
        home.fill(cargo_home, &config, &before.clone().unwrap_or_default())?;
        self.ctx.progress("downloading dependencies", "");
        let outcome = self.cargo(&home.get(), &config, &Phase::Get)?;
        if outcome.exit_code != 0 {
            return failed(self.failure_reason(&outcome, &config));
        }
        let lock = match self.lock()? {
            Ok(lock) => lock.unwrap_or_default(),
            Err(reason) => return failed(reason),
        };
        if let Some(reason) = missing_git(cargo_home, &lock) {
            return failed(reason);
        }
        let (taken, outcome) = self.install(&home, &config, &lock)?;
        if outcome.exit_code != 0 {
            return failed(self.failure_reason(&outcome, &config));
        }
        Ok(Fetched::Complete { packages: taken.crates, chose_versions: before.is_none() })
    }

    /// Moves and unpacks the packages, while no other cargo writes the registry.
    fn install(
        &self,
        home: &PrivateHome,
        config: &ReducedConfig,
        lock: &LockFile,
    ) -> Result<(take_over::MovedFiles, Outcome), CargoError> {
        let cargo_home = &self.env.host.cargo_home;
        let registry = cargo_home.join("registry");
        let _lock = CacheLock::take(self.ctx, cargo_home)?;
        let taken = take_over::take_over(&home.get().join("registry"), &registry, lock)?;
        let mut writable = Vec::new();
        for source in home::sources(&home.get().join("registry/cache")) {
            let cache = registry.join("cache").join(&source);
            if lock.releases.keys().any(|release| cache.join(release.file()).is_file()) {
                let src = registry.join("src").join(&source);
                std::fs::create_dir_all(&src).map_err(CargoError::io("create", &src))?;
                writable.push(src);
            }
        }
        let outcome = self.cargo(&home.put(), config, &Phase::Unpack(&writable))?;
        Ok((taken, outcome))
    }

    /// The lock file of the view as it is now.
    fn lock(&self) -> Result<Result<Option<LockFile>, String>, CargoError> {
        lock_in(self.ctx, self.env, self.view, self.root)
    }

    /// One `cargo fetch`. In `/` cargo does not find the project's `.cargo`.
    fn cargo(
        &self,
        home: &Path,
        config: &ReducedConfig,
        phase: &Phase<'_>,
    ) -> Result<Outcome, CargoError> {
        let mut args: Vec<OsString> = vec!["fetch".into(), "--manifest-path".into()];
        args.push(self.root.join("Cargo.toml").into());
        if let Phase::Unpack(_) = phase {
            args.push("--offline".into());
        }
        let job = Job {
            program: self.program("cargo"),
            args,
            cwd: PathBuf::from("/"),
            env: self.variables(home, phase),
            stdin: Vec::new(),
            view: self.shown(home, config, phase),
            limits: Limits {
                wall: self.until.saturating_duration_since(Instant::now()),
                cpu: None,
                memory_bytes: Some(default_memory()),
                pids: Some(512),
                file_bytes: Some(FILE_BYTES),
                output_bytes: OUTPUT_BYTES,
            },
            network: match phase {
                Phase::Get => Network::On,
                Phase::Unpack(_) => Network::Off,
            },
            require: self.env.require,
        };
        let outcome = self.env.sandbox.run(self.ctx, &job, &mut |_, _| {})?;
        match outcome.cancelled {
            true => Err(CargoError::Cancelled(base::Cancelled)),
            false => Ok(outcome),
        }
    }

    fn program(&self, name: &str) -> PathBuf {
        self.sysroot.join("bin").join(name)
    }

    fn shown(&self, home: &Path, config: &ReducedConfig, phase: &Phase<'_>) -> View {
        let mut mounts = Vec::new();
        if !self.sysroot.starts_with("/usr") {
            mounts.push(read_only(&self.sysroot));
        }
        let cargo_home = &self.env.host.cargo_home;
        let own = [cargo_home.join("registry"), cargo_home.join("git")];
        mounts.extend(own.iter().filter(|path| path.is_dir()).map(|path| read_only(path)));
        if let Phase::Unpack(folders) = phase {
            mounts.extend(folders.iter().map(|path| writable(path)));
        }
        let certificates = config.certificates.iter().filter(|path| path.is_file());
        mounts.extend(certificates.map(|path| read_only(path)));
        mounts.extend(self.view.mounts.iter().cloned());
        mounts.push(writable(home));
        View { mounts }
    }

    /// The whole environment of cargo. Variables override any configuration.
    fn variables(&self, home: &Path, phase: &Phase<'_>) -> BTreeMap<OsString, OsString> {
        let mut path = self.sysroot.join("bin").into_os_string();
        path.push(":/usr/local/bin:/usr/bin:/bin");
        let offline = if matches!(phase, Phase::Get) { "false" } else { "true" };
        [
            ("PATH", path),
            ("LANG", "C.UTF-8".into()),
            ("HOME", home.into()),
            ("CARGO", self.program("cargo").into()),
            ("CARGO_HOME", home.into()),
            ("CARGO_TARGET_DIR", home.join("target").into()),
            ("CARGO_NET_OFFLINE", offline.into()),
            ("CARGO_NET_GIT_FETCH_WITH_CLI", "false".into()),
            ("CARGO_TERM_COLOR", "never".into()),
            ("CARGO_TERM_PROGRESS_WHEN", "never".into()),
            ("RUSTC", self.program("rustc").into()),
            ("RUSTC_WRAPPER", OsString::new()),
            ("RUSTC_WORKSPACE_WRAPPER", OsString::new()),
            ("RUSTUP_AUTO_INSTALL", "0".into()),
        ]
        .map(|(name, value)| (name.into(), value))
        .into()
    }

    /// Why cargo failed, and which configuration it did not get.
    fn failure_reason(&self, outcome: &Outcome, config: &ReducedConfig) -> String {
        let mut reason = match outcome.timed_out {
            true => "the time was over".to_owned(),
            false => run::failure_text(&outcome.stderr).chars().take(2_000).collect(),
        };
        for refused in &config.refused {
            reason.push_str("\nnot used: ");
            reason.push_str(refused);
        }
        reason.push_str(
            "\nhint: run `cargo fetch` in the project; graftage downloads without credentials \
             and with a part of the configuration",
        );
        reason
    }
}

fn writable(path: &Path) -> Mount {
    Mount::Writable { host: path.to_owned(), inside: path.to_owned() }
}

/// Lists the git dependencies of which the user's cargo has no clone.
fn missing_git(cargo_home: &Path, lock: &LockFile) -> Option<String> {
    let clones = home::sources(&cargo_home.join("git/db"));
    let has_clone = |address: &str| {
        let name = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let name = name.strip_suffix(".git").unwrap_or(name).to_lowercase();
        clones.iter().any(|clone| {
            clone.rsplit_once('-').is_some_and(|(ident, _)| ident.eq_ignore_ascii_case(&name))
        })
    };
    let missing: Vec<String> = lock
        .git
        .iter()
        .filter(|(_, address)| !has_clone(address))
        .map(|(name, address)| format!("{name} from {address}"))
        .collect();
    (!missing.is_empty()).then(|| {
        format!(
            "git dependencies are not downloaded by graftage, for `Cargo.lock` has no SHA-256 of \
             them: {}\nhint: run `cargo fetch` in the project",
            missing.join(", ")
        )
    })
}
