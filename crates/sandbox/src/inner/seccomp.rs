//! The filter of system calls. It lists refused and not permitted calls: compilers, test
//! programs and linkers use nearly everything else, and files, processes and the network are
//! confined by other layers already.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter, sock_filter,
};

use super::Failure;
use crate::error::SetupStep;
use crate::wire::{Seccomp, Stage};

/// Calls that are refused with any arguments.
const REFUSED: &[libc::c_long] = &[
    // Other processes' memory and descriptors.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Kernel interfaces with a long record of vulnerabilities.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_fanotify_init,
    // Mounts, roots and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    // The machine.
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_nfsservctl,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
];

#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[libc::c_long] = &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[libc::c_long] = &[];

/// Queues and shared memory that all processes of the host share if there is no namespace.
const SHARED: &[libc::c_long] = &[
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// Calls with the argument that names the other process; 0 is the caller.
const ON_OTHERS: &[(libc::c_long, u8)] = &[
    (libc::SYS_prlimit64, 0),
    (libc::SYS_sched_setaffinity, 0),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setattr, 0),
    (libc::SYS_setpriority, 1),
    (libc::SYS_ioprio_set, 1),
];

/// The same number on every architecture, but not defined by every libc.
const FCHMODAT2: libc::c_long = 452;

/// Calls with the argument that is a file mode.
const WITH_MODE: &[(libc::c_long, u8)] =
    &[(libc::SYS_fchmod, 1), (libc::SYS_fchmodat, 2), (FCHMODAT2, 2), (libc::SYS_mknodat, 2)];

#[cfg(target_arch = "x86_64")]
const WITH_MODE_HERE: &[(libc::c_long, u8)] =
    &[(libc::SYS_chmod, 1), (libc::SYS_creat, 1), (libc::SYS_mknod, 1)];
#[cfg(not(target_arch = "x86_64"))]
const WITH_MODE_HERE: &[(libc::c_long, u8)] = &[];

/// Calls with the argument that contains flags; the next is a mode if the flags create a file.
const OPENING: &[(libc::c_long, u8)] = &[
    (libc::SYS_openat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
];

const NAMESPACE_FLAGS: &[libc::c_int] = &[
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Applies the filters to this process and its children.
pub(super) fn restrict(rules: Seccomp) -> Result<(), Failure> {
    let failed = |error: seccompiler::Error| Failure::new(Stage::Setup(SetupStep::Seccomp), error);
    let main = filter(rules).map_err(|error| failed(error.into()))?;
    apply_filter(&main).map_err(failed)?;
    apply_filter(&guard()).map_err(failed)
}

fn filter(rules: Seccomp) -> Result<BpfProgram, seccompiler::BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter = SeccompFilter::new(
        refusals(rules)?,
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EPERM as u32),
        arch,
    )?;
    filter.try_into()
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn refusals(rules: Seccomp) -> Result<Rules, seccompiler::BackendError> {
    let mut refusals = Rules::new();
    for &call in REFUSED.iter().chain(REFUSED_HERE) {
        refusals.insert(call, Vec::new());
    }
    if rules.units {
        // Landlock keeps foreign code of a unit from all memory but its own, and its own filter refuses the call.
        refusals.remove(&libc::SYS_process_vm_writev);
    }
    if rules.shared {
        for &call in SHARED {
            refusals.insert(call, Vec::new());
        }
    }
    if rules.bare {
        for &(call, argument) in ON_OTHERS {
            refusals.insert(call, vec![rule(&[is_not(argument, 0)?])?]);
        }
    }
    // A set-user-id program left in a writable folder would give the user's rights to anyone who
    // finds it – root's, if root runs the job.
    for &(call, argument) in WITH_MODE.iter().chain(WITH_MODE_HERE) {
        let rules = [rule(&[has(argument, 0o4000)?])?, rule(&[has(argument, 0o2000)?])?];
        refusals.insert(call, rules.into());
    }
    for &(call, flags) in OPENING {
        let mut rules = Vec::new();
        for made in [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY] {
            for bit in [0o4000, 0o2000] {
                let made = has(flags, u64::from(made.cast_unsigned()))?;
                rules.push(rule(&[made, has(flags + 1, bit)?])?);
            }
        }
        refusals.insert(call, rules);
    }
    let mut clone = Vec::new();
    for &flag in NAMESPACE_FLAGS {
        let flag = u64::from(flag.cast_unsigned());
        let new = SeccompCmpOp::MaskedEq(flag);
        clone.push(rule(&[SeccompCondition::new(0, SeccompCmpArgLen::Qword, new, flag)?])?);
    }
    refusals.insert(libc::SYS_clone, clone);
    // Input into the terminal of the user who started the job (`TIOCSTI`, `TIOCLINUX`).
    let typing = [0x5412u64, 0x541C];
    let typing: Result<Vec<_>, _> =
        typing.iter().map(|&request| rule(&[is(1, request)?])).collect();
    refusals.insert(libc::SYS_ioctl, typing?);
    refusals.insert(libc::SYS_socket, sockets(rules)?);
    refusals.insert(libc::SYS_socketpair, vec![rule(&[is_not(0, libc::AF_UNIX as u64)?])?]);
    Ok(refusals)
}

/// Refuses every socket family but the allowed ones, so vsock, packet and future ones too.
fn sockets(rules: Seccomp) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let mut families = Vec::new();
    if rules.unix {
        families.push(libc::AF_UNIX);
    }
    if rules.inet {
        families.extend([libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK]);
    }
    let mut refused = Vec::new();
    if families.is_empty() {
        return Ok(refused);
    }
    let others: Result<Vec<_>, _> = families.iter().map(|&f| is_not(0, f as u64)).collect();
    refused.push(rule(&others?)?);
    if rules.inet {
        let netlink = is(0, libc::AF_NETLINK as u64)?;
        refused.push(rule(&[netlink, is_not(2, libc::NETLINK_ROUTE as u64)?])?);
        // Raw sockets; the type's upper bits are flags.
        for family in [libc::AF_INET, libc::AF_INET6] {
            let raw = SeccompCmpOp::MaskedEq(0xf);
            let raw = SeccompCondition::new(1, SeccompCmpArgLen::Dword, raw, 3)?;
            refused.push(rule(&[is(0, family as u64)?, raw])?);
        }
    }
    Ok(refused)
}

fn rule(conditions: &[SeccompCondition]) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(conditions.to_vec())
}

fn is(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

fn has(argument: u8, bits: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(bits), bits)
}

fn is_not(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
}

/// `clone3` and `openat2` hide their flags from filters, so they return `ENOSYS` and callers fall
/// back to `clone` and `openat`; on x86-64 all x32 numbers, which the main filter does not cover, are
/// refused.
fn guard() -> BpfProgram {
    const LOAD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    const JUMP_EQ: u16 = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
    const JUMP_GE: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    const X32: u32 = 0x4000_0000;
    let refuse = |errno: i32| libc::SECCOMP_RET_ERRNO | errno.cast_unsigned();
    let line = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        line(LOAD, 0, 0, 0),
        line(JUMP_GE, 3, 0, X32),
        line(JUMP_EQ, 3, 0, libc::SYS_clone3 as u32),
        line(JUMP_EQ, 2, 0, libc::SYS_openat2 as u32),
        line(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
        line(RETURN, 0, 0, refuse(libc::EPERM)),
        line(RETURN, 0, 0, refuse(libc::ENOSYS)),
    ]
}
