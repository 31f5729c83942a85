//! Why a run failed, read from what cargo printed.

use base::Diagnostic;
use sandbox::Outcome;

/// Standard error of cargo from the first `error` on, without progress lines.
pub(crate) fn failure_text(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| line.starts_with("error")).unwrap_or(0);
    let kept: Vec<&str> = lines
        .get(start..)
        .unwrap_or_default()
        .iter()
        .copied()
        .filter(|line| !is_progress(line))
        .take(200)
        .collect();
    kept.join("\n").trim().to_owned()
}

fn is_progress(line: &str) -> bool {
    let word = line.trim_start().split(' ').next().unwrap_or_default();
    line.starts_with(' ')
        && matches!(
            word,
            "Compiling"
                | "Checking"
                | "Finished"
                | "Fresh"
                | "Dirty"
                | "Blocking"
                | "Locking"
                | "Updating"
                | "Downloading"
                | "Downloaded"
                | "Adding"
                | "Executable"
                | "Running"
                | "Building"
        )
}

pub(super) fn is_build_script_failure(stderr: &[u8]) -> bool {
    String::from_utf8_lossy(stderr).contains("failed to run custom build command")
}

/// Why the build failed for lack of disk space, if it did. Only messages without a position in the
/// code count, since the project could print the others.
pub(super) fn disk_full(diagnostics: &[Diagnostic], stderr: &[u8]) -> Option<&'static str> {
    const NO_SPACE: &str = "No space left on device";
    let stderr = String::from_utf8_lossy(stderr);
    let failure = stderr.lines().any(|line| {
        let line = line.trim_start();
        line.contains(NO_SPACE) && (line.starts_with("error:") || line.starts_with(NO_SPACE))
    });
    let errors = diagnostics.iter().filter(|it| it.is_error() && it.spans.is_empty());
    let mut messages = errors.map(|it| it.rendered.as_deref().unwrap_or(&it.message));
    if failure || messages.clone().any(|text| text.contains(NO_SPACE)) {
        return Some("no space is left on the disk");
    }
    // The linker writes through mapped memory, and dies if there is no space.
    messages
        .any(|text| text.contains("linking with") && text.contains("[Bus error]"))
        .then_some("the linker died of a bus error, as it does on a full disk")
}

/// Why a run without diagnostics failed.
pub(super) fn failure_reason(outcome: &Outcome) -> String {
    if outcome.cancelled {
        return "interrupted".to_owned();
    }
    if outcome.timed_out {
        return format!("stopped after {} s: time is up", outcome.duration.as_secs());
    }
    if outcome.out_of_memory {
        return "stopped: the memory limit was reached".to_owned();
    }
    let text = failure_text(&outcome.stderr);
    if text.is_empty() { format!("cargo ended with status {}", outcome.exit_code) } else { text }
}

#[cfg(test)]
mod tests;
