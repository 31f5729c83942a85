use super::*;

fn laid_out() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let crates = [
        ("free", "1.2.0", "MIT", "https://example.org/a/free"),
        ("free", "1.10.0", "MIT", "https://example.org/a/free"),
        ("closed", "0.1.0", "GPL-3.0-only", "https://example.org/a/closed"),
        ("judged-core", "0.1.0", "MIT", "https://example.org/b/judged"),
        ("mate", "0.1.0", "MIT", "https://example.org/b/judged.git"),
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

fn parts(dir: &Path) -> (BTreeMap<(String, String), String>, Registry, Exclusion) {
    let locked = locked(&dir.join("sources")).unwrap();
    let registry = Registry::below(&dir.join("home")).unwrap();
    (locked, registry, Exclusion::new("judged\n", "example.org/b/judged\n"))
}

#[test]
fn only_free_crates_that_nobody_judges_by_are_pinned_in_their_greatest_version() {
    let dir = laid_out();
    let (locked, registry, exclusion) = parts(dir.path());
    let pins = pinnable(&locked, &registry, &exclusion).unwrap();
    let lines: Vec<String> = pins.iter().map(Pin::to_string).collect();
    assert_eq!(lines, ["free 1.10.0 free1.10.0 MIT"]);
    let list = dir.path().join("crates.txt");
    std::fs::write(&list, lines.join("\n")).unwrap();
    assert_eq!(super::pins(&list).unwrap(), pins);
    assert_eq!(checked(&pins, &locked, &registry, &exclusion).unwrap().len(), 1);
}

#[test]
fn a_list_into_which_something_slipped_is_refused() {
    let dir = laid_out();
    let (locked, registry, exclusion) = parts(dir.path());
    let refused = |name: &str, version: &str, checksum: &str| {
        let pin = Pin {
            name: name.to_owned(),
            version: version.to_owned(),
            checksum: checksum.to_owned(),
            licence: "MIT".to_owned(),
        };
        checked(&[pin], &locked, &registry, &exclusion).unwrap_err()
    };
    let judged = refused("judged-core", "0.1.0", "judged-core0.1.0");
    assert!(matches!(judged, TrainError::Excluded { .. }));
    assert!(matches!(refused("mate", "0.1.0", "mate0.1.0"), TrainError::Excluded { .. }));
    assert!(matches!(refused("closed", "0.1.0", "closed0.1.0"), TrainError::Licence { .. }));
    assert!(matches!(refused("free", "1.2.0", "other"), TrainError::Unlocked { .. }));
    assert!(matches!(refused("none", "1.0.0", "none1.0.0"), TrainError::Unlocked { .. }));
}
