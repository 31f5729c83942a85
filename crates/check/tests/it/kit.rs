//! A prover over a throw-away project.

use std::path::{Path, PathBuf};

use base::{Ctx, ProjectPath, Timestamp};
use build::{CargoEnv, HostEnv};
use edit::{FileState, Files, Overlay};
use graftage_check::{Checked, Ladder, Prover};
use repo::{Dirs, Project};
use testkit::TempProject;

/// The machine's own toolchain, as a command line would hand it in.
#[allow(clippy::disallowed_methods)]
pub(crate) fn host() -> HostEnv {
    let var = |name: &str| std::env::var_os(name);
    let home = PathBuf::from(var("HOME").unwrap_or_else(|| "/root".into()));
    HostEnv {
        path: var("PATH").unwrap_or_default(),
        cargo_home: var("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from),
        rustup_home: var("RUSTUP_HOME").map_or_else(|| home.join(".rustup"), PathBuf::from),
        home,
        toolchain: None,
    }
}

pub(crate) fn env(ctx: &Ctx, root: &Path) -> CargoEnv {
    let sandbox = testkit::inner::sandbox();
    let host = host();
    let require = sandbox::Level::Standard;
    // What tests put beside the project is trusted, as the user would say it.
    let trust = build::Trust::new(root.parent());
    let toolchain = build::locate_toolchain(ctx, &sandbox, &host, root, &trust, require).unwrap();
    CargoEnv {
        sandbox,
        host,
        toolchain,
        require,
        trust,
        cache: root.with_file_name("cache"),
        offline: true,
        jobs: None,
    }
}

pub(crate) struct Kit {
    pub(crate) ctx: Ctx,
    pub(crate) prover: Prover,
    pub(crate) project: TempProject,
}

pub(crate) fn kit(fixture: &str) -> Kit {
    over(testkit::crate_project(fixture))
}

pub(crate) fn over(project: TempProject) -> Kit {
    over_with(project, None)
}

/// As on a system where no namespaces are to be had: Landlock and seccomp alone.
pub(crate) fn without_mounts(project: TempProject) -> Kit {
    let mut kit = over(project);
    let layers = sandbox::Layers { namespaces: false, ..sandbox::Layers::default() };
    let mut env = kit.prover.env().clone();
    env.sandbox = sandbox::Sandbox::with_layers(testkit::inner::path(), layers);
    let dirs = Dirs { cache: kit.project.beside("cache"), state: kit.project.beside("state") };
    let opened = Project::open(&kit.ctx, kit.project.root(), dirs).unwrap();
    kit.prover = Prover::new(&kit.ctx, opened, env).unwrap();
    kit
}

/// With the network, an empty `CARGO_HOME` beside the project, and trust in this registry.
pub(crate) fn online(project: TempProject, registry: &str) -> Kit {
    let mut kit = over(project);
    let mut env = kit.prover.env().clone();
    env.offline = false;
    env.host.cargo_home = kit.project.beside("cargo");
    env.trust = env.trust.with_registries([registry]);
    let dirs = Dirs { cache: kit.project.beside("cache"), state: kit.project.beside("state") };
    let opened = Project::open(&kit.ctx, kit.project.root(), dirs).unwrap();
    kit.prover = Prover::new(&kit.ctx, opened, env).unwrap();
    kit
}

pub(crate) fn over_with(project: TempProject, strategy: Option<repo::Strategy>) -> Kit {
    let ctx = testkit::ctx();
    let dirs = Dirs { cache: project.beside("cache"), state: project.beside("state") };
    let opened = Project::open(&ctx, project.root(), dirs).unwrap();
    let mut prover = Prover::new(&ctx, opened, env(&ctx, project.root())).unwrap();
    if let Some(strategy) = strategy {
        prover = prover.with_strategy(strategy);
    }
    Kit { ctx, prover, project }
}

impl Kit {
    pub(crate) fn baseline(&self, ladder: &Ladder) -> Checked {
        self.prover.baseline(&self.ctx, ladder, &mut |_| {}).unwrap()
    }

    pub(crate) fn prove(&self, changes: &[(&str, Option<&str>)], ladder: &Ladder) -> Checked {
        self.prover.prove(&self.ctx, self.overlay(changes), ladder, &mut |_| {}).unwrap()
    }

    /// The files as they shall be; `None` removes.
    pub(crate) fn overlay(&self, changes: &[(&str, Option<&str>)]) -> Overlay {
        let states = changes.iter().map(|(path, after)| {
            let path = ProjectPath::new(path).unwrap();
            let before = self.prover.project().read(&path).unwrap();
            (path, before, after.map(FileState::from_text))
        });
        Overlay::from_states("test", Timestamp::default(), states.collect())
    }
}

/// `parse ok | check failed: 1 error`.
pub(crate) fn rungs(checked: &Checked) -> String {
    let rungs = checked.evidence.rungs.iter().map(|rung| {
        let held = if rung.passed { "ok" } else { "failed" };
        let name = format!("{:?}", rung.name).to_lowercase();
        format!("{name} {held}: {}", rung.detail)
    });
    rungs.collect::<Vec<_>>().join(" | ")
}
