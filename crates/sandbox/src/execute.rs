//! Code from a model or a person, run confined and answered with what it printed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Ctx;
use serde::Serialize;

use crate::{Job, Level, Limits, Mount, Network, Outcome, Sandbox, SandboxError, View};

/// A snippet longer than this is no snippet.
const LONGEST_CODE: u64 = 1 << 20;

/// A snippet to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execute {
    /// Where the code is.
    pub source: Source,
    /// What it is written in.
    pub language: Language,
    /// From start to end, the compiler included.
    pub timeout: Duration,
    /// Memory of the whole tree, the compiler included.
    pub memory_bytes: u64,
    /// Of each stream, kept at most.
    pub output_bytes: usize,
    /// What the snippet sees of the project, besides the minimal system.
    pub view: View,
    /// Where it starts, inside the view.
    pub cwd: PathBuf,
    /// How much protection it must have.
    pub require: Level,
}

impl Execute {
    /// `code` with the usual bounds (30 s, 512 MiB, 64 KiB of output) and no view of anything.
    pub fn code(language: Language, code: impl Into<String>) -> Self {
        Self {
            source: Source::Code(code.into()),
            language,
            timeout: Duration::from_secs(30),
            memory_bytes: 512 << 20,
            output_bytes: 64 << 10,
            view: View::default(),
            cwd: PathBuf::from("/"),
            require: Level::Standard,
        }
    }
}

/// Where the code of a snippet is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Here.
    Code(String),
    /// In a file of the host, at most 1 MiB.
    File(PathBuf),
}

/// What a snippet is written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// For `sh`.
    Shell,
    /// A whole Rust program, compiled first.
    Rust {
        /// The real compiler, `<sysroot>/bin/rustc`, not a proxy that looks for one.
        rustc: PathBuf,
    },
}

/// What a snippet did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Executed {
    /// The exit code; 128 + signal where a signal ended it.
    pub exit_code: i32,
    /// Standard output, what is not UTF-8 replaced.
    pub stdout: String,
    /// Standard error, the compiler's included.
    pub stderr: String,
    /// Bytes of output that were dropped, of both streams.
    pub dropped: u64,
    /// From start to end.
    pub duration: Duration,
    /// Ended by its timeout.
    pub timed_out: bool,
    /// Ended by its memory limit.
    pub out_of_memory: bool,
    /// The layers that were on.
    pub protections: crate::Protections,
}

/// Whether snippets can be run at the level `require` on this machine.
pub fn is_available(sandbox: &Sandbox, require: Level) -> bool {
    require <= sandbox.capabilities().level
}

/// Runs a snippet to its end.
///
/// # Errors
/// When it was not run; what the snippet does, not compiling included, is no error.
pub fn execute(ctx: &Ctx, sandbox: &Sandbox, execute: &Execute) -> Result<Executed, SandboxError> {
    let code = match &execute.source {
        Source::Code(code) => code.clone().into_bytes(),
        Source::File(path) => read_code(path)?,
    };
    let outcome = sandbox.run(ctx, &job(execute, code), &mut |_, _| {})?;
    Ok(executed(outcome))
}

fn read_code(path: &Path) -> Result<Vec<u8>, SandboxError> {
    use std::io::Read;
    let failed = |source| SandboxError::Io { doing: "reading the code", source };
    let mut code = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(LONGEST_CODE + 1).read_to_end(&mut code).map_err(failed)?;
    if code.len() as u64 > LONGEST_CODE {
        return Err(failed(std::io::ErrorKind::FileTooLarge.into()));
    }
    Ok(code)
}

fn job(execute: &Execute, code: Vec<u8>) -> Job {
    let mut view = execute.view.clone();
    let script = match &execute.language {
        // Read as a whole before anything of it runs, so that it may read an input of its own.
        Language::Shell => "cat >\"$TMPDIR/snippet\" && exec sh \"$TMPDIR/snippet\" </dev/null",
        Language::Rust { rustc } => {
            if let Some(sysroot) = rustc.parent().and_then(Path::parent) {
                let shown = Mount::ReadOnly { host: sysroot.into(), inside: sysroot.into() };
                if !sysroot.starts_with("/usr") && !view.mounts.contains(&shown) {
                    view.mounts.push(shown);
                }
            }
            "\"$RUSTC\" --edition 2024 --crate-name snippet -C debuginfo=0 \
             -o \"$TMPDIR/snippet\" - && exec \"$TMPDIR/snippet\" </dev/null"
        }
    };
    let mut env = BTreeMap::from([
        ("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into()),
        ("HOME".into(), "/nonexistent".into()),
        ("LANG".into(), "C.UTF-8".into()),
    ]);
    if let Language::Rust { rustc } = &execute.language {
        env.insert("RUSTC".into(), rustc.clone().into_os_string());
    }
    Job {
        program: "sh".into(),
        args: vec!["-c".into(), script.into()],
        cwd: execute.cwd.clone(),
        env,
        stdin: code,
        view,
        limits: Limits {
            wall: execute.timeout,
            memory_bytes: Some(execute.memory_bytes),
            output_bytes: execute.output_bytes,
            ..Limits::default()
        },
        network: Network::Off,
        require: execute.require,
    }
}

fn executed(outcome: Outcome) -> Executed {
    Executed {
        exit_code: outcome.exit_code,
        stdout: String::from_utf8_lossy(&outcome.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&outcome.stderr).into_owned(),
        dropped: outcome.dropped.0 + outcome.dropped.1,
        duration: outcome.duration,
        timed_out: outcome.timed_out,
        out_of_memory: outcome.out_of_memory,
        protections: outcome.protections,
    }
}
