//! The suite once more as an ordinary user: from copies of its programs, without rights.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The user whom no file belongs to.
const UNPRIVILEGED: u32 = 65534;

/// A folder that everybody may read, with this program, the sandbox's inner stage and a toolchain.
pub(crate) struct Copies {
    folder: tempfile::TempDir,
}

impl Copies {
    /// `None` where there is no toolchain.
    pub(crate) fn make() -> Option<Self> {
        let folder = tempfile::Builder::new()
            .permissions(fs::Permissions::from_mode(0o755))
            .tempdir()
            .unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::copy(std::env::current_exe().unwrap(), at("suite")).unwrap();
        fs::copy(testkit::inner::path(), at("graftage-sandbox-inner")).unwrap();
        let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
        let sysroot = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
        for name in ["bin", "lib"] {
            share(&sysroot.join(name), &at("toolchain").join(name)).ok()?;
        }
        Some(Self { folder })
    }

    /// The same program as that user.
    pub(crate) fn command(&self) -> Command {
        let folder = self.folder.path();
        let mut command = Command::new(folder.join("suite"));
        command
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", folder.join("toolchain/bin").display()))
            .current_dir("/")
            .uid(UNPRIVILEGED)
            .gid(UNPRIVILEGED);
        command
    }
}

/// Makes a folder with the same files: hard links where that is possible. Sources are left out.
fn share(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (entry, name) = entry.map(|it| (it.path(), it.file_name()))?;
        let target = to.join(&name);
        if entry.is_dir() {
            if name != "src" {
                share(&entry, &target)?;
            }
        } else if fs::hard_link(&entry, &target).is_err() {
            fs::copy(&entry, &target)?;
        }
    }
    Ok(())
}
