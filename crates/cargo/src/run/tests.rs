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
