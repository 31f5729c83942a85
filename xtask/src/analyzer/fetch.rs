//! Downloads and unpacks Debian's packages of rust-analyzer, without touching the machine's apt.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::LAUNCH;
use super::sources::mirror;

/// The packages to install; apt resolves their dependencies.
const PACKAGES: [&str; 2] = ["rust-analyzer", "rust-src"];
/// Debian's suite with the newest rust-analyzer: it must not be older than the toolchain.
const SUITE: &str = "unstable";
/// Debian's keys, if the machine has them outside of apt's own folder.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
/// How old a signed index may be: mirrors lag behind, and the index of this suite expires within
/// days. What it names is still checked against its signature.
const INDEX_SECONDS: u32 = 60 * 24 * 3600;

/// Downloads the packages with an apt that has its own folders below `work` (of the machine's apt
/// only its mirror, proxies and keys are read, nothing is written), unpacks them into
/// `folder/VERSION`, and returns the version.
pub(super) fn fetch(work: &Path, folder: &Path) -> Result<String, String> {
    let lists = source_lists();
    let os_release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let mirror = mirror(&os_release, &lists)
        .ok_or("packages of it are taken from Debian's mirror, and this machine names none")?;
    fs::create_dir_all(folder).map_err(|err| format!("cannot make {}: {err}", folder.display()))?;
    // Two set-ups at once would unpack into each other.
    let lock = folder.join(".lock");
    let lock = fs::File::create(&lock).and_then(|file| file.lock().map(|()| file));
    let _lock = lock.map_err(|err| format!("cannot lock {}: {err}", folder.display()))?;

    remove(work)?;
    let apt = Apt::new(work, &mirror)?;
    println!("  fetching rust-analyzer for the tests: about 120 MB, kept in {}", folder.display());
    apt.get(&["update"])?;
    let plan = apt.get(&[&["install", "--simulate"], &PACKAGES[..]].concat())?;
    let version = planned_version(&plan)
        .ok_or_else(|| format!("apt offers no rust-analyzer: {}", last_line(&plan)))?;
    let done = folder.join(&version);
    if !done.join(LAUNCH).is_file() {
        apt.get(&[&["install", "--download-only", "--yes"], &PACKAGES[..]].concat())?;
        let unpacked = folder.join(".unpack");
        remove(&unpacked)?;
        unpack(&apt.archives(), &unpacked)?;
        let launch = launch(&unpacked)?;
        fs::write(unpacked.join(LAUNCH), launch)
            .and_then(|()| remove(&done).map_err(std::io::Error::other))
            .and_then(|()| fs::rename(&unpacked, &done))
            .map_err(|err| format!("cannot finish {}: {err}", done.display()))?;
    }
    remove(work)?;
    Ok(version)
}

/// An apt with its own configuration, lists and cache.
struct Apt {
    work: PathBuf,
}

impl Apt {
    fn new(work: &Path, mirror: &str) -> Result<Self, String> {
        let io = |err: std::io::Error| format!("cannot set up {}: {err}", work.display());
        for dir in ["lists/partial", "cache/archives/partial", "parts", "log"] {
            fs::create_dir_all(work.join(dir)).map_err(io)?;
        }
        // Its list of installed packages is empty, so that all dependencies are downloaded.
        fs::write(work.join("status"), "").map_err(io)?;
        let signed = if Path::new(KEYRING).is_file() {
            format!("Signed-By: {KEYRING}\n")
        } else {
            String::new()
        };
        let source =
            format!("Types: deb\nURIs: {mirror}\nSuites: {SUITE}\nComponents: main\n{signed}");
        fs::write(work.join("apt.sources"), source).map_err(io)?;
        let at = work.display();
        let mut conf = format!(
            "Dir::State \"{at}\";\nDir::State::status \"{at}/status\";\n\
             Dir::State::lists \"{at}/lists\";\nDir::Cache \"{at}/cache\";\nDir::Log \"{at}/log\";\n\
             Dir::Etc::main \"-\";\nDir::Etc::parts \"{at}/parts\";\n\
             Dir::Etc::preferences \"-\";\nDir::Etc::preferencesparts \"{at}/parts\";\n\
             Dir::Etc::sourcelist \"{at}/apt.sources\";\nDir::Etc::sourceparts \"{at}/parts\";\n\
             APT::Install-Recommends \"false\";\nAcquire::Languages \"none\";\n\
             APT::Sandbox::User \"\";\nAcquire::Retries \"2\";\n\
             Acquire::Min-ValidTime \"{INDEX_SECONDS}\";\n"
        );
        conf.push_str(&proxies());
        fs::write(work.join("apt.conf"), conf).map_err(io)?;
        Ok(Self { work: work.to_owned() })
    }

    /// The output of `apt-get`; an error contains its last line.
    fn get(&self, args: &[&str]) -> Result<String, String> {
        let mut command = Command::new("apt-get");
        command.arg("--quiet").args(args).env("APT_CONFIG", self.work.join("apt.conf"));
        output(command.env("LC_ALL", "C").env("DEBIAN_FRONTEND", "noninteractive"))
    }

    fn archives(&self) -> PathBuf {
        self.work.join("cache").join("archives")
    }
}

/// The proxies of the machine's own apt.
fn proxies() -> String {
    let dump =
        |scope: &str| output(Command::new("apt-config").args(["dump", scope])).unwrap_or_default();
    let lines = dump("Acquire::http") + &dump("Acquire::https");
    lines.lines().filter(|line| line.to_lowercase().contains("proxy")).fold(
        String::new(),
        |mut all, line| {
            all.push_str(line);
            all.push('\n');
            all
        },
    )
}

fn source_lists() -> Vec<String> {
    let mut paths: Vec<PathBuf> = fs::read_dir("/etc/apt/sources.list.d")
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.push(PathBuf::from("/etc/apt/sources.list"));
    paths.sort();
    paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// `Inst rust-analyzer (1.97.1+dfsg1-1 Debian:unstable [amd64])`; a path part in any case.
fn planned_version(plan: &str) -> Option<String> {
    let line = plan.lines().find_map(|line| line.strip_prefix("Inst rust-analyzer ("))?;
    let version = line.split([' ', ')']).next()?;
    let is_plain = |ch: char| ch.is_ascii_alphanumeric() || "+-.~:".contains(ch);
    (version.starts_with(|ch: char| ch.is_ascii_digit()) && version.chars().all(is_plain))
        .then(|| version.to_owned())
}

/// Unpacks all packages; of the compiler's sources only the standard library is kept.
fn unpack(archives: &Path, into: &Path) -> Result<(), String> {
    let io = |err: std::io::Error| format!("cannot unpack into {}: {err}", into.display());
    fs::create_dir_all(into).map_err(io)?;
    for entry in fs::read_dir(archives).map_err(io)?.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "deb") {
            output(Command::new("dpkg-deb").arg("--extract").arg(&path).arg(into))?;
        }
    }
    remove(&into.join("usr/share"))?;
    for sources in children(&into.join("usr/src")) {
        for child in children(&sources) {
            if child.file_name().is_some_and(|name| name != "library") {
                remove(&child)?;
            }
        }
    }
    Ok(())
}

/// The content of [`LAUNCH`]: the loader of the unpacked C library starts the unpacked program,
/// because both may be newer than the machine's.
fn launch(root: &Path) -> Result<String, String> {
    let library_folders: Vec<PathBuf> =
        children(&root.join("usr/lib")).into_iter().filter(|path| path.is_dir()).collect();
    let libraries = library_folders.iter().find(|path| path.join("libc.so.6").is_file());
    let loader = libraries.and_then(|path| {
        children(path).into_iter().find(|file| {
            file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ld-linux"))
        })
    });
    let std = children(&root.join("usr/src")).into_iter().map(|path| path.join("library"));
    let std = std.into_iter().find(|path| path.join("core/src/lib.rs").is_file());
    let relative = |path: Option<PathBuf>, what: &str| {
        path.and_then(|path| path.strip_prefix(root).ok().map(|path| path.display().to_string()))
            .ok_or_else(|| format!("the packages contain no {what}"))
    };
    Ok(format!(
        "graftage rust-analyzer 1\nloader={}\nlibraries={}\nprogram=usr/bin/rust-analyzer\nstd={}\n",
        relative(loader, "loader")?,
        relative(libraries.cloned(), "C library")?,
        relative(std, "standard library")?
    ))
}

/// Sorted by name; empty if there is no such folder.
fn children(path: &Path) -> Vec<PathBuf> {
    let mut children: Vec<PathBuf> = fs::read_dir(path)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    children.sort();
    children
}

fn remove(path: &Path) -> Result<(), String> {
    let removed = match path.symlink_metadata() {
        Err(_) => return Ok(()),
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    removed.map_err(|err| format!("cannot remove {}: {err}", path.display()))
}

fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|err| format!("cannot start `{name}`: {err}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("`{name}` failed: {}", last_line(&String::from_utf8_lossy(&output.stderr))))
    }
}

fn last_line(text: &str) -> String {
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_apt_s_plan() {
        let plan = "Inst libffi8 (3.8.0-2 Debian:unstable [amd64])\n\
            Inst rust-analyzer (1.97.1+dfsg1-1 Debian:unstable [amd64])\n";
        assert_eq!(planned_version(plan).as_deref(), Some("1.97.1+dfsg1-1"));
        assert_eq!(planned_version("Inst rust-analyzer (../x y)"), None);
        assert_eq!(planned_version(""), None);
    }
}
