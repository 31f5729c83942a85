//! Attacks by calls that change the machine or reach vulnerable parts of the kernel.
//!
//! A call that would do harm is made with arguments that must fail: then only a permission error
//! counts as blocked, any other error means that the kernel can be reached.

use crate::{Attack, Blocked, Verdict, blocked, raw};

pub(crate) const ATTACKS: &[Attack] = &[
    ("add_key", add_key),
    ("keyctl", || called(libc::SYS_keyctl, &[0, usize::MAX - 2, 1])),
    ("io_uring", io_uring),
    ("bpf", || reached(libc::SYS_bpf, &[0, 0, 0])),
    ("perf_event", perf_event),
    ("userfaultfd", || called(libc::SYS_userfaultfd, &[1])),
    ("mount_tmpfs", mount_tmpfs),
    ("remount_writable", remount_writable),
    ("unmount_proc", || called(libc::SYS_umount2, &[raw::c(c"/proc"), libc::MNT_DETACH as usize])),
    ("new_mount_api", || called(libc::SYS_fsopen, &[raw::c(c"tmpfs"), 0])),
    ("clone_mount_tree", || {
        called(libc::SYS_open_tree, &[libc::AT_FDCWD as usize, raw::c(c"/"), 1])
    }),
    ("unshare_user", || called(libc::SYS_unshare, &[libc::CLONE_NEWUSER as usize])),
    ("unshare_mounts", || called(libc::SYS_unshare, &[libc::CLONE_NEWNS as usize])),
    ("clone_user", clone_user),
    ("clone3_user", clone3_user),
    ("set_namespace", set_namespace),
    ("chroot", || called(libc::SYS_chroot, &[raw::c(c"/")])),
    ("pivot_root", || reached(libc::SYS_pivot_root, &[raw::c(c"/nowhere"), raw::c(c"/nowhere")])),
    ("become_root", become_root),
    ("setuid_programs", setuid_programs),
    ("capabilities", capabilities),
    ("set_host_name", || called(libc::SYS_sethostname, &[raw::c(c"probe"), 5])),
    ("set_clock", || reached(libc::SYS_clock_settime, &[0, 0])),
    ("load_module", || reached(libc::SYS_finit_module, &[usize::MAX, raw::c(c""), 0])),
    ("unload_module", || reached(libc::SYS_delete_module, &[raw::c(c"no_such_module"), 0])),
    ("kexec", || reached(libc::SYS_kexec_load, &[0, 0, 0, usize::MAX])),
    ("reboot", || reached(libc::SYS_reboot, &[1, 2, 3])),
    ("swap", || reached(libc::SYS_swapon, &[raw::c(c"/nowhere"), 0])),
    ("kernel_log", || called(libc::SYS_syslog, &[10, 0, 0])),
    ("type_into_terminal", type_into_terminal),
];

fn called(call: libc::c_long, args: &[usize]) -> Verdict {
    raw::call(call, args)?;
    Ok("the call succeeded".to_owned())
}

/// Blocked only if the kernel refuses before it checks the arguments.
fn reached(call: libc::c_long, args: &[usize]) -> Verdict {
    match raw::call(call, args) {
        Err(error) if matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOSYS)) => {
            Err(Blocked(error.to_string()))
        }
        Err(error) => Ok(format!("reached the kernel: {error}")),
        Ok(_) => Ok("the call succeeded".to_owned()),
    }
}

fn add_key() -> Verdict {
    let args = [raw::c(c"user"), raw::c(c"probe"), raw::c(c"x"), 1, usize::MAX - 1];
    called(libc::SYS_add_key, &args)
}

fn io_uring() -> Verdict {
    let mut parameters = [0u32; 30];
    called(libc::SYS_io_uring_setup, &[1, parameters.as_mut_ptr() as usize])
}

fn perf_event() -> Verdict {
    // A software counter of this process, user code only, which every user may have.
    let mut attributes = [0u64; 16];
    attributes[0] = 1 | (128 << 32);
    attributes[5] = 1 << 5 | 1 << 6;
    let args = [attributes.as_mut_ptr() as usize, 0, usize::MAX, usize::MAX, 0];
    called(libc::SYS_perf_event_open, &args)
}

fn mount_tmpfs() -> Verdict {
    let place = raw::c(c"/tmp/graftage-probe-nowhere");
    reached(libc::SYS_mount, &[raw::c(c"none"), place, raw::c(c"tmpfs"), 0, 0])
}

fn remount_writable() -> Verdict {
    // A path that is not a mount: harmless even if it is allowed.
    let place = std::ffi::CString::new(crate::target("READONLY") + "/file")
        .map_err(|_| Blocked("nul".into()))?;
    let flags = (libc::MS_REMOUNT | libc::MS_BIND) as usize;
    reached(libc::SYS_mount, &[0, raw::c(&place), 0, flags, 0])
}

fn clone_user() -> Verdict {
    let flags = (libc::CLONE_NEWUSER | libc::SIGCHLD) as usize;
    match raw::call(libc::SYS_clone, &[flags, 0, 0, 0, 0])? {
        0 => std::process::exit(0),
        _ => Ok("made a user namespace".to_owned()),
    }
}

fn clone3_user() -> Verdict {
    let mut arguments = [0u64; 11];
    arguments[0] = libc::CLONE_NEWUSER as u64;
    arguments[4] = libc::SIGCHLD as u64;
    match raw::call(libc::SYS_clone3, &[arguments.as_mut_ptr() as usize, 88])? {
        0 => std::process::exit(0),
        _ => Ok("made a user namespace".to_owned()),
    }
}

fn set_namespace() -> Verdict {
    use std::os::fd::AsRawFd;
    // Its own namespace, which a process with the capability may always enter.
    let own = std::fs::File::open("/proc/self/ns/net")?;
    reached(libc::SYS_setns, &[own.as_raw_fd() as usize, libc::CLONE_NEWUSER as usize])
}

fn become_root() -> Verdict {
    raw::call(libc::SYS_setresuid, &[0, 0, 0])?;
    raw::call(libc::SYS_setgroups, &[0, 0])?;
    Ok("is root".to_owned())
}

/// Whether programs with the set-user-id bit would run as their owner.
fn setuid_programs() -> Verdict {
    let status = std::fs::read_to_string("/proc/self/status")?;
    if status.lines().any(|line| line == "NoNewPrivs:\t1") {
        return blocked("no new privileges");
    }
    Ok("new privileges may be had".to_owned())
}

fn capabilities() -> Verdict {
    let status = std::fs::read_to_string("/proc/self/status")?;
    for set in ["CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb"] {
        for line in status.lines().filter(|line| line.starts_with(set)) {
            // The bounding set of an ordinary user remains, but grants nothing.
            if !line.ends_with("0000000000000000")
                && (set != "CapBnd" || crate::target("ROOT") == "1")
            {
                return Ok(line.to_owned());
            }
        }
    }
    blocked("none")
}

fn type_into_terminal() -> Verdict {
    let byte = b"x";
    let args = [0, libc::TIOCSTI as usize, byte.as_ptr() as usize];
    if std::fs::File::open("/dev/tty").is_ok() {
        return Ok("has a terminal".to_owned());
    }
    reached(libc::SYS_ioctl, &args)
}
