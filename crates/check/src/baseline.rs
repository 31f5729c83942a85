//! Baselines: the tree without any change, which candidates are compared with and which builds their
//! warm target.

use std::time::Duration;

use base::Ctx;
use build::warm::{BaselineTarget, WarmTarget};
use edit::Overlay;

use crate::before::Before;
use crate::climb::{Climb, Ran};
use crate::draft::Draft;
use crate::excuse::LastCommit;
use crate::ground::Ground;
use crate::prover::{ATTEMPTS, LONG, Prover, timeout, tree_moves};
use crate::test_choice::TestChoice;
use crate::{CheckError, Checked, Excuse, Ladder, MappedDiagnostic, Scope};

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
            let ground = self.ground(ctx)?;
            let draft = Draft::new(&self.project, Overlay::empty(), ground.tree.clone());
            let choice = self.test_choice(ladder, None, &draft).map(|choice| TestChoice {
                // The whole workspace: no change narrows it.
                packages: None,
                ..choice
            });
            let (checked, now) = self.baseline_once(ctx, &ground, ladder, choice.as_ref(), on)?;
            if now.is_empty() {
                return Ok(checked);
            }
            moved = now;
        }
        Err(tree_moves(&moved))
    }

    /// Makes sure that a candidate on `ground` has a warm target below it and something to be
    /// compared with. Where the tree moves meanwhile, the candidate's own end finds out.
    pub(crate) fn ready(
        &self,
        ctx: &Ctx,
        ground: &Ground,
        ladder: &Ladder,
        choice: Option<&TestChoice>,
    ) -> Result<(), CheckError> {
        if self.is_ready(ctx, ground, ladder, choice)? {
            return Ok(());
        }
        let _one_at_a_time = base::lock(&self.baseline_lock);
        if self.is_ready(ctx, ground, ladder, choice)? {
            return Ok(());
        }
        self.baseline_once(ctx, ground, ladder, choice, &mut |_| {}).map(drop)
    }

    fn is_ready(
        &self,
        ctx: &Ctx,
        ground: &Ground,
        ladder: &Ladder,
        choice: Option<&TestChoice>,
    ) -> Result<bool, CheckError> {
        let built = self.warm(ctx)?.built();
        let known = base::lock(&self.known);
        Ok(known.tree == Some(ground.tree.hash())
            && wanted(&self.scopes, ladder, choice)
                .iter()
                .all(|word| built.contains(word) && known.looked.contains(word)))
    }

    fn baseline_once(
        &self,
        ctx: &Ctx,
        ground: &Ground,
        ladder: &Ladder,
        choice: Option<&TestChoice>,
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<(Checked, Vec<String>), CheckError> {
        ctx.progress("checking the baseline", self.project.root().display().to_string());
        let workspace = self.workspace_of(ctx, &ground.tree)?;
        let warm = self.warm(ctx)?;
        let mut draft = Draft::new(&self.project, Overlay::empty(), ground.tree.clone());
        draft.findings.coverage = self.coverage(&ground.tree, workspace.as_deref(), ladder);
        let (writing, climbed) =
            self.climb_tree(ctx, &mut draft, ground, ladder, (&warm, choice), on)?;
        let after = self.ground(ctx)?;
        let mut moved = self.written_since(&after.stamps, ground);
        moved.extend(after.tree.changed_since(&ground.tree));
        moved.sort();
        moved.dedup();
        let mut built = climbed.built_before;
        for word in wanted(&self.scopes, ladder, choice) {
            if !built.contains(&word) {
                built.push(word);
            }
        }
        let touched: Vec<base::ProjectPath> =
            moved.iter().filter_map(|path| base::ProjectPath::new(path).ok()).collect();
        // What was not compiled from the tree stays marked as inconsistent, and is built again.
        if !climbed.altered {
            writing.finish(
                self.sources(&after, after.tree.files(), workspace.as_deref()),
                &touched,
                if draft.timed_out { Vec::new() } else { built },
                workspace.as_deref(),
            )?;
        }
        self.remember(
            ground,
            &moved,
            draft.timed_out,
            climbed.before,
            wanted(&self.scopes, ladder, choice),
        );
        draft.note_closed(&ground.closed);
        let mut known = base::lock(&self.known);
        known.build = climbed.build;
        known.tests = climbed.tests;
        drop(known);
        Ok((draft.finish(), moved))
    }

    /// The rungs that run cargo, on the warm target itself.
    fn climb_tree(
        &self,
        ctx: &Ctx,
        draft: &mut Draft,
        ground: &Ground,
        ladder: &Ladder,
        (warm, choice): (&WarmTarget, Option<&TestChoice>),
        on: &mut dyn FnMut(&MappedDiagnostic),
    ) -> Result<(BaselineTarget, TreeClimb), CheckError> {
        let overlay = Overlay::empty();
        let workspace = self.workspace_of(ctx, &ground.tree)?;
        let limit = ladder.timeout.unwrap_or(LONG);
        let view = self.show_prepared(ctx, &overlay, &ladder.more, limit)?;
        let built_before = warm.built();
        let sources = self.sources(ground, ground.tree.files(), workspace.as_deref());
        let writing = warm.begin(ctx, sources, self.isolation(&view.0))?;
        let compared = match ladder.excuse {
            Excuse::Tree => LastCommit::Itself,
            Excuse::Nothing | Excuse::LastCommit => LastCommit::Unknown,
        };
        let excuses =
            self.excuses(ladder, workspace.as_deref(), &ground.tree, (&overlay, compared));
        let place =
            self.place(ctx, (&view, &ground.tree, &ladder.more), writing.target(), excuses)?;
        let mut aside = Draft::new(&self.project, overlay.clone(), ground.tree.clone());
        let mut climb = Climb::new(place, draft, (&self.project, &overlay), on);
        let (mut build, mut tests) = self.durations();
        let ran = climb.check(ladder.test_code, limit)?;
        climb.draft.findings.errors_before = climb.found.errors;
        let errors = climb.draft.diagnostics.iter().filter(|it| it.is_error());
        climb.found.reported = errors.cloned().collect();
        build = longest(build, &ran);
        let mut climbing = ran.passed;
        if ladder.clippy && climbing {
            climbing = climb.clippy(timeout(ladder, build), None)?.passed;
        }
        if let Some(choice) = choice
            && !climb.draft.timed_out
            && !choice.is_empty()
        {
            // Also for a tree that does not build: its dependencies do, and candidates need them.
            if !climbing {
                climb.draft = &mut aside;
                // No target is looked for that could be built.
                climb.place.excuses = None;
            }
            let ran = climb.tests(choice, limit, None)?;
            if ran.built {
                tests = longest(tests, &ran);
            }
        }
        base::lock(&self.known).writes_sources = climb.wrote;
        let (before, altered) = (climb.found, climb.altered);
        Ok((writing, TreeClimb { before, built_before, altered, build, tests }))
    }

    fn remember(
        &self,
        ground: &Ground,
        moved: &[String],
        timed_out: bool,
        before: Before,
        looked: Vec<String>,
    ) {
        let mut known = base::lock(&self.known);
        let tree = Some(ground.tree.hash());
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

/// What a climb of the tree found.
struct TreeClimb {
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
    words
}

fn longest(before: Option<Duration>, ran: &Ran) -> Option<Duration> {
    Some(before.unwrap_or_default().max(ran.duration))
}
