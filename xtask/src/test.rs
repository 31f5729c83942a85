//! `cargo xtask test`: runs the tests with nextest or, if it is not installed, with `cargo test`.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Failure;
use crate::run::{cargo, target_dir, watched_step, works};
use crate::setup::Ready;
use crate::skips;

/// The number of tests at a time: more than there are processors, because most of them wait for a process in the
/// sandbox now and then. On two processors three took an eighth less time than two; many need memory.
fn threads() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    processors + (processors / 2).min(4)
}

/// The profile of tests in CI. No debugger runs there: without tables of lines all builds and links sooner. The crates
/// in which laws over hundreds of maps run are optimised: 60 CPU seconds more to build, 100 less to run. Elsewhere
/// one crate is built again and again, and few of the laws run.
fn ci_profile() -> Vec<String> {
    let optimised = ["base", "edit", "graph", "resolve", "sandbox", "syntax"];
    let level = |name: &str| format!("profile.dev.package.graftage-{name}.opt-level=1");
    std::iter::once("profile.dev.debug=false".to_owned()).chain(optimised.map(level)).collect()
}

/// The temporary folder of the tests. Its flag T makes ext4 spread the folders in it over the disk. The tests create
/// and remove hundreds of thousands of files: in one region of a disk without journal each new file is searched
/// for past all that were removed in the last minutes, which was a fifth of the processor time of all tests.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Makes the folder, short for paths of sockets, and open to every user as the one that it is in.
    fn make() -> Option<Self> {
        let folder = Self(std::env::temp_dir().join(format!("gt{}", std::process::id())));
        std::fs::create_dir(&folder.0).ok()?;
        let open = std::fs::Permissions::from_mode(0o1777);
        std::fs::set_permissions(&folder.0, open).ok()?;
        // Other file systems have no such flag and need none.
        works(Command::new("chattr").arg("+T").arg(&folder.0));
        Some(folder)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the tests of the workspace, or those that `args` name, and lists what was skipped and why.
///
/// With `ci` a skip for a requirement that the machine meets is a failure: a green run must not
/// hide it.
pub(crate) fn test(root: &Path, args: &[String], ready: &Ready, ci: bool) -> Result<(), Failure> {
    let log = target_dir(root).join("xtask").join("skipped.tsv");
    let made = log.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.map_err(|err| Failure::Missing(format!("cannot make {}: {err}", log.display())))?;
    // The list of an earlier run would be taken for this run's.
    match std::fs::remove_file(&log) {
        Err(err) if err.kind() != std::io::ErrorKind::NotFound => {
            return Err(Failure::Missing(format!("cannot remove {}: {err}", log.display())));
        }
        _ => {}
    }

    let args: Vec<&str> = args.iter().map(String::as_str).filter(|arg| *arg != "--").collect();
    // Documentation tests: no crate has any (`doctest = false`, checked by tidy).
    let mut runner = if ready.nextest { vec!["nextest", "run"] } else { vec!["test"] };
    runner.extend(["--locked", "--offline", "--no-fail-fast"]);
    // Everything, unless packages are named. Training is no part of what is shipped: the lints read it, and its
    // own commands build it.
    if !args.iter().any(|arg| arg.starts_with("-p") || arg.starts_with("--package")) {
        runner.extend(["--workspace", "--all-features", "--exclude", crate::train::PACKAGE]);
    }
    let threads = threads().to_string();
    if ready.nextest && !args.iter().any(|arg| arg.starts_with("--test-threads")) {
        runner.extend(["--test-threads", &threads]);
    }
    let in_ci = ci_profile();
    if ci {
        runner.extend(in_ci.iter().flat_map(|setting| ["--config", setting.as_str()]));
    }
    let mut command = cargo(root, &runner);
    command.args(args).env("GRAFTAGE_SKIP_LOG", &log);
    // Tests compare what programs print: colours and backtraces would depend on the caller.
    command.env("CARGO_TERM_COLOR", "never").env("RUST_BACKTRACE", "0");
    // The same random cases in every run, so that a failure is reproducible; benches use others.
    command.env("PROPTEST_RNG_SEED", "20261121");
    if let Ok(sources) = crate::sysroot::sources(root) {
        command.env(crate::sysroot::SOURCES, sources);
    }
    let temporary = TemporaryFolder::make();
    if let Some(folder) = &temporary {
        command.env("TMPDIR", &folder.0);
    }
    let passed = AtomicUsize::new(0);
    let ran = watched_step(&mut command, &|line| {
        passed.fetch_add(skips::passed_in(line).unwrap_or(0), Ordering::Relaxed);
    });

    let passed = passed.into_inner();
    let skipped = std::fs::read_to_string(&log).unwrap_or_default();
    let skips = skips::report(&skipped, passed, ready, ci);
    ran?;
    if passed == 0 {
        return Err(Failure::Check("no test ran".to_owned()));
    }
    skips
}
