//! Baselines: the tree without any change, which candidates are compared with and which builds their
//! warm target.

use std::time::Duration;

use base::Ctx;
use build::warm::{BaselineTarget, WarmTarget};
use edit::Overlay;

use crate::before::{Before, lints, warnings};
use crate::draft::Draft;
use crate::ladder_run::{LadderRun, Ran};
use crate::prover::{ATTEMPTS, LONG, Prover, came, timeout, tree_moves};
use crate::skipped::LastCommit;
use crate::test_choice::TestChoice;
use crate::tree_state::TreeState;
use crate::{CheckError, Checked, Ladder, MappedDiagnostic, Scope, SkipRule};

impl Prover {
    /// Checks the tree as it is and updates the warm target. Waits for running proofs.
    ///
    /// # Errors
    /// If there is no verdict; a tree that does not build is a verdict, not an error.
    pub fn baseline(
        &self,
        ctx: &Ctx,
        ladder: &Ladder,
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<Checked, CheckError> {
        let _one_at_a_time = base::lock(&self.baseline_lock);
        let mut moved = Vec::new();
        for _ in 0..ATTEMPTS {
            let state = self.tree_state(ctx)?;
            let draft = Draft::new(&self.project, Overlay::empty(), state.tree.clone());
            let choice = self.test_choice(ladder, None, &draft).map(|choice| TestChoice {
                // The whole workspace: no change narrows it.
                packages: None,
                ..choice
            });
            let (checked, now) = self.baseline_once(ctx, &state, ladder, choice.as_ref(), on)?;
            if now.is_empty() {
                return Ok(checked);
            }
            moved = now;
        }
        Err(tree_moves(&moved))
    }

    /// Makes sure that a candidate on `state` has a warm target below it and something to be
    /// compared with. Where the tree moves meanwhile, the candidate's own end finds out.
    pub(crate) fn ready(
        &self,
        ctx: &Ctx,
        state: &TreeState,
        ladder: &Ladder,
        choice: Option<&TestChoice>,
    ) -> Result<(), CheckError> {
        if self.is_ready(ctx, state, ladder, choice)? {
            return Ok(());
        }
        let _one_at_a_time = base::lock(&self.baseline_lock);
        if self.is_ready(ctx, state, ladder, choice)? {
            return Ok(());
        }
        self.baseline_once(ctx, state, ladder, choice, &mut |_| {}).map(drop)
    }

    fn is_ready(
        &self,
        ctx: &Ctx,
        state: &TreeState,
        ladder: &Ladder,
        choice: Option<&TestChoice>,
    ) -> Result<bool, CheckError> {
        let built = self.warm(ctx)?.built();
        let known = base::lock(&self.known);
        Ok(known.tree == Some(state.tree.hash())
            && wanted(&self.scopes, ladder, choice)
                .iter()
                .all(|word| built.contains(word) && known.looked.contains(word)))
    }

    fn baseline_once(
        &self,
        ctx: &Ctx,
        state: &TreeState,
        ladder: &Ladder,
        choice: Option<&TestChoice>,
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<(Checked, Vec<String>), CheckError> {
        ctx.progress("checking the baseline", self.project.root().display().to_string());
        let workspace = self.workspace_of(ctx, state)?;
        let warm = self.warm(ctx)?;
        let mut draft = Draft::new(&self.project, Overlay::empty(), state.tree.clone());
        draft.findings.coverage = self.coverage(&state.tree, workspace.as_deref(), ladder);
        let (writing, tree_run) =
            self.run_on_tree(ctx, &mut draft, state, ladder, (&warm, choice), on)?;
        let after = self.tree_state(ctx)?;
        let mut moved = self.written_since(ctx, &after.stamps, state);
        moved.extend(after.tree.changed_since(&state.tree));
        moved.extend(came(&after.closed, state));
        moved.sort();
        moved.dedup();
        let mut built = tree_run.built_before;
        for word in wanted(&self.scopes, ladder, choice) {
            if !built.contains(&word) {
                built.push(word);
            }
        }
        let touched: Vec<base::ProjectPath> =
            moved.iter().filter_map(|path| base::ProjectPath::new(path).ok()).collect();
        // What was not compiled from the tree stays marked as inconsistent, and is built again.
        if !tree_run.altered {
            writing.finish(
                self.sources(&after, after.tree.files(), workspace.as_deref()),
                &touched,
                if draft.timed_out { Vec::new() } else { built },
                workspace.as_deref(),
            )?;
        }
        self.remember(
            state,
            &moved,
            draft.timed_out,
            tree_run.before,
            wanted(&self.scopes, ladder, choice),
        );
        draft.note_closed(&state.closed);
        let mut known = base::lock(&self.known);
        known.build = tree_run.build;
        known.tests = tree_run.tests;
        drop(known);
        Ok((draft.finish(ctx), moved))
    }

    /// The rungs that run cargo, on the warm target itself.
    fn run_on_tree(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        state: &TreeState,
        ladder: &Ladder,
        (warm, choice): (&WarmTarget, Option<&TestChoice>),
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<(BaselineTarget, TreeRun), CheckError> {
        let overlay = Overlay::empty();
        let workspace = self.workspace_of(ctx, state)?;
        let limit = ladder.timeout.unwrap_or(LONG);
        let found = self.asked_stories(state, &overlay, ladder);
        let needed = self.with_story_apps(ladder, &found);
        let view = self.show_prepared(ctx, &overlay, &needed, limit)?;
        let built_before = warm.built();
        let sources = self.sources(state, state.tree.files(), workspace.as_deref());
        let writing = warm.begin(ctx, sources, self.isolation(&view.0))?;
        let compared = match ladder.skip {
            SkipRule::Tree => LastCommit::Itself,
            SkipRule::Nothing | SkipRule::LastCommit => LastCommit::Unknown,
        };
        let skip_inputs =
            self.skip_inputs(ladder, workspace.as_deref(), &state.tree, (&overlay, compared));
        let place =
            self.place(ctx, (&view, &state.tree, &ladder.more), writing.target(), skip_inputs)?;
        let mut aside = Draft::new(&self.project, overlay.clone(), state.tree.clone());
        let mut run = LadderRun::new(place, draft, (&self.project, &overlay), on);
        let (mut build, mut tests) = self.durations();
        let ran = run.check(ladder.test_code, limit)?;
        run.draft.findings.errors_before = run.found.errors;
        let errors = run.draft.diagnostics.iter().filter(|it| it.is_error());
        run.found.reported = errors.cloned().collect();
        build = longest(build, &ran);
        let mut passing = ran.passed;
        if ladder.clippy && passing {
            passing = run.clippy(timeout(ladder, build), None)?.passed;
        }
        if let Some(choice) = choice
            && !run.draft.timed_out
            && !choice.is_empty()
        {
            // Also for a tree that does not build: its dependencies do, and candidates need them.
            if !passing {
                run.draft = &mut aside;
                // No target is looked for that could be built.
                run.place.skip_inputs = None;
            }
            let ran = run.tests(choice, limit, None)?;
            if ran.built {
                tests = longest(tests, &ran);
            }
        }
        if ladder.stories && passing {
            run.build_apps(workspace.as_deref(), &found, limit)?;
        }
        base::lock(&self.known).writes_sources = run.wrote;
        let (mut before, altered) = (run.found, run.altered);
        if passing {
            let is_with_tests = ladder.test_code || choice.is_some();
            before.warnings.insert(is_with_tests, lints(warnings(&draft.diagnostics)));
        }
        Ok((writing, TreeRun { before, built_before, altered, build, tests }))
    }

    fn remember(
        &self,
        state: &TreeState,
        moved: &[String],
        timed_out: bool,
        before: Before,
        looked: Vec<String>,
    ) {
        let mut known = base::lock(&self.known);
        let tree = Some(state.tree.hash());
        if known.tree != tree {
            known.looked.clear();
            known.head.clear();
            known.before = Before::default();
        }
        known.tree = tree;
        known.before.add(before, self.scopes.len());
        if moved.is_empty() && !timed_out {
            known.looked.extend(looked);
        }
    }
}

/// Findings of a run of the ladder on the tree.
struct TreeRun {
    before: Before,
    /// What the warm target had built before.
    built_before: Vec<String>,
    /// Whether something else than the tree was compiled.
    altered: bool,
    build: Option<Duration>,
    tests: Option<Duration>,
}

/// What a warm target must have built for a ladder, and a baseline looked at.
pub(crate) fn wanted(
    scopes: &[Scope],
    ladder: &Ladder,
    choice: Option<&TestChoice>,
) -> Vec<String> {
    let mut words = Vec::new();
    for scope in scopes.iter().chain(&ladder.more) {
        words.push(format!("check {scope}"));
        if ladder.test_code {
            words.push(format!("test code {scope}"));
        }
    }
    for scope in scopes {
        if ladder.clippy {
            words.push(format!("clippy {scope}"));
        }
        words.extend(choice.map(|choice| choice.label(scope)));
    }
    if ladder.stories {
        words.push("apps of stories".to_owned());
    }
    words
}

fn longest(before: Option<Duration>, ran: &Ran) -> Option<Duration> {
    Some(before.unwrap_or_default().max(ran.duration))
}
