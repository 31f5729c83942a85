//! The inner stage: the process between the sandbox and the foreign program.
//!
//! ```text
//! sandbox ── inner stage ─┬─ (namespaces) init, pid 1 ── program
//!                         └─ (bare) subreaper ────────── program
//! ```
//! The stage has one thread, so it may fork. The supervisor of the program ends every process of
//! the tree before it reports the end.

mod confine;
mod end;
mod landlock;
mod mounts;
mod namespaces;
mod record;
mod seccomp;
mod supervise;
mod tree;
mod unit;
mod variables;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

use rustix::process::{Signal, set_child_subreaper, set_parent_process_death_signal};

use crate::error::SetupStep;
use crate::sys::{self, Fork};
use crate::wire::{self, Report, Spec, Stage};

pub use record::RecordedStart;
pub use unit::{LAUNCHER, UnitRecord, unit_wrapper};

/// Runs the inner stage and does not return, if the process was started as one.
///
/// To be called first thing in `main`, before any thread is started.
pub fn inner_main_if_asked() {
    // Libraries do not read arguments; the inner stage is a program of its own.
    let first: Option<OsString> = std::env::args_os().nth(1);
    match first.as_deref().and_then(|word| word.to_str()) {
        Some(wire::TRUE) => sys::exit_now(0),
        Some(wire::SLEEP) => {
            let read = std::io::stdin().read(&mut [0]);
            sys::exit_now(i32::from(read.is_err()));
        }
        Some(wire::RECORD) => sys::exit_now(record::record(std::env::args_os().skip(2).collect())),
        Some(wire::INNER) => sys::exit_now(run()),
        Some(wire::UNIT) => sys::exit_now(unit::compile(std::env::args_os().skip(2).collect())),
        Some(wire::SCRIPT) => {
            sys::exit_now(unit::build_script(std::env::args_os().skip(2).collect()));
        }
        _ => {}
    }
}

/// An error before the program started.
#[derive(Debug)]
pub(crate) struct Failure {
    at: Stage,
    cause: String,
}

impl Failure {
    fn new(at: Stage, cause: impl std::fmt::Display) -> Self {
        Self { at, cause: cause.to_string() }
    }

    /// An error in a step without a stage of its own.
    fn other<E: std::fmt::Display>(step: &'static str) -> impl FnOnce(E) -> Self {
        Self::setup(SetupStep::Other(step.into()))
    }

    /// An error in a step of the set-up.
    fn setup<E: std::fmt::Display>(step: SetupStep) -> impl FnOnce(E) -> Self {
        move |error| Self::new(Stage::Setup(step), error)
    }
}

/// The socket to the sandbox.
pub(crate) struct Control(UnixStream);

impl Control {
    fn report(&self, report: &Report) {
        // If the sandbox has ended there is no receiver; the end of the socket stops the job.
        if let Ok(mut line) = serde_json::to_vec(report) {
            line.push(b'\n');
            let _ = (&self.0).write_all(&line);
        }
    }

    fn failed(&self, failure: Failure) {
        self.report(&Report::Failed { at: failure.at, cause: failure.cause });
    }
}

fn run() -> i32 {
    // Only the socket, which replaces standard input, and the two outputs belong to this process.
    if sys::close_from(3).is_err() {
        return 2;
    }
    let Ok(control) = sys::take_stdin() else { return 2 };
    let control = Control(UnixStream::from(control));
    match prepare(&control).and_then(|spec| supervise_in_place(&control, &spec)) {
        Ok(code) => code,
        Err(failure) => {
            control.failed(failure);
            1
        }
    }
}

fn prepare(control: &Control) -> Result<Spec, Failure> {
    let (spec, stdin) = read_spec(&control.0).map_err(Failure::other("the job's description"))?;
    let stdin = if spec.has_input {
        wire::receive_descriptor(&control.0).map_err(Failure::other("standard input"))?
    } else if stdin.is_empty() {
        rustix::fs::open("/dev/null", rustix::fs::OFlags::RDONLY, rustix::fs::Mode::empty())
            .map_err(Failure::other("standard input"))?
    } else {
        sys::memory_file(&stdin).map_err(Failure::other("standard input"))?
    };
    sys::set_stdin(stdin.as_fd()).map_err(Failure::other("standard input"))?;
    for group in &spec.cgroups {
        std::fs::write(group, "0").map_err(Failure::setup(SetupStep::ControlGroup))?;
    }
    Ok(spec)
}

fn read_spec(mut socket: &UnixStream) -> std::io::Result<(Spec, Vec<u8>)> {
    let mut length = [0; 8];
    socket.read_exact(&mut length)?;
    let mut text = Vec::new();
    socket.take(u64::from_le_bytes(length)).read_to_end(&mut text)?;
    let spec: Spec = serde_json::from_slice(&text)?;
    let mut stdin = Vec::new();
    let follows = if spec.has_input { 0 } else { spec.stdin_bytes };
    socket.take(follows).read_to_end(&mut stdin)?;
    Ok((spec, stdin))
}

/// Becomes the supervisor, or the parent of one in new namespaces; returns the exit code.
fn supervise_in_place(control: &Control, spec: &Spec) -> Result<i32, Failure> {
    let Some(namespaces) = &spec.namespaces else {
        set_child_subreaper(rustix::process::Pid::from_raw(1))
            .map_err(Failure::other("subreaper"))?;
        supervise::supervise(control, spec, Vec::new(), tree::Tree::Bare)?;
        return Ok(0);
    };
    // When this process ends, its namespace ends with everything in it. (Without namespaces it
    // must stay alive to end the tree; the socket shows when the sandbox has ended.)
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(Failure::other("death signal"))?;
    namespaces::enter(namespaces)?;
    match sys::fork().map_err(Failure::setup(SetupStep::Namespaces))? {
        Fork::Parent(init) => {
            // The init ends with the socket or with this process, and its namespace with the init.
            while rustix::process::waitpid(Some(init), rustix::process::WaitOptions::empty())
                .is_err_and(|error| error == rustix::io::Errno::INTR)
            {}
            Ok(0)
        }
        Fork::Child => {
            let done = set_parent_process_death_signal(Some(Signal::KILL))
                .map_err(Failure::other("death signal"))
                .and_then(|()| namespaces::set_up_root(namespaces))
                .and_then(|degraded| {
                    supervise::supervise(control, spec, degraded, tree::Tree::Namespace)
                });
            if let Err(failure) = done {
                control.failed(failure);
            }
            sys::exit_now(0)
        }
    }
}
