//! Creates a case as the package that a user would have: for set C the published sources of a
//! crate, prepared by the suite's own recipe; for set E a package of one file.

use std::path::{Path, PathBuf};

use crate::EvalError;
use crate::cases::BreakFix;
use base::SortedMap;

/// The files of a package by path below its root. Files other than UTF-8 are separate: they are
/// only copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) texts: SortedMap<String, String>,
    pub(crate) blobs: SortedMap<String, Vec<u8>>,
}

/// Parts of a published crate that a stand-alone package does not need.
const LEFT_OUT: [&str; 10] = [
    ".cargo-ok",
    ".cargo_vcs_info.json",
    "Cargo.toml.orig",
    "benches",
    "examples",
    "Cargo.lock",
    ".github",
    "target",
    "fuzz",
    ".cargo",
];

/// The folder of `package` (`name-version`) in cargo's registry, if it exists.
pub(crate) fn registry_folder(cargo_home: &Path, package: &str) -> Option<PathBuf> {
    let registries = std::fs::read_dir(cargo_home.join("registry").join("src")).ok()?;
    let mut folders: Vec<PathBuf> =
        registries.flatten().map(|entry| entry.path().join(package)).collect();
    folders.sort();
    folders.into_iter().find(|folder| folder.is_dir())
}

/// The clean package of a case of set C: published sources without benches and examples, with a
/// stand-alone manifest and the recorded lock file.
pub(crate) fn published(
    sources: &Path,
    case: &BreakFix,
    locks: &Path,
) -> Result<Package, EvalError> {
    let mut package = Package::default();
    read(sources, "", &mut package)?;
    let manifest = package.texts.get("Cargo.toml").ok_or_else(|| EvalError::Layout {
        id: case.id.clone(),
        reason: "its sources have no `Cargo.toml`".to_owned(),
    })?;
    let manifest = stand_alone(manifest, &case.drop_dev_deps);
    package.texts.insert("Cargo.toml".to_owned(), manifest);
    let lock = locks.join(format!("{}.lock", case.package()));
    match std::fs::read_to_string(&lock) {
        Ok(text) => {
            package.texts.insert("Cargo.lock".to_owned(), text);
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(EvalError::io(&lock, &error)),
    }
    Ok(package)
}

fn read(folder: &Path, below: &str, package: &mut Package) -> Result<(), EvalError> {
    let io = |error: std::io::Error| EvalError::io(folder, &error);
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let entry = entry.map_err(io)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        let kind = entry.file_type().map_err(io)?;
        if kind.is_dir() {
            read(&entry.path(), &path, package)?;
        } else if kind.is_file() {
            let bytes = std::fs::read(entry.path()).map_err(io)?;
            match String::from_utf8(bytes) {
                Ok(text) => {
                    package.texts.insert(path, text);
                }
                Err(error) => {
                    package.blobs.insert(path, error.into_bytes());
                }
            }
        }
    }
    Ok(())
}

/// The manifest without benches, examples, badges, profiles, lints and the development dependencies
/// in `dropped`, and with a workspace of its own.
fn stand_alone(manifest: &str, dropped: &[String]) -> String {
    let mut out = String::new();
    let mut skip = false;
    for line in manifest.lines() {
        let head = line.trim_end().strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        if let Some(head) = head {
            let head = head.trim();
            skip = matches!(head, "[bench]" | "[example]")
                || ["badges", "package.metadata", "profile", "lints"]
                    .iter()
                    .any(|start| head.starts_with(start))
                || dropped.iter().any(|name| {
                    head == format!("dev-dependencies.{name}")
                        || head.ends_with(&format!(".dev-dependencies.{name}"))
                });
        }
        if !skip && !line.starts_with("default-run ") {
            out.push_str(line);
            out.push('\n');
        }
    }
    format!("{}\n\n[workspace]\n", out.trim_end())
}

/// The package of a case of set E.
pub(crate) fn example(text: &str, edition: &str, is_program: bool) -> Package {
    let manifest = format!(
        "[package]\nname = \"case\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\n[workspace]\n"
    );
    let lock = "version = 4\n\n[[package]]\nname = \"case\"\nversion = \"0.0.0\"\n";
    let source = if is_program { "src/main.rs" } else { "src/lib.rs" };
    let texts = [("Cargo.toml", manifest.as_str()), ("Cargo.lock", lock), (source, text)];
    Package {
        texts: texts.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect(),
        blobs: SortedMap::new(),
    }
}

impl Package {
    /// The Rust sources only.
    pub(crate) fn sources(&self) -> SortedMap<String, String> {
        self.texts
            .iter()
            .filter(|(path, _)| path.ends_with(".rs"))
            .map(|(path, text)| (path.clone(), text.clone()))
            .collect()
    }

    /// Writes exactly this package to `root`.
    pub(crate) fn write(&self, root: &Path) -> Result<(), EvalError> {
        if root.exists() {
            std::fs::remove_dir_all(root).map_err(|error| EvalError::io(root, &error))?;
        }
        std::fs::create_dir_all(root).map_err(|error| EvalError::io(root, &error))?;
        let texts = self.texts.iter().map(|(path, text)| (path, text.as_bytes()));
        let blobs = self.blobs.iter().map(|(path, bytes)| (path, bytes.as_slice()));
        for (path, bytes) in texts.chain(blobs) {
            let path = root.join(path);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(|error| EvalError::io(folder, &error))?;
            }
            std::fs::write(&path, bytes).map_err(|error| EvalError::io(&path, &error))?;
        }
        Ok(())
    }

    /// This package with the present texts of its files at `root`, and of new Rust files. Removed
    /// files are missing.
    pub(crate) fn reread(&self, root: &Path) -> Result<Package, EvalError> {
        let mut found = Package::default();
        read(root, "", &mut found)?;
        // `read` does not include the lock file.
        if let Some(lock) = self.texts.get("Cargo.lock") {
            found.texts.insert("Cargo.lock".to_owned(), lock.clone());
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_made_to_stand_alone() {
        let manifest = "[package]\nname = \"a\"\ndefault-run = \"x\"\n\n[[bench]]\nname = \"b\"\n\n\
            [dependencies.c]\nversion = \"1\"\n\n[dev-dependencies.d]\nversion = \"1\"\n\n\
            [target.'cfg(unix)'.dev-dependencies.d]\nversion = \"1\"\n\n[lints.rust]\nx = \"warn\"\n\n\
            [features]\nstd = []\n";
        assert_eq!(
            stand_alone(manifest, &["d".to_owned()]),
            "[package]\nname = \"a\"\n\n[dependencies.c]\nversion = \"1\"\n\n[features]\nstd = []\n\n[workspace]\n"
        );
    }

    #[test]
    fn what_is_written_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("case");
        let package = example("fn main() {}\n", "2021", true);
        package.write(&root).unwrap();
        std::fs::write(root.join("left.rs"), "").unwrap();
        package.write(&root).unwrap();
        assert_eq!(package.reread(&root).unwrap(), package);
    }

    #[test]
    fn published_sources_come_without_benches_and_with_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path();
        let sources = home.join("registry/src/index/a-1.0.0");
        for (path, text) in [
            ("Cargo.toml", "[package]\nname = \"a\"\n"),
            ("src/lib.rs", "fn a() {}\n"),
            ("benches/b.rs", ""),
            (".cargo-ok", ""),
        ] {
            let path = sources.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        std::fs::write(home.join("a-1.0.0.lock"), "version = 4\n").unwrap();
        let case = serde_json::from_str::<BreakFix>(
            r#"{"id":"a-1","crate":"a","version":"1.0.0","class":"x","has_tests":true,"breaks":"compile","patch":""}"#,
        )
        .unwrap();
        assert_eq!(registry_folder(home, "a-1.0.0").unwrap(), sources);
        assert_eq!(registry_folder(home, "a-2.0.0"), None);
        let package = published(&sources, &case, home).unwrap();
        let paths: Vec<&str> = package.texts.keys().map(String::as_str).collect();
        assert_eq!(paths, ["Cargo.lock", "Cargo.toml", "src/lib.rs"]);
    }
}
