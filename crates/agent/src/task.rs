//! The state machine of one fix: checks, deferred attempts, decisions and the report.

use std::collections::VecDeque;
use std::sync::Arc;

use base::{Ctx, Diagnostic, ProjectPath, Severity, SortedMap, Timestamp};
use change::Difference;
use check::{Asked, Checked, Ladder, SkipRule, Tests};
use edit::Overlay;
use policy::{ChangeSource, GateRules, Keep, RungName};
use project::{Settings, Workspace};
use repair::{Attempt, AttemptOutcome, InProgress, Search};
use tools::ReportedDiagnostic;

use crate::answers::AnswersSoFar;
use crate::probed::Probed;
use crate::prove::prove_all;
use crate::reason::ModelRun;
use crate::world::World;
use crate::{
    ALLOW_REVERT, AgentError, FixEvent, FixOptions, FixOutcome, FixReport, FixResult, GuessRow,
    IntentRow, PartialChange, RefusedAttempt, StepRow, TaskStep,
};

/// A resolution of a conflict that passed tests and gate.
pub(crate) struct Passed {
    /// Index of the attempt in the search.
    pub(crate) id: usize,
    pub(crate) result: FixResult,
}

/// One run of [`crate::fix`]: its inputs, which do not change, and the record of events.
pub(crate) struct Task<'a> {
    pub(crate) ctx: &'a Ctx,
    pub(crate) world: Arc<World<'a>>,
    pub(crate) options: &'a FixOptions,
    pub(crate) on: &'a mut dyn FnMut(&FixEvent),
    pub(crate) started: Timestamp,
    pub(crate) deadline: Timestamp,
    pub(crate) errors: Vec<ReportedDiagnostic>,
    /// The diagnostics of the tree, once it was checked without changes.
    pub(crate) before: Option<Vec<Diagnostic>>,
    /// Why the check of a candidate without errors failed.
    pub(crate) failed: Option<String>,
    /// The number of errors of the candidate that has the fewest, and the first of them.
    pub(crate) fewest: Option<(usize, String)>,
    /// Intents of the user's in-progress change, one line each.
    pub(crate) intents: Vec<IntentRow>,
    /// The same with its places, once the tree was checked.
    pub(crate) finishes: Option<InProgress>,
    /// With `--error`: the first change that leaves no error of that code, and leaves others.
    pub(crate) reached: Option<PartialChange>,
    pub(crate) refused: Vec<RefusedAttempt>,
    steps: Vec<StepRow>,
    /// Attempts that rust-analyzer rejected. It may be wrong on a broken tree, so cargo checks them
    /// once no other candidate is left.
    deferred: VecDeque<Attempt>,
    /// Ids of the attempts that the gate already refused.
    pub(crate) refused_ids: Vec<usize>,
    /// Whether proofs compile test code too: only once the other code builds.
    pub(crate) test_code: bool,
    /// Which targets may stay broken: none, if their errors are the ones to fix.
    pub(crate) skip: SkipRule,
    /// The in-progress change in memory, once its errors are known.
    pub(crate) asked: Option<Arc<Asked>>,
    /// The resolutions of conflicts that passed.
    pub(crate) passed: Vec<Passed>,
    /// What probes showed about guessed places.
    pub(crate) probed: Probed,
    /// The guesses of attempts that became drafts because of them, by id.
    pub(crate) guessed: SortedMap<usize, Vec<GuessRow>>,
    /// The answers of the options, as far as they are in attempts.
    pub(crate) answered: AnswersSoFar,
    /// Whether the change has edits in examples of the documentation.
    pub(crate) has_examples: bool,
    /// Whether the gate refused a change with which an example of the documentation fails.
    pub(crate) fails_in_example: bool,
    /// Number of proofs outside of a search.
    pub(crate) proofs: usize,
    /// The conversation with a model, once it began.
    pub(crate) model: Option<ModelRun>,
    /// Whether the change is one that was stored, and so may be of anyone.
    pub(crate) is_stored: bool,
}

/// When a search that begins at `from` ends.
fn deadline(from: Timestamp, settings: &Settings, options: &FixOptions) -> Timestamp {
    let limit = options.max_seconds.unwrap_or(settings.fix_timeout.as_secs());
    Timestamp(from.0.saturating_add(limit.saturating_mul(1_000_000)))
}

impl<'a> Task<'a> {
    /// A task on the open project, without a record.
    pub(crate) fn new(
        ctx: &'a Ctx,
        workspace: &'a Workspace,
        options: &'a FixOptions,
        on: &'a mut dyn FnMut(&FixEvent),
    ) -> Result<Self, AgentError> {
        workspace.prover(ctx)?;
        Ok(Self::within(Arc::new(World::live(ctx, workspace)), options, on))
    }

    /// A task that learns from `world` alone.
    pub(crate) fn within(
        world: Arc<World<'a>>,
        options: &'a FixOptions,
        on: &'a mut dyn FnMut(&FixEvent),
    ) -> Self {
        let started = world.now();
        Self {
            ctx: world.ctx,
            deadline: deadline(started, world.settings(), options),
            world,
            options,
            on,
            started,
            errors: Vec::new(),
            before: None,
            failed: None,
            fewest: None,
            intents: Vec::new(),
            finishes: None,
            reached: None,
            refused: Vec::new(),
            steps: Vec::new(),
            deferred: VecDeque::new(),
            refused_ids: Vec::new(),
            test_code: false,
            skip: SkipRule::LastCommit,
            asked: None,
            passed: Vec::new(),
            probed: Probed::default(),
            guessed: SortedMap::new(),
            answered: AnswersSoFar::default(),
            has_examples: false,
            fails_in_example: false,
            proofs: 0,
            model: None,
            is_stored: false,
        }
    }

    pub(crate) fn enter(&mut self, step: TaskStep, detail: impl Into<String>) {
        let detail = detail.into();
        self.ctx.progress(stage_name(step), detail.clone());
        (self.on)(&FixEvent::Entered { step, detail: detail.clone() });
        let at_ms = self.world.now().0.saturating_sub(self.started.0) / 1_000;
        self.steps.push(StepRow { step, detail, at_ms });
    }

    /// Begins the tests of a change that builds; `item` is what it is about.
    pub(crate) fn enter_tests(&mut self, item: impl Into<String>, change: &Overlay, tests: Tests) {
        self.enter(TaskStep::Test, item);
        if tests != Tests::None {
            (self.on)(&FixEvent::Builds { diff: change.unified_diff() });
        }
    }

    /// Begins the time limit of the search anew: the first check builds the dependencies that a change
    /// of manifests adds, which any upgrade has to build.
    pub(crate) fn restart_clock(&mut self) {
        self.deadline = deadline(self.world.now(), self.world.settings(), self.options);
    }

    pub(crate) fn has_time(&self) -> bool {
        !self.ctx.is_cancelled() && self.world.now() < self.deadline
    }

    /// Seconds until the limit; `None` if it is reached.
    pub(crate) fn seconds_left(&self) -> Option<u64> {
        let left = self.deadline.0.saturating_sub(self.world.now().0) / 1_000_000;
        (left > 0 && !self.ctx.is_cancelled()).then_some(left)
    }

    /// Checks the tree with the in-progress change in memory: its errors, or with `--test` its failing tests.
    pub(crate) fn check_tree(&mut self) -> Result<Checked, AgentError> {
        let Some(begin) = &self.options.begin else {
            self.enter(TaskStep::Check, "the tree as it is");
            return self.errors_of(None);
        };
        self.enter(TaskStep::Check, "the tree with the change");
        let checked = self.errors_of(Some(begin))?;
        if !self.options.libraries.is_empty() {
            self.restart_clock();
        }
        Ok(checked)
    }

    fn errors_of(&mut self, begin: Option<&Overlay>) -> Result<Checked, AgentError> {
        let tests = match self.options.test.is_some() && begin.is_none() {
            true => Tests::All,
            false => Tests::None,
        };
        let ladder =
            Ladder { format: false, ..self.world.ladder(tests, self.options.test.clone()) };
        let check = |world: &World<'_>, ladder: &Ladder| match begin {
            None => world.baseline(ladder),
            Some(begin) => world.prove(begin.clone(), ladder),
        };
        let mut checked = check(&self.world, &ladder)?;
        let clean = checked.failure.is_none()
            && !checked.timed_out
            && !checked.diagnostics.iter().any(Diagnostic::is_error);
        // A use that is left in the code of tests is a use, also where no test is to run.
        if clean
            && (self.tests() != Tests::None || self.options.test_code || self.options.finishes())
        {
            self.enter(TaskStep::Check, "test code");
            checked = check(&self.world, &Ladder { test_code: true, ..ladder })?;
            self.test_code = true;
            self.skip = SkipRule::Nothing;
        }
        self.before = begin.is_none().then(|| checked.diagnostics.clone());
        self.errors = checked
            .mapped
            .iter()
            .filter(|mapped| mapped.diagnostic.is_error())
            .map(ReportedDiagnostic::from)
            .collect();
        for diagnostic in crate::shown_errors::shown(&self.errors, &*self.world) {
            (self.on)(&FixEvent::InitialError { diagnostic });
        }
        Ok(checked)
    }

    /// The errors to fix.
    pub(crate) fn target_errors(&self, baseline: &Checked) -> Vec<Diagnostic> {
        let wanted = |diagnostic: &&Diagnostic| match &self.options.error {
            None => true,
            Some(code) => diagnostic.code.as_deref() == Some(code),
        };
        baseline.diagnostics.iter().filter(|d| d.is_error()).filter(wanted).cloned().collect()
    }

    /// The user's in-progress change: in memory, else since the last commit or the commit of the options;
    /// nothing without one.
    pub(crate) fn in_progress(
        &mut self,
        baseline: &Checked,
        sources: &[ProjectPath],
    ) -> Result<InProgress, AgentError> {
        let sources = sources.to_vec();
        let in_progress = match &self.options.begin {
            Some(begin) => {
                // With a commit to compare with, what is on the disk since then is in progress, too.
                let base = match self.options.base.is_some() {
                    true => self.base()?,
                    false => None,
                };
                let back = match base {
                    Some(base) => begin.invert().compose(&base)?,
                    None => begin.invert(),
                };
                let difference = Difference::since(&back)
                    .with_sources(sources)
                    .with_libraries(self.options.libraries.clone());
                InProgress::of(difference).beneath(begin.clone())
            }
            None => {
                let Some(base) = self.base()? else { return Ok(InProgress::default()) };
                let missed = change::missed_names(&baseline.diagnostics);
                let libraries = self.world.libraries(&base, missed)?;
                let difference = Difference::since(&base).with_sources(sources);
                let bases = self.world.merge_bases(difference.conflicts())?;
                InProgress::of(difference.with_libraries(libraries)).with_merge_bases(bases)
            }
        };
        if let Some(begin) = self.options.begin.clone() {
            let overlay = self.options.asked.clone().unwrap_or(begin);
            let (allowed, errors) = (in_progress.allowed().clone(), baseline.diagnostics.clone());
            let relisting = self.options.relisting.clone();
            self.asked = Some(Arc::new(Asked { overlay, allowed, errors, relisting }));
        }
        self.intents = match &self.options.request {
            Some(request) => vec![request.clone()],
            None => in_progress.intents().iter().map(IntentRow::from).collect(),
        };
        (self.on)(&FixEvent::InProgress { intents: self.intents.clone() });
        // Only a run of all tests has those of the documentation.
        self.has_examples |= self.is_in_examples(&in_progress)?;
        self.finishes = Some(in_progress.clone());
        Ok(in_progress)
    }

    /// The project's Rust files.
    pub(crate) fn sources(&self) -> Result<Vec<ProjectPath>, AgentError> {
        let mut files = self.world.files()?;
        files.retain(|it| it.extension() == Some("rs"));
        Ok(files)
    }

    /// The change back to the last good state; `None` without a commit.
    pub(crate) fn base(&self) -> Result<Option<Overlay>, AgentError> {
        let revision = self.options.base.as_deref().unwrap_or("HEAD");
        let base = self.world.back_to(revision)?;
        match (&self.options.base, base) {
            (Some(base), None) => Err(AgentError::NoRevision { revision: base.clone() }),
            (_, base) => Ok(base),
        }
    }

    /// Up to `most` of the deferred attempts, oldest first.
    pub(crate) fn next_deferred(&mut self, most: usize) -> Vec<Attempt> {
        let count = most.min(self.deferred.len());
        self.deferred.drain(..count).collect()
    }

    /// Checks some attempts and passes the results to the search. Attempts that rust-analyzer
    /// rejects are deferred; with `is_late` only cargo checks.
    pub(crate) fn try_all(
        &mut self,
        search: &mut Search,
        attempts: &[Attempt],
        is_late: bool,
    ) -> Result<(), AgentError> {
        let step =
            if search.attempts() > attempts.len() { TaskStep::Refine } else { TaskStep::Propose };
        self.enter(step, format!("checking {}", base::counted(attempts.len(), "candidate")));
        for attempt in attempts {
            (self.on)(&FixEvent::Trying {
                number: attempt.id + 1,
                rationale: attempt.rationale.clone(),
            });
        }
        let settings = self.world.settings();
        let ladder = Ladder {
            test_code: self.test_code,
            analyzer: settings.analyzer.live && !is_late,
            // Formatting matters for the accepted candidate only.
            format: false,
            skip: self.skip,
            ..self.world.ladder(Tests::None, None)
        };
        let results = prove_all(&self.world, &ladder, attempts);
        self.ctx.check_cancelled()?;
        let results = results.into_iter().collect::<Result<Vec<Checked>, AgentError>>()?;
        for (attempt, checked) in attempts.iter().zip(results) {
            self.observe(&attempt.overlay, &checked);
            let errors = checked.diagnostics.iter().filter(|d| d.is_error()).count();
            let built = checked.passed() && checked.failure.is_none() && !checked.timed_out;
            let first = first_error(&checked);
            (self.on)(&FixEvent::Checked {
                number: attempt.id + 1,
                builds: built,
                errors,
                first_error: first.clone(),
                refused: None,
            });
            self.note_reached(attempt, &checked, built);
            let preflight = checked.evidence.rung(RungName::Analyzer);
            if preflight.is_some_and(|rung| !rung.passed) {
                self.deferred.push_back(attempt.clone());
                continue;
            }
            if built {
                self.answered.note_built(attempt.id);
            } else {
                self.answered.keep_unbuilt(attempt);
                self.note_unfit_answers(attempt.id, first.as_deref());
                self.note_failure(&checked, errors, first);
            }
            let mut diagnostics = checked.diagnostics;
            if !built && errors == 0 {
                // Cargo did not come to the code, or to its end: the candidate is no nearer than the tree.
                diagnostics.extend(self.before.iter().flatten().cloned());
                let failure = checked.failure.unwrap_or_else(|| "the check did not end".to_owned());
                diagnostics.push(Diagnostic::new(Severity::Error, &failure));
            }
            let outcome = AttemptOutcome { diagnostics, built, passed: built };
            search.record_check(attempt.id, outcome, &*self.world);
        }
        Ok(())
    }

    /// Records why a candidate did not pass its check, for the case that none does.
    fn note_failure(&mut self, checked: &Checked, errors: usize, first: Option<String>) {
        let is_fewest = errors > 0 && self.fewest.as_ref().is_none_or(|it| errors < it.0);
        match first {
            Some(first) if is_fewest => self.fewest = Some((errors, first)),
            None if errors == 0 => self.failed = Some(failed_check(checked)),
            _ => {}
        }
    }

    /// The tests that a repair must pass.
    pub(crate) fn tests(&self) -> Tests {
        let tests = self.options.tests.unwrap_or(self.world.settings().check_tests);
        match tests {
            Tests::Affected if self.has_examples => Tests::All,
            tests => tests,
        }
    }

    /// The gate's rules for a repair: those of the settings, and all preservation rules.
    pub(crate) fn rules(&self) -> GateRules {
        // Code in it that a caller wrote is an edit from outside.
        let is_own = self.options.begin.is_none() || self.options.is_own;
        let source = match is_own
            && !self.is_stored
            && !self.answered.have_code(&self.options.answers.all)
        {
            true => ChangeSource::OwnRules,
            false => ChangeSource::Edits,
        };
        GateRules { keep: Keep::Everything, source, ..self.world.settings().rules(self.tests()) }
    }

    /// Notes for the report.
    fn notes(&self) -> Vec<String> {
        let skipped = |reason: &str| format!("rust-analyzer check skipped: {reason}");
        // Without an answer there is no note.
        let missing = self.world.no_analyzer().ok().flatten();
        missing.as_deref().map(skipped).into_iter().chain(self.answer_notes()).collect()
    }

    /// Whether an attempt may be applied as it is: it is no draft, or the user allowed every preservation
    /// rule that it breaks and, if it reverts the in-progress change, that.
    pub(crate) fn may_be_applied(&self, attempt: &Attempt) -> bool {
        let is_reason = attempt.reverts || !attempt.violations.is_empty();
        let mut broken = attempt.violations.iter();
        !attempt.draft
            || is_reason
                && (!attempt.reverts || self.allows(ALLOW_REVERT))
                && broken.all(|it| self.allows(it.rule.as_str()))
    }

    /// Whether the user allowed it.
    pub(crate) fn allows(&self, name: &str) -> bool {
        self.options.approval.allow.iter().any(|it| it == name)
    }

    pub(crate) fn report(&mut self, outcome: FixOutcome) -> FixReport {
        FixReport {
            tokens: self.model_tokens(),
            cost: self.model_cost(),
            errors: self.errors.clone(),
            intents: std::mem::take(&mut self.intents),
            refused: std::mem::take(&mut self.refused),
            model: self.model_notes(),
            notes: self.notes(),
            steps: std::mem::take(&mut self.steps),
            fails_in_example: self.fails_in_example,
            ..FixReport::of(outcome)
        }
    }
}

/// Why a change does not build, which `with` names; `None` if it builds.
pub(crate) fn why_not(checked: &Checked, with: &str) -> Option<String> {
    if checked.passed() && checked.failure.is_none() && !checked.timed_out {
        return None;
    }
    let Some(first) = first_error(checked) else { return Some(failed_check(checked)) };
    let known = checked.evidence.first_error_before.as_ref();
    Some(match checked.evidence.errors_before {
        Some(before) if before > 0 => format!(
            "the tree has {} without the change: repair it first (`graftage fix`); first: {}",
            base::counted(before, "error"),
            known.unwrap_or(&first)
        ),
        _ => format!("{with} the tree does not build: {first}"),
    })
}

/// Why the check of a tree without an error failed.
pub(crate) fn failed_check(checked: &Checked) -> String {
    let failed = checked.evidence.rungs.iter().find(|it| !it.passed);
    let reason = match failed.map(|it| it.detail.as_str()).filter(|it| !it.is_empty()) {
        Some(detail) => format!("the check failed: {detail}"),
        None => "the check failed".to_owned(),
    };
    let is_altered = failed.is_some_and(|it| checked.altered_by == Some(it.name));
    match checked.evidence.compiled.is_none() && is_altered {
        true => format!(
            "{reason}; nothing can be proven while a build changes files of the tree: let its build \
             script write to `OUT_DIR`, or only if a variable asks for it"
        ),
        false => reason,
    }
}

/// The first remaining error of a candidate, one line.
pub(crate) fn first_error(checked: &Checked) -> Option<String> {
    let has_error = checked.diagnostics.iter().any(Diagnostic::is_error);
    match &checked.evidence.first_error {
        Some(first) if has_error => Some(first.clone()),
        _ if checked.timed_out => Some("the check timed out".to_owned()),
        _ => checked.failure.clone(),
    }
}

fn stage_name(step: TaskStep) -> &'static str {
    match step {
        TaskStep::Ready => "starting",
        TaskStep::Propose => "searching for repairs",
        TaskStep::Materialize => "making candidates",
        TaskStep::Score => "comparing candidates",
        TaskStep::Apply => "writing",
        TaskStep::Check => "checking",
        TaskStep::Test => "running tests",
        TaskStep::Decide => "deciding",
        TaskStep::Refine => "refining",
        TaskStep::Abort => "giving up",
    }
}
