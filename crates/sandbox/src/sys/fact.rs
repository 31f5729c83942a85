//! Facts about an entry that is open as a place, as the kernel gives them to the calls that ask by name.

use std::os::fd::{AsRawFd as _, BorrowedFd};

use rustix::io::Errno;

/// Size of what `statx` gives.
const STATX: usize = 256;
/// Flags of `statx` and `faccessat2` that say how the entry is asked, not which one it is.
const HOW: i32 = libc::AT_STATX_SYNC_TYPE | libc::AT_EACCESS;

/// The facts that `stat` gives.
pub(crate) fn stat(place: BorrowedFd<'_>) -> Result<[u8; size_of::<libc::stat>()], Errno> {
    let mut bytes = [0; size_of::<libc::stat>()];
    // SAFETY: the kernel writes one `stat`, whose size the bytes have; the name is empty.
    let done = unsafe {
        let to = bytes.as_mut_ptr();
        libc::syscall(
            libc::SYS_newfstatat,
            place.as_raw_fd(),
            c"".as_ptr(),
            to,
            libc::AT_EMPTY_PATH,
        )
    };
    result(done).map(|()| bytes)
}

/// The facts that `statx` gives with these flags and this mask.
pub(crate) fn statx(place: BorrowedFd<'_>, flags: u32, mask: u32) -> Result<[u8; STATX], Errno> {
    let mut bytes = [0; STATX];
    let flags = flags.cast_signed() & HOW | libc::AT_EMPTY_PATH;
    // SAFETY: the kernel writes one `statx`, whose size the bytes have; the name is empty.
    let done = unsafe {
        let to = bytes.as_mut_ptr();
        libc::syscall(libc::SYS_statx, place.as_raw_fd(), c"".as_ptr(), flags, mask, to)
    };
    result(done).map(|()| bytes)
}

/// Whether the entry may be used so (Linux 5.8).
pub(crate) fn access(place: BorrowedFd<'_>, mode: u32, flags: u32) -> Result<(), Errno> {
    let flags = flags.cast_signed() & HOW | libc::AT_EMPTY_PATH;
    // SAFETY: the call reads an empty name.
    let done = unsafe {
        libc::syscall(libc::SYS_faccessat2, place.as_raw_fd(), c"".as_ptr(), mode, flags)
    };
    result(done)
}

fn result(done: libc::c_long) -> Result<(), Errno> {
    match done {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
    }
}
