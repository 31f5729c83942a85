use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use base::{ContentHash, Ctx, Diagnostic, ProjectPath};
use cargo::{CargoEnv, Workspace};
use edit::Overlay;
use policy::RungName;
use repo::{Materialised, Project, Strategy};

use crate::climb::{self, Before, Place, Ran, TestChoice, counted, millis};
use crate::excuse::Excuses;
use crate::held::Held;
use crate::map::Mapper;
use crate::rung::Flown;
use crate::still::{Still, with_overlay};
use crate::{CheckError, Checked, Ladder, Mapped, Preflight, Scope, Tests, format, parse};

/// How often a moving tree is tried.
const ATTEMPTS: usize = 3;
/// A run of cargo without a baseline to go by.
const LONG: Duration = Duration::from_secs(30 * 60);
/// The least that a run gets.
const SHORT: Duration = Duration::from_secs(120);
/// What tests may take that were never seen to run: the tree without the change does not build.
const UNKNOWN: Duration = Duration::from_secs(15 * 60);

/// One project held ready for proofs: toolchain, workspace, warm target, baseline.
///
/// It may be shared between threads: proofs run in parallel, baselines one at a time.
#[derive(Debug)]
pub struct Prover {
    pub(crate) project: Project,
    pub(crate) env: CargoEnv,
    pub(crate) scope: Scope,
    pub(crate) outside: Vec<PathBuf>,
    pub(crate) strategy: Option<Strategy>,
    pub(crate) preflight: Option<Preflight>,
    pub(crate) known: Mutex<Known>,
    /// Held while a baseline is taken, so that parallel proofs that miss it take one and not many.
    pub(crate) taking: Mutex<()>,
}

/// What baselines found.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The tree that `before` speaks of.
    pub(crate) tree: Option<ContentHash>,
    pub(crate) before: Before,
    /// What of it was looked at, in the words of [`wanted`].
    pub(crate) looked: Vec<String>,
    /// What the check rung said of the last candidates that held.
    pub(crate) held: VecDeque<Held>,
    /// The slowest build and the slowest tests so far.
    pub(crate) build: Option<Duration>,
    pub(crate) tests: Option<Duration>,
    /// By the manifests that it was read from.
    pub(crate) workspace: Option<(ContentHash, Option<Arc<Workspace>>)>,
}

impl Prover {
    /// Holds `project` ready; runs nothing yet.
    ///
    /// # Errors
    /// Where the project depends on folders outside of it that the user does not trust
    /// ([`cargo::CargoError::Untrusted`]), or the user asked to stop.
    pub fn new(ctx: &Ctx, project: Project, env: CargoEnv) -> Result<Self, CheckError> {
        ctx.alive()?;
        let outside = cargo::outside_paths(project.root(), &env.trust).complete()?;
        Ok(Self {
            project,
            env,
            scope: Scope::default(),
            outside,
            strategy: None,
            preflight: None,
            known: Mutex::default(),
            taking: Mutex::default(),
        })
    }

    /// Checks this part of the workspace only, in baselines and candidates alike.
    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Shows the tree in this way and no other.
    #[must_use]
    pub fn with_strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = Some(strategy);
        self
    }

    /// Has the analyzer rung of a ladder that asks for it.
    #[must_use]
    pub fn with_preflight(mut self, preflight: Preflight) -> Self {
        self.preflight = Some(preflight);
        self
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// What cargo is run with.
    pub fn env(&self) -> &CargoEnv {
        &self.env
    }

    /// Packages and who depends on whom; `None` where cargo cannot read the manifests (a check
    /// then says why).
    ///
    /// # Errors
    /// Where the tree cannot be read or shown, or cargo cannot be run.
    pub fn workspace(&self, ctx: &Ctx) -> Result<Option<Arc<Workspace>>, CheckError> {
        let snapshot = self.project.snapshot(ctx)?;
        let shown = self.show(ctx, &Overlay::empty())?;
        self.workspace_in(ctx, &snapshot, &shown)
    }

    /// Checks the tree as it stands and brings the warm target up to date with it. Waits for
    /// proofs that are under way.
    ///
    /// # Errors
    /// Where nothing can be said; that the tree does not build is an answer and no error.
    pub fn baseline(
        &self,
        ctx: &Ctx,
        ladder: &Ladder,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Checked, CheckError> {
        let _taking = lock(&self.taking);
        self.take_baseline(ctx, ladder, on)
    }

    /// Climbs the ladder with `overlay` on top of the tree, in a throw-away layer. May run in
    /// parallel with others. Takes a baseline first where there is none to build on.
    ///
    /// # Errors
    /// Where nothing can be said; that the change does not build is an answer and no error.
    pub fn prove(
        &self,
        ctx: &Ctx,
        overlay: Overlay,
        ladder: &Ladder,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Checked, CheckError> {
        ctx.alive()?;
        let mut checked = Checked::new(overlay);
        if !self.parse_rung(&mut checked, on) {
            return Ok(checked);
        }
        let skipped = match self.analyzer_rung(ctx, &mut checked, ladder, on)? {
            Flown::Refused => return Ok(checked),
            Flown::On { note } => note,
        };
        let climbed = checked.evidence.rungs.clone();
        let mut overlay = checked.overlay;
        let mut moved = Vec::new();
        for _ in 0..ATTEMPTS {
            self.ready(ctx, ladder)?;
            let mut checked = Checked::new(overlay);
            checked.evidence.rungs = climbed.clone();
            moved = self.candidate(ctx, &mut checked, ladder, on)?;
            if moved.is_empty() {
                checked.evidence.notes.extend(skipped);
                return Ok(checked);
            }
            overlay = checked.overlay;
        }
        Err(tree_moves(&moved))
    }

    pub(crate) fn parse_rung(&self, checked: &mut Checked, on: &mut dyn FnMut(&Mapped)) -> bool {
        let started = Instant::now();
        let errors = parse::new_errors(&checked.overlay);
        let passed = errors.is_empty();
        let detail = counted(errors.len(), "new syntax error");
        self.refused_by(checked, errors, on);
        checked.evidence.errors_before = lock(&self.known).before.errors;
        checked.rung(RungName::Parse, passed, millis(started.elapsed()), detail)
    }

    /// Takes down the errors for which a rung below cargo refuses a candidate.
    pub(crate) fn refused_by(
        &self,
        checked: &mut Checked,
        errors: Vec<Diagnostic>,
        on: &mut dyn FnMut(&Mapped),
    ) {
        let overlay = checked.overlay.clone();
        let mut mapper = Mapper::new(&self.project, &overlay);
        for diagnostic in errors {
            let mapped = mapper.map(&diagnostic);
            on(&mapped);
            checked.mapped.push(mapped);
            checked.diagnostics.push(diagnostic);
        }
        checked.evidence.errors_after = checked.diagnostics.len();
    }

    /// One climb of a candidate; what moved in the tree meanwhile.
    fn candidate(
        &self,
        ctx: &Ctx,
        checked: &mut Checked,
        ladder: &Ladder,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Vec<ProjectPath>, CheckError> {
        let overlay = checked.overlay.clone();
        let still = Still::of(ctx, &self.project)?;
        let shown = self.show(ctx, &overlay)?;
        let workspace = self.known_workspace(&still.snapshot);
        let files = with_overlay(&still.snapshot, &overlay);
        let sources = self.sources(&files, workspace.as_deref());
        let warm = self.warm(ctx)?;
        let target = warm.candidate(ctx, sources, self.way(&shown))?;
        let place = Place {
            ctx,
            env: &self.env,
            scope: &self.scope,
            view: &shown.view,
            root: &shown.root,
            target: target.target(),
            excuses: ladder.excuse.then_some(Excuses {
                files: &self.project,
                snapshot: &still.snapshot,
                overlay: &overlay,
            }),
        };
        let (before, build, tests) = self.baseline_of(&still.snapshot);
        checked.evidence.errors_before = before.errors;
        let mut mapper = Mapper::new(&self.project, &overlay);

        let tree = still.snapshot.hash();
        let mut climbing = if self.take_held(checked, &mut mapper, ladder, tree) {
            true
        } else {
            let limit = timeout(ladder, build);
            let ran = place.check(checked, &mut mapper, ladder.test_code, limit, on)?;
            if ran.passed {
                self.hold(checked, ladder, tree);
            }
            ran.passed
        };
        if climbing && ladder.format {
            self.format_rung(ctx, checked, &shown, workspace.as_deref())?;
        }
        if climbing && ladder.clippy {
            let timeout = timeout(ladder, build);
            let ran = place.clippy(checked, &mut mapper, timeout, before.lints.as_ref(), on)?;
            climbing = ran.passed;
        }
        if climbing && ladder.tests != Tests::None {
            let packages = match ladder.tests {
                Tests::Affected if self.scope.packages.is_empty() => {
                    climb::affected(workspace.as_deref(), self.project.root(), &overlay)
                }
                _ => None,
            };
            if packages.as_ref().is_some_and(Vec::is_empty) {
                let detail = "no package is affected".to_owned();
                checked.rung(RungName::AffectedTests, true, 0, detail);
            } else {
                let choice =
                    TestChoice { tests: ladder.tests, filter: ladder.filter.clone(), packages };
                let limit = match tests {
                    Some(_) => timeout(ladder, tests),
                    // How long a check takes says nothing of tests.
                    None => ladder.timeout.unwrap_or(UNKNOWN),
                };
                let failing = before.failing.as_ref();
                place.tests(checked, &mut mapper, &choice, limit, failing, on)?;
            }
        }
        Ok(still.moved_to(&Still::of(ctx, &self.project)?))
    }

    /// Advice, so only for what holds; it stands where the ladder has it, behind the parse.
    fn format_rung(
        &self,
        ctx: &Ctx,
        checked: &mut Checked,
        shown: &Materialised,
        workspace: Option<&Workspace>,
    ) -> Result<(), CheckError> {
        let started = Instant::now();
        let overlay = &checked.overlay;
        let Some(unformatted) =
            format::unformatted(ctx, &self.env, &shown.view, &shown.root, workspace, overlay)?
        else {
            return Ok(());
        };
        let passed = unformatted.is_empty();
        let detail = if passed {
            "formatted".to_owned()
        } else {
            format!("no longer formatted: {}", unformatted.join(", "))
        };
        checked.rung(RungName::Format, passed, millis(started.elapsed()), detail);
        checked.evidence.rungs.sort_by_key(|rung| rung.name);
        Ok(())
    }

    /// Sees to it that a candidate has something warm to stand on and something to be compared
    /// with.
    fn ready(&self, ctx: &Ctx, ladder: &Ladder) -> Result<(), CheckError> {
        if self.is_ready(ctx, ladder)? {
            return Ok(());
        }
        let _taking = lock(&self.taking);
        if self.is_ready(ctx, ladder)? {
            return Ok(());
        }
        self.take_baseline(ctx, ladder, &mut |_| {}).map(drop)
    }

    fn is_ready(&self, ctx: &Ctx, ladder: &Ladder) -> Result<bool, CheckError> {
        let tree = self.project.snapshot(ctx)?.hash();
        let built = self.warm(ctx)?.built();
        let known = lock(&self.known);
        Ok(known.tree == Some(tree)
            && wanted(ladder)
                .iter()
                .all(|word| built.contains(word) && known.looked.contains(word)))
    }

    fn take_baseline(
        &self,
        ctx: &Ctx,
        ladder: &Ladder,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<Checked, CheckError> {
        let mut moved = Vec::new();
        for _ in 0..ATTEMPTS {
            let (checked, now) = self.baseline_once(ctx, ladder, on)?;
            if now.is_empty() {
                return Ok(checked);
            }
            moved = now;
        }
        Err(tree_moves(&moved))
    }

    fn baseline_once(
        &self,
        ctx: &Ctx,
        ladder: &Ladder,
        on: &mut dyn FnMut(&Mapped),
    ) -> Result<(Checked, Vec<ProjectPath>), CheckError> {
        ctx.progress("checking the baseline", self.project.root().display().to_string());
        let overlay = Overlay::empty();
        let mut checked = Checked::new(overlay.clone());
        let still = Still::of(ctx, &self.project)?;
        let shown = self.show(ctx, &overlay)?;
        let workspace = self.workspace_in(ctx, &still.snapshot, &shown)?;
        let sources = self.sources(&still.snapshot.files, workspace.as_deref());
        let warm = self.warm(ctx)?;
        let mut built = warm.built();
        let writing = warm.begin(ctx, sources, self.way(&shown))?;
        let place = Place {
            ctx,
            env: &self.env,
            scope: &self.scope,
            view: &shown.view,
            root: &shown.root,
            target: writing.target(),
            excuses: ladder.excuse.then_some(Excuses {
                files: &self.project,
                snapshot: &still.snapshot,
                overlay: &overlay,
            }),
        };
        let mut mapper = Mapper::new(&self.project, &overlay);
        let mut before = Before::default();
        let (build, tests) = self.durations();

        let ran = place.check(
            &mut checked,
            &mut mapper,
            ladder.test_code,
            ladder.timeout.unwrap_or(LONG),
            on,
        )?;
        before.errors = Some(checked.evidence.errors_after);
        checked.evidence.errors_before = before.errors;
        let build = longest(build, &ran);
        let mut climbing = ran.passed;
        if ladder.clippy && climbing {
            let limit = timeout(ladder, build);
            let ran = place.clippy(&mut checked, &mut mapper, limit, None, on)?;
            before.lints = ran.report.built.then(|| climb::lints(&ran.report.diagnostics));
            climbing = ran.passed;
        }
        let mut tests = tests;
        if ladder.tests != Tests::None && !checked.timed_out {
            // Also for a tree that does not build: its dependencies do, and candidates need them.
            let choice = TestChoice { tests: ladder.tests, filter: None, packages: None };
            let limit = ladder.timeout.unwrap_or(LONG);
            let mut spare = Checked::new(overlay.clone());
            let kept = if climbing { &mut checked } else { &mut spare };
            let ran = place.tests(kept, &mut mapper, &choice, limit, None, on)?;
            before.failing = ran.report.built.then(|| {
                let tests = ran.report.tests.iter().flat_map(|tests| &tests.failed);
                tests.map(|test| test.name.clone()).collect()
            });
            if ran.report.built {
                tests = longest(tests, &ran);
            }
        }

        let after = Still::of(ctx, &self.project)?;
        let moved = still.moved_to(&after);
        for word in wanted(ladder) {
            if !built.contains(&word) {
                built.push(word);
            }
        }
        let timed_out = checked.timed_out;
        writing.finish(
            self.sources(&after.snapshot.files, workspace.as_deref()),
            &moved,
            if timed_out { Vec::new() } else { built },
            workspace.as_deref(),
        )?;
        let mut known = lock(&self.known);
        let tree = Some(still.snapshot.hash());
        if known.tree != tree {
            known.looked.clear();
            known.before = Before::default();
        }
        known.tree = tree;
        known.before.errors = before.errors;
        // A shorter climb of the same tree takes nothing back.
        known.before.lints = before.lints.or(known.before.lints.take());
        known.before.failing = before.failing.or(known.before.failing.take());
        if moved.is_empty() && !timed_out {
            known.looked.extend(wanted(ladder));
        }
        known.build = build;
        known.tests = tests;
        Ok((checked, moved))
    }
}

/// What a warm target must have built for a ladder.
fn wanted(ladder: &Ladder) -> Vec<String> {
    let mut words = vec!["check".to_owned()];
    if ladder.test_code {
        words.push("test code".to_owned());
    }
    if ladder.clippy {
        words.push("clippy".to_owned());
    }
    if ladder.tests != Tests::None {
        words.push("tests".to_owned());
    }
    words
}

/// A candidate may take five times as long as the slowest baseline of its kind, and never less
/// than two minutes: a hang is told from slowness by what the project itself needs.
fn timeout(ladder: &Ladder, baseline: Option<Duration>) -> Duration {
    ladder.timeout.unwrap_or_else(|| baseline.map_or(LONG, |it| (it * 5).clamp(SHORT, LONG)))
}

fn longest(before: Option<Duration>, ran: &Ran) -> Option<Duration> {
    Some(before.unwrap_or_default().max(ran.report.duration))
}

fn tree_moves(moved: &[ProjectPath]) -> CheckError {
    CheckError::TreeMoves {
        attempts: ATTEMPTS,
        example: moved.first().map(ToString::to_string).unwrap_or_default(),
    }
}

/// A panic elsewhere leaves facts that are whole or absent, so the lock's poison says nothing.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
