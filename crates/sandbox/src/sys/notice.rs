//! Calls that wait until another process has looked at them (seccomp's user notification, Linux 5.5).

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use rustix::io::Errno;

/// A call that waits for its supervisor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notice {
    /// Number that belongs to this call alone.
    id: u64,
    /// The thread that made it.
    pub(crate) thread: i32,
    /// Number of the call.
    pub(crate) call: libc::c_long,
    /// Its arguments.
    pub(crate) arguments: [u64; 6],
}

/// The flag that is not in the library yet.
const SYNC_WAKE_UP: u64 = 1;

/// The other end of a filter: it receives the calls that wait.
#[derive(Debug)]
pub(crate) struct Listener(OwnedFd);

/// A call that is filtered by the lower half of an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByArgument {
    pub(crate) call: libc::c_long,
    /// Its place, from 0.
    pub(crate) argument: u32,
    pub(crate) value: u32,
}

/// Applies a filter to this process and its children under which these calls wait for the holder of the
/// descriptor, but for `sendmsg` on `door`, by which that is sent. Needs "no new privileges"; at most 200 calls.
pub(crate) fn notify(calls: &[libc::c_long], door: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    let sent = [message_on(door.as_raw_fd())];
    let fd = apply((calls, libc::SECCOMP_RET_USER_NOTIF), (&sent, libc::SECCOMP_RET_ALLOW), flags)?;
    // SAFETY: the descriptor is new and has no other owner.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Applies a filter to this process and its children under which these calls fail. As [`notify`].
pub(crate) fn refuse(calls: &[libc::c_long], by_argument: &[ByArgument]) -> io::Result<()> {
    let errno = libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned();
    apply((calls, errno), (by_argument, errno), 0).map(drop)
}

/// A message on the descriptor of a number.
pub(crate) fn message_on(descriptor: RawFd) -> ByArgument {
    let value = descriptor.cast_unsigned();
    ByArgument { call: libc::SYS_sendmsg, argument: 0, value }
}

/// Applies a filter with an action for these calls, and one for those by argument, which come first.
fn apply(
    (calls, action): (&[libc::c_long], u32),
    (by_argument, first): (&[ByArgument], u32),
    flags: libc::c_ulong,
) -> io::Result<i32> {
    const LOAD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    const JUMP_EQ: u16 = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    // Where `seccomp_data` has the lower half of the first argument, and the size of one.
    const FIRST: u32 = if cfg!(target_endian = "little") { 16 } else { 20 };
    const SIZE: u32 = 8;
    let line = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    let mut filter = vec![line(LOAD, 0, 0, 0)];
    for it in by_argument {
        filter.extend([
            line(JUMP_EQ, 0, 4, it.call as u32),
            line(LOAD, 0, 0, FIRST + SIZE * it.argument),
            line(JUMP_EQ, 0, 1, it.value),
            line(RETURN, 0, 0, first),
            line(LOAD, 0, 0, 0),
        ]);
    }
    for (before, call) in calls.iter().enumerate() {
        let after = u8::try_from(calls.len() - before);
        let after = after.map_err(|_| io::Error::other("too many calls for a filter"))?;
        filter.push(line(JUMP_EQ, after, 0, *call as u32));
    }
    filter.push(line(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW));
    filter.push(line(RETURN, 0, 0, action));
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the program and its lines live through the call, and `len` is their number.
    let done = unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program)
    };
    match i32::try_from(done) {
        Ok(done) if done >= 0 => Ok(done),
        _ => Err(io::Error::last_os_error()),
    }
}

impl Listener {
    /// The holder's side of what [`notify`] returned in the other process.
    pub(crate) fn new(fd: OwnedFd) -> Self {
        Self(fd)
    }

    /// Lets the two processes take turns on one processor, which halves the price of a call (Linux 6.6). An older
    /// kernel refuses it, and all is as before.
    pub(crate) fn take_turns(&self) -> io::Result<()> {
        let set = libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS;
        // SAFETY: the argument of this request is a number.
        match unsafe { libc::ioctl(self.0.as_raw_fd(), set, SYNC_WAKE_UP) } {
            ..0 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    /// The next call that waits.
    pub(crate) fn next(&self) -> io::Result<Notice> {
        // SAFETY: all-zero bytes, which the call demands, are a valid value: it holds numbers only.
        let mut notice: libc::seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: the request is defined for this type.
        unsafe { self.control(libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut notice)? };
        Ok(Notice {
            id: notice.id,
            thread: notice.pid.cast_signed(),
            call: notice.data.nr.into(),
            arguments: notice.data.args,
        })
    }

    /// Lets a call go on as if there were no filter. Its arguments may point to something else by then.
    pub(crate) fn go_on(&self, notice: &Notice) -> io::Result<()> {
        let flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
        self.answer(libc::seccomp_notif_resp { id: notice.id, val: 0, error: 0, flags })
    }

    /// Whether a call still waits: its process has not ended meanwhile.
    pub(crate) fn waits(&self, notice: &Notice) -> bool {
        let mut id = notice.id;
        // SAFETY: the request is defined for this type.
        unsafe { self.control(libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw mut id) }.is_ok()
    }

    /// Ends a call with a result.
    pub(crate) fn succeed(&self, notice: &Notice, val: i64) -> io::Result<()> {
        self.answer(libc::seccomp_notif_resp { id: notice.id, val, error: 0, flags: 0 })
    }

    /// Makes a call fail.
    pub(crate) fn fail(&self, notice: &Notice, errno: Errno) -> io::Result<()> {
        let error = -errno.raw_os_error();
        self.answer(libc::seccomp_notif_resp { id: notice.id, val: 0, error, flags: 0 })
    }

    /// Gives a duplicate of the file to the caller, as the result of its call (Linux 5.14).
    pub(crate) fn hand_over(
        &self,
        notice: &Notice,
        file: BorrowedFd<'_>,
        closes_on_exec: bool,
    ) -> Result<(), Errno> {
        let mut given = libc::seccomp_notif_addfd {
            id: notice.id,
            flags: libc::SECCOMP_ADDFD_FLAG_SEND as u32,
            srcfd: file.as_raw_fd().cast_unsigned(),
            newfd: 0,
            newfd_flags: if closes_on_exec { libc::O_CLOEXEC.cast_unsigned() } else { 0 },
        };
        // SAFETY: the request is defined for this type.
        unsafe { self.control(libc::SECCOMP_IOCTL_NOTIF_ADDFD, &raw mut given) }
            .map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))
    }

    fn answer(&self, mut answer: libc::seccomp_notif_resp) -> io::Result<()> {
        // SAFETY: the request is defined for this type.
        unsafe { self.control(libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) }
    }

    /// SAFETY: `value` has the type that the request is defined for.
    unsafe fn control<T>(&self, request: libc::Ioctl, value: *mut T) -> io::Result<()> {
        // SAFETY: the value lives through the call, and has the type of the request by the contract.
        match unsafe { libc::ioctl(self.0.as_raw_fd(), request, value) } {
            ..0 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
