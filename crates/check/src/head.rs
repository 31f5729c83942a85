//! The last commit as the reference state if the tree without the change does not build.

use std::sync::Arc;

use base::{ContentHash, Ctx};
use change::Difference;
use preserve::Allowed;

use crate::before::Before;
use crate::draft::Draft;
use crate::prover::Prover;
use crate::test_choice::TestChoice;
use crate::tree_state::TreeState;
use crate::{CheckError, Ladder};

/// The findings of one run of the ladder on the last commit.
#[derive(Clone, Debug)]
pub(crate) struct HeadBefore {
    /// The change from the tree to the commit.
    patch_set: ContentHash,
    /// The tests that were run.
    run: String,
    before: Arc<Before>,
}

impl Prover {
    /// The last commit's findings if the tree does not build. `None` if it builds, or if no commit
    /// differs from it.
    pub(crate) fn head_if_needed(
        &self,
        ctx: &Ctx,
        state: &TreeState,
        ladder: &Ladder,
        before: &Before,
        choice: Option<&TestChoice>,
    ) -> Result<Option<Arc<Before>>, CheckError> {
        if before.errors == Some(0) && self.has_tests(before, choice) {
            return Ok(None);
        }
        let head = self.project.head_overlay(ctx, &self.env.sandbox)?;
        let Some(head) = head.filter(|head| !head.is_empty()) else { return Ok(None) };
        let labels: Vec<String> = self
            .scopes
            .iter()
            .map(|scope| choice.map_or_else(String::new, |choice| choice.label(scope)))
            .collect();
        let run = format!("{} {}", ladder.clippy, labels.join(";"));
        let patch_set = head.patch_set();
        let known = |it: &&HeadBefore| it.patch_set == patch_set && it.run == run;
        if let Some(found) = base::lock(&self.known).head.iter().find(known) {
            return Ok(Some(Arc::clone(&found.before)));
        }
        ctx.progress("running tests", "of the last commit, to compare with".to_owned());
        let before = Arc::new(self.run_on_head(ctx, head, state, ladder, choice)?);
        let found = HeadBefore { patch_set, run, before: Arc::clone(&before) };
        base::lock(&self.known).head.push(found);
        Ok(Some(before))
    }

    /// What was found of the last commit as it is now, whichever tests were run. Without an earlier
    /// run on a commit git is not asked.
    pub(crate) fn head_known(&self, ctx: &Ctx) -> Result<Option<Arc<Before>>, CheckError> {
        if base::lock(&self.known).head.is_empty() {
            return Ok(None);
        }
        let head = self.project.head_overlay(ctx, &self.env.sandbox)?;
        let patch_set = head.map(|head| head.patch_set());
        let known = base::lock(&self.known);
        let found = known.head.iter().rev().find(|it| Some(it.patch_set) == patch_set);
        Ok(found.map(|it| Arc::clone(&it.before)))
    }

    /// What the change may remove because the user has removed what it belonged to since the last
    /// commit; nothing if the change breaks no rule anyway.
    pub(crate) fn allowed(&self, ctx: &Ctx, draft: &Draft) -> Result<Arc<Allowed>, CheckError> {
        if draft.findings.violations.is_empty() {
            return Ok(Arc::default());
        }
        let head = self.project.head_overlay(ctx, &self.env.sandbox)?;
        let Some(head) = head.filter(|head| !head.is_empty()) else { return Ok(Arc::default()) };
        let patch_set = head.patch_set();
        if let Some((of, allowed)) = &base::lock(&self.known).allowed
            && *of == patch_set
        {
            return Ok(Arc::clone(allowed));
        }
        let difference = Difference::since(&head);
        let intents = change::intents(&difference);
        let mut allowed = change::allowances(&difference, &intents);
        let conflicts = difference.conflicts();
        if !conflicts.is_empty() {
            let bases = self.project.merge_bases(ctx, &self.env.sandbox, &conflicts)?;
            allowed.merge_bases = bases;
        }
        let allowed = Arc::new(allowed);
        base::lock(&self.known).allowed = Some((patch_set, Arc::clone(&allowed)));
        Ok(allowed)
    }

    /// Whether the tests of this choice ran to their end in every configuration.
    fn has_tests(&self, before: &Before, choice: Option<&TestChoice>) -> bool {
        let Some(choice) = choice.filter(|it| !it.is_empty()) else { return true };
        self.scopes.iter().enumerate().all(|(idx, scope)| {
            before.scope(idx).is_some_and(|it| it.tests.contains_key(&choice.label(scope)))
        })
    }
}
