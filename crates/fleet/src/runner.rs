//! [`CommandRunner`]: the task of one repository as a process of this program.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use dobby::{TaskFault, TaskRunner};
use sandbox::{SideProcess, SideProgram};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use untrusted_fs::{ScratchFolder, make_own, open_inner, sweep};

use crate::{RepositoryResult, document};

/// Time between two looks at limits and at the caller.
const LOOK: Duration = Duration::from_millis(25);

/// Time between two looks at the size of the folder of a task.
const MEASURE: Duration = Duration::from_secs(2);

/// Time that a stopped command has to end its processes.
const GRACE: Duration = Duration::from_secs(5);

/// Most bytes of a document.
const MOST_OUTPUT: u64 = 64 << 20;

/// Start of the names of folders for caches.
const CACHES: &str = "caches-";

/// Most bytes of errors that are kept.
const MOST_ERRORS: u64 = 64 << 10;

/// The task of a repository, as an engine gets it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RepositoryTask {
    /// Root of the repository.
    pub(crate) root: PathBuf,
    /// Folder in which this task has one for its caches, removed at its end; without it, those of the user are used.
    pub(crate) folder: Option<PathBuf>,
    /// Command and arguments.
    pub(crate) command: Vec<String>,
    /// Whether a proven change is written.
    pub(crate) applies: bool,
    /// Patch of an earlier attempt, which may have been written before its worker was lost.
    #[serde(default)]
    pub(crate) proven: Option<String>,
    /// Longest time, in seconds.
    pub(crate) seconds: u64,
    /// Most memory of the command itself, in bytes; what it runs has its own limit.
    pub(crate) memory_bytes: u64,
    /// Most bytes in `folder`.
    pub(crate) disk_bytes: u64,
}

impl RepositoryTask {
    /// A task of one repository alone, with the caches of the user; nothing is written.
    fn alone(root: PathBuf, command: Vec<String>, seconds: u64) -> Self {
        Self {
            root,
            folder: None,
            command,
            applies: false,
            proven: None,
            seconds,
            memory_bytes: 4 << 30,
            disk_bytes: u64::MAX,
        }
    }
}

/// The task of an engine that runs a command in one repository, in so many seconds at most.
pub fn single_task(root: &Path, command: Vec<String>, seconds: u64) -> Value {
    json!(RepositoryTask::alone(root.to_owned(), command, seconds))
}

/// Runs the command of a task in its repository, as a process of this program.
pub struct CommandRunner {
    /// File of this program.
    pub program: PathBuf,
    /// Whether the program runs these words as a task; the reason if not. A request is believed nothing.
    pub accepts: fn(&[String]) -> Result<(), TaskFault>,
}

impl TaskRunner for CommandRunner {
    fn run(
        &self,
        payload: &Value,
        report: &mut dyn FnMut(Value),
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<Value, TaskFault> {
        let failed = |cause: String| TaskFault::Failed(format!("the task of a fleet: {cause}"));
        let mut task =
            RepositoryTask::deserialize(payload).map_err(|error| failed(error.to_string()))?;
        (self.accepts)(&task.command)?;
        // Only what is made here is removed here.
        let own = task.folder.as_ref().map(|it| own_folder(it)).transpose();
        let own = own.map_err(|error| failed(error.to_string()))?;
        task.folder = own.as_ref().map(|it| it.path().to_owned());
        let proven = self.once(&task, false, has_stopped);
        drop(own);
        let mut result = proven?;
        if let Some(patch) = task.proven.clone().filter(|_| result.outcome == "clean") {
            // Only the history of the repository shows whether it was.
            let undo = RepositoryTask {
                command: vec!["undo".to_owned(), "--dry-run".to_owned()],
                folder: None,
                ..task.clone()
            };
            let last = self.once(&undo, false, has_stopped)?.patch;
            if last.is_some_and(|it| is_reverse(&it, &patch)) {
                result.outcome = "applied".to_owned();
                result.patch = Some(patch);
            }
        }
        if task.applies && result.outcome == "proven" {
            // The patch survives a loss from here on.
            report(json!(result));
            let applied = self.once(&task, true, has_stopped)?;
            result.outcome = applied.outcome;
            result.reason = applied.reason;
        }
        serde_json::to_value(&result).map_err(|error| TaskFault::Failed(error.to_string()))
    }
}

/// Limits of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLimits {
    /// Longest time.
    pub time: Duration,
    /// Most memory of the command itself, in bytes; what it runs has its own limit.
    pub memory_bytes: u64,
    /// A folder, and the most bytes in it.
    pub disk: Option<(PathBuf, u64)>,
}

/// The end of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandEnd {
    /// A limit was exceeded: which.
    Limit(String),
    /// It ended by itself.
    Ended {
        /// Its status.
        code: i32,
        /// Its standard output.
        output: String,
        /// Its standard error.
        errors: String,
    },
}

impl CommandRunner {
    /// Runs the command of a task once.
    fn once(
        &self,
        task: &RepositoryTask,
        applies: bool,
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<RepositoryResult, TaskFault> {
        let limits = CommandLimits {
            time: Duration::from_secs(task.seconds),
            memory_bytes: task.memory_bytes,
            disk: task.folder.clone().map(|it| (it, task.disk_bytes)),
        };
        Ok(match self.command(arguments(task, applies), &limits, has_stopped)? {
            CommandEnd::Limit(reason) => RepositoryResult::without_document("stopped", reason),
            CommandEnd::Ended { code, output, errors } => document::read(&output, code, &errors),
        })
    }

    /// Runs this program with these arguments within the limits.
    ///
    /// # Errors
    /// [`TaskFault`]: it cannot be started, it was killed, or the caller gave up.
    pub fn command(
        &self,
        args: Vec<OsString>,
        limits: &CommandLimits,
        has_stopped: &dyn Fn() -> bool,
    ) -> Result<CommandEnd, TaskFault> {
        let failed = |cause: String| TaskFault::Failed(format!("cannot run the command: {cause}"));
        let program = SideProgram { program: self.program.clone(), args, env: Vec::new() };
        let (mut process, streams) =
            SideProcess::start(&program).map_err(|error| failed(error.to_string()))?;
        let output = gather(streams.output, MOST_OUTPUT);
        let errors = gather(streams.errors, MOST_ERRORS);
        let stopped = watch(&mut process, limits, has_stopped);
        // The command ends with its input, and its processes with it.
        drop(streams.input);
        if process.wait(GRACE).is_none() {
            process.kill();
        }
        let status = process.ended();
        let (output, errors) = (gathered(output), gathered(errors));
        match stopped {
            Some(Stop::Caller) => return Err(TaskFault::Stopped),
            Some(Stop::Limit(reason)) => return Ok(CommandEnd::Limit(reason)),
            None => {}
        }
        let Some(code) = status.and_then(|it| it.code()) else {
            return Err(TaskFault::Lost("the command was killed".to_owned()));
        };
        Ok(CommandEnd::Ended { code, output, errors })
    }
}

/// Why a command is stopped.
enum Stop {
    /// The caller gives up.
    Caller,
    /// A limit is exceeded: which.
    Limit(String),
}

/// Waits for the end of a command; returns why it has to be stopped, if so.
fn watch(
    process: &mut SideProcess,
    limits: &CommandLimits,
    has_stopped: &dyn Fn() -> bool,
) -> Option<Stop> {
    let began = Instant::now();
    let mut measured = began;
    while process.wait(LOOK).is_none() {
        if has_stopped() {
            return Some(Stop::Caller);
        }
        if began.elapsed() > limits.time {
            return Some(Stop::Limit(format!("more than {} s", limits.time.as_secs())));
        }
        if measured.elapsed() < MEASURE {
            continue;
        }
        measured = Instant::now();
        if process.resident_bytes() > limits.memory_bytes {
            let limit = limits.memory_bytes >> 20;
            return Some(Stop::Limit(format!("more than {limit} MiB of memory")));
        }
        if let Some((folder, most)) = &limits.disk
            && let Some(folder) = open_inner(folder).ok().flatten()
            && folder.is_larger_than(*most)
        {
            return Some(Stop::Limit(format!("more than {} MiB on disk", most >> 20)));
        }
    }
    None
}

fn arguments(task: &RepositoryTask, applies: bool) -> Vec<OsString> {
    let mut all: Vec<OsString> = vec!["--json".into(), "-C".into(), task.root.clone().into()];
    all.push("--task-of-fleet".into());
    if let Some(folder) = &task.folder {
        all.extend(["--caches".into(), folder.clone().into()]);
    }
    all.extend(task.command.iter().map(OsString::from));
    if applies {
        all.push("--apply".into());
    }
    all
}

/// Reads a stream to its end in a thread; what is over the limit is dropped.
fn gather(mut stream: impl Read + Send + 'static, limit: u64) -> Option<JoinHandle<Vec<u8>>> {
    let read = move || {
        let mut kept = Vec::new();
        // A stream that breaks off is like one that ends.
        let _ = stream.by_ref().take(limit).read_to_end(&mut kept);
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
        kept
    };
    thread::Builder::new().name("output".to_owned()).spawn(read).ok()
}

fn gathered(thread: Option<JoinHandle<Vec<u8>>>) -> String {
    let bytes = thread.and_then(|it| it.join().ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether a diff reverts what another one does.
fn is_reverse(undo: &str, patch: &str) -> bool {
    let lines = |text: &str, swaps: bool| {
        let sign = |line: &str| match (line.chars().next(), swaps) {
            (Some('+'), true) => format!("-{}", &line[1..]),
            (Some('-'), true) => format!("+{}", &line[1..]),
            _ => line.to_owned(),
        };
        let is_head = |line: &str| line.starts_with("--- ") || line.starts_with("+++ ");
        let changed = text.lines().filter(|it| it.starts_with(['+', '-']) && !is_head(it));
        let mut all: Vec<String> = changed.map(sign).collect();
        all.extend(text.lines().filter(|it| it.starts_with("diff --git ")).map(str::to_owned));
        all.sort_unstable();
        all
    };
    lines(undo, true) == lines(patch, false)
}

/// A new folder in one of a run's, which one task uses at a time; removed with the value.
///
/// # Errors
/// When it cannot be made.
pub fn own_folder(parent: &Path) -> std::io::Result<ScratchFolder> {
    make_own(parent).map_err(std::io::Error::other)?;
    // Of a worker that was lost.
    sweep(parent, |name| name.starts_with(CACHES), |_| {});
    let mut number = 0_u32;
    let name = || {
        number += 1;
        format!("{CACHES}{}-{number}", std::process::id())
    };
    ScratchFolder::new(parent, name)
}

#[cfg(test)]
mod tests {
    use super::is_reverse;

    #[test]
    fn a_diff_reverts_another_where_each_line_is_swapped() {
        let patch = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n same\n";
        let undo = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-two\n+one\n same\n";
        assert!(is_reverse(undo, patch));
        assert!(!is_reverse(patch, patch) && !is_reverse(&undo.replace("one", "1"), patch));
        assert!(!is_reverse(&undo.replace("a/x", "a/y"), patch) && !is_reverse("", patch));
    }
}
