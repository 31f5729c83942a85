use super::*;

#[test]
fn a_failure_is_told_without_progress() {
    let stderr = b"    Updating index\nwarning: w\nerror: no matching package named `x` found\nlocation searched: index\n   Compiling a\n";
    assert_eq!(
        failure_text(stderr),
        "error: no matching package named `x` found\nlocation searched: index"
    );
    assert_eq!(failure_text(b""), "");
}

#[test]
fn a_missing_dependency_is_told_from_a_broken_manifest() {
    assert!(is_missing_dependency("error: no matching package named `serde` found"));
    assert!(is_missing_dependency("you may be in offline mode, --offline was specified"));
    assert!(!is_missing_dependency("error: failed to parse manifest at `/p/Cargo.toml`"));
}

fn said(message: &str, rendered: &str, line: Option<&str>) -> Diagnostic {
    let span = line.map(|name| {
        let at = base::LineCol { line: 1, col: 1 };
        base::DiagnosticSpan {
            place: base::DiagnosticFile::Foreign(name.to_owned()),
            bytes: base::ByteSpan::new(0, 1),
            start: at,
            end: at,
            primary: true,
            label: None,
            expansion: None,
        }
    });
    Diagnostic {
        severity: base::Severity::Error,
        code: None,
        message: message.to_owned(),
        spans: span.into_iter().collect(),
        children: Vec::new(),
        rendered: Some(rendered.to_owned()),
        package: None,
        target: None,
    }
}

#[test]
fn a_full_disk_is_told_from_broken_code() {
    let full = "error: failed to write `target/x.rmeta`: No space left on device (os error 28)";
    assert!(disk_full(&[said("failed to write", full, None)], b"").is_some());
    assert!(disk_full(&[], full.as_bytes()).is_some());
    let caused =
        b"error: failed to write `x`\n\nCaused by:\n  No space left on device (os error 28)";
    assert!(disk_full(&[], caused).is_some());
    let linker = "error: linking with `cc` failed: exit status: 1\n  = note: collect2: fatal error: \
                  ld terminated with signal 7 [Bus error]";
    assert!(disk_full(&[said("linking with `cc` failed", linker, None)], b"").is_some());
    // What the project's own code says is no sign.
    assert_eq!(disk_full(&[said("x", full, Some("src/lib.rs"))], b"warning: [Bus error]"), None);
    assert_eq!(disk_full(&[said("linking with `cc` failed", "undefined symbol", None)], b""), None);
}
