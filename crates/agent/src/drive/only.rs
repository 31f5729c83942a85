//! [`OnlyCandidate`]: a change that is there before anything is searched, and is proved alone.

use check::{Checked, Tests};
use edit::Overlay;

use super::{Done, defect, not_for};
use crate::left_behind::{LeftBehind, after_all_tests};
use crate::machine::{TaskCommand, TaskEvent};
use crate::task::Task;
use crate::verify::{Asking, Tested, TestedChange, Verdict, reasons};
use crate::{AgentError, FixOutcome, FixResult, TaskStep};

/// The change and how far it is.
pub(super) struct OnlyCandidate {
    what: What,
    proof: Proof,
}

/// Kind of the change.
pub(super) enum What {
    /// An in-progress change in memory.
    InProgress(Overlay),
    /// Edits for what a change has left behind.
    Left { overlay: Overlay, left: LeftBehind, baseline: Box<Checked> },
}

/// How far its proof is.
enum Proof {
    Untested,
    Passed(Box<TestedChange>),
    /// Why it did not pass.
    Refused(String),
}

impl OnlyCandidate {
    pub(super) fn new(what: What) -> Self {
        Self { what, proof: Proof::Untested }
    }

    /// Does what the machine commands.
    pub(super) fn perform(
        &mut self,
        task: &mut Task<'_>,
        command: TaskCommand,
    ) -> Result<Done, AgentError> {
        match command {
            TaskCommand::Test => self.test(task),
            TaskCommand::Decide => self.decide(task),
            TaskCommand::GiveUp => self.give_up(task),
            _ => Err(not_for(command)),
        }
    }

    fn asking(&self) -> Asking<'_> {
        match &self.what {
            What::InProgress(overlay) | What::Left { overlay, .. } => Asking::Begin(overlay),
        }
    }

    fn test(&mut self, task: &mut Task<'_>) -> Result<Done, AgentError> {
        let mut tested = task.test(self.asking())?;
        // A failure that cannot be passed on is no reason against the other edits.
        while let (Tested::Broken(checked), What::Left { overlay, left, .. }) =
            (&tested, &mut self.what)
        {
            let less = left.without_failing(&checked.diagnostics, &*task.world);
            let Some((edits, less)) = less.and_then(|it| Some((it.overlay.clone()?, it))) else {
                break;
            };
            (*overlay, *left) = (edits, less);
            tested = task.test(self.asking())?;
        }
        // Nor is an example that fails with its new arguments.
        if let (Tested::Refused(_), What::Left { overlay, left, .. }) = (&tested, &mut self.what)
            && let Some(less) = left.without_example_calls(&*task.world)
            && let Some(edits) = less.overlay.clone()
        {
            (*overlay, *left) = (edits, less);
            tested = task.test(self.asking())?;
        }
        // What an example misses shows when it fails.
        if let (Tested::Passed(change), What::Left { overlay, left, .. }) =
            (&tested, &mut self.what)
            && let Some(names) = task.names_missed(&change.failed_examples())?
            && let Some(more) = left.with_names(names, &*task.world)
            && let Some(edits) = more.overlay.clone()
        {
            (*overlay, *left) = (edits, more);
            tested = task.test(self.asking())?;
        }
        let reason = tested.reason().unwrap_or_default();
        let (proof, event) = match tested {
            Tested::Passed(tested) => (Proof::Passed(tested), TaskEvent::TestsPassed),
            _ => (Proof::Refused(reason), TaskEvent::TestsFailed),
        };
        self.proof = proof;
        Ok(event.into())
    }

    fn decide(&mut self, task: &mut Task<'_>) -> Result<Done, AgentError> {
        let Proof::Passed(tested) = std::mem::replace(&mut self.proof, Proof::Untested) else {
            return Err(defect("the only candidate was not tested"));
        };
        let tried = usize::from(matches!(self.what, What::Left { .. }));
        match task.decide(self.asking(), *tested, tried)? {
            Verdict::Open(mut result) => {
                if let What::Left { left, .. } = &self.what {
                    let rows = left.edited();
                    let is_tested = task.tests() == Tests::All;
                    let rows = if is_tested { after_all_tests(rows) } else { rows };
                    result.report.left_behind = rows;
                    result.report.rationale = left.rationale();
                }
                Ok(Done::end(TaskEvent::GateOpened, *result))
            }
            Verdict::Closed(refusals) => {
                self.proof = Proof::Refused(reasons(&refusals));
                Ok(TaskEvent::GateClosed.into())
            }
        }
    }

    /// The result without a verified change.
    fn give_up(&mut self, task: &mut Task<'_>) -> Result<Done, AgentError> {
        task.ctx.check_cancelled()?;
        let Proof::Refused(reason) = &self.proof else {
            return Err(defect("the only candidate was not refused"));
        };
        match &self.what {
            What::InProgress(begin) => {
                task.enter(TaskStep::Abort, reason.clone());
                let mut report = task.report(FixOutcome::Draft);
                report.keep_draft(begin);
                report.reason = Some(reason.clone());
                let result = FixResult { report, accepted: None, message: None };
                Ok(Done::end(TaskEvent::GivenUp, result))
            }
            What::Left { left, baseline, .. } => {
                let mut result = task.nothing_to_fix(baseline);
                result.report.leave(left.unedited());
                result.report.notes.push(format!("the edits of the places left: {reason}"));
                let event = match result.report.outcome {
                    FixOutcome::Clean => TaskEvent::TreeClean,
                    _ => TaskEvent::GivenUp,
                };
                Ok(Done::end(event, result))
            }
        }
    }
}
