//! Attacks that write and read files outside of the view.

use std::fs::{self, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::{Attack, Blocked, Verdict, blocked, path, raw, target};

pub(crate) const ATTACKS: &[Attack] = &[
    ("write_absolute", || write(&path("OUTSIDE").join("written"))),
    ("write_through_dot_dot", || write(&path("PROJECT").join("../outside/written"))),
    ("write_through_own_symlink", write_through_own_symlink),
    ("write_through_planted_symlink", || write(&path("PROJECT").join("trap/written"))),
    ("write_through_hard_link", write_through_hard_link),
    ("write_through_proc_self_root", || write(&below("/proc/self/root", &path("OUTSIDE")))),
    ("write_through_proc_1_root", || write(&below("/proc/1/root", &path("OUTSIDE")))),
    ("write_through_proc_of_host_process", write_through_host_process),
    ("write_through_host_process_cwd", write_through_host_cwd),
    ("write_relative_to_root", || write(&below("/../../../..", &path("OUTSIDE")))),
    ("rename_out", rename_out),
    ("rename_in", rename_in),
    ("symlink_swap_race", symlink_swap_race),
    ("truncate_outside", || open_write(&path("OUTSIDE").join("victim"), true)),
    ("append_outside", || open_write(&path("OUTSIDE").join("victim"), false)),
    ("delete_outside", || did(fs::remove_file(path("OUTSIDE").join("victim")))),
    ("make_folder_outside", || did(fs::create_dir(path("OUTSIDE").join("folder")))),
    ("chmod_outside", chmod_outside),
    ("touch_outside", touch_outside),
    ("xattr_outside", xattr_outside),
    ("write_to_read_only_mount", || write(&path("READONLY").join("written"))),
    ("chmod_in_read_only_mount", chmod_read_only),
    ("write_to_host_tmp", || write(Path::new(&target("TMP_FILE")))),
    ("write_to_host_shm", || write(Path::new(&target("SHM_FILE")))),
    ("write_to_usr", || write(Path::new("/usr/graftage-probe-written"))),
    ("write_to_etc", || write(Path::new("/etc/graftage-probe-written"))),
    ("write_core_pattern", || open_write(Path::new("/proc/sys/kernel/core_pattern"), false)),
    ("write_sysrq_trigger", || open_write(Path::new("/proc/sysrq-trigger"), false)),
    ("write_sysfs", write_sysfs),
    ("write_host_cgroup", write_host_cgroup),
    ("inherited_descriptor", inherited_descriptor),
    ("make_block_device", make_block_device),
    ("plant_setuid_file_by_chmod", || plant_setuid(0o755, Some(0o4755))),
    ("plant_setgid_file_by_chmod", || plant_setuid(0o755, Some(0o2755))),
    ("plant_setuid_file_by_open", || plant_setuid(0o4755, None)),
    ("plant_setuid_file_by_openat2", plant_setuid_by_openat2),
    ("read_kernel_keys", || read(Path::new("/proc/keys"))),
    ("open_disk", open_disk),
    ("open_kernel_memory", || {
        read(Path::new("/dev/mem")).or_else(|_| read(Path::new("/dev/kmsg")))
    }),
    ("read_ssh_key", || read(&path("HOME").join(".ssh/id_ed25519"))),
    ("read_cargo_credentials", || read(&path("HOME").join(".cargo/credentials.toml"))),
    ("read_git_credentials", || read(&path("HOME").join(".git-credentials"))),
    ("read_hidden_place", || read(&path("PROJECT").join("hidden/secret"))),
    ("list_homes", list_homes),
    ("list_host_tmp", || list(&path("OUTSIDE"))),
    ("read_shadow", || read(Path::new("/etc/shadow"))),
    ("read_file_of_other_user", || read(&path("OUTSIDE").join("others"))),
    ("read_by_handle", read_by_handle),
    ("open_host_root_by_handle_of_cwd", || list(Path::new("/proc/1/cwd"))),
];

fn did(result: std::io::Result<()>) -> Verdict {
    result?;
    Ok("done".to_owned())
}

fn below(prefix: &str, folder: &Path) -> PathBuf {
    PathBuf::from(format!("{prefix}{}", folder.display())).join("written")
}

fn write(path: &Path) -> Verdict {
    fs::write(path, "written by the probe")?;
    Ok(format!("wrote {}", path.display()))
}

fn open_write(path: &Path, truncate: bool) -> Verdict {
    OpenOptions::new().write(true).append(!truncate).truncate(truncate).open(path)?;
    Ok(format!("opened {} for writing", path.display()))
}

fn read(path: &Path) -> Verdict {
    use std::io::Read;
    let mut text = vec![0; 64];
    let bytes = fs::File::open(path)?.read(&mut text)?;
    if bytes == 0 { blocked("empty") } else { Ok(format!("read {}", path.display())) }
}

fn list(path: &Path) -> Verdict {
    let names: Vec<_> = fs::read_dir(path)?.flatten().map(|entry| entry.file_name()).collect();
    if names.is_empty() { blocked("empty") } else { Ok(format!("listed {names:?}")) }
}

fn write_through_own_symlink() -> Verdict {
    let link = path("PROJECT").join("own-link");
    let _ = fs::remove_file(&link);
    symlink(path("OUTSIDE"), &link)?;
    write(&link.join("written"))
}

fn write_through_hard_link() -> Verdict {
    let link = path("PROJECT").join("hard-link");
    let _ = fs::remove_file(&link);
    fs::hard_link(path("OUTSIDE").join("victim"), &link)?;
    open_write(&link, true)
}

fn write_through_host_process() -> Verdict {
    write(&below(&format!("/proc/{}/root", target("VICTIM")), &path("OUTSIDE")))
}

fn write_through_host_cwd() -> Verdict {
    write(&PathBuf::from(format!("/proc/{}/cwd/written", target("VICTIM"))))
}

fn rename_out() -> Verdict {
    let from = path("PROJECT").join("to-move");
    fs::write(&from, "x").map_err(|error| Blocked(format!("preparing: {error}")))?;
    did(fs::rename(from, path("OUTSIDE").join("written")))
}

fn rename_in() -> Verdict {
    did(fs::rename(path("OUTSIDE").join("victim"), path("PROJECT").join("stolen")))
}

/// One process swaps a folder for a symlink to the outside while another writes into it.
fn symlink_swap_race() -> Verdict {
    let project = path("PROJECT");
    let (place, folder, link) =
        (project.join("swap"), project.join("swap-folder"), project.join("swap-link"));
    let _ = fs::remove_file(&link);
    let _ = fs::create_dir(&folder);
    symlink(path("OUTSIDE"), &link)?;
    fs::rename(&folder, &place)?;
    let until = Instant::now() + Duration::from_millis(200);
    let swapper = std::thread::spawn(move || {
        while Instant::now() < until {
            for (from, to) in
                [(&place, &folder), (&link, &place), (&place, &link), (&folder, &place)]
            {
                let _ = fs::rename(from, to);
                std::thread::yield_now();
            }
        }
    });
    while Instant::now() < until {
        let _ = fs::write(project.join("swap/written"), "x");
    }
    let _ = swapper.join();
    if path("OUTSIDE").join("written").exists() {
        return Ok("won the race".to_owned());
    }
    blocked("lost every race")
}

fn chmod_outside() -> Verdict {
    did(fs::set_permissions(path("OUTSIDE").join("victim"), fs::Permissions::from_mode(0o777)))
}

fn chmod_read_only() -> Verdict {
    did(fs::set_permissions(path("READONLY").join("file"), fs::Permissions::from_mode(0o777)))
}

fn touch_outside() -> Verdict {
    let path =
        std::ffi::CString::new(target("OUTSIDE") + "/victim").map_err(|_| Blocked("nul".into()))?;
    let times = [1i64, 0, 1, 0];
    let cwd = libc::AT_FDCWD as usize;
    raw::call(libc::SYS_utimensat, &[cwd, raw::c(&path), times.as_ptr() as usize, 0])?;
    Ok("set the times".to_owned())
}

fn xattr_outside() -> Verdict {
    let path =
        std::ffi::CString::new(target("OUTSIDE") + "/victim").map_err(|_| Blocked("nul".into()))?;
    let value = b"x";
    let args = [raw::c(&path), raw::c(c"user.probe"), value.as_ptr() as usize, 1, 0];
    raw::call(libc::SYS_setxattr, &args)?;
    Ok("set an attribute".to_owned())
}

fn write_sysfs() -> Verdict {
    open_write(Path::new("/sys/kernel/uevent_helper"), false)
        .or_else(|_| open_write(Path::new("/sys/kernel/profiling"), false))
        .or_else(|_| open_write(Path::new("/sys/kernel/mm/transparent_hugepage/enabled"), false))
}

fn write_host_cgroup() -> Verdict {
    let mut last = Blocked("no control groups".to_owned());
    for group in ["/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/unified"] {
        match open_write(&Path::new(group).join("cgroup.procs"), false) {
            Ok(done) => return Ok(done),
            Err(why) => last = why,
        }
    }
    Err(last)
}

/// Any open descriptor beyond the three standard ones has leaked.
fn inherited_descriptor() -> Verdict {
    for fd in 3..1024usize {
        if raw::call(libc::SYS_fcntl, &[fd, libc::F_GETFD as usize]).is_ok() {
            return Ok(format!("descriptor {fd} is open"));
        }
    }
    blocked("nothing but the three")
}

fn make_block_device() -> Verdict {
    let place =
        std::ffi::CString::new(target("PROJECT") + "/device").map_err(|_| Blocked("nul".into()))?;
    let mode = (libc::S_IFBLK | 0o600) as usize;
    raw::call(libc::SYS_mknodat, &[libc::AT_FDCWD as usize, raw::c(&place), mode, 0xfe00])?;
    Ok("made a device".to_owned())
}

/// A set-user-id file, which runs as the user who started the job.
fn plant_setuid(mode: u32, then: Option<u32>) -> Verdict {
    use std::os::unix::fs::OpenOptionsExt;
    let place = path("PROJECT").join("planted");
    OpenOptions::new().write(true).create(true).mode(mode).open(&place)?;
    if let Some(mode) = then {
        fs::set_permissions(&place, fs::Permissions::from_mode(mode))?;
    }
    let mode = fs::metadata(&place)?.permissions().mode();
    if mode & 0o6000 == 0 { blocked("an ordinary file") } else { Ok(format!("mode {mode:o}")) }
}

fn plant_setuid_by_openat2() -> Verdict {
    let place = std::ffi::CString::new(target("PROJECT") + "/planted")
        .map_err(|_| Blocked("nul".into()))?;
    let how = [(libc::O_CREAT | libc::O_WRONLY) as u64, 0o4755, 0];
    let args = [libc::AT_FDCWD as usize, raw::c(&place), how.as_ptr() as usize, 24];
    raw::call(libc::SYS_openat2, &args)?;
    Ok("made a file".to_owned())
}

fn open_disk() -> Verdict {
    for disk in ["/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/loop0", "/dev/mapper/control"] {
        if fs::File::open(disk).is_ok() {
            return Ok(format!("opened {disk}"));
        }
    }
    blocked("no disk opens")
}

fn list_homes() -> Verdict {
    for home in [target("HOME").as_str(), "/root", "/home"] {
        if let Ok(listed) = list(Path::new(home)) {
            // The registry is shown on purpose, and the folders above it with it.
            if listed.contains(".ssh") || listed.contains(".bash") {
                return Ok(listed);
            }
        }
    }
    blocked("no home lists")
}

fn read_by_handle() -> Verdict {
    let folder = fs::File::open(path("PROJECT"))?;
    let mut handle = [0u32; 34];
    handle[0] = 128;
    let mut mount = 0i32;
    let cwd = libc::AT_FDCWD as usize;
    let name = std::ffi::CString::new(target("PROJECT")).map_err(|_| Blocked("nul".into()))?;
    let args = [cwd, raw::c(&name), handle.as_mut_ptr() as usize, &raw mut mount as usize, 0];
    raw::call(libc::SYS_name_to_handle_at, &args)?;
    let fd = folder.as_raw_fd() as usize;
    raw::call(libc::SYS_open_by_handle_at, &[fd, handle.as_mut_ptr() as usize, 0])?;
    Ok("opened by handle".to_owned())
}
