//! [`OutFolder`]: where a command writes files that the user asked for. A repository may have prepared the place.

use std::path::{Path, PathBuf};

use untrusted_fs::{Dir, Fault};

use crate::exit::Failure;

/// A folder that the user named. A relative path follows no link, and no file is written through one or into a pipe:
/// what has its name is replaced.
pub(crate) struct OutFolder {
    dir: Dir,
    path: PathBuf,
}

impl OutFolder {
    /// Makes the folder, and its parents, where they are missing.
    pub(crate) fn make(path: &Path) -> Result<Self, Failure> {
        let leaves = path.is_absolute() || path.components().any(|it| it.as_os_str() == "..");
        let made = match leaves {
            true => {
                std::fs::create_dir_all(path).map_err(Fault::from).and_then(|()| Dir::open(path))
            }
            false if path.as_os_str().is_empty() => Dir::open(Path::new(".")),
            false => Dir::open(Path::new(".")).and_then(|it| it.make_dirs(path)),
        };
        let dir = made.map_err(|fault| unwritable(path, &fault))?;
        Ok(Self { dir, path: path.to_owned() })
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.dir.replace(name, &[bytes], 0o644);
        written.map_err(|fault| unwritable(&self.path.join(name), &fault))
    }
}

/// Writes a file whose path the user named, as into an [`OutFolder`].
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let name = path.file_name().and_then(|it| it.to_str());
    let name = name.ok_or_else(|| {
        Failure::input(format!("`{}` names no file", path.display()), "name a file")
    })?;
    OutFolder::make(path.parent().unwrap_or(Path::new("")))?.write(name, bytes)
}

fn unwritable(path: &Path, fault: &Fault) -> Failure {
    let message = format!("cannot write `{}`: {fault}", path.display());
    Failure::input(
        message,
        "name a folder that you may write and that is no link, or an absolute path",
    )
}
