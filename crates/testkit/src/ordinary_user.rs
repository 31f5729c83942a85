//! Tests of attacks once more as an ordinary user: root may do what no permission allows, so a defence
//! that holds for root may depend on that, and one that fails for others is not seen. Start at
//! [`as_ordinary_user`].

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Need, inner, skip, skip_again};

/// The user whom no file belongs to.
const UNPRIVILEGED: u32 = 65534;

/// Runs tests of this executable once more, as an ordinary user with an empty home. `chosen` are the
/// arguments of the test harness that choose them: parts of names, or `--exact` and names. `programs` are
/// copied for that user: each environment variable has the path of the copy.
///
/// # Panics
/// If one of the tests fails, or none is run.
#[allow(clippy::disallowed_methods, reason = "the test starts itself")]
#[allow(clippy::print_stderr, reason = "the output of a test")]
pub fn as_ordinary_user(chosen: &[&str], programs: &[(&str, &Path)]) {
    let is_root = |own: fs::Metadata| own.uid() == 0;
    if !fs::metadata("/proc/self").is_ok_and(is_root) {
        return skip(Need::Root, "the tests run as an ordinary user already");
    }
    let Some(copies) = OrdinaryUser::make() else {
        return skip(Need::RustToolchain, "no rustc on the path");
    };
    let mut command = copies.command();
    for (variable, program) in programs {
        command.env(variable, copies.copy(program, variable));
    }
    let output = command.arg("--nocapture").args(chosen).output().expect("the suite starts");
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    );
    eprintln!("{stderr}");
    // That user may lack requirements that root meets.
    skip_again(&stderr, |need| match need {
        Need::UserNamespaces => Need::OrdinaryUserNamespaces,
        need => need,
    });
    assert!(output.status.success(), "as an ordinary user: {stdout}");
    assert!(!stdout.contains("\nrunning 0 tests"), "there is no such test: {chosen:?}");
}

/// A folder that everybody may read, with this executable, the sandbox's inner stage, a toolchain, and a
/// home that belongs to an ordinary user.
#[derive(Debug)]
pub struct OrdinaryUser {
    folder: tempfile::TempDir,
}

impl OrdinaryUser {
    /// Makes the folder; `None` where there is no toolchain.
    ///
    /// # Panics
    /// If a file cannot be copied.
    #[allow(clippy::disallowed_methods, reason = "asks the toolchain of the tests for its folder")]
    pub fn make() -> Option<Self> {
        let folder = tempfile::Builder::new()
            .permissions(Permissions::from_mode(0o755))
            .tempdir()
            .expect("a temporary folder");
        let own = Self { folder };
        own.copy(&std::env::current_exe().expect("the executable"), "suite");
        own.copy(&inner::path(), "graftage-sandbox-inner");
        let home = own.at("home");
        fs::create_dir(&home).expect("a home");
        chown(&home, Some(UNPRIVILEGED), Some(UNPRIVILEGED)).expect("root gives files away");
        let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
        let sysroot = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
        for name in ["bin", "lib"] {
            share(&sysroot.join(name), &own.at("toolchain").join(name)).ok()?;
        }
        Some(own)
    }

    /// The executable as that user, with git and the toolchain on the path.
    #[allow(clippy::disallowed_methods, reason = "the test starts itself")]
    pub fn command(&self) -> Command {
        let mut command = Command::new(self.at("suite"));
        command
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", self.at("toolchain/bin").display()))
            .env("HOME", self.at("home"))
            .env("TMPDIR", std::env::temp_dir())
            .current_dir("/")
            .uid(UNPRIVILEGED)
            .gid(UNPRIVILEGED);
        command
    }

    fn copy(&self, from: &Path, name: &str) -> PathBuf {
        let to = self.at(name);
        fs::copy(from, &to).expect("a copy of a program");
        to
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Makes a folder with the same files: hard links where that is possible. Sources are left out.
fn share(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (entry, name) = entry.map(|it| (it.path(), it.file_name()))?;
        let target = to.join(&name);
        if entry.is_dir() {
            if name != OsStr::new("src") {
                share(&entry, &target)?;
            }
        } else if fs::hard_link(&entry, &target).is_err() {
            fs::copy(&entry, &target)?;
        }
    }
    Ok(())
}
