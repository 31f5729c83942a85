//! `cargo xtask setup`: which requirements of the tests the machine meets. It installs
//! nothing but clients of MCP for the tests, in `target`, and, for root, Chromium from the distribution's packages.

use std::collections::BTreeSet;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::need::{MODEL_SERVER, Need};
use crate::run::{cargo, first_line, step, target_dir, works};

/// The user id under which the escape suite runs if root runs it.
const ORDINARY_USER: u32 = 65534;

/// The result of the set-up: the tools and requirements that the tests can rely on.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    /// Requirements that the machine meets: in CI no test may be skipped for one of them.
    pub(crate) provided: BTreeSet<Need>,
    /// Whether `cargo nextest` is installed.
    pub(crate) nextest: bool,
    /// Whether `cargo fmt` is installed.
    pub(crate) rustfmt: bool,
    /// Whether `cargo clippy` is installed.
    pub(crate) clippy: bool,
}

/// Checks the requirements of the tests, fetches the dependencies and rust-analyzer, and prints
/// what is missing, the consequence, and the command that would install it. Clients of MCP are
/// installed in `target`, and Chromium on the machine if root runs it; nothing else needs root.
pub(crate) fn setup(root: &Path) -> Result<Ready, Failure> {
    let mut ready = Ready::default();
    println!("Requirements of the tests on this machine:");
    let Some(git) = first_line(Command::new("git").arg("--version")) else {
        return Err(Failure::Missing("git is missing; most tests make repositories".to_owned()));
    };
    println!("  found    git: {git}");
    let tool = |name: &str, args: &[&str], otherwise: &str| {
        match first_line(&mut cargo(root, args)) {
            Some(version) => println!("  found    {name}: {version}"),
            None => {
                println!("  missing  {name}: {otherwise}");
                return false;
            }
        }
        true
    };
    let without = "not checked, which fails in CI; `rustup component add";
    ready.rustfmt =
        tool("rustfmt", &["fmt", "--version"], &format!("formatting is {without} rustfmt`"));
    ready.clippy =
        tool("clippy", &["clippy", "--version"], &format!("lints are {without} clippy`"));
    ready.nextest =
        tool("nextest", &["nextest", "--version"], "`cargo test` runs the tests instead");
    for (need, found) in probe_all(root) {
        match found {
            Ok(what) => {
                println!("  found    {}: {what}", need.name());
                ready.provided.insert(need);
            }
            Err(why) => println!("  missing  {}: {why}", need.name()),
        }
    }
    // The last access to the registry; everything after it runs offline.
    step(&mut cargo(root, &["fetch", "--locked"]))?;
    Ok(ready)
}

/// Probes all requirements, those that install something at the same time.
fn probe_all(root: &Path) -> Vec<(Need, Result<String, String>)> {
    let installs = [Need::McpClients, Need::Ray, Need::Chromium];
    std::thread::scope(|scope| {
        let started: Vec<_> = installs
            .into_iter()
            .map(|need| (need, scope.spawn(move || probe(root, need))))
            .collect();
        let others = Need::ALL.into_iter().filter(|it| !installs.contains(it));
        let mut all: Vec<_> = others.map(|need| (need, probe(root, need))).collect();
        all.extend(started.into_iter().map(|(need, thread)| {
            (need, thread.join().unwrap_or_else(|_| Err("its probe panicked".to_owned())))
        }));
        all
    })
}

/// Whether the machine meets the requirement, by trying it: a container may forbid what the kernel
/// offers. The text describes what was found or, as an error, the consequence of its absence.
fn probe(root: &Path, need: Need) -> Result<String, String> {
    let found = |works: bool, what: &str, costs: &str| {
        if works { Ok(what.to_owned()) } else { Err(costs.to_owned()) }
    };
    match need {
        Need::RustToolchain => {
            let version = first_line(Command::new("rustc").current_dir(root).arg("--version"));
            version.ok_or_else(|| "no `rustc` in the path: tests that build are skipped".to_owned())
        }
        Need::RustAnalyzer => crate::analyzer::provide(root).map_err(|why| {
            format!("its tests are skipped; `rustup component add rust-analyzer rust-src` ({why})")
        }),
        Need::StdSources => match crate::sysroot::sources(root) {
            Ok(sources) => Ok(sources.display().to_string()),
            Err(why) => Err(format!("{why}: the declarations are not compared with them")),
        },
        Need::UserNamespaces => found(
            works(&mut unshare(&["true"])),
            "unshare works",
            "their tests are skipped, the copy paths are tested",
        ),
        Need::OrdinaryUserNamespaces => {
            let mut command = unshare(&["true"]);
            if is_root() {
                command.uid(ORDINARY_USER).gid(ORDINARY_USER).current_dir("/");
            }
            found(works(&mut command), "unshare works", "confinement by Landlock alone is tested")
        }
        Need::OverlayMounts => found(
            overlay_mounts_work(root),
            "mounted one in a user namespace",
            "views are copies, tests of mounts are skipped",
        ),
        Need::Landlock => match crate::kernel::landlock_version() {
            version @ 2.. => Ok(format!("version {version}")),
            version => Err(format!("version {version}, at least 2: its tests are skipped")),
        },
        Need::Root => found(is_root(), "runs the tests", "no second run as an ordinary user"),
        Need::OrdinaryUser => found(
            permission_bits_stop_us(),
            "runs the tests",
            "tests of what permission bits forbid are skipped",
        ),
        Need::UserAttributes => found(
            crate::kernel::has_user_attributes(&std::env::temp_dir()),
            "in the temporary folder",
            "the temporary folder has none: their test is skipped",
        ),
        Need::GitInUsrBin => {
            found(Path::new("/usr/bin/git").exists(), "/usr/bin/git", "hostile hooks are not tried")
        }
        Need::GitReftable => found(reftable_works(root), "git init works", "its test is skipped"),
        Need::EvaluationData => {
            let data = root.parent().map(|parent| parent.join("shared").join("eval"));
            let there = data.is_some_and(|data| data.is_dir());
            found(there, "beside the repository", "the smoke sets are skipped")
        }
        Need::ModelServer => {
            let is_set = std::env::var_os(MODEL_SERVER).is_some_and(|url| !url.is_empty());
            found(is_set, MODEL_SERVER, "no turn with a real language model")
        }
        Need::McpClients => crate::mcp_clients::provide(root)
            .map_err(|why| format!("no client by others calls the server ({why})")),
        Need::Ray => crate::mcp_clients::provide_ray(root)
            .map_err(|why| format!("its engine is not tried ({why})")),
        Need::Chromium => {
            crate::chromium::provide(is_root()).map_err(|why| format!("no story is played ({why})"))
        }
        Need::ExampleApps => {
            found(fetch_apps(root), "fetched", "the example apps and their stories are skipped")
        }
    }
}

/// Fetches the dependencies of the example apps, which are workspaces of their own.
fn fetch_apps(root: &Path) -> bool {
    let apps = std::fs::read_dir(root.join("fixtures/apps")).into_iter().flatten().flatten();
    let mut folders = apps.map(|it| it.path()).filter(|it| it.is_dir());
    folders.all(|app| works(&mut cargo(&app, &["fetch", "--locked", "--quiet"])))
}

fn unshare(args: &[&str]) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount"]).args(args);
    command
}

/// The owner of `/proc/self` is the effective user of the process.
fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}

fn permission_bits_stop_us() -> bool {
    let file = std::env::temp_dir().join(format!("graftage-closed-{}", std::process::id()));
    let made = std::fs::write(&file, "")
        .and_then(|()| std::fs::set_permissions(&file, PermissionsExt::from_mode(0o0)));
    let stops = made.is_ok() && std::fs::read(&file).is_err();
    _ = std::fs::remove_file(&file);
    stops
}

/// A folder for one probe, below `target`.
fn probe_folder(root: &Path, name: &str) -> PathBuf {
    target_dir(root).join("xtask").join(name)
}

fn reftable_works(root: &Path) -> bool {
    let folder = probe_folder(root, "reftable-probe");
    let mut init = Command::new("git");
    init.args(["init", "--quiet", "--ref-format=reftable"]).arg(&folder);
    let works = works(&mut init);
    _ = std::fs::remove_dir_all(&folder);
    works
}

/// Mounts an overlay over empty folders in a mount namespace of its own, which removes it.
fn overlay_mounts_work(root: &Path) -> bool {
    let folder = probe_folder(root, "overlay-probe");
    let made = ["lower", "upper", "work", "merged"]
        .iter()
        .all(|name| std::fs::create_dir_all(folder.join(name)).is_ok());
    let script = "mount -t overlay overlay -o userxattr,lowerdir=lower,upperdir=upper,workdir=work \
                  merged && echo x > merged/x && test -f upper/x";
    let worked = made && works(unshare(&["sh", "-c", script]).current_dir(&folder));
    // The kernel leaves a folder without permissions in `work`; a probe must not fail because of it.
    _ = std::fs::remove_dir_all(&folder);
    worked
}
