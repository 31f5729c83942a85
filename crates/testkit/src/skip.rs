//! Reports of tests that cannot run on this machine. A skip is never silent: it goes to stderr and,
//! under `cargo xtask test`, to a list that is printed at the end.

use std::io::Write;
use std::path::PathBuf;

use crate::need::Need;
use crate::workspace_root;

/// Reports that a test, or a part of it, cannot run on this machine: `need` is the requirement that
/// is not met, `why` how that was detected. The test returns after it or runs its other parts.
///
/// The line goes to stderr and, under `cargo xtask test`, into the list that it prints at its end.
/// libtest and nextest count the test as passed; only that list distinguishes skips from passes. With
/// `CI=true` a skip for a requirement that the machine meets is a failure.
#[allow(clippy::print_stderr, reason = "a skip is loud")]
pub fn skip(need: Need, why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let why = why.replace(['\t', '\n'], " ");
    eprintln!("{MARK}{}\t{test}\t{why}", need.name());
    if let Some(log) = std::env::var_os("GRAFTAGE_SKIP_LOG") {
        let binary = std::env::current_exe().ok();
        let binary = binary.as_deref().and_then(|path| path.file_stem()).unwrap_or_default();
        // One short write in append mode, so that lines of parallel tests are not interleaved.
        let line = format!("{}\t{} {test}\t{why}\n", need.name(), binary.to_string_lossy());
        let written = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&log)
            .and_then(|mut file| file.write_all(line.as_bytes()));
        assert!(written.is_ok(), "cannot note a skip in {}", log.to_string_lossy());
    }
}

/// The prefix of the line that reports a skip.
const MARK: &str = "SKIPPED for want of ";

/// Reports again the skips of a test that ran in another process with this `stderr`. `here` maps
/// each requirement, because another user may lack what this one has.
pub fn skip_again(stderr: &str, here: impl Fn(Need) -> Need) {
    for line in stderr.lines().filter_map(|line| line.strip_prefix(MARK)) {
        let mut fields = line.splitn(3, '\t');
        let need = fields.next().and_then(Need::of_name);
        let need = need.expect("a skip names a need");
        skip(here(need), fields.nth(1).unwrap_or_default());
    }
}

/// The folder of evaluation data beside the repository (`../shared/eval`); `None`, with a reported
/// skip, if it does not exist.
pub fn shared_eval_dir() -> Option<PathBuf> {
    let dir = workspace_root().parent()?.join("shared").join("eval");
    if dir.is_dir() {
        Some(dir)
    } else {
        skip(Need::EvaluationData, "no folder shared/eval beside the repository");
        None
    }
}
