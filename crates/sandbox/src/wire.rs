//! The protocol between the sandbox and its inner stage over one socket: a spec, the job's standard
//! input (its bytes, or the descriptor to read them from), then reports as lines.

use std::ffi::OsString;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};

use crate::error::SetupStep;

/// The argument that starts an executable as the inner stage.
pub(crate) const INNER: &str = "__sandbox-inner";
/// The argument that starts an executable as the unit stage, for a compiler.
pub(crate) const UNIT: &str = "__sandbox-unit";
/// The argument that starts an executable as the unit stage, for a build script.
pub(crate) const SCRIPT: &str = "__sandbox-script";
/// The program of a probe: exits successfully at once.
pub(crate) const TRUE: &str = "__sandbox-true";

/// The argument that starts an executable as a runner of tests, which runs none.
pub(crate) const RECORD: &str = "__sandbox-record";

/// The process that a probe moves between groups: exits when its standard input ends.
pub(crate) const SLEEP: &str = "__sandbox-sleep";

/// Everything that the inner stage needs.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Spec {
    pub program: OsString,
    pub args: Vec<OsString>,
    pub cwd: OsString,
    pub env: Vec<(OsString, OsString)>,
    /// The number of bytes of standard input that follow the spec.
    pub stdin_bytes: u64,
    /// Whether standard input is a descriptor that follows the spec, sent with one byte.
    pub has_input: bool,
    /// `None`: no namespaces.
    pub namespaces: Option<Namespaces>,
    pub landlock: Option<Landlock>,
    pub seccomp: Option<Seccomp>,
    pub rlimits: Rlimits,
    /// Files of control groups to join, while there is one thread.
    pub cgroups: Vec<OsString>,
    pub watch: Watch,
    /// `Some`: the supervisor looks at what ends the program, which is the last of so many that the first
    /// thread begins in each other's place.
    pub sees_end: Option<u32>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Namespaces {
    /// Whether the job has an empty network of its own.
    pub network: bool,
    /// Whether the loopback interface is enabled.
    pub loopback: bool,
    pub uid: u32,
    pub gid: u32,
    /// The limit of processes, if no control group enforces it.
    pub processes: Option<u64>,
    /// The parts of the root in order.
    pub parts: Vec<Part>,
}

/// One part of the new root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Part {
    Folder {
        to: OsString,
    },
    Symlink {
        target: OsString,
        to: OsString,
    },
    File {
        content: String,
        to: OsString,
    },
    Bind {
        from: OsString,
        to: OsString,
        writable: bool,
        device: bool,
    },
    Overlay {
        /// The topmost first.
        lowers: Vec<OsString>,
        /// The folder for writes, and the work folder.
        upper: Option<(OsString, OsString)>,
        to: OsString,
    },
    Tmpfs {
        to: OsString,
        bytes: u64,
        mode: u32,
    },
    /// Covers an existing folder or file.
    Hidden {
        to: OsString,
    },
    Proc {
        to: OsString,
    },
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Landlock {
    pub read: Vec<OsString>,
    pub write: Vec<OsString>,
    /// Folders in which sockets may be made.
    pub sockets: Vec<OsString>,
    /// Whether the process may read its own folder in /proc.
    pub own_proc: bool,
    /// Whether TCP is blocked too.
    pub no_tcp: bool,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Seccomp {
    /// `AF_UNIX` sockets may be made.
    pub unix: bool,
    /// IPv4, IPv6 and route netlink may be made.
    pub inet: bool,
    /// Whether no namespace separates the job from the host's processes.
    pub bare: bool,
    /// System V and POSIX queues and shared memory are refused.
    pub shared: bool,
    /// Whether the unit stage may write its answers into the memory of units, which have a filter of their own.
    pub units: bool,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Rlimits {
    pub cpu_seconds: Option<u64>,
    pub file_bytes: Option<u64>,
    /// The limit, in addition to the processes that the user runs already.
    pub processes: Option<u64>,
    pub data_bytes: Option<u64>,
}

/// The limits that the supervisor measures itself, because no kernel limit covers them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Watch {
    pub memory_bytes: Option<u64>,
    pub processes: Option<u64>,
    pub folder: Option<(OsString, u64)>,
}

/// One line from the inner stage.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// Sent by the last process before it becomes the program.
    Ready {
        landlock: Option<String>,
        degraded: Vec<String>,
    },
    Failed {
        at: Stage,
        cause: String,
    },
    Ended(Ended),
}

/// The step at which the inner stage failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stage {
    Overlay(OsString),
    Mount(OsString),
    Exec,
    Setup(SetupStep),
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ended {
    pub code: i32,
    pub cpu_micros: u64,
    pub rss_kib: u64,
    /// Whether the watch ended it because of its memory.
    pub over_memory: bool,
    /// Whether the watch ended it because of its processes or its scratch folder.
    pub over_other: bool,
    /// Whether a test ended the program with success, or began another one in its place.
    pub by_test: bool,
}

/// Sends a descriptor; the receiver gets a duplicate.
pub(crate) fn send_descriptor(socket: &UnixStream, descriptor: &OwnedFd) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let descriptors = [descriptor.as_fd()];
    if !control.push(SendAncillaryMessage::ScmRights(&descriptors)) {
        return Err(io::Error::other("no space for a descriptor"));
    }
    // A descriptor can only be sent with at least one byte.
    sendmsg(socket, &[io::IoSlice::new(&[0])], &mut control, SendFlags::empty())?;
    Ok(())
}

/// Receives what [`send_descriptor`] sent.
pub(crate) fn receive_descriptor(socket: &UnixStream) -> io::Result<OwnedFd> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let mut parts = [io::IoSliceMut::new(&mut byte)];
    recvmsg(socket, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC)?;
    let mut received = control.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
        _ => None,
    });
    received
        .next()
        .and_then(|mut descriptors| descriptors.next())
        .ok_or_else(|| io::Error::other("no descriptor came"))
}
