//! Starts the calling test again as a child process, for tests that kill a process and inspect
//! what it left. The child is the same test of the same executable, so no helper test is counted.

use std::process::Command;

const JOB: &str = "GRAFTAGE_TEST_JOB";

/// A command that runs the calling test in another process, in which [`job`] returns `job`.
///
/// # Panics
/// If called outside a test: the thread must have the test's name.
#[allow(clippy::disallowed_methods, reason = "the test starts itself")]
pub fn this_test_again(job: &str) -> Command {
    let thread = std::thread::current();
    let test = thread.name().filter(|name| *name != "main").expect("the thread of a test");
    let mut command = Command::new(std::env::current_exe().expect("the test's executable"));
    command.args(["--exact", test, "--nocapture"]).env(JOB, job);
    command
}

/// The job that [`this_test_again`] passed to this process; `None` in the test itself.
pub fn job() -> Option<String> {
    std::env::var(JOB).ok()
}
