//! The end of a program that runs tests in threads of its own: with its first thread, which has seen
//! their results, or with another one, which is that of a test.
//!
//! A test can print whatever a run of all tests prints and then end the process with success, by any of
//! many calls. What it cannot choose is the thread in which it runs. So the calls that end a process or
//! begin another program in its place (`exit_group`, `execve`, `execveat`) wait until the supervisor has
//! looked at the thread (seccomp's user notification, Linux 5.5).

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

use rustix::process::Pid;

use crate::sys::{self, Notice};
use crate::wire::{self, Spec};

/// A socket over which the program's process passes on the descriptor of its filter.
pub(super) struct EndWatch {
    supervisor: UnixStream,
    program: UnixStream,
}

impl EndWatch {
    /// `None` for a job whose end is not looked at.
    pub(super) fn new(spec: &Spec) -> std::io::Result<Option<Self>> {
        if !spec.sees_end || spec.seccomp.is_none() {
            return Ok(None);
        }
        let (supervisor, program) = UnixStream::pair()?;
        Ok(Some(Self { supervisor, program }))
    }

    /// In the process of the program: applies the filter, which holds for its children too.
    pub(super) fn begin(self) -> std::io::Result<()> {
        drop(self.supervisor);
        let listener = sys::notify_ends()?;
        wire::send_descriptor(&self.program, &listener)
    }

    /// In the supervisor: waits for the filter.
    pub(super) fn listen(self) -> Ends {
        drop(self.program);
        // Without one the program begins all the same, or reports why it cannot.
        Ends { listener: wire::receive_descriptor(&self.supervisor).ok(), by_thread: false }
    }
}

/// What is known of the end.
#[derive(Default)]
pub(super) struct Ends {
    /// The descriptor of the filter, while there is one.
    pub(super) listener: Option<OwnedFd>,
    /// Whether a thread beside the first one ended the program.
    pub(super) by_thread: bool,
}

impl Ends {
    /// Looks at one call that waits, and lets it go on.
    pub(super) fn answer(&mut self, program: Pid) {
        let Some(listener) = &self.listener else { return };
        // The process may have been killed meanwhile.
        let Ok(notice) = sys::next_notice(listener) else { return };
        self.by_thread |= is_success(&notice) && is_other_thread(program, &notice);
        let _ = sys::go_on(listener, &notice);
    }
}

/// Whether the call ends the process with status 0, or begins another program.
fn is_success(notice: &Notice) -> bool {
    notice.call != libc::SYS_exit_group || notice.argument & 0xff == 0
}

/// Whether a thread of the program made the call that is not its first one.
fn is_other_thread(program: Pid, notice: &Notice) -> bool {
    notice.thread != program.as_raw_nonzero().get() && sys::has_thread(program, notice.thread)
}
