//! Tests of what a killed process leaves start themselves anew: the child is the same test of the
//! same executable, so that no helper is counted among the tests.

use std::process::Command;

const JOB: &str = "GRAFTAGE_TEST_JOB";

/// The calling test as another process, in which [`job`] returns `job`.
///
/// # Panics
/// Outside a test, whose thread has the test's name.
#[allow(clippy::disallowed_methods, reason = "the test starts itself")]
pub fn this_test_again(job: &str) -> Command {
    let thread = std::thread::current();
    let test = thread.name().filter(|name| *name != "main").expect("the thread of a test");
    let mut command = Command::new(std::env::current_exe().expect("the test's executable"));
    command.args(["--exact", test, "--nocapture"]).env(JOB, job);
    command
}

/// What this process was started for by [`this_test_again`]; `None` in the test itself.
pub fn job() -> Option<String> {
    std::env::var(JOB).ok()
}
