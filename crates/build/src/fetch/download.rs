//! The processes of a download: cargo of an installed toolchain with the reduced configuration, first
//! offline, then with the network, then to unpack. Start at [`Download`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap};
use sandbox::{Job, JobLimits, Mount, Network, Outcome, View};
use untrusted_fs::Dir;

use super::cache_lock::CacheLock;
use super::config::ReducedConfig;
use super::fault::{DownloadFault, FileFault, LockFault};
use super::home::{self, PrivateHome};
use super::lock_file::LockFile;
use super::{FILE_BYTES, FreshView, LOCK_BYTES, OUTPUT_BYTES, addresses, take_over};
use crate::process::default_memory;
use crate::toolchain::{installed_sysroot, read_only};
use crate::{CargoEnv, CargoError, run};

/// One download.
pub(super) struct Download<'a> {
    ctx: &'a Ctx,
    env: &'a CargoEnv,
    fresh: &'a FreshView<'a>,
    config: ReducedConfig,
    sysroot: PathBuf,
    until: Instant,
}

/// One of the steps that run cargo.
enum Phase<'a> {
    /// Chooses versions and finds all sources, without the network.
    Resolve,
    /// Downloads into the private home, with the network.
    Get,
    /// Unpacks into these folders of the user's registry, without the network.
    Unpack(&'a [PathBuf]),
}

/// A download that has ended well.
pub(super) struct Done {
    /// Number of new `.crate` files.
    pub(super) packages: usize,
    /// The lock file of the view now.
    pub(super) lock: Option<String>,
}

impl<'a> Download<'a> {
    pub(super) fn new(
        ctx: &'a Ctx,
        env: &'a CargoEnv,
        fresh: &'a FreshView<'a>,
        timeout: Duration,
    ) -> Result<Self, CargoError> {
        let sysroot = match env.toolchain.is_installed {
            true => env.toolchain.sysroot.clone(),
            false => installed_sysroot(&env.host, fresh.root)?,
        };
        let config = ReducedConfig::collect(fresh.root, &env.host, &env.trust);
        Ok(Self { ctx, env, fresh, config, sysroot, until: Instant::now() + timeout })
    }

    /// Resolves without the network; the error is why something is missing.
    pub(super) fn resolve(&self) -> Result<Result<Done, DownloadFault>, CargoError> {
        let home = PrivateHome::make(self.ctx, &self.env.cache)?;
        home.fill_put(&self.env.host.cargo_home, &self.config)?;
        let outcome = self.cargo(&home.put(), &Phase::Resolve)?;
        if outcome.exit_code != 0 {
            let message = run::failure_text(&outcome.stderr);
            return Ok(Err(DownloadFault::Cargo { message, notes: String::new() }));
        }
        Ok(self.lock().map(|lock| Done { packages: 0, lock }).map_err(DownloadFault::Lock))
    }

    /// Downloads what is missing; the error is why that failed.
    pub(super) fn run(&self) -> Result<Result<Done, DownloadFault>, CargoError> {
        if self.config.is_offline() {
            return Ok(Err(DownloadFault::Offline));
        }
        let before = match self.fresh.parsed_lock() {
            Ok(lock) => lock,
            Err(fault) => return Ok(Err(fault.into())),
        };
        let cargo_home = &self.env.host.cargo_home;
        let refusal = |lock: Option<&LockFile>| {
            addresses::refusal(cargo_home, &self.config, self.fresh.files, lock)
        };
        if let Some(reason) = refusal(before.as_ref()) {
            return Ok(Err(DownloadFault::Addresses(reason)));
        }
        for part in ["cache", "index", "src"] {
            let path = cargo_home.join("registry").join(part);
            std::fs::create_dir_all(&path).map_err(CargoError::io("create", path))?;
        }
        let home = PrivateHome::make(self.ctx, &self.env.cache)?;
        home.fill_put(cargo_home, &self.config)?;
        home.fill_get(cargo_home, &self.config, &before.unwrap_or_default())?;
        self.ctx.progress("downloading dependencies", "");
        let outcome = self.cargo(&home.get(), &Phase::Get)?;
        if outcome.exit_code != 0 {
            return Ok(Err(self.failure(&outcome)));
        }
        let text = match self.lock() {
            Ok(text) => text,
            Err(fault) => return Ok(Err(fault.into())),
        };
        let lock = match text.as_deref().map(LockFile::parse).transpose() {
            Ok(lock) => lock.unwrap_or_default(),
            Err(fault) => return Ok(Err(fault.into())),
        };
        if let Some(reason) = refusal(Some(&lock)) {
            return Ok(Err(DownloadFault::Addresses(reason)));
        }
        let (taken, outcome) = self.install(&home, &lock)?;
        if outcome.exit_code != 0 {
            return Ok(Err(self.failure(&outcome)));
        }
        Ok(Ok(Done { packages: taken.crates, lock: text }))
    }

    /// Moves and unpacks the packages, while no other cargo writes the registry.
    fn install(
        &self,
        home: &PrivateHome,
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
        let outcome = self.cargo(&home.put(), &Phase::Unpack(&writable))?;
        Ok((taken, outcome))
    }

    /// The lock file of the view as cargo left it, read on the host; the error is why it cannot be
    /// read.
    fn lock(&self) -> Result<Option<String>, LockFault> {
        let before = || self.fresh.files.lock.clone();
        let root = self.fresh.root;
        let of_root = |mount: &&Mount| root.starts_with(mount.inside());
        let (host, inside) = match self.fresh.view.mounts.iter().rev().find(of_root) {
            Some(Mount::Writable { host, inside }) => (host, inside),
            Some(Mount::Overlay { upper: Some(upper), inside, .. }) => (&upper.folder, inside),
            _ => return before(),
        };
        let folder = host.join(root.strip_prefix(inside).unwrap_or(Path::new("")));
        let found = Dir::open(&folder).and_then(|dir| dir.read("Cargo.lock", LOCK_BYTES));
        match found {
            Ok(Some(found)) => String::from_utf8(found.bytes)
                .map(Some)
                .map_err(|_| LockFault::Unreadable(FileFault::NotUtf8)),
            // The upper layer has what was written.
            Ok(None) => before(),
            Err(fault) => Err(LockFault::Unreadable(fault.into())),
        }
    }

    /// One cargo. In `/` it does not find the project's `.cargo`.
    fn cargo(&self, home: &Path, phase: &Phase<'_>) -> Result<Outcome, CargoError> {
        let job = Job {
            program: self.program("cargo"),
            args: self.args(phase),
            cwd: PathBuf::from("/"),
            env: self.variables(home, phase),
            stdin: Vec::new(),
            view: self.shown(home, phase),
            limits: JobLimits {
                wall: self.until.saturating_duration_since(Instant::now()),
                cpu: None,
                memory_bytes: Some(default_memory()),
                pids: Some(512),
                file_bytes: Some(FILE_BYTES),
                output_bytes: OUTPUT_BYTES,
            },
            network: match phase {
                Phase::Get => Network::On,
                Phase::Resolve | Phase::Unpack(_) => Network::Off,
            },
            require: self.env.require,
        };
        let outcome = self.env.sandbox.run(self.ctx, &job, &mut |_, _| {})?;
        match outcome.cancelled {
            true => Err(CargoError::Cancelled(base::Cancelled)),
            false => Ok(outcome),
        }
    }

    fn args(&self, phase: &Phase<'_>) -> Vec<OsString> {
        let mut args: Vec<OsString> = match phase {
            Phase::Get => vec!["fetch".into()],
            Phase::Unpack(_) => vec!["fetch".into(), "--offline".into()],
            Phase::Resolve => {
                ["metadata", "--format-version=1", "--offline"].map(Into::into).into()
            }
        };
        if let Phase::Resolve = phase {
            // Older versions do not know the name; they need the packages of all platforms.
            if self.env.toolchain.has_minor(91) && !self.fresh.all_platforms {
                args.extend(["--filter-platform", "host-tuple"].map(Into::into));
            }
            if self.fresh.all_features {
                args.push("--all-features".into());
            }
        }
        args.extend(["--manifest-path".into(), self.fresh.root.join("Cargo.toml").into()]);
        args
    }

    fn program(&self, name: &str) -> PathBuf {
        self.sysroot.join("bin").join(name)
    }

    fn shown(&self, home: &Path, phase: &Phase<'_>) -> View {
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
        let certificates = self.config.certificates.iter().filter(|path| path.is_file());
        mounts.extend(certificates.map(|path| read_only(path)));
        mounts.extend(self.fresh.view.mounts.iter().cloned());
        mounts.push(writable(home));
        View { mounts }
    }

    /// The whole environment of cargo. Variables override any configuration.
    fn variables(&self, home: &Path, phase: &Phase<'_>) -> SortedMap<OsString, OsString> {
        let text = |is_true: bool| OsString::from(if is_true { "true" } else { "false" });
        // There is no git in this folder, so cargo contacts no repository at all; its own git is
        // used only for the index of an allowed registry.
        let path = self.sysroot.join("bin").into_os_string();
        let needs_git = self.config.has_git_index() || !self.env.toolchain.has_minor(70);
        [
            ("PATH", path),
            ("LANG", "C.UTF-8".into()),
            ("HOME", home.into()),
            ("CARGO", self.program("cargo").into()),
            ("CARGO_HOME", home.into()),
            ("CARGO_TARGET_DIR", home.join("target").into()),
            ("CARGO_NET_OFFLINE", text(!matches!(phase, Phase::Get))),
            ("CARGO_NET_GIT_FETCH_WITH_CLI", text(!needs_git)),
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
    fn failure(&self, outcome: &Outcome) -> DownloadFault {
        let mut notes = String::new();
        for refused in &self.config.refused {
            notes.push_str("\nnot used: ");
            notes.push_str(refused);
        }
        notes.push_str(
            "\nhint: run `cargo fetch` in the project; graftage downloads without credentials \
             and with a part of the configuration",
        );
        if outcome.timed_out {
            return DownloadFault::TimedOut { notes };
        }
        let message = run::failure_text(&outcome.stderr).chars().take(2_000).collect();
        DownloadFault::Cargo { message, notes }
    }
}

fn writable(path: &Path) -> Mount {
    Mount::Writable { host: path.to_owned(), inside: path.to_owned() }
}
