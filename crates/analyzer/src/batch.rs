//! Runs `rust-analyzer scip` over a whole workspace in the sandbox and keeps the index for later runs
//! under a key. Start at [`scip_batch`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{ContentHash, Ctx, SortedMap};
use build::CargoEnv;
use sandbox::{Job, JobLimits, Mount, Network, Outcome, View};
use untrusted_fs::{Dir, Fault};

use crate::locate::read_only;
use crate::scip::{Facts, read};
use crate::{Analyzer, AnalyzerError};

/// The index file in the working folder.
const INDEX: &str = "index.scip";
/// The file with the key of the index.
const KEY_FILE: &str = "index.key";
/// Most processes and threads of a run: rust-analyzer, cargo and the build.
const PIDS: u64 = 4_096;
/// Most bytes of an index; for a million lines it has some hundreds of MiB.
const INDEX_BYTES: u64 = 2 << 30;
/// Most bytes of the key file.
const KEY_BYTES: u64 = 1 << 10;
/// Bytes kept of each output stream, for the error message.
const OUTPUT_BYTES: usize = 256 << 10;

/// The workspace to index.
#[derive(Clone, Debug)]
pub struct IndexedProject<'a> {
    /// Its root folder inside the view.
    pub root: &'a Path,
    /// The mounts of the project and its path dependencies. With a `Cargo.lock` they can be read-only.
    pub view: &'a View,
}

/// The enabled cargo features.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Features {
    /// The default features.
    #[default]
    Default,
    /// All features of all workspace members.
    All,
    /// The default features and these: `name` or `package/name`.
    Named(Vec<String>),
}

/// The options of [`scip_batch`].
#[derive(Clone, Debug)]
pub struct BatchOptions<'a> {
    /// The working folder, which must exist and belong to graftage. It receives the index and the
    /// target directory of build scripts and procedural macros, which later runs reuse.
    pub work: &'a Path,
    /// The enabled features.
    pub features: Features,
    /// Whether the project's build scripts and procedural macros run (always in the sandbox).
    pub runs_project_code: bool,
    /// Time limit of the whole run, builds included.
    pub timeout: Duration,
    /// Memory limit of the whole process tree; see [`crate::memory_by_default`].
    pub memory_bytes: u64,
}

/// The index of an earlier run with the same key, if it exists and is complete. After a crash this
/// avoids a second run.
pub fn kept_index(work: &Path, key: ContentHash) -> Option<Facts> {
    let work = Dir::open(work).ok()?;
    let kept = work.read(KEY_FILE, KEY_BYTES).ok()??;
    if kept.bytes != key.to_string().as_bytes() {
        return None;
    }
    let facts = read(&work.read(INDEX, INDEX_BYTES).ok()??.bytes);
    facts.damage.is_none().then_some(facts)
}

/// Stores the key of the index in the working folder, for [`kept_index`].
///
/// # Errors
/// When the key cannot be written.
pub fn keep_index(work: &Path, key: ContentHash) -> Result<(), AnalyzerError> {
    let write = || Dir::open(work)?.write_new(KEY_FILE, key.to_string().as_bytes());
    write().map_err(|fault| AnalyzerError::io("write", work.join(KEY_FILE))(fault.into()))
}

/// Removes the index and its key from the working folder.
///
/// # Errors
/// When it cannot be removed.
pub fn drop_index(work: &Path) -> Result<(), AnalyzerError> {
    remove(work, KEY_FILE)?;
    remove(work, INDEX)
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The facts of the index.
    pub facts: Facts,
    /// The index file in the working folder.
    pub index: PathBuf,
    /// CPU time, memory and sandbox layers of the run.
    pub outcome: Outcome,
}

/// Indexes a whole workspace with rust-analyzer; the index replaces that of an earlier run.
///
/// Everything runs in the sandbox. Errors in the project's code are not errors here: what does not
/// resolve is missing from the facts.
///
/// # Errors
/// When rust-analyzer cannot run, fails, exceeds its time or memory, or writes a damaged index.
pub fn scip_batch(
    ctx: &Ctx,
    env: &CargoEnv,
    analyzer: &Analyzer,
    project: &IndexedProject<'_>,
    options: &BatchOptions<'_>,
) -> Result<Batch, AnalyzerError> {
    ctx.check_cancelled()?;
    let index = options.work.join(INDEX);
    drop_index(options.work)?;
    let target = options.work.join("target");
    let made = untrusted_fs::make_own(&target);
    made.map_err(|fault| AnalyzerError::io("create", &target)(fault.into()))?;
    let config = options.work.join("config.json");
    let settings = configuration(&options.features, options.runs_project_code);
    let write = || Dir::open(options.work)?.write_new("config.json", settings.as_bytes());
    write().map_err(|fault| AnalyzerError::io("write", &config)(fault.into()))?;

    let mut args = analyzer.found.leading.clone();
    args.push("scip".into());
    args.push(project.root.into());
    args.extend(["--output".into(), index.clone().into()]);
    args.extend(["--exclude-vendored-libraries".into(), "--config-path".into(), config.into()]);
    let job = Job {
        program: analyzer.found.program.clone(),
        args,
        cwd: project.root.to_owned(),
        env: variables(env, analyzer, options.work),
        stdin: Vec::new(),
        view: View { mounts: mounts(env, analyzer, project, options.work) },
        limits: JobLimits {
            wall: options.timeout,
            cpu: None,
            memory_bytes: Some(options.memory_bytes),
            pids: Some(PIDS),
            file_bytes: Some(8 << 30),
            output_bytes: OUTPUT_BYTES,
        },
        network: Network::Off,
        require: env.require,
    };
    let outcome = env.sandbox.run(ctx, &job, &mut |_, line| {
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        if !line.is_empty() {
            ctx.progress("rust-analyzer", line.chars().take(120).collect::<String>());
        }
    })?;
    ctx.check_cancelled()?;
    if outcome.exit_code != 0 {
        return Err(AnalyzerError::NoIndex { reason: failure_reason(&outcome) });
    }
    let found = Dir::open(options.work).and_then(|work| work.read(INDEX, INDEX_BYTES));
    let found = found.map_err(|fault| AnalyzerError::io("read", &index)(fault.into()))?;
    let Some(found) = found else {
        return Err(AnalyzerError::NoIndex { reason: failure_reason(&outcome) });
    };
    let facts = read(&found.bytes);
    if let Some(damage) = &facts.damage {
        return Err(AnalyzerError::Damaged {
            offset: damage.offset,
            reason: damage.reason.clone(),
        });
    }
    Ok(Batch { facts, index, outcome })
}

fn remove(work: &Path, name: &str) -> Result<(), AnalyzerError> {
    match Dir::open(work).and_then(|work| work.remove_all(name)) {
        Err(Fault::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        result => {
            result.map_err(|fault| AnalyzerError::io("remove", work.join(name))(fault.into()))
        }
    }
}

/// rust-analyzer's configuration as JSON.
fn configuration(features: &Features, runs_project_code: bool) -> String {
    let features = match features {
        Features::Default => "[]".to_owned(),
        Features::All => "\"all\"".to_owned(),
        Features::Named(names) => {
            // No valid feature name contains a quote or a backslash, so none needs escaping.
            let names: Vec<String> =
                names.iter().map(|name| format!("\"{}\"", name.replace(['"', '\\'], ""))).collect();
            format!("[{}]", names.join(","))
        }
    };
    let code = if runs_project_code {
        ""
    } else {
        ",\"buildScripts\":{\"enable\":false}},\"procMacro\":{\"enable\":false"
    };
    // rust-analyzer's default also sets `cfg(miri)`, which would disable code of a normal build.
    format!("{{\"cargo\":{{\"cfgs\":[\"debug_assertions\"],\"features\":{features}{code}}}}}\n")
}

/// Mounts of the toolchain, the registry without credentials, rust-analyzer and the standard
/// library's sources, then the project's (which override the former), then the working folder.
pub(crate) fn mounts(
    env: &CargoEnv,
    analyzer: &Analyzer,
    project: &IndexedProject<'_>,
    work: &Path,
) -> Vec<Mount> {
    let mut mounts = Vec::new();
    let mut show = |path: &Path| {
        if !path.starts_with("/usr") && path.exists() {
            mounts.push(read_only(path));
        }
    };
    show(&env.toolchain.sysroot);
    for name in ["registry", "git"] {
        show(&env.host.cargo_home.join(name));
    }
    show(&analyzer.std_sources);
    // Copies without secrets; what cannot be copied is not shown.
    let configuration = build::ShownConfiguration::collect(&env.host, project.root);
    mounts.extend(configuration.mounts(env).unwrap_or_default());
    mounts.extend(analyzer.found.mounts());
    mounts.extend(project.view.mounts.iter().cloned());
    mounts.extend(build::own_mounts(env, project.view, project.root).unwrap_or_default());
    mounts.push(Mount::Writable { host: work.to_owned(), inside: work.to_owned() });
    mounts
}

/// The whole environment of rust-analyzer and its cargo; nothing is inherited.
pub(crate) fn variables(
    env: &CargoEnv,
    analyzer: &Analyzer,
    work: &Path,
) -> SortedMap<OsString, OsString> {
    let mut path = env.toolchain.sysroot.join("bin").into_os_string();
    path.push(":/usr/local/bin:/usr/bin:/bin");
    let target = work.join("target");
    let pairs: [(&str, OsString); 13] = [
        ("PATH", path),
        ("LANG", "C.UTF-8".into()),
        ("HOME", "/tmp".into()),
        ("CARGO", env.toolchain.cargo.clone().into()),
        ("RUSTC", env.toolchain.rustc.clone().into()),
        ("CARGO_HOME", env.host.cargo_home.clone().into()),
        ("CARGO_NET_OFFLINE", "true".into()),
        ("CARGO_TARGET_DIR", target.clone().into()),
        ("CARGO_BUILD_BUILD_DIR", target.into()),
        ("RUSTC_WRAPPER", OsString::new()),
        ("RUSTUP_AUTO_INSTALL", "0".into()),
        // A path that cannot be executed, so rust-analyzer cannot run rustup to install anything.
        ("RUSTUP", "/dev/null".into()),
        // If it is unset, rust-analyzer runs rustup to install them.
        ("RUST_SRC_PATH", analyzer.std_sources.clone().into()),
    ];
    pairs.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

/// Why a run ended without a result, for error messages.
pub(crate) fn failure_reason(outcome: &Outcome) -> String {
    let how = if outcome.timed_out {
        "it timed out".to_owned()
    } else if outcome.out_of_memory {
        "it exceeded its memory limit".to_owned()
    } else {
        format!("it exited with code {}", outcome.exit_code)
    };
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    let last =
        stderr.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    format!("{how}: {}", last.chars().take(500).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_written_as_rust_analyzer_settings() {
        assert_eq!(
            configuration(&Features::Default, true),
            "{\"cargo\":{\"cfgs\":[\"debug_assertions\"],\"features\":[]}}\n"
        );
        assert_eq!(
            configuration(&Features::All, true),
            "{\"cargo\":{\"cfgs\":[\"debug_assertions\"],\"features\":\"all\"}}\n"
        );
        assert_eq!(
            configuration(&Features::Default, false),
            "{\"cargo\":{\"cfgs\":[\"debug_assertions\"],\"features\":[],\
             \"buildScripts\":{\"enable\":false}},\"procMacro\":{\"enable\":false}}\n"
        );
        let named = Features::Named(vec!["a/rc".to_owned(), "derive".to_owned()]);
        assert_eq!(
            configuration(&named, true),
            "{\"cargo\":{\"cfgs\":[\"debug_assertions\"],\"features\":[\"a/rc\",\"derive\"]}}\n"
        );
    }
}
