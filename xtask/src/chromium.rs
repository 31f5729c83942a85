//! Chromium for the tests of stories: found in the path, else installed from the distribution's packages where root
//! runs the set-up on a machine with `apt-get`.

use std::path::PathBuf;
use std::process::Command;

use crate::run::{first_line, works};

/// Programs in the order in which `world` takes them.
const PROGRAMS: &[&str] = &[
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
/// Packages of Debian, the smaller one first.
const PACKAGES: &[&str] = &["chromium-headless-shell", "chromium"];

/// Finds or installs Chromium; describes what there is or, as an error, why there is none.
pub(crate) fn provide(is_root: bool) -> Result<String, String> {
    if let Some(found) = found() {
        return Ok(found);
    }
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(["-qq", "-y"]).args(args);
        command
    };
    if !is_root || first_line(apt(&[]).arg("--version")).is_none() {
        return Err("no Chromium in the path; install one from your distribution".to_owned());
    }
    println!("  installing Chromium with apt-get: about 300 MB");
    let install = |package: &str| works(&mut apt(&["install", "--no-install-recommends", package]));
    let any = || PACKAGES.iter().any(|package| install(package));
    if !any() {
        // The lists of packages may be missing or old.
        works(&mut apt(&["update"]));
        any();
    }
    found().ok_or_else(|| "apt-get installs no package with Chromium".to_owned())
}

fn found() -> Option<String> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let is_there = |name: &&&str| folders.iter().any(|folder| folder.join(name).is_file());
    PROGRAMS.iter().find(is_there).map(|name| (*name).to_owned())
}
