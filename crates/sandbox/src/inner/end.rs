//! The end of a program that runs tests in threads of its own: by its first thread, after that has seen their
//! results, or by a test.
//!
//! A test can print whatever a run of all tests prints and then end the process with success, by any of
//! many calls. What it cannot choose is where it runs: in another thread, or, where none can be made, deep in
//! the stack of the first one, which the harness has left when all tests have run. So the calls that end a
//! process or begin another program in its place (`exit_group`, `execve`, `execveat`) wait until the
//! supervisor has looked at the thread and its stack (seccomp's user notification, Linux 5.5).

use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;

use rustix::process::Pid;

use super::supervise::read_small;
use crate::sys;
use crate::sys::notice::{Listener, Notice, notify};
use crate::wire::{self, Spec};

/// Calls that end a process or begin another program in its place.
const ENDS: &[libc::c_long] = &[libc::SYS_exit_group, libc::SYS_execve, libc::SYS_execveat];
/// Most bytes of the first thread's stack, below its arguments, when `main` has returned: the frames of the
/// C library's start and end. A harness within a test needs many times that.
const RETURNED: u64 = 1_536;

/// A socket over which the program's process passes on the descriptor of its filter.
pub(super) struct EndWatch {
    supervisor: UnixStream,
    program: UnixStream,
    starts: u32,
}

impl EndWatch {
    /// `None` for a job whose end is not looked at.
    pub(super) fn new(spec: &Spec) -> std::io::Result<Option<Self>> {
        let Some(starts) = spec.sees_end.filter(|_| spec.seccomp.is_some()) else {
            return Ok(None);
        };
        let (supervisor, program) = UnixStream::pair()?;
        Ok(Some(Self { supervisor, program, starts }))
    }

    /// In the process of the program: applies the filter, which holds for its children too.
    pub(super) fn begin(self) -> std::io::Result<()> {
        drop(self.supervisor);
        let listener = notify(ENDS, self.program.as_fd())?;
        wire::send_descriptor(&self.program, &listener)
    }

    /// In the supervisor: waits for the filter.
    pub(super) fn listen(self) -> Ends {
        drop(self.program);
        // Without one the program begins all the same, or reports why it cannot.
        let listener = wire::receive_descriptor(&self.supervisor).ok().map(Listener::new);
        Ends { listener, starts: self.starts, by_test: false }
    }
}

/// Facts that are known of the end.
#[derive(Default)]
pub(super) struct Ends {
    /// The descriptor of the filter, while there is one.
    pub(super) listener: Option<Listener>,
    /// How many programs the first thread has still to begin, up to the one with the tests.
    starts: u32,
    /// Whether a test ended the program, or began another one in its place.
    pub(super) by_test: bool,
}

impl Ends {
    /// Looks at one call that waits, and lets it go on.
    pub(super) fn answer(&mut self, program: Pid) {
        let Some(listener) = &self.listener else { return };
        // The process may have been killed meanwhile.
        let Ok(notice) = listener.next() else { return };
        if is_by_test(program, &notice, &mut self.starts) {
            self.by_test = true;
        }
        let _ = listener.go_on(&notice);
    }
}

fn is_by_test(program: Pid, notice: &Notice, starts: &mut u32) -> bool {
    let is_first = notice.thread == program.as_raw_nonzero().get();
    let is_end = notice.call == libc::SYS_exit_group;
    if !is_first {
        let is_success = !is_end || notice.arguments[0] & 0xff == 0;
        return is_success && sys::has_thread(program, notice.thread);
    }
    if !is_end {
        let is_start = *starts > 0;
        *starts = starts.saturating_sub(1);
        return !is_start;
    }
    notice.arguments[0] & 0xff == 0 && stack_bytes(notice.thread).is_some_and(|it| it > RETURNED)
}

/// How much of its stack the first thread of a process uses, which waits in a call; `None` if the system
/// does not show it.
fn stack_bytes(thread: i32) -> Option<u64> {
    let call = read_small(&format!("/proc/{thread}/syscall"))?;
    // Number of the call, its six arguments, the stack pointer and the program counter.
    let pointer = call.split_whitespace().nth(7)?.strip_prefix("0x")?;
    let pointer = u64::from_str_radix(pointer, 16).ok()?;
    let stat = read_small(&format!("/proc/{thread}/stat"))?;
    // `startstack` is the field 28; the name before may have blanks.
    let start = stat.rsplit_once(')')?.1.split_whitespace().nth(25)?;
    start.parse::<u64>().ok()?.checked_sub(pointer)
}
