//! `apply`: takes the change that a run ended with and did not apply. The person who takes it decides about its
//! guesses; all else is verified anew, and the gate decides as for any change.

use base::Ctx;
use check::Tests;
use edit::Overlay;
use policy::Approval;
use project::Workspace;
use tools::{KeptChange, KeptError, KeptRun, kept_run};

use crate::report::UnappliedChange;
use crate::task::Task;
use crate::verify::{Asking, Verdict, reasons};
use crate::{AgentError, FixEvent, FixOptions, FixOutcome, FixReport, FixResult};

/// Options of [`crate::Agent::take`].
#[derive(Clone, Debug, Default)]
pub struct TakeOptions {
    /// Id of the run, or its beginning.
    pub run: String,
    /// Tests that the change must pass; `None`: the setting `check.tests`.
    pub tests: Option<Tests>,
    /// Whether a change that leaves errors is taken, with them.
    pub partial: bool,
}

/// Verifies the change of a run on the present tree, which must be that of the run. Nothing is written.
///
/// # Errors
/// As [`tools::kept_run`] and [`KeptRun::takeable`], and errors of the crates below. A change that is not verified
/// is an outcome.
pub(crate) fn take(
    ctx: &Ctx,
    workspace: &Workspace,
    (wanted, approval): (&TakeOptions, Approval),
    on: &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError> {
    let run = kept_run(workspace, &wanted.run)?;
    let kept = run.takeable(ctx, workspace)?;
    if kept.is_partial && !wanted.partial {
        return Err(KeptError::Partial { id: run.id().to_owned() }.into());
    }
    let options = FixOptions { tests: wanted.tests, approval, ..FixOptions::default() };
    let mut task = Task::new(ctx, workspace, &options, on)?;
    task.is_stored = true;
    task.check_tree()?;
    let mut result = match kept.is_partial {
        true => task.partial_of_stored(kept)?,
        false => task.verify_stored(&kept.overlay)?,
    };
    describe(&mut result.report, &run);
    Ok(result)
}

impl Task<'_> {
    fn verify_stored(&mut self, change: &Overlay) -> Result<FixResult, AgentError> {
        let asking = Asking::Begin(change);
        let refused = match self.test(asking)? {
            crate::verify::Tested::Passed(tested) => match self.decide(asking, *tested, 0)? {
                Verdict::Open(result) => return Ok(*result),
                Verdict::Closed(refusals) => reasons(&refusals),
            },
            other => other.reason().unwrap_or_default(),
        };
        let mut report = self.report(FixOutcome::None);
        report.diff = change.unified_diff();
        report.reason = Some(refused);
        Ok(FixResult { report, accepted: None, message: None })
    }
}

impl Task<'_> {
    fn partial_of_stored(&mut self, kept: &KeptChange) -> Result<FixResult, AgentError> {
        let mut report = self.report(FixOutcome::None);
        report.to_keep = Some(UnappliedChange { overlay: kept.overlay.clone(), is_partial: true });
        report.reason = Some("the change is not nearer to a build".to_owned());
        let mut result = FixResult { report, accepted: None, message: None };
        self.offer_partial(&mut result)?;
        Ok(result)
    }
}

/// Adds what the run reported about its change.
fn describe(report: &mut FixReport, run: &KeptRun) {
    report.run = Some(run.id().to_owned());
    report.rationale.clone_from(&run.detail.rationale);
    report.rules.clone_from(&run.detail.rules);
    if !run.detail.reason.is_empty() {
        report.notes.push(format!("run {} did not apply it: {}", run.id(), run.detail.reason));
    }
}
