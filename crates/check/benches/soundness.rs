//! Sequences of candidates against cold checks: `cargo bench -p graftage-check --bench soundness
//! -- --sequences 10000 --seed 1 --threads 4`; `--seed 5 --step 10` takes those rounds only whose build
//! scripts, macros and tests are hostile. Ends with status 1 if there was a false verdict.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has nothing to say")]

#[path = "../tests/it/kit.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod kit;
#[path = "../tests/it/soundness/mod.rs"]
mod soundness;

use std::process::ExitCode;
use std::time::Instant;

#[allow(clippy::print_stdout, reason = "a bench prints its figures")]
fn main() -> ExitCode {
    let sequences = argument("--sequences").unwrap_or(100);
    let first_seed = argument("--seed").unwrap_or(1) as u64;
    let step = argument("--step").unwrap_or(1);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = argument("--threads").unwrap_or(cores);
    let started = Instant::now();
    let cold = soundness::Cold::default();
    let rounds = sequences.div_ceil(soundness::ROUND);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let total = std::sync::Mutex::new(soundness::Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let round = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if round >= rounds {
                        return;
                    }
                    let count = soundness::ROUND.min(sequences - round * soundness::ROUND);
                    let tally = soundness::run(first_seed + (round * step) as u64, count, &cold);
                    let mut total = total.lock().unwrap_or_else(|poison| poison.into_inner());
                    total.candidates += tally.candidates;
                    total.passed += tally.passed;
                    total.killed += tally.killed;
                    total.cold_checks += tally.cold_checks;
                    total.sequences += tally.sequences;
                    total.faults.extend(tally.faults);
                    println!(
                        "{} sequences, {} candidates ({} passed), {} killed, {} cold checks, {} faults, {:.0} s",
                        total.sequences,
                        total.candidates,
                        total.passed,
                        total.killed,
                        total.cold_checks,
                        total.faults.len(),
                        started.elapsed().as_secs_f64()
                    );
                }
            });
        }
    });
    let total = total.into_inner().unwrap_or_else(|poison| poison.into_inner());
    for fault in &total.faults {
        println!("{fault}");
    }
    if total.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn argument(name: &str) -> Option<usize> {
    let mut arguments = std::env::args();
    arguments.find(|argument| argument == name)?;
    arguments.next()?.parse().ok()
}
