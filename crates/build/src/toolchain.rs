//! Selects the toolchain that cargo would use in a folder, and finds its programs by real path.
//! Nothing is installed, and a toolchain inside the project is refused. Start at
//! [`locate_toolchain`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use base::{Ctx, SortedSet, normal_path};
use sandbox::{Job, Level, Mount, Sandbox, View};
use serde::{Deserialize, Serialize};
use untrusted_fs::Dir;

use crate::{CargoError, HostEnv, OutsideFolder, Trust, rustup};

/// The programs of one toolchain, by real path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolchain {
    /// Folder that contains `bin` and `lib`.
    pub sysroot: PathBuf,
    /// Path of cargo, never rustup's proxy.
    pub cargo: PathBuf,
    /// Path of rustc, never rustup's proxy.
    pub rustc: PathBuf,
    /// Path of cargo-clippy, if the component is installed.
    pub cargo_clippy: Option<PathBuf>,
    /// Path of clippy-driver, if the component is installed.
    pub clippy_driver: Option<PathBuf>,
    /// Path of rustfmt, if the component is installed.
    pub rustfmt: Option<PathBuf>,
    /// Path of cargo-nextest, if it is installed.
    pub nextest: Option<PathBuf>,
    /// First line of `rustc -vV`.
    pub version: String,
    /// Why this toolchain is used: `rust-toolchain.toml`, `the active toolchain`.
    pub chosen_by: String,
    /// Whether the user installed it (with rustup or on `PATH`) and no file of a project names its
    /// folder. Only then it may have the network.
    pub is_installed: bool,
}

/// Maximum number of names in its folder of libraries.
const MOST_LIBRARIES: usize = 10_000;

/// Finds the toolchain that cargo would use in `root`, from rustup's files and `PATH`; installs
/// nothing. Its `rustc` is run once, in the sandbox with at least the level `require`, to check
/// that it works.
///
/// # Errors
/// When the requested toolchain is missing, inside the project or in a folder that the user does
/// not trust; when there is no toolchain; when the sandbox level is not available; when `rustc`
/// does not run.
pub fn locate_toolchain(
    ctx: &Ctx,
    sandbox: &Sandbox,
    host: &HostEnv,
    root: &Path,
    trust: &Trust,
    require: Level,
) -> Result<Toolchain, CargoError> {
    let chosen = chosen_sysroot(host, root, trust)?;
    let sysroot = chosen.sysroot;
    let program = |name: &str| {
        let path = sysroot.join("bin").join(name);
        path.is_file().then_some(path)
    };
    let missing = |name: &str| CargoError::Broken {
        program: sysroot.join("bin").join(name),
        reason: "the file is missing".to_owned(),
    };
    let cargo = program("cargo").ok_or_else(|| missing("cargo"))?;
    let rustc = program("rustc").ok_or_else(|| missing("rustc"))?;
    let version = version(ctx, sandbox, &sysroot, &rustc, require)?;
    Ok(Toolchain {
        cargo_clippy: program("cargo-clippy"),
        clippy_driver: program("clippy-driver"),
        rustfmt: program("rustfmt"),
        nextest: search_path(host, root, "cargo-nextest"),
        sysroot,
        cargo,
        rustc,
        version,
        chosen_by: chosen.chosen_by,
        is_installed: chosen.is_installed,
    })
}

/// A toolchain's folder, before any of its programs was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) sysroot: PathBuf,
    pub(crate) chosen_by: String,
    /// See [`Toolchain::is_installed`].
    pub(crate) is_installed: bool,
}

/// The folder of the toolchain that cargo would use in `root`, and what chose it.
pub(crate) fn chosen_sysroot(
    host: &HostEnv,
    root: &Path,
    trust: &Trust,
) -> Result<Chosen, CargoError> {
    let Some(choice) = rustup::choice(host, root)? else { return on_path(host, root) };
    match (&choice.toolchain, &choice.file) {
        (rustup::RequestedToolchain::Folder(folder), Some(file)) => {
            allow_folder(root, folder, file, trust)?;
        }
        // The user's own choice; a folder of the project is still none.
        (rustup::RequestedToolchain::Folder(folder), None) if is_inside(root, folder) => {
            let file = PathBuf::from("RUSTUP_TOOLCHAIN");
            return Err(CargoError::ToolchainInside { file, folder: folder.clone() });
        }
        _ => {}
    }
    match rustup::sysroot(&host.rustup_home, &choice) {
        Some(sysroot) => Ok(Chosen {
            is_installed: matches!(choice.toolchain, rustup::RequestedToolchain::Name(_))
                && !is_inside(root, &sysroot),
            sysroot,
            chosen_by: choice.chosen_by,
        }),
        None if host.rustup_home.join("toolchains").is_dir() => Err(CargoError::ToolchainMissing {
            name: match choice.toolchain {
                rustup::RequestedToolchain::Name(name) => name,
                rustup::RequestedToolchain::Folder(dir) => dir.display().to_string(),
            },
            chosen_by: choice.chosen_by,
        }),
        // Without rustup a toolchain file has no effect: cargo from PATH ignores it too.
        None => on_path(host, root),
    }
}

/// The folder of a toolchain that the user installed, whatever the project's files request:
/// the name in `RUSTUP_TOOLCHAIN`, else rustup's default, else the first on `PATH`.
pub(crate) fn installed_sysroot(host: &HostEnv, root: &Path) -> Result<PathBuf, CargoError> {
    let named = rustup::variable(host)
        .filter(|choice| matches!(choice.toolchain, rustup::RequestedToolchain::Name(_)));
    let default = named
        .or_else(|| rustup::default_choice(&host.rustup_home))
        .and_then(|choice| rustup::sysroot(&host.rustup_home, &choice))
        .filter(|sysroot| !is_inside(root, sysroot));
    match default {
        Some(sysroot) => Ok(sysroot),
        None => Ok(on_path(host, root)?.sysroot),
    }
}

/// Checks a folder that a file near the project names as toolchain: its content would run as the
/// compiler of every build.
fn allow_folder(root: &Path, folder: &Path, file: &Path, trust: &Trust) -> Result<(), CargoError> {
    if is_inside(root, folder) {
        return Err(CargoError::ToolchainInside { file: file.into(), folder: folder.into() });
    }
    if trust.covers(folder) {
        return Ok(());
    }
    let folder = OutsideFolder { folder: normal_path(folder), named_by: file.to_owned() };
    Err(CargoError::Untrusted { folders: vec![folder] })
}

/// Whether `path` is below `root`, textually or after resolving links.
fn is_inside(root: &Path, path: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| normal_path(path));
    normal_path(path).starts_with(root) || real(path).starts_with(real(root))
}

impl Toolchain {
    /// Whether it is Rust 1.`minor` or later; true if its version cannot be parsed.
    pub(crate) fn has_minor(&self, minor: u32) -> bool {
        let number = self.version.split(' ').nth(1).unwrap_or_default();
        let mut parts = number.split('.').map(|part| part.parse::<u32>().ok());
        match (parts.next().flatten(), parts.next().flatten()) {
            (Some(1), Some(own)) => own >= minor,
            _ => true,
        }
    }

    /// The names of its own libraries, which its programs load.
    pub(crate) fn libraries(&self) -> SortedSet<String> {
        let folder = Dir::open(&self.sysroot.join("lib"));
        let entries = folder.and_then(|it| it.entries(MOST_LIBRARIES)).unwrap_or_default();
        entries.into_iter().filter_map(|it| it.name.into_string().ok()).collect()
    }

    /// The mounts of the toolchain; none if the minimal system contains it.
    pub(crate) fn mounts(&self) -> Vec<Mount> {
        let mut mounts = Vec::new();
        if !self.sysroot.starts_with("/usr") {
            mounts.push(read_only(&self.sysroot));
        }
        mounts
    }

    /// `PATH` with `bin` of the toolchain first, so that `rustc` by name is this toolchain's.
    pub(crate) fn path(&self) -> OsString {
        let mut path = self.sysroot.join("bin").into_os_string();
        path.push(":/usr/local/bin:/usr/bin:/bin");
        path
    }
}

pub(crate) fn read_only(path: &Path) -> Mount {
    Mount::ReadOnly { host: path.to_owned(), inside: path.to_owned() }
}

/// The toolchain of the first `cargo` on `PATH` other than rustup's proxy.
fn on_path(host: &HostEnv, root: &Path) -> Result<Chosen, CargoError> {
    let sysroot = sandbox::programs(&host.path, "cargo")
        .filter(|cargo| cargo.file_stem().is_some_and(|stem| stem != "rustup"))
        .filter_map(|cargo| Some(cargo.parent()?.parent()?.to_owned()))
        .find(|sysroot| sysroot.join("bin/rustc").is_file() && !is_inside(root, sysroot))
        .ok_or_else(|| CargoError::NoToolchain { rustup_home: host.rustup_home.clone() })?;
    Ok(Chosen { sysroot, chosen_by: "PATH".to_owned(), is_installed: true })
}

fn search_path(host: &HostEnv, root: &Path, program: &str) -> Option<PathBuf> {
    sandbox::programs(&host.path, program)
        .chain(sandbox::program_in(&host.cargo_home.join("bin"), program))
        .find(|path| !is_inside(root, path))
}

/// The compiler's explanation of an error code, from the toolchain; `None` if it has none.
///
/// # Errors
/// The required level of the sandbox is not available; cancellation.
pub fn explanation(
    ctx: &Ctx,
    sandbox: &Sandbox,
    toolchain: &Toolchain,
    code: &str,
    require: Level,
) -> Result<Option<String>, CargoError> {
    let digits = code.strip_prefix('E').unwrap_or_default();
    if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    let args = vec!["--explain".into(), code.into()];
    let outcome = rustc_alone(ctx, sandbox, &toolchain.sysroot, (&toolchain.rustc, args), require)?;
    let text = String::from_utf8_lossy(&outcome.stdout).trim().to_owned();
    Ok((outcome.exit_code == 0 && !text.is_empty()).then_some(text))
}

/// Runs rustc on no source.
fn rustc_alone(
    ctx: &Ctx,
    sandbox: &Sandbox,
    sysroot: &Path,
    (rustc, args): (&Path, Vec<std::ffi::OsString>),
    require: Level,
) -> Result<sandbox::Outcome, CargoError> {
    let mut view = View::default();
    if !sysroot.starts_with("/usr") {
        view.mounts.push(read_only(sysroot));
    }
    let job = Job::version(rustc, args, view, require);
    Ok(sandbox.run(ctx, &job, &mut |_, _| {})?)
}

/// Maximum number of libraries of a toolchain.
const LIBRARIES: usize = 10_000;

/// The identity of a compiler: of its program and its libraries.
fn identity(sysroot: &Path, rustc: &Path) -> String {
    let folder = sysroot.join("lib");
    let libraries =
        untrusted_fs::Dir::open(&folder).and_then(|it| it.entries(LIBRARIES)).unwrap_or_default();
    let files = libraries.iter().map(|it| folder.join(&it.name)).chain([rustc.to_owned()]);
    let files: Vec<PathBuf> = files.collect();
    let identities = files.iter().map(|it| Sandbox::identity(it));
    identities.collect::<Vec<_>>().join(" ")
}

fn version(
    ctx: &Ctx,
    sandbox: &Sandbox,
    sysroot: &Path,
    rustc: &Path,
    require: Level,
) -> Result<String, CargoError> {
    let question = format!("the version of {} ({})", rustc.display(), identity(sysroot, rustc));
    if let Some(version) = sandbox.answer(&question) {
        return Ok(version);
    }
    let outcome = rustc_alone(ctx, sandbox, sysroot, (rustc, vec!["-vV".into()]), require)?;
    let text = String::from_utf8_lossy(&outcome.stdout);
    match text.lines().next() {
        Some(line) if outcome.exit_code == 0 && line.starts_with("rustc ") => {
            sandbox.learn(&question, line);
            Ok(line.to_owned())
        }
        _ => Err(CargoError::Broken {
            program: rustc.to_owned(),
            reason: format!(
                "`rustc -vV` ended with {}: {}",
                outcome.exit_code,
                String::from_utf8_lossy(&outcome.stderr).trim()
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        let of = |version: &str| Toolchain {
            sysroot: PathBuf::new(),
            cargo: PathBuf::new(),
            rustc: PathBuf::new(),
            cargo_clippy: None,
            clippy_driver: None,
            rustfmt: None,
            nextest: None,
            version: version.to_owned(),
            chosen_by: String::new(),
            is_installed: true,
        };
        assert!(of("rustc 1.95.0 (59807616e 2026-04-14)").has_minor(74));
        assert!(!of("rustc 1.9.0 (abc)").has_minor(74));
        assert!(of("something else").has_minor(74));
    }

    /// Chooses the toolchain of a project in `p` with this toolchain file, and toolchains in the
    /// other folders.
    fn chosen(file: &str, toolchains: &[&str], trusted: &[&str]) -> String {
        chosen_with(None, file, toolchains, trusted)
    }

    /// The same with a value of `RUSTUP_TOOLCHAIN`.
    fn chosen_with(
        variable: Option<&str>,
        file: &str,
        toolchains: &[&str],
        trusted: &[&str],
    ) -> String {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in toolchains {
            std::fs::create_dir_all(at(name).join("bin")).unwrap();
            for program in ["cargo", "rustc"] {
                let program = at(name).join("bin").join(program);
                std::fs::write(&program, "").unwrap();
                std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
            }
        }
        std::fs::create_dir_all(at("p")).unwrap();
        std::fs::create_dir_all(at("rustup/toolchains")).unwrap();
        std::fs::write(at("p/rust-toolchain.toml"), file).unwrap();
        let host = HostEnv {
            path: std::env::join_paths([PathBuf::from("bin"), at("p/tc/bin"), at("usr/bin")])
                .unwrap(),
            home: at("home"),
            cargo_home: at("cargo"),
            rustup_home: at("rustup"),
            toolchain: variable.map(|it| it.replace('~', &dir.path().display().to_string())),
        };
        let trust = Trust::new(trusted.iter().map(|name| at(name)));
        let text = match chosen_sysroot(&host, &at("p"), &trust) {
            Ok(chosen) => format!("{} {}", chosen.sysroot.display(), chosen.is_installed),
            Err(error) => error.to_string(),
        };
        text.replace(&dir.path().display().to_string(), "")
    }

    #[test]
    fn a_toolchain_of_the_project_itself_is_refused_whatever_is_trusted() {
        let refused = |named: &str| {
            format!(
                "`/p/rust-toolchain.toml` chooses the toolchain `{named}`, which is inside the \
                 project"
            )
        };
        let tc = "[toolchain]\npath = \"tc\"";
        assert_eq!(chosen(tc, &["p/tc"], &["p"]), refused("/p/tc"));
        let around = "[toolchain]\npath = \"../p/x/../tc\"";
        assert_eq!(chosen(around, &["p/tc"], &["p"]), refused("/p/../p/x/../tc"));
    }

    #[test]
    fn a_folder_as_the_toolchain_needs_the_users_trust_and_never_counts_as_installed() {
        let file = "[toolchain]\npath = \"../tc\"";
        assert_eq!(
            chosen(file, &["tc"], &[]),
            "the project reads folders outside of it that are not trusted: `/tc` (named by \
             `/p/rust-toolchain.toml`)"
        );
        assert_eq!(chosen(file, &["tc"], &["tc"]), "/p/../tc false");
    }

    #[test]
    fn the_variable_has_priority_over_the_file_and_leads_into_no_project() {
        let pinned = "[toolchain]\nchannel = \"1.2.3\"";
        let own = ["rustup/toolchains/own", "p/tc", "tc"];
        assert_eq!(
            chosen(pinned, &own, &[]),
            "toolchain `1.2.3` is not installed, but `rust-toolchain.toml` asks for it"
        );
        assert_eq!(chosen_with(Some("own"), pinned, &own, &[]), "/rustup/toolchains/own true");
        assert_eq!(chosen_with(Some("~/tc"), pinned, &own, &[]), "/tc false");
        assert_eq!(
            chosen_with(Some("gone"), pinned, &own, &[]),
            "toolchain `gone` is not installed, but `RUSTUP_TOOLCHAIN` asks for it"
        );
        assert_eq!(
            chosen_with(Some("~/p/tc"), pinned, &own, &["p"]),
            "`RUSTUP_TOOLCHAIN` chooses the toolchain `/p/tc`, which is inside the project"
        );
        let up = chosen_with(Some("../../tc"), pinned, &own, &[]);
        assert!(up.contains("is not installed"), "{up}");
    }

    #[test]
    fn a_name_leads_to_rustups_own_folder_and_path_to_none_of_the_project() {
        let named = "[toolchain]\nchannel = \"own\"";
        assert_eq!(chosen(named, &["rustup/toolchains/own"], &[]), "/rustup/toolchains/own true");
        let up = "[toolchain]\nchannel = \"../../tc\"";
        assert!(chosen(up, &["tc"], &[]).contains("is not installed"));
        assert_eq!(chosen("[toolchain]\n", &["p/tc", "usr"], &[]), "/usr true");
    }
}
