//! One process of the toolchain in the sandbox: the mounts around the project in its view, and its
//! environment variables. Start at [`run`]: what foreign code of a build sees is decided there, by the
//! view that `repo` made, and by the target directory of `warm`; `sandbox` adds the minimal system.
//! It reads the project, ignored files included, and trusted folders (`repo/src/view.rs`), toolchain,
//! registry and cargo's configuration (here), all read-only, and the system (`sandbox/src/system.rs`).
//! It writes the target directory, HOME and TMPDIR (`warm`), a private `/tmp`, and a throw-away layer or
//! copy of the project.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Ctx, SortedMap};
use sandbox::{Job, JobLimits, Mount, Network, Outcome, Stream, View};

use crate::configuration::{ShownConfiguration, may_name_wrapper, own_mounts};
use crate::outside::MANIFEST_BYTES;
use crate::toolchain::read_only;
use crate::{CargoEnv, CargoError, warm};

/// Maximum size kept of each output stream, for error messages.
const OUTPUT_BYTES: usize = 256 << 10;
/// Maximum number of processes and threads of one build.
const PIDS: u64 = 4_096;

/// One process of the toolchain.
#[derive(Clone)]
pub(crate) struct Process {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    pub(crate) cwd: PathBuf,
    pub(crate) timeout: Duration,
    pub(crate) memory_bytes: Option<u64>,
    pub(crate) network: LocalNetwork,
    pub(crate) stdin: Vec<u8>,
    /// Environment variables beside the usual ones, which they replace.
    pub(crate) variables: Vec<(OsString, OsString)>,
    pub(crate) kind: ProcessKind,
}

/// The foreign code that a process starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProcessKind {
    /// Any, or none.
    Any,
    /// Units of a build, and nothing else: they are confined where the target directory has a guard.
    Units,
    /// A shell begins a binary with tests, whose end by a test is seen.
    Tests,
}

/// Network of a process that may run foreign code. Never the real one, which only a download has
/// (see the module `fetch`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LocalNetwork {
    /// Local sockets between its own processes.
    Nothing,
    /// A private loopback interface.
    Loopback,
}

impl LocalNetwork {
    fn network(self) -> Network {
        match self {
            LocalNetwork::Nothing => Network::Off,
            LocalNetwork::Loopback => Network::Loopback,
        }
    }
}

/// Runs the process in `view`, with toolchain, registry (read-only) and target directory mounted.
pub(crate) fn run(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    target: Option<&warm::TargetMount>,
    process: Process,
    on_line: &mut dyn FnMut(Stream, &[u8]),
) -> Result<Outcome, CargoError> {
    refuse_specials(&process.cwd)?;
    // The surroundings come first: the project may be inside of them, and its mounts override them.
    let mut mounts = env.toolchain.mounts();
    if let Some(nextest) = &env.toolchain.nextest
        && !nextest.starts_with("/usr")
    {
        mounts.push(read_only(nextest));
    }
    mounts.extend(registry_mounts(&env.host.cargo_home));
    let configuration = ShownConfiguration::collect(&env.host, &process.cwd);
    mounts.extend(configuration.mounts(env)?);
    mounts.extend(view.mounts.iter().cloned());
    mounts.extend(own_mounts(env, view, &process.cwd)?);
    mounts.extend(target.into_iter().flat_map(|target| target.mounts.iter().cloned()));
    let guard = match target.and_then(|target| Some((target, target.guard.as_ref()?))) {
        Some((target, guard)) => guard.prepare(env, &target.inside)?,
        None => None,
    };
    mounts.extend(guard.iter().flat_map(|guard| guard.mounts.iter().cloned()));
    let view = View { mounts };
    let is_guarded = guard.is_some();
    let names_wrapper = configuration.names_wrapper() || names_wrapper(&process.cwd);
    let job = Job {
        program: process.program,
        args: process.args,
        cwd: process.cwd,
        env: variables(env, target, names_wrapper)
            .into_iter()
            .chain(guard.map(|guard| ("RUSTC_WRAPPER".into(), guard.wrapper)))
            .chain(process.variables)
            .collect(),
        stdin: process.stdin,
        view,
        limits: JobLimits {
            wall: process.timeout,
            cpu: None,
            memory_bytes: Some(process.memory_bytes.unwrap_or_else(default_memory)),
            pids: Some(PIDS),
            file_bytes: Some(8 << 30),
            output_bytes: OUTPUT_BYTES,
        },
        network: process.network.network(),
        require: env.require,
    };
    Ok(match process.kind {
        ProcessKind::Tests => env.sandbox.run_tests(ctx, (&job, 2), on_line)?,
        ProcessKind::Units if is_guarded => env.sandbox.run_units(ctx, &job, on_line)?,
        ProcessKind::Units | ProcessKind::Any => env.sandbox.run(ctx, &job, on_line)?,
    })
}

/// The configuration of cargo in a folder.
pub(crate) const CONFIGURATION: [&str; 2] = [".cargo/config.toml", ".cargo/config"];

/// Refuses a configuration, manifest or lock file that is no file: cargo would wait for ever for what a
/// pipe has, and read a device until its memory ends.
fn refuse_specials(cwd: &Path) -> Result<(), CargoError> {
    for folder in cwd.ancestors() {
        for name in CONFIGURATION.iter().chain(&["Cargo.toml", "Cargo.lock"]) {
            let path = folder.join(name);
            if untrusted_fs::leads_to_special(&path) {
                return Err(CargoError::fault("read", path)(untrusted_fs::Fault::NotAFile));
            }
        }
    }
    Ok(())
}

/// Whether the configuration of a project may name a compiler wrapper, or include a file that does.
fn names_wrapper(cwd: &Path) -> bool {
    let Ok(dir) = untrusted_fs::Dir::open(cwd) else { return false };
    CONFIGURATION.iter().any(|name| match dir.read(name, MANIFEST_BYTES) {
        Ok(found) => found.is_some_and(|found| may_name_wrapper(&found.bytes)),
        Err(_) => true,
    })
}

/// Registry and git checkouts, read-only; never `credentials.toml`, which is beside them.
fn registry_mounts(cargo_home: &Path) -> Vec<Mount> {
    let folders = ["registry", "git"].map(|name| cargo_home.join(name));
    folders.iter().filter(|path| path.is_dir()).map(|path| read_only(path)).collect()
}

/// The whole environment of cargo; nothing is inherited.
fn variables(
    env: &CargoEnv,
    target: Option<&warm::TargetMount>,
    names_wrapper: bool,
) -> SortedMap<OsString, OsString> {
    let mut variables: SortedMap<OsString, OsString> = SortedMap::new();
    let mut set = |key: &str, value: OsString| {
        variables.insert(key.into(), value);
    };
    set("PATH", env.toolchain.path());
    set("LANG", "C.UTF-8".into());
    set("CARGO", env.toolchain.cargo.clone().into());
    set("CARGO_HOME", env.host.cargo_home.clone().into());
    set("CARGO_NET_OFFLINE", "true".into());
    set("CARGO_TERM_COLOR", "never".into());
    set("CARGO_TERM_PROGRESS_WHEN", "never".into());
    set("CARGO_TERM_VERBOSE", "false".into());
    set("CARGO_TERM_QUIET", "false".into());
    if names_wrapper {
        // A wrapper would keep its cache outside. Only set if there is one: with an empty wrapper,
        // cargo asks rustc five times at each start for what it has cached.
        set("RUSTC_WRAPPER", OsString::new());
        set("RUSTC_WORKSPACE_WRAPPER", OsString::new());
    }
    set("RUSTUP_AUTO_INSTALL", "0".into());
    set("NEXTEST_NO_INPUT_HANDLER", "1".into());
    set("NEXTEST_EXPERIMENTAL_LIBTEST_JSON", "1".into());
    if let Some(jobs) = env.jobs {
        set("CARGO_BUILD_JOBS", jobs.to_string().into());
    }
    match target {
        Some(target) => {
            set("CARGO_TARGET_DIR", target.inside.clone().into());
            // The user's `build.build-dir` would keep outputs that must be removed.
            set("CARGO_BUILD_BUILD_DIR", target.inside.clone().into());
            set("HOME", target.home.clone().into());
            set("TMPDIR", target.tmp.clone().into());
        }
        None => set("HOME", "/tmp".into()),
    }
    variables
}

/// Half of the machine's memory, but at least 1 GiB.
pub(crate) fn default_memory() -> u64 {
    let total = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok()
    });
    total.map_or(4 << 30, |kib| (kib * 1024 / 2).max(1 << 30))
}

#[cfg(test)]
mod tests {
    use crate::HostEnv;

    use super::*;

    #[test]
    fn credentials_are_never_shown() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path();
        for name in ["registry", "git", "bin"] {
            std::fs::create_dir(home.join(name)).unwrap();
        }
        for name in ["credentials.toml", "credentials", "config.toml"] {
            std::fs::write(home.join(name), "").unwrap();
        }
        let shown: Vec<_> = registry_mounts(home)
            .iter()
            .map(|mount| mount.inside().strip_prefix(home).unwrap().display().to_string())
            .collect();
        assert_eq!(shown, ["registry", "git"]);
    }

    #[test]
    fn a_wrapper_is_found_wherever_cargo_looks_for_one() {
        let dir = tempfile::tempdir().unwrap();
        let (home, root) = (dir.path().join("home"), dir.path().join("a/b"));
        for folder in [home.clone(), root.join(".cargo"), dir.path().join("a/.cargo")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let host = HostEnv {
            path: OsString::new(),
            home: dir.path().to_owned(),
            cargo_home: home.clone(),
            rustup_home: PathBuf::new(),
            toolchain: None,
        };
        let names_wrapper =
            || ShownConfiguration::collect(&host, &root).names_wrapper() || names_wrapper(&root);
        assert!(!names_wrapper());
        let files = [
            (home.join("config.toml"), "build.rustc-wrapper = 'sccache'"),
            (root.join(".cargo/config"), "[build]\nrustc-workspace-wrapper = 'x'"),
            (dir.path().join("a/.cargo/config.toml"), "include = ['other.toml']"),
        ];
        for (file, text) in files {
            std::fs::write(&file, "[net]\nretry = 1").unwrap();
            assert!(!names_wrapper());
            std::fs::write(&file, text).unwrap();
            assert!(names_wrapper(), "{}", file.display());
            std::fs::remove_file(&file).unwrap();
        }
    }
}
