//! Starts the program, waits for its end, and ends all of its processes.

use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitOptions, WaitStatus, wait};

use super::end::{EndWatch, Ends};
use super::tree::{self, Over, Tree};
use super::{Control, Failure, confine};
use crate::sys::{self, Fork};
use crate::wire::{Ended, Report, Spec, Stage};

/// The interval at which the watch measures, if there is no kernel limit.
const WATCH: Duration = Duration::from_millis(100);

/// Runs the program of `spec` as a child and reports its start and end.
pub(super) fn supervise(
    control: &Control,
    spec: &Spec,
    degraded: Vec<String>,
    tree: Tree,
) -> Result<(), Failure> {
    let events = sys::child_events().map_err(Failure::other("child events"))?;
    let watch = EndWatch::new(spec).map_err(Failure::other("a socket"))?;
    let program = match sys::fork().map_err(Failure::other("fork"))? {
        Fork::Parent(pid) => pid,
        Fork::Child => {
            become_program(control, spec, degraded, watch);
            sys::exit_now(127)
        }
    };
    let mut ends = watch.map(EndWatch::listen).unwrap_or_default();
    // Neither the program nor its children may inspect the supervisor.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    let mut ended = follow(control, spec, tree, program, (&events, &mut ends));
    ended.by_test = ends.by_test;
    tree::end_all(tree);
    (ended.cpu_micros, ended.rss_kib) = sys::children_usage();
    control.report(&Report::Ended(ended));
    Ok(())
}

fn follow(
    control: &Control,
    spec: &Spec,
    tree: Tree,
    program: Pid,
    (events, ends): (&OwnedFd, &mut Ends),
) -> Ended {
    let mut ended = Ended { code: 128 + 9, ..Ended::default() };
    let watched = spec.watch.memory_bytes.is_some()
        || spec.watch.processes.is_some()
        || spec.watch.folder.is_some();
    let mut next_look = Instant::now() + WATCH;
    loop {
        let mut fds =
            vec![PollFd::new(&control.0, PollFlags::IN), PollFd::new(events, PollFlags::IN)];
        fds.extend(ends.listener.iter().map(|it| PollFd::new(it, PollFlags::IN)));
        let pause = watched.then(|| next_look.saturating_duration_since(Instant::now()));
        let pause = pause.and_then(|pause| Timespec::try_from(pause).ok());
        match poll(&mut fds, pause.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return ended,
        }
        // The sandbox never writes while the program runs: readable means "stop", or that it ended.
        if !fds[0].revents().is_empty() {
            return ended;
        }
        let is_child = !fds[1].revents().is_empty();
        match fds.get(2).map(PollFd::revents) {
            Some(looks) if looks.contains(PollFlags::IN) => ends.answer(program),
            // No process has the filter any more.
            Some(looks) if !looks.is_empty() => ends.listener = None,
            _ => {}
        }
        if is_child {
            drain(events);
            if let Some(code) = reap(program) {
                ended.code = code;
                return ended;
            }
        }
        if watched && Instant::now() >= next_look {
            match tree::over_limit(tree, &spec.watch) {
                Some(Over::Memory) => {
                    ended.over_memory = true;
                    return ended;
                }
                Some(Over::Other) => {
                    ended.over_other = true;
                    return ended;
                }
                None => next_look = Instant::now() + WATCH,
            }
        }
    }
}

fn drain(events: &OwnedFd) {
    let mut buffer = [0u8; 1024];
    while rustix::io::read(events, &mut buffer).is_ok_and(|bytes| bytes > 0) {}
}

/// Reaps the ended children; returns the exit code of `program` if it is among them.
fn reap(program: Pid) -> Option<i32> {
    let mut code = None;
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        if pid == program {
            code = Some(exit_code(status));
        }
    }
    code
}

fn exit_code(status: WaitStatus) -> i32 {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => code,
        (None, Some(signal)) => 128 + signal,
        (None, None) => 128,
    }
}

/// Confines this process and turns it into the program. Returns only on failure.
fn become_program(
    control: &Control,
    spec: &Spec,
    mut degraded: Vec<String>,
    watch: Option<EndWatch>,
) {
    let confined = confine::confine(spec, &mut degraded);
    let landlock = match confined {
        Ok(landlock) => landlock,
        Err(failure) => return control.failed(failure),
    };
    if let Err(error) = rustix::process::chdir(spec.cwd.as_os_str()) {
        let cause = format!("the working folder {}: {error}", spec.cwd.display());
        return control.failed(Failure::new(Stage::Exec, cause));
    }
    if let Some(Err(error)) = watch.map(EndWatch::begin) {
        degraded.push(format!("the end of a test process is not looked at: {error}"));
    }
    control.report(&Report::Ready { landlock, degraded });
    let error = Command::new(&spec.program)
        .args(&spec.args)
        .env_clear()
        .envs(spec.env.iter().map(|(key, value)| (key, value)))
        .exec();
    control.failed(Failure::new(Stage::Exec, error));
}

/// The content of a small file of /proc, which may not exist any more.
pub(super) fn read_small(path: &str) -> Option<String> {
    let mut text = String::new();
    std::fs::File::open(path).ok()?.read_to_string(&mut text).ok()?;
    Some(text)
}
