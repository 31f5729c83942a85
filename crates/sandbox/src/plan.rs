//! Plans a run: from a job and the capabilities of the machine to the spec for the inner stage.
//! It starts nothing and changes nothing on disk.

use std::ffi::OsString;
use std::path::{Component, Path};

use crate::layers::Capabilities;
use crate::wire::{Landlock, Namespaces, Part, Rlimits, Seccomp, Spec, Watch};
use crate::{Job, Level, Mount, Network, Protections, SandboxError, system};

/// The spec for the inner stage and the protections that it has.
pub(crate) struct Plan {
    pub(crate) spec: Spec,
    pub(crate) protections: Protections,
}

/// Plans a job. `scratch` is its private folder on the host, used if there are no namespaces.
pub(crate) fn plan(
    job: &Job,
    found: &Capabilities,
    scratch: Option<&Path>,
) -> Result<Plan, SandboxError> {
    check_level(job, found)?;
    check_paths(job)?;
    let namespaced = found.namespaces.works;
    if !namespaced {
        check_bare(job, found)?;
    }
    let mut env = job.env.clone();
    env.entry("TMPDIR".into()).or_insert_with(|| match scratch {
        Some(folder) if !namespaced => folder.into(),
        _ => "/tmp".into(),
    });
    let spec = Spec {
        program: job.program.clone().into_os_string(),
        args: job.args.clone(),
        cwd: job.cwd.clone().into_os_string(),
        env: env.into_iter().collect(),
        stdin_bytes: job.stdin.len() as u64,
        has_input: false,
        namespaces: namespaced.then(|| namespaces(job, found)),
        landlock: found.landlock.works.then(|| landlock(job, namespaced, scratch)),
        seccomp: found.seccomp.works.then(|| Seccomp {
            unix: unix_is_safe(job, found),
            inet: job.network == Network::On || has_loopback(job, found),
            bare: !namespaced,
            // The watch cannot see memory that belongs to no process.
            shared: !namespaced || !found.site.bounds_memory(),
            units: false,
        }),
        rlimits: rlimits(job, found),
        cgroups: Vec::new(),
        watch: Watch {
            memory_bytes: job.limits.memory_bytes.filter(|_| !found.site.bounds_memory()),
            processes: job.limits.pids.filter(|_| !found.site.bounds_pids()),
            folder: scratch
                .filter(|_| !namespaced)
                .map(|folder| (folder.into(), system::tmp_bytes(&job.limits))),
        },
        sees_end: None,
    };
    Ok(Plan { protections: protections(job, found), spec })
}

fn check_level(job: &Job, found: &Capabilities) -> Result<(), SandboxError> {
    if job.require <= found.level {
        return Ok(());
    }
    let mut missing = Vec::new();
    for (name, finding) in [
        ("namespaces", &found.namespaces),
        ("landlock", &found.landlock),
        ("seccomp", &found.seccomp),
    ] {
        if !finding.works {
            missing.push(format!("{name}: {}", finding.detail));
        }
    }
    let mut hint = found.advice.join("; ");
    if job.require == Level::Strong && found.level == Level::Standard {
        hint.push_str("; or require the level `standard`");
    }
    Err(SandboxError::LevelUnmet { required: job.require, missing: missing.join("; "), hint })
}

fn check_paths(job: &Job) -> Result<(), SandboxError> {
    for mount in &job.view.mounts {
        let inside = mount.inside();
        let plain = inside.is_absolute()
            && inside.file_name().is_some()
            && inside.components().all(|c| matches!(c, Component::RootDir | Component::Normal(_)));
        if !plain {
            return Err(SandboxError::MountRefused {
                inside: inside.to_owned(),
                cause: "not an absolute path without `..`".to_owned(),
            });
        }
    }
    Ok(())
}

/// Without namespaces Landlock must be able to express the view: the same paths as on the host, and
/// nothing hidden inside a visible folder.
fn check_bare(job: &Job, found: &Capabilities) -> Result<(), SandboxError> {
    let refuse = |inside: &Path, why: &str| {
        Err(SandboxError::NeedsNamespaces { what: format!("`{}` {why}", inside.display()) })
    };
    if !found.landlock.works {
        // Level `BestEffort`: the unchanged host, if it can be the view.
        for mount in &job.view.mounts {
            if let Mount::Overlay { inside, .. } = mount {
                return refuse(inside, "is an overlay");
            }
        }
    }
    for (idx, mount) in job.view.mounts.iter().enumerate() {
        let earlier = &job.view.mounts[..idx];
        match mount {
            Mount::ReadOnly { host, inside }
            | Mount::Writable { host, inside }
            | Mount::Sockets { host, inside } => {
                let same = host == inside
                    || std::fs::canonicalize(host)
                        .is_ok_and(|host| std::fs::canonicalize(inside).is_ok_and(|i| i == host));
                if !same {
                    return refuse(inside, "is elsewhere on the host");
                }
                let writable_above = |m: &Mount| {
                    matches!(m, Mount::Writable { .. }) && inside.starts_with(m.inside())
                };
                if matches!(mount, Mount::ReadOnly { .. }) && earlier.iter().any(writable_above) {
                    return refuse(inside, "is read-only within a writable folder");
                }
            }
            Mount::Overlay { inside, .. } => return refuse(inside, "is an overlay"),
            Mount::Scratch { inside, .. } => return refuse(inside, "is a scratch folder"),
            Mount::Hidden { inside } => {
                if earlier.iter().any(|m| inside.starts_with(m.inside())) {
                    return refuse(inside, "is hidden within a shown folder");
                }
            }
        }
    }
    Ok(())
}

/// The job's user in its namespace: never 0, which many programs treat specially.
fn identity() -> (u32, u32) {
    let not_root = |id: u32| if id == 0 { 1000 } else { id };
    (not_root(rustix::process::geteuid().as_raw()), not_root(rustix::process::getegid().as_raw()))
}

fn namespaces(job: &Job, found: &Capabilities) -> Namespaces {
    let (uid, gid) = identity();
    let mut parts = system::parts(job, uid, gid);
    for mount in &job.view.mounts {
        parts.push(match mount.clone() {
            Mount::ReadOnly { host, inside } => bind(host.into(), inside.into(), false),
            Mount::Writable { host, inside } | Mount::Sockets { host, inside } => {
                bind(host.into(), inside.into(), true)
            }
            Mount::Overlay { lowers, upper, inside } => Part::Overlay {
                lowers: lowers.into_iter().map(OsString::from).collect(),
                upper: upper.map(|upper| (upper.folder.into(), upper.work.into())),
                to: inside.into(),
            },
            Mount::Scratch { inside, bytes } => {
                Part::Tmpfs { to: inside.into(), bytes: bytes.max(4096), mode: 0o755 }
            }
            Mount::Hidden { inside } => Part::Hidden { to: inside.into() },
        });
    }
    let processes = job.limits.pids.filter(|_| !found.site.bounds_pids());
    Namespaces {
        network: job.network != Network::On,
        loopback: has_loopback(job, found),
        uid,
        gid,
        processes,
        parts,
    }
}

fn bind(from: OsString, to: OsString, writable: bool) -> Part {
    Part::Bind { from, to, writable, device: false }
}

fn landlock(job: &Job, namespaced: bool, scratch: Option<&Path>) -> Landlock {
    let no_tcp = match job.network {
        Network::Off => true,
        // The namespace contains nothing else to connect to.
        Network::Loopback => !namespaced,
        Network::On => false,
    };
    let mut rules = Landlock { no_tcp, ..Landlock::default() };
    rules.write = system::writable();
    if namespaced {
        // The new root contains only what may be read.
        rules.read.push("/".into());
        rules.write.extend(["/tmp".into(), "/dev/shm".into()]);
    } else {
        rules.own_proc = true;
        rules.read = system::readable(job.network);
        rules.write.extend(scratch.map(OsString::from));
    }
    for mount in &job.view.mounts {
        match mount {
            Mount::ReadOnly { inside, .. } | Mount::Overlay { upper: None, inside, .. } => {
                rules.read.push(inside.into());
            }
            Mount::Writable { inside, .. }
            | Mount::Overlay { inside, .. }
            | Mount::Scratch { inside, .. } => rules.write.push(inside.into()),
            Mount::Sockets { inside, .. } => rules.sockets.push(inside.into()),
            Mount::Hidden { .. } => {}
        }
    }
    rules
}

/// Whether local sockets reach only the job's own processes: sockets with a path are confined by
/// the mounts, abstract ones by the network namespace or by Landlock.
fn unix_is_safe(job: &Job, found: &Capabilities) -> bool {
    found.namespaces.works
        && (job.network != Network::On || (found.landlock.works && found.landlock_version >= 6))
}

/// Whether the job has a loopback interface of its own.
fn has_loopback(job: &Job, found: &Capabilities) -> bool {
    job.network == Network::Loopback && found.namespaces.works
}

fn rlimits(job: &Job, found: &Capabilities) -> Rlimits {
    let processes = job.limits.pids.filter(|_| !found.site.bounds_pids()).map(|limit| {
        // In a private user namespace only the init is counted besides. Without one the user's
        // other programs count too and may grow, so there the watch enforces the exact limit.
        if found.namespaces.works { limit + 1 } else { 2 * limit + 256 + own_threads() }
    });
    Rlimits {
        cpu_seconds: job.limits.cpu.map(|cpu| cpu.as_secs() + u64::from(cpu.subsec_nanos() > 0)),
        file_bytes: job.limits.file_bytes,
        processes,
        data_bytes: job.limits.memory_bytes.filter(|_| !found.site.bounds_memory()),
    }
}

/// The number of threads that the user runs now, which the kernel's limit includes.
fn own_threads() -> u64 {
    let own = rustix::process::geteuid().as_raw();
    let Ok(entries) = std::fs::read_dir("/proc") else { return 0 };
    entries
        .flatten()
        .filter(|entry| {
            use std::os::unix::fs::MetadataExt;
            entry.metadata().is_ok_and(|metadata| metadata.uid() == own)
        })
        .filter_map(|entry| std::fs::read_dir(entry.path().join("task")).ok())
        .map(|threads| threads.count() as u64)
        .sum()
}

fn protections(job: &Job, found: &Capabilities) -> Protections {
    let mut protections = Protections::default();
    let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    if found.namespaces.works {
        protections.filesystem = words(&["mount namespace"]);
        protections.tree_kill = words(&["process namespace"]);
    } else {
        protections.tree_kill = words(&["subreaper"]);
        protections
            .degraded
            .push("no namespaces: Landlock and seccomp are the only layers".to_owned());
        if found.landlock.works {
            protections.degraded.push(
                "Landlock does not govern modes, owners and times of the user's files".to_owned(),
            );
        }
    }
    match job.network {
        Network::Off | Network::Loopback => {
            if has_loopback(job, found) {
                protections.network.push("network namespace (loopback only)".to_owned());
            } else if found.namespaces.works {
                protections.network.push("network namespace".to_owned());
            }
            if found.seccomp.works {
                let allowed = match (has_loopback(job, found), unix_is_safe(job, found)) {
                    (true, _) => "local sockets and loopback",
                    (false, true) => "local sockets only",
                    (false, false) => "none",
                };
                protections.network.push(format!("seccomp ({allowed})"));
            }
            let tcp_closed = !has_loopback(job, found);
            if tcp_closed && found.landlock.works && found.landlock_version >= 4 {
                protections.network.push("landlock (tcp)".to_owned());
            }
        }
        Network::On => protections.degraded.push("the network is on, as the job asks".to_owned()),
    }
    if found.seccomp.works {
        protections.syscalls = words(&["seccomp", "no new privileges", "no capabilities"]);
    } else {
        protections.syscalls = words(&["no new privileges", "no capabilities"]);
        protections.degraded.push("no seccomp: system calls are not filtered".to_owned());
    }
    if job.limits.memory_bytes.is_some() {
        if found.site.bounds_memory() {
            protections.memory.push(format!("{} (memory)", found.memory.detail));
        } else {
            protections.memory.extend(words(&["rlimit (data of each process)", "watch (memory)"]));
            protections
                .degraded
                .push("no control group for memory: a watch takes its place".to_owned());
        }
    }
    if job.limits.pids.is_some() {
        if found.site.bounds_pids() {
            protections.memory.push(format!("{} (processes)", found.processes.detail));
        } else {
            protections.memory.extend(words(&["rlimit (processes)", "watch (processes)"]));
            let exempt = if rustix::process::geteuid().is_root() {
                "; the kernel exempts root from its own limit"
            } else {
                ""
            };
            protections
                .degraded
                .push(format!("no control group for processes: a watch takes its place{exempt}"));
        }
    }
    protections
}
