use std::io::Write;
use std::path::PathBuf;

use crate::need::Need;
use crate::workspace_root;

/// Reports that a test cannot run here, or not all of it: `need` is what the machine lacks, `why`
/// how that was seen. The test returns right after, or goes on with its other parts.
///
/// The line goes to stderr and, under `cargo xtask test`, into the list that it prints at its end.
/// libtest and nextest count the test as passed; that list is what tells skips from passes. With
/// `CI=true` a skip for want of something that the machine has is a failure.
#[allow(clippy::print_stderr, reason = "a skip is loud")]
pub fn skip(need: Need, why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let why = why.replace(['\t', '\n'], " ");
    eprintln!("{MARK}{}\t{test}\t{why}", need.name());
    if let Some(log) = std::env::var_os("GRAFTAGE_SKIP_LOG") {
        let binary = std::env::current_exe().ok();
        let binary = binary.as_deref().and_then(|path| path.file_stem()).unwrap_or_default();
        // One short write in append mode, so that lines of parallel tests do not mix.
        let line = format!("{}\t{} {test}\t{why}\n", need.name(), binary.to_string_lossy());
        let written = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&log)
            .and_then(|mut file| file.write_all(line.as_bytes()));
        assert!(written.is_ok(), "cannot note a skip in {}", log.to_string_lossy());
    }
}

/// How the line of a skip begins.
const MARK: &str = "SKIPPED for want of ";

/// Repeats what a test skipped that ran in another process: `stderr` is that process's. Each need
/// goes through `here`, because another user may lack what this one has.
pub fn skip_again(stderr: &str, here: impl Fn(Need) -> Need) {
    for line in stderr.lines().filter_map(|line| line.strip_prefix(MARK)) {
        let mut fields = line.splitn(3, '\t');
        let need = fields.next().and_then(Need::of_name);
        let need = need.expect("a skip names a need");
        skip(here(need), fields.nth(1).unwrap_or_default());
    }
}

/// The evaluation data beside the repository (`../shared/eval`); where there is none the test is
/// skipped and `None` comes back.
pub fn shared_eval_dir() -> Option<PathBuf> {
    let dir = workspace_root().parent()?.join("shared").join("eval");
    if dir.is_dir() {
        Some(dir)
    } else {
        skip(Need::EvaluationData, "no folder shared/eval beside the repository");
        None
    }
}
