//! The escape suite against the host side, through the sandbox, as a whole: every batch of attacks
//! under all layers and with each left out, as the present user and, where that is root, as an
//! ordinary one. `cargo xtask bench tools/host_escape [-- --batch NAME]`. Prints a row for each
//! life, and ends with status 1 when an attack succeeds.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stderr)]
#![allow(dead_code, reason = "the tests use the rest")]

#[path = "../tests/host_escape/elsewhere.rs"]
mod elsewhere;
#[path = "../tests/host_escape/sandboxed/mod.rs"]
mod sandboxed;
#[path = "../tests/host_escape/world.rs"]
mod world;

use std::process::ExitCode;

/// How the bench starts itself as an ordinary user.
const AS_ORDINARY_USER: &str = "--as-ordinary-user";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let wanted = arguments.iter().position(|it| it == "--batch").and_then(|at| {
        let name = arguments.get(at + 1)?;
        Some(name.as_str())
    });
    let mut batches = sandboxed::batches::all();
    batches.retain(|batch| wanted.is_none_or(|wanted| batch.name.contains(wanted)));
    let mut harm = Vec::new();
    for batch in &batches {
        harm.extend(sandboxed::lives(batch, &sandboxed::layer_sets()));
    }
    let attacks: usize = batches.iter().map(|batch| batch.attacks.len()).sum();
    let (controls, failed) = if wanted.is_none() { sandboxed::controls() } else { (0, Vec::new()) };
    eprintln!(
        "== {attacks} attacks in {} batches, {} succeed; {controls} controls succeed, {} fail",
        batches.len(),
        harm.len(),
        failed.len()
    );
    for (file, names) in elsewhere::ELSEWHERE {
        eprintln!("   {:3} more in {file}", names.len());
    }
    let mut held = harm.is_empty() && failed.is_empty();
    let is_first = !arguments.iter().any(|it| it == AS_ORDINARY_USER);
    if is_first && rustix::process::geteuid().is_root() {
        match testkit::OrdinaryUser::make() {
            Some(copies) => {
                let status = copies.command().arg(AS_ORDINARY_USER).args(&arguments[1..]).status();
                held &= status.unwrap().success();
            }
            None => eprintln!("   no toolchain that an ordinary user may run"),
        }
    }
    if held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
