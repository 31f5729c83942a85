//! `cargo bench -p graftage --bench kills -- --runs 1000`: kills 1000 runs of the binary at random
//! moments; every tree must be the old or the new one.

#[path = "../tests/cli/kills.rs"]
#[allow(dead_code, reason = "the test below the module is not part of the bench")]
mod kills;
#[path = "../tests/cli/support.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod support;

#[allow(clippy::print_stdout, reason = "a bench prints its figures")]
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let runs = args
        .iter()
        .position(|arg| arg == "--runs")
        .and_then(|at| args.get(at + 1))
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000);
    let started = std::time::Instant::now();
    let tally = kills::kill_at_random_moments(runs, 42);
    println!("kills: {tally:?}, 0 torn trees, {:.0} s", started.elapsed().as_secs_f64());
}
