//! One run of the ladder for a candidate, in a throw-away layer over the warm target.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Ctx, ProjectPath, SortedMap};
use build::CargoWorkspace;
use policy::{RungName, TestReference};
use repo::Materialised;

use crate::baseline::wanted;
use crate::before::Before;
use crate::compare::TestFates;
use crate::draft::Draft;
use crate::format::Unformatted;
use crate::ladder_run::{Comparison, LadderRun};
use crate::prover::{LONG, Prover, timeout};
use crate::skipped::LastCommit;
use crate::test_choice::TestChoice;
use crate::tests_since::TestsSince;
use crate::text::millis;
use crate::tree_state::{TreeState, with_overlay};
use crate::{CheckError, Ladder, MappedDiagnostic, SkipRule};

/// Time limit of tests without a baseline, since the tree does not build.
const UNKNOWN: Duration = Duration::from_secs(15 * 60);

/// The state that a run of the ladder is compared with.
#[derive(Clone, Copy)]
enum Against<'a> {
    /// Nothing: the overlay is the last commit.
    Itself,
    /// Nothing yet, and no target is skipped: the baseline comes later, if it is needed.
    Later,
    /// The tree without the change.
    Tree(&'a Before),
}

impl<'a> Against<'a> {
    fn tree(self) -> Option<&'a Before> {
        match self {
            Self::Tree(before) => Some(before),
            Self::Itself | Self::Later => None,
        }
    }
}

impl Prover {
    /// Runs the ladder once for a candidate; returns what moved in the tree meanwhile.
    pub(crate) fn candidate(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        state: &TreeState,
        ladder: &Ladder,
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<Vec<String>, CheckError> {
        let workspace = self.workspace_of(ctx, state)?;
        let mut choice = self.test_choice(ladder, workspace.as_deref(), draft);
        let untouched = draft.clone();
        loop {
            let moved =
                self.candidate_with(ctx, draft, state, ladder, (&workspace, choice.as_ref()), on)?;
            // What the check compiled anew may use what changes, whatever way there is.
            let wider = choice.as_ref().and_then(|it| it.with_rebuilt(&draft.rebuilt));
            if wider.is_none() || !draft.passed_check() {
                return Ok(moved);
            }
            choice = wider;
            *draft = untouched.clone();
        }
    }

    /// The same with the tests of `choice`; only the check where that has to be a wider one.
    fn candidate_with(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        state: &TreeState,
        ladder: &Ladder,
        (workspace, choice): (&Option<Arc<CargoWorkspace>>, Option<&TestChoice>),
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<Vec<String>, CheckError> {
        draft.preserves_renaming(ladder.renamed.as_ref());
        let is_late =
            self.is_late(ctx, ladder, choice)? && self.builds_alone(ctx, draft, state, ladder)?;
        if !is_late {
            self.ready(ctx, state, ladder, choice)?;
        }
        let before = self.before_of(&state.tree);
        draft.findings.errors_before = before.errors;
        match &ladder.asked {
            Some(asked) => draft.preserves_asked(&self.project, asked),
            None => {
                let allowed = self.allowed(ctx, draft)?;
                draft.preserves_given(&before.reported, &allowed);
            }
        }
        draft.preserves_move(ladder.moved.as_deref());
        draft.preserves_inlining(ladder.inlined.as_deref());
        draft.findings.coverage = self.coverage(&state.tree, workspace.as_deref(), ladder);
        if let Some(part) = choice.and_then(TestChoice::left_out) {
            draft.findings.coverage.not_looked_at.insert(0, policy::UncheckedPart::other(part));
        }
        if !is_late {
            self.run_ladder(ctx, draft, state, ladder, (Against::Tree(&before), choice), on)?;
        }
        draft.note_closed(&state.closed);
        draft.name_errors(&before.reported);
        draft.list_new_errors(&before.reported);
        let with_tests = ladder.test_code || choice.is_some();
        // What is compiled with the code of tests has all other warnings too.
        let known = before.warnings.get(&with_tests).or(before.warnings.get(&true));
        if let Some(known) = known {
            draft.list_new_warnings(known);
        }
        self.moved_since(ctx, state)
    }

    /// Whether a candidate may come before its baseline: it is compared with nothing while it builds,
    /// and the warm target has the dependencies.
    fn is_late(
        &self,
        ctx: &Ctx,
        ladder: &Ladder,
        choice: Option<&TestChoice>,
    ) -> Result<bool, CheckError> {
        let is_alone =
            ladder.late_baseline && !ladder.clippy && !ladder.stories && choice.is_none();
        if !is_alone {
            return Ok(false);
        }
        let built = self.warm(ctx)?.built();
        Ok(wanted(&self.scopes, ladder, None).iter().all(|word| built.contains(word)))
    }

    /// Whether a candidate builds and needs no baseline, nothing skipped; if not, the draft is left as
    /// it was, and the run is for nothing.
    fn builds_alone(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        state: &TreeState,
        ladder: &Ladder,
    ) -> Result<bool, CheckError> {
        let mut alone = draft.clone();
        self.run_ladder(ctx, &mut alone, state, ladder, (Against::Later, None), &mut |_| {})?;
        let is_enough = !alone.needs_baseline();
        if is_enough {
            *draft = alone;
        }
        Ok(is_enough)
    }

    /// Knowledge of the state that broken targets are compared with.
    fn last_commit(
        &self,
        ctx: &Ctx,
        against: Against<'_>,
        skip: SkipRule,
    ) -> Result<LastCommit, CheckError> {
        Ok(match against {
            Against::Tree(before) if skip == SkipRule::Tree => {
                LastCommit::Tree(Arc::new(before.clone()))
            }
            Against::Itself => LastCommit::Itself,
            Against::Later => LastCommit::Unknown,
            Against::Tree(_) => {
                self.head_known(ctx)?.map_or(LastCommit::Unknown, LastCommit::Found)
            }
        })
    }

    /// All rungs that run cargo, for an overlay on `state`, compared with the tree before it or
    /// the last commit; what a change can be compared with.
    fn run_ladder(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        state: &TreeState,
        ladder: &Ladder,
        (against, choice): (Against<'_>, Option<&TestChoice>),
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<Before, CheckError> {
        let overlay = draft.overlay.clone();
        let workspace = self.workspace_of(ctx, state)?;
        let needed = self.with_story_apps(ladder, &self.asked_stories(state, &overlay, ladder));
        let view = self.show_prepared(ctx, &overlay, &needed, ladder.timeout.unwrap_or(LONG))?;
        let shown = &view.0;
        let files = with_overlay(state.tree.files(), &overlay);
        let warm = self.warm(ctx)?;
        let sources = self.sources(state, &files, workspace.as_deref());
        let target = warm.candidate(ctx, sources, self.isolation(shown))?;
        let last_commit = self.last_commit(ctx, against, ladder.skip)?;
        let skip_inputs =
            self.skip_inputs(ladder, workspace.as_deref(), &state.tree, (&overlay, last_commit));
        let place =
            self.place(ctx, (&view, &state.tree, &ladder.more), target.target(), skip_inputs)?;
        let mut run = LadderRun::new(place, draft, (&self.project, &overlay), on);
        let (build, tests) = self.durations();
        let mut passing = self.take_held(&mut run, ladder, state.tree.hash());
        if !passing {
            passing = run.check(ladder.test_code, timeout(ladder, build))?.passed;
            if passing {
                self.hold(run.draft, ladder, state.tree.hash());
            }
        }
        let is_outgrown = |it: &TestChoice| it.with_rebuilt(&run.draft.rebuilt).is_some();
        if passing && choice.is_some_and(is_outgrown) {
            return Ok(run.found);
        }
        if passing && ladder.format && run.draft.findings.rung(RungName::Format).is_none() {
            self.format_rung(ctx, run.draft, shown, workspace.as_deref())?;
        }
        if !passing || !(ladder.clippy || ladder.stories || choice.is_some()) {
            return Ok(run.found);
        }
        let head_overlay = || self.project.head_overlay(ctx, &self.env.sandbox).ok().flatten();
        let since = TestsSince {
            root: self.project.root(),
            tree: &state.tree,
            workspace: workspace.as_deref(),
            change: &overlay,
            head: &head_overlay,
            texts: OnceCell::new(),
        };
        let (declared, adds) = (|it: &str| since.is_declared(it), |it: &str| since.is_added(it));
        let stays = |it: &str| since.stays(it);
        let fate = TestFates { declared: &declared, adds: &adds, stays: &stays };
        let before = against.tree();
        let head = match before {
            Some(before) => self.head_if_needed(ctx, state, ladder, before, choice)?,
            None => None,
        };
        if let (Some(head), Some(skip_inputs)) = (&head, &mut run.place.skip_inputs)
            && ladder.skip == SkipRule::LastCommit
        {
            skip_inputs.last_commit = LastCommit::Found(Arc::clone(head));
        }
        let with = comparison(before, head.as_ref(), fate);
        if ladder.clippy {
            passing = run.clippy(timeout(ladder, build), with)?.passed;
        }
        match choice {
            Some(choice) if passing && choice.is_empty() => {
                let detail = "no package is affected".to_owned();
                run.draft.rung(RungName::AffectedTests, true, 0, detail);
            }
            Some(choice) if passing => {
                let limit = match tests {
                    Some(_) => timeout(ladder, tests),
                    // The duration of a check is no estimate for tests.
                    None => ladder.timeout.unwrap_or(UNKNOWN),
                };
                passing = run.tests(choice, limit, with)?.passed;
            }
            _ => {}
        }
        if ladder.stories && passing {
            let unaffected = choice.and_then(TestChoice::unaffected).unwrap_or_default();
            let workspace = (workspace.as_deref(), unaffected);
            run.stories(self, state, workspace, timeout(ladder, build))?;
        }
        Ok(run.found)
    }

    /// Runs the ladder on the last commit, as a state to compare with; its evidence is dropped.
    pub(crate) fn run_on_head(
        &self,
        ctx: &Ctx,
        head: edit::Overlay,
        state: &TreeState,
        ladder: &Ladder,
        choice: Option<&TestChoice>,
    ) -> Result<Before, CheckError> {
        let mut draft = Draft::new(&self.project, head, state.tree.clone());
        let ladder = Ladder { format: false, analyzer: false, stories: false, ..ladder.clone() };
        self.run_ladder(ctx, &mut draft, state, &ladder, (Against::Itself, choice), &mut |_| {})
    }

    /// The draft with the files formatted that were formatted before the change.
    pub(crate) fn reformatted(
        &self,
        ctx: &Ctx,
        mut draft: Draft,
        state: &TreeState,
    ) -> Result<Draft, CheckError> {
        let started = Instant::now();
        let is_rust = |path: &ProjectPath| path.extension() == Some("rs");
        if !draft.overlay.changes().any(|(path, it)| is_rust(path) && it.after.is_some()) {
            return Ok(draft);
        }
        let workspace = self.workspace_of(ctx, state)?;
        let shown = self.show_with(ctx, &draft.overlay, SortedMap::new())?;
        let place = (&shown.view, shown.root.as_path());
        let found = Unformatted::of(ctx, &self.env, place, workspace.as_deref(), &draft.overlay)?;
        if let Some(late) = found.late() {
            draft.note(late);
        }
        let Some(formatted) = found.formatted(&draft.overlay) else { return Ok(draft) };
        let (rungs, notes) = (draft.findings.rungs.clone(), draft.findings.notes.clone());
        let (plain, tree) = (draft.overlay, state.tree.clone());
        let mut draft = Draft::with_format(&self.project, formatted, plain, tree);
        (draft.findings.rungs, draft.findings.notes) = (rungs, notes);
        let detail = "formatted with the change".to_owned();
        draft.rung(RungName::Format, true, millis(started.elapsed()), detail);
        Ok(draft)
    }

    /// Advice, so only for what holds; its place in the ladder is right after the parse.
    fn format_rung(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        shown: &Materialised,
        workspace: Option<&CargoWorkspace>,
    ) -> Result<(), CheckError> {
        let started = Instant::now();
        let overlay = &draft.overlay;
        let place = (&shown.view, shown.root.as_path());
        let unformatted = Unformatted::of(ctx, &self.env, place, workspace, overlay)?;
        if !unformatted.is_known {
            return Ok(());
        }
        let passed = unformatted.files.is_empty();
        let detail = if passed {
            "formatted".to_owned()
        } else {
            format!("no longer formatted: {}", unformatted.paths())
        };
        draft.rung(RungName::Format, passed, millis(started.elapsed()), detail);
        draft.findings.rungs.sort_by_key(|rung| rung.name);
        Ok(())
    }
}

/// The tree without the change where it builds, else the last commit.
fn comparison<'a>(
    before: Option<&'a Before>,
    head: Option<&'a Arc<Before>>,
    fates: TestFates<'a>,
) -> Option<Comparison<'a>> {
    match head {
        Some(head) => {
            Some(Comparison { before: head, reference: TestReference::LastCommit, fates })
        }
        None => Some(Comparison {
            before: before?,
            reference: TestReference::Tree,
            fates: TestFates { declared: &|_| true, ..fates },
        }),
    }
}
