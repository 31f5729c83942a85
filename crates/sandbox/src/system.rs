//! The minimal system that every view contains: the files that programs need to start, no secrets.

use std::ffi::OsString;
use std::path::Path;

use crate::wire::Part;
use crate::{Job, JobLimits, Network};

/// Programs and libraries; symlinks are shown as symlinks.
const FOLDERS: &[&str] =
    &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/// The host's settings that loaders, linkers and clocks read. None of them names users, hosts, keys
/// or passwords.
const SETTINGS: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/locale.alias",
    "/etc/os-release",
    "/etc/protocols",
    "/etc/services",
];

/// The additional files that a job with the network needs.
const NETWORK_SETTINGS: &[&str] =
    &["/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs", "/etc/pki", "/etc/ca-certificates"];

const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The parts of /proc that describe the machine and not its other processes.
const PROC: &[&str] = &[
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys",
    "/proc/uptime",
    "/proc/version",
];

/// The parts of a new /proc that control the machine, which are covered.
const PROC_HIDDEN: &[&str] = &["/proc/kcore", "/proc/keys", "/proc/timer_list"];

/// The size of the private `/tmp`: it counts as the job's memory, so its limit is smaller.
pub(crate) fn tmp_bytes(limits: &JobLimits) -> u64 {
    limits.memory_bytes.map_or(1 << 30, |memory| (memory / 2).min(1 << 30))
}

/// The parts of a new root that do not depend on the job's view.
pub(crate) fn parts(job: &Job, uid: u32, gid: u32) -> Vec<Part> {
    let mut parts = Vec::new();
    for path in FOLDERS {
        parts.extend(shown(path));
    }
    for path in SETTINGS {
        parts.extend(shown(path));
    }
    if job.network == Network::On {
        for path in NETWORK_SETTINGS {
            parts.extend(shown(path));
        }
    } else {
        parts.push(file("/etc/hosts", "127.0.0.1 localhost\n".to_owned()));
    }
    let unmapped = "nobody:x:65534:65534:nobody:/:/bin/false\n";
    parts.push(file("/etc/passwd", format!("user:x:{uid}:{gid}:user:/tmp:/bin/sh\n{unmapped}")));
    parts.push(file("/etc/group", format!("user:x:{gid}:\nnobody:x:65534:\n")));
    let switch = "passwd: files\ngroup: files\nhosts: files dns\n";
    parts.push(file("/etc/nsswitch.conf", switch.to_owned()));
    for path in DEVICES {
        if Path::new(path).exists() {
            let from = OsString::from(path);
            // Read-only: a device is written all the same, and the host keeps its rights and owner.
            parts.push(Part::Bind { to: from.clone(), from, writable: false, device: true });
        }
    }
    for (name, target) in [
        ("/dev/fd", "/proc/self/fd"),
        ("/dev/stdin", "/proc/self/fd/0"),
        ("/dev/stdout", "/proc/self/fd/1"),
        ("/dev/stderr", "/proc/self/fd/2"),
        ("/var/tmp", "/tmp"),
    ] {
        parts.push(Part::Symlink { target: target.into(), to: name.into() });
    }
    let tmp_bytes = tmp_bytes(&job.limits);
    parts.push(Part::Tmpfs { to: "/dev/shm".into(), bytes: tmp_bytes / 2, mode: 0o1777 });
    parts.push(Part::Tmpfs { to: "/tmp".into(), bytes: tmp_bytes, mode: 0o1777 });
    parts.push(Part::Proc { to: "/proc".into() });
    parts.extend(PROC_HIDDEN.iter().map(|path| Part::Hidden { to: path.into() }));
    parts
}

/// The paths that may be read if no new root can be made.
pub(crate) fn readable(network: Network) -> Vec<OsString> {
    let mut paths: Vec<&str> = [FOLDERS, SETTINGS, PROC].concat();
    paths.push("/etc/nsswitch.conf");
    if network == Network::On {
        paths.extend(NETWORK_SETTINGS);
    }
    paths.into_iter().map(OsString::from).collect()
}

/// The system paths that may be written if no new root can be made.
pub(crate) fn writable() -> Vec<OsString> {
    DEVICES.iter().map(OsString::from).collect()
}

fn file(to: &str, content: String) -> Part {
    Part::File { content, to: to.into() }
}

/// A symlink as a symlink, any other file as a bind mount; nothing if the path does not exist.
fn shown(path: &str) -> Option<Part> {
    let metadata = std::fs::symlink_metadata(path).ok()?;
    let to = OsString::from(path);
    if metadata.is_symlink() {
        let target = std::fs::read_link(path).ok()?;
        // The target is outside the view, so it is bound instead of the link.
        let within = |root: &str| target.starts_with(root) || target.is_relative();
        if within("/usr") && !target.starts_with("../run") {
            return Some(Part::Symlink { target: target.into_os_string(), to });
        }
        std::fs::metadata(path).ok()?;
    }
    Some(Part::Bind { from: to.clone(), to, writable: false, device: false })
}
