use std::path::{Path, PathBuf};

use base::{Ctx, Hint};
use cargo::HostEnv;
use sandbox::{Capabilities, Level, Sandbox};
use serde::Serialize;

use crate::{Settings, Surroundings};

/// What this machine offers.
#[derive(Clone, Debug, Serialize)]
pub struct Doctor {
    /// Whether everything needed is there.
    pub ready: bool,
    /// One row a part.
    pub findings: Vec<Finding>,
    /// What the sandbox can do here, layer by layer.
    pub sandbox: Capabilities,
}

/// One part of the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its name.
    pub part: &'static str,
    /// Whether it is there.
    pub present: bool,
    /// Whether graftage can work without it.
    pub optional: bool,
    /// Version and place, or why not.
    pub detail: String,
    /// What it would add, and how to get it, where it is missing.
    pub adds: Option<String>,
}

/// Looks at toolchain, sandbox, git and the optional parts.
pub fn doctor(
    ctx: &Ctx,
    root: Option<&Path>,
    settings: &Settings,
    surroundings: &Surroundings,
    sandbox: &Sandbox,
) -> Doctor {
    let host = HostEnv {
        path: surroundings.path.clone(),
        home: surroundings.home.clone(),
        cargo_home: surroundings.cargo_home.clone(),
        rustup_home: surroundings.rustup_home.clone(),
    };
    let capabilities = sandbox.capabilities().clone();
    let mut findings = toolchain(ctx, root, settings, &host, sandbox);
    findings.push(sandbox_level(&capabilities, settings.sandbox_require));
    for (part, program, adds) in [
        ("git", "git", "`--commit`, and views of builds that ask git; install git"),
        ("Chromium", "chromium", "stories in a real browser (a coming release); install chromium"),
    ] {
        let found = find_program(&surroundings.path, program);
        findings.push(Finding {
            part,
            present: found.is_some(),
            optional: true,
            detail: found
                .as_ref()
                .map_or_else(|| "not in PATH".to_owned(), |path| path.display().to_string()),
            adds: found.is_none().then(|| adds.to_owned()),
        });
    }
    for (part, dir) in
        [("cache folder", &surroundings.cache_dir), ("state folder", &surroundings.state_dir)]
    {
        findings.push(folder(part, dir));
    }
    Doctor {
        ready: findings.iter().all(|finding| finding.present || finding.optional),
        findings,
        sandbox: capabilities,
    }
}

fn toolchain(
    ctx: &Ctx,
    root: Option<&Path>,
    settings: &Settings,
    host: &HostEnv,
    sandbox: &Sandbox,
) -> Vec<Finding> {
    let trust = cargo::Trust::new(&settings.trust_paths);
    let require = settings.sandbox_require;
    let root = root.unwrap_or(&host.home);
    let row = |part, present, optional, detail: String, adds: Option<&str>| Finding {
        part,
        present,
        optional,
        detail,
        adds: adds.filter(|_| !present).map(str::to_owned),
    };
    match cargo::locate_toolchain(ctx, sandbox, host, root, &trust, require) {
        Err(error) => vec![Finding {
            part: "Rust toolchain",
            present: false,
            optional: false,
            detail: error.to_string(),
            adds: error.hint(),
        }],
        Ok(toolchain) => {
            let path = |path: &Option<PathBuf>| {
                path.as_ref().map_or_else(|| "missing".to_owned(), |p| p.display().to_string())
            };
            let chosen = format!("{} ({})", toolchain.version, toolchain.chosen_by);
            vec![
                row("Rust toolchain", true, false, chosen, None),
                row(
                    "clippy",
                    toolchain.clippy_driver.is_some(),
                    true,
                    path(&toolchain.clippy_driver),
                    Some("`check --clippy`; `rustup component add clippy`"),
                ),
                row(
                    "rustfmt",
                    toolchain.rustfmt.is_some(),
                    true,
                    path(&toolchain.rustfmt),
                    Some("the format rung; `rustup component add rustfmt`"),
                ),
                analyzer(&toolchain, host),
                row(
                    "cargo-nextest",
                    toolchain.nextest.is_some(),
                    true,
                    path(&toolchain.nextest),
                    Some("faster test runs; `cargo install cargo-nextest --locked`"),
                ),
            ]
        }
    }
}

/// rust-analyzer as a component of the toolchain, or a build of its own in `PATH`. What stands
/// beside rustup is only its proxy, which is no sign that the component is there.
fn analyzer(toolchain: &cargo::Toolchain, host: &HostEnv) -> Finding {
    let component = toolchain.sysroot.join("bin").join("rust-analyzer");
    let proxies = host.cargo_home.join("bin");
    let found = if is_program(&component) {
        Some(component)
    } else {
        find_program(&host.path, "rust-analyzer").filter(|path| !path.starts_with(&proxies))
    };
    Finding {
        part: "rust-analyzer",
        present: found.is_some(),
        optional: true,
        detail: found.as_ref().map_or_else(
            || "not in the toolchain, nor in PATH".to_owned(),
            |path| path.display().to_string(),
        ),
        adds: found.is_none().then(|| {
            "compiler-grade call edges and quick fixes (a coming release); `rustup component add \
             rust-analyzer rust-src`"
                .to_owned()
        }),
    }
}

fn sandbox_level(capabilities: &Capabilities, require: Level) -> Finding {
    let present = capabilities.level >= require;
    let name = |level: Level| match level {
        Level::BestEffort => "best effort",
        Level::Standard => "standard",
        Level::Strong => "strong",
    };
    Finding {
        part: "sandbox",
        present,
        optional: false,
        detail: format!("{} (required: {})", name(capabilities.level), name(require)),
        adds: (!present).then(|| {
            "foreign code cannot be confined here: enable user namespaces (sysctl \
             `kernel.unprivileged_userns_clone=1`, or the AppArmor switch for them) or a kernel \
             with Landlock; `--allow-unsandboxed` runs without, at your own risk"
                .to_owned()
        }),
    }
}

/// The first executable of that name in `path`.
fn find_program(path: &std::ffi::OsStr, program: &str) -> Option<PathBuf> {
    std::env::split_paths(path).map(|dir| dir.join(program)).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Whether the folder can be written, or be made.
fn folder(part: &'static str, dir: &Path) -> Finding {
    let made = std::fs::create_dir_all(dir);
    let written = made.and_then(|()| tempfile::tempfile_in(dir).map(drop));
    Finding {
        part,
        present: written.is_ok(),
        optional: false,
        detail: match &written {
            Ok(()) => dir.display().to_string(),
            Err(error) => format!("{}: {error}", dir.display()),
        },
        adds: written.err().map(|_| "set GRAFTAGE_HOME to a folder that can be written".to_owned()),
    }
}
