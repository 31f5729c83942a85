//! `cargo bench -p graftage --bench races -- --runs 1000 --seed 1`: runs 1000 sequences of processes,
//! an editor and git on one project; prints violated invariants and fails if there are any.

#[path = "../tests/cli/races.rs"]
#[allow(dead_code, reason = "the tests below the module are not part of the bench")]
mod races;
#[path = "../tests/cli/support.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod support;

#[allow(clippy::print_stdout, reason = "a bench prints its figures")]
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: u64| {
        let at = args.iter().position(|arg| arg == name);
        at.and_then(|at| args.get(at + 1)).and_then(|n| n.parse().ok()).unwrap_or(default)
    };
    let (runs, seed) = (number("--runs", 1_000), number("--seed", 1));
    let started = std::time::Instant::now();
    let mut tally = races::Tally::default();
    for round in 0..runs.div_ceil(25) {
        // A new project after 25 sequences, so that the length of the journal does not dominate.
        let mut ring = races::Ring::new(seed.wrapping_add(round));
        for _ in 0..25.min(runs - round * 25) {
            let known = tally.violations.len();
            ring.sequence(&mut tally);
            for violation in &tally.violations[known..] {
                println!("seed {}: {violation}", seed.wrapping_add(round));
            }
        }
        println!("races: {tally:?}, {:.0} s", started.elapsed().as_secs_f64());
    }
    assert!(tally.violations.is_empty(), "{} invariants were violated", tally.violations.len());
}
