//! What the room and its inner stage say to each other over one socket: a spec, the job's
//! standard input (its bytes, or the descriptor to read them from), then reports as lines.

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

/// The argument by which an executable knows that it is the inner stage.
pub(crate) const INNER: &str = "__sandbox-inner";
/// Ends with success at once: what a probe runs.
pub(crate) const TRUE: &str = "__sandbox-true";

/// Ends when its standard input does: what a probe moves about.
pub(crate) const SLEEP: &str = "__sandbox-sleep";

/// All that the inner stage needs to know.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Spec {
    pub program: OsString,
    pub args: Vec<OsString>,
    pub cwd: OsString,
    pub env: Vec<(OsString, OsString)>,
    /// Bytes of standard input that follow the spec.
    pub stdin_bytes: u64,
    /// Standard input is a descriptor that follows the spec, with one byte that carries it.
    pub has_input: bool,
    /// `None`: no namespaces.
    pub namespaces: Option<Namespaces>,
    pub landlock: Option<Landlock>,
    pub seccomp: Option<Seccomp>,
    pub rlimits: Rlimits,
    /// `cgroup.procs` files to join.
    pub cgroups: Vec<OsString>,
    pub watch: Watch,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Namespaces {
    /// A network of its own, with nothing in it.
    pub network: bool,
    /// Its loopback interface is up.
    pub loopback: bool,
    pub uid: u32,
    pub gid: u32,
    /// How many processes there may be, where no control group says so.
    pub processes: Option<u64>,
    /// The root's parts, in order.
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
        lower: OsString,
        upper: OsString,
        work: OsString,
        to: OsString,
    },
    Tmpfs {
        to: OsString,
        bytes: u64,
        mode: u32,
    },
    /// Covers what is there already, folder or file.
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
    /// The process's own folder in /proc.
    pub own_proc: bool,
    /// Whether TCP is closed too.
    pub no_tcp: bool,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Seccomp {
    /// `AF_UNIX` sockets may be made.
    pub unix: bool,
    /// IPv4, IPv6 and route netlink may be made.
    pub inet: bool,
    /// No namespace stands between the job and the host's processes.
    pub bare: bool,
    /// System V and POSIX queues and shared memory are refused.
    pub shared: bool,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Rlimits {
    pub cpu_seconds: Option<u64>,
    pub file_bytes: Option<u64>,
    /// Counted beyond what the user runs already.
    pub processes: Option<u64>,
    pub data_bytes: Option<u64>,
}

/// What the supervisor measures itself, because no kernel limit does.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Watch {
    pub memory_bytes: Option<u64>,
    pub processes: Option<u64>,
    pub folder: Option<(OsString, u64)>,
}

/// One line from the inner stage.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// Told by the last process before it becomes the program.
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

/// Where the inner stage failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stage {
    Namespaces,
    Overlay(OsString),
    Mount(OsString),
    Exec,
    Other(String),
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ended {
    pub code: i32,
    pub cpu_micros: u64,
    pub rss_kib: u64,
    /// The watch ended it for its memory.
    pub over_memory: bool,
    /// The watch ended it for its processes or its scratch folder.
    pub over_other: bool,
}

/// Sends a descriptor; the receiver gets one of its own.
pub(crate) fn send_descriptor(socket: &UnixStream, descriptor: &OwnedFd) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let descriptors = [descriptor.as_fd()];
    if !control.push(SendAncillaryMessage::ScmRights(&descriptors)) {
        return Err(io::Error::other("no room for a descriptor"));
    }
    // At least one byte must carry it.
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
