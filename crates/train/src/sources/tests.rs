//! Which crates are selected for training, and which lists of them are rejected.

use super::*;

fn sample_home() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let crates = [
        ("free", "1.2.0", "MIT", "https://example.org/a/free"),
        ("free", "1.10.0", "MIT", "https://example.org/a/free"),
        ("copyleft", "0.1.0", "GPL-3.0-only", "https://example.org/a/copyleft"),
        ("excluded-core", "0.1.0", "MIT", "https://example.org/b/excluded"),
        ("mate", "0.1.0", "MIT", "https://example.org/b/excluded.git"),
    ];
    let lock = dir.path().join("sources/one");
    std::fs::create_dir_all(&lock).unwrap();
    let mut packages = String::new();
    for (name, version, licence, repository) in crates {
        let folder = dir.path().join(format!("home/registry/src/x/{name}-{version}"));
        std::fs::create_dir_all(&folder).unwrap();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"{version}\"\nlicense = \"{licence}\"\n\
             repository = \"{repository}\"\n"
        );
        std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        packages.push_str(&format!(
            "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nchecksum = \"{name}{version}\"\n"
        ));
    }
    std::fs::write(lock.join("Cargo.lock"), packages).unwrap();
    dir
}

fn parts(dir: &Path) -> (SortedMap<(String, String), String>, Registry, Exclusion) {
    let locked = locked_checksums(&dir.join("sources")).unwrap();
    let registry = Registry::below(&dir.join("home")).unwrap();
    (locked, registry, Exclusion::new("excluded\n", "example.org/b/excluded\n"))
}

#[test]
fn permissive_crates_outside_the_evaluation_sets_are_pinned_at_their_newest_version() {
    let dir = sample_home();
    let (locked, registry, exclusion) = parts(dir.path());
    let pins = select_pins(&locked, &registry, &exclusion).unwrap();
    let lines: Vec<String> = pins.iter().map(Pin::to_string).collect();
    assert_eq!(lines, ["free 1.10.0 free1.10.0 MIT"]);
    let list = dir.path().join("crates.txt");
    std::fs::write(&list, lines.join("\n")).unwrap();
    assert_eq!(read_pins(&list).unwrap(), pins);
    assert_eq!(verified_folders(&pins, &locked, &registry, &exclusion).unwrap().len(), 1);
}

#[test]
fn a_list_with_an_excluded_or_unlocked_pin_is_rejected() {
    let dir = sample_home();
    let (locked, registry, exclusion) = parts(dir.path());
    let error_of = |name: &str, version: &str, checksum: &str| {
        let pin = Pin {
            name: name.to_owned(),
            version: version.to_owned(),
            checksum: checksum.to_owned(),
            licence: "MIT".to_owned(),
        };
        verified_folders(&[pin], &locked, &registry, &exclusion).unwrap_err()
    };
    let excluded = error_of("excluded-core", "0.1.0", "excluded-core0.1.0");
    assert!(matches!(excluded, TrainError::Excluded { .. }));
    assert!(matches!(error_of("mate", "0.1.0", "mate0.1.0"), TrainError::Excluded { .. }));
    assert!(matches!(error_of("copyleft", "0.1.0", "copyleft0.1.0"), TrainError::Licence { .. }));
    assert!(matches!(error_of("free", "1.2.0", "other"), TrainError::Unlocked { .. }));
    assert!(matches!(error_of("none", "1.0.0", "none1.0.0"), TrainError::Unlocked { .. }));
}
