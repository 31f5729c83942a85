//! Safe functions for system calls that no safe wrapper covers. The only unsafe code of the
//! library.
#![allow(unsafe_code)]

pub(crate) mod fact;
pub(crate) mod notice;

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use rustix::io::Errno;
use rustix::process::Pid;
use rustix::thread::UnshareFlags;

/// The side of a fork on which the process is.
pub(crate) enum Fork {
    Child,
    Parent(Pid),
}

/// Forks the process. Only the inner stage calls it, which has a single thread.
pub(crate) fn fork() -> io::Result<Fork> {
    // SAFETY: the inner stage never starts a thread, so no lock can be held by another one, and
    // the child may go on using the allocator and the standard library.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Fork::Child),
        pid => Pid::from_raw(pid)
            .map(Fork::Parent)
            .ok_or_else(|| io::Error::other("fork returned no process")),
    }
}

/// Exits the process without running exit handlers.
pub(crate) fn exit_now(code: i32) -> ! {
    // SAFETY: `_exit` only ends the process.
    unsafe { libc::_exit(code) }
}

/// Moves the (single-threaded) process into new namespaces.
pub(crate) fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: unsafe for `FILES` alone, which would give threads different descriptors; it is
    // never among the flags here, and there is one thread.
    unsafe { rustix::thread::unshare_unsafe(flags) }.map_err(io::Error::from)
}

/// Enables the loopback interface of the network namespace of this process.
pub(crate) fn raise_loopback() -> io::Result<()> {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
    let socket = socket_with(AddressFamily::INET, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
    // SAFETY: all-zero bytes are a valid `ifreq`: it holds numbers only.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (place, byte) in request.ifr_name.iter_mut().zip(b"lo") {
        *place = std::ffi::c_char::from_ne_bytes([*byte]);
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: the descriptor is a socket, and the request an `ifreq` that lives through the call.
    if unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as _, &raw const request) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Takes over descriptor 0 from the parent process, as an owned descriptor above 2.
pub(crate) fn take_stdin() -> io::Result<OwnedFd> {
    // SAFETY: descriptor 0 is open for as long as the borrow lives: nothing closes it here.
    let stdin = unsafe { BorrowedFd::borrow_raw(0) };
    Ok(rustix::io::fcntl_dupfd_cloexec(stdin, 3)?)
}

/// Writes bytes at an address of another process; returns how many.
pub(crate) fn write_memory(process: i32, address: u64, bytes: &[u8]) -> Result<usize, Errno> {
    let from = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let to = libc::iovec { iov_base: address as *mut _, iov_len: bytes.len() };
    // SAFETY: the call only reads the bytes, which live through it; what it writes is another process's memory.
    let written =
        unsafe { libc::process_vm_writev(process, &raw const from, 1, &raw const to, 1, 0) };
    usize::try_from(written)
        .map_err(|_| Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO))
}

/// Makes `fd` the standard input.
pub(crate) fn set_stdin(fd: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: both are plain descriptor numbers; 0 is replaced atomically.
    if unsafe { libc::dup2(fd.as_raw_fd(), 0) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Closes every descriptor from `first` on that may have leaked into the process.
///
/// To be called before this process opens anything of its own.
pub(crate) fn close_from(first: u32) -> io::Result<()> {
    // SAFETY: called first thing in the inner stage, when no owner of a descriptor ≥ `first`
    // exists in this process.
    let done = unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, 0u32) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Blocks `SIGCHLD` and returns a descriptor that becomes readable when a child ends.
pub(crate) fn child_events() -> io::Result<OwnedFd> {
    // SAFETY: `set` is initialised by `sigemptyset` before it is read; the returned descriptor
    // is new and has no other owner.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        if libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) < 0 {
            return Err(io::Error::last_os_error());
        }
        let fd = libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

/// Kills every process that this one may signal except itself: for an init, its whole namespace.
pub(crate) fn kill_everything() {
    // SAFETY: a plain system call. "No such process" is success, and other errors cannot
    // be handled.
    let _ = unsafe { libc::kill(-1, libc::SIGKILL) };
}

/// CPU microseconds and largest resident set (KiB) of all children that were waited for.
pub(crate) fn children_usage() -> (u64, u64) {
    // SAFETY: `usage` is plain old data that the call fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage) < 0 {
            return (0, 0);
        }
        usage
    };
    let micros = |time: libc::timeval| {
        u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000
            + u64::try_from(time.tv_usec).unwrap_or(0)
    };
    (micros(usage.ru_utime) + micros(usage.ru_stime), u64::try_from(usage.ru_maxrss).unwrap_or(0))
}

/// Sets attributes of the mount tree behind `fd`, and of all mounts in it when `recursive`.
pub(crate) fn set_mount_attributes(
    fd: BorrowedFd<'_>,
    attributes: u64,
    recursive: bool,
) -> io::Result<()> {
    let wanted =
        libc::mount_attr { attr_set: attributes, attr_clr: 0, propagation: 0, userns_fd: 0 };
    let flags = libc::AT_EMPTY_PATH | if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path is an empty C string, `wanted` lives over the call and its size is given.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            fd.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const wanted,
            size_of::<libc::mount_attr>(),
        )
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// The Landlock version of the kernel; 0 if there is none.
pub(crate) fn landlock_version() -> u32 {
    // SAFETY: with the version flag the call reads no memory.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<libc::c_void>(),
            0usize,
            1u32,
        )
    };
    u32::try_from(version).unwrap_or(0)
}

/// Whether a process has that thread.
pub(crate) fn has_thread(process: Pid, thread: i32) -> bool {
    let process = process.as_raw_nonzero().get();
    // SAFETY: a plain system call; the signal 0 is not sent.
    unsafe { libc::syscall(libc::SYS_tgkill, process, thread, 0) == 0 }
}

/// A memory file that contains `bytes`, positioned at its start.
pub(crate) fn memory_file(bytes: &[u8]) -> io::Result<OwnedFd> {
    use std::io::{Seek, Write};
    let fd = rustix::fs::memfd_create("stdin", rustix::fs::MemfdFlags::CLOEXEC)?;
    let mut file = std::fs::File::from(fd);
    file.write_all(bytes)?;
    file.rewind()?;
    debug_assert!(file.as_fd().as_raw_fd() > 2);
    Ok(file.into())
}
