//! `cargo xtask test` without arguments and `cargo xtask ci`: all checks of a change, one after the
//! other. Start at [`everything`].

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::Failure;
use crate::run::{cargo, step};
use crate::setup::setup;

/// Runs everything that a change must pass, the cheapest step first and the tests last, so that the
/// test runner's summary comes last. The other steps run also after a failure.
///
/// With `ci` a step that cannot run on this machine is a failure, and so is a test that is skipped
/// for a requirement that the machine meets.
pub(crate) fn everything(root: &Path, ci: bool) -> Result<(), Failure> {
    let mut steps = Steps { ci, done: Vec::new() };
    let ready = setup(root)?;
    steps.run_if(ready.rustfmt, "formatting", || {
        step(&mut cargo(root, &["fmt", "--all", "--check"]))
    });
    steps.run("workspace rules", || crate::tidy::tidy(root));
    steps.run("dependency policy", || crate::deny::deny(root));
    let whole = ["--workspace", "--all-features", "--locked", "--offline"];
    steps.run_if(ready.clippy, "lints", || {
        step(cargo(root, &["clippy", "--all-targets"]).args(whole).args(["--", "-D", "warnings"]))
    });
    steps.run("documentation", || {
        let shipped = ["--exclude", crate::train::PACKAGE];
        let mut command = cargo(root, &["doc", "--no-deps"]);
        if ready.clippy {
            reuse_the_metadata_of_lints(&mut command);
        }
        step(command.args(whole).args(shipped).env("RUSTDOCFLAGS", "-D warnings"))
    });
    // A build without default features has the store without its engine. Its test is among the others.
    steps.run_if(ready.clippy, "store without its engine", || {
        let only = ["--package", "graftage-store", "--lib", "--locked", "--offline"];
        step(cargo(root, &["clippy"]).args(only).args(["--", "-D", "warnings"]))
    });
    steps.run("tests", || crate::test::test(root, &[], &ready, ci));
    steps.end()
}

/// Sets what `cargo clippy -- -D warnings` sets: cargo keeps the metadata that the lints have written of the
/// workspace's crates apart from that of `cargo check`, by the wrapper, and clippy by its arguments. Where
/// another release of clippy sets something else, the crates are checked once more.
fn reuse_the_metadata_of_lints(command: &mut Command) {
    let driver = Path::new(command.get_program()).with_file_name("clippy-driver");
    if driver.is_absolute() && driver.exists() {
        command.env("RUSTC_WORKSPACE_WRAPPER", driver);
        command.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    }
}

/// The outcome of each step.
struct Steps {
    ci: bool,
    done: Vec<(&'static str, f64, Result<(), String>)>,
}

impl Steps {
    fn run(&mut self, name: &'static str, step: impl FnOnce() -> Result<(), Failure>) {
        let start = Instant::now();
        let result = step().map_err(|failure| {
            let (Failure::Check(why) | Failure::Usage(why) | Failure::Missing(why)) = failure;
            eprintln!("xtask: {name}: {why}");
            why
        });
        self.done.push((name, start.elapsed().as_secs_f64(), result));
    }

    /// Runs the step if its tool is installed.
    fn run_if(
        &mut self,
        has_tool: bool,
        name: &'static str,
        step: impl FnOnce() -> Result<(), Failure>,
    ) {
        if has_tool {
            self.run(name, step);
        } else if self.ci {
            self.run(name, || Err(Failure::Missing("its tool is not installed".to_owned())));
        } else {
            println!("skipped: {name}, its tool is not installed");
        }
    }

    /// Prints the seconds of every step; an error names those that failed.
    fn end(self) -> Result<(), Failure> {
        let mut failed = Vec::new();
        for (name, seconds, result) in &self.done {
            let outcome = if result.is_ok() { "ok" } else { "FAILED" };
            println!("xtask: {seconds:8.1} s  {outcome:6}  {name}");
            if result.is_err() {
                failed.push(*name);
            }
        }
        if failed.is_empty() {
            return Ok(());
        }
        Err(Failure::Check(format!("failed: {}", failed.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(ci: bool) -> Steps {
        Steps { ci, done: Vec::new() }
    }

    #[test]
    fn a_step_that_fails_lets_the_others_run_and_fails_the_whole() {
        let (mut steps, mut ran) = (steps(false), false);
        steps.run("first", || Err(Failure::Check("no".to_owned())));
        steps.run("second", || {
            ran = true;
            Ok(())
        });
        assert!(ran);
        assert_eq!(steps.end(), Err(Failure::Check("failed: first".to_owned())));
    }

    #[test]
    fn a_step_without_its_tool_fails_in_ci_and_is_skipped_elsewhere() {
        for ci in [true, false] {
            let mut steps = steps(ci);
            steps.run_if(false, "lints", || Ok(()));
            assert_eq!(steps.end().is_err(), ci);
        }
    }
}
