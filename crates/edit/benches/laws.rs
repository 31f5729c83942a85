//! The laws of edits on any number of random cases:
//!
//! ```text
//! cargo bench -p graftage-edit --bench laws -- --cases 1000000
//! ```
//!
//! `--cases N` random changes are diffed, inverted, written, parsed again and mapped, and a tenth
//! as many adversarial requests are tried. Each result is compared with the expected one, which
//! follows from how the case was built. A wrong result ends the run with status 1.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench reads its arguments and prints its figures"
)]

mod laws_support;

use std::process::ExitCode;

use laws_support::random::Rng;
use laws_support::{adversary, round_trip};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let after =
        |flag: &str| args.iter().position(|arg| arg == flag).and_then(|at| args.get(at + 1));
    // Test runners list benches and run them without `--bench`: then the run is short.
    if args.iter().any(|arg| arg == "--list") {
        return ExitCode::SUCCESS;
    }
    let usual = if args.iter().any(|arg| arg == "--bench") { 1_000_000 } else { 1_000 };
    let cases: u64 = after("--cases").and_then(|text| text.parse().ok()).unwrap_or(usual);
    let seed: u64 = after("--seed").and_then(|text| text.parse().ok()).unwrap_or(1);

    let began = cpu_seconds();
    for case in 0..cases {
        if let Err(why) = round_trip::check(&mut Rng::new(seed.wrapping_add(case))) {
            eprintln!("round trip, seed {}: {why}", seed.wrapping_add(case));
            return ExitCode::FAILURE;
        }
    }
    let middle = cpu_seconds();
    println!("round trips: {cases}, wrong: 0, cpu seconds: {:.1}", middle - began);

    let mut count = adversary::Count::default();
    for case in 0..cases / 10 {
        let seed = seed.wrapping_add(case).wrapping_mul(0x5851_f42d_4c95_7f2d);
        if let Err(why) = adversary::check(&mut Rng::new(seed), &mut count) {
            eprintln!("adversary, seed {seed}: {why}");
            return ExitCode::FAILURE;
        }
    }
    println!(
        "adversarial requests: {}, placed right: {}, refused rightly: {}, wrong: 0, cpu seconds: {:.1}",
        cases / 10,
        count.placed,
        count.refused,
        cpu_seconds() - middle
    );
    ExitCode::SUCCESS
}

/// CPU time of this process so far; 0 where `/proc` does not report it.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |idx: usize| fields.get(idx).and_then(|it| it.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}
