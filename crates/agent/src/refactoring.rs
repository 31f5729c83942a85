//! Options, proofs and the gate of the changes that start from a request.

use base::Timestamp;
use check::{Checked, Ladder, SkipRule, Tests};
use edit::Overlay;
use policy::{Approval, ChangeSource, GateRules, Keep};
use refactor::{ListedUses, Obstacle, Renaming};
use repo::CommitMessage;
use tools::AcceptedChange;

use crate::noted::{RunNote, note_run};
use crate::task::{Task, first_error, why_not};
use crate::verify::added_warnings;
use crate::{
    AgentError, FixEvent, FixOptions, FixOutcome, FixResult, GivenAnswers, LeftRow, TaskStep,
};

/// Author of the overlays.
pub(crate) const AUTHOR: &str = "graftage refactor";

/// Maximum number of obstacles that the reason lists.
const LISTED: usize = 12;

/// Options of [`crate::rename`], [`crate::relocate`], [`crate::inline`] and [`crate::reshape`].
#[derive(Clone, Debug, Default)]
pub struct RefactorOptions {
    /// Tests that the change must pass; `None`: the setting `check.tests`.
    pub tests: Option<Tests>,
    /// Time limit in seconds; `None`: the setting `fix.timeout_seconds`.
    pub max_seconds: Option<u64>,
    /// The user's approval: preservation rules that the change may break.
    pub approval: Approval,
    /// Answers to the questions of an earlier run.
    pub answers: GivenAnswers,
}

impl RefactorOptions {
    pub(crate) fn fix(&self) -> FixOptions {
        FixOptions {
            tests: self.tests,
            max_seconds: self.max_seconds,
            approval: self.approval.clone(),
            answers: self.answers.clone(),
            ..FixOptions::default()
        }
    }
}

/// What is shown of a change that the gate has let through.
pub(crate) struct Shown {
    pub(crate) rationale: Vec<String>,
    pub(crate) notes: Vec<String>,
    /// Places that no proof covers.
    pub(crate) left: Vec<LeftRow>,
    /// First line of the commit.
    pub(crate) summary: String,
}

/// The message of the commit.
pub(crate) fn message(summary: String, body: Vec<String>) -> CommitMessage {
    CommitMessage { kind: "refactor".to_owned(), scope: None, summary, body }.fitted()
}

/// The places that cannot follow, as one reason.
pub(crate) fn obstacles(found: &[Obstacle]) -> String {
    listed(found.iter().map(|it| format!("{}:{}: {}", it.path, it.line, it.reason)).collect())
}

/// Places, one a line; of many the first.
pub(crate) fn listed(mut places: Vec<String>) -> String {
    let more = places.len().saturating_sub(LISTED);
    places.truncate(LISTED);
    if more > 0 {
        places.push(format!("{more} more places"));
    }
    places.join("\n  ")
}

impl Task<'_> {
    /// The tests of a change: only a run of all tests has the examples of the documentation.
    pub(crate) fn tests_with(&self, has_examples: bool) -> Tests {
        match self.tests() {
            Tests::Affected if has_examples => Tests::All,
            tests => tests,
        }
    }

    /// What a proof with these tests runs.
    pub(crate) fn ladder_of_words(&self, tests: Tests) -> Ladder {
        Ladder {
            // Without tests too: a use that is left in a test breaks the build of all tests.
            test_code: true,
            documentation: true,
            analyzer: false,
            skip: SkipRule::Tree,
            late_baseline: true,
            ..self.world.ladder(tests, None)
        }
    }

    /// Checks a change outside of a search.
    pub(crate) fn prove(
        &mut self,
        overlay: Overlay,
        ladder: &Ladder,
    ) -> Result<Checked, AgentError> {
        self.proofs += 1;
        let checked = self.world.prove(overlay, ladder)?;
        self.ctx.check_cancelled()?;
        (self.on)(&FixEvent::Checked {
            number: self.proofs,
            builds: checked.passed(),
            errors: checked.diagnostics.iter().filter(|it| it.is_error()).count(),
            first_error: first_error(&checked),
            refused: None,
        });
        Ok(checked)
    }

    /// The uses of the item that the compiler lists in the present tree, where it is marked as
    /// deprecated; `None` if it cannot list them.
    pub(crate) fn list_uses(
        &mut self,
        item: &Renaming,
        ladder: &Ladder,
    ) -> Result<Option<ListedUses>, AgentError> {
        let Some(mark) = item.mark() else { return Ok(None) };
        let overlay = Overlay::from_splices(AUTHOR, Timestamp(0), &*self.world, &[mark])?;
        let checked = self.prove(overlay, ladder)?;
        let name = &item.target().from;
        Ok(Some(item.listed(&checked.diagnostics, &checked.overlay, name)))
    }

    /// Passes a change to the gate if it was proven; `with` is the tree of the proof in the reason.
    pub(crate) fn decide_words(
        mut self,
        checked: Checked,
        ladder: Ladder,
        (keep, with): (Keep, &str),
        shown: Shown,
    ) -> FixResult {
        if let Some(reason) = why_not(&checked, with).filter(|_| checked.tests.is_none()) {
            return self.abort(Some(&checked), reason);
        }
        self.enter(TaskStep::Decide, "gate");
        let source = ChangeSource::OwnRules;
        let rules = GateRules { keep, source, ..self.world.settings().rules(ladder.tests) };
        let approval = self.options.approval.clone();
        match policy::decide(&rules, checked.evidence.clone(), &approval).permit() {
            Ok(permit) => {
                let mut report = self.report(FixOutcome::Proven);
                report.rationale.clone_from(&shown.rationale);
                report.notes.extend(shown.notes);
                report.notes.extend(added_warnings(&checked.evidence));
                report.left_behind = shown.left;
                report.candidates_tried = self.proofs;
                report.diff = checked.overlay.unified_diff();
                report.evidence = Some(checked.evidence);
                let (overlay, before) = (checked.overlay, None);
                let accepted = AcceptedChange {
                    overlay,
                    permit,
                    ladder,
                    rules,
                    approval,
                    before,
                    consent: None,
                };
                let message = message(shown.summary, shown.rationale);
                let fixed = FixResult { report, accepted: Some(accepted), message: Some(message) };
                self.noted(fixed)
            }
            Err(refusals) => {
                let reasons: Vec<String> =
                    refusals.iter().map(policy::Refusal::with_permission).collect();
                let mut refused = self.abort(Some(&checked), reasons.join("; "));
                refused.report.notes.extend(shown.notes);
                refused
            }
        }
    }

    /// Ends without a change.
    pub(crate) fn abort(mut self, checked: Option<&Checked>, reason: String) -> FixResult {
        self.enter(TaskStep::Abort, reason.clone());
        let tried = self.proofs;
        let mut report = self.report(FixOutcome::None);
        report.reason = Some(reason);
        report.candidates_tried = tried;
        if let Some(checked) = checked {
            report.evidence = Some(checked.evidence.clone());
            let errors = checked.mapped.iter().filter(|it| it.diagnostic.is_error());
            report.errors = errors.map(tools::ReportedDiagnostic::from).collect();
        }
        self.noted(FixResult { report, accepted: None, message: None })
    }

    /// Adds the run to the record.
    fn noted(&self, mut fixed: FixResult) -> FixResult {
        if let Ok(workspace) = self.world.workspace() {
            let intent = fixed.report.intents.first().map(|it| it.evidence.clone());
            let note = RunNote {
                command: "refactor",
                request: &intent.unwrap_or_default(),
                first_pass: None,
                started: self.started,
                files_hash: self.world.files_hash(),
            };
            note_run(self.ctx, workspace, note, &mut fixed);
        }
        fixed
    }
}
