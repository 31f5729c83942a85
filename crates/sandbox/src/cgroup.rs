//! Control groups: memory and processes of a whole tree bounded, and all of it killed at once.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use untrusted_fs::Claim;

use crate::scratch;

/// The folders in which groups can be made, by their capability.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Site {
    /// A v2 folder whose children bound memory and processes.
    pub(crate) unified: Option<PathBuf>,
    /// A v2 folder whose children can at least be killed.
    pub(crate) kill_only: Option<PathBuf>,
    /// v1 folders.
    pub(crate) memory: Option<PathBuf>,
    pub(crate) pids: Option<PathBuf>,
}

impl Site {
    pub(crate) fn bounds_memory(&self) -> bool {
        self.unified.is_some() || self.memory.is_some()
    }

    pub(crate) fn bounds_pids(&self) -> bool {
        self.unified.is_some() || self.pids.is_some()
    }
}

/// Finds these folders by making and removing a group in each.
pub(crate) fn locate(inner: &Path) -> Site {
    let mut site = Site::default();
    let (Ok(own), Ok(mounts)) = (
        std::fs::read_to_string("/proc/self/cgroup"),
        std::fs::read_to_string("/proc/self/mountinfo"),
    ) else {
        return site;
    };
    for line in own.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        if controllers.is_empty() {
            let Some((root, folder)) = place(&mounts, "cgroup2", "", path) else { continue };
            site.unified = folder
                .ancestors()
                .take_while(|folder| folder.starts_with(&root))
                .find(|folder| delegates(inner, folder))
                .map(Path::to_owned);
            site.kill_only = usable(&folder, "cgroup.kill").then_some(folder);
        }
        for controller in controllers.split(',') {
            let Some((_, folder)) = place(&mounts, "cgroup", controller, path) else { continue };
            match controller {
                "memory" if usable(&folder, "memory.limit_in_bytes") => site.memory = Some(folder),
                "pids" if usable(&folder, "pids.max") => site.pids = Some(folder),
                _ => {}
            }
        }
    }
    for folder in [&site.unified, &site.kill_only, &site.memory, &site.pids].into_iter().flatten() {
        sweep(folder);
    }
    site
}

/// The root of the mount and the folder of this process, for one hierarchy.
fn place(mounts: &str, kind: &str, controller: &str, path: &str) -> Option<(PathBuf, PathBuf)> {
    mounts.lines().find_map(|line| {
        let (left, right) = line.split_once(" - ")?;
        let mut right = right.split(' ');
        let options = right.clone().nth(2)?;
        if right.next()? != kind
            || !(controller.is_empty() || options.split(',').any(|option| option == controller))
        {
            return None;
        }
        let mut left = left.split(' ').skip(3);
        let (root, point) = (left.next()?, left.next()?);
        let relative = Path::new(path).strip_prefix(root).unwrap_or(Path::new(""));
        Some((PathBuf::from(point), Path::new(point).join(relative)))
    })
}

/// Whether the children of `folder` can have the controllers; enables them if needed.
fn delegates(inner: &Path, folder: &Path) -> bool {
    let has = |file: &str, word: &str| {
        std::fs::read_to_string(folder.join(file))
            .is_ok_and(|text| text.split_whitespace().any(|found| found == word))
    };
    ["memory", "pids"].iter().all(|controller| {
        has("cgroup.controllers", controller)
            && (has("cgroup.subtree_control", controller)
                || std::fs::write(folder.join("cgroup.subtree_control"), format!("+{controller}"))
                    .is_ok())
    }) && usable(folder, "memory.max")
        && may_leave_for(inner, folder)
}

/// Whether a process can be moved into a child of `folder`, tested with a process made for it: a
/// move also needs permissions on the common ancestor.
fn may_leave_for(inner: &Path, folder: &Path) -> bool {
    let Ok((group, _claim)) = make(folder) else { return false };
    let sleeper = Command::new(inner)
        .arg(crate::wire::SLEEP)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let moved = sleeper.is_ok_and(|mut sleeper| {
        let entrance = group.join("cgroup.procs");
        let moved = std::fs::write(entrance, sleeper.id().to_string()).is_ok();
        // `wait` closes its input, which ends it.
        sleeper.wait().is_ok() && moved
    });
    remove(&group);
    moved
}

fn usable(folder: &Path, file: &str) -> bool {
    let Ok((group, _claim)) = make(folder) else { return false };
    let usable = group.join(file).exists();
    remove(&group);
    usable
}

/// A new group below `parent`, with the claim that protects it from sweeps.
fn make(parent: &Path) -> io::Result<(PathBuf, Option<Claim>)> {
    for _ in 0..100 {
        let group = parent.join(scratch::fresh_name());
        match std::fs::create_dir(&group) {
            Ok(()) => {
                if let Some(claim) = untrusted_fs::claim(&group) {
                    return Ok((group, claim));
                }
            }
            // A group of another container with the same process id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn sweep(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(scratch::is_ours)
            && let Some(_claim) = untrusted_fs::claim_dead(&entry.path())
        {
            let _ = std::fs::write(entry.path().join("cgroup.kill"), "1");
            remove(&entry.path());
        }
    }
}

fn remove(group: &Path) {
    // The kernel removes ended processes from the group shortly after they were waited for.
    for pause in [0, 1, 2, 4, 8, 16, 32, 64] {
        std::thread::sleep(Duration::from_millis(pause));
        if std::fs::remove_dir(group).is_ok() || !group.exists() {
            return;
        }
    }
}

/// The limits of a group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) memory_bytes: Option<u64>,
    pub(crate) pids: Option<u64>,
    /// The group is needed to kill the processes, even without limits.
    pub(crate) kill: bool,
}

/// The groups of one job; removed with the value.
#[derive(Debug, Default)]
pub(crate) struct Group {
    folders: Vec<PathBuf>,
    /// The claims that protect the folders from sweeps.
    claims: Vec<Claim>,
    memory: Option<PathBuf>,
    kill: Option<PathBuf>,
}

impl Group {
    pub(crate) fn new(site: &Site, bounds: Bounds) -> io::Result<Self> {
        let mut group = Self::default();
        let Bounds { memory_bytes, pids, kill } = bounds;
        if let Some(unified) = &site.unified
            && (memory_bytes.is_some() || pids.is_some() || kill)
        {
            let folder = group.make(unified)?;
            if let Some(bytes) = memory_bytes {
                std::fs::write(folder.join("memory.max"), bytes.to_string())?;
                // The file does not exist without swap.
                let _ = std::fs::write(folder.join("memory.swap.max"), "0");
            }
            if let Some(pids) = pids {
                std::fs::write(folder.join("pids.max"), pids.to_string())?;
            }
            group.memory = Some(folder.join("memory.events"));
            group.kill = Some(folder);
            return Ok(group);
        }
        if let (Some(bytes), Some(memory)) = (memory_bytes, &site.memory) {
            let folder = group.make(memory)?;
            std::fs::write(folder.join("memory.limit_in_bytes"), bytes.to_string())?;
            let _ = std::fs::write(folder.join("memory.memsw.limit_in_bytes"), bytes.to_string());
            group.memory = Some(folder.join("memory.oom_control"));
        }
        if let (Some(pids), Some(parent)) = (pids, &site.pids) {
            let folder = group.make(parent)?;
            std::fs::write(folder.join("pids.max"), pids.to_string())?;
        }
        if let (true, Some(parent)) = (kill, &site.kill_only) {
            group.kill = Some(group.make(parent)?);
        }
        Ok(group)
    }

    fn make(&mut self, parent: &Path) -> io::Result<PathBuf> {
        let (folder, claim) = make(parent)?;
        self.folders.push(folder.clone());
        self.claims.extend(claim);
        Ok(folder)
    }

    /// The files through which a process of one thread joins. Version 1 has `tasks` beside
    /// `cgroup.procs`: there a thread that moves itself takes no lock of the whole machine, for which the
    /// kernel waits 10 to 20 ms otherwise.
    pub(crate) fn entrances(&self) -> Vec<OsString> {
        let entrance = |folder: &PathBuf| {
            let tasks = folder.join("tasks");
            if tasks.exists() { tasks } else { folder.join("cgroup.procs") }
        };
        self.folders.iter().map(|folder| entrance(folder).into_os_string()).collect()
    }

    /// Whether the kernel killed a process because of the group's memory limit.
    pub(crate) fn ran_out_of_memory(&self) -> bool {
        let Some(file) = &self.memory else { return false };
        std::fs::read_to_string(file).is_ok_and(|text| {
            text.lines()
                .any(|line| line.strip_prefix("oom_kill ").is_some_and(|count| count.trim() != "0"))
        })
    }

    /// Kills every process of the group at once, if the kernel supports it.
    pub(crate) fn kill(&self) {
        if let Some(folder) = &self.kill {
            let _ = std::fs::write(folder.join("cgroup.kill"), "1");
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for folder in &self.folders {
            remove(folder);
        }
    }
}
