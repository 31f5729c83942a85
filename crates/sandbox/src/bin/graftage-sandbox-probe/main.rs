//! Tries one way out of the sandbox, for the escape suite: `graftage-sandbox-probe ATTACK`.
//!
//! Exit code 0: the attack succeeded; 1: something stopped it; 2: the attack is unknown or lacks a
//! requirement. The targets are in `PROBE_…` variables. Outside of a sandbox each attack is its own
//! positive control.

mod files;
mod kernel;
mod network;
mod processes;
mod raw;
mod resources;

use std::io::Write;
use std::path::PathBuf;

/// The reason why an attack was stopped.
struct Blocked(String);

impl From<std::io::Error> for Blocked {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

/// The result of an attack, or the reason why it was stopped.
type Verdict = Result<String, Blocked>;

/// An attack with its name.
type Attack = (&'static str, fn() -> Verdict);

/// The value of a `PROBE_…` variable.
fn target(name: &str) -> String {
    match std::env::var(format!("PROBE_{name}")) {
        Ok(value) => value,
        Err(_) => {
            say(&format!("no PROBE_{name}"));
            std::process::exit(2)
        }
    }
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(target(name))
}

fn number(name: &str) -> usize {
    target(name).parse().unwrap_or(0)
}

fn blocked<T>(why: &str) -> Result<T, Blocked> {
    Err(Blocked(why.to_owned()))
}

fn say(text: &str) {
    // A closed output is not an error.
    let _ = writeln!(std::io::stdout(), "{text}");
}

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let all =
        [files::ATTACKS, network::ATTACKS, processes::ATTACKS, kernel::ATTACKS, resources::ATTACKS];
    let Some((_, attack)) = all.iter().flat_map(|list| list.iter()).find(|(n, _)| *n == name)
    else {
        say("unknown attack");
        std::process::exit(2)
    };
    let code = match attack() {
        Ok(detail) => {
            say(&format!("ESCAPED {detail}"));
            0
        }
        Err(Blocked(why)) => {
            say(&format!("BLOCKED {why}"));
            1
        }
    };
    std::process::exit(code)
}
