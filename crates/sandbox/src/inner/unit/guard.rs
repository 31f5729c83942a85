//! The settings of a guarded build, in the text of the wrapper and of the file in a build script's
//! place, after the line that starts this stage. Confined code can write neither.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::fault::{UnitFault, UnreadableCause};
use crate::inner::variables::Variables;
use crate::wire;

/// Maximum size of such a text.
const BYTES: u64 = 1 << 20;
/// The number of bytes of the first line that each kernel with Landlock reads.
const FIRST_LINE: usize = 255;

/// Beginning of the name of a file by which this stage finds out whether it is confined: also one that a build script
/// starts as its compiler's wrapper.
pub(super) const PROBE: &str = ".unit-";
/// Ending of the file of a build script itself.
const REAL: &str = ".real";

/// The settings of one unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Guard {
    /// The program that starts this stage.
    launcher: PathBuf,
    /// The program of this stage.
    stage: PathBuf,
    /// The target directory.
    pub(super) target: PathBuf,
    /// The packages that are compiled without incremental data; `*`: all.
    cold: Vec<String>,
    /// The folders in which is noted what a unit reads.
    pub(super) roots: Vec<PathBuf>,
    /// File name of the build script itself.
    pub(super) real: Option<String>,
}

/// The program that cargo starts instead of the sandbox's own, which follows in its first argument with its word: it
/// has no library, so that no variable of a unit names one that is loaded into an unconfined process. Empty where
/// units cannot be confined.
pub const LAUNCHER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/launcher"));

/// The text of a compiler wrapper that confines each unit of a build. `launcher` is a file of [`LAUNCHER`], `stage`
/// the sandbox's own program, `target` the target directory, and `roots` the folders whose files are noted where a unit reads them
/// (see [`UnitRecord`](super::UnitRecord)), all as the build sees them; the packages `cold` (`*`: all) are compiled without incremental
/// data. `None` where the paths do not fit into such a text.
pub fn unit_wrapper(
    (launcher, stage): (&Path, &Path),
    target: &Path,
    roots: &[PathBuf],
    cold: &[String],
) -> Option<String> {
    let guard = Guard {
        launcher: launcher.to_owned(),
        stage: stage.to_owned(),
        target: target.to_owned(),
        cold: cold.to_vec(),
        roots: roots.to_vec(),
        real: None,
    };
    guard.text(wire::UNIT)
}

impl Guard {
    pub(super) fn read(file: &Path) -> Result<Self, UnitFault> {
        let unreadable = |why| UnitFault::Unreadable { path: file.to_owned(), why };
        let bytes = untrusted_fs::read_regular(file, BYTES)
            .map_err(|fault| unreadable(fault.into()))?
            .ok_or_else(|| unreadable(UnreadableCause::Missing))?;
        let text = String::from_utf8(bytes).map_err(|error| unreadable(error.into()))?;
        let mut guard = Self::default();
        for line in text.lines() {
            match line.split_once('=') {
                Some(("target", path)) => guard.target = path.into(),
                Some(("cold", name)) => guard.cold.push(name.to_owned()),
                Some(("root", path)) => guard.roots.push(path.into()),
                Some(("real", name)) => guard.real = Some(name.to_owned()),
                _ => {
                    let mut words = line.strip_prefix("#!").unwrap_or_default().split(' ');
                    if let (Some(launcher), Some(stage)) = (words.next(), words.next()) {
                        (guard.launcher, guard.stage) = (launcher.into(), stage.into());
                    }
                }
            }
        }
        match guard.target.is_absolute() {
            true => Ok(guard),
            false => Err(unreadable(UnreadableCause::NoTarget)),
        }
    }

    /// The unit that compiled the build script.
    pub(super) fn program(&self) -> Option<&str> {
        self.real.as_deref()?.strip_suffix(REAL)
    }

    /// The file name of the build script itself, which this unit has compiled.
    pub(super) fn real(unit: &str) -> String {
        format!("{unit}{REAL}")
    }

    /// The text of the file in the place of the build script that is now named `real`.
    pub(super) fn script(&self, real: &str) -> Option<String> {
        let real = Some(real.to_owned());
        Self { cold: Vec::new(), real, ..self.clone() }.text(wire::SCRIPT)
    }

    fn text(&self, word: &str) -> Option<String> {
        let plain = |path: &PathBuf| {
            let path = path.to_str().filter(|path| !path.contains(char::is_whitespace));
            path.map(str::to_owned)
        };
        let (launcher, stage) = (plain(&self.launcher)?, plain(&self.stage)?);
        let target = self.target.to_str().filter(|path| !path.contains('\n'))?;
        let mut text = format!("#!{launcher} {stage} {word}");
        if text.len() > FIRST_LINE {
            return None;
        }
        let _ = write!(text, "\ntarget={target}\n");
        for name in &self.cold {
            let _ = writeln!(text, "cold={name}");
        }
        for root in &self.roots {
            let root = root.to_str().filter(|path| !path.contains('\n'))?;
            let _ = writeln!(text, "root={root}");
        }
        if let Some(real) = &self.real {
            let _ = writeln!(text, "real={real}");
        }
        Some(text)
    }

    /// Whether this process cannot write the target directory itself, as below a confined one.
    pub(super) fn is_confined(&self) -> bool {
        let path = self.target.join(format!("{PROBE}{}", std::process::id()));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::open(&path, flags, Mode::from_raw_mode(0o600)) {
            Err(Errno::ACCESS | Errno::PERM) => true,
            Ok(_) => {
                let _ = rustix::fs::unlink(&path);
                false
            }
            Err(_) => false,
        }
    }

    /// Whether the package that cargo names in the environment is compiled without incremental data.
    pub(super) fn is_cold(&self, variables: &Variables) -> bool {
        let package = variables.get("CARGO_PKG_NAME").unwrap_or_default();
        self.cold.iter().any(|name| name == "*" || package == name.as_str())
    }

    /// `OUT_DIR`, which has cargo's form: `…/build/<unit>/out` below the target directory.
    pub(super) fn out_dir(&self, variables: &Variables) -> Result<PathBuf, UnitFault> {
        let path = PathBuf::from(variables.get("OUT_DIR").ok_or(UnitFault::NoOutDir)?);
        let names: Vec<_> = path.components().rev().take(3).collect();
        let is = |index: usize, name: &str| {
            names.get(index).is_some_and(|it| *it == Component::Normal(name.as_ref()))
        };
        let is_plain = path.components().all(|it| !matches!(it, Component::ParentDir));
        let below = path.starts_with(&self.target) && is_plain;
        match below && is(0, "out") && is(2, "build") {
            true => Ok(path),
            false => Err(UnitFault::OutDir(path)),
        }
    }

    /// The folder of the package, which is read-only unless the view permits writing it; `None` if it
    /// overlaps the target directory.
    pub(super) fn package_folder(&self, variables: &Variables) -> Option<PathBuf> {
        let folder = PathBuf::from(variables.get("CARGO_MANIFEST_DIR")?).canonicalize().ok()?;
        let target = self.target.canonicalize().ok()?;
        let overlaps = target.starts_with(&folder) || folder.starts_with(&target);
        (!overlaps).then_some(folder)
    }
}
