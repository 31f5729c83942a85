//! `--partial`: a change that is certain, leaves errors of the tree and adds none, written with the errors that are
//! left because a person asks for exactly that. It is never verified, no test runs with it, and no caller for an
//! agent can ask for it: only the command line sets [`FixOptions::partial`](crate::FixOptions).

use check::{Ladder, Tests};
use policy::{Decision, GateRules};
use tools::AcceptedChange;

use crate::report::UnappliedChange;
use crate::task::Task;
use crate::verify::reasons;
use crate::{AgentError, FixOutcome, FixReport, FixResult, PartialChange, TaskStep};

impl FixReport {
    /// Keeps the partial change, if all of it is certain and it leaves fewer errors.
    pub(crate) fn keep_partial(&mut self) {
        let is_nearer =
            |it: &&PartialChange| !it.left.is_empty() && it.left.len() < self.errors.len();
        let overlay = self.partial.as_ref().filter(is_nearer).and_then(|it| it.certain.clone());
        let is_alone = self.outcome == FixOutcome::None && self.to_keep.is_none();
        if let Some(overlay) = overlay.filter(|_| is_alone) {
            self.to_keep = Some(UnappliedChange { overlay, is_partial: true });
        }
    }
}

impl Task<'_> {
    /// Builds the partial change of a result anew, and lets the gate decide whether it may be written with the
    /// errors that it leaves.
    pub(crate) fn offer_partial(&mut self, result: &mut FixResult) -> Result<(), AgentError> {
        let kept = result.report.to_keep.as_ref().filter(|it| it.is_partial);
        let Some(overlay) = kept.map(|it| it.overlay.clone()) else { return Ok(()) };
        self.enter(TaskStep::Check, "the change with the errors that it leaves");
        let ladder = Ladder {
            test_code: self.test_code,
            analyzer: false,
            clippy: false,
            stories: false,
            ..self.world.ladder(Tests::None, None)
        };
        let mut checked = self.world.prove(overlay.clone(), &ladder)?;
        let rules = GateRules { is_partial: true, ..self.rules() };
        let rules = GateRules { require: Vec::new(), ..rules };
        let approval = self.options.approval.clone();
        let mut decision = policy::decide(&rules, checked.evidence.clone(), &approval);
        if matches!(decision, Decision::OnRecord) && self.world.is_live() {
            checked = self.world.prove_live(overlay, &ladder)?;
            decision = policy::decide(&rules, checked.evidence.clone(), &approval);
        }
        let report = &mut result.report;
        let permit = match decision {
            Decision::Open(permit) => Some(permit),
            Decision::OnRecord => None,
            Decision::Closed(refusals) => {
                report.notes.push(format!("not written by `--partial`: {}", reasons(&refusals)));
                return Ok(());
            }
        };
        report.outcome = FixOutcome::Partial;
        report.diff = checked.overlay.unified_diff();
        report.evidence = Some(checked.evidence);
        let errors = checked.mapped.iter().filter(|it| it.diagnostic.is_error());
        let left = errors.map(check::MappedDiagnostic::one_line).collect();
        let (diff, rationale) = (report.diff.clone(), report.rationale.clone());
        let known = report.partial.take().map_or(rationale, |it| it.rationale);
        report.partial = Some(PartialChange { rationale: known, diff, left, certain: None });
        let (overlay, before) = (checked.overlay, self.before.clone());
        let accepted = |permit| {
            let consent = None;
            AcceptedChange { overlay, permit, ladder, rules, approval, before, consent }
        };
        result.accepted = permit.map(accepted);
        Ok(())
    }
}
