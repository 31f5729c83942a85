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

#[test]
fn credentials_are_never_shown() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path();
    for name in ["registry", "git", "bin"] {
        std::fs::create_dir(home.join(name)).unwrap();
    }
    for name in ["credentials.toml", "credentials", "config.toml"] {
        std::fs::write(home.join(name), "").unwrap();
    }
    let shown: Vec<_> = registry_mounts(home, false)
        .iter()
        .map(|mount| mount.inside().strip_prefix(home).unwrap().display().to_string())
        .collect();
    assert_eq!(shown, ["registry", "git", "config.toml"]);
}
