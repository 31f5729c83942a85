//! The priority of threads that work ahead.

/// How much such a thread yields to others, 0 to 19: it gets a tenth of a contended processor.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// From here on the system prefers the other threads of this process to the present one: for work ahead, so
/// that a question does not wait for it where processors are few. It cannot be undone, so call it at
/// the start of a thread. Only Linux has priorities of threads that need no privilege.
pub fn yield_to_others() {
    // A failure only makes the thread less polite.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, NICENESS);
}

/// The threads that share the work of an update yield to others, too: a search of the same moment finishes
/// first where the update would take all processors. Call it before the first update of a process that
/// answers many questions; later it has no effect.
pub fn updates_yield_to_others() {
    // An error is that the threads exist.
    let _ = rayon::ThreadPoolBuilder::new().start_handler(|_| yield_to_others()).build_global();
}
