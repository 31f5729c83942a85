use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{ContentHash, Ctx};
use beneath::{Dir, Fault};
use cargo::CargoEnv;
use sandbox::{Job, Limits, Mount, Network, Outcome, View};

use crate::locate::shown;
use crate::scip::{Facts, read};
use crate::{Analyzer, AnalyzerError};

/// Where the index is written below the working folder.
const INDEX: &str = "index.scip";
/// Beside it, the key that it was made under.
const STAMP: &str = "index.key";
/// Processes and threads of a run: rust-analyzer, cargo and what it builds.
const PIDS: u64 = 4_096;
/// Bytes of an index; that of a million lines has some hundreds of MiB.
const INDEX_BYTES: u64 = 2 << 30;
/// Bytes of the key that is noted beside it.
const STAMP_BYTES: u64 = 1 << 10;
/// Of each stream, kept for the failure's text.
const OUTPUT_BYTES: usize = 256 << 10;

/// The workspace to index.
#[derive(Clone, Debug)]
pub struct Project<'a> {
    /// Its folder inside the view.
    pub root: &'a Path,
    /// Shows it and its path dependencies. Read-only will do where it has a `Cargo.lock`.
    pub view: &'a View,
}

/// Which cargo features are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Features {
    /// The default ones.
    #[default]
    Default,
    /// All of every member.
    All,
    /// The default ones and these: `name` or `package/name`.
    Named(Vec<String>),
}

/// How to index.
#[derive(Clone, Debug)]
pub struct BatchOptions<'a> {
    /// An existing folder of ours: the index and the target directory of build scripts and
    /// procedural macros are put there, and the latter is used again.
    pub work: &'a Path,
    /// Which features are on.
    pub features: Features,
    /// Build scripts and procedural macros of the project are run (in the sandbox, as all of it).
    pub runs_project_code: bool,
    /// The whole run, cargo's builds included.
    pub timeout: Duration,
    /// Of the whole process tree; half of the machine's and at most 6 GiB are what it should get.
    pub memory_bytes: u64,
}

/// The index of an earlier run with the same key, where it is there and whole: a process that was
/// killed behind the run does not have to run it again.
pub fn kept_index(work: &Path, key: ContentHash) -> Option<Facts> {
    let work = Dir::open(work).ok()?;
    let stamp = work.read(STAMP, STAMP_BYTES).ok()??;
    if stamp.bytes != key.to_string().as_bytes() {
        return None;
    }
    let facts = read(&work.read(INDEX, INDEX_BYTES).ok()??.bytes);
    facts.damage.is_none().then_some(facts)
}

/// Notes under which key the index that lies in the working folder is to be found again.
///
/// # Errors
/// When the note cannot be written.
pub fn keep_index(work: &Path, key: ContentHash) -> Result<(), AnalyzerError> {
    let write = || Dir::open(work)?.write_new(STAMP, key.to_string().as_bytes());
    write().map_err(|fault| AnalyzerError::io("write", work.join(STAMP))(fault.into()))
}

/// Removes the index of the working folder: what it says is kept elsewhere.
///
/// # Errors
/// When it cannot be removed.
pub fn drop_index(work: &Path) -> Result<(), AnalyzerError> {
    remove(work, STAMP)?;
    remove(work, INDEX)
}

/// What a run brought.
#[derive(Clone, Debug)]
pub struct Batch {
    /// What it says.
    pub facts: Facts,
    /// The index itself, in the working folder.
    pub index: PathBuf,
    /// CPU time, memory and layers of the run.
    pub outcome: Outcome,
}

/// Has rust-analyzer index a whole workspace; its index replaces that of an earlier run.
///
/// Build scripts and procedural macros of the project are run, in the sandbox. The project's own
/// trouble is data: what does not resolve is missing from the facts.
///
/// # Errors
/// When rust-analyzer could not be run, ended badly or out of time or memory, or when its index is
/// damaged.
pub fn scip_batch(
    ctx: &Ctx,
    env: &CargoEnv,
    analyzer: &Analyzer,
    project: &Project<'_>,
    options: &BatchOptions<'_>,
) -> Result<Batch, AnalyzerError> {
    ctx.check_cancelled()?;
    let index = options.work.join(INDEX);
    drop_index(options.work)?;
    let target = options.work.join("target");
    std::fs::create_dir_all(&target).map_err(AnalyzerError::io("create", &target))?;
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
        limits: Limits {
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
        return Err(AnalyzerError::NoIndex { reason: ending(&outcome) });
    }
    let found = Dir::open(options.work).and_then(|work| work.read(INDEX, INDEX_BYTES));
    let found = found.map_err(|fault| AnalyzerError::io("read", &index)(fault.into()))?;
    let Some(found) = found else {
        return Err(AnalyzerError::NoIndex { reason: ending(&outcome) });
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

/// rust-analyzer's own settings, as JSON.
fn configuration(features: &Features, runs_project_code: bool) -> String {
    let features = match features {
        Features::Default => "[]".to_owned(),
        Features::All => "\"all\"".to_owned(),
        Features::Named(names) => {
            // Feature names hold no character that JSON would have escaped.
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
    // Its own default adds `miri`, under which no user builds.
    format!("{{\"cargo\":{{\"cfgs\":[\"debug_assertions\"],\"features\":{features}{code}}}}}\n")
}

/// The toolchain, the registry without credentials, rust-analyzer, the sources of the standard
/// library; then the project, which has the last word; then our own folder.
pub(crate) fn mounts(
    env: &CargoEnv,
    analyzer: &Analyzer,
    project: &Project<'_>,
    work: &Path,
) -> Vec<Mount> {
    let mut mounts = Vec::new();
    let mut show = |path: &Path| {
        if !path.starts_with("/usr") && path.exists() {
            mounts.push(shown(path));
        }
    };
    show(&env.toolchain.sysroot);
    for name in ["registry", "git", "config.toml", "config"] {
        show(&env.host.cargo_home.join(name));
    }
    show(&analyzer.std_sources);
    mounts.extend(analyzer.found.mounts());
    mounts.extend(project.view.mounts.iter().cloned());
    mounts.push(Mount::Writable { host: work.to_owned(), inside: work.to_owned() });
    mounts
}

/// All that rust-analyzer and its cargo get of the environment; nothing is inherited.
pub(crate) fn variables(
    env: &CargoEnv,
    analyzer: &Analyzer,
    work: &Path,
) -> BTreeMap<OsString, OsString> {
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
        // What rust-analyzer would call to install something: nothing that can be called.
        ("RUSTUP", "/dev/null".into()),
        // Without it rust-analyzer would have rustup fetch them.
        ("RUST_SRC_PATH", analyzer.std_sources.clone().into()),
    ];
    pairs.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

/// How a run ended that brought nothing.
pub(crate) fn ending(outcome: &Outcome) -> String {
    let how = if outcome.timed_out {
        "it took too long".to_owned()
    } else if outcome.out_of_memory {
        "it needs more memory than it may have".to_owned()
    } else {
        format!("it ended with {}", outcome.exit_code)
    };
    let said = String::from_utf8_lossy(&outcome.stderr);
    let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    format!("{how}: {}", last.chars().take(500).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_become_rust_analyzer_s_own_setting() {
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
