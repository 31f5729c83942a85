//! [`SideProcess`]: a program that runs beside this process and is confined in nothing: this program itself, or one
//! that the person named.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// Time between two looks at whether it has ended.
const LOOK: Duration = Duration::from_millis(10);

/// Program that runs beside this one, with its whole environment. Nothing here may come from a project, a model or a
/// client, except arguments that the program reads as data.
#[derive(Clone, Debug)]
pub struct SideProgram {
    /// Its file.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables that are set or replaced.
    pub env: Vec<(OsString, OsString)>,
}

impl SideProgram {
    /// Starts the program and leaves it: it has no streams and outlives this process.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub fn leave(&self) -> io::Result<()> {
        let child = Command::new(&self.program)
            .args(&self.args)
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        drop(child);
        Ok(())
    }
}

/// The standard streams of a [`SideProcess`].
#[derive(Debug)]
pub struct SideStreams {
    /// Its input; it is to end when that ends.
    pub input: ChildStdin,
    /// Its output.
    pub output: ChildStdout,
    /// Its errors.
    pub errors: ChildStderr,
}

/// A process beside this one, in a process group of its own, which is killed when this value is dropped.
#[derive(Debug)]
pub struct SideProcess {
    child: Child,
    status: Option<ExitStatus>,
}

impl SideProcess {
    /// Starts a program.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub fn start(program: &SideProgram) -> io::Result<(Self, SideStreams)> {
        let mut child = Command::new(&program.program)
            .args(&program.args)
            .envs(program.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Self { child, status: None };
        let (Some(input), Some(output), Some(errors)) = streams else {
            return Err(io::Error::other("a process without its streams"));
        };
        Ok((process, SideStreams { input, output, errors }))
    }

    /// Its status, once it has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status
    }

    /// Waits for its end, at most this long.
    pub fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + limit;
        while self.ended().is_none() && Instant::now() < until {
            thread::sleep(LOOK);
        }
        self.status
    }

    /// Memory that it has in use, in bytes; 0 after its end.
    pub fn resident_bytes(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let text = text.unwrap_or_default();
        let line = text.lines().find_map(|it| it.strip_prefix("VmRSS:"));
        let kib = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        kib.unwrap_or(0) << 10
    }

    /// Kills it with its process group.
    pub fn kill(&mut self) {
        if self.ended().is_none() {
            // It may end at this moment.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            self.status = self.child.wait().ok();
        }
    }
}

impl Drop for SideProcess {
    fn drop(&mut self) {
        self.kill();
    }
}
