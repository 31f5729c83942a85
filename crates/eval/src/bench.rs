//! Compiles, lints and tests for the graders, in their own target directories. Independent of
//! everything that the product has built or reports.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Ctx, Diagnostic, SortedMap};
use build::{CargoEnv, Command, Packages, Verb};
use project::{Settings, Surroundings};
use sandbox::{Job, JobLimits, Mount, Network, Sandbox, View};

use crate::EvalError;

/// The graders' own compiler runs, in their own target directories. Nothing that the product
/// reports or has built is used for a grade.
#[derive(Clone, Debug)]
pub(crate) struct GradingToolchain {
    env: CargoEnv,
}

/// Result of one compiler run.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) built: bool,
    /// Diagnostics, errors first.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) cpu: Duration,
}

impl Compiled {
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error())
    }
}

/// Result of a test run.
#[derive(Clone, Debug)]
pub(crate) struct Tested {
    pub(crate) green: bool,
    pub(crate) cpu: Duration,
}

/// Time limit of one compiler or test run.
const TIMEOUT: Duration = Duration::from_secs(300);

impl GradingToolchain {
    /// Finds the toolchain in `folder`, which has no toolchain file.
    pub(crate) fn new(
        ctx: &Ctx,
        folder: &Path,
        settings: &Settings,
        surroundings: &Surroundings,
        sandbox: &Sandbox,
    ) -> Result<Self, EvalError> {
        let host = surroundings.host();
        let trust = build::Trust::default();
        let toolchain =
            build::locate_toolchain(ctx, sandbox, &host, folder, &trust, settings.sandbox_require)?;
        Ok(Self {
            env: CargoEnv {
                sandbox: sandbox.clone(),
                host,
                toolchain,
                require: settings.sandbox_require,
                trust,
                cache: surroundings.cache_dir.clone(),
                offline: settings.cargo_offline,
                jobs: Some(1),
            },
        })
    }

    pub(crate) fn toolchain_version(&self) -> &str {
        &self.env.toolchain.version
    }

    /// Checks one file with the suite's own recipe: `rustc --emit=metadata`.
    pub(crate) fn rustc(
        &self,
        ctx: &Ctx,
        text: &str,
        edition: &str,
    ) -> Result<Compiled, EvalError> {
        let kind = if has_main(text) { "bin" } else { "lib" };
        let args = [
            "--edition",
            edition,
            "--crate-name",
            "case",
            "--crate-type",
            kind,
            "--emit=metadata",
            "--out-dir",
            "out",
            "--error-format=json",
        ];
        self.compiler(ctx, self.env.toolchain.rustc.clone(), &args, text)
    }

    /// Lints one file with the suite's own recipe.
    pub(crate) fn clippy(
        &self,
        ctx: &Ctx,
        text: &str,
        edition: &str,
    ) -> Result<Compiled, EvalError> {
        let program = self
            .env
            .toolchain
            .clippy_driver
            .clone()
            .ok_or(EvalError::NoProgram("clippy-driver"))?;
        let args = [
            "--edition",
            edition,
            "--emit=metadata",
            "--out-dir",
            "out",
            "-Aunused",
            "-Ainternal_features",
            "-Dwarnings",
            "--error-format=json",
        ];
        self.compiler(ctx, program, &args, text)
    }

    fn compiler(
        &self,
        ctx: &Ctx,
        program: PathBuf,
        args: &[&str],
        text: &str,
    ) -> Result<Compiled, EvalError> {
        let scratch =
            tempfile::tempdir().map_err(|e| EvalError::io(Path::new("temp folder"), &e))?;
        let root = scratch.path();
        let file = root.join("case.rs");
        std::fs::write(&file, text).map_err(|e| EvalError::io(&file, &e))?;
        let out = root.join("out");
        std::fs::create_dir(&out).map_err(|e| EvalError::io(&out, &e))?;
        let sysroot = &self.env.toolchain.sysroot;
        let libraries = sysroot.join("lib");
        let mut args: Vec<OsString> = args.iter().map(OsString::from).collect();
        args.extend(["--sysroot".into(), sysroot.clone().into_os_string(), "case.rs".into()]);
        let job = Job {
            program,
            args,
            cwd: root.to_path_buf(),
            env: SortedMap::from([
                ("PATH".into(), "/usr/bin:/bin".into()),
                ("LD_LIBRARY_PATH".into(), libraries.clone().into_os_string()),
                ("DYLD_LIBRARY_PATH".into(), libraries.into_os_string()),
            ]),
            stdin: Vec::new(),
            view: View {
                mounts: vec![
                    Mount::ReadOnly { host: sysroot.clone(), inside: sysroot.clone() },
                    Mount::Writable { host: root.to_path_buf(), inside: root.to_path_buf() },
                ],
            },
            limits: JobLimits {
                wall: Duration::from_secs(120),
                memory_bytes: Some(2 << 30),
                output_bytes: 64 << 20,
                ..JobLimits::default()
            },
            network: Network::Off,
            require: self.env.require,
        };
        let outcome = self.env.sandbox.run(ctx, &job, &mut |_, _| {})?;
        ctx.check_cancelled()?;
        Ok(Compiled {
            built: outcome.exit_code == 0,
            diagnostics: diagnostics(root, &outcome.stderr),
            cpu: outcome.cpu.unwrap_or_default(),
        })
    }

    /// `cargo check --lib` of the package at `root`, with `target` as target directory.
    pub(crate) fn check(
        &self,
        ctx: &Ctx,
        root: &Path,
        target: &Path,
    ) -> Result<Compiled, EvalError> {
        let report = self.cargo(ctx, root, target, Verb::Check)?;
        Ok(Compiled {
            built: report.built && report.failure.is_none(),
            cpu: report.cpu.unwrap_or_default(),
            diagnostics: report.diagnostics,
        })
    }

    /// `cargo test --lib`: passes if everything was built, ran to its end, and nothing failed.
    pub(crate) fn test(&self, ctx: &Ctx, root: &Path, target: &Path) -> Result<Tested, EvalError> {
        let report = self.cargo(ctx, root, target, Verb::Test)?;
        let green = report.built
            && report.failure.is_none()
            && !report.timed_out
            && report.tests.as_ref().is_some_and(|tests| {
                tests.complete && tests.failed.is_empty() && !tests.passed.is_empty()
            });
        Ok(Tested { green, cpu: report.cpu.unwrap_or_default() })
    }

    fn cargo(
        &self,
        ctx: &Ctx,
        root: &Path,
        target: &Path,
        verb: Verb,
    ) -> Result<build::CargoReport, EvalError> {
        let view = View {
            mounts: vec![Mount::Writable { host: root.to_path_buf(), inside: root.to_path_buf() }],
        };
        // A private home and temporary folder, inside of what the job may write.
        let (home, tmp) = (target.join(".home"), target.join(".tmp"));
        for folder in [&home, &tmp] {
            std::fs::create_dir_all(folder).map_err(|error| EvalError::io(folder, &error))?;
        }
        let target = build::warm::TargetMount {
            inside: target.to_path_buf(),
            home,
            tmp,
            guard: None,
            mounts: vec![Mount::Writable {
                host: target.to_path_buf(),
                inside: target.to_path_buf(),
            }],
        };
        let command = Command {
            packages: Packages::Default,
            test_code: false,
            all_targets: false,
            lib_only: true,
            ..Command::new(verb, TIMEOUT)
        };
        let files = build::ProjectFiles::of_tree(root);
        let fresh = build::FreshView::new(&view, root, &files);
        let prepared = build::prepare(ctx, &self.env, fresh, TIMEOUT)?;
        let mut report = build::run(ctx, &self.env, &view, root, &target, &command, &mut |_| {})?;
        prepared.add_to(&mut report);
        ctx.check_cancelled()?;
        Ok(report)
    }

    pub(crate) fn env(&self) -> &CargoEnv {
        &self.env
    }
}

/// The diagnostics in the compiler's lines of JSON, errors first.
pub(crate) fn diagnostics(root: &Path, lines: &[u8]) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = lines
        .split(|byte| *byte == b'\n')
        .filter_map(|line| match build::read_message(root, line)? {
            build::CargoMessage::Diagnostic(diagnostic) => Some(*diagnostic),
            _ => None,
        })
        .collect();
    all.sort_by_key(|diagnostic| !diagnostic.is_error());
    all
}

/// Whether the text is a program: decides between `lib.rs` and `main.rs`.
pub(crate) fn has_main(text: &str) -> bool {
    text.contains("fn main")
}
