//! The packages inside the program, with the texts of their licences.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::failed;
use crate::Failure;
use crate::deny;
use crate::run::{cargo, output};

/// Name, version and licence of each package of others in the program.
pub(super) fn packages(
    root: &Path,
    target: &str,
) -> Result<Vec<(String, String, String)>, Failure> {
    let tree =
        ["tree", "--package", "graftage", "--edges", "normal", "--prefix", "none", "--format"];
    let mut command = cargo(root, &tree);
    command.args(["{p}|{l}", "--target", target, "--locked", "--offline"]);
    let mut packages = deny::packages(&output(&mut command)?);
    packages.retain(|it| it.0 != "graftage" && !it.0.starts_with("graftage-"));
    Ok(packages)
}

/// The texts of the licences, by package. A package without any is named with what its manifest declares.
pub(super) fn texts(
    packages: &[(String, String, String)],
    cargo_home: &Path,
) -> Result<String, Failure> {
    let registries = folders(&cargo_home.join("registry/src"))?;
    let mut text =
        "The program has code of these packages, each under its own licence.\n".to_owned();
    for (name, version, licence) in packages {
        let version = version.trim_start_matches('v');
        let _ = write!(text, "\n{}\n{name} {version}: {licence}\n", "=".repeat(80));
        let folder = registries.iter().map(|it| it.join(format!("{name}-{version}")));
        let Some(folder) = folder.into_iter().find(|it| it.is_dir()) else {
            let fix = "fetch the dependencies first: `cargo fetch --locked`";
            return Err(Failure::Missing(format!("no sources of {name} {version}; {fix}")));
        };
        for file in licence_files(&folder)? {
            let bytes = fs::read(&file).map_err(failed(&file))?;
            let name = file.strip_prefix(&folder).unwrap_or(&file).display();
            let _ =
                write!(text, "\n--- {name}\n\n{}\n", String::from_utf8_lossy(&bytes).trim_end());
        }
    }
    Ok(text)
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(failed(folder))?;
    let mut found: Vec<PathBuf> =
        entries.flatten().map(|it| it.path()).filter(|it| it.is_dir()).collect();
    found.sort();
    Ok(found)
}

/// The files of a package that are named as licences are, also those of code that it has of others.
fn licence_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let (mut found, mut queue) = (Vec::new(), vec![(folder.to_owned(), 0)]);
    while let Some((folder, depth)) = queue.pop() {
        for entry in fs::read_dir(&folder).map_err(failed(&folder))?.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < 3 => queue.push((path, depth + 1)),
                Ok(kind) if kind.is_file() && is_licence(&entry.file_name().to_string_lossy()) => {
                    found.push(path);
                }
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_licence(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let is_code = [".RS", ".C", ".H", ".TOML", ".PY", ".SH"].iter().any(|it| name.ends_with(it));
    let begins = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT", "UNLICENSE"];
    !is_code && begins.iter().any(|it| name.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_licences_are_no_code() {
        for (name, expected) in [
            ("LICENSE-MIT", true),
            ("license.md", true),
            ("COPYING", true),
            ("NOTICE.txt", true),
            ("licences.rs", false),
            ("README.md", false),
        ] {
            assert_eq!(is_licence(name), expected, "{name}");
        }
    }
}
