//! The priority of threads that work ahead.

/// How much such a thread yields to others, 0 to 19: it gets a tenth of a contended processor.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// From here on the system prefers the other threads of this process to the present one: for work ahead, so
/// that a question does not wait for it where processors are few. It cannot be taken back, so call it at
/// the start of a thread. Only Linux has priorities of threads that need no privilege.
pub fn yield_to_others() {
    // A failure only makes the thread less polite.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, NICENESS);
}
