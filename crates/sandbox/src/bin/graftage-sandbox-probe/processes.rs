//! Attacks on other processes, and attempts to survive the end of the job.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Attack, Verdict, blocked, number, raw, say, target};

pub(crate) const ATTACKS: &[Attack] = &[
    ("ptrace_host_process", ptrace_host_process),
    ("ptrace_traceme", || called(libc::SYS_ptrace, &[0, 0, 0, 0])),
    ("read_memory_of_host_process", read_memory),
    ("open_memory_of_host_process", || open_of_victim("mem")),
    ("environment_of_host_process", || open_of_victim("environ")),
    ("maps_of_host_process", || open_of_victim("maps")),
    ("descriptors_of_host_process", descriptors),
    ("command_lines_of_host", command_lines),
    ("environment_of_supervisor", environment_of_supervisor),
    ("descriptors_of_supervisor", descriptors_of_supervisor),
    ("own_environment", own_environment),
    ("kill_host_process", || called(libc::SYS_kill, &[number("VICTIM"), 9])),
    ("signal_host_process_by_pidfd", by_pidfd),
    ("signal_processes_around", signal_around),
    ("kill_supervisor", kill_supervisor),
    ("limits_of_host_process", limits_of_victim),
    ("priority_of_host_process", || called(libc::SYS_setpriority, &[0, number("VICTIM"), 19])),
    ("shared_memory_of_host", || called(libc::SYS_shmget, &[number("SHM_KEY"), 0, 0])),
    ("semaphores_of_host", || called(libc::SYS_semget, &[number("SHM_KEY"), 0, 0])),
    ("survive_in_background", || survivor(false)),
    ("survive_in_new_session", || survivor(true)),
    ("survive_by_double_fork", survive_by_double_fork),
    ("survive_deaf_to_signals", survive_deaf),
    ("survive_stopped", survive_stopped),
    ("survive_by_fleeing", survive_by_fleeing),
    ("survive_with_closed_output", survive_quietly),
    // Helpers of the suite, not attacks.
    ("victim", victim),
    ("linger", linger),
    ("nothing", || Ok("ran".to_owned())),
];

fn called(call: libc::c_long, args: &[usize]) -> Verdict {
    raw::call(call, args)?;
    Ok("the call succeeded".to_owned())
}

fn ptrace_host_process() -> Verdict {
    let victim = number("VICTIM");
    raw::call(libc::SYS_ptrace, &[libc::PTRACE_SEIZE as usize, victim, 0, 0])?;
    Ok("seized".to_owned())
}

/// Reads the byte whose address the suite's victim has printed.
fn read_memory() -> Verdict {
    let mut byte = 0u8;
    let local = [&raw mut byte as usize, 1];
    let remote = [number("VICTIM_ADDRESS"), 1];
    let (local, remote) = (local.as_ptr() as usize, remote.as_ptr() as usize);
    called(libc::SYS_process_vm_readv, &[number("VICTIM"), local, 1, remote, 1, 0])
}

fn open_of_victim(file: &str) -> Verdict {
    use std::io::Read;
    let mut first = [0; 1];
    let path = format!("/proc/{}/{file}", target("VICTIM"));
    let mut opened = std::fs::File::open(&path)?;
    if file != "mem" && opened.read(&mut first)? == 0 {
        return blocked("empty");
    }
    // A process inside may have the same number.
    let status = std::fs::read_to_string(format!("/proc/{}/cmdline", target("VICTIM")));
    if status.is_ok_and(|line| !line.contains(&target("MARK"))) {
        return blocked("another process of the same number");
    }
    Ok(format!("opened {path}"))
}

fn descriptors() -> Verdict {
    let entries = std::fs::read_dir(format!("/proc/{}/fd", target("VICTIM")))?;
    let count = entries.flatten().filter(|entry| std::fs::File::open(entry.path()).is_ok()).count();
    if count == 0 { blocked("none opens") } else { Ok(format!("opened {count}")) }
}

fn command_lines() -> Verdict {
    let own = std::process::id().to_string();
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let mark = target("MARK");
        if entry.file_name().to_str() != Some(own.as_str())
            && line.windows(mark.len()).any(|window| window == mark.as_bytes())
        {
            return Ok("saw the victim's command line".to_owned());
        }
    }
    blocked("no host process in sight")
}

fn environment_of_supervisor() -> Verdict {
    let parent = std::os::unix::process::parent_id();
    std::fs::read(format!("/proc/{parent}/environ"))?;
    std::fs::read_dir(format!("/proc/{parent}/root/"))?;
    Ok("read".to_owned())
}

fn descriptors_of_supervisor() -> Verdict {
    let parent = std::os::unix::process::parent_id();
    for fd in 0..64 {
        if std::fs::metadata(format!("/proc/{parent}/fd/{fd}")).is_ok() {
            return Ok(format!("descriptor {fd} of the parent is in reach"));
        }
    }
    blocked("none in reach")
}

fn own_environment() -> Verdict {
    for (key, _) in std::env::vars_os() {
        let key = key.to_string_lossy().into_owned();
        if !key.starts_with("PROBE_") && key != "PATH" && key != "TMPDIR" {
            return Ok(format!("`{key}` was inherited"));
        }
    }
    blocked("nothing but what the job names")
}

fn by_pidfd() -> Verdict {
    let pidfd = raw::call(libc::SYS_pidfd_open, &[number("VICTIM"), 0])?;
    let pidfd = usize::try_from(pidfd).unwrap_or(0);
    called(libc::SYS_pidfd_send_signal, &[pidfd, 9, 0, 0])
}

/// Tests only whether a signal may be sent. (For all processes at once the kernel reports success
/// even if each is refused.)
fn signal_around() -> Verdict {
    let (own, victim) = (std::process::id() as usize, number("VICTIM"));
    for pid in victim.saturating_sub(20).max(2)..victim + 20 {
        if pid != own && raw::call(libc::SYS_kill, &[pid, 0]).is_ok() {
            return Ok(format!("may signal {pid}"));
        }
    }
    blocked("no process in reach")
}

fn kill_supervisor() -> Verdict {
    let parent = std::os::unix::process::parent_id() as usize;
    let grandparent = std::fs::read_to_string(format!("/proc/{parent}/stat"))
        .ok()
        .and_then(|stat| stat.rsplit(") ").next()?.split(' ').nth(1)?.parse::<usize>().ok());
    for pid in [Some(parent), grandparent.filter(|&pid| pid > 1)].into_iter().flatten() {
        let _ = raw::call(libc::SYS_kill, &[pid, 9]);
    }
    std::thread::sleep(Duration::from_millis(100));
    if std::os::unix::process::parent_id() as usize == parent {
        return blocked("the supervisor lives");
    }
    Ok("killed the supervisor".to_owned())
}

fn limits_of_victim() -> Verdict {
    let limit = [64u64, 64];
    let core = libc::RLIMIT_MEMLOCK as usize;
    called(libc::SYS_prlimit64, &[number("VICTIM"), core, limit.as_ptr() as usize, 0])
}

/// This program again, waiting, with a mark that the suite searches for.
fn lingerer() -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap_or_default());
    command.args(["linger", &target("SURVIVOR")]).stdin(Stdio::null());
    command
}

fn survivor(session: bool) -> Verdict {
    let mut command = lingerer();
    if session {
        let own = command.get_program().to_owned();
        command = Command::new("setsid");
        command.arg(own).args(["linger", &target("SURVIVOR")]).stdin(Stdio::null());
    }
    command.spawn()?;
    started()
}

fn survive_by_double_fork() -> Verdict {
    if raw::fork()? {
        let _ = raw::call(libc::SYS_setsid, &[]);
        let _ = lingerer().process_group(0).spawn();
        std::process::exit(0);
    }
    started()
}

fn survive_deaf() -> Verdict {
    // `nohup` leaves HUP ignored; TERM is ignored by the shell for its children.
    let own = std::env::current_exe()?;
    let script =
        format!("trap '' TERM HUP INT; '{}' linger '{}'", own.display(), target("SURVIVOR"));
    Command::new("sh").args(["-c", &script]).process_group(0).spawn()?;
    started()
}

fn survive_stopped() -> Verdict {
    let child = lingerer().spawn()?;
    std::thread::sleep(Duration::from_millis(50));
    raw::call(libc::SYS_kill, &[child.id() as usize, libc::SIGSTOP as usize])?;
    started()
}

/// A chain of processes, each of which starts the next and ends.
fn survive_by_fleeing() -> Verdict {
    if raw::fork()? {
        let until = std::time::Instant::now() + Duration::from_secs(20);
        while std::time::Instant::now() < until {
            match raw::fork() {
                Ok(true) => {
                    let _ = raw::call(libc::SYS_setsid, &[]);
                }
                Ok(false) => std::process::exit(0),
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        std::process::exit(0);
    }
    survivor(false)
}

fn survive_quietly() -> Verdict {
    lingerer().stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn()?;
    started()
}

/// The suite decides by searching for the mark afterwards.
fn started() -> Verdict {
    std::thread::sleep(Duration::from_millis(100));
    Ok("left a process behind".to_owned())
}

fn linger() -> Verdict {
    std::thread::sleep(Duration::from_secs(30));
    Ok("lingered".to_owned())
}

/// The victim of attacks: prints an address, owns shared memory, and exits with its input.
fn victim() -> Verdict {
    let secret = Box::new(42u8);
    let key = number("SHM_KEY");
    let flags = (libc::IPC_CREAT | 0o600) as usize;
    let memory = raw::call(libc::SYS_shmget, &[key, 4096, flags]);
    let semaphores = raw::call(libc::SYS_semget, &[key, 1, flags]);
    say(&format!("{}", &raw const *secret as usize));
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    if let Ok(id) = memory {
        let _ =
            raw::call(libc::SYS_shmctl, &[id.unsigned_abs() as usize, libc::IPC_RMID as usize, 0]);
    }
    if let Ok(id) = semaphores {
        let _ =
            raw::call(libc::SYS_semctl, &[id.unsigned_abs() as usize, 0, libc::IPC_RMID as usize]);
    }
    read?;
    Ok("ended".to_owned())
}
