//! The check of the tree as it is: what the task begins with, or its result where nothing is to be searched.

use std::sync::Arc;

use base::{Diagnostic, ProjectPath};
use check::Checked;
use repair::InProgress;

use super::errors::{ErrorSearch, Found, Stage};
use super::only::{OnlyCandidate, What};
use super::{Done, Driver, Job};
use crate::failing::Failing;
use crate::left_behind::after_all_tests;
use crate::machine::TaskEvent;
use crate::tested_tree::TestedTree;
use crate::{AgentError, FixOutcome, LeftRow, ReasonerChoice};

impl Driver<'_> {
    /// Checks the tree, and decides what is searched for.
    pub(super) fn check_tree(&mut self) -> Result<Done, AgentError> {
        let options = self.task.options;
        let baseline = self.task.check_tree()?;
        let errors = self.task.target_errors(&baseline);
        let finishes = options.finishes() || options.begin.is_some();
        // A feature that has another name makes no error.
        let is_unexpected = |it: &Diagnostic| it.code.as_deref() == Some("unexpected_cfgs");
        let may_be_in_progress = finishes || baseline.diagnostics.iter().any(is_unexpected);
        let (in_progress, sources): (_, Arc<[ProjectPath]>) =
            match errors.is_empty() && !may_be_in_progress {
                true => (InProgress::default(), Arc::default()),
                false => {
                    let sources: Arc<[ProjectPath]> = self.task.sources()?.into();
                    (self.task.in_progress(&baseline, &sources)?, sources)
                }
            };
        if !errors.is_empty() {
            if options.reasoners == ReasonerChoice::Nothing {
                let result = self.task.does_not_build(&baseline);
                return Ok(Done::end(TaskEvent::NotRepairable, result));
            }
            let names = match finishes && options.begin.is_none() {
                true => self.task.old_names(&in_progress)?,
                false => Vec::new(),
            };
            let stage = Stage::Found(Found { errors, in_progress, sources });
            self.job = Job::Errors(Box::new(ErrorSearch { stage, names }));
            return Ok(TaskEvent::TreeBroken.into());
        }
        if let Some(failing) = Failing::of(&mut self.task, &baseline)? {
            self.job = Job::Failing(Box::new(failing));
            return Ok(TaskEvent::TreeBroken.into());
        }
        match &options.begin {
            Some(begin) if baseline.passed() => Ok(self.only(What::InProgress(begin.clone()))),
            None if finishes && baseline.passed() || in_progress.renames_feature() => {
                self.finish(baseline, &in_progress)
            }
            _ => Ok(self.nothing_to_fix(&baseline, Vec::new())),
        }
    }

    /// The edits for what was left behind on a tree that builds.
    fn finish(&mut self, baseline: Checked, in_progress: &InProgress) -> Result<Done, AgentError> {
        let left = self.task.left_behind(&baseline, in_progress)?;
        let Some(overlay) = left.overlay.clone() else {
            if !baseline.passed() {
                return Ok(self.nothing_to_fix(&baseline, left.unedited()));
            }
            let Some(tested) = self.task.tested_tree(in_progress)? else {
                return Ok(self.nothing_to_fix(&baseline, left.unedited()));
            };
            let missed = self.task.names_missed(&tested.failed_examples())?;
            if let Some(left) = missed.and_then(|it| left.with_names(it, &*self.task.world))
                && let Some(overlay) = left.overlay.clone()
            {
                return Ok(self.only(What::Left { overlay, left, baseline: Box::new(baseline) }));
            }
            let left = left.unedited();
            let is_proven = tested.is_all && tested.checked.passed();
            return Ok(self.tested(&tested, if is_proven { after_all_tests(left) } else { left }));
        };
        Ok(self.only(What::Left { overlay, left, baseline: Box::new(baseline) }))
    }

    fn only(&mut self, what: What) -> Done {
        self.job = Job::Only(Box::new(OnlyCandidate::new(what)));
        TaskEvent::InProgress.into()
    }

    /// The result on a tree whose tests ran.
    fn tested(&mut self, tested: &TestedTree, left: Vec<LeftRow>) -> Done {
        let mut done = self.nothing_to_fix(&tested.checked, left);
        let Some(result) = done.result.as_mut() else { return done };
        match tested.reason() {
            Some(reason) => result.report.reason = Some(reason),
            // They failed before, and no repair of them was asked for.
            None if result.report.has_failing_tests() => {
                let left = std::mem::take(&mut result.report.left_behind);
                result.report.outcome = FixOutcome::Clean;
                let reason = "cargo check finds no error, and the tests that fail failed before";
                result.report.reason = Some(reason.to_owned());
                result.report.leave(left);
                if result.report.outcome == FixOutcome::Clean {
                    done.event = TaskEvent::TreeClean;
                }
            }
            None => {}
        }
        done
    }

    /// The result on a tree that builds, without an edit; `left` are the places left behind.
    fn nothing_to_fix(&mut self, baseline: &Checked, left: Vec<LeftRow>) -> Done {
        let mut result = self.task.nothing_to_fix(baseline);
        result.report.leave(left);
        let event = match result.report.outcome {
            FixOutcome::Clean => TaskEvent::TreeClean,
            _ => TaskEvent::NotRepairable,
        };
        Done::end(event, result)
    }
}
