//! Creates the namespaces and the identity of the job in them.

use rustix::process::{getegid, geteuid};
use rustix::thread::UnshareFlags;

use super::{Failure, mounts};
use crate::error::SetupStep;
use crate::sys;
use crate::wire::{Namespaces, Stage};

/// Moves this process into new namespaces; its children are in the new process namespace.
pub(super) fn enter(namespaces: &Namespaces) -> Result<(), Failure> {
    let (euid, egid) = (geteuid().as_raw(), getegid().as_raw());
    let mut flags = UnshareFlags::NEWUSER
        | UnshareFlags::NEWNS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWCGROUP;
    if namespaces.network {
        flags |= UnshareFlags::NEWNET;
    }
    sys::unshare(flags)
        .map_err(|error| Failure::new(Stage::Setup(SetupStep::Namespaces), error))?;
    if namespaces.loopback {
        sys::raise_loopback().map_err(Failure::other("the loopback"))?;
    }
    // Files that the job writes belong to the user who started it; no other user exists inside.
    let write = |file: &str, text: String| {
        std::fs::write(file, text).map_err(|error| {
            Failure::new(Stage::Setup(SetupStep::Namespaces), format!("{file}: {error}"))
        })
    };
    write("/proc/self/setgroups", "deny".to_owned())?;
    write("/proc/self/uid_map", format!("{} {euid} 1", namespaces.uid))?;
    write("/proc/self/gid_map", format!("{} {egid} 1", namespaces.gid))?;
    Ok(())
}

/// Builds the root and enters it, as the first process of the namespace. Returns the degraded layers.
pub(super) fn set_up_root(namespaces: &Namespaces) -> Result<Vec<String>, Failure> {
    let mut degraded = Vec::new();
    // Without this, seccomp alone forbids nested user namespaces, which is sufficient.
    if std::fs::write("/proc/sys/user/max_user_namespaces", "0").is_err() {
        degraded.push("nested user namespaces are closed by seccomp alone".to_owned());
    }
    // Newer kernels number processes per namespace (at least 301). This limits even root, which the
    // limit on processes does not.
    if let Some(processes) = namespaces.processes {
        let _ = std::fs::write("/proc/sys/kernel/pid_max", (processes + 2).max(301).to_string());
    }
    rustix::system::sethostname(b"sandbox").map_err(Failure::other("the host name"))?;
    mounts::enter_new_root(&namespaces.parts, &mut degraded)?;
    Ok(degraded)
}
