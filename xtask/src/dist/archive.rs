//! The archive of a release, and sums of files. Archives are written by GNU tar and gzip with everything fixed that
//! depends on a machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::facts::Facts;
use crate::Failure;
use crate::run::{output, step};

/// Options for the same bytes from the same files.
const FIXED: &[&str] = &[
    "--sort=name",
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--format=ustar",
    "--mode=u+rw,go+r-w,a+X",
];

/// Packs a folder as `NAME.tar.gz` in `out`.
pub(super) fn tar_gz(tree: &Path, facts: &Facts, out: &Path) -> Result<PathBuf, Failure> {
    let name = facts.package_name();
    let tar = out.join(format!("{name}.tar"));
    let folder = tree.parent().unwrap_or(tree);
    let mut command = Command::new("tar");
    command.args(FIXED).arg(format!("--mtime=@{}", facts.seconds));
    command.arg("-C").arg(folder).arg("-cf").arg(&tar).arg(&name);
    step(&mut command)?;
    gzip(&[tar])?;
    Ok(out.join(format!("{name}.tar.gz")))
}

/// Compresses files in place of themselves, without their names and times.
pub(super) fn gzip(files: &[PathBuf]) -> Result<(), Failure> {
    output(Command::new("gzip").args(["-n", "-9", "-f"]).args(files)).map(drop)
}

/// Lines of `sha256sum` for these files, with their names alone.
pub(super) fn sums(files: &[PathBuf]) -> Result<String, Failure> {
    files.iter().map(|file| sum(file).map(|sum| format!("{sum}  {}\n", name(file)))).collect()
}

/// The SHA-256 of a file.
pub(super) fn sum(file: &Path) -> Result<String, Failure> {
    let text = output(Command::new("sha256sum").arg("--").arg(file))?;
    Ok(text.split(' ').next().unwrap_or_default().to_owned())
}

pub(super) fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
