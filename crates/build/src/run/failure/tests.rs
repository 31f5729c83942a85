//! What cargo prints when it fails, and the failure that is read from it.

use super::*;

#[test]
fn a_failure_is_reported_without_progress() {
    let stderr = b"    Updating index\nwarning: w\nerror: no matching package named `x` found\nlocation searched: index\n   Compiling a\n";
    assert_eq!(
        failure_text(stderr),
        "error: no matching package named `x` found\nlocation searched: index"
    );
    assert_eq!(failure_text(b""), "");
}

fn error(message: &str, rendered: &str, file: Option<&str>) -> Diagnostic {
    let span = file.map(|file| {
        let path = base::ProjectPath::new(file).unwrap();
        base::DiagnosticSpan::primary(&path, "x", base::ByteSpan::new(0, 1))
    });
    Diagnostic {
        spans: span.into_iter().collect(),
        rendered: Some(rendered.to_owned()),
        ..Diagnostic::new(base::Severity::Error, message)
    }
}

#[test]
fn a_full_disk_differs_from_broken_code() {
    let full = "error: failed to write `target/x.rmeta`: No space left on device (os error 28)";
    assert!(disk_full(&[error("failed to write", full, None)], b"").is_some());
    assert!(disk_full(&[], full.as_bytes()).is_some());
    let caused =
        b"error: failed to write `x`\n\nCaused by:\n  No space left on device (os error 28)";
    assert!(disk_full(&[], caused).is_some());
    let linker = "error: linking with `cc` failed: exit status: 1\n  = note: collect2: fatal error: \
                  ld terminated with signal 7 [Bus error]";
    assert!(disk_full(&[error("linking with `cc` failed", linker, None)], b"").is_some());
    // Output of the project's own code does not count.
    assert_eq!(disk_full(&[error("x", full, Some("src/lib.rs"))], b"warning: [Bus error]"), None);
    assert_eq!(
        disk_full(&[error("linking with `cc` failed", "undefined symbol", None)], b""),
        None
    );
}
