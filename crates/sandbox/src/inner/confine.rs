//! The last steps before the program: limits, capabilities, Landlock and seccomp, which this process
//! cannot undo.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit, setsid};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_capabilities_secure_bits,
    set_no_new_privs,
};

use super::{Failure, landlock, seccomp};
use crate::wire::{Rlimits, Spec};

/// The limit of open files of one process.
const OPEN_FILES: u64 = 4096;

/// Confines this process; returns the Landlock version that was applied.
pub(super) fn confine(spec: &Spec, degraded: &mut Vec<String>) -> Result<Option<String>, Failure> {
    setsid().map_err(Failure::other("a session of its own"))?;
    // When memory is short, the kernel must kill the job's processes before their supervisor.
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    set_rlimits(&spec.rlimits).map_err(Failure::other("resource limits"))?;
    drop_capabilities().map_err(Failure::other("dropping capabilities"))?;
    set_no_new_privs(true).map_err(Failure::other("no new privileges"))?;
    let landlock = match &spec.landlock {
        Some(rules) => Some(landlock::restrict(rules, degraded)?),
        None => None,
    };
    if let Some(rules) = &spec.seccomp {
        seccomp::restrict(*rules)?;
    }
    Ok(landlock)
}

fn set_rlimits(limits: &Rlimits) -> rustix::io::Result<()> {
    // A soft limit is only lowered, never raised above the user's own.
    let lower = |resource: Resource, wanted: u64, slack: u64| {
        let now = getrlimit(resource);
        let cap = |limit: Option<u64>, wanted: u64| Some(limit.map_or(wanted, |l| l.min(wanted)));
        let hard = cap(now.maximum, wanted.saturating_add(slack));
        setrlimit(resource, Rlimit { current: cap(hard, wanted), maximum: hard })
    };
    // One byte and not zero: with zero the kernel would still start a core handler of the host.
    lower(Resource::Core, 1, 0)?;
    lower(Resource::Nofile, OPEN_FILES, 0)?;
    if let Some(seconds) = limits.cpu_seconds {
        // The soft limit sends a signal that the program can handle, the hard one kills it.
        lower(Resource::Cpu, seconds.max(1), 1)?;
    }
    if let Some(bytes) = limits.file_bytes {
        lower(Resource::Fsize, bytes, 0)?;
    }
    if let Some(bytes) = limits.data_bytes {
        lower(Resource::Data, bytes, 0)?;
    }
    if let Some(count) = limits.processes {
        lower(Resource::Nproc, count, 0)?;
    }
    Ok(())
}

fn drop_capabilities() -> rustix::io::Result<()> {
    clear_ambient_capability_set()?;
    for bit in 0..64 {
        let Some(capability) = CapabilitySet::from_bits(1 << bit) else { continue };
        match remove_capability_from_bounding_set(capability) {
            // The kernel does not support it, or the user has no such capability.
            Ok(()) | Err(rustix::io::Errno::INVAL | rustix::io::Errno::PERM) => {}
            Err(error) => return Err(error),
        }
    }
    let bits = CapabilitiesSecureBits::NO_ROOT
        | CapabilitiesSecureBits::NO_ROOT_LOCKED
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE_LOCKED;
    match set_capabilities_secure_bits(bits) {
        Ok(()) | Err(rustix::io::Errno::PERM) => {}
        Err(error) => return Err(error),
    }
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
}
