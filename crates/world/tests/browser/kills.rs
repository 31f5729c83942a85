//! No process is left, whichever part is killed.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::{program, report};

/// A story that plays for a minute.
const LONG: &str = r##"
[[story]]
name = "long"
timeout_ms = 60000
html = "<title>x</title><p>Fine</p>"
play = [ { expect = { text = "never" }, visible = true } ]
"##;

/// Processes below another one, with their starts, by number.
fn below(parent: u32) -> BTreeSet<(u32, u64)> {
    let mut all: Vec<(u32, u32, u64)> = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        if fields[0] != "Z" {
            all.push((pid, fields[1].parse().unwrap(), fields[19].parse().unwrap()));
        }
    }
    let mut found = BTreeSet::new();
    let mut rest = vec![parent];
    while let Some(parent) = rest.pop() {
        for (pid, of, started) in &all {
            if *of == parent && found.insert((*pid, *started)) {
                rest.push(*pid);
            }
        }
    }
    found
}

fn is_alive((pid, started): (u32, u64)) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[0] != "Z" && fields[19].parse() == Ok(started)
}

#[test]
fn no_process_is_left_after_a_kill_of_any_part() {
    if testkit::job().is_some() {
        println!("playing");
        report(&std::env::temp_dir(), LONG);
        return;
    }
    if program().is_none() {
        return;
    }
    // The program itself, then each of the parts below it, in turn.
    let kills = std::env::var("GRAFTAGE_TEST_KILLS").ok().and_then(|it| it.parse().ok());
    for kill in 0..kills.unwrap_or(6) {
        let part = kill % 6;
        let mut again = testkit::this_test_again("play");
        let mut child = again.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("playing")));
        let until = Instant::now() + Duration::from_secs(30);
        // The inner stage, the supervisor, the browser with its helpers and a page.
        let mut parts = below(child.id());
        while parts.len() < 7 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(50));
            parts = below(child.id());
        }
        assert!(parts.len() >= 5, "the browser runs: {parts:?}");
        let victim = match part {
            0 => child.id(),
            part => parts.iter().nth(part - 1).unwrap().0,
        };
        let killed = std::process::Command::new("kill").args(["-9", &victim.to_string()]).status();
        assert!(killed.unwrap().success());
        if part > 0 {
            // What is left of the run ends with its own process.
            std::thread::sleep(Duration::from_millis(200));
            let _ = child.kill();
        }
        child.wait().unwrap();
        let until = Instant::now() + Duration::from_secs(10);
        while parts.iter().any(|it| is_alive(*it)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        let left: Vec<_> = parts.iter().filter(|it| is_alive(**it)).collect();
        assert!(left.is_empty(), "after a kill of part {part}: {left:?}");
    }
}
