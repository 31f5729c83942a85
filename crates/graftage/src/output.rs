//! Output as text and as JSON.

use std::fmt::Write as _;
use std::io::Write as _;

use anstyle::Style;
use serde::Serialize;
use tools::ReportedDiagnostic;

use crate::exit::{Failure, Status};
pub(crate) use crate::shown::{brief, page, safe};
use crate::shown::{json_text, sealed};
use crate::style::{ADDED, HUNK, REMOVED};
pub(crate) use crate::style::{BAD, BOLD, DIM, GOOD, WARN, paint};

/// Writes a JSON document to standard output.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(value).map_err(|error| Failure {
        status: Status::Internal,
        message: format!("cannot write the result as JSON: {error}"),
        hint: None,
    })?;
    text.push('\n');
    Ok(std::io::stdout().lock().write_all(json_text(&text).as_bytes())?)
}

/// Writes a JSON document as one line to standard output.
pub(crate) fn json_line(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string(value).map_err(|error| Failure {
        status: Status::Internal,
        message: format!("cannot write the result as JSON: {error}"),
        hint: None,
    })?;
    text.push('\n');
    let mut out = std::io::stdout().lock();
    out.write_all(json_text(&text).as_bytes())?;
    Ok(out.flush()?)
}

/// Writes text to standard output.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(sealed(text).as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// Writes a note to standard error; errors are ignored.
pub(crate) fn note(text: &str) {
    let mut err = anstream::stderr().lock();
    if writeln!(err, "{}", sealed(text)).is_err() {}
}

/// Writes the error of a command to standard error, and with `as_json` to standard output.
pub(crate) fn failure(as_json: bool, failure: &Failure) {
    if failure.status == Status::Done {
        return;
    }
    let mut text = format!("{}: {}", paint(BAD, "error"), page(&failure.message));
    if let Some(hint) = &failure.hint {
        let _ = write!(text, "\n  {}: {}", paint(BOLD, "hint"), safe(hint));
    }
    note(&text);
    if as_json {
        let document = serde_json::json!({
            "error": { "message": failure.message, "hint": failure.hint, "status": failure.status as u8 },
        });
        if json(&document).is_err() {}
    }
}

/// A unified diff in colours, with control characters escaped.
pub(crate) fn diff(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let style = if line.starts_with("+++") || line.starts_with("---") {
            BOLD
        } else if line.starts_with("@@") {
            HUNK
        } else if line.starts_with('+') {
            ADDED
        } else if line.starts_with('-') {
            REMOVED
        } else {
            Style::new()
        };
        let _ = writeln!(out, "{}", paint(style, &safe(line)));
    }
    out
}

/// A unified diff as by [`diff`], with the number of lines in place of those of a lock file, which hold
/// what cargo chose and are longer than what a person changed.
pub(crate) fn diff_without_lock(text: &str) -> String {
    let starts = text.match_indices("diff --git ").map(|it| it.0);
    let mut starts: Vec<usize> =
        starts.filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n').collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let parts = starts.iter().copied().zip(ends).map(|(start, end)| &text[start..end]);
    parts.map(|part| lock_lines(part).unwrap_or_else(|| diff(part))).collect()
}

/// The line in place of the diff of a lock file; `None` for another file.
fn lock_lines(part: &str) -> Option<String> {
    let mut lines = part.lines();
    let path = lines.next()?.rsplit_once(" b/")?.1;
    if path != "Cargo.lock" && !path.ends_with("/Cargo.lock") {
        return None;
    }
    let hunks = lines.skip_while(|it| !it.starts_with("@@"));
    let (mut added, mut removed) = (0, 0);
    for line in hunks {
        added += usize::from(line.starts_with('+'));
        removed += usize::from(line.starts_with('-'));
    }
    let path = paint(BOLD, &safe(path));
    let added = base::counted(added, "line");
    Some(format!("{path}: {added} added, {removed} removed (`--json` has them)\n"))
}

/// A diagnostic with its location: `error[E0308]: mismatched types`.
pub(crate) fn diagnostic(row: &ReportedDiagnostic) -> String {
    let (style, word) = match row.severity {
        base::Severity::Error => (BAD, "error"),
        base::Severity::Warning => (WARN, "warning"),
        base::Severity::Note => (BOLD, "note"),
        base::Severity::Help => (BOLD, "help"),
    };
    let code = row.code.as_ref().map(|code| format!("[{}]", brief(code))).unwrap_or_default();
    let mut text = format!("{}: {}", paint(style, &format!("{word}{code}")), brief(&row.message));
    if let Some(file) = &row.file {
        let line = match (row.line, row.changed_line) {
            (Some(line), _) => format!(":{line}"),
            (None, Some(line)) => format!(":{line} with the change"),
            (None, None) => String::new(),
        };
        let item = row.item.as_ref().map(|item| format!(" in `{}`", safe(item)));
        let _ = write!(
            text,
            "\n  {} {}{line}{}",
            paint(DIM, "-->"),
            safe(file),
            item.unwrap_or_default()
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_lock_file_are_a_number() {
        let lock = "diff --git a/Cargo.lock b/Cargo.lock\n--- a/Cargo.lock\n+++ b/Cargo.lock\n\
                    @@ -1,2 +1,2 @@\n a\n--- b\n+++ c\n";
        let code = "diff --git a/src/lib.rs b/src/lib.rs\n--- a/src/lib.rs\n+++ b/src/lib.rs\n\
                    @@ -1 +1 @@\n-old\n+diff --git a/Cargo.lock b/Cargo.lock\n";
        let shown = diff_without_lock(&format!("{lock}{code}"));
        assert!(shown.contains("1 line added, 1 removed"), "{shown}");
        assert!(!shown.contains("-- b"), "{shown}");
        assert!(shown.ends_with(&diff(code)), "{shown}");
        assert_eq!(diff_without_lock(code), diff(code));
    }
}
