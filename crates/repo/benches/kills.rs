//! `cargo bench -p graftage-repo --bench kills -- --runs 1000`: kills writes of the tree at
//! numbered places and at random moments, and holds each tree against the old one and the new
//! one. Any tree that is neither ends the bench with a panic.

#![allow(clippy::disallowed_methods, reason = "the bench starts itself anew to be killed")]
#![allow(clippy::unwrap_used, reason = "whatever goes wrong ends the bench")]
#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::process::Command;
use std::time::Instant;

use base::SortedMap;

#[path = "../tests/it/killing.rs"]
mod killing;

const CHILD: &str = "--child";

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == CHILD) {
        killing::child(&args[at + 1]);
        return;
    }
    let number = |name: &str, default: u64| {
        let at = args.iter().position(|arg| arg == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let (runs, seed) = (number("--runs", 50), number("--seed", 7));
    // One in five is a commit, which takes about twenty times as long.
    for (name, with_git, runs) in [("write", false, runs - runs / 5), ("commit", true, runs / 5)] {
        let start = Instant::now();
        let mut fates = SortedMap::new();
        let mut arena = killing::Arena::new(seed, with_git);
        for run in 0..runs {
            // A long life in one project would only measure the journal's length.
            if run > 0 && run % 50 == 0 {
                arena.unwind();
                arena = killing::Arena::new(seed + run, with_git);
            }
            *fates.entry(arena.round(&spawn)).or_insert(0) += 1;
        }
        arena.unwind();
        println!(
            "{name}: {runs} runs, {fates:?}, 0 trees neither old nor new, {:.1} s",
            start.elapsed().as_secs_f64()
        );
    }
}

fn spawn(job: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("own path"));
    command.args([CHILD, job]);
    command
}
