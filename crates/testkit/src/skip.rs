use std::io::Write;
use std::path::PathBuf;

use crate::workspace_root;

/// Says that a test cannot run here: `need` names what is missing in one or two words
/// (`user namespaces`), `why` how that was seen. The test returns right after.
///
/// The line goes to stderr and, under `cargo xtask test`, into the list that it prints at its
/// end; there a skip for want of something that the set-up provided is a failure when `CI=true`.
#[allow(clippy::print_stderr, reason = "a skip is loud")]
pub fn skip(need: &str, why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    eprintln!("SKIPPED {test}: needs {need}: {why}");
    if let Some(log) = std::env::var_os("GRAFTAGE_SKIP_LOG") {
        // One short write in append mode, so that lines of parallel tests do not mix.
        let line = format!("{need}\t{test}\t{}\n", why.replace(['\t', '\n'], " "));
        let written = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&log)
            .and_then(|mut file| file.write_all(line.as_bytes()));
        assert!(written.is_ok(), "cannot note a skip in {}", log.to_string_lossy());
    }
}

/// The evaluation data that lies beside the repository where the house has it
/// (`../shared/eval`); where it is missing the test is skipped and `None` comes back.
pub fn shared_eval_dir() -> Option<PathBuf> {
    let dir = workspace_root().parent()?.join("shared").join("eval");
    if dir.is_dir() {
        Some(dir)
    } else {
        skip("evaluation data", "no folder shared/eval beside the repository");
        None
    }
}
