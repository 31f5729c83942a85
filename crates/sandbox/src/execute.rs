//! Runs code snippets of a model or a person confined, and returns their output.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Ctx;
use serde::Serialize;

use crate::{Job, Level, Limits, Mount, Network, Outcome, Sandbox, SandboxError, View};

/// The maximum size of a snippet in bytes.
const LONGEST_CODE: u64 = 1 << 20;

/// A snippet to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execute {
    /// The code or its file.
    pub source: Source,
    /// The language.
    pub language: Language,
    /// The wall time limit, the compiler included.
    pub timeout: Duration,
    /// The memory limit of the whole tree, the compiler included.
    pub memory_bytes: u64,
    /// The limit of kept output bytes, for each stream.
    pub output_bytes: usize,
    /// The files that the snippet sees, besides the minimal system.
    pub view: View,
    /// The working directory inside the view.
    pub cwd: PathBuf,
    /// The required level of protection.
    pub require: Level,
}

impl Execute {
    /// `code` with the default limits (30 s, 512 MiB, 64 KiB of output) and an empty view.
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

/// The code of a snippet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The text itself.
    Code(String),
    /// A file on the host, at most 1 MiB.
    File(PathBuf),
}

/// The language of a snippet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// A script for `sh`.
    Shell,
    /// A whole Rust program, compiled first.
    Rust {
        /// The real compiler, `<sysroot>/bin/rustc`, not a proxy that looks for one.
        rustc: PathBuf,
    },
}

/// The result of a snippet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Executed {
    /// The exit code; 128 + signal if a signal ended it.
    pub exit_code: i32,
    /// Standard output with invalid UTF-8 replaced.
    pub stdout: String,
    /// Standard error, the compiler's included.
    pub stderr: String,
    /// The number of dropped output bytes of both streams.
    pub dropped: u64,
    /// The wall time.
    pub duration: Duration,
    /// Whether the timeout ended it.
    pub timed_out: bool,
    /// Whether the memory limit ended it.
    pub out_of_memory: bool,
    /// The layers that were active.
    pub protections: crate::Protections,
}

/// Whether snippets can be run at the level `require` on this machine.
pub fn is_available(sandbox: &Sandbox, require: Level) -> bool {
    require <= sandbox.capabilities().level
}

/// Runs a snippet to its end.
///
/// # Errors
/// If it was not run; a failure of the snippet, compile errors included, is not an error.
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
        // `sh -c` reads the script completely before it runs, so standard input is free for it.
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
