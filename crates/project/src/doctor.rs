//! `doctor`: the parts of the environment that graftage uses, and what a missing one adds.

use std::path::{Path, PathBuf};

use base::{Ctx, Hint};
use build::HostEnv;
use sandbox::{Capabilities, Level, Sandbox};
use serde::Serialize;

use crate::{Settings, Surroundings};

/// Result of [`doctor`], as `--json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct DoctorReport {
    /// Whether all required parts are present.
    pub ready: bool,
    /// One row per part.
    pub findings: Vec<DoctorRow>,
    /// Sandbox layers of this machine.
    pub sandbox: Capabilities,
}

/// One part of the environment, as `doctor` lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DoctorRow {
    /// Name of the part.
    pub part: &'static str,
    /// Whether the part is present.
    pub present: bool,
    /// Whether graftage works without the part.
    pub optional: bool,
    /// Version or path if present, else the reason.
    pub detail: String,
    /// For a missing part: what it adds, and how to install it.
    pub adds: Option<String>,
}

/// Checks toolchain, sandbox, git, directories and optional parts. It never fails: a missing part is
/// a row.
pub fn doctor(
    ctx: &Ctx,
    root: Option<&Path>,
    settings: &Settings,
    surroundings: &Surroundings,
    sandbox: &Sandbox,
) -> DoctorReport {
    let host = surroundings.host();
    let capabilities = sandbox.capabilities().clone();
    let mut findings = toolchain(ctx, root, settings, &host, sandbox);
    findings.push(sandbox_level(&capabilities, settings.sandbox_require));
    findings.push(git(&surroundings.path));
    findings.push(browser(&surroundings.path));
    findings.push(crate::language::doctor_row(settings, surroundings));
    findings.push(clients("editors", &surroundings.path, &EDITORS, "acp"));
    findings.push(clients("agents", &surroundings.path, &AGENTS, "mcp"));
    for (part, dir) in
        [("cache folder", &surroundings.cache_dir), ("state folder", &surroundings.state_dir)]
    {
        findings.push(directory(part, dir));
    }
    DoctorReport {
        ready: findings.iter().all(|finding| finding.present || finding.optional),
        findings,
        sandbox: capabilities,
    }
}

fn git(path: &std::ffi::OsStr) -> DoctorRow {
    let found = sandbox::programs(path, "git").next();
    DoctorRow {
        part: "git",
        present: found.is_some(),
        optional: true,
        detail: found
            .as_ref()
            .map_or_else(|| "not in PATH".to_owned(), |path| path.display().to_string()),
        adds: found.is_none().then(|| {
            "`--commit`, `impact` of uncommitted changes, `search.history`, and builds that call \
             git; install git"
                .to_owned()
        }),
    }
}

fn browser(path: &std::ffi::OsStr) -> DoctorRow {
    let found = world::BrowserProgram::find(path);
    DoctorRow {
        part: "browser",
        present: found.is_ok(),
        optional: true,
        detail: match &found {
            Ok(program) => program.path.display().to_string(),
            Err(error) => error.to_string(),
        },
        adds: found.err().map(|error| {
            let how = error.hint().unwrap_or_default();
            format!("stories (`world test`, `check --stories`); {how}")
        }),
    }
}

/// Programs of editors that drive agents.
const EDITORS: [&str; 6] = ["zed", "idea", "rustrover", "nvim", "emacs", "acpx"];

/// Programs of coding agents.
const AGENTS: [&str; 6] = ["claude", "codex", "gemini", "opencode", "cursor-agent", "crush"];

/// The programs that could drive graftage, and how one is configured for it.
fn clients(part: &'static str, path: &std::ffi::OsStr, names: &[&str], server: &str) -> DoctorRow {
    let has = |name: &&&str| sandbox::programs(path, name).next().is_some();
    let found: Vec<&str> = names.iter().filter(has).copied().collect();
    let how = format!("`graftage serve {server} --print-config` has the lines for each");
    DoctorRow {
        part,
        present: !found.is_empty(),
        optional: true,
        detail: match found.is_empty() {
            true => "none in PATH".to_owned(),
            false => format!("{}; {how}", found.join(", ")),
        },
        adds: found.is_empty().then_some(how),
    }
}

fn toolchain(
    ctx: &Ctx,
    root: Option<&Path>,
    settings: &Settings,
    host: &HostEnv,
    sandbox: &Sandbox,
) -> Vec<DoctorRow> {
    let trust = settings.trust();
    let require = settings.sandbox_require;
    let root = root.unwrap_or(&host.home);
    let row = |part, present, optional, detail: String, adds: Option<&str>| DoctorRow {
        part,
        present,
        optional,
        detail,
        adds: adds.filter(|_| !present).map(str::to_owned),
    };
    match build::locate_toolchain(ctx, sandbox, host, root, &trust, require) {
        Err(error) => vec![DoctorRow {
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
                    Some("the format rung of checks; `rustup component add rustfmt`"),
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

/// rust-analyzer as a component of the toolchain, or a separate program in `PATH`. A program in
/// cargo's `bin` directory is rustup's proxy, which exists without the component too.
fn analyzer(toolchain: &build::Toolchain, host: &HostEnv) -> DoctorRow {
    let proxies = host.cargo_home.join("bin");
    let is_proxy = |program: &PathBuf| {
        program.file_stem().is_some_and(|stem| stem == "rustup") || program.starts_with(&proxies)
    };
    let found =
        sandbox::program_in(&toolchain.sysroot.join("bin"), "rust-analyzer").or_else(|| {
            sandbox::programs(&host.path, "rust-analyzer").find(|program| !is_proxy(program))
        });
    DoctorRow {
        part: "rust-analyzer",
        present: found.is_some(),
        optional: true,
        detail: found.as_ref().map_or_else(
            || "neither in the toolchain nor in PATH".to_owned(),
            |path| path.display().to_string(),
        ),
        adds: found.is_none().then(|| {
            "resolved calls and types in the map (`index --analyzer batch`), quick fixes in `fix`, and a \
             fast first check of candidates (`--analyzer live`); `rustup component add \
             rust-analyzer rust-src`"
                .to_owned()
        }),
    }
}

fn sandbox_level(capabilities: &Capabilities, require: Level) -> DoctorRow {
    let present = capabilities.level >= require;
    let name = |level: Level| match level {
        Level::BestEffort => "best effort",
        Level::Standard => "standard",
        Level::Strong => "strong",
    };
    DoctorRow {
        part: "sandbox",
        present,
        optional: false,
        detail: format!("{} (required: {})", name(capabilities.level), name(require)),
        adds: (!present).then(|| {
            "build scripts, macros and tests cannot be confined on this machine: enable user \
             namespaces (sysctl `kernel.unprivileged_userns_clone=1`, or the AppArmor setting \
             for them) or use a kernel with Landlock; `--allow-unsandboxed` runs them \
             unconfined, at your own risk"
                .to_owned()
        }),
    }
}

/// Whether the directory can be created and written.
fn directory(part: &'static str, dir: &Path) -> DoctorRow {
    let written = untrusted_fs::make_chosen(dir).and_then(|dir| dir.create_unnamed()).map(drop);
    DoctorRow {
        part,
        present: written.is_ok(),
        optional: false,
        detail: match &written {
            Ok(()) => dir.display().to_string(),
            Err(error) => format!("{}: {error}", dir.display()),
        },
        adds: written.err().map(|_| "set GRAFTAGE_HOME to a writable directory".to_owned()),
    }
}
