//! Attacks that use more resources than the limits allow.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use crate::{Attack, Verdict, blocked, path, raw};

const MIB: usize = 1 << 20;

pub(crate) const ATTACKS: &[Attack] = &[
    ("fork_bomb", fork_bomb),
    ("thread_bomb", thread_bomb),
    ("memory_hog", || hog(400)),
    ("memory_hog_of_children", memory_hog_of_children),
    ("memory_hog_by_memory_files", memory_by_memfd),
    ("fill_tmp", || fill(Path::new(&std::env::var("TMPDIR").unwrap_or_else(|_| "/tmp".into())))),
    ("fill_shm", || fill(Path::new("/dev/shm"))),
    ("large_file", large_file),
    ("many_descriptors", many_descriptors),
    ("output_flood", output_flood),
    ("endless_line", endless_line),
    ("spin", spin),
    ("sleep", || {
        std::thread::sleep(Duration::from_secs(20));
        Ok("slept".to_owned())
    }),
];

/// Keeps what was taken until the watch has measured; outside of a sandbox there is no watch.
fn wait_for_the_watch() {
    if std::env::var_os("PROBE_WATCHED").is_some() {
        std::thread::sleep(Duration::from_secs(20));
    }
}

fn fork_bomb() -> Verdict {
    let mut born = 0;
    while born < 1000 {
        match raw::fork() {
            Ok(true) => {
                std::thread::sleep(Duration::from_secs(10));
                std::process::exit(0)
            }
            Ok(false) => born += 1,
            Err(error) => return blocked(&format!("after {born}: {error}")),
        }
    }
    Ok(format!("{born} children"))
}

fn thread_bomb() -> Verdict {
    for born in 0..1000 {
        let thread = std::thread::Builder::new().stack_size(64 << 10);
        if let Err(error) = thread.spawn(|| std::thread::sleep(Duration::from_secs(10))) {
            return blocked(&format!("after {born}: {error}"));
        }
    }
    Ok("1000 threads".to_owned())
}

fn take(mib: usize) -> Vec<Vec<u8>> {
    (0..mib).map(|idx| vec![u8::try_from(idx % 255).unwrap_or(0) + 1; MIB]).collect()
}

fn hog(mib: usize) -> Verdict {
    let taken = take(mib);
    wait_for_the_watch();
    Ok(format!("took {} MiB", taken.len()))
}

fn memory_hog_of_children() -> Verdict {
    for _ in 0..4 {
        if raw::fork()? {
            let taken = take(100);
            wait_for_the_watch();
            std::process::exit(i32::from(taken.is_empty()));
        }
    }
    for _ in 0..4 {
        let mut status = 0i32;
        raw::call(libc::SYS_wait4, &[usize::MAX, &raw mut status as usize, 0, 0])?;
        if status != 0 {
            return blocked("a child was lost");
        }
    }
    Ok("took 400 MiB".to_owned())
}

/// Many small memory files, which count for no process.
fn memory_by_memfd() -> Verdict {
    for _ in 0..100 {
        let fd = raw::call(libc::SYS_memfd_create, &[raw::c(c"probe"), 0])?;
        let place = format!("/proc/self/fd/{fd}");
        let mut file = std::fs::OpenOptions::new().write(true).open(place)?;
        file.write_all(&vec![1; 4 * MIB])?;
    }
    wait_for_the_watch();
    Ok("took 400 MiB".to_owned())
}

/// Many files, so that a limit on a single file does not help.
fn fill(folder: &Path) -> Verdict {
    for idx in 0..200 {
        std::fs::write(folder.join(format!("fill-{idx}")), vec![1; MIB])?;
        std::thread::sleep(Duration::from_millis(2));
    }
    wait_for_the_watch();
    Ok("wrote 200 MiB".to_owned())
}

fn large_file() -> Verdict {
    let mut file = std::fs::File::create(path("PROJECT").join("large"))?;
    for _ in 0..16 {
        file.write_all(&vec![1; MIB])?;
    }
    Ok("wrote 16 MiB".to_owned())
}

fn many_descriptors() -> Verdict {
    let mut open = Vec::new();
    for idx in 0..6000 {
        match std::fs::File::open("/dev/null") {
            Ok(file) => open.push(file),
            Err(error) => return blocked(&format!("after {idx}: {error}")),
        }
    }
    Ok(format!("{} open", open.len()))
}

fn output_flood() -> Verdict {
    let line = [b"x".repeat(1023), b"\n".to_vec()].concat();
    let mut stdout = std::io::stdout().lock();
    for _ in 0..(16 << 10) {
        stdout.write_all(&line)?;
    }
    Ok("wrote 16 MiB".to_owned())
}

fn endless_line() -> Verdict {
    let piece = vec![b'x'; MIB];
    let mut stdout = std::io::stdout().lock();
    for _ in 0..40 {
        stdout.write_all(&piece)?;
    }
    Ok("wrote 40 MiB".to_owned())
}

fn spin() -> Verdict {
    let mut number = 0u64;
    let until = std::time::Instant::now() + Duration::from_secs(120);
    while std::time::Instant::now() < until {
        for _ in 0..1_000_000 {
            number = std::hint::black_box(number.wrapping_add(1));
        }
    }
    Ok(format!("counted to {number}"))
}
