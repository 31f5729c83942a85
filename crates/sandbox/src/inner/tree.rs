//! The processes that descend from the program: finding, measuring and ending them.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use base::SortedMap;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};

use super::supervise::read_small;
use crate::sys;
use crate::wire::Watch;

/// The mechanism that keeps all processes of the tree reachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    /// The supervisor is the first process of a namespace.
    Namespace,
    /// The supervisor inherits orphaned processes.
    Bare,
}

/// The limit that the tree exceeds.
pub(super) enum Over {
    Memory,
    Other,
}

/// Kills and reaps every process of the tree.
pub(super) fn end_all(tree: Tree) {
    match tree {
        Tree::Namespace => sys::kill_everything(),
        Tree::Bare => {
            // Stopped first, so that none can fork while the others are searched.
            let mut stopped = 0;
            loop {
                let found = descendants();
                for &pid in &found {
                    let _ = kill_process(pid, Signal::STOP);
                }
                if found.len() <= stopped {
                    break;
                }
                stopped = found.len();
            }
        }
    }
    // Children of ended processes become ours, so the loop ends only when none is left.
    loop {
        if tree == Tree::Bare {
            for pid in descendants() {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        let options = if tree == Tree::Bare { WaitOptions::NOHANG } else { WaitOptions::empty() };
        match wait(options) {
            Ok(None) => std::thread::sleep(std::time::Duration::from_millis(1)),
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// Whether the tree uses more than the watch allows.
pub(super) fn over_limit(tree: Tree, watch: &Watch) -> Option<Over> {
    if watch.memory_bytes.is_some() || watch.processes.is_some() {
        let pids = match tree {
            Tree::Namespace => all_but_init(),
            Tree::Bare => descendants(),
        };
        let (mut memory, mut threads) = (0, 0);
        let mut files = SortedMap::new();
        for pid in pids {
            let path = format!("/proc/{}/status", pid.as_raw_nonzero());
            if let Some(status) = read_small(&path) {
                memory += (field(&status, "RssAnon:") + field(&status, "RssShmem:")) << 10;
                threads += field(&status, "Threads:");
            }
            if watch.memory_bytes.is_some() {
                memory_files(pid, &mut files);
            }
        }
        memory += files.values().sum::<u64>();
        if watch.memory_bytes.is_some_and(|limit| memory > limit) {
            return Some(Over::Memory);
        }
        if watch.processes.is_some_and(|limit| threads > limit) {
            return Some(Over::Other);
        }
    }
    if let Some((folder, limit)) = &watch.folder
        && disk_use(Path::new(folder)) > *limit
    {
        return Some(Over::Other);
    }
    None
}

/// The size of memory files that the process has open: their pages count for no process.
fn memory_files(pid: Pid, files: &mut SortedMap<u64, u64>) {
    let folder = format!("/proc/{}/fd", pid.as_raw_nonzero());
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_memory = std::fs::read_link(entry.path())
            .is_ok_and(|link| link.to_str().is_some_and(|link| link.starts_with("/memfd:")));
        if is_memory && let Ok(metadata) = std::fs::metadata(entry.path()) {
            files.insert(metadata.ino(), metadata.blocks() * 512);
        }
    }
}

fn field(status: &str, name: &str) -> u64 {
    status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

fn all_but_init() -> Vec<Pid> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&pid: &i32| pid > 1)
        .filter_map(Pid::from_raw)
        .collect()
}

/// All processes below this one, by the kernel's lists of children.
fn descendants() -> Vec<Pid> {
    let own = rustix::process::getpid().as_raw_nonzero().get();
    let (mut found, mut open) = (Vec::new(), vec![own]);
    while let Some(pid) = open.pop() {
        let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else { continue };
        for thread in threads.flatten() {
            let path = thread.path().join("children");
            let Some(children) = path.to_str().and_then(read_small) else { continue };
            for child in children.split_whitespace().filter_map(|word| word.parse().ok()) {
                open.push(child);
                found.extend(Pid::from_raw(child));
            }
        }
    }
    found
}

/// Bytes on disk below `folder`; symlinks are not followed.
fn disk_use(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => disk_use(&entry.path()),
            Ok(metadata) => metadata.blocks() * 512,
            Err(_) => 0,
        })
        .sum()
}
