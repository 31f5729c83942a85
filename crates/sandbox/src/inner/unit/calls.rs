//! The calls by which a process learns what is in the file system, and where their arguments have a name.

use rustix::fs::OFlags;

use crate::sys::notice::ByArgument;

/// How a call uses a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Opens the file; the argument has the flags.
    Open(usize),
    /// Begins the program.
    Start,
    /// Asks for facts about the entry, which this process answers.
    Fact(Fact),
    /// Asks for attributes that no comparison has.
    Attribute,
    /// Sets rights, an owner, times or attributes.
    Change,
    /// Asks for events of what others do to it.
    Watch,
    /// Any other: it shows whether there is such an entry, and of what kind.
    Ask,
}

/// A fact about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// How large it is, and how many names it has. The arguments with the address of the answer, and with flags.
    Stat(usize, Option<usize>),
    /// The same; the arguments with flags, what is asked for, and the address of the answer.
    Statx(usize, usize, usize),
    /// Whether it may be used so; the arguments with the use, and with flags.
    Access(usize, Option<usize>),
    /// The place that a link leads to; the arguments with the address of the answer and its most bytes.
    Link(usize, usize),
}

/// Calls by which a process can have what another one read: a name for a local socket, an end of it, a message to
/// it, and locks and attributes of a file that both have open.
const SHARING: &[libc::c_long] = &[
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_flock,
    libc::SYS_fcntl,
    libc::SYS_fgetxattr,
    libc::SYS_flistxattr,
];

/// Calls that change what is known of an open file by others.
const CHANGING: &[libc::c_long] =
    &[libc::SYS_fchmod, libc::SYS_fchown, libc::SYS_fsetxattr, libc::SYS_fremovexattr];

/// Calls after which a process runs no program any more.
const ENDS: &[libc::c_long] = &[libc::SYS_exit, libc::SYS_exit_group];

/// Commands of `fcntl` that are about the descriptor alone, or about how this process has the file open.
const OF_DESCRIPTOR: &[libc::c_int] = &[
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETPIPE_SZ,
    libc::F_SETPIPE_SZ,
];

/// Calls about a process, and the argument with its number.
const PROCESSES: &[(libc::c_long, usize)] = &[
    (libc::SYS_kill, 0),
    (libc::SYS_tkill, 0),
    (libc::SYS_tgkill, 0),
    (libc::SYS_rt_sigqueueinfo, 0),
    (libc::SYS_rt_tgsigqueueinfo, 0),
    (libc::SYS_pidfd_open, 0),
    (libc::SYS_getpgid, 0),
    (libc::SYS_getsid, 0),
    (libc::SYS_get_robust_list, 0),
    (libc::SYS_sched_getaffinity, 0),
    (libc::SYS_sched_getattr, 0),
    (libc::SYS_sched_getparam, 0),
    (libc::SYS_sched_getscheduler, 0),
    (libc::SYS_sched_rr_get_interval, 0),
    (libc::SYS_sched_setaffinity, 0),
    (libc::SYS_sched_setattr, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_prlimit64, 0),
    (libc::SYS_getpriority, 1),
    (libc::SYS_setpriority, 1),
    (libc::SYS_ioprio_get, 1),
    (libc::SYS_ioprio_set, 1),
];

/// The one value of the first argument with which these calls are about a single process.
const SINGLE: &[(libc::c_long, u64)] = &[
    (libc::SYS_getpriority, 0),
    (libc::SYS_setpriority, 0),
    (libc::SYS_ioprio_get, 1),
    (libc::SYS_ioprio_set, 1),
];

/// Others for the same, which no compiler and hardly any build script makes: they are refused.
pub(super) const REFUSED: &[libc::c_long] = &[
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    // Only this process writes another one's memory.
    libc::SYS_process_vm_writev,
];

/// Requests of `ioctl` about flags of a file that no comparison has: to get and set them, in both forms.
pub(super) fn refused_requests() -> impl Iterator<Item = ByArgument> {
    [0x8008_6601, 0x4008_6602, 0x801c_581f, 0x401c_5820].into_iter().map(|value| ByArgument {
        call: libc::SYS_ioctl,
        argument: 1,
        value,
    })
}

/// One name in the arguments of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    call: libc::c_long,
    /// The argument with the folder that a relative name begins at; `None`: the working folder.
    pub(super) folder: Option<usize>,
    /// The argument with the address of the name.
    pub(super) name: usize,
    pub(super) is: Use,
}

impl Argument {
    /// The flags of a call that opens.
    pub(super) fn flags(&self, arguments: &[u64; 6]) -> Option<OFlags> {
        let Use::Open(place) = self.is else { return None };
        // They are 32 bits wide.
        Some(OFlags::from_bits_retain(arguments[place] as u32))
    }

    /// Whether a link at the end of the name is followed.
    pub(super) fn follows(&self, arguments: &[u64; 6]) -> bool {
        let flags = match (self.is, self.call) {
            (Use::Open(flags), _) => return arguments[flags] & libc::O_NOFOLLOW as u64 == 0,
            (Use::Fact(Fact::Link(..)), _) => return false,
            (Use::Fact(Fact::Stat(_, flags) | Fact::Access(_, flags)), call) => {
                if ON_LINK.contains(&call) {
                    return false;
                }
                flags
            }
            (Use::Fact(Fact::Statx(flags, ..)), _) => Some(flags),
            (Use::Change, libc::SYS_utimensat | FCHMODAT2) => Some(3),
            (Use::Change, libc::SYS_fchownat) => Some(4),
            (Use::Change, SETXATTRAT | REMOVEXATTRAT) => Some(2),
            (_, call) => return !ON_LINK.contains(&call),
        };
        flags.is_none_or(|it| arguments[it] & libc::AT_SYMLINK_NOFOLLOW as u64 == 0)
    }
}

const fn at(call: libc::c_long, folder: usize, name: usize, is: Use) -> Argument {
    Argument { call, folder: Some(folder), name, is }
}

const fn here(call: libc::c_long, name: usize, is: Use) -> Argument {
    Argument { call, folder: None, name, is }
}

/// Numbers that are the same on every architecture and newer than the library.
const SETXATTRAT: libc::c_long = 463;
const GETXATTRAT: libc::c_long = 464;
const LISTXATTRAT: libc::c_long = 465;
const REMOVEXATTRAT: libc::c_long = 466;
const OPEN_TREE_ATTR: libc::c_long = 467;
const FILE_GETATTR: libc::c_long = 468;
const FILE_SETATTR: libc::c_long = 469;
const FCHMODAT2: libc::c_long = 452;

const EVERYWHERE: &[Argument] = &[
    at(libc::SYS_openat, 0, 1, Use::Open(2)),
    here(libc::SYS_execve, 0, Use::Start),
    at(libc::SYS_execveat, 0, 1, Use::Start),
    at(libc::SYS_newfstatat, 0, 1, Use::Fact(Fact::Stat(2, Some(3)))),
    at(libc::SYS_statx, 0, 1, Use::Fact(Fact::Statx(2, 3, 4))),
    at(libc::SYS_faccessat, 0, 1, Use::Fact(Fact::Access(2, None))),
    at(libc::SYS_faccessat2, 0, 1, Use::Fact(Fact::Access(2, Some(3)))),
    at(libc::SYS_readlinkat, 0, 1, Use::Fact(Fact::Link(2, 3))),
    here(libc::SYS_chdir, 0, Use::Ask),
    here(libc::SYS_statfs, 0, Use::Ask),
    here(libc::SYS_truncate, 0, Use::Ask),
    here(libc::SYS_getxattr, 0, Use::Attribute),
    here(libc::SYS_lgetxattr, 0, Use::Attribute),
    here(libc::SYS_listxattr, 0, Use::Attribute),
    here(libc::SYS_llistxattr, 0, Use::Attribute),
    here(libc::SYS_setxattr, 0, Use::Change),
    here(libc::SYS_lsetxattr, 0, Use::Change),
    here(libc::SYS_removexattr, 0, Use::Change),
    here(libc::SYS_lremovexattr, 0, Use::Change),
    at(libc::SYS_name_to_handle_at, 0, 1, Use::Attribute),
    here(libc::SYS_inotify_add_watch, 1, Use::Watch),
    at(libc::SYS_utimensat, 0, 1, Use::Change),
    at(libc::SYS_mkdirat, 0, 1, Use::Ask),
    at(libc::SYS_mknodat, 0, 1, Use::Ask),
    at(libc::SYS_unlinkat, 0, 1, Use::Ask),
    at(libc::SYS_renameat, 0, 1, Use::Ask),
    at(libc::SYS_renameat, 2, 3, Use::Ask),
    at(libc::SYS_renameat2, 0, 1, Use::Ask),
    at(libc::SYS_renameat2, 2, 3, Use::Ask),
    at(libc::SYS_linkat, 0, 1, Use::Ask),
    at(libc::SYS_linkat, 2, 3, Use::Ask),
    at(libc::SYS_symlinkat, 1, 2, Use::Ask),
    at(libc::SYS_fchmodat, 0, 1, Use::Change),
    at(FCHMODAT2, 0, 1, Use::Change),
    at(libc::SYS_fchownat, 0, 1, Use::Change),
    at(SETXATTRAT, 0, 1, Use::Change),
    at(GETXATTRAT, 0, 1, Use::Attribute),
    at(LISTXATTRAT, 0, 1, Use::Attribute),
    at(REMOVEXATTRAT, 0, 1, Use::Change),
    at(OPEN_TREE_ATTR, 0, 1, Use::Change),
    at(FILE_GETATTR, 0, 1, Use::Attribute),
    at(FILE_SETATTR, 0, 1, Use::Change),
];

/// Calls that are about a link itself.
const ON_LINK: &[libc::c_long] = &[
    libc::SYS_lsetxattr,
    libc::SYS_lremovexattr,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
];

#[cfg(target_arch = "x86_64")]
const ONLY_HERE: &[Argument] = &[
    here(libc::SYS_open, 0, Use::Open(1)),
    here(libc::SYS_stat, 0, Use::Fact(Fact::Stat(1, None))),
    here(libc::SYS_lstat, 0, Use::Fact(Fact::Stat(1, None))),
    here(libc::SYS_access, 0, Use::Fact(Fact::Access(1, None))),
    here(libc::SYS_readlink, 0, Use::Fact(Fact::Link(1, 2))),
    here(libc::SYS_creat, 0, Use::Ask),
    here(libc::SYS_mkdir, 0, Use::Ask),
    here(libc::SYS_rmdir, 0, Use::Ask),
    here(libc::SYS_unlink, 0, Use::Ask),
    here(libc::SYS_rename, 0, Use::Ask),
    here(libc::SYS_rename, 1, Use::Ask),
    here(libc::SYS_link, 0, Use::Ask),
    here(libc::SYS_link, 1, Use::Ask),
    here(libc::SYS_symlink, 1, Use::Ask),
    here(libc::SYS_chmod, 0, Use::Change),
    here(libc::SYS_chown, 0, Use::Change),
    here(libc::SYS_lchown, 0, Use::Change),
    here(libc::SYS_mknod, 0, Use::Ask),
    here(libc::SYS_utime, 0, Use::Change),
    here(libc::SYS_utimes, 0, Use::Change),
    at(libc::SYS_futimesat, 0, 1, Use::Change),
    here(libc::SYS_uselib, 0, Use::Ask),
];
#[cfg(not(target_arch = "x86_64"))]
const ONLY_HERE: &[Argument] = &[];

/// Whether a file is opened for reading alone, or as a place, and if it is there, nothing is changed.
pub(super) fn only_reads(flags: OFlags) -> bool {
    let changes = OFlags::TRUNC | OFlags::WRONLY | OFlags::RDWR;
    !flags.intersects(changes) && !flags.contains(OFlags::TMPFILE)
}

/// The names in the arguments of a call.
pub(super) fn arguments(call: libc::c_long) -> impl Iterator<Item = &'static Argument> {
    EVERYWHERE.iter().chain(ONLY_HERE).filter(move |it| it.call == call)
}

/// Whether a process can have by this call what another one read.
pub(super) fn shares(call: libc::c_long) -> bool {
    SHARING.contains(&call)
}

/// Whether the arguments of `fcntl` are about more than a descriptor: locks, leases, signals, hints.
pub(super) fn is_about_file(arguments: &[u64; 6]) -> bool {
    // Commands are 32 bits wide.
    !OF_DESCRIPTOR.contains(&(arguments[1] as u32).cast_signed())
}

/// Whether a call changes what others know of an open file.
pub(super) fn changes_open(call: libc::c_long) -> bool {
    CHANGING.contains(&call)
}

/// The process that a call is about, as the call names it: 0 is the caller, less than that a group. `None` for other
/// calls; 1, which no unit is, for all processes of a user.
pub(super) fn process(call: libc::c_long, arguments: &[u64; 6]) -> Option<i32> {
    let (_, place) = PROCESSES.iter().find(|it| it.0 == call)?;
    let is_single = SINGLE.iter().all(|it| it.0 != call || it.1 == arguments[0]);
    // Numbers of processes are 32 bits wide.
    Some(if is_single { arguments[*place] as u32 as i32 } else { 1 })
}

/// Whether a call ends a process or thread.
pub(super) fn ends(call: libc::c_long) -> bool {
    ENDS.contains(&call)
}

/// The numbers of all these calls.
pub(super) fn numbers() -> Vec<libc::c_long> {
    let named = EVERYWHERE.iter().chain(ONLY_HERE).map(|it| it.call);
    let others =
        PROCESSES.iter().map(|it| it.0).chain(SHARING.iter().chain(CHANGING).chain(ENDS).copied());
    let mut numbers: Vec<_> = named.chain(others).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
