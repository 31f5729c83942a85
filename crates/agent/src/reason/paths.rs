//! The files that no model may touch, by path alone.
//!
//! A model edits Rust source text. What decides how code is built, tested, checked or trusted –
//! manifests, lock files, configuration, build scripts, procedural macros, tests, policy – is a
//! person's.

use base::ProjectPath;
use edit::Files;
use preserve::ManifestPackage;

/// Directories whose files are outputs or code of others.
const CLOSED_DIRECTORIES: &[&str] = &["target", "vendor"];
/// Directories whose files are tests.
const TEST_DIRECTORIES: &[&str] = &["benches", "tests"];
/// Maximum number of bytes of a path.
const MAX_PATH: usize = 200;

/// Why a model may not touch the file of this path; `None` if it may.
pub(super) fn path_fault(path: &ProjectPath) -> Option<&'static str> {
    let text = path.as_str();
    if text.len() > MAX_PATH {
        return Some("its path is too long");
    }
    if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte)) {
        return Some("its path has a character other than letters, digits, `_`, `-`, `.` and `/`");
    }
    let lower = text.to_ascii_lowercase();
    if lower.split('/').any(|part| part.starts_with('.')) {
        return Some("it is a hidden file or is below a hidden directory");
    }
    if !text.ends_with(".rs") {
        return Some(
            "it is not Rust source: manifests, lock files, configuration and policy are closed",
        );
    }
    if lower.split('/').any(|part| CLOSED_DIRECTORIES.contains(&part)) {
        return Some("it is an output or code of others");
    }
    policy::protected(path).map(|row| row.reason)
}

/// Whether the file is one of tests.
pub(super) fn is_of_tests(path: &ProjectPath) -> bool {
    let lower = path.as_str().to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    folders.split('/').any(|part| TEST_DIRECTORIES.contains(&part))
        || matches!(stem, "test" | "tests")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
}

/// Why the code of a file runs while the project is built; `None` if it does not.
pub(super) fn build_time_fault(files: &dyn Files, path: &ProjectPath) -> Option<&'static str> {
    match ManifestPackage::of_file(files, path) {
        Ok(package) => package_fault(&package?, path),
        Err(_) => Some("the manifest of its package does not parse"),
    }
}

fn package_fault(package: &ManifestPackage, path: &ProjectPath) -> Option<&'static str> {
    if package.is_proc_macro {
        return Some("it is part of a procedural macro, which runs while the project is built");
    }
    package.is_build_script(path).then_some("it is a build script")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(path: &str) -> Option<&'static str> {
        let path = ProjectPath::new(path).unwrap();
        path_fault(&path).or(is_of_tests(&path).then_some("tests"))
    }

    #[test]
    fn rust_source_is_open() {
        for path in ["src/lib.rs", "crates/a-b/src/x/mod.rs", "src/testing.rs", "src/attest.rs"] {
            assert_eq!(fault(path), None, "{path}");
        }
    }

    #[test]
    fn what_decides_how_code_is_built_is_closed() {
        for path in [
            "Cargo.toml",
            "CARGO.TOML",
            "Cargo.lock",
            "build.rs",
            "a/Build.rs",
            "build.RS",
            ".cargo/config.toml",
            ".github/workflows/ci.yml",
            "rust-toolchain.toml",
            "graftage.toml",
            "graftage-policy.toml",
            "clippy.toml",
            ".hidden.rs",
            "a/.b/c.rs",
            "tests/a.rs",
            "src/Tests/a.rs",
            "src/tests.rs",
            "src/parse_tests.rs",
            "src\\lib.rs",
            "src/l\u{456}b.rs",
            "C:lib.rs",
            "target/a.rs",
        ] {
            assert!(fault(path).is_some(), "{path}");
        }
    }

    #[test]
    fn build_scripts_and_procedural_macros_are_found_in_manifests() {
        let path = |text: &str| ProjectPath::new(text).unwrap();
        let at = |manifest: &str, file: &str| {
            let package = ManifestPackage::of_manifest(manifest, Some(path("m"))).unwrap();
            package_fault(&package, &path(file)).is_some()
        };
        assert!(at("[package]\nbuild = \"gen/main.rs\" # own\n", "m/gen/main.rs"));
        assert!(!at("[package]\nbuild = \"gen/main.rs\"\n", "m/src/main.rs"));
        for manifest in [
            "[lib]\nproc-macro = true\n",
            "lib = { proc-macro = true }\n",
            "lib.proc-macro = true\n",
            "[lib]\n\"proc\\u002dmacro\" = true\n",
            "[package]\ndescription = \"a\\\"[\"\n[lib]\nproc_macro = true\n",
        ] {
            assert!(at(manifest, "m/src/lib.rs"), "{manifest}");
        }
        assert!(at("package = { \"b\\u0075ild\" = 'gen/main.rs' }", "m/gen/table.rs"));
        assert!(!at("[lib]\nproc-macro = false\n", "m/src/lib.rs"));
    }
}
