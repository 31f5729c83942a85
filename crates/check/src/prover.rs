//! [`Prover`]: one project prepared for proofs. It keeps the baseline and recent findings, repeats
//! a proof if the tree changed meanwhile, and derives time limits from the project's own builds.

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base::{ContentHash, Ctx, Diagnostic, ProjectPath, SortedMap, SortedSet};
use build::{CargoEnv, CargoWorkspace};
use edit::Overlay;
use policy::{RungName, Tree};
use repo::{Materialised, Project, Stamps, Strategy, ViewOptions};

use crate::before::Before;
use crate::coverage::CoverageKey;
use crate::draft::Draft;
use crate::head::HeadBefore;
use crate::held::Held;
use crate::map::Mapper;
use crate::place::Place;
use crate::prepared::{KnownPackages, own_lock};
use crate::rung::Flown;
use crate::skipped::{LastCommit, SkipInputs};
use crate::text::{counted, millis};
use crate::tree_state::TreeState;
use crate::{CheckError, Checked, Ladder, MappedDiagnostic, Preflight, Scope, SkipRule, parse};

/// Attempts on a tree that keeps changing.
pub(crate) const ATTEMPTS: usize = 3;
/// Time limit of a run of cargo without a baseline.
pub(crate) const LONG: Duration = Duration::from_secs(30 * 60);
/// The smallest time limit.
const SHORT: Duration = Duration::from_secs(120);

/// One project prepared for proofs: toolchain, workspace, warm target, baseline.
///
/// It may be shared between threads: proofs run in parallel, baselines one at a time.
#[derive(Debug)]
pub struct Prover {
    pub(crate) project: Project,
    pub(crate) env: CargoEnv,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) inputs: Arc<policy::TreeInputs>,
    /// Hash of the manifests above the project when it was opened.
    pub(crate) above: base::ContentHash,
    pub(crate) views: ViewOptions,
    /// Whether findings go to agents, who see no file that git ignores.
    pub(crate) for_agents: bool,
    pub(crate) preflight: Option<Preflight>,
    pub(crate) reviewer: Option<Arc<dyn world::StoryReviewer>>,
    pub(crate) known: Mutex<Known>,
    /// Held during a baseline, so that parallel proofs without one build it once.
    pub(crate) baseline_lock: Mutex<()>,
}

/// Findings of baselines.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The tree of `before`, `looked` and `head`.
    pub(crate) tree: Option<ContentHash>,
    pub(crate) before: Before,
    /// The parts that were checked, named as by [`crate::baseline::wanted`].
    pub(crate) looked: Vec<String>,
    /// Findings of the last commit.
    pub(crate) head: Vec<HeadBefore>,
    /// What the user's removals since the last commit permit, by the change back to it.
    pub(crate) allowed: Option<(ContentHash, Arc<preserve::Allowed>)>,
    /// Check rungs of the last candidates that passed.
    pub(crate) held: VecDeque<Held>,
    /// Durations of the slowest build and tests so far.
    pub(crate) build: Option<Duration>,
    pub(crate) tests: Option<Duration>,
    /// Whether the last build of the tree itself wrote into the source tree.
    pub(crate) writes_sources: bool,
    /// Coverage by what it depends on.
    pub(crate) coverage: Option<(CoverageKey, policy::ProofCoverage)>,
    /// The workspace by the hash of what decides about it.
    pub(crate) workspace: Option<(ContentHash, Option<Arc<CargoWorkspace>>)>,
    pub(crate) packages: KnownPackages,
}

impl Prover {
    /// Prepares `project`; runs nothing yet.
    ///
    /// # Errors
    /// Where the project depends on folders outside of it that the user does not trust
    /// ([`build::CargoError::Untrusted`]), or the user asked to stop.
    pub fn new(ctx: &Ctx, project: Project, env: CargoEnv) -> Result<Self, CheckError> {
        ctx.check_cancelled()?;
        let outside = build::outside_paths(project.root(), &env.trust).complete()?;
        let inputs = policy::TreeInputs {
            files: build::inputs(&env, project.root()),
            folders: outside.clone(),
        };
        Ok(Self {
            above: build::manifests_above(project.root()),
            project,
            env,
            scopes: vec![Scope::default()],
            inputs: Arc::new(inputs),
            views: ViewOptions { outside, ..ViewOptions::default() },
            for_agents: false,
            preflight: None,
            reviewer: None,
            known: Mutex::default(),
            baseline_lock: Mutex::default(),
        })
    }

    /// Sets the configurations, each built on every rung of baselines and candidates; the default one
    /// if the list is empty.
    #[must_use]
    pub fn with_scopes(mut self, scopes: Vec<Scope>) -> Self {
        if !scopes.is_empty() {
            self.scopes = scopes;
        }
        self
    }

    /// Sets the strategy for views.
    #[must_use]
    pub fn with_strategy(mut self, strategy: Strategy) -> Self {
        self.views.strategy = Some(strategy);
        self
    }

    /// Gives copies of the project a git folder, for builds that use git.
    #[must_use]
    pub fn with_git(mut self, require_git: bool) -> Self {
        self.views.require_git = require_git;
        self
    }

    /// Sets whether findings go to agents. A compiler's message can quote any file that it reads, and a
    /// test print it, so builds for agents see neither files that git ignores beside the sources nor
    /// those with secrets, but for those in folders that the user trusts.
    #[must_use]
    pub fn for_agents(mut self, for_agents: bool) -> Self {
        self.for_agents = for_agents;
        self
    }

    /// Sets the analyzer rung for ladders that request it.
    #[must_use]
    pub fn with_preflight(mut self, preflight: Preflight) -> Self {
        self.preflight = Some(preflight);
        self
    }

    /// Everything that a proof of the present tree depends on.
    ///
    /// # Errors
    /// A tree that cannot be read.
    pub fn tree(&self, ctx: &Ctx) -> Result<Tree, CheckError> {
        Ok(self.tree_state(ctx)?.tree)
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The environment of cargo.
    pub fn env(&self) -> &CargoEnv {
        &self.env
    }

    /// Packages and their dependencies; `None` if cargo cannot read the manifests (a check then
    /// reports why).
    ///
    /// # Errors
    /// Where the tree cannot be read or shown, or cargo cannot be run.
    pub fn workspace(&self, ctx: &Ctx) -> Result<Option<Arc<CargoWorkspace>>, CheckError> {
        let state = self.tree_state(ctx)?;
        self.workspace_of(ctx, &state)
    }

    /// The versions that cargo chooses for the tree with `overlay` on top, and where their sources
    /// are; of `reach`. Nothing is built, and the tree is not written.
    ///
    /// # Errors
    /// Where the tree cannot be shown, or cargo cannot be run.
    pub fn resolve(
        &self,
        ctx: &Ctx,
        overlay: &Overlay,
        (download, reach): (build::Download, build::Reach),
        timeout: Duration,
    ) -> Result<build::DependencyResolution, CheckError> {
        let files = self.package_files(overlay);
        let shown = self.show_with(ctx, overlay, own_lock(&files))?;
        let view = shown.writable()?;
        let (features, platforms) = match reach {
            build::Reach::Built => self.needs(&[]),
            build::Reach::All => (true, true),
        };
        let fresh = self.fresh((&view, &shown.root), &files, (features, platforms));
        Ok(build::resolve(ctx, &self.env, fresh, download, timeout)?)
    }

    /// The releases of a package that the registry lists; the error is why they are unknown.
    ///
    /// # Errors
    /// As [`build::releases`].
    pub fn releases(
        &self,
        of: &build::ResolvedPackage,
    ) -> Result<Vec<build::ListedRelease>, build::UnknownReleases> {
        build::releases(&self.env.host, of)
    }

    /// The version of Rust that builds the project, without its name for a channel; `None` if it cannot
    /// be read.
    pub fn rust_version(&self) -> Option<String> {
        let number = self.env.toolchain.version.split(' ').nth(1)?;
        Some(number.split('-').next().unwrap_or(number).to_owned())
    }

    /// The place of a run of the ladder on `tree`.
    pub(crate) fn place<'a>(
        &'a self,
        ctx: &'a Ctx,
        (view, tree, more): (&'a (Materialised, Arc<build::Prepared>), &'a Tree, &'a [Scope]),
        target: &'a build::warm::TargetMount,
        skip_inputs: Option<SkipInputs<'a>>,
    ) -> Result<Place<'a>, CheckError> {
        let (env, scopes, writable) = (&self.env, &self.scopes, OnceCell::new());
        let (shown, prepared) = view;
        let place =
            Place { ctx, env, scopes, more, shown, tree, prepared, target, skip_inputs, writable };
        if base::lock(&self.known).writes_sources {
            place.let_write()?;
        }
        Ok(place)
    }

    /// The inputs that decide which targets a run of `overlay` on `tree` skips, given the last commit;
    /// `None`: it skips none.
    pub(crate) fn skip_inputs<'a>(
        &'a self,
        ladder: &Ladder,
        workspace: Option<&'a CargoWorkspace>,
        tree: &'a Tree,
        (overlay, last_commit): (&'a Overlay, LastCommit),
    ) -> Option<SkipInputs<'a>> {
        let workspace = workspace.filter(|_| ladder.skip != SkipRule::Nothing)?;
        Some(SkipInputs { files: &self.project, workspace, tree, overlay, last_commit })
    }

    /// Runs the ladder with `overlay` on top of the tree, in a throw-away layer. May run in parallel
    /// with others. Builds a baseline first if there is none.
    ///
    /// # Errors
    /// If there is no verdict; a change that does not build is a verdict, not an error.
    pub fn prove(
        &self,
        ctx: &Ctx,
        overlay: Overlay,
        ladder: &Ladder,
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<Checked, CheckError> {
        ctx.check_cancelled()?;
        let mut state = self.tree_state(ctx)?;
        let overlay = match ladder.format && ladder.reformat {
            true => self.with_lock(ctx, overlay, ladder)?,
            false => overlay,
        };
        let mut draft = Draft::new(&self.project, overlay, state.tree.clone());
        if !self.parse_rung(&mut draft, on) {
            return Ok(draft.finish(ctx));
        }
        if ladder.format && ladder.reformat {
            draft = self.reformatted(ctx, draft, &state)?;
        }
        let skipped = match self.analyzer_rung(ctx, &mut draft, &state, ladder, on)? {
            Flown::Refused => return Ok(draft.finish(ctx)),
            Flown::On { note } => note,
        };
        let rungs = draft.findings.rungs.clone();
        let mut moved = Vec::new();
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                state = self.tree_state(ctx)?;
                let tree = state.tree.clone();
                draft = match draft.plain.take() {
                    Some(plain) => Draft::with_format(&self.project, draft.overlay, plain, tree),
                    None => Draft::new(&self.project, draft.overlay, tree),
                };
                draft.findings.rungs = rungs.clone();
            }
            moved = self.candidate(ctx, &mut draft, &state, ladder, on)?;
            if moved.is_empty() {
                draft.findings.notes.extend(skipped);
                return Ok(draft.finish(ctx));
            }
        }
        Err(tree_moves(&moved))
    }

    pub(crate) fn parse_rung(
        &self,
        draft: &mut Draft,
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> bool {
        let started = Instant::now();
        if let Some(deep) = preserve::too_deep(&draft.overlay).first() {
            let detail = format!("{}: {}", deep.path, deep.detail);
            return draft.rung(RungName::Parse, false, millis(started.elapsed()), detail);
        }
        let errors = parse::new_errors(&draft.overlay);
        let passed = errors.is_empty();
        let detail = counted(errors.len(), "new syntax error");
        self.refused_by(draft, errors, on);
        draft.findings.errors_before = base::lock(&self.known).before.errors;
        draft.rung(RungName::Parse, passed, millis(started.elapsed()), detail)
    }

    /// Records the errors for which a rung before cargo rejects a candidate.
    pub(crate) fn refused_by(
        &self,
        draft: &mut Draft,
        errors: Vec<Diagnostic>,
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) {
        let overlay = draft.overlay.clone();
        let mut mapper = Mapper::new(&self.project, &overlay);
        for diagnostic in errors {
            let mapped = mapper.map(&diagnostic);
            on(&mapped);
            draft.mapped.push(mapped);
            draft.diagnostics.push(diagnostic);
        }
        draft.findings.errors_after = draft.diagnostics.len();
    }

    /// Findings of the last baseline if the tree is still the same.
    pub(crate) fn before_of(&self, tree: &Tree) -> Before {
        let known = base::lock(&self.known);
        if known.tree == Some(tree.hash()) { known.before.clone() } else { Before::default() }
    }

    /// Per configuration, the targets of the tree that are known not to build, by package and name in
    /// reports.
    pub(crate) fn unbuilt(&self) -> Vec<SortedSet<(String, String)>> {
        let known = base::lock(&self.known);
        known.before.scopes.iter().map(|it| it.unbuilt.keys().cloned().collect()).collect()
    }

    /// Per configuration, the flags that the build scripts of the tree are known to pass to the compiler, by
    /// package.
    pub(crate) fn script_cfgs(&self) -> Vec<SortedMap<String, SortedSet<String>>> {
        let known = base::lock(&self.known);
        known.before.scopes.iter().map(|it| it.script_cfgs.clone()).collect()
    }

    /// Durations of the slowest build and tests, of any tree.
    pub(crate) fn durations(&self) -> (Option<Duration>, Option<Duration>) {
        let known = base::lock(&self.known);
        (known.build, known.tests)
    }

    /// The files that moved since `state`, by their stamps; and entries that are closed to this run and came since:
    /// it may have seen them.
    pub(crate) fn moved_since(
        &self,
        ctx: &Ctx,
        state: &TreeState,
    ) -> Result<Vec<String>, CheckError> {
        let now = self.project.stamps(ctx, &self.inputs)?;
        let mut moved = self.written_since(ctx, &now, state);
        moved.extend(came(&self.closed(ctx)?, state));
        Ok(moved)
    }

    /// The files whose stamps differ from those of `state`. Single files outside the project count
    /// only if their content differs too: a hard link to a toolchain changes its stamps. So do sources that
    /// git ignores: an editor's build makes them again.
    pub(crate) fn written_since(&self, ctx: &Ctx, now: &Stamps, state: &TreeState) -> Vec<String> {
        let is_same = |path: &Path| {
            let is_input = self.inputs.files.iter().any(|it| it == path);
            let generated = || ProjectPath::new(path.to_str()?).ok();
            let known = match is_input {
                true => state.tree.external(path),
                false => generated().and_then(|it| state.tree.ignored().get(&it).copied()),
            };
            let full = self.project.root().join(path);
            known.is_some_and(|it| repo::hash_of(ctx, &full).ok().flatten() == Some(it))
        };
        let changed = now.changed_since(&state.stamps, self.project.root());
        changed.into_iter().filter(|path| !is_same(Path::new(path))).collect()
    }
}

/// Time limit of a candidate: five times the slowest baseline of its kind, at least two minutes. The
/// project's own durations distinguish a hang from slowness.
pub(crate) fn timeout(ladder: &Ladder, baseline: Option<Duration>) -> Duration {
    ladder.timeout.unwrap_or_else(|| baseline.map_or(LONG, |it| (it * 5).clamp(SHORT, LONG)))
}

/// The entries that a run on `state` should not have seen, and that are not in its list.
pub(crate) fn came(closed: &SortedSet<ProjectPath>, state: &TreeState) -> Vec<String> {
    closed.difference(&state.closed).map(|path| path.as_str().to_owned()).collect()
}

pub(crate) fn tree_moves(moved: &[String]) -> CheckError {
    CheckError::TreeMoves {
        attempts: ATTEMPTS,
        example: moved.first().cloned().unwrap_or_default(),
    }
}
