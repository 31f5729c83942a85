//! Finds rust-analyzer and the standard library's sources without installing anything. Start at
//! [`locate`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use base::{Ctx, SortedMap};
use build::{HostEnv, Toolchain};
use sandbox::{Job, Level, Mount, Sandbox, View};

use crate::{AnalyzerError, Version};

/// The subfolder of the cache into which `cargo xtask setup` unpacks rust-analyzer for test machines,
/// one folder per version.
const UNPACKED: &str = "rust-analyzer";
/// The file that describes how to start the program; written last, so it marks a complete folder.
const LAUNCH: &str = "launch";
/// Most bytes of [`LAUNCH`].
const LAUNCH_BYTES: u64 = 64 << 10;
/// The first line of [`LAUNCH`].
const LAUNCH_FORMAT: &str = "graftage rust-analyzer 1";

/// Where to search for rust-analyzer.
#[derive(Clone, Debug)]
pub struct AnalyzerSearch<'a> {
    /// The path from the user's settings; if set, nothing else is tried.
    pub explicit: Option<&'a Path>,
    /// The project's toolchain, whose component is preferred.
    pub toolchain: &'a Toolchain,
    /// The user's environment.
    pub host: &'a HostEnv,
    /// Graftage's cache folder.
    pub cache_dir: &'a Path,
    /// The sandbox level without which no program is started.
    pub require: Level,
}

/// Where a rust-analyzer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalyzerSource {
    /// The user's setting.
    Setting,
    /// The component of the project's toolchain.
    Toolchain,
    /// A program on `PATH`.
    Path,
    /// The packages unpacked for a test machine.
    Unpacked,
}

impl AnalyzerSource {
    /// The name for messages.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Setting => "the setting",
            Self::Toolchain => "the toolchain's component",
            Self::Path => "PATH",
            Self::Unpacked => "the unpacked packages in the cache folder",
        }
    }
}

/// A program that may be rust-analyzer, with what is needed to start it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalyzerProgram {
    /// Where it was found.
    pub source: AnalyzerSource,
    /// The executable: rust-analyzer, or a loader that starts it.
    pub program: PathBuf,
    /// Arguments before rust-analyzer's own.
    pub leading: Vec<OsString>,
    /// Folders and files to mount besides the toolchain's.
    pub shows: Vec<PathBuf>,
    /// The `library` folder of the standard library's sources, if it has its own.
    pub std_sources: Option<PathBuf>,
}

/// A rust-analyzer that ran once and reported its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analyzer {
    /// The program and how to start it.
    pub found: AnalyzerProgram,
    /// The version it reported.
    pub version: Version,
    /// The standard library's sources to use.
    pub std_sources: PathBuf,
    /// Whether it is older than the toolchain, so that procedural macros stay unexpanded.
    pub is_degraded: bool,
}

/// Finds rust-analyzer and the standard library's sources. Tries the setting, the toolchain's
/// component, `PATH` and the unpacked packages in this order and returns the first that runs. Each
/// is run once in the sandbox for its version; nothing is installed.
///
/// # Errors
/// When none runs, when the one named by the setting does not run, or when the standard library's
/// sources are missing.
pub fn locate(
    ctx: &Ctx,
    sandbox: &Sandbox,
    search: &AnalyzerSearch<'_>,
) -> Result<Analyzer, AnalyzerError> {
    let mut tried = Vec::new();
    let mut without_sources = None;
    let mut fallback = None;
    let unpacked = unpacked(search.cache_dir);
    for found in candidates(search, &unpacked) {
        ctx.check_cancelled()?;
        let version = match probe(ctx, sandbox, &found, search.require)? {
            Ok(version) => version,
            Err(fault) if found.source == AnalyzerSource::Setting => {
                let reason = fault.to_string();
                return Err(AnalyzerError::Unusable { path: found.program, reason });
            }
            Err(fault) => {
                tried.push(format!("{}: {fault}", found.source.as_str()));
                continue;
            }
        };
        // Sources newer than the toolchain are harmless; missing ones are not.
        let sources = found.std_sources.clone().or_else(|| {
            toolchain_sources(search.toolchain)
                .or_else(|| unpacked.iter().find_map(|other| other.std_sources.clone()))
        });
        let Some(std_sources) = sources else {
            without_sources.get_or_insert(version.text);
            continue;
        };
        let is_degraded = version.is_older_than(&search.toolchain.version);
        let analyzer = Analyzer { found, version, std_sources, is_degraded };
        if !is_degraded || analyzer.found.source == AnalyzerSource::Setting {
            return Ok(analyzer);
        }
        fallback.get_or_insert(analyzer);
    }
    match (fallback, without_sources) {
        (Some(analyzer), _) => Ok(analyzer),
        (None, Some(version)) => Err(AnalyzerError::NoStdSources { version }),
        (None, None) => Err(AnalyzerError::NotFound { tried }),
    }
}

fn candidates(search: &AnalyzerSearch<'_>, unpacked: &[AnalyzerProgram]) -> Vec<AnalyzerProgram> {
    let plain = |source: AnalyzerSource, program: PathBuf| AnalyzerProgram {
        source,
        shows: vec![program.clone()],
        program,
        leading: Vec::new(),
        std_sources: None,
    };
    if let Some(program) = search.explicit {
        return vec![plain(AnalyzerSource::Setting, program.to_owned())];
    }
    let mut found = Vec::new();
    let component = search.toolchain.sysroot.join("bin").join("rust-analyzer");
    if component.is_file() {
        // The component is linked with the compiler's libraries.
        let shows = vec![component.clone(), search.toolchain.sysroot.join("lib")];
        let std_sources = toolchain_sources(search.toolchain);
        found.push(AnalyzerProgram {
            std_sources,
            shows,
            ..plain(AnalyzerSource::Toolchain, component.clone())
        });
    }
    let on_path = sandbox::programs(&search.host.path, "rust-analyzer")
        .chain(sandbox::program_in(&search.host.cargo_home.join("bin"), "rust-analyzer"))
        .filter(|path| path.file_stem().is_some_and(|stem| stem != "rustup"))
        .find(|path| *path != component);
    found.extend(on_path.map(|program| plain(AnalyzerSource::Path, program)));
    found.extend(unpacked.iter().cloned());
    found
}

/// The sources of the toolchain's component `rust-src`.
fn toolchain_sources(toolchain: &Toolchain) -> Option<PathBuf> {
    let library = toolchain.sysroot.join("lib/rustlib/src/rust/library");
    library.join("core/src/lib.rs").is_file().then_some(library)
}

/// Links the unpacked packages of one cache folder into another one. On failure the other folder has
/// none.
pub fn share_unpacked(cache_dir: &Path, with: &Path) {
    let (there, here) = (cache_dir.join(UNPACKED), with.join(UNPACKED));
    if there.is_dir() && untrusted_fs::make_own(with).is_ok() {
        let _ = std::os::unix::fs::symlink(there, here);
    }
}

/// The unpacked programs, newest version first.
fn unpacked(cache_dir: &Path) -> Vec<AnalyzerProgram> {
    let folder = cache_dir.join(UNPACKED);
    let folder = folder.canonicalize().unwrap_or(folder);
    let mut versions: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    versions.sort_by_key(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let numbers: Vec<u32> = name
            .unwrap_or_default()
            .split(|ch: char| !ch.is_ascii_digit())
            .filter_map(|part| part.parse().ok())
            .collect();
        std::cmp::Reverse(numbers)
    });
    versions.iter().filter_map(|root| read_launch(root)).collect()
}

/// Reads the [`LAUNCH`] file in `root`; `None` if the folder is incomplete.
fn read_launch(root: &Path) -> Option<AnalyzerProgram> {
    let text =
        String::from_utf8(untrusted_fs::read_own(&root.join(LAUNCH), LAUNCH_BYTES).ok()??).ok()?;
    let mut lines = text.lines();
    if lines.next()? != LAUNCH_FORMAT {
        return None;
    }
    let fields: SortedMap<&str, &str> = lines.filter_map(|line| line.split_once('=')).collect();
    let path = |name: &str| {
        let relative = base::ProjectPath::new(fields.get(name)?).ok()?;
        let path = root.join(relative.as_str());
        path.exists().then_some(path)
    };
    Some(AnalyzerProgram {
        source: AnalyzerSource::Unpacked,
        program: path("loader")?,
        leading: vec!["--library-path".into(), path("libraries")?.into(), path("program")?.into()],
        shows: vec![root.to_owned()],
        std_sources: path("std"),
    })
}

/// Why a program is not usable as rust-analyzer.
#[derive(Debug, thiserror::Error)]
enum ProbeFault {
    #[error("`{}` is not a file", .0.display())]
    NoFile(PathBuf),
    #[error("`{} --version` exited with {code}: {last}", program.display())]
    Exit { program: PathBuf, code: i32, last: String },
}

/// Runs a program for its version; the inner error is why it is not usable.
fn probe(
    ctx: &Ctx,
    sandbox: &Sandbox,
    found: &AnalyzerProgram,
    require: Level,
) -> Result<Result<Version, ProbeFault>, AnalyzerError> {
    if !found.program.is_absolute() || !found.program.is_file() {
        return Ok(Err(ProbeFault::NoFile(found.program.clone())));
    }
    let mut args = found.leading.clone();
    args.push("--version".into());
    let view = View { mounts: found.mounts() };
    let job = Job::version(&found.program, args, view, require);
    let outcome = sandbox.run(ctx, &job, &mut |_, _| {})?;
    let stdout = String::from_utf8_lossy(&outcome.stdout);
    Ok(match Version::parse(&stdout) {
        Some(version) if outcome.exit_code == 0 => Ok(version),
        _ => {
            let error = String::from_utf8_lossy(&outcome.stderr);
            Err(ProbeFault::Exit {
                program: found.program.clone(),
                code: outcome.exit_code,
                last: error.lines().last().unwrap_or_default().trim().to_owned(),
            })
        }
    })
}

impl AnalyzerProgram {
    /// Its mounts, except paths below `/usr`, which every view contains.
    pub(crate) fn mounts(&self) -> Vec<Mount> {
        self.shows
            .iter()
            .filter(|path| !path.starts_with("/usr"))
            .map(|path| read_only(path))
            .collect()
    }
}

/// Mounts a host path read-only at the same path.
pub(crate) fn read_only(path: &Path) -> Mount {
    Mount::ReadOnly { host: path.to_owned(), inside: path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpack(cache: &Path, version: &str, launch: &str) {
        let root = cache.join(UNPACKED).join(version);
        for file in ["lib/ld.so", "bin/rust-analyzer", "library/core/src/lib.rs"] {
            std::fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            std::fs::write(root.join(file), "").unwrap();
        }
        std::fs::write(root.join(LAUNCH), launch).unwrap();
    }

    const COMPLETE: &str = "graftage rust-analyzer 1\nloader=lib/ld.so\nlibraries=lib\n\
        program=bin/rust-analyzer\nstd=library\n";

    #[test]
    fn the_newest_complete_unpacked_version_comes_first() {
        let dir = tempfile::tempdir().unwrap();
        unpack(dir.path(), "1.97.1-1", COMPLETE);
        unpack(dir.path(), "1.100.0-1", COMPLETE);
        unpack(dir.path(), "1.101.0-1", "graftage rust-analyzer 2\n");
        unpack(dir.path(), "1.102.0-1", &COMPLETE.replace("=bin", "=../bin"));
        let found = unpacked(dir.path());
        let root = dir.path().join(UNPACKED).join("1.100.0-1");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].program, root.join("lib/ld.so"));
        assert_eq!(found[0].std_sources, Some(root.join("library")));
        assert_eq!(found[0].leading[2], root.join("bin/rust-analyzer"));
    }

    #[test]
    fn an_empty_cache_has_no_candidates() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(unpacked(dir.path()), []);
    }
}
