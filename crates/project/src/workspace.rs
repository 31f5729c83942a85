//! An open project: the state that all commands share.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use analyzer::session::Session;
use base::{Ctx, ProjectPath};
use build::{CargoEnv, HostEnv, Trust};
use check::{Ladder, Prover, Tests};
use repo::{Dirs, Git, Project};
use sandbox::Sandbox;
use world::StoryReviewer;

use crate::rust_analyzer::NoSession;
use crate::story_review::ModelReviewer;
use crate::{ProjectError, Settings, Surroundings};

/// Environment variable with the key of a reranker. It is not a setting because settings are printed.
const RERANKER_KEY: &str = "GRAFTAGE_RERANKER_KEY";

/// An open project with the state that the commands share.
///
/// Invariant: opening a project only reads it and recovers interrupted writes. The toolchain is
/// located by the first check.
pub struct Workspace {
    /// Of what outlives the calls: its cancellation ends the workspace, that of a call does not.
    ctx: Ctx,
    project: Project,
    sandbox: Sandbox,
    settings: Settings,
    host: HostEnv,
    cache_dir: PathBuf,
    user_state: PathBuf,
    models_dir: PathBuf,
    reranker_key: Option<String>,
    prover: OnceLock<Prover>,
    /// Reviewer of changes before their stories are played.
    reviewer: Option<Arc<dyn StoryReviewer>>,
    pub(crate) analyzer_session: OnceLock<Result<Arc<Session>, NoSession>>,
    /// Value of a higher crate.
    attached: OnceLock<Box<dyn Any + Send + Sync>>,
    /// The directory of the command below the root; `None`: the root.
    here: Option<ProjectPath>,
    /// Whether answers go to agents.
    for_agents: bool,
}

impl Workspace {
    /// Opens the project with the root directory `root` (see [`build::find_root`]).
    ///
    /// # Errors
    /// A root that cannot be read, or an interrupted write that cannot be recovered.
    pub fn open(
        ctx: &Ctx,
        root: &Path,
        settings: &Settings,
        surroundings: &Surroundings,
        sandbox: Sandbox,
    ) -> Result<Self, ProjectError> {
        let dirs =
            Dirs { cache: surroundings.cache_dir.clone(), state: surroundings.state_dir.clone() };
        Ok(Self {
            ctx: ctx.clone(),
            project: Project::open(ctx, root, dirs)?.with_git(git(surroundings)),
            sandbox: sandbox.with_answers_in(surroundings.cache_dir.join("machine.json")),
            settings: settings.clone(),
            host: surroundings.host(),
            cache_dir: surroundings.cache_dir.clone(),
            user_state: surroundings.state_dir.join("user"),
            models_dir: surroundings.models_dir(),
            reranker_key: surroundings.variables.get(RERANKER_KEY).cloned(),
            prover: OnceLock::new(),
            reviewer: settings.check_review.then(|| {
                Arc::new(ModelReviewer::new(settings, surroundings)) as Arc<dyn StoryReviewer>
            }),
            analyzer_session: OnceLock::new(),
            attached: OnceLock::new(),
            here: None,
            for_agents: false,
        })
    }

    /// The same for agents: what they run does not see what they may not read.
    #[must_use]
    pub fn for_agents(mut self) -> Self {
        self.for_agents = true;
        self
    }

    /// Whether answers go to agents.
    pub fn is_for_agents(&self) -> bool {
        self.for_agents
    }

    /// The same for a command that runs in `dir`: places (`file.rs:7`) may be relative to it.
    #[must_use]
    pub fn in_directory(mut self, dir: &Path) -> Self {
        let dir = dir.canonicalize().ok();
        self.here = dir.and_then(|dir| ProjectPath::within(self.project.root(), &dir).ok());
        self
    }

    /// A place (`file.rs:7`) relative to the directory of the command, as one relative to the root;
    /// `None`: the query is no place, or the directory is the root.
    pub fn place_from_here(&self, query: &str) -> Option<String> {
        let mut parts: Vec<&str> = self.here.as_ref()?.as_str().split('/').collect();
        let (file, place) = query.split_once(".rs:")?;
        for part in file.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()?),
                part => parts.push(part),
            }
        }
        Some(format!("{}.rs:{place}", parts.join("/")))
    }

    /// The context that the workspace was opened with.
    pub fn ctx(&self) -> &Ctx {
        &self.ctx
    }

    /// The user's files; the only access for writes.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The sandbox for foreign code.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Directories outside the project that builds may read, and addresses that downloads may
    /// contact.
    pub(crate) fn trust(&self) -> Trust {
        self.settings.trust()
    }

    /// The project's index with the last stored map; `refresh` updates it.
    ///
    /// # Errors
    /// An index directory that cannot be read or created.
    pub fn index(&self, ctx: &Ctx) -> Result<ingest::Index, ProjectError> {
        let probe = build::ToolchainProbe {
            sandbox: self.sandbox.clone(),
            host: self.host.clone(),
            require: self.settings.sandbox_require,
            trust: self.trust(),
            cache: self.cache_dir.clone(),
        };
        Ok(ingest::Index::open(ctx, &self.project, Some(&probe))?)
    }

    /// The value of a higher crate that lives as long as the workspace, such as the live map; `None` before
    /// [`Workspace::attach`], and if it has another type.
    pub fn attached<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.attached.get()?.downcast_ref()
    }

    /// The same; the first call makes it with `make`.
    pub fn attach<T: Send + Sync + 'static>(&self, make: impl FnOnce() -> T) -> Option<&T> {
        self.attached.get_or_init(|| Box::new(make())).downcast_ref()
    }

    /// The record of proposals, tool calls and retrievals. Nothing is read or written yet.
    pub fn record(&self) -> record::Record {
        record::Record::at(self.project.state_dir().join("record"))
    }

    /// The record of what the user's projects have learned; used where a setting asks for it.
    pub fn user_record(&self) -> record::Record {
        record::Record::at(self.user_state.join("record"))
    }

    /// Graftage's cache directory.
    pub fn cache_dir(&self) -> &Path {
        &self.cache_dir
    }

    /// The user's home directory.
    pub fn home(&self) -> &Path {
        &self.host.home
    }

    /// `CARGO_HOME`, with the user's registry.
    pub fn cargo_home(&self) -> &Path {
        &self.host.cargo_home
    }

    /// Directory of the models, by hash.
    pub fn models_dir(&self) -> &Path {
        &self.models_dir
    }

    /// Bearer token for a reranker server.
    pub fn reranker_key(&self) -> Option<&str> {
        self.reranker_key.as_deref()
    }

    /// Options for rust-analyzer, from the settings.
    pub fn hydrate(&self) -> ingest::Hydrate {
        ingest::Hydrate {
            program: self.settings.analyzer.path.clone(),
            cache_dir: self.cache_dir.clone(),
            runs_project_code: self.settings.analyzer.build_scripts,
            timeout: self.settings.analyzer.timeout,
            memory_bytes: self.settings.analyzer.memory_mb.map(|mb| mb.saturating_mul(1 << 20)),
        }
    }

    /// The prover with toolchain and warm target directory; created by the first call.
    ///
    /// # Errors
    /// A toolchain that is missing or not trusted, or a rust-analyzer that cannot be set up.
    pub fn prover(&self, ctx: &Ctx) -> Result<&Prover, ProjectError> {
        if let Some(prover) = self.prover.get() {
            return Ok(prover);
        }
        crate::clean::forget_vanished(&self.project);
        let (trust, require) = (self.trust(), self.settings.sandbox_require);
        let (project, sandbox, host) = (&self.project, &self.sandbox, &self.host);
        let toolchain = std::thread::scope(|scope| {
            // Both start a process and wait for it.
            scope.spawn(|| project.probe_views(ctx, sandbox));
            build::locate_toolchain(ctx, sandbox, host, project.root(), &trust, require)
        })?;
        let env = CargoEnv {
            sandbox: self.sandbox.clone(),
            host: self.host.clone(),
            toolchain,
            require,
            trust,
            cache: self.cache_dir.clone(),
            offline: self.settings.cargo_offline,
            jobs: self.settings.cargo_jobs,
        };
        let preflight = match self.settings.analyzer.live {
            true => Some(self.preflight(ctx, &env)?),
            false => None,
        };
        let mut prover = Prover::new(ctx, self.project.clone(), env)?
            .with_scopes(self.settings.scopes())
            .with_git(self.settings.overlay_require_git)
            .for_agents(self.for_agents);
        if let Some(preflight) = preflight {
            prover = prover.with_preflight(preflight);
        }
        if let Some(reviewer) = &self.reviewer {
            prover = prover.with_reviewer(Arc::clone(reviewer));
        }
        Ok(self.prover.get_or_init(|| prover))
    }

    /// The ladder of the settings, with the tests of this call.
    pub fn ladder(&self, tests: Tests, filter: Option<String>) -> Ladder {
        self.settings.ladder(tests, filter)
    }

    /// The gate's rules of the settings. They require every rung that was requested, so tests that
    /// could not run do not count as passed.
    pub fn rules(&self, tests: Tests) -> policy::GateRules {
        self.settings.rules(tests)
    }
}

/// Git with the user's configuration, and with the toolchains that hooks may call.
fn git(surroundings: &Surroundings) -> Git {
    let variables = [
        ("PATH", surroundings.path.clone()),
        ("HOME", surroundings.home.clone().into()),
        ("CARGO_HOME", surroundings.cargo_home.clone().into()),
        ("RUSTUP_HOME", surroundings.rustup_home.clone().into()),
    ];
    Git {
        env: variables
            .into_iter()
            .map(|(name, value)| (name.into(), value))
            .chain(surroundings.git.clone())
            .collect(),
        // Not all of CARGO_HOME: it contains credentials.
        visible: vec![surroundings.cargo_home.join("bin"), surroundings.rustup_home.clone()],
        ..Git::default()
    }
}
