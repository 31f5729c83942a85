//! rust-analyzer for test machines: Debian's packages of it, its libraries and the sources of the
//! standard library, unpacked into a folder of their own in the user's cache and started by their
//! own loader. Nothing is installed, and no program of the machine is changed.
//!
//! Not needed if the toolchain has the components `rust-analyzer` and `rust-src`.

mod fetch;
mod sources;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{cargo, first_line};

/// The file that `graftage_analyzer::locate` reads; written last, so that its folder is complete.
const LAUNCH: &str = "launch";
/// The folder of the component `rust-src`, below the sysroot.
const COMPONENT: &str = "lib/rustlib/src/rust/library";
/// A file that every folder of the sources contains.
const CORE: &str = "core/src/lib.rs";

/// Finds rust-analyzer for the tests, or downloads it; returns its version and source as text. An
/// error is the reason why there is none.
pub(crate) fn provide(root: &Path) -> Result<String, String> {
    if let Some(version) = component(root) {
        return Ok(format!("{version}, the toolchain's component"));
    }
    let cache = cache_dir().ok_or("neither `HOME` nor `XDG_CACHE_HOME` is set")?;
    let folder = cache.join("rust-analyzer");
    let needed = toolchain_minor(root);
    if let Some(version) = newest(&folder, needed) {
        return Ok(format!("{version}, unpacked in {}", folder.display()));
    }
    let version = fetch::fetch(&crate::run::target_dir(root).join("xtask").join("apt"), &folder)?;
    match newest(&folder, needed) {
        Some(found) => Ok(format!("{found}, unpacked in {}", folder.display())),
        None => Err(format!("rust-analyzer {version} is older than the toolchain")),
    }
}

/// The version of the toolchain's own rust-analyzer, if the toolchain also has the sources of the
/// standard library.
fn component(root: &Path) -> Option<String> {
    let sysroot = sysroot(root)?;
    let program = sysroot.join("bin").join("rust-analyzer");
    if !program.is_file() || !sysroot.join(COMPONENT).join(CORE).is_file() {
        return None;
    }
    first_line(Command::new(program).arg("--version"))
}

/// The sources of the standard library that set-up found or downloaded: their folder and release.
pub(crate) fn std_sources(root: &Path) -> Option<(PathBuf, String)> {
    let folder = sysroot(root).map(|sysroot| sysroot.join(COMPONENT));
    if let Some(folder) = folder.filter(|folder| folder.join(CORE).is_file()) {
        let version = first_line(&mut cargo(root, &["--version"]))?;
        return Some((folder, version.split(' ').nth(1)?.to_owned()));
    }
    let unpacked = cache_dir()?.join("rust-analyzer");
    let mut found: Vec<(u32, PathBuf, String)> = std::fs::read_dir(unpacked)
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let release = name.split(['+', '-']).next()?.to_owned();
            let folder = launch_field(&entry.path(), "std")?;
            Some((minor(&name)?, folder, release))
        })
        .filter(|(_, folder, _)| folder.join(CORE).is_file())
        .collect();
    found.sort();
    found.pop().map(|(_, folder, release)| (folder, release))
}

fn sysroot(root: &Path) -> Option<PathBuf> {
    // The `rustc` beside the `cargo` that runs us, if `CARGO` is set: not another toolchain's.
    let rustc = std::env::var_os("CARGO")
        .map(|cargo| PathBuf::from(cargo).with_file_name("rustc"))
        .filter(|rustc| rustc.is_file())
        .unwrap_or_else(|| PathBuf::from("rustc"));
    let sysroot = first_line(Command::new(rustc).current_dir(root).args(["--print", "sysroot"]));
    sysroot.map(PathBuf::from)
}

/// The folder of graftage in the user's cache, the same as that of the product.
fn cache_dir() -> Option<PathBuf> {
    let get = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(own) = get("GRAFTAGE_HOME") {
        return Some(PathBuf::from(own).join("cache"));
    }
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let cache = get("XDG_CACHE_HOME").map(PathBuf::from).and_then(absolute);
    let cache = cache.or_else(|| Some(PathBuf::from(get("HOME")?).join(".cache")))?;
    Some(cache.join("graftage"))
}

/// The minor version of the Rust toolchain of the tests: 95 for `rustc 1.95.0`.
fn toolchain_minor(root: &Path) -> u32 {
    let version = first_line(&mut cargo(root, &["--version"])).unwrap_or_default();
    minor(version.split(' ').nth(1).unwrap_or_default()).unwrap_or(0)
}

fn minor(version: &str) -> Option<u32> {
    let mut parts = version.split(['.', '+', '-']);
    (parts.next()? == "1").then(|| parts.next()?.parse().ok())?
}

/// The version that the newest complete folder prints, if it is new enough: an older rust-analyzer
/// does not support the toolchain's protocol for procedural macros.
fn newest(folder: &Path, needed: u32) -> Option<String> {
    let mut versions: Vec<(u32, PathBuf)> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(|entry| Some((minor(entry.file_name().to_str()?)?, entry.path())))
        .filter(|(minor, path)| *minor >= needed && path.join(LAUNCH).is_file())
        .collect();
    versions.sort();
    versions.iter().rev().find_map(|(_, path)| start(path))
}

/// `rust-analyzer --version` of an unpacked folder.
fn start(root: &Path) -> Option<String> {
    let field = |name: &str| launch_field(root, name);
    let args = [OsStr::new("--library-path"), field("libraries")?.as_os_str()].map(OsStr::to_owned);
    let mut command = Command::new(field("loader")?);
    first_line(command.args(args).arg(field("program")?).arg("--version"))
}

/// A path of the file that describes an unpacked folder.
fn launch_field(root: &Path, name: &str) -> Option<PathBuf> {
    let text = std::fs::read_to_string(root.join(LAUNCH)).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
    Some(root.join(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_release() {
        assert_eq!(minor("1.97.1+dfsg1-1"), Some(97));
        assert_eq!(minor("1.95.0"), Some(95));
        assert_eq!(minor("2.0"), None);
        assert_eq!(minor(".unpack"), None);
    }

    #[test]
    fn a_folder_that_is_not_whole_is_not_taken() {
        let folder = std::env::temp_dir().join(format!("graftage-xtask-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("1.97.1")).unwrap();
        let found = newest(&folder, 90);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, None);
    }
}
